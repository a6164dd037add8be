//! The observables of a run as terms over the input, and when two runs have the same.
//!
//! The bytes of a stream are split into tokens: text, bytes that depend on the input, and numbers
//! that do. How a program splits its output into calls does not matter. Whether two streams are the
//! same is a condition on the input that is *sufficient*; it is *exact* if it is necessary as well.
//! Floating-point numbers are compared as numbers, and different ones may have the same text, so
//! that such a condition is only sufficient. The same holds if nothing separates a number from
//! following digits.

use exec::concolic::{Event, Piece, Sink};
use exec::libc::format::{Amount, Conversion, Length, Spec, text_of_one};
use exec::observer::Operand;
use smt::{TermId, Terms, people};

use crate::result::symbolic::fit;

/// A part of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Text(Vec<u8>),
    Byte(TermId),
    /// A number and how it is printed.
    Number(Box<Spec>, TermId),
}

/// When two observables are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sameness {
    /// They are the same if this holds.
    pub condition: TermId,
    /// They are the same only if it holds.
    pub exact: bool,
}

impl Sameness {
    pub const ALWAYS: Sameness = Sameness { condition: Terms::TRUE, exact: true };
    pub const NEVER: Sameness = Sameness { condition: Terms::FALSE, exact: true };
    pub const UNCLEAR: Sameness = Sameness { condition: Terms::FALSE, exact: false };

    pub fn of(same: bool) -> Sameness {
        if same { Sameness::ALWAYS } else { Sameness::NEVER }
    }
}

/// A stream under construction: the tokens, and the bytes that they were in this run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stream {
    pub tokens: Vec<Token>,
    pub bytes: Vec<u8>,
}

impl Stream {
    fn push_text(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        match self.tokens.last_mut() {
            Some(Token::Text(known)) => known.extend_from_slice(text),
            _ if text.is_empty() => {}
            _ => self.tokens.push(Token::Text(text.to_vec())),
        }
    }

    fn push_byte(&mut self, terms: &mut Terms, byte: u8, shadow: u32) {
        let Some(term) = TermId::from_raw(shadow) else { return self.push_text(&[byte]) };
        self.bytes.push(byte);
        let term = fit(terms, term, 8);
        self.tokens.push(Token::Byte(term));
    }

    fn push_number(&mut self, terms: &mut Terms, spec: &Spec, text: &[u8], value: Operand) {
        let Some(term) = TermId::from_raw(value.shadow) else { return self.push_text(text) };
        let term = fit(terms, term, width_of(spec));
        if spec.conversion == Conversion::Char && text.len() == 1 {
            self.bytes.extend_from_slice(text);
            return self.tokens.push(Token::Byte(term));
        }
        self.bytes.extend_from_slice(text);
        let spec = Spec { argument: None, ..spec.clone() };
        self.tokens.push(Token::Number(Box::new(spec), term));
    }

    /// All bytes as they are.
    pub fn plain(bytes: &[u8]) -> Stream {
        let mut stream = Stream::default();
        stream.push_text(bytes);
        stream
    }

    pub fn is_plain(&self) -> bool {
        self.tokens.iter().all(|token| matches!(token, Token::Text(_)))
    }

    /// For people: parts that depend on the input are in braces.
    pub fn text(&self, terms: &Terms) -> String {
        let part = |token: &Token| match token {
            Token::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Token::Byte(term) | Token::Number(_, term) => {
                format!("{{{}}}", people::term(terms, *term))
            }
        };
        self.tokens.iter().map(part).collect()
    }
}

/// Standard output and standard error, from the events of a run. `standard` tells which of them a
/// stream of the C library is. Ignores events of other streams; the third member says whether one
/// of them depends on the input.
pub(super) fn streams(
    terms: &mut Terms,
    events: &[Event],
    standard: impl Fn(u64) -> Option<i32>,
) -> (Stream, Stream, bool) {
    let mut streams = [Stream::default(), Stream::default()];
    let mut depends = false;
    for event in events {
        let descriptor = match event.to {
            Sink::Descriptor(descriptor) => Some(descriptor),
            Sink::Stream(address) => standard(address),
        };
        let Some(stream) = (match descriptor {
            Some(1) => Some(&mut streams[0]),
            Some(2) => Some(&mut streams[1]),
            _ => None,
        }) else {
            depends |= event.pieces.iter().any(|piece| !matches!(piece, Piece::Text(_)));
            continue;
        };
        for piece in &event.pieces {
            match piece {
                Piece::Text(text) => stream.push_text(text),
                Piece::Bytes(bytes) => {
                    bytes.iter().for_each(|&(byte, shadow)| stream.push_byte(terms, byte, shadow));
                }
                Piece::Number { conversion, text, value } => {
                    stream.push_number(terms, conversion, text, *value);
                }
            }
        }
    }
    let [stdout, stderr] = streams;
    (stdout, stderr, depends)
}

