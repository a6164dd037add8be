//! Merges the modules of a link, once the meaning of each name is known.
//!
//! First every function and global that stays gets its place in the result, then references are
//! bound to places, then the modules are taken apart, rewritten and moved to their places.

use std::collections::{HashMap, HashSet};

use base::entity::{EntityRef, PrimaryMap};

use super::rewrite::{Rewriter, Targets};
use super::symbols::{Binding, Candidate, Entity, Origin, SymbolTable};
use super::{LinkError, Site, Unit};
use crate::{
    Alias, CastOp, Const, Definition, FileId, FuncId, Function, Global, GlobalId, Linkage, Module,
    SourceFile, TypedConst, Types, statements,
};

/// A place in the result: a function or a global, and an offset from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub base: Base,
    pub bytes: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Function(FuncId),
    Global(GlobalId),
}

impl Target {
    pub(super) fn constant(self) -> Const {
        let base = match self.base {
            Base::Function(function) => Const::Function(function),
            Base::Global(global) => Const::Global(global),
        };
        if self.bytes == 0 {
            return base;
        }
        let base = Box::new(TypedConst { ty: Types::PTR, value: base });
        Const::Offset { base, bytes: self.bytes }
    }
}

pub(super) fn merge(units: Vec<Unit>, symbols: SymbolTable) -> Result<Module, LinkError> {
    let places = Places::allot(&units, &symbols);
    let aliases = units.iter().map(|unit| unit.aliases.len()).sum();
    let binder = Binder { units: &units, symbols: &symbols, places: &places, aliases };
    let mut bound = Vec::with_capacity(units.len());
    for unit in 0..units.len() {
        bound.push(binder.bind_unit(unit)?);
    }
    let mut merger = Merger::new(&units, symbols);
    for ((unit, bound), places) in units.into_iter().zip(bound).zip(places.units) {
        merger.add(unit, bound, &places);
    }
    Ok(merger.finish())
}

/// For each module, the places of its functions and globals; `None` if they do not stay.
struct Places {
    units: Vec<UnitPlaces>,
}

#[derive(Default)]
struct UnitPlaces {
    functions: PrimaryMap<FuncId, Option<FuncId>>,
    globals: PrimaryMap<GlobalId, Option<GlobalId>>,
}

impl Places {
    fn allot(units: &[Unit], symbols: &SymbolTable) -> Places {
        let (mut functions, mut globals) = (0, 0);
        let mut places = Vec::with_capacity(units.len());
        for (index, unit) in units.iter().enumerate() {
            let mut place = UnitPlaces::default();
            for (id, &binding) in unit.functions.iter() {
                let stays = stays(symbols, binding, index, Entity::Function(id));
                place.functions.push(stays.then(|| next(&mut functions)));
            }
            for (id, &binding) in unit.globals.iter() {
                let stays = stays(symbols, binding, index, Entity::Global(id));
                place.globals.push(stays.then(|| next(&mut globals)));
            }
            places.push(place);
        }
        Places { units: places }
    }
}

fn next<K: EntityRef>(count: &mut usize) -> K {
    let id = K::new(*count);
    *count += 1;
    id
}

/// Whether a function or global is part of the result.
fn stays(symbols: &SymbolTable, binding: Binding, unit: usize, entity: Entity) -> bool {
    let symbol = match binding {
        Binding::Own => return true,
        Binding::Alias(_) => return false,
        Binding::Symbol(symbol) => &symbols[symbol],
    };
    let is_it = |candidate: Option<Candidate>| candidate.is_some_and(|it| it.is(unit, entity));
    is_it(symbol.target(Origin::Program)) || is_it(symbol.target(Origin::Archive))
}

/// The meaning of the functions, globals and aliases of one module in the result.
struct Bound {
    functions: PrimaryMap<FuncId, Target>,
    globals: PrimaryMap<GlobalId, Target>,
    aliases: Vec<Alias>,
    constructors: Vec<(u32, FuncId)>,
    destructors: Vec<(u32, FuncId)>,
}

struct Binder<'a> {
    units: &'a [Unit],
    symbols: &'a SymbolTable,
    places: &'a Places,
    /// The number of aliases: more steps than that are a cycle.
    aliases: usize,
}

