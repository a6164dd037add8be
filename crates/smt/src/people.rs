//! Conditions for people: infix, in the names of the input, bounds of a variable gathered.
//!
//! `600 < rate ≤ 700 ∧ confident ≠ 0`. Numbers are signed where the comparison is, and in
//! decimal. Not meant to be read back.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use crate::chain::{IntervalSet, interval_set};
use crate::term::{FunctionId, Op, Rounding, TermId, Terms, VarId, signed};

/// Terms of more parts than this are cut off: nobody reads further.
const LARGEST: u32 = 300;
const DEEPEST: u32 = 60;
/// In the names of flags that say whether two pointers are the same.
const SAME: &str = " == ";

/// All conditions, joined by `∧`. Conditions on one variable alone come first, as ranges.
pub fn conjunction(terms: &Terms, conditions: &[TermId]) -> String {
    let mut flat = Vec::new();
    let mut known = FxHashSet::default();
    for condition in conditions {
        flatten(terms, *condition, &mut known, &mut flat);
    }
    let mut sets: Vec<Bounds> = Vec::new();
    let mut rest = Vec::new();
    for condition in flat {
        let Some((variable, set)) = interval_set(terms, condition) else {
            rest.push(condition);
            continue;
        };
        let mut constants = Vec::new();
        let is_signed = compared(terms, condition, &mut constants);
        match sets.iter_mut().find(|known| known.variable == variable) {
            Some(known) => {
                known.set = known.set.intersect(&set);
                known.is_signed |= is_signed;
                known.constants.extend(constants);
            }
            None => sets.push(Bounds { variable, set, is_signed, constants }),
        }
    }
    let mut parts: Vec<String> = sets.iter().map(|bounds| bounds.text(terms)).collect();
    let printer = Printer::new(terms);
    parts.extend(rest.iter().map(|condition| printer.at(*condition, AND)));
    if parts.is_empty() { "true".to_owned() } else { parts.join(" ∧ ") }
}

/// One term.
pub fn term(terms: &Terms, term: TermId) -> String {
    Printer::new(terms).at(term, LOWEST)
}

/// The parts of a conjunction that are not known yet.
fn flatten(
    terms: &Terms,
    condition: TermId,
    known: &mut FxHashSet<TermId>,
    parts: &mut Vec<TermId>,
) {
    let mut stack = vec![condition];
    while let Some(condition) = stack.pop() {
        match terms.match_binary(Op::And, condition) {
            Some((a, b)) if terms.width(condition) == 1 => stack.extend([b, a]),
            _ if condition == Terms::TRUE || !known.insert(condition) => {}
            _ => parts.push(condition),
        }
    }
}

/// Whether a signed comparison is among the condition's, and the constants that it compares with.
fn compared(terms: &Terms, condition: TermId, constants: &mut Vec<u64>) -> bool {
    let operands = terms.operands(condition);
    match terms.op(condition) {
        Op::Not | Op::And | Op::Or => {
            // All operands are visited, for their constants.
            let signed = operands.filter(|operand| compared(terms, *operand, constants));
            signed.count() > 0
        }
        op => {
            constants.extend(operands.filter_map(|operand| terms.as_constant(operand)));
            op == Op::Slt
        }
    }
}

/// What conditions say of one variable.
struct Bounds {
    variable: VarId,
    set: IntervalSet,
    is_signed: bool,
    /// The constants of the program, which people recognise.
    constants: Vec<u64>,
}

impl Bounds {
    fn text(&self, terms: &Terms) -> String {
        let name = &terms.variable_info(self.variable).name;
        let set = &self.set;
        if set.is_empty() {
            return "false".to_owned();
        }
        if set.width == 1 {
            return match set.intervals.as_slice() {
                [(0, 0)] => format!("¬{name}"),
                [(1, 1)] => name.to_owned(),
                _ => "true".to_owned(),
            };
        }
        let outside = set.complement();
        let single = |(first, last): &(u64, u64)| first == last;
        let few = !outside.is_empty() && outside.intervals.len() <= 3;
        if few && outside.intervals.iter().all(single) {
            let values = outside.intervals.iter().map(|(value, _)| {
                let value = number(*value, set.width, self.is_signed);
                format!("{name} ≠ {value}")
            });
            return values.collect::<Vec<_>>().join(" ∧ ");
        }
        // With signs the circle of numbers is cut elsewhere.
        let pieces = if self.is_signed { signed_pieces(set) } else { unsigned_pieces(set) };
        let texts: Vec<String> =
            pieces.iter().map(|(first, last)| self.piece(name, *first, *last)).collect();
        match texts.len() {
            1 => texts[0].clone(),
            _ => format!("({})", texts.join(" ∨ ")),
        }
    }

