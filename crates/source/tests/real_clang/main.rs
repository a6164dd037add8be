//! Tests with a real clang. Where none is installed they pass with a message.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // What tests share is test code as well.

mod bench;
mod checkout;
mod compile;
mod confinement;
mod dialect;
mod hostile;
mod native;
