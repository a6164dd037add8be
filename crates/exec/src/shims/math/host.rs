//! The host's math library, found on the first use of one of its functions.
//!
//! Looks up functions by name at run time, because a linked-in function of the same name may be a
//! different one: Rust's own support library has some, which set no `errno` and round differently.
//!
//! The functions compute from their arguments alone and write nothing but what their pointer
//! parameters denote and the `errno` of the calling thread; they are total: no value of an argument
//! makes one of them misbehave. What remains to be proved at each call is that the type is that of
//! math.h.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::shims::Trouble;

/// `Dl_info` of dlfcn.h.
#[repr(C)]
#[allow(dead_code)] // The layout is what counts.
struct Info {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    address: *mut c_void,
}

// SAFETY: the signatures are those of dlfcn.h, errno.h and gnu/libc-version.h.
#[allow(unsafe_code)]
unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dladdr(address: *const c_void, info: *mut Info) -> c_int;
    safe fn gnu_get_libc_version() -> *const c_char;
    safe fn __errno_location() -> *mut i32;
}

/// The math library of the host, which computes the functions of math.h.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MathLibrary {
    /// The file that was loaded.
    pub file: PathBuf,
    /// The release of the C library that it is a part of.
    pub version: String,
}

impl MathLibrary {
    /// The library that is or would be loaded; none if the host has none.
    pub fn of_host() -> Option<MathLibrary> {
        let address = look_up(c"sin");
        let (text, place) = (std::ptr::null(), std::ptr::null_mut());
        let mut info = Info { file: text, base: place, name: text, address: place };
        // SAFETY: `info` has the layout that the function fills, and the address is only compared.
        #[allow(unsafe_code)]
        let is_found = unsafe { dladdr(address as *const c_void, &mut info) } != 0;
        if address == 0 || !is_found || info.file.is_null() {
            return None;
        }
        // SAFETY: both are C strings that live as long as the libraries are loaded, for good.
        #[allow(unsafe_code)]
        let (file, version) =
            unsafe { (CStr::from_ptr(info.file), CStr::from_ptr(gnu_get_libc_version())) };
        let version = version.to_string_lossy().into_owned();
        Some(MathLibrary { file: OsStr::from_bytes(file.to_bytes()).into(), version })
    }
}

/// The address of a function, as a number.
#[derive(Debug)]
pub struct Address {
    name: &'static CStr,
    found: OnceLock<usize>,
}

impl Address {
    pub const fn of(name: &'static CStr) -> Address {
        Address { name, found: OnceLock::new() }
    }

    /// Never null.
    pub fn get(&self) -> Result<*const (), Trouble> {
        match *self.found.get_or_init(|| look_up(self.name)) {
            0 => {
                let name = self.name.to_string_lossy();
                Err(Trouble::Unsupported(format!("{name}, which the host does not have")))
            }
            address => Ok(address as *const ()),
        }
    }
}

/// The address of a function of the math library or of the compiler's support library, which has
/// the complex products; 0 if there is none.
fn look_up(name: &CStr) -> usize {
    static LIBRARIES: OnceLock<[usize; 2]> = OnceLock::new();
    let libraries = LIBRARIES.get_or_init(|| [load(c"libm.so.6"), load(c"libgcc_s.so.1")]);
    for &library in libraries.iter().filter(|&&library| library != 0) {
        // SAFETY: the handle is valid, and the name is a C string.
        #[allow(unsafe_code)]
        let address = unsafe { dlsym(library as *mut c_void, name.as_ptr()) };
        if !address.is_null() {
            return address as usize;
        }
    }
    0
}

/// The handle of a library, as a number; 0 if there is none.
fn load(name: &CStr) -> usize {
    const RTLD_NOW: c_int = 2;
    // SAFETY: the name is a C string. The libraries are those that the C library and the
    // compiler come with; loading them runs no other code. They stay loaded for good.
    #[allow(unsafe_code)]
    let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
    library as usize
}

/// A function of the library by its name and its type in math.h.
macro_rules! host_function {
    ($name:ident: $type:ty) => {{
        static ADDRESS: $crate::shims::math::host::Address =
            match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => $crate::shims::math::host::Address::of(name),
                Err(_) => panic!("an identifier has no NUL inside"),
            };
        let address: *const () = ADDRESS.get()?;
        // SAFETY: the address is that of the function with this name in the mathematical
        // library, and the type is the one that math.h declares it with. The function is total
        // and pure but for `errno`, as the head of the file with this macro says.
        #[allow(unsafe_code)]
        let function: $type = unsafe { std::mem::transmute::<*const (), $type>(address) };
        function
    }};
}

/// A table of functions of one type.
macro_rules! host_functions {
    ($table:ident by $call:ident, $type:ty: $($name:ident)+) => {
        pub const $table: $crate::shims::Group = &[$(
            (stringify!($name), |state, args| $call(state, args, host_function!($name: $type)))
        ),+];
    };
    ($table:ident by $call:ident, $type:ty, finite: $($name:ident)+) => {
        pub const $table: $crate::shims::Group = &[$(
            (concat!("__", stringify!($name), "_finite"), |state, args| {
                $call(state, args, host_function!($name: $type))
            })
        ),+];
    };
}

pub(super) use {host_function, host_functions};

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
