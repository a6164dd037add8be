//! The printf engine: formats arguments to bytes, split into pieces.
//!
//! Every piece of the output records its origin (literal text, or a conversion with its argument),
//! so that outputs can later be compared as events. Arguments and memory come through a trait whose
//! errors pass through untouched. Not supported: custom conversions (`register_printf_function`)
//! and locales other than C.

mod spec;
mod write;

use std::ops::Range;

pub use spec::{Amount, Conversion, Directive, Flags, Format, FormatCache, Kind, Length, Spec};

use super::decimal::X87;
use super::errno::Errno;

/// The variable arguments of a call and the memory they point to.
pub trait Arguments {
    /// A memory fault or whatever else ends the run.
    type Error;

    /// The next argument as `va_arg` of an integer or pointer type would read it; bits above the
    /// type's width are ignored.
    fn next_integer(&mut self) -> Result<u64, Self::Error>;
    fn next_double(&mut self) -> Result<f64, Self::Error>;
    fn next_long_double(&mut self) -> Result<X87, Self::Error>;

    /// Appends the bytes at an address up to a NUL (not included), at most `limit` of them; must
    /// not touch bytes beyond the limit.
    fn read_string(
        &mut self,
        address: u64,
        limit: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Self::Error>;

    /// Appends the `wchar_t`s at an address up to a zero, at most `limit` of them.
    fn read_wide_string(
        &mut self,
        address: u64,
        limit: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), Self::Error>;

    /// `%n`: stores the low `size` bytes (1, 2, 4 or 8) of a count.
    fn store_count(&mut self, address: u64, size: u32, count: u64) -> Result<(), Self::Error>;

    /// The value of errno when the call began, for `%m`.
    fn errno(&mut self) -> Errno;
}

/// An argument as it was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Integer(u64),
    Double(f64),
    LongDouble(X87),
}

/// A run of output bytes with one origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Where in [`Output::bytes`].
    pub range: Range<usize>,
    pub source: Source,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    Literal,
    Conversion {
        /// Index into [`Format::directives`], where the spec is.
        directive: u32,
        /// Ordinal of the converted argument among the variable ones, from 0; `%m` has none.
        argument: Option<u32>,
        value: Option<Value>,
    },
}

/// The output of one call; reuse it to save allocations.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub bytes: Vec<u8>,
    /// In order, without gaps; empty pieces are kept for conversions only.
    pub pieces: Vec<Piece>,
}

impl Output {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.pieces.clear();
    }
}

/// How a call ended. In every case the output holds what was produced before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The number of bytes, which is the length of the output.
    Written(usize),
    /// The call returns -1 and sets errno.
    Failed(Errno),
    /// The output would be longer than the limit.
    Exhausted,
}

/// Formats into `output`, which must be empty, producing at most `limit` bytes.
pub fn format<A: Arguments>(
    format: &Format,
    arguments: &mut A,
    limit: usize,
    output: &mut Output,
) -> Result<Outcome, A::Error> {
    let mut formatter =
        Formatter { arguments, fetched: Vec::new(), limit: limit.min(i32::MAX as usize), output };
    for &kind in &format.positional {
        let value = formatter.next(kind)?;
        formatter.fetched.push(value);
    }
    for (index, directive) in format.directives.iter().enumerate() {
        let step = match directive {
            Directive::Literal(range) => formatter.literal(&format.text[range.clone()]),
            Directive::Unknown(text) => formatter.literal(text),
            Directive::Bad(errno) => Err(Stop::Failed(*errno)),
            Directive::Conversion(spec) => formatter.conversion(index as u32, spec),
        };
        match step {
            Ok(()) => {}
            Err(Stop::Failed(errno)) => return Ok(Outcome::Failed(errno)),
            Err(Stop::Exhausted) => return Ok(Outcome::Exhausted),
            Err(Stop::Memory(error)) => return Err(error),
        }
    }
    Ok(Outcome::Written(formatter.output.bytes.len()))
}

/// The text that one conversion makes of one number, given as bits. Widths and precisions
/// must be known.
pub fn text_of_one(spec: &Spec, bits: u64) -> Vec<u8> {
    let spec = Spec { argument: Some(0), ..spec.clone() };
    let directives = vec![Directive::Conversion(spec)];
    let one = Format { text: Box::default(), directives, positional: Vec::new() };
    let mut output = Output::default();
    match format(&one, &mut OneNumber(bits), usize::MAX, &mut output) {
        Ok(_) => output.bytes,
        Err(never) => match never {},
    }
}

/// A single argument that points to nothing.
struct OneNumber(u64);

