//! The register form of a function: what the machine executes.
//!
//! Registers are numbered per frame, parameters first. A scalar of up to 64 bits takes
//! one register and is kept zero-extended; wider scalars take two (low half first);
//! aggregates and vectors take the registers of their elements in order. Frequent
//! operations have instructions of their own; all others are [`Slow`] ones in a side table.

/// The pattern of some operations that have these fields.
macro_rules! any {
    ($fields:tt $($op:ident)+) => {
        $(Op::$op $fields)|+
    };
}

pub mod flow;
pub mod live;
mod text;

use base::entity::PrimaryMap;
use ir::{BinaryOp, BlockId, Builtin, CastOp, CompareOp, FuncId, InstId, RmwOp, StatementId};

use crate::assembly;

pub type Reg = u16;
/// Index of an instruction of a function.
pub type Pc = u32;

/// Sixteen bytes each. `d` is the destination; `a`, `b`, `c` are operands. With `nsw`, a signed
/// overflow is undefined.
#[rustfmt::skip] // One operation a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Const { d: Reg, value: u64 },
    Copy { d: Reg, a: Reg },

    Add32 { d: Reg, a: Reg, b: Reg, nsw: bool },
    Add64 { d: Reg, a: Reg, b: Reg, nsw: bool },
    Sub32 { d: Reg, a: Reg, b: Reg, nsw: bool },
    Sub64 { d: Reg, a: Reg, b: Reg, nsw: bool },
    Mul32 { d: Reg, a: Reg, b: Reg, nsw: bool },
    Mul64 { d: Reg, a: Reg, b: Reg, nsw: bool },
    And { d: Reg, a: Reg, b: Reg },
    Or { d: Reg, a: Reg, b: Reg },
    Xor { d: Reg, a: Reg, b: Reg },
    Shl32 { d: Reg, a: Reg, b: Reg },
    Shl64 { d: Reg, a: Reg, b: Reg },
    LShr32 { d: Reg, a: Reg, b: Reg },
    LShr64 { d: Reg, a: Reg, b: Reg },
    AShr32 { d: Reg, a: Reg, b: Reg },
    AShr64 { d: Reg, a: Reg, b: Reg },
    UDiv { d: Reg, a: Reg, b: Reg },
    URem { d: Reg, a: Reg, b: Reg },
    SDiv32 { d: Reg, a: Reg, b: Reg },
    SRem32 { d: Reg, a: Reg, b: Reg },
    /// Any integer operation on up to 64 bits.
    Int { op: BinaryOp, bits: u8, nsw: bool, d: Reg, a: Reg, b: Reg },

    Add32I { d: Reg, a: Reg, nsw: bool, value: u64 },
    Add64I { d: Reg, a: Reg, nsw: bool, value: u64 },
    Mul32I { d: Reg, a: Reg, nsw: bool, value: u64 },
    Mul64I { d: Reg, a: Reg, nsw: bool, value: u64 },
    AndI { d: Reg, a: Reg, value: u64 },
    OrI { d: Reg, a: Reg, value: u64 },
    XorI { d: Reg, a: Reg, value: u64 },
    Shl32I { d: Reg, a: Reg, value: u64 },
    Shl64I { d: Reg, a: Reg, value: u64 },
    LShrI { d: Reg, a: Reg, value: u64 },
    AShr32I { d: Reg, a: Reg, value: u64 },
    AShr64I { d: Reg, a: Reg, value: u64 },

    Eq { d: Reg, a: Reg, b: Reg },
    Ne { d: Reg, a: Reg, b: Reg },
    Ult { d: Reg, a: Reg, b: Reg },
    Ule { d: Reg, a: Reg, b: Reg },
    Slt32 { d: Reg, a: Reg, b: Reg },
    Sle32 { d: Reg, a: Reg, b: Reg },
    Slt64 { d: Reg, a: Reg, b: Reg },
    Sle64 { d: Reg, a: Reg, b: Reg },
    EqI { d: Reg, a: Reg, value: u64 },
    NeI { d: Reg, a: Reg, value: u64 },
    UltI { d: Reg, a: Reg, value: u64 },
    UgtI { d: Reg, a: Reg, value: u64 },
    Slt32I { d: Reg, a: Reg, value: u64 },
    Sgt32I { d: Reg, a: Reg, value: u64 },
    Slt64I { d: Reg, a: Reg, value: u64 },
    Sgt64I { d: Reg, a: Reg, value: u64 },
    /// Any integer comparison of up to 64 bits.
    Compare { op: CompareOp, bits: u8, d: Reg, a: Reg, b: Reg },

    /// Sign extension of the low bits to 32 or 64 bits.
    Sext8To32 { d: Reg, a: Reg },
    Sext16To32 { d: Reg, a: Reg },
    Sext8To64 { d: Reg, a: Reg },
    Sext16To64 { d: Reg, a: Reg },
    Sext32To64 { d: Reg, a: Reg },
    Sext { from: u8, to: u8, d: Reg, a: Reg },

    FAdd64 { d: Reg, a: Reg, b: Reg },
    FSub64 { d: Reg, a: Reg, b: Reg },
    FMul64 { d: Reg, a: Reg, b: Reg },
    FDiv64 { d: Reg, a: Reg, b: Reg },
    FAdd32 { d: Reg, a: Reg, b: Reg },
    FSub32 { d: Reg, a: Reg, b: Reg },
    FMul32 { d: Reg, a: Reg, b: Reg },
    FDiv32 { d: Reg, a: Reg, b: Reg },
    /// `d = a·b + c`, rounded twice.
    FMulAdd64 { d: Reg, a: Reg, b: Reg, c: Reg },
    FMulAdd32 { d: Reg, a: Reg, b: Reg, c: Reg },
    FCompare64 { op: CompareOp, d: Reg, a: Reg, b: Reg },
    Si32ToF64 { d: Reg, a: Reg },
    Si64ToF64 { d: Reg, a: Reg },
    F64ToSi32 { d: Reg, a: Reg },
    F64ToSi64 { d: Reg, a: Reg },
    F32ToF64 { d: Reg, a: Reg },
    F64ToF32 { d: Reg, a: Reg },

    Select { d: Reg, c: Reg, a: Reg, b: Reg },

    /// `d = a + b·scale + offset`. Within objects, an offset from null is undefined.
    Offset { d: Reg, a: Reg, b: Reg, within: bool, scale: i32, offset: i32 },
    /// The same without an index, within an object.
    OffsetI { d: Reg, a: Reg, value: u64 },
    Load8 { d: Reg, a: Reg, offset: i64 },
    Load16 { d: Reg, a: Reg, offset: i64 },
    Load32 { d: Reg, a: Reg, offset: i64 },
    Load64 { d: Reg, a: Reg, offset: i64 },
    Store8 { a: Reg, b: Reg, offset: i64 },
    Store16 { a: Reg, b: Reg, offset: i64 },
    Store32 { a: Reg, b: Reg, offset: i64 },
    Store64 { a: Reg, b: Reg, offset: i64 },
    /// Loads and stores at `a + b·scale + offset`.
    Load8X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load16X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load32X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load64X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store8X { c: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store16X { c: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store32X { c: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store64X { c: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    /// Memory of a constant size, alive until the function returns.
    Alloca { d: Reg, size: u64 },

    Jump { target: Pc },
    /// Continues at `target` if the lowest bit of `a` is set, else with the next instruction.
    Branch { a: Reg, target: Pc },
    BranchNot { a: Reg, target: Pc },
    BrEq { a: Reg, b: Reg, target: Pc },
    BrNe { a: Reg, b: Reg, target: Pc },
    BrUlt { a: Reg, b: Reg, target: Pc },
    BrUle { a: Reg, b: Reg, target: Pc },
    BrSlt32 { a: Reg, b: Reg, target: Pc },
    BrSle32 { a: Reg, b: Reg, target: Pc },
    BrSlt64 { a: Reg, b: Reg, target: Pc },
    BrSle64 { a: Reg, b: Reg, target: Pc },
    BrEqI { a: Reg, target: Pc, value: u64 },
    BrNeI { a: Reg, target: Pc, value: u64 },
    BrUltI { a: Reg, target: Pc, value: u64 },
    BrUgtI { a: Reg, target: Pc, value: u64 },
    BrSlt32I { a: Reg, target: Pc, value: u64 },
    BrSgt32I { a: Reg, target: Pc, value: u64 },
    BrSlt64I { a: Reg, target: Pc, value: u64 },
    BrSgt64I { a: Reg, target: Pc, value: u64 },
    Switch { a: Reg, table: u32 },
    IndirectJump { a: Reg, table: u32 },
    Call { d: Reg, site: u32, function: u32 },
    CallIndirect { d: Reg, a: Reg, site: u32 },
    /// A function that the machine provides itself.
    CallShim { d: Reg, site: u32, function: u32 },
    Return { a: Reg, count: u16 },
    Slow { index: u32 },

    /// Marks the start of a statement; present only in instrumented code.
    Statement { statement: StatementId },
    /// A read of a slot that may be uninitialised; `flag` is 0 if it is.
    CheckSlot { flag: Reg },
    /// The previous store wrote bits back that it had read: uninitialised bits among them stay
    /// uninitialised.
    PutBack,
    Stop { index: u32 },
}

impl Op {
    /// Whether it divides integers, which may be a fault.
    pub fn is_division(self) -> bool {
        use BinaryOp::{SDiv, SRem, UDiv, URem};
        match self {
            Op::UDiv { .. } | Op::URem { .. } | Op::SDiv32 { .. } | Op::SRem32 { .. } => true,
            Op::Int { op, .. } => matches!(op, UDiv | URem | SDiv | SRem),
            _ => false,
        }
    }

    /// Changes the destination register; returns whether that is possible.
    pub fn set_destination(&mut self, to: Reg) -> bool {
        match self {
            any!({ d, .. }
                Const Copy Add32 Add64 Sub32 Sub64 Mul32 Mul64 And Or Xor Shl32 Shl64 LShr32 LShr64
                AShr32 AShr64 UDiv URem SDiv32 SRem32 Int Add32I Add64I Mul32I Mul64I AndI OrI XorI
                Shl32I Shl64I LShrI AShr32I AShr64I Sext8To32 Sext16To32 Sext8To64 Sext16To64
                Sext32To64 Sext FAdd64 FSub64 FMul64 FDiv64 FAdd32 FSub32 FMul32 FDiv32 FMulAdd64
                FMulAdd32 Si32ToF64 Si64ToF64 F64ToSi32 F64ToSi64 F32ToF64 F64ToF32 Select Offset
                OffsetI Load8 Load16 Load32 Load64 Load8X Load16X Load32X Load64X Call CallIndirect
                CallShim) => {
                *d = to;
                true
            }
            _ => false,
        }
    }

    /// The target of a jump or branch.
    pub fn target(&self) -> Option<Pc> {
        { *self }.target_mut().map(|target| *target)
    }

    /// Sets the target of a jump or branch; nothing else has one.
    pub fn set_target(&mut self, to: Pc) {
        match self.target_mut() {
            Some(target) => *target = to,
            None => unreachable!("{self:?} has no target"),
        }
    }

    fn target_mut(&mut self) -> Option<&mut Pc> {
        match self {
            any!({ target, .. }
                Jump Branch BranchNot BrEq BrNe BrUlt BrUle BrSlt32 BrSle32 BrSlt64 BrSle64 BrEqI
                BrNeI BrUltI BrUgtI BrSlt32I BrSgt32I BrSlt64I BrSgt64I) => Some(target),
            _ => None,
        }
    }
}

/// A scalar as a register (or two) holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer or pointer of 1 to 128 bits.
    Int(u8),
    F16,
    BF16,
    F32,
    F64,
    F80,
    F128,
}

impl Scalar {
    pub fn registers(self) -> u16 {
        match self {
            Scalar::Int(bits) if bits > 64 => 2,
            Scalar::F80 | Scalar::F128 => 2,
            _ => 1,
        }
    }

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(bits) => u32::from(bits),
            Scalar::F16 | Scalar::BF16 => 16,
            Scalar::F32 => 32,
            Scalar::F64 => 64,
            Scalar::F80 => 80,
            Scalar::F128 => 128,
        }
    }

    /// Bytes that a load or store touches.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }
}

