//! The text form of snapshots, which native harnesses write.
//!
//! One line of text per line: its name, then its tokens. A number is its bits in hexadecimal with
//! leading zeros, with dots for digits that were never written, and with `nan:` before it for a
//! NaN. A pointer is `null`, `&NAME+OFFSET` for a place in a line, `&NAME` for a function or a
//! standard stream, a text in quotes if it is read-only, `freed`, `other`, or `beyond` if it is not
//! followed; bytes of an address where no pointer is expected are `hidden`. A line with the single
//! word `freed` is a freed object. Reachable objects follow the line `reached:`, and `leaks`
//! precedes the number of unreachable heap blocks, if there are any.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Bits, Line, LineKind, LineOrigin, Snapshot, Token, digits};
use crate::harness::{Harness, LONGEST_NAME, RETURN, STATIC};
use crate::view::{PartKind, RAW, ViewId};

/// The line before the reachable objects.
const REACHED: &str = "reached:";
const LEAKS: &str = "leaks";

impl Harness {
    /// What the native harness writes for this snapshot.
    pub fn text_of(&self, snapshot: &Snapshot) -> String {
        let names = self.all_names(snapshot, true);
        let mut text = String::new();
        let mut has_reached = false;
        for (number, line) in snapshot.lines.iter().enumerate() {
            if line.kind == LineKind::Reached && !has_reached {
                text.push_str(REACHED);
                text.push('\n');
                has_reached = true;
            }
            text.push_str(&names[number]);
            if line.is_freed {
                text.push_str(" freed");
            }
            for token in snapshot.tokens_of(line) {
                text.push(' ');
                print(&mut text, token, snapshot, &names);
            }
            text.push('\n');
        }
        if snapshot.leaks > 0 {
            let _ = writeln!(text, "{LEAKS} {:x}", snapshot.leaks);
        }
        text
    }

    /// Parses the text that this harness wrote, with the types that it used to read memory.
    pub fn parse(&self, text: &str) -> Snapshot {
        let mut snapshot = Snapshot::parse(text);
        for (root, line) in self.roots.iter().zip(&mut snapshot.lines) {
            line.view = Some(root.view);
            line.elements = self.views.get(root.view).elements(root.size) as u32;
        }
        for number in 0..snapshot.lines.len() {
            let line = snapshot.lines[number];
            for index in 0..line.count {
                let token = snapshot.tokens[(line.first + index) as usize];
                let Token::Place { line: to, offset } = token else { continue };
                let reached = snapshot.lines[to as usize];
                if reached.kind != LineKind::Reached || reached.view.is_some() {
                    continue;
                }
                let view = self.reached_view(&line, index, offset, &reached);
                let parts = self.views.get(view).parts.len().max(1) as u32;
                let elements = match self.views.get(view).tail {
                    Some(_) => u32::from(reached.count >= parts),
                    None => reached.count / parts,
                };
                let reached = &mut snapshot.lines[to as usize];
                (reached.view, reached.elements) = (Some(view), elements);
            }
        }
        snapshot
    }

    /// How to read an object first found at a token of a line.
    fn reached_view(&self, from: &Line, token: u32, offset: i64, reached: &Line) -> ViewId {
        let Some(wanted) = from.view.and_then(|view| self.target_of(view, from.elements, token))
        else {
            return RAW;
        };
        let view = self.views.get(wanted);
        let is_whole = (reached.count as usize).is_multiple_of(view.parts.len().max(1));
        let is_aligned = (offset as u64).is_multiple_of(view.size) && is_whole;
        if offset == 0 || view.tail.is_none() && is_aligned { wanted } else { RAW }
    }

