//! Numbers and lists in sentences.

use crate::printable::printable;

/// The most names of a list to show.
const SHOWN: usize = 8;

/// `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 input`, `1,234 inputs`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// The first names of a list, and how many more there are.
pub(crate) fn listed<Name: AsRef<str>>(names: &[Name]) -> String {
    first(names.iter().map(|name| printable(name.as_ref().as_bytes())).collect(), SHOWN)
}

/// At most this many characters of a text.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// At most this many of a list, and how many more there are.
pub(crate) fn first(mut parts: Vec<String>, most: usize) -> String {
    let more = parts.len().saturating_sub(most);
    parts.truncate(most);
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join(", ")
}

/// `1, 2, 3`.
pub(crate) fn list<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    all.join(", ")
}
