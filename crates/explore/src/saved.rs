//! Saved states: the head that says what a state depends on, the lines after it, and inputs as
//! text.
//!
//! The writer defines the meaning of the lines. Lines are only ever appended; an incomplete last
//! line is ignored.

use std::fmt::Write;

use inputs::Layout;
use thiserror::Error;

/// What is wrong with a saved state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    #[error("it is not the state of {of}")]
    NoState { of: &'static str },
    #[error("line {line} is damaged")]
    Damaged { line: usize },
    #[error("it belongs to another input space")]
    OtherSpace,
    /// Something else that the search depends on has changed.
    #[error("it was saved with another {what}")]
    Other { what: String },
    #[error("line {line} does not agree with the versions at hand")]
    OtherVersions { line: usize },
}

/// What a search depends on besides the input space, such as the programs: a name, and a text that
/// differs if it changes.
pub type Identity = Vec<(String, String)>;

/// A kind of state.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The first line.
    pub mark: &'static str,
    /// The thing whose state it is.
    pub of: &'static str,
}

impl Form {
    /// The head of a state.
    pub fn head(&self, layout: &Layout, identity: &Identity) -> String {
        let mut text = format!("{}\n", self.mark);
        identity.iter().for_each(|one| text.push_str(&identity_line(one)));
        for cell in layout.cells.values() {
            let ranges: Vec<String> =
                cell.domain.ranges().iter().map(|(low, high)| format!("{low}..{high}")).collect();
            let name: String = cell.name.chars().flat_map(char::escape_default).collect();
            let _ = writeln!(text, "cell {} {} {name}", cell.bits, ranges.join(","));
        }
        text
    }

    /// The complete lines after the head of a state of this input space, with their numbers.
    pub fn lines<'t>(
        &self,
        text: &'t str,
        layout: &Layout,
        identity: &Identity,
    ) -> Result<Vec<(usize, &'t str)>, StateError> {
        let behind = text.strip_prefix(self.mark).and_then(|rest| rest.strip_prefix('\n'));
        let mut rest = behind.ok_or(StateError::NoState { of: self.of })?;
        for one in identity {
            let other = StateError::Other { what: one.0.clone() };
            rest = rest.strip_prefix(&identity_line(one)).ok_or(other)?;
        }
        let head = self.head(layout, identity);
        let rest = text.strip_prefix(&head).ok_or(StateError::OtherSpace)?;
        let first = head.lines().count() + 1;
        let all = rest.split_inclusive('\n').enumerate();
        let whole =
            all.map_while(|(number, line)| Some((first + number, line.strip_suffix('\n')?)));
        Ok(whole.collect())
    }
}

fn identity_line((what, value): &(String, String)) -> String {
    let value: String = value.chars().flat_map(char::escape_default).collect();
    format!("of {what}: {value}\n")
}

/// An input as a word.
pub fn print_input(input: &[u64]) -> String {
    input.iter().map(|value| format!("{value:x}")).collect::<Vec<_>>().join(",")
}

/// The input of this many cells that a word encodes.
pub fn read_input(word: &str, cells: usize) -> Option<Box<[u64]>> {
    let values = word.split(',').filter(|value| !value.is_empty());
    let values: Option<Box<[u64]>> =
        values.map(|value| u64::from_str_radix(value, 16).ok()).collect();
    values.filter(|values| values.len() == cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::{Flags, Room};

    const FORM: Form = Form { mark: "lines 1", of: "a test" };

    fn identity() -> Identity {
        vec![("version v0".to_owned(), "1\n2".to_owned())]
    }

    fn layout() -> Layout {
        let args = ["int:-5..5", "int"].map(|arg| arg.as_bytes().to_vec()).into();
        let flags = Flags { args, ..Flags::default() };
        flags.program_space(&[], &Room::default()).expect("a space").0.layout()
    }

    #[test]
    fn a_line_that_was_being_written_is_not_there() {
        let (layout, identity) = (layout(), identity());
        let text = FORM.head(&layout, &identity) + "one\ntwo\nthr";
        let lines = FORM.lines(&text, &layout, &identity);
        assert_eq!(lines, Ok(vec![(5, "one"), (6, "two")]));
    }

    #[test]
    fn other_texts_are_refused() {
        let (layout, identity) = (layout(), identity());
        let head = FORM.head(&layout, &identity);
        let error = |text: &str| FORM.lines(text, &layout, &identity).err();
        assert_eq!(error("hello\n"), Some(StateError::NoState { of: "a test" }));
        assert_eq!(error(&head.replace("-5..5", "-5..6")), Some(StateError::OtherSpace));
        let what = "version v0".to_owned();
        assert_eq!(error(&head.replace("1\\n2", "1")), Some(StateError::Other { what }));
    }

    #[test]
    fn inputs_can_be_read_again() {
        let input: &[u64] = &[7, 0, u64::MAX];
        let word = print_input(input);
        assert_eq!(read_input(&word, 3).as_deref(), Some(input));
        assert_eq!(read_input(&word, 2), None);
        assert_eq!(read_input("", 0).as_deref(), Some(&[][..]));
        assert_eq!(read_input("7,x", 2), None);
    }
}
