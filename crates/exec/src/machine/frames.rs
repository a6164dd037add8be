//! Calls and returns.

use ir::FuncId;

use super::start::plain;
use super::{Cursor, Machine, Place};
use crate::code::{CallSite, Code, Masks, Passing, Reg};
use crate::memory::Memory;
use crate::observer::{At, Observer, Operand};
use crate::shims::{self, Arguments, Outcome, Shim, ShimResult};
use crate::state::{ExtraArguments, Frame, STACK_BYTES, Then, WINDOW};
use crate::stop::{Bound, FaultKind, Site, Stop};

impl<'p, O: Observer> Machine<'p, O> {
    fn current_site(&self, site: u32) -> (&'p CallSite, usize, &'p Code) {
        let frame = self.state.frames.last().expect("a running program has a frame");
        let code = self.program.code(frame.function);
        (&code.sites[site as usize], frame.base as usize, code)
    }

    /// Enters a function from the code of a frame; returns where to continue.
    pub(super) fn call(
        &mut self,
        caller: &'p Code,
        base: usize,
        function: FuncId,
        d: Reg,
        number: u32,
    ) -> Result<Cursor<'p>, Stop> {
        let site = &caller.sites[number as usize];
        let callee = self.program.code(function);
        let top = base + usize::from(caller.registers);
        self.reserve(top, callee)?;
        let (below, above) = self.state.registers.split_at_mut(top);
        let named = site.registers.iter().take(usize::from(callee.parameters));
        for (to, &from) in above.iter_mut().zip(named) {
            *to = below[base + usize::from(from)];
        }
        let then = if site.signature == callee.signature {
            Then::Return
        } else {
            self.adapt_arguments(callee, top, site.registers.len());
            Then::Adapt { site: number }
        };
        let extra =
            if callee.variadic { Some(self.extra_arguments(site, base, callee)) } else { None };
        self.push(callee, top, d, site.results, then, extra)?;
        self.check_steps()?;
        Ok(Cursor::new(callee, 0, top))
    }

    /// Gives parameters a value of their type if a call assumes another function type.
    #[cold]
    fn adapt_arguments(&mut self, callee: &Code, top: usize, passed: usize) {
        let count = usize::from(callee.parameters);
        let parameters = &mut self.state.registers[top..top + count];
        for register in parameters.iter_mut().skip(passed) {
            *register = 0;
        }
        for (register, mask) in parameters.iter_mut().zip(&callee.parameter_masks) {
            *register &= mask;
        }
    }

    /// Whether the run may continue. Checked where it could be resumed, on every path by which code
    /// can run without end.
    #[inline]
    fn check_steps(&self) -> Result<(), Stop> {
        if self.state.steps > self.state.limits.steps {
            Err(Stop::Exhausted(Bound::Steps))
        } else {
            Ok(())
        }
    }

    /// Enters a function with plain arguments, from outside of code.
    pub(super) fn enter(
        &mut self,
        function: FuncId,
        args: &[Operand],
        then: Then,
    ) -> Result<(), Stop> {
        self.enter_for(function, args, then, (0, 0))
    }

    pub(super) fn enter_for(
        &mut self,
        function: FuncId,
        args: &[Operand],
        then: Then,
        (result, results): (Reg, u16),
    ) -> Result<(), Stop> {
        let callee = self.program.code(function);
        let top = self.state.frames.last().map_or(0, |frame| {
            frame.base as usize + usize::from(self.program.code(frame.function).registers)
        });
        self.reserve(top, callee)?;
        let count = usize::from(callee.parameters);
        for (index, arg) in args.iter().take(count).enumerate() {
            self.state.registers[top + index] = arg.bits;
        }
        if O::SHADOWS {
            for index in 0..count {
                self.state.shadows[top + index] = args.get(index).map_or(0, |arg| arg.shadow);
            }
        }
        self.adapt_arguments(callee, top, args.len());
        self.push(callee, top, result, results, then, None)?;
        self.check_steps()
    }

    /// Makes room for a frame and checks the bounds of the stack.
    #[inline]
    fn reserve(&mut self, top: usize, callee: &Code) -> Result<(), Stop> {
        let needed = top + usize::from(callee.registers) + 2 * WINDOW;
        if needed > self.state.registers.len() {
            self.grow_registers(needed)?;
        }
        if self.state.frames.len() >= self.state.limits.depth as usize {
            return Err(Stop::Exhausted(Bound::Depth));
        }
        if self.state.stack > STACK_BYTES {
            return Err(self.fault(FaultKind::StackOverflow));
        }
        Ok(())
    }

    /// Registers of frames count as memory that the program uses.
    #[cold]
    fn grow_registers(&mut self, needed: usize) -> Result<(), Stop> {
        let most = (self.state.limits.memory / 8).clamp(8 * WINDOW as u64, u64::from(u32::MAX));
        if needed as u64 > most {
            return Err(Stop::Exhausted(Bound::Memory));
        }
        self.state.registers.resize((needed * 2).min(most as usize), 0);
        if O::SHADOWS {
            self.state.shadows.resize(self.state.registers.len(), 0);
        }
        Ok(())
    }

    #[inline]
    fn push(
        &mut self,
        callee: &'p Code,
        base: usize,
        result: Reg,
        results: u16,
        then: Then,
        extra: Option<Box<ExtraArguments>>,
    ) -> Result<(), Stop> {
        self.state.serial += 1;
        self.state.stack += u64::from(callee.stack);
        self.state.frames.push(Frame {
            function: callee.function,
            pc: 0,
            base: base as u32,
            result,
            results,
            locals: self.state.locals.len() as u32,
            serial: self.state.serial,
            stack: callee.stack,
            then,
            extra,
        });
        self.observer.enter(callee.function);
        if !callee.copies.is_empty() {
            for &(register, size) in &callee.copies {
                self.copy_struct(base + usize::from(register), size)?;
            }
            self.state.count_work();
        }
        Ok(())
    }

    /// Gives the callee its own copy of a struct that is passed by value.
    fn copy_struct(&mut self, register: usize, size: u64) -> Result<(), Stop> {
        let from = self.state.registers[register];
        let to = self.state.allocate_local(size).map_err(Stop::Exhausted)?;
        self.state.memory.copy(to, from, size).map_err(|violation| self.violated(violation))?;
        self.state.registers[register] = to;
        Ok(())
    }

    fn extra_arguments(&self, site: &CallSite, base: usize, callee: &Code) -> Box<ExtraArguments> {
        let named = callee.named.len().min(site.passing.len());
        let skip: usize =
            site.passing[..named].iter().map(|passing| usize::from(passing.registers())).sum();
        let registers = site.registers.iter().skip(skip);
        let mut shadows = Vec::new();
        if O::SHADOWS {
            let shadow = |&register: &Reg| self.state.shadows[base + usize::from(register)];
            shadows.extend(registers.clone().map(shadow));
        }
        Box::new(ExtraArguments {
            words: registers.map(|&register| self.state.word(base, register)).collect(),
            shadows,
            passing: site.passing[named..].to_vec(),
        })
    }

    pub(super) fn return_from(&mut self, a: Reg, count: u16) -> Result<(), Stop> {
        let frame = self.state.frames.pop().expect("a running program has a frame");
        self.observer.leave(frame.function);
        self.state.stack -= u64::from(frame.stack);
        if self.state.locals.len() > frame.locals as usize {
            self.state.free_locals(frame.locals);
        }
        let from = frame.base as usize + usize::from(a);
        match frame.then {
            Then::Return => {
                let caller = self.state.frames.last().expect("called from a frame");
                let to = caller.base as usize + usize::from(frame.result);
                for index in 0..usize::from(count.min(frame.results)) {
                    self.state.registers[to + index] = self.state.registers[from + index];
                }
                Ok(())
            }
            Then::Adapt { site } => {
                let given = usize::from(count);
                let words: Masks = self.state.registers[from..from + given].into();
                self.set_results(site, frame.result, &words);
                Ok(())
            }
            Then::Give(value) => {
                if frame.results > 0 {
                    self.set(frame.result, value);
                }
                Ok(())
            }
            then => {
                let value = if count == 0 { 0 } else { self.state.registers[from] };
                self.go_on(then, value)
            }
        }
    }

    /// Puts words into the registers of a call's result, truncated to its type; missing ones are
    /// zero.
    fn set_results(&mut self, site: u32, d: Reg, words: &[u64]) {
        let (site, base, _) = self.current_site(site);
        let to = base + usize::from(d);
        for (index, mask) in site.result_masks.iter().enumerate() {
            self.state.registers[to + index] = words.get(index).copied().unwrap_or(0) & mask;
        }
    }

    /// The address of the frame `level` calls out, null beyond the first. It is lower the more
    /// stack is in use, for programs that measure their depth by it.
    pub(super) fn frame_address(&self, level: u64) -> u64 {
        let frames = &self.state.frames;
        let Some(inner) = (frames.len() as u64).checked_sub(level).filter(|&inner| inner > 0)
        else {
            return 0;
        };
        let inner = inner as usize;
        let (first, left) = (frames[inner - 1].locals as usize, &frames[inner..]);
        let locals = self.state.locals[first..].iter();
        let locals: u64 = locals.map(|&local| self.state.memory.local_size(local)).sum();
        let calls: u64 = left.iter().map(|frame| u64::from(frame.stack)).sum();
        let used = self.state.stack - locals - calls;
        Memory::label_address(u32::MAX) - used.next_multiple_of(16)
    }

    pub(super) fn alloca(&mut self, d: Reg, size: u64) -> Result<(), Stop> {
        self.state.site = self.site();
        if self.state.stack.saturating_add(size) > STACK_BYTES {
            return Err(self.fault(FaultKind::StackOverflow));
        }
        let address = self.state.allocate_local(size).map_err(Stop::Exhausted)?;
        self.set(d, address);
        Ok(())
    }

    pub(super) fn set(&mut self, d: Reg, value: u64) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.state.registers[base + usize::from(d)] = value;
    }

    pub(super) fn get(&self, a: Reg) -> u64 {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.state.registers[base + usize::from(a)]
    }

    /// Calls a function of the machine; returns whether the run continues right after the call.
    pub(super) fn call_shim(
        &mut self,
        place: Place<'p>,
        shim: u32,
        d: Reg,
        number: u32,
    ) -> Result<bool, Stop> {
        let site = &place.code.sites[number as usize];
        let shim = shims::get(shim);
        let inst = place.code.origins[place.pc];
        self.state.site = Some(Site { function: place.code.function, inst });
        let registers = &self.state.registers[place.base..place.base + WINDOW];
        let words: smallvec::SmallVec<[u64; 8]> =
            site.registers.iter().map(|&register| registers[usize::from(register)]).collect();
        let args = Arguments { words: &words, passing: &site.passing, fixed: site.fixed };
        let result = if O::SHADOWS {
            self.watched_call(place, shim, (d, site), &args)
        } else {
            (shim.run)(&mut self.state, &args)
        };
        self.state.count_work();
        if O::OUTPUT {
            self.show_output();
        }
        match result {
            Ok(Outcome::Value(value)) => {
                let to = place.base + usize::from(d);
                for (index, mask) in site.result_masks.iter().enumerate() {
                    let word = if index == 0 { value } else { 0 };
                    self.state.registers[to + index] = word & mask;
                }
                Ok(true)
            }
            Ok(outcome) => self.settle(outcome, d, number).map(|()| false),
            Err(trouble) => Err(self.troubled(trouble, shim.name)),
        }
    }

    /// Runs a function of the machine, and informs the observer before and after.
    fn watched_call(
        &mut self,
        place: Place<'p>,
        shim: &'static Shim,
        (d, site): (Reg, &CallSite),
        args: &Arguments<'_>,
    ) -> ShimResult {
        let at = At { code: place.code, pc: place.pc, steps: self.state.steps };
        let shadows = &self.state.shadows[place.base..place.base + WINDOW];
        let operands: smallvec::SmallVec<[Operand; 8]> = site
            .registers
            .iter()
            .zip(args.words)
            .map(|(&register, &bits)| Operand { bits, shadow: shadows[usize::from(register)] })
            .collect();
        self.observer.call(at, shim, &operands, &mut self.state);
        let result = (shim.run)(&mut self.state, args);
        let value = if let Ok(Outcome::Value(value)) = result { value } else { 0 };
        let shadow = self.observer.answer(at, shim, &operands, &mut self.state, value);
        let to = place.base + usize::from(d);
        self.state.shadows[to..to + usize::from(site.results)].fill(0);
        if site.results > 0 {
            self.state.shadows[to] = shadow;
        }
        result
    }

    /// Passes on to the observer what was written since the last time.
    pub(super) fn show_output(&mut self) {
        let process = &mut self.state.process;
        for (descriptor, bytes) in [(1, process.vfs.stdout()), (2, process.vfs.stderr())] {
            let shown = &mut process.shown[descriptor as usize - 1];
            if bytes.len() > *shown {
                self.observer.output(descriptor, &bytes[*shown..]);
                *shown = bytes.len();
            }
        }
    }

    fn settle(&mut self, outcome: Outcome, d: Reg, site: u32) -> Result<(), Stop> {
        match outcome {
            // A call site may take fewer results than the function gives, as in `(void)f()`.
            Outcome::Value(value) => {
                self.set_results(site, d, &[value]);
                Ok(())
            }
            Outcome::Pair(low, high) => {
                self.set_results(site, d, &[low, high]);
                Ok(())
            }
            Outcome::Exit(code) => self.go_on(Then::Exit { code }, 0),
            Outcome::Call { address, args, give } => {
                let function = Memory::function_at(address)
                    .filter(|&index| (index as usize) < self.program.module.functions.len());
                let Some(function) = function.map(FuncId::at) else {
                    return Err(self.fault(FaultKind::InvalidCall { address }));
                };
                let results = self.current_site(site).0.results;
                self.enter_for(function, &plain(&args), Then::Give(give), (d, results))
            }
            Outcome::SetJump { buffer } => self.set_jump(buffer, d),
            Outcome::LongJump { buffer, value } => self.long_jump(buffer, value),
        }
    }

    /// Writes into the buffer how to return here.
    fn set_jump(&mut self, buffer: u64, d: Reg) -> Result<(), Stop> {
        self.state.marked = true;
        let depth = self.state.frames.len() as u64;
        let frame = self.state.frames.last().expect("a running program has a frame");
        let words = [depth, frame.serial, u64::from(frame.pc), u64::from(d)];
        self.set(d, 0);
        for (index, word) in (0u64..).zip(words) {
            let at = buffer.wrapping_add(8 * index);
            self.state.memory.write_u64(at, word).map_err(|violation| self.violated(violation))?;
        }
        Ok(())
    }

    fn long_jump(&mut self, buffer: u64, value: u64) -> Result<(), Stop> {
        let mut words = [0u64; 4];
        for (index, word) in (0u64..).zip(&mut words) {
            let at = buffer.wrapping_add(8 * index);
            *word = self.state.memory.read_u64(at).map_err(|violation| self.violated(violation))?;
        }
        let [depth, serial, pc, d] = words;
        let alive = (depth as usize)
            .checked_sub(1)
            .and_then(|index| self.state.frames.get(index))
            .filter(|frame| frame.serial == serial);
        let Some(target) = alive else {
            return Err(self.fault(FaultKind::InvalidLongjmp));
        };
        // The buffer lies in the program's memory and may have been overwritten.
        if pc as usize >= self.program.code(target.function).ops.len() || d >= WINDOW as u64 {
            return Err(self.fault(FaultKind::InvalidLongjmp));
        }
        while self.state.frames.len() > depth as usize {
            if let Some(frame) = self.state.frames.pop() {
                self.observer.leave(frame.function);
                self.state.stack -= u64::from(frame.stack);
                self.state.free_locals(frame.locals);
            }
        }
        if let Some(frame) = self.state.frames.last_mut() {
            frame.pc = pc as u32;
        }
        self.set(d as Reg, value);
        self.check_steps()
    }

    /// The passing of the named parameters of the innermost function.
    pub(super) fn named_parameters(&self) -> &'p [Passing] {
        let frame = self.state.frames.last().expect("a running program has a frame");
        &self.program.code(frame.function).named
    }
}
