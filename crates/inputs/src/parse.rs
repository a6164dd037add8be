//! Parses atoms as written on the command line. Values are bytes and need not be UTF-8.

use crate::error::{Error, FlagProblem};
use crate::{Alphabet, Atom, Length};

/// The most arguments that a user may declare.
pub const MOST_ARGUMENTS: usize = 1024;
/// The most bytes or lines that an atom may have.
pub const MOST_BYTES: u32 = 1 << 16;

const ARGUMENT_FORMS: &str = "int, int:LOW..HIGH, str:N, text:N, bytes:N, choice:A,B,… or =TEXT";
const STREAM_FORMS: &str =
    "bytes:N, text:N, str:N, lines:NxM, int, int:LOW..HIGH, choice:A,B,… or =TEXT";
const PARAM_FORMS: &str =
    "int, int:LOW..HIGH, buf:N, str:N, text:N, choice:A,B,…, same:NAME, null or =VALUE";
const GLOBAL_FORMS: &str = "int, int:LOW..HIGH, buf:N, str:N, text:N, choice:A,B,…, null or =VALUE";
const FILE_FLAG: &str = "--file NAME=bytes:32";
const PARAM_FLAG: &str = "--param NAME=int:0..8";

/// What the user says about one parameter, member or global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// `n`, `p.length`, `p[]`; members behind pointers are written with a dot.
    pub path: String,
    /// The whole flag, for messages.
    pub flag: String,
    /// `None` for a global variable given only by its name.
    pub how: Option<How>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Any value of the type.
    AnyInt,
    Int {
        low: i64,
        high: i64,
    },
    /// Numbers or names of enumerators.
    Choice(Vec<Vec<u8>>),
    /// A pointer to this many elements, or possibly null.
    Buffer {
        count: u32,
        nullable: bool,
    },
    /// A pointer to a zero-terminated string, or possibly null.
    Text {
        length: Length,
        alphabet: Alphabet,
        nullable: bool,
    },
    Literal(Vec<u8>),
    Null,
    /// The same pointer as another parameter.
    Same(String),
}

/// An atom of `--arg`.
pub fn argument(text: &[u8]) -> Result<Atom, Error> {
    let parsed = atom(text, ARGUMENT_FORMS).and_then(|atom| match &atom {
        Atom::Lines { .. } => Err(FlagProblem::LinesAsArgument),
        Atom::Literal(bytes) if bytes.contains(&0) => Err(FlagProblem::ZeroByte),
        Atom::Choice(texts) if texts.iter().any(|text| text.contains(&0)) => {
            Err(FlagProblem::ZeroByte)
        }
        _ => Ok(atom),
    });
    parsed.map_err(|problem| wrong("--arg", text, problem))
}

/// An atom of `--stdin`.
pub fn stdin(text: &[u8]) -> Result<Atom, Error> {
    atom(text, STREAM_FORMS).map_err(|problem| wrong("--stdin", text, problem))
}

/// Name and atom of `--file`.
pub fn file(text: &[u8]) -> Result<(String, Atom), Error> {
    file_parts(text).map_err(|problem| wrong("--file", text, problem))
}

fn file_parts(text: &[u8]) -> Result<(String, Atom), FlagProblem> {
    let (name, rest) = named(text, FILE_FLAG)?;
    let name = String::from_utf8(name.to_vec()).map_err(|_| FlagProblem::NameNotText)?;
    if !stays_inside(&name) {
        return Err(FlagProblem::NameOutside);
    }
    Ok((name, atom(rest, STREAM_FORMS)?))
}

/// Whether a file of this name is below the directory that it is relative to.
pub(crate) fn stays_inside(name: &str) -> bool {
    use std::path::{Component, Path};
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_file = !name.ends_with('/') && !name.ends_with("/.") && name != ".";
    is_file && !name.is_empty() && !name.contains('\0') && Path::new(name).components().all(inside)
}

/// Whether a name stays in the directory that is this many directories above.
pub(crate) fn stays_below(name: &str, depth: usize) -> bool {
    let mut rest = name;
    for _ in 0..depth {
        let Some(shorter) = rest.strip_prefix("../") else { break };
        rest = shorter;
    }
    stays_inside(rest)
}

