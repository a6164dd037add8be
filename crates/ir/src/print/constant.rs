//! The text form of constants.

use std::fmt::{self, Display};

use super::{Detail, Printer, quoted};
use crate::{Const, FloatKind, Type, TypedConst};

impl Printer<'_> {
    /// A constant with its type.
    pub(super) fn constant<'a>(&'a self, constant: &'a TypedConst) -> impl Display + 'a {
        ConstText { printer: self, constant }
    }
}

struct ConstText<'a> {
    printer: &'a Printer<'a>,
    constant: &'a TypedConst,
}

impl Display for ConstText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TypedConst { ty, value } = self.constant;
        if self.printer.detail == Detail::Full {
            write!(f, "{} ", self.printer.ty(*ty))?;
        }
        let part = |constant| ConstText { printer: self.printer, constant };
        let symbols = &self.printer.symbols;
        match value {
            Const::Int(value) => self.integer(f, *value),
            Const::Float(bits) => self.float(f, *bits),
            Const::Null => f.write_str("null"),
            Const::Undef => f.write_str("undef"),
            Const::Zero => f.write_str("zero"),
            Const::Bytes(bytes) => write!(f, "bytes {}", quoted(bytes)),
            Const::Elements(elements) => {
                f.write_str("{")?;
                for (index, element) in elements.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    part(element).fmt(f)?;
                }
                f.write_str("}")
            }
            Const::Global(global) => f.write_str(&symbols[*global]),
            Const::Function(function) => f.write_str(&symbols[*function]),
            Const::Block(function, block) => write!(f, "block({}, {block})", symbols[*function]),
            Const::Offset { base, bytes } => write!(f, "offset({}, {bytes})", part(base)),
            Const::Binary { op, lhs, rhs } => {
                write!(f, "{}({}, {})", op.name(), part(lhs), part(rhs))
            }
            Const::Compare { op, lhs, rhs } => {
                write!(f, "{}({}, {})", op.name(), part(lhs), part(rhs))
            }
            Const::Cast { op, value } => write!(f, "{}({})", op.name(), part(value)),
        }
    }
}

impl ConstText<'_> {
    /// As a signed number, unless the bits do not fit the type.
    fn integer(&self, f: &mut fmt::Formatter<'_>, value: u128) -> fmt::Result {
        match *self.printer.module.types.get(self.constant.ty) {
            Type::Int(bits @ 2..=128) if is_negative(value, bits) => {
                write!(f, "-{}", (value | ones_above(bits)).wrapping_neg())
            }
            _ => write!(f, "{value}"),
        }
    }

    /// As a decimal number where that gives the same bits back.
    fn float(&self, f: &mut fmt::Formatter<'_>, bits: u128) -> fmt::Result {
        match *self.printer.module.types.get(self.constant.ty) {
            Type::Float(FloatKind::Double) => {
                if let Ok(bits) = u64::try_from(bits)
                    && f64::from_bits(bits).is_finite()
                {
                    return write!(f, "{:?}", f64::from_bits(bits));
                }
            }
            Type::Float(FloatKind::Single) => {
                if let Ok(bits) = u32::try_from(bits)
                    && f32::from_bits(bits).is_finite()
                {
                    return write!(f, "{:?}", f32::from_bits(bits));
                }
            }
            // Other formats have no decimal form here.
            _ => {}
        }
        write!(f, "bits {bits:#x}")
    }
}

/// Whether the number is negative as a signed one of that many bits.
fn is_negative(value: u128, bits: u32) -> bool {
    value & ones_above(bits) == 0 && value >> (bits - 1) == 1
}

/// All bits from `bits` on upwards; none for 128.
fn ones_above(bits: u32) -> u128 {
    u128::MAX.checked_shl(bits).unwrap_or(0)
}
