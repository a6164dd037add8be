//! Format strings of printf, parsed once.
//!
//! Follows glibc where C leaves freedom: an unknown conversion is printed back in a normal form,
//! a string that ends inside a conversion is an error unless a numbered or unknown conversion came
//! before it, and plain conversions may be mixed with numbered ones (they count on their own).

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::decimal::Notation;
use super::super::errno::Errno;
use super::Output;

/// A parsed format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    pub text: Box<[u8]>,
    pub directives: Vec<Directive>,
    /// With numbered arguments (`%2$d`): the type of each argument in order, for fetching them all
    /// before the first is used. Empty if arguments are simply taken one after another.
    pub positional: Vec<Kind>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Text copied as it is: a range of the format string.
    Literal(Range<usize>),
    Conversion(Spec),
    /// An unknown conversion, which is printed back.
    Unknown(Box<[u8]>),
    /// The call fails here.
    Bad(Errno),
}

/// One conversion specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub flags: Flags,
    pub width: Amount,
    pub precision: Amount,
    pub length: Length,
    pub conversion: Conversion,
    /// Whether letters are written in upper case (`X B E F G A`).
    pub upper: bool,
    /// Which argument is converted, from 0; `%m` and the like have none.
    pub argument: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// space
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// `'`, without effect in the C locale.
    pub group: bool,
    /// `I`, without effect in the C locale.
    pub native_digits: bool,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    None,
    Fixed(u32),
    /// Taken from this argument, from 0.
    Argument(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Default,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `j z t Z`
    Size,
    /// `ll L q`
    LongLong,
    /// `L q` after a numbered or unknown conversion, where glibc applies them to floats only.
    LongDouble,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    Signed,
    Unsigned,
    Octal,
    Hex,
    /// `%b`
    Binary,
    Float(Notation),
    HexFloat,
    Char,
    WideChar,
    String,
    WideString,
    Pointer,
    /// `%n`
    Count,
    /// `%m`
    Message,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Double,
    LongDouble,
}

impl Spec {
    /// How the converted argument is passed.
    pub fn kind(&self) -> Kind {
        match (self.conversion, self.length) {
            (Conversion::Float(_) | Conversion::HexFloat, length) => match length {
                Length::LongLong | Length::LongDouble => Kind::LongDouble,
                _ => Kind::Double,
            },
            _ => Kind::Integer,
        }
    }

    /// The size in bytes of an integer argument or of the target of `%n`.
    pub fn integer_size(&self) -> u32 {
        match self.length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Default | Length::LongDouble => 4,
            Length::Long | Length::Size | Length::LongLong => 8,
        }
    }
}

impl Format {
    pub fn parse(text: &[u8]) -> Format {
        let mut parser = Parser {
            text,
            position: 0,
            directives: Vec::new(),
            next_argument: 0,
            numbered: false,
            tolerant: false,
            kinds: Vec::new(),
        };
        parser.run();
        let Parser { directives, kinds, numbered, .. } = parser;
        Format {
            text: text.into(),
            directives,
            positional: if numbered { kinds } else { Vec::new() },
        }
    }
}

/// Parsed formats by their text.
///
/// Bounded: programs that build format strings at run time only lose the benefit.
#[derive(Clone, Debug, Default)]
pub struct FormatCache {
    formats: FxHashMap<Box<[u8]>, Arc<Format>>,
    /// The output of an earlier call, whose room the next one takes over.
    pub spare: Output,
}

impl FormatCache {
    const CAPACITY: usize = 1024;

    pub fn get(&mut self, text: &[u8]) -> Arc<Format> {
        if let Some(format) = self.formats.get(text) {
            return Arc::clone(format);
        }
        if self.formats.len() >= FormatCache::CAPACITY {
            self.formats.clear();
        }
        let format = Arc::new(Format::parse(text));
        self.formats.insert(text.into(), Arc::clone(&format));
        format
    }
}

struct Parser<'a> {
    text: &'a [u8],
    position: usize,
    directives: Vec<Directive>,
    next_argument: u32,
    numbered: bool,
    /// Set by the first numbered or unknown conversion; glibc then reads the rest less strictly.
    tolerant: bool,
    kinds: Vec<Kind>,
}

