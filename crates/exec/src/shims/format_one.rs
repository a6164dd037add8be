//! Formatting for the C runtime: what its own `snprintf` does not do.
//!
//! The runtime formats integers, characters and strings itself, so that what they depend on can
//! be followed. One conversion of a floating point number or of wide characters is asked for
//! here, and so is a whole format that numbers its arguments or has unknown conversions.

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
