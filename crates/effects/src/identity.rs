//! What a saved search rests on, in parts: programs, and options that decide what its conditions
//! are. Budgets are none of them, and the input space is written by itself.

use explore::Observe;
use ir::Module;

use crate::mathematics::MathLibrary;

/// What it is called, and a text that is another one if it changes.
type Part = (String, String);

/// A version as its program is executed.
pub(crate) fn version(name: &str, module: &Module) -> Part {
    let hash = blake3::hash(module.to_string().as_bytes()).to_hex().to_string();
    (format!("version {name}"), hash)
}

/// The options that searches of versions have in common.
pub(crate) fn options(entry: Option<&str>, observe: &Observe, limits: &exec::Limits) -> [Part; 3] {
    [
        ("function (--entry)".to_owned(), entry.unwrap_or("main").to_owned()),
        ("choice of what counts (--observe and the like)".to_owned(), observed(observe)),
        ("set of bounds on runs (--max-steps and the like)".to_owned(), bounds(limits)),
    ]
}

pub(crate) fn release() -> Part {
    ("release of Ripple".to_owned(), env!("CARGO_PKG_VERSION").to_owned())
}

/// The host's mathematical library, if one of the programs uses it: results of functions of
/// math.h are its results.
pub(crate) fn math_library<'m>(modules: impl IntoIterator<Item = &'m Module>) -> Option<Part> {
    let is_used = modules.into_iter().any(exec::shims::uses_math_library);
    let text = || MathLibrary::of_host().map_or("none".to_owned(), |library| library.to_string());
    is_used.then(|| ("mathematical library (libm)".to_owned(), text()))
}

fn observed(observe: &Observe) -> String {
    let Observe { exit, stdout, stderr, files, ub, positions, ignore, tolerance, .. } = observe;
    let values = observe.values();
    let ignored: Vec<&str> = ignore.iter().map(|regex| regex.as_str()).collect();
    format!("{exit} {stdout} {stderr} {files} {values:?} {ub} {positions} {tolerance} {ignored:?}")
}

fn bounds(limits: &exec::Limits) -> String {
    let exec::Limits { steps, memory, output, depth } = limits;
    format!("{steps} {memory} {output} {depth}")
}
