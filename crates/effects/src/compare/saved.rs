//! What a comparison saves while it searches, and what is read of it when it is taken up.
//!
//! Lines behind the head: inputs to try first, how much work was done, and the state of the
//! strategy `partitions`, in the order in which they came about.

use explore::pair::{INPUT, Keeper};
use explore::saved::{Form, Identity, StateError, read_input};
use inputs::Layout;

use super::{Options, Request, Saving};
use crate::identity::{math_library, options, release, version};
use crate::versions::Versions;

/// The state of a comparison.
const FORM: Form = Form { mark: "ripple comparison 1", of: "a comparison" };

/// What a line with the work that was done begins with.
const SPENT: &str = "spent";

/// The first line of every state, as far as it is the same for all releases.
pub const STATE_MARK: &str = "ripple comparison ";

/// What an earlier search of the same versions came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Earlier<'t> {
    /// Inputs that are worth being tried first.
    pub inputs: Vec<Box<[u64]>>,
    /// Work that was done.
    pub spent: u64,
    /// What the strategy `partitions` left, by line.
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

/// A line that says how much work was done.
pub(super) fn spent(work: u64) -> String {
    format!("{SPENT} {work}\n")
}

/// A state that begins, or is taken up.
pub(super) struct State<'a> {
    pub earlier: Option<Earlier<'a>>,
    /// Has been given the beginning.
    pub keeper: Option<Keeper<'a>>,
}

impl<'a> State<'a> {
    /// Nothing if nobody keeps anything. Refuses a state that is not one of this comparison.
    pub fn begin(
        saving: Saving<'a>,
        request: &Request<'_>,
        versions: &Versions,
        layout: &Layout,
    ) -> Result<State<'a>, StateError> {
        let Saving { resume, keep } = saving;
        if resume.is_none() && keep.is_none() {
            return Ok(State { earlier: None, keeper: None });
        }
        let identity = identity(request, versions);
        let lines = resume.map(|text| FORM.lines(text, layout, &identity)).transpose()?;
        let earlier = lines.as_ref().map(|lines| Earlier::read(lines, layout));
        let keeper = keep.inspect(|keep| {
            let known = lines.iter().flatten().map(|(_, line)| format!("{line}\n"));
            keep(&(FORM.head(layout, &identity) + &known.collect::<String>()));
        });
        Ok(State { earlier: earlier.transpose()?, keeper })
    }
}

fn identity(request: &Request<'_>, versions: &Versions) -> Identity {
    let Options { strategy, limits, observe, .. } = &request.options;
    let Versions { old, new, .. } = versions;
    let mut identity = vec![version("OLD", &old.module), version("NEW", &new.module)];
    identity.extend(options(request.entry, observe, limits));
    // Whether slices shape partitions hangs on it.
    identity.push(("strategy (--strategy)".to_owned(), strategy.name().to_owned()));
    identity.extend(math_library([&old.module, &new.module]));
    identity.push(release());
    identity
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::Flags;

    fn layout() -> Layout {
        let args = ["int:0..9", "int"].map(|arg| arg.as_bytes().to_vec()).into();
        let flags = Flags { args, ..Flags::default() };
        flags.program_space(&[]).expect("a space").0.layout()
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
