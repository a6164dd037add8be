//! Repositories of every awkward kind, made on the fly.

use std::fs;
use std::path::Path;

use git2::{Oid, Signature, Time};
use ripple_source::{FileChanges, Repository, SkipReason, SourceError};

const FILE: i32 = 0o100644;
const LINK: i32 = 0o120000;
const SUBMODULE: i32 = 0o160000;

/// A repository with commits made of whole trees.
struct Made {
    directory: tempfile::TempDir,
    inner: git2::Repository,
    clock: i64,
}

impl Made {
    fn new() -> Made {
        let directory = tempfile::tempdir().expect("a directory can be made");
        let inner =
            git2::Repository::init_bare(directory.path()).expect("a repository can be made");
        Made { directory, inner, clock: 1_600_000_000 }
    }

    fn tree(&self, files: &[(&str, i32, &[u8])]) -> Oid {
        let mut builder = self.inner.treebuilder(None).expect("a tree can be made");
        for (name, mode, contents) in files {
            let id = match *mode {
                SUBMODULE => {
                    Oid::from_str("1234567890123456789012345678901234567890").expect("it is an id")
                }
                _ => self.inner.blob(contents).expect("contents can be stored"),
            };
            builder.insert(name, id, *mode).expect("a name can be added");
        }
        builder.write().expect("a tree can be stored")
    }

    fn commit(&mut self, parents: &[Oid], files: &[(&str, i32, &[u8])]) -> Oid {
        let tree = self.inner.find_tree(self.tree(files)).expect("it was stored");
        self.clock += 86_400;
        let who =
            Signature::new("A", "a@example.org", &Time::new(self.clock, 0)).expect("it is a name");
        let parents: Vec<git2::Commit<'_>> =
            parents.iter().map(|id| self.inner.find_commit(*id).expect("it was made")).collect();
        let parents: Vec<&git2::Commit<'_>> = parents.iter().collect();
        let id = self.inner.commit(None, &who, &who, "Subject\n\nBody\n", &tree, &parents);
        let id = id.expect("a commit can be made");
        self.inner.reference("refs/heads/main", id, true, "").expect("a branch can be set");
        self.inner.set_head("refs/heads/main").expect("HEAD can be set");
        id
    }

    fn open(&self) -> Repository {
        Repository::discover(self.directory.path()).expect("it is a repository")
    }

    fn changes(&self, id: Oid) -> FileChanges {
        let repository = self.open();
        let commit = repository.commit(&id.to_string()).expect("it was made");
        repository.changes(&commit, &is_c).expect("it can be read")
    }
}

fn is_c(path: &str) -> bool {
    path.ends_with(".c")
}

fn summary(changes: &FileChanges) -> Vec<(&str, Option<&str>, bool, bool)> {
    let of = changes.files.iter();
    of.map(|file| {
        (file.path.as_str(), file.old_path.as_deref(), file.old.is_some(), file.new.is_some())
    })
    .collect()
}

#[test]
fn the_first_commit_adds_everything() {
    let mut made = Made::new();
    let root = made.commit(&[], &[("a.c", FILE, b"int a;\n"), ("b.txt", FILE, b"no\n")]);
    assert_eq!(summary(&made.changes(root)), [("a.c", None, false, true)]);
}

#[test]
fn modified_deleted_and_renamed_files_are_told_apart() {
    let mut made = Made::new();
    let long = b"int a(void) { return 1; }\nint b(void) { return 2; }\nint c(void) { return 3; }\n";
    let root = made.commit(
        &[],
        &[("a.c", FILE, b"int a;\n"), ("gone.c", FILE, b"x;\n"), ("old.c", FILE, long)],
    );
    let next = made.commit(&[root], &[("a.c", FILE, b"int b;\n"), ("new.c", FILE, long)]);
    let expected = [
        ("a.c", None, true, true),
        ("gone.c", None, true, false),
        ("new.c", Some("old.c"), true, true),
    ];
    assert_eq!(summary(&made.changes(next)), expected);
}

