//! What is said of the characters of a text, said of the text: what it is, how it begins, how
//! long it is.

use super::facts::Facts;
use super::glossary::{Glossary, Text, TextEnd};
use super::sets::{Class, Said};
use super::values;
use crate::chain::IntervalSet;
use crate::term::VarId;

/// Fewer characters than this are told one by one.
const SHORTEST_BEGINNING: usize = 2;
/// Characters of a text that are told.
const LONGEST: usize = 200;

/// What sets of characters say of a text. What is said here holds no longer of single characters:
/// their sets become all that the text leaves open.
pub(super) fn said(glossary: &Glossary, number: usize, facts: &mut Facts) -> Vec<Said> {
    let text = glossary.text(number);
    let known = Known { text, values: values_of(text, facts) };
    match text.end {
        TextEnd::Last => known.fixed(facts),
        TextEnd::Zero => known.ended_by_zero(glossary, facts),
        TextEnd::Length(length) => known.of_length(length, facts),
    }
}

/// The one value that each character can have, if there is one.
fn values_of(text: &Text, facts: &Facts) -> Vec<Option<u8>> {
    let value = |variable: &VarId| facts.only_value(*variable).map(|value| value as u8);
    text.characters.iter().map(value).collect()
}

struct Known<'a> {
    text: &'a Text,
    values: Vec<Option<u8>>,
}

impl Known<'_> {
    /// How many characters are known from the first one on.
    fn beginning(&self) -> usize {
        self.values.iter().take_while(|value| value.is_some()).count().min(LONGEST)
    }

    fn bytes(&self, count: usize) -> Vec<u8> {
        self.values.iter().take(count).map_while(|value| *value).collect()
    }

    fn is(&self, count: usize) -> Said {
        let text = format!("{} = {}", self.text.name, values::text(&self.bytes(count)));
        Said { class: Class::Equality, text }
    }

    fn starts_with(&self, count: usize) -> Said {
        let beginning = values::text(&self.bytes(count));
        let text = format!("{} starts with {beginning}", self.text.name);
        Said { class: Class::Equality, text }
    }

    fn forget(&self, facts: &mut Facts, count: usize) {
        for variable in self.text.characters.iter().take(count) {
            facts.remove(*variable);
        }
    }

    fn fixed(&self, facts: &mut Facts) -> Vec<Said> {
        let known = self.beginning();
        if known < SHORTEST_BEGINNING {
            return Vec::new();
        }
        self.forget(facts, known);
        let is_all = known == self.text.characters.len();
        vec![if is_all { self.is(known) } else { self.starts_with(known) }]
    }

    /// A zero ends the text, and as long as there is none it goes on.
    fn ended_by_zero(&self, glossary: &Glossary, facts: &mut Facts) -> Vec<Said> {
        let characters = &self.text.characters;
        let zero = IntervalSet::of(8, vec![(0, 0)]);
        let is_there = |variable: &&VarId| {
            facts.set(**variable).is_some_and(|set| set.intersect(&zero).is_empty())
                || glossary.entry(**variable).is_some_and(|one| !one.allowed.contains(0))
        };
        let there = characters.iter().take_while(is_there).count();
        let is_end = there == characters.len() || self.values[there] == Some(0);
        let known = self.beginning().min(there);
        if is_end && known == there && there < characters.len() {
            self.forget(facts, there + 1);
            return vec![self.is(there)];
        }
        if is_end && known == there && there > 0 && known > 0 {
            self.forget(facts, there);
            return vec![self.is(there)];
        }
        let mut said = Vec::new();
        let told = if known < SHORTEST_BEGINNING { 0 } else { known };
        if told > 0 {
            said.push(self.starts_with(told));
            self.forget(facts, told);
        }
        // That a character is there and nothing else is known of it is said by a length.
        let is_open = |variable: &VarId| {
            let Some(set) = facts.set(*variable) else { return false };
            let any = IntervalSet::all(8).intersect(&zero.complement());
            let allowed = glossary.entry(*variable).map_or(&any, |entry| &entry.allowed);
            allowed.intersect(&any).intersect(&set.complement()).is_empty()
        };
        let last_open = characters[..there].iter().rposition(is_open);
        let least = last_open.map_or(0, |last| last + 1);
        if is_end && there < characters.len() {
            said.push(length_is(&self.text.name, there));
            facts.remove(characters[there]);
            self.let_zero_in(glossary, facts, there);
        } else if least > told {
            let text = format!("length of {} ≥ {least}", self.text.name);
            said.push(Said { class: Class::Bounds, text });
            self.let_zero_in(glossary, facts, least);
        }
        said
    }

    /// A length says that characters are not zero, so their sets need not.
    fn let_zero_in(&self, glossary: &Glossary, facts: &mut Facts, count: usize) {
        for &variable in self.text.characters.iter().take(count) {
            if glossary.entry(variable).is_some_and(|entry| entry.allowed.contains(0)) {
                facts.forbid(variable, 0);
            }
        }
    }

    fn of_length(&self, length: VarId, facts: &mut Facts) -> Vec<Said> {
        let known = self.beginning();
        let exact = facts.only_value(length).and_then(|length| usize::try_from(length).ok());
        if let Some(exact) = exact.filter(|exact| *exact <= known) {
            self.forget(facts, exact);
            facts.remove(length);
            return vec![self.is(exact)];
        }
        let least = facts.set(length).and_then(|set| set.intervals.first()).map(|first| first.0);
        let least = least.and_then(|least| usize::try_from(least).ok()).unwrap_or(0);
        let told = known.min(least);
        if told < SHORTEST_BEGINNING {
            return Vec::new();
        }
        self.forget(facts, told);
        for shorter in 0..told as u64 {
            facts.forbid(length, shorter);
        }
        vec![self.starts_with(told)]
    }
}

fn length_is(name: &str, length: usize) -> Said {
    Said { class: Class::Equality, text: format!("length of {name} = {length}") }
}
