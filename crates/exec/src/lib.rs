//! The machine: executes programs in Ripple's IR exactly as the native build would.
//!
//! One evaluator over a register form of the IR, a memory of objects, and the C library as Rust
//! functions over a virtual file system. Never runs a process, and a run never reads the host's
//! files, clock or environment. The only part of the host it uses is the math library, loaded on
//! first use ([`shims::MathLibrary`] identifies it), which computes math.h. Does not know
//! exploration strategies.

pub mod addresses;
pub mod assembly;
pub mod big;
pub mod builtin;
pub mod code;
pub mod concolic;
pub mod float;
pub mod libc;
pub mod lower;
pub mod machine;
pub mod memory;
pub mod observer;
pub mod operator;
pub mod process;
pub mod program;
pub mod runtime;
pub mod shadow;
pub mod shims;
pub mod state;
pub mod stop;
pub mod undefined;
mod varargs;

pub use concolic::Concolic;
pub use lower::Instrumentation;
pub use machine::Machine;
pub use observer::{Observer, StatementTrace, Unobserved};
pub use process::{Input, Place};
pub use program::{Program, ProgramError};
pub use stop::{Limits, Stop};
