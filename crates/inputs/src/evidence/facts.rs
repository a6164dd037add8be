//! What a function and its callees do with its parameters.
//!
//! Every value has *roots*: the parameters, members and local variables that it was computed
//! from by additions, multiplications and conversions, wherever that happened.

use std::collections::{BTreeMap, BTreeSet};

use base::entity::{EntityRef, SecondaryMap};
use ir::{
    BinaryOp, Body, Call, Callee, CastOp, CompareOp, Const, FuncId, Inst, InstId, Module, Op,
    Operand, SlotId, Type, UnaryOp, ValueId,
};
use library::Length;

use super::Evidence;

/// How deep calls are followed, and into how many functions.
const MOST_DEPTH: u32 = 8;
const MOST_FUNCTIONS: usize = 200;
/// Roots flow through slots, which the text may write after it reads them.
const ROUNDS: usize = 6;
/// A value with more roots yields no facts.
const MOST_ROOTS: usize = 12;

/// A parameter by its number, or a member of the struct that it points to, by its offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub param: u32,
    pub member: Option<i64>,
}

type Facts = Evidence<Place>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Place(Place),
    Local(SlotId),
}

type Roots = BTreeSet<Root>;

/// Facts of functions. A function under analysis has none yet.
type Known = BTreeMap<FuncId, Facts>;

pub(super) fn facts(module: &Module, function: FuncId) -> Facts {
    facts_within(module, function, 0, &mut Known::new())
}

fn facts_within(module: &Module, function: FuncId, depth: u32, known: &mut Known) -> Facts {
    if let Some(facts) = known.get(&function) {
        return facts.clone();
    }
    if depth > MOST_DEPTH || known.len() >= MOST_FUNCTIONS {
        return Facts::default();
    }
    known.insert(function, Facts::default());
    let facts = facts_of(module, function, depth, known);
    known.insert(function, facts.clone());
    facts
}

fn facts_of(module: &Module, function: FuncId, depth: u32, known: &mut Known) -> Facts {
    let function = &module.functions[function];
    let Some(body) = function.body() else { return Facts::default() };
    let mut defining = SecondaryMap::new();
    for (id, inst) in body.insts.iter() {
        if let Some(result) = inst.result {
            defining[result] = Some(id);
        }
    }
    let mut finder = Finder {
        module,
        body,
        defining,
        known,
        roots: SecondaryMap::new(),
        slots: SecondaryMap::new(),
        exact: exact_slots(body, function.params.len()),
        params: function.params.len(),
        depth,
        facts: Facts::default(),
        uses: Uses::default(),
    };
    finder.find_roots();
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        finder.look_at(&body.insts[*inst]);
    }
    finder.finish()
}

/// Slots that hold a parameter and nothing else.
fn exact_slots(body: &Body, params: usize) -> BTreeMap<SlotId, u32> {
    let mut writes: BTreeMap<SlotId, Option<u32>> = BTreeMap::new();
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        if let Op::WriteSlot { slot, value } = &body.insts[*inst].op {
            let param = match value {
                Operand::Value(value) if value.index() < params => Some(value.as_u32()),
                _ => None,
            };
            writes.entry(*slot).and_modify(|known| *known = None).or_insert(param);
        }
    }
    writes.into_iter().filter_map(|(slot, param)| Some((slot, param?))).collect()
}

/// Collected uses, combined after the last instruction.
#[derive(Default)]
struct Uses {
    /// Local variables and the numbers that they are compared with.
    bounds: BTreeSet<(SlotId, Place)>,
    /// Pointers and the local variables that index them.
    indices: BTreeSet<(Place, SlotId)>,
    /// Pointers and the numbers added to them.
    added: BTreeSet<(Place, Place)>,
    counted_down: BTreeSet<Place>,
}

struct Finder<'m, 'k> {
    module: &'m Module,
    body: &'m Body,
    /// By value, the instruction that defines it.
    defining: SecondaryMap<ValueId, Option<InstId>>,
    known: &'k mut Known,
    roots: SecondaryMap<ValueId, Roots>,
    slots: SecondaryMap<SlotId, Roots>,
    exact: BTreeMap<SlotId, u32>,
    params: usize,
    depth: u32,
    facts: Facts,
    uses: Uses,
}

