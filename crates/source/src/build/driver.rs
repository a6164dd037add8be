//! The command line of a compiler driver: what it reads, what it writes, and what it passes to the
//! linker.
//!
//! From the words alone, behind the name of the program and with response files in place. Names of
//! files stay relative to the directory of the command.

use std::path::{Path, PathBuf};

use super::linker::{LinkInput, LinkLine};
use super::{Language, tool};
use crate::flags::{Meaning, meaning, takes_next};

/// What a driver is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Preprocess,
    Assembly,
    Object,
    Link,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub file: PathBuf,
    pub language: Language,
}

/// A command of a driver.
#[derive(Clone, Debug)]
pub(super) struct Compilation {
    pub mode: Mode,
    /// Sources are inputs of the link under their own names.
    pub sources: Vec<Source>,
    pub link: LinkLine,
    pub meaning: Meaning,
}

/// Reads a command; nothing if it makes no files.
pub(super) fn compilation(name: &Path, words: &[String]) -> Option<Compilation> {
    let mut found = Compilation {
        mode: Mode::Link,
        sources: Vec::new(),
        link: LinkLine::default(),
        meaning: meaning(words),
    };
    let default = if tool::compiles_cpp(name) { Language::Cpp } else { Language::C };
    let mut language = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-c" => found.mode = found.mode.stronger(Mode::Object),
            "-S" => found.mode = found.mode.stronger(Mode::Assembly),
            "-E" | "-M" | "-MM" => found.mode = Mode::Preprocess,
            "-fsyntax-only" | "-###" | "--version" | "-dumpversion" | "-dumpmachine" => {
                return None;
            }
            "-x" => language = rest.next().map(|name| named(name)),
            "-Xlinker" => found.link.words(rest.next().map(String::as_str)),
            "-o" | "-L" | "-l" => {
                let argument = rest.next().map(String::as_str);
                found.link.words([word.as_str()].into_iter().chain(argument));
            }
            flag if takes_next(flag) => {
                rest.next();
            }
            flag if flag.starts_with("-print-") || flag.starts_with("--print-") => return None,
            flag => {
                if let Some(name) = flag.strip_prefix("-x") {
                    language = Some(named(name));
                } else {
                    found.word(flag, language, default);
                }
            }
        }
    }
    let is_empty = found.sources.is_empty() && found.link.inputs.is_empty();
    (!is_empty).then_some(found)
}

impl Mode {
    /// Of several flags, the one that stops earlier counts.
    fn stronger(self, other: Mode) -> Mode {
        match (self, other) {
            (Mode::Preprocess, _) => Mode::Preprocess,
            (Mode::Assembly, Mode::Object) => Mode::Assembly,
            _ => other,
        }
    }
}

impl Compilation {
    fn word(&mut self, word: &str, language: Option<Option<Language>>, default: Language) {
        if let Some(passed) = word.strip_prefix("-Wl,") {
            return self.link.words(passed.split(','));
        }
        match word {
            "-shared" | "-r" | "-static" | "-static-pie" => return self.link.words([word]),
            _ => {}
        }
        if word.starts_with('-') && word != "-" {
            if ["-L", "-l", "-o"].iter().any(|flag| word.starts_with(flag)) {
                self.link.words([word]);
            }
            return;
        }
        let by_name = || Language::of(Path::new(word), default);
        match language.unwrap_or_else(by_name) {
            Some(language) => {
                self.link.inputs.push(LinkInput::Source(self.sources.len()));
                self.sources.push(Source { file: PathBuf::from(word), language });
            }
            None => self.link.words([word]),
        }
    }

    /// Where the result of a source goes, if it is not linked at once.
    pub fn output_of(&self, source: &Source) -> PathBuf {
        let extension = match self.mode {
            Mode::Assembly => "s",
            Mode::Preprocess => "i",
            Mode::Object | Mode::Link => "o",
        };
        let default = || PathBuf::from(source.file.file_name().unwrap_or_default());
        self.link.output.clone().unwrap_or_else(|| default().with_extension(extension))
    }
}

/// The language that `-x` names; `none` leaves it to the names of files.
fn named(name: &str) -> Option<Language> {
    Some(match name {
        "none" => return None,
        "c" | "cpp-output" => Language::C,
        "c++" | "c++-cpp-output" => Language::Cpp,
        "assembler" | "assembler-with-cpp" => Language::Assembly,
        _ => Language::Other,
    })
}

impl Language {
    /// The language of a source by its name; nothing for what only the linker reads.
    fn of(file: &Path, default: Language) -> Option<Language> {
        let extension = file.extension()?.to_str()?;
        Some(match extension {
            "c" | "i" => default,
            "C" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "CPP" | "ii" => Language::Cpp,
            "s" | "S" | "sx" => Language::Assembly,
            "m" | "mi" | "mm" | "M" | "mii" | "f" | "for" | "F" | "f90" | "F90" | "f95" | "f03"
            | "f08" | "adb" | "ads" | "go" | "d" | "h" | "hh" | "hpp" | "hxx" | "ll" | "bc" => {
                Language::Other
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Compilation {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        compilation(Path::new("gcc"), &words).expect("it makes files")
    }

    fn files(found: &Compilation) -> Vec<&str> {
        found.sources.iter().filter_map(|source| source.file.to_str()).collect()
    }

    #[test]
    fn a_command_that_compiles_names_source_object_and_meaning() {
        let found = parsed("-O2 -Iinc -c -MD -MF a.d src/a.c");
        assert_eq!((found.mode, files(&found)), (Mode::Object, vec!["src/a.c"]));
        assert_eq!(found.output_of(&found.sources[0]), Path::new("a.o"));
        assert_eq!(found.meaning.kept, ["-Iinc"]);
        assert_eq!(parsed("-S -c a.c").mode, Mode::Assembly);
        assert_eq!(parsed("-c a.c -E").mode, Mode::Preprocess);
    }

    #[test]
    fn a_command_that_compiles_and_links_has_both() {
        let found = parsed("a.c b.o -Lout -lx -Wl,--whole-archive,liby.a -oprog -x c gen.txt");
        assert_eq!((found.mode, files(&found)), (Mode::Link, vec!["a.c", "gen.txt"]));
        assert_eq!(found.link.output.as_deref(), Some(Path::new("prog")));
        assert_eq!(found.link.inputs.len(), 5);
        assert_eq!(found.link.search, [PathBuf::from("out")]);
    }

    #[test]
    fn questions_to_a_compiler_make_nothing() {
        for text in ["--version", "-v", "-print-prog-name=ld", "-dumpmachine", "-fsyntax-only a.c"]
        {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            assert!(compilation(Path::new("gcc"), &words).is_none(), "{text}");
        }
    }
}
