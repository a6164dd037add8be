//! The beginning and the end of a program: arguments, constructors, exit handlers.

use ir::FuncId;

use super::Machine;
use library::StartVariable;

use crate::memory::{Memory, SystemName};
use crate::observer::{Observer, Operand};
use crate::process::{ExitHandlerKind, Input};
use crate::program::Program;
use crate::state::{State, Then, WINDOW};
use crate::stop::{Bound, FaultKind, Limits, Stop};

/// Initial registers of a machine: enough for a few frames. Fresh memory is expensive for machines
/// that are made for one run.
const FIRST_REGISTERS: usize = 2 * WINDOW + (1 << 13);

impl<'p, O: Observer> Machine<'p, O> {
    /// A machine at the start of a run. Fails if the input does not fit the limits.
    pub fn new(
        program: &'p Program,
        input: &Input,
        limits: Limits,
        observer: O,
    ) -> Result<Machine<'p, O>, Stop> {
        let mut machine = Machine::idle(program, input, limits, observer);
        machine.place(input)?;
        machine.begin()?;
        Ok(machine)
    }

    /// A machine without input.
    pub fn idle(
        program: &'p Program,
        input: &Input,
        limits: Limits,
        observer: O,
    ) -> Machine<'p, O> {
        let mut memory = program.image().start();
        memory.set_limit(limits.memory);
        let mut state = State::new(memory, input, limits);
        state.registers = vec![0; FIRST_REGISTERS];
        state.shadows = vec![0; if O::SHADOWS { FIRST_REGISTERS } else { 0 }];
        Machine { program, state, observer }
    }

    /// Restarts with another input. Much cheaper than a new machine, with the same result.
    pub fn restart(&mut self, input: &Input) -> Result<(), Stop> {
        self.reset(input)?;
        self.begin()
    }

    /// Returns to the moment before the first instruction, with another input in place. The caller
    /// may still change the input before the run begins.
    pub fn reset(&mut self, input: &Input) -> Result<(), Stop> {
        let state = &mut self.state;
        state.memory.reset(self.program.image());
        state.frames.clear();
        state.locals.clear();
        (state.serial, state.stack, state.steps) = (0, 0, 0);
        (state.site, state.undefined_slots, state.ended) = (None, 0, None);
        state.undefined.clear();
        (state.clocked, state.marked) = (false, false);
        state.process.restart(input, state.limits);
        self.place(input)
    }

    fn place(&mut self, input: &Input) -> Result<(), Stop> {
        let arguments = place_input(self.program, &mut self.state, input);
        let words = arguments.map_err(Stop::Exhausted)?;
        self.state.process.arguments = words.map(|bits| Operand { bits, shadow: 0 }).into();
        Ok(())
    }

    /// Enters the first function.
    pub fn begin(&mut self) -> Result<(), Stop> {
        self.go_on(Then::Constructor { next: 0 }, 0)
    }

    /// What follows a function that was not called from code.
    pub(super) fn go_on(&mut self, then: Then, value: u64) -> Result<(), Stop> {
        match then {
            Then::Constructor { next } => self.construct(next),
            Then::Entry => self.go_on(Then::Exit { code: value as i32 }, 0),
            Then::Exit { code } => self.exit(code),
            Then::Return | Then::Adapt { .. } | Then::Give(_) => Ok(()),
        }
    }

    fn construct(&mut self, next: usize) -> Result<(), Stop> {
        let arguments = self.state.process.arguments.clone();
        match self.program.module.constructors.get(next) {
            Some(&(_, function)) => {
                self.enter(function, &arguments, Then::Constructor { next: next + 1 })
            }
            None => self.enter(self.program.entry, &arguments, Then::Entry),
        }
    }

    /// Runs the next exit handler or destructor; ends the run when none is left.
    fn exit(&mut self, code: i32) -> Result<(), Stop> {
        if let Some(handler) = self.state.process.exit_handlers.pop() {
            let function = Memory::function_at(handler.function)
                .filter(|&index| (index as usize) < self.program.module.functions.len());
            let Some(function) = function.map(FuncId::at) else {
                return Err(self.fault(FaultKind::InvalidCall { address: handler.function }));
            };
            let args = match handler.kind {
                ExitHandlerKind::Plain => vec![],
                ExitHandlerKind::WithArgument => vec![handler.argument],
                ExitHandlerKind::WithCode => vec![code as u32 as u64, handler.argument],
            };
            return self.enter(function, &plain(&args), Then::Exit { code });
        }
        let destructors = &self.program.module.destructors;
        let done = self.state.process.destructors_run;
        if let Some(&(_, function)) =
            destructors.len().checked_sub(done + 1).map(|i| &destructors[i])
        {
            self.state.process.destructors_run += 1;
            return self.enter(function, &[], Then::Exit { code });
        }
        let flushed = self.state.flush_all();
        if O::OUTPUT {
            self.show_output();
        }
        match flushed {
            Ok(()) => Err(Stop::Exit(code)),
            Err(trouble) => Err(self.troubled(trouble, "exit")),
        }
    }
}

/// Puts arguments and environment into memory: `argc`, `argv`, `envp`.
fn place_input(program: &Program, state: &mut State, input: &Input) -> Result<[u64; 3], Bound> {
    let errno = state.allocate_system(&[0; 4])?;
    state.process.errno = errno;
    let argv = place_strings(state, &input.args, SystemName::Arguments)?;
    let envp = place_strings(state, &input.env, SystemName::Environment)?;
    let name = state.memory.read_u64(argv).unwrap_or(0);
    let full = input.args.first().map_or(0, Vec::len);
    let directories = full - state.process.short_name.len();
    let short = if name == 0 { 0 } else { name + directories as u64 };
    for &(variable, address) in &program.start_variables {
        let value = match variable {
            StartVariable::Environment => envp,
            StartVariable::Name => name,
            StartVariable::ShortName => short,
            StartVariable::Stream(_) => continue,
        };
        state.memory.write_u64(address, value).map_err(|_| Bound::Memory)?;
    }
    state.place_streams(&program.start_variables)?;
    Ok([input.args.len() as u64, argv, envp])
}

fn place_strings(state: &mut State, strings: &[Vec<u8>], name: SystemName) -> Result<u64, Bound> {
    let mut pointers = Vec::with_capacity(8 * (strings.len() + 1));
    for string in strings {
        let address = state.allocate_string(string)?;
        pointers.extend(address.to_le_bytes());
    }
    pointers.extend([0; 8]);
    let table = state.allocate_system(&pointers)?;
    state.memory.name_system(table, name);
    Ok(table)
}

/// Values without shadows.
pub(super) fn plain(words: &[u64]) -> Vec<Operand> {
    words.iter().map(|&bits| Operand { bits, shadow: 0 }).collect()
}
