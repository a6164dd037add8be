//! Encodes an input as the assignment that decodes to it, or says why there is none.
//!
//! Parameters may have fewer elements or members than declared: the rest is zero, as in a C
//! initialiser.

use std::fmt;

use super::decode::without_zeros;
use super::{End, Layout, Source};
use crate::cell::mask;
use crate::shape::{Buffer, Form, Param, Pointer, Raw, Scalar, ScalarKind, Shape};
use crate::{CellId, Domain, Input, Value, float};

/// Why an input is not in a space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct Mismatch {
    /// `argument 2`, `standard input`, `the file a.txt`, `the parameter p`.
    pub place: String,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The number found, and the declared minimum and maximum.
    Count {
        what: &'static str,
        found: usize,
        least: usize,
        most: usize,
    },
    /// A number or byte outside of the declared range.
    Outside {
        found: String,
    },
    /// The text is not among the declared ones.
    NotAmong {
        found: String,
    },
    /// Not a decimal number without leading zeros.
    NotDecimal {
        found: String,
    },
    /// A line without its newline at the end of standard input or a file.
    NoNewline,
    /// Given but not declared.
    Undeclared,
    /// Declared but not given.
    Missing,
    /// A value of another kind than the type needs.
    WrongKind {
        found: &'static str,
        wanted: String,
    },
    NoMember {
        member: String,
    },
    /// Given as the same object as another parameter.
    NoAlias {
        of: String,
    },
    /// Contradicts the pointers and numbers beside it.
    Inconsistent {
        found: String,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Count { what, found, least, most } if least == most => {
                write!(f, "{found} {what} where exactly {most} are declared")
            }
            Reason::Count { what, found, least, most } => {
                write!(f, "{found} {what} where {least} to {most} are declared")
            }
            Reason::Outside { found } => write!(f, "{found} is outside of what is declared"),
            Reason::NotAmong { found } => write!(f, "`{found}` is none of the declared choices"),
            Reason::NotDecimal { found } => write!(f, "`{found}` is not a plain decimal number"),
            Reason::NoNewline => f.write_str("the last line has no newline"),
            Reason::Undeclared => f.write_str("it is given but not declared"),
            Reason::Missing => f.write_str("it is declared but not given"),
            Reason::WrongKind { found, wanted } => write!(f, "{found} cannot be a `{wanted}`"),
            Reason::NoMember { member } => write!(f, "there is no member `{member}`"),
            Reason::NoAlias { of } => write!(
                f,
                "it cannot be the same object as `{of}` (--alias allows it for pointers to the \
                 same type, and the memory is that of the larger one, or of the first)"
            ),
            Reason::Inconsistent { found } => write!(
                f,
                "{found} does not fit the pointer or length beside it (--assume none allows it)"
            ),
        }
    }
}

impl Layout {
    /// The assignment that decodes to this input.
    pub fn encode(&self, input: &Input) -> Result<Vec<u64>, Mismatch> {
        let mut cells: Vec<u64> = self.cells.values().map(|cell| default(&cell.domain)).collect();
        self.encode_args(&input.args, &mut cells)?;
        let at_stdin = |reason| Mismatch { place: "standard input".to_owned(), reason };
        match &self.stdin {
            Some(source) => self.encode_text(source, &input.stdin, &mut cells).map_err(at_stdin)?,
            None if input.stdin.is_empty() => {}
            None => return Err(at_stdin(Reason::Undeclared)),
        }
        self.encode_files(&input.files, &mut cells)?;
        let mut next = self.first_param_cell;
        let space = &self.space;
        let mut wanted = Vec::new();
        let mut encode = |kind, params, values| {
            encode_params(kind, params, values, &mut cells, &mut next, &mut wanted)
        };
        encode("the parameter", &space.params, &input.params)?;
        next += self.aliases.len();
        let mut encode = |kind, params, values| {
            encode_params(kind, params, values, &mut cells, &mut next, &mut wanted)
        };
        encode("the global", &space.globals, &input.globals)?;
        self.encode_aliases(input, &mut cells)?;
        self.check_settled(&cells, &wanted)?;
        Ok(cells)
    }

