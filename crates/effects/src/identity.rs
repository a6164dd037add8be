//! What a saved search depends on, in parts: programs, and options that determine its conditions.
//! Budgets are none of them, and the input space is written separately.

use explore::saved::Identity;
use ir::Module;
use trace::Observe;

use crate::mathematics::MathLibrary;

/// Of versions with their names, and one more option with its value.
pub(crate) fn identity(
    versions: &[(String, &Module)],
    entry: Option<&str>,
    observe: &Observe,
    limits: &exec::Limits,
    option: (&str, &str),
) -> Identity {
    let hash = |module: &Module| blake3::hash(module.to_string().as_bytes()).to_hex().to_string();
    let mut identity: Identity =
        versions.iter().map(|(name, module)| (format!("version {name}"), hash(module))).collect();
    let mut add = |part: &str, text: String| identity.push((part.to_owned(), text));
    add("function (--entry)", entry.unwrap_or("main").to_owned());
    add("choice of what counts (--observe and the like)", observed(observe));
    add("set of bounds on runs (--max-steps and the like)", bounds(limits));
    add(option.0, option.1.to_owned());
    // Results of functions of math.h are those of the host's mathematical library.
    if versions.iter().any(|(_, module)| exec::shims::uses_math_library(module)) {
        let library = MathLibrary::of_host();
        let text = library.map_or("none".to_owned(), |library| library.to_string());
        add("mathematical library (libm)", text);
    }
    add("release of Ripple", env!("CARGO_PKG_VERSION").to_owned());
    identity
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
