//! Commits of a git repository and the files they change, read from its objects.
//!
//! Does not read or write the work tree or the index, and does not run `git`. A commit is compared
//! with its first parent, even if it is a merge: the result is what the merge brought to its
//! branch. The first commit is compared with nothing. Where a shallow clone ends, the parents of a
//! commit are unknown, and asking for its changes is an error rather than a guess.

mod sparse;
mod tracked;
mod write;

pub(crate) use self::tracked::Tracked;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

use git2::{Delta, DiffFindOptions, DiffOptions, ErrorCode, FileMode, Oid, Sort};

use crate::error::SourceError;

/// Larger files are not hand-written source text.
const MAX_SIZE: usize = 64 << 20;
/// How many bytes of a file are checked for being text, as git does.
const TEXT_PROBE: usize = 8000;
/// Renames are searched among at most this many files.
const RENAME_LIMIT: usize = 400;

/// A repository, open for reading.
pub struct Repository {
    inner: git2::Repository,
    /// Commits whose parents are missing in a shallow clone.
    boundary: OnceCell<BTreeSet<Oid>>,
}

/// A commit, without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Forty hexadecimal digits.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    pub author: String,
    pub parents: usize,
}

/// What a commit does to files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChanges {
    pub files: Vec<ChangedFile>,
    pub skipped: Vec<Skipped>,
}

/// A file in two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// In the new version, or in the old one if the file was deleted.
    pub path: String,
    /// The old name, if the file was renamed.
    pub old_path: Option<String>,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// Something that changed and is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub path: String,
    pub reason: SkipReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    Binary,
    Submodule,
    SymbolicLink,
    TooLarge,
}

impl SkipReason {
    pub fn describe(self) -> &'static str {
        match self {
            SkipReason::Binary => "binary",
            SkipReason::Submodule => "submodule",
            SkipReason::SymbolicLink => "symbolic link",
            SkipReason::TooLarge => "too large",
        }
    }
}

impl Repository {
    fn of(inner: git2::Repository) -> Repository {
        Repository { inner, boundary: OnceCell::new() }
    }

    /// The repository around a directory.
    pub fn discover(directory: &Path) -> Result<Repository, SourceError> {
        match git2::Repository::discover(directory) {
            Ok(inner) => Ok(Repository::of(inner)),
            Err(error) if error.code() == ErrorCode::NotFound => {
                Err(SourceError::NotARepository { path: directory.to_owned() })
            }
            Err(error) => Err(failed(
                &format!("cannot open the repository of `{}`", directory.display()),
                &error,
            )),
        }
    }

    /// The commit that a revision names.
    pub fn commit(&self, revision: &str) -> Result<Commit, SourceError> {
        Ok(describe(&self.find(revision)?))
    }

