//! The host's mathematical library.
//!
//! Each declaration is that of math.h. The functions compute from their arguments alone and
//! write nothing but what their reference parameters point to and the `errno` of the calling
//! thread; they are total: no value of an argument makes one of them misbehave. Hence they are
//! declared safe.

/// Declares functions of one type and makes their table: `double` or `float` in, the same out.
macro_rules! host_functions {
    (
        fn $parameters:tt -> $result:ty;
        $table:ident by $call:ident: $($name:ident)+
    ) => {
        pub const $table: crate::shims::Group = &[$({
            // SAFETY: the signature is that of math.h, and the function is total and pure but
            // for `errno`, as the head of the file that defines this macro says.
            #[allow(unsafe_code)]
            unsafe extern "C" {
                safe fn $name $parameters -> $result;
            }
            (stringify!($name), |state, args| $call(state, args, $name))
        }),+];
    };
    (
        fn $parameters:tt -> $result:ty;
        $table:ident by $call:ident finite: $($name:ident)+
    ) => {
        pub const $table: crate::shims::Group = &[$({
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe extern "C" {
                safe fn $name $parameters -> $result;
            }
            (concat!("__", stringify!($name), "_finite"), |state, args| $call(state, args, $name))
        }),+];
    };
}

pub(super) use host_functions;

// SAFETY: the signatures are those of math.h; see the head of this file.
#[allow(unsafe_code)]
#[link(name = "m")]
unsafe extern "C" {
    pub safe fn fma(a: f64, b: f64, c: f64) -> f64;
    pub safe fn fmaf(a: f32, b: f32, c: f32) -> f32;
    pub safe fn ldexp(value: f64, exponent: i32) -> f64;
    pub safe fn ldexpf(value: f32, exponent: i32) -> f32;
    pub safe fn scalbln(value: f64, exponent: i64) -> f64;
    pub safe fn scalblnf(value: f32, exponent: i64) -> f32;
    pub safe fn ilogb(value: f64) -> i32;
    pub safe fn ilogbf(value: f32) -> i32;
    pub safe fn jn(order: i32, value: f64) -> f64;
    pub safe fn jnf(order: i32, value: f32) -> f32;
    pub safe fn yn(order: i32, value: f64) -> f64;
    pub safe fn ynf(order: i32, value: f32) -> f32;
    pub safe fn frexp(value: f64, exponent: &mut i32) -> f64;
    pub safe fn frexpf(value: f32, exponent: &mut i32) -> f32;
    pub safe fn modf(value: f64, whole: &mut f64) -> f64;
    pub safe fn modff(value: f32, whole: &mut f32) -> f32;
    pub safe fn remquo(a: f64, b: f64, quotient: &mut i32) -> f64;
    pub safe fn remquof(a: f32, b: f32, quotient: &mut i32) -> f32;
    pub safe fn lgamma_r(value: f64, sign: &mut i32) -> f64;
    pub safe fn lgammaf_r(value: f32, sign: &mut i32) -> f32;
    pub safe fn sincos(value: f64, sine: &mut f64, cosine: &mut f64);
    pub safe fn sincosf(value: f32, sine: &mut f32, cosine: &mut f32);
    pub safe fn exp10(value: f64) -> f64;
    pub safe fn exp10f(value: f32) -> f32;
    safe fn __errno_location() -> *mut i32;
}

/// The result of a computation and the error number that it set, 0 for none.
pub fn with_errno<T>(compute: impl FnOnce() -> T) -> (T, i32) {
    let errno = __errno_location();
    // SAFETY: the pointer is to the `errno` of this thread, which lives as long as the thread
    // and which no Rust reference denotes.
    #[allow(unsafe_code)]
    unsafe {
        errno.write_volatile(0);
    }
    let result = compute();
    // SAFETY: as above; `compute` runs on the same thread.
    #[allow(unsafe_code)]
    let number = unsafe { errno.read_volatile() };
    (result, number)
}