#[test]
fn what_is_no_text_is_skipped_by_name() {
    let mut made = Made::new();
    let root = made.commit(&[], &[("x.c", FILE, b"x;\n")]);
    let next = made.commit(
        &[root],
        &[
            ("bin.c", FILE, b"a\0b"),
            ("dep", SUBMODULE, b""),
            ("link.c", LINK, b"x.c"),
            ("x.c", FILE, b"x;\n"),
        ],
    );
    let changes = made.changes(next);
    let skipped: Vec<_> =
        changes.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason)).collect();
    let expected = [
        ("bin.c", SkipReason::Binary),
        ("dep", SkipReason::Submodule),
        ("link.c", SkipReason::SymbolicLink),
    ];
    assert_eq!(skipped, expected);
    assert!(changes.files.is_empty());
}

#[test]
fn a_merge_is_compared_with_its_first_parent() {
    let mut made = Made::new();
    let root = made.commit(&[], &[("a.c", FILE, b"1;\n"), ("b.c", FILE, b"1;\n")]);
    let branch = made.commit(&[root], &[("a.c", FILE, b"1;\n"), ("b.c", FILE, b"2;\n")]);
    let main = made.commit(&[root], &[("a.c", FILE, b"2;\n"), ("b.c", FILE, b"1;\n")]);
    let merge = made.commit(&[main, branch], &[("a.c", FILE, b"2;\n"), ("b.c", FILE, b"2;\n")]);
    assert_eq!(summary(&made.changes(merge)), [("b.c", None, true, true)]);
    let repository = made.open();
    let ids = |first_parent: bool| {
        let commits = repository
            .commits(Some(&root.to_string()), "HEAD", first_parent)
            .expect("they can be listed");
        commits.into_iter().map(|commit| commit.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(true), [main.to_string(), merge.to_string()]);
    assert_eq!(ids(false).len(), 3);
    assert_eq!(ids(false).last(), Some(&merge.to_string()));
}

#[test]
fn where_a_shallow_clone_ends_nothing_is_guessed() {
    let mut made = Made::new();
    let root = made.commit(&[], &[("a.c", FILE, b"1;\n")]);
    let second = made.commit(&[root], &[("a.c", FILE, b"2;\n")]);
    let third = made.commit(&[second], &[("a.c", FILE, b"3;\n")]);
    fs::write(made.directory.path().join("shallow"), format!("{second}\n"))
        .expect("it can be written");
    let repository = made.open();
    let cut = repository.commit(&second.to_string()).expect("it is there");
    assert!(repository.is_cut_off(&cut));
    assert!(matches!(repository.changes(&cut, &is_c), Err(SourceError::Shallow { .. })));
    assert_eq!(summary(&made.changes(third)), [("a.c", None, true, true)]);
}

#[test]
fn names_that_are_none_are_errors() {
    let empty = Made::new();
    assert!(matches!(empty.open().commit("HEAD"), Err(SourceError::NoCommits)));
    let mut made = Made::new();
    made.commit(&[], &[("a.c", FILE, b"1;\n")]);
    let unknown = made.open().commit("nosuch");
    assert!(
        matches!(unknown, Err(SourceError::UnknownRevision { revision }) if revision == "nosuch")
    );
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    let found = Repository::discover(elsewhere.path());
    assert!(matches!(found, Err(SourceError::NotARepository { .. })));
}

#[test]
fn subjects_and_times_are_those_of_the_commit() {
    let mut made = Made::new();
    let id = made.commit(&[], &[("a.c", FILE, b"1;\n")]);
    let commit = made.open().commit("main").expect("it is there");
    assert_eq!((commit.id, commit.subject.as_str()), (id.to_string(), "Subject"));
    assert_eq!((commit.time, commit.parents), (1_600_086_400, 0));
}

#[test]
fn the_work_tree_is_neither_read_nor_touched() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    git2::Repository::init(directory.path()).expect("a repository can be made");
    fs::write(directory.path().join("a.c"), "dirty").expect("it can be written");
    let listing = |path: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(path).expect("it is there").flatten().map(|e| e.file_name()).collect();
        names.sort();
        names
    };
    let before = (listing(directory.path()), listing(&directory.path().join(".git")));
    let repository = Repository::discover(directory.path()).expect("it is a repository");
    assert!(repository.commit("HEAD").is_err());
    assert_eq!((listing(directory.path()), listing(&directory.path().join(".git"))), before);
}
