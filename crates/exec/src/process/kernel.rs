//! The system's state of the process besides its files.
//!
//! Data and queries; the functions that change it are shims.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::libc::clock::Time;
use crate::libc::vfs::Entry;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    pub(crate) signals: Signals,
    pub(crate) timers: Timers,
    pub(crate) directories: Directories,
    pub(crate) mappings: Mappings,
    pub(crate) limits: ResourceLimits,
    pub(crate) keys: Keys,
    /// Called from the last to the first.
    pub(crate) quick_exit_functions: Vec<u64>,
    /// How many bytes of the random sequence were used.
    pub(crate) random: u64,
    /// The buffer of `tmpnam`, once it is used.
    pub(crate) temporary_name: u64,
}

impl Kernel {
    /// Whether the system will end or interrupt the process after some time.
    pub(crate) fn may_interrupt(&self) -> bool {
        self.timers != Timers::default() || self.limits.bounds_time()
    }
}

pub const SIG_DFL: u64 = 0;
pub const SIG_IGN: u64 = 1;

/// The signal settings of the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Those that do not have their default action.
    pub actions: BTreeMap<i32, Action>,
    /// Bit n - 1 for signal n.
    pub blocked: u64,
    pub pending: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    pub handler: u64,
    pub mask: u64,
    pub flags: u32,
    pub restorer: u64,
}

/// The default action of a signal.
pub enum DefaultAction {
    End,
    Ignore,
    Stop,
}

pub fn default_action(signal: i32) -> DefaultAction {
    match signal {
        // SIGCHLD, SIGCONT, SIGURG, SIGWINCH.
        17 | 18 | 23 | 28 => DefaultAction::Ignore,
        // SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
        19..=22 => DefaultAction::Stop,
        _ => DefaultAction::End,
    }
}

pub fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

impl Signals {
    pub fn action(&self, signal: i32) -> Action {
        self.actions.get(&signal).copied().unwrap_or_default()
    }

    /// Whether the signal would have no effect.
    pub fn ignores(&self, signal: i32) -> bool {
        match self.action(signal).handler {
            SIG_IGN => true,
            SIG_DFL => matches!(default_action(signal), DefaultAction::Ignore),
            _ => false,
        }
    }
}

/// The three interval timers: real, virtual, profiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timers {
    pub timers: [Option<Timer>; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    pub deadline: Time,
    pub interval: Time,
}

/// Open directories by the address of their `DIR`.
pub type Directories = BTreeMap<u64, Directory>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    pub descriptor: i32,
    /// Listed when the first entry is read.
    pub entries: Option<Arc<Vec<Entry>>>,
    pub position: usize,
}

/// Lengths of mappings, by address.
pub type Mappings = BTreeMap<u64, u64>;

pub const UNLIMITED: u64 = u64::MAX;

/// Soft and hard limit of each resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceLimits {
    pub limits: [(u64, u64); 16],
}

impl ResourceLimits {
    /// Whether the processor time of the process is limited (`RLIMIT_CPU`).
    pub fn bounds_time(&self) -> bool {
        self.limits[0].0 != UNLIMITED
    }
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        let mut limits = [(UNLIMITED, UNLIMITED); 16];
        // RLIMIT_STACK, RLIMIT_CORE, RLIMIT_NPROC, RLIMIT_NOFILE.
        limits[3] = (8 << 20, UNLIMITED);
        limits[4] = (0, UNLIMITED);
        limits[6] = (4096, 4096);
        limits[7] = (1024, 1024);
        // RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO.
        limits[12] = (819_200, 819_200);
        limits[13] = (0, 0);
        limits[14] = (0, 0);
        ResourceLimits { limits }
    }
}

/// Values of the thread by key.
pub type Keys = BTreeMap<u32, u64>;