impl Parser<'_> {
    fn run(&mut self) {
        while self.position < self.text.len() {
            let rest = &self.text[self.position..];
            let plain = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
            self.literal(self.position..self.position + plain);
            self.position += plain;
            if self.position < self.text.len() {
                self.position += 1;
                if !self.conversion() {
                    return;
                }
            }
        }
    }

    /// Adds literal text, joined with literal text right before it.
    fn literal(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        match self.directives.last_mut() {
            Some(Directive::Literal(last)) if last.end == range.start => last.end = range.end,
            _ => self.directives.push(Directive::Literal(range)),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    /// A decimal number, or `None` if it does not fit an `int`. Must stand before a digit.
    fn number(&mut self) -> Option<u32> {
        let mut value = Some(0u32);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.position += 1;
            value = value
                .and_then(|sum| sum.checked_mul(10)?.checked_add(u32::from(digit - b'0')))
                .filter(|&sum| sum <= i32::MAX as u32);
        }
        value
    }

    /// `n$`, giving the argument's index; leaves the position alone if it is something else.
    fn dollar(&mut self) -> Option<u32> {
        let start = self.position;
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            let number = self.number();
            // Numbers beyond any real call are not worth a table of that size.
            if self.peek() == Some(b'$')
                && let Some(number @ 1..=4096) = number
            {
                self.position += 1;
                self.numbered = true;
                self.tolerant = true;
                return Some(number - 1);
            }
        }
        self.position = start;
        None
    }

    /// Reads what follows a `%`; false if parsing ends with an error.
    fn conversion(&mut self) -> bool {
        let explicit = self.dollar();
        let flags = self.flags();
        let Some(width) = self.amount() else {
            return self.fail(Errno::EOVERFLOW);
        };
        let mut precision = Amount::None;
        if self.peek() == Some(b'.') {
            self.position += 1;
            match self.amount() {
                Some(Amount::None) => precision = Amount::Fixed(0),
                Some(amount) => precision = amount,
                None => return self.fail(Errno::EOVERFLOW),
            }
        }
        let length = self.length();
        let letter = self.peek();
        if letter.is_none() && !self.tolerant {
            return self.fail(Errno::EINVAL);
        }
        self.position += usize::from(letter.is_some());
        if letter == Some(b'%') {
            self.literal(self.position - 1..self.position);
            return true;
        }
        let Some((conversion, upper)) = letter.and_then(|letter| meaning(letter, length)) else {
            self.tolerant = true;
            let text = printed_back(flags, width, precision, letter);
            self.directives.push(Directive::Unknown(text));
            return true;
        };
        let mut spec = Spec { flags, width, precision, length, conversion, upper, argument: None };
        if conversion != Conversion::Message {
            let index = explicit.unwrap_or_else(|| self.take_argument());
            self.note(index, spec.kind());
            spec.argument = Some(index);
        }
        self.directives.push(Directive::Conversion(spec));
        true
    }

    fn fail(&mut self, errno: Errno) -> bool {
        self.directives.push(Directive::Bad(errno));
        false
    }

    fn take_argument(&mut self) -> u32 {
        self.next_argument += 1;
        self.next_argument - 1
    }

    fn note(&mut self, index: u32, kind: Kind) {
        let index = index as usize;
        if self.kinds.len() <= index {
            self.kinds.resize(index + 1, Kind::Integer);
        }
        self.kinds[index] = kind;
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some(byte) = self.peek() {
            match byte {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.space = true,
                b'#' => flags.alternate = true,
                b'0' => flags.zero = true,
                b'\'' => flags.group = true,
                b'I' => flags.native_digits = true,
                _ => break,
            }
            self.position += 1;
        }
        flags
    }

    /// A width or precision; `None` if it is a number that does not fit.
    fn amount(&mut self) -> Option<Amount> {
        match self.peek() {
            Some(b'*') => {
                self.position += 1;
                let index = match self.dollar() {
                    Some(index) => index,
                    None => self.take_argument(),
                };
                self.note(index, Kind::Integer);
                Some(Amount::Argument(index))
            }
            Some(b'0'..=b'9') => match self.number() {
                Some(number) => Some(Amount::Fixed(number)),
                None if self.tolerant => Some(Amount::None),
                None => None,
            },
            _ => Some(Amount::None),
        }
    }

    fn length(&mut self) -> Length {
        let rest = &self.text[self.position..];
        let (length, used) = match rest {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'l', ..] => (Length::Long, 1),
            [b'L' | b'q', ..] if self.tolerant => (Length::LongDouble, 1),
            [b'L' | b'q', ..] => (Length::LongLong, 1),
            [b'j' | b'z' | b't' | b'Z', ..] => (Length::Size, 1),
            _ => (Length::Default, 0),
        };
        self.position += used;
        length
    }
}

/// The meaning of a conversion letter, and whether it requests upper case.
fn meaning(letter: u8, length: Length) -> Option<(Conversion, bool)> {
    let wide = matches!(length, Length::Long | Length::Size | Length::LongLong);
    let conversion = match letter {
        b'd' | b'i' => Conversion::Signed,
        b'u' => Conversion::Unsigned,
        b'o' => Conversion::Octal,
        b'x' | b'X' => Conversion::Hex,
        b'b' | b'B' => Conversion::Binary,
        b'e' | b'E' => Conversion::Float(Notation::Scientific),
        b'f' | b'F' => Conversion::Float(Notation::Fixed),
        b'g' | b'G' => Conversion::Float(Notation::General),
        b'a' | b'A' => Conversion::HexFloat,
        b'c' if !wide => Conversion::Char,
        b'c' | b'C' => Conversion::WideChar,
        b's' if !wide => Conversion::String,
        b's' | b'S' => Conversion::WideString,
        b'p' => Conversion::Pointer,
        b'n' => Conversion::Count,
        b'm' => Conversion::Message,
        _ => return None,
    };
    Some((conversion, matches!(letter, b'X' | b'B' | b'E' | b'F' | b'G' | b'A')))
}

/// The normal form in which glibc prints an unknown conversion back.
fn printed_back(flags: Flags, width: Amount, precision: Amount, letter: Option<u8>) -> Box<[u8]> {
    let mut text = vec![b'%'];
    let mut push_if = |condition: bool, byte| {
        if condition {
            text.push(byte);
        }
    };
    push_if(flags.alternate, b'#');
    push_if(flags.group, b'\'');
    push_if(flags.plus, b'+');
    push_if(flags.space && !flags.plus, b' ');
    push_if(flags.left, b'-');
    push_if(flags.zero && !flags.left, b'0');
    push_if(flags.native_digits, b'I');
    if let Amount::Fixed(width @ 1..) = width {
        text.extend_from_slice(width.to_string().as_bytes());
    }
    if let Amount::Fixed(precision) = precision {
        text.push(b'.');
        text.extend_from_slice(precision.to_string().as_bytes());
    }
    text.extend(letter);
    text.into()
}
