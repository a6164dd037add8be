//! Whether a run that reached its bound of steps will never end.
//!
//! Answers yes only with a proof: the run returns to exactly the same state (Brent, *An improved
//! Monte Carlo factorization algorithm*, 1980), or it repeats a loop in which nothing that decides
//! where control goes, or could fault, differs from the previous round. Standard output and
//! standard error are no part of the state, because no program can read them. A run without a proof
//! may end or not.

use super::Machine;
use crate::code::flow::Access;
use crate::code::{Code, Op, Reg, Slow};
use crate::observer::Observer;
use crate::state::{Frame, State};
use crate::stop::{Bound, Stop};

/// Why a run never ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// It is in the same state as `steps` steps before.
    Same { steps: u64 },
    /// It repeats a loop of `steps` steps whose conditions never change, though other values do.
    Idle { steps: u64 },
}

/// Jumps after which the reference state is first replaced by a later one.
const FIRST_ROUND: u64 = 64;
/// Operations of a loop examined for which registers matter, over all its rounds.
const MOST_LOOKED_AT: usize = 1 << 19;
/// Operations that such a loop may have.
const LONGEST_LOOP: usize = 1 << 13;

impl<O: Observer> Machine<'_, O> {
    /// Tries to prove that a run that reached its bound of steps never ends, by continuing for at
    /// most so many steps. What the run does after that is meaningless.
    pub fn never_ends(&mut self, most: u64) -> Option<Recurrence> {
        if self.state.ended.is_some() || self.state.frames.is_empty() {
            return None;
        }
        let bound = self.state.limits.steps;
        // A program must not depend on the addresses it gets. A loop that allocates and frees
        // should get the same ones in every round, as from most allocators.
        self.state.memory.hasty = true;
        let found = self.idles(most).or_else(|| self.recurs(most));
        self.state.limits.steps = bound;
        // Values outside of the input differ between runs, and other runs may end.
        let state = &self.state;
        let is_determined = state.memory.undefined_reads + state.undefined_slots == 0
            && !state.clocked
            && !state.process.kernel.may_interrupt();
        found.filter(|_| is_determined)
    }

    /// Continues to the next jump, call or return; returns whether the run can still continue.
    fn advance(&mut self) -> bool {
        self.state.limits.steps = self.state.steps;
        let Err(stop) = self.execute();
        if stop != Stop::Exhausted(Bound::Steps) {
            self.state.ended = Some(stop);
            return false;
        }
        true
    }

    /// Continues until a state repeats.
    fn recurs(&mut self, most: u64) -> Option<Recurrence> {
        if self.state.ended.is_some() {
            return None;
        }
        let end = self.state.steps.saturating_add(most);
        // Comparisons take time, too.
        let mut spent = 0u64;
        let mut round = FIRST_ROUND;
        loop {
            let known = self.state.fork();
            for _ in 0..round {
                if self.state.steps.saturating_add(spent) > end || !self.advance() {
                    return None;
                }
                if !self.is_at(&known) {
                    continue;
                }
                spent += 16 + self.state.memory.object_count() as u64 / 4;
                if self.is_like(&known) {
                    return Some(Recurrence::Same { steps: self.state.steps - known.steps });
                }
            }
            round *= 2;
        }
    }

    /// Whether the innermost frame is the same as in another state: most states differ there.
    fn is_at(&self, other: &State) -> bool {
        let (Some(one), Some(another)) = (self.state.frames.last(), other.frames.last()) else {
            return false;
        };
        (one.function, one.pc, one.base) == (another.function, another.pc, another.base)
            && self.state.frames.len() == other.frames.len()
            && {
                let from = one.base as usize;
                let to = from + usize::from(self.program.code(one.function).registers);
                self.state.registers.get(from..to) == other.registers.get(from..to)
            }
    }

    /// Whether the run continues from here forever as it would from another state.
    fn is_like(&self, other: &State) -> bool {
        // Destructured, so that no part can be forgotten. Shadows belong to the observer, and
        // limits are the same.
        let State {
            memory,
            registers,
            shadows: _,
            spread: _,
            frames,
            locals,
            serial: _,
            stack,
            steps: _,
            limits: _,
            process,
            site: _,
            undefined_slots: _,
            undefined: _,
            clocked: _,
            marked,
            ended: _,
        } = &self.state;
        let Some(last) = frames.last() else { return false };
        let used = last.base as usize + usize::from(self.program.code(last.function).registers);
        let same_frame = |(one, other): (&Frame, &Frame)| {
            if *marked {
                one == other
            } else {
                // Only `setjmp` can show which call it is.
                *one == Frame { serial: one.serial, ..other.clone() }
            }
        };
        registers.get(..used) == other.registers.get(..used)
            && *stack == other.stack
            && frames.len() == other.frames.len()
            && frames.iter().zip(&other.frames).all(same_frame)
            && *locals == other.locals
            && memory.is_like(&other.memory)
            && process.is_like(&other.process)
    }

    /// Follows the innermost loop, as long as it only computes and reads, until everything that
    /// decides about its next round is unchanged.
    fn idles(&mut self, most: u64) -> Option<Recurrence> {
        let frame = self.state.frames.last()?;
        let (start, depth, base) =
            (frame.pc as usize, self.state.frames.len(), frame.base as usize);
        let code = self.program.code(frame.function);
        let count = usize::from(code.registers);
        let known: Vec<u64> = self.state.registers.get(base..base + count)?.to_vec();
        let end = self.state.steps.saturating_add(most);
        let mut executed: Vec<usize> = Vec::new();
        let mut looked_at = 0;
        let mut pc = start;
        loop {
            let before = self.state.steps;
            if before > end || !self.advance() {
                return None;
            }
            let steps = (self.state.steps - before) as usize;
            let ops = code.ops.get(pc..pc.checked_add(steps)?)?;
            let only_computes = ops.iter().all(|op| Effect::of(code, op).is_some());
            if !only_computes || self.state.frames.len() != depth {
                return None;
            }
            executed.extend(pc..pc + steps);
            pc = self.state.frames.last()?.pc as usize;
            if pc != start {
                if executed.len() > LONGEST_LOOP {
                    return None;
                }
                continue;
            }
            looked_at += executed.len();
            if looked_at > MOST_LOOKED_AT || executed.len() > LONGEST_LOOP {
                return None;
            }
            let relevant = relevant(code, &executed, count);
            let now = self.state.registers.get(base..base + count)?;
            let same = |register: usize| !relevant[register] || known[register] == now[register];
            if (0..count).all(same) {
                return Some(Recurrence::Idle { steps: executed.len() as u64 });
            }
        }
    }
}

