//! Requests of a user for something that does not exist.

use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    #[error("the program has no file `{0}`")]
    NoSuchFile(String),
    #[error("no file of the program has a statement")]
    NoStatements,
    #[error("`{file}` has no statement on line {line}; the nearest is on line {nearest}")]
    NoStatement { file: String, line: u32, nearest: u32 },
    #[error("several files have a line {line}; write FILE:{line} with one of {}", .files.join(", "))]
    Ambiguous { line: u32, files: Vec<String> },
    #[error("line {line} has nothing to do with a variable `{variable}`{}", known(.variables))]
    NoSuchVariable { line: u32, variable: String, variables: Vec<String> },
    #[error("the program has no function `{0}` with code")]
    NoSuchFunction(String),
}

fn known(variables: &[String]) -> String {
    if variables.is_empty() {
        String::new()
    } else {
        format!("; it has to do with {}", variables.join(", "))
    }
}