    /// Whether derived cells stand for the given values.
    fn check_settled(&self, cells: &[u64], wanted: &[(usize, u64)]) -> Result<(), Mismatch> {
        let settled = self.settled(cells);
        for &(position, bits) in wanted {
            if settled[position] != bits {
                let cell = &self.cells[CellId::at(position as u32)];
                let found = cell.domain.decode(bits).to_string();
                let reason = Reason::Inconsistent { found };
                return Err(Mismatch { place: cell.name.clone(), reason });
            }
        }
        Ok(())
    }

    fn encode_args(&self, args: &[Vec<u8>], cells: &mut [u64]) -> Result<(), Mismatch> {
        let (least, most) = (self.space.args_min.min(self.args.len()), self.args.len());
        if args.len() < least || args.len() > most {
            let reason = Reason::Count { what: "arguments", found: args.len(), least, most };
            return Err(Mismatch { place: "the arguments".to_owned(), reason });
        }
        if let Some(cell) = self.arg_count {
            cells[cell.position()] = args.len() as u64;
        }
        for (index, (source, text)) in self.args.iter().zip(args).enumerate() {
            let place = |reason| Mismatch { place: format!("argument {}", index + 1), reason };
            self.encode_text(source, text, cells).map_err(place)?;
        }
        Ok(())
    }

    fn encode_files(&self, files: &[(String, Vec<u8>)], cells: &mut [u64]) -> Result<(), Mismatch> {
        let place = |name: &str, reason| Mismatch { place: format!("the file {name}"), reason };
        let unknown = |name: &&String| self.files.iter().all(|(known, _)| known != *name);
        if let Some(name) = files.iter().map(|(name, _)| name).find(unknown) {
            return Err(place(name, Reason::Undeclared));
        }
        for ((name, source), missing) in self.files.iter().zip(&self.missing) {
            let Some((_, text)) = files.iter().find(|(given, _)| given == name) else {
                let cell = missing.ok_or_else(|| place(name, Reason::Missing))?;
                cells[cell.position()] = 1;
                continue;
            };
            self.encode_text(source, text, cells).map_err(|reason| place(name, reason))?;
        }
        Ok(())
    }

    fn encode_text(&self, source: &Source, text: &[u8], cells: &mut [u64]) -> Result<(), Reason> {
        match source {
            Source::Literal(bytes) if bytes == text => Ok(()),
            Source::Literal(_) => Err(Reason::NotAmong { found: shown(text) }),
            Source::Decimal { cell, .. } => self.encode_decimal(*cell, text, cells),
            Source::Choice { cell, texts } => {
                let position = texts.iter().position(|known| known == text);
                let position = position.ok_or_else(|| Reason::NotAmong { found: shown(text) })?;
                cells[cell.position()] = position as u64;
                Ok(())
            }
            Source::Bytes { cells: range, end } => {
                let count = range.count as usize;
                let least = if *end == End::Last { count } else { 0 };
                check_count("bytes", text.len(), least, count)?;
                if let End::Length(cell) = end {
                    cells[cell.position()] = text.len() as u64;
                }
                for (cell, &byte) in range.iter().zip(text) {
                    let outside = byte == 0 && *end == End::Zero;
                    if outside || !self.cells[cell].domain.contains(u64::from(byte)) {
                        return Err(Reason::Outside { found: shown_byte(byte) });
                    }
                    cells[cell.position()] = u64::from(byte);
                }
                Ok(())
            }
            Source::Lines { count, lines } => self.encode_lines(*count, lines, text, cells),
        }
    }

    fn encode_decimal(&self, cell: CellId, text: &[u8], cells: &mut [u64]) -> Result<(), Reason> {
        let number = decimal(text).ok_or_else(|| Reason::NotDecimal { found: shown(text) })?;
        let domain = &self.cells[cell].domain;
        if !domain.contains_number(i128::from(number)) {
            return Err(Reason::Outside { found: number.to_string() });
        }
        cells[cell.position()] = domain.encode(i128::from(number));
        Ok(())
    }

    fn encode_lines(
        &self,
        count: Option<CellId>,
        lines: &[Source],
        text: &[u8],
        cells: &mut [u64],
    ) -> Result<(), Reason> {
        let given: Vec<&[u8]> = match text.strip_suffix(b"\n") {
            Some(text) => text.split(|&byte| byte == b'\n').collect(),
            None if text.is_empty() => Vec::new(),
            None => return Err(Reason::NoNewline),
        };
        let least = if count.is_some() { 0 } else { lines.len() };
        check_count("lines", given.len(), least, lines.len())?;
        if let Some(cell) = count {
            cells[cell.position()] = given.len() as u64;
        }
        for (source, line) in lines.iter().zip(given) {
            self.encode_text(source, line, cells)?;
        }
        Ok(())
    }
}

