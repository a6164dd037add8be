//! The values of one subject as text: bounds, lists, exceptions.
//!
//! A set is told relative to the values that are allowed at all: what is not allowed may be
//! included or left out, whichever is shorter, and a set of all that is allowed is not told.

use super::glossary::Meaning;
use super::values;
use crate::chain::IntervalSet;
use crate::float::Format;
use crate::term::{mask, signed};

/// Values that are told one by one behind `≠`, and between braces.
const MOST_EXCEPTIONS: usize = 3;
const MOST_LISTED: usize = 12;
/// Bounds, or choices, that are told of one subject.
const MOST_PIECES: usize = 24;

/// How telling a condition is, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Equality,
    Bounds,
    Exceptions,
    Alternatives,
    Other,
}

/// A condition as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub class: Class,
    pub text: String,
}

/// Whose values are told, and how.
pub(super) struct Subject<'a> {
    pub name: &'a str,
    pub meaning: &'a Meaning,
    pub allowed: &'a IntervalSet,
    /// Constants of the program, as bits: people recognise them.
    pub constants: &'a [u64],
}

/// First and last member, in the order of the subject's values.
type Piece = (i128, i128);

impl Subject<'_> {
    /// That the subject is in a set; nothing if that always holds.
    pub fn within(&self, set: &IntervalSet) -> Option<Said> {
        let inside = set.intersect(self.allowed);
        let outside = self.allowed.intersect(&set.complement());
        if outside.is_empty() {
            return None;
        }
        if inside.is_empty() {
            return Some(Said { class: Class::Equality, text: "false".to_owned() });
        }
        Some(match self.meaning {
            Meaning::Number { is_signed } | Meaning::Character { is_signed } => {
                let order = if *is_signed { signed_pieces } else { unsigned_pieces };
                self.line(&order(&inside), &order(&outside)).said()
            }
            Meaning::Choice(names) => self.choice(names, &inside, &outside),
            Meaning::Float => self.float(&inside, &outside),
        })
    }

    fn line<'s>(&'s self, inside: &[Piece], outside: &[Piece]) -> Line<'s> {
        let (inside, outside) = (runs(inside, outside), runs(outside, inside));
        Line { subject: self, inside, outside }
    }

    fn choice(&self, names: &[String], inside: &IntervalSet, outside: &IntervalSet) -> Said {
        let listed = |set: &IntervalSet| {
            let numbers = set.intervals.iter().flat_map(|(first, last)| *first..=*last);
            let name = |number: u64| {
                let name = usize::try_from(number).ok().and_then(|number| names.get(number));
                name.cloned().unwrap_or_else(|| number.to_string())
            };
            let mut all: Vec<String> = numbers.take(MOST_PIECES + 1).map(name).collect();
            if all.len() > MOST_PIECES {
                all[MOST_PIECES] = "…".to_owned();
            }
            all
        };
        let (these, others) = (listed(inside), listed(outside));
        let (class, text) = match (these.as_slice(), others.as_slice()) {
            ([only], _) => (Class::Equality, format!("{} = {only}", self.name)),
            (_, [only]) => (Class::Exceptions, format!("{} ≠ {only}", self.name)),
            _ if these.len() <= others.len().max(4) => {
                (Class::Equality, format!("{} ∈ {{{}}}", self.name, these.join(", ")))
            }
            _ => (Class::Exceptions, format!("{} ∉ {{{}}}", self.name, others.join(", "))),
        };
        Said { class, text }
    }

    /// Numbers are ordered, with one zero; what is no number is told apart.
    fn float(&self, inside: &IntervalSet, outside: &IntervalSet) -> Said {
        let format = Format::of_width(self.allowed.width);
        let nans = nans(format);
        let (nans_in, nans_out) = (inside.intersect(&nans), outside.intersect(&nans));
        let zeros = [0, format.sign_bit()];
        let has = |set: &IntervalSet| zeros.map(|zero| set.contains(zero));
        let splits_zero = has(inside).contains(&true) && has(outside).contains(&true);
        if splits_zero || (!nans_in.is_empty() && !nans_out.is_empty()) {
            return self.bit_patterns(inside, outside, splits_zero);
        }
        let (numbers, others) = (float_pieces(inside, format), float_pieces(outside, format));
        let name = self.name;
        if numbers.is_empty() {
            return Said { class: Class::Equality, text: format!("{name} is NaN") };
        }
        if others.is_empty() {
            return Said { class: Class::Exceptions, text: format!("{name} is not NaN") };
        }
        let line = self.line(&numbers, &others);
        match (nans_in.is_empty(), nans_out.is_empty()) {
            // A comparison that holds is one of numbers; `≠` also holds of what is none.
            (true, false) if line.is_exceptions_only() => {
                let Said { class, text } = line.said();
                Said { class, text: format!("{text} ∧ {name} is not NaN") }
            }
            (false, true) if line.is_exceptions_only() => line.said(),
            (false, true) => {
                let text = format!("({} ∨ {name} is NaN)", line.alternatives().join(" ∨ "));
                Said { class: Class::Alternatives, text }
            }
            _ => line.said(),
        }
    }

    /// What tells zeros or NaNs apart is about bits.
    fn bit_patterns(&self, inside: &IntervalSet, outside: &IntervalSet, splits_zero: bool) -> Said {
        let name = self.name;
        let single = |set: &IntervalSet| match set.intervals.as_slice() {
            [(one, other)] if one == other => Some(*one),
            _ => None,
        };
        let shown = |bits: u64| values::float(bits, self.allowed.width);
        if splits_zero && let Some(zero) = single(inside) {
            return Said { class: Class::Equality, text: format!("{name} is {}", shown(zero)) };
        }
        if splits_zero && let Some(zero) = single(outside) {
            let text = format!("{name} is not {}", shown(zero));
            return Said { class: Class::Exceptions, text };
        }
        let name = format!("bits of {name}");
        let meaning = Meaning::Number { is_signed: false };
        let Subject { allowed, constants, .. } = *self;
        let subject = Subject { name: &name, meaning: &meaning, allowed, constants };
        subject.line(&unsigned_pieces(inside), &unsigned_pieces(outside)).said()
    }

    fn value(&self, value: i128) -> String {
        let width = self.allowed.width;
        let bits = self.bits(value);
        match self.meaning {
            Meaning::Character { .. } => values::character(bits as u8),
            Meaning::Float => values::float(bits, width),
            Meaning::Number { .. } | Meaning::Choice(_) => value.to_string(),
        }
    }

    /// A value as a bound. Characters below zero have no place in the order of characters.
    fn bound(&self, value: i128) -> String {
        match self.meaning {
            Meaning::Character { .. } if !(0..=255).contains(&value) => value.to_string(),
            _ => self.value(value),
        }
    }

    fn bits(&self, value: i128) -> u64 {
        let width = self.allowed.width;
        match self.meaning {
            Meaning::Float if value < 0 => {
                Format::of_width(width).sign_bit() | value.unsigned_abs() as u64
            }
            _ => value as u64 & mask(width),
        }
    }

    /// Whether a bound is better told by the value beyond it, which it excludes.
    fn is_strict(&self, bound: i128, beyond: i128) -> bool {
        // Bounds of floats are seldom round on both sides.
        if *self.meaning == Meaning::Float {
            return self.value(beyond).len() < self.value(bound).len();
        }
        let is_known = |value: i128| self.constants.contains(&self.bits(value));
        !is_known(bound) && is_known(beyond)
    }
}

