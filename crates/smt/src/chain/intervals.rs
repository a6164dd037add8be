//! Sets of values as intervals, and the conditions on one variable that are such sets.

mod floats;

pub use self::floats::pleasant_float;
use crate::term::{Op, TermId, Terms, VarId, mask, signed};

/// Conditions made of more comparisons and connectives than this are not taken apart: parts that
/// are shared are walked again each time.
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

    /// From `first` up to `last`, around the end if `last` is the smaller.
    fn around(width: u32, first: u64, last: u64) -> IntervalSet {
        let intervals = match first <= last {
            true => vec![(first, last)],
            false => vec![(0, last), (first, mask(width))],
        };
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
/// that variable (plus constants) with constants.
pub fn interval_set(terms: &Terms, condition: TermId) -> Option<(VarId, IntervalSet)> {
    let mut left = MOST_CONNECTIVES;
    interval_set_within(terms, condition, &mut left)
}

fn interval_set_within(
    terms: &Terms,
    condition: TermId,
    left: &mut u32,
) -> Option<(VarId, IntervalSet)> {
    *left = left.checked_sub(1)?;
    let node = terms.node(condition);
    let operand = |which| terms.operand(condition, which);
    match node.op {
        Op::Var => {
            let variable = terms.variable_of(condition)?;
            Some((variable, IntervalSet { width: 1, intervals: vec![(1, 1)] }))
        }
        Op::Not => {
            let (variable, set) = interval_set_within(terms, operand(0), left)?;
            Some((variable, set.complement()))
        }
        Op::And | Op::Or => {
            let (variable, a) = interval_set_within(terms, operand(0), left)?;
            let (other, b) = interval_set_within(terms, operand(1), left)?;
            let set = if node.op == Op::And { a.intersect(&b) } else { a.union(&b) };
            (variable == other).then_some((variable, set))
        }
        Op::Eq | Op::Ult | Op::Slt => comparison(terms, node.op, operand(0), operand(1)),
        Op::FEq | Op::FLt | Op::FLe => floats::comparison(terms, node.op, operand(0), operand(1)),
        _ => None,
    }
}

fn comparison(terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<(VarId, IntervalSet)> {
    let width = terms.width(a);
    if width > 64 {
        return None;
    }
    let smallest = if op == Op::Slt { 1 << (width - 1) } else { 0 };
    let largest = if op == Op::Slt { mask(width - 1) } else { mask(width) };
    let (side, set) = match (terms.as_constant(a), terms.as_constant(b)) {
        (None, Some(c)) if op == Op::Eq => (a, IntervalSet::around(width, c, c)),
        (None, Some(c)) if c == smallest => (a, IntervalSet::empty(width)),
        (None, Some(c)) => {
            (a, IntervalSet::around(width, smallest, c.wrapping_sub(1) & mask(width)))
        }
        (Some(c), None) if c == largest => (b, IntervalSet::empty(width)),
        (Some(c), None) => {
            (b, IntervalSet::around(width, c.wrapping_add(1) & mask(width), largest))
        }
        _ => return None,
    };
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

/// What a set of all bits of a variable but the highest one is of the variable: the highest bit is
/// free. So are conditions on a float without its sign.
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

/// The member that people expect: the one nearest to zero, positive rather than negative.
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
