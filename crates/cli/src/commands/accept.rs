//! `ripple accept`: records intended differences in the project's `ripple.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use chrono::NaiveDate;
use serde_json::Value;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use crate::setup::Globals;
use crate::{config, output};

const EXAMPLES: &str = "\
Examples:
  ripple accept 1 --reason 'totals are rounded once'    difference 1 of the last comparison
  ripple accept 2 3 --reason 'see the change log' --expires 2030-12-31
  ripple accept --all --reason 'new output format'

An acceptance covers the changed statements that the difference executes, what differs, and how
both versions end. While these stay the same, `ripple compare` does not report the difference
again, and exits with 0 if there is no other. If one of them changes, `ripple compare` reports the
difference with a note on what was accepted.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Numbers of the differences in the report
    #[arg(value_name = "N", required_unless_present = "all", conflicts_with = "all")]
    numbers: Vec<usize>,

    /// Accept all differences of the report
    #[arg(long)]
    all: bool,

    /// Why the differences are intended
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: String,

    /// Last day of the acceptance, as YYYY-MM-DD [default: never expires]
    #[arg(long, value_name = "DAY")]
    expires: Option<String>,

    /// Output directory of the comparison
    #[arg(long, value_name = "DIR", default_value = "ripple.out")]
    from: PathBuf,
}

/// What is recorded of a difference.
#[derive(Clone)]
struct Difference {
    id: String,
    what: String,
    functions: Vec<String>,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    if args.reason.trim().is_empty() {
        bail!("`--reason` is empty; say why the difference is intended");
    }
    let expires = args.expires.as_deref().map(day).transpose()?;
    let differences = chosen(args, &read(&args.from)?)?;
    let named = globals.project.path.clone().or_else(|| globals.config.clone());
    let path = named.unwrap_or_else(|| PathBuf::from(config::NAME));
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let mut document: DocumentMut =
        text.parse().with_context(|| format!("{} is not TOML", path.display()))?;
    for difference in &differences {
        record(&mut document, difference, &args.reason, expires)
            .with_context(|| format!("cannot add to {}", path.display()))?;
    }
    fs::write(&path, document.to_string())
        .with_context(|| format!("cannot write {}", path.display()))?;
    for difference in &differences {
        let line = format!("accepted {}: {}\n", difference.id, difference.what);
        output::result(line.as_bytes())?;
    }
    if !globals.quiet {
        output::note(&format!("wrote {}", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

fn day(text: &str) -> anyhow::Result<NaiveDate> {
    match NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        Ok(day) => Ok(day),
        Err(_) => bail!("`--expires {text}` is not a date; write it as 2030-12-31"),
    }
}

fn read(directory: &Path) -> anyhow::Result<Vec<Difference>> {
    let path = directory.join("report.json");
    let shown = path.display();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!(
                "there is no {shown}; run `ripple compare` first, or name its output directory with --from"
            );
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    };
    let report: Value =
        serde_json::from_str(&text).with_context(|| format!("{shown} is not a report"))?;
    let Some(witnesses) = report["witnesses"].as_array() else {
        bail!("{shown} is not a report of `ripple compare`");
    };
    let difference = |witness: &Value| {
        let text = |name: &str| witness[name].as_str().map(str::to_owned);
        let functions = witness["functions"].as_array().into_iter().flatten();
        Some(Difference {
            id: text("id")?,
            what: text("summary")?,
            functions: functions.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        })
    };
    match witnesses.iter().map(difference).collect() {
        Some(differences) => Ok(differences),
        None => bail!("{shown} was written by an older Ripple; run `ripple compare` again"),
    }
}

fn chosen(args: &Args, all: &[Difference]) -> anyhow::Result<Vec<Difference>> {
    if args.all {
        if all.is_empty() {
            bail!("the report of {} has no differences", args.from.display());
        }
        return Ok(all.to_vec());
    }
    let mut chosen = Vec::new();
    for &number in &args.numbers {
        match number.checked_sub(1).and_then(|index| all.get(index)) {
            Some(one) => chosen.push(one.clone()),
            None => bail!(
                "there is no difference {number}; the report of {} has {}",
                args.from.display(),
                all.len()
            ),
        }
    }
    Ok(chosen)
}

/// Adds an entry, or updates the existing one.
fn record(
    document: &mut DocumentMut,
    difference: &Difference,
    reason: &str,
    expires: Option<NaiveDate>,
) -> anyhow::Result<()> {
    let entry = document.entry("accepted").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(tables) = entry.as_array_of_tables_mut() else {
        bail!("`accepted` is not an array of tables; write it as [[accepted]]");
    };
    let is_same = |table: &Table| table.get("id").and_then(Item::as_str) == Some(&difference.id);
    let known = tables.iter().position(is_same);
    let mut table = Table::new();
    table["id"] = value(&difference.id);
    table["what"] = value(&difference.what);
    table["functions"] = value(difference.functions.iter().collect::<Array>());
    table["reason"] = value(reason.trim());
    if let Some(day) = expires {
        let day: toml_edit::Datetime =
            day.to_string().parse().context("a day is a date of TOML")?;
        table["expires"] = value(day);
    }
    match known.and_then(|index| tables.get_mut(index)) {
        Some(known) => *known = table,
        None => tables.push(table),
    }
    Ok(())
}