impl Binder<'_> {
    fn bind_unit(&self, unit: usize) -> Result<Bound, LinkError> {
        let module = &self.units[unit].module;
        let functions = module.functions.keys().map(|id| self.bind(unit, Entity::Function(id)));
        let functions: PrimaryMap<FuncId, Target> = functions.collect::<Result<_, _>>()?;
        let globals = module.globals.keys().map(|id| self.bind(unit, Entity::Global(id)));
        Ok(Bound {
            constructors: self.starters(unit, &module.constructors, &functions)?,
            destructors: self.starters(unit, &module.destructors, &functions)?,
            globals: globals.collect::<Result<_, _>>()?,
            aliases: self.visible_aliases(unit)?,
            functions,
        })
    }

    /// Follows names and aliases to a function or global that stays.
    fn bind(&self, unit: usize, entity: Entity) -> Result<Target, LinkError> {
        let (mut unit, mut entity) = (unit, entity);
        let mut bytes = 0i64;
        let mut alias_steps = 0;
        loop {
            let binding = match entity {
                Entity::Alias(alias) => {
                    alias_steps += 1;
                    if alias_steps > self.aliases {
                        return Err(self.alias_cycle(unit, alias));
                    }
                    let (target, offset) = self.alias_target(unit, alias)?;
                    bytes = bytes.wrapping_add(offset);
                    entity = target;
                    continue;
                }
                Entity::Function(id) => {
                    if let Some(place) = self.places.units[unit].functions[id] {
                        return Ok(Target { base: Base::Function(place), bytes });
                    }
                    self.units[unit].functions[id]
                }
                Entity::Global(id) => {
                    if let Some(place) = self.places.units[unit].globals[id] {
                        return Ok(Target { base: Base::Global(place), bytes });
                    }
                    self.units[unit].globals[id]
                }
            };
            (unit, entity) = self.follow(unit, binding);
        }
    }

    fn follow(&self, unit: usize, binding: Binding) -> (usize, Entity) {
        match binding {
            Binding::Alias(alias) => (unit, Entity::Alias(alias)),
            Binding::Symbol(symbol) => {
                let target = self.symbols[symbol].target(self.units[unit].origin);
                let target = target.expect("a symbol is registered by a definition or declaration");
                (target.unit, target.entity)
            }
            Binding::Own => unreachable!("what is bound to itself has a place"),
        }
    }

    fn alias_target(&self, unit: usize, alias: usize) -> Result<(Entity, i64), LinkError> {
        let mut bytes = 0i64;
        let mut target = &self.units[unit].module.aliases[alias].target;
        loop {
            target = match &target.value {
                Const::Function(function) => return Ok((Entity::Function(*function), bytes)),
                Const::Global(global) => return Ok((Entity::Global(*global), bytes)),
                Const::Offset { base, bytes: more } => {
                    bytes = bytes.wrapping_add(*more);
                    base
                }
                Const::Cast { op: CastOp::Bitcast, value } => value,
                _ => {
                    let (name, site) = self.alias_site(unit, alias);
                    return Err(LinkError::AliasTarget { name, site });
                }
            };
        }
    }

    fn alias_cycle(&self, unit: usize, alias: usize) -> LinkError {
        let (name, site) = self.alias_site(unit, alias);
        LinkError::AliasCycle { name, site }
    }

    fn alias_site(&self, unit: usize, alias: usize) -> (String, Site) {
        let module = &self.units[unit].module;
        (module.aliases[alias].name.clone(), Site::new(module, crate::Span::NONE))
    }

    /// The aliases visible to other modules, each bound.
    fn visible_aliases(&self, unit: usize) -> Result<Vec<Alias>, LinkError> {
        let Unit { module, aliases, .. } = &self.units[unit];
        let mut visible = Vec::new();
        for (index, (alias, &binding)) in module.aliases.iter().zip(aliases).enumerate() {
            let Binding::Symbol(symbol) = binding else { continue };
            let winner = self.symbols[symbol].target(Origin::Program);
            if winner.is_some_and(|winner| winner.is(unit, Entity::Alias(index))) {
                let value = self.bind(unit, Entity::Alias(index))?.constant();
                let target = TypedConst { ty: Types::PTR, value };
                visible.push(Alias { name: alias.name.clone(), linkage: alias.linkage, target });
            }
        }
        Ok(visible)
    }

    /// Binds constructors or destructors, without those of definitions that lost.
    fn starters(
        &self,
        unit: usize,
        listed: &[(u32, FuncId)],
        functions: &PrimaryMap<FuncId, Target>,
    ) -> Result<Vec<(u32, FuncId)>, LinkError> {
        let module = &self.units[unit].module;
        let places = &self.places.units[unit].functions;
        let mut starters = Vec::with_capacity(listed.len());
        for &(priority, id) in listed {
            let function = &module.functions[id];
            if function.is_defined() && places[id].is_none() {
                continue;
            }
            let Target { base: Base::Function(target), bytes: 0 } = functions[id] else {
                let site = Site::new(module, function.span);
                return Err(LinkError::NotAFunction { name: function.name.clone(), site });
            };
            starters.push((priority, target));
        }
        Ok(starters)
    }
}

