//! Turns local scalars whose address is never taken into slots.
//!
//! From the allocas of a body's entry block and all their uses, in two passes over the
//! instructions. Aggregates and vectors stay in memory, as does a variable that is ever accessed
//! with another type than its own (a reinterpretation of its bytes) or atomically. Values and
//! instructions keep their ids; blocks do not list promoted allocas.

use base::entity::SecondaryMap;

use crate::{
    Body, Builtin, Callee, Const, InstId, Op, Operand, Slot, SlotId, Storage, Type, TypeId, Types,
    ValueId,
};

/// The widest integer that fits a slot.
const MAX_INT_BITS: u32 = 128;

/// What is known about a value as the address of a local variable.
#[derive(Clone, Copy, Default, PartialEq)]
enum Address {
    /// Not an alloca, or one that must stay in memory.
    #[default]
    Memory,
    /// An alloca of this type, all of whose uses so far are plain accesses.
    Candidate(TypeId),
    Slot(SlotId),
}

type Addresses = SecondaryMap<ValueId, Address>;

pub fn promote(types: &Types, body: &mut Body) {
    let (mut addresses, candidates) = candidates(types, body);
    if candidates.is_empty() {
        return;
    }
    for block in body.blocks.values() {
        for &inst in &block.insts {
            demote_escaping(body, inst, &mut addresses);
        }
    }
    make_slots(body, &candidates, &mut addresses);
    rewrite_accesses(body, &addresses);
    rewrite_variables(body, &addresses);
    unlist_allocas(body, &addresses);
}

/// The entry block's allocas of one scalar.
fn candidates(types: &Types, body: &Body) -> (Addresses, Vec<ValueId>) {
    let mut addresses = Addresses::new();
    let mut order = Vec::new();
    let Some(entry) = body.blocks.get(Body::ENTRY) else {
        return (addresses, order);
    };
    for &id in &entry.insts {
        let inst = &body.insts[id];
        if let (Op::Alloca { ty, count, .. }, Some(result)) = (&inst.op, inst.result)
            && is_one(body, *count)
            && is_scalar(types, *ty)
        {
            addresses[result] = Address::Candidate(*ty);
            order.push(result);
        }
    }
    (addresses, order)
}

fn is_one(body: &Body, count: Operand) -> bool {
    matches!(count, Operand::Const(id) if body.consts[id].value == Const::Int(1))
}

fn is_scalar(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Int(bits) => *bits <= MAX_INT_BITS,
        Type::Float(_) | Type::Ptr => true,
        Type::Void
        | Type::Vector { .. }
        | Type::Array { .. }
        | Type::Struct { .. }
        | Type::Opaque => false,
    }
}

/// Every use that is not a plain access of the variable's own type keeps it in memory.
fn demote_escaping(body: &Body, id: InstId, addresses: &mut Addresses) {
    let inst = &body.insts[id];
    let (address, accessed) = match &inst.op {
        Op::Load { address, access } if !access.atomic => {
            (*address, inst.result.map(|result| body.values[result].ty))
        }
        Op::Store { address, value, access } if !access.atomic => {
            demote(*value, addresses);
            (*address, Some(body.operand_type(*value)))
        }
        // A hint (the start or end of a lifetime) reads and writes nothing.
        Op::Call(call) if call.callee == Callee::Builtin(Builtin::Nop) => return,
        op => return op.operands(|operand| demote(operand, addresses)),
    };
    if let Operand::Value(value) = address
        && let Address::Candidate(ty) = addresses[value]
        && accessed != Some(ty)
    {
        addresses[value] = Address::Memory;
    }
}

fn demote(operand: Operand, addresses: &mut Addresses) {
    if let Operand::Value(value) = operand
        && addresses[value] != Address::Memory
    {
        addresses[value] = Address::Memory;
    }
}

fn make_slots(body: &mut Body, candidates: &[ValueId], addresses: &mut Addresses) {
    let mut sources: SecondaryMap<ValueId, Option<usize>> = SecondaryMap::new();
    for (index, variable) in body.variables.iter().enumerate() {
        if let Storage::Memory(value) = variable.storage
            && sources[value].is_none()
        {
            sources[value] = Some(index);
        }
    }
    for &value in candidates {
        if let Address::Candidate(ty) = addresses[value] {
            let name = match sources[value] {
                Some(index) => body.variables[index].name.clone(),
                None => plain_name(&body.values[value].name),
            };
            addresses[value] = Address::Slot(body.slots.push(Slot { ty, name }));
        }
    }
}

/// The compiler names the memory of parameter `x` `x.addr`.
fn plain_name(name: &str) -> String {
    name.strip_suffix(".addr").unwrap_or(name).to_owned()
}

fn slot_of(operand: Operand, addresses: &Addresses) -> Option<SlotId> {
    match operand {
        Operand::Value(value) => match addresses[value] {
            Address::Slot(slot) => Some(slot),
            Address::Memory | Address::Candidate(_) => None,
        },
        Operand::Const(_) => None,
    }
}

fn rewrite_accesses(body: &mut Body, addresses: &Addresses) {
    for inst in body.insts.values_mut() {
        match &mut inst.op {
            Op::Load { address, .. } => {
                if let Some(slot) = slot_of(*address, addresses) {
                    inst.op = Op::ReadSlot { slot };
                }
            }
            Op::Store { address, value, .. } => {
                if let Some(slot) = slot_of(*address, addresses) {
                    inst.op = Op::WriteSlot { slot, value: *value };
                }
            }
            Op::Call(call) if call.callee == Callee::Builtin(Builtin::Nop) => {
                call.args.retain(|argument| slot_of(argument.value, addresses).is_none());
            }
            // No other instruction uses the address of a slot.
            _ => {}
        }
    }
}

