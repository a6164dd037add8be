//! Inline assembly for x86-64: from template and constraints to a small program, and its run.
//!
//! A template is processed as by a compiler: operands get registers, the template is expanded to
//! text in AT&T syntax, and the text is assembled, here to [`Op`]s instead of bytes. Supports
//! integer instructions on general registers, flags and memory. Labels are allowed, but no jumps;
//! no stack, no vector or float registers, no Intel syntax. One unknown part makes the whole
//! template unknown ([`assemble`] gives `None`).

mod arithmetic;
mod constraint;
mod execute;
mod flags;
mod instruction;
mod operand;
mod register;
mod template;

#[cfg(test)]
mod tests;

pub use execute::Surroundings;
pub use flags::{Condition, Flags};
pub use operand::{Address, Operand};
pub use register::{Register, Size};
pub use template::is_inert;

use ir::Asm;

/// An argument of an assembly statement, for the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Width of an integer or a pointer: 1 to 64.
    pub bits: u32,
    /// The value, if it is known before the run.
    pub constant: Option<u64>,
}

/// An assembled template.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// Which registers start with which arguments.
    inputs: Vec<Input>,
    ops: Vec<Op>,
    outputs: Vec<Output>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Input {
    register: u8,
    argument: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Register { register: u8, bits: u32 },
    Flag(Condition),
}

/// Assembles a template whose results are integers or pointers of the given widths.
pub fn assemble(asm: &Asm, results: &[u32], arguments: &[Argument]) -> Option<Code> {
    let binding = constraint::bind(&asm.constraints, results, arguments)?;
    let text = template::expand(&asm.template, &binding.operands)?;
    let mut ops = Vec::new();
    for statement in template::statements(&text)? {
        if !(template::is_inert_statement(&statement) || template::is_barrier(&statement)) {
            ops.push(instruction::assemble(&statement)?);
        }
    }
    ops.extend(binding.stores);
    Some(Code { inputs: binding.inputs, ops, outputs: binding.outputs })
}

/// One instruction. `to` is read and written, `from` only read.
#[rustfmt::skip] // One operation a line.
#[derive(Clone, Debug, PartialEq)]
enum Op {
    Move { to: Operand, from: Operand, size: Size },
    Extend { to: Operand, to_size: Size, from: Operand, from_size: Size, signed: bool },
    Exchange { to: Operand, with: Operand, size: Size },
    ExchangeAdd { to: Operand, with: Operand, size: Size },
    CompareExchange { to: Operand, from: Operand, size: Size },
    Arithmetic { op: Arithmetic, to: Operand, from: Operand, size: Size },
    Single { op: Single, to: Operand, size: Size },
    Shift { op: Shift, to: Operand, count: Operand, size: Size },
    DoubleShift { left: bool, to: Operand, from: Operand, count: Operand, size: Size },
    Multiply { to: Operand, a: Operand, b: Operand, size: Size },
    /// Multiplication and division over the registers `ax` and `dx`.
    Wide { op: Wide, by: Operand, size: Size },
    Scan { op: Scan, to: Operand, from: Operand, size: Size },
    BitTest { op: BitTest, to: Operand, index: Operand, size: Size },
    LoadAddress { to: Operand, address: Address, size: Size },
    ConditionalMove { condition: Condition, to: Operand, from: Operand, size: Size },
    SetCondition { condition: Condition, to: Operand },
    /// The lower half of `ax`, extended to the size.
    WidenAccumulator { size: Size },
    /// The sign of `ax` in all bits of `dx`.
    SpreadSign { size: Size },
    Carry(Carry),
    String { op: StringOp, size: Size, repeat: Repeat },
    /// Answers of a processor without any extension: zeros in these registers.
    Zeros(&'static [u8]),
    TimeStamp { processor: bool },
    Trap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    Add,
    AddCarry,
    Subtract,
    SubtractBorrow,
    And,
    Or,
    Xor,
    /// As `Subtract`, without a result.
    Compare,
    /// As `And`, without a result.
    Test,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Single {
    Increment,
    Decrement,
    Negate,
    Not,
    SwapBytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shift {
    Left,
    LogicalRight,
    ArithmeticRight,
    RotateLeft,
    RotateRight,
    RotateCarryLeft,
    RotateCarryRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wide {
    Multiply,
    SignedMultiply,
    Divide,
    SignedDivide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scan {
    Forward,
    Reverse,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitTest {
    Keep,
    Set,
    Reset,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carry {
    Clear,
    Set,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringOp {
    Move,
    Store,
    Load,
    Scan,
    Compare,
}

/// How often a string operation repeats: `cx` times, comparisons until they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeat {
    Once,
    WhileEqual,
    WhileDifferent,
}
