//! Which registers and which memory an operation reads and writes.

use smallvec::{SmallVec, smallvec};

use super::{Op, Reg, Slow};

/// A first register and how many follow, itself included.
pub type Range = (Reg, u16);

/// The registers that an operation computes with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    pub reads: SmallVec<[Range; 4]>,
    pub writes: Option<Range>,
}

/// An access of an operation to memory at `a + b·scale + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub base: Reg,
    pub index: Option<(Reg, i32)>,
    pub offset: i64,
    pub bytes: u32,
    /// The register of the value, or the first of several of eight bytes each.
    pub value: Reg,
    pub write: bool,
}

impl Flow {
    fn new(writes: Range, reads: &[Range]) -> Flow {
        Flow { reads: reads.into(), writes: Some(writes) }
    }
}

/// The registers of an operation with one result, as most operations are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// `None` if it decides where control goes instead of computing a value.
    pub writes: Option<Reg>,
    /// The registers read; those beyond `count` repeat the first.
    pub reads: [Reg; 3],
    pub count: u8,
}

impl Operands {
    #[inline(always)]
    const fn one(writes: Option<Reg>, a: Reg) -> Operands {
        Operands { writes, reads: [a, a, a], count: 1 }
    }

    #[inline(always)]
    const fn two(writes: Option<Reg>, a: Reg, b: Reg) -> Operands {
        Operands { writes, reads: [a, b, a], count: 2 }
    }
}

impl Op {
    /// The registers of an operation that computes a value from registers or decides by them.
    /// Excludes accesses to memory, calls and returns.
    #[inline(always)]
    pub fn operands(&self) -> Option<Operands> {
        Some(match *self {
            any!({ d, a, .. }
                Copy Add32I Add64I OffsetI Mul32I Mul64I AndI OrI XorI Shl32I Shl64I LShrI AShr32I
                AShr64I EqI NeI UltI UgtI Slt32I Sgt32I Slt64I Sgt64I Sext8To32 Sext16To32 Sext8To64
                Sext16To64 Sext32To64 Sext Si32ToF64 Si64ToF64 F64ToSi32 F64ToSi64 F32ToF64
                F64ToF32) => Operands::one(Some(d), a),
            any!({ d, a, b, .. }
                Add32 Add64 Sub32 Sub64 Mul32 Mul64 And Or Xor Shl32 Shl64 LShr32 LShr64 AShr32
                AShr64 UDiv URem SDiv32 SRem32 Int Eq Ne Ult Ule Slt32 Sle32 Slt64 Sle64 Compare
                FAdd64 FSub64 FMul64 FDiv64 FAdd32 FSub32 FMul32 FDiv32 FCompare64 Offset) => {
                Operands::two(Some(d), a, b)
            }
            any!({ d, a, b, c } FMulAdd64 FMulAdd32 Select) => {
                Operands { writes: Some(d), reads: [a, b, c], count: 3 }
            }
            any!({ a, .. }
                Branch BranchNot BrEqI BrNeI BrUltI BrUgtI BrSlt32I BrSgt32I BrSlt64I BrSgt64I
                Switch IndirectJump) => Operands::one(None, a),
            any!({ a, b, .. }
                BrEq BrNe BrUlt BrUle BrSlt32 BrSle32 BrSlt64 BrSle64) => Operands::two(None, a, b),
            _ => return None,
        })
    }

    /// The access of a plain load or store.
    pub fn access(&self) -> Option<Access> {
        use Op::*;
        let plain = |base, offset, bytes, value, write| {
            Some(Access { base, index: None, offset, bytes, value, write })
        };
        let indexed = |base, b, scale, offset: i32, bytes, value, write| {
            let (index, offset) = (Some((b, scale)), i64::from(offset));
            Some(Access { base, index, offset, bytes, value, write })
        };
        match *self {
            Load8 { d, a, offset } => plain(a, offset, 1, d, false),
            Load16 { d, a, offset } => plain(a, offset, 2, d, false),
            Load32 { d, a, offset } => plain(a, offset, 4, d, false),
            Load64 { d, a, offset } => plain(a, offset, 8, d, false),
            Store8 { a, b, offset } => plain(a, offset, 1, b, true),
            Store16 { a, b, offset } => plain(a, offset, 2, b, true),
            Store32 { a, b, offset } => plain(a, offset, 4, b, true),
            Store64 { a, b, offset } => plain(a, offset, 8, b, true),
            Load8X { d, a, b, scale, offset } => indexed(a, b, scale, offset, 1, d, false),
            Load16X { d, a, b, scale, offset } => indexed(a, b, scale, offset, 2, d, false),
            Load32X { d, a, b, scale, offset } => indexed(a, b, scale, offset, 4, d, false),
            Load64X { d, a, b, scale, offset } => indexed(a, b, scale, offset, 8, d, false),
            Store8X { c, a, b, scale, offset } => indexed(a, b, scale, offset, 1, c, true),
            Store16X { c, a, b, scale, offset } => indexed(a, b, scale, offset, 2, c, true),
            Store32X { c, a, b, scale, offset } => indexed(a, b, scale, offset, 4, c, true),
            Store64X { c, a, b, scale, offset } => indexed(a, b, scale, offset, 8, c, true),
            _ => None,
        }
    }
}

