//! The two versions of a program, and pairs with a value for each.
//!
//! A pair is a plain array, OLD first, so that `map`, `each_ref`, `iter` and patterns work as on
//! arrays; a [`Version`] is its index. Does not know what a version consists of.

use std::ops::{Index, IndexMut};

/// Which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    Old,
    New,
}

/// One for OLD and one for NEW.
pub type Both<T> = [T; 2];

impl Version {
    pub const BOTH: Both<Version> = [Version::Old, Version::New];

    pub fn other(self) -> Version {
        match self {
            Version::Old => Version::New,
            Version::New => Version::Old,
        }
    }
}

impl<T> Index<Version> for Both<T> {
    type Output = T;

    fn index(&self, version: Version) -> &T {
        &self[version as usize]
    }
}

impl<T> IndexMut<Version> for Both<T> {
    fn index_mut(&mut self, version: Version) -> &mut T {
        &mut self[version as usize]
    }
}
