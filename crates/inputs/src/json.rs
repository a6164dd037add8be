//! JSON as tests need it: objects keep their order, and keys are unique.
//!
//! Reading and writing of values; `tests` and `writing` know the members of tests.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::Value;
use crate::error::TestProblem;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

pub(crate) fn parse(line: &str) -> Result<Json, TestProblem> {
    let json = serde_json::from_str(line).map_err(|error: serde_json::Error| {
        // The caller reports the line in the file.
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or(&text);
        TestProblem::NotJson(format!("{message} at column {}", error.column()))
    })?;
    match repeated_key(&json) {
        Some(key) => Err(TestProblem::KeyTwice { key: key.to_owned() }),
        None => Ok(json),
    }
}

fn repeated_key(json: &Json) -> Option<&str> {
    match json {
        Json::List(list) => list.iter().find_map(repeated_key),
        Json::Object(members) => {
            let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
            keys.sort_unstable();
            let repeated = keys.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
            repeated.or_else(|| members.iter().find_map(|(_, json)| repeated_key(json)))
        }
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Int(i128::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Int(i128::from(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            list.push(element);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members: Vec<(String, Json)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Json>()? {
            members.push((key, value));
        }
        Ok(Json::Object(members))
    }
}

pub(crate) fn wrong(key: &str, wanted: &'static str) -> TestProblem {
    TestProblem::WrongType { key: key.to_owned(), wanted }
}

pub(crate) fn string<'a>(key: &str, json: &'a Json) -> Result<&'a str, TestProblem> {
    match json {
        Json::Text(text) => Ok(text),
        _ => Err(wrong(key, "a string")),
    }
}

pub(crate) fn object<'a>(
    key: &str,
    json: &'a Json,
    wanted: &'static str,
) -> Result<&'a [(String, Json)], TestProblem> {
    match json {
        Json::Object(members) => Ok(members),
        _ => Err(wrong(key, wanted)),
    }
}

/// Bytes: a string, or `{"base64": "…"}`.
pub(crate) fn bytes(key: &str, json: &Json) -> Result<Vec<u8>, TestProblem> {
    let wanted = "a string or {\"base64\": \"…\"}";
    match json {
        Json::Text(text) => Ok(text.clone().into_bytes()),
        Json::Object(members) => match members.as_slice() {
            [(name, Json::Text(text))] if name == "base64" => from_base64(key, text),
            _ => Err(TestProblem::WrongType { key: key.to_owned(), wanted }),
        },
        _ => Err(TestProblem::WrongType { key: key.to_owned(), wanted }),
    }
}

fn from_base64(key: &str, text: &str) -> Result<Vec<u8>, TestProblem> {
    STANDARD
        .decode(text)
        .map_err(|cause| TestProblem::NotBase64 { key: key.to_owned(), cause: cause.to_string() })
}

/// The value of a parameter.
pub(crate) fn value(key: &str, json: &Json) -> Result<Value, TestProblem> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Int(i128::from(*value)),
        Json::Int(number) => Value::Int(*number),
        Json::Float(number) => Value::Float(*number),
        Json::Text(text) => Value::Bytes(text.clone().into_bytes()),
        Json::List(list) => {
            Value::Array(list.iter().map(|json| value(key, json)).collect::<Result<_, _>>()?)
        }
        Json::Object(members) => match members.as_slice() {
            [(name, Json::Text(text))] if name == "base64" => Value::Bytes(from_base64(key, text)?),
            [(name, Json::Text(text))] if name == "bits" => Value::Bits(bits(key, text)?),
            [(name, Json::Text(text))] if name == "function" => Value::Function(text.clone()),
            [(name, Json::Text(text))] if name == "pointer" => inside(key, text)?,
            _ => {
                let member = |(name, json): &(String, Json)| Ok((name.clone(), value(key, json)?));
                Value::Struct(members.iter().map(member).collect::<Result<_, _>>()?)
            }
        },
    })
}

/// `NAME+OFFSET`
fn inside(key: &str, text: &str) -> Result<Value, TestProblem> {
    let parts = text.split_once('+').map(|(of, offset)| (of.trim(), offset.trim().parse()));
    match parts {
        Some((of, Ok(offset))) if !of.is_empty() => Ok(Value::Inside { of: of.to_owned(), offset }),
        _ => Err(TestProblem::NotPointer { key: key.to_owned() }),
    }
}

fn bits(key: &str, text: &str) -> Result<u128, TestProblem> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
    let parsed = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
    parsed.ok_or_else(|| TestProblem::NotBits { key: key.to_owned() })
}

pub(crate) fn written<'a>(members: impl Iterator<Item = (&'a String, String)>) -> String {
    let members: Vec<String> =
        members.map(|(name, text)| format!("{}: {text}", quoted(name))).collect();
    format!("{{{}}}", members.join(", "))
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

pub(crate) fn bytes_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => quoted(text),
        Err(_) => base64_text(bytes),
    }
}

fn base64_text(bytes: &[u8]) -> String {
    format!("{{\"base64\": \"{}\"}}", STANDARD.encode(bytes))
}

pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::Int(number) => int_text(*number),
        Value::Float(number) if number.is_finite() => format!("{number:?}"),
        Value::Float(number) => bits_text(u128::from(number.to_bits())),
        Value::Bits(bits) => bits_text(*bits),
        Value::Bytes(bytes) => bytes_text(bytes),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(value_text).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Struct(members) => struct_text(members),
        Value::Null => "null".to_owned(),
        Value::Function(name) => format!("{{\"function\": {}}}", quoted(name)),
        Value::Inside { of, offset } => {
            format!("{{\"pointer\": {}}}", quoted(&format!("{of}+{offset}")))
        }
    }
}

/// Not every JSON reader accepts numbers beyond 64 bits.
fn int_text(number: i128) -> String {
    if i64::try_from(number).is_ok() || u64::try_from(number).is_ok() {
        number.to_string()
    } else {
        bits_text(number as u128)
    }
}

fn bits_text(bits: u128) -> String {
    format!("{{\"bits\": \"{bits:#x}\"}}")
}

/// A struct whose only member looks like one of the special forms has its text in base64, so that
/// it is not mistaken for one.
fn struct_text(members: &[(String, Value)]) -> String {
    match members {
        [(name, Value::Bytes(bytes))]
            if ["base64", "bits", "function", "pointer"].contains(&&**name) =>
        {
            written([(name, base64_text(bytes))].into_iter())
        }
        _ => written(members.iter().map(|(name, value)| (name, value_text(value)))),
    }
}