impl Slow {
    /// The flow between registers, without the flow through memory.
    pub fn flow(&self) -> Flow {
        let words = |bits: u32| bits.div_ceil(64) as u16;
        match self {
            Slow::Binary { scalar, d, a, b, .. } => {
                let width = scalar.registers();
                Flow::new((*d, width), &[(*a, width), (*b, width)])
            }
            Slow::BigBinary { bits, d, a, b, .. } => {
                let width = words(*bits);
                Flow::new((*d, width), &[(*a, width), (*b, width)])
            }
            Slow::BigCompare { bits, d, a, b, .. } => {
                Flow::new((*d, 1), &[(*a, words(*bits)), (*b, words(*bits))])
            }
            Slow::BigCast { from, to, d, a, .. } => {
                Flow::new((*d, words(*to)), &[(*a, words(*from))])
            }
            Slow::Negate { scalar, d, a } => {
                Flow::new((*d, scalar.registers()), &[(*a, scalar.registers())])
            }
            Slow::Compare { scalar, d, a, b, .. } => {
                Flow::new((*d, 1), &[(*a, scalar.registers()), (*b, scalar.registers())])
            }
            Slow::Cast { from, to, d, a, .. } => {
                Flow::new((*d, to.registers()), &[(*a, from.registers())])
            }
            Slow::Bitcast { from, from_lanes, to, to_lanes, d, a } => {
                let count = |registers: u16, lanes: u32| registers * lanes as u16;
                let writes = (*d, count(to.registers(), *to_lanes));
                Flow::new(writes, &[(*a, count(from.registers(), *from_lanes))])
            }
            Slow::ExtractLane { width, lanes, d, base, index } => {
                Flow::new((*d, *width), &[(*base, width * *lanes as u16), (*index, 1)])
            }
            Slow::InsertLane { width, lanes, base, index, a } => {
                let all = (*base, width * *lanes as u16);
                Flow::new(all, &[all, (*index, 1), (*a, *width)])
            }
            Slow::Builtin { scalar, result, d, args, .. } => {
                // The flag of an overflow check follows the value.
                let reads: SmallVec<[Range; 4]> =
                    args.iter().map(|&arg| (arg, scalar.registers())).collect();
                Flow { reads, writes: Some((*d, result.registers())) }
            }
            Slow::Reduce { scalar, lanes, d, a, start, .. } => {
                let mut reads: SmallVec<[Range; 4]> =
                    smallvec![(*a, scalar.registers() * *lanes as u16)];
                reads.extend(start.map(|start| (start, scalar.registers())));
                Flow { reads, writes: Some((*d, scalar.registers())) }
            }
            Slow::MoveMask { lanes, d, a } => Flow::new((*d, 1), &[(*a, *lanes as u16)]),
            Slow::Alloca { d, .. }
            | Slow::StackSave { d }
            | Slow::FrameAddress { d, .. }
            | Slow::CycleCounter { d } => Flow::new((*d, 1), &[]),
            Slow::Assembly { d, args, .. } => {
                let reads: SmallVec<[Range; 4]> = args.iter().map(|&arg| (arg, 1)).collect();
                Flow { reads, writes: Some((*d, 1)) }
            }
            _ => Flow::default(),
        }
    }

    /// The access of a load or store of an unusual size.
    pub fn access(&self) -> Option<Access> {
        let plain = |base, offset, bytes, value, write| {
            Some(Access { base, index: None, offset, bytes, value, write })
        };
        match *self {
            Slow::Load { scalar, d, a, offset } => plain(a, offset, scalar.bytes(), d, false),
            Slow::Store { scalar, a, b, offset } => plain(a, offset, scalar.bytes(), b, true),
            Slow::BigLoad { bits, d, a } => plain(a, 0, bits.div_ceil(8), d, false),
            Slow::BigStore { bits, a, b } => plain(a, 0, bits.div_ceil(8), b, true),
            _ => None,
        }
    }
}
