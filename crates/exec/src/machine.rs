//! The machine: runs a program from its first constructor to its end.
//!
//! [`Machine::run`] is the only evaluator. Uses differ in the observer, which is known at compile
//! time.

mod ends;
mod frames;
mod middle;
mod recurrence;
pub(crate) mod shadow;
mod slow;
mod start;
mod varargs;

pub use recurrence::Recurrence;
pub(crate) use shadow::shades_of;

use base::bits;
use ir::FuncId;

use crate::addresses::Target;
use crate::code::{Code, Op, Pc, Table};
use crate::float::f64_of;
use crate::memory::Memory;
use crate::observer::{At, Observer};
use crate::operator;
use crate::program::Program;
use crate::state::{State, WINDOW};
use crate::stop::{Bound, FaultKind, Stop};
use crate::undefined::{self, UndefinedKind};

pub struct Machine<'p, O> {
    pub program: &'p Program,
    pub state: State,
    pub observer: O,
}

/// Where the machine is within a function.
struct Cursor<'p> {
    code: &'p Code,
    ops: &'p [Op],
    pc: usize,
    /// Since where steps are not counted yet.
    counted: usize,
    base: usize,
}

/// The operation that is being executed.
#[derive(Clone, Copy)]
struct Place<'p> {
    code: &'p Code,
    pc: usize,
    base: usize,
}

impl<'p> Cursor<'p> {
    #[inline(always)]
    fn new(code: &'p Code, pc: usize, base: usize) -> Cursor<'p> {
        Cursor { code, ops: &code.ops, pc, counted: pc, base }
    }
}

impl<'p, O: Observer> Machine<'p, O> {
    /// Runs until the program ends or a bound is reached. After the bound of steps, and only then,
    /// the run can continue with a higher bound.
    pub fn run(&mut self) -> Stop {
        if let Some(stop) = &self.state.ended {
            return stop.clone();
        }
        let stop = match self.execute() {
            Ok(never) => match never {},
            Err(stop) => stop,
        };
        if stop != Stop::Exhausted(Bound::Steps) {
            self.state.ended = Some(stop.clone());
        }
        stop
    }

