//! The process: its end, its exit handlers, non-local jumps.

use super::{Arguments, Group, Outcome, ShimResult, Trouble, int, signal, value};
use crate::process::{ExitHandler, ExitHandlerKind};
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("exit", |_, args| Ok(Outcome::Exit(args.int(0)))),
    ("_exit _Exit", |_, args| Err(Trouble::Exit(args.int(0)))),
    ("atexit", |state, args| register(state, args, ExitHandlerKind::Plain)),
    ("at_quick_exit __cxa_at_quick_exit", |state, args| {
        state.process.kernel.quick_exit_functions.push(args.word(0));
        int(0)
    }),
    ("__ripple_quick_exit_next", |state, _| {
        value(state.process.kernel.quick_exit_functions.pop().unwrap_or(0))
    }),
    ("__cxa_atexit", |state, args| register(state, args, ExitHandlerKind::WithArgument)),
    ("on_exit", |state, args| register(state, args, ExitHandlerKind::WithCode)),
    ("setjmp _setjmp", |state, args| set_jump(state, args.word(0), false)),
    ("sigsetjmp __sigsetjmp", |state, args| set_jump(state, args.word(0), args.int(1) != 0)),
    ("longjmp _longjmp siglongjmp __longjmp_chk", long_jump),
    ("__stack_chk_fail __chk_fail", |_, _| Err(Trouble::Fault(FaultKind::BufferOverflow))),
    ("__errno_location", |state, _| value(state.process.errno)),
];

fn register(state: &mut State, args: &Arguments<'_>, kind: ExitHandlerKind) -> ShimResult {
    let handler = ExitHandler { function: args.word(0), argument: args.word(1), kind };
    state.process.exit_handlers.push(handler);
    int(0)
}

// Offsets in `jmp_buf`: whether the mask of signals was saved, and the mask.
const SAVED_AT: u64 = 64;
const MASK_AT: u64 = 72;

fn set_jump(state: &mut State, buffer: u64, save_mask: bool) -> ShimResult {
    state.memory.write_u32(buffer.wrapping_add(SAVED_AT), u32::from(save_mask))?;
    if save_mask {
        let mask = signal::blocked(state);
        state.memory.write_u64(buffer.wrapping_add(MASK_AT), mask)?;
    }
    Ok(Outcome::SetJump { buffer })
}

/// `longjmp` with 0 gives 1.
fn long_jump(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let buffer = args.word(0);
    if state.memory.read_u32(buffer.wrapping_add(SAVED_AT))? != 0 {
        let mask = state.memory.read_u64(buffer.wrapping_add(MASK_AT))?;
        signal::set_blocked(state, mask);
    }
    let value = match args.int(1) {
        0 => 1,
        value => u64::from(value as u32),
    };
    Ok(Outcome::LongJump { buffer, value })
}
