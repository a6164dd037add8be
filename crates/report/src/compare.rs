//! The result of a comparison, in all formats.

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

pub use emit::{Emitted, EmittedFile, Form, emit};
pub use formats::{annotations, sarif, short};
pub use html::html;
pub use json::{SCHEMA, json};
pub use markdown::markdown;
pub(crate) use markdown::{code, escaped};
pub use script::script;
pub use text::text;
pub use timing::timing;

use effects::compare::{Behaviour, Compared};
use inputs::{Input, Test};

use crate::shell;

/// The input of a test, as typed: a command line, or a call of the function.
fn typed(compared: &Compared, test: &Test) -> String {
    typed_input(compared, &test.input)
}

fn typed_input(compared: &Compared, input: &Input) -> String {
    shell::typed(compared.entry.as_deref(), &compared.new.files, input)
}

fn program_name(compared: &Compared) -> String {
    shell::program(&compared.new.files)
}

/// The name of a witness's script.
pub fn script_name(index: usize) -> String {
    format!("witness-{:03}.sh", index + 1)
}

/// Whether a run was cut off, so that its output is incomplete.
fn is_cut_off(behaviour: &Behaviour) -> bool {
    behaviour.native.status().is_none()
}
