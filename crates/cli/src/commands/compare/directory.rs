//! The directory that the report, tests and scripts are written to.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;
use effects::compare::Compared;
use inputs::write_test;
use report::compare::Emitted;
use report::{Base, Look};

use crate::directory::{OutDirectory, Owner};

const REPORT: &str = "report.json";

/// Refuses what is there already, unless it is empty or an earlier result.
pub fn check(path: &Path) -> anyhow::Result<OutDirectory> {
    OutDirectory::check(path, Owner { command: "compare", is_ours })
}

pub fn write(
    out: &OutDirectory,
    compared: &Compared,
    base: &Base,
    emitted: &[Emitted],
) -> anyhow::Result<()> {
    let fill = |directory: &Path| {
        fill(directory, compared, base)?;
        fill_tests(directory, emitted)
    };
    out.rotate(&fill).with_context(|| out.cannot())
}

fn is_ours(path: &Path) -> bool {
    let kind = report::compare::SCHEMA.trim_end_matches(|c: char| c.is_ascii_digit());
    let marked = format!("\"schema\": \"{kind}");
    fs::read_to_string(path.join(REPORT)).is_ok_and(|report| report.contains(&marked))
}

fn fill(directory: &Path, compared: &Compared, base: &Base) -> io::Result<()> {
    fs::write(directory.join(REPORT), report::compare::json(compared))?;
    fs::write(directory.join("timing.json"), report::compare::timing(compared))?;
    let text = report::compare::text(compared, None, Look::default());
    fs::write(directory.join("report.txt"), text)?;
    fs::write(directory.join("report.sarif"), report::compare::sarif(compared, base))?;
    fs::write(directory.join("report.md"), report::compare::markdown(compared, base))?;
    fs::write(directory.join("report.html"), report::compare::html(compared))?;
    let lines = compared.witnesses.iter().map(|witness| write_test(&witness.test) + "\n");
    fs::write(directory.join("tests.jsonl"), lines.collect::<String>())?;
    for (index, witness) in compared.witnesses.iter().enumerate() {
        let script = report::compare::script(compared, witness);
        fs::write(directory.join(report::compare::script_name(index)), script)?;
    }
    Ok(())
}

/// Tests to keep, if some were asked for.
fn fill_tests(directory: &Path, emitted: &[Emitted]) -> io::Result<()> {
    let files = emitted.iter().flat_map(|emitted| &emitted.files);
    let tests = directory.join("tests");
    for file in files {
        fs::create_dir_all(&tests)?;
        fs::write(tests.join(&file.name), &file.content)?;
    }
    Ok(())
}
