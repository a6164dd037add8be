//! The condition under which both versions run as they do on a witness and differ, for people.
//!
//! It has the path conditions of both runs and, if the first difference is in a number that depends
//! on the input, that this number differs. It may be narrower than necessary: other paths may
//! differ as well.

use std::collections::HashSet;

use base::Version;
use exec::concolic::{Event, Piece, Sink};
use exec::observer::Operand;
use exec::stop::Bound;
use exec::undefined::UndefinedKind;
use exec::{Concolic, Limits, Machine, Stop};
use explore::{InputTerms, Pair};
use smt::people::Glossary;
use smt::{TermId, Terms};
use trace::Harness;

/// The most conditions that people read.
const MOST_CONDITIONS: usize = 64;
/// A longer run has more conditions than that.
const MOST_STEPS: u64 = 500_000;
/// Steps of a run between two looks at its conditions and at the time: terms can make steps slow.
const SLICE: u64 = 5_000;

/// The output of a run, and which of it depends on the input.
#[derive(Default)]
struct Shown {
    bytes: Vec<u8>,
    /// The numbers in it: start, end, and value.
    numbers: Vec<(usize, usize, Operand)>,
    status: Option<Operand>,
}

/// The conditions of both paths, joined, and that an operation of a kind is undefined in one
/// version only, if that is the difference. `None` if there are none or too many, or no time.
pub(super) fn condition(
    pair: &Pair<'_>,
    name: &[u8],
    limits: Limits,
    assignment: &[u64],
    undefined: Option<(Version, UndefinedKind)>,
    is_over: &dyn Fn() -> bool,
) -> Option<String> {
    let limits = Limits { steps: limits.steps.min(MOST_STEPS), ..limits };
    let mut conditions: Vec<TermId> = Vec::new();
    let mut known: HashSet<TermId> = HashSet::new();
    let mut terms = Terms::default();
    let mut words = Glossary::new();
    let mut shown: [Shown; 2] = Default::default();
    let mut is_undefined = [Terms::FALSE; 2];
    for version in Version::BOTH {
        let side = pair.side(version);
        let mut own = Vec::new();
        side.assignment_into(assignment, &mut own);
        let mut observer = Concolic::new();
        // One table of terms for both, so that common conditions are recognised.
        observer.terms = terms;
        if undefined.is_some() {
            observer.watch_undefined();
        }
        let inputs = InputTerms::new(&mut observer.terms, side.layout);
        words.extend(&inputs.words, observer.terms.variables());
        let mut harness = Harness::new(side.concolic, side.layout, name);
        let idle = exec::Input::default();
        let mut machine = Machine::idle(side.concolic, &idle, limits, observer);
        let stop = match inputs.start(&mut harness, &mut machine, &own) {
            Ok(()) => run(&mut machine, limits.steps, is_over)?,
            Err(stop) => stop,
        };
        let observer = &mut machine.observer;
        if matches!(stop, Stop::Exhausted(_)) {
            return None;
        }
        let steps = observer.path.iter().map(|step| step.condition);
        conditions.extend(steps.filter(|&condition| known.insert(condition)));
        if conditions.len() > 2 * MOST_CONDITIONS {
            return None;
        }
        shown[version] = shown_by(&observer.events, &observer.result, &stop);
        terms = std::mem::take(&mut observer.terms);
        let noted = observer.undefined.iter().flatten();
        let noted = noted.filter(|(kind, _)| undefined.is_some_and(|(_, wanted)| wanted == *kind));
        for &(_, condition) in noted {
            let any = &mut is_undefined[version];
            *any = terms.or(*any, condition);
        }
    }
    match undefined {
        None => conditions.extend(difference(&mut terms, &shown)),
        Some((version, _)) => {
            conditions.push(is_undefined[version]);
            conditions.push(terms.not(is_undefined[version.other()]));
        }
    }
    conditions.retain(|&condition| condition != Terms::TRUE);
    let is_readable = !conditions.is_empty() && conditions.len() <= MOST_CONDITIONS;
    is_readable.then(|| words.conjunction(&terms, &conditions)).filter(|text| text != "true")
}