/// `--param PATH=FORM`.
pub fn param(text: &[u8]) -> Result<Override, Error> {
    let parsed = named(text, PARAM_FLAG).and_then(|(path, form)| Ok((path, how(form)?)));
    let (path, how) = parsed.map_err(|problem| wrong("--param", text, problem))?;
    Ok(Override { path: plain_path(path), flag: flag("--param", text), how: Some(how) })
}

/// `--global NAME` or `--global PATH=FORM`.
pub fn global(text: &[u8]) -> Result<Override, Error> {
    let (path, how) = if text.contains(&b'=') {
        let parsed = named(text, "--global NAME=int:0..8");
        let parsed = parsed.and_then(|(path, form)| match how(form) {
            Ok(How::Same(_)) | Err(FlagProblem::UnknownForm { .. }) => {
                let (found, allowed) = (shown(form), GLOBAL_FORMS);
                Err(FlagProblem::UnknownForm { found, allowed })
            }
            how => Ok((path, how?)),
        });
        let (path, how) = parsed.map_err(|problem| wrong("--global", text, problem))?;
        (path, Some(how))
    } else if text.is_empty() {
        let form = "--global NAME";
        return Err(wrong("--global", text, FlagProblem::NoName { form }));
    } else {
        (text, None)
    };
    Ok(Override { path: plain_path(path), flag: flag("--global", text), how })
}

fn plain_path(path: &[u8]) -> String {
    String::from_utf8_lossy(path).replace("->", ".")
}

fn flag(name: &str, text: &[u8]) -> String {
    format!("{name} {}", String::from_utf8_lossy(text))
}

fn wrong(name: &str, text: &[u8], problem: FlagProblem) -> Error {
    Error::Flag { flag: flag(name, text), problem }
}

/// Both sides of the first `=`.
fn named<'t>(text: &'t [u8], form: &'static str) -> Result<(&'t [u8], &'t [u8]), FlagProblem> {
    let at = text.iter().position(|&byte| byte == b'=').ok_or(FlagProblem::NoEquals { form })?;
    match at {
        0 => Err(FlagProblem::NoName { form }),
        _ => Ok((&text[..at], &text[at + 1..])),
    }
}

fn atom(text: &[u8], allowed: &'static str) -> Result<Atom, FlagProblem> {
    if let Some(literal) = text.strip_prefix(b"=") {
        return Ok(Atom::Literal(literal.to_vec()));
    }
    let (form, rest) = form_of(text);
    match (form, rest) {
        (b"int", None) => Ok(Atom::INT),
        (b"int", Some(rest)) => range(rest).map(|(low, high)| Atom::Int { low, high }),
        (b"str", Some(rest)) => Ok(Atom::bytes(Alphabet::NoNul, length(rest)?)),
        (b"text", Some(rest)) => Ok(Atom::bytes(Alphabet::Printable, length(rest)?)),
        (b"bytes", Some(rest)) => Ok(Atom::bytes(Alphabet::Any, length(rest)?)),
        (b"choice", Some(rest)) => choice(rest).map(Atom::Choice),
        (b"lines", Some(rest)) => lines(rest),
        _ => Err(FlagProblem::UnknownForm { found: shown(text), allowed }),
    }
}

fn how(text: &[u8]) -> Result<How, FlagProblem> {
    if let Some(literal) = text.strip_prefix(b"=") {
        return Ok(How::Literal(literal.to_vec()));
    }
    let (form, rest) = form_of(text);
    // A question mark at the end allows a null pointer.
    let stripped = rest.and_then(|rest| rest.strip_suffix(b"?"));
    let (bare, nullable) = (stripped.or(rest), stripped.is_some());
    let text_of = |alphabet, rest| Ok(How::Text { length: length(rest)?, alphabet, nullable });
    match (form, rest, bare) {
        (b"int", None, _) => Ok(How::AnyInt),
        (b"null", None, _) => Ok(How::Null),
        (b"same", Some(rest), _) if !rest.is_empty() => Ok(How::Same(shown(rest))),
        (b"int", Some(rest), _) => range(rest).map(|(low, high)| How::Int { low, high }),
        (b"choice", Some(rest), _) => choice(rest).map(How::Choice),
        (b"str", _, Some(rest)) => text_of(Alphabet::NoNul, rest),
        (b"text", _, Some(rest)) => text_of(Alphabet::Printable, rest),
        (b"buf", _, Some(rest)) => Ok(How::Buffer { count: count(rest)?, nullable }),
        _ => Err(FlagProblem::UnknownForm { found: shown(text), allowed: PARAM_FORMS }),
    }
}

