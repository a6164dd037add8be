//! Prints a query as SMT-LIB text, for other solvers.
//!
//! One definition per term, oldest first, everything a bit vector. Floats come back from their
//! theory as variables, which leaves open which NaN an operation gives: an answer `unsat` holds, an
//! answer `sat` must be checked by evaluation.

use std::fmt::Write;

use super::sexpr::quoted;
use super::values::bits_text;
use crate::float::Format;
use crate::term::{FunctionId, Op, Rounding, Sort, TermId, Terms, VarId};

/// The text of a query: declarations, definitions, assertions, `(check-sat)`, and a request for the
/// values that make a model.
pub fn print_question(terms: &Terms, conditions: &[TermId]) -> String {
    let order = terms_below(terms, conditions);
    let mut text = print_definitions(terms, conditions);
    for condition in conditions {
        let _ = writeln!(text, "(assert {})", condition_text(terms, *condition));
    }
    text.push_str("(check-sat)\n");
    let wanted = wanted_values(terms, &order);
    if !wanted.is_empty() {
        let names: Vec<String> = wanted.iter().map(|t| name(terms, *t)).collect();
        let _ = writeln!(text, "(get-value ({}))", names.join(" "));
    }
    text
}

/// The terms whose values make a model: variables, results of free functions and of reads, and
/// their operands. Apart from variables, there is no common format to ask for anything else.
fn wanted_values(terms: &Terms, order: &[TermId]) -> Vec<TermId> {
    let is_free = |term: &TermId| matches!(terms.op(*term), Op::Select | Op::Apply);
    let all = order.iter().any(is_free);
    let is_wanted = |term: &&TermId| {
        let is_open = terms.op(**term) == Op::Var || all;
        is_open && !terms.is_array(**term) && !terms.is_constant(**term)
    };
    order.iter().filter(is_wanted).copied().collect()
}

/// Declarations and definitions of everything in the conditions.
pub fn print_definitions(terms: &Terms, conditions: &[TermId]) -> String {
    let order = terms_below(terms, conditions);
    let mut printer = Printer { terms, text: String::new() };
    printer.declarations(&order);
    for term in &order {
        printer.definition(*term);
    }
    printer.text
}

/// A condition whose parts have been defined, as a term of sort `Bool`.
pub fn condition_text(terms: &Terms, condition: TermId) -> String {
    format!("(= {} #b1)", name(terms, condition))
}

/// All terms in the conditions, operands first.
fn terms_below(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut seen = std::collections::BTreeSet::new();
    let mut stack = conditions.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(terms.operands(term));
        }
    }
    seen.into_iter().collect()
}

