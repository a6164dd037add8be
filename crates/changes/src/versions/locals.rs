//! Matches local variables of OLD and NEW.
//!
//! Parameters match by position, other variables by name and type. The others may have been
//! renamed: variables of one type match if their uses are the same.

use std::cell::RefCell;

use ir::{Body, InstId, Module, SlotId, Storage, TypeId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::key::{Keys, Names};
use super::units::Units;

/// A local variable with another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    pub old: String,
    pub new: String,
}

/// A local variable of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Local {
    Slot(SlotId),
    Memory(ValueId),
}

/// The names of variables in keys of one version: those that match have one name.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    labels: FxHashMap<Local, String>,
}

impl Labels {
    fn name(&self, local: Local) -> String {
        self.labels.get(&local).cloned().unwrap_or_else(|| "?".to_owned())
    }
}

impl Names for Labels {
    fn slot(&self, slot: SlotId) -> String {
        self.name(Local::Slot(slot))
    }

    fn memory(&self, address: ValueId) -> String {
        self.name(Local::Memory(address))
    }
}

/// One version of a function.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
    pub units: &'a Units,
}

#[derive(Clone, Debug)]
struct Candidate {
    local: Local,
    name: String,
    ty: String,
    parameter: u32,
}

impl Side<'_> {
    fn locals(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (slot, data) in self.body.slots.iter() {
            all.push(self.candidate(Local::Slot(slot), &data.name, data.ty));
        }
        for inst in self.body.insts.values() {
            if let (ir::Op::Alloca { ty, .. }, Some(value)) = (&inst.op, inst.result) {
                let name = &self.body.values[value].name;
                all.push(self.candidate(Local::Memory(value), name, *ty));
            }
        }
        all
    }

    fn candidate(&self, local: Local, name: &str, ty: TypeId) -> Candidate {
        let is_here = |storage: Storage| match (storage, local) {
            (Storage::Slot(one), Local::Slot(other)) => one == other,
            (Storage::Memory(one), Local::Memory(other)) => one == other,
            _ => false,
        };
        let variable = self.body.variables.iter().find(|variable| is_here(variable.storage));
        let name = variable.map_or(name, |variable| &variable.name).to_owned();
        let parameter = variable.map_or(0, |variable| variable.parameter);
        let layout = self.module.types.layout(ty);
        let kind = matches!(local, Local::Slot(_));
        let ty = format!("{kind} {} {}", layout.size, layout.align);
        Candidate { local, name, ty, parameter }
    }

    /// By variable, the units that mention it.
    fn mentions(&self) -> FxHashMap<Local, Vec<InstId>> {
        let names = Mentioned::default();
        let keys = Keys { module: self.module, body: self.body, units: self.units, names: &names };
        let mut all: FxHashMap<Local, Vec<InstId>> = FxHashMap::default();
        for unit in self.units.all.iter() {
            keys.key(unit.inst);
            let mut locals = names.locals.take();
            locals.sort_unstable();
            locals.dedup();
            locals.into_iter().for_each(|local| all.entry(local).or_default().push(unit.inst));
        }
        all
    }

    /// How a variable is used: the keys of the units that mention it, with others blank.
    fn uses(&self, labels: &Labels, units: &[InstId], local: Local) -> Vec<String> {
        let names = Itself { labels, local };
        let keys = Keys { module: self.module, body: self.body, units: self.units, names: &names };
        let mut uses: Vec<String> = units.iter().map(|&inst| keys.key(inst)).collect();
        uses.sort_unstable();
        uses
    }
}

/// Names one variable as such, and the others by their labels.
struct Itself<'a> {
    labels: &'a Labels,
    local: Local,
}

impl Itself<'_> {
    fn name(&self, local: Local) -> String {
        if local == self.local { "this".to_owned() } else { self.labels.name(local) }
    }
}

impl Names for Itself<'_> {
    fn slot(&self, slot: SlotId) -> String {
        self.name(Local::Slot(slot))
    }

    fn memory(&self, address: ValueId) -> String {
        self.name(Local::Memory(address))
    }
}

/// Records which variables a key mentions.
#[derive(Default)]
struct Mentioned {
    locals: RefCell<Vec<Local>>,
}

