//! Undefined operations that do not end a run as faults.
//!
//! The machine continues as the hardware does. The compiler's output decides which operations are
//! watched: signed arithmetic that it marks as not overflowing (`nsw`), every shift, every
//! conversion of a `float` or `double` to an integer, offsets to pointers within objects
//! (`inbounds`), accesses with the alignment that it assumes, and reads of uninitialised memory. A
//! left shift that moves bits into or out of the sign is not marked there, and not detected.
//! Objects have the largest alignment, so an address is misaligned only by its offset from the
//! start of its object.

use base::bits::signed;
use ir::{BinaryOp, CastOp};

use crate::code::Scalar;
use crate::stop::Site;

/// The largest number of places recorded for a run.
const MOST_PLACES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UndefinedKind {
    /// The result of signed arithmetic does not fit its type.
    Overflow,
    /// A shift by a negative amount, or by the width of its operand or more.
    Shift,
    /// A floating-point number is converted to an integer type that cannot represent it.
    Conversion,
    /// An offset is added to null, or an empty copy begins at null.
    Null,
    /// An access at an address with less alignment than its type requires.
    Alignment,
    /// A read of uninitialised memory.
    Uninitialised,
}

impl UndefinedKind {
    pub const ALL: [UndefinedKind; 6] = [
        UndefinedKind::Overflow,
        UndefinedKind::Shift,
        UndefinedKind::Conversion,
        UndefinedKind::Null,
        UndefinedKind::Alignment,
        UndefinedKind::Uninitialised,
    ];

    /// In the words of the C standard, for messages.
    pub fn name(self) -> &'static str {
        match self {
            UndefinedKind::Overflow => "signed integer overflow",
            UndefinedKind::Shift => "shift by a negative amount or by the width or more",
            UndefinedKind::Conversion => "conversion of a number that is out of range of the type",
            UndefinedKind::Null => "use of a null pointer",
            UndefinedKind::Alignment => "misaligned access",
            UndefinedKind::Uninitialised => "use of memory that was never written",
        }
    }
}

/// The undefined operations of a run, each place once, in the order of the first time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndefinedOperations {
    places: Vec<(UndefinedKind, Site)>,
}

impl UndefinedOperations {
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&mut self, kind: UndefinedKind, site: Site) {
        let is_known = self.places.contains(&(kind, site));
        let has_kind = || self.places.iter().any(|(known, _)| *known == kind);
        if !is_known && (self.places.len() < MOST_PLACES || !has_kind()) {
            self.places.push((kind, site));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn places(&self) -> &[(UndefinedKind, Site)] {
        &self.places
    }

    /// The first place of an operation of a kind.
    pub fn first(&self, kind: UndefinedKind) -> Option<Site> {
        self.places.iter().find(|(known, _)| *known == kind).map(|(_, site)| *site)
    }

    pub(crate) fn clear(&mut self) {
        self.places.clear();
    }
}

/// What is undefined about an integer operation on these values, truncated to their width.
pub fn of_binary(op: BinaryOp, bits: u32, nsw: bool, a: u128, b: u128) -> Option<UndefinedKind> {
    let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
    if is_shift && b >= u128::from(bits) {
        return Some(UndefinedKind::Shift);
    }
    if !nsw {
        return None;
    }
    let (x, y) = (signed(a, bits), signed(b, bits));
    let exact = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        // The flag means something else for other operations, or nothing.
        _ => return None,
    };
    let fits = exact.is_some_and(|exact| signed(exact as u128, bits) == exact);
    (!fits).then_some(UndefinedKind::Overflow)
}

/// What is undefined about a conversion. Ignores numbers of more than 64 bits.
pub fn of_cast(op: CastOp, from: Scalar, to: Scalar, value: u128) -> Option<UndefinedKind> {
    let Scalar::Int(bits) = to else { return None };
    let value = match from {
        Scalar::F32 => f64::from(f32::from_bits(value as u32)),
        Scalar::F64 => f64::from_bits(value as u64),
        _ => return None,
    };
    let (lowest, beyond) = match op {
        CastOp::FpToSi => {
            let half = 2f64.powi(i32::from(bits) - 1);
            (-half, half)
        }
        CastOp::FpToUi => (0.0, 2f64.powi(i32::from(bits))),
        _ => return None,
    };
    let fits = value.trunc() >= lowest && value < beyond;
    (!fits).then_some(UndefinedKind::Conversion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_results_that_do_not_fit_overflow() {
        let add = |a: i32, b: i32, nsw| {
            let bits = |value: i32| u128::from(value as u32);
            of_binary(BinaryOp::Add, 32, nsw, bits(a), bits(b))
        };
        assert_eq!(add(i32::MAX, 1, true), Some(UndefinedKind::Overflow));
        assert_eq!(add(i32::MAX, 1, false), None);
        assert_eq!(add(i32::MIN, i32::MAX, true), None);
        let smallest = 1u128 << 127;
        let negated = of_binary(BinaryOp::Sub, 128, true, 0, smallest);
        assert_eq!(negated, Some(UndefinedKind::Overflow));
        let squared = of_binary(BinaryOp::Mul, 128, true, smallest, 2);
        assert_eq!(squared, Some(UndefinedKind::Overflow));
    }

    #[test]
    fn a_conversion_is_defined_if_the_whole_part_fits() {
        let to_char = |value: f64| {
            of_cast(CastOp::FpToSi, Scalar::F64, Scalar::Int(8), value.to_bits().into())
        };
        assert_eq!(to_char(-128.9), None);
        assert_eq!(to_char(127.9), None);
        assert_eq!(to_char(128.0), Some(UndefinedKind::Conversion));
        assert_eq!(to_char(f64::NAN), Some(UndefinedKind::Conversion));
        let to_unsigned = |value: f32| {
            of_cast(CastOp::FpToUi, Scalar::F32, Scalar::Int(64), value.to_bits().into())
        };
        assert_eq!(to_unsigned(-0.5), None);
        assert_eq!(to_unsigned(-1.0), Some(UndefinedKind::Conversion));
    }
}
