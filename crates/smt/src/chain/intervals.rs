//! Sets of values as intervals, and the conditions on one variable that are such sets.

mod floats;

pub use self::floats::pleasant_float;
use crate::term::{Op, TermId, Terms, VarId, mask, signed};

/// Conditions with more comparisons and connectives than this are not analysed: shared parts are
/// walked again each time.
const MOST_CONNECTIVES: u32 = 200;

/// A set of unsigned numbers of some width: ascending intervals with gaps between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalSet {
    pub width: u32,
    /// First and last member of each.
    pub intervals: Vec<(u64, u64)>,
}

impl IntervalSet {
    pub fn empty(width: u32) -> IntervalSet {
        IntervalSet { width, intervals: Vec::new() }
    }

    pub fn all(width: u32) -> IntervalSet {
        IntervalSet { width, intervals: vec![(0, mask(width))] }
    }

    /// The members of intervals in any order.
    pub fn of(width: u32, intervals: Vec<(u64, u64)>) -> IntervalSet {
        IntervalSet { width, intervals }.tidy()
    }

    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    pub fn contains(&self, value: u64) -> bool {
        self.intervals.iter().any(|(first, last)| (*first..=*last).contains(&value))
    }

    /// The member nearest to a value, the smaller one of two.
    pub fn nearest(&self, value: u64) -> Option<u64> {
        let clamped = self.intervals.iter().map(|(first, last)| value.clamp(*first, *last));
        clamped.min_by_key(|member| member.abs_diff(value))
    }

    /// From `first` up to `last`, wrapping around if `last` is smaller.
    fn around(width: u32, first: u64, last: u64) -> IntervalSet {
        let intervals =
            if first <= last { vec![(first, last)] } else { vec![(0, last), (first, mask(width))] };
        IntervalSet { width, intervals }.tidy()
    }

