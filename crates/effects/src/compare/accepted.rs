//! Accepted differences: decides whether a difference equals an accepted one, and sets it aside.
//!
//! A difference equals another if the same changed statements are executed, by their text and
//! function and not by their lines, and the programs differ in the same observable and end in the
//! same way. Inputs do not count. The caller provides the current date.

use std::collections::BTreeSet;

use source::End;

use super::{Class, Compared, Observable, Verdict, Witness};
use crate::trial::Place;

/// Digits of an id; enough to distinguish a few thousand differences.
const DIGITS: usize = 16;

/// The identity of a difference, independent of its input and line numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub class: Class,
    pub observable: Observable,
    /// How OLD and NEW end; exit statuses count only as zero or not.
    pub ends: [String; 2],
    /// Changed statements that are executed in OLD and in NEW, each `function: text`, in order.
    pub statements: [Vec<String>; 2],
    /// Functions that these lie in, in order.
    pub functions: Vec<String>,
}

impl Identity {
    pub fn of(witness: &Witness) -> Identity {
        let [old, new] = &witness.reached;
        let places = || old.iter().chain(new);
        let functions: BTreeSet<String> = places().map(|place| place.function.clone()).collect();
        Identity {
            class: witness.class,
            observable: witness.observable,
            ends: [&witness.old, &witness.new].map(|side| sort_of_end(side.native.end)),
            statements: [texts(old), texts(new)],
            functions: functions.into_iter().collect(),
        }
    }

    /// Stable for the same difference, also in later versions of Ripple.
    pub fn id(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add(self.class.name());
        add(self.observable.name());
        for (end, statements) in self.ends.iter().zip(&self.statements) {
            add(end);
            add(&statements.len().to_string());
            statements.iter().for_each(|statement| add(statement));
        }
        hasher.finalize().to_hex()[..DIGITS].to_owned()
    }
}

/// Statements by their text, so that moved lines and other indentation make no difference.
fn texts(places: &[Place]) -> Vec<String> {
    let text = |place: &Place| {
        let words: Vec<&str> = place.text.as_deref().unwrap_or("").split_whitespace().collect();
        format!("{}: {}", place.function, words.join(" "))
    };
    let texts: BTreeSet<String> = places.iter().map(text).collect();
    texts.into_iter().collect()
}

fn sort_of_end(end: End) -> String {
    match end {
        End::Exited(0) => "exit 0".to_owned(),
        End::Exited(_) => "exit not 0".to_owned(),
        End::Signaled(signal) => format!("signal {signal}"),
        End::TimedOut => "timeout".to_owned(),
        End::OutputLimit => "output limit".to_owned(),
        End::MemoryLimit => "memory limit".to_owned(),
        End::Undefined => "undefined symbol".to_owned(),
    }
}

/// A user's statement that a difference is intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Of the difference, see [`Identity::id`].
    pub id: String,
    /// Functions that changed statements of it lie in.
    pub functions: Vec<String>,
    pub reason: String,
    /// The last day on which it holds, as `YYYY-MM-DD`.
    pub expires: Option<String>,
}

/// A difference that is intended.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub witness: Witness,
    pub acceptance: Acceptance,
}

/// An acceptance that does not hold for a difference that it seems to match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lapsed {
    /// Which of the witnesses.
    pub witness: usize,
    pub acceptance: Acceptance,
    pub why: Lapse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// It held until a day that has passed.
    Expired,
    /// Other statements are executed, or the programs differ in another way.
    Differs,
}

impl Compared {
    /// Sets aside accepted differences. `today` is `YYYY-MM-DD`.
    pub fn set_aside(&mut self, acceptances: &[Acceptance], today: &str) {
        let is_over = |acceptance: &Acceptance| {
            acceptance.expires.as_deref().is_some_and(|last| last < today)
        };
        let found: BTreeSet<String> =
            self.witnesses.iter().map(|witness| Identity::of(witness).id()).collect();
        for witness in std::mem::take(&mut self.witnesses) {
            let identity = Identity::of(&witness);
            let id = identity.id();
            let same = acceptances.iter().find(|one| one.id == id && !is_over(one));
            if let Some(acceptance) = same {
                self.accepted.push(Accepted { witness, acceptance: acceptance.clone() });
                continue;
            }
            let expired = acceptances.iter().find(|one| one.id == id);
            // An acceptance that still matches a difference is not about another one.
            let is_about = |one: &&Acceptance| {
                !found.contains(&one.id)
                    && one.functions.iter().any(|function| identity.functions.contains(function))
            };
            let lapsed = match expired {
                Some(one) => Some((one, Lapse::Expired)),
                None => acceptances.iter().find(is_about).map(|one| (one, Lapse::Differs)),
            };
            if let Some((acceptance, why)) = lapsed {
                let (witness, acceptance) = (self.witnesses.len(), acceptance.clone());
                self.lapsed.push(Lapsed { witness, acceptance, why });
            }
            self.witnesses.push(witness);
        }
        if self.verdict == Verdict::Different && self.consistent().next().is_none() {
            self.verdict = Verdict::Accepted;
        }
    }
}
