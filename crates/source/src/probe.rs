//! Whether a clang can do everything Ripple needs, found out by trying.
//!
//! Compiles, builds, sanitizes and runs a small program, each time anew: a cached answer would miss
//! that a library was removed.

use std::path::PathBuf;

use crate::cache::Cache;
use crate::compile::Compiler;
use crate::confine::Confinement;
use crate::end::End;
use crate::error::SourceError;
use crate::run::{Invocation, Limits, run_native};
use crate::scratch::{scratch, write_scratch};

const PROGRAM: &str = "\
#include <math.h>
#include <stdio.h>
int main(int argc, char **argv) { printf(\"%.0f\", floor(argc + 0.5)); return 0; }
";

/// What works, and what went wrong with the rest.
#[derive(Debug)]
pub struct Probe {
    /// C with the standard headers to LLVM IR.
    pub compiles: Result<(), SourceError>,
    /// The same to a program that runs.
    pub builds: Result<(), SourceError>,
    /// The same with `-fsanitize=address,undefined`.
    pub sanitizes: Result<(), SourceError>,
}

impl Compiler {
    /// Tries everything once, with the given flags.
    pub fn probe(&self, cflags: &[String]) -> Probe {
        // The program is ours, and whether programs can be confined is another question.
        let confinement = Confinement::Unconfined;
        let anew = Self { cache: Cache::disabled(), confinement, ..self.clone() };
        Probe {
            compiles: anew.compile_text("probe.c", PROGRAM, cflags).map(|_| ()),
            builds: anew.probe_native(cflags, false),
            sanitizes: anew.probe_native(cflags, true),
        }
    }

    fn probe_native(&self, cflags: &[String], sanitize: bool) -> Result<(), SourceError> {
        let place = scratch()?;
        let here = Self { directory: place.path().to_owned(), ..self.clone() };
        write_scratch(&place.path().join("probe.c"), PROGRAM)?;
        let program = here.build_native(&[PathBuf::from("probe.c")], cflags, sanitize)?;
        let run = run_native(&program, &Invocation::default(), &Limits::default())?;
        if run.end == End::Exited(0) && run.stdout == b"1" {
            return Ok(());
        }
        Err(SourceError::DoesNotRun { end: run.end })
    }
}
