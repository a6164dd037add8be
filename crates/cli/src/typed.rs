//! The command as it was typed, and variations of it to type next.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use report::shell::word;

/// The words of a command line, without the program's name.
#[derive(Clone, Debug)]
pub struct Typed {
    words: Vec<OsString>,
}

impl Typed {
    /// The command line of this process.
    pub fn this() -> Typed {
        Typed { words: env::args_os().skip(1).collect() }
    }

    /// The same command with an option set, quoted for a shell.
    pub fn with(&self, flag: &str, value: &str) -> String {
        self.with_all(&[(flag, value)])
    }

    /// The same command without some options, which all have a value.
    pub fn without(&self, flags: &[&str]) -> Typed {
        let (before, behind) = self.parts();
        let mut words = Vec::new();
        let mut rest = before.iter();
        while let Some(word) = rest.next() {
            match flags.iter().find(|flag| is_flag(word, flag)) {
                // Its value is the next word, unless it is joined.
                Some(flag) if word == flag => drop(rest.next()),
                Some(_) => {}
                None => words.push(word.clone()),
            }
        }
        words.extend_from_slice(behind);
        Typed { words }
    }

    /// The same command about one file, with an option set.
    pub fn with_file(&self, flag: &str, value: &str, file: &Path) -> String {
        let (before, _) = self.parts();
        let command = Typed { words: before.to_vec() }.with(flag, value);
        format!("{command} -- {}", word(file.as_os_str().as_bytes()))
    }

    /// The same words behind another command, without some options that have no value.
    pub fn of_command(&self, from: &str, to: &str, switches: &[&str]) -> Typed {
        let mut words = self.words.clone();
        if let Some(word) = words.iter_mut().find(|word| *word == from) {
            *word = to.into();
        }
        words.retain(|word| !switches.iter().any(|switch| word == switch));
        Typed { words }
    }

    /// The same with several options.
    pub fn with_all(&self, options: &[(&str, &str)]) -> String {
        let flags: Vec<&str> = options.iter().map(|(flag, _)| *flag).collect();
        let other = self.without(&flags);
        let (before, behind) = other.parts();
        let mut words = vec![OsString::from("ripple")];
        words.extend_from_slice(before);
        for (flag, value) in options {
            words.push((*flag).into());
            words.push((*value).into());
        }
        words.extend_from_slice(behind);
        let words: Vec<String> = words.iter().map(|one| word(one.as_bytes())).collect();
        words.join(" ")
    }

    /// The words before `--`, and the rest.
    fn parts(&self) -> (&[OsString], &[OsString]) {
        let end = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        self.words.split_at(end)
    }
}

fn is_flag(word: &OsStr, flag: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.strip_prefix(flag.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_before_the_paths_and_replace_earlier_ones() {
        let typed = |text: &str| Typed { words: text.split(' ').map(OsString::from).collect() };
        let check = |text: &str, wanted: &str| {
            assert_eq!(typed(text).with("--program", "a b"), wanted);
        };
        check("compare A B", "ripple compare A B --program 'a b'");
        check("compare A B -- src", "ripple compare A B --program 'a b' -- src");
        check("compare --program x A", "ripple compare A --program 'a b'");
        check("compare --program=x A", "ripple compare A --program 'a b'");
        check("compare --programs A", "ripple compare --programs A --program 'a b'");
    }

    #[test]
    fn the_words_of_one_command_suit_another() {
        let words = "--quiet programs A B --files --format json".split(' ');
        let typed = Typed { words: words.map(OsString::from).collect() };
        let other = typed.of_command("programs", "compare", &["--files"]).without(&["--format"]);
        assert_eq!(other.with("--program", "x"), "ripple --quiet compare A B --program x");
    }
}
