//! Confines programs under test: what they may read, write, call and start.
//!
//! Landlock restricts files (`filesystem`), a seccomp filter system calls (`syscalls`), and a
//! supervisor decides those calls that neither can judge (`supervisor`). No administrator is needed,
//! and no namespaces: many systems do not let users make them, and in a namespace programs see
//! other numbers of users and processes. `docs/sandbox.md` says what holds.
//!
//! The crates `landlock` and `seccompiler` do not fit: the new process shares our memory and must
//! not allocate, and the filter needs a supervisor and a search that the latter does not write.

mod apply;
mod bpf;
mod filesystem;
mod members;
mod metadata;
mod supervisor;
mod syscalls;

use std::io;
use std::sync::OnceLock;

use libc::sock_filter;

pub(crate) use apply::{Grants, Prepared, Step, drops_privileges};
pub(crate) use bpf::{Case, Rule, Verdict, filter};
pub(crate) use filesystem::Ruleset;
pub(crate) use members::Members;
pub(crate) use supervisor::Supervisor;

/// Whether programs under test run confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confinement {
    #[default]
    Confined,
    /// As a kernel does it that has no newer version of landlock than this.
    ConfinedWithLandlock(u32),
    /// They may do whatever the user may do.
    Unconfined,
}

impl Confinement {
    /// The version of landlock to use; none for unconfined programs.
    pub(crate) fn landlock(self) -> io::Result<Option<u32>> {
        match self {
            Confinement::Confined => landlock_version().map(Some),
            Confinement::ConfinedWithLandlock(most) => Ok(Some(landlock_version()?.min(most))),
            Confinement::Unconfined => Ok(None),
        }
    }
}

/// The version of landlock of this kernel, asked once.
pub(crate) fn landlock_version() -> io::Result<u32> {
    static NEWEST: OnceLock<Result<u32, i32>> = OnceLock::new();
    let newest = NEWEST
        .get_or_init(|| filesystem::newest().map_err(|error| error.raw_os_error().unwrap_or(0)));
    newest.map_err(io::Error::from_raw_os_error)
}

/// The filter for system calls with this version of landlock.
pub(crate) fn call_filter(landlock: u32) -> &'static [sock_filter] {
    static FILTERS: [OnceLock<Vec<sock_filter>>; 2] = [OnceLock::new(), OnceLock::new()];
    let is_late = landlock >= syscalls::TRUNCATION;
    FILTERS[usize::from(is_late)].get_or_init(|| syscalls::program(landlock))
}
