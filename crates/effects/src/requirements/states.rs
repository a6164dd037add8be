//! States of two versions at the end of a chain, in a form in which they can be compared.
//!
//! A state has the values of what is live: local variables of all functions entered, by the code that
//! may still read them, and memory. Memory counts as live. Pointers into objects are known by the
//! object and the distance from its beginning, since addresses differ between versions.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base::Version;
use exec::code::{Pc, Reg};
use exec::concolic::{Arrival, Concolic};
use exec::memory::Memory;
use exec::observer::Operand;
use exec::{Machine, Program};
use explore::Partial;
use explore::partial::{Activation, Root};
use ir::{FuncId, SlotId, StatementId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{TermId, Terms};
use trace::chains::{Common, Point};

use super::names::Names;

/// A value of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Term(TermId),
    /// The object, and the distance from its beginning.
    Place(String, u64),
}

/// What is live at a moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct State {
    /// The functions entered, and the calls they are at, as NEW numbers them.
    shape: Vec<(Version, FuncId, Option<Point>)>,
    variables: BTreeMap<Rc<str>, Value>,
    /// Parts of memory that are not as in the beginning, by the name of what they were.
    memory: BTreeMap<Rc<str>, Value>,
}

/// How two states compare.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Contrast {
    /// They differ if one of these holds; never, if there are none.
    When(Vec<TermId>),
    /// They differ always.
    Always,
    /// A variable that only one version has is live.
    Unknown(String),
}

/// What is known of places in the functions of both versions.
type Known<Place, T> = RefCell<FxHashMap<Place, Rc<T>>>;

/// Makes states of arrivals.
pub(super) struct States<'a> {
    pub programs: [&'a Program; 2],
    pub common: Common<'a>,
    pub names: Names<'a>,
    places: RefCell<FxHashMap<(Version, StatementId), Option<Pc>>>,
    live: Known<(Version, FuncId, Pc), FxHashSet<Reg>>,
    slots: Known<(Version, FuncId), [LiveSlot]>,
    addresses: [FxHashMap<u64, String>; 2],
}

/// A local variable in a register.
#[derive(Clone, Debug)]
struct LiveSlot {
    register: Reg,
    bits: u32,
    name: String,
}

/// The local variables whose registers are kept, of each function.
pub(super) fn slots_of(program: &Program, function: FuncId) -> Vec<(SlotId, Reg, u32)> {
    let Some(body) = program.module.functions[function].body() else { return Vec::new() };
    let types = &program.module.types;
    let all = body.slots.iter().zip(&program.code(function).slots);
    let small = all.filter_map(|((id, slot), &(register, _))| {
        let size = types.layout(slot.ty).size;
        (size <= 8).then_some((id, register, 8 * size.max(1) as u32))
    });
    small.collect()
}

impl<'a> States<'a> {
    pub fn new(programs: [&'a Program; 2], common: Common<'a>) -> States<'a> {
        let addresses = programs.map(|program| {
            let module = &program.module;
            let named = module.globals.iter().map(|(id, global)| {
                // Constants are what they contain.
                let name = match (&global.init, global.constant) {
                    (Some(init), true) => format!("constant {init:?}"),
                    _ => global.name.clone(),
                };
                (program.addresses.globals[id], name)
            });
            named.collect()
        });
        States {
            programs,
            common,
            names: Names { programs, matching: common.matching },
            places: RefCell::default(),
            live: RefCell::default(),
            slots: RefCell::default(),
            addresses,
        }
    }

    /// Where the code of a statement begins.
    fn place_of(&self, version: Version, statement: StatementId) -> Option<Pc> {
        let mut known = self.places.borrow_mut();
        let find = || self.programs[version].place_of(statement).map(|(_, pc)| pc);
        *known.entry((version, statement)).or_insert_with(find)
    }

    fn live(&self, version: Version, function: FuncId, pc: Pc) -> Rc<FxHashSet<Reg>> {
        let mut known = self.live.borrow_mut();
        let find = || {
            let live = self.programs[version].code(function).live_at(pc);
            Rc::new(live.into_iter().collect())
        };
        Rc::clone(known.entry((version, function, pc)).or_insert_with(find))
    }

