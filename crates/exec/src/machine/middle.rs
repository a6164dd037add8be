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
        let code = self.program.code(function);
        self.enter(function, &[], Then::Entry)?;
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
