//! The change as people know it: the subjects of commits, and a unified diff.
//!
//! The diff has the hunks that the report numbers, with context, from files as they are on disk.

use std::fmt::Write;
use std::fs;
use std::ops::Range;

use base::Version;
use source::{Checkout, Hunk, HunkKind, Repository};

use crate::compare::Compared;

/// Lines around a hunk.
const CONTEXT: usize = 3;
/// The most bytes of a diff, and of one of its lines.
const MOST_BYTES: usize = 64 << 10;
const MOST_OF_LINE: usize = 400;
/// The largest file to read.
const MOST_OF_FILE: u64 = 16 << 20;

/// The change as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeText {
    /// The first lines of the messages of OLD and NEW, if they are commits.
    pub subjects: [Option<String>; 2],
    /// A unified diff.
    pub diff: String,
    /// Lines of the diff that are left out.
    pub left_out: usize,
}

impl ChangeText {
    pub(crate) fn of(compared: &Compared) -> ChangeText {
        let hunks: Vec<&Hunk> =
            compared.hunks_apart.iter().map(|status| &status.meaning.hunk).collect();
        let mut text = ChangeText {
            subjects: [&compared.old, &compared.new].map(subject),
            ..ChangeText::default()
        };
        for file in hunks.chunk_by(|one, other| one.key == other.key) {
            text.add_file([&compared.old, &compared.new], file);
        }
        text
    }

    fn add_file(&mut self, checkouts: [&Checkout; 2], hunks: &[&Hunk]) {
        let first = hunks[0];
        let texts =
            [text(checkouts[0], first, Version::Old), text(checkouts[1], first, Version::New)];
        let [Some(old), Some(new)] = &texts else { return };
        let lines = [old, new].map(|text| lines(text));
        let name = |version: Version| match (first.kind, version) {
            (HunkKind::FileAdded, Version::Old) | (HunkKind::FileRemoved, Version::New) => {
                "/dev/null".to_owned()
            }
            (_, Version::Old) => first.old_file.display().to_string(),
            (_, Version::New) => first.new_file.display().to_string(),
        };
        self.push("--- ", &name(Version::Old));
        self.push("+++ ", &name(Version::New));
        let near = |one: &&Hunk, other: &&Hunk| {
            let gap = (other.old.first - (one.old.first + one.old.count)) as usize;
            gap <= 2 * CONTEXT
        };
        for group in hunks.chunk_by(near) {
            self.add_group(&lines, group);
        }
    }

    /// Hunks with common context.
    fn add_group(&mut self, [old, new]: &[Vec<&str>; 2], hunks: &[&Hunk]) {
        let (first, last) = (hunks[0], hunks[hunks.len() - 1]);
        let before = CONTEXT.min(first.old.first as usize - 1).min(first.new.first as usize - 1);
        let ends = [range(last, Version::Old).end, range(last, Version::New).end];
        let after =
            CONTEXT.min(old.len().saturating_sub(ends[0])).min(new.len().saturating_sub(ends[1]));
        let shown = |version: Version| {
            range(first, version).start.saturating_sub(before)..ends[version] + after
        };
        let (of_old, of_new) = (shown(Version::Old), shown(Version::New));
        let place = |range: &Range<usize>| format!("{},{}", range.start + 1, range.len());
        self.push("@@ ", &format!("-{} +{} @@", place(&of_old), place(&of_new)));
        let mut at = of_old.start;
        for hunk in hunks {
            let (gone, come) = (range(hunk, Version::Old), range(hunk, Version::New));
            old.get(at..gone.start).into_iter().flatten().for_each(|line| self.push(" ", line));
            old.get(gone.clone()).into_iter().flatten().for_each(|line| self.push("-", line));
            new.get(come).into_iter().flatten().for_each(|line| self.push("+", line));
            at = gone.end;
        }
        old.get(at..of_old.end).into_iter().flatten().for_each(|line| self.push(" ", line));
    }

    fn push(&mut self, sign: &str, line: &str) {
        if self.left_out > 0 || self.diff.len() + line.len().min(MOST_OF_LINE) > MOST_BYTES {
            self.left_out += 1;
            return;
        }
        let _ = match line.char_indices().nth(MOST_OF_LINE) {
            Some((end, _)) => writeln!(self.diff, "{sign}{}…", &line[..end]),
            None => writeln!(self.diff, "{sign}{line}"),
        };
    }
}

/// The lines of a hunk in a version, by index.
fn range(hunk: &Hunk, version: Version) -> Range<usize> {
    let lines = [hunk.old, hunk.new][version];
    let start = lines.first as usize - 1;
    start..start + lines.count as usize
}

/// The file of a hunk, empty where a version lacks it. `None` if it cannot be read.
fn text(checkout: &Checkout, hunk: &Hunk, version: Version) -> Option<String> {
    let name = match (hunk.kind, version) {
        (HunkKind::FileAdded, Version::Old) | (HunkKind::FileRemoved, Version::New) => {
            return Some(String::new());
        }
        (_, Version::Old) => &hunk.old_file,
        (_, Version::New) => &hunk.new_file,
    };
    let path = checkout.path(name);
    let length = fs::metadata(&path).ok()?.len();
    let bytes = (length <= MOST_OF_FILE).then(|| fs::read(path).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The subject of a commit.
fn subject(checkout: &Checkout) -> Option<String> {
    let revision = checkout.revision.as_ref()?;
    let repository = Repository::discover(&revision.repository).ok()?;
    Some(repository.commit(&revision.commit).ok()?.subject)
}