    fn execute(&mut self) -> Result<std::convert::Infallible, Stop> {
        let mut at = self.cursor();
        let mut regs: &mut [u64; WINDOW] = window(&mut self.state.registers, at.base);

        macro_rules! r {
            ($register:expr) => {
                regs[$register as usize]
            };
        }
        macro_rules! r32 {
            ($register:expr) => {
                regs[$register as usize] as u32
            };
        }
        macro_rules! s32 {
            ($register:expr) => {
                regs[$register as usize] as i32
            };
        }
        macro_rules! s64 {
            ($register:expr) => {
                regs[$register as usize] as i64
            };
        }
        macro_rules! f64r {
            ($register:expr) => {
                f64::from_bits(regs[$register as usize])
            };
        }
        macro_rules! f32r {
            ($register:expr) => {
                f32::from_bits(regs[$register as usize] as u32)
            };
        }
        /// Leaves the hot loop for something that may change the frame.
        macro_rules! leave {
            ($action:expr) => {{
                self.save(&mut at);
                $action;
                at = self.cursor();
                regs = window(&mut self.state.registers, at.base);
            }};
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(violation) => {
                        self.save(&mut at);
                        return Err(self.violated(violation));
                    }
                }
            };
        }
        macro_rules! fault {
            ($kind:expr) => {{
                let kind = $kind;
                self.save(&mut at);
                return Err(self.fault(kind));
            }};
        }
        /// An operation that may be undefined although it has a result here.
        macro_rules! undefined_if {
            ($op:lifetime, $condition:expr, $kind:ident) => {
                if O::UNDEFINED && $condition {
                    break $op UndefinedKind::$kind;
                }
            };
        }
        /// A signed operation that may overflow, which may be undefined.
        macro_rules! signed32 {
            ($op:lifetime, $d:expr, $result:expr, $nsw:expr) => {{
                let (value, overflows): (i32, bool) = $result;
                r!($d) = u64::from(value as u32);
                undefined_if!($op, overflows && $nsw, Overflow);
            }};
        }
        macro_rules! signed64 {
            ($op:lifetime, $d:expr, $result:expr, $nsw:expr) => {{
                let (value, overflows): (i64, bool) = $result;
                r!($d) = value as u64;
                undefined_if!($op, overflows && $nsw, Overflow);
            }};
        }
        /// A successful access may still be at an address that the compiler excludes.
        macro_rules! aligned {
            ($op:lifetime, $address:expr, $size:expr) => {
                if O::UNDEFINED
                    && $address & ($size - 1) != 0
                    && at.code.is_misaligned(at.pc - 1, $address, $size)
                {
                    break $op UndefinedKind::Alignment;
                }
            };
        }
        macro_rules! load {
            ($op:lifetime, $d:expr, $address:expr, $ty:ty) => {{
                let address = $address;
                const SIZE: usize = size_of::<$ty>();
                self.observer.read(
                    At { code: at.code, pc: at.pc - 1, steps: self.state.steps },
                    address,
                    SIZE as u64,
                );
                let (bytes, is_unwritten): ([u8; SIZE], bool) =
                    check!(self.state.memory.read_by(address, at.code, at.pc - 1));
                r!($d) = u64::from(<$ty>::from_le_bytes(bytes));
                undefined_if!($op, is_unwritten, Uninitialised);
                aligned!($op, address, SIZE as u64);
            }};
        }
        macro_rules! store {
            ($op:lifetime, $address:expr, $value:expr, $ty:ty) => {{
                let address = $address;
                const SIZE: usize = size_of::<$ty>();
                self.observer.write(
                    At { code: at.code, pc: at.pc - 1, steps: self.state.steps },
                    address,
                    SIZE as u64,
                );
                check!(self.state.memory.write(address, ($value as $ty).to_le_bytes()));
                aligned!($op, address, SIZE as u64);
            }};
        }
        macro_rules! index {
            ($a:expr, $b:expr, $scale:expr, $offset:expr) => {
                r!($a)
                    .wrapping_add(r!($b).wrapping_mul(i64::from($scale) as u64))
                    .wrapping_add(i64::from($offset) as u64)
            };
        }
        macro_rules! goto {
            ($target:expr) => {{
                let target = $target as usize;
                self.state.steps += (at.pc - at.counted) as u64;
                at.pc = target;
                at.counted = target;
                if self.state.steps > self.state.limits.steps {
                    self.save(&mut at);
                    return Err(Stop::Exhausted(Bound::Steps));
                }
            }};
        }
        macro_rules! branch {
            ($condition:expr, $target:expr) => {{
                let taken = $condition;
                self.observer
                    .branch(At { code: at.code, pc: at.pc - 1, steps: self.state.steps }, taken);
                if taken {
                    goto!($target);
                }
            }};
        }

