//! The space that tests suggest, with room for inputs unlike any test: numbers where all tests have
//! numbers, else texts of up to a few times the longest length, and longer than the arrays of the
//! programs; any number of arguments up to one more; files that may be missing if some tests do
//! without them.
//!
//! Every test is in the space inferred from it.

use crate::layout::decimal;
use crate::parse::{MOST_ARGUMENTS, MOST_BYTES};
use crate::{Alphabet, Atom, Length, Room, Space, Test};

/// A text may be this many times as long as in the longest test.
const TIMES: usize = 4;
/// An argument, and standard input or a file, must be able to exceed arrays up to this size.
const ARGUMENT_ARRAY: u32 = 256;
const STREAM_ARRAY: u32 = 1024;
/// Bytes of an argument if no test has one.
const FIRST_ARGUMENT: u32 = 8;

pub fn infer(tests: &[Test], room: &Room) -> Space {
    let counts = tests.iter().map(|test| test.input.args.len());
    let (least, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    let args = (0..most).map(|index| {
        let texts = tests.iter().filter_map(|test| test.input.args.get(index));
        argument(&texts.map(Vec::as_slice).collect::<Vec<_>>(), room)
    });
    let mut args: Vec<Atom> = args.collect();
    if room.takes_arguments && most < MOST_ARGUMENTS {
        let first = || Atom::bytes(Alphabet::NoNul, Length::UpTo(FIRST_ARGUMENT));
        args.push(args.last().cloned().unwrap_or_else(first));
    }
    let stdin: Vec<&[u8]> = tests.iter().map(|test| test.input.stdin.as_slice()).collect();
    let given = stdin.iter().any(|text| !text.is_empty());
    let files = files(tests, room);
    let has = |test: &Test, name: &String| test.input.files.iter().any(|(own, _)| own == name);
    let is_missing = |name: &&String| !tests.iter().all(|test| has(test, name));
    Space {
        args,
        args_min: if room.takes_arguments { 0 } else { least },
        stdin: given.then(|| stream(&stdin, room)),
        missing: files.iter().map(|(name, _)| name).filter(is_missing).cloned().collect(),
        files,
        ..Space::default()
    }
}

fn files(tests: &[Test], room: &Room) -> Vec<(String, Atom)> {
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in tests.iter().flat_map(|test| &test.input.files) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let atom = |name: &String| {
        let files = tests.iter().flat_map(|test| &test.input.files);
        let texts: Vec<&[u8]> =
            files.filter(|(other, _)| other == name).map(|(_, text)| text.as_slice()).collect();
        stream(&texts, room)
    };
    names.into_iter().map(|name| (name.clone(), atom(name))).collect()
}

fn argument(texts: &[&[u8]], room: &Room) -> Atom {
    let length = || length(texts, room.beyond_arrays(ARGUMENT_ARRAY));
    all_decimal(texts).unwrap_or_else(|| Atom::bytes(Alphabet::NoNul, length()))
}

/// Numbers alone, or one per line, or else bytes.
fn stream(texts: &[&[u8]], room: &Room) -> Atom {
    if let Some(int) = all_decimal(texts) {
        return int;
    }
    number_lines(texts).unwrap_or_else(|| {
        let zero = texts.iter().any(|text| text.contains(&0));
        let length = length(texts, room.beyond_arrays(STREAM_ARRAY));
        Atom::bytes(if zero { Alphabet::Any } else { Alphabet::NoNul }, length)
    })
}

/// `int` if every text is a decimal number; wider if one of them needs it.
fn all_decimal(texts: &[&[u8]]) -> Option<Atom> {
    let numbers: Vec<i64> = texts.iter().map(|text| decimal(text)).collect::<Option<_>>()?;
    let narrow = numbers.iter().all(|&number| i32::try_from(number).is_ok());
    Some(if narrow { Atom::INT } else { Atom::Int { low: i64::MIN, high: i64::MAX } })
}

fn number_lines(texts: &[&[u8]]) -> Option<Atom> {
    let mut lines: Vec<&[u8]> = Vec::new();
    let mut most = 0;
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let before = lines.len();
        lines.extend(text.strip_suffix(b"\n")?.split(|&byte| byte == b'\n'));
        most = most.max(lines.len() - before);
    }
    let line = Box::new(all_decimal(&lines)?);
    Some(Atom::Lines { count: Length::UpTo(times(most)), line })
}

fn length(texts: &[&[u8]], at_least: u32) -> Length {
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    Length::UpTo(times(longest).max(at_least))
}

/// A few times the length, but not more than an atom may have, unless the test itself has more.
fn times(length: usize) -> u32 {
    let most = u32::try_from(length).unwrap_or(u32::MAX).max(MOST_BYTES);
    u32::try_from(length.saturating_mul(TIMES)).unwrap_or(u32::MAX).clamp(1, most)
}
