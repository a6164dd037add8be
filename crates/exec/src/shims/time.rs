//! Time, on the virtual clock: a query takes a microsecond, a sleep passes at once.
//!
//! Timers expire only during sleeps and waits: computing takes no time. Dates (`gmtime`, `strftime`
//! …) are C code in the runtime.

use super::answer::{self, fail};
use super::{Arguments, Group, ShimResult, Trouble, int, signal, value};
use crate::libc::clock::{Clock, ClockKind, Time};
use crate::libc::errno::Errno;
use crate::process::kernel::Timer;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("time", time),
    ("clock", |state, _| value(query(state, ClockKind::Process).as_micros() as u64)),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("clock_getres", clock_getres),
    ("clock_settime settimeofday adjtime adjtimex stime", |state, _| fail(state, Errno::EPERM)),
    ("clock_getcpuclockid", |state, args| {
        state.memory.write_u32(args.word(1), 2)?;
        int(0)
    }),
    ("timespec_get", timespec_get),
    ("ftime", ftime),
    ("times", times),
    ("sleep", sleep),
    ("usleep", usleep),
    ("nanosleep", nanosleep),
    ("clock_nanosleep", clock_nanosleep),
    ("alarm", alarm),
    ("ualarm", ualarm),
    ("setitimer", setitimer),
    ("getitimer", getitimer),
];

const REAL: usize = 0;

fn query(state: &mut State, kind: ClockKind) -> Time {
    state.process.vfs.clock.query(kind)
}

fn now(state: &State) -> Time {
    state.process.vfs.clock.peek()
}

/// Seconds and nanoseconds, or microseconds with a scale of 1000.
fn put(state: &mut State, to: u64, time: Time, scale: u32) -> Result<(), Trouble> {
    state.memory.write_u64(to, time.seconds as u64)?;
    let fraction = u64::from(time.nanoseconds / scale);
    Ok(state.memory.write_u64(to.wrapping_add(8), fraction)?)
}

/// `None` if the fraction is out of range or the time negative.
fn get(state: &mut State, from: u64, scale: u64) -> Result<Option<Time>, Trouble> {
    let seconds = state.memory.read_u64(from)? as i64;
    let fraction = state.memory.read_u64(from.wrapping_add(8))?;
    let valid = seconds >= 0 && fraction < 1_000_000_000 / scale;
    Ok(valid.then(|| Time { seconds, nanoseconds: (fraction * scale) as u32 }))
}

fn from_micros(micros: u64) -> Time {
    let nanoseconds = (micros % 1_000_000) as u32 * 1000;
    Time { seconds: (micros / 1_000_000) as i64, nanoseconds }
}

fn time(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let seconds = query(state, ClockKind::Realtime).seconds as u64;
    if args.word(0) != 0 {
        state.memory.write_u64(args.word(0), seconds)?;
    }
    value(seconds)
}

fn gettimeofday(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let time = query(state, ClockKind::Realtime);
    if args.word(0) != 0 {
        put(state, args.word(0), time, 1000)?;
    }
    if args.word(1) != 0 {
        state.memory.fill(args.word(1), 0, 8)?;
    }
    int(0)
}

fn clock_gettime(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let Some(kind) = ClockKind::from_id(args.int(0)) else {
        return fail(state, Errno::EINVAL);
    };
    let time = query(state, kind);
    put(state, args.word(1), time, 1)?;
    int(0)
}

fn clock_getres(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if ClockKind::from_id(args.int(0)).is_none() {
        return fail(state, Errno::EINVAL);
    }
    // The coarse clocks advance with the ticks of the system.
    let nanoseconds = if matches!(args.int(0), 5 | 6) { 4_000_000 } else { 1 };
    if args.word(1) != 0 {
        put(state, args.word(1), Time { seconds: 0, nanoseconds }, 1)?;
    }
    int(0)
}

fn timespec_get(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    const TIME_UTC: i32 = 1;
    if args.int(1) != TIME_UTC {
        return int(0);
    }
    let time = query(state, ClockKind::Realtime);
    put(state, args.word(0), time, 1)?;
    int(TIME_UTC)
}

/// `struct timeb`: seconds, milliseconds, and a time zone that is always UTC.
fn ftime(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let time = query(state, ClockKind::Realtime);
    state.memory.write_u64(args.word(0), time.seconds as u64)?;
    let millis = u64::from(time.nanoseconds / 1_000_000);
    state.memory.write_u64(args.word(0).wrapping_add(8), millis)?;
    int(0)
}

/// In ticks of a hundredth second. All processor time is the program's own.
fn times(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let ticks = |time: Time| (time.as_micros() / 10_000) as u64;
    let used = ticks(query(state, ClockKind::Process));
    if args.word(0) != 0 {
        state.memory.fill(args.word(0), 0, 32)?;
        state.memory.write_u64(args.word(0), used)?;
    }
    value(ticks(query(state, ClockKind::Monotonic)))
}

/// Passes time until the real timer expires; false if it is not set.
pub(super) fn expire(state: &mut State) -> bool {
    let Some(timer) = state.process.kernel.timers.timers[REAL] else { return false };
    let left = timer.deadline.since(now(state));
    state.process.vfs.clock.sleep(left);
    rearm(state, timer);
    true
}

