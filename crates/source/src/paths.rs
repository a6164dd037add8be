//! Splits and joins file names, and rewrites the flags that contain them.
//!
//! Works on names alone, except that `absolute_flags` checks whether a file exists.

use std::path::{Component, Path, PathBuf};

use crate::error::SourceError;

/// Flags whose argument is a directory or a file, joined or as the next word.
const PATH_FLAGS: [&str; 8] =
    ["-isystem", "-iquote", "-idirafter", "-isysroot", "-include", "-imacros", "--sysroot=", "-I"];

/// The same name without `.` and, as far as names tell, without `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            Component::ParentDir if normal.has_root() => {}
            other => normal.push(other),
        }
    }
    normal
}

/// The name of `to` relative to `from`. Both are absolute and normal.
pub(crate) fn relative(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let mut name = PathBuf::new();
    for _ in from.components().skip(shared) {
        name.push("..");
    }
    name.extend(to.components().skip(shared));
    name
}

/// The flags, with every name of a file or directory in them replaced.
pub(crate) fn map_paths(flags: &[String], replace: &dyn Fn(&str, &Path) -> PathBuf) -> Vec<String> {
    let mut mapped = Vec::with_capacity(flags.len());
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        let known = PATH_FLAGS.iter().find(|flag| word.starts_with(**flag));
        let Some(flag) = known else {
            mapped.push(word.clone());
            continue;
        };
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        match (&word[flag.len()..], flag.ends_with('=')) {
            ("", false) => {
                mapped.push(word.clone());
                mapped.extend(words.next().map(|path| text(replace(flag, Path::new(path)))));
            }
            (path, _) => mapped.push(format!("{flag}{}", text(replace(flag, Path::new(path))))),
        }
    }
    mapped
}

/// The flags with absolute names. The file of an `-include` may be on the include path; its name is
/// replaced only if the directory has such a file.
pub(crate) fn absolute_flags(flags: &[String], directory: &Path) -> Vec<String> {
    map_paths(flags, &|flag, path| {
        let full = normal(&directory.join(path));
        let is_searched = matches!(flag, "-include" | "-imacros");
        if is_searched && !full.exists() { path.to_owned() } else { full }
    })
}

/// The flags that name something outside of `root`, with absolute names: their meaning does not
/// change when the files of `root` are read elsewhere.
pub(crate) fn outside_flags(flags: &[String], directory: &Path, root: &Path) -> Vec<String> {
    let absolute = absolute_flags(flags, directory);
    let mut outside = Vec::new();
    let mut at = 0;
    while at < absolute.len() {
        let is_pair = PATH_FLAGS.contains(&absolute[at].as_str()) && at + 1 < absolute.len();
        let width = if is_pair { 2 } else { 1 };
        let leads_out = |path: &Path| path.is_absolute() && !path.starts_with(root);
        let found = std::cell::Cell::new(false);
        map_paths(&absolute[at..at + width], &|_, path| {
            found.set(leads_out(path));
            path.to_owned()
        });
        if found.get() {
            outside.extend_from_slice(&absolute[at..at + width]);
        }
        at += width;
    }
    outside
}

/// A name is good if it stays inside the directory it is joined to.
pub(crate) fn check_name(name: &str) -> Result<(), SourceError> {
    let mut components = Path::new(name).components().peekable();
    let inside = components.peek().is_some()
        && !name.ends_with('/')
        && !name.contains('\0')
        && components.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if inside {
        return Ok(());
    }
    Err(SourceError::BadFileName { name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn names_that_leave_the_directory_are_refused() {
        for good in ["a", "a/b.txt", "..a", "./a"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "/etc/passwd", "../a", "a/../../b", "a/", "a\0b"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_lead_from_one_place_to_another() {
        let check = |from: &str, to: &str, wanted: &str| {
            assert_eq!(relative(Path::new(from), Path::new(to)), Path::new(wanted));
        };
        check("/a", "/a/b/c.c", "b/c.c");
        check("/a/b", "/a/c.c", "../c.c");
        check("/a", "/a", "");
        assert_eq!(normal(Path::new("/a/./b/../c/../../..")), Path::new("/"));
        assert_eq!(normal(Path::new("../a/..")), Path::new(".."));
    }

    #[test]
    fn every_way_to_name_a_directory_in_flags_is_known() {
        let flags = words("-Iinc -I inc -isysteminc -isystem /usr/x --sysroot=s -DX=a -std=c99");
        let wanted = words(
            "-I/d/inc -I /d/inc -isystem/d/inc -isystem /usr/x --sysroot=/d/s -DX=a -std=c99",
        );
        assert_eq!(absolute_flags(&flags, Path::new("/d")), wanted);
    }

    #[test]
    fn only_what_leads_out_of_the_root_is_kept() {
        let flags = words("-DX -Iroot/inc -I ../far -isystem other");
        let outside = outside_flags(&flags, Path::new("/d"), Path::new("/d/root"));
        assert_eq!(outside, words("-I /far -isystem /d/other"));
    }
}