/// The effect on registers of an operation that only computes and reads.
struct Effect {
    writes: Option<(Reg, u16)>,
    reads: smallvec::SmallVec<[(Reg, u16); 4]>,
    /// Whether the values it reads decide where control goes, or whether there is a fault.
    decides: bool,
}

impl Effect {
    /// Nothing if the operation does more than that.
    fn of(code: &Code, op: &Op) -> Option<Effect> {
        if let Some(operands) = op.operands() {
            let reads = operands.reads[..usize::from(operands.count)].iter().map(|&read| (read, 1));
            let may_fault = matches!(
                op,
                Op::UDiv { .. }
                    | Op::URem { .. }
                    | Op::SDiv32 { .. }
                    | Op::SRem32 { .. }
                    | Op::Int { .. }
            );
            return Some(Effect {
                writes: operands.writes.map(|register| (register, 1)),
                reads: reads.collect(),
                decides: may_fault || operands.writes.is_none(),
            });
        }
        if let Some(access) = op.access() {
            return Effect::of_load(access);
        }
        let none = Effect { writes: None, reads: Default::default(), decides: false };
        match *op {
            Op::Const { d, .. } => Some(Effect { writes: Some((d, 1)), ..none }),
            Op::Jump { .. } | Op::Statement { .. } => Some(none),
            Op::CheckSlot { flag } => {
                Some(Effect { reads: smallvec::smallvec![(flag, 1)], decides: true, ..none })
            }
            Op::Slow { index } => match &code.slow[index as usize] {
                slow @ (Slow::Load { .. } | Slow::BigLoad { .. }) => {
                    slow.access().and_then(Effect::of_load)
                }
                slow @ (Slow::Binary { .. }
                | Slow::BigBinary { .. }
                | Slow::BigCompare { .. }
                | Slow::BigCast { .. }
                | Slow::Negate { .. }
                | Slow::Compare { .. }
                | Slow::Cast { .. }
                | Slow::Bitcast { .. }) => {
                    let flow = slow.flow();
                    Some(Effect { writes: flow.writes, reads: flow.reads, decides: true })
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn of_load(access: Access) -> Option<Effect> {
        if access.write {
            return None;
        }
        let mut reads = smallvec::smallvec![(access.base, 1)];
        reads.extend(access.index.map(|(register, _)| (register, 1)));
        let words = access.bytes.div_ceil(8) as u16;
        Some(Effect { writes: Some((access.value, words)), reads, decides: true })
    }
}

/// The registers that determine which of the operations are executed next time: those that decide,
/// and those that these are computed from, over any number of rounds.
fn relevant(code: &Code, executed: &[usize], count: usize) -> Vec<bool> {
    let each = |(first, length): (Reg, u16)| usize::from(first)..usize::from(first + length);
    let mut at_end = vec![false; count];
    loop {
        let mut relevant = at_end.clone();
        for &pc in executed.iter().rev() {
            let Some(effect) = Effect::of(code, &code.ops[pc]) else { continue };
            let mut is_wanted = effect.decides;
            for register in effect.writes.into_iter().flat_map(each) {
                is_wanted |= std::mem::replace(&mut relevant[register], false);
            }
            if is_wanted {
                for register in effect.reads.iter().copied().flat_map(each) {
                    relevant[register] = true;
                }
            }
        }
        let is_closed = relevant.iter().zip(&at_end).all(|(&wanted, &known)| !wanted || known);
        if is_closed {
            return at_end;
        }
        for (known, wanted) in at_end.iter_mut().zip(relevant) {
            *known |= wanted;
        }
    }
}
