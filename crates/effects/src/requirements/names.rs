//! What unknowns are called: alike in both versions, and for people.
//!
//! A variable of OLD is called as NEW calls it. Where a function has several of one name, their order
//! decides; if the versions have different numbers of them, they are different variables.

use base::Version;
use exec::Program;
use exec::code::Reg;
use exec::stop::Site;
use explore::partial::{Activation, Root};
use ir::{DebugType, DebugTypeId, Encoding, FuncId, Module, Storage, TypeId};
use smt::chain::IntervalSet;
use smt::people::{Entry, Glossary, Meaning};
use smt::{Terms, VarId};
use trace::Matching;

/// Names of one start.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub programs: [&'a Program; 2],
    pub matching: &'a Matching,
}

/// A local variable: its name, its type, and its place among others of that name.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    bits: u64,
    ty: Option<DebugTypeId>,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Slot(ir::SlotId),
    Register(Reg),
}

impl<'a> Names<'a> {
    fn module(&self, version: Version) -> &'a Module {
        &self.programs[version].module
    }

    /// The local variables of a function, under the names of NEW.
    fn variables(&self, version: Version, function: FuncId) -> Vec<Variable> {
        let module = self.module(version);
        let Some(body) = module.functions[function].body() else { return Vec::new() };
        let size = |ty: TypeId| 8 * module.types.layout(ty).size;
        let renamed = |name: &str| {
            let all = self.matching.renamed.iter();
            let found = all.filter(|_| version == Version::Old);
            let found = found.rev().find(|(of, from, _)| *of == function && from == name);
            found.map_or(name, |(_, _, to)| to).to_owned()
        };
        let mut all = Vec::new();
        for (id, slot) in body.slots.iter() {
            let known = body.variables.iter().find(|one| one.storage == Storage::Slot(id));
            let name = renamed(known.map_or(&slot.name, |one| &one.name));
            let ty = known.and_then(|one| one.ty);
            all.push(Variable { name, bits: size(slot.ty), ty, place: Place::Slot(id) });
        }
        let program = self.programs[version];
        let code = program.code(function);
        for (op, &inst) in code.ops.iter().zip(&code.origins) {
            let exec::code::Op::Alloca { d, size } = *op else { continue };
            let known = program.local_variable(Site { function, inst });
            let name = known.map_or(String::new(), |one| renamed(&one.name));
            let ty = known.and_then(|one| one.ty);
            all.push(Variable { name, bits: 8 * size, ty, place: Place::Register(d) });
        }
        all
    }

    /// A name of a local variable that no other of the function has, and the variable.
    fn local(
        &self,
        version: Version,
        function: FuncId,
        place: Place,
    ) -> (String, Option<Variable>) {
        let own = self.variables(version, function);
        let Some(at) = own.iter().position(|one| one.place == place) else {
            return (String::new(), None);
        };
        let variable = own[at].clone();
        let same = |all: &[Variable]| {
            all.iter().filter(|one| one.name == variable.name && one.bits == variable.bits).count()
        };
        let number = same(&own[..at]);
        let other = self.matching.function(version, function);
        let others = other.map(|other| self.variables(version.other(), other));
        let is_shared = others.is_none_or(|others| same(&others) == same(&own));
        let whose = if is_shared { "" } else { ["old", "new"][version] };
        let text = format!("{}#{number}.{}{whose}", variable.name, variable.bits);
        (text, Some(variable))
    }

    /// The name of something unknown, the same in both versions.
    pub fn of(&self, version: Version, frames: &[Activation], root: Root) -> String {
        match root {
            Root::Slot(frame, slot) => {
                let (name, _) = self.local(version, frames[frame].function, Place::Slot(slot));
                format!("{frame}/{name}")
            }
            Root::Local(frame, register) => {
                let place = Place::Register(register);
                let (name, _) = self.local(version, frames[frame].function, place);
                format!("{frame}/&{name}")
            }
            Root::Global(id) => {
                let global = &self.module(version).globals[id];
                let bits = 8 * self.module(version).types.layout(global.ty).size;
                format!("{}.{bits}", global.name)
            }
            Root::Object(number) => format!("*{number}"),
        }
    }

    /// What people call it, and whether it has a sign.
    fn for_people(
        &self,
        version: Version,
        frames: &[Activation],
        root: Root,
    ) -> (String, Option<DebugTypeId>) {
        let local = |frame: usize, place: Place| {
            let function = frames[frame].function;
            let (_, variable) = self.local(version, function, place);
            let (name, ty) = variable.map_or((String::new(), None), |one| (one.name, one.ty));
            let whose = match frame + 1 == frames.len() {
                true => name,
                false => {
                    let function = self.module(version).functions[function].display_name();
                    format!("{name} of {function}")
                }
            };
            (whose, ty)
        };
        match root {
            Root::Slot(frame, slot) => local(frame, Place::Slot(slot)),
            Root::Local(frame, register) => local(frame, Place::Register(register)),
            Root::Global(id) => {
                let global = &self.module(version).globals[id];
                let name = global.source_name.as_deref().unwrap_or(&global.name);
                (name.to_owned(), global.debug_type)
            }
            Root::Object(number) => (format!("*object{number}"), None),
        }
    }

    /// Adds the words for an unknown.
    pub fn explain(
        &self,
        version: Version,
        frames: &[Activation],
        (root, offset, bits): (Root, u64, u32),
        (variable, glossary): (VarId, &mut Glossary),
    ) {
        let (name, ty) = self.for_people(version, frames, root);
        let module = self.module(version);
        let part = matches!(root, Root::Local(..) | Root::Global(_) | Root::Object(_));
        let (suffix, ty) = match ty {
            Some(ty) if part => {
                let found = trace::part(module, Some(ty), offset, u64::from(bits / 8));
                match found.within {
                    0 => (found.path, found.ty),
                    within => (format!("{}[{within}]", found.path), None),
                }
            }
            ty if part && offset > 0 => (format!("[{offset}]"), ty),
            ty => (String::new(), ty),
        };
        let meaning = meaning(module, ty);
        let name = Some(format!("{name}{suffix}"));
        glossary.replace(variable, Entry { name, meaning, allowed: IntervalSet::all(bits) });
    }
}

fn meaning(module: &Module, ty: Option<DebugTypeId>) -> Meaning {
    let mut ty = ty;
    while let Some(id) = ty {
        match &module.debug_types[id] {
            DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. } => ty = *to,
            DebugType::Base { encoding, .. } => {
                return match encoding {
                    Encoding::Float => Meaning::Float,
                    Encoding::SignedChar => Meaning::Character { is_signed: true },
                    Encoding::UnsignedChar => Meaning::Character { is_signed: false },
                    Encoding::Unsigned | Encoding::Boolean => Meaning::Number { is_signed: false },
                    _ => Meaning::Number { is_signed: true },
                };
            }
            DebugType::Pointer { .. } => return Meaning::Number { is_signed: false },
            _ => break,
        }
    }
    Meaning::Number { is_signed: true }
}

/// The variables that a term depends on.
pub(super) fn support(terms: &Terms, term: smt::TermId) -> Vec<VarId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![term];
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            found.extend(terms.variable_of(term));
            open.extend(terms.operands(term));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
