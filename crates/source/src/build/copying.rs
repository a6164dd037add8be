//! The command lines of `cp`, `mv`, `install`, `ln`, `strip` and `objcopy`: what has the contents
//! of what.

use std::path::{Path, PathBuf};

use super::tool::Tool;
use crate::paths::normal;

/// A file, or everything below a directory, that got the contents of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Copy {
    pub from: PathBuf,
    pub to: PathBuf,
    /// Whether the first one is gone.
    pub is_move: bool,
    /// Whether the second one only names the first one.
    pub is_symbolic: bool,
}

/// Flags of these programs whose argument is the next word.
const WITH_ARGUMENT: [&str; 9] =
    ["-S", "--suffix", "-m", "--mode", "-o", "--owner", "-g", "--group", "--strip-program"];

/// What a command copied. `directory` is the one it ran in; names are made absolute.
pub(super) fn copies(tool: Tool, words: &[String], directory: &Path) -> Vec<Copy> {
    match tool {
        Tool::Stripper => stripped(words, directory),
        Tool::ObjectCopier => object_copied(words, directory),
        _ => placed(tool, words, directory),
    }
}

fn placed(tool: Tool, words: &[String], directory: &Path) -> Vec<Copy> {
    let mut target = None;
    let mut operands: Vec<&str> = Vec::new();
    let (mut is_symbolic, mut is_file) = (false, false);
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-t" | "--target-directory" => target = rest.next(),
            // Makes directories only.
            "-d" | "--directory" if tool == Tool::Installer => return Vec::new(),
            "-T" | "--no-target-directory" => is_file = true,
            "--" => operands.extend(rest.by_ref()),
            "--symbolic" => is_symbolic = true,
            _ if takes_next(tool, word) => {
                rest.next();
            }
            _ if word.starts_with("--target-directory=") => {
                target = word.strip_prefix("--target-directory=");
            }
            _ if word.starts_with('-') && word.len() > 1 => {
                is_symbolic |= !word.starts_with("--") && word.contains('s');
            }
            _ => operands.push(word),
        }
    }
    is_symbolic &= tool == Tool::LinkMaker;
    let is_lone = operands.len() == 1 && target.is_none();
    let target = match target {
        Some(target) => target,
        // A link in the current directory.
        None if is_lone && tool == Tool::LinkMaker => ".",
        None => match operands.pop() {
            Some(last) => last,
            None => return Vec::new(),
        },
    };
    let to = normal(&directory.join(target));
    let is_directory =
        !is_file && (operands.len() != 1 || target.ends_with('/') || is_lone || to.is_dir());
    let copy = |from: &&str| {
        let name = Path::new(from).file_name();
        let to = if is_directory { to.join(name.unwrap_or_default()) } else { to.clone() };
        // The text of a symbolic link is relative to where it is.
        let base = if is_symbolic { to.parent().unwrap_or(directory) } else { directory };
        let from = normal(&base.join(from));
        Copy { from, to, is_move: tool == Tool::Mover, is_symbolic }
    };
    operands.iter().map(copy).collect()
}

fn takes_next(tool: Tool, word: &str) -> bool {
    match tool {
        Tool::Installer => WITH_ARGUMENT.contains(&word),
        _ => WITH_ARGUMENT[..2].contains(&word),
    }
}

/// `strip -o OUT IN`. Without `-o`, the contents stay what they are to us.
fn stripped(words: &[String], directory: &Path) -> Vec<Copy> {
    let Some(at) = words.iter().position(|word| word == "-o") else { return Vec::new() };
    let (Some(out), Some(last)) = (words.get(at + 1), words.last()) else { return Vec::new() };
    let from =
        if at + 2 == words.len() { at.checked_sub(1).map(|at| &words[at]) } else { Some(last) };
    from.into_iter().map(|from| pair(directory, from, out)).collect()
}

/// `objcopy FLAGS IN OUT`. If it has no OUT, a flag's argument may seem to be IN; no file has its
/// name.
fn object_copied(words: &[String], directory: &Path) -> Vec<Copy> {
    match words {
        [.., from, to] if !to.starts_with('-') && !from.starts_with('-') => {
            vec![pair(directory, from, to)]
        }
        _ => Vec::new(),
    }
}

fn pair(directory: &Path, from: &str, to: &str) -> Copy {
    let absolute = |name: &str| normal(&directory.join(name));
    Copy { from: absolute(from), to: absolute(to), is_move: false, is_symbolic: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tool: Tool, text: &str, wanted: &[(&str, &str)]) {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let found = copies(tool, &words, Path::new("/d"));
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|copy| (copy.from.to_str().unwrap(), copy.to.to_str().unwrap()))
            .collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn what_has_the_contents_of_what_is_known() {
        check(Tool::Copier, "-f a.o out/b.o", &[("/d/a.o", "/d/out/b.o")]);
        check(Tool::Copier, "-p a b out/", &[("/d/a", "/d/out/a"), ("/d/b", "/d/out/b")]);
        check(Tool::Copier, "-t /x a", &[("/d/a", "/x/a")]);
        check(Tool::Mover, "a.tmp a", &[("/d/a.tmp", "/d/a")]);
        check(
            Tool::Installer,
            "-c -m 755 .libs/prog /usr/bin/",
            &[("/d/.libs/prog", "/usr/bin/prog")],
        );
        check(Tool::Installer, "-d /usr/bin /usr/lib", &[]);
        check(
            Tool::LinkMaker,
            "-sf libz.so.1.3 sub/libz.so",
            &[("/d/sub/libz.so.1.3", "/d/sub/libz.so")],
        );
        check(Tool::LinkMaker, "-s ../a/prog", &[("/a/prog", "/d/prog")]);
        check(Tool::Stripper, "-s -o small prog", &[("/d/prog", "/d/small")]);
        check(Tool::ObjectCopier, "--redefine-sym a=b in.o out.o", &[("/d/in.o", "/d/out.o")]);
    }
}
