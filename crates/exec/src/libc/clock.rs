//! The virtual clock: time as a program sees it, independent of the host's.
//!
//! Starts at a fixed second, moves by one microsecond per query and by the requested time per
//! sleep, so every run of a program reads the same times. There are no time zones but UTC here.

/// A point in time or a span, in whole seconds and nanoseconds below one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    pub seconds: i64,
    pub nanoseconds: u32,
}

impl Time {
    pub const fn from_seconds(seconds: i64) -> Time {
        Time { seconds, nanoseconds: 0 }
    }

    /// Microseconds since the epoch, saturating.
    pub fn as_micros(self) -> i64 {
        self.seconds.saturating_mul(1_000_000).saturating_add(i64::from(self.nanoseconds / 1000))
    }

    /// The later time, saturating at the end of time.
    pub fn plus(self, span: Time) -> Time {
        let nanoseconds = self.nanoseconds + span.nanoseconds;
        let carry = i64::from(nanoseconds / 1_000_000_000);
        Time {
            seconds: self.seconds.saturating_add(span.seconds).saturating_add(carry),
            nanoseconds: nanoseconds % 1_000_000_000,
        }
    }

    /// The span from an earlier time to this one; zero if it is not earlier.
    pub fn since(self, earlier: Time) -> Time {
        if self <= earlier {
            return Time::default();
        }
        let borrow = self.nanoseconds < earlier.nanoseconds;
        let nanoseconds = self.nanoseconds + if borrow { 1_000_000_000 } else { 0 };
        Time {
            seconds: self.seconds.saturating_sub(earlier.seconds).saturating_sub(i64::from(borrow)),
            nanoseconds: nanoseconds - earlier.nanoseconds,
        }
    }
}

/// The clocks of `clock_gettime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockKind {
    /// Time since the epoch.
    Realtime,
    /// Time since the (virtual) boot.
    Monotonic,
    /// Processor time of the process: the queries made, without the time slept.
    Process,
}

impl ClockKind {
    /// From the numbers of `clock_gettime`; `None` for a clock that does not exist.
    pub fn from_id(id: i32) -> Option<ClockKind> {
        match id {
            // CLOCK_REALTIME, _COARSE, _ALARM, CLOCK_TAI.
            0 | 5 | 8 | 11 => Some(ClockKind::Realtime),
            // CLOCK_MONOTONIC, _RAW, _COARSE, CLOCK_BOOTTIME, _ALARM.
            1 | 4 | 6 | 7 | 9 => Some(ClockKind::Monotonic),
            // CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID.
            2 | 3 => Some(ClockKind::Process),
            _ => None,
        }
    }
}

/// The clock of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    now: Time,
    start: Time,
    slept: Time,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::starting_at(Clock::DEFAULT_START)
    }
}

impl Clock {
    /// 2001-09-09T01:46:40Z.
    pub const DEFAULT_START: Time = Time::from_seconds(1_000_000_000);
    /// What one query costs.
    pub const TICK: Time = Time { seconds: 0, nanoseconds: 1000 };
    /// How long the virtual machine had been up when the program began.
    const UPTIME: Time = Time::from_seconds(1000);

    pub fn starting_at(start: Time) -> Clock {
        Clock { now: start, start, slept: Time::default() }
    }

    /// The current time without advancing it (file times).
    pub fn peek(&self) -> Time {
        self.now
    }

    /// Answers a query and advances by one tick.
    pub fn query(&mut self, kind: ClockKind) -> Time {
        let elapsed = self.now.since(self.start);
        let answer = match kind {
            ClockKind::Realtime => self.now,
            ClockKind::Monotonic => Clock::UPTIME.plus(elapsed),
            ClockKind::Process => elapsed.since(self.slept),
        };
        self.now = self.now.plus(Clock::TICK);
        answer
    }

    /// `sleep`, `nanosleep` and the like: time passes at once.
    pub fn sleep(&mut self, span: Time) {
        self.now = self.now.plus(span);
        self.slept = self.slept.plus(span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_moves_the_clock_by_one_microsecond() {
        let mut clock = Clock::default();
        assert_eq!(clock.query(ClockKind::Realtime).seconds, 1_000_000_000);
        assert_eq!(clock.query(ClockKind::Realtime).as_micros(), 1_000_000_000_000_001);
        assert_eq!(clock.query(ClockKind::Monotonic).as_micros(), 1_000_000_002);
    }

    #[test]
    fn sleeping_passes_time_but_no_processor_time() {
        let mut clock = Clock::default();
        clock.sleep(Time { seconds: 2, nanoseconds: 999_999_500 });
        clock.query(ClockKind::Realtime);
        assert_eq!(clock.query(ClockKind::Process).as_micros(), 1);
        let now = clock.peek();
        assert_eq!((now.seconds, now.nanoseconds), (1_000_000_003, 1500));
    }

    #[test]
    fn spans_borrow_and_saturate() {
        let early = Time { seconds: 1, nanoseconds: 900_000_000 };
        let span = Time::from_seconds(3).since(early);
        assert_eq!((span.seconds, span.nanoseconds), (1, 100_000_000));
        assert_eq!(early.since(Time::from_seconds(3)), Time::default());
        let end = Time::from_seconds(i64::MAX);
        assert_eq!(end.plus(Time::from_seconds(1)), end);
    }
}
