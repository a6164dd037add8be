//! `ripple build`: runs a build as it is, and records what it builds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use source::{Build, Cache, End, PassOn, Recorded, Recording, Tracing};

use crate::exit;
use crate::output;
use crate::setup::{self, Globals};

const EXAMPLES: &str = "\
Examples:
  ripple build -- make -j8                  record a build with make
  ripple build -- sh -c './configure && make'
                                            several commands: through a shell
  ripple build -- cmake --build out         whatever builds: CMake, Meson, ninja, a script
  ripple build --check -- make              list files that clang does not compile
  ripple build --out build.json -- make     keep the record in a file of your own
  ripple programs                           list what was built

The build runs unchanged, with its own compilers. A build that is up to date compiles nothing:
clean it first, as with `make clean`. Exits as the build does.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The build command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// Write the record to FILE [default: in the cache, for this directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Compile each recorded file with clang, and list those that it rejects
    #[arg(long)]
    check: bool,

    /// Find tools on the PATH instead of following processes; misses tools called by absolute paths
    #[arg(long)]
    no_trace: bool,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let directory = std::env::current_dir().context("cannot determine the current directory")?;
    let cache = globals.cache()?;
    let place = place(args, &cache, &directory)?;
    // A record that cannot be read is replaced.
    let earlier = place.is_file().then(|| Build::read(&place).ok()).flatten();
    let signals = PassOn::signals();
    let recorded = record(args, &cache, &directory, earlier.as_ref())?;
    let interrupted = signals.arrived();
    drop(signals);
    if let Some(signal) = interrupted {
        note(globals, "interrupted: nothing was recorded");
        return Ok(code_of(End::Signaled(signal)));
    }
    finish(args, globals, &place, &recorded)?;
    Ok(code_of(recorded.end))
}

/// Where the record goes.
fn place(args: &Args, cache: &Cache, directory: &Path) -> anyhow::Result<PathBuf> {
    if let Some(out) = &args.out {
        let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty());
        if !directory.join(parent.unwrap_or(Path::new("."))).is_dir() {
            bail!("cannot write `{}`: its directory does not exist", out.display());
        }
        return Ok(directory.join(out));
    }
    let Some(place) = Build::place(cache, directory) else {
        bail!("there is no cache to keep the record in; write --out FILE, or set HOME");
    };
    Ok(place)
}

fn record(
    args: &Args,
    cache: &Cache,
    directory: &Path,
    earlier: Option<&Build>,
) -> anyhow::Result<Recorded> {
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let temporary;
    let shims = match cache.directory() {
        Some(cache) => cache.join("shims"),
        None => {
            temporary = tempfile::tempdir().context("cannot create a temporary directory")?;
            temporary.path().to_owned()
        }
    };
    let binary = setup::own_binary().context("cannot find Ripple's own program")?;
    Ok(Build::record(&Recording {
        command: &args.command,
        directory,
        environment: &environment,
        tracing: if args.no_trace { Tracing::Never } else { Tracing::WherePossible },
        shims: &shims,
        binary: &binary,
        output: None,
        containment: None,
        earlier,
        progress: &|_| {},
    })?)
}

/// Writes the record and says what is in it. What the build itself wrote to standard output is not
/// ours, so that all of this goes to standard error.
fn finish(args: &Args, globals: &Globals, place: &Path, recorded: &Recorded) -> anyhow::Result<()> {
    let build = &recorded.build;
    if recorded.end != End::Exited(0) {
        note(globals, "the build failed; recorded what it built so far");
    }
    if !recorded.is_active && build.products.is_empty() {
        let advice = "nothing was compiled: if the build was up to date, clean it and build again, \
            as with `make clean`";
        if recorded.end == End::Exited(0) {
            bail!("{advice}");
        }
        return Ok(());
    }
    build.write(place)?;
    let failed = args.check.then(|| anyhow::Ok(build.check(&globals.compiler()?)?)).transpose()?;
    note(globals, report::build::text(build, place, failed.as_deref()).trim_end());
    Ok(())
}

fn note(globals: &Globals, text: &str) {
    if !globals.quiet {
        output::note(text);
    }
}

/// As a shell shows the end of a command.
fn code_of(end: End) -> ExitCode {
    let code = match end {
        End::Exited(code) => u8::try_from(code).unwrap_or(exit::FAILURE),
        End::Signaled(signal) => 128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)),
        End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined => exit::FAILURE,
    };
    ExitCode::from(code)
}
