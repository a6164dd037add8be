//! Rewrites the ids of one module, in place, to those of the linked result.

use std::collections::HashMap;

use base::entity::{EntityRef, PrimaryMap};

use super::merge::{Base, Target};
use crate::{
    Body, Call, Callee, Const, ConstId, DebugMember, DebugType, DebugTypeId, Definition, FileId,
    FuncId, Function, Global, GlobalId, Inst, Module, Op, Operand, Scope, ScopeId, SourceFile,
    Span, Type, TypeId, TypedConst, Types,
};

/// The functions and globals of the module in the result.
pub(super) struct Targets {
    pub functions: PrimaryMap<FuncId, Target>,
    pub globals: PrimaryMap<GlobalId, Target>,
    /// Whether the module's own function is the one that stays.
    pub keeps_function: PrimaryMap<FuncId, bool>,
}

pub(super) struct Rewriter {
    targets: Targets,
    types: PrimaryMap<TypeId, TypeId>,
    files: PrimaryMap<FileId, FileId>,
    /// The number of scopes and debug types of previous modules.
    first_scope: usize,
    first_debug_type: usize,
}

impl Rewriter {
    /// Adds the module's types and files to the result.
    pub(super) fn new(
        types: &Types,
        files: PrimaryMap<FileId, SourceFile>,
        targets: Targets,
        known_files: &mut HashMap<SourceFile, FileId>,
        out: &mut Module,
    ) -> Rewriter {
        let mut rewriter = Rewriter {
            targets,
            types: PrimaryMap::with_capacity(types.len()),
            files: PrimaryMap::with_capacity(files.len()),
            first_scope: out.scopes.len(),
            first_debug_type: out.debug_types.len(),
        };
        for (_, ty) in types.iter() {
            // Parts precede the types they are part of.
            let ty = rewriter.type_structure(ty);
            rewriter.types.push(out.types.intern(ty));
        }
        for (_, file) in files {
            let known = known_files.entry(file);
            let id = known.or_insert_with_key(|file| out.files.push(file.clone()));
            rewriter.files.push(*id);
        }
        rewriter
    }

    pub(super) fn move_debug(
        &self,
        scopes: PrimaryMap<ScopeId, Scope>,
        debug_types: PrimaryMap<DebugTypeId, DebugType>,
        out: &mut Module,
    ) {
        for (_, mut scope) in scopes {
            scope.file = self.files[scope.file];
            scope.parent = scope.parent.map(|parent| self.scope(parent));
            scope.inlined_at = scope.inlined_at.map(|span| self.span(span));
            out.scopes.push(scope);
        }
        for (_, mut ty) in debug_types {
            self.debug_structure(&mut ty);
            out.debug_types.push(ty);
        }
    }

    pub(super) fn global(&self, global: &mut Global) {
        self.ty(&mut global.ty);
        global.init.iter_mut().for_each(|init| self.constant(init));
        global.debug_type = self.debug_type(global.debug_type);
        global.span = self.span(global.span);
    }

    pub(super) fn function(&self, function: &mut Function) {
        self.ty(&mut function.returns);
        function.params.iter_mut().for_each(|param| self.ty(&mut param.ty));
        function.debug_type = self.debug_type(function.debug_type);
        function.span = self.span(function.span);
        if let Definition::Body(body) = &mut function.definition {
            self.body(body);
        }
    }

    fn body(&self, body: &mut Body) {
        body.values.values_mut().for_each(|value| self.ty(&mut value.ty));
        body.slots.values_mut().for_each(|slot| self.ty(&mut slot.ty));
        body.consts.values_mut().for_each(|constant| self.constant(constant));
        for inst in body.insts.values_mut() {
            self.inst(inst, &mut body.consts);
        }
        for variable in &mut body.variables {
            variable.ty = self.debug_type(variable.ty);
            variable.scope = variable.scope.map(|scope| self.scope(scope));
        }
    }

