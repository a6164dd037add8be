//! math.h for `float`.

use super::host::{host_function, host_functions};
use super::{computed, of_float};
use crate::libc::decimal::parse_f32;
use crate::shims::{Arguments, Group, ShimResult, answer, int, value};
use crate::state::State;

type Unary = extern "C" fn(f32) -> f32;
type Binary = extern "C" fn(f32, f32) -> f32;
type ToLong = extern "C" fn(f32) -> i64;
type WithOrder = extern "C" fn(i32, f32) -> f32;
type WithInt = extern "C" fn(f32, &mut i32) -> f32;

host_functions! {
    UNARY by unary, Unary:
    acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f exp2f
    expm1f fabsf floorf j0f j1f logf log10f log1pf log2f logbf nearbyintf rintf roundf roundevenf
    significandf sinf sinhf sqrtf tanf tanhf tgammaf truncf y0f y1f
}

host_functions! {
    UNARY_FINITE by unary_finite, Unary, finite:
    acosf acoshf asinf atanhf coshf expf exp10f exp2f j0f j1f logf log10f log2f sinhf sqrtf y0f
    y1f
}

host_functions! {
    BINARY by binary, Binary:
    atan2f copysignf dremf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf scalbf
}

host_functions! {
    BINARY_FINITE by binary_finite, Binary, finite:
    atan2f fmodf hypotf powf remainderf scalbf
}

host_functions! {
    TO_LONG by to_long, ToLong:
    llogbf llrintf llroundf lrintf lroundf
}

pub const OTHERS: Group = &[
    ("pow10f", |state, args| {
        let base = args.float(0);
        let function = host_function!(exp10f: Unary);
        of_float(computed(state, || function(base))?)
    }),
    ("fmaf", |state, args| {
        let (a, b, c) = (args.float(0), args.float(1), args.float(2));
        let function = host_function!(fmaf: extern "C" fn(f32, f32, f32) -> f32);
        of_float(computed(state, || function(a, b, c))?)
    }),
    ("ldexpf", ldexp),
    ("scalbnf", ldexp),
    ("scalblnf", |state, args| {
        let (a, exponent) = (args.float(0), args.word(1) as i64);
        let function = host_function!(scalblnf: extern "C" fn(f32, i64) -> f32);
        of_float(computed(state, || function(a, exponent))?)
    }),
    ("ilogbf", |state, args| {
        let a = args.float(0);
        let function = host_function!(ilogbf: extern "C" fn(f32) -> i32);
        int(computed(state, || function(a))?)
    }),
    ("jnf", |state, args| bessel(state, args, host_function!(jnf: WithOrder))),
    ("__jnf_finite", |state, args| bessel(state, args, host_function!(jnf: WithOrder))),
    ("ynf", |state, args| bessel(state, args, host_function!(ynf: WithOrder))),
    ("__ynf_finite", |state, args| bessel(state, args, host_function!(ynf: WithOrder))),
    ("frexpf", |state, args| with_int(state, args, host_function!(frexpf: WithInt))),
    ("lgammaf_r", |state, args| with_int(state, args, host_function!(lgammaf_r: WithInt))),
    ("__lgammaf_r_finite", |state, args| with_int(state, args, host_function!(lgammaf_r: WithInt))),
    ("modff", modf),
    ("remquof", remquo),
    ("sincosf", sincos),
    ("nanf", nan),
];

fn unary(state: &mut State, args: &Arguments<'_>, function: Unary) -> ShimResult {
    let a = args.float(0);
    of_float(computed(state, || function(a))?)
}

/// The entries for `-ffinite-math-only` leave `errno` alone.
fn unary_finite(_: &mut State, args: &Arguments<'_>, function: Unary) -> ShimResult {
    of_float(function(args.float(0)))
}

fn binary(state: &mut State, args: &Arguments<'_>, function: Binary) -> ShimResult {
    let (a, b) = (args.float(0), args.float(1));
    of_float(computed(state, || function(a, b))?)
}

fn binary_finite(_: &mut State, args: &Arguments<'_>, function: Binary) -> ShimResult {
    of_float(function(args.float(0), args.float(1)))
}

fn to_long(state: &mut State, args: &Arguments<'_>, function: ToLong) -> ShimResult {
    let a = args.float(0);
    value(computed(state, || function(a))? as u64)
}

fn ldexp(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (a, exponent) = (args.float(0), args.int(1));
    let function = host_function!(ldexpf: extern "C" fn(f32, i32) -> f32);
    of_float(computed(state, || function(a, exponent))?)
}

fn bessel(state: &mut State, args: &Arguments<'_>, function: WithOrder) -> ShimResult {
    let (order, a) = (args.int(0), args.float(1));
    of_float(computed(state, || function(order, a))?)
}

/// A function that gives an `int` through its second argument as well.
fn with_int(state: &mut State, args: &Arguments<'_>, function: WithInt) -> ShimResult {
    let mut extra = 0;
    let a = args.float(0);
    let result = computed(state, || function(a, &mut extra))?;
    state.memory.write_u32(args.word(1), extra as u32)?;
    of_float(result)
}

fn modf(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut whole = 0.0;
    let function = host_function!(modff: extern "C" fn(f32, &mut f32) -> f32);
    let fraction = function(args.float(0), &mut whole);
    state.memory.write_u32(args.word(1), whole.to_bits())?;
    of_float(fraction)
}

fn remquo(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut quotient = 0;
    let (a, b) = (args.float(0), args.float(1));
    let function = host_function!(remquof: extern "C" fn(f32, f32, &mut i32) -> f32);
    let rest = computed(state, || function(a, b, &mut quotient))?;
    state.memory.write_u32(args.word(2), quotient as u32)?;
    of_float(rest)
}

fn sincos(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (mut sine, mut cosine) = (0.0, 0.0);
    let a = args.float(0);
    let function = host_function!(sincosf: extern "C" fn(f32, &mut f32, &mut f32));
    computed(state, || function(a, &mut sine, &mut cosine))?;
    state.memory.write_u32(args.word(1), sine.to_bits())?;
    state.memory.write_u32(args.word(2), cosine.to_bits())?;
    answer::nothing()
}

/// As `strtof` of `nan(TAG)`.
fn nan(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    of_float(parse_f32(&super::double::tagged(state, args)?).value)
}
