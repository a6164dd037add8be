//! The end of a run in words.

use std::fmt::Write;

use exec::Program;
use exec::stop::{Fault, Site, Stop};
use ir::{Module, Span};
use report::words;

/// The most calls of a stack to show.
const SHOWN_CALLS: usize = 12;

/// A description of an abnormal end.
pub fn describe(program: &Program, stop: &Stop) -> Option<String> {
    match stop {
        Stop::Exit(_) => None,
        Stop::Signal(signal) => Some(format!("ripple: the program was killed by signal {signal}")),
        Stop::Fault(fault) => Some(describe_fault(program, fault)),
        Stop::Unsupported(unsupported) => {
            let what = words::feature(&unsupported.feature);
            let place = unsupported.site.map(|site| format!(" at {}", position(program, site)));
            Some(format!("unsupported: {what}{}", place.unwrap_or_default()))
        }
        Stop::Exhausted(bound) => Some(format!("exhausted: {}", words::bound(*bound))),
    }
}

/// `file:line`, or the line if the file is unknown.
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
    let mut text = format!("fault: {}", words::fault(&fault.kind, local));
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

/// The text of a source line, if the file is still where the compiler found it.
fn source_line(position: &exec::program::Position) -> Option<String> {
    let text = std::fs::read(position.file.as_ref()?).ok()?;
    let line = text.split(|&byte| byte == b'\n').nth((position.line as usize).checked_sub(1)?)?;
    Some(String::from_utf8_lossy(line).trim().to_owned())
}
