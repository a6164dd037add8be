//! Faults and gaps in the words of directives.

use exec::Program;
use exec::stop::{Access, Bound, Fault, FaultKind, Feature, Site};
use explore::Gap;

/// A fault and where it happened: the innermost line of the program's own file.
pub fn fault(program: &Program, own: &str, fault: &Fault) -> String {
    let is_own = |site: &&Site| is_own(program, own, **site);
    let site = fault.stack.iter().find(is_own).or(fault.stack.first());
    match site {
        Some(&site) => format!("{} {}", kind(&fault.kind), place(program, own, site)),
        None => kind(&fault.kind),
    }
}

fn kind(kind: &FaultKind) -> String {
    use FaultKind::*;
    match kind {
        Null { access, .. } => format!("null {}", name(*access)),
        OutOfBounds { access, .. } => format!("out of bounds {}", name(*access)),
        UseAfterFree { access, .. } => format!("{} after free", name(*access)),
        Wild { access, .. } => format!("wild {}", name(*access)),
        DivisionByZero => "division by zero".to_owned(),
        DivisionOverflow => "division overflow".to_owned(),
        DoubleFree { .. } => "double free".to_owned(),
        InvalidCall { .. } => "invalid call".to_owned(),
        StackOverflow => "stack overflow".to_owned(),
        Abort => "abort".to_owned(),
        Assertion { .. } => "assertion".to_owned(),
        other => format!("{other:?}"),
    }
}

fn name(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

/// Why there may be more paths.
pub fn gap(program: &Program, own: &str, gap: &Gap) -> String {
    let at = |site: Site| place(program, own, site);
    match gap {
        Gap::Pinned { pin } => match pin.by {
            Some(by) => format!("pinned by {by} {}", at(pin.site)),
            None => format!("pinned {}", at(pin.site)),
        },
        Gap::Unknown { site, reason } => format!("unknown ({reason:?}) {}", at(*site)),
        Gap::Diverged { site } => format!("diverged {}", site.map(at).unwrap_or_default()),
        Gap::ManyValues { site } => format!("many values {}", at(*site)),
        Gap::Unsupported(what) => match &what.feature {
            Feature::Call(function) => format!("unsupported {function}"),
            other => format!("unsupported {other:?}"),
        },
        Gap::Exhausted(Bound::Steps) => "exhausted steps".to_owned(),
        other => format!("{other:?}"),
    }
}

fn is_own(program: &Program, own: &str, site: Site) -> bool {
    program.position(site).file.is_some_and(|file| file.ends_with(own))
}

/// A line of the program, or a file of the C runtime.
fn place(program: &Program, own: &str, site: Site) -> String {
    let position = program.position(site);
    match position.file {
        Some(file) if file.ends_with(own) => format!("at line {}", position.line),
        _ => format!("in {}", position.function),
    }
}
