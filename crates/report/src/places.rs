//! Places in the source and faults at them, in the style of a compiler.

use std::fmt::Write;

use effects::trial::{Fault, Place};

use crate::printable::{printable, source_line};
use crate::words;

/// The most calls of a stack to show.
const SHOWN_CALLS: usize = 8;

/// A fault to show.
#[derive(Clone, Copy)]
pub(crate) struct FaultAt<'a>(pub &'a Fault);

/// `file:line`, or as much of it as is known.
pub(crate) fn position(place: &Place) -> String {
    let file = place.file.as_ref().map(|file| printable(file.as_bytes()));
    match file {
        Some(file) if place.in_library => format!("{} of the C library ({file})", place.function),
        Some(file) => format!("{file}:{}", place.line),
        None => format!("the function {}", place.function),
    }
}

impl FaultAt<'_> {
    /// The innermost place in the user's code.
    pub fn blamed(&self) -> Option<&Place> {
        blamed(&self.0.stack)
    }

    /// The width of the line numbers.
    pub fn width(&self) -> usize {
        self.blamed().map_or(1, |place| place.line.to_string().len())
    }

    pub fn message(&self) -> String {
        printable(words::fault(&self.0.kind, self.0.local.as_deref()).as_bytes())
    }

    /// The place of the fault and the calls that lead there, without its message.
    pub fn write(&self, text: &mut String, indent: &str) {
        let (blamed, width) = (self.blamed(), self.width());
        if let Some(place) = blamed {
            write_excerpt(text, place, width, indent);
        }
        let mut note = |words: &str| {
            let _ = writeln!(text, "{indent}{:width$} = {words}", "");
        };
        let own = self.0.stack.iter().position(|place| Some(place) == blamed).unwrap_or(0);
        for place in self.0.stack.get(..own).unwrap_or_default() {
            note(&format!("inside of {}", place.function));
        }
        let callers = self.0.stack.get(own + 1..).unwrap_or_default();
        for place in callers.iter().take(SHOWN_CALLS) {
            note(&format!("called from {} in {}", position(place), place.function));
        }
        if callers.len() > SHOWN_CALLS {
            note(&format!("and {} more calls", callers.len() - SHOWN_CALLS));
        }
        // The declaration of a local variable is not worth a line.
        let allocated = self.0.allocated.as_ref().filter(|_| self.0.local.is_none());
        for (place, what) in [(allocated, "allocated"), (self.0.freed.as_ref(), "freed")] {
            if let Some(place) = place.filter(|place| !place.in_library) {
                note(&format!("{what} at {} in {}", position(place), place.function));
            }
        }
    }
}

/// The innermost place in the user's code.
pub(crate) fn blamed(stack: &[Place]) -> Option<&Place> {
    stack.iter().find(|place| !place.in_library).or(stack.first())
}

/// The line with a mark under the column.
fn write_excerpt(text: &mut String, place: &Place, width: usize, indent: &str) {
    let column = match place.column {
        0 => String::new(),
        column => format!(":{column}"),
    };
    let at = position(place);
    let _ = writeln!(text, "{indent}{:width$}--> {at}{column} in {}", "", place.function);
    let Some(line) = &place.text else { return };
    let _ = writeln!(text, "{indent}{:width$} |", "");
    let _ = writeln!(text, "{indent}{} | {}", place.line, source_line(line));
    if place.column > 0 {
        let _ = writeln!(text, "{indent}{:width$} | {:>2$}", "", "^", place.column as usize);
    }
}
