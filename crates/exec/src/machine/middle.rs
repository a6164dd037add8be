//! Runs that start in the middle of a function.
//!
//! The frame and its local objects exist, but the caller must set registers and memory: how the run
//! got there is unknown.

use ir::{FuncId, StatementId};

use super::Machine;
use crate::code::{Op, Pc, Reg};
use crate::observer::{Observer, Operand};
use crate::program::Program;
use crate::state::Then;
use crate::stop::Stop;

impl Program {
    /// Where the code of a statement begins.
    pub fn place_of(&self, statement: StatementId) -> Option<(FuncId, Pc)> {
        for (function, data) in self.module.functions.iter() {
            let Some(body) = data.body() else { continue };
            if !body.insts.values().any(|inst| inst.statement == statement) {
                continue;
            }
            let origins = &self.code(function).origins;
            let found = origins.iter().position(|&inst| body.insts[inst].statement == statement);
            return found.map(|pc| (function, pc as Pc));
        }
        None
    }
}

impl<O: Observer> Machine<'_, O> {
    /// Enters a function at a place in its middle; the run ends when it returns. Slots count as
    /// written.
    pub fn begin_at(&mut self, function: FuncId, pc: Pc) -> Result<(), Stop> {
        self.enter(function, &[], Then::Entry)?;
        self.stand_at(function, pc)
    }

    /// Makes the frame of a function that was just entered one that has come to a place.
    fn stand_at(&mut self, function: FuncId, pc: Pc) -> Result<(), Stop> {
        let code = self.program.code(function);
        for register in 0..code.registers {
            self.set_register(register, Operand::default());
        }
        for &op in &code.ops {
            if let Op::Alloca { d, size } = op {
                self.alloca(d, size)?;
            }
        }
        for flag in code.slots.iter().filter_map(|&(_, flag)| flag) {
            self.set(flag, 1);
        }
        let frame = self.state.frames.last_mut().expect("it has just been entered");
        frame.pc = pc;
        Ok(())
    }

    /// Enters, from the call that the innermost frame is at, a function at a place in its middle.
    /// The frame continues behind the call. Fails with `None` if there is no such call.
    pub fn call_at(&mut self, function: FuncId, pc: Pc) -> Option<Result<(), Stop>> {
        let frame = self.state.frames.last_mut()?;
        let code = self.program.code(frame.function);
        let (d, site) = match *code.ops.get(frame.pc as usize)? {
            Op::Call { d, site, .. } | Op::CallIndirect { d, site, .. } => (d, site),
            _ => return None,
        };
        let callee = self.program.code(function);
        // A call that disagrees with the function about its type converts arguments and result.
        if code.sites[site as usize].signature != callee.signature {
            return None;
        }
        frame.pc += 1;
        let results = code.sites[site as usize].results;
        let entered = self.enter_for(function, &[], Then::Return, (d, results));
        Some(entered.and_then(|()| self.stand_at(function, pc)))
    }

    /// Sets a register of the innermost frame.
    pub fn set_register(&mut self, register: Reg, value: Operand) {
        self.set(register, value.bits);
        if O::SHADOWS {
            let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
            self.state.shadows[base + usize::from(register)] = value.shadow;
        }
    }

    /// A register of the innermost frame.
    pub fn register(&self, register: Reg) -> u64 {
        self.get(register)
    }
}
