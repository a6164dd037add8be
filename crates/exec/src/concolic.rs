//! Concolic execution: an observer whose shadows are terms over the input.
//!
//! A run with concrete input builds, beside its values, the terms that express how they depend on
//! the input, and the path condition: what the input must satisfy for a run to take the same path.
//! If a value is used in a way that terms do not follow, it is *pinned*: its concrete value becomes
//! part of the path condition, and the pin is listed. Nothing is made concrete silently.
//!
//! Terms belong to the table of the observer and live as long as it, through any number of runs.
//! Does not choose which conditions to negate.

mod access;
mod arrivals;
mod libc;
mod memo;
mod operate;
mod path;
mod snapshot;
mod source;
mod switch;
mod undefined;
mod wide;

pub use arrivals::{Arrival, Arrivals, Changed, Moment, Tracked};
pub use libc::{Event, Piece, Sink};
pub use path::{Origin, Pin, Step};
pub use snapshot::Snapshot;
pub use source::{Argument, FileByte, FileInteger, FileSource, Text};

use base::entity::SecondaryMap;
use ir::StatementId;
use rustc_hash::FxHashMap;
use smt::{TermId, Terms};

use crate::memory::{Memory, Shade};
use crate::observer::{At, Observer, Operand, Pointer, Spread, Use};
use crate::shims::Shim;
use crate::state::State;
use crate::stop::Site;
use crate::undefined::UndefinedKind;

/// The coverage bit of an operation that a switch or computed goto jumped to. The operation may be
/// a branch itself and have other bits.
pub const JUMPED: u8 = 4;

/// The observer of a concolic run.
pub struct Concolic {
    pub terms: Terms,
    /// The path condition, in the order of execution.
    pub path: Vec<Step>,
    /// Conditions that the run met again after they were on its path, if requested.
    pub repeats: Option<Vec<Step>>,
    /// When operations of the run are undefined, if requested: the kind of each, and the condition
    /// on the input.
    pub undefined: Option<Vec<(UndefinedKind, TermId)>>,
    /// The pins, by place; every place once.
    pub pins: Vec<Pin>,
    /// Output to standard output, standard error and files, and how it depends on the input.
    pub events: Vec<Event>,
    /// The exit status, or the result of an entry other than `main`, if it depends on the input:
    /// one term for each register, 0 for none.
    pub result: Vec<Operand>,
    /// Whether the entry returned, rather than ending the program inside.
    pub returned: bool,
    /// What is to be kept of the moments at which statements begin, and what was.
    pub arrivals: Option<Box<Arrivals>>,
    /// The last invalid address that depends on the input.
    pub unresolved: Option<TermId>,
    /// An instance of an operation, by its place and moment, whose result is kept.
    pub watched: Option<(Site, u64)>,
    /// Its value in the last run.
    pub seen: Option<TermId>,
    /// Where a run took a path that its terms exclude: a bug in Ripple.
    pub contradiction: Option<Site>,
    /// The outcomes of each branch, by function and operation: bit 0 not taken, bit 1 taken, and
    /// [`JUMPED`] for targets of a switch.
    pub covered: Vec<Vec<u8>>,
    /// Whether this run covered something for the first time.
    pub covered_new: bool,
    sources: source::Sources,
    /// For each term the number of the last run that has it on its path.
    on_path: Vec<u32>,
    /// For each marked statement the number of the last run that executed it.
    executed: SecondaryMap<StatementId, u32>,
    run: u32,
    switches: FxHashMap<(u32, u32, TermId, u32), TermId>,
    tables: FxHashMap<access::TableKey, TermId>,
    memo: memo::Memo,
    undefined_memo: Option<memo::Memo>,
    /// The last operation whose condition was recorded: its place and moment.
    conditional: Option<(Site, usize, u64)>,
    /// What the next branch or switch depends on: when it is not taken, and when it is. For a
    /// switch both are the value.
    undecided: Option<[TermId; 2]>,
    pending: libc::PendingCall,
}

impl Default for Concolic {
    fn default() -> Concolic {
        Concolic::new()
    }
}

