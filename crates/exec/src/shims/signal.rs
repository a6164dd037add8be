//! Signals that the process sends to itself: actions, the mask, what is pending.
//!
//! No other process sends any. Calling a handler, and what follows its return, is C code in the
//! runtime (`raise`, `kill`, `sigprocmask`, `abort` …) on top of the functions named
//! `__ripple_signal_…` here. Stopping the process is not supported.

use super::answer::{self, fail, fail_long};
use super::{Arguments, Group, Outcome, ShimResult, Trouble, int, time, value};
use crate::libc::errno::Errno;
use crate::process::kernel::{
    Action, DefaultAction, SIG_DFL, SIG_IGN, Signals, bit, default_action,
};
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("signal bsd_signal ssignal", |state, args| install(state, args, SA_RESTART)),
    ("sysv_signal __sysv_signal", |state, args| install(state, args, SA_RESETHAND | SA_NODEFER)),
    ("sigaction __sigaction", sigaction),
    ("sigpending", |state, args| {
        let pending = state.process.kernel.signals.pending;
        put_set(state, args.word(0), pending)?;
        int(0)
    }),
    ("siginterrupt", siginterrupt),
    ("sigaltstack", sigaltstack),
    ("__ripple_signal_send", send),
    ("__ripple_signal_take", take),
    ("__ripple_signal_done", |state, args| {
        state.process.kernel.signals.blocked = args.word(0);
        answer::nothing()
    }),
    ("__ripple_signal_mask", mask),
    ("__ripple_signal_wait", wait),
    ("__ripple_signal_accept", accept),
    ("__ripple_abort_caught", abort_caught),
    ("__ripple_abort", |_, _| Err(Trouble::Fault(FaultKind::Abort))),
];

pub(super) const SIGABRT: i32 = 6;
pub(super) const SIGPIPE: i32 = 13;
pub(super) const SIGALRM: i32 = 14;
const SIGKILL: i32 = 9;
const SIGSTOP: i32 = 19;

const SA_SIGINFO: u32 = 4;
const SA_RESTART: u32 = 0x1000_0000;
const SA_NODEFER: u32 = 0x4000_0000;
const SA_RESETHAND: u32 = 0x8000_0000;

/// Size of `sigset_t`, of which the first word is used.
const SET_BYTES: u64 = 128;
// Offsets in `struct sigaction`.
const MASK_AT: u64 = 8;
const FLAGS_AT: u64 = MASK_AT + SET_BYTES;
const RESTORER_AT: u64 = FLAGS_AT + 8;

/// Whether there is a signal with the number.
fn exists(signal: i32) -> bool {
    (1..=64).contains(&signal)
}

fn set_action(state: &mut State, signal: i32, action: Action) {
    let signals = &mut state.process.kernel.signals;
    signals.actions.insert(signal, action);
    if signals.ignores(signal) {
        signals.pending &= !bit(signal);
    }
}

fn may_change(signal: i32) -> bool {
    // 32 and 33 belong to the library.
    exists(signal) && !matches!(signal, SIGKILL | SIGSTOP | 32 | 33)
}

fn install(state: &mut State, args: &Arguments<'_>, flags: u32) -> ShimResult {
    let signal = args.int(0);
    if !may_change(signal) || args.word(1) == u64::MAX {
        return fail_long(state, Errno::EINVAL);
    }
    let old = state.process.kernel.signals.action(signal);
    // With `SA_NODEFER` the native function leaves the mask of the handler empty.
    let mask = if flags & SA_NODEFER == 0 { bit(signal) } else { 0 };
    set_action(state, signal, Action { handler: args.word(1), mask, flags, restorer: 0 });
    value(old.handler)
}

