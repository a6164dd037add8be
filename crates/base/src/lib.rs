//! What every other crate uses: entity tables, sets of numbers, components of graphs, random
//! numbers, work on several threads, a bound on memory, and the names of the two versions.
//!
//! Does not know programs or solvers, and of files only the system's account of memory.

pub mod bits;
pub mod components;
pub mod memory;
pub mod parallel;
pub mod random;
pub mod sets;
mod version;

pub mod entity {
    //! Dense `u32` handles and the tables indexed by them.
    pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl, packed_option};

    /// A table with the same value for each of the first `len` handles.
    pub fn filled<K: EntityRef, V: Clone>(len: usize, value: V) -> PrimaryMap<K, V> {
        std::iter::repeat_n(value, len).collect()
    }
}

pub use components::components;
pub use parallel::in_parallel;
pub use random::Random;
pub use version::{Both, Version};