fn encode_params(
    kind: &str,
    params: &[Param],
    values: &[(String, Value)],
    cells: &mut [u64],
    next: &mut usize,
    wanted: &mut Vec<(usize, u64)>,
) -> Result<(), Mismatch> {
    let place = |name: &str, reason| Mismatch { place: format!("{kind} {name}"), reason };
    let unknown = |name: &&String| params.iter().all(|param| param.name != **name);
    if let Some(name) = values.iter().map(|(name, _)| name).find(unknown) {
        return Err(place(name, Reason::Undeclared));
    }
    for param in params {
        let Some((_, value)) = values.iter().find(|(name, _)| *name == param.name) else {
            return Err(place(&param.name, Reason::Missing));
        };
        let mut walk = Walk { cells, next: *next, wanted };
        // The same as another parameter; its own memory does not matter.
        let is_same = matches!(
            (&param.shape.form, value),
            (Form::Pointer(Pointer::Buffer(_)), Value::Inside { .. })
        );
        walk.value(&param.shape, Some(value).filter(|_| !is_same))
            .map_err(|reason| place(&param.name, reason))?;
        let first = std::mem::replace(next, walk.next);
        if let (true, Form::Pointer(Pointer::Buffer(Buffer { nullable: true, .. }))) =
            (is_same, &param.shape.form)
        {
            cells[first] = 0;
        }
        check_inside(&param.shape, Some(value), values)
            .map_err(|reason| place(&param.name, reason))?;
    }
    Ok(())
}

/// Fills cells in the order in which the layout made them. Without a value, each is zero, or the
/// first allowed value if zero is not allowed.
struct Walk<'a> {
    cells: &'a mut [u64],
    next: usize,
    /// The values that derived cells must stand for.
    wanted: &'a mut Vec<(usize, u64)>,
}

