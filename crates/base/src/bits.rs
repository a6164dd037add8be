//! Integers of a given width, held in the low bits of a word of 128 bits.

/// All bits of an integer of the width.
#[inline]
pub fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The low bits of a value.
#[inline]
pub fn truncate(value: u128, bits: u32) -> u128 {
    value & mask(bits)
}

/// The low bits of a value as a signed integer in two's complement.
#[inline]
pub fn signed(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits.clamp(1, 128);
    ((value << unused) as i128) >> unused
}
