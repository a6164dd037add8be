//! Tests of signals, time, threads, identity and the answers of a process that is alone.

use super::{call, errno, int_of, place, value_of};
use crate::libc::errno::Errno;
use crate::shims::{Outcome, Trouble};
use crate::state::State;
use crate::stop::FaultKind;

const HANDLER: u64 = 0x1_0001_0010;

/// What the C code gets to call a handler: the handler and the signal.
fn take(state: &mut State) -> Result<Option<(u64, u32)>, Trouble> {
    let room = place(state, &[0; 24]);
    match call(state, "__ripple_signal_take", &[room])? {
        Outcome::Value(0) => Ok(None),
        _ => Ok(Some((
            state.memory.read_u64(room).unwrap(),
            state.memory.read_u32(room + 16).unwrap(),
        ))),
    }
}

#[test]
fn a_signal_without_a_handler_ends_the_process() {
    let mut state = State::scratch();
    assert_eq!(int_of(&mut state, "__ripple_signal_send", &[15]), 0);
    assert!(matches!(take(&mut state), Err(Trouble::Signal(15))));
    assert_eq!(int_of(&mut state, "__ripple_signal_send", &[17]), 0);
    assert!(matches!(take(&mut state), Ok(None)));
    assert_eq!(int_of(&mut state, "__ripple_signal_send", &[65]), -1);
    int_of(&mut state, "__ripple_signal_send", &[19]);
    assert!(matches!(take(&mut state), Err(Trouble::Unsupported(_))));
}

#[test]
fn a_handler_blocks_its_own_signal_until_it_is_done() {
    let mut state = State::scratch();
    assert_eq!(value_of(&mut state, "signal", &[2, HANDLER]), 0);
    assert_eq!(value_of(&mut state, "signal", &[2, HANDLER]), HANDLER);
    int_of(&mut state, "__ripple_signal_send", &[2]);
    assert_eq!(take(&mut state).unwrap(), Some((HANDLER, 2)));
    int_of(&mut state, "__ripple_signal_send", &[2]);
    assert_eq!(take(&mut state).unwrap(), None);
    value_of(&mut state, "__ripple_signal_done", &[0]);
    assert_eq!(take(&mut state).unwrap(), Some((HANDLER, 2)));
    assert_eq!(value_of(&mut state, "signal", &[9, HANDLER]), u64::MAX);
}

#[test]
fn a_blocked_signal_waits_and_sigaction_tells_what_was_set() {
    let mut state = State::scratch();
    let set = place(&mut state, &{
        let mut set = [0u8; 128];
        set[1] = 2;
        set
    });
    assert_eq!(int_of(&mut state, "__ripple_signal_mask", &[0, set, 0]), 0);
    int_of(&mut state, "__ripple_signal_send", &[10]);
    assert_eq!(take(&mut state).unwrap(), None);
    let pending = place(&mut state, &[0; 128]);
    int_of(&mut state, "sigpending", &[pending]);
    assert_eq!(state.memory.read_u64(pending).unwrap(), 1 << 9);
    let (new, old) = (place(&mut state, &[0; 152]), place(&mut state, &[0xff; 152]));
    state.memory.write_u64(new, HANDLER).unwrap();
    state.memory.write_u32(new + 136, 0x8000_0000).unwrap();
    assert_eq!(int_of(&mut state, "sigaction", &[10, new, 0]), 0);
    assert_eq!(int_of(&mut state, "sigaction", &[10, 0, old]), 0);
    assert_eq!(state.memory.read_u64(old).unwrap(), HANDLER);
    assert_eq!(state.memory.read_u32(old + 136).unwrap(), 0x8000_0000);
    int_of(&mut state, "__ripple_signal_mask", &[1, set, 0]);
    assert_eq!(take(&mut state).unwrap(), Some((HANDLER, 10)));
    // The flag resets the action.
    int_of(&mut state, "sigaction", &[10, 0, old]);
    assert_eq!(state.memory.read_u64(old).unwrap(), 0);
}

