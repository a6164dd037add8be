//! What the functions of math.h have in common for `double` and `float`: the shapes of their
//! parameters and results.

use super::computed;
use crate::memory::MemoryResult;
use crate::shims::{Arguments, Outcome, ShimResult, answer, int, value};
use crate::state::State;

pub type Unary<R> = extern "C" fn(R) -> R;
pub type Binary<R> = extern "C" fn(R, R) -> R;
pub type Ternary<R> = extern "C" fn(R, R, R) -> R;
pub type ToInt<R> = extern "C" fn(R) -> i32;
pub type ToLong<R> = extern "C" fn(R) -> i64;
pub type ByInt<R> = extern "C" fn(R, i32) -> R;
pub type ByLong<R> = extern "C" fn(R, i64) -> R;
pub type WithOrder<R> = extern "C" fn(i32, R) -> R;
pub type WithInt<R> = extern "C" fn(R, &mut i32) -> R;
pub type Parts<R> = extern "C" fn(R, &mut R) -> R;
pub type Quotient<R> = extern "C" fn(R, R, &mut i32) -> R;
pub type Two<R> = extern "C" fn(R, &mut R, &mut R);

/// `double` or `float`.
pub trait Real: Copy + Default {
    /// From a register; a `float` takes the low half.
    fn of_word(word: u64) -> Self;

    fn word(self) -> u64;

    fn store(self, state: &mut State, to: u64) -> MemoryResult<()>;
}

impl Real for f64 {
    fn of_word(word: u64) -> f64 {
        f64::from_bits(word)
    }

    fn word(self) -> u64 {
        self.to_bits()
    }

    fn store(self, state: &mut State, to: u64) -> MemoryResult<()> {
        state.memory.write_u64(to, self.to_bits())
    }
}

impl Real for f32 {
    fn of_word(word: u64) -> f32 {
        f32::from_bits(word as u32)
    }

    fn word(self) -> u64 {
        u64::from(self.to_bits())
    }

    fn store(self, state: &mut State, to: u64) -> MemoryResult<()> {
        state.memory.write_u32(to, self.to_bits())
    }
}

fn argument<R: Real>(args: &Arguments<'_>, index: usize) -> R {
    R::of_word(args.word(index))
}

pub fn give<R: Real>(result: R) -> ShimResult {
    Ok(Outcome::Value(result.word()))
}

pub fn unary<R: Real>(state: &mut State, args: &Arguments<'_>, function: Unary<R>) -> ShimResult {
    give(computed(state, || function(argument(args, 0)))?)
}

/// The entries for `-ffinite-math-only` leave `errno` alone.
pub fn unary_finite<R: Real>(
    _: &mut State,
    args: &Arguments<'_>,
    function: Unary<R>,
) -> ShimResult {
    give(function(argument(args, 0)))
}

pub fn binary<R: Real>(state: &mut State, args: &Arguments<'_>, function: Binary<R>) -> ShimResult {
    give(computed(state, || function(argument(args, 0), argument(args, 1)))?)
}

pub fn binary_finite<R: Real>(
    _: &mut State,
    args: &Arguments<'_>,
    function: Binary<R>,
) -> ShimResult {
    give(function(argument(args, 0), argument(args, 1)))
}

pub fn ternary<R: Real>(
    state: &mut State,
    args: &Arguments<'_>,
    function: Ternary<R>,
) -> ShimResult {
    let (a, b, c) = (argument(args, 0), argument(args, 1), argument(args, 2));
    give(computed(state, || function(a, b, c))?)
}

pub fn to_int<R: Real>(state: &mut State, args: &Arguments<'_>, function: ToInt<R>) -> ShimResult {
    int(computed(state, || function(argument(args, 0)))?)
}

pub fn to_long<R: Real>(
    state: &mut State,
    args: &Arguments<'_>,
    function: ToLong<R>,
) -> ShimResult {
    value(computed(state, || function(argument(args, 0)))? as u64)
}

pub fn by_int<R: Real>(state: &mut State, args: &Arguments<'_>, function: ByInt<R>) -> ShimResult {
    give(computed(state, || function(argument(args, 0), args.int(1)))?)
}

pub fn by_long<R: Real>(
    state: &mut State,
    args: &Arguments<'_>,
    function: ByLong<R>,
) -> ShimResult {
    give(computed(state, || function(argument(args, 0), args.word(1) as i64))?)
}

/// Bessel functions.
pub fn with_order<R: Real>(
    state: &mut State,
    args: &Arguments<'_>,
    function: WithOrder<R>,
) -> ShimResult {
    give(computed(state, || function(args.int(0), argument(args, 1)))?)
}

/// A function that gives an `int` through its second argument as well.
pub fn with_int<R: Real>(
    state: &mut State,
    args: &Arguments<'_>,
    function: WithInt<R>,
) -> ShimResult {
    let mut extra = 0;
    let result = computed(state, || function(argument(args, 0), &mut extra))?;
    state.memory.write_u32(args.word(1), extra as u32)?;
    give(result)
}

/// `modf`, which sets no `errno`.
pub fn parts<R: Real>(state: &mut State, args: &Arguments<'_>, function: Parts<R>) -> ShimResult {
    let mut whole = R::default();
    let fraction = function(argument(args, 0), &mut whole);
    whole.store(state, args.word(1))?;
    give(fraction)
}

/// `remquo`.
pub fn quotient<R: Real>(
    state: &mut State,
    args: &Arguments<'_>,
    function: Quotient<R>,
) -> ShimResult {
    let mut quotient = 0;
    let rest = computed(state, || function(argument(args, 0), argument(args, 1), &mut quotient))?;
    state.memory.write_u32(args.word(2), quotient as u32)?;
    give(rest)
}

/// `sincos`.
pub fn two<R: Real>(state: &mut State, args: &Arguments<'_>, function: Two<R>) -> ShimResult {
    let (mut sine, mut cosine) = (R::default(), R::default());
    computed(state, || function(argument(args, 0), &mut sine, &mut cosine))?;
    sine.store(state, args.word(1))?;
    cosine.store(state, args.word(2))?;
    answer::nothing()
}
