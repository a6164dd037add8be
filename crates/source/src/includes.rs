//! Include paths where nothing says which: the directories of a version's tree that have the
//! headers which its C files ask for.
//!
//! Reads `#include` lines as text, whatever `#if` surrounds them, and follows them through the
//! headers of the tree. A header beside the file that includes it, in a directory that flags name,
//! or of the C library needs no directory. Among several headers of a name the nearest one wins.
//! Does not run a preprocessor, so a name that a macro makes up is not seen.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::checkout::Checkout;
use crate::paths::{absolute_flags, map_paths, normal, relative};

/// In a tree with more files, the rest is not searched.
const MOST_FILES: usize = 100_000;
/// The most files to follow from one C file.
const MOST_FOLLOWED: usize = 2_000;
/// Larger files are not hand-written headers.
const MOST_BYTES: u64 = 16 << 20;
/// Where the system has headers.
const SYSTEM: [&str; 3] = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/local/include"];
/// Headers of C and POSIX: a directory with one of these names must not hide that of the system.
const STANDARD: [&str; 56] = [
    "alloca.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "errno.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "float.h",
    "fnmatch.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "inttypes.h",
    "iso646.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "netdb.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "syslog.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
    "xlocale.h",
];

/// The headers of a version, and what is known about its include paths.
pub struct IncludePaths<'a> {
    checkout: &'a Checkout,
    /// Every file of the tree, by the last part of its name.
    files: BTreeMap<OsString, Vec<PathBuf>>,
    cflags: &'a [String],
    scanned: RefCell<BTreeMap<PathBuf, Rc<Vec<Include>>>>,
}

/// What one C file needs in order to find its headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inferred {
    /// Flags of the compiler.
    pub flags: Vec<String>,
    /// Names that neither the tree nor the system has, as far as that is known.
    pub nowhere: BTreeSet<String>,
    /// Whether the file certainly does not compile without the flags.
    pub is_needed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Include {
    name: String,
    is_quoted: bool,
    /// Whether it is outside of every `#if`.
    is_certain: bool,
}

/// The directories found for one C file, in the order in which they are searched.
#[derive(Default)]
struct Found {
    quoted: Vec<PathBuf>,
    angled: Vec<PathBuf>,
}