#[test]
fn abort_calls_a_handler_if_there_is_one() {
    let mut state = State::scratch();
    assert_eq!(int_of(&mut state, "__ripple_abort_caught", &[]), 0);
    value_of(&mut state, "signal", &[6, HANDLER]);
    assert_eq!(int_of(&mut state, "__ripple_abort_caught", &[]), 1);
    assert_eq!(take(&mut state).unwrap(), Some((HANDLER, 6)));
    let end = call(&mut state, "__ripple_abort", &[]);
    assert!(matches!(end, Err(Trouble::Fault(FaultKind::Abort))));
}

#[test]
fn a_jump_with_the_mask_puts_it_back() {
    let mut state = State::scratch();
    let buffer = place(&mut state, &[0; 200]);
    call(&mut state, "__sigsetjmp", &[buffer, 1]).unwrap();
    let set = place(&mut state, &[0xff; 128]);
    int_of(&mut state, "__ripple_signal_mask", &[2, set, 0]);
    call(&mut state, "siglongjmp", &[buffer, 3]).unwrap();
    let old = place(&mut state, &[0xff; 128]);
    int_of(&mut state, "__ripple_signal_mask", &[0, 0, old]);
    assert_eq!(state.memory.read_u64(old).unwrap(), 0);
}

#[test]
fn an_alarm_cuts_a_sleep_short() {
    let mut state = State::scratch();
    value_of(&mut state, "signal", &[14, HANDLER]);
    assert_eq!(int_of(&mut state, "alarm", &[3]), 0);
    assert_eq!(int_of(&mut state, "sleep", &[1]), 0);
    let start = state.process.vfs.clock.peek();
    let result = call(&mut state, "sleep", &[10]).unwrap();
    assert_eq!(result, Outcome::Call { address: HANDLER, args: vec![14], give: 7 });
    assert_eq!(state.process.vfs.clock.peek().since(start).seconds, 2);
    assert_eq!(int_of(&mut state, "sleep", &[10]), 0);
    assert_eq!(int_of(&mut state, "alarm", &[5]), 0);
    assert_eq!(int_of(&mut state, "alarm", &[0]), 5);
}

#[test]
fn an_alarm_that_nobody_catches_ends_the_process() {
    let mut state = State::scratch();
    int_of(&mut state, "alarm", &[1]);
    assert!(matches!(call(&mut state, "sleep", &[5]), Err(Trouble::Signal(14))));
    let mut state = State::scratch();
    let wait = call(&mut state, "__ripple_signal_wait", &[]);
    assert!(matches!(wait, Err(Trouble::Unsupported(_))));
}

#[test]
fn the_clock_is_virtual() {
    let mut state = State::scratch();
    assert_eq!(value_of(&mut state, "time", &[0]), 1_000_000_000);
    let at = place(&mut state, &[0; 32]);
    assert_eq!(int_of(&mut state, "clock_gettime", &[0, at]), 0);
    assert_eq!(state.memory.read_u64(at).unwrap(), 1_000_000_000);
    assert_eq!(int_of(&mut state, "clock_gettime", &[99, at]), -1);
    state.memory.write_u64(at, 0).unwrap();
    state.memory.write_u64(at + 8, 1_000_000_000).unwrap();
    assert_eq!(int_of(&mut state, "nanosleep", &[at, 0]), -1);
    assert_eq!(errno(&mut state), Errno::EINVAL.0);
    assert_eq!(value_of(&mut state, "clock", &[]), 2);
}

