//! The state at the moments at which statements begin, for those who compare states of two runs.
//!
//! Of each moment, the registers of local variables in all frames are kept, and the tracked objects
//! that are not as they were in the beginning. What a run makes or asks for that is in neither, such
//! as new blocks of memory and input, is noted with its moment.

use ir::{FuncId, StatementId};
use rustc_hash::FxHashMap;

use crate::code::Reg;
use crate::memory::Shade;
use crate::observer::Operand;
use crate::state::State;

/// What to keep, and what was kept.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    /// Whose beginnings are kept.
    pub watched: Vec<StatementId>,
    /// The watched statements that go on when a call in them returns, by the operation behind it.
    pub resumed: FxHashMap<(FuncId, u32), StatementId>,
    /// By function: the registers to keep.
    pub registers: FxHashMap<FuncId, Vec<Reg>>,
    /// The memory to keep.
    pub objects: Vec<Tracked>,
    /// The most moments to keep of a run.
    pub most: usize,
    /// The moments of the last run.
    pub all: Vec<Arrival>,
    /// Whether there were more.
    pub is_cut: bool,
    /// The first call in the last run that made a new object.
    pub made: Option<Moment>,
    /// The first call whose result is not determined by memory, with its name.
    pub asked: Option<(&'static str, Moment)>,
}

/// An object whose contents are kept if they change.
#[derive(Clone, Debug)]
pub struct Tracked {
    pub address: u64,
    pub size: u64,
    bytes: Vec<u8>,
    shades: Vec<Shade>,
}

/// A place in a run: how many conditions and how many arrivals there were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub path: usize,
    pub arrivals: usize,
}

/// A statement begins, or goes on behind a call.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub statement: StatementId,
    /// How many conditions were on the path before.
    pub path: usize,
    /// How many conditions for undefined operations there were.
    pub undefined: usize,
    /// The functions entered, the outermost first, with their registers in the order asked for.
    pub frames: Vec<(FuncId, u32, Vec<Operand>)>,
    pub changed: Vec<Changed>,
    /// The results of the call that it goes on behind.
    pub results: Option<Vec<Operand>>,
}

/// A tracked object that is not as it was.
#[derive(Clone, Debug)]
pub struct Changed {
    pub object: usize,
    pub bytes: Vec<u8>,
    pub shades: Vec<Shade>,
}

impl Tracked {
    /// An object as it is now.
    pub fn new(address: u64, size: u64, state: &State) -> Tracked {
        let bytes = state.memory.bytes(address, size).unwrap_or_default().to_vec();
        let shades = state.memory.shades(address, size).to_vec();
        Tracked { address, size, bytes, shades }
    }

    fn changed(&self, object: usize, state: &State) -> Option<Changed> {
        let bytes = state.memory.bytes(self.address, self.size).ok()?;
        let shades = state.memory.shades(self.address, self.size);
        let is_alike = bytes == self.bytes && shades == self.shades;
        let now = || Changed { object, bytes: bytes.to_vec(), shades: shades.to_vec() };
        (!is_alike).then(now)
    }
}

impl Arrivals {
    /// A run begins.
    pub fn start(&mut self) {
        self.all.clear();
        (self.is_cut, self.made, self.asked) = (false, None, None);
    }

    pub(super) fn arrive(&mut self, statement: StatementId, place: (usize, usize), state: &State) {
        if self.watched.binary_search(&statement).is_ok() {
            let count = state.activations().len();
            self.keep(statement, place, (state, count), None);
        }
    }

    /// The innermost function returns.
    pub(super) fn resume(
        &mut self,
        place: (usize, usize),
        state: &State,
        first: usize,
        count: u16,
    ) {
        let Some(callers) = state.activations().len().checked_sub(1) else { return };
        let caller = callers.checked_sub(1).and_then(|last| state.activations().nth(last));
        let statement = caller.and_then(|caller| self.resumed.get(&caller).copied());
        if let Some(statement) = statement {
            let results = (first..first + usize::from(count)).map(|at| state.register_at(at));
            self.keep(statement, place, (state, callers), Some(results.collect()));
        }
    }

    fn keep(
        &mut self,
        statement: StatementId,
        (path, undefined): (usize, usize),
        (state, count): (&State, usize),
        results: Option<Vec<Operand>>,
    ) {
        if self.all.len() >= self.most {
            self.is_cut = true;
            return;
        }
        let frames = state.activations().take(count).enumerate();
        let frames = frames.map(|(number, (function, pc))| {
            let registers = self.registers.get(&function).into_iter().flatten();
            let kept = registers.map(|&register| state.register_of(number, register));
            (function, pc, kept.collect())
        });
        let frames = frames.collect();
        let objects = self.objects.iter().enumerate();
        let changed = objects.filter_map(|(number, object)| object.changed(number, state));
        let changed = changed.collect();
        self.all.push(Arrival { statement, path, undefined, frames, changed, results });
    }

    pub(super) fn call(&mut self, path: usize, name: &'static str) {
        let known = library::find(name);
        let moment = Moment { path, arrivals: self.all.len() };
        if known.is_some_and(library::Function::makes_object) {
            self.made.get_or_insert(moment);
        }
        let is_end = known.is_some_and(|known| known.end() == Some(library::End::Exits));
        if known.is_none_or(library::Function::looks_outside) && !is_end {
            self.asked.get_or_insert((name, moment));
        }
    }
}

impl super::Concolic {
    /// Bytes of memory as one value, lowest first. Without shades it is a constant.
    pub fn word(&mut self, shades: &[Shade], bytes: &[u8]) -> smt::TermId {
        if shades.len() == bytes.len() {
            return self.value_of(shades, bytes);
        }
        let none = vec![Shade::default(); bytes.len()];
        self.value_of(&none, bytes)
    }
}
