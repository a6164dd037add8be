//! Formatting for the C runtime: what its own `snprintf` does not do.
//!
//! The runtime formats integers, characters and strings itself, so that their dependences can be
//! followed. It calls here for one conversion of a floating-point number or of wide characters, and
//! for a whole format with numbered arguments or unknown conversions.

use super::Group;
use super::print::{list, to_buffer, variable};

pub(super) const SHIMS: Group = &[
    // (buffer, size, conversion, ...), as `snprintf`.
    ("__ripple_format_one", |state, args| {
        to_buffer(state, args.word(0), args.word(1), args.word(2), variable(args))
    }),
    // (buffer, size, format, list), as `vsnprintf`.
    ("__ripple_format_list", |state, args| {
        to_buffer(state, args.word(0), args.word(1), args.word(2), list(args, 3))
    }),
];
