//! Describes the differences of two snapshots in terms of the source.

use std::collections::BTreeSet;

use super::compare::{Comparer, Judge, Side, Values};
use super::{Bits, Line, LineKind, LineOrigin, Snapshot, Token};
use crate::harness::{Harness, RETURN, STATIC};
use crate::view::{Part, PartKind};

/// The most differences to describe.
const MOST: usize = 20;
/// The longest part of a string to print.
const LONGEST_STRING: usize = 200;

/// The text for an uninitialised number.
pub const NEVER_WRITTEN: &str = "never written";

/// A place whose content differs between the versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// As an expression of C: `result->name`, `*out`, `counter`.
    pub place: String,
    pub old: String,
    pub new: String,
    /// Whether it is reachable only from static variables.
    pub is_internal: bool,
}

/// Everything that differs, at least the first difference.
pub fn describe(old: Side<'_>, new: Side<'_>, values: &Values) -> Vec<Differing> {
    let mut found = Collector { found: Vec::new(), nan_bits: values.nan_bits };
    let mut comparer = Comparer::default();
    comparer.compare(old, new, values, &mut found);
    // Places that one version never wrote count only if nothing else differs.
    if found.found.is_empty() {
        found.found.extend_from_slice(comparer.unwritten());
    }
    let (Some(old_harness), Some(new_harness)) = (old.harness, new.harness) else {
        return Vec::new();
    };
    let sides = [Teller::new(old_harness, old.snapshot), Teller::new(new_harness, new.snapshot)];
    let mut told = BTreeSet::new();
    let mut all = Vec::new();
    for (lines, at) in found.found {
        let (place, old, new) = tell(&sides, lines, at);
        if told.insert(place.clone()) && all.len() < MOST {
            let is_internal = sides[1].is_internal(lines[1]);
            all.push(Differing { place: spoken(&place), old, new, is_internal });
        }
    }
    all
}

/// Walks to the end and collects the differences.
struct Collector {
    found: Vec<([usize; 2], [usize; 2])>,
    nan_bits: bool,
}

impl Judge for Collector {
    fn numbers(&mut self, lines: [usize; 2], at: [usize; 2], old: &Bits, new: &Bits) -> bool {
        if !old.is_same(new, self.nan_bits) {
            self.found.push((lines, at));
        }
        self.found.len() < 64 * MOST
    }

    fn apart(&mut self, lines: [usize; 2], at: [usize; 2]) -> bool {
        self.found.push((lines, at));
        self.found.len() < 64 * MOST
    }
}

fn tell(sides: &[Teller<'_>; 2], lines: [usize; 2], at: [usize; 2]) -> (String, String, String) {
    let [old, new] = sides;
    let of_lines = [old.line(lines[0]), new.line(lines[1])];
    if of_lines[0].is_freed != of_lines[1].is_freed {
        let state = |line: &Line| if line.is_freed { "freed" } else { "not freed" };
        let name = new.names[lines[1]].clone();
        return (name, state(of_lines[0]).to_owned(), state(of_lines[1]).to_owned());
    }
    // Print a character with the text that it belongs to. Texts that print the same differ after
    // their ends, or far after their beginnings.
    if let (Some(one), Some(two)) = (old.string(lines[0], at[0]), new.string(lines[1], at[1]))
        && one != two
    {
        let name = &new.names[lines[1]];
        let place = name.strip_prefix('*').unwrap_or(name).to_owned();
        return (place, one, two);
    }
    let place = new.place(lines[1], at[1]);
    if let (Some(one), Some(two)) = (old.array(lines[0], at[0]), new.array(lines[1], at[1]))
        && one != two
    {
        let end = place.rfind('[').unwrap_or(place.len());
        return (place[..end].to_owned(), one, two);
    }
    (place, old.value(lines[0], at[0]), new.value(lines[1], at[1]))
}

/// The place in words.
fn spoken(place: &str) -> String {
    let whole = place.replace(STATIC, "");
    let (front, rest) = match whole.strip_prefix('*') {
        Some(rest) => ("*", rest),
        None => ("", whole.as_str()),
    };
    let (front, rest) = match rest.strip_prefix("(*") {
        Some(rest) => ("(*", rest),
        None => (front, rest),
    };
    match rest.strip_prefix(RETURN) {
        Some(rest) if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
            format!("{front}result{rest}")
        }
        _ => whole,
    }
}

/// Describes one version.
struct Teller<'a> {
    harness: &'a Harness,
    snapshot: &'a Snapshot,
    names: Vec<String>,
}

