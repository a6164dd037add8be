//! math.h for `float`.
//!
//! Functions are called through pointers that the compiler cannot see through: it would
//! otherwise replace some calls by operations that differ in the sign of zero.

use std::hint::black_box;

use super::host::{self, host_functions};
use super::{computed, of_float};
use crate::libc::decimal::parse_f32;
use crate::shims::{Arguments, Group, ShimResult, answer, int, value};
use crate::state::State;

host_functions! {
    fn(a: f32) -> f32;
    UNARY by unary:
    acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f exp2f
    expm1f fabsf floorf j0f j1f logf log10f log1pf log2f logbf nearbyintf rintf roundf roundevenf
    significandf sinf sinhf sqrtf tanf tanhf tgammaf truncf y0f y1f
}

host_functions! {
    fn(a: f32) -> f32;
    UNARY_FINITE by unary_finite finite:
    acosf acoshf asinf atanhf coshf expf exp10f exp2f j0f j1f logf log10f log2f sinhf sqrtf y0f
    y1f
}

host_functions! {
    fn(a: f32, b: f32) -> f32;
    BINARY by binary:
    atan2f copysignf dremf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf scalbf
}

host_functions! {
    fn(a: f32, b: f32) -> f32;
    BINARY_FINITE by binary_finite finite:
    atan2f fmodf hypotf powf remainderf scalbf
}

host_functions! {
    fn(a: f32) -> i64;
    TO_LONG by to_long:
    llogbf llrintf llroundf lrintf lroundf
}

pub const OTHERS: Group = &[
    ("pow10f", |state, args| {
        let base = args.float(0);
        of_float(computed(state, || host::exp10f(base))?)
    }),
    ("fmaf", |state, args| {
        let (a, b, c) = (args.float(0), args.float(1), args.float(2));
        of_float(computed(state, || host::fmaf(a, b, c))?)
    }),
    ("ldexpf", ldexp),
    ("scalbnf", ldexp),
    ("scalblnf", |state, args| {
        let (a, exponent) = (args.float(0), args.word(1) as i64);
        of_float(computed(state, || host::scalblnf(a, exponent))?)
    }),
    ("ilogbf", |state, args| {
        let a = args.float(0);
        int(computed(state, || host::ilogbf(a))?)
    }),
    ("jnf", |state, args| bessel(state, args, host::jnf)),
    ("__jnf_finite", |state, args| bessel(state, args, host::jnf)),
    ("ynf", |state, args| bessel(state, args, host::ynf)),
    ("__ynf_finite", |state, args| bessel(state, args, host::ynf)),
    ("frexpf", |state, args| with_int(state, args, host::frexpf)),
    ("lgammaf_r", |state, args| with_int(state, args, host::lgammaf_r)),
    ("__lgammaf_r_finite", |state, args| with_int(state, args, host::lgammaf_r)),
    ("modff", modf),
    ("remquof", remquo),
    ("sincosf", sincos),
    ("nanf", nan),
];

fn unary(
    state: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(f32) -> f32,
) -> ShimResult {
    let a = args.float(0);
    of_float(computed(state, || black_box(function)(a))?)
}

/// The entries for `-ffinite-math-only` leave `errno` alone.
fn unary_finite(
    _: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(f32) -> f32,
) -> ShimResult {
    of_float(black_box(function)(args.float(0)))
}

fn binary(
    state: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(f32, f32) -> f32,
) -> ShimResult {
    let (a, b) = (args.float(0), args.float(1));
    of_float(computed(state, || black_box(function)(a, b))?)
}

fn binary_finite(
    _: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(f32, f32) -> f32,
) -> ShimResult {
    of_float(black_box(function)(args.float(0), args.float(1)))
}

fn to_long(
    state: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(f32) -> i64,
) -> ShimResult {
    let a = args.float(0);
    value(computed(state, || black_box(function)(a))? as u64)
}

fn ldexp(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (a, exponent) = (args.float(0), args.int(1));
    of_float(computed(state, || host::ldexpf(a, exponent))?)
}

fn bessel(
    state: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(i32, f32) -> f32,
) -> ShimResult {
    let (order, a) = (args.int(0), args.float(1));
    of_float(computed(state, || function(order, a))?)
}

/// A function that gives an `int` through its second argument as well.
fn with_int(
    state: &mut State,
    args: &Arguments<'_>,
    function: extern "C" fn(f32, &mut i32) -> f32,
) -> ShimResult {
    let mut extra = 0;
    let a = args.float(0);
    let result = computed(state, || function(a, &mut extra))?;
    state.memory.write_u32(args.word(1), extra as u32)?;
    of_float(result)
}

fn modf(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut whole = 0.0;
    let fraction = host::modff(args.float(0), &mut whole);
    state.memory.write_u32(args.word(1), whole.to_bits())?;
    of_float(fraction)
}

fn remquo(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut quotient = 0;
    let (a, b) = (args.float(0), args.float(1));
    let rest = computed(state, || host::remquof(a, b, &mut quotient))?;
    state.memory.write_u32(args.word(2), quotient as u32)?;
    of_float(rest)
}

fn sincos(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (mut sine, mut cosine) = (0.0, 0.0);
    let a = args.float(0);
    computed(state, || host::sincosf(a, &mut sine, &mut cosine))?;
    state.memory.write_u32(args.word(1), sine.to_bits())?;
    state.memory.write_u32(args.word(2), cosine.to_bits())?;
    answer::nothing()
}

/// As `strtof` of `nan(TAG)`.
fn nan(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    of_float(parse_f32(&super::double::tagged(state, args)?).value)
}
