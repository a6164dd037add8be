//! Input-to-state hints: observes a run where two integers decide a branch, and where library
//! functions compare texts; if one of the two is a part of the input, makes an input with the other
//! one in its place.
//!
//! After Aschermann et al. (2019), REDQUEEN. A value is assumed to come from the input if it equals
//! a part of it: as the number of a cell, as a byte, as a decimal number in a text, or as a text in
//! a text. Running the new input shows whether the guess was right.

use std::hash::Hasher;

use exec::code::Op;
use exec::memory::Memory;
use exec::observer::{At, Operand};
use exec::shims::Shim;
use exec::state::State;
use exec::{Limits, Machine, Observer};
use inputs::{Cell, End};
use rustc_hash::{FxHashSet, FxHasher};
use trace::Harness;

use super::fields::Field;
use super::{put_text, text_of};
use crate::pair::{Arena, Pair};

/// The most comparisons of a run to examine, and the most inputs to make from one.
const MOST_COMPARED: usize = 512;
const MOST_MADE: usize = 96;
/// The most cases of a switch to use.
const MOST_CASES: usize = 16;
/// The most places in a text to search for a value.
const MOST_PLACES: usize = 4;
/// The most steps of a run to observe.
const MOST_STEPS: u64 = 200_000;
/// Compared texts: the most per run, and their greatest length.
const MOST_TEXTS: usize = 64;
const LONGEST_TEXT: usize = 64;
/// The most hints to remember, so that they are not followed again.
const MOST_KNOWN: usize = 1 << 16;

/// Two compared integers, sign extended.
type Compared = (i64, i64);

/// Two compared texts.
type Texts = (Vec<u8>, Vec<u8>);

/// Observes the operands of branches.
#[derive(Debug, Default)]
struct Comparisons {
    seen: FxHashSet<Compared>,
    /// Each once, in the order of the run.
    list: Vec<Compared>,
    /// Compared texts, each pair once.
    texts: Vec<Texts>,
}

impl Comparisons {
    fn add(&mut self, one: i64, other: i64) {
        if one != other && self.list.len() < MOST_COMPARED && self.seen.insert((one, other)) {
            self.list.push((one, other));
        }
    }

    fn clear(&mut self) {
        self.seen.clear();
        self.list.clear();
        self.texts.clear();
    }

    /// Adds texts that are compared up to a number of bytes, or also up to their end.
    fn add_texts(&mut self, memory: &Memory, places: [u64; 2], most: u64, are_strings: bool) {
        if self.texts.len() >= MOST_TEXTS {
            return;
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(LONGEST_TEXT);
        let read = |address: u64| {
            let bytes = memory.bytes_from(address).unwrap_or_default();
            let bytes = &bytes[..bytes.len().min(most)];
            let end = bytes.iter().position(|&byte| byte == 0 && are_strings);
            bytes[..end.unwrap_or(bytes.len())].to_vec()
        };
        let [one, other] = places.map(read);
        if one == other {
            return;
        }
        for pair in [(one.clone(), other.clone()), (other, one)] {
            if !pair.0.is_empty() && !self.texts.contains(&pair) {
                self.texts.push(pair);
            }
        }
    }
}

impl Observer for Comparisons {
    // Observers of definitions see decisions, even of values without a shadow.
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;

    fn call(&mut self, _: At<'_>, shim: &'static Shim, args: &[Operand], state: &mut State) {
        let [first, second, rest @ ..] = args else { return };
        let places = [first.bits, second.bits];
        let most = rest.first().map_or(u64::MAX, |most| most.bits);
        match shim.name {
            "strcmp" => self.add_texts(&state.memory, places, u64::MAX, true),
            "strncmp" => self.add_texts(&state.memory, places, most, true),
            "memcmp" => self.add_texts(&state.memory, places, most, false),
            _ => {}
        }
    }

    fn decide(&mut self, at: At<'_>, sources: &[Operand]) {
        let [first, ..] = sources else { return };
        let a = first.bits;
        // Narrow values have 0 in the upper bits of their registers.
        let number = |bits: u64| match u32::try_from(bits) {
            Ok(low) => i64::from(low as i32),
            Err(_) => bits as i64,
        };
        use Op::*;
        match at.op() {
            BrEqI { value, .. }
            | BrNeI { value, .. }
            | BrUltI { value, .. }
            | BrUgtI { value, .. }
            | BrSlt32I { value, .. }
            | BrSgt32I { value, .. }
            | BrSlt64I { value, .. }
            | BrSgt64I { value, .. } => self.add(number(a), number(value)),
            Switch { table, .. } => {
                let cases = at.code.tables[table as usize].cases.iter().take(MOST_CASES);
                cases.for_each(|&(case, _)| self.add(number(a), number(case)));
            }
            _ => {
                if let [_, second] = sources {
                    self.add(number(a), number(second.bits));
                    self.add(number(second.bits), number(a));
                }
            }
        }
    }
}

/// The observed machine of one version.
struct Watched<'p> {
    harness: Harness<'p>,
    machine: Machine<'p, Comparisons>,
}

/// Finds hints in runs of both versions.
pub(super) struct Hints<'p> {
    pair: Pair<'p>,
    cells: Vec<&'p Cell>,
    versions: [Watched<'p>; 2],
    known: FxHashSet<(usize, Compared)>,
    /// New inputs that wait to be run, the next one last.
    waiting: Vec<Vec<u64>>,
    text: Vec<u8>,
    own: Vec<u64>,
}