        'run: loop {
            let op = at.ops[at.pc];
            let mut pending = false;
            if O::SHADOWS {
                pending = self.shadow(at.code, at.pc, at.base, op);
                regs = window(&mut self.state.registers, at.base);
            }
            let before = (at.code, at.pc, at.base);
            at.pc += 1;
            // Undefined behaviour is recorded after the block, once for all operations.
            let undefined = 'op: {
                match op {
                    Op::Const { d, value } => r!(d) = value,
                    Op::Copy { d, a } => r!(d) = r!(a),

                    Op::Add32 { d, a, b, nsw } => {
                        signed32!('op, d, s32!(a).overflowing_add(s32!(b)), nsw);
                    }
                    Op::Add64 { d, a, b, nsw } => {
                        signed64!('op, d, s64!(a).overflowing_add(s64!(b)), nsw);
                    }
                    Op::Sub32 { d, a, b, nsw } => {
                        signed32!('op, d, s32!(a).overflowing_sub(s32!(b)), nsw);
                    }
                    Op::Sub64 { d, a, b, nsw } => {
                        signed64!('op, d, s64!(a).overflowing_sub(s64!(b)), nsw);
                    }
                    Op::Mul32 { d, a, b, nsw } => {
                        signed32!('op, d, s32!(a).overflowing_mul(s32!(b)), nsw);
                    }
                    Op::Mul64 { d, a, b, nsw } => {
                        signed64!('op, d, s64!(a).overflowing_mul(s64!(b)), nsw);
                    }
                    Op::And { d, a, b } => r!(d) = r!(a) & r!(b),
                    Op::Or { d, a, b } => r!(d) = r!(a) | r!(b),
                    Op::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
                    Op::Shl32 { d, a, b } => {
                        let amount = r32!(b);
                        r!(d) = u64::from(r32!(a).wrapping_shl(amount));
                        undefined_if!('op, amount >= 32, Shift);
                    }
                    Op::Shl64 { d, a, b } => {
                        let amount = r!(b);
                        r!(d) = r!(a).wrapping_shl(amount as u32);
                        undefined_if!('op, amount >= 64, Shift);
                    }
                    Op::LShr32 { d, a, b } => {
                        let amount = r32!(b);
                        r!(d) = u64::from(r32!(a).wrapping_shr(amount));
                        undefined_if!('op, amount >= 32, Shift);
                    }
                    Op::LShr64 { d, a, b } => {
                        let amount = r!(b);
                        r!(d) = r!(a).wrapping_shr(amount as u32);
                        undefined_if!('op, amount >= 64, Shift);
                    }
                    Op::AShr32 { d, a, b } => {
                        let amount = r32!(b);
                        r!(d) = u64::from(s32!(a).wrapping_shr(amount) as u32);
                        undefined_if!('op, amount >= 32, Shift);
                    }
                    Op::AShr64 { d, a, b } => {
                        let amount = r!(b);
                        r!(d) = s64!(a).wrapping_shr(amount as u32) as u64;
                        undefined_if!('op, amount >= 64, Shift);
                    }
                    Op::UDiv { d, a, b } => match r!(a).checked_div(r!(b)) {
                        Some(value) => r!(d) = value,
                        None => fault!(FaultKind::DivisionByZero),
                    },
                    Op::URem { d, a, b } => match r!(a).checked_rem(r!(b)) {
                        Some(value) => r!(d) = value,
                        None => fault!(FaultKind::DivisionByZero),
                    },
                    Op::SDiv32 { d, a, b } => match s32!(a).checked_div(s32!(b)) {
                        Some(value) => r!(d) = u64::from(value as u32),
                        None => fault!(division_fault(r!(b))),
                    },
                    Op::SRem32 { d, a, b } => match s32!(a).checked_rem(s32!(b)) {
                        Some(value) => r!(d) = u64::from(value as u32),
                        None => fault!(division_fault(r!(b))),
                    },
                    Op::Int { op, bits, nsw, d, a, b } => {
                        let (x, y) = (u128::from(r!(a)), u128::from(r!(b)));
                        match operator::int_binary(op, u32::from(bits), x, y) {
                            Ok(value) => r!(d) = value as u64,
                            Err(kind) => fault!(kind),
                        }
                        if O::UNDEFINED
                            && let Some(kind) = undefined::of_binary(op, bits.into(), nsw, x, y)
                        {
                            break 'op kind;
                        }
                    }

                    Op::Add32I { d, a, nsw, value } => {
                        signed32!('op, d, s32!(a).overflowing_add(value as i32), nsw);
                    }
                    Op::Add64I { d, a, nsw, value } => {
                        signed64!('op, d, s64!(a).overflowing_add(value as i64), nsw);
                    }
                    Op::Mul32I { d, a, nsw, value } => {
                        signed32!('op, d, s32!(a).overflowing_mul(value as i32), nsw);
                    }
                    Op::Mul64I { d, a, nsw, value } => {
                        signed64!('op, d, s64!(a).overflowing_mul(value as i64), nsw);
                    }
                    Op::AndI { d, a, value } => r!(d) = r!(a) & value,
                    Op::OrI { d, a, value } => r!(d) = r!(a) | value,
                    Op::XorI { d, a, value } => r!(d) = r!(a) ^ value,
                    Op::Shl32I { d, a, value } => r!(d) = u64::from(r32!(a) << (value & 31)),
                    Op::Shl64I { d, a, value } => r!(d) = r!(a) << (value & 63),
                    Op::LShrI { d, a, value } => r!(d) = r!(a) >> (value & 63),
                    Op::AShr32I { d, a, value } => {
                        r!(d) = u64::from((s32!(a) >> (value & 31)) as u32)
                    }
                    Op::AShr64I { d, a, value } => r!(d) = (s64!(a) >> (value & 63)) as u64,

                    Op::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
                    Op::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
                    Op::Ult { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
                    Op::Ule { d, a, b } => r!(d) = u64::from(r!(a) <= r!(b)),
                    Op::Slt32 { d, a, b } => r!(d) = u64::from(s32!(a) < s32!(b)),
                    Op::Sle32 { d, a, b } => r!(d) = u64::from(s32!(a) <= s32!(b)),
                    Op::Slt64 { d, a, b } => r!(d) = u64::from(s64!(a) < s64!(b)),
                    Op::Sle64 { d, a, b } => r!(d) = u64::from(s64!(a) <= s64!(b)),
                    Op::EqI { d, a, value } => r!(d) = u64::from(r!(a) == value),
                    Op::NeI { d, a, value } => r!(d) = u64::from(r!(a) != value),
                    Op::UltI { d, a, value } => r!(d) = u64::from(r!(a) < value),
                    Op::UgtI { d, a, value } => r!(d) = u64::from(r!(a) > value),
                    Op::Slt32I { d, a, value } => r!(d) = u64::from(s32!(a) < value as i32),
                    Op::Sgt32I { d, a, value } => r!(d) = u64::from(s32!(a) > value as i32),
                    Op::Slt64I { d, a, value } => r!(d) = u64::from(s64!(a) < value as i64),
                    Op::Sgt64I { d, a, value } => r!(d) = u64::from(s64!(a) > value as i64),
                    Op::Compare { op, bits, d, a, b } => {
                        let (x, y) = (u128::from(r!(a)), u128::from(r!(b)));
                        r!(d) = u64::from(operator::int_compare(op, u32::from(bits), x, y));
                    }

                    Op::Sext8To32 { d, a } => r!(d) = u64::from(r!(a) as i8 as u32),
                    Op::Sext16To32 { d, a } => r!(d) = u64::from(r!(a) as i16 as u32),
                    Op::Sext8To64 { d, a } => r!(d) = r!(a) as i8 as u64,
                    Op::Sext16To64 { d, a } => r!(d) = r!(a) as i16 as u64,
                    Op::Sext32To64 { d, a } => r!(d) = r!(a) as i32 as u64,
                    Op::Sext { from, to, d, a } => {
                        let value = bits::signed(u128::from(r!(a)), u32::from(from));
                        r!(d) = bits::truncate(value as u128, u32::from(to)) as u64;
                    }

                    Op::FAdd64 { d, a, b } => r!(d) = (f64r!(a) + f64r!(b)).to_bits(),
                    Op::FSub64 { d, a, b } => r!(d) = (f64r!(a) - f64r!(b)).to_bits(),
                    Op::FMul64 { d, a, b } => r!(d) = (f64r!(a) * f64r!(b)).to_bits(),
                    Op::FDiv64 { d, a, b } => r!(d) = (f64r!(a) / f64r!(b)).to_bits(),
                    Op::FAdd32 { d, a, b } => r!(d) = u64::from((f32r!(a) + f32r!(b)).to_bits()),
                    Op::FSub32 { d, a, b } => r!(d) = u64::from((f32r!(a) - f32r!(b)).to_bits()),
                    Op::FMul32 { d, a, b } => r!(d) = u64::from((f32r!(a) * f32r!(b)).to_bits()),
                    Op::FDiv32 { d, a, b } => r!(d) = u64::from((f32r!(a) / f32r!(b)).to_bits()),
                    Op::FMulAdd64 { d, a, b, c } => {
                        r!(d) = (f64r!(a) * f64r!(b) + f64r!(c)).to_bits();
                    }
                    Op::FMulAdd32 { d, a, b, c } => {
                        r!(d) = u64::from((f32r!(a) * f32r!(b) + f32r!(c)).to_bits());
                    }
                    Op::FCompare64 { op, d, a, b } => {
                        let order = f64r!(a).partial_cmp(&f64r!(b));
                        r!(d) = u64::from(operator::float_compare(op, order));
                    }
                    Op::Si32ToF64 { d, a } => r!(d) = f64::from(s32!(a)).to_bits(),
                    Op::Si64ToF64 { d, a } => r!(d) = (s64!(a) as f64).to_bits(),
                    Op::F64ToSi32 { d, a } => match to_i32(f64r!(a)) {
                        Some(value) => r!(d) = u64::from(value as u32),
                        None => {
                            r!(d) = u64::from(i32::MIN as u32);
                            break 'op UndefinedKind::Conversion;
                        }
                    },
                    Op::F64ToSi64 { d, a } => match to_i64(f64r!(a)) {
                        Some(value) => r!(d) = value as u64,
                        None => {
                            r!(d) = i64::MIN as u64;
                            break 'op UndefinedKind::Conversion;
                        }
                    },
                    Op::F32ToF64 { d, a } => r!(d) = f64::from(f32r!(a)).to_bits(),
                    Op::F64ToF32 { d, a } => {
                        r!(d) = u64::from((f64_of(u128::from(r!(a))) as f32).to_bits());
                    }

                    Op::Select { d, c, a, b } => r!(d) = if r!(c) & 1 == 1 { r!(a) } else { r!(b) },

                    Op::Offset { d, a, b, within, scale, offset } => {
                        let (start, address) = (r!(a), index!(a, b, scale, offset));
                        r!(d) = address;
                        undefined_if!('op, within && start == 0 && address != 0, Null);
                    }
                    Op::OffsetI { d, a, value } => {
                        let start = r!(a);
                        r!(d) = start.wrapping_add(value);
                        undefined_if!('op, start == 0 && value != 0, Null);
                    }
                    Op::Load8 { d, a, offset } => {
                        load!('op, d, r!(a).wrapping_add_signed(offset), u8)
                    }
                    Op::Load16 { d, a, offset } => {
                        load!('op, d, r!(a).wrapping_add_signed(offset), u16)
                    }
                    Op::Load32 { d, a, offset } => {
                        load!('op, d, r!(a).wrapping_add_signed(offset), u32)
                    }
                    Op::Load64 { d, a, offset } => {
                        load!('op, d, r!(a).wrapping_add_signed(offset), u64)
                    }
                    Op::Store8 { a, b, offset } => {
                        store!('op, r!(a).wrapping_add_signed(offset), r!(b), u8);
                    }
                    Op::Store16 { a, b, offset } => {
                        store!('op, r!(a).wrapping_add_signed(offset), r!(b), u16);
                    }
                    Op::Store32 { a, b, offset } => {
                        store!('op, r!(a).wrapping_add_signed(offset), r!(b), u32);
                    }
                    Op::Store64 { a, b, offset } => {
                        store!('op, r!(a).wrapping_add_signed(offset), r!(b), u64);
                    }
                    Op::Load8X { d, a, b, scale, offset } => {
                        load!('op, d, index!(a, b, scale, offset), u8)
                    }
                    Op::Load16X { d, a, b, scale, offset } => {
                        load!('op, d, index!(a, b, scale, offset), u16);
                    }
                    Op::Load32X { d, a, b, scale, offset } => {
                        load!('op, d, index!(a, b, scale, offset), u32);
                    }
                    Op::Load64X { d, a, b, scale, offset } => {
                        load!('op, d, index!(a, b, scale, offset), u64);
                    }
                    Op::Store8X { c, a, b, scale, offset } => {
                        store!('op, index!(a, b, scale, offset), r!(c), u8);
                    }
                    Op::Store16X { c, a, b, scale, offset } => {
                        store!('op, index!(a, b, scale, offset), r!(c), u16);
                    }
                    Op::Store32X { c, a, b, scale, offset } => {
                        store!('op, index!(a, b, scale, offset), r!(c), u32);
                    }
                    Op::Store64X { c, a, b, scale, offset } => {
                        store!('op, index!(a, b, scale, offset), r!(c), u64);
                    }
                    Op::Alloca { d, size } => leave!(self.alloca(d, size)?),

                    Op::Jump { target } => goto!(target),
                    Op::Branch { a, target } => branch!(r!(a) & 1 == 1, target),
                    Op::BranchNot { a, target } => branch!(r!(a) & 1 == 0, target),
                    Op::BrEq { a, b, target } => branch!(r!(a) == r!(b), target),
                    Op::BrNe { a, b, target } => branch!(r!(a) != r!(b), target),
                    Op::BrUlt { a, b, target } => branch!(r!(a) < r!(b), target),
                    Op::BrUle { a, b, target } => branch!(r!(a) <= r!(b), target),
                    Op::BrSlt32 { a, b, target } => branch!(s32!(a) < s32!(b), target),
                    Op::BrSle32 { a, b, target } => branch!(s32!(a) <= s32!(b), target),
                    Op::BrSlt64 { a, b, target } => branch!(s64!(a) < s64!(b), target),
                    Op::BrSle64 { a, b, target } => branch!(s64!(a) <= s64!(b), target),
                    Op::BrEqI { a, target, value } => branch!(r!(a) == value, target),
                    Op::BrNeI { a, target, value } => branch!(r!(a) != value, target),
                    Op::BrUltI { a, target, value } => branch!(r!(a) < value, target),
                    Op::BrUgtI { a, target, value } => branch!(r!(a) > value, target),
                    Op::BrSlt32I { a, target, value } => branch!(s32!(a) < value as i32, target),
                    Op::BrSgt32I { a, target, value } => branch!(s32!(a) > value as i32, target),
                    Op::BrSlt64I { a, target, value } => branch!(s64!(a) < value as i64, target),
                    Op::BrSgt64I { a, target, value } => branch!(s64!(a) > value as i64, target),
                    Op::Switch { a, table } => {
                        let target = at.code.tables[table as usize].target(r!(a));
                        self.observer.jump(
                            At { code: at.code, pc: at.pc - 1, steps: self.state.steps },
                            target,
                        );
                        goto!(target);
                    }
                    Op::IndirectJump { a, table } => match label(at.code, table, r!(a)) {
                        Some(target) => {
                            self.observer.jump(
                                At { code: at.code, pc: at.pc - 1, steps: self.state.steps },
                                target,
                            );
                            goto!(target);
                        }
                        None => fault!(FaultKind::InvalidJump { address: r!(a) }),
                    },
                    Op::Call { d, site, function } => {
                        self.save(&mut at);
                        at = self.call(at.code, at.base, FuncId::at(function), d, site)?;
                        regs = window(&mut self.state.registers, at.base);
                    }
                    Op::CallIndirect { d, a, site } => {
                        let target = r!(a);
                        self.save(&mut at);
                        at = self.call_address(at.code, at.base, target, d, site)?;
                        regs = window(&mut self.state.registers, at.base);
                    }
                    Op::CallShim { d, site, function } => {
                        self.save(&mut at);
                        let place = Place { code: at.code, pc: at.pc - 1, base: at.base };
                        if !self.call_shim(place, function, d, site)? {
                            at = self.cursor();
                        }
                        regs = window(&mut self.state.registers, at.base);
                    }
                    Op::Return { a, count } => leave!(self.return_from(a, count)?),
                    Op::Slow { index } => {
                        let steps = self.state.steps;
                        leave!(self.slow(index, steps)?);
                    }

                    Op::Statement { statement } => {
                        self.observer.arrive(statement, &self.state);
                        regs = window(&mut self.state.registers, at.base);
                    }
                    Op::CheckSlot { flag } => {
                        if r!(flag) == 0 {
                            self.state.undefined_slots += 1;
                            if self.state.memory.strict {
                                fault!(FaultKind::Uninitialised { size: 0 });
                            }
                            if O::UNDEFINED {
                                break 'op UndefinedKind::Uninitialised;
                            }
                        }
                    }
                    Op::PutBack => self.state.memory.put_back(),
                    Op::Stop { index } => {
                        self.save(&mut at);
                        return Err(self.halted(index));
                    }
                }
                if O::DEFINITIONS {
                    let (code, pc, base) = before;
                    self.define(code, pc, base, op);
                    regs = window(&mut self.state.registers, at.base);
                }
                if O::SHADOWS && pending {
                    self.settle_shadows();
                    regs = window(&mut self.state.registers, at.base);
                }
                continue 'run;
            };
            let steps = self.state.steps;
            leave!(self.note_undefined(undefined, steps));
            if O::DEFINITIONS {
                let (code, pc, base) = before;
                self.define(code, pc, base, op);
                regs = window(&mut self.state.registers, at.base);
            }
            if O::SHADOWS && pending {
                self.settle_shadows();
                regs = window(&mut self.state.registers, at.base);
            }
        }
    }

    /// Saves in the frame where its code is, and counts its steps.
    #[inline(always)]
    fn save(&mut self, at: &mut Cursor<'p>) {
        self.state.steps += (at.pc - at.counted) as u64;
        at.counted = at.pc;
        if let Some(frame) = self.state.frames.last_mut() {
            frame.pc = at.pc as Pc;
        }
    }

    /// The position of the innermost frame.
    #[inline(always)]
    fn cursor(&self) -> Cursor<'p> {
        let frame = self.state.frames.last().expect("a running program has a frame");
        Cursor::new(self.program.code(frame.function), frame.pc as usize, frame.base as usize)
    }

    fn call_address(
        &mut self,
        caller: &'p Code,
        base: usize,
        address: u64,
        d: u16,
        site: u32,
    ) -> Result<Cursor<'p>, Stop> {
        let function = Memory::function_at(address)
            .filter(|&index| (index as usize) < self.program.module.functions.len())
            .map(FuncId::at);
        let Some(function) = function else {
            return Err(self.fault(FaultKind::InvalidCall { address }));
        };
        match self.program.addresses.target(function) {
            Target::Code => self.call(caller, base, function, d, site),
            Target::Shim(shim) => {
                let pc = self.state.frames.last().map_or(0, |frame| frame.pc as usize - 1);
                self.call_shim(Place { code: caller, pc, base }, shim, d, site)?;
                Ok(self.cursor())
            }
            Target::Missing => Err(self.missing(function)),
            Target::Absent => Err(self.fault(FaultKind::InvalidCall { address: 0 })),
        }
    }
}

/// The registers that a frame can address.
#[inline(always)]
fn window(registers: &mut [u64], base: usize) -> &mut [u64; WINDOW] {
    (&mut registers[base..base + WINDOW]).try_into().expect("a window has a fixed size")
}

/// The place of a label that a computed goto may go to.
fn label(code: &Code, table: u32, address: u64) -> Option<Pc> {
    let label = u64::from(Memory::label_at(address)?);
    let target = code.tables[table as usize].target(label);
    (target != Table::NOWHERE).then_some(target)
}

fn division_fault(divisor: u64) -> FaultKind {
    match divisor {
        0 => FaultKind::DivisionByZero,
        _ => FaultKind::DivisionOverflow,
    }
}

/// Conversion of a number that is in range.
fn to_i32(value: f64) -> Option<i32> {
    let inside = value > -2_147_483_649.0 && value < 2_147_483_648.0;
    inside.then_some(value as i32)
}

fn to_i64(value: f64) -> Option<i64> {
    let inside = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    inside.then_some(value as i64)
}
