//! The symbols of one unit: what it defines, what each definition uses, and what others must define.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Const, FuncId, Linkage, Mention, Module, undefined_symbols, visit_body, visit_const};

/// The symbols of a unit, by the names that the linker sees.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    pub defined: BTreeMap<String, Definition>,
    /// What it uses and does not define.
    pub needed: BTreeSet<String>,
    /// Functions that run before or after `main`.
    pub roots: Vec<String>,
}

/// A function or variable of a unit.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name in the source.
    pub name: String,
    pub is_function: bool,
    pub binding: Binding,
    pub uses: BTreeSet<String>,
}

/// How a definition and others of its name become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// There must be no other.
    Strong,
    /// A variable without an initial value, which gives way to another.
    Common,
    /// It gives way to any other.
    Weak,
    /// Others do not see it.
    Internal,
}

impl Symbols {
    pub fn of(module: &Module) -> Symbols {
        let mut symbols = Symbols {
            needed: undefined_symbols(module).map(str::to_owned).collect(),
            ..Symbols::default()
        };
        for (id, function) in module.functions.iter().filter(|(_, f)| f.is_defined()) {
            let mut uses = BTreeSet::new();
            if let Some(body) = function.body() {
                visit_body(body, &mut |mention| add(&mut uses, module, mention));
            }
            symbols.defined.insert(
                function.name.clone(),
                Definition {
                    name: module.functions[id].display_name().to_owned(),
                    is_function: true,
                    binding: Binding::of(function.linkage),
                    uses,
                },
            );
        }
        for global in module.globals.values().filter(|global| global.is_defined()) {
            let mut uses = BTreeSet::new();
            if let Some(init) = &global.init {
                visit_const(init, &mut |mention| add(&mut uses, module, mention));
            }
            symbols.defined.insert(
                global.name.clone(),
                Definition {
                    name: global.source_name.clone().unwrap_or_else(|| global.name.clone()),
                    is_function: false,
                    binding: Binding::of(global.linkage),
                    uses,
                },
            );
        }
        symbols.add_aliases(module);
        let roots = module.constructors.iter().chain(&module.destructors);
        symbols.roots = roots.map(|&(_, id)| name_of(module, id)).collect();
        symbols
    }

    fn add_aliases(&mut self, module: &Module) {
        for alias in &module.aliases {
            let mut uses = BTreeSet::new();
            visit_const(&alias.target, &mut |mention| add(&mut uses, module, mention));
            let is_function = matches!(alias.target.value, Const::Function(_));
            let (name, binding) = (alias.name.clone(), Binding::of(alias.linkage));
            self.defined.insert(name.clone(), Definition { name, is_function, binding, uses });
        }
    }

    /// Whether a program can begin in this unit.
    pub fn has_main(&self) -> bool {
        self.exports("main").is_some_and(|definition| definition.is_function)
    }

    /// A definition that other units see.
    pub fn exports(&self, name: &str) -> Option<&Definition> {
        self.defined.get(name).filter(|definition| definition.binding != Binding::Internal)
    }
}

impl Binding {
    fn of(linkage: Linkage) -> Binding {
        match linkage {
            Linkage::Internal => Binding::Internal,
            Linkage::Weak | Linkage::ExternWeak | Linkage::AvailableExternally => Binding::Weak,
            Linkage::Common => Binding::Common,
            Linkage::External => Binding::Strong,
        }
    }
}

fn add(uses: &mut BTreeSet<String>, module: &Module, mention: Mention) {
    uses.insert(match mention {
        Mention::Function(id) => name_of(module, id),
        Mention::Global(id) => module.globals[id].name.clone(),
    });
}

fn name_of(module: &Module, function: FuncId) -> String {
    module.functions[function].name.clone()
}
