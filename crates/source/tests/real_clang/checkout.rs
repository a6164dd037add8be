//! Versions: files, directories and revisions, and the configurations between them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use git2::{IndexAddOption, Repository, Signature, Time};
use ripple_source::{
    Cache, Checkout, Configurations, HunkId, HunkKind, Lines, Selection, SourceError, check_out,
    check_out_both,
};

use crate::bench::{Bench, bench};

const MAIN: &str = "#include \"k.h\"\nint half(int);\nint main(void) {\n    return half(K);\n}\n";
const HALF: &str = "int half(int v) {\n    return v / 2;\n}\n";

impl Bench {
    fn root(&self) -> &Path {
        &self.compiler.directory
    }

    fn files(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = self.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// Commits everything that lies in the directory.
    fn commit(&self, files: &[(&str, &str)]) {
        self.files(files);
        let repository = Repository::init(self.root()).unwrap();
        let mut index = repository.index().unwrap();
        index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
        index.update_all(["*"], None).unwrap();
        index.write().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let who = Signature::new("A", "a@example.org", &Time::new(1_600_000_000, 0)).unwrap();
        let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<_> = parent.iter().collect();
        repository.commit(Some("HEAD"), &who, &who, "Subject", &tree, &parents).unwrap();
    }

    fn both(
        &self,
        below: &str,
        old: &str,
        new: &str,
        paths: &[&str],
    ) -> Result<(Checkout, Checkout), SourceError> {
        let directory = self.root().join(below);
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let cache = Cache::at(self.store.path());
        let selection =
            Selection { directory: &directory, paths: &paths, cflags: &[], cache: &cache };
        check_out_both(OsStr::new(old), OsStr::new(new), &selection)
    }

    fn exit_status(&self, checkout: &Checkout) -> Result<i32, SourceError> {
        let compiler = checkout.compiler(&self.compiler);
        compiler.compile_files(&checkout.files, &[])?;
        let program = compiler.build_native(&checkout.files, &[], false)?;
        Ok(std::process::Command::new(program.path).status().unwrap().code().unwrap())
    }

    fn configurations(&self, old: &str, new: &str) -> Configurations {
        let (old, new) = self.both("", old, new, &[]).unwrap();
        Configurations::new(&old, &new, &self.compiler, &[]).unwrap()
    }
}

fn names(checkout: &Checkout) -> Vec<&str> {
    checkout.files.iter().map(|file| file.to_str().unwrap()).collect()
}

/// A repository with two commits: a macro in a header changed and a file was split off.
fn split() -> Option<Bench> {
    let bench = bench()?;
    let before = MAIN.replace("int half(int);\n", HALF);
    bench.commit(&[("src/main.c", &before), ("src/k.h", "#define K 6\n")]);
    bench.commit(&[
        ("src/main.c", MAIN),
        ("src/k.h", "#define K 8\n"),
        ("src/half.c", HALF),
        ("notes.md", "text\n"),
    ]);
    Some(bench)
}

#[test]
fn revisions_have_their_own_files_under_their_own_names() {
    let Some(bench) = split() else { return };
    bench.files(&[("src/main.c", "dirty")]);
    let (old, new) = bench.both("", "HEAD~1", "HEAD", &[]).unwrap();
    assert_eq!(names(&old), ["src/main.c"]);
    assert_eq!(names(&new), ["src/half.c", "src/main.c"]);
    assert_eq!((bench.exit_status(&old).unwrap(), bench.exit_status(&new).unwrap()), (3, 4));
    assert_eq!(fs::read_to_string(bench.root().join("src/main.c")).unwrap(), "dirty");
    let (old, _) = bench.both("src", "HEAD~1", "HEAD", &["main.c", "half.c"]).unwrap();
    assert_eq!(names(&old), ["main.c"]);
    assert_eq!(bench.exit_status(&old).unwrap(), 3);
}

#[test]
fn what_did_not_change_between_revisions_is_compiled_once() {
    let Some(bench) = bench() else { return };
    bench.commit(&[("a.c", HALF), ("b.c", "int b;\n")]);
    bench.commit(&[("b.c", "int c;\n")]);
    let (old, new) = bench.both("", "HEAD~1", "HEAD", &[]).unwrap();
    let compile = |checkout: &Checkout| {
        let compiler = checkout.compiler(&bench.compiler);
        let texts = compiler.compile_files(&checkout.files, &[]).unwrap();
        texts.iter().map(|text| text.from_cache).collect::<Vec<bool>>()
    };
    assert_eq!(compile(&old), [false, false]);
    assert_eq!(compile(&new), [true, false]);
}

#[test]
fn compilers_complain_about_names_that_users_know() {
    let Some(bench) = bench() else { return };
    bench.commit(&[("src/a.c", "int main(void) { return x; }\n")]);
    let (old, _) = bench.both("", "HEAD", "HEAD", &[]).unwrap();
    let said = bench.exit_status(&old).unwrap_err().to_string();
    assert!(said.starts_with("`src/a.c` does not compile:\nsrc/a.c:1:25: error"), "{said}");
}

#[test]
fn a_path_that_exists_wins_over_a_revision() {
    let Some(bench) = bench() else { return };
    bench.commit(&[("a.c", HALF)]);
    bench.files(&[("HEAD/b.c", HALF)]);
    let (old, _) = bench.both("", "HEAD", "HEAD", &[]).unwrap();
    assert_eq!(names(&old), ["HEAD/b.c"]);
}

#[test]
fn a_revision_can_be_compared_with_the_work_tree() {
    let Some(bench) = split() else { return };
    bench.files(&[("src/k.h", "#define K 10\n")]);
    let (old, new) = bench.both("", "HEAD~1", ".", &[]).unwrap();
    assert_eq!(names(&new), ["src/half.c", "src/main.c"]);
    assert_eq!((bench.exit_status(&old).unwrap(), bench.exit_status(&new).unwrap()), (3, 5));
    let (old, new) = bench.both("src", "HEAD~1", "main.c", &[]).unwrap();
    assert_eq!((names(&old), names(&new)), (vec!["main.c"], vec!["main.c"]));
    let mut made = bench.configurations("HEAD", ".");
    assert_eq!(made.hunks().len(), 1);
    let none = made.materialize(&[]).unwrap();
    assert_eq!(bench.exit_status(none).unwrap(), 4);
}

#[test]
fn what_cannot_be_found_is_told_apart() {
    let Some(bench) = split() else { return };
    let error = |old: &str, new: &str, paths: &[&str]| {
        bench.both("", old, new, paths).unwrap_err().to_string()
    };
    assert!(error("HEAD", "nosuch", &[]).contains("nor a revision"));
    let nowhere = error("HEAD~1", "HEAD", &["src", "none.c"]);
    assert_eq!(nowhere, "`none.c` is neither in `HEAD~1` nor in `HEAD`");
    let once = error("HEAD~1", "HEAD", &["src/half.c"]);
    assert_eq!(once, "`src/half.c` is not in `HEAD~1`");
    assert_eq!(
        error("HEAD", "HEAD", &["notes.md"]),
        "`notes.md` is neither a C file (.c, .i) nor LLVM IR text (.ll)"
    );
    assert!(error("src/main.c", "HEAD", &["src"]).contains("is a file"));
    bench.files(&[("empty/readme", "")]);
    assert_eq!(error("src", "empty", &[]), "there is no C file in `empty`");
    let elsewhere = tempfile::tempdir().unwrap();
    let cache = Cache::disabled();
    let selection =
        Selection { directory: elsewhere.path(), paths: &[], cflags: &[], cache: &cache };
    let error = check_out(OsStr::new("HEAD"), &selection).unwrap_err();
    assert!(matches!(error, SourceError::NoSuchFile { .. }), "{error}");
}

#[test]
fn flags_come_from_the_compilation_database() {
    let Some(bench) = bench() else { return };
    let database = r#"[{"directory": "build", "file": "../a.c",
        "command": "gcc -O2 -I../inc -DRESULT=5 -c ../a.c -o a.o"}]"#;
    bench.files(&[
        ("v/compile_commands.json", database),
        ("v/a.c", "#include <x.h>\nint main(void) { return RESULT + X; }\n"),
        ("v/inc/x.h", "#define X 2\n"),
        ("v/unrelated.c", "int main(void) { return 0; }\n"),
    ]);
    let (old, _) = bench.both("", "v", "v", &[]).unwrap();
    assert_eq!(names(&old), ["v/a.c"]);
    assert_eq!(bench.exit_status(&old).unwrap(), 7);
    let (old, _) = bench.both("", "v", "v", &["unrelated.c"]).unwrap();
    assert_eq!(bench.exit_status(&old).unwrap(), 0);
}

