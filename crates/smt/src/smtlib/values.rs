//! SMT-LIB sorts, terms that have them, and their values as text.

use std::fmt::Write;

use num_bigint::BigUint;

use crate::eval::Evaluator;
use crate::float::Format;
use crate::model::{ArrayValue, Model};
use crate::term::{Rounding, Sort, TermId, Terms};

/// Sorts that our terms do not distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Bits(u32),
    Float(u32),
    Array { index: u32, element: u32 },
    Rounding,
}

impl Kind {
    /// The sort of our terms.
    pub fn sort(self) -> Option<Sort> {
        match self {
            Kind::Bool => Some(Sort::Bits(1)),
            Kind::Bits(width) | Kind::Float(width) => Some(Sort::Bits(width)),
            Kind::Array { index, element } => Some(Sort::Array { index, element }),
            Kind::Rounding => None,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Bool => f.write_str("Bool"),
            Kind::Bits(width) => write!(f, "(_ BitVec {width})"),
            Kind::Float(32) => f.write_str("(_ FloatingPoint 8 24)"),
            Kind::Float(_) => f.write_str("(_ FloatingPoint 11 53)"),
            Kind::Array { index, element } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
            Kind::Rounding => f.write_str("RoundingMode"),
        }
    }
}

/// A term and the sort it has in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Typed {
    Term(Kind, TermId),
    Rounding(Rounding),
}

impl Typed {
    pub fn kind(self) -> Kind {
        match self {
            Typed::Term(kind, _) => kind,
            Typed::Rounding(_) => Kind::Rounding,
        }
    }

    pub fn term(self) -> Option<TermId> {
        match self {
            Typed::Term(_, term) => Some(term),
            Typed::Rounding(_) => None,
        }
    }
}

/// The digits of a bit vector.
pub fn bits_text(width: u32, value: &BigUint) -> String {
    match width % 4 {
        0 => format!("#x{value:0>digits$x}", digits = width as usize / 4),
        _ => format!("#b{value:0>digits$b}", digits = width as usize),
    }
}

fn float_text(width: u32, bits: u64) -> String {
    let format = Format::of_width(width);
    if format.is_nan(bits) {
        return format!("(_ NaN {} {})", format.exponent, format.fraction + 1);
    }
    let sign = bits >> (width - 1);
    let exponent = (bits >> format.fraction) & crate::term::mask(format.exponent);
    let fraction = bits & crate::term::mask(format.fraction);
    let (e, f) = (format.exponent as usize, format.fraction as usize);
    format!("(fp #b{sign:b} #b{exponent:0e$b} #b{fraction:0f$b})")
}

pub fn value_text(kind: Kind, value: &BigUint) -> String {
    let low = value.iter_u64_digits().next().unwrap_or(0);
    match kind {
        Kind::Bool => if low == 0 { "false" } else { "true" }.to_owned(),
        Kind::Bits(width) => bits_text(width, value),
        Kind::Float(width) => float_text(width, low),
        Kind::Array { .. } | Kind::Rounding => String::new(),
    }
}

/// An array as stores into a constant one.
pub fn array_text(index: u32, element: u32, array: &ArrayValue) -> String {
    let number = |width, value: u64| bits_text(width, &BigUint::from(value));
    let kind = Kind::Array { index, element };
    let mut text = format!("((as const {kind}) {})", number(element, array.default));
    for (at, value) in &array.elements {
        text = format!("(store {text} {} {})", number(index, *at), number(element, *value));
    }
    text
}

/// The value of a term in a model.
pub fn evaluate(terms: &Terms, model: &Model, typed: Typed) -> String {
    match typed {
        Typed::Rounding(rounding) => format!("{rounding:?}"),
        Typed::Term(Kind::Array { index, element }, term) => {
            let known = terms.variable_of(term).and_then(|v| model.arrays.get(&v));
            array_text(index, element, known.unwrap_or(&ArrayValue::default()))
        }
        Typed::Term(kind, term) => {
            value_text(kind, &Evaluator::new().wide_value(terms, model, term))
        }
    }
}

/// A function's values as a definition.
pub fn function_text(
    name: &str,
    arguments: &[Kind],
    result: Kind,
    table: Option<&std::collections::BTreeMap<Vec<u64>, u64>>,
) -> String {
    let mut text = format!("  (define-fun {} (", super::sexpr::quoted(name));
    for (at, kind) in arguments.iter().enumerate() {
        let space = if at > 0 { " " } else { "" };
        let _ = write!(text, "{space}(x{at} {kind})");
    }
    let _ = write!(text, ") {result}\n    ");
    let entries = table.into_iter().flatten();
    let mut open = 0;
    for (values, value) in entries {
        let mut tests = String::new();
        for (at, (kind, value)) in arguments.iter().zip(values).enumerate() {
            let value = value_text(*kind, &BigUint::from(*value));
            let _ = write!(tests, " (= x{at} {value})");
        }
        let value = value_text(result, &BigUint::from(*value));
        let _ = write!(text, "(ite (and{tests}) {value} ");
        open += 1;
    }
    let _ = write!(text, "{}{})", value_text(result, &BigUint::ZERO), ")".repeat(open));
    text
}
