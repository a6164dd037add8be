//! How many bytes may still be kept.

use super::{Execution, Flaw, RecordLimits};

/// What is left of the limit of all executions, and what each execution has used of its own.
#[derive(Debug)]
pub(super) struct Room {
    limits: RecordLimits,
    left: usize,
}

impl Room {
    pub fn new(limits: RecordLimits) -> Room {
        Room { limits, left: limits.all }
    }

    /// The most bytes of one file or stream.
    pub fn of_a_file(&self) -> usize {
        self.limits.file
    }

    /// Takes room for some bytes of an execution, or says with a flaw why there is none.
    pub fn take(&mut self, execution: &mut Execution, used: &mut usize, bytes: usize) -> bool {
        if bytes > self.left {
            execution.add(Flaw::NoRoom);
            return false;
        }
        if *used + bytes > self.limits.execution {
            execution.add(Flaw::Large);
            return false;
        }
        *used += bytes;
        self.left -= bytes;
        true
    }
}