#[test]
fn assertions_do_not_tell_directories_apart() {
    let Some(bench) = bench() else { return };
    let text = "int main(void) { return sizeof __FILE__; }\n";
    bench.files(&[("old/a.c", text), ("longer/a.c", text), ("one.c", text), ("three.c", text)]);
    let absolute = bench.root().join("longer");
    let absolute = absolute.to_str().unwrap();
    for (old, new) in [("old", "longer"), ("old", absolute), ("one.c", "three.c")] {
        let (old, new) = bench.both("", old, new, &[]).unwrap();
        assert_eq!(bench.exit_status(&old).unwrap(), bench.exit_status(&new).unwrap());
    }
}

#[test]
fn every_configuration_of_two_revisions_can_be_built() {
    let Some(bench) = split() else { return };
    let mut made = bench.configurations("HEAD~1", "HEAD");
    let summary: Vec<_> = made
        .hunks()
        .iter()
        .map(|hunk| (hunk.new_file.to_str().unwrap().to_owned(), hunk.kind, hunk.new.count))
        .collect();
    let expected = [
        ("src/half.c".to_owned(), HunkKind::FileAdded, 3),
        ("src/k.h".to_owned(), HunkKind::Lines, 1),
        ("src/main.c".to_owned(), HunkKind::Lines, 1),
    ];
    assert_eq!(summary, expected);
    assert_eq!(made.hunks()[2].old, Lines { first: 2, count: 3 });
    let mut run = |applied: &[u32]| {
        let ids: Vec<HunkId> = applied.iter().map(|&id| HunkId(id)).collect();
        let checkout = made.materialize(&ids).unwrap();
        bench.exit_status(checkout).map_err(|error| error.is_build_failure())
    };
    assert_eq!(run(&[]), Ok(3));
    assert_eq!(run(&[1]), Ok(4));
    assert_eq!(run(&[0, 2]), Ok(3));
    assert_eq!(run(&[0, 1, 2]), Ok(4));
    assert_eq!(run(&[0]), Err(true), "half is there twice");
    assert_eq!(run(&[2]), Err(true), "half is not there");
}

