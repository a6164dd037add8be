//! math.h for `double`.

use super::host::{host_function, host_functions};
use super::{computed, of_double};
use crate::libc::decimal::parse_f64;
use crate::shims::{Arguments, Group, ShimResult, answer, int, value};
use crate::state::State;

type Unary = extern "C" fn(f64) -> f64;
type Binary = extern "C" fn(f64, f64) -> f64;
type ToLong = extern "C" fn(f64) -> i64;
type WithOrder = extern "C" fn(i32, f64) -> f64;
type WithInt = extern "C" fn(f64, &mut i32) -> f64;

host_functions! {
    UNARY by unary, Unary:
    acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor
    j0 j1 log log10 log1p log2 logb nearbyint rint round roundeven significand sin sinh sqrt tan
    tanh tgamma trunc y0 y1
}

host_functions! {
    UNARY_FINITE by unary_finite, Unary, finite:
    acos acosh asin atanh cosh exp exp10 exp2 j0 j1 log log10 log2 sinh sqrt y0 y1
}

host_functions! {
    BINARY by binary, Binary:
    atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb
}

host_functions! {
    BINARY_FINITE by binary_finite, Binary, finite:
    atan2 fmod hypot pow remainder scalb
}

host_functions! {
    TO_LONG by to_long, ToLong:
    llogb llrint llround lrint lround
}

pub const OTHERS: Group = &[
    ("pow10", |state, args| {
        let base = args.double(0);
        let function = host_function!(exp10: Unary);
        of_double(computed(state, || function(base))?)
    }),
    ("fma", |state, args| {
        let (a, b, c) = (args.double(0), args.double(1), args.double(2));
        let function = host_function!(fma: extern "C" fn(f64, f64, f64) -> f64);
        of_double(computed(state, || function(a, b, c))?)
    }),
    ("ldexp", ldexp),
    ("scalbn", ldexp),
    ("scalbln", |state, args| {
        let (a, exponent) = (args.double(0), args.word(1) as i64);
        let function = host_function!(scalbln: extern "C" fn(f64, i64) -> f64);
        of_double(computed(state, || function(a, exponent))?)
    }),
    ("ilogb", |state, args| {
        let a = args.double(0);
        let function = host_function!(ilogb: extern "C" fn(f64) -> i32);
        int(computed(state, || function(a))?)
    }),
    ("jn", |state, args| bessel(state, args, host_function!(jn: WithOrder))),
    ("__jn_finite", |state, args| bessel(state, args, host_function!(jn: WithOrder))),
    ("yn", |state, args| bessel(state, args, host_function!(yn: WithOrder))),
    ("__yn_finite", |state, args| bessel(state, args, host_function!(yn: WithOrder))),
    ("frexp", |state, args| with_int(state, args, host_function!(frexp: WithInt))),
    ("lgamma_r", |state, args| with_int(state, args, host_function!(lgamma_r: WithInt))),
    ("__lgamma_r_finite", |state, args| with_int(state, args, host_function!(lgamma_r: WithInt))),
    ("modf", modf),
    ("remquo", remquo),
    ("sincos", sincos),
    ("nan", nan),
];

fn unary(state: &mut State, args: &Arguments<'_>, function: Unary) -> ShimResult {
    let a = args.double(0);
    of_double(computed(state, || function(a))?)
}

/// The entries for `-ffinite-math-only` leave `errno` alone.
fn unary_finite(_: &mut State, args: &Arguments<'_>, function: Unary) -> ShimResult {
    of_double(function(args.double(0)))
}

fn binary(state: &mut State, args: &Arguments<'_>, function: Binary) -> ShimResult {
    let (a, b) = (args.double(0), args.double(1));
    of_double(computed(state, || function(a, b))?)
}

fn binary_finite(_: &mut State, args: &Arguments<'_>, function: Binary) -> ShimResult {
    of_double(function(args.double(0), args.double(1)))
}

fn to_long(state: &mut State, args: &Arguments<'_>, function: ToLong) -> ShimResult {
    let a = args.double(0);
    value(computed(state, || function(a))? as u64)
}

fn ldexp(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (a, exponent) = (args.double(0), args.int(1));
    let function = host_function!(ldexp: extern "C" fn(f64, i32) -> f64);
    of_double(computed(state, || function(a, exponent))?)
}

fn bessel(state: &mut State, args: &Arguments<'_>, function: WithOrder) -> ShimResult {
    let (order, a) = (args.int(0), args.double(1));
    of_double(computed(state, || function(order, a))?)
}

/// A function that gives an `int` through its second argument as well.
fn with_int(state: &mut State, args: &Arguments<'_>, function: WithInt) -> ShimResult {
    let mut extra = 0;
    let a = args.double(0);
    let result = computed(state, || function(a, &mut extra))?;
    state.memory.write_u32(args.word(1), extra as u32)?;
    of_double(result)
}

fn modf(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut whole = 0.0;
    let function = host_function!(modf: extern "C" fn(f64, &mut f64) -> f64);
    let fraction = function(args.double(0), &mut whole);
    state.memory.write_u64(args.word(1), whole.to_bits())?;
    of_double(fraction)
}

fn remquo(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut quotient = 0;
    let (a, b) = (args.double(0), args.double(1));
    let function = host_function!(remquo: extern "C" fn(f64, f64, &mut i32) -> f64);
    let rest = computed(state, || function(a, b, &mut quotient))?;
    state.memory.write_u32(args.word(2), quotient as u32)?;
    of_double(rest)
}

fn sincos(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (mut sine, mut cosine) = (0.0, 0.0);
    let a = args.double(0);
    let function = host_function!(sincos: extern "C" fn(f64, &mut f64, &mut f64));
    computed(state, || function(a, &mut sine, &mut cosine))?;
    state.memory.write_u64(args.word(1), sine.to_bits())?;
    state.memory.write_u64(args.word(2), cosine.to_bits())?;
    answer::nothing()
}

/// As `strtod` of `nan(TAG)`.
fn nan(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    of_double(parse_f64(&tagged(state, args)?).value)
}

/// The text of a NaN with the tag that the first argument points to.
pub fn tagged(state: &State, args: &Arguments<'_>) -> Result<Vec<u8>, crate::shims::Trouble> {
    let tag = state.memory.c_string(args.word(0))?;
    Ok([b"nan(", tag, b")"].concat())
}
