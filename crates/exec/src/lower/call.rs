//! Calls: of functions, of the machine's own functions and of builtins.

use ir::{Argument, Builtin, Call, Callee, FuncId, Operand, Type, TypeId};

use super::scalar::Lanes;
use super::{Lowered, Lowering, Unlowerable, unsupported};
use crate::addresses::{Signature, Target};
use crate::code::{CallSite, Halt, Masks, Op, Passing, Reg, Scalar, SignatureId, Slow};
use crate::stop::Feature;

impl Lowering<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Lowered<()> {
        match &call.callee {
            Callee::Function(function) => self.call_function(*function, call),
            Callee::Indirect(target) => self.call_indirect(*target, call),
            Callee::Builtin(builtin) => self.builtin(*builtin, &call.args),
            Callee::Asm(asm) => self.assembly(asm, &call.args),
        }
    }

    /// How an argument of a type is passed, as far as variadic functions can observe.
    pub(super) fn passing(&self, ty: TypeId) -> Passing {
        match self.scalar(ty) {
            Some(Scalar::Int(bits)) if bits > 64 => Passing::Wide,
            Some(Scalar::Int(_)) => Passing::Int,
            Some(Scalar::F80) => Passing::LongDouble,
            Some(Scalar::F32 | Scalar::F64) => Passing::Double,
            _ => self.passing_of_several(ty),
        }
    }

    fn passing_of_several(&self, ty: TypeId) -> Passing {
        match self.lanes(ty) {
            Ok(Lanes { scalar, count }) if count > 0 => {
                Passing::Vector { bits: scalar.bits() as u8, lanes: count }
            }
            _ => Passing::Other { registers: self.width(ty) },
        }
    }

    fn site(&mut self, call: &Call) -> Lowered<u32> {
        let mut registers = Vec::new();
        let mut passing = Vec::new();
        for argument in &call.args {
            let ty = self.operand_type(argument.value);
            let kind = match argument.byval {
                Some(byval) => Passing::Struct { size: byval.size, align: byval.align },
                None => self.passing(ty),
            };
            let first = self.take(argument.value)?;
            registers.extend((0..self.width(ty)).map(|index| first + index));
            passing.push(kind);
        }
        let fixed = call.fixed.map_or(call.args.len(), |fixed| fixed as usize);
        let mut result_masks = Masks::new();
        self.addresses.masks(&self.module.types, call.returns, &mut result_masks);
        self.code.sites.push(CallSite {
            registers: registers.into(),
            fixed: fixed.min(passing.len()),
            passing: passing.into(),
            results: self.width(call.returns),
            result_masks,
            signature: self.signature(call, fixed),
        });
        Ok(self.code.sites.len() as u32 - 1)
    }

    /// The function type that a call assumes.
    fn signature(&self, call: &Call, fixed: usize) -> SignatureId {
        let params = call.args.iter().take(fixed);
        let params = params.map(|argument| {
            let byval = argument.byval.map(|byval| (byval.size, byval.align));
            (self.operand_type(argument.value), byval)
        });
        self.addresses.find_signature(&Signature {
            params: params.collect(),
            returns: call.returns,
            variadic: call.fixed.is_some(),
        })
    }

    fn call_function(&mut self, function: FuncId, call: &Call) -> Lowered<()> {
        let target = self.addresses.target(function);
        let site = self.site(call)?;
        let d = self.define();
        match target {
            Target::Code => self.emit(Op::Call { d, site, function: function.as_u32() }),
            Target::Shim(shim) => self.emit(Op::CallShim { d, site, function: shim }),
            Target::Missing => {
                let name = self.module.functions[function].name.clone();
                return Err(Unlowerable(Feature::Call(name)));
            }
            Target::Absent => {
                let a = self.registers.temporary();
                self.emit(Op::Const { d: a, value: 0 });
                self.registers.release_later(a);
                self.emit(Op::CallIndirect { d, a, site });
            }
        }
        Ok(())
    }

    fn call_indirect(&mut self, target: Operand, call: &Call) -> Lowered<()> {
        let site = self.site(call)?;
        let a = self.take(target)?;
        let d = self.define();
        self.emit(Op::CallIndirect { d, a, site });
        Ok(())
    }

    pub(super) fn va_arg(&mut self, list: Operand) -> Lowered<()> {
        let scalar = self.scalar_or_unsupported(self.result_type())?;
        let list = self.take(list)?;
        let d = self.define_apart();
        self.emit_slow(Slow::VaArg { scalar, d, list });
        self.registers.flush();
        Ok(())
    }

    pub(super) fn take_args(&mut self, args: &[Argument]) -> Lowered<Vec<Reg>> {
        args.iter().map(|argument| self.take(argument.value)).collect()
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Argument]) -> Lowered<()> {
        if needs(builtin) > args.len() {
            return Err(unsupported(format!("{} with too few arguments", builtin.name())));
        }
        match builtin {
            // Values do not depend on it.
            Builtin::Nop | Builtin::VaEnd => return Ok(()),
            Builtin::Trap | Builtin::DebugTrap => {
                self.halt(Halt::Trap);
                return Ok(());
            }
            _ => {}
        }
        if is_reduction(builtin) {
            return self.reduction(builtin, args);
        }
        if is_lane_wise(builtin) {
            return self.lane_wise(builtin, args);
        }
        let regs = self.take_args(args)?;
        let d = self.define_apart();
        let slow = match builtin {
            Builtin::Memcpy | Builtin::Memmove | Builtin::Memset => {
                Slow::Memory { builtin, to: regs[0], from: regs[1], size: regs[2] }
            }
            Builtin::VaStart => Slow::VaStart { list: regs[0] },
            Builtin::VaCopy => Slow::VaCopy { to: regs[0], from: regs[1] },
            Builtin::StackSave => Slow::StackSave { d },
            Builtin::StackRestore => Slow::StackRestore { a: regs[0] },
            Builtin::FrameAddress => Slow::FrameAddress { d, level: regs[0] },
            Builtin::ReadCycleCounter => Slow::CycleCounter { d },
            Builtin::MoveMask => {
                let lanes = self.lanes(self.operand_type(args[0].value))?;
                Slow::MoveMask { lanes: u32::from(lanes.count), d, a: regs[0] }
            }
            Builtin::PtrMask => {
                self.emit(Op::And { d, a: regs[0], b: regs[1] });
                self.registers.flush();
                return Ok(());
            }
            Builtin::ReturnAddress | Builtin::GetRounding => {
                let value = u64::from(builtin == Builtin::GetRounding);
                self.emit(Op::Const { d, value });
                self.registers.flush();
                return Ok(());
            }
            other => return Err(unsupported(format!("the builtin {}", other.name()))),
        };
        self.emit_slow(slow);
        self.registers.flush();
        Ok(())
    }

    fn lane_wise(&mut self, builtin: Builtin, args: &[Argument]) -> Lowered<()> {
        let lanes = self.lanes(self.operand_type(args[0].value))?;
        let (result, step, flags) = self.lane_result(builtin, lanes.count)?;
        let regs = self.take_args(args)?;
        let mut steps = Vec::with_capacity(args.len());
        for argument in args {
            let ty = self.operand_type(argument.value);
            let vector = matches!(self.module.types.get(ty), Type::Vector { .. });
            let argument = self.lanes(ty)?;
            if vector && argument.count != lanes.count {
                return Err(unsupported(format!("{} of unlike vectors", builtin.name())));
            }
            steps.push(if vector { argument.scalar.registers() } else { 0 });
        }
        let single = lanes.count == 1 && result.registers() == 1 && flags == 0;
        let d = if single { self.define() } else { self.define_apart() };
        for lane in 0..lanes.count {
            let args: Box<[Reg]> =
                regs.iter().zip(&steps).map(|(&reg, &step)| reg + lane * step).collect();
            // The overflow flags of a vector come after all values.
            if flags > 0 && lanes.count > 1 {
                return Err(unsupported(format!("{} of vectors", builtin.name())));
            }
            let d = d + lane * step;
            match quick_builtin(builtin, lanes.scalar, d, &args) {
                Some(op) => self.emit(op),
                None => {
                    let scalar = lanes.scalar;
                    self.emit_slow(Slow::Builtin { builtin, scalar, result, d, args });
                }
            }
        }
        self.registers.flush();
        Ok(())
    }

    /// Result scalar, registers per lane and registers of overflow flags.
    fn lane_result(&self, builtin: Builtin, lanes: u16) -> Lowered<(Scalar, u16, u16)> {
        let ty = self.result_type();
        if !is_overflow(builtin) {
            let result = self.lanes(ty)?;
            if result.count != lanes {
                return Err(unsupported(format!("{} of unlike vectors", builtin.name())));
            }
            return Ok((result.scalar, result.scalar.registers(), 0));
        }
        let Type::Struct { fields, .. } = self.module.types.get(ty) else {
            return Err(unsupported("an overflow check of an unusual type"));
        };
        let first = *fields.first().ok_or_else(|| unsupported("an empty result"))?;
        let scalar = self.lanes(first)?.scalar;
        Ok((scalar, scalar.registers(), lanes))
    }

    fn reduction(&mut self, builtin: Builtin, args: &[Argument]) -> Lowered<()> {
        let has_start = matches!(builtin, Builtin::ReduceFAdd | Builtin::ReduceFMul);
        let vector = args[usize::from(has_start)].value;
        let lanes = self.lanes(self.operand_type(vector))?;
        let start = if has_start { Some(self.take(args[0].value)?) } else { None };
        let a = self.take(vector)?;
        let d = self.define_apart();
        self.emit_slow(Slow::Reduce {
            builtin,
            scalar: lanes.scalar,
            lanes: u32::from(lanes.count),
            d,
            a,
            start,
        });
        self.registers.flush();
        Ok(())
    }
}

