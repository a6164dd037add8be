//! The result of a function, with numbers in decimal instead of their bits.

use effects::compare::{Behaviour, Compared, Witness};
use inputs::{Form, Scalar, ScalarKind};

/// The number in a C scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Single(f32),
    Double(f64),
}

impl Number {
    /// From bits; `None` for floats that are not finite or of unusual sizes.
    pub fn of(scalar: &Scalar, bits: u64) -> Option<Number> {
        match (&scalar.kind, scalar.bits) {
            (ScalarKind::Float, 32) => {
                Some(f32::from_bits(bits as u32)).filter(|n| n.is_finite()).map(Number::Single)
            }
            (ScalarKind::Float, 64) => {
                Some(f64::from_bits(bits)).filter(|n| n.is_finite()).map(Number::Double)
            }
            (ScalarKind::Float, _) => None,
            (ScalarKind::Int | ScalarKind::Char | ScalarKind::Enum(_), _) => {
                Some(Number::Int(scalar.domain.decode(bits)))
            }
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Int(number) => write!(f, "{number}"),
            Number::Single(number) => write!(f, "{number:?}"),
            Number::Double(number) => write!(f, "{number:?}"),
        }
    }
}

/// The results of OLD and NEW, if both are numbers.
pub(super) fn returned_numbers(compared: &Compared, witness: &Witness) -> Option<[Number; 2]> {
    let Form::Scalar(scalar) = &compared.signature.as_ref()?.returns.as_ref()?.form else {
        return None;
    };
    let number = |behaviour: &Behaviour| {
        let first = behaviour.native.result.as_ref()?.lines().next()?;
        let token = first.strip_prefix("return ")?;
        Number::of(scalar, u64::from_str_radix(token, 16).ok()?)
    };
    let numbers = [number(&witness.old)?, number(&witness.new)?];
    (numbers[0] != numbers[1]).then_some(numbers)
}
