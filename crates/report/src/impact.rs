//! What changes may affect, in all formats.

mod json;
mod text;

pub use json::{FORMAT, json, prediction_json};
pub use text::{prediction_text, text};