fn sigaction(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (signal, new, old) = (args.int(0), args.word(1), args.word(2));
    let readable = exists(signal) && !matches!(signal, 32 | 33);
    if !readable || (new != 0 && !may_change(signal)) {
        return fail(state, Errno::EINVAL);
    }
    let before = state.process.kernel.signals.action(signal);
    if new != 0 {
        let action = Action {
            handler: state.memory.read_u64(new)?,
            mask: state.memory.read_u64(new.wrapping_add(MASK_AT))?,
            flags: state.memory.read_u32(new.wrapping_add(FLAGS_AT))?,
            // The native library sets this field itself, so programs leave it alone.
            restorer: 0,
        };
        set_action(state, signal, action);
    }
    if old != 0 {
        state.memory.write_u64(old, before.handler)?;
        put_set(state, old.wrapping_add(MASK_AT), before.mask)?;
        state.memory.write_u32(old.wrapping_add(FLAGS_AT), before.flags)?;
        state.memory.write_u64(old.wrapping_add(RESTORER_AT), before.restorer)?;
    }
    int(0)
}

fn put_set(state: &mut State, to: u64, set: u64) -> Result<(), Trouble> {
    state.memory.fill(to, 0, SET_BYTES)?;
    Ok(state.memory.write_u64(to, set)?)
}

fn siginterrupt(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let signal = args.int(0);
    if !may_change(signal) {
        return fail(state, Errno::EINVAL);
    }
    let mut action = state.process.kernel.signals.action(signal);
    match args.int(1) {
        0 => action.flags |= SA_RESTART,
        _ => action.flags &= !SA_RESTART,
    }
    set_action(state, signal, action);
    int(0)
}

/// Handlers run on the only stack; the program may still register another one.
fn sigaltstack(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    const SS_DISABLE: u64 = 2;
    if args.word(0) != 0 {
        state.memory.bytes(args.word(0), 24)?;
    }
    if args.word(1) != 0 {
        state.memory.fill(args.word(1), 0, 24)?;
        state.memory.write_u64(args.word(1).wrapping_add(8), SS_DISABLE)?;
    }
    int(0)
}

/// Marks a signal as pending; 0 is a signal that does nothing.
fn send(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let signal = args.int(0);
    if signal != 0 && !exists(signal) {
        return fail(state, Errno::EINVAL);
    }
    let signals = &mut state.process.kernel.signals;
    if signal != 0 && !signals.ignores(signal) {
        signals.pending |= bit(signal);
    }
    int(0)
}

/// The next pending signal that is not blocked.
fn deliverable(signals: &Signals) -> Option<i32> {
    let unstoppable = bit(SIGKILL) | bit(SIGSTOP);
    let ready = signals.pending & (!signals.blocked | unstoppable);
    (ready != 0).then(|| ready.trailing_zeros() as i32 + 1)
}

/// Removes a pending signal. One without a handler takes effect at once; for one with a handler,
/// writes the data for the C code that calls it: handler, previous mask, signal, whether it takes a
/// `siginfo_t`.
fn take(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    while let Some(signal) = deliverable(&state.process.kernel.signals) {
        let signals = &mut state.process.kernel.signals;
        signals.pending &= !bit(signal);
        let action = signals.action(signal);
        match action.handler {
            SIG_IGN => continue,
            SIG_DFL => by_default(signal)?,
            handler => {
                let before = signals.blocked;
                enter_handler(signals, signal, &action);
                let to = args.word(0);
                state.memory.write_u64(to, handler)?;
                state.memory.write_u64(to.wrapping_add(8), before)?;
                state.memory.write_u32(to.wrapping_add(16), signal as u32)?;
                let wants_more = u32::from(action.flags & SA_SIGINFO != 0);
                state.memory.write_u32(to.wrapping_add(20), wants_more)?;
                return int(1);
            }
        }
    }
    int(0)
}

fn by_default(signal: i32) -> Result<(), Trouble> {
    match default_action(signal) {
        DefaultAction::End => Err(Trouble::Signal(signal)),
        DefaultAction::Ignore => Ok(()),
        DefaultAction::Stop => Err(Trouble::Unsupported("stopping the process".to_owned())),
    }
}

fn enter_handler(signals: &mut Signals, signal: i32, action: &Action) {
    signals.blocked |= action.mask;
    if action.flags & SA_NODEFER == 0 {
        signals.blocked |= bit(signal);
    }
    if action.flags & SA_RESETHAND != 0 {
        signals.actions.remove(&signal);
    }
}

