//! Early ends of runs: faults, unsupported features, missing definitions.

use ir::FuncId;

use super::Machine;
use crate::code::Halt;
use crate::memory::Violation;
use crate::shims::Trouble;
use crate::stop::{Fault, FaultKind, Feature, ObjectKind, Site, Stop, Unsupported};

impl<O> Machine<'_, O> {
    /// The active calls, innermost first.
    pub fn stack(&self) -> Vec<Site> {
        let frames = self.state.frames.iter().rev();
        let sites = frames.filter_map(|frame| {
            let code = self.program.code(frame.function);
            let pc = (frame.pc as usize).checked_sub(1)?;
            Some(Site { function: frame.function, inst: *code.origins.get(pc)? })
        });
        sites.collect()
    }

    pub(super) fn site(&self) -> Option<Site> {
        let frame = self.state.frames.last()?;
        let code = self.program.code(frame.function);
        let inst = *code.origins.get((frame.pc as usize).checked_sub(1)?)?;
        Some(Site { function: frame.function, inst })
    }

    #[cold]
    pub(super) fn fault(&self, kind: FaultKind) -> Stop {
        let stack = self.stack();
        Stop::Fault(Box::new(Fault { kind, stack, allocated: None, freed: None }))
    }

    #[cold]
    #[expect(clippy::boxed_local)] // Violations are boxed where they arise, to keep results small.
    pub(super) fn violated(&self, violation: Box<Violation>) -> Stop {
        if let FaultKind::OutOfBounds { object, .. } = &violation.kind
            && object.kind == ObjectKind::Undefined
        {
            return self
                .unsupported(Feature::UndefinedGlobal(object.name.clone().unwrap_or_default()));
        }
        Stop::Fault(Box::new(violation.into_fault(self.stack())))
    }

    #[cold]
    pub(super) fn unsupported(&self, feature: Feature) -> Stop {
        Stop::Unsupported(Box::new(Unsupported { feature, site: self.site() }))
    }

    pub(super) fn missing(&self, function: FuncId) -> Stop {
        self.unsupported(Feature::Call(self.program.module.functions[function].name.clone()))
    }

    #[cold]
    pub(super) fn halted(&self, index: u32) -> Stop {
        let function = self.state.frames.last().map(|frame| frame.function);
        let halt = function.and_then(|f| self.program.code(f).halts.get(index as usize));
        match halt {
            Some(Halt::Unreachable) | None => self.fault(FaultKind::Unreachable),
            Some(Halt::Trap) => self.fault(FaultKind::Trap),
            Some(Halt::Unsupported(feature)) => self.unsupported(feature.clone()),
        }
    }

    pub(super) fn troubled(&self, trouble: Trouble, function: &str) -> Stop {
        match trouble {
            Trouble::Violation(violation) => self.violated(violation),
            Trouble::Fault(kind) => self.fault(kind),
            Trouble::Exhausted(bound) => Stop::Exhausted(bound),
            Trouble::Signal(signal) => Stop::Signal(signal),
            Trouble::Exit(code) => Stop::Exit(code),
            Trouble::Unsupported(what) => {
                self.unsupported(Feature::Use { function: function.to_owned(), what })
            }
        }
    }
}
