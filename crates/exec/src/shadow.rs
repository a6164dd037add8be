//! Values with their shadows, which say how a value depends on the input.

use crate::memory::Shade;

/// A register's value and its shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operand {
    pub bits: u64,
    pub shadow: u32,
}

/// Shadows that memory gets at the end of an operation.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    pub address: u64,
    pub shades: Vec<Shade>,
}
