//! Finds positions in a preprocessed text.
//!
//! Reads the text beside another one made with marks instead of positions. They must agree in
//! everything except white space and marks; the text at a mark is the position.

use memchr::memmem;

/// Replaces positions by marks.
pub(super) const MARK_FLAGS: [&str; 4] = [
    "-Wno-builtin-macro-redefined",
    "-D__LINE__=ripple_mark_LINE",
    "-D__COUNTER__=ripple_mark_COUNTER",
    "-D__FILE_NAME__=ripple_mark_FILE_NAME",
];

/// The prefix of all marks.
const MARK: &[u8] = b"ripple_mark_";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Line,
    Counter,
    FileName,
}

impl Position {
    const ALL: [Position; 3] = [Position::Line, Position::Counter, Position::FileName];

    pub fn macro_name(self) -> &'static str {
        match self {
            Position::Line => "__LINE__",
            Position::Counter => "__COUNTER__",
            Position::FileName => "__FILE_NAME__",
        }
    }

    fn mark(self) -> &'static [u8] {
        match self {
            Position::Line => b"ripple_mark_LINE",
            Position::Counter => b"ripple_mark_COUNTER",
            Position::FileName => b"ripple_mark_FILE_NAME",
        }
    }

    /// The value at the beginning of a text.
    fn value(self, text: &[u8]) -> Option<&[u8]> {
        let length = match self {
            Position::Line | Position::Counter => {
                text.iter().take_while(|byte| byte.is_ascii_digit()).count()
            }
            Position::FileName => literal(text)?,
        };
        text.get(..length).filter(|value| !value.is_empty())
    }
}

/// The length of the string literal at the start of a text, which may itself be in a literal.
fn literal(text: &[u8]) -> Option<usize> {
    let quote: &[u8] = if text.starts_with(b"\\\"") { b"\\\"" } else { b"\"" };
    let inside = text.strip_prefix(quote)?;
    let end = memmem::find(inside, quote)?;
    Some(end + 2 * quote.len())
}

/// A position in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub position: Position,
    /// Where its value begins.
    pub start: usize,
    pub value: Vec<u8>,
    /// The file and line that the compiler assigns to it.
    pub file: String,
    pub line: u32,
}

impl Mark {
    pub fn number(&self) -> Option<u32> {
        std::str::from_utf8(&self.value).ok()?.parse().ok()
    }
}

pub(super) fn has_marks(text: &[u8]) -> bool {
    memmem::find(text, MARK).is_some()
}

/// All positions of a text, in order; nothing if it does not match the one with marks.
pub(super) fn find_marks(text: &[u8], marked: &[u8]) -> Option<Vec<Mark>> {
    let mut marks = Vec::new();
    let mut place = (String::new(), 0u32);
    // Where the line that the place was recorded for begins.
    let mut known = None;
    let (mut at, mut beside) = (0, 0);
    loop {
        let (left, other) = (&text[at..], &marked[beside..]);
        let is_line_start = at == 0 || text[at - 1] == b'\n';
        if is_line_start && known != Some(at) {
            known = Some(at);
            match line_marker(left) {
                // The marker's own line ends before the first line that it describes.
                Some((line, file)) => place = (file, line.saturating_sub(1)),
                None => place.1 = place.1.saturating_add(1),
            }
        }
        let mark = if other.starts_with(MARK) {
            Position::ALL.into_iter().find(|position| other.starts_with(position.mark()))
        } else {
            None
        };
        if let Some(position) = mark {
            let value = position.value(left)?.to_vec();
            let (file, line) = place.clone();
            beside += position.mark().len();
            let start = at;
            at += value.len();
            marks.push(Mark { position, start, value, file, line });
            continue;
        }
        match (left.first(), other.first()) {
            (None, None) => return Some(marks),
            (Some(one), Some(another)) if one == another => {
                at += 1;
                beside += 1;
            }
            (Some(b' '), _) => at += 1,
            (_, Some(b' ')) => beside += 1,
            _ => return None,
        }
    }
}

/// What a line like `# 12 "file.c" 2` says about the next line.
fn line_marker(text: &[u8]) -> Option<(u32, String)> {
    let rest = text.strip_prefix(b"# ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let line = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let mut rest = rest[digits..].strip_prefix(b" \"")?.iter();
    let mut name = Vec::new();
    loop {
        match rest.next()? {
            b'"' => return Some((line, String::from_utf8_lossy(&name).into_owned())),
            b'\\' => name.push(*rest.next()?),
            b'\n' => return None,
            &byte => name.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str, marked: &str) -> Option<Vec<(String, u32, String)>> {
        let shown =
            |mark: Mark| (mark.file, mark.line, String::from_utf8(mark.value).expect("it is text"));
        let found = find_marks(text.as_bytes(), marked.as_bytes())?;
        Some(found.into_iter().map(shown).collect())
    }

    #[test]
    fn a_position_is_found_alone_in_a_name_and_in_a_literal() {
        let text = "# 3 \"a \\\"b.c\" 2\nx = 3;\n\nint v_5; s(\"5\" \"b.c\");\n";
        let marked = "# 3 \"a \\\"b.c\" 2\nx = ripple_mark_LINE;\n\n\
                      int v_ripple_mark_LINE; s(\"ripple_mark_LINE\" ripple_mark_FILE_NAME);\n";
        let at = |line: u32, value: &str| ("a \"b.c".to_owned(), line, value.to_owned());
        let expected = [at(3, "3"), at(5, "5"), at(5, "5"), at(5, "\"b.c\"")];
        assert_eq!(marks(text, marked).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn texts_that_differ_in_more_than_marks_have_none() {
        assert_eq!(marks("int a;\nint b;\n", "int a;\n"), None);
        assert_eq!(marks("int ripple_mark_LINE;\n", "int ripple_mark_LINE;\n"), None);
        assert_eq!(marks("f(1 );\n", "f(ripple_mark_LINE);\n").map(|all| all.len()), Some(1));
    }
}
