//! What a comparison saves during the search, and what it reads back to resume.
//!
//! Lines after the head: inputs to run first, how much work was done, and the state of the strategy
//! `partitions`, in chronological order.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use explore::pair::{INPUT, Keeper};
use explore::saved::{Form, StateError, read_input};
use inputs::Layout;

use super::{Options, Request};
use crate::error::Error;
use crate::identity::identity;
use crate::trial::Keep;
use crate::versions::Versions;

/// The state of a comparison.
const FORM: Form = Form { mark: "ripple comparison 1", of: "a comparison" };

/// The first word of a line with the work that was done.
const SPENT: &str = "spent";

/// The first line of every state, as far as it is the same for all releases.
pub const STATE_MARK: &str = "ripple comparison ";

/// The results of an earlier search of the same versions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Earlier<'t> {
    /// Inputs to run first.
    pub inputs: Vec<Box<[u64]>>,
    /// Work that was done.
    pub spent: u64,
    /// The state of the strategy `partitions`, by line.
    pub partitions: Vec<(usize, &'t str)>,
}

impl<'t> Earlier<'t> {
    fn read(lines: &[(usize, &'t str)], layout: &Layout) -> Result<Earlier<'t>, StateError> {
        let mut earlier = Earlier::default();
        for &(line, text) in lines {
            let damaged = StateError::Damaged { line };
            match text.split_once(' ') {
                Some((INPUT, word)) => {
                    let input = read_input(word, layout.cells.len());
                    let input = input.filter(|input| layout.contains(input));
                    earlier.inputs.push(input.ok_or(damaged)?);
                }
                Some((SPENT, word)) => earlier.spent = word.parse().map_err(|_| damaged)?,
                _ => earlier.partitions.push((line, text)),
            }
        }
        Ok(earlier)
    }
}

/// A line with the work that was done.
pub(super) fn spent(work: u64) -> String {
    format!("{SPENT} {work}\n")
}

/// Passes lines on to the keeper, and remembers the first failure: strategies do not wait for it.
pub(super) struct Journal<'a> {
    keep: Option<Keep<'a>>,
    failed: Mutex<Option<io::Error>>,
}

impl<'a> Journal<'a> {
    pub fn new(keep: Option<Keep<'a>>) -> Journal<'a> {
        Journal { keep, failed: Mutex::default() }
    }

    pub fn add(&self, lines: &str) {
        if let Some(Err(error)) = self.keep.map(|keep| keep(lines)) {
            self.failed().get_or_insert(error);
        }
    }

    pub fn check(&self) -> Result<(), Error> {
        self.failed().take().map_or(Ok(()), |error| Err(Error::Save(error)))
    }

    fn failed(&self) -> MutexGuard<'_, Option<io::Error>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A new or resumed state.
pub(super) struct State<'a> {
    pub earlier: Option<Earlier<'a>>,
    /// Has received the beginning.
    pub keeper: Option<Keeper<'a>>,
}

impl<'a> State<'a> {
    /// `None` if there is no keeper. Rejects a state of another comparison.
    pub fn begin(
        resume: Option<&'a str>,
        keep: Option<Keeper<'a>>,
        request: &Request<'_>,
        versions: &Versions,
        layout: &Layout,
    ) -> Result<State<'a>, StateError> {
        if resume.is_none() && keep.is_none() {
            return Ok(State { earlier: None, keeper: None });
        }
        let Options { strategy, limits, observe, .. } = &request.options;
        let modules = [("OLD", &versions.old.module), ("NEW", &versions.new.module)];
        let modules = modules.map(|(name, module)| (name.to_owned(), module));
        // It decides whether slices shape partitions.
        let strategy = ("strategy (--strategy)", strategy.name());
        let identity = identity(&modules, request.scope.entry, observe, limits, strategy);
        let lines = resume.map(|text| FORM.lines(text, layout, &identity)).transpose()?;
        let earlier = lines.as_ref().map(|lines| Earlier::read(lines, layout));
        let keeper = keep.inspect(|keep| {
            let known = lines.iter().flatten().map(|(_, line)| format!("{line}\n"));
            keep(&(FORM.head(layout, &identity) + &known.collect::<String>()));
        });
        Ok(State { earlier: earlier.transpose()?, keeper })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::{Flags, Room};

    fn layout() -> Layout {
        let args = ["int:0..9", "int"].map(|arg| arg.as_bytes().to_vec()).into();
        let flags = Flags { args, ..Flags::default() };
        flags.program_space(&[], &Room::default()).expect("a space").0.layout()
    }

    #[test]
    fn lines_are_told_apart() {
        let lines =
            [(7, "input 1,ff"), (8, "step all 1,ff 2 9"), (9, "spent 5"), (10, "spent 900")];
        let earlier = Earlier::read(&lines, &layout()).expect("a state");
        assert_eq!(earlier.inputs, [[1, 0xff].into()]);
        assert_eq!((earlier.spent, earlier.partitions), (900, vec![(8, "step all 1,ff 2 9")]));
    }

    #[test]
    fn damaged_lines_are_named() {
        // The last input is not in the space.
        for damaged in ["input 1", "input 1,x", "spent much", "input a,1"] {
            let read = Earlier::read(&[(3, damaged)], &layout());
            assert_eq!(read, Err(StateError::Damaged { line: 3 }), "{damaged}");
        }
    }
}