/// The bits of a value that a conversion uses.
fn width_of(spec: &Spec) -> u32 {
    match (spec.conversion, spec.length) {
        (Conversion::Float(_) | Conversion::HexFloat, _) => 64,
        (Conversion::Char, _) | (_, Length::Char) => 8,
        (_, Length::Short) => 16,
        (_, Length::Default) => 32,
        (_, Length::Long | Length::Size | Length::LongLong | Length::LongDouble) => 64,
    }
}

/// When two streams are the same.
pub(super) fn same_streams(terms: &mut Terms, one: &Stream, other: &Stream) -> Sameness {
    let mut sides = [Side::new(&one.tokens), Side::new(&other.tokens)];
    let mut same = Sameness::ALWAYS;
    loop {
        let [left, right] = &mut sides;
        match (left.next(), right.next()) {
            (None, None) => return same,
            (None, Some(rest)) | (Some(rest), None) => {
                return if rest.is_something() { same.never() } else { Sameness::UNCLEAR };
            }
            (Some(Part::Text(a)), Some(Part::Text(b))) => {
                let count = a.len().min(b.len());
                if a[..count] != b[..count] {
                    return same.never();
                }
                sides.iter_mut().for_each(|side| side.skip(count));
            }
            (Some(Part::Byte(a)), Some(Part::Byte(b))) => {
                same.require(terms, a, b);
                sides.iter_mut().for_each(Side::pass);
            }
            (Some(Part::Byte(byte)), Some(Part::Text(text)))
            | (Some(Part::Text(text)), Some(Part::Byte(byte))) => {
                let known = terms.constant(8, text[0].into());
                same.require(terms, byte, known);
                sides.iter_mut().for_each(Side::advance_byte);
            }
            (Some(Part::Number(a, x)), Some(Part::Number(b, y))) if a == b => {
                let is_settled = x == y || left.separates(a) && right.separates(b);
                same.exact &= is_settled && (x == y || is_injective(a));
                same.require(terms, x, y);
                sides.iter_mut().for_each(Side::pass);
            }
            (Some(Part::Number(spec, value)), Some(Part::Text(text))) => {
                match literal(spec, text) {
                    Some((known, length)) => {
                        same.exact &= left.separates(spec) && right.ends_number(spec, length);
                        let known = terms.constant(width_of(spec), known);
                        same.require(terms, value, known);
                        left.pass();
                        right.skip(length);
                    }
                    None => return same.mismatch(spec, text),
                }
            }
            (Some(Part::Text(text)), Some(Part::Number(spec, value))) => {
                match literal(spec, text) {
                    Some((known, length)) => {
                        same.exact &= right.separates(spec) && left.ends_number(spec, length);
                        let known = terms.constant(width_of(spec), known);
                        same.require(terms, value, known);
                        right.pass();
                        left.skip(length);
                    }
                    None => return same.mismatch(spec, text),
                }
            }
            (Some(Part::Number(..)), Some(_)) | (Some(_), Some(Part::Number(..))) => {
                return Sameness::UNCLEAR;
            }
        }
    }
}

impl Sameness {
    fn require(&mut self, terms: &mut Terms, a: TermId, b: TermId) {
        let equal = terms.eq(a, b);
        self.condition = terms.and(self.condition, equal);
    }

    fn never(self) -> Sameness {
        Sameness { condition: Terms::FALSE, exact: self.exact }
    }

    /// One stream has a number where the other has text that no number begins with.
    fn mismatch(self, spec: &Spec, text: &[u8]) -> Sameness {
        let begins = |byte: u8| byte.is_ascii_digit() || byte == b'-';
        if is_plain_decimal(spec) && !begins(text[0]) { self.never() } else { Sameness::UNCLEAR }
    }
}

/// The position of the comparison in one stream.
struct Side<'t> {
    tokens: &'t [Token],
    /// Processed bytes of the first token.
    done: usize,
}

/// What comes next.
#[derive(Clone, Copy)]
enum Part<'t> {
    Text(&'t [u8]),
    Byte(TermId),
    Number(&'t Spec, TermId),
}

impl Part<'_> {
    /// Whether it is at least one byte, for every input.
    fn is_something(self) -> bool {
        match self {
            Part::Text(_) | Part::Byte(_) => true,
            // Zero with a precision of zero is printed as nothing.
            Part::Number(spec, _) => spec.precision == Amount::None,
        }
    }
}

impl<'t> Side<'t> {
    fn new(tokens: &'t [Token]) -> Side<'t> {
        Side { tokens, done: 0 }
    }

    fn next(&self) -> Option<Part<'t>> {
        Some(match self.tokens.first()? {
            Token::Text(text) => Part::Text(&text[self.done..]),
            Token::Byte(term) => Part::Byte(*term),
            Token::Number(spec, term) => Part::Number(spec, *term),
        })
    }

    /// Moves past the first token.
    fn pass(&mut self) {
        (self.tokens, self.done) = (&self.tokens[1..], 0);
    }

    /// Skips some bytes of a text.
    fn skip(&mut self, count: usize) {
        self.done += count;
        if matches!(self.tokens.first(), Some(Token::Text(text)) if text.len() <= self.done) {
            self.pass();
        }
    }

