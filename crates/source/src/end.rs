//! How native programs end. `run` has what they did before.

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signaled(i32),
    /// The time limit was hit; says nothing about what the program would have done.
    TimedOut,
    /// The output limit was hit.
    OutputLimit,
    /// All processes of the run together exceeded the memory limit.
    MemoryLimit,
    /// It reached a symbol that nothing defines; says nothing about what a whole program would do.
    Undefined,
}

impl End {
    /// The exit status that a shell shows; `None` if the program was stopped early.
    pub fn status(self) -> Option<i32> {
        match self {
            End::Exited(code) => Some(code & 0xff),
            End::Signaled(signal) => Some(128 + signal),
            End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined => None,
        }
    }
}
