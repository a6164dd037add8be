//! Conditions on the input, short enough to be read.

use crate::counting::counted;

/// The most conditions to show, and the greatest length of each.
const SHOWN_CONDITIONS: usize = 8;
const SHOWN_CONDITION: usize = 60;

/// Omits conditions that are too long to read; all of them are in the JSON.
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

/// The parts joined by `∧` outside of parentheses, braces and quotes.
fn conjuncts(condition: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_u32, 0);
    let mut quote: Option<char> = None;
    let mut before = ' ';
    let mut is_escaped = false;
    for (at, character) in condition.char_indices() {
        match (quote, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            // Quotes in the names of files do not count.
            (None, '"' | '\'') if matches!(before, ' ' | '(' | '{') => quote = Some(character),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth = depth.saturating_sub(1),
            (None, '∧') if depth == 0 => {
                parts.push(condition[from..at].trim());
                from = at + character.len_utf8();
            }
            (None, _) => {}
        }
        before = character;
    }
    parts.push(condition[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_between_quotes_do_not_hide_what_follows() {
        let condition = "stdin[0] = '(' ∧ arg1 = \"a\\\"(\" ∧ (x = 1 ∨ y = 2 ∧ z = 3)";
        let parts = ["stdin[0] = '('", "arg1 = \"a\\\"(\"", "(x = 1 ∨ y = 2 ∧ z = 3)"];
        assert_eq!(conjuncts(condition), parts);
        assert_eq!(conjuncts("it's.txt[0] = 'a' ∧ x = 1"), ["it's.txt[0] = 'a'", "x = 1"]);
    }
}
