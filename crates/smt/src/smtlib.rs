//! SMT-LIB 2: reads and writes queries as text.
//!
//! Reads the commands of QF_BV, QF_ABV, QF_UFBV and of QF_FP with single and double precision
//! rounded to nearest even. Everything else is a named error with its line.

mod answer;
mod elaborate;
mod floats;
mod operators;
mod print;
mod script;
mod sexpr;
#[cfg(test)]
mod tests;
mod values;

pub use self::answer::{ExternalAnswer, read_answer};
pub use self::print::{condition_text, print_definitions, print_question};
pub use self::script::run;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmtLibError {
    #[error("line {line}: a parenthesis closes nothing")]
    Unopened { line: u32 },
    #[error("line {line}: a parenthesis is never closed")]
    Unclosed { line: u32 },
    #[error("line {line}: {what} has no end")]
    Unterminated { line: u32, what: &'static str },
    #[error("line {line}: a command is expected, not `{found}`")]
    NoCommand { line: u32, found: String },
    #[error("line {line}: `{command}` should look like `{form}`")]
    Malformed { line: u32, command: String, form: &'static str },
    #[error("line {line}: `{found}` is no {wanted}")]
    NotA { line: u32, found: String, wanted: &'static str },
    #[error("line {line}: `{name}` is not declared")]
    Undeclared { line: u32, name: String },
    #[error("line {line}: `{name}` is declared twice")]
    Redeclared { line: u32, name: String },
    #[error("line {line}: `{operator}` does not take these arguments: {given}")]
    WrongArguments { line: u32, operator: String, given: String },
    #[error("line {line}: {what} is not supported")]
    Unsupported { line: u32, what: String },
    #[error("line {line}: there is no model: the last answer was not `sat`")]
    NoModel { line: u32 },
    #[error("line {line}: there are fewer than {count} levels to pop")]
    EmptyStack { line: u32, count: u64 },
}
