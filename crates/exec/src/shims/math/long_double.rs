//! math.h for `long double`, the 80-bit format of x86.
//!
//! The host's library computes everything except the sign operations, called through the
//! trampoline.

use super::host::{host_function, host_functions};
use super::trampoline::{self, Function, Inputs};
use super::{computed, of_long_double};
use crate::libc::decimal::{X87, parse_x87};
use crate::memory::MemoryResult;
use crate::shims::{Arguments, Group, Outcome, ShimResult, Trouble, answer, int, value};
use crate::state::State;

/// A function for the trampoline: its Rust type is meaningless.
macro_rules! address_of {
    ($name:ident) => {
        host_function!($name: Function)
    };
}

// All of them: `long double` in, `long double` out.
host_functions! {
    UNARY by from_one, Function:
    acosl acoshl asinl asinhl atanl atanhl cbrtl ceill cosl coshl erfl erfcl expl exp10l exp2l
    expm1l floorl j0l j1l logl log10l log1pl log2l logbl nearbyintl rintl roundl roundevenl
    significandl sinl sinhl sqrtl tanl tanhl tgammal truncl y0l y1l
}

host_functions! {
    UNARY_FINITE by from_one, Function, finite:
    acosl acoshl asinl atanhl coshl expl exp10l exp2l j0l j1l logl log10l log2l sinhl sqrtl y0l y1l
}

// All of them: two `long double` in, `long double` out.
host_functions! {
    BINARY by from_two, Function:
    atan2l dreml fdiml fmaxl fminl fmodl hypotl nextafterl nexttowardl powl remainderl scalbl
}

host_functions! {
    BINARY_FINITE by from_two, Function, finite:
    atan2l fmodl hypotl powl remainderl scalbl
}

// All of them: `long double` in, `long` out.
host_functions! {
    TO_LONG by to_long, Function:
    llogbl llrintl llroundl lrintl lroundl
}

pub const OTHERS: Group = &[
    ("fabsl", |_, args| {
        let (mantissa, high) = args.long_double(0);
        Ok(Outcome::Pair(mantissa, u64::from(high & 0x7fff)))
    }),
    ("copysignl", |_, args| {
        let ((mantissa, high), (_, sign)) = (args.long_double(0), args.long_double(1));
        Ok(Outcome::Pair(mantissa, u64::from(high & 0x7fff | sign & 0x8000)))
    }),
    ("pow10l", |state, args| from_one(state, args, address_of!(exp10l))),
    ("fmal", |state, args| {
        let floats = [float(args, 0), float(args, 1), float(args, 2)];
        give(state, address_of!(fmal), Inputs { floats, ..Inputs::default() })
    }),
    ("ldexpl scalbnl", |state, args| scaled(state, args, address_of!(ldexpl))),
    ("scalblnl", |state, args| scaled(state, args, address_of!(scalblnl))),
    ("ilogbl", |state, args| {
        int(plain(state, address_of!(ilogbl), one(float(args, 0)))?.integer as i32)
    }),
    ("jnl __jnl_finite", |state, args| bessel(state, args, address_of!(jnl))),
    ("ynl __ynl_finite", |state, args| bessel(state, args, address_of!(ynl))),
    ("frexpl", |state, args| with_int(state, args, address_of!(frexpl))),
    ("lgammal_r __lgammal_r_finite", |state, args| with_int(state, args, address_of!(lgammal_r))),
    ("modfl", modfl),
    ("remquol", remquol),
    ("sincosl", sincosl),
    ("nexttoward", |state, args| toward(state, args, address_of!(nexttoward), u64::MAX)),
    ("nexttowardf", |state, args| {
        toward(state, args, address_of!(nexttowardf), u64::from(u32::MAX))
    }),
    ("nanl", |state, args| of_long_double(parse_x87(&super::double::tagged(state, args)?).value)),
];

fn float(args: &Arguments<'_>, index: usize) -> X87 {
    let (mantissa, sign_exponent) = args.long_double(index);
    X87 { sign_exponent, mantissa }
}

fn one(a: X87) -> Inputs {
    Inputs { floats: [a, X87::default(), X87::default()], ..Inputs::default() }
}

