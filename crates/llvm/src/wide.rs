//! Integer constants of more than 128 bits.
//!
//! Our IR holds constants of up to 128 bits; a wider one becomes an expression: its
//! 128-bit pieces, shifted into place and joined.

use ir::{BinaryOp, Const, TypeId, TypedConst};

use crate::cursor::{Cursor, Parsed};

/// Wider types have no values in practice; their constants are rejected.
const MAX_BITS: u32 = 4096;

/// A decimal number of an integer type of more than 128 bits.
pub(crate) fn number(c: &mut Cursor<'_>, ty: TypeId, bits: u32) -> Parsed<Const> {
    let negative = c.eat(b'-');
    let start = *c;
    let word = c.word_here();
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return start.expected("an integer");
    }
    if bits > MAX_BITS || word.len() > MAX_BITS as usize {
        return start.fault("constants of more than 4096 bits are not supported");
    }
    let mut words = vec![0u64; bits.div_ceil(64) as usize];
    for digit in word {
        multiply_add(&mut words, 10, u64::from(digit - b'0'));
    }
    if negative {
        negate(&mut words);
    }
    if let (Some(last), used @ 1..) = (words.last_mut(), bits % 64) {
        *last &= (1 << used) - 1;
    }
    Ok(join(&words, ty))
}

/// `words = words·factor + addend`, wrapping at the width.
fn multiply_add(words: &mut [u64], factor: u64, addend: u64) {
    let mut carry = u128::from(addend);
    for word in words {
        let product = u128::from(*word) * u128::from(factor) + carry;
        *word = product as u64;
        carry = product >> 64;
    }
}

fn negate(words: &mut [u64]) {
    words.iter_mut().for_each(|word| *word = !*word);
    multiply_add(words, 1, 1);
}

fn join(words: &[u64], ty: TypeId) -> Const {
    let typed = |value| Box::new(TypedConst { ty, value });
    let mut joined: Option<Const> = None;
    for (index, piece) in words.chunks(2).enumerate() {
        let high = piece.get(1).copied().unwrap_or(0);
        let value = u128::from(high) << 64 | u128::from(piece[0]);
        let placed = match (index, value) {
            (0, value) => Const::Int(value),
            (_, 0) => continue,
            (index, value) => Const::Binary {
                op: BinaryOp::Shl,
                lhs: typed(Const::Int(value)),
                rhs: typed(Const::Int(128 * index as u128)),
            },
        };
        joined = Some(match joined {
            None => placed,
            Some(low) => Const::Binary { op: BinaryOp::Or, lhs: typed(low), rhs: typed(placed) },
        });
    }
    joined.unwrap_or(Const::Zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_at_their_width() {
        let mut words = vec![0; 3];
        multiply_add(&mut words, 1, 5);
        negate(&mut words);
        assert_eq!(words, [u64::MAX - 4, u64::MAX, u64::MAX]);
        multiply_add(&mut words, 2, 0);
        assert_eq!(words, [u64::MAX - 9, u64::MAX, u64::MAX]);
    }

    #[test]
    fn small_numbers_stay_plain() {
        assert_eq!(join(&[7, 0, 0], ir::Types::I64), Const::Int(7));
        assert!(matches!(join(&[7, 0, 1], ir::Types::I64), Const::Binary { .. }));
    }
}
