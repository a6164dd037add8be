//! The command as it was typed, and variations of it to type next.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

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

    /// The same with several options.
    pub fn with_all(&self, options: &[(&str, &str)]) -> String {
        let end = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        let (before, behind) = self.words.split_at(end);
        let mut words = vec![OsString::from("ripple")];
        let mut rest = before.iter();
        while let Some(word) = rest.next() {
            let flag = options.iter().map(|(flag, _)| *flag).find(|flag| is_flag(word, flag));
            match flag {
                // Its value is the next word, unless it is joined.
                Some(flag) if word == flag => drop(rest.next()),
                Some(_) => {}
                None => words.push(word.clone()),
            }
        }
        for (flag, value) in options {
            words.push((*flag).into());
            words.push((*value).into());
        }
        words.extend(behind.iter().cloned());
        let words: Vec<String> = words.iter().map(|one| word(one.as_bytes())).collect();
        words.join(" ")
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
}
