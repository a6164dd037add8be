//! What variables stand for, so that their values can be said in words.
//!
//! Whoever makes the variables fills it. Without an entry, a variable is a number whose sign the
//! comparisons tell.

use rustc_hash::FxHashMap;

use crate::chain::IntervalSet;
use crate::term::{Terms, VarId};

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Number {
        is_signed: bool,
    },
    /// A byte of a text.
    Character {
        is_signed: bool,
    },
    /// The bits of a float of that width.
    Float,
    /// The number of one of these.
    Choice(Vec<String>),
}

/// What is known of one variable.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What people call it, if not by the variable's name.
    pub name: Option<String>,
    pub meaning: Meaning,
    /// It never has another value.
    pub allowed: IntervalSet,
}

/// Characters that belong together.
#[derive(Clone, Debug)]
pub struct Text {
    pub name: String,
    pub characters: Vec<VarId>,
    pub end: TextEnd,
}

/// Where a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEnd {
    /// After all characters.
    Last,
    /// Before the first that is zero, if there is one.
    Zero,
    /// The variable says how many characters there are.
    Length(VarId),
}

/// What the variables of a table stand for.
#[derive(Clone, Debug, Default)]
pub struct Glossary {
    entries: FxHashMap<VarId, Entry>,
    texts: Vec<Text>,
    /// The text of a character, or of a variable that is a text's length, and which character it
    /// is.
    members: FxHashMap<VarId, usize>,
}

impl Glossary {
    pub fn new() -> Glossary {
        Glossary::default()
    }

    /// Of what is known twice, both holds: a variable has values that both entries allow.
    pub fn add(&mut self, variable: VarId, entry: Entry) {
        match self.entries.get_mut(&variable) {
            Some(known) if known.allowed.width == entry.allowed.width => {
                known.allowed = known.allowed.intersect(&entry.allowed);
                if known.meaning != entry.meaning {
                    // Nobody knows which of them is meant.
                    let is_signed = known.meaning.is_signed().unwrap_or(false);
                    known.meaning = Meaning::Number { is_signed };
                }
            }
            Some(_) => {}
            None => {
                self.entries.insert(variable, entry);
            }
        }
    }

    /// What is known of a variable becomes this.
    pub fn replace(&mut self, variable: VarId, entry: Entry) {
        self.entries.insert(variable, entry);
    }

    /// What another glossary knows as well; see [`Glossary::add`].
    pub fn extend(&mut self, other: &Glossary, variables: impl IntoIterator<Item = VarId>) {
        for variable in variables {
            if let Some(entry) = other.entry(variable) {
                self.add(variable, entry.clone());
            }
        }
        for text in &other.texts {
            self.add_text(text.clone());
        }
    }

    /// Characters that are in a text already stay there.
    pub fn add_text(&mut self, text: Text) {
        let length = match text.end {
            TextEnd::Length(variable) => Some(variable),
            TextEnd::Last | TextEnd::Zero => None,
        };
        let all = || text.characters.iter().copied().chain(length);
        if all().any(|variable| self.members.contains_key(&variable)) {
            return;
        }
        let number = self.texts.len();
        self.members.extend(all().map(|variable| (variable, number)));
        self.texts.push(text);
    }

    pub(super) fn entry(&self, variable: VarId) -> Option<&Entry> {
        self.entries.get(&variable)
    }

    /// The number of the text that a variable belongs to.
    pub(super) fn text_of(&self, variable: VarId) -> Option<usize> {
        self.members.get(&variable).copied()
    }

    pub(super) fn text(&self, number: usize) -> &Text {
        &self.texts[number]
    }

    pub(super) fn name<'a>(&'a self, terms: &'a Terms, variable: VarId) -> &'a str {
        let own = self.entry(variable).and_then(|entry| entry.name.as_deref());
        own.unwrap_or(&terms.variable_info(variable).name)
    }

    pub(super) fn is_float(&self, variable: VarId) -> bool {
        self.entry(variable).is_some_and(|entry| entry.meaning == Meaning::Float)
    }
}

impl Meaning {
    pub(super) fn is_signed(&self) -> Option<bool> {
        match self {
            Meaning::Number { is_signed } | Meaning::Character { is_signed } => Some(*is_signed),
            Meaning::Float | Meaning::Choice(_) => None,
        }
    }
}