impl Names for Mentioned {
    fn slot(&self, slot: SlotId) -> String {
        self.locals.borrow_mut().push(Local::Slot(slot));
        String::new()
    }

    fn memory(&self, address: ValueId) -> String {
        self.locals.borrow_mut().push(Local::Memory(address));
        String::new()
    }
}

/// Labels for both versions, and which variables were renamed.
pub fn pair(old: Side<'_>, new: Side<'_>) -> (Labels, Labels, Vec<Renamed>) {
    let (mut left, mut right) = (old.locals(), new.locals());
    let mut labels = (Labels::default(), Labels::default());
    let mut renamed = Vec::new();
    let mut number = 0;
    let mut join = |one: &Candidate, other: &Candidate, labels: &mut (Labels, Labels)| {
        let label = format!("v{number}");
        number += 1;
        labels.0.labels.insert(one.local, label.clone());
        labels.1.labels.insert(other.local, label);
        if one.name != other.name {
            renamed.push(Renamed { old: one.name.clone(), new: other.name.clone() });
        }
    };
    let same_parameter = |a: &Candidate, b: &Candidate| {
        a.parameter > 0 && a.parameter == b.parameter && a.ty == b.ty
    };
    let same_name = |a: &Candidate, b: &Candidate| {
        a.name == b.name && a.ty == b.ty && a.parameter == 0 && b.parameter == 0
    };
    for same in [&same_parameter as &dyn Fn(&Candidate, &Candidate) -> bool, &same_name] {
        let mut rest = Vec::new();
        for one in left {
            match right.iter().position(|other| same(&one, other)) {
                Some(index) => join(&one, &right.remove(index), &mut labels),
                None => rest.push(one),
            }
        }
        left = rest;
    }
    // The rest may have been renamed.
    let may_be_renamed = !left.is_empty() && !right.is_empty();
    let mentions =
        if may_be_renamed { (old.mentions(), new.mentions()) } else { Default::default() };
    // By variable of NEW, its uses, as long as no other variable in these units gets a label.
    let mut known: FxHashMap<Local, Vec<String>> = FxHashMap::default();
    let units = |mentions: &FxHashMap<Local, Vec<InstId>>, local: Local| {
        mentions.get(&local).cloned().unwrap_or_default()
    };
    for one in left.clone().into_iter().filter(|_| may_be_renamed) {
        let own = units(&mentions.0, one.local);
        let mut uses = None;
        let found = right.iter().position(|other| {
            let others = mentions.1.get(&other.local).map_or(&[][..], Vec::as_slice);
            // Usually their number already shows that they differ.
            if other.ty != one.ty || 2 * own.len().min(others.len()) < own.len().max(others.len()) {
                return false;
            }
            let uses = uses.get_or_insert_with(|| old.uses(&labels.0, &own, one.local));
            let theirs = known
                .entry(other.local)
                .or_insert_with(|| new.uses(&labels.1, others, other.local));
            is_like(uses, theirs)
        });
        if let Some(index) = found {
            let other = right.remove(index);
            join(&one, &other, &mut labels);
            left.retain(|other| other.local != one.local);
            let touched: FxHashSet<InstId> = units(&mentions.1, other.local).into_iter().collect();
            known.retain(|local, _| {
                let units = mentions.1.get(local).into_iter().flatten();
                !units.into_iter().any(|unit| touched.contains(unit))
            });
        }
    }
    label_rest(&mut labels.0, &left, "old");
    label_rest(&mut labels.1, &right, "new");
    (labels.0, labels.1, renamed)
}

/// Variables without a counterpart have names of their own.
fn label_rest(labels: &mut Labels, rest: &[Candidate], version: &str) {
    for (index, candidate) in rest.iter().enumerate() {
        labels.labels.insert(candidate.local, format!("{version}{index}"));
    }
}

/// Whether most uses of two variables are the same.
fn is_like(one: &[String], other: &[String]) -> bool {
    if one.is_empty() || other.is_empty() {
        return one.is_empty() && other.is_empty();
    }
    let mut rest = other.to_vec();
    let common = one.iter().filter(|use_| match rest.iter().position(|other| other == *use_) {
        Some(index) => {
            rest.swap_remove(index);
            true
        }
        None => false,
    });
    2 * common.count() >= one.len().max(other.len())
}
