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

/// Passes bytes on to standard error.
pub fn raw_note(bytes: &[u8]) {
    // Nobody is left to tell if standard error is closed.
    let _ = io::stderr().write_all(bytes);
}
