//! Engines under the libc shims: what printf, scanf, strtod, files, streams and the clock compute.
//!
//! Results are those of glibc 2.36 on x86-64 Linux in the C locale, byte for byte. The engines are
//! plain Rust over small traits: they do not know the machine, its memory or its terms, never touch
//! the host's files or clock, and are deterministic. Rounding is always to nearest even; changes of
//! the rounding mode are ignored.

pub mod clock;
pub mod decimal;
pub mod errno;
pub mod format;
pub mod scan;
pub mod stream;
pub mod vfs;

#[cfg(test)]
pub(crate) mod native;