impl Arguments for OneNumber {
    type Error = std::convert::Infallible;

    fn next_integer(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0)
    }

    fn next_double(&mut self) -> Result<f64, Self::Error> {
        Ok(f64::from_bits(self.0))
    }

    fn next_long_double(&mut self) -> Result<X87, Self::Error> {
        Ok(X87 { sign_exponent: 0, mantissa: 0 })
    }

    fn read_string(&mut self, _: u64, _: usize, _: &mut Vec<u8>) -> Result<(), Self::Error> {
        Ok(())
    }

    fn read_wide_string(&mut self, _: u64, _: usize, _: &mut Vec<u32>) -> Result<(), Self::Error> {
        Ok(())
    }

    fn store_count(&mut self, _: u64, _: u32, _: u64) -> Result<(), Self::Error> {
        Ok(())
    }

    fn errno(&mut self) -> Errno {
        Errno(0)
    }
}

/// Why formatting stops early.
enum Stop<E> {
    Failed(Errno),
    Exhausted,
    Memory(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Stop<E> {
        Stop::Memory(error)
    }
}

/// Width, precision and flags of a conversion once the `*` arguments are known.
#[derive(Clone, Copy)]
struct Layout {
    width: usize,
    precision: Option<usize>,
    flags: Flags,
}

struct Formatter<'a, A> {
    arguments: &'a mut A,
    /// The arguments of a format with numbered ones.
    fetched: Vec<Value>,
    limit: usize,
    output: &'a mut Output,
}

impl<A: Arguments> Formatter<'_, A> {
    fn next(&mut self, kind: Kind) -> Result<Value, A::Error> {
        Ok(match kind {
            Kind::Integer => Value::Integer(self.arguments.next_integer()?),
            Kind::Double => Value::Double(self.arguments.next_double()?),
            Kind::LongDouble => Value::LongDouble(self.arguments.next_long_double()?),
        })
    }

    fn argument(&mut self, index: u32, kind: Kind) -> Result<Value, A::Error> {
        match self.fetched.get(index as usize) {
            Some(&value) => Ok(value),
            None => self.next(kind),
        }
    }

    /// Checks that `more` bytes may still be written.
    fn reserve(&self, more: usize) -> Result<(), Stop<A::Error>> {
        let total = self.output.bytes.len().saturating_add(more);
        if total > i32::MAX as usize {
            return Err(Stop::Failed(Errno::EOVERFLOW));
        }
        if total > self.limit {
            return Err(Stop::Exhausted);
        }
        Ok(())
    }

    fn literal(&mut self, text: &[u8]) -> Result<(), Stop<A::Error>> {
        self.reserve(text.len())?;
        let start = self.output.bytes.len();
        self.output.bytes.extend_from_slice(text);
        self.output
            .pieces
            .push(Piece { range: start..self.output.bytes.len(), source: Source::Literal });
        Ok(())
    }

    fn conversion(&mut self, directive: u32, spec: &Spec) -> Result<(), Stop<A::Error>> {
        let layout = self.layout(spec)?;
        let value = match spec.argument {
            Some(index) => Some(self.argument(index, spec.kind())?),
            None => None,
        };
        let start = self.output.bytes.len();
        self.reserve(layout.width)?;
        self.write(spec, layout, value)?;
        self.output.pieces.push(Piece {
            range: start..self.output.bytes.len(),
            source: Source::Conversion { directive, argument: spec.argument, value },
        });
        Ok(())
    }

    fn layout(&mut self, spec: &Spec) -> Result<Layout, Stop<A::Error>> {
        let mut flags = spec.flags;
        let width = match spec.width {
            Amount::None => 0,
            Amount::Fixed(width) => width as usize,
            Amount::Argument(index) => {
                let width = self.int_argument(index)?;
                if width == i32::MIN {
                    return Err(Stop::Failed(Errno::EOVERFLOW));
                }
                if width < 0 {
                    flags.left = true;
                }
                width.unsigned_abs() as usize
            }
        };
        let precision = match spec.precision {
            Amount::None => None,
            Amount::Fixed(precision) => Some(precision as usize),
            Amount::Argument(index) => usize::try_from(self.int_argument(index)?).ok(),
        };
        Ok(Layout { width, precision, flags })
    }

    fn int_argument(&mut self, index: u32) -> Result<i32, A::Error> {
        match self.argument(index, Kind::Integer)? {
            Value::Integer(value) => Ok(value as i32),
            // A numbered argument used both as a number and as a width: C leaves it undefined.
            Value::Double(_) | Value::LongDouble(_) => Ok(0),
        }
    }
}

#[cfg(test)]
mod tests;
