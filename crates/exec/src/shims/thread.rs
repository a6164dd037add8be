//! Threads, of which there is one: creating others fails. Semaphores, and the locks of threads.h.
//!
//! Locks are taken and released in memory, so that a thread that would wait for itself is detected:
//! that ends the run as unsupported. The locks of pthread.h are C code in the runtime.

use super::{Arguments, Group, Outcome, ShimResult, Trouble, answer, int, value};
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("pthread_create", |_, _| int(Errno::EAGAIN.0)),
    ("thrd_create", |_, _| int(THRD_ERROR)),
    ("pthread_join pthread_detach pthread_cancel", join),
    ("pthread_setcancelstate pthread_setcanceltype", |state, args| old_state(state, args.word(1))),
    ("pthread_testcancel thrd_yield mtx_destroy cnd_destroy", |_, _| answer::nothing()),
    ("pthread_exit", |_, _| Ok(Outcome::Exit(0))),
    ("thrd_current", |_, _| value(SELF)),
    ("thrd_equal", |_, args| int(i32::from(args.word(0) == args.word(1)))),
    (
        "__register_atfork pthread_setname_np pthread_mutexattr_setpshared \
         pthread_mutexattr_setrobust pthread_attr_destroy pthread_attr_setdetachstate \
         pthread_attr_setstacksize cnd_signal cnd_broadcast pthread_condattr_setclock \
         pthread_condattr_destroy sem_destroy",
        |_, _| int(0),
    ),
    ("call_once", once),
    ("tss_create", key_create),
    ("tss_delete", key_delete),
    ("tss_get", get_specific),
    ("tss_set", set_specific),
    ("mtx_init", mtx_init),
    ("mtx_lock", lock),
    ("mtx_trylock", try_lock),
    ("mtx_unlock", unlock),
    ("pthread_attr_init", |state, args| zeroed(state, args.word(0), 56)),
    ("cnd_init", |state, args| zeroed(state, args.word(0), 48)),
    ("cnd_wait", |_, _| alone()),
    ("pthread_condattr_init", |state, args| zeroed(state, args.word(0), 4)),
    ("sem_init", |state, args| {
        zeroed(state, args.word(0), 32)?;
        state.memory.write_u32(args.word(0), args.int(2) as u32)?;
        int(0)
    }),
    ("sem_post", |state, args| {
        let count = state.memory.read_u32(args.word(0))?;
        state.memory.write_u32(args.word(0), count.wrapping_add(1))?;
        int(0)
    }),
    ("sem_wait", |state, args| if sem_take(state, args)? { int(0) } else { alone() }),
    ("sem_trywait", |state, args| {
        if sem_take(state, args)? { int(0) } else { answer::fail(state, Errno::EAGAIN) }
    }),
    ("sem_timedwait", |state, args| {
        if sem_take(state, args)? { int(0) } else { answer::fail(state, Errno::ETIMEDOUT) }
    }),
    ("sem_getvalue", |state, args| {
        let count = state.memory.read_u32(args.word(0))?;
        state.memory.write_u32(args.word(1), count)?;
        int(0)
    }),
];

/// The one thread.
const SELF: u64 = 1;
const THRD_BUSY: i32 = 1;
const THRD_ERROR: i32 = 2;

// Offsets in `pthread_mutex_t`.
const COUNT_AT: u64 = 4;
const KIND_AT: u64 = 16;
const MUTEX_BYTES: u64 = 40;
const RECURSIVE: u32 = 1;

fn alone() -> ShimResult {
    Err(Trouble::Unsupported("the only thread waiting for another".to_owned()))
}

fn zeroed(state: &mut State, address: u64, size: u64) -> ShimResult {
    state.memory.fill(address, 0, size)?;
    int(0)
}

fn join(_: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.word(0) {
        SELF => int(Errno::EDEADLK.0),
        _ => int(Errno::ESRCH.0),
    }
}

fn old_state(state: &mut State, to: u64) -> ShimResult {
    if to != 0 {
        state.memory.write_u32(to, 0)?;
    }
    int(0)
}

/// Calls the function unless it was called before.
fn once(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    const DONE: u32 = 2;
    let (control, function) = (args.word(0), args.word(1));
    if state.memory.read_u32(control)? != 0 {
        return int(0);
    }
    state.memory.write_u32(control, DONE)?;
    Ok(Outcome::Call { address: function, args: Vec::new(), give: 0 })
}

/// Destructors of keys run when a thread ends, not when the process exits.
fn key_create(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let keys = &mut state.process.kernel.keys;
    let Some(key) = (0..1024).find(|key| !keys.contains_key(key)) else {
        return int(THRD_ERROR);
    };
    keys.insert(key, 0);
    state.memory.write_u32(args.word(0), key)?;
    int(0)
}

fn key_delete(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    state.process.kernel.keys.remove(&(args.int(0) as u32));
    answer::nothing()
}

fn get_specific(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    value(state.process.kernel.keys.get(&(args.int(0) as u32)).copied().unwrap_or(0))
}

fn set_specific(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match state.process.kernel.keys.get_mut(&(args.int(0) as u32)) {
        Some(place) => {
            *place = args.word(1);
            int(0)
        }
        None => int(THRD_ERROR),
    }
}

fn mtx_init(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    state.memory.fill(args.word(0), 0, MUTEX_BYTES)?;
    let kind = args.int(1) as u32 & RECURSIVE;
    state.memory.write_u32(args.word(0).wrapping_add(KIND_AT), kind)?;
    int(0)
}

/// Takes a free lock, or a recursive one again, if it can.
fn take_lock(state: &mut State, mutex: u64) -> Result<bool, Trouble> {
    let kind = state.memory.read_u32(mutex.wrapping_add(KIND_AT))? & 3;
    let held = state.memory.read_u32(mutex)? != 0;
    if held && kind != RECURSIVE {
        return Ok(false);
    }
    let count = state.memory.read_u32(mutex.wrapping_add(COUNT_AT))?;
    state.memory.write_u32(mutex, 1)?;
    state.memory.write_u32(mutex.wrapping_add(COUNT_AT), count.wrapping_add(1))?;
    Ok(true)
}

fn lock(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if take_lock(state, args.word(0))? { int(0) } else { alone() }
}

fn try_lock(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if take_lock(state, args.word(0))? { int(0) } else { int(THRD_BUSY) }
}

fn unlock(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mutex = args.word(0);
    let kind = state.memory.read_u32(mutex.wrapping_add(KIND_AT))? & 3;
    let count = state.memory.read_u32(mutex.wrapping_add(COUNT_AT))?;
    if count == 0 && kind != 0 {
        return int(THRD_ERROR);
    }
    let left = count.saturating_sub(1);
    state.memory.write_u32(mutex.wrapping_add(COUNT_AT), left)?;
    state.memory.write_u32(mutex, u32::from(left > 0))?;
    int(0)
}

/// Decrements a semaphore, if it is positive.
fn sem_take(state: &mut State, args: &Arguments<'_>) -> Result<bool, Trouble> {
    let count = state.memory.read_u32(args.word(0))?;
    if count > 0 {
        state.memory.write_u32(args.word(0), count - 1)?;
    }
    Ok(count > 0)
}
