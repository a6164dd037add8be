//! Directives: the lines `// name: value` at the top of a test program.
//!
//! They end at the first line that is neither empty nor a `//` comment. Comments without a known
//! name are for readers. Does not interpret directives.

use std::borrow::Cow;

/// One directive: `// name: value`, or `// name argument: value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directive<'a> {
    pub line: usize,
    pub name: &'a str,
    /// The text between the name and the colon.
    pub argument: &'a str,
    pub value: &'a str,
}

/// The directives of a text that have a known name.
pub(super) fn directives<'a>(text: &'a str, known: &[&str]) -> Vec<Directive<'a>> {
    let comments = text.lines().enumerate().map_while(|(index, line)| {
        let line = line.trim();
        match line.strip_prefix("//") {
            Some(comment) => Some((index + 1, comment)),
            None => line.is_empty().then_some((index + 1, "")),
        }
    });
    let parsed = comments.filter_map(|(line, comment)| {
        let (head, value) = comment.split_once(':')?;
        let head = head.trim();
        let (name, argument) = head.split_once(' ').unwrap_or((head, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        Some(Directive { line, name, argument: argument.trim(), value })
    });
    parsed.filter(|directive| known.contains(&directive.name)).collect()
}

/// Words separated by blanks; double quotes keep blanks, and escapes work everywhere.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' if !quoted => words.extend(word.take()),
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' => {
                let escaped = characters.next().ok_or("a backslash ends the line")?;
                word.get_or_insert_default().push(escaped);
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    if quoted {
        return Err("a quotation does not end".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// The bytes of one line of input: with a line feed, unless it ends with `\c`.
pub(super) fn line_bytes(text: &str) -> Result<Vec<u8>, String> {
    let (text, end): (Cow<str>, &[u8]) = match text.strip_suffix("\\c") {
        Some(open) => (open.into(), b""),
        None => (text.into(), b"\n"),
    };
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (byte, used) = escape(rest).ok_or_else(|| {
            format!("unknown escape \\{}", String::from_utf8_lossy(&rest[..rest.len().min(3)]))
        })?;
        bytes.push(byte);
        rest = &rest[used..];
    }
    bytes.extend(end);
    Ok(bytes)
}

/// The byte of an escape, and its length after the backslash.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    Some(match rest.first()? {
        b'n' => (b'\n', 1),
        b't' => (b'\t', 1),
        b'r' => (b'\r', 1),
        b'\\' => (b'\\', 1),
        b'x' => {
            let digits = std::str::from_utf8(rest.get(1..3)?).ok()?;
            (u8::from_str_radix(digits, 16).ok()?, 3)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_end_with_the_first_line_of_code() {
        let text = "// Adds: numbers.\n// args: 1 2\n\n// file a.txt:  x\nint main;\n// args: 3\n";
        let found = directives(text, &["args", "file"]);
        let seen: Vec<_> = found.iter().map(|d| (d.line, d.name, d.argument, d.value)).collect();
        assert_eq!(seen, [(2, "args", "", "1 2"), (4, "file", "a.txt", " x")]);
    }

    #[test]
    fn words_may_be_quoted_and_escaped() {
        assert_eq!(words(r#"a "b c"d "" \"e"#).unwrap(), ["a", "b cd", "", "\"e"]);
        assert!(words("\"a").is_err());
    }

    #[test]
    fn a_line_has_its_end_unless_told_otherwise() {
        assert_eq!(line_bytes(r"a\x00\tb").unwrap(), b"a\0\tb\n");
        assert_eq!(line_bytes(r"a\c").unwrap(), b"a");
        assert!(line_bytes(r"\q").is_err());
    }
}
