//! Instructions: what a block computes and where control goes.
//!
//! The type of a result is the type of its value; operands carry theirs. Vector
//! operations are lane by lane.

use crate::named::named;
use crate::{BlockId, ConstId, FuncId, SlotId, Span, StatementId, TypeId, ValueId};

#[derive(Clone, Debug)]
pub struct Inst {
    pub op: Op,
    pub result: Option<ValueId>,
    pub span: Span,
    /// Set when the module is finished.
    pub statement: StatementId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Value(ValueId),
    Const(ConstId),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    Unary {
        op: UnaryOp,
        value: Operand,
    },
    Binary {
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
        /// Whether a signed overflow is undefined.
        nsw: bool,
    },
    Compare {
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    },
    Cast {
        op: CastOp,
        value: Operand,
    },
    Select {
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    Phi {
        incoming: Box<[(BlockId, Operand)]>,
    },

    ReadSlot {
        slot: SlotId,
    },
    WriteSlot {
        slot: SlotId,
        value: Operand,
    },

    /// Memory for `count` elements, alive until the function returns.
    Alloca {
        ty: TypeId,
        count: Operand,
        align: u64,
    },
    Load {
        address: Operand,
        access: Access,
    },
    Store {
        address: Operand,
        value: Operand,
        access: Access,
    },
    /// `base + bytes + Σ index·scale`, indices sign-extended or truncated to 64 bits.
    Offset {
        base: Operand,
        bytes: i64,
        scaled: Box<[(Operand, i64)]>,
        /// Whether it is plain arithmetic. Otherwise the base must point into an object, or at its
        /// end, and a result outside of it is undefined.
        wraps: bool,
    },
    /// Yields the old value.
    AtomicRmw {
        op: RmwOp,
        address: Operand,
        value: Operand,
        access: Access,
    },
    /// Yields `{ old value, i1 success }`.
    CompareExchange {
        address: Operand,
        expected: Operand,
        new: Operand,
        access: Access,
    },
    Fence,

    ExtractValue {
        aggregate: Operand,
        path: Box<[u32]>,
    },
    InsertValue {
        aggregate: Operand,
        value: Operand,
        path: Box<[u32]>,
    },
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        value: Operand,
        index: Operand,
    },
    /// Lane `i` of the result is lane `mask[i]` of `lhs ++ rhs`; `None` is any value.
    Shuffle {
        lhs: Operand,
        rhs: Operand,
        mask: Box<[Option<u32>]>,
    },

    Call(Box<Call>),
    VaArg {
        list: Operand,
    },
    /// The start of an exception handler; read, but never reached by the machine.
    LandingPad,

    Jump {
        target: BlockId,
    },
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        value: Operand,
        default: BlockId,
        cases: Box<[(u128, BlockId)]>,
    },
    IndirectJump {
        address: Operand,
        targets: Box<[BlockId]>,
    },
    Return {
        value: Option<Operand>,
    },
    Unreachable,
    /// A call that continues at `normal`, or at `unwind` when an exception passes.
    Invoke {
        call: Box<Call>,
        normal: BlockId,
        unwind: BlockId,
    },
    Resume {
        value: Operand,
    },
}

