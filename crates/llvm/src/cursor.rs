//! A position in the text and the lexical pieces read from it.
//!
//! There is no token stream: a cursor is two words, so that the reader may start
//! anywhere (bodies, types and metadata are visited on demand) and look ahead by copying it.

use std::borrow::Cow;

use memchr::memchr;

/// Why a piece of text was not understood, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    pub at: usize,
    pub reason: Cow<'static, str>,
}

pub(crate) type Parsed<T> = Result<T, Box<Fault>>;

#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    pub text: &'t [u8],
    pub at: usize,
}

const fn word_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-');
        byte += 1;
    }
    table
}

static WORD: [bool; 256] = word_bytes();

impl<'t> Cursor<'t> {
    pub fn new(text: &'t [u8], at: usize) -> Cursor<'t> {
        Cursor { text, at }
    }

    #[cold]
    pub fn fault<T>(&self, reason: impl Into<Cow<'static, str>>) -> Parsed<T> {
        Err(Box::new(Fault { at: self.at, reason: reason.into() }))
    }

    #[cold]
    pub fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.fault(format!("expected {what} but found {}", self.found()))
    }

    /// The text here, for messages.
    fn found(&self) -> String {
        let rest = &self.text[self.at.min(self.text.len())..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        if line.is_empty() {
            return if rest.is_empty() { "the end".into() } else { "the end of the line".into() };
        }
        let shown: String = String::from_utf8_lossy(line).chars().take(40).collect();
        format!("`{}`", shown.trim_end())
    }

    /// The byte here; 0 at the end.
    #[inline]
    pub fn byte(&self) -> u8 {
        self.byte_at(0)
    }

    #[inline]
    pub fn byte_at(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Skips spaces, line ends and comments.
    #[inline]
    pub fn space(&mut self) {
        loop {
            match self.byte() {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b';' => self.line_end(),
                _ => return,
            }
        }
    }

    /// Skips spaces within the line.
    #[inline]
    pub fn inline_space(&mut self) {
        while matches!(self.byte(), b' ' | b'\t') {
            self.at += 1;
        }
    }

    /// Moves to the next line end, or to the end of the text.
    pub fn line_end(&mut self) {
        let rest = &self.text[self.at.min(self.text.len())..];
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Moves to the start of the next line.
    pub fn next_line(&mut self) {
        self.line_end();
        if !self.is_end() {
            self.at += 1;
        }
    }

    #[inline]
    pub fn peek(&mut self) -> u8 {
        self.space();
        self.byte()
    }

    #[inline]
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && !self.is_end();
        self.at += usize::from(found);
        found
    }

    #[inline]
    pub fn expect(&mut self, byte: u8) -> Parsed<()> {
        if self.eat(byte) { Ok(()) } else { self.expected(&format!("`{}`", char::from(byte))) }
    }

    /// The word here without skipping space; may be empty.
    #[inline]
    pub fn word_here(&mut self) -> &'t [u8] {
        let start = self.at;
        while WORD[usize::from(self.byte())] {
            self.at += 1;
        }
        &self.text[start.min(self.text.len())..self.at]
    }

    #[inline]
    pub fn word(&mut self) -> &'t [u8] {
        self.space();
        self.word_here()
    }

    #[inline]
    pub fn peek_word(&mut self) -> &'t [u8] {
        self.space();
        let mut ahead = *self;
        ahead.word_here()
    }

    #[inline]
    pub fn eat_word(&mut self, word: &[u8]) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word.as_bytes()) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// The text between double quotes, with escapes as they are.
    pub fn string(&mut self) -> Parsed<&'t [u8]> {
        self.expect(b'"')?;
        let start = self.at;
        match memchr(b'"', &self.text[start..]) {
            Some(length) => {
                self.at = start + length + 1;
                Ok(&self.text[start..start + length])
            }
            None => self.fault("a string has no end"),
        }
    }

    /// The name after a sigil: bare or quoted; escapes are left as they are.
    #[inline]
    pub fn name(&mut self) -> Parsed<&'t [u8]> {
        if self.byte() == b'"' {
            return self.string();
        }
        let name = self.word_here();
        if name.is_empty() { self.expected("a name") } else { Ok(name) }
    }

    /// `%name`.
    #[inline]
    pub fn local_name(&mut self) -> Parsed<&'t [u8]> {
        self.expect(b'%')?;
        self.name()
    }

    /// `@name`.
    pub fn global_name(&mut self) -> Parsed<&'t [u8]> {
        self.expect(b'@')?;
        self.name()
    }

    /// A decimal number that fits 64 bits.
    #[inline]
    pub fn number(&mut self) -> Parsed<u64> {
        self.space();
        let start = self.at;
        let mut value = 0u64;
        while self.byte().is_ascii_digit() {
            let digit = u64::from(self.byte() - b'0');
            match value.checked_mul(10).and_then(|value| value.checked_add(digit)) {
                Some(next) => value = next,
                None => return self.fault("a number is too large"),
            }
            self.at += 1;
        }
        if self.at == start { self.expected("a number") } else { Ok(value) }
    }

    pub fn number_u32(&mut self) -> Parsed<u32> {
        match u32::try_from(self.number()?) {
            Ok(value) => Ok(value),
            Err(_) => self.fault("a number is too large"),
        }
    }

    /// Skips a bracketed group with everything nested in it. Expects to be at its opening bracket.
    pub fn skip_group(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            match self.byte() {
                b'(' | b'[' | b'{' | b'<' => depth += 1,
                b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
                b'"' => {
                    self.string()?;
                    continue;
                }
                b';' => {
                    self.line_end();
                    continue;
                }
                0 if self.is_end() => return self.fault("a bracket is not closed"),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips one attribute, flag or metadata attachment that the reader does not need: a word, a
    /// string, a number, `#5`, `!name !7`, each with its argument in parentheses.
    pub fn skip_attribute(&mut self) -> Parsed<()> {
        match self.byte() {
            b'"' => {
                self.string()?;
                if self.byte() == b'=' {
                    self.at += 1;
                    self.string()?;
                }
            }
            b'#' | b'!' => {
                self.at += 1;
                self.word_here();
            }
            b'(' => self.skip_group()?,
            _ => {
                if self.word_here().is_empty() {
                    return self.expected("an attribute");
                }
            }
        }
        if self.byte() == b'(' {
            self.skip_group()?;
        }
        Ok(())
    }
}

/// The bytes of an escaped string: `\22` is one byte, `\\` a backslash.
pub(crate) fn unescape(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let digits =
            raw.get(at + 1).copied().and_then(hex).zip(raw.get(at + 2).copied().and_then(hex));
        match (raw[at], digits) {
            (b'\\', Some((high, low))) => {
                bytes.push(high << 4 | low);
                at += 3;
            }
            (b'\\', None) if raw.get(at + 1) == Some(&b'\\') => {
                bytes.push(b'\\');
                at += 2;
            }
            (byte, _) => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(bytes)
}

pub(crate) fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// An escaped name as text for messages and for linking. A leading `\01`, which makes the assembler
/// use the name verbatim, is not part of it. Non-UTF-8 bytes are written as `\XX`, so that distinct
/// names stay distinct.
pub(crate) fn text_of(raw: &[u8]) -> String {
    let bytes = unescape(raw);
    let bytes = bytes.strip_prefix(&[1]).unwrap_or(&bytes);
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:02X}"));
        }
    }
    text
}

/// The number that a name consists of.
#[inline]
pub(crate) fn numeric(name: &[u8]) -> Option<u32> {
    if name.is_empty() || name.len() > 9 {
        return None;
    }
    name.iter().try_fold(0u32, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0'))
    })
}