#[test]
fn configurations_of_files_find_what_stands_beside_them() {
    let Some(bench) = bench() else { return };
    bench.files(&[("d/k.h", "#define K 1\n"), ("d/old.c", &format!("{MAIN}{HALF}"))]);
    bench.files(&[("d/new.c", &format!("{MAIN}{}", HALF.replace("v / 2", "v + 2")))]);
    let mut made = bench.configurations("d/old.c", "d/new.c");
    assert_eq!(made.hunks().len(), 1);
    let all = made.undo(&[]).unwrap().clone();
    assert_eq!(names(&all), ["d/new.c"]);
    assert_eq!(bench.exit_status(&all).unwrap(), 3);
    let none = made.undo(&[HunkId(0)]).unwrap();
    assert_eq!(bench.exit_status(none).unwrap(), 0);
}

#[test]
fn configurations_of_directories_elsewhere_work_as_well() {
    let Some(bench) = bench() else { return };
    bench.files(&[
        ("here/x", ""),
        ("a/main.c", MAIN),
        ("a/half.c", HALF),
        ("a/k.h", "#define K 2\n"),
    ]);
    bench.files(&[("b/main.c", MAIN), ("b/half.c", HALF), ("b/k.h", "#define K 4\n")]);
    let absolute = bench.root().join("b");
    for new in ["../b", absolute.to_str().unwrap()] {
        let (old, new) = bench.both("here", "../a", new, &[]).unwrap();
        let mut made = Configurations::new(&old, &new, &bench.compiler, &[]).unwrap();
        assert_eq!(made.hunks().len(), 1);
        let ids = [HunkId(0)];
        for (applied, status) in [(&ids[..], 2), (&[], 1)] {
            let checkout = made.materialize(applied).unwrap();
            assert_eq!(bench.exit_status(checkout).unwrap(), status);
        }
    }
}
