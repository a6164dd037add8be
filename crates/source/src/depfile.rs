//! The names of included files, from the make rule that `clang -MD` writes.
//!
//! Reads only the form that clang writes: one target, then prerequisites, with `\ `, `\#`, `$$` and
//! continued lines.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The prerequisites of the rule in `text`, without duplicates, in order.
pub(crate) fn prerequisites(text: &[u8]) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = Vec::new();
    for word in words(text).into_iter().skip(1) {
        let name = PathBuf::from(OsString::from_vec(word));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (byte, escaped, width) = match (text[at], text.get(at + 1)) {
            (b'\\', Some(b'\n')) => (b' ', false, 2),
            (b'\\', Some(&next @ (b' ' | b'#'))) => (next, true, 2),
            (b'$', Some(b'$')) => (b'$', true, 2),
            (byte, _) => (byte, false, 1),
        };
        at += width;
        if !escaped && byte.is_ascii_whitespace() {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(byte);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_continued_lines_are_understood() {
        let text = b"b.o: b.c sp\\ ace/h\\ \\#$$.h \\\n  /usr/include/stdio.h b.c\n";
        let names = prerequisites(text);
        let expected = ["b.c", "sp ace/h #$.h", "/usr/include/stdio.h"];
        assert_eq!(names, expected.map(PathBuf::from));
    }
}
