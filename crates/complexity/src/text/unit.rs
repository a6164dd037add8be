//! A file of one version, ready for queries: tokens, brackets, macros, functions, declarations.
//!
//! Does not parse statements; see [`Unit::parse`] for one function.

use std::collections::BTreeMap;
use std::ops::Range;

use super::items;
use super::language::Language;
use super::lexer::lex;
use super::macros::Macros;
use super::preprocessor::{Preference, resolve};
use super::statements::Parser;
use super::syntax::{Function, Tree};
use super::token::{Brackets, Kind, Token};
use super::{python, python_lexer};

/// Something at file scope, or in a class, that is no function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub kind: DeclarationKind,
    pub name: String,
    pub tokens: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeclarationKind {
    Macro,
    /// A variable, a constant or a field.
    Variable,
    /// A type with its members.
    Type,
    /// A function without a body.
    Prototype,
    /// Something that only introduces names.
    Import,
    Other,
}

/// A text split into tokens, with its functions and declarations.
#[derive(Debug)]
pub struct Unit<'t> {
    pub text: &'t str,
    pub language: Language,
    pub tokens: Vec<Token>,
    pub brackets: Brackets,
    pub macros: Macros,
    /// In the order of the text; nested functions come after the enclosing one.
    pub functions: Vec<Function>,
    pub declarations: Vec<Declaration>,
    /// Nested functions: first token → token after the last.
    holes: BTreeMap<usize, usize>,
}

impl<'t> Unit<'t> {
    pub fn new(text: &'t str, language: Language) -> Unit<'t> {
        if language == Language::Python {
            let tokens = python_lexer::lex(text);
            let brackets = Brackets::of(&tokens);
            let mut unit = Unit::bare(text, language, tokens, brackets);
            python::find_functions(&mut unit);
            return unit;
        }
        let tokens = lex(text, language);
        if !language.has_preprocessor() {
            return Unit::with_tokens(text, language, tokens);
        }
        let first = resolve(tokens.clone(), text, Preference::First);
        let unit = Unit::with_tokens(text, language, first);
        if unit.brackets.strays.is_empty() {
            return unit;
        }
        let last = resolve(tokens, text, Preference::Last);
        let other = Unit::with_tokens(text, language, last);
        if other.brackets.strays.len() < unit.brackets.strays.len() { other } else { unit }
    }

    fn bare(text: &'t str, language: Language, tokens: Vec<Token>, brackets: Brackets) -> Unit<'t> {
        let macros =
            if language.has_preprocessor() { Macros::of(&tokens, text) } else { Macros::default() };
        Unit {
            text,
            language,
            tokens,
            brackets,
            macros,
            functions: Vec::new(),
            declarations: Vec::new(),
            holes: BTreeMap::new(),
        }
    }

    fn with_tokens(text: &'t str, language: Language, tokens: Vec<Token>) -> Unit<'t> {
        let brackets = Brackets::of(&tokens);
        let mut unit = Unit::bare(text, language, tokens, brackets);
        items::find(&mut unit);
        unit
    }

    /// Adds a function, in any order of the text.
    pub(super) fn add_function(&mut self, function: Function) {
        self.functions.push(function);
    }

    /// Adds the function `<module>` of the statements outside of functions.
    pub(super) fn add_module(&mut self) {
        let end = self.tokens.len();
        self.add_function(Function {
            name: "<module>".to_owned(),
            container: String::new(),
            head: 0..0,
            body: 0..end,
            hole: end..end,
            first_line: 1,
            last_line: self.line(end),
            local: false,
            problem: None,
        });
    }

    /// Call it when all functions are there.
    pub(super) fn settle(&mut self) {
        self.functions.sort_by_key(|f| (f.hole.start, std::cmp::Reverse(f.hole.end)));
        self.holes = self.functions.iter().map(|f| (f.hole.start, f.hole.end)).collect();
    }

    /// The end of the nested function that begins at a token.
    pub(super) fn hole_at(&self, token: usize) -> Option<usize> {
        self.holes.get(&token).copied()
    }

    pub fn word(&self, index: usize) -> &'t str {
        match self.tokens.get(index) {
            Some(token) if token.kind == Kind::Word => token.text(self.text),
            _ => "",
        }
    }

    pub fn token_text(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    pub fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    pub fn is(&self, index: usize, punct: u8) -> bool {
        self.kind(index) == Some(Kind::Punct(punct))
    }

    pub fn line(&self, index: usize) -> u32 {
        let last = || self.tokens.last().map_or(1, |token| token.line);
        self.tokens.get(index).map_or_else(last, |token| token.line)
    }

    /// The tokens of a function without those of nested functions.
    pub fn own_tokens(&self, function: &Function) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut start = function.body.start;
        while start < function.body.end
            && let Some((&hole, &end)) = self.holes.range(start..function.body.end).next()
        {
            ranges.push(start..hole);
            start = end.max(hole + 1);
        }
        ranges.push(start..function.body.end.max(start));
        ranges
    }

    /// Parses the statements of a function.
    pub fn parse(&self, function: &Function) -> Tree {
        match self.language {
            Language::Python => python::parse(self, function),
            _ => Parser::new(self, function).run(function),
        }
    }
}
