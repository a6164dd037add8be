//! complex.h for `double` and `float`, and the complex products and quotients that compilers call.
//!
//! A complex `double` is passed as two `double`s, a complex `float` as a vector of two. Complex
//! `long double` is missing: its results take more registers than a shim can return.

use super::host::{host_function, host_functions};
use super::{computed, of_double, of_float};
use crate::shims::{Arguments, Group, Outcome, ShimResult};
use crate::state::State;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Double {
    real: f64,
    imaginary: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Float {
    real: f32,
    imaginary: f32,
}

type Unary = extern "C" fn(Double) -> Double;
type Binary = extern "C" fn(Double, Double) -> Double;
type Real = extern "C" fn(Double) -> f64;
type Parts = extern "C" fn(f64, f64, f64, f64) -> Double;
type UnaryFloat = extern "C" fn(Float) -> Float;
type BinaryFloat = extern "C" fn(Float, Float) -> Float;
type RealFloat = extern "C" fn(Float) -> f32;
type PartsFloat = extern "C" fn(f32, f32, f32, f32) -> Float;

host_functions! {
    UNARY by unary, Unary:
    cacos cacosh casin casinh catan catanh ccos ccosh cexp clog clog10 conj cproj csin csinh csqrt
    ctan ctanh
}

host_functions! {
    BINARY by binary, Binary: cpow
}

host_functions! {
    REAL by real, Real: cabs carg creal cimag
}

host_functions! {
    PARTS by parts, Parts: __muldc3 __divdc3
}

host_functions! {
    UNARY_FLOAT by unary_float, UnaryFloat:
    cacosf cacoshf casinf casinhf catanf catanhf ccosf ccoshf cexpf clogf clog10f conjf cprojf
    csinf csinhf csqrtf ctanf ctanhf
}

host_functions! {
    BINARY_FLOAT by binary_float, BinaryFloat: cpowf
}

host_functions! {
    REAL_FLOAT by real_float, RealFloat: cabsf cargf crealf cimagf
}

host_functions! {
    PARTS_FLOAT by parts_float, PartsFloat: __mulsc3 __divsc3
}

pub const GROUPS: &[Group] =
    &[UNARY, BINARY, REAL, PARTS, UNARY_FLOAT, BINARY_FLOAT, REAL_FLOAT, PARTS_FLOAT];

/// A register of the call, whatever argument it belongs to.
fn register(args: &Arguments<'_>, index: usize) -> u64 {
    args.words.get(index).copied().unwrap_or(0)
}

fn double(args: &Arguments<'_>, index: usize) -> f64 {
    f64::from_bits(register(args, index))
}

fn float(args: &Arguments<'_>, index: usize) -> f32 {
    f32::from_bits(register(args, index) as u32)
}

fn complex(args: &Arguments<'_>, index: usize) -> Double {
    Double { real: double(args, index), imaginary: double(args, index + 1) }
}

fn complex_float(args: &Arguments<'_>, index: usize) -> Float {
    Float { real: float(args, index), imaginary: float(args, index + 1) }
}

fn give(result: Double) -> ShimResult {
    Ok(Outcome::Pair(result.real.to_bits(), result.imaginary.to_bits()))
}

fn give_float(result: Float) -> ShimResult {
    let bits = |part: f32| u64::from(part.to_bits());
    Ok(Outcome::Pair(bits(result.real), bits(result.imaginary)))
}

fn unary(state: &mut State, args: &Arguments<'_>, function: Unary) -> ShimResult {
    give(computed(state, || function(complex(args, 0)))?)
}

fn binary(state: &mut State, args: &Arguments<'_>, function: Binary) -> ShimResult {
    give(computed(state, || function(complex(args, 0), complex(args, 2)))?)
}

fn real(state: &mut State, args: &Arguments<'_>, function: Real) -> ShimResult {
    of_double(computed(state, || function(complex(args, 0)))?)
}

fn parts(_: &mut State, args: &Arguments<'_>, function: Parts) -> ShimResult {
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| double(args, index));
    give(function(a, b, c, d))
}

fn unary_float(state: &mut State, args: &Arguments<'_>, function: UnaryFloat) -> ShimResult {
    give_float(computed(state, || function(complex_float(args, 0)))?)
}

fn binary_float(state: &mut State, args: &Arguments<'_>, function: BinaryFloat) -> ShimResult {
    give_float(computed(state, || function(complex_float(args, 0), complex_float(args, 2)))?)
}

fn real_float(state: &mut State, args: &Arguments<'_>, function: RealFloat) -> ShimResult {
    of_float(computed(state, || function(complex_float(args, 0)))?)
}

fn parts_float(_: &mut State, args: &Arguments<'_>, function: PartsFloat) -> ShimResult {
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| float(args, index));
    give_float(function(a, b, c, d))
}
