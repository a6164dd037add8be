//! What changed between two versions, in all formats.

mod json;
mod text;

pub(crate) use json::{Changed, HunkLines, Location};
pub use json::{FORMAT, json};
pub(crate) use text::place_of_hunk;
pub use text::text;

use effects::versions::{ChangeKind, HunkEffect, HunkId, Place};

use crate::printable::printable;

/// `file:line`, or a question mark where debug information does not tell.
pub(crate) fn position(place: Option<&Place>) -> String {
    match place {
        Some(place) => format!("{}:{}", printable(place.file.as_bytes()), place.line),
        None => "?".to_owned(),
    }
}

/// Numbers for people, from 1.
pub(crate) fn number(hunk: HunkId) -> u32 {
    hunk.0 + 1
}

/// `1, 2, 3`.
pub(crate) fn list<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    all.join(", ")
}

/// One word for other programs.
pub(crate) fn kind_word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Deleted => "deleted",
        ChangeKind::Modified => "modified",
        ChangeKind::Moved => "moved",
    }
}

fn effect_word(effect: &HunkEffect) -> &'static str {
    match effect {
        HunkEffect::Changes => "changes",
        HunkEffect::Nothing => "nothing",
        HunkEffect::Inactive(_) => "inactive",
        HunkEffect::NotInProgram => "not_in_program",
        HunkEffect::Needed => "needed",
        HunkEffect::Unknown => "unknown",
    }
}