impl Concolic {
    pub fn new() -> Concolic {
        Concolic {
            terms: Terms::new(),
            path: Vec::new(),
            repeats: None,
            undefined: None,
            pins: Vec::new(),
            events: Vec::new(),
            result: Vec::new(),
            returned: false,
            arrivals: None,
            unresolved: None,
            watched: None,
            seen: None,
            contradiction: None,
            covered: Vec::new(),
            covered_new: false,
            sources: source::Sources::default(),
            on_path: Vec::new(),
            executed: SecondaryMap::new(),
            run: 1,
            switches: FxHashMap::default(),
            tables: FxHashMap::default(),
            memo: memo::Memo::new(),
            undefined_memo: None,
            conditional: None,
            undecided: None,
            pending: libc::PendingCall::default(),
        }
    }

    /// Forgets the last run. Terms and coverage stay.
    pub fn start(&mut self) {
        self.path.clear();
        if let Some(repeats) = &mut self.repeats {
            repeats.clear();
        }
        if let Some(undefined) = &mut self.undefined {
            undefined.clear();
        }
        self.conditional = None;
        self.pins.clear();
        self.events.clear();
        self.result.clear();
        self.returned = false;
        self.unresolved = None;
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.start();
        }
        self.seen = None;
        self.contradiction = None;
        self.covered_new = false;
        self.undecided = None;
        self.sources.clear();
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.on_path.clear();
            self.executed.clear();
            self.run = 1;
        }
    }

    /// Whether the last run executed a marked statement.
    pub fn has_executed(&self, statement: StatementId) -> bool {
        self.executed[statement] == self.run
    }

    /// The term of an operand, in a given width.
    fn term(&mut self, operand: Operand, width: u32) -> TermId {
        match TermId::from_raw(operand.shadow) {
            Some(term) => self.fit(term, width),
            None => self.terms.constant(width, operand.bits),
        }
    }

    /// Zero-extended or truncated to a width.
    fn fit(&mut self, term: TermId, width: u32) -> TermId {
        let now = self.terms.width(term);
        match now.cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Less => self.terms.zext(term, width),
            std::cmp::Ordering::Greater => self.terms.trunc(term, width),
        }
    }

    /// The width in which two zero-extended operands can be compared or combined bit by bit.
    fn common_width(&self, sources: &[Operand]) -> u32 {
        let width = |source: &Operand| match TermId::from_raw(source.shadow) {
            Some(term) => self.terms.width(term),
            None => (u64::BITS - source.bits.leading_zeros()).max(1),
        };
        sources.iter().map(width).max().unwrap_or(1)
    }

    /// A term as a shadow. Constants have none.
    fn shadow_of(&self, term: TermId) -> u32 {
        if self.terms.is_constant(term) { 0 } else { term.raw() }
    }

    /// One byte of a shadowed value in memory.
    fn byte_term(&mut self, shade: Shade, byte: u8) -> TermId {
        let Some(term) = TermId::from_raw(shade.shadow) else {
            return self.terms.constant(8, byte.into());
        };
        let term = self.fit(term, 8 * u32::from(shade.size));
        self.terms.extract(term, 8 * u32::from(shade.part), 8)
    }

    /// The value of bytes, lowest first.
    fn value_of(&mut self, shades: &[Shade], bytes: &[u8]) -> TermId {
        let first = shades[0];
        let whole = |(part, shade): (usize, &Shade)| {
            shade.shadow == first.shadow
                && usize::from(shade.part) == part
                && usize::from(shade.size) == shades.len()
        };
        if let Some(term) = TermId::from_raw(first.shadow)
            && shades.iter().enumerate().all(whole)
        {
            return self.fit(term, 8 * shades.len() as u32);
        }
        if shades.iter().all(|shade| shade.shadow == 0) && bytes.len() <= 8 {
            let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            return self.terms.constant(8 * bytes.len() as u32, word);
        }
        let mut value = self.byte_term(first, bytes[0]);
        for (&shade, &byte) in shades.iter().zip(bytes).skip(1) {
            let high = self.byte_term(shade, byte);
            value = self.terms.concat(high, value);
        }
        value
    }

    /// Some bytes of memory as a register would hold them.
    pub fn value_at(&mut self, memory: &Memory, address: u64, size: u64) -> Operand {
        let Ok(bytes) = memory.bytes(address, size) else { return Operand::default() };
        let bits = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let shades = memory.shades(address, size);
        if shades.iter().all(|shade| shade.shadow == 0) {
            return Operand { bits, shadow: 0 };
        }
        let term = self.value_of(shades, bytes);
        Operand { bits, shadow: self.shadow_of(term) }
    }

    fn cover(&mut self, function: u32, pc: usize, bit: u8) {
        let function = function as usize;
        if function >= self.covered.len() {
            self.covered.resize(function + 1, Vec::new());
        }
        let places = &mut self.covered[function];
        if pc >= places.len() {
            places.resize(pc + 1, 0);
        }
        if places[pc] & bit == 0 {
            places[pc] |= bit;
            self.covered_new = true;
        }
    }
}