    /// The commits reachable from `to` and not from `from`, oldest first. Without `from`, all that
    /// are reachable from `to`. With `first_parent`, without the commits of merged branches.
    pub fn commits(
        &self,
        from: Option<&str>,
        to: &str,
        first_parent: bool,
    ) -> Result<Vec<Commit>, SourceError> {
        let doing = |error: git2::Error| failed("cannot list the commits", &error);
        let end = self.find(to)?.id();
        let mut walk = self.inner.revwalk().map_err(doing)?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME | Sort::REVERSE).map_err(doing)?;
        if first_parent {
            walk.simplify_first_parent().map_err(doing)?;
        }
        walk.push(end).map_err(doing)?;
        if let Some(from) = from {
            walk.hide(self.find(from)?.id()).map_err(doing)?;
        }
        let mut commits = Vec::new();
        for id in walk {
            let commit = self.inner.find_commit(id.map_err(doing)?).map_err(doing)?;
            commits.push(describe(&commit));
        }
        Ok(commits)
    }

    /// Whether the first commit is an ancestor of the second.
    pub fn is_ancestor(&self, ancestor: &Commit, of: &Commit) -> Result<bool, SourceError> {
        let (ancestor, of) = (self.find(&ancestor.id)?.id(), self.find(&of.id)?.id());
        let doing = |error: git2::Error| failed("cannot compare the commits", &error);
        Ok(ancestor == of || self.inner.graph_descendant_of(of, ancestor).map_err(doing)?)
    }

    /// The merge base of two revisions.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Commit, SourceError> {
        let ids = (self.find(one)?.id(), self.find(other)?.id());
        let doing = |error: git2::Error| failed("cannot compare the commits", &error);
        match self.inner.merge_base(ids.0, ids.1) {
            Ok(id) => Ok(describe(&self.inner.find_commit(id).map_err(doing)?)),
            Err(error) if error.code() == ErrorCode::NotFound => {
                Err(SourceError::NoMergeBase { one: one.to_owned(), other: other.to_owned() })
            }
            Err(error) => Err(doing(error)),
        }
    }

    /// Whether older commits may be missing.
    pub(crate) fn is_shallow(&self) -> bool {
        self.inner.is_shallow()
    }

    /// Whether the parents of a commit are missing in a shallow clone.
    pub fn is_cut_off(&self, commit: &Commit) -> bool {
        Oid::from_str(&commit.id).is_ok_and(|id| self.boundary().contains(&id))
    }

    /// The wanted files that a commit changes relative to its first parent.
    pub fn changes(
        &self,
        commit: &Commit,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<FileChanges, SourceError> {
        let doing =
            |error: git2::Error| failed(&format!("cannot read commit {}", commit.id), &error);
        if self.is_cut_off(commit) {
            return Err(SourceError::Shallow { commit: commit.id.clone() });
        }
        let found = self.find(&commit.id)?;
        let new = found.tree().map_err(doing)?;
        let old = match found.parent_count() {
            0 => None,
            _ => Some(found.parent(0).and_then(|parent| parent.tree()).map_err(doing)?),
        };
        self.compare(old.as_ref(), &new, wanted).map_err(doing)
    }

    fn compare(
        &self,
        old: Option<&git2::Tree<'_>>,
        new: &git2::Tree<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<FileChanges, git2::Error> {
        let mut options = DiffOptions::new();
        options.include_typechange(true).skip_binary_check(true).context_lines(0);
        let mut diff = self.inner.diff_tree_to_tree(old, Some(new), Some(&mut options))?;
        if may_rename(&diff, wanted) {
            let mut find = DiffFindOptions::new();
            find.renames(true).rename_limit(RENAME_LIMIT);
            diff.find_similar(Some(&mut find))?;
        }
        let mut changes = FileChanges::default();
        for delta in diff.deltas() {
            let old_path = delta.old_file().path_bytes().map(lossy).unwrap_or_default();
            let new_path = delta.new_file().path_bytes().map(lossy).unwrap_or_default();
            let path = if delta.status() == Delta::Deleted { &old_path } else { &new_path };
            let is_submodule =
                [delta.old_file().mode(), delta.new_file().mode()].contains(&FileMode::Commit);
            if !wanted(path) && !wanted(&old_path) && !is_submodule {
                continue;
            }
            let sides = (self.side(&delta.old_file())?, self.side(&delta.new_file())?);
            match sides {
                (Err(reason), _) | (_, Err(reason)) => {
                    changes.skipped.push(Skipped { path: path.clone(), reason });
                }
                (Ok(old), Ok(new)) => {
                    let renamed = delta.status() == Delta::Renamed && old_path != new_path;
                    let old_path = renamed.then_some(old_path.clone());
                    changes.files.push(ChangedFile { path: path.clone(), old_path, old, new });
                }
            }
        }
        changes.files.sort_by(|a, b| a.path.cmp(&b.path));
        changes.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// The text of one side of a difference, or why it has none.
    fn side(
        &self,
        file: &git2::DiffFile<'_>,
    ) -> Result<Result<Option<String>, SkipReason>, git2::Error> {
        match file.mode() {
            _ if !file.exists() || file.id().is_zero() => return Ok(Ok(None)),
            FileMode::Commit => return Ok(Err(SkipReason::Submodule)),
            FileMode::Link => return Ok(Err(SkipReason::SymbolicLink)),
            _ => {}
        }
        let blob = self.inner.find_blob(file.id())?;
        Ok(text_of(blob.content()).map(Some))
    }

    fn find(&self, revision: &str) -> Result<git2::Commit<'_>, SourceError> {
        let unborn = |error: git2::Error| error.code() == git2::ErrorCode::UnbornBranch;
        if revision == "HEAD" && self.inner.head().is_err_and(unborn) {
            return Err(SourceError::NoCommits);
        }
        let unknown = || SourceError::UnknownRevision { revision: revision.to_owned() };
        let object = self.inner.revparse_single(revision).map_err(|_| unknown())?;
        object.peel_to_commit().map_err(|_| unknown())
    }

    fn boundary(&self) -> &BTreeSet<Oid> {
        self.boundary.get_or_init(|| {
            let file = self.inner.commondir().join("shallow");
            let text = std::fs::read_to_string(file).unwrap_or_default();
            text.lines().filter_map(|line| Oid::from_str(line.trim()).ok()).collect()
        })
    }
}

/// Whether a search for renames can find any among the wanted files.
fn may_rename(diff: &git2::Diff<'_>, wanted: &dyn Fn(&str) -> bool) -> bool {
    let has = |status: Delta| {
        diff.deltas().any(|delta| {
            let file = if status == Delta::Added { delta.new_file() } else { delta.old_file() };
            delta.status() == status && file.path_bytes().is_some_and(|path| wanted(&lossy(path)))
        })
    };
    has(Delta::Added) && has(Delta::Deleted)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Bytes as text, or why they are not text. Non-UTF-8 bytes are replaced.
pub(crate) fn text_of(bytes: &[u8]) -> Result<String, SkipReason> {
    if bytes.len() > MAX_SIZE {
        return Err(SkipReason::TooLarge);
    }
    if bytes[..bytes.len().min(TEXT_PROBE)].contains(&0) {
        return Err(SkipReason::Binary);
    }
    Ok(lossy(bytes))
}

fn describe(commit: &git2::Commit<'_>) -> Commit {
    let message = lossy(commit.message_bytes());
    let subject = message.trim_start().lines().next().unwrap_or_default().trim_end().to_owned();
    Commit {
        id: commit.id().to_string(),
        subject,
        time: commit.time().seconds(),
        author: lossy(commit.author().name_bytes()),
        parents: commit.parent_count(),
    }
}

fn failed(doing: &str, error: &git2::Error) -> SourceError {
    SourceError::Git { doing: doing.to_owned(), said: error.message().to_owned() }
}
