//! From the instructions and initial values of a module to constraints on pointers.

use base::entity::{PrimaryMap, filled};
use ir::{
    Body, Builtin, Call, Callee, CastOp, Const, FuncId, InstId, Linkage, Module, Op, Operand,
    SlotId, Type, TypeId, TypedConst, Types, ValueId, references::References,
};
use library::{Fact, StartVariable};

use super::calls::RAW;
use super::solve::{Distance, PointerCall, Solver};
use super::{NONE, Node};
use crate::objects::{CellId, ObjectId, ObjectKind, Shape};

pub(super) fn generate(module: &Module) -> Solver<'_> {
    let mut solver = Solver::new(module);
    let mut names = module.functions.values().map(|function| &function.name);
    solver.redirects = names.any(|name| library::has(name, Fact::Redirects));
    (0..library::STATE_COUNT).for_each(|state| {
        solver.state(state);
    });
    let holds = pointer_types(&module.types);
    for (id, function) in module.functions.iter() {
        solver.object(ObjectKind::Function(id), Shape::Whole);
        if let Some(body) = function.body() {
            Generator { solver: &mut solver, holds: &holds, id, body }.assign_nodes();
        }
        if holds[function.returns] {
            let node = solver.node();
            solver.returns[id] = node;
        }
    }
    initialise_globals(&mut solver);
    for (id, function) in module.functions.iter() {
        if let Some(body) = function.body() {
            Generator { solver: &mut solver, holds: &holds, id, body }.constrain();
        }
    }
    start(&mut solver);
    solver
}

/// For each type, whether its values may hold pointers.
fn pointer_types(types: &Types) -> PrimaryMap<TypeId, bool> {
    let mut holds: PrimaryMap<TypeId, bool> = PrimaryMap::with_capacity(types.len());
    for (_, ty) in types.iter() {
        let part = |ty: &TypeId| holds.get(*ty).copied().unwrap_or(true);
        holds.push(match ty {
            Type::Ptr => true,
            Type::Int(bits) => *bits >= 64,
            Type::Vector { element, .. } | Type::Array { element, .. } => part(element),
            Type::Struct { fields, .. } => fields.iter().any(part),
            Type::Void | Type::Float(_) | Type::Opaque => false,
        });
    }
    holds
}

fn initialise_globals(solver: &mut Solver<'_>) {
    let module = solver.module;
    for (id, global) in module.globals.iter() {
        let shape = match module.types.layout(global.ty).size {
            0 => RAW,
            _ => Shape::Typed { ty: global.ty, repeated: false },
        };
        let object = solver.object(ObjectKind::Global(id), shape);
        let at_start = StartVariable::named(&global.name);
        if at_start.is_some_and(|variable| !matches!(variable, StartVariable::Stream(_))) {
            let line = command_line(solver);
            if let Some(cell) = solver.cell_at(object, 0) {
                let content = solver.content(cell);
                solver.point_to_start(content, line);
            }
        }
    }
    for (id, global) in module.globals.iter() {
        if let Some(init) = &global.init {
            let object = solver.object(ObjectKind::Global(id), RAW);
            initialise(solver, object, init, 0);
        }
    }
}

fn initialise(solver: &mut Solver<'_>, object: ObjectId, init: &TypedConst, offset: u64) {
    match &init.value {
        Const::Elements(elements) => {
            let types = &solver.module.types;
            let mut end = 0u64;
            let packed = matches!(types.get(init.ty), Type::Struct { packed: true, .. });
            let padded = matches!(types.get(init.ty), Type::Struct { packed: false, .. });
            for element in elements {
                let layout = solver.module.types.layout(element.ty);
                if padded && !packed {
                    end = ir::types::align_up(end, layout.align);
                }
                initialise(solver, object, element, offset.saturating_add(end));
                end = end.saturating_add(layout.size);
            }
        }
        _ => {
            for cell in addresses(solver, init) {
                if let Some(place) = solver.cell_at(object, offset as i64) {
                    let content = solver.content(place);
                    solver.point(content, cell);
                }
            }
        }
    }
}

