//! Bytes as text that is safe to print: nothing in it moves a cursor, changes a colour or the
//! direction of writing. Unprintable characters are escaped as in C.

/// One line of arbitrary bytes, with tabs and newlines escaped, too.
pub fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|character| push(&mut text, character));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// One line of mostly trusted text: unprintable characters are escaped, backslashes stay.
pub fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => safe.push('\\'),
            character => push(&mut safe, character),
        }
    }
    safe
}

/// A line of source code: tabs become single spaces, so that columns stay where they are.
pub fn source_line(line: &str) -> String {
    let shown = |character: char| match character {
        '\t' => ' ',
        character if is_plain(character) => character,
        _ => '\u{fffd}',
    };
    line.trim_end().chars().map(shown).collect()
}

fn push(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        '\\' => text.push_str("\\\\"),
        character if is_plain(character) => text.push(character),
        character if character.is_ascii() => {
            text.push_str(&format!("\\x{:02x}", character as u32));
        }
        character => text.extend(character.escape_unicode()),
    }
}

/// Whether a character prints as itself, according to the standard library.
pub(crate) fn is_plain(character: char) -> bool {
    match character {
        ' '..='~' => true,
        character if character.is_ascii() => false,
        character => character.escape_debug().eq([character]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printable_stays() {
        assert_eq!(printable("a b/ü€\"'".as_bytes()), "a b/ü€\"'");
    }

    #[test]
    fn nothing_that_a_terminal_would_obey_is_left() {
        let hostile = b"\x1b[31m\x07\r\n\t\\\xff\xe2\x80\xae\x00\x9b\xc2\x9b\x7f";
        let shown = printable(hostile);
        assert_eq!(shown, "\\x1b[31m\\x07\\r\\n\\t\\\\\\xff\\u{202e}\\x00\\x9b\\u{9b}\\x7f");
        assert!(shown.chars().all(|character| !character.is_control()));
    }

    #[test]
    fn what_was_escaped_is_not_escaped_again() {
        assert_eq!(harmless("a\\n\u{1b}\n\0ü"), "a\\n\\x1b\\n\\x00ü");
    }

    #[test]
    fn source_keeps_its_columns() {
        assert_eq!(source_line("\tx = \u{1b}1; \r"), " x = \u{fffd}1;");
    }
}
