//! The scanf engine: a format directs how bytes of a source become stored values.
//!
//! Consumes, stores and returns what glibc does in the C locale, also on failure: it pushes back at
//! most one byte, so the beginning of something that turns out not to be a number stays consumed.
//! `%a` is a float as in C99. Not supported: `'` and `I` (without effect in the C locale), and the
//! old meaning of `%as`.

mod number;
mod text;

use std::ops::Range;

use super::decimal::{X87, is_space};
use super::errno::Errno;

/// The two sides of a call: where bytes come from and where results go.
pub trait Scan {
    /// A memory fault or whatever else ends the run.
    type Error;

    /// The next byte of the input; `None` at its end or when reading fails.
    fn next(&mut self) -> Result<Option<u8>, Self::Error>;

    /// Pushes back the byte that was read last.
    fn unget(&mut self, byte: u8);

    /// The pointer argument for the next conversion, or the one with this index (from 0) in a
    /// format with numbered arguments.
    fn pointer(&mut self, index: Option<u32>) -> Result<u64, Self::Error>;

    /// Stores a value. `text` is the part of the input it was read from, counted in bytes from
    /// the beginning of the call.
    fn store(
        &mut self,
        address: u64,
        value: Value<'_>,
        text: Range<usize>,
    ) -> Result<(), Self::Error>;

    /// The current value of errno.
    fn errno(&mut self) -> Errno;

    /// Sets errno (a number out of range, an invalid character).
    fn set_errno(&mut self, errno: Errno);
}