    fn advance_byte(&mut self) {
        match self.tokens.first() {
            Some(Token::Text(_)) => self.skip(1),
            _ => self.pass(),
        }
    }

    /// Whether what follows the next number cannot be mistaken for a part of it.
    fn separates(&self, spec: &Spec) -> bool {
        if spec.conversion == Conversion::Char {
            return true;
        }
        match self.tokens.get(1) {
            None => true,
            Some(Token::Text(text)) => text.first().is_none_or(|&byte| ends(spec, byte)),
            Some(Token::Byte(_) | Token::Number(..)) => false,
        }
    }

    /// Whether the digits at the start of the next text end there.
    fn ends_number(&self, spec: &Spec, length: usize) -> bool {
        match self.next() {
            Some(Part::Text(text)) if text.len() > length => ends(spec, text[length]),
            Some(Part::Text(_)) => self.tokens.len() == 1,
            _ => false,
        }
    }
}

/// Whether a byte after a number is no part of it.
fn ends(spec: &Spec, byte: u8) -> bool {
    match spec.conversion {
        Conversion::Signed | Conversion::Unsigned | Conversion::Octal | Conversion::Binary => {
            !byte.is_ascii_digit()
        }
        Conversion::Hex => !byte.is_ascii_hexdigit(),
        _ => !(byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)),
    }
}

/// Whether different numbers have different texts.
fn is_injective(spec: &Spec) -> bool {
    use Conversion::*;
    matches!(spec.conversion, Signed | Unsigned | Octal | Hex | Binary | Char)
}

fn is_plain_decimal(spec: &Spec) -> bool {
    let is_bare = spec.width == Amount::None && spec.precision == Amount::None;
    let flags = spec.flags;
    let has_flags = flags.left || flags.plus || flags.space || flags.alternate || flags.zero;
    is_bare && !has_flags && matches!(spec.conversion, Conversion::Signed | Conversion::Unsigned)
}

/// The number that a text begins with, as a conversion would print it, and its length.
fn literal(spec: &Spec, text: &[u8]) -> Option<(u64, usize)> {
    if !is_plain_decimal(spec) {
        return None;
    }
    let is_part =
        |(index, byte): &(usize, &u8)| byte.is_ascii_digit() || *index == 0 && **byte == b'-';
    let length = text.iter().enumerate().take_while(is_part).count();
    let number: i128 = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    let width = width_of(spec);
    let bits = number as u64 & (u64::MAX >> (64 - width));
    (text_of_one(spec, bits) == text[..length]).then_some((bits, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::libc::format::{Directive, Format};
    use smt::Sort;

    fn spec(format: &str) -> Spec {
        match Format::parse(format.as_bytes()).directives.first() {
            Some(Directive::Conversion(spec)) => Spec { argument: None, ..spec.clone() },
            other => panic!("{format} has no conversion but {other:?}"),
        }
    }

    fn number(format: &str, term: TermId) -> Token {
        Token::Number(Box::new(spec(format)), term)
    }

    fn text(text: &str) -> Token {
        Token::Text(text.as_bytes().to_vec())
    }

    fn same(terms: &mut Terms, one: &[Token], other: &[Token]) -> Sameness {
        let stream = |tokens: &[Token]| Stream { tokens: tokens.to_vec(), bytes: Vec::new() };
        same_streams(terms, &stream(one), &stream(other))
    }

    #[test]
    fn numbers_and_texts_are_compared_as_they_are_printed() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(32));
        let y = terms.variable("y", Sort::Bits(32));
        let (xd, yd) = (number("%d", x), number("%d", y));
        let equal = terms.eq(x, y);
        let line = text("\n");
        let found = same(&mut terms, &[xd.clone(), line.clone()], &[yd.clone(), line.clone()]);
        assert_eq!(found, Sameness { condition: equal, exact: true });
        // Without a separator, 1 and 23 print like 12 and 3.
        let two = [xd.clone(), yd.clone()];
        let swapped = [yd.clone(), xd.clone()];
        assert!(!same(&mut terms, &two, &swapped).exact);
        // A literal is a number, too.
        let minus = terms.constant(32, -7i64 as u64);
        let is_seven = terms.eq(x, minus);
        let found = same(&mut terms, &[xd.clone(), line.clone()], &[text("-7\n")]);
        assert_eq!(found, Sameness { condition: is_seven, exact: true });
        assert_eq!(same(&mut terms, &[text("hold\n")], &[xd.clone(), line]), Sameness::NEVER);
        assert_eq!(same(&mut terms, &[text("007\n")], &[xd, text("\n")]), Sameness::UNCLEAR);
    }

    #[test]
    fn floats_that_differ_may_be_printed_alike() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(64));
        let y = terms.variable("y", Sort::Bits(64));
        let found = same(&mut terms, &[number("%.2f", x)], &[number("%.2f", y)]);
        assert!(!found.exact && found.condition != Terms::FALSE);
        assert_eq!(same(&mut terms, &[number("%.2f", x)], &[number("%.2f", x)]), Sameness::ALWAYS);
    }
}
