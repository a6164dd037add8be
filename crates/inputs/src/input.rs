//! Concrete inputs: the input of one run.

/// The input of a program, or of one function of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Without the program's name.
    pub args: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    /// Files of the working directory by name, in the order of their declaration.
    pub files: Vec<(String, Vec<u8>)>,
    /// Parameters of the entry function by name, in order.
    pub params: Vec<(String, Value)>,
    pub globals: Vec<(String, Value)>,
}

/// The value of a parameter or global variable. A pointer is shown as what it points to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of integer, enumeration or boolean type.
    Int(i128),
    /// A finite number that is exactly a `double`.
    Float(f64),
    /// The bits of a scalar that is neither a finite `double` nor an integer of 64 bits.
    Bits(u128),
    /// A string, a buffer or array of characters, or the memory of a union.
    Bytes(Vec<u8>),
    /// Elements of an array, or of the buffer behind a pointer.
    Array(Vec<Value>),
    Struct(Vec<(String, Value)>),
    Null,
    /// An address in the memory that another parameter, or another member of the same struct,
    /// points to: this many elements after its start.
    Inside {
        of: String,
        offset: u64,
    },
    /// The address of a function, by its name.
    Function(String),
}

/// An input that a user wrote down, or that was recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    pub name: Option<String>,
    pub input: Input,
    pub setting: Setting,
}

/// What a recorded run had besides its input. Searches do not vary it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// The program's own name, as it was called.
    pub program: Option<Vec<u8>>,
    /// Environment variables and their values.
    pub environment: Vec<(String, Vec<u8>)>,
    /// The working directory, relative to the directory that holds all files; empty if they are
    /// the same.
    pub directory: String,
    /// Files outside of the working directory: their names begin with `..`.
    pub outside: Vec<(String, Vec<u8>)>,
    /// Directories that exist even if no file is in them.
    pub directories: Vec<String>,
    /// Permission bits of files that do not have the usual ones.
    pub modes: Vec<(String, u32)>,
    /// What the program did.
    pub expected: Option<Expected>,
    /// Why this is less than what the program was given.
    pub flaws: Vec<String>,
}

impl Setting {
    /// Whether a run of the input alone is like the recorded one, but for the program's name.
    pub fn is_usual(&self) -> bool {
        let Setting { program: _, environment, directory, outside, .. } = self;
        let Setting { directories, modes, expected: _, flaws, .. } = self;
        environment.is_empty()
            && directory.is_empty()
            && outside.is_empty()
            && directories.is_empty()
            && modes.is_empty()
            && flaws.is_empty()
    }
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub end: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Status(i32),
    Signal(i32),
}

impl Ending {
    /// The exit status that a shell shows.
    pub fn status(self) -> i32 {
        match self {
            Ending::Status(status) => status & 0xff,
            Ending::Signal(signal) => 128 + signal,
        }
    }
}
