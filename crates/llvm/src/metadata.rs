//! Metadata nodes, found by number and parsed on demand.

use memchr::memchr;

use crate::cursor::{Cursor, text_of};

/// All numbered nodes of a module: number and offset, sorted by number.
pub(crate) struct Nodes<'t> {
    text: &'t [u8],
    entries: Vec<(u32, u32)>,
}

/// A specialised node, `!Kind(field: value, …)`.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    pub kind: &'t [u8],
    cursor: Cursor<'t>,
}

impl<'t> Nodes<'t> {
    pub fn new(text: &'t [u8], entries: Vec<(u32, u32)>) -> Nodes<'t> {
        Nodes { text, entries }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The position of a node in the table. Compilers number nodes densely.
    #[inline]
    pub fn position(&self, number: u32) -> Option<usize> {
        match self.entries.get(number as usize) {
            Some(entry) if entry.0 == number => Some(number as usize),
            _ => self.entries.binary_search_by_key(&number, |entry| entry.0).ok(),
        }
    }

    fn cursor(&self, number: u32) -> Option<Cursor<'t>> {
        let start = self.entries[self.position(number)?].1 as usize;
        // A node is one line; stopping there bounds the cost of a broken one.
        let rest = &self.text[start..];
        let mut c = Cursor::new(&rest[..memchr(b'\n', rest).unwrap_or(rest.len())], 0);
        c.inline_space();
        c.eat_word(b"distinct");
        Some(c)
    }

    pub fn get(&self, number: u32) -> Option<Node<'t>> {
        let mut c = self.cursor(number)?;
        if !c.eat(b'!') {
            return None;
        }
        let kind = c.word_here();
        c.eat(b'(').then_some(Node { kind, cursor: c })
    }

    /// The references of a plain node, `!{!1, null, …}`; `None` for anything else in it.
    pub fn list(&self, number: u32) -> Vec<Option<u32>> {
        let mut list = Vec::new();
        let Some(mut c) = self.cursor(number) else { return list };
        if !c.eat(b'!') || !c.eat(b'{') {
            return list;
        }
        while c.peek() != b'}' && !c.is_end() {
            let item = value(&mut c, b'}');
            list.push(reference(item));
            if !c.eat(b',') {
                break;
            }
        }
        list
    }
}

impl<'t> Node<'t> {
    /// How long its text is.
    pub fn len(&self) -> usize {
        self.cursor.text.len()
    }

    /// Calls `visit` with the name and the text of every field.
    #[inline]
    pub fn fields(&self, mut visit: impl FnMut(&'t [u8], &'t [u8])) {
        let mut c = self.cursor;
        loop {
            let name = c.word();
            if name.is_empty() || !c.eat(b':') {
                return;
            }
            c.inline_space();
            visit(name, value(&mut c, b')'));
            if !c.eat(b',') {
                return;
            }
        }
    }
}

/// The text of a value, up to the comma or bracket after it.
fn value<'t>(c: &mut Cursor<'t>, close: u8) -> &'t [u8] {
    let start = c.at;
    loop {
        match c.byte() {
            b',' => break,
            byte if byte == close => break,
            b'\n' => break,
            0 if c.is_end() => break,
            b'"' => {
                if c.string().is_err() {
                    c.at = c.text.len();
                }
            }
            b'(' | b'{' | b'[' => {
                if c.skip_group().is_err() {
                    c.at = c.text.len();
                }
            }
            _ => c.at += 1,
        }
    }
    &c.text[start..c.at]
}

/// The number of `!7`.
#[inline]
pub(crate) fn reference(value: &[u8]) -> Option<u32> {
    crate::cursor::numeric(value.strip_prefix(b"!")?)
}

/// A decimal number; anything else is 0.
#[inline]
pub(crate) fn number<T: TryFrom<i128> + Default>(value: &[u8]) -> T {
    let (negative, digits) = match value.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, value),
    };
    let magnitude = digits.iter().try_fold(0i128, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    });
    let value = magnitude.map(|magnitude| if negative { -magnitude } else { magnitude });
    value.and_then(|value| T::try_from(value).ok()).unwrap_or_default()
}

/// The text of a quoted string; anything else is empty.
pub(crate) fn string(value: &[u8]) -> String {
    match value {
        [b'"', inner @ .., b'"'] => text_of(inner),
        _ => String::new(),
    }
}
