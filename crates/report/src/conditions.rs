//! Conditions on the input, short enough to be read.

use crate::counting::counted;

/// Conditions that are shown, and how long each of them may be.
const SHOWN_CONDITIONS: usize = 8;
const SHOWN_CONDITION: usize = 60;

/// Conditions that are too long to be read are left out; all of them are in the JSON.
pub(crate) fn readable_condition(condition: &str) -> String {
    let mut shown = Vec::new();
    let mut left = 0;
    for part in conjuncts(condition) {
        if part.chars().count() <= SHOWN_CONDITION && shown.len() < SHOWN_CONDITIONS {
            shown.push(part)
        } else {
            left += 1
        }
    }
    if left == 0 {
        condition.to_owned()
    } else if shown.is_empty() {
        counted(left, "long condition", "long conditions") + " (in the JSON report)"
    } else {
        let rest = counted(left, "more condition", "more conditions");
        format!("{} ∧ … {rest}", shown.join(" ∧ "))
    }
}

/// What is joined by `∧` outside of parentheses.
fn conjuncts(condition: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_u32, 0);
    for (at, character) in condition.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '∧' if depth == 0 => {
                parts.push(condition[from..at].trim());
                from = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(condition[from..].trim());
    parts
}