    fn slots(&self, version: Version, function: FuncId) -> Rc<[LiveSlot]> {
        let mut known = self.slots.borrow_mut();
        let find = || {
            let all = slots_of(self.programs[version], function).into_iter();
            let slots = all.map(|(slot, register, bits)| {
                let frames = [Activation { function, pc: 0 }];
                let name = self.names.of(version, &frames, Root::Slot(0, slot));
                LiveSlot { register, bits, name }
            });
            slots.collect()
        };
        Rc::clone(known.entry((version, function)).or_insert_with(find))
    }

    /// The names of the variables of a frame that are live; at the end of a chain, in either version.
    fn live_names(
        &self,
        version: Version,
        function: FuncId,
        pc: Pc,
        statement: StatementId,
        is_last: bool,
    ) -> FxHashSet<String> {
        let names = |version: Version, function: FuncId, pc: Pc| {
            let live = self.live(version, function, pc);
            let slots = self.slots(version, function);
            let live = slots.iter().filter(|slot| live.contains(&slot.register));
            live.map(|slot| slot.name.clone()).collect::<Vec<_>>()
        };
        let mut all: FxHashSet<String> = names(version, function, pc).into_iter().collect();
        let matching = self.common.matching;
        let there = || {
            let there = matching.counterpart(version, statement)?;
            let pc = self.place_of(version.other(), there)?;
            Some(names(version.other(), matching.function(version, function)?, pc))
        };
        if is_last {
            all.extend(there().into_iter().flatten());
        }
        all
    }

    /// The state at an arrival.
    pub fn of(
        &self,
        version: Version,
        arrival: &Arrival,
        partial: &Partial<'_>,
        machine: &mut Machine<'_, Concolic>,
        tracked: &[(Root, u64)],
    ) -> State {
        let mut state =
            State { shape: Vec::new(), variables: BTreeMap::new(), memory: BTreeMap::new() };
        let last = arrival.frames.len().saturating_sub(1);
        let place = |address: u64| self.place(version, address, (partial, tracked));
        for (number, (function, pc, registers)) in arrival.frames.iter().enumerate() {
            let begins = arrival.results.is_none();
            let (pc, call) = if number == last && begins {
                (self.place_of(version, arrival.statement).unwrap_or(*pc), None)
            } else {
                (*pc, self.call_before(version, *function, *pc))
            };
            if let Some(results) = arrival.results.as_ref().filter(|_| number == last) {
                for (index, &operand) in results.iter().enumerate() {
                    if self.is_result_used(version, *function, pc, index) {
                        let value = value(&mut machine.observer.terms, operand, 64, &place);
                        state.variables.insert(format!("{number}:result {index}").into(), value);
                    }
                }
            }
            let function_of_new = self.common.function(version, *function);
            let is_shared = self.common.matching.function(version, *function).is_some();
            let owner = if is_shared { Version::New } else { version };
            state.shape.push((owner, function_of_new, call));
            let live = self.live_names(
                version,
                *function,
                pc,
                arrival.statement,
                number == last && begins,
            );
            for (slot, &operand) in self.slots(version, *function).iter().zip(registers) {
                if live.contains(&slot.name) {
                    let value = value(&mut machine.observer.terms, operand, slot.bits, &place);
                    state.variables.insert(format!("{number}:{}", slot.name).into(), value);
                }
            }
        }
        for changed in &arrival.changed {
            let Some(&(root, _)) = tracked.get(changed.object) else { continue };
            for unknown in partial.unknowns.iter().filter(|unknown| unknown.root == root) {
                let range =
                    unknown.offset as usize..unknown.offset as usize + unknown.bytes as usize;
                let Some(bytes) = changed.bytes.get(range.clone()) else { continue };
                let shades = changed.shades.get(range).unwrap_or(&[]);
                let term = machine.observer.word(shades, bytes);
                if term == unknown.term {
                    continue;
                }
                let terms = &mut machine.observer.terms;
                let bits = terms.as_constant(term).filter(|_| unknown.bytes == 8);
                let value = match bits.and_then(place) {
                    Some((object, distance)) => Value::Place(object, distance),
                    None => Value::Term(term),
                };
                let name = terms.variable_info(unknown.variable).name.as_str().into();
                state.memory.insert(name, value);
            }
        }
        state
    }

