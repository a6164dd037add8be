//! Every operation on floats against the processor's own instructions, bit by bit.
//!
//! The compiler may exchange the operands of a sum or product, so of two NaNs either may be the
//! result of the instruction; in all other cases the bits have to be the same.

use std::arch::x86_64::*;
use std::hint::black_box;

use base::Random;

use super::*;

/// Bits of a float: NaNs, infinities, zeros, subnormal, small and arbitrary numbers.
fn float(random: &mut Random, format: Format) -> u64 {
    let bits = random.next() & mask(format.width());
    let sign = bits & format.sign_bit();
    let bias = mask(format.exponent) >> 1;
    match random.next() % 10 {
        0 => sign,
        1 => sign | format.infinity(),
        2 => sign | format.infinity() | format.quiet_bit() | (random.next() % 100),
        3 => sign | format.infinity() | (1 + random.next() % 100),
        4 => sign | bits & mask(format.fraction),
        5 | 6 => {
            let exponent = bias + random.next() % 70 - 5;
            sign | exponent << format.fraction | bits & mask(format.fraction)
        }
        7 => {
            // Halves and whole numbers.
            let exponent = bias + random.next() % 8;
            let coarse = bits & mask(format.fraction) & !mask(format.fraction - 4);
            sign | exponent << format.fraction | coarse
        }
        _ => bits,
    }
}

#[target_feature(enable = "sse2")]
fn single(bits: u64) -> __m128 {
    black_box(_mm_set_ss(f32::from_bits(bits as u32)))
}

#[target_feature(enable = "sse2")]
fn double(bits: u64) -> __m128d {
    black_box(_mm_set_sd(f64::from_bits(bits)))
}

#[target_feature(enable = "sse2")]
fn single_bits(value: __m128) -> u64 {
    u64::from(_mm_cvtss_f32(value).to_bits())
}

#[target_feature(enable = "sse2")]
fn double_bits(value: __m128d) -> u64 {
    _mm_cvtsd_f64(value).to_bits()
}

/// What the processor makes of two floats.
#[target_feature(enable = "sse2")]
fn instruction(op: Op, width: u32, a: u64, b: u64) -> u64 {
    match (op, width) {
        (Op::FAdd, 32) => single_bits(_mm_add_ss(single(a), single(b))),
        (Op::FSub, 32) => single_bits(_mm_sub_ss(single(a), single(b))),
        (Op::FMul, 32) => single_bits(_mm_mul_ss(single(a), single(b))),
        (Op::FDiv, 32) => single_bits(_mm_div_ss(single(a), single(b))),
        (Op::FSqrt, 32) => single_bits(_mm_sqrt_ss(single(a))),
        (Op::FAdd, _) => double_bits(_mm_add_sd(double(a), double(b))),
        (Op::FSub, _) => double_bits(_mm_sub_sd(double(a), double(b))),
        (Op::FMul, _) => double_bits(_mm_mul_sd(double(a), double(b))),
        (Op::FDiv, _) => double_bits(_mm_div_sd(double(a), double(b))),
        (Op::FSqrt, _) => double_bits(_mm_sqrt_sd(double(a), double(a))),
        _ => unreachable!("not tried"),
    }
}

#[test]
#[allow(unsafe_code)]
fn arithmetic_gives_the_bits_of_the_processor() {
    // SAFETY: every processor of x86-64 has SSE2.
    unsafe { check_arithmetic() }
}

#[target_feature(enable = "sse2")]
fn check_arithmetic() {
    let mut random = Random::new(1);
    for format in [Format::F32, Format::F64] {
        let width = format.width();
        for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FSqrt] {
            for _ in 0..20_000 {
                let (a, b) = (float(&mut random, format), float(&mut random, format));
                let expected = instruction(op, width, a, b);
                let found = arithmetic(op, width, a, b, 0);
                let either = op != Op::FSqrt
                    && format.is_nan(a)
                    && format.is_nan(b)
                    && expected == b | format.quiet_bit();
                assert!(
                    found == expected || either,
                    "{op:?} {a:#x} {b:#x}: {found:#x} not {expected:#x}"
                );
            }
        }
    }
}

#[test]
#[allow(unsafe_code)]
fn comparisons_are_those_of_the_processor() {
    // SAFETY: every processor of x86-64 has SSE2.
    unsafe { check_comparisons() }
}

#[target_feature(enable = "sse2")]
fn check_comparisons() {
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let (a, b) = (float(&mut random, Format::F32), float(&mut random, Format::F32));
        let b = if random.next().is_multiple_of(4) { a } else { b };
        assert_eq!(compare(Op::FEq, 32, a, b), _mm_comieq_ss(single(a), single(b)) == 1);
        assert_eq!(compare(Op::FLt, 32, a, b), _mm_comilt_ss(single(a), single(b)) == 1);
        assert_eq!(compare(Op::FLe, 32, a, b), _mm_comile_ss(single(a), single(b)) == 1);
        let (a, b) = (float(&mut random, Format::F64), float(&mut random, Format::F64));
        let b = if random.next().is_multiple_of(4) { a } else { b };
        assert_eq!(compare(Op::FEq, 64, a, b), _mm_comieq_sd(double(a), double(b)) == 1);
        assert_eq!(compare(Op::FLt, 64, a, b), _mm_comilt_sd(double(a), double(b)) == 1);
        assert_eq!(compare(Op::FLe, 64, a, b), _mm_comile_sd(double(a), double(b)) == 1);
    }
}