/// The cells whose addresses a constant may hold.
fn addresses(solver: &mut Solver<'_>, constant: &TypedConst) -> Vec<CellId> {
    match &constant.value {
        Const::Global(id) => {
            let object = solver.object(ObjectKind::Global(*id), RAW);
            solver.cell_at(object, 0).into_iter().collect()
        }
        Const::Function(id) => {
            let object = solver.object(ObjectKind::Function(*id), Shape::Whole);
            solver.cell_at(object, 0).into_iter().collect()
        }
        Const::Offset { base, bytes } => {
            let bases = addresses(solver, base);
            let mut cells = Vec::new();
            for cell in bases {
                let cell = solver.resolve(cell);
                let crate::objects::Cell { object, offset } = solver.objects.cells[cell];
                cells.extend(solver.cell_at(object, (offset as i64).wrapping_add(*bytes)));
            }
            cells
        }
        Const::Cast { value, .. } => addresses(solver, value),
        Const::Binary { lhs, rhs, .. } => {
            let mut cells = addresses(solver, lhs);
            cells.extend(addresses(solver, rhs));
            cells
        }
        Const::Elements(elements) => {
            elements.iter().flat_map(|element| addresses(solver, element)).collect()
        }
        // No other constant is an address of memory.
        _ => Vec::new(),
    }
}

fn command_line(solver: &mut Solver<'_>) -> ObjectId {
    let object = solver.object(ObjectKind::Library(library::COMMAND_LINE), Shape::Whole);
    if let Some(cell) = solver.cell_at(object, 0) {
        let content = solver.content(cell);
        solver.point(content, cell);
    }
    object
}

/// Gives the parameters of functions that are called from outside something to point to.
fn start(solver: &mut Solver<'_>) {
    let module = solver.module;
    let used = References::of(module).functions;
    let has_main = module.functions.values().any(|f| f.name == "main" && f.is_defined());
    for (id, function) in module.functions.iter().filter(|(_, f)| f.body().is_some()) {
        let visible = !has_main && function.linkage != Linkage::Internal;
        let object = if function.name == "main" {
            command_line(solver)
        } else if visible || !used[id] {
            let object = solver.object(ObjectKind::Arguments(id), Shape::Whole);
            if let Some(cell) = solver.cell_at(object, 0) {
                let content = solver.content(cell);
                solver.point(content, cell);
            }
            object
        } else {
            continue;
        };
        for (index, param) in function.params.iter().enumerate() {
            if param.byval.is_none() {
                let node = solver.value(id, ValueId::at(index as u32));
                solver.point_to_start(node, object);
            }
        }
    }
}

/// Makes the constraints of one function.
struct Generator<'s, 'm> {
    solver: &'s mut Solver<'m>,
    holds: &'s PrimaryMap<TypeId, bool>,
    id: FuncId,
    body: &'m Body,
}

impl Generator<'_, '_> {
    fn holds(&self, ty: TypeId) -> bool {
        self.holds[ty]
    }

    /// Gives slots and values nodes. A copy of another value shares its node.
    fn assign_nodes(&mut self) {
        let mut slots: PrimaryMap<SlotId, Node> = filled(self.body.slots.len(), NONE);
        for (slot, content) in self.body.slots.iter() {
            if self.holds(content.ty) {
                slots[slot] = self.solver.node();
            }
        }
        let mut values: PrimaryMap<ValueId, Node> = filled(self.body.values.len(), NONE);
        let params = self.solver.module.functions[self.id].params.len();
        for (id, value) in self.body.values.iter().take(params) {
            if self.holds(value.ty) {
                values[id] = self.solver.node();
            }
        }
        for block in self.body.blocks.values() {
            for &inst in &block.insts {
                let inst = &self.body.insts[inst];
                let Some(result) = inst.result else { continue };
                if self.holds(self.body.values[result].ty) {
                    let same = repeated(&inst.op, &slots, &values);
                    values[result] = same.unwrap_or_else(|| self.solver.node());
                }
            }
        }
        self.solver.slots[self.id] = slots;
        self.solver.values[self.id] = values;
    }