    /// How to read memory behind a pointer among the parts of a view.
    fn target_of(&self, view: ViewId, elements: u32, token: u32) -> Option<ViewId> {
        let part = self.views.part(view, elements, token)?;
        match part.kind {
            PartKind::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// The names of all lines, for people.
    pub fn names(&self, snapshot: &Snapshot) -> Vec<String> {
        self.all_names(snapshot, false)
    }

    /// The same; if names must be unique, an object that replaced another one gets a number.
    fn all_names(&self, snapshot: &Snapshot, unique: bool) -> Vec<String> {
        let mut names: Vec<String> = Vec::with_capacity(snapshot.lines.len());
        let mut known: BTreeSet<String> = BTreeSet::new();
        for (number, line) in snapshot.lines.iter().enumerate() {
            let name = match line.origin {
                LineOrigin::Root(root) => self.roots[root as usize].name.clone(),
                LineOrigin::Named(text) => {
                    String::from_utf8_lossy(&snapshot.texts[text as usize]).into_owned()
                }
                LineOrigin::Reached { line, token } => {
                    let from = &snapshot.lines[line as usize];
                    format!("*{}", self.expression(from, &names[line as usize], token))
                }
            };
            let is_taken = unique && !known.insert(name.clone());
            names.push(if is_taken || name.len() > LONGEST_NAME {
                format!("#{number}")
            } else {
                name
            });
        }
        names
    }

    /// The C expression for a token of a line.
    pub(super) fn expression(&self, line: &Line, name: &str, token: u32) -> String {
        let (element, part) = self.part_name(line, token);
        // Results and variables are the memory itself; others are behind a pointer.
        let Some(pointer) = name.strip_prefix('*').or(name.starts_with('#').then_some(name)) else {
            return match line.elements {
                0 | 1 => format!("{name}{part}"),
                _ => format!("{name}[{element}]{part}"),
            };
        };
        match part.strip_prefix('.') {
            _ if line.elements > 1 => format!("{pointer}[{element}]{part}"),
            Some(member) => format!("{pointer}->{member}"),
            None if part.is_empty() => format!("*{pointer}"),
            None => format!("(*{pointer}){part}"),
        }
    }

    /// Which element a token belongs to, and the name of the part in it.
    fn part_name(&self, line: &Line, token: u32) -> (u32, String) {
        let Some(view) = line.view.map(|view| self.views.get(view)) else {
            return (0, format!("+{token}"));
        };
        let each = view.parts.len() as u32;
        if token < each * line.elements {
            return (token / each, view.parts[(token % each) as usize].name.clone());
        }
        let mut left = token - each * line.elements;
        let mut from = u64::from(line.elements) * view.size;
        if let Some(tail) = &view.tail {
            let elements = self.views.get(tail.view);
            let count = elements.parts.len() as u32;
            from = tail.offset;
            if count > 0 {
                // The number of elements is unknown here, and nothing after them has a name.
                let part = &elements.parts[(left % count) as usize];
                return (0, format!("{}[{}]{}", tail.name, left / count, part.name));
            }
            left = 0;
        }
        (line.elements, format!("+{}", from + u64::from(left)))
    }
}

fn print(text: &mut String, token: &Token, snapshot: &Snapshot, names: &[String]) {
    let known = |number: u32| snapshot.texts.get(number as usize).map_or(&[][..], Vec::as_slice);
    match token {
        Token::Bits(bits) => print_bits(text, bits),
        Token::Null => text.push_str("null"),
        Token::Place { line, offset } => {
            let _ = write!(text, "&{}+{offset}", names[*line as usize]);
        }
        Token::Named(name) => {
            let _ = write!(text, "&{}", String::from_utf8_lossy(known(*name)));
        }
        Token::Literal(bytes) => {
            text.push('"');
            // In a native run, a text ends at the first zero.
            let bytes = known(*bytes).split(|byte| *byte == 0).next().unwrap_or(&[]);
            for &byte in bytes {
                match byte {
                    b'!'..=b'~' if !b"\"\\".contains(&byte) => text.push(byte.into()),
                    _ => {
                        let _ = write!(text, "\\{byte:02x}");
                    }
                }
            }
            text.push('"');
        }
        Token::Freed => text.push_str("freed"),
        Token::Other => text.push_str("other"),
        Token::Beyond => text.push_str("beyond"),
        Token::Hidden => text.push_str("hidden"),
    }
}

fn print_bits(text: &mut String, bits: &Bits) {
    if bits.is_nan && bits.was_written() {
        text.push_str("nan:");
    }
    for digit in (0..digits(bits.bits)).rev() {
        let value = bits.value >> (4 * digit) & 0xf;
        match bits.written >> digit & 1 {
            1 => text.push(char::from_digit(value as u32, 16).unwrap_or('?')),
            _ => text.push('.'),
        }
    }
}

impl Snapshot {
    /// Parses the text that a harness wrote. Malformed parts become unknown values.
    pub fn parse(text: &str) -> Snapshot {
        let mut snapshot = Snapshot::default();
        let lines = || text.lines().filter(|line| *line != REACHED);
        let names: Vec<&str> = lines().filter_map(|line| line.split(' ').next()).collect();
        let mut is_reached = false;
        for line in text.lines() {
            if line == REACHED {
                is_reached = true;
                continue;
            }
            let mut words = line.split(' ');
            let name = words.next().unwrap_or_default();
            if name == LEAKS {
                let count = words.next().and_then(|count| u64::from_str_radix(count, 16).ok());
                snapshot.leaks = count.unwrap_or(0);
                continue;
            }
            let kind = match name {
                _ if is_reached => LineKind::Reached,
                RETURN => LineKind::Returned,
                _ if name.starts_with(STATIC) => LineKind::Internal,
                _ if name.starts_with(['*', '#']) => LineKind::Memory,
                _ => LineKind::Global,
            };
            let words: Vec<&str> = words.collect();
            let is_freed = words == ["freed"] && kind == LineKind::Memory;
            let (first, text) = (snapshot.tokens.len(), snapshot.text(name.as_bytes()));
            for word in words.iter().filter(|_| !is_freed) {
                let token = parse_token(word, &names, &mut snapshot);
                snapshot.tokens.push(token);
            }
            snapshot.lines.push(Line {
                origin: LineOrigin::Named(text),
                kind,
                view: None,
                elements: 0,
                first: first as u32,
                count: (snapshot.tokens.len() - first) as u32,
                is_freed,
                is_touched: false,
                is_heap: false,
                address: 0,
            });
        }
        snapshot
    }
}

fn parse_token(word: &str, names: &[&str], snapshot: &mut Snapshot) -> Token {
    if let Some(place) = word.strip_prefix('&') {
        let split = place.rsplit_once('+').and_then(|(name, offset)| {
            let line = names.iter().position(|known| *known == name)?;
            Some(Token::Place { line: line as u32, offset: offset.parse().ok()? })
        });
        return split.unwrap_or_else(|| Token::Named(snapshot.text(place.as_bytes())));
    }
    if word.starts_with('"') {
        return Token::Literal(snapshot.text(word.as_bytes()));
    }
    match word {
        "null" => Token::Null,
        "freed" => Token::Freed,
        "beyond" => Token::Beyond,
        "hidden" => Token::Hidden,
        _ => match word.strip_prefix("nan:") {
            Some(number) => parse_bits(number, true),
            None => parse_bits(word, false),
        },
    }
}

fn parse_bits(word: &str, is_nan: bool) -> Token {
    let is_number = |byte: u8| byte == b'.' || byte.is_ascii_hexdigit();
    if word.is_empty() || word.len() > 16 || !word.bytes().all(is_number) {
        return Token::Other;
    }
    let width = 4 * word.len() as u8;
    let mut bits = Bits { value: 0, bits: width, is_float: is_nan, is_nan, written: 0 };
    for byte in word.chars() {
        let digit = byte.to_digit(16);
        bits.value = bits.value << 4 | u64::from(digit.unwrap_or(0));
        bits.written = bits.written << 1 | u16::from(digit.is_some());
    }
    Token::Bits(bits)
}

/// A token of a line of a snapshot's text, by their numbers.
pub fn token_of(text: &str, line: usize, token: usize) -> Option<&str> {
    text.lines().filter(|line| *line != REACHED).nth(line)?.split(' ').nth(token + 1)
}

/// The output of a native run, without the parts that are uninitialised according to the machine.
pub fn masked(native: &str, machine: &str) -> String {
    let mut known = machine.lines();
    let mut lines = Vec::new();
    let is_counted = |line: &&str| !line.starts_with(LEAKS);
    for line in native.lines().filter(is_counted) {
        let (Some(model), mut words) = (known.next(), line.split(' ')) else {
            return native.to_owned();
        };
        let mut models = model.split(' ');
        // If the machine saw other objects, it knows nothing about these.
        if models.clone().count() != words.clone().count() || models.next() != words.next() {
            return native.to_owned();
        }
        let name = line.split(' ').next().unwrap_or_default().to_owned();
        let tokens = words.zip(models).map(|(word, model)| mask(word, model));
        lines.push(std::iter::once(name).chain(tokens).collect::<Vec<_>>().join(" "));
    }
    lines.extend(native.lines().filter(|line| !is_counted(line)).map(str::to_owned));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn mask(word: &str, model: &str) -> String {
    if !model.contains('.') || !model.bytes().all(|byte| byte == b'.' || byte.is_ascii_hexdigit()) {
        return word.to_owned();
    }
    let digits = word.strip_prefix("nan:").unwrap_or(word);
    if digits.len() == model.len() {
        let pairs = digits.chars().zip(model.chars());
        pairs.map(|(digit, known)| if known == '.' { '.' } else { digit }).collect()
    } else {
        // The native bytes happen to be an address.
        model.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{ByValue, Comparer, Comparison, Incomparable, Side, Values};

    const ALL: Values = Values::VISIBLE;

    fn compare(old: &str, new: &str, values: &Values) -> Comparison {
        let (old, new) = (Snapshot::parse(old), Snapshot::parse(new));
        let side = |snapshot| Side { snapshot, harness: None };
        let mut judge = ByValue { nan_bits: values.nan_bits };
        Comparer::default().compare(side(&old), side(&new), values, &mut judge)
    }

    #[test]
    fn objects_are_compared_by_how_they_hang_together() {
        let one = "return &*return+0 &*return+0\nreached:\n*return 00000001\n";
        let two = "return &*return+0 &*b+0\nreached:\n*return 00000001\n*b 00000001\n";
        let other = "return &*x+0 &*x+0\nreached:\n*x 00000001\n";
        assert_eq!(compare(one, two, &ALL), Comparison::Different);
        assert_eq!(compare(one, other, &ALL), Comparison::Same);
    }

    #[test]
    fn what_was_never_written_counts_for_nothing_and_what_one_version_writes_is_unclear() {
        assert_eq!(compare("return 00..0001\n", "return 00..0001\n", &ALL), Comparison::Same);
        let (root, member) = ("return".to_owned(), String::new());
        let by_new = Incomparable::WrittenByOne { root, member, by_old: false };
        let found = compare("return 00..0001\n", "return 00ff0001\n", &ALL);
        assert_eq!(found, Comparison::Unclear(by_new));
        assert_eq!(compare("return 00..0001\n", "return 01ff0001\n", &ALL), Comparison::Different);
    }

    #[test]
    fn numbers_that_are_not_a_number_are_one_value_unless_bits_count() {
        let (old, new) = ("return nan:fff8000000000000\n", "return nan:7ff8000000000000\n");
        assert_eq!(compare(old, new, &ALL), Comparison::Same);
        let strict = Values { nan_bits: true, ..ALL };
        assert_eq!(compare(old, new, &strict), Comparison::Different);
        let (plus, minus) = ("return 0000000000000000\n", "return 8000000000000000\n");
        assert_eq!(compare(plus, minus, &ALL), Comparison::Different);
    }

    #[test]
    fn static_variables_count_if_asked_for() {
        let (old, new) = ("return 1\nstatic:n 00000001\n", "return 1\nstatic:n 00000002\n");
        assert_eq!(compare(old, new, &ALL), Comparison::Different);
        let public = Values { internal: false, ..ALL };
        assert_eq!(compare(old, new, &public), Comparison::Same);
    }

    #[test]
    fn what_the_machine_knows_to_be_unwritten_is_masked() {
        let native = "return &*return+0\nreached:\n*return 00000001 a5a5a5a5\n";
        let machine = "return &*return+0\nreached:\n*return 00000001 ........\n";
        assert_eq!(masked(native, machine), machine);
        let elsewhere = "return null\n";
        assert_eq!(masked(native, elsewhere), native);
    }
}
