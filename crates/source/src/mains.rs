//! Whether a C file defines `main`, from its text alone.
//!
//! Skips comments, texts, and what `#if 0` excludes, and looks at the outermost level of braces
//! only. Evaluates no other condition: a definition inside of one is marked.

/// How a file defines `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Main {
    /// Wherever it is compiled.
    Always,
    /// Only if a condition of the preprocessor holds.
    Conditionally,
}

/// How a text defines `main`, if it does.
pub(crate) fn main_of(text: &str) -> Option<Main> {
    let mut found = None;
    let mut scan = Scan::default();
    let mut words = Words { text: text.as_bytes(), at: 0 };
    while let Some(word) = words.next() {
        match word {
            Word::Directive(line) => scan.directive(line),
            _ if scan.skipped.is_some() => {}
            Word::Name(name) => scan.name(name),
            Word::Mark(mark) => {
                if scan.mark(mark) {
                    let main = if scan.depth_of_conditions() == 0 {
                        Main::Always
                    } else {
                        Main::Conditionally
                    };
                    if main == Main::Always {
                        return Some(main);
                    }
                    found = Some(main);
                }
            }
        }
    }
    found
}

enum Word<'t> {
    /// The text of a line behind `#`.
    Directive(&'t [u8]),
    Name(&'t [u8]),
    Mark(u8),
}

/// Where the text is in a definition of `main`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Elsewhere,
    Named,
    /// Inside of the parentheses, so many deep.
    Parameters(u32),
    /// Behind them: old definitions declare parameters here.
    Behind,
}

#[derive(Default)]
struct Scan {
    stage: Stage,
    braces: u32,
    conditions: Vec<Condition>,
    /// The number of conditions at which a skipped part began.
    skipped: Option<usize>,
}

struct Condition {
    /// A guard against a second inclusion is no condition.
    is_guard: bool,
    braces: u32,
}

impl Scan {
    fn depth_of_conditions(&self) -> usize {
        self.conditions.iter().filter(|condition| !condition.is_guard).count()
    }

    fn directive(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        let starts = |name: &str| line.starts_with(name.as_bytes());
        if starts("if") {
            let is_zero = line.strip_prefix(b"if").is_some_and(|rest| rest.trim_ascii() == b"0");
            let is_guard = starts("ifndef") && (line.ends_with(b"_H") || line.ends_with(b"_H_"));
            self.conditions.push(Condition { is_guard, braces: self.braces });
            if is_zero && self.skipped.is_none() {
                self.skipped = Some(self.conditions.len());
            }
        } else if starts("el") {
            if self.skipped == Some(self.conditions.len()) {
                self.skipped = None;
            }
            // Both branches open the same braces.
            if let Some(condition) = self.conditions.last() {
                self.braces = condition.braces;
            }
        } else if starts("endif") {
            if self.skipped == Some(self.conditions.len()) {
                self.skipped = None;
            }
            self.conditions.pop();
        }
    }

    fn name(&mut self, name: &[u8]) {
        if self.braces == 0 && self.stage == Stage::Elsewhere && name == b"main" {
            self.stage = Stage::Named;
        } else if self.stage == Stage::Named {
            self.stage = Stage::Elsewhere;
        }
    }

    /// Returns whether the body of `main` begins here.
    fn mark(&mut self, mark: u8) -> bool {
        let (stage, begins) = match (self.stage, mark) {
            (Stage::Named, b'(') => (Stage::Parameters(1), false),
            (Stage::Parameters(depth), b'(') => (Stage::Parameters(depth + 1), false),
            (Stage::Parameters(1), b')') => (Stage::Behind, false),
            (Stage::Parameters(depth), b')') => (Stage::Parameters(depth - 1), false),
            (Stage::Parameters(depth), _) => (Stage::Parameters(depth), false),
            (Stage::Behind, b'{') => (Stage::Elsewhere, true),
            // The declarations of old parameters end with a semicolon, too, but after a name.
            (Stage::Behind, b';' | b',' | b'*' | b'[' | b']') => (Stage::Behind, false),
            _ => (Stage::Elsewhere, false),
        };
        self.stage = stage;
        match mark {
            b'{' => self.braces += 1,
            b'}' => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        begins
    }
}

struct Words<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Words<'t> {
    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    /// Goes behind the next place where something stands, or to the end.
    fn skip_past(&mut self, what: &[u8]) {
        let found = memchr::memmem::find(self.rest(), what);
        self.at = found.map_or(self.text.len(), |found| self.at + found + what.len());
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote || byte == b'\n' {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
    }

    /// The rest of a line, with lines that a backslash joins.
    fn line(&mut self) -> &'t [u8] {
        let start = self.at;
        while let Some(end) = memchr::memchr(b'\n', self.rest()) {
            self.at += end + 1;
            if !self.text[start..self.at - 1].trim_ascii_end().ends_with(b"\\") {
                return &self.text[start..self.at - 1];
            }
        }
        self.at = self.text.len();
        &self.text[start..]
    }

    fn is_first_of_line(&self) -> bool {
        let before = self.text[..self.at].iter().rev();
        let mut before = before.take_while(|&&byte| byte != b'\n');
        before.all(u8::is_ascii_whitespace)
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        loop {
            let rest = self.rest();
            let &byte = rest.first()?;
            match byte {
                _ if rest.starts_with(b"//") => {
                    self.line();
                }
                _ if rest.starts_with(b"/*") => {
                    self.at += 2;
                    self.skip_past(b"*/");
                }
                b'"' | b'\'' => self.skip_quoted(byte),
                b'#' if self.is_first_of_line() => {
                    self.at += 1;
                    return Some(Word::Directive(self.line()));
                }
                _ if byte.is_ascii_alphanumeric() || byte == b'_' => {
                    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                    let length = rest.iter().take_while(is_part).count();
                    self.at += length;
                    return Some(Word::Name(&rest[..length]));
                }
                _ => {
                    self.at += 1;
                    if !byte.is_ascii_whitespace() {
                        return Some(Word::Mark(byte));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_declarations_calls_and_comments() {
        for text in [
            "int main(void) { return 0; }",
            "#include <stdio.h>\nint\nmain (int argc, char **argv)\n{\n}",
            "main(argc, argv) int argc; char *argv[]; { }",
            "int f(void) { return '{'; }\n// x\nint main() {}",
            "#if 0\nint f(void) {\n#endif\nint main(void (*f)(int)) { }",
        ] {
            assert_eq!(main_of(text), Some(Main::Always), "{text}");
        }
        for text in [
            "int main(void);",
            "int f(void) { return main(0); }",
            "/* int main(void) {} */ // int main(void) {}\nchar *s = \"int main(void) {\";",
            "#if 0\nint main(void) {}\n#endif",
            "int domain(void) {} int main_loop(void) {}",
            "#define MAIN int main(void) {}",
            "",
        ] {
            assert_eq!(main_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_condition_around_it_is_noted() {
        let test = "int f;\n#ifdef TEST\nint main(void) {}\n#endif\n";
        assert_eq!(main_of(test), Some(Main::Conditionally));
        let other = "#if A\nvoid g(void) {\n#else\nvoid h(void) {\n#endif\n}\nint main(void) {}";
        assert_eq!(main_of(other), Some(Main::Always));
    }
}