    fn slot(&self, slot: SlotId) -> Node {
        self.solver.slots[self.id][slot]
    }

    fn operand(&mut self, operand: Operand) -> Node {
        match operand {
            Operand::Value(value) => self.solver.value(self.id, value),
            Operand::Const(constant) => {
                let cells = addresses(self.solver, &self.body.consts[constant]);
                if cells.is_empty() {
                    return NONE;
                }
                let node = self.solver.node();
                cells.iter().for_each(|&cell| self.solver.point(node, cell));
                self.solver.constants.insert((self.id, constant), cells);
                node
            }
        }
    }

    fn constrain(&mut self) {
        let params = self.solver.module.functions[self.id].params.clone();
        for (index, param) in params.iter().enumerate() {
            if param.byval.is_some() {
                let object = self.solver.object(ObjectKind::Copy(self.id, index as u32), RAW);
                let node = self.solver.value(self.id, ValueId::at(index as u32));
                self.solver.point_to_start(node, object);
            }
        }
        let addresses = address_arithmetic(self.body);
        for block in self.body.blocks.values() {
            for &inst in &block.insts {
                self.instruction(inst, &addresses);
            }
        }
    }

    fn instruction(&mut self, id: InstId, addresses: &PrimaryMap<ValueId, bool>) {
        let inst = &self.body.insts[id];
        let result = match inst.result {
            Some(value) => self.solver.value(self.id, value),
            None => NONE,
        };
        match &inst.op {
            Op::Alloca { ty, count, .. } => self.alloca(id, result, *ty, *count),
            Op::WriteSlot { slot, value } => {
                let to = self.slot(*slot);
                self.copy_operand(*value, to);
            }
            Op::Load { address, .. } => self.load(*address, result, inst.result),
            Op::Store { address, value, .. } => self.store(*address, *value),
            Op::AtomicRmw { address, value, .. } => {
                self.load(*address, result, inst.result);
                self.store(*address, *value);
            }
            Op::CompareExchange { address, new, .. } => {
                self.load(*address, result, inst.result);
                self.store(*address, *new);
            }
            Op::Offset { base, bytes, scaled, .. } => {
                let scale = scaled.iter().fold(0, |all, (_, scale)| gcd(all, scale.unsigned_abs()));
                self.offset(*base, result, Distance { bytes: *bytes, scale });
            }
            Op::Call(call) | Op::Invoke { call, .. } => self.call(id, call, result),
            Op::Return { value: Some(value) } => {
                let to = self.solver.returns[self.id];
                self.copy_operand(*value, to);
            }
            Op::VaArg { list } => {
                let area = self.solver.node();
                self.load_into(*list, area);
                if result != NONE {
                    self.solver.uses[area as usize].loads.push(result);
                }
            }
            Op::Binary { lhs, rhs, .. } => {
                let wanted = inst.result.is_some_and(|value| addresses[value]);
                if wanted {
                    self.arithmetic(*lhs, *rhs, result);
                }
            }
            // A condition or an index is not part of the result.
            Op::Select { then, otherwise, .. } => {
                self.copy_operand(*then, result);
                self.copy_operand(*otherwise, result);
            }
            Op::Compare { .. } | Op::ReadSlot { .. } => {}
            op if result != NONE => op.operands(|operand| self.copy_operand(operand, result)),
            // The result cannot be a pointer.
            _ => {}
        }
    }

    fn copy_operand(&mut self, operand: Operand, to: Node) {
        if to != NONE {
            let from = self.operand(operand);
            self.solver.copy(from, to);
        }
    }

