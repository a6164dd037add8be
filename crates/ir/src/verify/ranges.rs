//! Whether all ids are in range, so that the other checks may index.

use base::entity::{EntityRef, PrimaryMap};

use super::{Place, Verifier};
use crate::{
    Body, Callee, Const, DebugType, DebugTypeId, FuncId, Function, Global, Op, Operand, Scope,
    ScopeId, Span, Storage, TypeId, TypedConst, Variable,
};

impl Verifier<'_> {
    /// Checks everything but bodies.
    pub(super) fn module_ranges(&mut self) -> bool {
        let before = self.violations.len();
        let module = self.module;
        for scope in module.scopes.values() {
            self.scope_range(scope);
        }
        for ty in module.debug_types.values() {
            self.debug_type_parts(ty);
        }
        for (id, global) in module.globals.iter() {
            self.global_range(Place::Global(id), global);
        }
        for (id, function) in module.functions.iter() {
            self.function_range(Place::Function(id), function);
        }
        for alias in &module.aliases {
            self.const_range(Place::Module, &alias.target);
        }
        for (_, function) in module.constructors.iter().chain(&module.destructors) {
            self.in_range(Place::Module, &module.functions, *function);
        }
        for statement in module.statements.values() {
            self.span_range(Place::Module, statement.span);
            let function = module.functions.get(statement.function);
            let body = function.and_then(Function::body);
            let known = body.is_some_and(|body| body.blocks.is_valid(statement.block));
            self.check(known, Place::Module, "a statement belongs to no block");
        }
        self.violations.len() == before
    }

    pub(super) fn body_ranges(&mut self, id: FuncId, body: &Body) -> bool {
        let before = self.violations.len();
        let place = Place::Function(id);
        body.values.values().for_each(|value| self.type_range(place, value.ty));
        body.slots.values().for_each(|slot| self.type_range(place, slot.ty));
        body.consts.values().for_each(|constant| self.const_range(place, constant));
        body.variables.iter().for_each(|variable| self.variable_range(place, body, variable));
        for (block_id, block) in body.blocks.iter() {
            for &inst_id in &block.insts {
                let place = Place::Inst(id, block_id, inst_id);
                let Some(inst) = body.insts.get(inst_id) else {
                    self.report(place, "there is no such instruction");
                    continue;
                };
                self.span_range(place, inst.span);
                inst.result.iter().for_each(|value| self.in_range(place, &body.values, *value));
                self.op_range(place, body, &inst.op);
            }
        }
        self.violations.len() == before
    }

    fn in_range<K: EntityRef + std::fmt::Display, V>(
        &mut self,
        place: Place,
        table: &PrimaryMap<K, V>,
        id: K,
    ) {
        if !table.is_valid(id) {
            self.report(place, format!("{id} is out of range"));
        }
    }

    fn type_range(&mut self, place: Place, ty: TypeId) {
        if ty.index() >= self.module.types.len() {
            self.report(place, format!("{ty} is out of range"));
        }
    }

    fn debug_type_range(&mut self, place: Place, ty: Option<DebugTypeId>) {
        ty.iter().for_each(|ty| self.in_range(place, &self.module.debug_types, *ty));
    }

    fn scope_id_range(&mut self, place: Place, scope: Option<ScopeId>) {
        scope.iter().for_each(|scope| self.in_range(place, &self.module.scopes, *scope));
    }

    fn span_range(&mut self, place: Place, span: Span) {
        self.scope_id_range(place, span.scope);
    }

    fn scope_range(&mut self, scope: &Scope) {
        self.in_range(Place::Module, &self.module.files, scope.file);
        self.scope_id_range(Place::Module, scope.parent);
        scope.inlined_at.iter().for_each(|span| self.span_range(Place::Module, *span));
    }

    fn debug_type_parts(&mut self, ty: &DebugType) {
        let mut part = |ty: Option<DebugTypeId>| self.debug_type_range(Place::Module, ty);
        match ty {
            DebugType::Pointer { to }
            | DebugType::Typedef { to, .. }
            | DebugType::Qualified { to, .. } => part(*to),
            DebugType::Array { element, .. } => part(*element),
            DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
                members.iter().for_each(|member| part(member.ty));
            }
            DebugType::Function { returns, params } => {
                part(*returns);
                params.iter().for_each(|param| part(*param));
            }
            // These refer to no other type.
            DebugType::Void
            | DebugType::Base { .. }
            | DebugType::Enum { .. }
            | DebugType::Other { .. } => {}
        }
    }

    fn global_range(&mut self, place: Place, global: &Global) {
        self.type_range(place, global.ty);
        self.debug_type_range(place, global.debug_type);
        self.span_range(place, global.span);
        global.init.iter().for_each(|init| self.const_range(place, init));
    }

    fn function_range(&mut self, place: Place, function: &Function) {
        self.type_range(place, function.returns);
        function.params.iter().for_each(|param| self.type_range(place, param.ty));
        self.debug_type_range(place, function.debug_type);
        self.span_range(place, function.span);
    }

    fn variable_range(&mut self, place: Place, body: &Body, variable: &Variable) {
        self.debug_type_range(place, variable.ty);
        self.scope_id_range(place, variable.scope);
        match variable.storage {
            Storage::Slot(slot) => self.in_range(place, &body.slots, slot),
            Storage::Memory(value) | Storage::Value(value) => {
                self.in_range(place, &body.values, value);
            }
            Storage::Unknown => {}
        }
    }

    fn const_range(&mut self, place: Place, constant: &TypedConst) {
        let module = self.module;
        constant.visit(&mut |part| {
            self.type_range(place, part.ty);
            match &part.value {
                Const::Global(global) => self.in_range(place, &module.globals, *global),
                Const::Function(function) => self.in_range(place, &module.functions, *function),
                Const::Block(function, block) => {
                    let body = module.functions.get(*function).and_then(Function::body);
                    let known = body.is_some_and(|body| body.blocks.is_valid(*block));
                    self.check(known, place, "the address is of a block that does not exist");
                }
                // No other constant holds an id itself.
                _ => {}
            }
        });
    }

    fn op_range(&mut self, place: Place, body: &Body, op: &Op) {
        op.operands(|operand| match operand {
            Operand::Value(value) => self.in_range(place, &body.values, value),
            Operand::Const(constant) => self.in_range(place, &body.consts, constant),
        });
        op.successors(|block| self.in_range(place, &body.blocks, block));
        match op {
            Op::Phi { incoming } => {
                incoming.iter().for_each(|(from, _)| self.in_range(place, &body.blocks, *from));
            }
            Op::ReadSlot { slot } | Op::WriteSlot { slot, .. } => {
                self.in_range(place, &body.slots, *slot);
            }
            Op::Alloca { ty, .. } => self.type_range(place, *ty),
            Op::Call(call) | Op::Invoke { call, .. } => {
                self.type_range(place, call.returns);
                if let Callee::Function(function) = call.callee {
                    self.in_range(place, &self.module.functions, function);
                }
            }
            // Other ids are operands or successors.
            _ => {}
        }
    }
}
