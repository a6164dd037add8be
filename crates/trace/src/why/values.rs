//! Values in readable form, from the types of the source.

use std::fmt;

use ir::{DebugType, DebugTypeId, Encoding, Module};

use crate::parts::{plain, size_of};

/// A value of the program.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Signed(i64),
    Unsigned(u64),
    Char(u8),
    Bool(bool),
    Float(f64),
    /// An enumerator.
    Name(String),
    Null,
    /// An address: what it points to.
    Address(String),
    Text(Vec<u8>),
    /// The members of a struct.
    Members(Vec<(String, Value)>),
    /// The elements of an array.
    Elements(Vec<Value>),
    /// How a run ended.
    Stop(exec::Stop),
    /// The case that a `switch` took; `None` is the default.
    Case(Option<i64>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Signed(value) => write!(f, "{value}"),
            Value::Unsigned(value) => write!(f, "{value}"),
            Value::Char(0) => f.write_str("'\\0'"),
            Value::Char(byte) => write!(f, "'{}'", byte.escape_ascii()),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Name(name) => f.write_str(name),
            Value::Null => f.write_str("NULL"),
            Value::Address(place) => write!(f, "&{place}"),
            Value::Members(members) => {
                let member = |(name, value): &(String, Value)| format!(".{name} = {value}");
                let members: Vec<String> = members.iter().map(member).collect();
                write!(f, "{{{}}}", members.join(", "))
            }
            Value::Elements(values) => {
                let values: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "{{{}}}", values.join(", "))
            }
            Value::Text(text) => write!(f, "\"{}\"", text.escape_ascii()),
            Value::Stop(exec::Stop::Exit(code)) => write!(f, "exit {code}"),
            Value::Stop(exec::Stop::Signal(signal)) => write!(f, "signal {signal}"),
            Value::Stop(exec::Stop::Fault(_)) => f.write_str("fault"),
            Value::Stop(exec::Stop::Unsupported(_)) => f.write_str("unsupported"),
            Value::Stop(exec::Stop::Exhausted(_)) => f.write_str("exhausted"),
            Value::Case(Some(case)) => write!(f, "case {case}"),
            Value::Case(None) => f.write_str("default"),
        }
    }
}

/// The most elements of an array to show.
const MOST_ELEMENTS: u64 = 8;

/// The value of some bytes, as far as they exist; `None` if it has no readable form.
pub(super) fn aggregate(module: &Module, ty: DebugTypeId, bytes: &[u8]) -> Option<Value> {
    let size = size_of(module, ty)? as usize;
    match plain(module, ty)? {
        DebugType::Struct { members, .. } => {
            let member = |member: &ir::DebugMember| {
                let start = (member.offset / 8) as usize;
                let value = aggregate(module, member.ty?, bytes.get(start..)?)?;
                (!member.bit_field).then(|| (member.name.clone(), value))
            };
            Some(Value::Members(members.iter().filter_map(member).collect()))
        }
        DebugType::Array { element: Some(element), lengths } => {
            let each = size_of(module, *element)?.max(1);
            if each == 1 && is_character(module, *element) {
                return Some(Value::Text(text(bytes)));
            }
            let count: u64 = lengths.iter().map(|length| length.unwrap_or(0)).product();
            let element =
                |index| aggregate(module, *element, bytes.get((index * each) as usize..)?);
            let values = (0..count.min(MOST_ELEMENTS)).filter_map(element).collect();
            Some(Value::Elements(values))
        }
        // The bits of an address do not show what it points to.
        DebugType::Pointer { .. } | DebugType::Union { .. } => None,
        _ if size <= 8 && size <= bytes.len() => {
            let bits =
                bytes[..size].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            Some(value(module, Some(ty), bits, size as u32))
        }
        _ => None,
    }
}

fn is_character(module: &Module, ty: DebugTypeId) -> bool {
    let character = |encoding| matches!(encoding, Encoding::SignedChar | Encoding::UnsignedChar);
    matches!(plain(module, ty), Some(DebugType::Base { encoding, .. }) if character(*encoding))
}

/// The bytes before the first NUL.
pub(super) fn text(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|&byte| byte != 0).collect()
}

/// Whether a type is a struct, a union or an array.
pub(super) fn is_aggregate(module: &Module, ty: DebugTypeId) -> bool {
    use DebugType::{Array, Struct, Union};
    matches!(plain(module, ty), Some(Struct { .. } | Union { .. } | Array { .. }))
}

/// The value of some bits of a type of the IR.
pub(super) fn plain_value(module: &Module, ty: ir::TypeId, bits: u64) -> Option<Value> {
    Some(match module.types.get(ty) {
        ir::Type::Int(1) => Value::Bool(bits & 1 == 1),
        ir::Type::Int(width) if *width <= 64 => {
            Value::Signed((bits << (64 - width)) as i64 >> (64 - width))
        }
        ir::Type::Float(ir::FloatKind::Single) => {
            Value::Float(f64::from(f32::from_bits(bits as u32)))
        }
        ir::Type::Float(ir::FloatKind::Double) => Value::Float(f64::from_bits(bits)),
        ir::Type::Ptr if bits == 0 => Value::Null,
        _ => return None,
    })
}

/// The value of some bits, lowest first.
pub(super) fn value(module: &Module, ty: Option<DebugTypeId>, bits: u64, size: u32) -> Value {
    let signed = |width: u64| {
        let shift = 64 - width.clamp(1, 64) as u32;
        (bits << shift) as i64 >> shift
    };
    let unsigned = |width: u64| bits & (u64::MAX >> (64 - width.clamp(1, 64) as u32));
    match ty.and_then(|ty| plain(module, ty)) {
        Some(DebugType::Base { bits: width, encoding, name }) => match encoding {
            Encoding::Signed => Value::Signed(signed(*width)),
            Encoding::Unsigned => Value::Unsigned(unsigned(*width)),
            // Bytes that are not called `char` are numbers.
            Encoding::SignedChar if name == "char" => Value::Char(bits as u8),
            Encoding::SignedChar => Value::Signed(signed(8)),
            Encoding::UnsignedChar => Value::Unsigned(unsigned(8)),
            Encoding::Boolean => Value::Bool(bits & 1 == 1),
            Encoding::Float if *width == 32 => Value::Float(f64::from(f32::from_bits(bits as u32))),
            Encoding::Float if *width == 64 => Value::Float(f64::from_bits(bits)),
            Encoding::Float | Encoding::Utf | Encoding::Other => Value::Unsigned(unsigned(*width)),
        },
        Some(DebugType::Enum { enumerators, bits: width, .. }) => {
            let value = signed(*width);
            let named = enumerators.iter().find(|(_, number)| *number == i128::from(value));
            named.map_or(Value::Signed(value), |(name, _)| Value::Name(name.clone()))
        }
        _ => Value::Signed(signed(8 * u64::from(size.clamp(1, 8)))),
    }
}
