//! Inputs as typed: a command line for a shell, or a call of a function.

use std::path::PathBuf;

use inputs::{Input, Value};

/// The most elements or bytes of a value to show.
const SHOWN: usize = 64;

/// An input as typed: a call of the function, or a command line for the program that is built from
/// these files.
pub(crate) fn typed(entry: Option<&str>, files: &[PathBuf], input: &Input) -> String {
    match entry {
        Some(entry) => call(entry, input),
        None => command_line(&program(files), input),
    }
}

/// The usual name of the program that is built from these files.
pub fn program(files: &[PathBuf]) -> String {
    let stem = match files {
        [file] => file.file_stem().map(|stem| word(stem.as_encoded_bytes())),
        _ => None,
    };
    format!("./{}", stem.unwrap_or_else(|| "program".to_owned()))
}

/// A command line that runs a program with an input. It works in bash, zsh, ksh and every other
/// shell with `$'…'`.
pub fn command_line(program: &str, input: &Input) -> String {
    let mut line = String::new();
    for (name, bytes) in &input.files {
        line.push_str(&format!("{} >{}; ", printf(bytes), word(name.as_bytes())));
    }
    if !input.stdin.is_empty() {
        line.push_str(&format!("{} | ", printf(&input.stdin)));
    }
    line.push_str(program);
    for arg in &input.args {
        line.push(' ');
        line.push_str(&word(arg));
    }
    line
}

/// A call of a function with the parameters of an input, and the global variables to set.
pub fn call(function: &str, input: &Input) -> String {
    let named = |(name, value): &(String, Value)| format!("{name} = {}", c_value(value));
    let params: Vec<String> = input.params.iter().map(named).collect();
    let mut text = format!("{function}({})", params.join(", "));
    let globals: Vec<String> = input.globals.iter().map(named).collect();
    if !globals.is_empty() {
        text.push_str(&format!(" with {}", globals.join(", ")));
    }
    if !input.stdin.is_empty() {
        text.push_str(&format!(" and standard input {}", c_text(&input.stdin)));
    }
    text
}

/// One word of a command line.
pub fn word(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:+,=@%^~".contains(byte);
    // A tilde means a home directory where a word or a part of it begins.
    let has_home = |text: &str| text.starts_with('~') || text.contains(":~") || text.contains("=~");
    let is_printable = |byte: &u8| (b' '..=b'~').contains(byte);
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.is_empty() && bytes.iter().all(is_plain) && !has_home(text) => {
            text.to_owned()
        }
        Ok(text) if bytes.iter().all(is_printable) => {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
        _ => format!("$'{}'", escaped(bytes, Some(b'\''))),
    }
}

/// A command that writes exactly these bytes.
pub(crate) fn printf(bytes: &[u8]) -> String {
    let text = escaped(bytes, None).replace('%', "%%").replace('\'', "'\\''");
    // A format that begins with a dash would be an option.
    match text.strip_prefix('-') {
        Some(rest) => format!("printf '\\055{rest}'"),
        None => format!("printf '{text}'"),
    }
}

/// Bytes with the escapes that shells and C share.
fn escaped(bytes: &[u8], quote: Option<u8>) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            byte if Some(byte) == quote => text.extend(['\\', byte as char]),
            b' '..=b'~' => text.push(byte as char),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text
}

/// A string as in C.
pub fn c_text(bytes: &[u8]) -> String {
    format!("\"{}\"", escaped(bytes, Some(b'"')))
}

fn c_value(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Bits(bits) => format!("bits {bits:#x}"),
        Value::Bytes(bytes) if bytes.len() <= SHOWN => c_text(bytes),
        Value::Bytes(bytes) => format!("{}…", c_text(&bytes[..SHOWN])),
        Value::Array(elements) => {
            let mut shown: Vec<String> = elements.iter().take(SHOWN).map(c_value).collect();
            if elements.len() > SHOWN {
                shown.push("…".to_owned());
            }
            format!("{{{}}}", shown.join(", "))
        }
        Value::Struct(members) => {
            let member = |(name, value): &(String, Value)| format!(".{name} = {}", c_value(value));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Null => "NULL".to_owned(),
        Value::Function(name) => name.clone(),
        Value::Inside { of, offset: 0 } => of.clone(),
        Value::Inside { of, offset } => format!("{of} + {offset}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(args: &[&[u8]], stdin: &[u8]) -> Input {
        let args = args.iter().map(|arg| arg.to_vec()).collect();
        Input { args, stdin: stdin.to_vec(), ..Input::default() }
    }

    #[test]
    fn words_are_quoted_only_where_they_must_be() {
        let cases: [(&[u8], &str); 9] = [
            (b"-12", "-12"),
            (b"", "''"),
            (b"a b", "'a b'"),
            (b"HEAD~1", "HEAD~1"),
            (b"~me", "'~me'"),
            (b"--to=~me", "'--to=~me'"),
            (b"it's", "'it'\\''s'"),
            (b"a\nb'", "$'a\\nb\\''"),
            (b"\xff\x01", "$'\\377\\001'"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(word(bytes), expected);
        }
    }

    #[test]
    fn standard_input_is_piped_in() {
        let line = command_line("./p", &input(&[b"1", b"*"], b"-5%\n"));
        assert_eq!(line, "printf '\\0555%%\\n' | ./p 1 '*'");
        assert_eq!(command_line("./p", &input(&[], b"")), "./p");
        let line = command_line("./p", &input(&[], b"a\0'b"));
        assert_eq!(line, "printf 'a\\000'\\''b' | ./p");
    }

    #[test]
    fn calls_read_as_in_c() {
        let params = vec![
            ("n".to_owned(), Value::Int(-3)),
            ("s".to_owned(), Value::Bytes(b"a\"b".to_vec())),
            ("p".to_owned(), Value::Array(vec![Value::Float(0.5), Value::Null])),
            ("q".to_owned(), Value::Struct(vec![("x".to_owned(), Value::Int(1))])),
        ];
        let input = Input { params, ..Input::default() };
        assert_eq!(call("f", &input), "f(n = -3, s = \"a\\\"b\", p = {0.5, NULL}, q = {.x = 1})");
    }
}
