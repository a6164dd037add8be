//! An input space that was not declared, in words: what a verdict over it covers.

use inputs::{Atom, Form, Length, Origin, Param, Pointer, Space};

use crate::counting::{counted, listed};
use crate::printable::printable;

/// What a claim about all inputs holds for, as a prefix: empty if users declared it.
pub(crate) fn proviso(origin: Origin, chosen: &Space) -> String {
    match origin {
        Origin::Declared => String::new(),
        Origin::InferredFromTests => format!("for {}, inferred from your tests: ", inputs(chosen)),
        Origin::Options | Origin::Unspecified => {
            format!("for {}, which were not declared: ", inputs(chosen))
        }
        Origin::Types => {
            let names: Vec<String> = chosen.params.iter().map(sized).collect();
            let names = listed(&names);
            format!("for memory of default size behind {names}, which was not declared: ")
        }
    }
}

/// What a claim excludes if NEW was compiled with positions of OLD, as a prefix.
pub(crate) fn apart(positions_moved: bool) -> &'static str {
    if positions_moved { "apart from line numbers and other positions, " } else { "" }
}

/// The name of the space in a claim about all inputs.
pub(crate) fn space(origin: Origin) -> &'static str {
    match origin {
        Origin::Declared => " of the declared space",
        Origin::InferredFromTests | Origin::Options | Origin::Unspecified | Origin::Types => {
            " of this space"
        }
    }
}

fn sized(param: &Param) -> String {
    match &param.shape.form {
        Form::Pointer(Pointer::Buffer(buffer)) => {
            format!("{} ({})", param.name, counted(buffer.target.size, "byte", "bytes"))
        }
        _ => param.name.clone(),
    }
}

/// The options that the code tells.
pub(crate) fn options(space: &Space) -> String {
    let words: Vec<_> = space.options.iter().map(|word| String::from_utf8_lossy(word)).collect();
    listed(&words)
}

/// What varies.
pub(crate) fn inputs(space: &Space) -> String {
    let mut parts = vec![arguments(space)];
    if let Some(stdin) = &space.stdin {
        parts.push(format!("{} of standard input", stream(stdin)));
    }
    for (name, content) in &space.files {
        let is_optional = space.missing.contains(name);
        let name = printable(name.as_bytes());
        let which = if is_optional { "perhaps a file" } else { "a file" };
        parts.push(format!("{which} {name} with {}", stream(content)));
    }
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn arguments(space: &Space) -> String {
    let most = space.args.len();
    if most == 0 {
        return "no arguments".to_owned();
    }
    let noun = if most == 1 { "argument" } else { "arguments" };
    let kind = kind(&space.args);
    let noun = match &kind {
        Some(kind) if kind == "integer" => format!("integer {noun}"),
        Some(kind) => format!("{noun} of {kind}"),
        None => {
            let kinds: Vec<String> = space.args.iter().map(argument).collect();
            format!("{noun} ({})", kinds.join(", "))
        }
    };
    if space.args_min == most {
        format!("exactly {} {noun}", number(most))
    } else {
        format!("{} to {most} {noun}", space.args_min)
    }
}

/// The kind of all arguments, if it is the same.
fn kind(args: &[Atom]) -> Option<String> {
    let (first, rest) = args.split_first()?;
    let kind = argument(first);
    rest.iter().all(|other| argument(other) == kind).then_some(kind)
}

fn argument(atom: &Atom) -> String {
    match atom {
        Atom::Int { .. } => "integer".to_owned(),
        other => stream(other),
    }
}

fn stream(atom: &Atom) -> String {
    match atom {
        Atom::Literal(_) => "a fixed text".to_owned(),
        Atom::Choice(texts) => counted(texts.len() as u64, "fixed text", "fixed texts"),
        Atom::Int { .. } => "an integer".to_owned(),
        Atom::Bytes { length, .. } => length_of(*length, "byte", "bytes"),
        Atom::Lines { count, line } if matches!(**line, Atom::Int { .. }) => {
            length_of(*count, "line with an integer", "lines with an integer")
        }
        Atom::Lines { count, .. } => length_of(*count, "line", "lines"),
    }
}

fn length_of(length: Length, one: &str, many: &str) -> String {
    match length {
        Length::UpTo(most) => format!("up to {}", counted(u64::from(most), one, many)),
        Length::Exactly(count) => counted(u64::from(count), one, many),
    }
}

/// Small numbers as words.
fn number(count: usize) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(count).map_or_else(|| count.to_string(), |&word| word.to_owned())
}
