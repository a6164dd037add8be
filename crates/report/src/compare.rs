//! What came of comparing two versions, in all formats.

pub(crate) mod brief;
mod differences;
mod emit;
mod findings;
mod formats;
pub(crate) mod html;
pub(crate) mod json;
mod markdown;
mod returned;
mod script;
pub(crate) mod text;
mod timing;
mod why;

pub use emit::{Emitted, EmittedFile, Expect, Form, emit};
pub use formats::{annotations, sarif, short};
pub use html::html;
pub use json::{SCHEMA, json};
pub use markdown::markdown;
pub use script::script;
pub use text::text;
pub use timing::timing;

use effects::compare::{Behaviour, Compared};
use effects::trial::Fault;
use inputs::{Input, Test};
use source::Checkout;

use crate::places::FaultAt;
use crate::shell;

/// The input of a test, as it is typed: a command line, or a call of the function.
fn typed(compared: &Compared, test: &Test) -> String {
    typed_input(compared, &test.input)
}

fn typed_input(compared: &Compared, input: &Input) -> String {
    match &compared.entry {
        Some(entry) => shell::call(entry, input),
        None => shell::command_line(&program_name(compared), input),
    }
}

/// What the program is called when it is built as people do.
fn program_name(compared: &Compared) -> String {
    program_of(&compared.new)
}

/// The same for any version.
pub(crate) fn program_of(version: &Checkout) -> String {
    let stem = match &version.files[..] {
        [file] => file.file_stem().map(|stem| shell::word(stem.as_encoded_bytes())),
        _ => None,
    };
    format!("./{}", stem.unwrap_or_else(|| "program".to_owned()))
}

/// What the script of a witness is called.
pub fn script_name(index: usize) -> String {
    format!("witness-{:03}.sh", index + 1)
}

pub(crate) fn fault_at(fault: &Fault) -> FaultAt<'_> {
    FaultAt {
        kind: &fault.kind,
        local: fault.local.as_deref(),
        stack: &fault.stack,
        allocated: fault.allocated.as_ref(),
        freed: fault.freed.as_ref(),
    }
}

/// Whether a run was cut off, so that what it wrote is not all.
fn is_cut_off(behaviour: &Behaviour) -> bool {
    behaviour.native.status().is_none()
}
