//! Whether this system can confine programs under test.
//!
//! Found out by trying: a process is confined as a program would be, up to the moment when it would
//! execute one. Containers and other sandboxes may forbid what the kernel supports.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use crate::confine::{Confinement, Grants, Step, landlock_version};
use crate::error::SourceError;
use crate::spawn::{NoStart, Start};

/// A program that cannot exist: below a device.
const NOWHERE: &str = "/dev/null/nothing";
/// Versions of landlock from which on it restricts more.
const MOVES: u32 = 2;
const SIGNALS: u32 = 6;

/// A protection of native runs, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protection {
    pub name: &'static str,
    /// How it holds, or why not.
    pub state: Result<String, String>,
}

/// All protections, whether they hold on this system.
pub fn protections() -> Vec<Protection> {
    let state = match tried() {
        Err(lacking) => Err(lacking.clone()),
        Ok(version) => Ok(*version),
    };
    let line =
        |name, says: &dyn Fn(u32) -> String| Protection { name, state: state.clone().map(says) };
    vec![
        line("writes", &|version| {
            let moves = match version {
                ..MOVES => "; files cannot be moved between its directories",
                _ => "",
            };
            format!("only in the run's own directory (landlock {version}){moves}")
        }),
        line("reads", &|_| {
            "only the program, its directory and what programs need of the system".to_owned()
        }),
        line("network", &|_| "none (seccomp)".to_owned()),
        line("processes", &|version| {
            let how = if version < SIGNALS { "seccomp" } else { "seccomp, landlock" };
            format!("no signals to others and no view of them ({how})")
        }),
        line("limits", &|_| "time, memory, processes, sizes of files".to_owned()),
    ]
}

/// Refuses if programs under test are to be confined and cannot be.
pub(crate) fn require(confinement: Confinement) -> Result<(), SourceError> {
    match (confinement, tried()) {
        (Confinement::Unconfined, _) | (_, Ok(_)) => Ok(()),
        (_, Err(lacking)) => Err(SourceError::Unprotected { lacking: lacking.clone() }),
    }
}

/// The version of landlock if everything can be applied, or else what is lacking. Tried once.
fn tried() -> &'static Result<u32, String> {
    static TRIED: OnceLock<Result<u32, String>> = OnceLock::new();
    TRIED.get_or_init(|| match attempt() {
        Ok(version) => Ok(version),
        Err(SourceError::Unprotected { lacking }) => Err(lacking),
        Err(other) => Err(other.to_string()),
    })
}

fn attempt() -> Result<u32, SourceError> {
    let landlock =
        landlock_version().map_err(|cause| SourceError::unprotected(Step::Files, cause))?;
    let grants = Grants { landlock, program: Path::new(NOWHERE), writable: Vec::new() };
    let start = Start {
        program: Path::new(NOWHERE),
        args: Vec::new(),
        env: BTreeMap::new(),
        directory: "/".into(),
        limits: Vec::new(),
        hard_limits: Vec::new(),
        grants: Some(grants),
    };
    match start.start() {
        Err(NoStart::Unprotected(step, cause)) => Err(SourceError::unprotected(step, cause)),
        // Everything was applied, and then there was no program.
        Err(NoStart::System(_)) | Ok(_) => Ok(landlock),
    }
}
