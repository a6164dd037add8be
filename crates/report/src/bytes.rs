//! Bytes in JSON, as in a file of tests: text where they are UTF-8.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Bytes {
    Text(String),
    Other { base64: String },
}

impl Bytes {
    pub fn of(bytes: &[u8]) -> Bytes {
        match std::str::from_utf8(bytes) {
            Ok(text) => Bytes::Text(text.to_owned()),
            Err(_) => Bytes::Other { base64: STANDARD.encode(bytes) },
        }
    }
}