impl Observer for Concolic {
    const SHADOWS: bool = true;
    const UNDEFINED: bool = true;

    fn statement(&mut self, statement: StatementId) {
        self.executed[statement] = self.run;
    }

    fn arrive(&mut self, statement: StatementId, state: &State) {
        self.statement(statement);
        if let Some(arrivals) = &mut self.arrivals {
            let undefined = self.undefined.as_ref().map_or(0, Vec::len);
            arrivals.arrive(statement, (self.path.len(), undefined), state);
        }
    }

    fn returning(&mut self, state: &State, first: usize, count: u16) {
        if let Some(arrivals) = &mut self.arrivals {
            let undefined = self.undefined.as_ref().map_or(0, Vec::len);
            arrivals.resume((self.path.len(), undefined), state, first, count);
        }
    }

    fn derive(&mut self, at: At<'_>, sources: &[Operand], results: &mut [u32]) {
        if self.undefined.is_some() {
            self.note_condition(at, sources);
        }
        self.operate(at, sources, results);
        if self.watched.is_some() {
            self.copy(at, results.first().copied().unwrap_or(0));
        }
    }

    fn undefined(&mut self, at: At<'_>, kind: UndefinedKind) {
        self.note_undefined(at, kind);
    }

    fn copy(&mut self, at: At<'_>, shadow: u32) {
        if self.watched == Some((at.site(), at.steps)) {
            self.seen = TermId::from_raw(shadow);
        }
    }

    fn assemble(&mut self, _: At<'_>, shades: &[Shade], bytes: &[u8]) -> u32 {
        let value = self.value_of(shades, bytes);
        self.shadow_of(value)
    }

    fn recall(&mut self, at: At<'_>, shadow: u32) -> u32 {
        if self.decide_argument(at, shadow) { 0 } else { shadow }
    }

    fn see(&mut self, at: At<'_>, address: u64, size: u64) {
        self.see_text(at, address, size);
    }

    fn decide(&mut self, at: At<'_>, sources: &[Operand]) {
        self.take_way(at, sources);
    }

    fn consume(&mut self, at: At<'_>, how: Use, operand: Operand) {
        self.pin(at, operand, how);
    }

    fn load(&mut self, at: At<'_>, memory: &Memory, from: &Pointer, words: &mut [u32]) -> bool {
        self.load_anywhere(at, memory, from, words)
    }

    fn store(
        &mut self,
        at: At<'_>,
        memory: &Memory,
        to: &Pointer,
        words: &[Operand],
    ) -> Option<Spread> {
        self.store_anywhere(at, memory, to, words)
    }

    fn call(&mut self, at: At<'_>, shim: &'static Shim, args: &[Operand], state: &mut State) {
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.call(self.path.len(), shim.name);
        }
        self.before_call(at, shim, args, state);
    }

    fn answer(
        &mut self,
        at: At<'_>,
        shim: &'static Shim,
        args: &[Operand],
        state: &mut State,
        result: u64,
    ) -> u32 {
        let shadow = self.after_call(at, shim, args, state, result);
        self.pending.name = None;
        shadow
    }

    fn finish(&mut self, results: &[Operand]) {
        self.result = results.to_vec();
        self.returned = true;
    }

    fn branch(&mut self, at: At<'_>, taken: bool) {
        if let Some(conditions) = self.undecided.take() {
            self.push(at, conditions[usize::from(taken)], Origin::Branch, taken.into());
        }
        self.cover(at.code.function.as_u32(), at.pc, 1 << u8::from(taken));
    }

    fn jump(&mut self, at: At<'_>, target: u32) {
        if let Some([value, _]) = self.undecided.take() {
            self.take_switch(at, value, target);
        }
        // The target of the jump identifies the outcome.
        self.cover(at.code.function.as_u32(), target as usize, JUMPED);
    }
}
