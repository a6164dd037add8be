//! The space that tests suggest: numbers where all tests have numbers, else texts of up to twice
//! the longest length.
//!
//! Every test is in the space that is inferred from it, except that a file which only some tests
//! have is always there.

use crate::layout::decimal;
use crate::parse::MOST_BYTES;
use crate::{Alphabet, Atom, Length, Space, Test};

pub fn infer(tests: &[Test]) -> Space {
    let counts = tests.iter().map(|test| test.input.args.len());
    let most = counts.clone().max().unwrap_or(0);
    let args = (0..most).map(|index| {
        let texts = tests.iter().filter_map(|test| test.input.args.get(index));
        argument(&texts.map(Vec::as_slice).collect::<Vec<_>>())
    });
    let stdin: Vec<&[u8]> = tests.iter().map(|test| test.input.stdin.as_slice()).collect();
    let given = stdin.iter().any(|text| !text.is_empty());
    Space {
        args: args.collect(),
        args_min: counts.min().unwrap_or(0),
        stdin: given.then(|| stream(&stdin)),
        files: files(tests),
        ..Space::default()
    }
}

fn files(tests: &[Test]) -> Vec<(String, Atom)> {
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
        stream(&texts)
    };
    names.into_iter().map(|name| (name.clone(), atom(name))).collect()
}

fn argument(texts: &[&[u8]]) -> Atom {
    all_decimal(texts).unwrap_or_else(|| Atom::bytes(Alphabet::NoNul, twice(texts)))
}

/// Numbers alone, or one to a line, or else bytes.
fn stream(texts: &[&[u8]]) -> Atom {
    if let Some(int) = all_decimal(texts) {
        return int;
    }
    number_lines(texts).unwrap_or_else(|| {
        let zero = texts.iter().any(|text| text.contains(&0));
        Atom::bytes(if zero { Alphabet::Any } else { Alphabet::NoNul }, twice(texts))
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
    Some(Atom::Lines { count: Length::UpTo(doubled(most)), line })
}

fn twice(texts: &[&[u8]]) -> Length {
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    Length::UpTo(doubled(longest))
}

/// Twice as much, but not more than an atom may have unless the test itself has it.
fn doubled(length: usize) -> u32 {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    length.saturating_mul(2).clamp(1, MOST_BYTES.max(length))
}