/// The text before and after the first colon.
fn form_of(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|&byte| byte == b':') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

fn range(text: &[u8]) -> Result<(i64, i64), FlagProblem> {
    let shown = shown(text);
    let bound = |text: &str| {
        text.parse::<i64>().map_err(|_| FlagProblem::BadBound { found: text.to_owned() })
    };
    let Some((low, high)) = shown.split_once("..") else {
        return Err(FlagProblem::NoRange { found: shown });
    };
    let (low, high) = (bound(low)?, bound(high)?);
    if low > high {
        return Err(FlagProblem::EmptyRange);
    }
    Ok((low, high))
}

fn length(text: &[u8]) -> Result<Length, FlagProblem> {
    let wrong = || FlagProblem::BadLength { found: shown(text), most: MOST_BYTES };
    match text.strip_prefix(b"=") {
        Some(rest) => natural(rest).map(Length::Exactly),
        None => natural(text).map(Length::UpTo),
    }
    .ok_or_else(wrong)
}

fn count(text: &[u8]) -> Result<u32, FlagProblem> {
    let wrong = || FlagProblem::BadCount { found: shown(text), most: MOST_BYTES };
    natural(text).filter(|&count| count > 0).ok_or_else(wrong)
}

fn natural(text: &[u8]) -> Option<u32> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let number = digits.then(|| std::str::from_utf8(text).ok()?.parse::<u32>().ok())??;
    (number <= MOST_BYTES).then_some(number)
}

fn choice(text: &[u8]) -> Result<Vec<Vec<u8>>, FlagProblem> {
    if text.is_empty() {
        return Err(FlagProblem::EmptyChoice);
    }
    let texts: Vec<Vec<u8>> = text.split(|&byte| byte == b',').map(<[u8]>::to_vec).collect();
    let mut sorted: Vec<&Vec<u8>> = texts.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(FlagProblem::Repeated { found: shown(pair[0]) }),
        None => Ok(texts),
    }
}

/// `3x8`, `=3x8`, `3xint:0..9`: a length alone means that many printable bytes.
fn lines(text: &[u8]) -> Result<Atom, FlagProblem> {
    let bad = || FlagProblem::BadLines { found: shown(text) };
    let at = text.iter().position(|&byte| byte == b'x').ok_or_else(bad)?;
    let count = length(&text[..at]).map_err(|_| bad())?;
    let rest = &text[at + 1..];
    let line = match length(rest) {
        Ok(length) => Atom::bytes(Alphabet::Printable, length),
        // A length that is too large is reported as such, not as an unknown form.
        Err(problem) if rest.iter().all(u8::is_ascii_digit) => return Err(problem),
        Err(_) => atom(rest, "a length or one of the forms of an argument")?,
    };
    match &line {
        Atom::Lines { .. } => return Err(FlagProblem::NestedLines),
        Atom::Literal(bytes) if bytes.contains(&b'\n') => return Err(FlagProblem::NewlineInLine),
        Atom::Choice(texts) if texts.iter().any(|text| text.contains(&b'\n')) => {
            return Err(FlagProblem::NewlineInLine);
        }
        _ => {}
    }
    let each = match &line {
        Atom::Bytes { length, .. } => length.max().max(1),
        _ => 1,
    };
    match count.max().checked_mul(each) {
        Some(all) if all <= MOST_BYTES => Ok(Atom::Lines { count, line: Box::new(line) }),
        _ => Err(FlagProblem::BadLength { found: shown(text), most: MOST_BYTES }),
    }
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
