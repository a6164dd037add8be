//! Links modules into one program, as a linker does with object files.
//!
//! Symbols of equal name become one: strong definitions win over common ones, those over weak ones;
//! declarations take any definition, even of another type, as C allows. Internal symbols are
//! renamed if names clash. Modules are consumed and their ids rewritten in place; the code itself
//! is not checked.
//!
//! An archive stands for the C library and obeys the rules of a shared one: the
//! program's definitions win; the archive's own functions keep calling each
//! other; a variable that both define is the program's for both.

mod merge;
mod rewrite;
mod symbols;

use std::collections::VecDeque;
use std::fmt;

use base::entity::PrimaryMap;

use crate::{FuncId, GlobalId, Module, Span, references::References};
use symbols::{Binding, Origin, SymbolId, SymbolTable};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("`{name}` is defined twice: in {} and in {}", sites[0], sites[1])]
    Duplicate { name: String, sites: Box<[Site; 2]> },
    #[error("the alias `{name}` stands for itself (in {site})")]
    AliasCycle { name: String, site: Site },
    #[error("the alias `{name}` does not stand for a function or a variable (in {site})")]
    AliasTarget { name: String, site: Site },
    #[error("the constructor or destructor `{name}` is not a function (in {site})")]
    NotAFunction { name: String, site: Site },
    #[error("the archive gave {site} for `{name}`, which does not define it")]
    WrongMember { name: String, site: Site },
}

/// Where a symbol is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub module: String,
    /// Source file and line, where known.
    pub position: Option<(String, u32)>,
}

impl Site {
    fn new(module: &Module, span: Span) -> Site {
        let file = span.scope.and_then(|scope| module.files.get(module.scopes[scope].file));
        let position = match file {
            Some(file) if span.line != 0 => Some((file.name.clone(), span.line)),
            _ => None,
        };
        Site { module: module.name.clone(), position }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            Some((file, line)) => write!(f, "{} ({file}:{line})", self.module),
            None => f.write_str(&self.module),
        }
    }
}

/// Links modules that are all part of the program.
pub fn link(modules: Vec<Module>) -> Result<Module, LinkError> {
    link_with_archive(modules, |_| None)
}

/// Links a program and those members of an archive that it needs.
///
/// `resolve` returns the member that defines a name. It is called once per name, and never for a
/// name that an already linked member defines.
pub fn link_with_archive<E: From<LinkError>>(
    modules: Vec<Module>,
    mut resolve: impl FnMut(&str) -> Option<Result<Module, E>>,
) -> Result<Module, E> {
    let mut linker = Linker::default();
    for module in modules {
        linker.add(module, Origin::Program)?;
    }
    while let Some(symbol) = linker.next_unresolved() {
        let name = &linker.symbols[symbol].name;
        if let Some(member) = resolve(name) {
            linker.add_member(member?, symbol)?;
        }
    }
    Ok(merge::merge(linker.units, linker.symbols)?)
}

/// A module of the link, with the bindings of its symbols.
struct Unit {
    module: Module,
    origin: Origin,
    functions: PrimaryMap<FuncId, Binding>,
    globals: PrimaryMap<GlobalId, Binding>,
    aliases: Vec<Binding>,
}

/// The modules and symbols seen so far, and the references not processed yet.
#[derive(Default)]
struct Linker {
    units: Vec<Unit>,
    symbols: SymbolTable,
    wanted: VecDeque<Wanted>,
}

struct Wanted {
    symbol: SymbolId,
    by: Origin,
    function: bool,
}

impl Linker {
    fn add(&mut self, module: Module, origin: Origin) -> Result<(), LinkError> {
        let unit = self.symbols.register(module, origin, &self.units)?;
        self.want_references(&unit);
        self.units.push(unit);
        Ok(())
    }

    fn add_member(&mut self, module: Module, asked: SymbolId) -> Result<(), LinkError> {
        self.add(module, Origin::Archive)?;
        if self.symbols[asked].archive.is_some() {
            return Ok(());
        }
        let member = self.units.last().map(|unit| Site::new(&unit.module, Span::NONE));
        let site = member.expect("a member was added above");
        Err(LinkError::WrongMember { name: self.symbols[asked].name.clone(), site })
    }

    /// Queues the symbols that a module uses without defining them.
    fn want_references(&mut self, unit: &Unit) {
        let used = References::of(&unit.module);
        for (id, function) in unit.module.functions.iter() {
            if let Binding::Symbol(symbol) = unit.functions[id]
                && used.functions[id]
                && !function.is_defined()
            {
                self.wanted.push_back(Wanted { symbol, by: unit.origin, function: true });
            }
        }
        for (id, global) in unit.module.globals.iter() {
            if let Binding::Symbol(symbol) = unit.globals[id]
                && used.globals[id]
                && !global.is_defined()
            {
                self.wanted.push_back(Wanted { symbol, by: unit.origin, function: false });
            }
        }
    }

    /// The next symbol to ask the archive for.
    fn next_unresolved(&mut self) -> Option<SymbolId> {
        while let Some(Wanted { symbol, by, function }) = self.wanted.pop_front() {
            let entry = &mut self.symbols[symbol];
            let program_serves = by == Origin::Program || !function;
            let resolved = entry.archive.is_some() || program_serves && entry.program.is_some();
            if !resolved && !std::mem::replace(&mut entry.asked, true) {
                return Some(symbol);
            }
        }
        None
    }
}
