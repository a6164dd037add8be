//! Errors in declared inputs and tests. Every message is one sentence for the user.

use std::path::PathBuf;

use thiserror::Error;

/// The user's declarations or tests are wrong, or a type is not supported.
#[derive(Debug, Error)]
pub enum Error {
    /// A flag that does not declare what varies.
    #[error("`{flag}`: {problem}")]
    Flag { flag: String, problem: FlagProblem },
    #[error("--args-max {max} is less than the {declared} arguments declared with --arg")]
    TooFewArguments { max: usize, declared: usize },
    #[error("--args-max must be between 1 and {most}")]
    ArgumentCount { most: usize },
    #[error("the program defines no function `{name}`{}", did_you_mean(nearest))]
    NoSuchFunction { name: String, nearest: Vec<String> },
    #[error(
        "several files define a static function `{name}`; write one of {}",
        names.join(", ")
    )]
    AmbiguousFunction { name: String, names: Vec<String> },
    #[error("the body of the function `{function}` could not be read: {reason}")]
    UnreadableFunction { function: String, reason: String },
    #[error("`main` cannot be the entry: its arguments are declared with --arg")]
    EntryIsMain,
    #[error("nothing is known about the types of `{function}`; compile with -g")]
    NoDebugTypes { function: String },
    #[error("the function `{function}` takes a varying number of arguments, which no entry can")]
    Variadic { function: String },
    #[error("the function `{function}` has no parameter `{name}`{}", did_you_mean(nearest))]
    NoSuchParam { function: String, name: String, nearest: Vec<String> },
    #[error("the program has no global variable `{name}`{}", did_you_mean(nearest))]
    NoSuchGlobal { name: String, nearest: Vec<String> },
    #[error("the global variable `{name}` is constant")]
    ConstantGlobal { name: String },
    #[error("nothing is known about the type of the global variable `{name}`; compile with -g")]
    NoGlobalType { name: String },
    /// A type whose values Ripple cannot generate.
    #[error("`{place}` has the type `{ty}`, which is not supported: {why}")]
    UnsupportedType { place: String, ty: String, why: &'static str },
    #[error("`{place}` has the type `{ty}`; {problem}")]
    Unfit { place: String, ty: String, problem: String },
    #[error("`{place}` has more than {most} unknown values; make its buffers smaller")]
    TooManyCells { place: String, most: usize },
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("{}:{line}: {problem}", path.display())]
    Test { path: PathBuf, line: usize, problem: TestProblem },
    #[error("{}: there are no tests in it", path.display())]
    NoTests { path: PathBuf },
    #[error("{}: {cause}", path.display())]
    Corpus { path: PathBuf, cause: &'static str },
    #[error("this is not a .ktest file: {0}")]
    Ktest(&'static str),
}

/// What is wrong with one flag.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FlagProblem {
    #[error("there is no form `{found}`; write {allowed}")]
    UnknownForm { found: String, allowed: &'static str },
    #[error("`{found}` is not a length; write a number up to {most}, after = for exactly as many")]
    BadLength { found: String, most: u32 },
    #[error("`{found}` is not a number of elements; write a number from 1 to {most}")]
    BadCount { found: String, most: u32 },
    #[error("`{found}` is not a range; write int:LOW..HIGH")]
    NoRange { found: String },
    #[error("`{found}` is not a whole number of 64 bits; write int:LOW..HIGH")]
    BadBound { found: String },
    #[error("the range is empty; write the smaller bound first")]
    EmptyRange,
    #[error("there is nothing to choose from; write choice:A,B,…")]
    EmptyChoice,
    #[error("`{found}` is given twice")]
    Repeated { found: String },
    #[error("`{found}` is no number of lines and length of a line; write lines:3x8 or lines:3xint")]
    BadLines { found: String },
    #[error("lines cannot be an argument; use --stdin or --file")]
    LinesAsArgument,
    #[error("a line cannot hold lines")]
    NestedLines,
    #[error("the text has a zero byte, which no argument can hold")]
    ZeroByte,
    #[error("the text has a newline, which no line can hold")]
    NewlineInLine,
    #[error("there is no `=`; write {form}")]
    NoEquals { form: &'static str },
    #[error("there is no name before the `=`; write {form}")]
    NoName { form: &'static str },
    #[error("the name of a file must be UTF-8")]
    NameNotText,
    #[error("the name of a file must be relative and without `..`")]
    NameOutside,
    #[error("`{name}` is declared twice")]
    NameTwice { name: String },
}

/// What is wrong with one test.
#[derive(Debug, Error)]
pub enum TestProblem {
    #[error("this is not JSON: {0}")]
    NotJson(String),
    #[error("a test is a JSON object, like {{\"args\": [\"1\", \"2\"]}}")]
    NotAnObject,
    #[error("there is no key `{key}` in a test{}", did_you_mean(nearest))]
    UnknownKey { key: String, nearest: Vec<String> },
    #[error("the key `{key}` is given twice")]
    KeyTwice { key: String },
    #[error("`{key}` must be {wanted}")]
    WrongType { key: String, wanted: &'static str },
    #[error("`{key}` is not base64: {cause}")]
    NotBase64 { key: String, cause: String },
    #[error("`{key}` must be bits in hexadecimal, like {{\"bits\": \"0x7ff8\"}}")]
    NotBits { key: String },
    #[error("`{key}` must be a place in other memory, like {{\"pointer\": \"s+3\"}}")]
    NotPointer { key: String },
    #[error("an argument has a zero byte, which no argument can hold")]
    ZeroByte,
    #[error("`stdin` and `stdin_file` exclude each other")]
    TwoInputs,
    #[error("the name of the file `{name}` must be relative and without `..`")]
    NameOutside { name: String },
    #[error("the mode of `{name}` must be permission bits in octal, like \"0444\"")]
    NotMode { name: String },
    #[error("`expect` needs `status`, or the number of a `signal`")]
    NoEnding,
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("the quote {quote} is not closed")]
    OpenQuote { quote: char },
    #[error("there is nothing behind the backslash at the end of the line")]
    LoneBackslash,
    #[error("`{found}` means something to a shell; quote it to mean itself")]
    Shell { found: char },
    #[error("there is no file name behind `<`")]
    NoFileName,
    #[error("standard input is given twice")]
    InputTwice,
}

pub(crate) fn did_you_mean(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", quoted.join(" or "))
    }
}

/// The candidates most similar to a name, at most three, the best first.
pub fn nearest_names<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let most = (name.chars().count() / 3).max(1);
    let distance = |other: &str| {
        if other.eq_ignore_ascii_case(name) { 0 } else { strsim::damerau_levenshtein(name, other) }
    };
    let scored = candidates.into_iter().map(|other| (distance(other), other));
    let mut near: Vec<(usize, &str)> = scored.filter(|(distance, _)| *distance <= most).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}
