//! Strategies on small pairs: what they find, and how much they need for it.

mod strategies {
    mod hinting;
    mod meeting;
    pub mod pair;
    mod propagation;
    mod pruning;
    mod reaching;
}
