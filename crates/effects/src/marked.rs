//! Both versions as traces need them: with all statements marked, and with post-dominators.

use std::sync::OnceLock;

use base::Version;
use exec::{Instrumentation, Program};
use explore::Pair;
use trace::{Postdominators, TraceLimits};

use crate::versions::{Versions, postdominators};

pub(crate) struct Marked {
    pub programs: [Program; 2],
    pub postdominators: [Postdominators; 2],
}

impl Marked {
    /// `None` if the versions cannot be run this way.
    fn new(pair: &Pair<'_>, versions: &Versions) -> Option<Marked> {
        let modules = [&versions.old.module, &versions.new.module];
        let program = |version: Version| {
            let plain = pair.side(version).program;
            let module = modules[version].clone();
            let entry = plain.module.functions[plain.entry].name.clone();
            Program::new(module, &entry, Instrumentation { statements: true }).ok()
        };
        Some(Marked {
            programs: [program(Version::Old)?, program(Version::New)?],
            postdominators: modules.map(postdominators),
        })
    }
}

/// The same, made on demand.
pub(crate) struct Tracing<'a> {
    versions: &'a Versions,
    pub name: &'a [u8],
    limits: exec::Limits,
    marked: OnceLock<Option<Marked>>,
}

impl<'a> Tracing<'a> {
    pub fn new(versions: &'a Versions, name: &'a [u8], limits: exec::Limits) -> Tracing<'a> {
        Tracing { versions, name, limits, marked: OnceLock::new() }
    }

    pub fn marked(&self, pair: &Pair<'_>) -> Option<&Marked> {
        self.marked.get_or_init(|| Marked::new(pair, self.versions)).as_ref()
    }

    /// Bounds of a run with this many events.
    pub fn limits(&self, events: u32) -> TraceLimits {
        // Marks of statements count as steps, too.
        let run = exec::Limits { steps: self.limits.steps.saturating_mul(2), ..self.limits };
        TraceLimits { events, run }
    }
}
