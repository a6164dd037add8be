//! What every other crate stands on: entity tables, sets of numbers, components of graphs, random
//! numbers, and work on several threads.
//!
//! Knows nothing of programs, versions, solvers or files.

pub mod components;
pub mod parallel;
pub mod random;
pub mod sets;

pub mod entity {
    //! Dense `u32` handles and the tables indexed by them.
    pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl, packed_option};
}

pub use components::components;
pub use parallel::in_parallel;
pub use random::Random;
