//! Text to nested lists, without recursion.

use super::SmtLibError;

/// A list or an atom, with the line it starts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sexpr {
    pub line: u32,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A symbol (without its bars), keyword or literal.
    Atom(String),
    String(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub fn atom(&self) -> Option<&str> {
        match &self.kind {
            Kind::Atom(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }
}

impl Drop for Sexpr {
    /// Without recursion, because real files nest deeper than the stack.
    fn drop(&mut self) {
        let Kind::List(items) = &mut self.kind else { return };
        let mut stack = std::mem::take(items);
        while let Some(mut item) = stack.pop() {
            if let Kind::List(items) = &mut item.kind {
                stack.append(items);
            }
        }
    }
}

impl std::fmt::Display for Sexpr {
    /// Beyond a readable depth, the rest is left out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write(self, f, 0)
    }
}

fn write(sexpr: &Sexpr, f: &mut std::fmt::Formatter<'_>, depth: u32) -> std::fmt::Result {
    match &sexpr.kind {
        Kind::Atom(text) => f.write_str(&quoted(text)),
        Kind::String(text) => write!(f, "\"{}\"", text.replace('"', "\"\"")),
        Kind::List(_) if depth > 100 => f.write_str("…"),
        Kind::List(items) => {
            f.write_str("(")?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    f.write_str(" ")?;
                }
                write(item, f, depth + 1)?;
            }
            f.write_str(")")
        }
    }
}

/// The symbol, between bars if it needs them.
pub fn quoted(symbol: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:#".contains(c);
    if !symbol.is_empty() && symbol.chars().all(plain) {
        symbol.to_owned()
    } else {
        format!("|{symbol}|")
    }
}

/// All lists and atoms of the text, in order.
pub fn read(text: &str) -> Result<Vec<Sexpr>, SmtLibError> {
    let mut reader = Reader { rest: text, line: 1 };
    // Open lists, the outermost first; the first is the text itself.
    let mut open: Vec<(u32, Vec<Sexpr>)> = vec![(1, Vec::new())];
    while let Some(c) = reader.skip_space() {
        let line = reader.line;
        let kind = match c {
            '(' => {
                reader.advance(1);
                open.push((line, Vec::new()));
                continue;
            }
            ')' => {
                reader.advance(1);
                match open.pop() {
                    Some((start, items)) if !open.is_empty() => {
                        push(&mut open, Sexpr { line: start, kind: Kind::List(items) });
                    }
                    _ => return Err(SmtLibError::Unopened { line }),
                }
                continue;
            }
            '"' => Kind::String(reader.string()?),
            '|' => Kind::Atom(reader.delimited('|', "a quoted symbol")?),
            _ => Kind::Atom(reader.word()),
        };
        push(&mut open, Sexpr { line, kind });
    }
    match open.pop() {
        Some((_, items)) if open.is_empty() => Ok(items),
        Some((line, _)) => Err(SmtLibError::Unclosed { line }),
        None => Ok(Vec::new()),
    }
}

fn push(open: &mut [(u32, Vec<Sexpr>)], sexpr: Sexpr) {
    if let Some((_, items)) = open.last_mut() {
        items.push(sexpr);
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: u32,
}

impl Reader<'_> {
    fn advance(&mut self, bytes: usize) -> String {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.rest = rest;
        taken.to_owned()
    }

    fn skip_space(&mut self) -> Option<char> {
        loop {
            let c = self.rest.chars().next()?;
            if c == ';' {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            } else if c.is_whitespace() {
                self.line += u32::from(c == '\n');
                self.rest = &self.rest[c.len_utf8()..];
            } else {
                return Some(c);
            }
        }
    }

    fn word(&mut self) -> String {
        let ends = |c: char| c.is_whitespace() || "()\";|".contains(c);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        self.advance(end)
    }

    /// The text between this delimiter and the next.
    fn delimited(&mut self, delimiter: char, what: &'static str) -> Result<String, SmtLibError> {
        let line = self.line;
        self.advance(1);
        let end = self.rest.find(delimiter).ok_or(SmtLibError::Unterminated { line, what })?;
        let text = self.advance(end);
        self.advance(1);
        Ok(text)
    }

    /// A string, in which a quotation mark is written twice.
    fn string(&mut self) -> Result<String, SmtLibError> {
        let mut text = self.delimited('"', "a string")?;
        while self.rest.starts_with('"') {
            text.push('"');
            text.push_str(&self.delimited('"', "a string")?);
        }
        Ok(text)
    }
}