impl<'a> IncludePaths<'a> {
    /// Lists the tree of a version. `cflags` are flags of all its files.
    pub fn of(checkout: &'a Checkout, cflags: &'a [String]) -> IncludePaths<'a> {
        let files = files_by_name(&checkout.root);
        IncludePaths { checkout, files, cflags, scanned: RefCell::default() }
    }

    /// The files of the tree that a C file includes, absolute.
    pub fn included(&self, file: &Path) -> BTreeSet<PathBuf> {
        self.follow(file).1
    }

    /// The flags with which a C file of the version finds its headers, as far as the tree has them.
    pub fn infer(&self, file: &Path) -> Inferred {
        self.follow(file).0
    }

    /// What a C file needs, and what it reaches.
    fn follow(&self, file: &Path) -> (Inferred, BTreeSet<PathBuf>) {
        let given = self.given(file);
        let main = normal(&self.checkout.path(file));
        let (mut found, mut inferred) = (Found::default(), Inferred::default());
        let mut seen = BTreeSet::from([main.clone()]);
        let mut waiting = VecDeque::from([main.clone()]);
        while let Some(path) = waiting.pop_front() {
            let beside = path.parent().unwrap_or(Path::new("/"));
            for include in self.scan(&path).iter() {
                let known = self.look(include, beside, &given, &found);
                let target = match known {
                    Some(target) => Some(target),
                    None => self.add(include, beside, &mut found).inspect(|_| {
                        inferred.is_needed |= include.is_certain && path == main;
                    }),
                };
                match target {
                    Some(target) if seen.len() < MOST_FOLLOWED => {
                        if seen.insert(target.clone()) {
                            waiting.push_back(target);
                        }
                    }
                    Some(_) => {}
                    None if is_of_system(&include.name) => {}
                    None => {
                        inferred.nowhere.insert(include.name.clone());
                    }
                }
            }
        }
        inferred.flags = self.flags(&found);
        seen.remove(&main);
        (inferred, seen)
    }

    /// Directories that flags name, absolute.
    fn given(&self, file: &Path) -> Vec<PathBuf> {
        let own = self.checkout.flags.get(file).into_iter().flatten();
        let flags: Vec<String> = own.chain(self.cflags).cloned().collect();
        let flags = absolute_flags(&flags, &self.checkout.directory);
        let given = RefCell::new(Vec::new());
        map_paths(&flags, &|_, path| {
            given.borrow_mut().push(path.to_owned());
            path.to_owned()
        });
        given.into_inner()
    }

    /// The file of the tree that an include means with the directories so far.
    fn look(
        &self,
        include: &Include,
        beside: &Path,
        given: &[PathBuf],
        found: &Found,
    ) -> Option<PathBuf> {
        let own = include.is_quoted.then(|| beside.to_owned());
        let quoted = found.quoted.iter().filter(|_| include.is_quoted);
        let directories = own.iter().chain(given).chain(quoted).chain(found.angled.iter());
        directories
            .map(|directory| normal(&directory.join(&include.name)))
            .find(|path| path.is_file())
    }

    /// Adds the directory that has the header, if the tree has it.
    fn add(&self, include: &Include, beside: &Path, found: &mut Found) -> Option<PathBuf> {
        if !include.is_quoted && STANDARD.contains(&include.name.as_str()) {
            return None;
        }
        let name = Path::new(&include.name);
        let candidates = self.files.get(name.file_name()?)?.iter();
        let candidates = candidates.filter_map(|path| Some((directory_of(path, name)?, path)));
        let (directory, path) = candidates.min_by_key(|(directory, _)| {
            (distance(beside, directory), !is_for_headers(directory), directory.clone())
        })?;
        let list = if include.is_quoted { &mut found.quoted } else { &mut found.angled };
        if !list.contains(&directory) {
            list.push(directory);
        }
        Some(path.clone())
    }

    fn flags(&self, found: &Found) -> Vec<String> {
        let name = |directory: &PathBuf| {
            let is_absolute = self.checkout.files.first().is_some_and(|file| file.is_absolute());
            let relative = relative(&self.checkout.directory, directory);
            match relative.as_os_str().is_empty() {
                _ if is_absolute => directory.to_string_lossy().into_owned(),
                true => ".".to_owned(),
                false => relative.to_string_lossy().into_owned(),
            }
        };
        let hides = |directory: &PathBuf| STANDARD.iter().any(|name| directory.join(name).exists());
        let mut flags = Vec::new();
        for directory in &found.angled {
            let flag = if hides(directory) { "-idirafter" } else { "-I" };
            flags.extend([flag.to_owned(), name(directory)]);
        }
        for directory in found.quoted.iter().filter(|one| !found.angled.contains(one)) {
            flags.extend(["-iquote".to_owned(), name(directory)]);
        }
        flags
    }

    fn scan(&self, path: &Path) -> Rc<Vec<Include>> {
        let known = self.scanned.borrow().get(path).cloned();
        known.unwrap_or_else(|| {
            let small = fs::metadata(path).is_ok_and(|meta| meta.len() <= MOST_BYTES);
            let bytes = small.then(|| fs::read(path).ok()).flatten().unwrap_or_default();
            let found = Rc::new(includes(&String::from_utf8_lossy(&bytes)));
            self.scanned.borrow_mut().insert(path.to_owned(), Rc::clone(&found));
            found
        })
    }
}

/// The `#include` lines of a text.
fn includes(text: &str) -> Vec<Include> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for line in text.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            depth = depth.saturating_sub(1);
        }
        let Some(rest) = directive.strip_prefix("include").map(str::trim_start) else { continue };
        let named = |open: char, close: char| {
            let (name, _) = rest.strip_prefix(open)?.split_once(close)?;
            (!name.is_empty()).then(|| name.to_owned())
        };
        let is_certain = depth == 0;
        if let Some(name) = named('"', '"') {
            found.push(Include { name, is_quoted: true, is_certain });
        } else if let Some(name) = named('<', '>') {
            found.push(Include { name, is_quoted: false, is_certain });
        }
    }
    found
}

