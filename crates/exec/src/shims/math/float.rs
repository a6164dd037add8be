//! math.h for `float`.

use super::host::{host_function, host_functions};
use super::real::*;
use crate::libc::decimal::parse_f32;
use crate::shims::{Arguments, Group, ShimResult};
use crate::state::State;

host_functions! {
    UNARY by unary, Unary<f32>:
    acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f exp2f
    expm1f fabsf floorf j0f j1f logf log10f log1pf log2f logbf nearbyintf rintf roundf roundevenf
    significandf sinf sinhf sqrtf tanf tanhf tgammaf truncf y0f y1f
}

host_functions! {
    UNARY_FINITE by unary_finite, Unary<f32>, finite:
    acosf acoshf asinf atanhf coshf expf exp10f exp2f j0f j1f logf log10f log2f sinhf sqrtf y0f
    y1f
}

host_functions! {
    BINARY by binary, Binary<f32>:
    atan2f copysignf dremf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf scalbf
}

host_functions! {
    BINARY_FINITE by binary_finite, Binary<f32>, finite:
    atan2f fmodf hypotf powf remainderf scalbf
}

host_functions! {
    TO_LONG by to_long, ToLong<f32>:
    llogbf llrintf llroundf lrintf lroundf
}

pub const OTHERS: Group = &[
    ("pow10f", |state, args| unary(state, args, host_function!(exp10f: Unary<f32>))),
    ("fmaf", |state, args| ternary(state, args, host_function!(fmaf: Ternary<f32>))),
    ("ldexpf scalbnf", |state, args| by_int(state, args, host_function!(ldexpf: ByInt<f32>))),
    ("scalblnf", |state, args| by_long(state, args, host_function!(scalblnf: ByLong<f32>))),
    ("ilogbf", |state, args| to_int(state, args, host_function!(ilogbf: ToInt<f32>))),
    ("jnf __jnf_finite", |state, args| {
        with_order(state, args, host_function!(jnf: WithOrder<f32>))
    }),
    ("ynf __ynf_finite", |state, args| {
        with_order(state, args, host_function!(ynf: WithOrder<f32>))
    }),
    ("frexpf", |state, args| with_int(state, args, host_function!(frexpf: WithInt<f32>))),
    ("lgammaf_r", |state, args| with_int(state, args, host_function!(lgammaf_r: WithInt<f32>))),
    ("__lgammaf_r_finite", |state, args| {
        with_int(state, args, host_function!(lgammaf_r: WithInt<f32>))
    }),
    ("modff", |state, args| parts(state, args, host_function!(modff: Parts<f32>))),
    ("remquof", |state, args| quotient(state, args, host_function!(remquof: Quotient<f32>))),
    ("sincosf", |state, args| two(state, args, host_function!(sincosf: Two<f32>))),
    ("nanf", nan),
];

/// As `strtof` of `nan(TAG)`.
fn nan(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    give(parse_f32(&super::double::tagged(state, args)?).value)
}
