//! The symbol table of a link: one entry per name that modules share.
//!
//! Registering a module binds each of its functions, globals and aliases, and updates the best
//! definition of each name.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};

use base::entity::PrimaryMap;

use super::{LinkError, Site, Unit};
use crate::{Alias, FuncId, GlobalId, Linkage, Module, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Program,
    Archive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SymbolId(u32);

/// The meaning of a function, global or alias of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// Itself: no other module sees it.
    Own,
    /// The module's own alias of the same name.
    Alias(usize),
    /// Whatever the link binds the name to.
    Symbol(SymbolId),
}

/// A function, global or alias of one of the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    Function(FuncId),
    Global(GlobalId),
    Alias(usize),
}

/// Which of several definitions of a name wins: the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Weak,
    Common,
    Strong,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub unit: usize,
    pub entity: Entity,
    rank: Rank,
    /// Size in bytes of a global.
    size: u64,
}

impl Candidate {
    pub(super) fn is(&self, unit: usize, entity: Entity) -> bool {
        self.unit == unit && self.entity == entity
    }
}

pub(super) struct Symbol {
    pub name: String,
    /// The best definitions so far.
    pub program: Option<Candidate>,
    pub archive: Option<Candidate>,
    /// The declaration that represents the symbol if it stays undefined.
    pub declaration: Option<Candidate>,
    /// Whether a reference demands a definition, that is, is not weak.
    pub demanded: bool,
    /// The strictest alignment of its common definitions.
    pub common_align: u64,
    /// Whether the archive was asked for it.
    pub asked: bool,
}

impl Symbol {
    /// The binding of a module's references: a definition, or the one declaration.
    pub(super) fn target(&self, origin: Origin) -> Option<Candidate> {
        let program_first = match (origin, &self.archive) {
            (Origin::Program, _) => true,
            // The library calls its own functions directly, and accesses its variables through the
            // symbol, which the program may have taken.
            (Origin::Archive, Some(own)) => matches!(own.entity, Entity::Global(_)),
            (Origin::Archive, None) => true,
        };
        let (first, second) =
            if program_first { (self.program, self.archive) } else { (self.archive, self.program) };
        first.or(second).or(self.declaration)
    }
}

#[derive(Default)]
pub(super) struct SymbolTable {
    symbols: Vec<Symbol>,
    by_name: HashMap<String, SymbolId>,
}

impl Index<SymbolId> for SymbolTable {
    type Output = Symbol;
    fn index(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }
}

impl IndexMut<SymbolId> for SymbolTable {
    fn index_mut(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.symbols[id.0 as usize]
    }
}

/// A module while its symbols are entered.
struct Registration<'a> {
    table: &'a mut SymbolTable,
    earlier: &'a [Unit],
    module: &'a Module,
    origin: Origin,
    /// Aliases that only this module sees.
    internal_aliases: HashMap<&'a str, usize>,
}

impl SymbolTable {
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.symbols.iter().map(|symbol| symbol.name.as_str())
    }

    /// Registers the symbols of a module, which follows the `earlier` ones.
    pub(super) fn register(
        &mut self,
        module: Module,
        origin: Origin,
        earlier: &[Unit],
    ) -> Result<Unit, LinkError> {
        let internal_aliases = internal_aliases(&module.aliases);
        let mut registration =
            Registration { table: self, earlier, module: &module, origin, internal_aliases };
        let functions = registration.functions()?;
        let globals = registration.globals()?;
        let aliases = registration.aliases()?;
        Ok(Unit { module, origin, functions, globals, aliases })
    }

    fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = SymbolId(self.symbols.len() as u32);
        self.by_name.insert(name.to_owned(), id);
        self.symbols.push(Symbol {
            name: name.to_owned(),
            program: None,
            archive: None,
            declaration: None,
            demanded: false,
            common_align: 0,
            asked: false,
        });
        id
    }
}

fn internal_aliases(aliases: &[Alias]) -> HashMap<&str, usize> {
    let internal = |alias: &Alias| alias.linkage == Linkage::Internal;
    let indexed = aliases.iter().enumerate().filter(|(_, alias)| internal(alias));
    indexed.map(|(index, alias)| (alias.name.as_str(), index)).collect()
}

fn rank(linkage: Linkage) -> Rank {
    match linkage {
        Linkage::Weak => Rank::Weak,
        Linkage::Common => Rank::Common,
        Linkage::External
        | Linkage::Internal
        | Linkage::AvailableExternally
        | Linkage::ExternWeak => Rank::Strong,
    }
}

