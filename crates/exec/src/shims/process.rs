//! The process: its end, its exit handlers, non-local jumps.

use super::{Arguments, Group, Outcome, ShimResult, Trouble, int, value};
use crate::process::{ExitHandler, ExitHandlerKind};
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("exit", |_, args| Ok(Outcome::Exit(args.int(0)))),
    ("_exit", |_, args| Err(Trouble::Exit(args.int(0)))),
    ("_Exit", |_, args| Err(Trouble::Exit(args.int(0)))),
    ("abort", |_, _| Err(Trouble::Fault(FaultKind::Abort))),
    ("atexit", |state, args| register(state, args, ExitHandlerKind::Plain)),
    ("__cxa_atexit", |state, args| register(state, args, ExitHandlerKind::WithArgument)),
    ("on_exit", |state, args| register(state, args, ExitHandlerKind::WithCode)),
    ("setjmp", |_, args| Ok(Outcome::SetJump { buffer: args.word(0) })),
    ("_setjmp", |_, args| Ok(Outcome::SetJump { buffer: args.word(0) })),
    ("sigsetjmp", |_, args| Ok(Outcome::SetJump { buffer: args.word(0) })),
    ("__sigsetjmp", |_, args| Ok(Outcome::SetJump { buffer: args.word(0) })),
    ("longjmp", long_jump),
    ("_longjmp", long_jump),
    ("siglongjmp", long_jump),
    ("__longjmp_chk", long_jump),
    ("__stack_chk_fail", |_, _| Err(Trouble::Fault(FaultKind::BufferOverflow))),
    ("__chk_fail", |_, _| Err(Trouble::Fault(FaultKind::BufferOverflow))),
    ("__errno_location", |state, _| value(state.process.errno)),
];

fn register(state: &mut State, args: &Arguments<'_>, kind: ExitHandlerKind) -> ShimResult {
    let handler = ExitHandler { function: args.word(0), argument: args.word(1), kind };
    state.process.exit_handlers.push(handler);
    int(0)
}

/// `longjmp` with 0 gives 1.
fn long_jump(_: &mut State, args: &Arguments<'_>) -> ShimResult {
    let value = match args.int(1) {
        0 => 1,
        value => u64::from(value as u32),
    };
    Ok(Outcome::LongJump { buffer: args.word(0), value })
}
