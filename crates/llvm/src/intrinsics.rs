//! Functions named `llvm.…`: which of them are operations of the IR, and which have no effect.

mod x86;

pub(crate) use x86::Packed;

use ir::{BinaryOp, Builtin, CastOp};

use crate::words::{binary_op, cast_op};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Intrinsic {
    /// With at most that many of its arguments.
    Builtin(Builtin, usize),
    Binary(BinaryOp),
    Cast(CastOp),
    /// The predicate is a metadata argument.
    Compare,
    /// Yields its first argument.
    Identity,
    /// A hint, or a remark for the optimiser.
    Nothing,
    /// Whether the optimiser knows a value: it does not.
    IsConstant,
    ObjectSize,
    ToHalf,
    FromHalf,
    /// An address plus a 32-bit offset stored there.
    LoadRelative,
    Packed(Packed),
}

const ALL: usize = usize::MAX;

/// The meaning of `llvm.NAME`. Suffixes that spell the types of an overload are ignored.
pub(crate) fn intrinsic(name: &[u8]) -> Option<Intrinsic> {
    let mut name = name;
    loop {
        if let Some(found) = exact(name) {
            return Some(found);
        }
        let dot = memchr::memrchr(b'.', name)?;
        if !is_type_suffix(&name[dot + 1..]) {
            return None;
        }
        name = &name[..dot];
    }
}

fn is_type_suffix(suffix: &[u8]) -> bool {
    match suffix {
        [b'i' | b'f' | b'v' | b'p' | b'a', b'0'..=b'9', ..] => true,
        [b's', b'_', ..] | [b's', b'l', b'_', ..] => true,
        b"bf16" | b"ppcf128" | b"isVoid" => true,
        _ => suffix.starts_with(b"nxv"),
    }
}

fn exact(name: &[u8]) -> Option<Intrinsic> {
    if let Some(name) = name.strip_prefix(b"experimental.constrained.") {
        return constrained(name);
    }
    if let Some(name) = name.strip_prefix(b"vector.reduce.") {
        let full = format!("reduce.{}", std::str::from_utf8(name).ok()?);
        return Builtin::from_name(&full).map(|builtin| Intrinsic::Builtin(builtin, ALL));
    }
    if let Some(name) = name.strip_suffix(b".with.overflow") {
        let full = format!("{}.overflow", std::str::from_utf8(name).ok()?);
        return Builtin::from_name(&full).map(|builtin| Intrinsic::Builtin(builtin, ALL));
    }
    if let Some(found) = name.strip_prefix(b"x86.").and_then(x86::packed) {
        return Some(Intrinsic::Packed(found));
    }
    Some(match name {
        b"memcpy" | b"memcpy.inline" | b"memcpy.element.unordered.atomic" => {
            Intrinsic::Builtin(Builtin::Memcpy, 3)
        }
        b"memmove" | b"memmove.element.unordered.atomic" => Intrinsic::Builtin(Builtin::Memmove, 3),
        b"memset" | b"memset.inline" | b"memset.element.unordered.atomic" => {
            Intrinsic::Builtin(Builtin::Memset, 3)
        }
        b"abs" => Intrinsic::Builtin(Builtin::Abs, 1),
        b"ctlz" => Intrinsic::Builtin(Builtin::Ctlz, 1),
        b"cttz" => Intrinsic::Builtin(Builtin::Cttz, 1),
        b"va_start" => Intrinsic::Builtin(Builtin::VaStart, 1),
        b"va_end" => Intrinsic::Builtin(Builtin::VaEnd, 1),
        b"va_copy" => Intrinsic::Builtin(Builtin::VaCopy, 2),
        b"trap" | b"ubsantrap" => Intrinsic::Builtin(Builtin::Trap, 0),
        b"prefetch" | b"x86.sse2.pause" | b"x86.sse.sfence" | b"x86.sse2.lfence"
        | b"x86.sse2.mfence" | b"x86.sse2.clflush" => Intrinsic::Builtin(Builtin::Nop, 0),
        b"flt.rounds" => Intrinsic::Builtin(Builtin::GetRounding, 0),
        b"x86.sse2.pmovmskb.128" => Intrinsic::Builtin(Builtin::MoveMask, 1),
        b"x86.rdtsc" | b"readsteadycounter" => Intrinsic::Builtin(Builtin::ReadCycleCounter, 0),
        b"llrint" => Intrinsic::Builtin(Builtin::LRint, 1),
        b"llround" => Intrinsic::Builtin(Builtin::LRound, 1),
        b"minimumnum" => Intrinsic::Builtin(Builtin::MinNum, 2),
        b"maximumnum" => Intrinsic::Builtin(Builtin::MaxNum, 2),
        b"fptoui.sat" => Intrinsic::Cast(CastOp::FpToUiSat),
        b"fptosi.sat" => Intrinsic::Cast(CastOp::FpToSiSat),
        b"load.relative" => Intrinsic::LoadRelative,
        b"convert.to.fp16" => Intrinsic::ToHalf,
        b"convert.from.fp16" => Intrinsic::FromHalf,
        b"lifetime.start"
        | b"lifetime.end"
        | b"invariant.start"
        | b"invariant.end"
        | b"assume"
        | b"donothing"
        | b"experimental.noalias.scope.decl"
        | b"sideeffect"
        | b"var.annotation"
        | b"pseudoprobe"
        | b"fake.use" => Intrinsic::Nothing,
        b"expect"
        | b"expect.with.probability"
        | b"launder.invariant.group"
        | b"strip.invariant.group"
        | b"ssa.copy"
        | b"annotation"
        | b"ptr.annotation"
        | b"threadlocal.address"
        | b"arithmetic.fence"
        | b"canonicalize"
        | b"preserve.array.access.index" => Intrinsic::Identity,
        b"is.constant" => Intrinsic::IsConstant,
        b"objectsize" => Intrinsic::ObjectSize,
        // Memory, overflow and counting intrinsics have rules of their own above.
        b"nop" => return None,
        _ => {
            let builtin = Builtin::from_name(std::str::from_utf8(name).ok()?)?;
            Intrinsic::Builtin(builtin, ALL)
        }
    })
}

