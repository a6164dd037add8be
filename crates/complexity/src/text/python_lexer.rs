//! Python text → tokens, with the ends of logical lines and the changes of indentation.

use super::token::{Kind, Token};

/// The tab width, as Python counts it.
const TAB: usize = 8;

pub(super) fn lex(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        depth: 0,
        indents: vec![0],
        tokens: Vec::new(),
    };
    if lexer.bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
        lexer.at = 3;
    }
    lexer.indentation();
    while lexer.at < lexer.bytes.len() {
        lexer.step();
    }
    lexer.newline();
    while lexer.indents.len() > 1 {
        lexer.indents.pop();
        lexer.mark(Kind::Dedent);
    }
    lexer.tokens
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    line: u32,
    /// Open brackets, in which line ends are ignored.
    depth: usize,
    indents: Vec<usize>,
    tokens: Vec<Token>,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, start: usize, line: u32) {
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32, line });
    }

    /// A token without text.
    fn mark(&mut self, kind: Kind) {
        self.push(kind, self.at, self.line);
    }

    fn newline(&mut self) {
        let open = self
            .tokens
            .last()
            .is_some_and(|last| !matches!(last.kind, Kind::Newline | Kind::Indent | Kind::Dedent));
        if open {
            self.mark(Kind::Newline);
        }
    }

    fn step(&mut self) {
        let (start, line) = (self.at, self.line);
        match self.peek(0) {
            b'\n' => {
                self.at += 1;
                self.line += 1;
                if self.depth == 0 {
                    self.at -= 1;
                    self.line -= 1;
                    self.newline();
                    self.at += 1;
                    self.line += 1;
                    self.indentation();
                }
            }
            b'\\' if self.peek(1) == b'\n' => {
                self.at += 2;
                self.line += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0C | b'\\' | 0 => self.at += 1,
            b'#' => self.comment(),
            quote @ (b'"' | b'\'') => self.string(quote, start, line),
            b'0'..=b'9' => {
                while is_word(self.peek(0)) || self.peek(0) == b'.' {
                    self.at += 1;
                }
                self.push(Kind::Number, start, line);
            }
            byte if is_word(byte) => self.word(),
            byte => self.operator(byte),
        }
    }

    fn comment(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    /// Reads the white space at the beginning of a line that is not empty.
    fn indentation(&mut self) {
        loop {
            let mut column = 0;
            loop {
                match self.peek(0) {
                    b' ' => column += 1,
                    b'\t' => column = (column / TAB + 1) * TAB,
                    b'\r' | 0x0C if self.at < self.bytes.len() => column = 0,
                    _ => break,
                }
                self.at += 1;
            }
            match self.peek(0) {
                b'#' => self.comment(),
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                }
                _ if self.at >= self.bytes.len() => return,
                _ => return self.indent_to(column),
            }
        }
    }

    fn indent_to(&mut self, column: usize) {
        let current = self.indents.last().copied().unwrap_or(0);
        if column > current {
            self.indents.push(column);
            self.mark(Kind::Indent);
        }
        while self.indents.last().is_some_and(|indent| *indent > column) {
            self.indents.pop();
            self.mark(Kind::Dedent);
        }
    }

    fn string(&mut self, quote: u8, start: usize, line: u32) {
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            if byte == b'\n' && !triple {
                break;
            }
            if byte == b'\n' || byte == b'\\' && self.peek(1) == b'\n' {
                self.line += 1;
            }
            if byte == b'\\' {
                self.at += 2;
                continue;
            }
            let ends = byte == quote && (!triple || self.peek(1) == quote && self.peek(2) == quote);
            self.at += if ends && triple { 3 } else { 1 };
            if ends {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.push(Kind::Text, start, line);
    }

    fn word(&mut self) {
        let (start, line) = (self.at, self.line);
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        let prefix = word.len() <= 2 && word.iter().all(|b| b"rRbBfFuUtT".contains(b));
        match self.peek(0) {
            quote @ (b'"' | b'\'') if prefix => self.string(quote, start, line),
            _ => self.push(Kind::Word, start, line),
        }
    }

    fn operator(&mut self, byte: u8) {
        let (start, line) = (self.at, self.line);
        match byte {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let two = [byte, self.peek(1)];
        let long = matches!(
            &two,
            b"==" | b"!=" | b"<=" | b">=" | b":=" | b"->" | b"**" | b"//" | b"+=" | b"-=" | b"*="
        );
        self.at += if long { 2 } else { 1 };
        let kind = match &two {
            b"->" => Kind::Arrow,
            _ if long => Kind::Operator,
            _ => Kind::Punct(byte),
        };
        self.push(kind, start, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_becomes_tokens_and_brackets_join_lines() {
        let kinds = |text: &str| -> String {
            let short = |token: &Token| match token.kind {
                Kind::Newline => 'n',
                Kind::Indent => 'i',
                Kind::Dedent => 'd',
                Kind::Text => 't',
                _ => '.',
            };
            lex(text).iter().map(short).collect()
        };
        assert_eq!(kinds("if a:\n  b\n\n  # c\n  d\ne"), "...ni.n.nd.n");
        assert_eq!(kinds("f(a,\n   b)\nx = \\\n  1\n"), "......n...n");
        assert_eq!(kinds("s = '''a\n  b''' 'it\\'s' rb'x'\n"), "..tttn");
        assert_eq!(kinds("if a:\n\tb\n"), "...ni.nd");
    }
}
