//! Standard output is the result, standard error is everything else.
//!
//! A closed pipe (`ripple … | head`) is not an error.

use std::io::{self, Write};

use crate::exit;

/// Writes a result to standard output, with a newline at its end.
pub fn result(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let newline: &[u8] = if bytes.is_empty() || bytes.ends_with(b"\n") { b"" } else { b"\n" };
    let written = out.write_all(bytes).and_then(|()| out.write_all(newline));
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints an error with its causes, in one paragraph.
pub fn error(error: &anyhow::Error) {
    let mut text = format!("error: {error}");
    for cause in error.chain().skip(1) {
        text.push_str(&format!(": {cause}"));
    }
    note(&text);
}

/// Writes a line to standard error.
pub fn note(text: &str) {
    // If standard error is closed, there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Passes on what a program wrote to its standard output (1) or standard error (2).
///
/// A closed pipe would kill the native program by SIGPIPE, so it ends this run, too; any other
/// failure to write is an error of Ripple.
pub fn pass_on(descriptor: i32, bytes: &[u8]) {
    let written = match descriptor {
        1 => io::stdout().lock().write_all(bytes).and_then(|()| io::stdout().flush()),
        _ => io::stderr().write_all(bytes),
    };
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => stop(exit::BROKEN_PIPE),
        Err(error) => {
            note(&format!("error: cannot pass on the output of the program: {error}"));
            stop(exit::FAILURE);
        }
    }
}

#[allow(clippy::exit)] // An observer cannot stop a run.
fn stop(code: u8) -> ! {
    std::process::exit(code.into())
}
