//! Arguments that name versions, shared by several commands.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use base::Both;
use effects::Loader;
use source::{Absent, Checkout, Repository, Selection, call_all_alike, check_out_both};

use crate::builds::BuildFlags;
use crate::config::Config;
use crate::output;
use crate::programs::{self, ProgramFlag};
use crate::setup::Globals;

/// Digits of an abbreviated commit id.
const SHORT: usize = 10;

#[derive(Debug, clap::Args)]
pub struct Versions {
    /// Old version: a C file, a directory of C files, or a git revision
    #[arg(value_name = "OLD")]
    old: Option<OsString>,

    /// New version
    #[arg(value_name = "NEW")]
    new: Option<OsString>,

    /// C files of the program, or directories of them [default: all]
    #[arg(last = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub program: ProgramFlag,

    /// Use the merge base of HEAD and REV as OLD; NEW is the work tree unless given
    #[arg(long, value_name = "REV")]
    baseline_rev: Option<String>,
}

/// Two or more versions, from the oldest to the newest.
#[derive(Debug, clap::Args)]
pub struct Succession {
    /// Versions, oldest first: C files, directories of C files, or git revisions
    #[arg(value_name = "VERSION", required = true)]
    versions: Vec<OsString>,

    /// C files of the program, or directories of them [default: all]
    #[arg(last = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub program: ProgramFlag,
}

/// Whether the paths behind `--` name files, so that nothing is left to be chosen.
pub fn names_files(paths: &[PathBuf]) -> bool {
    let is_file = |path: &PathBuf| path.extension().is_some_and(|one| one == "c" || one == "i");
    !paths.is_empty() && paths.iter().all(is_file)
}

/// Names what belongs to versions and is not at hand.
pub fn say_absent<'a>(versions: impl IntoIterator<Item = &'a Checkout>, globals: &Globals) {
    if globals.quiet {
        return;
    }
    let absent: BTreeSet<&Absent> = versions.into_iter().flat_map(|one| &one.absent).collect();
    let mut sparse = 0;
    for one in absent {
        match one {
            Absent::Submodule(path) => output::note(&format!(
                "warning: the submodule {} is not here, so its files are missing; `git \
                 submodule update --init` gets it",
                path.display()
            )),
            Absent::Sparse(_) => sparse += 1,
        }
    }
    if sparse > 0 {
        let files =
            if sparse == 1 { "1 C file that it lacks is" } else { "C files that it lacks are" };
        output::note(&format!(
            "note: the work tree is sparse; {files} the same in the other version, and left out"
        ));
    }
}

impl Succession {
    pub fn check_out(
        &self,
        selection: &Selection<'_>,
        globals: &Globals,
    ) -> anyhow::Result<Vec<Checkout>> {
        let [first, others @ ..] = &self.versions[..] else { bail!("give at least two versions") };
        if others.is_empty() {
            bail!("give at least two versions; {} is only one", first.display());
        }
        let mut checkouts: Vec<Checkout> = Vec::new();
        for other in others {
            let (old, new) = check_out_both(first, other, selection)?;
            if checkouts.is_empty() {
                checkouts.push(old);
            }
            checkouts.push(new);
        }
        call_all_alike(&mut checkouts);
        say_absent(&checkouts, globals);
        let only_selected = !self.paths.is_empty();
        let mut checkouts = self.program.build.apply(checkouts, only_selected, globals)?;
        for index in 1..checkouts.len() {
            // Positions carry over from version to version.
            let before = checkouts[index - 1].clone();
            checkouts[index].hold_positions_of(&before);
        }
        Ok(checkouts)
    }

