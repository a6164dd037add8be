//! Arguments that name versions, shared by several commands.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use source::{Checkout, Repository, Selection, call_all_alike, check_out_both};

use crate::config::Config;

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
}

impl Succession {
    pub fn check_out(&self, selection: &Selection<'_>) -> anyhow::Result<Vec<Checkout>> {
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
        for index in 1..checkouts.len() {
            // Positions carry over from version to version.
            let before = checkouts[index - 1].clone();
            checkouts[index].hold_positions_of(&before);
        }
        Ok(checkouts)
    }

    pub fn count(&self) -> usize {
        self.versions.len()
    }
}

impl Versions {
    pub fn check_out(
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
