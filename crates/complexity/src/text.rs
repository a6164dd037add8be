//! Functions and statements from source text alone, without a build.
//!
//! A lexer per family of languages, parsers that know only statement structure, the control flow of
//! statements, and the comparison of two versions of a file. Everything is tolerant: text that does
//! not parse costs the function it is in, never the file. Does not look at types, names or included
//! files.

pub mod compare;
pub mod declarations;
pub mod flow;
pub mod language;
pub mod syntax;
pub mod token;
pub mod unit;

mod expressions;
mod items;
mod lexer;
mod macros;
mod preprocessor;
mod python;
mod python_lexer;
mod rust;
mod statements;