    fn inst(&self, inst: &mut Inst, consts: &mut PrimaryMap<ConstId, TypedConst>) {
        inst.span = self.span(inst.span);
        match &mut inst.op {
            Op::Alloca { ty, .. } => self.ty(ty),
            Op::Call(call) | Op::Invoke { call, .. } => self.call(call, consts),
            // Nothing else mentions a type or a symbol but through operands.
            _ => {}
        }
    }

    fn call(&self, call: &mut Call, consts: &mut PrimaryMap<ConstId, TypedConst>) {
        self.ty(&mut call.returns);
        if let Callee::Function(callee) = call.callee {
            let target = self.targets.functions[callee];
            call.callee = match target {
                Target { base: Base::Function(function), bytes: 0 } => Callee::Function(function),
                // The name was declared as a function and defined as something else.
                _ => {
                    let value = target.constant();
                    let constant = consts.push(TypedConst { ty: Types::PTR, value });
                    Callee::Indirect(Operand::Const(constant))
                }
            };
        }
    }

    fn constant(&self, constant: &mut TypedConst) {
        self.ty(&mut constant.ty);
        match &mut constant.value {
            Const::Function(function) => constant.value = self.function_address(*function),
            Const::Global(global) => constant.value = self.global_address(*global),
            Const::Block(function, block) => {
                let target = self.targets.functions[*function].base;
                constant.value = match (self.targets.keeps_function[*function], target) {
                    (true, Base::Function(target)) => Const::Block(target, *block),
                    // The body that had the block lost to another; nothing jumps there.
                    _ => Const::Null,
                };
            }
            Const::Elements(elements) => {
                elements.iter_mut().for_each(|element| self.constant(element));
            }
            Const::Offset { base, .. } => self.constant(base),
            Const::Binary { lhs, rhs, .. } | Const::Compare { lhs, rhs, .. } => {
                self.constant(lhs);
                self.constant(rhs);
            }
            Const::Cast { value, .. } => self.constant(value),
            // These mention no type and no symbol.
            Const::Int(_)
            | Const::Float(_)
            | Const::Null
            | Const::Undef
            | Const::Zero
            | Const::Bytes(_) => {}
        }
    }

    fn function_address(&self, function: FuncId) -> Const {
        self.targets.functions[function].constant()
    }

    fn global_address(&self, global: GlobalId) -> Const {
        self.targets.globals[global].constant()
    }

    fn ty(&self, ty: &mut TypeId) {
        *ty = self.types[*ty];
    }

    fn type_structure(&self, ty: &Type) -> Type {
        let part = |id: TypeId| self.types[id];
        match ty {
            Type::Vector { element, lanes } => {
                Type::Vector { element: part(*element), lanes: *lanes }
            }
            Type::Array { element, length } => {
                Type::Array { element: part(*element), length: *length }
            }
            Type::Struct { fields, packed } => Type::Struct {
                fields: fields.iter().map(|&id| part(id)).collect(),
                packed: *packed,
            },
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Opaque => ty.clone(),
        }
    }

    fn scope(&self, scope: ScopeId) -> ScopeId {
        ScopeId::new(self.first_scope + scope.index())
    }

    fn span(&self, span: Span) -> Span {
        Span { scope: span.scope.map(|scope| self.scope(scope)), ..span }
    }

    fn debug_type(&self, ty: Option<DebugTypeId>) -> Option<DebugTypeId> {
        ty.map(|ty| DebugTypeId::new(self.first_debug_type + ty.index()))
    }

    fn debug_structure(&self, ty: &mut DebugType) {
        match ty {
            DebugType::Pointer { to }
            | DebugType::Typedef { to, .. }
            | DebugType::Qualified { to, .. } => *to = self.debug_type(*to),
            DebugType::Array { element, .. } => *element = self.debug_type(*element),
            DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
                for DebugMember { ty, .. } in members {
                    *ty = self.debug_type(*ty);
                }
            }
            DebugType::Function { returns, params } => {
                *returns = self.debug_type(*returns);
                params.iter_mut().for_each(|param| *param = self.debug_type(*param));
            }
            // These refer to no other type.
            DebugType::Void
            | DebugType::Base { .. }
            | DebugType::Enum { .. }
            | DebugType::Other { .. } => {}
        }
    }
}
