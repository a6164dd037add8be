//! The processes of a program's group, from `/proc`.
//!
//! A confined program cannot leave its group, so these are all of its processes. Reading the whole
//! table takes milliseconds, so callers ask seldom.

use std::fs;

use rustix::param::page_size;
use rustix::process::Pid;

/// Positions behind the name in `/proc/N/stat`.
const STATE: usize = 0;
const GROUP: usize = 2;
const THREADS: usize = 17;
const RESIDENT: usize = 21;

/// All processes of a group together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members {
    /// Processes that have not ended.
    pub alive: u32,
    /// Their threads, and processes that have ended but that nobody waited for.
    pub tasks: u32,
    /// Bytes of memory.
    pub resident: u64,
}

impl Members {
    pub fn of(group: Pid) -> Members {
        let mut members = Members::default();
        let group = group.as_raw_nonzero().get().to_string();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let is_process = entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
            if is_process && let Ok(stat) = fs::read_to_string(entry.path().join("stat")) {
                members.add(&stat, &group);
            }
        }
        members
    }

    /// Memory of one process.
    pub fn resident_of(process: Pid) -> u64 {
        let path = format!("/proc/{}/stat", process.as_raw_nonzero());
        let mut members = Members::default();
        if let Ok(stat) = fs::read_to_string(path) {
            let group = field(&stat, GROUP).unwrap_or_default();
            members.add(&stat, group);
        }
        members.resident
    }

    fn add(&mut self, stat: &str, group: &str) {
        if field(stat, GROUP) != Some(group) {
            return;
        }
        let number =
            |position| field(stat, position).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        self.tasks += u32::try_from(number(THREADS)).unwrap_or(u32::MAX).max(1);
        if !matches!(field(stat, STATE), Some("Z" | "X")) {
            self.alive += 1;
            self.resident += number(RESIDENT) * page_size() as u64;
        }
    }
}

/// The name may contain anything, also spaces and parentheses.
fn field(stat: &str, position: usize) -> Option<&str> {
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(position)
}
