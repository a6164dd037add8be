//! Functions of math.h, complex.h and fenv.h, for `double`, `float` and `long double`.
//!
//! Results and `errno` are those of the host's math library, which the native program uses too.
//! Rounding is always to nearest; a request for another mode fails as unavailable. Floating-point
//! exceptions are not tracked: none is ever raised. `lgamma` and the like, which write the variable
//! `signgam`, are C code in the runtime.

mod classify;
mod complex;
mod double;
mod environment;
mod float;
mod host;
mod long_double;
mod real;
mod trampoline;

#[cfg(test)]
mod tests;

pub use host::MathLibrary;
use ir::{Callee, Module, Op};

use super::{Group, Outcome, ShimResult, each};
use crate::builtin::is_transcendental;
use crate::libc::decimal::X87;
use crate::libc::errno::Errno;
use crate::memory::MemoryResult;
use crate::state::State;

pub(super) const COMPLEX: &[Group] = complex::GROUPS;

pub(super) const GROUPS: &[Group] = &[
    classify::SHIMS,
    double::UNARY,
    double::UNARY_FINITE,
    double::BINARY,
    double::BINARY_FINITE,
    double::TO_LONG,
    double::OTHERS,
    environment::SHIMS,
    float::UNARY,
    float::UNARY_FINITE,
    float::BINARY,
    float::BINARY_FINITE,
    float::TO_LONG,
    float::OTHERS,
    long_double::UNARY,
    long_double::UNARY_FINITE,
    long_double::BINARY,
    long_double::BINARY_FINITE,
    long_double::TO_LONG,
    long_double::OTHERS,
];

/// Whether a program calls functions that the host's math library computes.
pub fn uses_math_library(module: &Module) -> bool {
    let groups = GROUPS.iter().chain(COMPLEX);
    let is_served = |name: &str| groups.clone().any(|group| each(group).any(|one| one.0 == name));
    let is_math = |op: &Op| {
        let Op::Call(call) = op else { return false };
        matches!(call.callee, Callee::Builtin(builtin) if is_transcendental(builtin))
    };
    module.functions.values().any(|function| match function.body() {
        Some(body) => body.insts.values().any(|inst| is_math(&inst.op)),
        None => is_served(&function.name),
    })
}

/// Computes on the host and passes on the error number that it sets.
fn computed<T>(state: &mut State, compute: impl FnOnce() -> T) -> MemoryResult<T> {
    let (result, errno) = host::with_errno(compute);
    if errno != 0 {
        state.set_errno(Errno(errno))?;
    }
    Ok(result)
}

fn of_long_double(value: X87) -> ShimResult {
    Ok(Outcome::Pair(value.mantissa, u64::from(value.sign_exponent)))
}