fn quick_builtin(builtin: Builtin, scalar: Scalar, d: Reg, args: &[Reg]) -> Option<Op> {
    match (builtin, scalar, args) {
        (Builtin::FMulAdd, Scalar::F64, &[a, b, c]) => Some(Op::FMulAdd64 { d, a, b, c }),
        (Builtin::FMulAdd, Scalar::F32, &[a, b, c]) => Some(Op::FMulAdd32 { d, a, b, c }),
        _ => None,
    }
}

fn needs(builtin: Builtin) -> usize {
    use Builtin::*;
    match builtin {
        Memcpy | Memmove | Memset | Fshl | Fshr | Fma | FMulAdd => 3,
        SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow
        | SAddSat | UAddSat | SSubSat | USubSat | SShlSat | UShlSat | SMax | SMin | UMax | UMin
        | UCmp | SCmp | CopySign | MinNum | MaxNum | Minimum | Maximum | Pow | Powi | Ldexp
        | IsFpClass | ReduceFAdd | ReduceFMul | VaCopy | PtrMask => 2,
        StackSave | Trap | DebugTrap | ReadCycleCounter | GetRounding | Nop | ReturnAddress
        | VaEnd => 0,
        _ => 1,
    }
}

fn is_overflow(builtin: Builtin) -> bool {
    use Builtin::*;
    matches!(
        builtin,
        SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow
    )
}

fn is_reduction(builtin: Builtin) -> bool {
    builtin.name().starts_with("reduce.")
}

fn is_lane_wise(builtin: Builtin) -> bool {
    use Builtin::*;
    !matches!(
        builtin,
        Memcpy
            | Memmove
            | Memset
            | VaStart
            | VaEnd
            | VaCopy
            | StackSave
            | StackRestore
            | FrameAddress
            | ReturnAddress
            | Trap
            | DebugTrap
            | PtrMask
            | ReadCycleCounter
            | GetRounding
            | MoveMask
            | Nop
    )
}
