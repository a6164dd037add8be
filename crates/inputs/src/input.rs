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

/// An input that a user wrote down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    pub name: Option<String>,
    pub input: Input,
}
