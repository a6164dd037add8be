//! The directory that tests and the report are written to.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;
use effects::explore::{Explored, KeptTest};
use inputs::{Ktest, KtestObject, write_script, write_test};

use crate::directory::{OutDirectory, Owner, is_report};

const REPORT: &str = "report.json";
/// What tests run by default, relative to the directory of the scripts.
const PROGRAM: &str = "../program";

/// A directory that may be written.
pub struct Results(OutDirectory);

impl Results {
    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn at(path: &Path) -> anyhow::Result<Results> {
        let owner = Owner { command: "explore", is_ours, by_default: false };
        Ok(Results(OutDirectory::check(path, owner)?))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, explored: &Explored) -> anyhow::Result<()> {
        self.0.replace(&|directory| fill(directory, explored)).with_context(|| self.0.cannot())
    }
}

fn is_ours(path: &Path) -> bool {
    is_report(&path.join(REPORT), report::explore::SCHEMA)
}

fn fill(directory: &Path, explored: &Explored) -> io::Result<()> {
    let tests = directory.join("tests");
    fs::create_dir(&tests)?;
    fs::write(directory.join(REPORT), report::explore::json(explored))?;
    let lines = explored.tests.iter().map(|test| write_test(&test.test) + "\n");
    fs::write(directory.join("tests.jsonl"), lines.collect::<String>())?;
    fs::copy(&explored.native.path, directory.join("program"))?;
    if let Some(harness) = &explored.harness {
        fs::write(directory.join("harness.c"), harness)?;
    }
    for (index, test) in explored.tests.iter().enumerate() {
        let name = format!("{:03}", index + 1);
        let script = write_script(&test.native_test, Some(PROGRAM));
        fs::write(tests.join(format!("{name}.sh")), script)?;
        let program = report::shell::program(&explored.files);
        fs::write(tests.join(format!("{name}.ktest")), ktest(&program, test).to_bytes())?;
    }
    Ok(())
}

fn ktest(program: &str, test: &KeptTest) -> Ktest {
    let mut ktest = Ktest::of_input(program, &test.test.input);
    let memory = test.memory.iter().cloned();
    ktest.objects.extend(memory.map(|(name, bytes)| KtestObject { name, bytes }));
    ktest
}