/// Operations too rare for an instruction of their own.
#[rustfmt::skip] // One operation a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Slow {
    Binary { op: BinaryOp, scalar: Scalar, nsw: bool, d: Reg, a: Reg, b: Reg },
    /// Integers of more than 128 bits.
    BigBinary { op: BinaryOp, bits: u32, d: Reg, a: Reg, b: Reg },
    BigCompare { op: CompareOp, bits: u32, d: Reg, a: Reg, b: Reg },
    BigCast { op: CastOp, from: u32, to: u32, d: Reg, a: Reg },
    BigLoad { bits: u32, d: Reg, a: Reg },
    BigStore { bits: u32, a: Reg, b: Reg },
    Negate { scalar: Scalar, d: Reg, a: Reg },
    Compare { op: CompareOp, scalar: Scalar, d: Reg, a: Reg, b: Reg },
    Cast { op: CastOp, from: Scalar, to: Scalar, d: Reg, a: Reg },
    /// Reinterprets the bits of consecutive lanes.
    Bitcast { from: Scalar, from_lanes: u32, to: Scalar, to_lanes: u32, d: Reg, a: Reg },
    Load { scalar: Scalar, d: Reg, a: Reg, offset: i64 },
    Store { scalar: Scalar, a: Reg, b: Reg, offset: i64 },
    /// Lanes narrower than a byte are packed into consecutive bits.
    LoadBits { bits: u8, lanes: u32, d: Reg, a: Reg },
    StoreBits { bits: u8, lanes: u32, a: Reg, b: Reg },
    /// `d = base[index]`, `base[index] = a` over lanes of `width` registers.
    ExtractLane { width: u16, lanes: u32, d: Reg, base: Reg, index: Reg },
    InsertLane { width: u16, lanes: u32, base: Reg, index: Reg, a: Reg },
    /// Lane-wise builtin on scalars; `args` are first registers.
    Builtin { builtin: Builtin, scalar: Scalar, result: Scalar, d: Reg, args: Box<[Reg]> },
    /// The lanes of `a`, reduced to a scalar, starting with `start` if there is one.
    Reduce { builtin: Builtin, scalar: Scalar, lanes: u32, d: Reg, a: Reg, start: Option<Reg> },
    MoveMask { lanes: u32, d: Reg, a: Reg },
    Memory { builtin: Builtin, to: Reg, from: Reg, size: Reg },
    /// Memory whose size is only known at run time.
    Alloca { d: Reg, count: Reg, element: u64 },
    AtomicRmw { op: RmwOp, scalar: Scalar, d: Reg, a: Reg, b: Reg },
    CompareExchange { scalar: Scalar, d: Reg, a: Reg, expected: Reg, new: Reg },
    VaStart { list: Reg },
    VaCopy { to: Reg, from: Reg },
    VaArg { scalar: Scalar, d: Reg, list: Reg },
    StackSave { d: Reg },
    StackRestore { a: Reg },
    FrameAddress { d: Reg, level: Reg },
    CycleCounter { d: Reg },
    /// Inline assembly; the results go to consecutive registers.
    Assembly { code: Box<assembly::Code>, d: Reg, args: Box<[Reg]> },
}