#[test]
#[allow(unsafe_code)]
fn conversions_give_the_bits_of_the_processor() {
    // SAFETY: every processor of x86-64 has SSE2.
    unsafe { check_conversions() }
}

#[target_feature(enable = "sse2")]
fn check_conversions() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let (f, d) = (float(&mut random, Format::F32), float(&mut random, Format::F64));
        let zero = _mm_setzero_pd();
        assert_eq!(convert(32, 64, f), double_bits(_mm_cvtss_sd(zero, single(f))), "{f:#x}");
        let narrow = _mm_cvtsd_ss(_mm_setzero_ps(), double(d));
        assert_eq!(convert(64, 32, d), single_bits(narrow), "{d:#x}");
        assert_eq!(to_signed(32, f, 32) as i32, _mm_cvttss_si32(single(f)), "{f:#x}");
        assert_eq!(to_signed(32, f, 64) as i64, _mm_cvttss_si64(single(f)), "{f:#x}");
        assert_eq!(to_signed(64, d, 32) as i32, _mm_cvttsd_si32(double(d)), "{d:#x}");
        assert_eq!(to_signed(64, d, 64) as i64, _mm_cvttsd_si64(double(d)), "{d:#x}");
        let integer = black_box(random.next() as i64 >> (random.next() % 64));
        let as_double = _mm_cvtsi64_sd(zero, integer);
        assert_eq!(from_signed(integer.into(), 64), double_bits(as_double), "{integer}");
        let as_single = _mm_cvtsi64_ss(_mm_setzero_ps(), integer);
        assert_eq!(from_signed(integer.into(), 32), single_bits(as_single), "{integer}");
        // There is no instruction for unsigned numbers; the compiler's own code does it.
        let unsigned = integer as u64;
        assert_eq!(from_unsigned(unsigned.into(), 64), (unsigned as f64).to_bits());
        assert_eq!(from_unsigned(unsigned.into(), 32), u64::from((unsigned as f32).to_bits()));
    }
}

#[test]
fn remainders_and_fused_products_are_those_of_the_library() {
    let mut random = Random::new(4);
    for _ in 0..20_000 {
        let [a, b, c] = [0; 3].map(|_| float(&mut random, Format::F64));
        let of = f64::from_bits;
        let fused = arithmetic(Op::FFma, 64, a, b, c);
        let expected = black_box(of(a)).mul_add(of(b), of(c));
        assert!(fused == expected.to_bits() || of(fused).is_nan() && expected.is_nan());
        let rest = arithmetic(Op::FRem, 64, a, b, 0);
        let expected = black_box(of(a)) % of(b);
        assert!(rest == expected.to_bits() || of(rest).is_nan() && expected.is_nan());
        // The remainder has the sign of the first operand, also if it is zero.
        if !of(rest).is_nan() {
            assert_eq!(of(rest).is_sign_negative(), of(a).is_sign_negative());
        }
    }
}

#[test]
fn rounding_to_whole_numbers_keeps_signs_of_zeros() {
    let modes = Rounding::ALL;
    let expected: [(f64, [f64; 5]); 8] = [
        (0.5, [0.0, 1.0, 1.0, 0.0, 0.0]),
        (-0.5, [-0.0, -1.0, -0.0, -1.0, -0.0]),
        (1.5, [2.0, 2.0, 2.0, 1.0, 1.0]),
        (2.5, [2.0, 3.0, 3.0, 2.0, 2.0]),
        (-2.5, [-2.0, -3.0, -2.0, -3.0, -2.0]),
        (-0.0, [-0.0; 5]),
        (1e300, [1e300; 5]),
        (f64::NEG_INFINITY, [f64::NEG_INFINITY; 5]),
    ];
    for (value, results) in expected {
        for (mode, result) in modes.into_iter().zip(results) {
            let found = round(mode as u8, 64, value.to_bits());
            assert_eq!(found, result.to_bits(), "{value} {mode:?}");
            let narrow = (value as f32, result as f32);
            let found = round(mode as u8, 32, u64::from(narrow.0.to_bits()));
            assert_eq!(found, u64::from(narrow.1.to_bits()), "{value} {mode:?}");
        }
    }
    let signalling = Format::F64.infinity() | 5;
    assert_eq!(round(0, 64, signalling), signalling | Format::F64.quiet_bit());
}

#[test]
fn the_inverse_of_a_power_of_two_is_exact_or_none() {
    let inverse = |number: f64| Format::F64.inverse_of_power(number.to_bits()).map(f64::from_bits);
    assert_eq!([1.0, 2.0, -0.25, 1024.0].map(inverse), [1.0, 0.5, -4.0, 1.0 / 1024.0].map(Some));
    let (least, most) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE.recip());
    assert_eq!((inverse(least), inverse(most)), (Some(most), Some(least)));
    let none = [0.0, -0.0, 3.0, 0.1, most * 2.0, least / 2.0, f64::INFINITY, f64::NAN];
    assert_eq!(none.map(inverse), [None; 8]);
    let single = Format::F32.inverse_of_power(u64::from(8f32.to_bits()));
    assert_eq!(single, Some(u64::from(0.125f32.to_bits())));
}