/// Runs to the end. `None` if there are too many conditions, or no time.
fn run(machine: &mut Machine<'_, Concolic>, most: u64, is_over: &dyn Fn() -> bool) -> Option<Stop> {
    loop {
        let next = machine.state.steps.saturating_add(SLICE).min(most);
        machine.state.limits.steps = next;
        let stop = machine.run();
        // A condition is only once on the path of a run.
        if machine.observer.path.len() > 2 * MOST_CONDITIONS {
            return None;
        }
        if stop != Stop::Exhausted(Bound::Steps) || next == most {
            return Some(stop);
        }
        if is_over() {
            return None;
        }
    }
}

fn shown_by(events: &[Event], result: &[Operand], stop: &Stop) -> Shown {
    let mut shown = Shown::default();
    for event in events.iter().filter(|event| event.to != Sink::Descriptor(2)) {
        for piece in &event.pieces {
            let from = shown.bytes.len();
            match piece {
                Piece::Text(text) => shown.bytes.extend_from_slice(text),
                Piece::Bytes(bytes) => shown.bytes.extend(bytes.iter().map(|(byte, _)| *byte)),
                Piece::Number { text, value, .. } => {
                    shown.bytes.extend_from_slice(text);
                    shown.numbers.push((from, shown.bytes.len(), *value));
                }
            }
        }
    }
    if matches!(stop, Stop::Exit(_)) {
        shown.status = result.first().copied();
    }
    shown
}

/// That the first number that differs does differ.
fn difference(terms: &mut Terms, [old, new]: &[Shown; 2]) -> Option<TermId> {
    let same = old.bytes.iter().zip(&new.bytes).take_while(|(a, b)| a == b).count();
    if same == old.bytes.len() && same == new.bytes.len() {
        return differ(terms, old.status?, new.status?);
    }
    let number_at = |shown: &Shown| {
        let covers = |&&(from, to, _): &&(usize, usize, Operand)| from <= same && same <= to;
        shown.numbers.iter().find(covers).copied()
    };
    let (from, in_old, in_new) = match (number_at(old), number_at(new)) {
        (Some((from, _, value)), Some((other, _, another))) if from == other => {
            return differ(terms, value, another);
        }
        (Some((from, _, value)), None) => (from, value, plain_number(&new.bytes[from..])?),
        (None, Some((from, _, value))) => (from, plain_number(&old.bytes[from..])?, value),
        _ => return None,
    };
    debug_assert!(from <= same, "the number begins before it differs");
    differ(terms, in_old, in_new)
}

/// A decimal number at the start of a text.
fn plain_number(text: &[u8]) -> Option<Operand> {
    let is_part =
        |(index, byte): &(usize, &u8)| byte.is_ascii_digit() || *index == 0 && **byte == b'-';
    let length = text.iter().enumerate().take_while(is_part).count();
    let number: i64 = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some(Operand { bits: number as u64, shadow: 0 })
}

/// That two numbers differ, in the bits that both have: a number may have been widened before it
/// was printed.
fn differ(terms: &mut Terms, old: Operand, new: Operand) -> Option<TermId> {
    let known = [old, new].map(|operand| TermId::from_raw(operand.shadow));
    let width = known.into_iter().flatten().map(|term| terms.width(term)).min()?;
    let mut term = |operand: Operand, known: Option<TermId>| match known {
        Some(term) if terms.width(term) == width => term,
        Some(term) => terms.trunc(term, width),
        None => terms.constant(width, operand.bits & (u64::MAX >> (64 - width.clamp(1, 64)))),
    };
    let (old, new) = (term(old, known[0]), term(new, known[1]));
    Some(terms.ne(old, new))
}
