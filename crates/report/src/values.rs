//! Values of a program for people: characters with their numbers, and of structs the members that
//! are not zero. Reports for programs have all of a value.

use effects::compare::Value;

pub(crate) fn readable(value: &Value) -> String {
    match value {
        Value::Char(byte) => format!("{value} ({byte})"),
        Value::Members(members) => {
            let telling = members.iter().filter(|(_, value)| !is_zero(value));
            let telling = telling.map(|(name, value)| format!(".{name} = {}", readable(value)));
            let mut parts: Vec<String> = telling.collect();
            if parts.is_empty() {
                return "{0}".to_owned();
            }
            if parts.len() < members.len() {
                parts.push("…".to_owned());
            }
            format!("{{{}}}", parts.join(", "))
        }
        Value::Elements(values) => {
            let values: Vec<String> = values.iter().map(readable).collect();
            format!("{{{}}}", values.join(", "))
        }
        other => other.to_string(),
    }
}

/// Whether memory of zeros has this value.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Signed(0) | Value::Unsigned(0) | Value::Char(0) | Value::Null => true,
        Value::Bool(value) => !value,
        Value::Float(value) => value.to_bits() == 0,
        Value::Text(text) => text.is_empty(),
        Value::Members(members) => members.iter().all(|(_, value)| is_zero(value)),
        Value::Elements(values) => values.iter().all(is_zero),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, value: Value) -> (String, Value) {
        (name.to_owned(), value)
    }

    #[test]
    fn people_see_what_is_not_zero_and_the_numbers_of_characters() {
        let inner = vec![member("x", Value::Signed(0)), member("y", Value::Float(1.5))];
        let value = Value::Members(vec![
            member("count", Value::Unsigned(0)),
            member("kind", Value::Char(b'a')),
            member("next", Value::Null),
            member("at", Value::Members(inner)),
            member("rows", Value::Elements(vec![Value::Signed(0), Value::Signed(0)])),
        ]);
        assert_eq!(readable(&value), "{.kind = 'a' (97), .at = {.y = 1.5, …}, …}");
        assert_eq!(readable(&Value::Members(vec![member("n", Value::Signed(0))])), "{0}");
        assert_eq!(readable(&Value::Char(b'\n')), "'\\n' (10)");
        assert_eq!(readable(&Value::Float(-0.0)), "-0.0");
    }
}