    /// One interval, by the constants of the program where they are next to its ends.
    fn piece(&self, name: &str, first: i128, last: i128) -> String {
        if first == last {
            return format!("{name} = {first}");
        }
        let width = self.set.width;
        let (least, most) = if self.is_signed {
            (i64::MIN >> (64 - width), i128::from(i64::MAX >> (64 - width)))
        } else {
            (0, i128::from(crate::term::mask(width)))
        };
        let known = |value: i128| {
            let bits = value as u64 & crate::term::mask(width);
            self.constants.contains(&bits)
        };
        let strict = |bound: i128, beyond: i128| !known(bound) && known(beyond);
        let below = if strict(first, first - 1) {
            format!("{} < ", first - 1)
        } else {
            format!("{first} ≤ ")
        };
        let above = if strict(last, last + 1) {
            format!(" < {}", last + 1)
        } else {
            format!(" ≤ {last}")
        };
        match (first == i128::from(least), last == most) {
            (true, true) => "true".to_owned(),
            (true, false) => format!("{name}{above}"),
            (false, true) => format!("{below}{name}"),
            (false, false) => format!("{below}{name}{above}"),
        }
    }
}

fn unsigned_pieces(set: &IntervalSet) -> Vec<(i128, i128)> {
    set.intervals.iter().map(|(first, last)| (i128::from(*first), i128::from(*last))).collect()
}

fn signed_pieces(set: &IntervalSet) -> Vec<(i128, i128)> {
    let half = 1u64 << (set.width - 1);
    let value = |bits: u64| i128::from(signed(bits, set.width));
    let mut pieces = Vec::new();
    for &(first, last) in &set.intervals {
        if first < half && last >= half {
            pieces.push((value(first), value(half - 1)));
            pieces.push((value(half), value(last)));
        } else {
            pieces.push((value(first), value(last)))
        }
    }
    pieces.sort_unstable();
    let mut merged: Vec<(i128, i128)> = Vec::new();
    for (first, last) in pieces {
        match merged.last_mut() {
            Some(previous) if previous.1 + 1 == first => previous.1 = last,
            _ => merged.push((first, last)),
        }
    }
    merged
}

fn number(value: u64, width: u32, is_signed: bool) -> String {
    if is_signed { signed(value, width).to_string() } else { value.to_string() }
}

/// How tightly an operator binds; operands that bind less are put between parentheses.
type Strength = u8;
const LOWEST: Strength = 0;
const OR: Strength = 1;
const AND: Strength = 2;
const COMPARE: Strength = 3;
const BITS: Strength = 4;
const SHIFT: Strength = 5;
const SUM: Strength = 6;
const PRODUCT: Strength = 7;
const PREFIX: Strength = 8;

struct Printer<'a> {
    terms: &'a Terms,
    /// How many more terms are printed before the rest is left out.
    left: Cell<u32>,
}