impl Walk<'_> {
    fn put(&mut self, bits: u64) {
        self.cells[self.next] = bits;
        self.next += 1;
    }

    fn value(&mut self, shape: &Shape, value: Option<&Value>) -> Result<(), Reason> {
        match &shape.form {
            Form::Scalar(scalar) => {
                let bits = match value {
                    // The domain may be that of a pointer that is not null.
                    Some(Value::Int(0)) if scalar.tie.is_some() => default(&scalar.domain),
                    Some(value) => scalar_bits(shape, scalar, value)?,
                    None => default(&scalar.domain),
                };
                if let (Some(Value::Int(number)), true) = (value, scalar.tie.is_some()) {
                    self.wanted.push((self.next, scalar.domain.encode(*number)));
                }
                self.put(bits);
            }
            Form::Raw { kind, bits } => self.raw(shape, *kind, *bits, value)?,
            Form::Fixed(bytes) => match value {
                // The notation omits zeros at the end of a string.
                Some(Value::Bytes(given))
                    if bytes.starts_with(given)
                        && without_zeros(bytes.clone()).len() <= given.len() => {}
                None => {}
                Some(_) => return Err(Reason::NotAmong { found: "another value".to_owned() }),
            },
            Form::Struct(_) => self.members(shape, value)?,
            Form::Array { element, count } => self.array(shape, element, *count, value)?,
            Form::Pointer(pointer) => self.pointer(shape, pointer, value)?,
        }
        Ok(())
    }

    fn raw(
        &mut self,
        shape: &Shape,
        kind: Raw,
        bits: u64,
        value: Option<&Value>,
    ) -> Result<(), Reason> {
        let whole = match (kind, value) {
            (_, None) => 0,
            (Raw::Union, Some(value)) => return self.union(shape, bits, value),
            (Raw::LongDouble, Some(Value::Float(number))) => float::extended_bits(*number),
            (Raw::LongDouble, Some(Value::Int(number))) => {
                float::extended_bits(exact(*number, shape)?)
            }
            (Raw::SignedInt | Raw::UnsignedInt, Some(Value::Int(number))) => {
                if kind == Raw::UnsignedInt && *number < 0 {
                    return Err(Reason::Outside { found: number.to_string() });
                }
                *number as u128
            }
            (_, Some(Value::Bits(whole))) => *whole,
            (_, Some(value)) => return Err(wrong_kind(shape, value)),
        };
        if bits < 128 && whole >> bits != 0 {
            return Err(Reason::Outside { found: format!("{whole:#x}") });
        }
        for (at, width) in kind.pieces(bits) {
            self.put((whole >> at) as u64 & mask(width));
        }
        Ok(())
    }

    fn union(&mut self, shape: &Shape, bits: u64, value: &Value) -> Result<(), Reason> {
        let Value::Bytes(bytes) = value else { return Err(wrong_kind(shape, value)) };
        let size = (bits / 8) as usize;
        check_count("bytes", bytes.len(), 0, size)?;
        for index in 0..size {
            self.put(u64::from(bytes.get(index).copied().unwrap_or(0)));
        }
        Ok(())
    }

    fn members(&mut self, shape: &Shape, value: Option<&Value>) -> Result<(), Reason> {
        let Form::Struct(fields) = &shape.form else { return Ok(()) };
        let given: &[(String, Value)] = match value {
            None => &[],
            Some(Value::Struct(members)) => members,
            Some(value) => return Err(wrong_kind(shape, value)),
        };
        let unknown = |name: &&String| fields.iter().all(|field| field.name != **name);
        if let Some(member) = given.iter().map(|(name, _)| name).find(unknown) {
            return Err(Reason::NoMember { member: member.clone() });
        }
        for field in fields {
            let member = given.iter().find(|(name, _)| *name == field.name);
            let value = member.map(|(_, value)| value);
            self.value(&field.shape, value)?;
            check_inside(&field.shape, value, given)?;
        }
        Ok(())
    }

    fn array(
        &mut self,
        shape: &Shape,
        element: &Shape,
        count: u64,
        value: Option<&Value>,
    ) -> Result<(), Reason> {
        let count = count as usize;
        let characters;
        let given: &[Value] = match value {
            None => &[],
            Some(Value::Array(elements)) => elements,
            Some(Value::Bytes(bytes)) if element.size == 1 => {
                characters = bytes.iter().map(|&byte| character(element, byte)).collect::<Vec<_>>();
                &characters
            }
            Some(value) => return Err(wrong_kind(shape, value)),
        };
        check_count("elements", given.len(), 0, count)?;
        (0..count).try_for_each(|index| self.value(element, given.get(index)))
    }

    fn pointer(
        &mut self,
        shape: &Shape,
        pointer: &Pointer,
        value: Option<&Value>,
    ) -> Result<(), Reason> {
        match (pointer, value) {
            (Pointer::Null, None | Some(Value::Null)) => Ok(()),
            (Pointer::Function(_), None) => Ok(()),
            (Pointer::Function(name), Some(Value::Function(given))) if name == given => Ok(()),
            (Pointer::Buffer(buffer), value) => self.buffer(shape, buffer, value),
            (Pointer::Inside(_), None | Some(Value::Null)) => {
                self.put(0);
                Ok(())
            }
            (Pointer::Inside(inside), Some(Value::Inside { of, offset })) => {
                if *of != inside.of || *offset > inside.count {
                    return Err(Reason::Inconsistent { found: format!("{of}+{offset}") });
                }
                if inside.most.is_some() {
                    self.wanted.push((self.next, *offset));
                }
                self.put(*offset);
                Ok(())
            }
            (_, Some(value)) => Err(wrong_kind(shape, value)),
        }
    }

    fn buffer(
        &mut self,
        shape: &Shape,
        buffer: &Buffer,
        value: Option<&Value>,
    ) -> Result<(), Reason> {
        let null = matches!(value, None | Some(Value::Null)) && buffer.nullable;
        if buffer.nullable {
            self.put(u64::from(null));
        }
        let target = &*buffer.target;
        match (value, &target.form) {
            (Some(Value::Null), _) if !null => Err(wrong_kind(shape, &Value::Null)),
            _ if null => self.value(target, None),
            // One element may stand for itself.
            (Some(value), Form::Array { element, count: 1 })
                if !matches!(value, Value::Array(_) | Value::Bytes(_)) =>
            {
                self.value(element, Some(value))
            }
            (value, _) => self.value(target, value),
        }
    }
}

