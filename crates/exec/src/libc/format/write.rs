//! The bytes of one conversion.

use std::borrow::Cow;

use super::super::decimal::{self, Float, Kind as FloatKind, Notation, X87};
use super::super::errno::Errno;
use super::{Arguments, Conversion, Formatter, Layout, Spec, Stop, Value};

impl<A: Arguments> Formatter<'_, A> {
    pub(super) fn write(
        &mut self,
        spec: &Spec,
        layout: Layout,
        value: Option<Value>,
    ) -> Result<(), Stop<A::Error>> {
        let integer = match value {
            Some(Value::Integer(value)) => value,
            Some(Value::Double(value)) => return self.float(spec, layout, Float::from(value)),
            Some(Value::LongDouble(value)) => return self.float(spec, layout, Float::from(value)),
            None => 0,
        };
        match spec.conversion {
            Conversion::Signed => self.signed(spec, layout, integer),
            Conversion::Unsigned => self.unsigned(layout, truncate(integer, spec), 10, spec.upper),
            Conversion::Octal => self.unsigned(layout, truncate(integer, spec), 8, spec.upper),
            Conversion::Hex => self.unsigned(layout, truncate(integer, spec), 16, spec.upper),
            Conversion::Binary => self.unsigned(layout, truncate(integer, spec), 2, spec.upper),
            Conversion::Pointer => self.pointer(layout, integer),
            Conversion::Char => {
                let start = self.output.bytes.len();
                self.output.bytes.push(integer as u8);
                self.pad(start, layout)
            }
            Conversion::WideChar => self.wide(&[integer as u32], layout),
            Conversion::String => self.string(layout, integer),
            Conversion::WideString => self.wide_string(layout, integer),
            Conversion::Count => {
                let count = self.output.bytes.len() as u64;
                self.arguments.store_count(integer, spec.integer_size(), count)?;
                Ok(())
            }
            Conversion::Message => {
                let text = self.message(layout);
                let kept = layout.precision.unwrap_or(text.len()).min(text.len());
                self.text(&text.as_bytes()[..kept], layout)
            }
            // An argument that was fetched under another type by a conflicting numbered use.
            Conversion::Float(_) | Conversion::HexFloat => {
                self.float(spec, layout, Float::from(X87::default()))
            }
        }
    }

    /// `%m`, or with `#` the name of the error.
    fn message(&mut self, layout: Layout) -> Cow<'static, str> {
        let errno = self.arguments.errno();
        match errno.name() {
            _ if !layout.flags.alternate => errno.message(),
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(errno.0.to_string()),
        }
    }

    fn signed(&mut self, spec: &Spec, layout: Layout, integer: u64) -> Result<(), Stop<A::Error>> {
        let unused = 64 - 8 * spec.integer_size();
        let number = (integer << unused) as i64 >> unused;
        let sign = self.sign(layout, number < 0);
        self.number(layout, sign, number.unsigned_abs(), 10, false)
    }

    fn sign(&self, layout: Layout, negative: bool) -> &'static [u8] {
        match (negative, layout.flags.plus, layout.flags.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            (false, false, false) => b"",
        }
    }

    fn unsigned(
        &mut self,
        layout: Layout,
        number: u64,
        radix: u64,
        upper: bool,
    ) -> Result<(), Stop<A::Error>> {
        let prefix: &[u8] = match (radix, layout.flags.alternate && number != 0, upper) {
            (16, true, false) => b"0x",
            (16, true, true) => b"0X",
            (2, true, false) => b"0b",
            (2, true, true) => b"0B",
            _ => b"",
        };
        self.number(layout, prefix, number, radix, upper)
    }

    fn pointer(&mut self, layout: Layout, address: u64) -> Result<(), Stop<A::Error>> {
        if address == 0 {
            return self.text(b"(nil)", layout);
        }
        let prefix: &[u8] = match self.sign(layout, false) {
            b"+" => b"+0x",
            b" " => b" 0x",
            _ => b"0x",
        };
        self.number(layout, prefix, address, 16, false)
    }

    /// An integer with its prefix (sign or `0x`), precision and padding.
    fn number(
        &mut self,
        layout: Layout,
        prefix: &[u8],
        mut number: u64,
        radix: u64,
        upper: bool,
    ) -> Result<(), Stop<A::Error>> {
        let mut buffer = [0u8; 64];
        let mut start = buffer.len();
        let letters = if upper { b'A' - 10 } else { b'a' - 10 };
        while number != 0 {
            // Written out by radix so that the compiler needs no division.
            let digit = match radix {
                10 => {
                    let digit = number % 10;
                    number /= 10;
                    digit
                }
                16 => {
                    let digit = number & 15;
                    number >>= 4;
                    digit
                }
                8 => {
                    let digit = number & 7;
                    number >>= 3;
                    digit
                }
                _ => {
                    let digit = number & 1;
                    number >>= 1;
                    digit
                }
            } as u8;
            start -= 1;
            buffer[start] = digit + if digit < 10 { b'0' } else { letters };
        }
        let digits = &buffer[start..];
        let mut zeros = layout.precision.unwrap_or(1).saturating_sub(digits.len());
        if radix == 8 && layout.flags.alternate && zeros == 0 {
            zeros = 1;
        }
        let length = prefix.len() + zeros + digits.len();
        if layout.flags.zero && !layout.flags.left && layout.precision.is_none() {
            zeros += layout.width.saturating_sub(length);
        }
        let start = self.output.bytes.len();
        self.reserve(prefix.len() + zeros + digits.len())?;
        let out = &mut self.output.bytes;
        out.extend_from_slice(prefix);
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(digits);
        self.pad(start, layout)
    }

    /// Pads what was written since `start` with spaces to the width.
    fn pad(&mut self, start: usize, layout: Layout) -> Result<(), Stop<A::Error>> {
        let length = self.output.bytes.len() - start;
        let missing = layout.width.saturating_sub(length);
        self.reserve(missing)?;
        if missing == 0 {
            return Ok(());
        }
        let out = &mut self.output.bytes;
        out.resize(start + length + missing, b' ');
        if !layout.flags.left {
            out.copy_within(start..start + length, start + missing);
            out[start..start + missing].fill(b' ');
        }
        Ok(())
    }

    fn text(&mut self, text: &[u8], layout: Layout) -> Result<(), Stop<A::Error>> {
        let start = self.output.bytes.len();
        self.reserve(text.len())?;
        self.output.bytes.extend_from_slice(text);
        self.pad(start, layout)
    }

    fn string(&mut self, layout: Layout, address: u64) -> Result<(), Stop<A::Error>> {
        if address == 0 {
            return self.text(null_text(layout), layout);
        }
        let start = self.output.bytes.len();
        let room = self.limit - start;
        let limit = layout.precision.unwrap_or(usize::MAX).min(room + 1);
        self.arguments.read_string(address, limit, &mut self.output.bytes)?;
        if self.output.bytes.len() - start > room {
            self.output.bytes.truncate(start);
            return self.reserve(room + 1);
        }
        self.pad(start, layout)
    }

    fn wide_string(&mut self, layout: Layout, address: u64) -> Result<(), Stop<A::Error>> {
        if address == 0 {
            return self.text(null_text(layout), layout);
        }
        let room = self.limit - self.output.bytes.len();
        let limit = layout.precision.unwrap_or(usize::MAX).min(room + 1);
        let mut characters = Vec::new();
        self.arguments.read_wide_string(address, limit, &mut characters)?;
        self.reserve(characters.len())?;
        self.wide(&characters, layout)
    }

    /// Wide characters in the C locale: only ASCII has a multibyte form.
    fn wide(&mut self, characters: &[u32], layout: Layout) -> Result<(), Stop<A::Error>> {
        if characters.iter().any(|&character| character > 0x7f) {
            return Err(Stop::Failed(Errno::EILSEQ));
        }
        let start = self.output.bytes.len();
        let narrow = characters.iter().map(|&character| character as u8);
        self.output.bytes.extend(narrow);
        self.pad(start, layout)
    }

    fn float(&mut self, spec: &Spec, layout: Layout, float: Float) -> Result<(), Stop<A::Error>> {
        let start = self.output.bytes.len();
        let sign = self.sign(layout, float.negative);
        self.output.bytes.extend_from_slice(sign);
        let (mantissa, exponent) = match (float.kind, spec.upper) {
            (FloatKind::Infinite, false) => return self.word(b"inf", start, layout),
            (FloatKind::Infinite, true) => return self.word(b"INF", start, layout),
            (FloatKind::Nan, false) => return self.word(b"nan", start, layout),
            (FloatKind::Nan, true) => return self.word(b"NAN", start, layout),
            (FloatKind::Finite { mantissa, exponent }, _) => (mantissa, exponent),
        };
        let alternate = layout.flags.alternate;
        let hex = spec.conversion == Conversion::HexFloat;
        if hex {
            let prefix = if spec.upper { b"0X" } else { b"0x" };
            self.output.bytes.extend_from_slice(prefix);
        }
        let body = self.output.bytes.len();
        // All digits of `%f` and `%e` are written; `%g` without `#` drops trailing zeros.
        let general = spec.conversion == Conversion::Float(Notation::General) && !alternate;
        if !general {
            self.reserve(layout.precision.unwrap_or(0).saturating_add(1))?;
        }
        let out = &mut self.output.bytes;
        match spec.conversion {
            Conversion::Float(notation) => decimal::write_decimal(
                (mantissa, exponent),
                notation,
                layout.precision.unwrap_or(6),
                alternate,
                spec.upper,
                out,
            ),
            _ => decimal::write_hex(float, layout.precision, alternate, spec.upper, out),
        }
        self.reserve(0)?;
        if layout.flags.zero && !layout.flags.left {
            let length = self.output.bytes.len() - start;
            let missing = layout.width.saturating_sub(length);
            let out = &mut self.output.bytes;
            out.resize(out.len() + missing, b'0');
            out[body..].rotate_right(missing);
            return Ok(());
        }
        self.pad(start, layout)
    }

    fn word(&mut self, word: &[u8], start: usize, layout: Layout) -> Result<(), Stop<A::Error>> {
        self.output.bytes.extend_from_slice(word);
        self.pad(start, layout)
    }
}

fn truncate(integer: u64, spec: &Spec) -> u64 {
    integer & u64::MAX >> (64 - 8 * spec.integer_size())
}

/// glibc writes `(null)` only where all of it fits.
fn null_text(layout: Layout) -> &'static [u8] {
    match layout.precision {
        Some(..6) => b"",
        _ => b"(null)",
    }
}