fn rewrite_variables(body: &mut Body, addresses: &Addresses) {
    for variable in &mut body.variables {
        match variable.storage {
            Storage::Memory(value) => {
                if let Address::Slot(slot) = addresses[value] {
                    variable.storage = Storage::Slot(slot);
                }
            }
            // A variable whose value is the address of a slot has no value.
            Storage::Value(value) if matches!(addresses[value], Address::Slot(_)) => {
                variable.storage = Storage::Unknown;
            }
            Storage::Value(_) | Storage::Slot(_) | Storage::Unknown => {}
        }
    }
}

fn unlist_allocas(body: &mut Body, addresses: &Addresses) {
    let insts = &body.insts;
    body.blocks[Body::ENTRY].insts.retain(|&id| {
        let result = insts[id].result;
        !result.is_some_and(|value| matches!(addresses[value], Address::Slot(_)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, Block, Inst, Span, StatementId, TypedConst, Value, Variable};

    /// A body under construction: one block, instructions in order.
    struct Builder {
        body: Body,
        one: Operand,
    }

    impl Builder {
        fn new() -> Builder {
            let mut body = Body::default();
            body.blocks.push(Block { name: "entry".into(), insts: Vec::new() });
            let one = body.consts.push(TypedConst { ty: Types::I32, value: Const::Int(1) });
            Builder { body, one: Operand::Const(one) }
        }

        fn add(&mut self, op: Op, result: Option<(TypeId, &str)>) -> Operand {
            let result =
                result.map(|(ty, name)| self.body.values.push(Value { ty, name: name.into() }));
            let statement = StatementId::at(0);
            let inst = self.body.insts.push(Inst { op, result, span: Span::NONE, statement });
            self.body.blocks[Body::ENTRY].insts.push(inst);
            result.map_or(self.one, Operand::Value)
        }

        fn alloca(&mut self, ty: TypeId, name: &str) -> Operand {
            let count = self.one;
            self.add(Op::Alloca { ty, count, align: 4 }, Some((Types::PTR, name)))
        }

        fn load(&mut self, ty: TypeId, address: Operand) -> Operand {
            self.add(Op::Load { address, access: Access::default() }, Some((ty, "")))
        }

        fn store(&mut self, address: Operand, value: Operand) {
            self.add(Op::Store { address, value, access: Access::default() }, None);
        }

        fn promote(mut self) -> Body {
            promote(&Types::new(), &mut self.body);
            self.body
        }
    }

    fn listed(body: &Body) -> Vec<&Op> {
        body.blocks[Body::ENTRY].insts.iter().map(|&id| &body.insts[id].op).collect()
    }

    #[test]
    fn a_local_scalar_becomes_a_slot_named_without_the_suffix() {
        let mut builder = Builder::new();
        let x = builder.alloca(Types::I32, "x.addr");
        let one = builder.one;
        builder.store(x, one);
        builder.load(Types::I32, x);
        let body = builder.promote();
        let slot = SlotId::at(0);
        assert_eq!(body.slots[slot].name, "x");
        assert_eq!(listed(&body), [&Op::WriteSlot { slot, value: one }, &Op::ReadSlot { slot }]);
    }

    #[test]
    fn the_source_variable_names_the_slot_and_is_stored_there() {
        let mut builder = Builder::new();
        let x = builder.alloca(Types::I32, "x1");
        builder.load(Types::I32, x);
        let Operand::Value(value) = x else { panic!("an alloca has a value") };
        builder.body.variables.push(Variable {
            name: "count".into(),
            ty: None,
            scope: None,
            line: 3,
            parameter: 0,
            storage: Storage::Memory(value),
        });
        let body = builder.promote();
        assert_eq!(body.slots[SlotId::at(0)].name, "count");
        assert_eq!(body.variables[0].storage, Storage::Slot(SlotId::at(0)));
    }

    #[test]
    fn a_variable_whose_address_is_stored_stays_in_memory() {
        let mut builder = Builder::new();
        let x = builder.alloca(Types::I32, "x");
        let p = builder.alloca(Types::PTR, "p");
        builder.store(p, x);
        builder.load(Types::I32, x);
        let body = builder.promote();
        assert_eq!(body.slots.len(), 1);
        assert_eq!(body.slots[SlotId::at(0)].name, "p");
    }

    #[test]
    fn a_variable_that_is_read_with_another_type_stays_in_memory() {
        let mut builder = Builder::new();
        let x = builder.alloca(Types::F32, "x");
        builder.load(Types::I32, x);
        assert!(builder.promote().slots.is_empty());
    }

    #[test]
    fn an_atomic_access_keeps_a_variable_in_memory() {
        let mut builder = Builder::new();
        let x = builder.alloca(Types::I32, "x");
        let access = Access { atomic: true, ..Access::default() };
        builder.add(Op::Load { address: x, access }, Some((Types::I32, "")));
        assert!(builder.promote().slots.is_empty());
    }

    #[test]
    fn promoting_twice_changes_nothing() {
        let mut builder = Builder::new();
        let x = builder.alloca(Types::I32, "x");
        builder.load(Types::I32, x);
        let mut body = builder.promote();
        let before = format!("{body:?}");
        promote(&Types::new(), &mut body);
        assert_eq!(format!("{body:?}"), before);
    }
}