/// The result while modules are moved into it.
struct Merger {
    out: Module,
    symbols: SymbolTable,
    files: HashMap<SourceFile, FileId>,
    names: Names,
}

impl Merger {
    fn new(units: &[Unit], symbols: SymbolTable) -> Merger {
        let mut out = Module::default();
        if let Some(first) = units.first() {
            out.name = first.module.name.clone();
        }
        let aligns = units.iter().map(|unit| unit.module.types.i128_align());
        out.types.set_i128_align(aligns.max().unwrap_or(out.types.i128_align()));
        let names = Names::reserving(symbols.names());
        Merger { out, symbols, files: HashMap::new(), names }
    }

    fn add(&mut self, unit: Unit, bound: Bound, places: &UnitPlaces) {
        let Unit { module, origin, functions, globals, .. } = unit;
        let targets = Targets {
            functions: bound.functions,
            globals: bound.globals,
            keeps_function: places.functions.values().map(Option::is_some).collect(),
        };
        let Module { types, mut files, scopes, debug_types, .. } = module;
        files.values_mut().for_each(|file| file.in_archive |= origin == Origin::Archive);
        let rewriter = Rewriter::new(&types, files, targets, &mut self.files, &mut self.out);
        rewriter.move_debug(scopes, debug_types, &mut self.out);
        for (id, mut global) in module.globals {
            if places.globals[id].is_some() {
                rewriter.global(&mut global);
                self.settle_global(&mut global, globals[id]);
                self.out.globals.push(global);
            }
        }
        for (id, mut function) in module.functions {
            if places.functions[id].is_some() {
                self.settle_function(&mut function, functions[id], origin);
                rewriter.function(&mut function);
                self.out.functions.push(function);
            }
        }
        self.out.aliases.extend(bound.aliases);
        self.out.constructors.extend(bound.constructors);
        self.out.destructors.extend(bound.destructors);
    }

    /// Gives a function its final name and linkage.
    fn settle_function(&mut self, function: &mut Function, binding: Binding, origin: Origin) {
        let Binding::Symbol(symbol) = binding else {
            return self.names.make_unique(&mut function.name);
        };
        let symbol = &self.symbols[symbol];
        if !function.is_defined() {
            // A body that only serves inlining is not the definition.
            function.definition = Definition::Declaration;
            function.linkage = reference_linkage(symbol.demanded);
        } else if origin == Origin::Archive && symbol.program.is_some() {
            // The program took the name; the archive keeps its own function.
            function.linkage = Linkage::Internal;
            self.names.make_unique(&mut function.name);
        }
    }

    fn settle_global(&mut self, global: &mut Global, binding: Binding) {
        let Binding::Symbol(symbol) = binding else {
            return self.names.make_unique(&mut global.name);
        };
        let symbol = &self.symbols[symbol];
        if !global.is_defined() {
            global.init = None;
            global.linkage = reference_linkage(symbol.demanded);
        } else if global.linkage == Linkage::Common {
            global.align = symbol.common_align;
        }
    }

    fn finish(mut self) -> Module {
        self.out.constructors.sort_by_key(|(priority, _)| *priority);
        self.out.destructors.sort_by_key(|(priority, _)| *priority);
        statements::assign(&mut self.out);
        self.out
    }
}

fn reference_linkage(demanded: bool) -> Linkage {
    if demanded { Linkage::External } else { Linkage::ExternWeak }
}

/// The names in use, to rename internal symbols of equal name.
struct Names {
    taken: HashSet<String>,
    /// The last number appended to each name.
    numbers: HashMap<String, u32>,
}

impl Names {
    fn reserving<'a>(names: impl Iterator<Item = &'a str>) -> Names {
        Names { taken: names.map(str::to_owned).collect(), numbers: HashMap::new() }
    }

    /// Appends a number, counted from 2, to a name that is taken.
    fn make_unique(&mut self, name: &mut String) {
        if name.is_empty() || self.taken.insert(name.clone()) {
            return;
        }
        let number = self.numbers.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let numbered = format!("{name}.{number}");
            if self.taken.insert(numbered.clone()) {
                *name = numbered;
                return;
            }
        }
    }
}
