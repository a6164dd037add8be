//! Standard output is the result, standard error is everything else.
//!
//! A reader that stops reading (`ripple … | head`) is not an error.

use std::io::{self, Write};

/// Writes a result to standard output.
pub fn result(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Says what went wrong, with its causes, in one paragraph.
pub fn error(error: &anyhow::Error) {
    let mut text = format!("error: {error}");
    for cause in error.chain().skip(1) {
        text.push_str(&format!(": {cause}"));
    }
    note(&text);
}

/// Writes a line to standard error.
pub fn note(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Passes on what a program wrote to its standard output (1) or standard error (2).
pub fn pass_on(descriptor: i32, bytes: &[u8]) {
    // A reader that is gone does not end the program that runs on the machine.
    let _ = match descriptor {
        1 => io::stdout().lock().write_all(bytes).and_then(|()| io::stdout().flush()),
        _ => io::stderr().write_all(bytes),
    };
}
