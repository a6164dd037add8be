//! math.h for `double`.

use super::host::{host_function, host_functions};
use super::real::*;
use crate::libc::decimal::parse_f64;
use crate::shims::{Arguments, Group, ShimResult};
use crate::state::State;

host_functions! {
    UNARY by unary, Unary<f64>:
    acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor
    j0 j1 log log10 log1p log2 logb nearbyint rint round roundeven significand sin sinh sqrt tan
    tanh tgamma trunc y0 y1
}

host_functions! {
    UNARY_FINITE by unary_finite, Unary<f64>, finite:
    acos acosh asin atanh cosh exp exp10 exp2 j0 j1 log log10 log2 sinh sqrt y0 y1
}

host_functions! {
    BINARY by binary, Binary<f64>:
    atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb
}

host_functions! {
    BINARY_FINITE by binary_finite, Binary<f64>, finite:
    atan2 fmod hypot pow remainder scalb
}

host_functions! {
    TO_LONG by to_long, ToLong<f64>:
    llogb llrint llround lrint lround
}

pub const OTHERS: Group = &[
    ("pow10", |state, args| unary(state, args, host_function!(exp10: Unary<f64>))),
    ("fma", |state, args| ternary(state, args, host_function!(fma: Ternary<f64>))),
    ("ldexp scalbn", |state, args| by_int(state, args, host_function!(ldexp: ByInt<f64>))),
    ("scalbln", |state, args| by_long(state, args, host_function!(scalbln: ByLong<f64>))),
    ("ilogb", |state, args| to_int(state, args, host_function!(ilogb: ToInt<f64>))),
    ("jn __jn_finite", |state, args| with_order(state, args, host_function!(jn: WithOrder<f64>))),
    ("yn __yn_finite", |state, args| with_order(state, args, host_function!(yn: WithOrder<f64>))),
    ("frexp", |state, args| with_int(state, args, host_function!(frexp: WithInt<f64>))),
    ("lgamma_r", |state, args| with_int(state, args, host_function!(lgamma_r: WithInt<f64>))),
    ("__lgamma_r_finite", |state, args| {
        with_int(state, args, host_function!(lgamma_r: WithInt<f64>))
    }),
    ("modf", |state, args| parts(state, args, host_function!(modf: Parts<f64>))),
    ("remquo", |state, args| quotient(state, args, host_function!(remquo: Quotient<f64>))),
    ("sincos", |state, args| two(state, args, host_function!(sincos: Two<f64>))),
    ("nan", nan),
];

/// As `strtod` of `nan(TAG)`.
fn nan(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    give(parse_f64(&tagged(state, args)?).value)
}

/// The text of a NaN with the tag that the first argument points to.
pub fn tagged(state: &State, args: &Arguments<'_>) -> Result<Vec<u8>, crate::shims::Trouble> {
    let tag = state.memory.c_string(args.word(0))?;
    Ok([b"nan(", tag, b")"].concat())
}
