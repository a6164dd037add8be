//! The class and sign of a float: the functions behind the macros of math.h.

use crate::shims::{Arguments, Group, ShimResult, int};

/// The values of `fpclassify`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Nan = 0,
    Infinite = 1,
    Zero = 2,
    Subnormal = 3,
    Normal = 4,
}

/// A float reduced to what the classification needs.
#[derive(Clone, Copy, Debug)]
struct Kind {
    class: Class,
    negative: bool,
    signaling: bool,
}

pub const SHIMS: Group = &[
    ("isinf __isinf", |_, args| is_infinite(of_double(args))),
    ("isinff __isinff", |_, args| is_infinite(of_float(args))),
    ("isinfl __isinfl", |_, args| is_infinite(of_long_double(args))),
    ("isnan __isnan", |_, args| is_nan(of_double(args))),
    ("isnanf __isnanf", |_, args| is_nan(of_float(args))),
    ("isnanl __isnanl", |_, args| is_nan(of_long_double(args))),
    ("finite __finite", |_, args| is_finite(of_double(args))),
    ("finitef __finitef", |_, args| is_finite(of_float(args))),
    ("finitel __finitel", |_, args| is_finite(of_long_double(args))),
    ("__fpclassify", |_, args| int(of_double(args).class as i32)),
    ("__fpclassifyf", |_, args| int(of_float(args).class as i32)),
    ("__fpclassifyl", |_, args| int(of_long_double(args).class as i32)),
    ("__signbit", |_, args| sign_bit(of_double(args), 0x80)),
    ("__signbitf", |_, args| sign_bit(of_float(args), 0x8)),
    ("__signbitl", |_, args| sign_bit(of_long_double(args), 0x200)),
    ("__issignaling", |_, args| int(i32::from(of_double(args).signaling))),
    ("__issignalingf", |_, args| int(i32::from(of_float(args).signaling))),
    ("__issignalingl", |_, args| int(i32::from(of_long_double(args).signaling))),
];

fn of_double(args: &Arguments<'_>) -> Kind {
    let bits = args.word(0);
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits << 12);
    kind(bits >> 63 != 0, exponent == 0, exponent == 0x7ff, fraction)
}

fn of_float(args: &Arguments<'_>) -> Kind {
    let bits = args.word(0) as u32;
    let (exponent, fraction) = (bits >> 23 & 0xff, u64::from(bits << 9) << 32);
    kind(bits >> 31 != 0, exponent == 0, exponent == 0xff, fraction)
}

fn of_long_double(args: &Arguments<'_>) -> Kind {
    let (mantissa, high) = args.long_double(0);
    let exponent = high & 0x7fff;
    let leading = mantissa >> 63 != 0;
    let negative = high >> 15 != 0;
    if exponent == 0 && leading {
        // A pseudo-denormal, which no arithmetic makes.
        return Kind { class: Class::Normal, negative, signaling: false };
    }
    if exponent != 0 && !leading {
        // An encoding that the processor rejects like a signaling NaN.
        return Kind { class: Class::Nan, negative, signaling: true };
    }
    kind(negative, exponent == 0, exponent == 0x7fff, mantissa << 1)
}

/// `fraction` has the fraction's bits at its top.
fn kind(negative: bool, lowest: bool, highest: bool, fraction: u64) -> Kind {
    let class = match (lowest, highest, fraction) {
        (_, true, 0) => Class::Infinite,
        (_, true, _) => Class::Nan,
        (true, _, 0) => Class::Zero,
        (true, _, _) => Class::Subnormal,
        _ => Class::Normal,
    };
    Kind { class, negative, signaling: class == Class::Nan && fraction >> 63 == 0 }
}

fn is_infinite(kind: Kind) -> ShimResult {
    match kind.class {
        Class::Infinite if kind.negative => int(-1),
        class => int(i32::from(class == Class::Infinite)),
    }
}

fn is_nan(kind: Kind) -> ShimResult {
    int(i32::from(kind.class == Class::Nan))
}

fn is_finite(kind: Kind) -> ShimResult {
    int(i32::from(!matches!(kind.class, Class::Nan | Class::Infinite)))
}

/// The native functions return the bit where their instructions leave it.
fn sign_bit(kind: Kind, set: i32) -> ShimResult {
    int(if kind.negative { set } else { 0 })
}
