//! The names of functions `llvm.x86.…`: SSE and SSE2 instructions.
//!
//! Leaves out those that a program without special flags cannot use, the approximations (`rcp`,
//! `rsqrt`), whose results differ between processors, and the control register of floats.

use ir::{BinaryOp, CompareOp};

/// An instruction on vectors, by what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Packed {
    /// Narrows two vectors of signed lanes to one with lanes of half the width, saturating.
    Narrow { signed: bool },
    /// The upper half of each product.
    MultiplyHigh { signed: bool },
    /// The rounded mean of unsigned lanes.
    Average,
    /// Products of signed lanes, added in pairs.
    MultiplyAdd,
    /// The sums of eight absolute differences of unsigned bytes each.
    SumDifferences,
    /// By one amount for all lanes; too large an amount shifts everything out.
    Shift(BinaryOp),
    /// The first operand where the comparison holds, else the second.
    Pick(CompareOp),
    /// The same for the first lane; the others are those of the first operand.
    PickFirst(CompareOp),
    /// The comparison that the third operand says, of the first lanes, as a mask.
    CompareFirst,
    /// A comparison of the first lanes, as an `i32`.
    Test(CompareOp),
    /// Floats to integers; remaining lanes are zero.
    ToIntegers { round: bool },
    /// The first lane to an integer.
    FirstToInteger { round: bool },
    /// Doubles to floats; remaining lanes are zero.
    ToFloats,
    /// The first lane of the second operand takes the place of the first one of the first.
    FirstToFloat,
    /// The signs of float lanes, as bits of an `i32`.
    Signs,
}

/// The meaning of `llvm.x86.NAME`.
pub(crate) fn packed(name: &[u8]) -> Option<Packed> {
    let (set, name) = name.split_at(memchr::memchr(b'.', name)?);
    if !matches!(set, b"sse" | b"sse2") {
        return None;
    }
    Some(match &name[1..] {
        b"packsswb.128" | b"packssdw.128" => Packed::Narrow { signed: true },
        b"packuswb.128" => Packed::Narrow { signed: false },
        b"pmulh.w" => Packed::MultiplyHigh { signed: true },
        b"pmulhu.w" => Packed::MultiplyHigh { signed: false },
        b"pavg.b" | b"pavg.w" => Packed::Average,
        b"pmadd.wd" => Packed::MultiplyAdd,
        b"psad.bw" => Packed::SumDifferences,
        b"psll.w" | b"psll.d" | b"psll.q" | b"pslli.w" | b"pslli.d" | b"pslli.q" => {
            Packed::Shift(BinaryOp::Shl)
        }
        b"psrl.w" | b"psrl.d" | b"psrl.q" | b"psrli.w" | b"psrli.d" | b"psrli.q" => {
            Packed::Shift(BinaryOp::LShr)
        }
        b"psra.w" | b"psra.d" | b"psrai.w" | b"psrai.d" => Packed::Shift(BinaryOp::AShr),
        b"min.ps" | b"min.pd" => Packed::Pick(CompareOp::FOlt),
        b"max.ps" | b"max.pd" => Packed::Pick(CompareOp::FOgt),
        b"min.ss" | b"min.sd" => Packed::PickFirst(CompareOp::FOlt),
        b"max.ss" | b"max.sd" => Packed::PickFirst(CompareOp::FOgt),
        b"cmp.ss" | b"cmp.sd" => Packed::CompareFirst,
        b"cvtps2dq" | b"cvtpd2dq" => Packed::ToIntegers { round: true },
        b"cvttps2dq" | b"cvttpd2dq" => Packed::ToIntegers { round: false },
        b"cvtss2si" | b"cvtss2si64" | b"cvtsd2si" | b"cvtsd2si64" => {
            Packed::FirstToInteger { round: true }
        }
        b"cvttss2si" | b"cvttss2si64" | b"cvttsd2si" | b"cvttsd2si64" => {
            Packed::FirstToInteger { round: false }
        }
        b"cvtpd2ps" => Packed::ToFloats,
        b"cvtsd2ss" => Packed::FirstToFloat,
        b"movmsk.ps" | b"movmsk.pd" => Packed::Signs,
        name => Packed::Test(test(name)?),
    })
}

/// The comparison of `comiXX.ss` and the like; with a NaN only `neq` holds.
fn test(name: &[u8]) -> Option<CompareOp> {
    let name = name.strip_prefix(b"u").unwrap_or(name).strip_prefix(b"comi")?;
    Some(match name {
        b"eq.ss" | b"eq.sd" => CompareOp::FOeq,
        b"lt.ss" | b"lt.sd" => CompareOp::FOlt,
        b"le.ss" | b"le.sd" => CompareOp::FOle,
        b"gt.ss" | b"gt.sd" => CompareOp::FOgt,
        b"ge.ss" | b"ge.sd" => CompareOp::FOge,
        b"neq.ss" | b"neq.sd" => CompareOp::FUne,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_the_baseline_are_known_by_name() {
        assert_eq!(packed(b"sse2.psad.bw"), Some(Packed::SumDifferences));
        assert_eq!(packed(b"sse2.psrai.d"), Some(Packed::Shift(BinaryOp::AShr)));
        assert_eq!(packed(b"sse.ucomineq.ss"), Some(Packed::Test(CompareOp::FUne)));
        assert_eq!(packed(b"sse2.comilt.sd"), Some(Packed::Test(CompareOp::FOlt)));
    }

    #[test]
    fn approximations_and_later_sets_are_not_known() {
        assert_eq!(packed(b"sse.rcp.ps"), None);
        assert_eq!(packed(b"avx2.psad.bw"), None);
        assert_eq!(packed(b"ssse3.pshuf.b.128"), None);
    }
}
