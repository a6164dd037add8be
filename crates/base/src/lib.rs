//! What every other crate stands on: entity tables.
//!
//! Knows nothing of programs, versions, solvers or files.

pub mod entity {
    //! Dense `u32` handles and the tables indexed by them.
    pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl, packed_option};
}