impl<'m> Finder<'m, '_> {
    fn find_roots(&mut self) {
        for param in 0..self.params {
            let place = Place { param: param as u32, member: None };
            self.roots[ValueId::at(param as u32)] = Roots::from([Root::Place(place)]);
        }
        for _ in 0..ROUNDS {
            let mut changed = false;
            for inst in self.body.blocks.values().flat_map(|block| &block.insts) {
                changed |= self.flow(&self.body.insts[*inst]);
            }
            if !changed {
                break;
            }
        }
    }

    /// Propagates roots through an instruction; returns whether there are more than before.
    fn flow(&mut self, inst: &Inst) -> bool {
        if let Op::WriteSlot { slot, value } = &inst.op {
            let roots = self.roots_of(*value);
            return add(&mut self.slots[*slot], &roots);
        }
        let Some(result) = inst.result else { return false };
        let roots = match &inst.op {
            Op::Unary { op: UnaryOp::Copy, value } => self.roots_of(*value),
            Op::Cast { op, value } if keeps_number(*op) => self.roots_of(*value),
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, lhs, rhs, .. } => {
                let mut roots = self.roots_of(*lhs);
                roots.extend(self.roots_of(*rhs));
                roots
            }
            Op::Select { then, otherwise, .. } => {
                let mut roots = self.roots_of(*then);
                roots.extend(self.roots_of(*otherwise));
                roots
            }
            Op::Phi { incoming } => {
                incoming.iter().flat_map(|(_, value)| self.roots_of(*value)).collect()
            }
            Op::ReadSlot { slot } => {
                let mut roots = self.slots[*slot].clone();
                roots.insert(Root::Local(*slot));
                roots
            }
            Op::Offset { base, .. } => self.roots_of(*base),
            Op::Load { address, .. } => match self.member_at(*address) {
                Some(place) => Roots::from([Root::Place(place)]),
                None => return false,
            },
            _ => return false,
        };
        add(&mut self.roots[result], &roots)
    }

    fn roots_of(&self, operand: Operand) -> Roots {
        match operand {
            Operand::Value(value) => self.roots[value].clone(),
            Operand::Const(_) => Roots::new(),
        }
    }

    fn places(&self, operand: Operand) -> Vec<Place> {
        let place = |root: Root| match root {
            Root::Place(place) => Some(place),
            Root::Local(_) => None,
        };
        self.roots_of(operand).into_iter().filter_map(place).collect()
    }

    fn locals(&self, operand: Operand) -> Vec<SlotId> {
        let local = |root: Root| match root {
            Root::Local(slot) => Some(slot),
            Root::Place(_) => None,
        };
        self.roots_of(operand).into_iter().filter_map(local).collect()
    }

    /// The parameter, if a value is exactly a parameter.
    fn param(&self, operand: Operand) -> Option<u32> {
        let Operand::Value(value) = operand else { return None };
        if value.index() < self.params {
            return Some(value.as_u32());
        }
        match &self.defining(value)?.op {
            Op::ReadSlot { slot } => self.exact.get(slot).copied(),
            Op::Unary { op: UnaryOp::Copy, value } => self.param(*value),
            _ => None,
        }
    }

    /// The member of a parameter's struct at an address.
    fn member_at(&self, address: Operand) -> Option<Place> {
        if let Some(param) = self.param(address) {
            return Some(Place { param, member: Some(0) });
        }
        let Operand::Value(value) = address else { return None };
        match &self.defining(value)?.op {
            Op::Offset { base, bytes, scaled, .. } if scaled.is_empty() => {
                let param = self.param(*base)?;
                Some(Place { param, member: Some(*bytes) })
            }
            _ => None,
        }
    }

    fn defining(&self, value: ValueId) -> Option<&'m Inst> {
        Some(&self.body.insts[self.defining[value]?])
    }

    fn constant(&self, operand: Operand) -> Option<i128> {
        let Operand::Const(id) = operand else { return None };
        let constant = &self.body.consts[id];
        match (&constant.value, self.module.types.get(constant.ty)) {
            (Const::Int(value), Type::Int(bits)) if (1..=64).contains(bits) => {
                let unused = 128 - *bits;
                Some((*value << unused) as i128 >> unused)
            }
            (Const::Zero, Type::Int(_)) => Some(0),
            _ => None,
        }
    }

    fn is_null(&self, operand: Operand) -> bool {
        let Operand::Const(id) = operand else { return false };
        let constant = &self.body.consts[id];
        matches!(self.module.types.get(constant.ty), Type::Ptr)
            && matches!(constant.value, Const::Null | Const::Zero)
    }

    fn is_pointer(&self, operand: Operand) -> bool {
        matches!(self.module.types.get(self.body.operand_type(operand)), Type::Ptr)
    }

    fn look_at(&mut self, inst: &Inst) {
        match &inst.op {
            Op::Compare { op, lhs, rhs } => self.compare(*op, *lhs, *rhs),
            Op::Offset { base, scaled, .. } => {
                for pointer in self.places(*base) {
                    for (index, _) in scaled {
                        let locals = self.locals(*index);
                        self.uses.indices.extend(locals.into_iter().map(|slot| (pointer, slot)));
                        let numbers = self.places(*index);
                        self.uses.added.extend(numbers.into_iter().map(|number| (pointer, number)));
                    }
                }
            }
            Op::Binary { op: BinaryOp::Sub, lhs, rhs, .. } => {
                let from_pointer = |operand: &Operand| match operand {
                    Operand::Value(value) => self.defining(*value).is_some_and(|inst| {
                        matches!(inst.op, Op::Cast { op: CastOp::PtrToInt, .. })
                    }),
                    Operand::Const(_) => false,
                };
                if from_pointer(lhs) && from_pointer(rhs) {
                    self.pairs(*rhs, *lhs, true);
                }
            }
            Op::Binary { op: BinaryOp::URem | BinaryOp::SRem, lhs, rhs, .. } => {
                self.reduce(*lhs, *rhs);
            }
            Op::Binary { op: BinaryOp::And, lhs, rhs, .. } => {
                for (number, mask) in [(*lhs, *rhs), (*rhs, *lhs)] {
                    if self.is_one_less(mask) {
                        self.reduce(number, mask);
                    }
                }
            }
            Op::Store { address, value, .. } if self.constant(*value) == Some(0) => {
                self.facts.cleared.extend(self.member_at(*address));
            }
            Op::WriteSlot { slot, value } => self.write(*slot, *value),
            Op::Call(call) | Op::Invoke { call, .. } => self.call(call),
            _ => {}
        }
    }

    /// A number is reduced below another one.
    fn reduce(&mut self, number: Operand, by: Operand) {
        for first in self.places(number) {
            let others = self.places(by).into_iter().filter(|second| *second != first);
            self.facts.reduced.extend(others.map(|second| (first, second)));
        }
    }

    /// Whether a value is another one minus 1, like the mask of a power of two.
    fn is_one_less(&self, operand: Operand) -> bool {
        let Operand::Value(value) = operand else { return false };
        match self.defining(value).map(|inst| &inst.op) {
            Some(Op::Binary { op: BinaryOp::Sub, rhs, .. }) => self.constant(*rhs) == Some(1),
            Some(Op::Binary { op: BinaryOp::Add, rhs, .. }) => self.constant(*rhs) == Some(-1),
            Some(Op::Cast { op, value }) if keeps_number(*op) => self.is_one_less(*value),
            _ => false,
        }
    }

    /// A pointer or number is stepped.
    fn write(&mut self, slot: SlotId, value: Operand) {
        let Operand::Value(id) = value else { return };
        let Some(inst) = self.defining(id) else { return };
        let reads = |operand: Operand| self.locals(operand).contains(&slot);
        let places = |slots: &SecondaryMap<SlotId, Roots>| -> Vec<Place> {
            let place = |root: &Root| match root {
                Root::Place(place) => Some(*place),
                Root::Local(_) => None,
            };
            slots[slot].iter().filter_map(place).collect()
        };
        match &inst.op {
            Op::Offset { base, .. } if reads(*base) => {
                self.facts.advanced.extend(places(&self.slots));
            }
            Op::Binary { op: BinaryOp::Add, lhs, rhs, .. }
                if reads(*lhs) && self.constant(*rhs) == Some(-1) =>
            {
                self.uses.counted_down.extend(places(&self.slots));
            }
            Op::Binary { op: BinaryOp::Sub, lhs, rhs, .. }
                if reads(*lhs) && self.constant(*rhs).is_some_and(|constant| constant > 0) =>
            {
                self.uses.counted_down.extend(places(&self.slots));
            }
            _ => {}
        }
    }

    fn compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) {
        use CompareOp::*;
        if self.is_null(rhs) || self.is_null(lhs) {
            if matches!(op, Eq | Ne) {
                let other = if self.is_null(rhs) { lhs } else { rhs };
                let places = self.places(other);
                self.facts.nulls.extend(places);
            }
            return;
        }
        if self.is_pointer(lhs) {
            match op {
                Ult | Ule => self.pairs(lhs, rhs, true),
                Ugt | Uge => self.pairs(rhs, lhs, true),
                _ => self.pairs(lhs, rhs, false),
            }
            return;
        }
        for (one, other, op) in [(lhs, rhs, op), (rhs, lhs, turned(op))] {
            if let Some(constant) = self.constant(other) {
                let asks_sign = match op {
                    Slt | Sge => (0..=1).contains(&constant),
                    Sle => (-1..=0).contains(&constant),
                    Eq | Ne => constant < 0,
                    _ => false,
                };
                for place in self.places(one) {
                    if asks_sign {
                        self.facts.negatives.insert(place);
                    }
                    if let Ok(constant) = u64::try_from(constant) {
                        let known = self.facts.constants.entry(place).or_default();
                        *known = (*known).max(constant);
                    }
                }
            }
            for first in self.places(one) {
                let others = self.places(other).into_iter().filter(|second| *second != first);
                self.facts.against.extend(others.map(|second| (first, second)));
            }
            // A test that an index differs from a number does not bound the index.
            if !matches!(op, Eq | Ne) {
                let (locals, numbers) = (self.locals(one), self.places(other));
                for slot in locals {
                    self.uses.bounds.extend(numbers.iter().map(|&number| (slot, number)));
                }
            }
        }
    }

    fn pairs(&mut self, one: Operand, two: Operand, ordered: bool) {
        for first in self.places(one) {
            for second in self.places(two).into_iter().filter(|second| *second != first) {
                if ordered {
                    self.facts.below.insert((first, second))
                } else {
                    self.facts.met.insert((first, second))
                };
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let arguments: Vec<Operand> = call.args.iter().map(|argument| argument.value).collect();
        match &call.callee {
            Callee::Builtin(builtin) => self.library(&arguments, lengths_of(builtin.name())),
            Callee::Function(id) => {
                let callee = &self.module.functions[*id];
                let lengths = lengths_of(callee.display_name());
                if !lengths.is_empty() {
                    self.library(&arguments, lengths);
                } else if arguments.iter().any(|&argument| !self.places(argument).is_empty()) {
                    let inner = facts_within(self.module, *id, self.depth + 1, self.known);
                    self.take_over(&inner, &arguments);
                }
            }
            // The callee is unknown here.
            Callee::Indirect(_) | Callee::Asm(_) => {}
        }
    }

    /// A library function takes a length with its pointers.
    fn library(&mut self, arguments: &[Operand], lengths: &[Length]) {
        for with_length in lengths {
            let of = |index: usize| arguments.get(index).copied();
            let Some(length) = of(with_length.length) else { continue };
            let Some(pointer) = of(with_length.pointer) else { continue };
            for number in self.places(length) {
                let places = self.places(pointer);
                self.facts.bounded.extend(places.into_iter().map(|place| (place, number)));
            }
        }
    }

    /// Applies to the arguments what a callee does with its parameters.
    fn take_over(&mut self, inner: &Facts, arguments: &[Operand]) {
        let mut facts = std::mem::take(&mut self.facts);
        facts.add_translated(inner, |place| -> Vec<Place> {
            let Some(&argument) = arguments.get(place.param as usize) else { return Vec::new() };
            match place.member {
                None => self.places(argument),
                Some(_) => {
                    let param = self.param(argument);
                    param.map(|param| Place { param, ..*place }).into_iter().collect()
                }
            }
        });
        self.facts = facts;
    }

    fn finish(self) -> Facts {
        let Finder { mut facts, uses, .. } = self;
        for &(pointer, index) in &uses.indices {
            let numbers = uses.bounds.iter().filter(|(slot, _)| *slot == index);
            facts.bounded.extend(numbers.map(|&(_, number)| (pointer, number)));
        }
        let pointers = facts.advanced.iter().copied();
        let pointers: BTreeSet<Place> =
            pointers.chain(uses.indices.iter().map(|(pointer, _)| *pointer)).collect();
        for &pointer in &pointers {
            facts.counted.extend(uses.counted_down.iter().map(|&number| (pointer, number)));
        }
        facts.counted.extend(uses.added);
        facts.bounded.retain(|(one, two)| one != two);
        facts.counted.retain(|(one, two)| one != two);
        facts
    }
}

fn add(known: &mut Roots, more: &Roots) -> bool {
    let before = known.len();
    if before < MOST_ROOTS {
        known.extend(more);
    }
    known.len() > before
}

fn keeps_number(op: CastOp) -> bool {
    matches!(
        op,
        CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast
    )
}

/// The comparison with its sides swapped.
fn turned(op: CompareOp) -> CompareOp {
    use CompareOp::*;
    match op {
        Ugt => Ult,
        Uge => Ule,
        Ult => Ugt,
        Ule => Uge,
        Sgt => Slt,
        Sge => Sle,
        Slt => Sgt,
        Sle => Sge,
        same => same,
    }
}

/// Which arguments of a C library function are pointers with a length.
fn lengths_of(name: &str) -> &'static [Length] {
    library::find(name).map_or(&[], |function| &function.lengths)
}
