//! The words of LLVM that name operations of the IR.

use ir::{BinaryOp, CastOp, CompareOp, RmwOp};

pub(crate) fn binary_op(word: &[u8]) -> Option<BinaryOp> {
    Some(match word {
        b"add" => BinaryOp::Add,
        b"sub" => BinaryOp::Sub,
        b"mul" => BinaryOp::Mul,
        b"udiv" => BinaryOp::UDiv,
        b"sdiv" => BinaryOp::SDiv,
        b"urem" => BinaryOp::URem,
        b"srem" => BinaryOp::SRem,
        b"shl" => BinaryOp::Shl,
        b"lshr" => BinaryOp::LShr,
        b"ashr" => BinaryOp::AShr,
        b"and" => BinaryOp::And,
        b"or" => BinaryOp::Or,
        b"xor" => BinaryOp::Xor,
        b"fadd" => BinaryOp::FAdd,
        b"fsub" => BinaryOp::FSub,
        b"fmul" => BinaryOp::FMul,
        b"fdiv" => BinaryOp::FDiv,
        b"frem" => BinaryOp::FRem,
        _ => return None,
    })
}

pub(crate) fn cast_op(word: &[u8]) -> Option<CastOp> {
    Some(match word {
        b"trunc" => CastOp::Trunc,
        b"zext" => CastOp::ZExt,
        b"sext" => CastOp::SExt,
        b"fptrunc" => CastOp::FpTrunc,
        b"fpext" => CastOp::FpExt,
        b"fptoui" => CastOp::FpToUi,
        b"fptosi" => CastOp::FpToSi,
        b"uitofp" => CastOp::UiToFp,
        b"sitofp" => CastOp::SiToFp,
        b"ptrtoint" | b"ptrtoaddr" => CastOp::PtrToInt,
        b"inttoptr" => CastOp::IntToPtr,
        // All address spaces are one.
        b"bitcast" | b"addrspacecast" => CastOp::Bitcast,
        _ => return None,
    })
}

pub(crate) fn int_compare(word: &[u8]) -> Option<CompareOp> {
    Some(match word {
        b"eq" => CompareOp::Eq,
        b"ne" => CompareOp::Ne,
        b"ugt" => CompareOp::Ugt,
        b"uge" => CompareOp::Uge,
        b"ult" => CompareOp::Ult,
        b"ule" => CompareOp::Ule,
        b"sgt" => CompareOp::Sgt,
        b"sge" => CompareOp::Sge,
        b"slt" => CompareOp::Slt,
        b"sle" => CompareOp::Sle,
        _ => return None,
    })
}

pub(crate) fn float_compare(word: &[u8]) -> Option<CompareOp> {
    Some(match word {
        b"false" => CompareOp::FFalse,
        b"oeq" => CompareOp::FOeq,
        b"ogt" => CompareOp::FOgt,
        b"oge" => CompareOp::FOge,
        b"olt" => CompareOp::FOlt,
        b"ole" => CompareOp::FOle,
        b"one" => CompareOp::FOne,
        b"ord" => CompareOp::FOrd,
        b"uno" => CompareOp::FUno,
        b"ueq" => CompareOp::FUeq,
        b"ugt" => CompareOp::FUgt,
        b"uge" => CompareOp::FUge,
        b"ult" => CompareOp::FUlt,
        b"ule" => CompareOp::FUle,
        b"une" => CompareOp::FUne,
        b"true" => CompareOp::FTrue,
        _ => return None,
    })
}

pub(crate) fn rmw_op(word: &[u8]) -> Option<RmwOp> {
    Some(match word {
        b"xchg" => RmwOp::Xchg,
        b"add" => RmwOp::Add,
        b"sub" => RmwOp::Sub,
        b"and" => RmwOp::And,
        b"nand" => RmwOp::Nand,
        b"or" => RmwOp::Or,
        b"xor" => RmwOp::Xor,
        b"max" => RmwOp::Max,
        b"min" => RmwOp::Min,
        b"umax" => RmwOp::UMax,
        b"umin" => RmwOp::UMin,
        b"fadd" => RmwOp::FAdd,
        b"fsub" => RmwOp::FSub,
        b"fmax" => RmwOp::FMax,
        b"fmin" => RmwOp::FMin,
        b"uinc_wrap" => RmwOp::UIncWrap,
        b"udec_wrap" => RmwOp::UDecWrap,
        _ => return None,
    })
}

/// Whether a value begins with the word, as opposed to an attribute before it.
pub(crate) fn is_value_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"true"
            | b"false"
            | b"null"
            | b"undef"
            | b"poison"
            | b"none"
            | b"zeroinitializer"
            | b"splat"
            | b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"asm"
            | b"getelementptr"
            | b"icmp"
            | b"fcmp"
            | b"select"
            | b"extractvalue"
            | b"insertvalue"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"fneg"
    ) || binary_op(word).is_some()
        || cast_op(word).is_some()
        || crate::literal::is_typed_hex(word)
}