    fn alloca(&mut self, id: InstId, result: Node, ty: TypeId, count: Operand) {
        let one = match count {
            Operand::Const(count) => self.body.consts[count].value == Const::Int(1),
            Operand::Value(_) => false,
        };
        let shape = match self.solver.module.types.layout(ty).size {
            0 => RAW,
            _ => Shape::Typed { ty, repeated: !one },
        };
        let object = self.solver.object(ObjectKind::Local(self.id, id), shape);
        self.solver.point_to_start(result, object);
    }

    fn load(&mut self, address: Operand, to: Node, result: Option<ValueId>) {
        if to == NONE {
            // The address may still be one that only a constant names.
            self.operand(address);
            return;
        }
        let ty = result.map(|value| self.body.values[value].ty);
        let wide = ty.is_some_and(|ty| self.solver.module.types.layout(ty).size > 8);
        let from = self.operand(address);
        if from != NONE {
            let from = self.solver.find(from);
            let uses = &mut self.solver.uses[from as usize];
            if wide { uses.wide_loads.push(to) } else { uses.loads.push(to) }
        }
    }

    fn load_into(&mut self, address: Operand, to: Node) {
        let from = self.operand(address);
        if from != NONE {
            let from = self.solver.find(from);
            self.solver.uses[from as usize].loads.push(to);
        }
    }

    fn store(&mut self, address: Operand, value: Operand) {
        let to = self.operand(address);
        let ty = self.body.operand_type(value);
        if to == NONE || !self.holds(ty) {
            return;
        }
        let from = self.operand(value);
        if from != NONE {
            let wide = self.solver.module.types.layout(ty).size > 8;
            let to = self.solver.find(to);
            let uses = &mut self.solver.uses[to as usize];
            if wide { uses.wide_stores.push(from) } else { uses.stores.push(from) }
        }
    }

    fn offset(&mut self, base: Operand, to: Node, distance: Distance) {
        if to == NONE {
            return;
        }
        let from = self.operand(base);
        if from != NONE && from != to {
            let from = self.solver.find(from);
            self.solver.uses[from as usize].offsets.push((to, distance));
        }
    }

    /// Arithmetic on integers that become pointers again.
    fn arithmetic(&mut self, lhs: Operand, rhs: Operand, to: Node) {
        for operand in [lhs, rhs] {
            self.offset(operand, to, Distance { bytes: 0, scale: 1 });
            self.copy_operand(operand, to);
        }
    }

