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
        use Op::*;
        Some(match *self {
            Copy { d, a }
            | Add32I { d, a, .. }
            | Add64I { d, a, .. }
            | OffsetI { d, a, .. }
            | Mul32I { d, a, .. }
            | Mul64I { d, a, .. }
            | AndI { d, a, .. }
            | OrI { d, a, .. }
            | XorI { d, a, .. }
            | Shl32I { d, a, .. }
            | Shl64I { d, a, .. }
            | LShrI { d, a, .. }
            | AShr32I { d, a, .. }
            | AShr64I { d, a, .. }
            | EqI { d, a, .. }
            | NeI { d, a, .. }
            | UltI { d, a, .. }
            | UgtI { d, a, .. }
            | Slt32I { d, a, .. }
            | Sgt32I { d, a, .. }
            | Slt64I { d, a, .. }
            | Sgt64I { d, a, .. }
            | Sext8To32 { d, a }
            | Sext16To32 { d, a }
            | Sext8To64 { d, a }
            | Sext16To64 { d, a }
            | Sext32To64 { d, a }
            | Sext { d, a, .. }
            | Si32ToF64 { d, a }
            | Si64ToF64 { d, a }
            | F64ToSi32 { d, a }
            | F64ToSi64 { d, a }
            | F32ToF64 { d, a }
            | F64ToF32 { d, a } => Operands::one(Some(d), a),
            Add32 { d, a, b, .. }
            | Add64 { d, a, b, .. }
            | Sub32 { d, a, b, .. }
            | Sub64 { d, a, b, .. }
            | Mul32 { d, a, b, .. }
            | Mul64 { d, a, b, .. }
            | And { d, a, b }
            | Or { d, a, b }
            | Xor { d, a, b }
            | Shl32 { d, a, b }
            | Shl64 { d, a, b }
            | LShr32 { d, a, b }
            | LShr64 { d, a, b }
            | AShr32 { d, a, b }
            | AShr64 { d, a, b }
            | UDiv { d, a, b }
            | URem { d, a, b }
            | SDiv32 { d, a, b }
            | SRem32 { d, a, b }
            | Int { d, a, b, .. }
            | Eq { d, a, b }
            | Ne { d, a, b }
            | Ult { d, a, b }
            | Ule { d, a, b }
            | Slt32 { d, a, b }
            | Sle32 { d, a, b }
            | Slt64 { d, a, b }
            | Sle64 { d, a, b }
            | Compare { d, a, b, .. }
            | FAdd64 { d, a, b, .. }
            | FSub64 { d, a, b, .. }
            | FMul64 { d, a, b, .. }
            | FDiv64 { d, a, b }
            | FAdd32 { d, a, b, .. }
            | FSub32 { d, a, b, .. }
            | FMul32 { d, a, b, .. }
            | FDiv32 { d, a, b }
            | FCompare64 { d, a, b, .. }
            | Offset { d, a, b, .. } => Operands::two(Some(d), a, b),
            FMulAdd64 { d, a, b, c } | FMulAdd32 { d, a, b, c } | Select { d, c, a, b } => {
                Operands { writes: Some(d), reads: [a, b, c], count: 3 }
            }
            Branch { a, .. }
            | BranchNot { a, .. }
            | BrEqI { a, .. }
            | BrNeI { a, .. }
            | BrUltI { a, .. }
            | BrUgtI { a, .. }
            | BrSlt32I { a, .. }
            | BrSgt32I { a, .. }
            | BrSlt64I { a, .. }
            | BrSgt64I { a, .. }
            | Switch { a, .. }
            | IndirectJump { a, .. } => Operands::one(None, a),
            BrEq { a, b, .. }
            | BrNe { a, b, .. }
            | BrUlt { a, b, .. }
            | BrUle { a, b, .. }
            | BrSlt32 { a, b, .. }
            | BrSle32 { a, b, .. }
            | BrSlt64 { a, b, .. }
            | BrSle64 { a, b, .. } => Operands::two(None, a, b),
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
