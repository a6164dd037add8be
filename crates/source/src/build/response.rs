//! Response files: `@FILE` stands for the words in FILE.
//!
//! Read when the command begins, because such files are often temporary. Words are quoted as gcc
//! and binutils read them.

use std::fs;
use std::path::Path;

/// How deep such files may name each other, and how large one may be.
const MOST_DEPTH: usize = 8;
const MOST_BYTES: u64 = 64 << 20;

/// The words with those of response files in place. A name without a file stays as it is.
pub(super) fn expanded(words: Vec<String>, directory: &Path) -> Vec<String> {
    if !words.iter().any(|word| word.starts_with('@')) {
        return words;
    }
    let mut all = Vec::with_capacity(words.len());
    for word in words {
        expand(word, directory, 0, &mut all);
    }
    all
}

fn expand(word: String, directory: &Path, depth: usize, all: &mut Vec<String>) {
    let text = word.strip_prefix('@').filter(|_| depth < MOST_DEPTH).and_then(|name| {
        let path = directory.join(name);
        let is_small = fs::metadata(&path).is_ok_and(|meta| meta.len() <= MOST_BYTES);
        let bytes = is_small.then(|| fs::read(&path).ok()).flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    });
    let Some(text) = text else { return all.push(word) };
    for inner in split(&text) {
        expand(inner, directory, depth + 1, all);
    }
}

/// Blanks divide words, except between quotes; a backslash stands before any character.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => word.get_or_insert_default().extend(characters.next()),
            _ if quote == Some(character) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            _ if quote.is_none() && character.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_gcc_reads_them() {
        let text = "a.o 'b c.o'\n\"-DX=\\\"1\\\"\"\td\\ e '' last";
        assert_eq!(split(text), ["a.o", "b c.o", "-DX=\"1\"", "d e", "", "last"]);
    }

    #[test]
    fn files_may_name_files_and_never_themselves_for_ever() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("a"), "x.o @b").unwrap();
        fs::write(place.path().join("b"), "y.o @b").unwrap();
        let words = vec!["gcc".to_owned(), "@a".to_owned(), "@none".to_owned()];
        let found = expanded(words, place.path());
        assert_eq!(found[..3], ["gcc", "x.o", "y.o"]);
        assert_eq!(found.last().map(String::as_str), Some("@none"));
    }
}
