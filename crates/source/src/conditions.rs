//! Classifies the lines of a C file lexically: white space and comments, code, and conditional
//! directives with the branches that they open.
//!
//! Reads comments, strings and continued lines as a compiler does. Does not evaluate conditions:
//! `active` asks the compiler which branches it takes.

use crate::hunk::Lines;

/// A branch of a conditional: the lines from its directive to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The branch that the conditional is in.
    pub parent: Option<usize>,
    /// Number of the conditional.
    pub conditional: usize,
    /// The last line of the directive that opens it, from 1.
    pub head: u32,
    pub opener: Opener,
}

/// The directive that opens a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opener {
    Ifdef(String),
    Ifndef(String),
    /// Also `#elif`.
    If(String),
    Else,
}

/// What a line contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// White space and comments.
    Blank,
    Code,
    /// A directive of the conditional with this number.
    Conditional(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub content: Content,
    /// The innermost branch around it; for a conditional directive, the one around its conditional.
    pub branch: Option<usize>,
    pub begins: Begins,
}

/// The state in which a line begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Begins {
    /// Outside of everything below.
    #[default]
    Fresh,
    /// A line that is continued.
    Line,
    /// A comment to the end of a line that is continued.
    LineComment,
    Comment,
    /// A string or character constant that is continued.
    Quoted(u8),
}

/// A C file, line by line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// In order, from the first line.
    pub lines: Vec<Line>,
    pub branches: Vec<Branch>,
    /// For each conditional, its first and its last line.
    pub conditionals: Vec<Lines>,
    /// Whether every conditional ends, and no `#endif` is left over.
    pub is_balanced: bool,
}

impl Scan {
    pub fn of(text: &[u8]) -> Scan {
        let mut scanner =
            Scanner { scan: Scan { is_balanced: true, ..Scan::default() }, open: Vec::new() };
        let mut logical = Logical::new(1);
        let mut state = State::Code;
        for (index, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let number = index as u32 + 1;
            if logical.is_over {
                logical = Logical::new(number);
            }
            logical.starts.push((logical.begins(state), false));
            state = logical.read(line, state);
            if logical.is_over {
                scanner.add(&logical);
            }
        }
        if !logical.is_over && !logical.starts.is_empty() {
            scanner.add(&logical);
        }
        scanner.scan.is_balanced &= scanner.open.is_empty();
        scanner.scan
    }

    pub fn line(&self, number: u32) -> Option<&Line> {
        self.lines.get(number as usize - 1)
    }

    /// The state in which a line begins, also for the line after the last.
    pub fn begins(&self, number: u32) -> Begins {
        self.line(number).map(|line| line.begins).unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    Comment,
}

/// A logical line, as the preprocessor sees it: with continued lines and multi-line comments.
struct Logical {
    first: u32,
    /// For each physical line, its initial state, and whether it has more than white space and
    /// comments.
    starts: Vec<(Begins, bool)>,
    /// Without comments.
    text: Vec<u8>,
    /// A string continues on the next line.
    quote: Option<u8>,
    /// A comment to the end of the line continues on the next line.
    in_line_comment: bool,
    is_over: bool,
}

impl Logical {
    fn new(first: u32) -> Logical {
        let (starts, text) = (Vec::new(), Vec::new());
        Logical { first, starts, text, quote: None, in_line_comment: false, is_over: false }
    }

    fn begins(&self, state: State) -> Begins {
        match (state, self.quote) {
            _ if self.starts.is_empty() => Begins::Fresh,
            (State::Comment, _) => Begins::Comment,
            _ if self.in_line_comment => Begins::LineComment,
            (State::Code, Some(quote)) => Begins::Quoted(quote),
            (State::Code, None) => Begins::Line,
        }
    }

    /// Reads one line of the file.
    fn read(&mut self, line: &[u8], mut state: State) -> State {
        let (body, is_continued) = body_of(line);
        let mut at = 0;
        while at < body.len() {
            let (byte, next) = (body[at], body.get(at + 1).copied());
            at += 1;
            if state == State::Comment {
                if byte == b'*' && next == Some(b'/') {
                    state = State::Code;
                    self.text.push(b' ');
                    at += 1;
                }
                continue;
            }
            if self.in_line_comment {
                break;
            }
            match (self.quote, byte) {
                (None, b'/') if next == Some(b'*') => {
                    state = State::Comment;
                    at += 1;
                    continue;
                }
                (None, b'/') if next == Some(b'/') => {
                    self.in_line_comment = true;
                    break;
                }
                (None, b'"' | b'\'') => self.quote = Some(byte),
                (Some(quote), _) if byte == quote => self.quote = None,
                (Some(_), b'\\') => {
                    self.text.push(byte);
                    self.text.extend(next);
                    self.note_code();
                    at += 1;
                    continue;
                }
                _ => {}
            }
            self.text.push(byte);
            if !byte.is_ascii_whitespace() {
                self.note_code();
            }
        }
        self.is_over = !is_continued && state == State::Code;
        state
    }

