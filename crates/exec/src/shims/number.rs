//! Text to floating-point numbers: `strtod` and the like.
//!
//! The locale is always "C", so the variants with a locale argument ignore it. The C runtime
//! reads simple numbers itself; for the others it has names of its own here.

use super::{Arguments, Group, Outcome, ShimResult, Trouble};
use crate::libc::decimal::{Parsed, parse_f32, parse_f64, parse_x87};
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("strtod __ripple_strtod strtod_l __strtod_l __strtod_internal strtof64 strtof32x", strtod),
    ("strtof __ripple_strtof strtof_l __strtof_l __strtof_internal strtof32", strtof),
    ("strtold __ripple_strtold strtold_l __strtold_l __strtold_internal strtof64x", strtold),
];

fn strtod(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    Ok(Outcome::Value(parse(state, args, parse_f64)?.to_bits()))
}

fn strtof(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    Ok(Outcome::Value(u64::from(parse(state, args, parse_f32)?.to_bits())))
}

fn strtold(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let value = parse(state, args, parse_x87)?;
    Ok(Outcome::Pair(value.mantissa, u64::from(value.sign_exponent)))
}

fn parse<T: Copy>(
    state: &mut State,
    args: &Arguments<'_>,
    parser: fn(&[u8]) -> Parsed<T>,
) -> Result<T, Trouble> {
    let (start, end) = (args.word(0), args.word(1));
    // Not up to the NUL: looking for it in a long text would cost more than the number.
    let text = state.memory.bytes_from(start)?;
    let parsed = parser(text);
    let length = parsed.length as u64;
    if parsed.length == text.len() {
        // The native function would read the byte after the object.
        state.memory.bytes(start, length + 1)?;
    }
    if parsed.range {
        state.set_errno(Errno::ERANGE)?;
    }
    if end != 0 {
        state.memory.write_u64(end, start + length)?;
    }
    Ok(parsed.value)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{call, errno, place};
    use super::*;

    #[test]
    fn the_end_pointer_stands_behind_the_number() {
        let mut state = State::scratch();
        let text = place(&mut state, b" 1.5e2kg\0");
        let end = place(&mut state, &[0; 8]);
        let result = call(&mut state, "strtod", &[text, end]).unwrap();
        assert_eq!(result, Outcome::Value(150f64.to_bits()));
        assert_eq!(state.memory.read_u64(end).unwrap(), text + 6);
        assert_eq!(errno(&mut state), 0);
    }

    #[test]
    fn a_number_out_of_range_sets_errno() {
        let mut state = State::scratch();
        let text = place(&mut state, b"1e999\0");
        let result = call(&mut state, "strtof", &[text, 0]).unwrap();
        assert_eq!(result, Outcome::Value(u64::from(f32::INFINITY.to_bits())));
        assert_eq!(errno(&mut state), Errno::ERANGE.0);
    }

    #[test]
    fn a_text_without_an_end_is_read_past_its_object() {
        let mut state = State::scratch();
        let text = place(&mut state, b"123");
        assert!(matches!(call(&mut state, "strtold", &[text, 0]), Err(Trouble::Violation(_))));
    }
}
