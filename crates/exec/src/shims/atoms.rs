//! Arguments and parts of streams that were declared as integers.
//!
//! The functions of the C runtime that turn text into numbers ask here first, so that such a
//! text need not be read digit by digit. In a run where nothing was declared, nothing is an
//! integer of that kind; a run with symbolic input gives its own answers.

use super::{Group, value};

pub(super) const SHIMS: Group = &[
    // (text, cell for the value) -> length of the text, or 0.
    ("__ripple_integer", |_, _| value(0)),
    // (stream, cell for the value) -> how many bytes were consumed, or 0.
    ("__ripple_integer_in", |_, _| value(0)),
];
