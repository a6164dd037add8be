//! Splits the text form into tokens. Comments run from `;` to the end of the line.

use super::{ParseError, Parsed};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// A keyword, handle or plain name.
    Word(&'t str),
    Number(&'t str),
    /// A string in quotes, without them and without escapes.
    Text(Vec<u8>),
    Symbol(SymbolName),
    Mark(char),
    Arrow,
    Newline,
    End,
}

/// `@name`, or `@name#id` where several symbols have the name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SymbolName {
    pub name: String,
    pub id: String,
}

#[derive(Clone)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    pub(super) line: u32,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0, line: 1 }
    }

    /// The next token and its line.
    pub(super) fn next(&mut self) -> Parsed<(Token<'t>, u32)> {
        self.skip_blank();
        let line = self.line;
        let token = match self.peek() {
            None => Token::End,
            Some(b'\n') => {
                self.at += 1;
                self.line += 1;
                Token::Newline
            }
            Some(b'"') => Token::Text(self.quoted()?),
            Some(b'@') if self.peek_after().is_some_and(starts_symbol) => {
                self.at += 1;
                Token::Symbol(self.symbol()?)
            }
            Some(b'-') if self.peek_after() == Some(b'>') => {
                self.at += 2;
                Token::Arrow
            }
            Some(b'-') if self.peek_after().is_some_and(|byte| byte.is_ascii_digit()) => {
                Token::Number(self.number())
            }
            Some(byte) if byte.is_ascii_digit() => Token::Number(self.number()),
            Some(byte) if is_word(byte) => Token::Word(self.run(is_word)),
            Some(_) => Token::Mark(self.mark()),
        };
        Ok((token, line))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn peek_after(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at + 1).copied()
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b';' => {
                    self.run(|byte| byte != b'\n');
                }
                _ => return,
            }
        }
    }

    /// The longest run of bytes that satisfy a condition, which holds for all or none of
    /// the bytes of a character.
    fn run(&mut self, condition: impl Fn(u8) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|&byte| condition(byte)).count();
        self.at += length;
        &rest[..length]
    }

    fn number(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let hex = bytes.starts_with(b"0x");
        let mut length = 1;
        while let Some(&byte) = bytes.get(length) {
            let exponent = !hex && bytes[length - 1] == b'e';
            let sign = exponent && matches!(byte, b'-' | b'+');
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || sign) {
                break;
            }
            length += 1;
        }
        self.at += length;
        &rest[..length]
    }

    fn mark(&mut self) -> char {
        let mark = self.text[self.at..].chars().next().unwrap_or('\0');
        self.at += mark.len_utf8();
        mark
    }

    fn symbol(&mut self) -> Parsed<SymbolName> {
        let name = match self.peek() {
            Some(b'"') => {
                let bytes = self.quoted()?;
                String::from_utf8(bytes).map_err(|_| self.error("a name is not UTF-8"))?
            }
            _ => self.run(is_word).to_owned(),
        };
        let mut id = String::new();
        if self.peek() == Some(b'#') {
            self.at += 1;
            id = self.run(is_word).to_owned();
        }
        Ok(SymbolName { name, id })
    }

    fn quoted(&mut self) -> Parsed<Vec<u8>> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let Some(byte) = self.peek().filter(|&byte| byte != b'\n') else {
                return Err(self.error("a string does not end on its line"));
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(bytes),
                b'\\' => bytes.push(self.escape()?),
                byte => bytes.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Parsed<u8> {
        let kind = self.peek();
        self.at += 1;
        match kind {
            Some(b'n') => Ok(b'\n'),
            Some(b't') => Ok(b'\t'),
            Some(byte @ (b'"' | b'\\')) => Ok(byte),
            Some(b'x') => {
                let digits = self.text.get(self.at..self.at + 2);
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                self.at += 2;
                byte.ok_or_else(|| self.error("`\\x` needs two hexadecimal digits"))
            }
            _ => Err(self.error("an escape is not one of \\n \\t \\\" \\\\ \\x")),
        }
    }

    fn error(&self, reason: &str) -> ParseError {
        ParseError { line: self.line, reason: reason.to_owned() }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

fn starts_symbol(byte: u8) -> bool {
    is_word(byte) || byte == b'"'
}