impl<'a> Teller<'a> {
    fn new(harness: &'a Harness, snapshot: &'a Snapshot) -> Teller<'a> {
        Teller { harness, snapshot, names: harness.names(snapshot) }
    }

    fn line(&self, number: usize) -> &'a Line {
        &self.snapshot.lines[number]
    }

    fn place(&self, line: usize, at: usize) -> String {
        let found = self.line(line);
        self.harness.expression(found, &self.names[line], at as u32 - found.first)
    }

    fn is_internal(&self, line: usize) -> bool {
        let mut line = line;
        for _ in 0..self.snapshot.lines.len() {
            let found = self.line(line);
            match found.origin {
                LineOrigin::Reached { line: from, .. } => line = from as usize,
                _ => return found.kind == LineKind::Internal,
            }
        }
        false
    }

    fn part(&self, line: &Line, at: usize) -> Option<&'a Part> {
        line.part(&self.harness.views, at as u32 - line.first)
    }

    /// The text of a line of characters.
    fn string(&self, number: usize, at: usize) -> Option<String> {
        let line = self.line(number);
        let is_text = self.part(line, at)?.kind == PartKind::Character
            && self.harness.views.get(line.view?).parts.len() == 1;
        is_text.then(|| self.characters(line, 0))
    }

    /// The text of an array of characters among the members of a struct.
    fn array(&self, number: usize, at: usize) -> Option<String> {
        let line = self.line(number);
        let part = self.part(line, at).filter(|part| part.kind == PartKind::Character)?;
        let (name, index) = part.name.strip_suffix(']')?.rsplit_once('[')?;
        let first = at.checked_sub(index.parse().ok()?)?;
        let is_member = |at: usize| {
            let part = self.part(line, at).filter(|_| at < (line.first + line.count) as usize);
            part.and_then(|part| part.name.rsplit_once('[')).is_some_and(|(other, _)| other == name)
        };
        let tokens = (first..).take_while(|&at| is_member(at)).map(|at| &self.snapshot.tokens[at]);
        Some(text_of(tokens))
    }

    /// Characters of a line from a token on.
    fn characters(&self, line: &Line, from: usize) -> String {
        text_of(self.snapshot.tokens_of(line).iter().skip(from))
    }

    fn value(&self, number: usize, at: usize) -> String {
        let line = self.line(number);
        let Some(token) = self.snapshot.tokens.get(at) else { return String::new() };
        let text = |number: u32| self.snapshot.texts[number as usize].as_slice();
        match token {
            Token::Bits(bits) => number_of(bits, self.part(line, at).map(|part| part.kind)),
            Token::Null => "NULL".to_owned(),
            Token::Place { line: to, offset } => self.target(*to as usize, *offset),
            Token::Named(name) => format!("&{}", String::from_utf8_lossy(text(*name))),
            Token::Literal(bytes) => {
                quoted(text(*bytes).split(|byte| *byte == 0).next().unwrap_or(&[]))
            }
            Token::Freed => "freed memory".to_owned(),
            Token::Other => "something that is not known".to_owned(),
            Token::Beyond => "memory that is not followed".to_owned(),
            Token::Hidden => "a part of an address".to_owned(),
        }
    }

    fn target(&self, to: usize, offset: i64) -> String {
        let line = self.line(to);
        let is_text = line.view.is_some_and(|view| {
            let parts = &self.harness.views.get(view).parts;
            parts.len() == 1 && parts[0].kind == PartKind::Character
        });
        if let (true, Ok(from)) = (is_text, usize::try_from(offset))
            && !line.is_freed
        {
            return self.characters(line, from);
        }
        let name = spoken(&self.names[to]);
        let place = match name.strip_prefix('*') {
            Some(pointer) => pointer.to_owned(),
            None => format!("&{name}"),
        };
        match offset {
            0 => place,
            _ => format!("{place} + {offset} bytes"),
        }
    }
}

/// A number as C would write it.
fn number_of(bits: &Bits, kind: Option<PartKind>) -> String {
    if !bits.was_written() {
        return NEVER_WRITTEN.to_owned();
    }
    let width = u32::from(bits.bits);
    let signed = || (bits.value as i64) << (64 - width) >> (64 - width);
    match kind {
        Some(PartKind::Float) if width == 32 => format!("{:?}", f32::from_bits(bits.value as u32)),
        Some(PartKind::Float) if width == 64 => format!("{:?}", f64::from_bits(bits.value)),
        Some(PartKind::Signed) if width > 0 => signed().to_string(),
        Some(PartKind::Character) => match bits.value as u8 {
            byte @ b' '..=b'~' => format!("'{}'", char::from(byte)),
            byte => byte.to_string(),
        },
        Some(PartKind::Word) | None => format!("0x{:x}", bits.value),
        _ => bits.value.to_string(),
    }
}

/// The text of characters, up to the first zero or uninitialised one.
fn text_of<'t>(tokens: impl Iterator<Item = &'t Token>) -> String {
    let byte = |token: &Token| match token {
        Token::Bits(bits) if bits.was_written() => Some(bits.value as u8),
        _ => None,
    };
    let bytes: Vec<u8> = tokens.map_while(byte).take_while(|byte| *byte != 0).collect();
    quoted(&bytes)
}

fn quoted(bytes: &[u8]) -> String {
    let shown: String = bytes
        .iter()
        .take(LONGEST_STRING)
        .flat_map(|&byte| byte.escape_ascii())
        .map(char::from)
        .collect();
    let more = if bytes.len() > LONGEST_STRING { "…" } else { "" };
    format!("\"{shown}\"{more}")
}