/// What is inside and outside on a line of values. A run of either has nothing of the other
/// between its ends.
struct Line<'a> {
    subject: &'a Subject<'a>,
    inside: Vec<Piece>,
    outside: Vec<Piece>,
}

impl Line<'_> {
    fn said(&self) -> Said {
        let name = self.subject.name;
        let value = |piece: &Piece| self.subject.value(piece.0);
        if let [only] = self.inside.as_slice()
            && is_single(only)
        {
            let text = format!("{name} = {}", value(only));
            return Said { class: Class::Equality, text };
        }
        if self.is_exceptions_only() {
            return Said { class: Class::Exceptions, text: self.exceptions(&self.outside) };
        }
        if self.inside.len() <= MOST_LISTED && self.inside.iter().all(is_single) {
            let values: Vec<String> = self.inside.iter().map(value).collect();
            let text = format!("{name} ∈ {{{}}}", values.join(", "));
            return Said { class: Class::Equality, text };
        }
        let holes = self.holes();
        if holes.len() <= MOST_EXCEPTIONS && holes.iter().all(is_single) {
            let hull = (self.inside[0].0, self.inside[self.inside.len() - 1].1);
            let mut text = self.piece(hull);
            if !holes.is_empty() {
                text = format!("{text} ∧ {}", self.exceptions(&holes));
            }
            return Said { class: Class::Bounds, text };
        }
        let text = format!("({})", self.alternatives().join(" ∨ "));
        Said { class: Class::Alternatives, text }
    }

    /// Whether all that is outside is few single values, and more than that is inside.
    fn is_exceptions_only(&self) -> bool {
        self.outside.len() <= MOST_EXCEPTIONS
            && self.outside.iter().all(is_single)
            && !matches!(self.inside.as_slice(), [only] if is_single(only))
    }

    fn exceptions(&self, values: &[Piece]) -> String {
        let name = self.subject.name;
        let unlike = |piece: &Piece| format!("{name} ≠ {}", self.subject.value(piece.0));
        values.iter().map(unlike).collect::<Vec<_>>().join(" ∧ ")
    }

    /// What is outside between the ends of what is inside.
    fn holes(&self) -> Vec<Piece> {
        let (Some(first), Some(last)) = (self.inside.first(), self.inside.last()) else {
            return Vec::new();
        };
        let is_hole = |piece: &&Piece| first.0 < piece.0 && piece.1 < last.1;
        self.outside.iter().filter(is_hole).copied().collect()
    }

    fn alternatives(&self) -> Vec<String> {
        let runs = self.inside.iter().take(MOST_PIECES).map(|run| self.piece(*run));
        let mut texts: Vec<String> = runs.collect();
        if self.inside.len() > MOST_PIECES {
            texts.push("…".to_owned());
        }
        texts
    }

    /// Bounds, as far as something is beyond them.
    fn piece(&self, (first, last): Piece) -> String {
        let (subject, name) = (self.subject, self.subject.name);
        if first == last {
            return format!("{name} = {}", subject.value(first));
        }
        let has_less = self.outside.first().is_some_and(|piece| piece.0 < first);
        let has_more = self.outside.last().is_some_and(|piece| piece.1 > last);
        let below = if subject.is_strict(first, first - 1) {
            format!("{} < ", subject.bound(first - 1))
        } else {
            format!("{} ≤ ", subject.bound(first))
        };
        let above = if subject.is_strict(last, last + 1) {
            format!(" < {}", subject.bound(last + 1))
        } else {
            format!(" ≤ {}", subject.bound(last))
        };
        match (has_less, has_more) {
            (false, false) => "true".to_owned(),
            (false, true) => format!("{name}{above}"),
            (true, false) => format!("{below}{name}"),
            (true, true) => format!("{below}{name}{above}"),
        }
    }
}