/// A pointer into the memory of a neighbour is null exactly if the neighbour is.
fn check_inside(
    shape: &Shape,
    value: Option<&Value>,
    neighbours: &[(String, Value)],
) -> Result<(), Reason> {
    let Form::Pointer(Pointer::Inside(inside)) = &shape.form else { return Ok(()) };
    let neighbour = neighbours.iter().find(|(name, _)| *name == inside.of);
    let there = neighbour.is_some_and(|(_, value)| *value != Value::Null);
    let given = value.is_some_and(|value| *value != Value::Null);
    if there == given {
        return Ok(());
    }
    let found = if given { "an address" } else { "null" };
    Err(Reason::Inconsistent { found: found.to_owned() })
}

/// A byte as a number of the element's type.
fn character(element: &Shape, byte: u8) -> Value {
    let number = match &element.form {
        Form::Scalar(scalar) => scalar.domain.decode(u64::from(byte)),
        _ => i128::from(byte),
    };
    Value::Int(number)
}

fn scalar_bits(shape: &Shape, scalar: &Scalar, value: &Value) -> Result<u64, Reason> {
    let bits = match (&scalar.kind, value) {
        (_, Value::Bits(bits)) => match u64::try_from(*bits) {
            Ok(bits) if bits & !mask(scalar.bits) == 0 => bits,
            _ => return Err(Reason::Outside { found: format!("{bits:#x}") }),
        },
        (ScalarKind::Float, Value::Float(number)) => float_bits(shape, scalar.bits, *number)?,
        (ScalarKind::Float, Value::Int(number)) => {
            float_bits(shape, scalar.bits, exact(*number, shape)?)?
        }
        (ScalarKind::Float, _) | (_, Value::Float(_)) => return Err(wrong_kind(shape, value)),
        (_, Value::Int(number)) => {
            if !scalar.domain.contains_number(*number) {
                return Err(Reason::Outside { found: number.to_string() });
            }
            scalar.domain.encode(*number)
        }
        (ScalarKind::Enum(names), Value::Bytes(text)) => {
            let named = names.iter().find(|(name, _)| name.as_bytes() == text);
            let (_, number) = named.ok_or_else(|| Reason::NotAmong { found: shown(text) })?;
            scalar.domain.encode(*number)
        }
        _ => return Err(wrong_kind(shape, value)),
    };
    if scalar.domain.contains(bits) {
        Ok(bits)
    } else {
        Err(Reason::Outside { found: scalar.domain.decode(bits).to_string() })
    }
}

fn float_bits(shape: &Shape, width: u32, number: f64) -> Result<u64, Reason> {
    let single = number as f32;
    match width {
        64 => Ok(number.to_bits()),
        32 if f64::from(single) == number || number.is_nan() => Ok(u64::from(single.to_bits())),
        _ => Err(Reason::Outside { found: format!("{number} as a `{}`", shape.ty) }),
    }
}

/// The number as a `double`, if that is exact.
fn exact(number: i128, shape: &Shape) -> Result<f64, Reason> {
    let float = number as f64;
    if float as i128 == number {
        Ok(float)
    } else {
        Err(Reason::Outside { found: format!("{number} as a `{}`", shape.ty) })
    }
}

/// The number, if the text is its shortest decimal form.
pub(crate) fn decimal(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let number: i64 = text.parse().ok()?;
    (itoa::Buffer::new().format(number) == text).then_some(number)
}

fn default(domain: &Domain) -> u64 {
    if domain.contains(0) { 0 } else { domain.nth(0) }
}

fn check_count(what: &'static str, found: usize, least: usize, most: usize) -> Result<(), Reason> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(Reason::Count { what, found, least, most })
    }
}

fn wrong_kind(shape: &Shape, value: &Value) -> Reason {
    let found = match value {
        Value::Int(_) => "a whole number",
        Value::Float(_) => "a number with a fraction",
        Value::Bits(_) => "a pattern of bits",
        Value::Bytes(_) => "a text",
        Value::Array(_) => "a list",
        Value::Struct(_) => "an object with members",
        Value::Null => "null",
        Value::Function(_) => "a function",
        Value::Inside { .. } => "an address in other memory",
    };
    Reason::WrongKind { found, wanted: shape.ty.clone() }
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

fn shown_byte(byte: u8) -> String {
    match byte {
        b'!'..=b'~' => format!("the byte `{}`", byte as char),
        _ => format!("the byte {byte:#04x}"),
    }
}
