//! `ripple cache`: what the cache holds, and emptying it.

use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;

use crate::commands::changes::Format;
use crate::output;
use crate::setup::Globals;

const EXAMPLES: &str = "\
Examples:
  ripple cache                     show the directory, the size and the kinds of entries
  ripple cache clear               remove all entries
  ripple --cache-size 500M cache   show them with another bound

`clear` removes only what Ripple wrote, and leaves what running commands use.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What to do
    #[arg(value_enum, value_name = "ACTION", default_value_t = Action::Show)]
    action: Action,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Action {
    /// Show what the cache holds
    Show,
    /// Remove all entries
    Clear,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let cache = globals.cache()?;
    let text = match (args.action, args.format) {
        (Action::Show, Format::Text) => cache.contents().map(|held| report::cache::text(&held)),
        (Action::Show, Format::Json) => cache.contents().map(|held| report::cache::json(&held)),
        (Action::Clear, Format::Text) => cache.clear().map(|gone| report::cache::cleared(&gone)),
        (Action::Clear, Format::Json) => {
            cache.clear().map(|gone| report::cache::cleared_json(&gone))
        }
    };
    let Some(text) = text else {
        bail!("there is no cache: set HOME or --cache-dir, and a --cache-size above 0");
    };
    output::result(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
