//! Symbols of the start-up and shut-down code of a program, which have nothing to do here.

use super::{Group, answer, int};

pub(super) const SHIMS: Group = &[
    ("__cxa_finalize", |_, _| answer::nothing()),
    ("__gmon_start__", |_, _| answer::nothing()),
    ("_ITM_registerTMCloneTable", |_, _| answer::nothing()),
    ("_ITM_deregisterTMCloneTable", |_, _| answer::nothing()),
    ("__libc_init_first", |_, _| answer::nothing()),
    ("mtrace", |_, _| answer::nothing()),
    ("muntrace", |_, _| answer::nothing()),
    ("mcheck", |_, _| int(0)),
    ("malloc_trim", |_, _| int(0)),
    ("mallopt", |_, _| int(1)),
    ("malloc_stats", |_, _| answer::nothing()),
];