    fn tidy(mut self) -> IntervalSet {
        self.intervals.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::with_capacity(self.intervals.len());
        for (first, last) in self.intervals {
            match merged.last_mut() {
                Some(previous) if first <= previous.1.saturating_add(1) => {
                    previous.1 = previous.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        IntervalSet { width: self.width, intervals: merged }
    }

    pub fn complement(&self) -> IntervalSet {
        let mut intervals = Vec::new();
        let mut next = Some(0);
        for &(first, last) in &self.intervals {
            if let Some(start) = next.filter(|start| *start < first) {
                intervals.push((start, first - 1));
            }
            next = last.checked_add(1).filter(|start| *start <= mask(self.width));
        }
        if let Some(start) = next {
            intervals.push((start, mask(self.width)));
        }
        IntervalSet { width: self.width, intervals }
    }

    pub fn intersect(&self, other: &IntervalSet) -> IntervalSet {
        let (mut i, mut j) = (0, 0);
        let mut intervals = Vec::new();
        while let (Some(a), Some(b)) = (self.intervals.get(i), other.intervals.get(j)) {
            let (first, last) = (a.0.max(b.0), a.1.min(b.1));
            if first <= last {
                intervals.push((first, last));
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        IntervalSet { width: self.width, intervals }
    }

    pub fn union(&self, other: &IntervalSet) -> IntervalSet {
        let mut intervals = self.intervals.clone();
        intervals.extend_from_slice(&other.intervals);
        IntervalSet { width: self.width, intervals }.tidy()
    }

    /// All members plus a constant, modulo the width.
    fn shifted(&self, by: u64) -> IntervalSet {
        let add = |value: u64| value.wrapping_add(by) & mask(self.width);
        let parts = self.intervals.iter();
        let moved = parts.flat_map(|(first, last)| {
            // A full circle stays one.
            if *first == 0 && *last == mask(self.width) {
                return vec![(0, *last)];
            }
            IntervalSet::around(self.width, add(*first), add(*last)).intervals
        });
        IntervalSet { width: self.width, intervals: moved.collect() }.tidy()
    }
}

/// The one variable of a condition and the values for which it holds, if the condition compares
/// that variable (plus constants) with constants, or chooses constants by such comparisons.
pub fn interval_set(terms: &Terms, condition: TermId) -> Option<(VarId, IntervalSet)> {
    let mut left = MOST_CONNECTIVES;
    match part(terms, condition, &mut left)? {
        Part::Of(variable, set) => Some((variable, set)),
        Part::Always(_) => None,
    }
}

/// When a part of a condition holds.
#[derive(Clone)]
enum Part {
    Always(bool),
    Of(VarId, IntervalSet),
}

impl Part {
    fn not(self) -> Part {
        match self {
            Part::Always(holds) => Part::Always(!holds),
            Part::Of(variable, set) => Part::Of(variable, set.complement()),
        }
    }

    /// Nothing if the parts concern different variables.
    fn and(self, other: Part) -> Option<Part> {
        match (self, other) {
            (Part::Always(true), part) | (part, Part::Always(true)) => Some(part),
            (Part::Always(false), _) | (_, Part::Always(false)) => Some(Part::Always(false)),
            (Part::Of(variable, a), Part::Of(other, b)) => {
                (variable == other).then(|| Part::Of(variable, a.intersect(&b)))
            }
        }
    }

    fn or(self, other: Part) -> Option<Part> {
        Some(self.not().and(other.not())?.not())
    }

    /// The union of two choices, by whether this condition holds.
    fn choose(self, one: Part, other: Part) -> Option<Part> {
        self.clone().and(one)?.or(self.not().and(other)?)
    }
}

fn part(terms: &Terms, condition: TermId, left: &mut u32) -> Option<Part> {
    *left = left.checked_sub(1)?;
    let operand = |which| terms.operand(condition, which);
    match terms.op(condition) {
        Op::Const => Some(Part::Always(condition == Terms::TRUE)),
        Op::Var => {
            let variable = terms.variable_of(condition)?;
            Some(Part::Of(variable, IntervalSet { width: 1, intervals: vec![(1, 1)] }))
        }
        Op::Not => Some(part(terms, operand(0), left)?.not()),
        Op::And => part(terms, operand(0), left)?.and(part(terms, operand(1), left)?),
        Op::Or => part(terms, operand(0), left)?.or(part(terms, operand(1), left)?),
        op @ (Op::Xor | Op::Eq) if terms.width(operand(0)) == 1 => {
            let (one, other) = (part(terms, operand(0), left)?, part(terms, operand(1), left)?);
            let differ = one.choose(other.clone().not(), other)?;
            Some(if op == Op::Xor { differ } else { differ.not() })
        }
        Op::Ite => {
            let (one, other) = (part(terms, operand(1), left)?, part(terms, operand(2), left)?);
            part(terms, operand(0), left)?.choose(one, other)
        }
        op @ (Op::Eq | Op::Ult | Op::Slt) => compared(terms, op, operand(0), operand(1), left),
        op @ (Op::FEq | Op::FLt | Op::FLe) => {
            let (variable, set) = floats::comparison(terms, op, operand(0), operand(1))?;
            Some(Part::Of(variable, set))
        }
        _ => None,
    }
}

/// A comparison, by the choices on either side.
fn compared(terms: &Terms, op: Op, a: TermId, b: TermId, left: &mut u32) -> Option<Part> {
    *left = left.checked_sub(1)?;
    if terms.width(a) > 64 {
        return None;
    }
    if let (Some(a_value), Some(b_value)) = (terms.as_constant(a), terms.as_constant(b)) {
        let width = terms.width(a);
        return Some(Part::Always(match op {
            Op::Eq => a_value == b_value,
            Op::Ult => a_value < b_value,
            _ => signed(a_value, width) < signed(b_value, width),
        }));
    }
    let sides = [(a, terms.op(a) == Op::Ite), (b, terms.op(b) == Op::Ite)];
    if let Some(at) = sides.iter().position(|(_, is_choice)| *is_choice) {
        let choice = sides[at].0;
        let with = |which| match at {
            0 => (terms.operand(choice, which), b),
            _ => (a, terms.operand(choice, which)),
        };
        let ((one_a, one_b), (other_a, other_b)) = (with(1), with(2));
        let one = compared(terms, op, one_a, one_b, left)?;
        let other = compared(terms, op, other_a, other_b, left)?;
        return part(terms, terms.operand(choice, 0), left)?.choose(one, other);
    }
    let (variable, set) = comparison(terms, op, a, b)?;
    Some(Part::Of(variable, set))
}

fn comparison(terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<(VarId, IntervalSet)> {
    let (side, set) = compared_side(terms, op, a, b)?;
    if let Some(variable) = terms.variable_of(side) {
        return Some((variable, set));
    }
    if terms.op(side) == Op::Extract {
        return without_top_bit(terms, side, set);
    }
    let (x, offset) = terms.match_constant(Op::Add, side)?;
    let variable = terms.variable_of(x)?;
    Some((variable, set.shifted(offset.wrapping_neg())))
}

/// What is compared with a constant, and its bits for which the comparison holds.
fn compared_side(terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<(TermId, IntervalSet)> {
    let width = terms.width(a);
    let smallest = if op == Op::Slt { 1 << (width - 1) } else { 0 };
    let largest = if op == Op::Slt { mask(width - 1) } else { mask(width) };
    Some(match (terms.as_constant(a), terms.as_constant(b)) {
        (None, Some(c)) if op == Op::Eq => (a, IntervalSet::around(width, c, c)),
        (Some(c), None) if op == Op::Eq => (b, IntervalSet::around(width, c, c)),
        (None, Some(c)) if c == smallest => (a, IntervalSet::empty(width)),
        (None, Some(c)) => {
            (a, IntervalSet::around(width, smallest, c.wrapping_sub(1) & mask(width)))
        }
        (Some(c), None) if c == largest => (b, IntervalSet::empty(width)),
        (Some(c), None) => {
            (b, IntervalSet::around(width, c.wrapping_add(1) & mask(width), largest))
        }
        _ => return None,
    })
}

/// What a condition compares with a constant, be it a variable or not, and the bits of that for
/// which the condition holds.
pub fn side_set(terms: &Terms, condition: TermId) -> Option<(TermId, IntervalSet)> {
    let is_negated = terms.op(condition) == Op::Not;
    let inner = if is_negated { terms.operand(condition, 0) } else { condition };
    let op = terms.op(inner);
    if !matches!(op, Op::Eq | Op::Ult | Op::Slt | Op::FEq | Op::FLt | Op::FLe) {
        return None;
    }
    let (a, b) = (terms.operand(inner, 0), terms.operand(inner, 1));
    if terms.is_array(a) || !(2..=64).contains(&terms.width(a)) {
        return None;
    }
    let (side, set) = match op {
        Op::FEq | Op::FLt | Op::FLe => floats::compared_side(terms, op, a, b)?,
        _ => compared_side(terms, op, a, b)?,
    };
    Some((side, if is_negated { set.complement() } else { set }))
}

/// Turns a set over all bits of a variable but the highest into a set of the variable: the highest
/// bit is free. Conditions on a float without its sign are such sets.
fn without_top_bit(
    terms: &Terms,
    extract: TermId,
    set: IntervalSet,
) -> Option<(VarId, IntervalSet)> {
    let whole = terms.operand(extract, 0);
    let variable = terms.variable_of(whole)?;
    let width = terms.width(whole);
    if terms.node(extract).b != 0 || width > 64 || terms.width(extract) + 1 != width {
        return None;
    }
    let low = IntervalSet { width, intervals: set.intervals };
    let high = low.shifted(1 << (width - 1));
    Some((variable, low.union(&high)))
}

/// The most readable member: the one nearest to zero, positive rather than negative.
pub fn pleasant_member(set: &IntervalSet) -> Option<u64> {
    let lowest = set.intervals.first()?.0;
    let highest = set.intervals.last()?.1;
    let half = mask(set.width - 1);
    if lowest <= half || set.width == 1 {
        return Some(lowest);
    }
    let distance = signed(highest, set.width).unsigned_abs();
    Some(if distance < lowest { highest } else { lowest })
}
