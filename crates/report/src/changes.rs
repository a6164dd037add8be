//! What changed between two versions, in all formats.

mod json;
mod text;

pub(crate) use json::{Changed, Location};
pub use json::{SCHEMA, json};
pub use text::text;

use effects::versions::{ChangeKind, HunkEffect, Place};

use crate::printable::printable;

/// `file:line`, or a question mark if debug information has none.
pub(crate) fn position(place: Option<&Place>) -> String {
    match place {
        Some(place) => format!("{}:{}", printable(place.file.as_bytes()), place.line),
        None => "?".to_owned(),
    }
}

/// One word, for programs.
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
