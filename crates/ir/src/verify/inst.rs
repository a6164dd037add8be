//! The types of operands and results.

use super::constant::{
    can_cast, compares, is_float, is_int, is_pointer, is_truth_of, lanes, takes,
};
use super::{Place, Verifier};
use crate::{Body, Call, Callee, Function, Inst, Op, Operand, Type, TypeId, Types, UnaryOp};

impl Verifier<'_> {
    pub(super) fn inst(&mut self, place: Place, function: &Function, body: &Body, inst: &Inst) {
        let result = inst.result.map(|value| body.values[value].ty);
        let types = Signature { types: &self.module.types, body, result };
        if !types.result_is_right(&inst.op) {
            self.report(
                place,
                "the instruction has a result that it should not have, or lacks one",
            );
        } else if !types.agree(&inst.op) {
            self.report(place, "the types of operands and result do not agree");
        }
        if !alignment_is_right(&inst.op) {
            self.report(place, "the alignment is no power of two");
        }
        match &inst.op {
            Op::Return { value } => {
                let returned = value.map_or(Types::VOID, |value| body.operand_type(value));
                self.check(
                    returned == function.returns,
                    place,
                    "what is returned is not of the function's type",
                );
            }
            Op::Call(call) | Op::Invoke { call, .. } => self.arguments(place, body, call),
            // Nothing else depends on a function's signature.
            _ => {}
        }
    }

    /// A call with a fixed number of parameters of a defined function with as many.
    fn arguments(&mut self, place: Place, body: &Body, call: &Call) {
        let Callee::Function(callee) = call.callee else { return };
        let callee = &self.module.functions[callee];
        if call.fixed.is_some() || callee.variadic || callee.body().is_none() {
            return;
        }
        let passed = call.args.iter().map(|argument| body.operand_type(argument.value));
        let taken = callee.params.iter().map(|param| param.ty);
        self.check(passed.eq(taken), place, "the arguments are not what the function takes");
        self.check(
            call.returns == callee.returns,
            place,
            "the call expects another type than the function returns",
        );
    }
}

fn alignment_is_right(op: &Op) -> bool {
    let align = match op {
        Op::Alloca { align, .. } => *align,
        Op::Load { access, .. }
        | Op::Store { access, .. }
        | Op::AtomicRmw { access, .. }
        | Op::CompareExchange { access, .. } => access.align,
        // Nothing else has an alignment.
        _ => 0,
    };
    align == 0 || align.is_power_of_two()
}

/// An instruction's context: its operands and its result.
struct Signature<'a> {
    types: &'a Types,
    body: &'a Body,
    result: Option<TypeId>,
}

