//! What the system remembers of the process besides its files.

use super::directory::Directories;
use super::mapping::Mappings;
use super::resource::ResourceLimits;
use super::signal::Signals;
use super::thread::Keys;
use super::time::Timers;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    pub(super) signals: Signals,
    pub(super) timers: Timers,
    pub(super) directories: Directories,
    pub(super) mappings: Mappings,
    pub(super) limits: ResourceLimits,
    pub(super) keys: Keys,
    /// Called from the last to the first.
    pub(super) quick_exit_functions: Vec<u64>,
    /// How many bytes of the sequence of random numbers were handed out.
    pub(super) random: u64,
    /// The buffer of `tmpnam`, once it is used.
    pub(super) temporary_name: u64,
}

impl Kernel {
    /// Whether the system is to end or interrupt the process when some time has passed.
    pub(crate) fn may_interrupt(&self) -> bool {
        self.timers != Timers::default() || self.limits.bounds_time()
    }
}
