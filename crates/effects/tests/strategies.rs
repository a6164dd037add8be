//! Strategies on small pairs: what they find, and with how much effort.

mod strategies {
    mod hinting;
    mod meeting;
    pub mod pair;
    mod propagation;
    mod pruning;
    mod reaching;
}
