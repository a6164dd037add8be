//! A test as a line of JSON.

use crate::json::{bytes_text, quoted, value_text, written};
use crate::setting;
use crate::{Input, Test};

/// A test as one line of JSON, without the newline.
pub fn write_test(test: &Test) -> String {
    let Input { args, stdin, files, params, globals } = &test.input;
    let setting = &test.setting;
    let mut members = Vec::new();
    if let Some(name) = &test.name {
        members.push(format!("\"name\": {}", quoted(name)));
    }
    if let Some(program) = &setting.program {
        members.push(format!("\"program\": {}", bytes_text(program)));
    }
    let args: Vec<String> = args.iter().map(|arg| bytes_text(arg)).collect();
    members.push(format!("\"args\": [{}]", args.join(", ")));
    if !stdin.is_empty() {
        members.push(format!("\"stdin\": {}", bytes_text(stdin)));
    }
    if !files.is_empty() || !setting.outside.is_empty() {
        let files =
            files.iter().chain(&setting.outside).map(|(name, text)| (name, bytes_text(text)));
        members.push(format!("\"files\": {}", written(files)));
    }
    for (key, values) in [("params", params), ("globals", globals)] {
        if !values.is_empty() {
            let values = values.iter().map(|(name, value)| (name, value_text(value)));
            members.push(format!("\"{key}\": {}", written(values)));
        }
    }
    members.extend(setting::members(setting));
    format!("{{{}}}", members.join(", "))
}