    fn call(&mut self, id: InstId, call: &Call, result: Node) {
        let args: Vec<Node> = call.args.iter().map(|arg| self.operand(arg.value)).collect();
        match &call.callee {
            Callee::Builtin(builtin) => self.builtin(*builtin, call, &args, result),
            Callee::Asm(_) => args.iter().for_each(|&arg| self.solver.copy(arg, result)),
            Callee::Function(function) => {
                let defined = self.solver.module.functions[*function].is_defined();
                let targets = self.solver.targets.entry((self.id, id)).or_default();
                if defined {
                    targets.functions.push(*function)
                } else {
                    targets.externals.push(*function)
                }
                if defined {
                    self.solver.pass(self.id, id, *function, &args, result)
                } else {
                    self.solver.apply_model(self.id, id, *function, &args, result)
                }
            }
            Callee::Indirect(callee) => {
                self.solver.targets.entry((self.id, id)).or_default();
                let callee = self.operand(*callee);
                if callee == NONE {
                    return;
                }
                let index = self.solver.pointer_calls.len() as u32;
                let function = self.id;
                let pointer_call =
                    PointerCall { function, inst: id, args, result, callback: false };
                self.solver.pointer_calls.push(pointer_call);
                let callee = self.solver.find(callee);
                self.solver.uses[callee as usize].calls.push(index);
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin, call: &Call, args: &[Node], result: Node) {
        match (builtin, args) {
            (Builtin::Memcpy | Builtin::Memmove, [to, from, ..]) => {
                let size = call.args.get(2).and_then(|size| constant(self.body, size.value));
                self.solver.add_memory_copy(*to, *from, size);
            }
            (Builtin::VaCopy, [to, from, ..]) => {
                self.solver.add_memory_copy(*to, *from, None);
            }
            (Builtin::VaStart, [list, ..]) if *list != NONE => {
                let object = self.solver.object(ObjectKind::Varargs(self.id), Shape::Whole);
                let area = self.solver.node();
                self.solver.point_to_start(area, object);
                let list = self.solver.find(*list);
                self.solver.uses[list as usize].wide_stores.push(area);
            }
            // Nothing uses the address of a frame; all other operations pass pointers on, if
            // anything.
            (Builtin::FrameAddress | Builtin::ReturnAddress | Builtin::StackSave, _) => {}
            _ => args.iter().for_each(|&arg| self.solver.copy(arg, result)),
        }
    }
}

/// The value of a constant operand that fits a size.
pub(crate) fn constant(body: &Body, operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const(constant) => match body.consts[constant].value {
            Const::Int(value) => u64::try_from(value).ok(),
            _ => None,
        },
        Operand::Value(_) => None,
    }
}

/// The node that an operation copies, if that is all it does.
fn repeated(
    op: &Op,
    slots: &PrimaryMap<SlotId, Node>,
    values: &PrimaryMap<ValueId, Node>,
) -> Option<Node> {
    let operand = match op {
        Op::ReadSlot { slot } => {
            return Some(slots[*slot]).filter(|&node| node != NONE);
        }
        Op::Cast { op: CastOp::Bitcast | CastOp::IntToPtr | CastOp::PtrToInt, value } => *value,
        Op::Unary { op: ir::UnaryOp::Copy, value } => *value,
        Op::Offset { base, bytes: 0, scaled, .. } if scaled.is_empty() => *base,
        _ => return None,
    };
    match operand {
        Operand::Value(value) => Some(values[value]).filter(|&n| n != NONE),
        Operand::Const(_) => None,
    }
}

/// For each value of a body, whether it is an integer that becomes a pointer, directly or through
/// arithmetic and slots.
fn address_arithmetic(body: &Body) -> PrimaryMap<ValueId, bool> {
    let mut wanted: PrimaryMap<ValueId, bool> = filled(body.values.len(), false);
    let casts = |inst: &ir::Inst| matches!(inst.op, Op::Cast { op: CastOp::IntToPtr, .. });
    if !body.insts.values().any(casts) {
        return wanted;
    }
    let mut slots: PrimaryMap<SlotId, bool> = filled(body.slots.len(), false);
    let mut changed = true;
    while changed {
        changed = false;
        let mut want = |operand: Operand| {
            if let Operand::Value(value) = operand {
                changed |= !std::mem::replace(&mut wanted[value], true);
            }
        };
        let mut asked = Vec::new();
        for inst in body.insts.values() {
            match &inst.op {
                Op::Cast { op: CastOp::IntToPtr, value } => want(*value),
                Op::WriteSlot { slot, value } if slots[*slot] => want(*value),
                op => asked.push((op, inst.result)),
            }
        }
        for (op, result) in asked.into_iter().rev() {
            if !result.is_some_and(|value| wanted[value]) {
                continue;
            }
            match op {
                Op::ReadSlot { slot } => {
                    changed |= !std::mem::replace(&mut slots[*slot], true);
                }
                Op::Binary { .. } | Op::Phi { .. } | Op::Select { .. } | Op::Cast { .. } => {
                    op.operands(|operand| {
                        if let Operand::Value(value) = operand {
                            let value = &mut wanted[value];
                            changed |= !std::mem::replace(value, true);
                        }
                    });
                }
                // Other operations do not compute on addresses.
                _ => {}
            }
        }
    }
    wanted
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