/// Float operations with a rounding mode and exception behaviour, both as by default.
fn constrained(name: &[u8]) -> Option<Intrinsic> {
    if matches!(name, b"fcmp" | b"fcmps") {
        return Some(Intrinsic::Compare);
    }
    if let Some(op) = binary_op(name) {
        return Some(Intrinsic::Binary(op));
    }
    if let Some(op) = cast_op(name)
        && name != b"trunc"
    {
        return Some(Intrinsic::Cast(op));
    }
    match exact(name)? {
        Intrinsic::Builtin(builtin, count) => Some(Intrinsic::Builtin(builtin, count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overload_suffixes_do_not_matter() {
        let memcpy = Some(Intrinsic::Builtin(Builtin::Memcpy, 3));
        assert_eq!(intrinsic(b"memcpy.p0i8.p0i8.i64"), memcpy);
        assert_eq!(intrinsic(b"memcpy.inline.p0.p0.i64"), memcpy);
        assert_eq!(
            intrinsic(b"sadd.with.overflow.v4i32"),
            Some(Intrinsic::Builtin(Builtin::SAddOverflow, ALL))
        );
        assert_eq!(
            intrinsic(b"vector.reduce.umax.v4i32"),
            Some(Intrinsic::Builtin(Builtin::ReduceUMax, ALL))
        );
        assert_eq!(intrinsic(b"abs.something.i32"), None);
        assert_eq!(intrinsic(b"fptosi.sat.i32.f64"), Some(Intrinsic::Cast(CastOp::FpToSiSat)));
    }

    #[test]
    fn constrained_operations_are_plain_ones() {
        assert_eq!(
            intrinsic(b"experimental.constrained.fadd.f64"),
            Some(Intrinsic::Binary(BinaryOp::FAdd))
        );
        assert_eq!(
            intrinsic(b"experimental.constrained.trunc.f64"),
            Some(Intrinsic::Builtin(Builtin::TruncF, ALL))
        );
    }
}