impl<'p> Hints<'p> {
    pub fn new(arena: &Arena<'p>) -> Hints<'p> {
        let pair = arena.pair;
        let limits = Limits { steps: arena.limits.steps.min(MOST_STEPS), ..arena.limits };
        let versions = [pair.old, pair.new].map(|side| {
            let harness = Harness::new(side.program, side.layout, arena.name());
            let (given, seen) = (exec::Input::default(), Comparisons::default());
            Watched { harness, machine: Machine::idle(side.program, &given, limits, seen) }
        });
        Hints {
            pair,
            cells: pair.layout().cells.values().collect(),
            versions,
            known: FxHashSet::default(),
            waiting: Vec::new(),
            text: Vec::new(),
            own: Vec::new(),
        }
    }

    /// The next input from a hint.
    pub fn next(&mut self) -> Option<Vec<u64>> {
        self.waiting.pop()
    }

    pub fn has_next(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Runs an input and makes others from what its values were compared with.
    pub fn look_at(&mut self, arena: &mut Arena<'_>, fields: &[Field], assignment: &[u64]) {
        for index in 0..self.versions.len() {
            let side = [&self.pair.old, &self.pair.new][index];
            side.assignment_into(assignment, &mut self.own);
            let Watched { harness, machine } = &mut self.versions[index];
            machine.observer.clear();
            // The end of the run does not matter: the input was run before.
            if harness.start(machine, &self.own).is_ok() {
                machine.run();
            }
            let compared = std::mem::take(&mut machine.observer.list);
            for &compared in &compared {
                self.follow(fields, assignment, compared);
            }
            self.versions[index].machine.observer.list = compared;
            let texts = std::mem::take(&mut self.versions[index].machine.observer.texts);
            for pair in &texts {
                self.follow_texts(fields, assignment, pair);
            }
            self.versions[index].machine.observer.texts = texts;
        }
        arena.charge_watched(2);
        self.waiting.reverse();
    }

    /// Replaces occurrences of the first number by the second.
    fn follow(&mut self, fields: &[Field], assignment: &[u64], compared: Compared) {
        for field in fields {
            if self.waiting.len() >= MOST_MADE {
                return;
            }
            match *field {
                Field::Scalar(position) => {
                    self.follow_number(position, assignment, compared);
                }
                Field::Text { first, count, end } => {
                    self.follow_text((first, count, end), assignment, compared);
                }
                // Its parts are fields as well.
                Field::Rows { .. } => {}
            }
        }
    }

    fn follow_number(&mut self, position: usize, assignment: &[u64], (was, wanted): Compared) {
        let domain = &self.cells[position].domain;
        if domain.decode(assignment[position]) != i128::from(was)
            || !self.is_new(position, (was, wanted))
        {
            return;
        }
        // Neighbours, too: a bound is often inclusive or exclusive.
        for near in [0, 1, -1] {
            let number = i128::from(wanted) + near;
            if number != i128::from(was) && domain.contains_number(number) {
                let mut made = assignment.to_vec();
                made[position] = domain.encode(number);
                self.waiting.push(made);
            }
        }
    }

    fn follow_text(
        &mut self,
        (first, count, end): (usize, usize, End),
        assignment: &[u64],
        (was, wanted): Compared,
    ) {
        text_of(&mut self.text, first, count, end, assignment);
        let text = std::mem::take(&mut self.text);
        let pairs = [byte(was).zip(byte(wanted)), Some((decimal(was), decimal(wanted)))];
        for (was_text, wanted_text) in pairs.into_iter().flatten() {
            if was_text.len() > text.len() {
                continue;
            }
            let places = text.windows(was_text.len()).enumerate();
            let places = places.filter(|(_, piece)| *piece == was_text).map(|(at, _)| at);
            for at in places.take(MOST_PLACES) {
                if !self.is_new(first + at, (was, wanted)) {
                    continue;
                }
                let mut made = text.clone();
                made.splice(at..at + was_text.len(), wanted_text.iter().copied());
                let mut input = assignment.to_vec();
                put_text(&self.cells, &made, first, count, end, &mut input);
                self.waiting.push(input);
            }
        }
        self.text = text;
    }

    /// Replaces occurrences of the first text by the second.
    fn follow_texts(&mut self, fields: &[Field], assignment: &[u64], (was, wanted): &Texts) {
        for field in fields {
            let Field::Text { first, count, end } = *field else { continue };
            text_of(&mut self.text, first, count, end, assignment);
            let text = std::mem::take(&mut self.text);
            let places = text.windows(was.len()).enumerate();
            let places = places.filter(|(_, piece)| piece == was).map(|(at, _)| at);
            for at in places.take(MOST_PLACES) {
                let hint = (hashed(was), hashed(wanted));
                if self.waiting.len() >= MOST_MADE || !self.is_new(first + at, hint) {
                    continue;
                }
                let mut made = text.clone();
                made.splice(at..at + was.len(), wanted.iter().copied());
                let mut input = assignment.to_vec();
                put_text(&self.cells, &made, first, count, end, &mut input);
                self.waiting.push(input);
            }
            self.text = text;
        }
    }

    /// Whether a hint is new for this place.
    fn is_new(&mut self, position: usize, compared: Compared) -> bool {
        self.known.len() < MOST_KNOWN && self.known.insert((position, compared))
    }
}

/// A hash of a text.
fn hashed(text: &[u8]) -> i64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish() as i64
}

fn byte(number: i64) -> Option<Vec<u8>> {
    u8::try_from(number).ok().map(|byte| vec![byte])
}

fn decimal(number: i64) -> Vec<u8> {
    number.to_string().into_bytes()
}
