//! Symbols of the start-up and shut-down code of a program, which have nothing to do here.

use super::{Group, answer, int};

pub(super) const SHIMS: Group = &[
    (
        "__cxa_finalize __gmon_start__ _ITM_registerTMCloneTable _ITM_deregisterTMCloneTable \
         __libc_init_first mtrace muntrace malloc_stats",
        |_, _| answer::nothing(),
    ),
    ("mcheck malloc_trim", |_, _| int(0)),
    ("mallopt", |_, _| int(1)),
];
