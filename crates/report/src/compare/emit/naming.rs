//! Names of tests: the behaviour that they expect.

use std::collections::BTreeMap;

use base::Version;
use effects::compare::{Compared, Observable, Witness};
use inputs::Value;

use crate::compare::differences::differences;
use crate::compare::findings::first_difference;
use crate::compare::returned::returned_numbers;

/// The most characters of the input and of the expectation in a name.
const MOST_INPUT: usize = 36;
const MOST_EXPECTED: usize = 32;

/// Names in use.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, usize>);

impl Names {
    pub fn name(&mut self, compared: &Compared, witness: &Witness, expect: Version) -> String {
        let subject = compared.entry.as_deref().unwrap_or("run");
        let input = &witness.test.input;
        let mut words: Vec<String> = vec![slug(subject.as_bytes())];
        for argument in &input.args {
            words.push(slug(argument));
        }
        for (_, value) in &input.params {
            words.push(slug_of_value(value));
        }
        if compared.entry.is_none() && !input.stdin.is_empty() {
            words.push(format!("of_{}", slug(&input.stdin)));
        }
        words.retain(|word| !word.is_empty());
        let expected = slug(expectation(compared, witness, expect).as_bytes());
        let name =
            format!("{}_{}", cut(&words.join("_"), MOST_INPUT), cut(&expected, MOST_EXPECTED));
        let times = self.0.entry(name.clone()).or_default();
        *times += 1;
        match times {
            1 => name,
            times => format!("{name}_{times}"),
        }
    }
}

/// The expected behaviour, in a few words.
fn expectation(compared: &Compared, witness: &Witness, expect: Version) -> String {
    let right = match expect {
        Version::Old => &witness.old,
        Version::New => &witness.new,
    };
    let status = right.native.status().unwrap_or_default();
    if witness.old.native.status() != witness.new.native.status() {
        return format!("exits with {status}");
    }
    if let Some([old, new]) = returned_numbers(compared, witness) {
        let number = if expect == Version::Old { old } else { new };
        return format!("returns {number}");
    }
    let found = differences(compared, &witness.old, &witness.new);
    let Some(first) = found.first() else { return format!("exits with {status}") };
    let (old, new) = first_difference(first.old, first.new);
    let text = match expect {
        Version::Old => old,
        Version::New => new,
    };
    match first.observable {
        Observable::Result => "leaves memory as expected".to_owned(),
        Observable::Files => format!("leaves {}", first.name),
        _ => format!("prints {text}"),
    }
}

fn slug_of_value(value: &Value) -> String {
    match value {
        Value::Int(number) => slug(number.to_string().as_bytes()),
        Value::Float(number) => slug(number.to_string().as_bytes()),
        Value::Bits(bits) => format!("bits_{bits:x}"),
        Value::Bytes(bytes) => slug(bytes),
        Value::Array(elements) => {
            elements.iter().take(4).map(slug_of_value).collect::<Vec<_>>().join("_")
        }
        Value::Struct(members) => {
            let members = members.iter().take(4).map(|(_, value)| slug_of_value(value));
            members.collect::<Vec<_>>().join("_")
        }
        Value::Null => "null".to_owned(),
        Value::Function(name) => slug(name.as_bytes()),
        Value::Inside { of, offset: 0 } => slug(of.as_bytes()),
        Value::Inside { of, offset } => slug(format!("{of}_{offset}").as_bytes()),
    }
}

/// Letters, digits and single underscores.
fn slug(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (index, &byte) in bytes.iter().enumerate().take(2 * MOST_INPUT) {
        let is_sign = byte == b'-' && bytes.get(index + 1).is_some_and(u8::is_ascii_digit);
        let starts = index == 0 || bytes[index - 1] == b' ';
        match byte {
            byte if byte.is_ascii_alphanumeric() => text.push(byte.to_ascii_lowercase() as char),
            _ if is_sign && starts => text.push_str("minus_"),
            _ if !text.ends_with('_') => text.push('_'),
            _ => {}
        }
    }
    text.trim_matches('_').to_owned()
}

fn cut(text: &str, most: usize) -> &str {
    text.get(..most).unwrap_or(text).trim_end_matches('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_letters_digits_and_underscores() {
        for (text, expected) in [
            ("-12 a", "minus_12_a"),
            ("2024-03-01 Sat", "2024_03_01_sat"),
            ("--x=\u{1b}[31m", "x_31m"),
            ("../../etc/passwd", "etc_passwd"),
            ("", ""),
        ] {
            assert_eq!(slug(text.as_bytes()), expected);
        }
    }
}
