//! Reads conditions for people back, as far as the property test has them: the meaning of the
//! text, written down a second time.

use std::collections::BTreeMap;

const CHOICES: [&str; 5] = ["add", "sub", "mul", "div", "neg"];

/// Values of variables, as bits.
#[derive(Debug, Default)]
pub struct Values(BTreeMap<String, u64>);

impl Values {
    pub fn set(&mut self, name: &str, value: u64) {
        self.0.insert(name.to_owned(), value);
    }

    fn bits(&self, name: &str) -> u64 {
        *self.0.get(name).unwrap_or_else(|| panic!("`{name}` is a variable"))
    }

    /// The characters of a text.
    fn text(&self, name: &str) -> Vec<u8> {
        let at = |index: usize| self.0.get(&format!("{name}[{index}]")).map(|bits| *bits as u8);
        let all: Vec<u8> = (0..).map_while(at).collect();
        let length = match (name, self.0.get(&format!("length of {name}"))) {
            (_, Some(length)) => *length as usize,
            ("z", None) => all.iter().position(|byte| *byte == 0).unwrap_or(all.len()),
            (_, None) => all.len(),
        };
        all[..length].to_vec()
    }

    /// A variable or a constant as a number.
    fn number(&self, text: &str) -> f64 {
        if let Some(inner) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            return f64::from(unescaped(inner)[0]);
        }
        match text {
            "s" | "w" | "c" => f64::from(self.bits(text) as u8 as i8),
            "f" => f64::from(f32::from_bits(self.bits(text) as u32)),
            "length of z" | "length of q" => self.text(&text[10..]).len() as f64,
            "bits of f" => self.bits("f") as f64,
            _ if self.0.contains_key(text) => self.bits(text) as f64,
            _ if text.ends_with("inf") => text.parse().expect("an infinity"),
            _ => match text.strip_suffix('f') {
                Some(float) => f64::from(float.parse::<f32>().expect("a float")),
                None => text.parse().expect("a number"),
            },
        }
    }
}

/// Whether a conjunction holds.
pub fn holds(text: &str, values: &Values) -> bool {
    split(text, " ∧ ").into_iter().all(|part| {
        match part.strip_prefix('(').and_then(|part| part.strip_suffix(')')) {
            Some(inner) => split(inner, " ∨ ").into_iter().any(|part| holds(part, values)),
            None => single(part, values),
        }
    })
}

fn single(text: &str, values: &Values) -> bool {
    match text {
        "true" => return true,
        "false" => return false,
        _ => {}
    }
    if let Some((name, beginning)) = text.split_once(" starts with ") {
        return values.text(name).starts_with(&quoted(beginning));
    }
    if let Some((name, what)) = text.split_once(" is ") {
        return class(values.bits(name) as u32, what);
    }
    for (symbol, is_in) in [(" ∈ {", true), (" ∉ {", false)] {
        if let Some((name, list)) = text.split_once(symbol) {
            let mut items = split(list.trim_end_matches('}'), ", ").into_iter();
            return items.any(|item| is(name, item, values)) == is_in;
        }
    }
    for (symbol, is_equal) in [(" = ", true), (" ≠ ", false)] {
        if let Some((name, value)) = text.split_once(symbol) {
            return is(name, value, values) == is_equal;
        }
    }
    ordered(text, values)
}

fn is(name: &str, value: &str, values: &Values) -> bool {
    match (name, CHOICES.iter().position(|choice| *choice == value)) {
        (_, Some(number)) => values.bits(name) == number as u64,
        _ if value.starts_with('"') => values.text(name) == quoted(value),
        // A character is a byte, whatever its sign.
        ("c", None) if value.starts_with('\'') => values.bits(name) as f64 == values.number(value),
        _ => values.number(name) == values.number(value),
    }
}

/// What a float is, which no comparison tells.
fn class(bits: u32, what: &str) -> bool {
    let number = f32::from_bits(bits);
    match what {
        "NaN" => number.is_nan(),
        "not NaN" => !number.is_nan(),
        _ => match what.strip_prefix("not ") {
            Some(value) => !class(bits, value),
            None => {
                let value: f32 = what.trim_end_matches('f').parse().expect("a float");
                value.to_bits() == bits
            }
        },
    }
}

/// `a < b`, `a ≤ b < c`, `a ≥ b`.
fn ordered(text: &str, values: &Values) -> bool {
    let mut rest = text;
    let mut previous: Option<(f64, &str)> = None;
    loop {
        let next = ["<", "≤", "≥"].iter().filter_map(|symbol| {
            let at = rest.find(&format!(" {symbol} "))?;
            Some((at, *symbol))
        });
        let next = next.min();
        let side = values.number(next.map_or(rest, |(at, _)| &rest[..at]));
        let holds = match previous {
            None => true,
            Some((before, "<")) => before < side,
            Some((before, "≤")) => before <= side,
            Some((before, _)) => before >= side,
        };
        match next {
            _ if !holds => return false,
            None => return true,
            Some((at, symbol)) => {
                previous = Some((side, symbol));
                rest = &rest[at + symbol.len() + 2..];
            }
        }
    }
}

/// The parts between separators outside of quotes and parentheses.
fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    let mut quote = None;
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth -= 1,
            (None, _) if depth == 0 && at >= from && text[at..].starts_with(separator) => {
                parts.push(&text[from..at]);
                from = at + separator.len();
            }
            (None, _) => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn quoted(text: &str) -> Vec<u8> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    unescaped(inner.expect("a text between quotes"))
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let (byte, used) = match (first, after.first()) {
            (b'\\', Some(b'n')) => (b'\n', 1),
            (b'\\', Some(b't')) => (b'\t', 1),
            (b'\\', Some(b'r')) => (b'\r', 1),
            (b'\\', Some(b'0')) => (0, 1),
            (b'\\', Some(b'x')) => {
                let digits = std::str::from_utf8(&after[1..3]).expect("two digits");
                (u8::from_str_radix(digits, 16).expect("two digits"), 3)
            }
            (b'\\', Some(other)) => (*other, 1),
            _ => (first, 0),
        };
        bytes.push(byte);
        rest = &after[used..];
    }
    bytes
}