fn rearm(state: &mut State, timer: Timer) {
    let again = timer.interval != Time::default();
    let deadline = now(state).plus(timer.interval);
    let next = again.then_some(Timer { deadline, ..timer });
    state.process.kernel.timers.timers[REAL] = next;
}

/// Sleeps; returns the time left if a timer's signal ends it.
fn pass(state: &mut State, span: Time) -> Option<Time> {
    let end = now(state).plus(span);
    let timer = state.process.kernel.timers.timers[REAL].filter(|timer| timer.deadline < end);
    match timer {
        Some(timer) if !signal::is_idle(state, signal::SIGALRM) => {
            // A timer always expires a little late.
            let slept = timer.deadline.plus(Clock::TICK).since(now(state));
            state.process.vfs.clock.sleep(slept);
            rearm(state, timer);
            Some(end.since(now(state)))
        }
        Some(timer) => {
            // The signal is dropped or waits, so the sleep continues to its end.
            state.process.vfs.clock.sleep(span);
            rearm(state, timer);
            None
        }
        None => {
            state.process.vfs.clock.sleep(span);
            None
        }
    }
}

/// The end of a sleep that a signal interrupts.
fn interrupted(state: &mut State, result: u64) -> ShimResult {
    state.set_errno(Errno::EINTR)?;
    signal::interrupt(state, signal::SIGALRM, result)
}

fn sleep(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let span = Time::from_seconds(i64::from(args.int(0) as u32));
    match pass(state, span) {
        None => int(0),
        Some(left) => interrupted(state, left.seconds as u64),
    }
}

fn usleep(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let span = from_micros(u64::from(args.int(0) as u32));
    match pass(state, span) {
        None => int(0),
        Some(_) => interrupted(state, u64::from(u32::MAX)),
    }
}

fn nanosleep(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let Some(span) = get(state, args.word(0), 1)? else {
        return fail(state, Errno::EINVAL);
    };
    let Some(left) = pass(state, span) else { return int(0) };
    if args.word(1) != 0 {
        put(state, args.word(1), left, 1)?;
    }
    interrupted(state, u64::from(u32::MAX))
}

/// Returns the error number itself.
fn clock_nanosleep(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    const TIMER_ABSTIME: i32 = 1;
    let Some(kind) = ClockKind::from_id(args.int(0)) else {
        return int(Errno::EINVAL.0);
    };
    let Some(time) = get(state, args.word(2), 1)? else {
        return int(Errno::EINVAL.0);
    };
    let span = match args.int(1) & TIMER_ABSTIME {
        0 => time,
        _ => time.since(query(state, kind)),
    };
    let Some(left) = pass(state, span) else { return int(0) };
    if args.word(3) != 0 && args.int(1) & TIMER_ABSTIME == 0 {
        put(state, args.word(3), left, 1)?;
    }
    signal::interrupt(state, signal::SIGALRM, Errno::EINTR.0 as u64)
}

/// Sets a timer; returns the time that was left on it and its interval.
fn set_timer(state: &mut State, which: usize, span: Time, interval: Time) -> (Time, Time) {
    let before = left_on(state, which);
    let armed = span != Time::default();
    let timer = armed.then(|| Timer { deadline: now(state).plus(span), interval });
    state.process.kernel.timers.timers[which] = timer;
    before
}

fn left_on(state: &State, which: usize) -> (Time, Time) {
    match state.process.kernel.timers.timers[which] {
        Some(timer) => (timer.deadline.since(now(state)), timer.interval),
        None => (Time::default(), Time::default()),
    }
}

fn alarm(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let span = Time::from_seconds(i64::from(args.int(0) as u32));
    let (left, _) = set_timer(state, REAL, span, Time::default());
    // The native function rounds to the nearest second, but never down to none.
    let rounded = left.seconds + i64::from(left.nanoseconds >= 500_000_000);
    let least = i64::from(left != Time::default());
    int(rounded.max(least) as i32)
}

fn ualarm(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (span, interval) = (args.int(0) as u32, args.int(1) as u32);
    let span = from_micros(u64::from(span));
    let (left, _) = set_timer(state, REAL, span, from_micros(u64::from(interval)));
    int(left.as_micros() as i32)
}

/// `struct itimerval`: the interval, then the time to the next expiry.
fn put_timer(state: &mut State, to: u64, (left, interval): (Time, Time)) -> Result<(), Trouble> {
    put(state, to, interval, 1000)?;
    put(state, to.wrapping_add(16), left, 1000)
}

fn timer_number(number: i32) -> Option<usize> {
    usize::try_from(number).ok().filter(|&number| number < 3)
}

fn setitimer(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (new, old) = (args.word(1), args.word(2));
    let Some(which) = timer_number(args.int(0)) else {
        return fail(state, Errno::EINVAL);
    };
    let (interval, span) = (get(state, new, 1000)?, get(state, new.wrapping_add(16), 1000)?);
    let (Some(interval), Some(span)) = (interval, span) else {
        return fail(state, Errno::EINVAL);
    };
    let before = set_timer(state, which, span, interval);
    if old != 0 {
        put_timer(state, old, before)?;
    }
    answer::nothing()
}

fn getitimer(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let Some(which) = timer_number(args.int(0)) else {
        return fail(state, Errno::EINVAL);
    };
    let left = left_on(state, which);
    put_timer(state, args.word(1), left)?;
    answer::nothing()
}