fn name(terms: &Terms, term: TermId) -> String {
    let node = terms.node(term);
    match node.op {
        Op::Const | Op::WideConst => bits_text(terms.width(term), &terms.big_value(term)),
        Op::Var => quoted(&terms.variable_info(VarId(node.a)).name),
        _ => format!("t!{}", term.raw()),
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) (_ BitVec {element}))")
        }
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn name(&self, term: TermId) -> String {
        name(self.terms, term)
    }

    fn declarations(&mut self, order: &[TermId]) {
        self.line("(set-option :produce-models true)");
        self.line(&format!("(set-logic {})", self.logic(order)));
        let mut functions = std::collections::BTreeSet::new();
        for term in order {
            let node = self.terms.node(*term);
            match node.op {
                Op::Var => {
                    let sort = sort_text(self.terms.sort(*term));
                    let line = format!("(declare-fun {} () {sort})", self.name(*term));
                    self.line(&line);
                }
                Op::Apply if functions.insert(node.a) => self.declare_function(FunctionId(node.a)),
                Op::FRem if functions.insert(u32::MAX - u32::from(node.width)) => {
                    let sort = sort_text(self.terms.sort(*term));
                    self.line(&format!("(declare-fun fmod{} ({sort} {sort}) {sort})", node.width));
                }
                _ => {}
            }
        }
    }

    fn declare_function(&mut self, function: FunctionId) {
        let declared = self.terms.function_info(function);
        let sorts: Vec<String> =
            declared.arguments.iter().map(|width| sort_text(Sort::Bits(*width))).collect();
        let (name, result) = (quoted(&declared.name), sort_text(Sort::Bits(declared.result)));
        self.line(&format!("(declare-fun {name} ({}) {result})", sorts.join(" ")));
    }

    fn logic(&self, order: &[TermId]) -> &'static str {
        let has = |wanted: fn(Op) -> bool| order.iter().any(|t| wanted(self.terms.op(*t)));
        let floats = has(|op| (Op::FAdd..=Op::FRound).contains(&op) && op != Op::FRem);
        let arrays = order.iter().any(|term| self.terms.is_array(*term));
        let functions = has(|op| matches!(op, Op::Apply | Op::FRem));
        match (floats, arrays, functions) {
            (true, ..) => "ALL",
            (_, true, true) => "QF_AUFBV",
            (_, true, false) => "QF_ABV",
            (_, false, true) => "QF_UFBV",
            _ => "QF_BV",
        }
    }

    fn definition(&mut self, term: TermId) {
        let node = self.terms.node(term);
        if matches!(node.op, Op::Const | Op::WideConst | Op::Var) {
            return;
        }
        let name = self.name(term);
        let sort = sort_text(self.terms.sort(term));
        let arguments: Vec<String> = self.terms.operands(term).map(|a| self.name(a)).collect();
        let a = arguments.first().cloned().unwrap_or_default();
        let b = arguments.get(1).cloned().unwrap_or_default();
        let body = match node.op {
            Op::Not => format!("(bvnot {a})"),
            Op::Neg => format!("(bvneg {a})"),
            Op::Extract => {
                let high = node.b + self.terms.width(term) - 1;
                format!("((_ extract {high} {}) {a})", node.b)
            }
            Op::ZExt | Op::SExt => {
                let by = self.terms.width(term) - self.terms.width(self.terms.operand(term, 0));
                let which = if node.op == Op::ZExt { "zero" } else { "sign" };
                format!("((_ {which}_extend {by}) {a})")
            }
            Op::Eq => bit(&format!("(= {a} {b})")),
            Op::Ult => bit(&format!("(bvult {a} {b})")),
            Op::Slt => bit(&format!("(bvslt {a} {b})")),
            Op::Ite => format!("(ite (= {a} #b1) {b} {})", arguments[2]),
            Op::ConstArray => format!("((as const {sort}) {a})"),
            Op::Apply => {
                let function = quoted(&self.terms.function_info(FunctionId(node.a)).name);
                format!("({function} {})", arguments.join(" "))
            }
            Op::FRem => format!("(fmod{} {a} {b})", node.width),
            op => match plain_operator(op) {
                Some(operator) => format!("({operator} {})", arguments.join(" ")),
                None => return self.float(term, &name, &sort, &arguments),
            },
        };
        self.line(&format!("(define-fun {name} () {sort} {body})"));
    }

    fn float(&mut self, term: TermId, name: &str, sort: &str, arguments: &[String]) {
        let node = self.terms.node(term);
        let width = self.terms.width(self.terms.operand(term, 0));
        let as_float = |text: &String| format!("({} {text})", to_fp(width));
        let floats: Vec<String> = match node.op {
            Op::SiToF | Op::UiToF => arguments.to_vec(),
            _ => arguments.iter().map(as_float).collect(),
        };
        let all = floats.join(" ");
        if let Op::FEq | Op::FLt | Op::FLe = node.op {
            let operator = match node.op {
                Op::FEq => "fp.eq",
                Op::FLt => "fp.lt",
                _ => "fp.leq",
            };
            let body = bit(&format!("({operator} {all})"));
            return self.line(&format!("(define-fun {name} () {sort} {body})"));
        }
        if node.op == Op::FToSi {
            let body = truncation(&all, width, u32::from(node.width));
            return self.line(&format!("(define-fun {name} () {sort} {body})"));
        }
        let result = u32::from(node.width);
        let value = match node.op {
            Op::FAdd => format!("(fp.add RNE {all})"),
            Op::FSub => format!("(fp.sub RNE {all})"),
            Op::FMul => format!("(fp.mul RNE {all})"),
            Op::FDiv => format!("(fp.div RNE {all})"),
            Op::FFma => format!("(fp.fma RNE {all})"),
            Op::FSqrt => format!("(fp.sqrt RNE {all})"),
            Op::FRound => {
                let mode = match Rounding::ALL[usize::from(node.rounding)] {
                    Rounding::NearestEven => "RNE",
                    Rounding::NearestAway => "RNA",
                    Rounding::TowardPositive => "RTP",
                    Rounding::TowardNegative => "RTN",
                    Rounding::TowardZero => "RTZ",
                };
                format!("(fp.roundToIntegral {mode} {all})")
            }
            Op::UiToF => {
                format!("({} RNE {all})", to_fp(result).replace("to_fp", "to_fp_unsigned"))
            }
            _ => format!("({} RNE {all})", to_fp(result)),
        };
        self.line(&format!("(declare-fun {name} () {sort})"));
        self.line(&format!("(assert (= ({} {name}) {value}))", to_fp(result)));
    }
}

fn to_fp(width: u32) -> String {
    let format = Format::of_width(width);
    format!("(_ to_fp {} {})", format.exponent, format.fraction + 1)
}

/// Truncation where it fits, else the smallest integer.
fn truncation(value: &str, from: u32, width: u32) -> String {
    let power = (2f64).powi(width as i32 - 1);
    let bits = |number: f64| match from {
        64 => format!("({} #x{:016x})", to_fp(64), number.to_bits()),
        _ => format!("({} #x{:08x})", to_fp(32), (number as f32).to_bits()),
    };
    let (low, high) = (bits(-power), bits(power));
    let smallest = bits_text(width, &(num_bigint::BigUint::from(1u8) << (width - 1)));
    format!(
        "(ite (and (fp.lt {low} {value}) (fp.lt {value} {high})) \
         ((_ fp.to_sbv {width}) RTZ {value}) {smallest})"
    )
}

fn bit(condition: &str) -> String {
    format!("(ite {condition} #b1 #b0)")
}

fn plain_operator(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "bvadd",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::SDiv => "bvsdiv",
        Op::URem => "bvurem",
        Op::SRem => "bvsrem",
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        _ => return None,
    })
}