/// How one argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Integers and pointers of up to 64 bits.
    Int,
    Double,
    LongDouble,
    /// A 128-bit integer.
    Wide,
    /// A struct by value; the register holds its address.
    Struct {
        size: u64,
        align: u64,
    },
    /// The content of one vector register: lanes of `bits` bits each, one after the other.
    Vector {
        bits: u8,
        lanes: u16,
    },
    /// Several registers of a first-class aggregate.
    Other {
        registers: u16,
    },
}

impl Passing {
    pub fn registers(self) -> u16 {
        match self {
            Passing::LongDouble | Passing::Wide => 2,
            Passing::Vector { bits, lanes } => u16::from(bits).div_ceil(64) * lanes,
            Passing::Other { registers } => registers,
            _ => 1,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct CallSite {
    /// The registers of all arguments, in order.
    pub registers: Box<[Reg]>,
    pub passing: Box<[Passing]>,
    /// How many arguments are named parameters of the callee's type.
    pub fixed: usize,
    pub results: u16,
    /// Which bits of the result's registers belong to it.
    pub result_masks: Masks,
    /// The function type that the call assumes.
    pub signature: SignatureId,
}

/// The bits of consecutive registers that belong to a value.
pub type Masks = smallvec::SmallVec<[u64; 2]>;

/// Number of a function type that some function has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureId(pub u32);

impl SignatureId {
    /// A type that no function has.
    pub const NONE: SignatureId = SignatureId(u32::MAX);
}

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Sorted by value.
    pub cases: Box<[(u64, Pc)]>,
    /// For dense values: the target of `first + i`.
    pub dense: Option<(u64, Box<[Pc]>)>,
    pub default: Pc,
}

impl Table {
    /// The default of a table that covers all possible values.
    pub const NOWHERE: Pc = Pc::MAX;

    pub fn target(&self, value: u64) -> Pc {
        if let Some((first, targets)) = &self.dense {
            let index = value.wrapping_sub(*first) as usize;
            return targets.get(index).copied().unwrap_or(self.default);
        }
        match self.cases.binary_search_by_key(&value, |(case, _)| *case) {
            Ok(index) => self.cases[index].1,
            Err(_) => self.default,
        }
    }
}

/// Why code cannot continue.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    Unreachable,
    Trap,
    Unsupported(crate::stop::Feature),
}

/// A read of which only some bits are used, as of the unit of a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialRead {
    pub pc: Pc,
    /// The bits that something is computed from.
    pub used: u64,
    /// The bits that a store writes back to their place.
    pub kept: u64,
}