    /// Reduces all versions to one program.
    pub fn choose(
        &self,
        loader: &Loader<'_>,
        versions: Vec<Checkout>,
        entry: Option<&str>,
        globals: &Globals,
    ) -> anyhow::Result<Vec<Checkout>> {
        let wanted = self.program.wanted(entry, true);
        if names_files(&self.paths) && self.program.program.is_none() {
            return Ok(versions);
        }
        if let [old, new] = &versions[..] {
            let pair = [old.clone(), new.clone()];
            return Ok(programs::choose_one(loader, pair, wanted, globals)?.into());
        }
        // All versions are built, or none: what one lacks must not decide.
        let plain = BuildFlags { no_build: true, ..BuildFlags::default() };
        let wanted = (wanted.0, &plain);
        let chosen = versions.into_iter();
        let chosen = chosen.map(|one| programs::choose_single(loader, one, wanted, globals));
        let mut chosen = chosen.collect::<anyhow::Result<Vec<Checkout>>>()?;
        for index in 1..chosen.len() {
            let before = chosen[index - 1].clone();
            chosen[index].hold_positions_of(&before);
        }
        Ok(chosen)
    }

    pub fn count(&self) -> usize {
        self.versions.len()
    }
}

impl Versions {
    /// Both versions; built, if that is asked for.
    pub fn check_out(
        &self,
        globals: &Globals,
        selection: &Selection<'_>,
    ) -> anyhow::Result<(Checkout, Checkout)> {
        let both = self.check_out_plain(&globals.project, selection)?;
        say_absent([&both.0, &both.1], globals);
        self.program.build.apply_both(both, !self.paths.is_empty(), globals)
    }

    fn check_out_plain(
        &self,
        config: &Config,
        selection: &Selection<'_>,
    ) -> anyhow::Result<(Checkout, Checkout)> {
        let baseline = match (&self.baseline_rev, &self.old, &self.new) {
            (Some(_), Some(_), Some(_)) => {
                bail!("`--baseline-rev` replaces OLD; give only NEW, or no version");
            }
            (Some(revision), ..) => Some(revision),
            (None, Some(old), Some(new)) => {
                return Ok(check_out_both(old, new, selection)?);
            }
            (None, Some(_), None) => {
                bail!("NEW is missing: give OLD and NEW, or --baseline-rev REV");
            }
            (None, None, _) => config.baseline_rev.as_ref(),
        };
        let Some(revision) = baseline else {
            bail!("give two versions, OLD and NEW, or --baseline-rev REV");
        };
        self.against(revision, selection)
    }

    /// Both versions of one program, ready to be run.
    pub fn check_out_one(
        &self,
        loader: &Loader<'_>,
        entry: Option<&str>,
        globals: &Globals,
    ) -> anyhow::Result<Both<Checkout>> {
        let selection = Selection::of(loader.compiler, &self.paths, &loader.cflags);
        let (old, new) = self.check_out(globals, &selection)?;
        if names_files(&self.paths) && self.program.program.is_none() {
            return Ok([old, new]);
        }
        programs::choose_one(loader, [old, new], self.program.wanted(entry, true), globals)
    }

    /// The program to look at without running anything.
    pub fn choose_together(
        &self,
        loader: &Loader<'_>,
        versions: Both<Checkout>,
        globals: &Globals,
    ) -> anyhow::Result<Both<Checkout>> {
        if names_files(&self.paths) && self.program.program.is_none() {
            return Ok(versions);
        }
        programs::choose_together(loader, versions, self.program.wanted(None, false), globals)
    }

    /// The merge base as OLD.
    fn against(
        &self,
        revision: &str,
        selection: &Selection<'_>,
    ) -> anyhow::Result<(Checkout, Checkout)> {
        let repository = Repository::discover(selection.directory)?;
        let base = repository.merge_base(revision, "HEAD")?;
        let work_tree = OsString::from(".");
        let new = self.old.as_ref().unwrap_or(&work_tree);
        let (mut old, new) = check_out_both(base.id.as_ref(), new, selection)?;
        let short = base.id.get(..SHORT).unwrap_or(&base.id);
        old.name = format!("{revision} ({short})");
        Ok((old, new))
    }
}
