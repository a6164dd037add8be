//! Calls of functions with `long double` parameters or results, for which Rust has no type.
//!
//! The convention of x86-64 System V for them: every `long double` argument takes 16 bytes of
//! the stack, in order; integers and addresses go to `rdi` and `rsi`, a `double` or `float` to
//! `xmm0`; the result comes back on top of the x87 stack, in `rax` or in `xmm0`. Passing more
//! than a function takes does no harm, so one shape of call fits all.

use crate::libc::decimal::X87;
use crate::shims::Trouble;

/// The address of a function of math.h with at most three `long double` arguments, at most two
/// integers or addresses and at most one `double` or `float`.
pub type Function = unsafe extern "C" fn();

/// The arguments of a function. Addresses among the integers must be of valid memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    pub floats: [X87; 3],
    pub integers: [u64; 2],
    pub double: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// What the function left in `rax`.
    pub integer: u64,
    /// What the function left in the low half of `xmm0`.
    pub double: u64,
}

#[cfg(target_arch = "x86_64")]
fn stack_of(inputs: &Inputs) -> [u64; 6] {
    let [a, b, c] = inputs.floats;
    let high = |x: X87| u64::from(x.sign_exponent);
    [a.mantissa, high(a), b.mantissa, high(b), c.mantissa, high(c)]
}

/// Calls a function whose result is a `long double`.
///
/// # Safety
///
/// The function must be of the kind that [`Function`] describes and give a `long double`, and
/// every address that it takes must be valid for what the function writes there.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub unsafe fn long_double(function: Function, inputs: &Inputs) -> Result<X87, Trouble> {
    let stack = stack_of(inputs);
    let mut result = [0u8; 16];
    // SAFETY: without `nostack` the stack pointer is aligned for a call at the start of the
    // block, and 48 is a multiple of 16. The block gives back what it takes from the stack.
    // `clobber_abi("C")` covers every register that a C function may change, among them the
    // whole x87 stack, which is therefore empty before and, after its one result is taken,
    // empty again. `r12` survives the call. The caller vouches for the function.
    unsafe {
        std::arch::asm!(
            "sub rsp, 48",
            "movups xmm1, [{from}]",
            "movups [rsp], xmm1",
            "movups xmm1, [{from} + 16]",
            "movups [rsp + 16], xmm1",
            "movups xmm1, [{from} + 32]",
            "movups [rsp + 32], xmm1",
            "call {function}",
            "add rsp, 48",
            "fstp tbyte ptr [r12]",
            from = in(reg) stack.as_ptr(),
            function = in(reg) function,
            in("r12") result.as_mut_ptr(),
            inout("rdi") inputs.integers[0] => _,
            inout("rsi") inputs.integers[1] => _,
            inout("xmm0") f64::from_bits(inputs.double) => _,
            clobber_abi("C"),
        );
    }
    let [a, b, c, d, e, f, g, h, i, j, ..] = result;
    Ok(X87::from_bytes([a, b, c, d, e, f, g, h, i, j]))
}

/// Calls a function whose result is an integer, a `double`, a `float` or nothing.
///
/// # Safety
///
/// As [`long_double`], but the function must not give a `long double`.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub unsafe fn plain(function: Function, inputs: &Inputs) -> Result<Plain, Trouble> {
    let stack = stack_of(inputs);
    let integer: u64;
    let double: f64;
    // SAFETY: as in `long_double`, but nothing is left on the x87 stack.
    unsafe {
        std::arch::asm!(
            "sub rsp, 48",
            "movups xmm1, [{from}]",
            "movups [rsp], xmm1",
            "movups xmm1, [{from} + 16]",
            "movups [rsp + 16], xmm1",
            "movups xmm1, [{from} + 32]",
            "movups [rsp + 32], xmm1",
            "call {function}",
            "add rsp, 48",
            from = in(reg) stack.as_ptr(),
            function = in(reg) function,
            inout("rdi") inputs.integers[0] => _,
            inout("rsi") inputs.integers[1] => _,
            inout("xmm0") f64::from_bits(inputs.double) => double,
            lateout("rax") integer,
            clobber_abi("C"),
        );
    }
    Ok(Plain { integer, double: double.to_bits() })
}

#[cfg(not(target_arch = "x86_64"))]
fn elsewhere<T>() -> Result<T, Trouble> {
    Err(Trouble::Unsupported("long double on a host that is not x86-64".to_owned()))
}

/// # Safety
///
/// None is needed: the function is not called.
#[cfg(not(target_arch = "x86_64"))]
#[allow(unsafe_code)]
pub unsafe fn long_double(_: Function, _: &Inputs) -> Result<X87, Trouble> {
    elsewhere()
}

/// # Safety
///
/// None is needed: the function is not called.
#[cfg(not(target_arch = "x86_64"))]
#[allow(unsafe_code)]
pub unsafe fn plain(_: Function, _: &Inputs) -> Result<Plain, Trouble> {
    elsewhere()
}
