//! The lines that a unified diff covers, as `git diff` and `diff -u` write them.
//!
//! Files are matched by the ends of their paths: a diff names them from the root of a repository,
//! and versions may lie anywhere.

use std::path::{Path, PathBuf};

use unidiff::{PatchSet, PatchedFile};

use crate::error::SourceError;
use crate::paths::normal;

/// Lines that a diff removes and adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffLines {
    files: Vec<DiffFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DiffFile {
    /// Nothing for a file that is added or removed.
    old: Option<PathBuf>,
    new: Option<PathBuf>,
    removed: Vec<u32>,
    added: Vec<u32>,
}

impl DiffLines {
    /// Reads a diff. `name` is its name in errors.
    pub fn parse(name: &Path, text: &str) -> Result<DiffLines, SourceError> {
        let refused = |said: String| SourceError::Diff { path: name.to_owned(), said };
        let mut patches = PatchSet::new();
        patches.parse(text).map_err(|error| refused(error.to_string()))?;
        let files: Vec<DiffFile> = patches.files().iter().map(DiffFile::of).collect();
        if files.is_empty() && !text.trim().is_empty() {
            Err(refused("it has no file in it; write it with `git diff`".to_owned()))
        } else {
            Ok(DiffLines { files })
        }
    }

    /// Whether the diff removes this line of the old version.
    pub fn has_removed(&self, path: &Path, line: u32) -> bool {
        self.files.iter().any(|file| is(file.old.as_deref(), path) && file.removed.contains(&line))
    }

    /// Whether the diff adds this line of the new version.
    pub fn has_added(&self, path: &Path, line: u32) -> bool {
        self.files.iter().any(|file| is(file.new.as_deref(), path) && file.added.contains(&line))
    }
}

fn is(named: Option<&Path>, path: &Path) -> bool {
    named.is_some_and(|named| normal(path).ends_with(named))
}

impl DiffFile {
    fn of(patched: &PatchedFile) -> DiffFile {
        let lines = || patched.hunks().iter().flat_map(|hunk| hunk.lines());
        let number = |line: Option<usize>| line.and_then(|line| u32::try_from(line).ok());
        let removed = lines().filter(|line| line.is_removed());
        let added = lines().filter(|line| line.is_added());
        DiffFile {
            old: named(&patched.source_file),
            new: named(&patched.target_file),
            removed: removed.filter_map(|line| number(line.source_line_no)).collect(),
            added: added.filter_map(|line| number(line.target_line_no)).collect(),
        }
    }
}

/// The name of a file without git's `a/` or `b/`, and without a time stamp.
fn named(text: &str) -> Option<PathBuf> {
    let name = text.split('\t').next().unwrap_or(text).trim();
    if name == "/dev/null" || name.is_empty() {
        return None;
    }
    let stripped = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name);
    Some(PathBuf::from(stripped.trim_start_matches("./")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "\
diff --git a/src/a.c b/src/a.c
index 1111111..2222222 100644
--- a/src/a.c
+++ b/src/a.c
@@ -1,4 +1,4 @@
 int f(int n) {
-    return n;
+    return n + 1;
 }
 
";

    #[test]
    fn lines_of_a_diff_are_known_by_file_and_side() {
        let lines = DiffLines::parse(Path::new("d"), DIFF).expect("it is a diff");
        assert!(lines.has_removed(Path::new("/tree/src/a.c"), 2));
        assert!(lines.has_added(Path::new("/srv/./src/a.c"), 2));
        assert!(!lines.has_added(Path::new("/srv/src/a.c"), 1));
        assert!(!lines.has_added(Path::new("/srv/src/ba.c"), 2));
    }

    #[test]
    fn what_is_no_diff_is_refused_and_an_empty_one_is_not() {
        assert!(DiffLines::parse(Path::new("d"), "hello\n").is_err());
        let empty = DiffLines::parse(Path::new("d"), "\n").expect("nothing changed");
        assert_eq!(empty, DiffLines::default());
    }
}
