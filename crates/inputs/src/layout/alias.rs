//! Parameters that are the same pointer as another one.
//!
//! One cell per pair says whether they are. If a parameter is null, or has no memory of its own
//! because it is the same as a third one, the cell stands for 0, so that every input has one form:
//! a parameter with its memory, and others that are the same as it.

use super::{Derived, Layout, Mismatch, ObjectId, Reason, Target};
use crate::{Alias, CellId, Form, Input, Pointer, Role, Value};

/// A parameter, if it is a pointer to memory.
pub(super) struct ParamPointer<'a> {
    pub name: &'a str,
    pub null: Option<CellId>,
    pub target: Option<ObjectId>,
}

impl Layout {
    /// Adds the cells; a parameter's own pairs come before the pairs in which others are the same
    /// as it.
    pub(super) fn add_aliases(&mut self, aliases: &[Alias], params: &[ParamPointer<'_>]) {
        let named = |name: &str| params.iter().find(|param| param.name == name);
        for alias in aliases {
            let (Some(pointer), Some(of)) = (named(&alias.pointer), named(&alias.of)) else {
                continue;
            };
            let (Some(own), Some(object)) = (pointer.target, of.target) else { continue };
            let earlier = self
                .aliases
                .iter()
                .filter(|(other, _)| other.pointer == alias.pointer || other.pointer == alias.of);
            let nulls = earlier.map(|(_, cell)| *cell);
            let nulls = nulls.chain(pointer.null).chain(of.null).collect();
            let name = format!("{} == {}", alias.pointer, alias.of);
            let cell = self.add_flag(name, Role::Alias);
            self.derived.push(Derived { cell, nulls, most: None, is_below: false });
            self.aliases.push((alias.clone(), cell));
            self.lead_elsewhere(own, cell, object);
        }
    }

    /// The parameter itself, and those that point into its memory.
    fn lead_elsewhere(&mut self, own: ObjectId, cell: CellId, object: ObjectId) {
        for index in 0..self.params.len() {
            for pointer in &mut self.objects[self.params[index]].pointers {
                match pointer.target {
                    Target::Object(target) | Target::Inside { object: target, .. }
                        if target == own =>
                    {
                        pointer.instead.push((cell, object));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Pairs of parameters that are the same in an input.
    pub fn same(&self, assignment: &[u64]) -> Vec<&Alias> {
        if self.aliases.is_empty() {
            return Vec::new();
        }
        let settled = self.settled(assignment);
        let is_same = |(_, cell): &&(Alias, CellId)| settled[cell.position()] == 1;
        self.aliases.iter().filter(is_same).map(|(alias, _)| alias).collect()
    }

    /// The same input, but each parameter has memory of its own with the same content.
    pub fn separated(&self, assignment: &[u64]) -> Box<[u64]> {
        let settled = self.settled(assignment);
        let mut separated: Box<[u64]> = assignment.into();
        for (alias, cell) in &self.aliases {
            separated[cell.position()] = 0;
            let target = |name: &str| {
                let index = self.space.params.iter().position(|param| param.name == name)?;
                match self.objects[self.params[index]].pointers.first()?.target {
                    Target::Object(object) => Some(object),
                    _ => None,
                }
            };
            let both = target(&alias.pointer).zip(target(&alias.of));
            if let Some((own, other)) = both.filter(|_| settled[cell.position()] == 1) {
                self.copy(own, other, &mut separated);
            }
        }
        separated
    }

    /// Copies the memory of one object to another, as far as it fits, and likewise behind its
    /// pointers.
    fn copy(&self, to: ObjectId, from: ObjectId, assignment: &mut [u64]) {
        let (to, from) = (&self.objects[to], &self.objects[from]);
        let mut set = |to: CellId, from: CellId| {
            let value = assignment[from.position()];
            if self.cells[to].domain.contains(value) {
                assignment[to.position()] = value;
            }
        };
        for piece in &to.pieces {
            let found = from.pieces.iter().find(|other| other.bit == piece.bit);
            if let Some(other) = found {
                set(piece.cell, other.cell);
            }
        }
        let mut followed = Vec::new();
        for pointer in &to.pointers {
            let found = from.pointers.iter().find(|other| other.offset == pointer.offset);
            let Some(other) = found else { continue };
            if let (Some(null), Some(other)) = (pointer.null, other.null) {
                set(null, other);
            }
            match (&pointer.target, &other.target) {
                (Target::Object(to), Target::Object(from)) => followed.push((*to, *from)),
                (Target::Inside { cell, .. }, Target::Inside { cell: other, .. }) => {
                    set(*cell, *other);
                }
                _ => {}
            }
        }
        for (to, from) in followed {
            self.copy(to, from, assignment);
        }
    }

    /// Sets the cells of parameters that the input gives as the same as others.
    pub(super) fn encode_aliases(&self, input: &Input, cells: &mut [u64]) -> Result<(), Mismatch> {
        for (param, (name, value)) in self.space.params.iter().filter_map(|param| {
            Some((param, input.params.iter().find(|(name, _)| *name == param.name)?))
        }) {
            let (Form::Pointer(Pointer::Buffer(_)), Value::Inside { of, offset }) =
                (&param.shape.form, value)
            else {
                continue;
            };
            let of = owner(of, &input.params);
            let is_it = |(alias, _): &&(Alias, CellId)| alias.pointer == *name && alias.of == of;
            let Some((_, cell)) = self.aliases.iter().find(is_it).filter(|_| *offset == 0) else {
                let reason = Reason::NoAlias { of: of.to_owned() };
                return Err(Mismatch { place: format!("the parameter {name}"), reason });
            };
            cells[cell.position()] = 1;
            if self.settled(cells)[cell.position()] != 1 {
                let reason = Reason::Inconsistent { found: format!("{of}+{offset}") };
                return Err(Mismatch { place: format!("the parameter {name}"), reason });
            }
        }
        Ok(())
    }

    /// Marks the parameters that are the same as others.
    pub(super) fn decode_aliases(&self, settled: &[u64], input: &mut Input) {
        for (alias, cell) in &self.aliases {
            if settled.get(cell.position()) != Some(&1) {
                continue;
            }
            let param = input.params.iter_mut().find(|(name, _)| *name == alias.pointer);
            if let Some((_, value)) = param {
                *value = Value::Inside { of: alias.of.clone(), offset: 0 };
            }
        }
    }
}

/// The parameter that owns the memory: one that is the same as another has none.
fn owner<'v>(name: &'v str, params: &'v [(String, Value)]) -> &'v str {
    let mut name = name;
    // There are no more steps than parameters, unless there is a cycle.
    for _ in params {
        match params.iter().find(|(known, _)| known == name) {
            Some((_, Value::Inside { of, offset: 0 })) => name = of,
            _ => break,
        }
    }
    name
}