impl Printer<'_> {
    fn new(terms: &Terms) -> Printer<'_> {
        Printer { terms, left: Cell::new(LARGEST) }
    }

    /// The term, between parentheses if it binds less than asked for.
    fn at(&self, term: TermId, strength: Strength) -> String {
        self.left.set(LARGEST);
        self.print(term, strength, DEEPEST)
    }

    fn print(&self, term: TermId, strength: Strength, depth: u32) -> String {
        if depth == 0 || self.left.get() == 0 {
            return "…".to_owned();
        }
        self.left.set(self.left.get() - 1);
        let (own, text) = self.text(term, depth - 1);
        if own < strength { format!("({text})") } else { text }
    }

    fn text(&self, term: TermId, depth: u32) -> (Strength, String) {
        let t = self.terms;
        let node = t.node(term);
        let operands: Vec<TermId> = t.operands(term).collect();
        let infix = |symbol: &str, own: Strength| {
            let a = self.print(operands[0], own, depth);
            let b = self.print(operands[1], own + 1, depth);
            (own, format!("{a} {symbol} {b}"))
        };
        let call = |name: &str| {
            let arguments: Vec<String> =
                operands.iter().map(|o| self.print(*o, LOWEST, depth)).collect();
            (PREFIX, format!("{name}({})", arguments.join(", ")))
        };
        match node.op {
            Op::Const | Op::WideConst => (PREFIX, self.constant(term)),
            Op::Var => (PREFIX, t.variable_info(VarId(node.a)).name.clone()),
            Op::Not if node.width == 1 => self.negation(operands[0], depth),
            Op::Not => (PREFIX, format!("~{}", self.print(operands[0], PREFIX, depth))),
            Op::Neg => (PREFIX, format!("-{}", self.print(operands[0], PREFIX, depth))),
            Op::Add => self.sum(operands[0], operands[1], depth),
            Op::Mul => infix("·", PRODUCT),
            Op::UDiv | Op::SDiv | Op::FDiv => infix("/", PRODUCT),
            Op::URem | Op::SRem => infix("%", PRODUCT),
            Op::And if node.width == 1 => infix("∧", AND),
            Op::Or if node.width == 1 => infix("∨", OR),
            Op::Xor if node.width == 1 => infix("≠", COMPARE),
            Op::And => infix("&", BITS),
            Op::Or => infix("|", BITS),
            Op::Xor => infix("^", BITS),
            Op::Shl => infix("<<", SHIFT),
            Op::LShr | Op::AShr => infix(">>", SHIFT),
            Op::Eq => self.comparison("=", &operands, false, depth),
            Op::Ult => self.comparison("<", &operands, false, depth),
            Op::Slt => self.comparison("<", &operands, true, depth),
            Op::FEq => infix("=", COMPARE),
            Op::FLt => infix("<", COMPARE),
            Op::FLe => infix("≤", COMPARE),
            Op::FAdd => infix("+", SUM),
            Op::FSub => infix("-", SUM),
            Op::FMul => infix("·", PRODUCT),
            Op::Ite => {
                let parts = [1, 2].map(|at| self.print(operands[at], COMPARE, depth));
                let condition = self.print(operands[0], COMPARE, depth);
                (LOWEST, format!("{condition} ? {} : {}", parts[0], parts[1]))
            }
            Op::Extract => match self.flag(term) {
                Some(flag) => (COMPARE, flag.replace(SAME, " = ")),
                None => {
                    let (low, high) = (node.b, node.b + u32::from(node.width) - 1);
                    let whole = self.print(operands[0], PREFIX, depth);
                    (PREFIX, format!("{whole}[{high}:{low}]"))
                }
            },
            // The value is the same.
            Op::ZExt | Op::SExt => self.text(operands[0], depth),
            Op::Concat => infix("++", BITS),
            Op::FRem => call("fmod"),
            Op::FSqrt => call("sqrt"),
            Op::FFma => call("fma"),
            Op::FToSi => call("int"),
            Op::SiToF | Op::UiToF | Op::FToF => {
                call(if node.width == 32 { "float" } else { "double" })
            }
            Op::FRound => call(match Rounding::ALL[usize::from(node.rounding)] {
                Rounding::NearestEven => "rint",
                Rounding::NearestAway => "round",
                Rounding::TowardPositive => "ceil",
                Rounding::TowardNegative => "floor",
                Rounding::TowardZero => "trunc",
            }),
            Op::Select => {
                let array = self.print(operands[0], PREFIX, depth);
                (PREFIX, format!("{array}[{}]", self.print(operands[1], LOWEST, depth)))
            }
            Op::Store => {
                let parts: Vec<String> =
                    operands.iter().map(|o| self.print(*o, LOWEST, depth)).collect();
                (PREFIX, format!("{}{{{} := {}}}", parts[0], parts[1], parts[2]))
            }
            Op::ConstArray => (PREFIX, format!("[{}…]", self.print(operands[0], LOWEST, depth))),
            Op::Apply => call(&t.function_info(FunctionId(node.a)).name),
        }
    }

    /// `a + -b` is a difference, and so is `a + c` with a large constant.
    fn sum(&self, a: TermId, b: TermId, depth: u32) -> (Strength, String) {
        let t = self.terms;
        if let Some(negated) = t.match_unary(Op::Neg, b) {
            let (x, y) = (self.print(a, SUM, depth), self.print(negated, PRODUCT, depth));
            return (SUM, format!("{x} - {y}"));
        }
        if let Some(negated) = t.match_unary(Op::Neg, a)
            && !t.is_constant(b)
        {
            let (x, y) = (self.print(b, SUM, depth), self.print(negated, PRODUCT, depth));
            return (SUM, format!("{x} - {y}"));
        }
        let x = self.print(a, SUM, depth);
        match t.as_signed(b) {
            Some(c) if c < 0 => (SUM, format!("{x} - {}", c.unsigned_abs())),
            _ => (SUM, format!("{x} + {}", self.print(b, PRODUCT, depth))),
        }
    }

    fn negation(&self, inner: TermId, depth: u32) -> (Strength, String) {
        let operands: Vec<TermId> = self.terms.operands(inner).collect();
        let swapped: Vec<TermId> = operands.iter().rev().copied().collect();
        match self.terms.op(inner) {
            Op::Eq => self.comparison("≠", &operands, false, depth),
            Op::Ult => self.comparison("≤", &swapped, false, depth),
            Op::Slt => self.comparison("≤", &swapped, true, depth),
            _ => match self.flag(inner) {
                Some(flag) => (COMPARE, flag.replace(SAME, " ≠ ")),
                None => (PREFIX, format!("¬{}", self.print(inner, PREFIX, depth))),
            },
        }
    }

    /// The name of the variable whose lowest bit this is, if it says itself what that means.
    fn flag(&self, term: TermId) -> Option<&str> {
        let node = self.terms.node(term);
        let is_lowest = node.op == Op::Extract && (node.b, node.width) == (0, 1);
        let whole = self.terms.operands(term).next().filter(|_| is_lowest)?;
        let variable = self.terms.variable_of(whole)?;
        Some(&*self.terms.variable_info(variable).name).filter(|name| name.contains(SAME))
    }

    fn comparison(
        &self,
        symbol: &str,
        operands: &[TermId],
        is_signed: bool,
        depth: u32,
    ) -> (Strength, String) {
        let side = |term: TermId| match (self.terms.as_signed(term), is_signed) {
            (Some(value), true) => value.to_string(),
            _ => self.print(term, BITS, depth),
        };
        let (a, b) = (side(operands[0]), side(operands[1]));
        // Only a widening, which is not shown, tells them apart: one is the exact result.
        let extended = operands.iter().find_map(|term| self.terms.match_unary(Op::SExt, *term));
        if let (true, Some(narrow)) = (a == b, extended) {
            let width = self.terms.width(narrow);
            match symbol {
                "=" => return (COMPARE, format!("{a} fits {width} bits")),
                "≠" => return (COMPARE, format!("{a} does not fit {width} bits")),
                _ => {}
            }
        }
        (COMPARE, format!("{a} {symbol} {b}"))
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn an_overflow_is_told_as_such() {
        let t = &mut Terms::new();
        let (a, b) = (t.variable("a", Sort::Bits(32)), t.variable("b", Sort::Bits(32)));
        let sum = t.add(a, b);
        let (wide_a, wide_b, cut) = (t.sext(a, 33), t.sext(b, 33), t.sext(sum, 33));
        let exact = t.add(wide_a, wide_b);
        let overflows = t.ne(cut, exact);
        assert_eq!(term(t, overflows), "a + b does not fit 32 bits");
    }

    #[test]
    fn a_flag_says_what_its_name_says() {
        let t = &mut Terms::new();
        let is_null = t.variable("p == NULL", Sort::Bits(8));
        let flag = t.trunc(is_null, 1);
        let conditions = [t.not(flag)];
        assert_eq!(conjunction(t, &conditions), "p ≠ NULL");
        assert_eq!(term(t, flag), "p = NULL");
    }

    #[test]
    fn bounds_of_a_variable_are_gathered() {
        let t = &mut Terms::new();
        let rate = t.variable("rate", Sort::Bits(32));
        let confident = t.variable("confident", Sort::Bits(32));
        let (low, high, zero) = (t.constant(32, 600), t.constant(32, 700), t.constant(32, 0));
        let conditions = [t.slt(low, rate), t.ne(confident, zero), t.sle(rate, high)];
        assert_eq!(conjunction(t, &conditions), "600 < rate ≤ 700 ∧ confident ≠ 0");
        assert_eq!(conjunction(t, &conditions[..1]), "600 < rate");
        assert_eq!(conjunction(t, &[]), "true");
    }

    #[test]
    fn signed_ranges_join_across_zero() {
        let t = &mut Terms::new();
        let x = t.variable("x", Sort::Bits(32));
        let (low, high) = (t.constant(32, -5i64 as u64), t.constant(32, 5));
        let conditions = [t.sle(low, x), t.slt(x, high)];
        assert_eq!(conjunction(t, &conditions), "-5 ≤ x < 5");
    }

    #[test]
    fn terms_read_as_people_write_them() {
        let t = &mut Terms::new();
        let (x, y) = (t.variable("x", Sort::Bits(32)), t.variable("y", Sort::Bits(32)));
        let (two, three) = (t.constant(32, 2), t.constant(32, 3));
        let difference = t.sub(x, y);
        let doubled = t.mul(difference, two);
        let condition = t.slt(doubled, three);
        assert_eq!(term(t, condition), "(x - y)·2 < 3".replace('·', " · "));
        let other = t.ule(x, y);
        let either = t.or(condition, other);
        assert_eq!(term(t, either), "(x - y) · 2 < 3 ∨ x ≤ y");
        let byte = t.extract(x, 8, 8);
        let wide = t.zext(byte, 32);
        let sum = t.add(wide, y);
        assert_eq!(term(t, sum), "y + x[15:8]");
        let mut power = x;
        for _ in 0..100 {
            let other = t.add(power, y);
            power = t.mul(power, other);
        }
        assert!(term(t, power).contains('…'));
    }
}
