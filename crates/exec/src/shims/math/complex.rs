//! complex.h for `double` and `float`, and the complex products and quotients that compilers call.
//!
//! A complex `double` is passed as two `double`s, a complex `float` as a vector of two. Complex
//! `long double` is missing: its results take more registers than a shim can return.

use super::computed;
use super::host::{host_function, host_functions};
use super::real::{Real, give};
use crate::shims::{Arguments, Group, Outcome, ShimResult};
use crate::state::State;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Complex<R> {
    real: R,
    imaginary: R,
}

type Unary<R> = extern "C" fn(Complex<R>) -> Complex<R>;
type Binary<R> = extern "C" fn(Complex<R>, Complex<R>) -> Complex<R>;
type ToReal<R> = extern "C" fn(Complex<R>) -> R;
type Parts<R> = extern "C" fn(R, R, R, R) -> Complex<R>;

host_functions! {
    UNARY by unary, Unary<f64>:
    cacos cacosh casin casinh catan catanh ccos ccosh cexp clog clog10 conj cproj csin csinh csqrt
    ctan ctanh
}

host_functions! {
    BINARY by binary, Binary<f64>: cpow
}

host_functions! {
    REAL by real, ToReal<f64>: cabs carg creal cimag
}

host_functions! {
    PARTS by parts, Parts<f64>: __muldc3 __divdc3
}

host_functions! {
    UNARY_FLOAT by unary, Unary<f32>:
    cacosf cacoshf casinf casinhf catanf catanhf ccosf ccoshf cexpf clogf clog10f conjf cprojf
    csinf csinhf csqrtf ctanf ctanhf
}

host_functions! {
    BINARY_FLOAT by binary, Binary<f32>: cpowf
}

host_functions! {
    REAL_FLOAT by real, ToReal<f32>: cabsf cargf crealf cimagf
}

host_functions! {
    PARTS_FLOAT by parts, Parts<f32>: __mulsc3 __divsc3
}

pub const GROUPS: &[Group] =
    &[UNARY, BINARY, REAL, PARTS, UNARY_FLOAT, BINARY_FLOAT, REAL_FLOAT, PARTS_FLOAT];

/// A register of the call, whatever argument it belongs to.
fn register<R: Real>(args: &Arguments<'_>, index: usize) -> R {
    R::of_word(args.words.get(index).copied().unwrap_or(0))
}

fn complex<R: Real>(args: &Arguments<'_>, index: usize) -> Complex<R> {
    Complex { real: register(args, index), imaginary: register(args, index + 1) }
}

fn give_both<R: Real>(result: Complex<R>) -> ShimResult {
    Ok(Outcome::Pair(result.real.word(), result.imaginary.word()))
}

fn unary<R: Real>(state: &mut State, args: &Arguments<'_>, function: Unary<R>) -> ShimResult {
    give_both(computed(state, || function(complex(args, 0)))?)
}

fn binary<R: Real>(state: &mut State, args: &Arguments<'_>, function: Binary<R>) -> ShimResult {
    give_both(computed(state, || function(complex(args, 0), complex(args, 2)))?)
}

fn real<R: Real>(state: &mut State, args: &Arguments<'_>, function: ToReal<R>) -> ShimResult {
    give(computed(state, || function(complex(args, 0)))?)
}

fn parts<R: Real>(_: &mut State, args: &Arguments<'_>, function: Parts<R>) -> ShimResult {
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| register(args, index));
    give_both(function(a, b, c, d))
}
