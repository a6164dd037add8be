//! Which functions and globals a module refers to.

use base::entity::SecondaryMap;

use crate::{
    Body, Callee, Const, Definition, FuncId, Function, Global, GlobalId, Linkage, Module, Op,
    TypedConst,
};

/// A function or global that code or an initialiser mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mention {
    Function(FuncId),
    Global(GlobalId),
}

/// The functions and globals that bodies, initialisers and aliases mention.
#[derive(Clone, Debug, Default)]
pub struct References {
    pub functions: SecondaryMap<FuncId, bool>,
    pub globals: SecondaryMap<GlobalId, bool>,
}

impl References {
    /// A body that only serves inlining is not part of the program: its references do not count.
    pub fn of(module: &Module) -> References {
        let mut references = References::default();
        for function in module.functions.values() {
            if function.linkage != Linkage::AvailableExternally
                && let Some(body) = function.body()
            {
                references.add_body(body);
            }
        }
        for global in module.globals.values() {
            if global.linkage != Linkage::AvailableExternally {
                global.init.iter().for_each(|init| references.add_const(init));
            }
        }
        module.aliases.iter().for_each(|alias| references.add_const(&alias.target));
        for (_, function) in module.constructors.iter().chain(&module.destructors) {
            references.functions[*function] = true;
        }
        references
    }

    /// Everything usable in a run that begins at one of these functions: everything that they,
    /// constructors and destructors mention, and so on transitively. A function is used if its
    /// address is taken; functions that are not entered are used and mention nothing.
    pub fn reachable(
        module: &Module,
        entries: &[FuncId],
        enters: impl Fn(FuncId) -> bool,
    ) -> References {
        let mut roots = References::default();
        let first = module.constructors.iter().chain(&module.destructors);
        for function in first.map(|(_, function)| function).chain(entries) {
            roots.functions[*function] = true;
        }
        module.aliases.iter().for_each(|alias| roots.add_const(&alias.target));
        let mut references = References::default();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for id in module.functions.keys() {
                if roots.functions[id] && !references.functions[id] {
                    (references.functions[id], is_new) = (true, true);
                    let body = module.functions[id].body().filter(|_| enters(id));
                    body.into_iter().for_each(|body| roots.add_body(body));
                }
            }
            for id in module.globals.keys() {
                if roots.globals[id] && !references.globals[id] {
                    (references.globals[id], is_new) = (true, true);
                    module.globals[id].init.iter().for_each(|init| roots.add_const(init));
                }
            }
        }
        references
    }

    fn add_body(&mut self, body: &Body) {
        visit_body(body, &mut |mention| self.add(mention));
    }

    fn add_const(&mut self, constant: &TypedConst) {
        visit_const(constant, &mut |mention| self.add(mention));
    }

    fn add(&mut self, mention: Mention) {
        match mention {
            Mention::Function(function) => self.functions[function] = true,
            Mention::Global(global) => self.globals[global] = true,
        }
    }
}

/// Calls `see` for everything that the code of a function mentions.
pub fn visit_body(body: &Body, see: &mut impl FnMut(Mention)) {
    body.consts.values().for_each(|constant| visit_const(constant, see));
    for block in body.blocks.values() {
        for &inst in &block.insts {
            if let Op::Call(call) | Op::Invoke { call, .. } = &body.insts[inst].op
                && let Callee::Function(function) = call.callee
            {
                see(Mention::Function(function));
            }
        }
    }
}

/// Calls `see` for everything that a constant mentions.
pub fn visit_const(constant: &TypedConst, see: &mut impl FnMut(Mention)) {
    constant.visit(&mut |part| match &part.value {
        Const::Function(function) | Const::Block(function, _) => see(Mention::Function(*function)),
        Const::Global(global) => see(Mention::Global(*global)),
        // No other constant names a symbol itself.
        _ => {}
    });
}

impl Function {
    /// Whether the module contains the code that calls of the function run.
    pub fn is_defined(&self) -> bool {
        self.linkage != Linkage::AvailableExternally
            && !matches!(self.definition, Definition::Declaration)
    }
}

impl Global {
    /// Whether the module contains the memory of the variable.
    pub fn is_defined(&self) -> bool {
        self.linkage != Linkage::AvailableExternally && self.init.is_some()
    }
}

/// The names of functions, then globals, that the module uses and does not define.
///
/// Weak references are not among them: they may stay undefined.
pub fn undefined_symbols(module: &Module) -> impl Iterator<Item = &str> {
    let References { functions, globals } = References::of(module);
    let functions = module.functions.iter().filter_map(move |(id, function)| {
        let missing = functions[id] && is_missing(function.is_defined(), function.linkage);
        missing.then_some(function.name.as_str())
    });
    let globals = module.globals.iter().filter_map(move |(id, global)| {
        let missing = globals[id] && is_missing(global.is_defined(), global.linkage);
        missing.then_some(global.name.as_str())
    });
    functions.chain(globals)
}

fn is_missing(defined: bool, linkage: Linkage) -> bool {
    !defined && linkage != Linkage::ExternWeak
}