/// What a conversion stores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// The low `size` bytes (1, 2, 4 or 8) of a number.
    Integer {
        size: u32,
        value: u64,
    },
    /// `%n`: the same for the number of bytes read so far.
    Count {
        size: u32,
        value: u64,
    },
    Float(f32),
    Double(f64),
    LongDouble(X87),
    /// Bytes as they are, the NUL of a string included.
    Bytes(&'a [u8]),
    /// `wchar_t`s as they are.
    Wide(&'a [u32]),
    /// The `m` modifier: the bytes go into a new block, whose address is stored.
    AllocatedBytes(&'a [u8]),
    AllocatedWide(&'a [u32]),
}

/// The result of a call when no memory fault ended it: the number of assigned conversions, or -1
/// (`EOF`) if the input ended before the first.
pub fn scan<S: Scan>(format: &[u8], target: &mut S) -> Result<i32, S::Error> {
    let mut scanner = Scanner {
        format,
        position: 0,
        target,
        current: Some(0),
        read: 0,
        done: 0,
        skip_space: false,
        unfilled: None,
        errno_at_end: Errno(0),
    };
    match scanner.run() {
        Ok(()) | Err(Stop::Mismatch) => Ok(scanner.done),
        Err(Stop::Input) if scanner.done == 0 => {
            // glibc allocates a block before it reads, and frees it here.
            if let Some(address) = scanner.unfilled {
                let null = Value::Integer { size: 8, value: 0 };
                scanner.target.store(address, null, scanner.read..scanner.read)?;
            }
            Ok(-1)
        }
        Err(Stop::Input) => Ok(scanner.done),
        Err(Stop::Fault(error)) => Err(error),
    }
}

/// Why scanning stops.
enum Stop<E> {
    /// The input ended.
    Input,
    /// The input does not match, or the format is wrong.
    Mismatch,
    Fault(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Stop<E> {
        Stop::Fault(error)
    }
}

type Step<T, S> = Result<T, Stop<<S as Scan>::Error>>;

struct Scanner<'a, S> {
    format: &'a [u8],
    position: usize,
    target: &'a mut S,
    /// The byte read last. After the end of the input nothing more is read.
    current: Option<u8>,
    /// Bytes consumed.
    read: usize,
    done: i32,
    skip_space: bool,
    /// Where the current conversion must store the address of a new block.
    unfilled: Option<u64>,
    /// The value of errno when the input ended; glibc restores it at every later attempt to read.
    errno_at_end: Errno,
}

/// A conversion specification.
#[derive(Clone, Copy)]
struct Spec {
    suppress: bool,
    allocate: bool,
    index: Option<u32>,
    /// Bytes left; `None` is unlimited.
    width: Option<usize>,
    length: Length,
    letter: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Default,
    Char,
    Short,
    /// `l j z t`
    Long,
    /// `ll L q`
    LongLong,
}

impl Spec {
    fn integer_size(&self) -> u32 {
        match self.length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Default => 4,
            Length::Long | Length::LongLong => 8,
        }
    }

    fn wide(&self) -> bool {
        matches!(self.length, Length::Long | Length::LongLong)
    }

    /// Counts a byte against the width.
    fn spend(&mut self) {
        self.width = self.width.map(|width| width.saturating_sub(1));
    }

    fn exhausted(&self) -> bool {
        self.width == Some(0)
    }
}

impl<S: Scan> Scanner<'_, S> {
    fn run(&mut self) -> Step<(), S> {
        while let Some(&byte) = self.format.get(self.position) {
            self.position += 1;
            match byte {
                b'%' => {
                    let spec = self.spec()?;
                    self.conversion(spec)?;
                }
                _ if is_space(byte) => self.skip_space = true,
                _ => self.literal(byte)?,
            }
        }
        if self.skip_space {
            while self.next()?.is_some_and(is_space) {}
            self.unget();
        }
        Ok(())
    }

    /// Reads a byte, unless the end was seen before.
    fn next(&mut self) -> Step<Option<u8>, S> {
        if self.current.is_none() {
            self.target.set_errno(self.errno_at_end);
            return Ok(None);
        }
        self.current = self.target.next()?;
        match self.current {
            Some(_) => self.read += 1,
            None => self.errno_at_end = self.target.errno(),
        }
        Ok(self.current)
    }

    /// Reads a byte; the end is an input failure.
    fn demand(&mut self) -> Step<u8, S> {
        self.next()?.ok_or(Stop::Input)
    }

    /// Pushes back the byte read last.
    fn unget(&mut self) {
        if let Some(byte) = self.current {
            self.target.unget(byte);
            self.read -= 1;
        }
    }

    /// White space before a conversion, which leaves errno alone.
    fn eat_space(&mut self) -> Step<(), S> {
        self.skip_space = false;
        if self.current.is_some() {
            let errno = self.target.errno();
            self.target.set_errno(Errno(0));
            while self.next()?.is_some_and(is_space) {}
            self.target.set_errno(errno);
            self.unget();
        }
        Ok(())
    }

    fn literal(&mut self, expected: u8) -> Step<(), S> {
        let mut byte = self.demand()?;
        if self.skip_space {
            while is_space(byte) {
                byte = self.demand()?;
            }
            self.skip_space = false;
        }
        self.expect(byte, expected)
    }

    fn expect(&mut self, byte: u8, expected: u8) -> Step<(), S> {
        if byte == expected {
            return Ok(());
        }
        self.unget();
        Err(Stop::Mismatch)
    }

    fn peek_format(&self) -> Option<u8> {
        self.format.get(self.position).copied()
    }

    /// A decimal number in the format, capped; `None` if there is no digit.
    fn format_number(&mut self) -> Option<usize> {
        let mut value = None;
        while let Some(digit @ b'0'..=b'9') = self.peek_format() {
            self.position += 1;
            let sum = value.unwrap_or(0usize) * 10 + usize::from(digit - b'0');
            value = Some(sum.min(i32::MAX as usize));
        }
        value
    }

    /// Reads what follows a `%`.
    fn spec(&mut self) -> Step<Spec, S> {
        let mut spec = Spec {
            suppress: false,
            allocate: false,
            index: None,
            width: None,
            length: Length::Default,
            letter: 0,
        };
        let mut width = self.format_number();
        if let Some(number) = width
            && self.peek_format() == Some(b'$')
        {
            self.position += 1;
            spec.index = Some((number as u32).wrapping_sub(1));
            width = None;
        }
        if width.is_none() {
            while let Some(flag @ (b'*' | b'\'' | b'I')) = self.peek_format() {
                self.position += 1;
                spec.suppress |= flag == b'*';
            }
            width = self.format_number();
        }
        spec.width = width.filter(|&width| width > 0);
        if self.peek_format() == Some(b'm') {
            self.position += 1;
            spec.allocate = true;
        }
        spec.length = self.length();
        spec.letter = self.peek_format().ok_or(Stop::Mismatch)?;
        self.position += 1;
        Ok(spec)
    }

    fn length(&mut self) -> Length {
        let (length, used) = match &self.format[self.position..] {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'l' | b'j' | b'z' | b't', ..] => (Length::Long, 1),
            [b'L' | b'q', ..] => (Length::LongLong, 1),
            _ => (Length::Default, 0),
        };
        self.position += used;
        length
    }

    fn conversion(&mut self, mut spec: Spec) -> Step<(), S> {
        let keeps_space = matches!(spec.letter, b'[' | b'c' | b'C' | b'n');
        if self.skip_space || !keeps_space {
            self.eat_space()?;
        }
        match spec.letter {
            b'%' => {
                let byte = self.demand()?;
                self.expect(byte, b'%')
            }
            b'n' => self.count(spec),
            b'd' | b'u' => self.integer(spec, 10),
            b'i' => self.integer(spec, 0),
            b'o' => self.integer(spec, 8),
            b'x' | b'X' => self.integer(spec, 16),
            b'p' => {
                spec.length = Length::Long;
                self.integer(spec, 16)
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(spec),
            b'c' => self.characters(spec, spec.wide()),
            b'C' => self.characters(spec, true),
            b's' => self.string(spec, spec.wide()),
            b'S' => self.string(spec, true),
            b'[' => self.set(spec),
            _ => Err(Stop::Mismatch),
        }
    }

    /// The pointer that a conversion stores through; none if it is suppressed.
    fn pointer(&mut self, spec: &Spec) -> Step<Option<u64>, S> {
        if spec.suppress {
            Ok(None)
        } else {
            let address = self.target.pointer(spec.index)?;
            self.unfilled = spec.allocate.then_some(address);
            Ok(Some(address))
        }
    }

    fn count(&mut self, spec: Spec) -> Step<(), S> {
        if let Some(address) = self.pointer(&spec)? {
            let value = Value::Count { size: spec.integer_size(), value: self.read as u64 };
            self.target.store(address, value, self.read..self.read)?;
        }
        Ok(())
    }

    /// Stores the result of a conversion and counts it, unless it is suppressed.
    fn assign(&mut self, address: Option<u64>, value: Value<'_>, start: usize) -> Step<(), S> {
        if let Some(address) = address {
            self.target.store(address, value, start..self.read)?;
            self.done += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