impl Signature<'_> {
    fn of(&self, operand: Operand) -> TypeId {
        self.body.operand_type(operand)
    }

    fn gives(&self, ty: TypeId) -> bool {
        self.result == Some(ty)
    }

    fn is_address(&self, operand: Operand) -> bool {
        self.of(operand) == Types::PTR
    }

    fn is_scalar_int(&self, operand: Operand) -> bool {
        matches!(self.types.get(self.of(operand)), Type::Int(_))
    }

    fn result_is_right(&self, op: &Op) -> bool {
        let demanded = match op {
            Op::WriteSlot { .. } | Op::Store { .. } | Op::Fence => false,
            Op::Call(call) | Op::Invoke { call, .. } => call.returns != Types::VOID,
            op => !op.is_terminator(),
        };
        self.result.is_some() == demanded
    }

    fn agree(&self, op: &Op) -> bool {
        match op {
            Op::Unary { op, value } => {
                self.gives(self.of(*value))
                    && (*op != UnaryOp::FNeg || is_float(self.types, self.of(*value)))
            }
            Op::Binary { op, lhs, rhs, .. } => {
                let ty = self.of(*lhs);
                self.of(*rhs) == ty && self.gives(ty) && takes(self.types, *op, ty)
            }
            Op::Compare { op, lhs, rhs } => {
                let ty = self.of(*lhs);
                self.of(*rhs) == ty
                    && compares(self.types, *op, ty)
                    && self.result.is_some_and(|result| is_truth_of(self.types, result, ty))
            }
            Op::Cast { op, value } => {
                let from = self.of(*value);
                self.result.is_some_and(|to| can_cast(self.types, *op, from, to))
            }
            Op::Select { condition, then, otherwise } => {
                let ty = self.of(*then);
                let condition = self.of(*condition);
                self.of(*otherwise) == ty
                    && self.gives(ty)
                    && (condition == Types::I1 || is_truth_of(self.types, condition, ty))
            }
            Op::Phi { incoming } => incoming.iter().all(|(_, value)| self.gives(self.of(*value))),
            Op::ReadSlot { slot } => self.gives(self.body.slots[*slot].ty),
            Op::WriteSlot { slot, value } => self.of(*value) == self.body.slots[*slot].ty,
            Op::Branch { condition, .. } => self.of(*condition) == Types::I1,
            Op::Switch { value, cases, .. } => {
                let bits = match self.types.get(self.of(*value)) {
                    Type::Int(bits) => *bits,
                    _ => return false,
                };
                cases.iter().all(|(case, _)| case.checked_shr(bits).unwrap_or(0) == 0)
            }
            Op::IndirectJump { address, .. } => self.is_address(*address),
            Op::Call(call) | Op::Invoke { call, .. } => self.call_agrees(call),
            op => self.memory_agrees(op),
        }
    }

    fn call_agrees(&self, call: &Call) -> bool {
        let target = match call.callee {
            Callee::Indirect(target) => self.is_address(target),
            Callee::Function(_) | Callee::Builtin(_) | Callee::Asm(_) => true,
        };
        let fixed = call.fixed.is_none_or(|fixed| fixed as usize <= call.args.len());
        let byval = |argument: &crate::Argument| {
            argument.byval.is_none() || self.is_address(argument.value)
        };
        target
            && fixed
            && call.args.iter().all(byval)
            && self.result.is_none_or(|result| result == call.returns)
    }

    fn memory_agrees(&self, op: &Op) -> bool {
        match op {
            Op::Alloca { count, .. } => self.is_scalar_int(*count) && self.gives(Types::PTR),
            Op::Load { address, .. } => self.is_address(*address),
            Op::Store { address, .. } => self.is_address(*address),
            Op::Offset { base, scaled, .. } => {
                let lane_count = |ty: TypeId| lanes(self.types, ty).1;
                let wide = self.result.and_then(lane_count);
                let fits = |ty: TypeId| lane_count(ty).is_none() || lane_count(ty) == wide;
                let base = self.of(*base);
                is_pointer(self.types, base)
                    && fits(base)
                    && self.result.is_some_and(|result| is_pointer(self.types, result))
                    && scaled.iter().all(|(index, _)| {
                        is_int(self.types, self.of(*index)) && fits(self.of(*index))
                    })
            }
            Op::AtomicRmw { address, value, .. } => {
                self.is_address(*address) && self.gives(self.of(*value))
            }
            Op::CompareExchange { address, expected, new, .. } => {
                let ty = self.of(*expected);
                let pair = self.result.map(|result| self.types.get(result));
                self.is_address(*address)
                    && self.of(*new) == ty
                    && matches!(pair, Some(Type::Struct { fields, .. })
                        if **fields == [ty, Types::I1])
            }
            Op::VaArg { list } => self.is_address(*list),
            op => self.parts_agree(op),
        }
    }

    fn parts_agree(&self, op: &Op) -> bool {
        match op {
            Op::ExtractValue { aggregate, path } => {
                self.part(self.of(*aggregate), path).is_some_and(|part| self.gives(part))
            }
            Op::InsertValue { aggregate, value, path } => {
                let ty = self.of(*aggregate);
                self.gives(ty) && self.part(ty, path) == Some(self.of(*value))
            }
            Op::ExtractElement { vector, index } => {
                let element = self.element(self.of(*vector));
                element.is_some() && element == self.result && self.is_scalar_int(*index)
            }
            Op::InsertElement { vector, value, index } => {
                let ty = self.of(*vector);
                self.gives(ty)
                    && self.element(ty) == Some(self.of(*value))
                    && self.is_scalar_int(*index)
            }
            Op::Shuffle { lhs, rhs, mask } => {
                let ty = self.of(*lhs);
                let available = lanes(self.types, ty).1.map(|count| u64::from(count) * 2);
                let result = self.result.map(|result| lanes(self.types, result).1);
                self.of(*rhs) == ty
                    && self.result.and_then(|result| self.element(result)) == self.element(ty)
                    && result == Some(Some(mask.len() as u32))
                    && mask.iter().flatten().all(|&lane| Some(u64::from(lane)) < available)
            }
            // These take anything, or nothing.
            _ => true,
        }
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::Vector { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// The type of a part of an aggregate.
    fn part(&self, ty: TypeId, path: &[u32]) -> Option<TypeId> {
        path.iter().try_fold(ty, |ty, &index| match self.types.get(ty) {
            Type::Struct { fields, .. } => fields.get(index as usize).copied(),
            Type::Array { element, length } => (u64::from(index) < *length).then_some(*element),
            _ => None,
        })
    }
}