    /// Whether a result of the call before an operation is used.
    fn is_result_used(&self, version: Version, function: FuncId, pc: Pc, index: usize) -> bool {
        let code = self.programs[version].code(function);
        let written = (pc as usize).checked_sub(1).and_then(|at| code.written(at));
        written.is_some_and(|(first, count)| {
            let register = first + index as Reg;
            index < usize::from(count) && self.live(version, function, pc).contains(&register)
        })
    }

    /// The call that a frame is at.
    fn call_before(&self, version: Version, function: FuncId, pc: Pc) -> Option<Point> {
        let program = self.programs[version];
        let inst = *program.code(function).origins.get((pc as usize).checked_sub(1)?)?;
        let body = program.module.functions[function].body()?;
        Some(self.common.point(version, body.insts[inst].statement))
    }

    /// The object that an address points into.
    fn place(
        &self,
        version: Version,
        address: u64,
        (partial, tracked): (&Partial<'_>, &[(Root, u64)]),
    ) -> Option<(String, u64)> {
        if let Some(function) = Memory::function_at(address) {
            let functions = &self.programs[version].module.functions;
            let known = functions.get(FuncId::from_u32(function));
            return known.map(|function| (format!("function {}", function.name), 0));
        }
        let (window, _) = Memory::split(address);
        let is_there = |start: u64| Memory::split(start).0 == window;
        if let Some((root, start)) = tracked.iter().find(|(_, start)| is_there(*start)) {
            let name = self.names.of(version, &partial.frames, *root);
            return Some((name, address.wrapping_sub(*start)));
        }
        let mut globals = self.addresses[version].iter();
        let found = globals.find(|(start, _)| is_there(**start));
        found.map(|(start, name)| (name.clone(), address.wrapping_sub(*start)))
    }
}

fn value(
    terms: &mut Terms,
    operand: Operand,
    bits: u32,
    place: &dyn Fn(u64) -> Option<(String, u64)>,
) -> Value {
    match TermId::from_raw(operand.shadow) {
        Some(term) => Value::Term(match terms.width(term).cmp(&bits) {
            std::cmp::Ordering::Less => terms.zext(term, bits),
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => terms.trunc(term, bits),
        }),
        None => match place(operand.bits).filter(|_| bits == 64) {
            Some((object, distance)) => Value::Place(object, distance),
            None => Value::Term(terms.constant(bits, operand.bits)),
        },
    }
}

impl State {
    /// When this state differs from one of the other version.
    pub fn contrast(&self, other: &State, terms: &mut Terms) -> Contrast {
        if self.shape != other.shape {
            return Contrast::Always;
        }
        let mut when = Vec::new();
        let names = self.variables.keys().chain(other.variables.keys());
        for name in names {
            let (Some(one), Some(two)) = (self.variables.get(name), other.variables.get(name))
            else {
                // It is live in one version: whether it differs would show only there.
                return Contrast::Unknown(source_name(name));
            };
            if !add_difference(terms, one, two, &mut when) {
                return Contrast::Always;
            }
        }
        let names = self.memory.keys().chain(other.memory.keys());
        for name in names {
            let before = terms.find_variable(name).map(|variable| terms.variable_term(variable));
            let Some(before) = before else { continue };
            let of = |state: &State| state.memory.get(name).cloned().unwrap_or(Value::Term(before));
            if !add_difference(terms, &of(self), &of(other), &mut when) {
                return Contrast::Always;
            }
        }
        when.sort_unstable();
        when.dedup();
        Contrast::When(when)
    }
}

/// Adds when two values differ; returns false if they always do.
fn add_difference(terms: &mut Terms, one: &Value, two: &Value, when: &mut Vec<TermId>) -> bool {
    match (one, two) {
        (one, two) if one == two => true,
        (Value::Term(a), Value::Term(b)) if terms.width(*a) == terms.width(*b) => {
            let differ = terms.ne(*a, *b);
            match terms.as_constant(differ) {
                Some(0) => true,
                Some(_) => false,
                None => {
                    when.push(differ);
                    true
                }
            }
        }
        _ => false,
    }
}

/// The name of a variable as the source has it.
fn source_name(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.split('#').next().unwrap_or(name).to_owned()
}