fn two(a: X87, b: X87) -> Inputs {
    Inputs { floats: [a, b, X87::default()], ..Inputs::default() }
}

fn called(state: &mut State, function: Function, inputs: Inputs) -> Result<X87, Trouble> {
    // SAFETY: the tables of this file name functions of math.h that give a `long double` from
    // the arguments passed; addresses among them are of locals of the right type.
    #[allow(unsafe_code)]
    computed(state, || unsafe { trampoline::long_double(function, &inputs) })?
}

fn plain(
    state: &mut State,
    function: Function,
    inputs: Inputs,
) -> Result<trampoline::Plain, Trouble> {
    // SAFETY: as in `called`, for functions that give an integer, a `double`, a `float` or
    // nothing.
    #[allow(unsafe_code)]
    computed(state, || unsafe { trampoline::plain(function, &inputs) })?
}

fn give(state: &mut State, function: Function, inputs: Inputs) -> ShimResult {
    of_long_double(called(state, function, inputs)?)
}

fn from_one(state: &mut State, args: &Arguments<'_>, function: Function) -> ShimResult {
    give(state, function, one(float(args, 0)))
}

fn from_two(state: &mut State, args: &Arguments<'_>, function: Function) -> ShimResult {
    give(state, function, two(float(args, 0), float(args, 1)))
}

fn to_long(state: &mut State, args: &Arguments<'_>, function: Function) -> ShimResult {
    value(plain(state, function, one(float(args, 0)))?.integer)
}

fn scaled(state: &mut State, args: &Arguments<'_>, function: Function) -> ShimResult {
    let inputs = Inputs { integers: [args.word(1), 0], ..one(float(args, 0)) };
    give(state, function, inputs)
}

fn bessel(state: &mut State, args: &Arguments<'_>, function: Function) -> ShimResult {
    let inputs = Inputs { integers: [args.word(0), 0], ..one(float(args, 1)) };
    give(state, function, inputs)
}

/// A function that gives an `int` through its second argument as well.
fn with_int(state: &mut State, args: &Arguments<'_>, function: Function) -> ShimResult {
    let mut extra = 0i32;
    let inputs = Inputs { integers: [&raw mut extra as u64, 0], ..one(float(args, 0)) };
    let result = called(state, function, inputs)?;
    state.memory.write_u32(args.word(1), extra as u32)?;
    of_long_double(result)
}

fn remquol(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut quotient = 0i32;
    let floats = two(float(args, 0), float(args, 1));
    let inputs = Inputs { integers: [&raw mut quotient as u64, 0], ..floats };
    let result = called(state, address_of!(remquol), inputs)?;
    state.memory.write_u32(args.word(2), quotient as u32)?;
    of_long_double(result)
}

fn modfl(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut whole = Cell::default();
    let inputs = Inputs { integers: [whole.address(), 0], ..one(float(args, 0)) };
    let result = called(state, address_of!(modfl), inputs)?;
    whole.store(state, args.word(1))?;
    of_long_double(result)
}

fn sincosl(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (mut sine, mut cosine) = (Cell::default(), Cell::default());
    let integers = [sine.address(), cosine.address()];
    plain(state, address_of!(sincosl), Inputs { integers, ..one(float(args, 0)) })?;
    sine.store(state, args.word(1))?;
    cosine.store(state, args.word(2))?;
    answer::nothing()
}

/// From a `double` or `float` towards a `long double`; `mask` keeps the bits of the result.
fn toward(state: &mut State, args: &Arguments<'_>, function: Function, mask: u64) -> ShimResult {
    let inputs = Inputs { double: args.word(0), ..one(float(args, 1)) };
    value(plain(state, function, inputs)?.double & mask)
}

/// Room for a `long double` as C lays it out.
#[repr(C, align(16))]
#[derive(Default)]
struct Cell([u8; 16]);

impl Cell {
    fn address(&mut self) -> u64 {
        self.0.as_mut_ptr() as u64
    }

    /// Copies the ten bytes that count into the program's memory.
    fn store(&self, state: &mut State, to: u64) -> MemoryResult<()> {
        state.memory.write_bytes(to, &self.0[..10])
    }
}