    fn note_code(&mut self) {
        if let Some((_, has_code)) = self.starts.last_mut() {
            *has_code = true;
        }
    }
}

/// A line without its end, and whether the next one continues it. As in clang, white space may
/// follow the backslash.
fn body_of(line: &[u8]) -> (&[u8], bool) {
    let body = line.strip_suffix(b"\n").unwrap_or(line);
    let trimmed = body.trim_ascii_end();
    match trimmed.strip_suffix(b"\\") {
        Some(rest) => (rest, true),
        None => (body, false),
    }
}

struct Scanner {
    scan: Scan,
    /// The open conditionals, with their current branches.
    open: Vec<(usize, usize)>,
}

impl Scanner {
    fn add(&mut self, logical: &Logical) {
        let last = logical.first + logical.starts.len() as u32 - 1;
        let conditional = directive(&logical.text)
            .and_then(|(name, rest)| self.conditional(&name, &rest, logical.first, last));
        let branch = match conditional {
            // A directive belongs to the branch that its conditional is in.
            Some(number) => {
                let mut branches = self.scan.branches.iter();
                branches.find(|one| one.conditional == number).and_then(|one| one.parent)
            }
            None => self.open.last().map(|(_, branch)| *branch),
        };
        for &(begins, has_code) in &logical.starts {
            let content = match (has_code, conditional) {
                (false, _) => Content::Blank,
                (true, Some(number)) => Content::Conditional(number),
                (true, None) => Content::Code,
            };
            self.scan.lines.push(Line { content, branch, begins });
        }
    }

    /// Processes a directive if it is conditional, and returns the number of its conditional.
    fn conditional(&mut self, name: &str, rest: &str, first: u32, last: u32) -> Option<usize> {
        let opener = match name {
            "ifdef" | "elifdef" => Opener::Ifdef(rest.to_owned()),
            "ifndef" | "elifndef" => Opener::Ifndef(rest.to_owned()),
            "if" | "elif" => Opener::If(rest.to_owned()),
            "else" => Opener::Else,
            "endif" => {
                let Some((number, _)) = self.open.pop() else {
                    self.scan.is_balanced = false;
                    return None;
                };
                let lines = &mut self.scan.conditionals[number];
                lines.count = last + 1 - lines.first;
                return Some(number);
            }
            _ => return None,
        };
        if name.starts_with("if") {
            let number = self.scan.conditionals.len();
            self.scan.conditionals.push(Lines { first, count: u32::MAX - first });
            let parent = self.open.last().map(|(_, branch)| *branch);
            self.open.push((number, self.scan.branches.len()));
            self.scan.branches.push(Branch { parent, conditional: number, head: last, opener });
            return Some(number);
        }
        let Some(&(number, before)) = self.open.last() else {
            self.scan.is_balanced = false;
            return None;
        };
        let parent = self.scan.branches[before].parent;
        if let Some(top) = self.open.last_mut() {
            top.1 = self.scan.branches.len();
        }
        self.scan.branches.push(Branch { parent, conditional: number, head: last, opener });
        Some(number)
    }
}

/// The name of a directive, and the text after it.
fn directive(text: &[u8]) -> Option<(String, String)> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let rest = text.strip_prefix('#').or_else(|| text.strip_prefix("%:"))?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let words: Vec<&str> = rest[end..].split_whitespace().collect();
    Some((rest[..end].to_owned(), words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(text: &str) -> String {
        let scan = Scan::of(text.as_bytes());
        let sign = |line: &Line| match line.content {
            Content::Blank => '.',
            Content::Code => 'c',
            Content::Conditional(_) => '#',
        };
        scan.lines.iter().map(sign).collect()
    }

    #[test]
    fn comments_strings_and_continued_lines_are_not_mistaken() {
        assert_eq!(contents("int a; // x\n\n  /* one\n#if 0\n two */ \nint b;\n"), "c....c");
        assert_eq!(contents("char *s = \"/*\";\n#ifdef A\nint a;\n#endif\n"), "c#c#");
        assert_eq!(contents("// a \\\n#if 0\nint b;\n"), "..c");
        assert_eq!(
            contents("/* */ # /* x */ if \\\n A\nint c = '\"';\n#endif // \"\nint d;"),
            "##c#c"
        );
        assert_eq!(contents("#define A \\\n  \\\n  1\n"), "c.c");
        assert_eq!(contents("don't\n#if 0\nit's\n#endif\nx"), "c#c#c");
        assert_eq!(contents("char c = '\\'';\n#if 0\n#endif\n"), "c##");
    }

    #[test]
    fn branches_nest_and_name_what_opens_them() {
        let text =
            "#ifdef A\na\n#if B > 1 /* b */\nb\n#else\nc\n#endif\n#elif defined(D)\nd\n#endif\ne\n";
        let scan = Scan::of(text.as_bytes());
        let openers: Vec<&Opener> = scan.branches.iter().map(|branch| &branch.opener).collect();
        let (a, b) = (Opener::Ifdef("A".to_owned()), Opener::If("B > 1".to_owned()));
        assert_eq!(openers, [&a, &b, &Opener::Else, &Opener::If("defined(D)".to_owned())]);
        let parents: Vec<Option<usize>> = scan.branches.iter().map(|one| one.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(0), None]);
        let around: Vec<Option<usize>> = scan.lines.iter().map(|line| line.branch).collect();
        let (n, a, b, c, d) = (None, Some(0), Some(1), Some(2), Some(3));
        assert_eq!(around, [n, a, a, b, a, c, a, n, d, n, n]);
        assert_eq!(scan.conditionals[1], Lines { first: 3, count: 5 });
        assert!(scan.is_balanced);
        assert!(!Scan::of(b"#if 1\n").is_balanced);
        assert!(!Scan::of(b"#endif\n").is_balanced);
        assert!(!Scan::of(b"#else\n").is_balanced);
    }
}
