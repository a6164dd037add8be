//! The command line of a linker, or the words that a driver passes to it.

use std::path::PathBuf;

/// Flags whose argument is the next word and says nothing about inputs.
const WITH_ARGUMENT: [&str; 44] = [
    "-rpath",
    "--rpath",
    "-rpath-link",
    "--rpath-link",
    "-soname",
    "--soname",
    "-h",
    "-T",
    "--script",
    "-dT",
    "--version-script",
    "-version-script",
    "--dynamic-list",
    "-Map",
    "--Map",
    "-dynamic-linker",
    "--dynamic-linker",
    "-I",
    "-e",
    "--entry",
    "-m",
    "-z",
    "-plugin",
    "--plugin",
    "-plugin-opt",
    "--plugin-opt",
    "-u",
    "--undefined",
    "-y",
    "--trace-symbol",
    "-defsym",
    "--defsym",
    "-R",
    "--just-symbols",
    "-f",
    "-F",
    "-A",
    "-b",
    "--format",
    "-G",
    "-init",
    "-fini",
    "-Ttext",
    "-a",
];

/// What is linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkInput {
    /// A source of the same command, by its place among them.
    Source(usize),
    File {
        path: PathBuf,
        /// Of an archive, all members.
        is_whole: bool,
    },
    /// What `-l` names.
    Library {
        name: String,
        is_whole: bool,
        /// Only archives count.
        is_static: bool,
    },
}

/// What a linker is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LinkLine {
    pub inputs: Vec<LinkInput>,
    /// Directories of `-L`.
    pub search: Vec<PathBuf>,
    pub output: Option<PathBuf>,
    pub is_shared: bool,
    pub is_relocatable: bool,
    is_whole: bool,
    is_static: bool,
    /// The flag whose argument comes next.
    awaited: Option<Awaited>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaited {
    Output,
    Directory,
    Library,
    Nothing,
}

impl LinkLine {
    /// Reads further words.
    pub fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        for word in words {
            self.word(word);
        }
    }

    fn word(&mut self, word: &str) {
        match self.awaited.take() {
            Some(Awaited::Output) => return self.output = Some(PathBuf::from(word)),
            Some(Awaited::Directory) => return self.search.push(PathBuf::from(word)),
            Some(Awaited::Library) => return self.library(word),
            Some(Awaited::Nothing) => return,
            None => {}
        }
        match word {
            "-o" | "--output" => self.awaited = Some(Awaited::Output),
            "-L" | "--library-path" => self.awaited = Some(Awaited::Directory),
            "-l" | "--library" => self.awaited = Some(Awaited::Library),
            "-shared" | "--shared" | "-Bshareable" => self.is_shared = true,
            "-r" | "-i" | "--relocatable" => self.is_relocatable = true,
            "-static" | "--static" | "-static-pie" | "-Bstatic" | "-dn" | "-non_shared" => {
                self.is_static = true;
            }
            "-Bdynamic" | "-dy" | "-call_shared" => self.is_static = false,
            "--whole-archive" | "-whole-archive" => self.is_whole = true,
            "--no-whole-archive" | "-no-whole-archive" => self.is_whole = false,
            flag if WITH_ARGUMENT.contains(&flag) => self.awaited = Some(Awaited::Nothing),
            _ => self.joined(word),
        }
    }

    /// A flag with its argument in one word, or a file.
    fn joined(&mut self, word: &str) {
        let argument = |prefixes: &[&str]| {
            prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)).map(str::to_owned)
        };
        if let Some(path) = argument(&["--output=", "-o"]) {
            self.output = Some(PathBuf::from(path));
        } else if let Some(path) = argument(&["--library-path=", "-L"]) {
            self.search.push(PathBuf::from(path));
        } else if let Some(name) = argument(&["--library=", "-l"]) {
            self.library(&name);
        } else if !word.starts_with('-') && !word.is_empty() {
            let is_whole = self.is_whole;
            self.inputs.push(LinkInput::File { path: PathBuf::from(word), is_whole });
        }
    }

    fn library(&mut self, name: &str) {
        self.inputs.push(LinkInput::Library {
            name: name.to_owned(),
            is_whole: self.is_whole,
            is_static: self.is_static,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_flags_are_no_inputs() {
        let mut line = LinkLine::default();
        let text = "-shared -soname libx.so.1 -rpath /x -o libx.so a.o -T script --whole-archive \
            b.a --no-whole-archive -Bstatic -ly -m elf_x86_64 --gc-sections -z now c.o";
        line.words(text.split_whitespace());
        let file = |path: &str, is_whole| LinkInput::File { path: path.into(), is_whole };
        let library = LinkInput::Library { name: "y".to_owned(), is_whole: false, is_static: true };
        assert_eq!(
            line.inputs,
            [file("a.o", false), file("b.a", true), library, file("c.o", false)]
        );
        assert_eq!((line.is_shared, line.output), (true, Some(PathBuf::from("libx.so"))));
    }
}
