//! What changes may affect, in all formats.

mod json;
mod text;

pub use json::{SCHEMA, json, prediction_json};
pub use text::{prediction_text, text};
