//! Terms in infix.
//!
//! Arithmetic is that of the terms, and widening, which keeps a value, is not shown. What is
//! compared or divided as an unsigned number although it may be negative is marked, and so is the
//! other way round.

use std::cell::Cell;

use super::facts;
use super::glossary::Glossary;
use super::values;
use crate::float::{Format, is_float_width};
use crate::term::{FunctionId, Op, Rounding, TermId, Terms, VarId};

/// Terms of more parts than this are cut off: nobody reads further.
const LARGEST: u32 = 300;
const DEEPEST: u32 = 60;
/// Terms that are looked at to find out whether a term is a float or has a sign.
const MOST_ASKED: u32 = 64;
/// In the names of flags that say whether two pointers are the same.
const SAME: &str = " == ";

/// How tightly an operator binds; operands that bind less are put between parentheses.
pub(super) type Strength = u8;
pub(super) const LOWEST: Strength = 0;
const OR: Strength = 1;
pub(super) const AND: Strength = 2;
const COMPARE: Strength = 3;
pub(super) const BITS: Strength = 4;
const SHIFT: Strength = 5;
const SUM: Strength = 6;
const PRODUCT: Strength = 7;
const PREFIX: Strength = 8;

pub(super) struct Printer<'a> {
    pub terms: &'a Terms,
    pub glossary: &'a Glossary,
    /// How many more terms are printed before the rest is left out.
    left: Cell<u32>,
    depth: Cell<u32>,
}

