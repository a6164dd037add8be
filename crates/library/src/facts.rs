//! Facts about a function besides its effect on memory.

/// A plain fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Its result depends on its arguments alone. It exists in other widths, too.
    Pure,
    /// It writes output, in ways that no [`Handling`] describes.
    PutsOut,
    /// It flushes buffered bytes of streams into their files.
    Settles,
    /// It opens a file.
    Opens,
    /// It returns a new stream or directory.
    MakesStream,
    /// Its result is not part of the input: it depends on the machine, the system or the clock.
    Machine,
    /// It lets the program read what is written to standard output.
    Redirects,
    /// It returns a block of zeros.
    Zeroes,
    /// A program that brings its own allocator replaces it.
    Heap,
    /// It starts a thread or a process, or calls a function that was kept.
    Unstructured,
}

/// What a call does with values that depend on the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    /// Formats and prints.
    PrintTo(To),
    /// Writes the byte in its first argument.
    PutByte(To),
    /// Writes bytes: which arguments are address, size and count.
    PutBytes { address: usize, size: usize, count: Option<usize>, to: To },
    /// Writes a string.
    PutString(To),
    /// Reads a byte from the stream in an argument, or from standard input.
    GetByte(Option<usize>),
    /// Pushes a byte back to the stream in its second argument.
    UngetByte,
    /// Reads into a buffer: which argument.
    Read(usize),
    /// Returns the size of a file.
    Size,
    /// Seeks in a file, maybe to its end.
    Seek,
    /// Ends the program with its first argument as status.
    Status,
    /// A function of math.h: how many arguments, and their width.
    Math { arguments: usize, width: u32 },
    /// The integer that a command-line argument was declared as.
    Integer,
    /// The same for an integer in a file.
    IntegerIn,
    /// Uses values in ways that leave no trace.
    Harmless,
}

/// Where output goes, by the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    Stdout,
    Stream(usize),
    Descriptor(usize),
}

/// An argument that points to as many elements as another one says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    pub pointer: usize,
    pub length: usize,
}

/// What a variable of the C library holds when a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartVariable {
    Environment,
    /// The program's name, with and without directories.
    Name,
    ShortName,
    /// Standard input, output or error.
    Stream(u32),
}

impl StartVariable {
    pub fn named(name: &str) -> Option<StartVariable> {
        Some(match name {
            "environ" | "__environ" | "_environ" => StartVariable::Environment,
            "program_invocation_name" | "__progname_full" => StartVariable::Name,
            "program_invocation_short_name" | "__progname" => StartVariable::ShortName,
            "stdin" => StartVariable::Stream(0),
            "stdout" => StartVariable::Stream(1),
            "stderr" => StartVariable::Stream(2),
            _ => return None,
        })
    }
}
