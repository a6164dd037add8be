//! Strategies on small pairs: what they find, and how much they need for it.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

mod strategies {
    mod hinting;
    mod meeting;
    pub mod pair;
    mod propagation;
    mod pruning;
    mod reaching;
}