#[test]
fn nobody_else_is_there() {
    let mut state = State::scratch();
    assert_eq!(int_of(&mut state, "fork", &[]), -1);
    assert_eq!(errno(&mut state), Errno::EAGAIN.0);
    assert_eq!(int_of(&mut state, "execvp", &[0, 0]), -1);
    assert_eq!(errno(&mut state), Errno::ENOENT.0);
    assert_eq!(int_of(&mut state, "waitpid", &[u64::MAX, 0, 0]), -1);
    assert_eq!(errno(&mut state), Errno::ECHILD.0);
    assert_eq!(int_of(&mut state, "system", &[0]), 0);
    assert_eq!(int_of(&mut state, "system", &[1]), 127 << 8);
    assert_eq!(int_of(&mut state, "socket", &[2, 1, 0]), -1);
    assert_eq!(errno(&mut state), Errno::EAFNOSUPPORT.0);
    assert_eq!(int_of(&mut state, "tcgetattr", &[0, 0]), -1);
    assert_eq!(errno(&mut state), Errno::ENOTTY.0);
    assert_eq!(int_of(&mut state, "pthread_create", &[0, 0, 0, 0]), Errno::EAGAIN.0);
    let root = place(&mut state, b"/\0");
    assert_eq!(int_of(&mut state, "chroot", &[root]), -1);
    assert_eq!(errno(&mut state), Errno::EPERM.0);
}

#[test]
fn the_process_stays_who_it_is() {
    let mut state = State::scratch();
    let id = value_of(&mut state, "getuid", &[]);
    assert_eq!(int_of(&mut state, "setuid", &[id]), 0);
    assert_eq!(int_of(&mut state, "setuid", &[0]), -1);
    assert_eq!(int_of(&mut state, "setreuid", &[u64::MAX, id]), 0);
    assert_eq!(value_of(&mut state, "getpid", &[]), value_of(&mut state, "getpid", &[]));
}

#[test]
fn random_numbers_are_the_same_in_every_run() {
    let draw = || {
        let mut state = State::scratch();
        let at = place(&mut state, &[0; 16]);
        assert_eq!(value_of(&mut state, "getrandom", &[at, 16, 0]), 16);
        state.memory.bytes(at, 16).unwrap().to_vec()
    };
    assert_eq!(draw(), draw());
    assert_ne!(draw(), [0; 16]);
}

#[test]
fn limits_can_be_lowered_but_not_raised() {
    let mut state = State::scratch();
    let at = place(&mut state, &[0; 16]);
    assert_eq!(int_of(&mut state, "getrlimit", &[7, at]), 0);
    assert_eq!(state.memory.read_u64(at).unwrap(), 1024);
    state.memory.write_u64(at, 10).unwrap();
    assert_eq!(int_of(&mut state, "setrlimit", &[7, at]), 0);
    assert_eq!(value_of(&mut state, "sysconf", &[4]), 10);
    state.memory.write_u64(at + 8, 4096).unwrap();
    assert_eq!(int_of(&mut state, "setrlimit", &[7, at]), -1);
    assert_eq!(value_of(&mut state, "sysconf", &[30]), 4096);
    assert_eq!(value_of(&mut state, "sysconf", &[999]), u64::MAX);
}

#[test]
fn a_system_call_is_the_function_of_the_same_name() {
    let mut state = State::scratch();
    let text = place(&mut state, b"out");
    assert_eq!(value_of(&mut state, "syscall", &[1, 1, text, 3]), 3);
    assert_eq!(state.process.vfs.stdout(), b"out");
    assert_eq!(value_of(&mut state, "syscall", &[3, 99]), u64::MAX);
    assert!(matches!(call(&mut state, "syscall", &[9999]), Err(Trouble::Unsupported(_))));
}

#[test]
fn a_semaphore_counts() {
    let mut state = State::scratch();
    let at = place(&mut state, &[0xff; 32]);
    assert_eq!(int_of(&mut state, "sem_init", &[at, 0, 1]), 0);
    assert_eq!(int_of(&mut state, "sem_wait", &[at]), 0);
    assert_eq!(int_of(&mut state, "sem_trywait", &[at]), -1);
    assert!(matches!(call(&mut state, "sem_wait", &[at]), Err(Trouble::Unsupported(_))));
    assert_eq!(int_of(&mut state, "sem_post", &[at]), 0);
    assert_eq!(int_of(&mut state, "sem_wait", &[at]), 0);
}