/// All files of a tree, by the last part of their names. Hidden directories and symbolic links to
/// directories are left out.
fn files_by_name(root: &Path) -> BTreeMap<OsString, Vec<PathBuf>> {
    let mut files: BTreeMap<OsString, Vec<PathBuf>> = BTreeMap::new();
    let mut count = 0;
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            count += 1;
            if count > MOST_FILES {
                return files;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && !is_hidden {
                waiting.push(entry.path());
            } else if !kind.is_dir() {
                files.entry(entry.file_name()).or_default().push(entry.path());
            }
        }
    }
    files.values_mut().for_each(|paths| paths.sort());
    files
}

/// The directory in which a name leads to a path.
fn directory_of(path: &Path, name: &Path) -> Option<PathBuf> {
    let is_plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
    // A name that leads upwards is found beside the including file, or not at all.
    (name.components().all(|part| is_plain(&part)) && path.ends_with(name)).then(|| {
        let above = path.components().count() - name.components().count();
        path.components().take(above).collect()
    })
}

/// How many steps lead from one directory to another.
pub(crate) fn distance(from: &Path, to: &Path) -> usize {
    relative(from, to).components().count()
}

fn is_for_headers(directory: &Path) -> bool {
    directory.file_name().is_some_and(|name| name == "include" || name == "inc")
}

fn is_of_system(name: &str) -> bool {
    STANDARD.contains(&name) || SYSTEM.iter().any(|place| Path::new(place).join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Checkout) {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = place.path().to_owned();
        let mut checkout = Checkout::new("v", root.clone(), root);
        checkout.files = vec!["src/a.c".into()];
        (place, checkout)
    }

    fn check(files: &[(&str, &str)], cflags: &[&str], wanted: &[&str]) -> Inferred {
        let (_place, checkout) = tree(files);
        let cflags: Vec<String> = cflags.iter().map(|&flag| flag.to_owned()).collect();
        let inferred = IncludePaths::of(&checkout, &cflags).infer(Path::new("src/a.c"));
        assert_eq!(inferred.flags, wanted, "{files:?}");
        inferred
    }

    #[test]
    fn headers_are_found_through_other_headers() {
        let files = [
            ("src/a.c", "#include \"a.h\"\n"),
            ("include/a.h", "# include <lib/b.h>\n"),
            ("deep/lib/b.h", ""),
        ];
        let inferred = check(&files, &[], &["-I", "deep", "-iquote", "include"]);
        assert!(inferred.is_needed && inferred.nowhere.is_empty());
    }

    #[test]
    fn what_is_beside_a_file_or_on_the_given_path_needs_no_flag() {
        let files = [
            ("src/a.c", "#include \"a.h\"\n#include <b.h>\n#include <stdio.h>\n"),
            ("src/a.h", ""),
            ("include/b.h", ""),
            ("compat/stdio.h", ""),
        ];
        check(&files, &["-Iinclude"], &[]);
    }

    #[test]
    fn the_nearest_header_of_a_name_wins() {
        let files = [
            ("src/a.c", "#if X\n#include \"a.h\"\n#endif\n"),
            ("src/sub/a.h", ""),
            ("other/a.h", ""),
        ];
        let inferred = check(&files, &[], &["-iquote", "src/sub"]);
        assert!(!inferred.is_needed);
    }

    #[test]
    fn a_directory_that_would_hide_a_standard_header_comes_last() {
        let files = [("src/a.c", "#include <b.h>\n"), ("lib/b.h", ""), ("lib/string.h", "")];
        check(&files, &[], &["-idirafter", "lib"]);
    }

    #[test]
    fn headers_that_exist_nowhere_are_named() {
        let inferred = check(&[("src/a.c", "#include \"config.h\"\n")], &[], &[]);
        assert_eq!(inferred.nowhere, BTreeSet::from(["config.h".to_owned()]));
    }
}
