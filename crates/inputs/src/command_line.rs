//! Plain command lines: words with the quoting of a POSIX shell, and `< file`.
//!
//! Nothing is expanded. Unquoted text with any other meaning to a shell is an error, so that a line
//! never means something different here.

use crate::error::TestProblem;

pub(crate) struct CommandLine {
    pub args: Vec<Vec<u8>>,
    /// The name after `<`.
    pub stdin: Option<Vec<u8>>,
}

pub(crate) fn parse(line: &[u8]) -> Result<CommandLine, TestProblem> {
    let mut words = Words { rest: line };
    let mut parsed = CommandLine { args: Vec::new(), stdin: None };
    while let Some(word) = words.next()? {
        match word {
            Word::Text(text) => parsed.args.push(text),
            Word::Input if parsed.stdin.is_some() => return Err(TestProblem::InputTwice),
            Word::Input => match words.next()? {
                Some(Word::Text(name)) if !name.is_empty() => parsed.stdin = Some(name),
                _ => return Err(TestProblem::NoFileName),
            },
        }
    }
    Ok(parsed)
}

enum Word {
    Text(Vec<u8>),
    /// `<`
    Input,
}

struct Words<'a> {
    rest: &'a [u8],
}

impl Words<'_> {
    fn take(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn next(&mut self) -> Result<Option<Word>, TestProblem> {
        while let Some(b' ' | b'\t') = self.rest.first() {
            self.take();
        }
        match self.rest {
            // A comment may begin only where a word may.
            [] | [b'#', ..] => Ok(None),
            [b'<', rest @ ..] if !matches!(rest.first(), Some(b'<' | b'>' | b'&')) => {
                self.rest = rest;
                Ok(Some(Word::Input))
            }
            _ => Ok(Some(Word::Text(self.word()?))),
        }
    }

    fn word(&mut self) -> Result<Vec<u8>, TestProblem> {
        let mut word = Vec::new();
        let mut at_start = true;
        while let Some(&byte) = self.rest.first() {
            match byte {
                b' ' | b'\t' => break,
                // A number before `<` would name the redirected stream.
                b'<' if !at_start && (word.is_empty() || !word.iter().all(u8::is_ascii_digit)) => {
                    break;
                }
                _ => {}
            }
            self.take();
            match byte {
                b'\'' => self.single_quoted(&mut word)?,
                b'"' => self.double_quoted(&mut word)?,
                b'\\' => word.push(self.take().ok_or(TestProblem::LoneBackslash)?),
                b'~' if !at_start => word.push(byte),
                byte if is_special(byte) => return Err(shell(byte)),
                byte => word.push(byte),
            }
            at_start = false;
        }
        Ok(word)
    }

    fn single_quoted(&mut self, word: &mut Vec<u8>) -> Result<(), TestProblem> {
        loop {
            match self.take() {
                Some(b'\'') => return Ok(()),
                Some(byte) => word.push(byte),
                None => return Err(TestProblem::OpenQuote { quote: '\'' }),
            }
        }
    }

    /// A backslash is literal except before a character that it can escape.
    fn double_quoted(&mut self, word: &mut Vec<u8>) -> Result<(), TestProblem> {
        loop {
            match self.take() {
                Some(b'"') => return Ok(()),
                Some(byte @ (b'$' | b'`')) => return Err(shell(byte)),
                Some(b'\\') => match self.rest.first() {
                    Some(&byte @ (b'$' | b'`' | b'"' | b'\\')) => {
                        self.take();
                        word.push(byte);
                    }
                    _ => word.push(b'\\'),
                },
                Some(byte) => word.push(byte),
                None => return Err(TestProblem::OpenQuote { quote: '"' }),
            }
        }
    }
}

fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'<' | b'>' | b'|' | b'&' | b';' | b'(' | b')' | b'$' | b'`' | b'*' | b'?' | b'[' | b'~'
    )
}

fn shell(byte: u8) -> TestProblem {
    TestProblem::Shell { found: byte as char }
}
