//! Numbers: `%d %i %u %o %x %p` and the floats.

use super::super::decimal::{parse_f32, parse_f64, parse_x87};
use super::super::errno::Errno;
use super::{Length, Scan, Scanner, Spec, Step, Stop, Value};

impl<S: Scan> Scanner<'_, S> {
    pub(super) fn integer(&mut self, mut spec: Spec, mut base: u32) -> Step<(), S> {
        let address = self.pointer(&spec)?;
        let start = self.read;
        let mut current = Some(self.demand()?);
        let sign = current.filter(|byte| matches!(byte, b'-' | b'+'));
        if sign.is_some() {
            spec.spend();
            current = self.next()?;
        }
        let mut digits = Vec::new();
        if current == Some(b'0') && !spec.exhausted() {
            spec.spend();
            digits.push(b'0');
            current = self.next()?;
            let marked = matches!(current, Some(b'x' | b'X')) && !spec.exhausted();
            if marked && (base == 0 || base == 16) {
                base = 16;
                spec.spend();
                current = self.next()?;
            } else if base == 0 && !marked {
                base = 8;
            }
        }
        if base == 0 {
            base = 10;
        }
        while let Some(byte) = current
            && !spec.exhausted()
            && char::from(byte).is_digit(base)
        {
            digits.push(byte);
            spec.spend();
            current = self.next()?;
        }
        if digits.is_empty() {
            if sign.is_some() || spec.letter != b'p' || !self.nil(&spec)? {
                self.unget();
                return Err(Stop::Mismatch);
            }
        } else {
            self.unget();
        }
        let signed = matches!(spec.letter, b'd' | b'i');
        let (value, overflow) = convert(&digits, base, sign == Some(b'-'), signed);
        if overflow {
            self.target.set_errno(Errno::ERANGE);
        }
        let value = Value::Integer { size: spec.integer_size(), value };
        self.assign(address, value, start)
    }

    /// The rest of `(nil)`, which `%p` reads as a null pointer.
    fn nil(&mut self, spec: &Spec) -> Step<bool, S> {
        if self.current != Some(b'(') || spec.width.is_some_and(|width| width < 5) {
            return Ok(false);
        }
        for expected in *b"nil)" {
            let byte = self.next()?;
            if byte.map(|byte| byte.to_ascii_lowercase()) != Some(expected) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn float(&mut self, mut spec: Spec) -> Step<(), S> {
        let address = self.pointer(&spec)?;
        let start = self.read;
        let mut text = Vec::new();
        let mut byte = self.demand()?;
        spec.spend();
        if matches!(byte, b'-' | b'+') {
            text.push(byte);
            if spec.exhausted() {
                return Err(Stop::Mismatch);
            }
            // The end is an input failure only before anything was read.
            byte = self.next()?.ok_or(Stop::Mismatch)?;
            spec.spend();
        }
        match byte.to_ascii_lowercase() {
            b'n' => {
                text.push(byte);
                self.word(&mut spec, b"an", &mut text)?;
            }
            b'i' => {
                text.push(byte);
                self.infinity(&mut spec, &mut text)?;
            }
            _ => self.digits(&mut spec, byte, &mut text)?,
        }
        self.assign_float(spec, address, &text, start)
    }

    /// Exactly these letters, in either case.
    fn word(&mut self, spec: &mut Spec, letters: &[u8], text: &mut Vec<u8>) -> Step<(), S> {
        for &expected in letters {
            if spec.exhausted() {
                return Err(Stop::Mismatch);
            }
            let byte = self.next()?.ok_or(Stop::Mismatch)?;
            if byte.to_ascii_lowercase() != expected {
                return Err(Stop::Mismatch);
            }
            spec.spend();
            text.push(byte);
        }
        Ok(())
    }

    /// The rest of `inf` or `infinity`.
    fn infinity(&mut self, spec: &mut Spec, text: &mut Vec<u8>) -> Step<(), S> {
        self.word(spec, b"nf", text)?;
        if spec.exhausted() {
            return Ok(());
        }
        match self.next()? {
            Some(byte @ (b'i' | b'I')) => {
                spec.spend();
                text.push(byte);
                self.word(spec, b"nity", text)
            }
            _ => {
                self.unget();
                Ok(())
            }
        }
    }

    /// Digits, point and exponent, decimal or hexadecimal, as far as they look like a number.
    fn digits(&mut self, spec: &mut Spec, first: u8, text: &mut Vec<u8>) -> Step<(), S> {
        let signs = text.len();
        let mut current = Some(first);
        let mut hex = false;
        let mut got_digit = false;
        if first == b'0' && !spec.exhausted() {
            text.push(first);
            current = self.next()?;
            spec.spend();
            // The width covers the byte just read, so what is left decides about the next one.
            if let Some(byte @ (b'x' | b'X')) = current
                && !spec.exhausted()
            {
                text.push(byte);
                hex = true;
                current = self.next()?;
                spec.spend();
            } else {
                got_digit = true;
            }
        }
        let marker = if hex { b'p' } else { b'e' };
        let (mut got_point, mut got_exponent) = (false, false);
        while let Some(byte) = current {
            let after_marker = got_exponent && text.last() == Some(&marker);
            match byte {
                b'0'..=b'9' => got_digit = true,
                b'a'..=b'f' | b'A'..=b'F' if hex && !got_exponent => got_digit = true,
                b'+' | b'-' if after_marker => {}
                _ if got_digit && !got_exponent && byte.to_ascii_lowercase() == marker => {
                    (got_exponent, got_point) = (true, true);
                }
                b'.' if !got_point => got_point = true,
                _ => {
                    self.unget();
                    break;
                }
            }
            // The marker is kept in lower case so that a sign behind it is recognised.
            let is_marker = got_exponent && byte.to_ascii_lowercase() == marker;
            text.push(if is_marker { marker } else { byte });
            if spec.exhausted() {
                break;
            }
            current = self.next()?;
            spec.spend();
        }
        if text.len() == signs || hex && text.len() == signs + 2 {
            Err(Stop::Mismatch)
        } else {
            Ok(())
        }
    }

    fn assign_float(
        &mut self,
        spec: Spec,
        address: Option<u64>,
        text: &[u8],
        start: usize,
    ) -> Step<(), S> {
        let (value, length, range) = match spec.length {
            Length::LongLong => {
                let parsed = parse_x87(text);
                (Value::LongDouble(parsed.value), parsed.length, parsed.range)
            }
            Length::Long => {
                let parsed = parse_f64(text);
                (Value::Double(parsed.value), parsed.length, parsed.range)
            }
            Length::Default | Length::Char | Length::Short => {
                let parsed = parse_f32(text);
                (Value::Float(parsed.value), parsed.length, parsed.range)
            }
        };
        if range {
            self.target.set_errno(Errno::ERANGE);
        }
        if length == 0 {
            return Err(Stop::Mismatch);
        }
        self.assign(address, value, start)
    }
}

/// As `strtol` and `strtoul`: the value, clipped to the limits, and whether it was.
fn convert(digits: &[u8], base: u32, negative: bool, signed: bool) -> (u64, bool) {
    let mut magnitude = Some(0u64);
    for &byte in digits {
        let digit = char::from(byte).to_digit(base).unwrap_or(0);
        magnitude = magnitude
            .and_then(|sum| sum.checked_mul(u64::from(base)))
            .and_then(|sum| sum.checked_add(u64::from(digit)));
    }
    let limit = match (signed, negative) {
        (false, _) => u64::MAX,
        (true, false) => i64::MAX as u64,
        (true, true) => 1 << 63,
    };
    match magnitude {
        Some(magnitude) if magnitude <= limit => {
            (if negative { magnitude.wrapping_neg() } else { magnitude }, false)
        }
        _ => (limit, true),
    }
}