/// A function ready to run.
#[derive(Clone, Debug)]
pub struct Code {
    pub function: FuncId,
    pub ops: Vec<Op>,
    /// The IR instruction behind each operation.
    pub origins: Vec<InstId>,
    pub slow: Vec<Slow>,
    pub sites: Vec<CallSite>,
    pub tables: Vec<Table>,
    pub halts: Vec<Halt>,
    /// In the order of their places.
    pub partial_reads: Vec<PartialRead>,
    /// Accesses for which the compiler assumes less than natural alignment: the alignment, in the
    /// order of their places.
    pub loose: Vec<(Pc, u64)>,
    /// Whether it is a function of the C library, whose operations are assumed to be defined.
    pub in_archive: bool,
    pub registers: u16,
    /// Registers taken by the named parameters.
    pub parameters: u16,
    /// Which bits of these registers belong to the parameters.
    pub parameter_masks: Masks,
    pub signature: SignatureId,
    /// Parameters that are structs by value: register, size.
    pub copies: Vec<(Reg, u64)>,
    /// How the named parameters are passed, for `va_start`.
    pub named: Vec<Passing>,
    pub variadic: bool,
    /// Approximate size of a frame on a native stack, in bytes.
    pub stack: u32,
    /// The first register of each slot, and the flag that says whether it was written.
    pub slots: Vec<(Reg, Option<Reg>)>,
    /// Where each block starts.
    pub starts: PrimaryMap<BlockId, Pc>,
}

impl Code {
    /// Which bits of the value that an operation reads are used, if not all.
    #[cold]
    pub(crate) fn partial_read(&self, pc: usize) -> Option<PartialRead> {
        let index = self.partial_reads.binary_search_by_key(&(pc as Pc), |read| read.pc).ok()?;
        self.partial_reads.get(index).copied()
    }

    /// The alignment that an access of `bytes` bytes by an operation needs.
    pub(crate) fn alignment(&self, pc: usize, bytes: u64) -> u64 {
        match self.loose.binary_search_by_key(&(pc as Pc), |(pc, _)| *pc) {
            Ok(index) => self.loose[index].1,
            Err(_) => bytes,
        }
    }

    /// Whether an access of `bytes` bytes needs a stricter alignment than the address has.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_misaligned(&self, pc: usize, address: u64, bytes: u64) -> bool {
        !self.in_archive && !address.is_multiple_of(self.alignment(pc, bytes))
    }

    pub fn start_of(&self, block: BlockId) -> Option<Pc> {
        self.starts.get(block).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_takes_sixteen_bytes() {
        assert_eq!(size_of::<Op>(), 16);
    }
}