/// How memory is accessed. `align` 0 means the natural alignment of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Access {
    pub align: u64,
    pub volatile: bool,
    pub atomic: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub callee: Callee,
    pub args: Vec<Argument>,
    pub returns: TypeId,
    /// For a variadic callee type, how many parameters are fixed.
    pub fixed: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    pub value: Operand,
    /// The operand is the address of a struct that is passed by value.
    pub byval: Option<ByVal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByVal {
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Function(FuncId),
    Indirect(Operand),
    Builtin(Builtin),
    Asm(Box<Asm>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asm {
    pub template: String,
    pub constraints: String,
}

named! { UnaryOp {
    FNeg "fneg",
    /// The value itself.
    Copy "copy",
} }

named! { BinaryOp {
    Add "add", Sub "sub", Mul "mul",
    UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem",
    Shl "shl", LShr "lshr", AShr "ashr",
    And "and", Or "or", Xor "xor",
    FAdd "fadd", FSub "fsub", FMul "fmul", FDiv "fdiv", FRem "frem",
} }

named! {
    /// Integer (and pointer) comparisons, then ordered and unordered float comparisons.
    CompareOp {
    Eq "eq", Ne "ne",
    Ugt "ugt", Uge "uge", Ult "ult", Ule "ule",
    Sgt "sgt", Sge "sge", Slt "slt", Sle "sle",
    FFalse "ffalse", FOeq "foeq", FOgt "fogt", FOge "foge", FOlt "folt", FOle "fole",
    FOne "fone", FOrd "ford", FUno "funo", FUeq "fueq", FUgt "fugt", FUge "fuge",
    FUlt "fult", FUle "fule", FUne "fune", FTrue "ftrue",
} }

named! { CastOp {
    Trunc "trunc", ZExt "zext", SExt "sext",
    FpTrunc "fptrunc", FpExt "fpext",
    FpToUi "fptoui", FpToSi "fptosi", UiToFp "uitofp", SiToFp "sitofp",
    /// Saturating conversions: out of range gives the nearest value, NaN gives 0.
    FpToUiSat "fptoui.sat", FpToSiSat "fptosi.sat",
    PtrToInt "ptrtoint", IntToPtr "inttoptr", Bitcast "bitcast",
} }

named! { RmwOp {
    Xchg "xchg", Add "add", Sub "sub", And "and", Nand "nand", Or "or", Xor "xor",
    Max "max", Min "min", UMax "umax", UMin "umin",
    FAdd "fadd", FSub "fsub", FMax "fmax", FMin "fmin",
    UIncWrap "uincwrap", UDecWrap "udecwrap",
} }

named! {
    /// Operations that the compiler expresses as calls. On vectors they work lane by lane unless
    /// stated otherwise. Trailing `i1` flags of the originals are dropped.
    Builtin {
    /// `(dst, src, bytes)`, ranges must not overlap.
    Memcpy "memcpy",
    /// `(dst, src, bytes)`.
    Memmove "memmove",
    /// `(dst, byte, bytes)`.
    Memset "memset",
    /// `(a, b)` yields `{ result, i1 overflow }`.
    SAddOverflow "sadd.overflow", UAddOverflow "uadd.overflow",
    SSubOverflow "ssub.overflow", USubOverflow "usub.overflow",
    SMulOverflow "smul.overflow", UMulOverflow "umul.overflow",
    SAddSat "sadd.sat", UAddSat "uadd.sat", SSubSat "ssub.sat", USubSat "usub.sat",
    SShlSat "sshl.sat", UShlSat "ushl.sat",
    SMax "smax", SMin "smin", UMax "umax", UMin "umin",
    Abs "abs",
    Bswap "bswap", BitReverse "bitreverse", Ctpop "ctpop", Ctlz "ctlz", Cttz "cttz",
    /// `(high, low, amount)`: funnel shifts.
    Fshl "fshl", Fshr "fshr",
    /// Three-way comparison, -1, 0 or 1.
    UCmp "ucmp", SCmp "scmp",
    FAbs "fabs", Sqrt "sqrt", CopySign "copysign",
    Floor "floor", Ceil "ceil", TruncF "trunc", Rint "rint", NearbyInt "nearbyint",
    Round "round", RoundEven "roundeven",
    MinNum "minnum", MaxNum "maxnum", Minimum "minimum", Maximum "maximum",
    Fma "fma",
    /// Multiply and add, rounded twice as the unfused instructions do.
    FMulAdd "fmuladd",
    Pow "pow", Powi "powi", Sin "sin", Cos "cos", Tan "tan",
    Exp "exp", Exp2 "exp2", Exp10 "exp10", Log "log", Log2 "log2", Log10 "log10", Ldexp "ldexp",
    LRint "lrint", LRound "lround",
    /// `(value, mask)`: whether the float belongs to one of the classes of the mask.
    IsFpClass "is.fpclass",
    /// Vector to scalar.
    ReduceAdd "reduce.add", ReduceMul "reduce.mul", ReduceAnd "reduce.and",
    ReduceOr "reduce.or", ReduceXor "reduce.xor", ReduceSMax "reduce.smax",
    ReduceSMin "reduce.smin", ReduceUMax "reduce.umax", ReduceUMin "reduce.umin",
    /// `(start, vector)`.
    ReduceFAdd "reduce.fadd", ReduceFMul "reduce.fmul",
    ReduceFMax "reduce.fmax", ReduceFMin "reduce.fmin",
    VaStart "va.start", VaEnd "va.end", VaCopy "va.copy",
    StackSave "stacksave", StackRestore "stackrestore",
    FrameAddress "frameaddress", ReturnAddress "returnaddress",
    Trap "trap", DebugTrap "debugtrap",
    /// `(pointer, mask)`.
    PtrMask "ptrmask",
    ReadCycleCounter "readcyclecounter",
    /// Rounding mode of floats: always 1, to nearest.
    GetRounding "get.rounding",
    /// SSE2: the sign bits of 16 bytes as an `i32`.
    MoveMask "movemask",
    /// A hint without effect on values.
    Nop "nop",
} }

impl Op {
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Jump { .. }
                | Op::Branch { .. }
                | Op::Switch { .. }
                | Op::IndirectJump { .. }
                | Op::Return { .. }
                | Op::Unreachable
                | Op::Invoke { .. }
                | Op::Resume { .. }
        )
    }

    /// Calls `visit` with every operand, in order.
    pub fn operands(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Op::Unary { value, .. }
            | Op::Cast { value, .. }
            | Op::WriteSlot { value, .. }
            | Op::Resume { value } => visit(*value),
            Op::Binary { lhs, rhs, .. }
            | Op::Compare { lhs, rhs, .. }
            | Op::Shuffle { lhs, rhs, .. } => [*lhs, *rhs].into_iter().for_each(visit),
            Op::Select { condition, then, otherwise } => {
                [*condition, *then, *otherwise].into_iter().for_each(visit)
            }
            Op::Phi { incoming } => incoming.iter().for_each(|(_, value)| visit(*value)),
            Op::Alloca { count, .. } => visit(*count),
            Op::Load { address, .. } => visit(*address),
            Op::Store { address, value, .. } | Op::AtomicRmw { address, value, .. } => {
                [*address, *value].into_iter().for_each(visit)
            }
            Op::Offset { base, scaled, .. } => {
                visit(*base);
                scaled.iter().for_each(|(index, _)| visit(*index));
            }
            Op::CompareExchange { address, expected, new, .. } => {
                [*address, *expected, *new].into_iter().for_each(visit)
            }
            Op::ExtractValue { aggregate, .. } => visit(*aggregate),
            Op::InsertValue { aggregate, value, .. } => {
                [*aggregate, *value].into_iter().for_each(visit)
            }
            Op::ExtractElement { vector, index } => [*vector, *index].into_iter().for_each(visit),
            Op::InsertElement { vector, value, index } => {
                [*vector, *value, *index].into_iter().for_each(visit)
            }
            Op::Call(call) | Op::Invoke { call, .. } => call.operands(visit),
            Op::VaArg { list } => visit(*list),
            Op::Branch { condition, .. } => visit(*condition),
            Op::Switch { value, .. } => visit(*value),
            Op::IndirectJump { address, .. } => visit(*address),
            Op::Return { value } => value.iter().for_each(|value| visit(*value)),
            // These have no operands.
            Op::ReadSlot { .. }
            | Op::Fence
            | Op::LandingPad
            | Op::Jump { .. }
            | Op::Unreachable => {}
        }
    }

    /// Calls `visit` with every block that control may go to next.
    pub fn successors(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            Op::Jump { target } => visit(*target),
            Op::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            Op::Switch { default, cases, .. } => {
                visit(*default);
                cases.iter().for_each(|(_, block)| visit(*block));
            }
            Op::IndirectJump { targets, .. } => targets.iter().for_each(|block| visit(*block)),
            Op::Invoke { normal, unwind, .. } => {
                visit(*normal);
                visit(*unwind);
            }
            // Everything else stays in the block or leaves the function.
            _ => {}
        }
    }
}

impl Call {
    fn operands(&self, mut visit: impl FnMut(Operand)) {
        if let Callee::Indirect(target) = self.callee {
            visit(target);
        }
        self.args.iter().for_each(|argument| visit(argument.value));
    }
}