/// `sigprocmask` without the delivery of unblocked signals.
fn mask(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (how, new, old) = (args.int(0), args.word(1), args.word(2));
    let before = state.process.kernel.signals.blocked;
    if new != 0 {
        let set = state.memory.read_u64(new)?;
        let after = match how {
            0 => before | set,
            1 => before & !set,
            2 => set,
            _ => return fail(state, Errno::EINVAL),
        };
        let never = bit(SIGKILL) | bit(SIGSTOP);
        state.process.kernel.signals.blocked = after & !never;
    }
    if old != 0 {
        put_set(state, old, before)?;
    }
    int(0)
}

/// Waits until there is a signal to deliver or one of a set, which only a timer can send.
fn wait(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let accepted = match args.word(0) {
        0 => 0,
        set => state.memory.read_u64(set)?,
    };
    let arrived =
        |signals: &Signals| deliverable(signals).is_some() || signals.pending & accepted != 0;
    while !arrived(&state.process.kernel.signals) {
        if !time::expire(state) {
            let what = "waiting for a signal that no other process sends";
            return Err(Trouble::Unsupported(what.to_owned()));
        }
        let signals = &mut state.process.kernel.signals;
        // A signal that the process waits for is not dropped.
        if !signals.ignores(SIGALRM) || accepted & bit(SIGALRM) != 0 {
            signals.pending |= bit(SIGALRM);
        }
    }
    int(0)
}

/// Removes a pending signal of a set, blocked or not; 0 if there is none.
fn accept(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let set = state.memory.read_u64(args.word(0))?;
    let signals = &mut state.process.kernel.signals;
    let ready = signals.pending & set;
    if ready == 0 {
        return int(0);
    }
    let signal = ready.trailing_zeros() as i32 + 1;
    signals.pending &= !bit(signal);
    int(signal)
}

/// Whether a handler for `SIGABRT` must be called first; if so, makes the signal deliverable.
fn abort_caught(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    let signals = &mut state.process.kernel.signals;
    let caught = signals.action(SIGABRT).handler > SIG_IGN;
    if caught {
        signals.blocked &= !bit(SIGABRT);
        signals.pending |= bit(SIGABRT);
    }
    int(i32::from(caught))
}

/// A signal arrives during a system call, which gives `result` if it returns.
pub(super) fn interrupt(state: &mut State, signal: i32, result: u64) -> ShimResult {
    let signals = &mut state.process.kernel.signals;
    if signals.blocked & bit(signal) != 0 {
        signals.pending |= bit(signal);
        return value(result);
    }
    let action = signals.action(signal);
    match action.handler {
        SIG_IGN => value(result),
        SIG_DFL => {
            by_default(signal)?;
            value(result)
        }
        handler => {
            if action.flags & SA_RESETHAND != 0 {
                signals.actions.remove(&signal);
            }
            if action.flags & SA_SIGINFO == 0 {
                return Ok(Outcome::Call {
                    address: handler,
                    args: vec![signal as u64],
                    give: result,
                });
            }
            let mut information = [0; 128];
            information[..4].copy_from_slice(&signal.to_le_bytes());
            let information = state.allocate_system(&information)?;
            let context = state.allocate_system(&[0; 968])?;
            let args = vec![signal as u64, information, context];
            Ok(Outcome::Call { address: handler, args, give: result })
        }
    }
}

/// Whether a signal that arrives now would be dropped or kept for later.
pub(super) fn is_idle(state: &State, signal: i32) -> bool {
    let signals = &state.process.kernel.signals;
    signals.ignores(signal) || signals.blocked & bit(signal) != 0
}

/// The mask, for `sigsetjmp`.
pub(super) fn blocked(state: &State) -> u64 {
    state.process.kernel.signals.blocked
}

/// Puts the mask back, for `siglongjmp`.
pub(super) fn set_blocked(state: &mut State, mask: u64) {
    state.process.kernel.signals.blocked = mask;
}