impl Registration<'_> {
    fn functions(&mut self) -> Result<PrimaryMap<FuncId, Binding>, LinkError> {
        let module = self.module;
        let mut bindings = PrimaryMap::with_capacity(module.functions.len());
        for (id, function) in module.functions.iter() {
            let defined = function.is_defined();
            let candidate = self.candidate(Entity::Function(id), function.linkage, 0);
            bindings.push(self.bind(&function.name, function.linkage, defined, candidate)?);
        }
        Ok(bindings)
    }

    fn globals(&mut self) -> Result<PrimaryMap<GlobalId, Binding>, LinkError> {
        let module = self.module;
        let mut bindings = PrimaryMap::with_capacity(module.globals.len());
        for (id, global) in module.globals.iter() {
            let defined = global.is_defined();
            let size = module.types.layout(global.ty).size;
            let candidate = self.candidate(Entity::Global(id), global.linkage, size);
            let binding = self.bind(&global.name, global.linkage, defined, candidate)?;
            if let (Binding::Symbol(symbol), Rank::Common) = (binding, candidate.rank) {
                let align = &mut self.table[symbol].common_align;
                *align = global.align.max(*align);
            }
            bindings.push(binding);
        }
        Ok(bindings)
    }

    fn aliases(&mut self) -> Result<Vec<Binding>, LinkError> {
        let module = self.module;
        let mut bindings = Vec::with_capacity(module.aliases.len());
        for (index, alias) in module.aliases.iter().enumerate() {
            let candidate = self.candidate(Entity::Alias(index), alias.linkage, 0);
            bindings.push(match alias.linkage {
                Linkage::Internal => Binding::Own,
                linkage => self.bind(&alias.name, linkage, true, candidate)?,
            });
        }
        Ok(bindings)
    }

    fn candidate(&self, entity: Entity, linkage: Linkage, size: u64) -> Candidate {
        Candidate { unit: self.earlier.len(), entity, rank: rank(linkage), size }
    }

    fn bind(
        &mut self,
        name: &str,
        linkage: Linkage,
        defined: bool,
        candidate: Candidate,
    ) -> Result<Binding, LinkError> {
        if !defined && let Some(&alias) = self.internal_aliases.get(name) {
            return Ok(Binding::Alias(alias));
        }
        if linkage == Linkage::Internal || name.is_empty() {
            return Ok(Binding::Own);
        }
        let symbol = self.table.intern(name);
        if defined {
            self.define(symbol, candidate)?
        } else {
            self.declare(symbol, linkage, candidate)
        }
        Ok(Binding::Symbol(symbol))
    }

    fn define(&mut self, id: SymbolId, new: Candidate) -> Result<(), LinkError> {
        let symbol = &mut self.table[id];
        let best = match self.origin {
            Origin::Program => &mut symbol.program,
            Origin::Archive => &mut symbol.archive,
        };
        let Some(old) = *best else {
            *best = Some(new);
            return Ok(());
        };
        if old.rank == Rank::Strong && new.rank == Rank::Strong {
            let name = symbol.name.clone();
            let sites = Box::new([self.site(old), self.site(new)]);
            return Err(LinkError::Duplicate { name, sites });
        }
        let larger = new.rank == Rank::Common && old.rank == Rank::Common && new.size > old.size;
        if new.rank > old.rank || larger {
            *best = Some(new);
        }
        Ok(())
    }

    /// The first declaration represents an undefined symbol, a global the largest.
    fn declare(&mut self, id: SymbolId, linkage: Linkage, new: Candidate) {
        let symbol = &mut self.table[id];
        symbol.demanded |= linkage != Linkage::ExternWeak;
        match symbol.declaration {
            Some(old) if new.size <= old.size => {}
            Some(old) if matches!(old.entity, Entity::Function(_)) => {}
            _ => symbol.declaration = Some(new),
        }
    }

    fn site(&self, candidate: Candidate) -> Site {
        let module = match self.earlier.get(candidate.unit) {
            Some(unit) => &unit.module,
            None => self.module,
        };
        let span = match candidate.entity {
            Entity::Function(function) => module.functions[function].span,
            Entity::Global(global) => module.globals[global].span,
            Entity::Alias(_) => Span::NONE,
        };
        Site::new(module, span)
    }
}
