//! Partitions of small pairs: the worked examples, and every verdict against all inputs.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

mod partitions {
    pub mod cover;
    mod examples;
    mod generated;
    mod order;
    #[allow(dead_code)] // Other tests use the rest.
    #[path = "../strategies/pair.rs"]
    pub mod pair;
    mod parameters;
    mod resuming;
    mod several;
    mod shares;
}