impl<'a> Printer<'a> {
    pub fn new(terms: &'a Terms, glossary: &'a Glossary) -> Printer<'a> {
        Printer { terms, glossary, left: Cell::new(LARGEST), depth: Cell::new(DEEPEST) }
    }

    /// The term, between parentheses if it binds less than asked for.
    pub fn at(&self, term: TermId, strength: Strength) -> String {
        self.left.set(LARGEST);
        self.depth.set(DEEPEST);
        self.nested(term, strength)
    }

    /// The same as a part of something.
    pub fn nested(&self, term: TermId, strength: Strength) -> String {
        let depth = self.depth.get();
        if depth == 0 || self.left.get() == 0 {
            return "…".to_owned();
        }
        self.left.set(self.left.get() - 1);
        self.depth.set(depth - 1);
        let (own, text) = self.text(term);
        self.depth.set(depth);
        if own < strength { format!("({text})") } else { text }
    }

    /// An operand of an operation on floats.
    fn float(&self, term: TermId, strength: Strength) -> String {
        match self.terms.as_constant(term) {
            Some(bits) => values::float(bits, self.terms.width(term)),
            None => self.nested(term, strength),
        }
    }

    /// An operand of an operation that takes it as signed or as unsigned.
    fn number(&self, term: TermId, is_signed: bool, strength: Strength) -> String {
        let t = self.terms;
        if t.width(term) > 64 {
            return self.nested(term, strength);
        }
        if let (Some(signed), Some(unsigned)) = (t.as_signed(term), t.as_constant(term)) {
            return if is_signed { signed.to_string() } else { unsigned.to_string() };
        }
        let is_same = t.signed_bounds(term).0 >= 0;
        match self.sign(term).filter(|own| !is_same && *own != is_signed) {
            None => self.nested(term, strength),
            Some(_) => match self.low_bits(term) {
                Some(whole) if is_signed => self.cast("int", t.width(term), whole),
                _ => {
                    let sign = if is_signed { "signed" } else { "unsigned" };
                    format!("{sign}({})", self.nested(term, LOWEST))
                }
            },
        }
    }

    fn text(&self, term: TermId) -> (Strength, String) {
        let t = self.terms;
        let node = t.node(term);
        let operands: Vec<TermId> = t.operands(term).collect();
        let infix = |symbol: &str, own: Strength| {
            let (a, b) = (self.nested(operands[0], own), self.nested(operands[1], own + 1));
            (own, format!("{a} {symbol} {b}"))
        };
        let floats = |symbol: &str, own: Strength| {
            let (a, b) = (self.float(operands[0], own), self.float(operands[1], own + 1));
            (own, format!("{a} {symbol} {b}"))
        };
        let numbers = |symbol: &str, is_signed: bool, own: Strength| {
            let a = self.number(operands[0], is_signed, own);
            let b = self.number(operands[1], is_signed, own + 1);
            (own, format!("{a} {symbol} {b}"))
        };
        let call = |name: &str| {
            let arguments: Vec<String> =
                operands.iter().map(|operand| self.argument(*operand)).collect();
            (PREFIX, format!("{name}({})", arguments.join(", ")))
        };
        match node.op {
            Op::Const | Op::WideConst => (PREFIX, self.constant(term)),
            Op::Var => (PREFIX, self.glossary.name(t, VarId(node.a)).to_owned()),
            Op::Not if node.width == 1 => self.negation(term, operands[0]),
            Op::Not => (PREFIX, format!("~{}", self.nested(operands[0], PREFIX))),
            Op::Neg => (PREFIX, format!("-{}", self.nested(operands[0], PREFIX))),
            Op::Add => self.sum(operands[0], operands[1]),
            Op::Mul => infix("·", PRODUCT),
            Op::UDiv | Op::SDiv => numbers("/", node.op == Op::SDiv, PRODUCT),
            Op::URem | Op::SRem => numbers("%", node.op == Op::SRem, PRODUCT),
            Op::And if node.width == 1 => infix("∧", AND),
            Op::Or if node.width == 1 => self.either(operands[0], operands[1]),
            Op::Xor if node.width == 1 => infix("≠", COMPARE),
            Op::And => infix("&", BITS),
            Op::Or => infix("|", BITS),
            Op::Xor => match self.negated_float(term) {
                Some(inner) => (PREFIX, format!("-{}", self.float(inner, PREFIX))),
                None => infix("^", BITS),
            },
            Op::Shl => infix("<<", SHIFT),
            Op::LShr | Op::AShr => {
                let a = self.number(operands[0], node.op == Op::AShr, SHIFT);
                (SHIFT, format!("{a} >> {}", self.nested(operands[1], SHIFT + 1)))
            }
            Op::Eq | Op::Ult | Op::Slt | Op::FEq | Op::FLt | Op::FLe => {
                self.condition(term, term, true)
            }
            Op::FAdd => floats("+", SUM),
            Op::FSub => floats("-", SUM),
            Op::FMul => floats("·", PRODUCT),
            Op::FDiv => floats("/", PRODUCT),
            Op::Ite => self.choice(term, &operands),
            Op::Extract => self.extract(term),
            // The value is the same.
            Op::ZExt => match self.absolute(term) {
                Some(whole) => (PREFIX, format!("fabs({})", self.float(whole, LOWEST))),
                None => (PREFIX, self.number(operands[0], false, PREFIX)),
            },
            Op::SExt => match self.low_bits(operands[0]) {
                Some(whole) => (PREFIX, self.cast("int", t.width(operands[0]), whole)),
                None => (PREFIX, self.number(operands[0], true, PREFIX)),
            },
            Op::Concat => infix("++", BITS),
            Op::FRem => call("fmod"),
            Op::FSqrt => call("sqrt"),
            Op::FFma => call("fma"),
            Op::FToSi => {
                (PREFIX, format!("int{}({})", node.width, self.float(operands[0], LOWEST)))
            }
            Op::SiToF | Op::UiToF => {
                let number = self.number(operands[0], node.op == Op::SiToF, LOWEST);
                (PREFIX, format!("{}({number})", float_type(node.width)))
            }
            Op::FToF => {
                let number = self.float(operands[0], LOWEST);
                (PREFIX, format!("{}({number})", float_type(node.width)))
            }
            Op::FRound => call(match Rounding::ALL[usize::from(node.rounding)] {
                Rounding::NearestEven => "rint",
                Rounding::NearestAway => "round",
                Rounding::TowardPositive => "ceil",
                Rounding::TowardNegative => "floor",
                Rounding::TowardZero => "trunc",
            }),
            Op::Select => {
                let array = self.nested(operands[0], PREFIX);
                (PREFIX, format!("{array}[{}]", self.nested(operands[1], LOWEST)))
            }
            Op::Store => {
                let parts: Vec<String> =
                    operands.iter().map(|operand| self.nested(*operand, LOWEST)).collect();
                (PREFIX, format!("{}{{{} := {}}}", parts[0], parts[1], parts[2]))
            }
            Op::ConstArray => (PREFIX, format!("[{}…]", self.nested(operands[0], LOWEST))),
            Op::Apply => call(&t.function_info(FunctionId(node.a)).name),
        }
    }

    /// An argument of a function on floats, if that is what it is.
    fn argument(&self, term: TermId) -> String {
        if self.is_float(term) { self.float(term, LOWEST) } else { self.nested(term, LOWEST) }
    }

    /// `a + -b` is a difference, and so is `a + c` with a large constant.
    fn sum(&self, a: TermId, b: TermId) -> (Strength, String) {
        let t = self.terms;
        if let Some(negated) = t.match_unary(Op::Neg, b) {
            let (x, y) = (self.nested(a, SUM), self.nested(negated, PRODUCT));
            return (SUM, format!("{x} - {y}"));
        }
        if let Some(negated) = t.match_unary(Op::Neg, a)
            && !t.is_constant(b)
        {
            let (x, y) = (self.nested(b, SUM), self.nested(negated, PRODUCT));
            return (SUM, format!("{x} - {y}"));
        }
        let x = self.nested(a, SUM);
        match t.as_signed(b) {
            Some(c) if c < 0 => (SUM, format!("{x} - {}", c.unsigned_abs())),
            _ => (SUM, format!("{x} + {}", self.nested(b, PRODUCT))),
        }
    }

    fn choice(&self, term: TermId, operands: &[TermId]) -> (Strength, String) {
        let is_float = self.is_float(term);
        let parts = [1, 2].map(|at| {
            if is_float {
                self.float(operands[at], COMPARE)
            } else {
                self.nested(operands[at], COMPARE)
            }
        });
        let condition = self.nested(operands[0], COMPARE);
        (LOWEST, format!("{condition} ? {} : {}", parts[0], parts[1]))
    }

    fn extract(&self, term: TermId) -> (Strength, String) {
        if let Some(flag) = self.flag(term) {
            return (COMPARE, flag.replace(SAME, " = "));
        }
        let node = self.terms.node(term);
        if let Some(whole) = self.low_bits(term) {
            return (PREFIX, self.cast("uint", u32::from(node.width), whole));
        }
        let (low, high) = (node.b, node.b + u32::from(node.width) - 1);
        let whole = self.nested(self.terms.operand(term, 0), PREFIX);
        (PREFIX, format!("{whole}[{high}:{low}]"))
    }

    /// The term of which this is the lowest bits, as many as a type of C has.
    fn low_bits(&self, term: TermId) -> Option<TermId> {
        let node = self.terms.node(term);
        let is_cast = node.op == Op::Extract && node.b == 0 && matches!(node.width, 8 | 16 | 32);
        is_cast.then(|| self.terms.operand(term, 0)).filter(|whole| !self.is_float(*whole))
    }

    fn cast(&self, kind: &str, width: u32, whole: TermId) -> String {
        format!("{kind}{width}({})", self.nested(whole, LOWEST))
    }

    /// What holds if two floats are the same, or neither is a number, is their equality.
    fn either(&self, a: TermId, b: TermId) -> (Strength, String) {
        if let Some((one, two)) = self.same_floats(a, b).or_else(|| self.same_floats(b, a)) {
            let text = format!("{} = {}", self.float(one, BITS), self.float(two, BITS));
            return (COMPARE, text);
        }
        let (x, y) = (self.nested(a, OR), self.nested(b, OR + 1));
        (OR, format!("{x} ∨ {y}"))
    }

    /// The floats of `one = two` and `one is NaN ∧ two is NaN`.
    fn same_floats(&self, same: TermId, both: TermId) -> Option<(TermId, TermId)> {
        let t = self.terms;
        let (one, two) = t.match_binary(Op::Eq, same)?;
        let (a, b) = t.match_binary(Op::And, both)?;
        let nans = [self.nan_test(a)?, self.nan_test(b)?];
        (nans == [one, two] || nans == [two, one]).then_some((one, two))
    }

    /// What a condition says not to be a number.
    fn nan_test(&self, condition: TermId) -> Option<TermId> {
        let t = self.terms;
        let (infinity, rest) = t.match_binary(Op::Ult, condition)?;
        let width = t.width(rest) + 1;
        let is_rest = t.op(rest) == Op::Extract && t.node(rest).b == 0 && is_float_width(width);
        let whole = is_rest.then(|| t.operand(rest, 0)).filter(|one| t.width(*one) == width)?;
        (t.as_constant(infinity) == Some(Format::of_width(width).infinity())).then_some(whole)
    }

    fn negation(&self, negated: TermId, inner: TermId) -> (Strength, String) {
        match self.terms.op(inner) {
            Op::Eq | Op::Ult | Op::Slt | Op::FEq | Op::FLt | Op::FLe => {
                self.condition(negated, inner, false)
            }
            Op::Or if self.terms.width(inner) == 1 => {
                let operands: Vec<TermId> = self.terms.operands(inner).collect();
                let (a, b) = (operands[0], operands[1]);
                match self.same_floats(a, b).or_else(|| self.same_floats(b, a)) {
                    Some((one, two)) => {
                        let (x, y) = (self.float(one, BITS), self.float(two, BITS));
                        (COMPARE, format!("{x} ≠ {y}"))
                    }
                    None => (PREFIX, format!("¬({})", self.nested(inner, LOWEST))),
                }
            }
            _ => match self.flag(inner) {
                Some(flag) => (COMPARE, flag.replace(SAME, " ≠ ")),
                None => (PREFIX, format!("¬{}", self.nested(inner, PREFIX))),
            },
        }
    }

    /// The name of the variable whose lowest bit this is, if it says itself what that means.
    fn flag(&self, term: TermId) -> Option<&str> {
        let node = self.terms.node(term);
        let is_lowest = node.op == Op::Extract && (node.b, node.width) == (0, 1);
        let whole = self.terms.operands(term).next().filter(|_| is_lowest)?;
        let variable = self.terms.variable_of(whole)?;
        Some(self.glossary.name(self.terms, variable)).filter(|name| name.contains(SAME))
    }

    /// A comparison, or that it does not hold.
    fn condition(&self, condition: TermId, inner: TermId, holds: bool) -> (Strength, String) {
        let t = self.terms;
        let (a, b) = (t.operand(inner, 0), t.operand(inner, 1));
        if (t.is_constant(a) || t.is_constant(b))
            && let Some(said) = facts::comparison(self, condition)
        {
            let strength = if said.text.contains(" ∧ ") { AND } else { COMPARE };
            return (strength, said.text);
        }
        match (t.op(inner), holds) {
            (Op::FEq, true) => self.floats(a, "==", b),
            (Op::FEq, false) => self.floats(a, "!=", b),
            (op @ (Op::FLt | Op::FLe), holds) => {
                let symbol = if op == Op::FLt { "<" } else { "≤" };
                let (strength, text) = self.floats(a, symbol, b);
                // The other way round would say that both are numbers.
                if holds { (strength, text) } else { (PREFIX, format!("¬({text})")) }
            }
            (Op::Eq, holds) if !t.is_array(a) && (self.is_float(a) || self.is_float(b)) => {
                self.floats(a, if holds { "=" } else { "≠" }, b)
            }
            (Op::Eq, true) => self.comparison("=", a, b, None),
            (Op::Eq, false) => self.comparison("≠", a, b, None),
            (op, true) => self.comparison("<", a, b, Some(op == Op::Slt)),
            (op, false) => self.comparison("≤", b, a, Some(op == Op::Slt)),
        }
    }

    fn floats(&self, a: TermId, symbol: &str, b: TermId) -> (Strength, String) {
        (COMPARE, format!("{} {symbol} {}", self.float(a, BITS), self.float(b, BITS)))
    }

    fn comparison(
        &self,
        symbol: &str,
        a: TermId,
        b: TermId,
        is_signed: Option<bool>,
    ) -> (Strength, String) {
        let side = |term: TermId| match is_signed {
            Some(is_signed) => self.number(term, is_signed, BITS),
            None => self.nested(term, BITS),
        };
        let (x, y) = (side(a), side(b));
        // Only a widening, which is not shown, tells them apart: one is the exact result.
        let narrow = |term: TermId| self.terms.match_unary(Op::SExt, term);
        let bare = |term: TermId| narrow(term).map(|inner| self.number(inner, true, BITS));
        let is_same = bare(a).as_ref() == Some(&y) || bare(b).as_ref() == Some(&x);
        if let (true, Some(narrow)) = (is_same, narrow(a).or(narrow(b))) {
            let x = self.number(narrow, true, BITS);
            let width = self.terms.width(narrow);
            match symbol {
                "=" => return (COMPARE, format!("{x} fits {width} bits")),
                "≠" => return (COMPARE, format!("{x} does not fit {width} bits")),
                _ => {}
            }
        }
        (COMPARE, format!("{x} {symbol} {y}"))
    }

    /// Small negative numbers as such, the others unsigned.
    fn constant(&self, term: TermId) -> String {
        let t = self.terms;
        if t.width(term) == 1 {
            return if term == Terms::TRUE { "true" } else { "false" }.to_owned();
        }
        match t.as_signed(term) {
            Some(value @ -4096..=-1) if t.width(term) > 8 => value.to_string(),
            Some(_) => t.as_constant(term).unwrap_or(0).to_string(),
            None => t.big_value(term).to_string(),
        }
    }

    /// The float whose sign is changed.
    fn negated_float(&self, term: TermId) -> Option<TermId> {
        let t = self.terms;
        let (inner, constant) = t.match_constant(Op::Xor, term)?;
        let width = t.width(term);
        let is_sign = is_float_width(width) && constant == Format::of_width(width).sign_bit();
        is_sign.then_some(inner).filter(|inner| self.is_float(*inner))
    }

    /// The float whose sign is taken away.
    fn absolute(&self, term: TermId) -> Option<TermId> {
        let t = self.terms;
        let rest = t.match_unary(Op::ZExt, term)?;
        let is_rest = t.op(rest) == Op::Extract && t.node(rest).b == 0;
        let whole = is_rest.then(|| t.operand(rest, 0))?;
        let width = t.width(term);
        let fits = t.width(whole) == width && t.width(rest) + 1 == width;
        (fits && self.is_float(whole)).then_some(whole)
    }

    /// Whether a term is computed as a float.
    pub fn is_float(&self, term: TermId) -> bool {
        let t = self.terms;
        if t.is_array(term) || !is_float_width(t.width(term)) {
            return false;
        }
        let width = t.width(term);
        let mut stack = vec![term];
        let mut left = MOST_ASKED;
        while let Some(term) = stack.pop()
            && left > 0
        {
            left -= 1;
            let operands = t.operands(term);
            match t.op(term) {
                Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FSqrt | Op::FFma => {
                    return true;
                }
                Op::SiToF | Op::UiToF | Op::FToF | Op::FRound => return true,
                Op::Var if t.variable_of(term).is_some_and(|one| self.glossary.is_float(one)) => {
                    return true;
                }
                Op::Ite => stack.extend(operands.skip(1)),
                Op::Xor => {
                    let sign = Format::of_width(width).sign_bit();
                    let changed = t.match_constant(Op::Xor, term);
                    stack.extend(changed.filter(|(_, bits)| *bits == sign).map(|(one, _)| one));
                }
                Op::ZExt => {
                    let rest = t.operand(term, 0);
                    if t.op(rest) == Op::Extract
                        && t.node(rest).b == 0
                        && t.width(rest) + 1 == width
                        && t.width(t.operand(rest, 0)) == width
                    {
                        stack.push(t.operand(rest, 0));
                    }
                }
                Op::Apply => {
                    let same = |operand: &TermId| t.width(*operand) == width;
                    stack.extend(operands.filter(same));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether people take a term for a signed number; nothing if nothing tells.
    pub fn sign(&self, term: TermId) -> Option<bool> {
        let t = self.terms;
        let mut sign = None;
        let mut stack = vec![term];
        let mut left = MOST_ASKED;
        while let Some(term) = stack.pop()
            && left > 0
        {
            left -= 1;
            match t.op(term) {
                Op::SExt | Op::SDiv | Op::SRem | Op::AShr | Op::FToSi => return Some(true),
                Op::UDiv | Op::URem | Op::LShr | Op::Extract => sign = Some(false),
                Op::Var => {
                    let entry = t.variable_of(term).and_then(|one| self.glossary.entry(one));
                    match entry.and_then(|entry| entry.meaning.is_signed()) {
                        Some(true) => return Some(true),
                        Some(false) => sign = Some(false),
                        None => {}
                    }
                }
                Op::Ite => stack.extend(t.operands(term).skip(1)),
                Op::Add | Op::Mul | Op::Neg | Op::Not | Op::And | Op::Or | Op::Xor => {
                    stack.extend(t.operands(term));
                }
                Op::Shl => stack.push(t.operand(term, 0)),
                _ => {}
            }
        }
        sign
    }
}

fn float_type(width: u16) -> &'static str {
    if width == 32 { "float" } else { "double" }
}