fn is_single(piece: &Piece) -> bool {
    piece.0 == piece.1
}

/// Pieces without any of the others between them are one.
fn runs(pieces: &[Piece], others: &[Piece]) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::new();
    let mut next = 0;
    for &(first, last) in pieces {
        let before = next;
        while others.get(next).is_some_and(|other| other.0 < first) {
            next += 1;
        }
        match joined.last_mut() {
            Some(previous) if before == next => previous.1 = last,
            _ => joined.push((first, last)),
        }
    }
    joined
}

fn unsigned_pieces(set: &IntervalSet) -> Vec<Piece> {
    set.intervals.iter().map(|(first, last)| (i128::from(*first), i128::from(*last))).collect()
}

fn signed_pieces(set: &IntervalSet) -> Vec<Piece> {
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
    pieces
}

fn nans(format: Format) -> IntervalSet {
    let (least, sign) = (format.infinity() + 1, format.sign_bit());
    let intervals = vec![(least, sign - 1), (sign | least, mask(format.width()))];
    IntervalSet { width: format.width(), intervals }
}

/// Numbers in their order: that of the bits of positive ones, mirrored for negative ones.
fn float_pieces(set: &IntervalSet, format: Format) -> Vec<Piece> {
    let numbers = set.intersect(&nans(format).complement());
    let sign = format.sign_bit();
    let mut pieces = Vec::new();
    for &(first, last) in &numbers.intervals {
        if first < sign {
            pieces.push((i128::from(first), i128::from(last.min(sign - 1))));
        }
        if last >= sign {
            let mirrored = |bits: u64| -i128::from(bits & !sign);
            pieces.push((mirrored(last), mirrored(first.max(sign))));
        }
    }
    pieces.sort_unstable();
    let mut merged: Vec<Piece> = Vec::new();
    for (first, last) in pieces {
        match merged.last_mut() {
            Some(previous) if first <= previous.1 + 1 => previous.1 = previous.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}
