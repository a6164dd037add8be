//! What recorders of dependences share: the decision that an event depends on, and the shadows that
//! memory gets.
//!
//! Control dependence is found while a program runs, from immediate post-dominators, as in Xin,
//! Zhang (2007). Each recorder decides what an instance of an instruction is and what else it
//! depends on: instances are known by handles, of which 0 is the start of the run.

use base::entity::{EntityRef, SecondaryMap};
use exec::Program;
use exec::memory::{Memory, Shade};
use exec::observer::{At, Spread};
use ir::{BlockId, FuncId, StatementId};

use crate::sites::{Places, block_of};

/// For the blocks of each function, the block on every path to its end; none if there is no such
/// block.
#[derive(Clone, Debug, Default)]
pub struct Postdominators(pub SecondaryMap<FuncId, SecondaryMap<BlockId, Option<BlockId>>>);

/// The functions that were entered and not left, with the decisions that hold in each.
pub(crate) struct ControlStack<'p, E> {
    program: &'p Program,
    postdominators: &'p Postdominators,
    pub places: Places<'p>,
    activations: Vec<Activation<E>>,
    entered: u32,
}

/// A function that was entered and not left.
struct Activation<E> {
    number: u32,
    function: FuncId,
    /// What its call depends on.
    call: E,
    /// Decisions whose paths have not met again, with the block where they do.
    regions: Vec<(E, Option<BlockId>)>,
}

impl<'p, E: EntityRef> ControlStack<'p, E> {
    pub fn new(program: &'p Program, postdominators: &'p Postdominators) -> ControlStack<'p, E> {
        let places = Places::new(program);
        ControlStack { program, postdominators, places, activations: Vec::new(), entered: 0 }
    }

    /// Starts again with no function entered.
    pub fn restart(&mut self) {
        self.activations.clear();
        self.entered = 0;
    }

    /// The decision or call that current events depend on.
    #[inline]
    pub fn control(&self) -> E {
        match self.activations.last() {
            Some(Activation { regions, call, .. }) => regions.last().map_or(*call, |last| last.0),
            None => E::new(0),
        }
    }

    /// The number of the innermost activation; 0 if there is none.
    #[inline]
    pub fn activation(&self) -> u32 {
        self.activations.last().map_or(0, |activation| activation.number)
    }

    pub fn enter(&mut self, function: FuncId, call: E) {
        self.entered += 1;
        let (number, regions) = (self.entered, Vec::new());
        self.activations.push(Activation { number, function, call, regions });
    }

    pub fn leave(&mut self) {
        self.activations.pop();
    }

    /// A statement begins. Returns the block that begins with it: decisions whose paths meet there
    /// are over.
    #[inline]
    pub fn begin(&mut self, statement: StatementId) -> Option<BlockId> {
        let activation = self.activations.last_mut()?;
        let block = self.program.module.statements[statement].block;
        if self.places.of(activation.function).firsts[block] != Some(statement) {
            return None;
        }
        while activation.regions.last().is_some_and(|region| region.1 == Some(block)) {
            activation.regions.pop();
        }
        Some(block)
    }

    /// A decision was made.
    pub fn decide(&mut self, at: At<'_>, decision: E) {
        let Some(block) = block_of(self.program, at.code, at.pc) else { return };
        let end = self.postdominators.0[at.function()][block];
        let Some(activation) = self.activations.last_mut() else { return };
        match activation.regions.last_mut() {
            // The next round of a loop, or a decision that meets where the one before does.
            Some(last) if last.1 == end => last.0 = decision,
            _ => activation.regions.push((decision, end)),
        }
    }
}

/// Bytes that all come from one instance.
pub(crate) fn spread(address: u64, bytes: u64, shadow: u32) -> Spread {
    let shade = Shade { shadow, part: 0, size: 1 };
    Spread { address, shades: vec![shade; bytes as usize] }
}

/// What a function of the machine wrote comes from its call.
pub(crate) fn mark_written(memory: &mut Memory, writes: &[(u64, u64)], shadow: u32) {
    for &(address, size) in writes {
        // If the memory is no longer writable, it has no shadow.
        let _ = memory.set_shades(address, &spread(address, size, shadow).shades);
    }
}
