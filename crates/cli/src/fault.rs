//! How the end of a run reads for people.

use std::fmt::Write;

use exec::Program;
use exec::stop::{
    Access, Bound, Fault, FaultKind, Feature, ObjectDescription, ObjectKind, Site, Stop,
};
use ir::{Module, Span};

/// How many calls of a stack are shown.
const SHOWN_CALLS: usize = 12;

/// What to say about a run that did not end by itself.
pub fn describe(program: &Program, stop: &Stop) -> Option<String> {
    match stop {
        Stop::Exit(_) => None,
        Stop::Signal(signal) => Some(format!("ripple: the program ended by signal {signal}")),
        Stop::Fault(fault) => Some(describe_fault(program, fault)),
        Stop::Unsupported(unsupported) => {
            let what = feature(&unsupported.feature);
            let place = unsupported.site.map(|site| format!(" at {}", position(program, site)));
            Some(format!("unsupported: {what}{}", place.unwrap_or_default()))
        }
        Stop::Exhausted(bound) => Some(format!("exhausted: {}", exhausted(*bound))),
    }
}

/// `file:line`, or as much of it as is known.
pub fn place(module: &Module, span: Span) -> String {
    let file = span.scope.and_then(|scope| module.files.get(module.scopes.get(scope)?.file));
    match file {
        Some(file) => format!("{}:{}", file.name, span.line),
        None => format!("line {}", span.line),
    }
}

fn position(program: &Program, site: Site) -> String {
    let position = program.position(site);
    match position.file {
        Some(file) => format!("{file}:{}", position.line),
        None => format!("function {}", position.function),
    }
}

fn describe_fault(program: &Program, fault: &Fault) -> String {
    let local = fault.allocated.and_then(|site| program.local_name(site));
    let mut text = format!("fault: {}", kind(&fault.kind, local));
    for (index, &site) in fault.stack.iter().take(SHOWN_CALLS).enumerate() {
        let place = program.position(site);
        let lead = if index == 0 { "at" } else { "called from" };
        let _ = write!(text, "\n  {lead} {} in {}", position(program, site), place.function);
        if index == 0
            && let Some(line) = source_line(&place)
        {
            let _ = write!(text, "\n      {line}");
        }
    }
    if fault.stack.len() > SHOWN_CALLS {
        let _ = write!(text, "\n  … and {} more calls", fault.stack.len() - SHOWN_CALLS);
    }
    for (site, what) in [(fault.allocated, "allocated"), (fault.freed, "freed")] {
        if let Some(site) = site {
            let function = program.position(site).function;
            let _ = write!(text, "\n  {what} at {} in {function}", position(program, site));
        }
    }
    text
}

/// The text of a source line, if the file is where the compiler found it.
fn source_line(position: &exec::program::Position) -> Option<String> {
    let text = std::fs::read(position.file.as_ref()?).ok()?;
    let line = text.split(|&byte| byte == b'\n').nth((position.line as usize).checked_sub(1)?)?;
    Some(String::from_utf8_lossy(line).trim().to_owned())
}

/// `local` is the name of the object concerned, if it is a local variable.
fn kind(kind: &FaultKind, local: Option<&str>) -> String {
    match kind {
        FaultKind::Null { access, size, .. } => {
            format!("{} of {size} bytes through a null pointer", name(*access))
        }
        FaultKind::OutOfBounds { access, offset, size, object } => format!(
            "{} of {size} bytes at offset {offset}, out of bounds of {}",
            name(*access),
            describe_object(object, local)
        ),
        FaultKind::UseAfterFree { access, offset, size, object } => format!(
            "{} of {size} bytes at offset {offset} of {} that is gone",
            name(*access),
            describe_object(object, local)
        ),
        FaultKind::Wild { access, address, size } => {
            format!("{} of {size} bytes at {address:#x}, where there is nothing", name(*access))
        }
        FaultKind::WriteToConstant { object } => {
            format!("write to constant memory, {}", describe_object(object, local))
        }
        FaultKind::DoubleFree { object } => {
            format!("double free of {}", describe_object(object, local))
        }
        FaultKind::InvalidFree { address } => {
            format!("free of {address:#x}, which is not the start of a heap block")
        }
        FaultKind::Overlap { size } => {
            format!("memcpy of {size} bytes between overlapping ranges")
        }
        FaultKind::Uninitialised { size: 0 } => {
            "read of a variable that was never written".to_owned()
        }
        FaultKind::Uninitialised { size } => {
            format!("read of {size} bytes that were never written")
        }
        FaultKind::DivisionByZero => "division by zero".to_owned(),
        FaultKind::DivisionOverflow => "division of the smallest integer by -1".to_owned(),
        FaultKind::InvalidCall { address } => {
            format!("call of {address:#x}, which is not a function")
        }
        FaultKind::InvalidJump { address } => {
            format!("goto to {address:#x}, which is not a label of the function")
        }
        FaultKind::InvalidLongjmp => "longjmp to a function that has returned".to_owned(),
        FaultKind::StackOverflow => "stack overflow".to_owned(),
        FaultKind::Unreachable => "control reached code declared unreachable".to_owned(),
        FaultKind::Trap => "trap".to_owned(),
        FaultKind::Abort => "abort".to_owned(),
        FaultKind::Assertion { message } => format!("assertion failed: {message}"),
        FaultKind::BufferOverflow => "buffer overflow found by the C library".to_owned(),
    }
}

fn name(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

fn describe_object(object: &ObjectDescription, local: Option<&str>) -> String {
    let kind = match object.kind {
        ObjectKind::Global => "the global variable",
        ObjectKind::Stack => "the local variable",
        ObjectKind::Heap => "a heap block",
        ObjectKind::System => "memory of the C library",
    };
    match object.name.as_deref().or(local) {
        Some(name) => format!("{kind} {name} of {} bytes", object.size),
        None => format!("{} of {} bytes", kind.replace("the local", "a local"), object.size),
    }
}

fn feature(feature: &Feature) -> String {
    match feature {
        Feature::Call(name) => format!("call of {name}"),
        Feature::Use { function, what } => format!("call of {function} with {what}"),
        Feature::Instruction(what) => what.clone(),
        Feature::Assembly(template) => format!("inline assembly `{}`", template.escape_debug()),
        Feature::Unreadable { function, reason } => {
            format!("the function {function}, whose code cannot be read ({reason})")
        }
        Feature::UndefinedGlobal(name) => format!("the undefined variable {name}"),
    }
}

fn exhausted(bound: Bound) -> &'static str {
    match bound {
        Bound::Steps => "the bound on instructions (--max-steps) was reached",
        Bound::Memory => "the bound on memory (--max-memory) was reached",
        Bound::Output => "the bound on output (--max-output) was reached",
        Bound::Depth => "the bound on the depth of calls (--max-depth) was reached",
    }
}
