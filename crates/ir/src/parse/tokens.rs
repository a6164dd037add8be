//! Single tokens that the parser expects.

use std::str::FromStr;

use base::entity::EntityRef;

use super::lexer::{SymbolName, Token};
use super::{ParseError, Parsed, Parser, handle_index};

impl<'t> Parser<'t> {
    pub(super) fn advance(&mut self) -> Parsed<()> {
        (self.token, self.line) = self.lexer.next()?;
        Ok(())
    }

    pub(super) fn error<T>(&self, reason: impl Into<String>) -> Parsed<T> {
        Err(ParseError { line: self.line, reason: reason.into() })
    }

    pub(super) fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match &self.token {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Text(_) => "a string".to_owned(),
            Token::Symbol(symbol) => format!("`@{}`", symbol.name),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::Arrow => "`->`".to_owned(),
            Token::Newline => "the end of the line".to_owned(),
            Token::End => "the end of the text".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    pub(super) fn end_of_line(&mut self) -> Parsed<()> {
        match self.token {
            Token::End => Ok(()),
            Token::Newline => self.advance(),
            _ => self.expected("the end of the line"),
        }
    }

    pub(super) fn eat(&mut self, mark: char) -> Parsed<bool> {
        let found = self.token == Token::Mark(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.eat(mark)? { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }

    pub(super) fn eat_keyword(&mut self, keyword: &str) -> Parsed<bool> {
        let found = self.token == Token::Word(keyword);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn keyword(&mut self, keyword: &str) -> Parsed<()> {
        if self.eat_keyword(keyword)? { Ok(()) } else { self.expected(&format!("`{keyword}`")) }
    }

    pub(super) fn word(&mut self, what: &str) -> Parsed<&'t str> {
        let Token::Word(word) = self.token else { return self.expected(what) };
        self.advance()?;
        Ok(word)
    }

    /// A word that names something.
    pub(super) fn one_of<T>(
        &mut self,
        from_name: impl Fn(&str) -> Option<T>,
        what: &str,
    ) -> Parsed<T> {
        let found = match self.token {
            Token::Word(word) => from_name(word),
            _ => None,
        };
        let Some(found) = found else { return self.expected(what) };
        self.advance()?;
        Ok(found)
    }

    pub(super) fn number<N: FromStr>(&mut self) -> Parsed<N> {
        let Token::Number(text) = self.token else { return self.expected("a number") };
        let Ok(number) = text.parse() else {
            return self.error(format!("`{text}` is not a number that fits here"));
        };
        self.advance()?;
        Ok(number)
    }

    pub(super) fn bytes(&mut self) -> Parsed<Vec<u8>> {
        let Token::Text(bytes) = &mut self.token else { return self.expected("a string") };
        let bytes = std::mem::take(bytes);
        self.advance()?;
        Ok(bytes)
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        let line = self.line;
        let bytes = self.bytes()?;
        String::from_utf8(bytes)
            .map_err(|_| ParseError { line, reason: "a string is not UTF-8".to_owned() })
    }

    /// A word or a string; empty if neither is there.
    pub(super) fn optional_name(&mut self) -> Parsed<String> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(word.to_owned())
            }
            Token::Text(_) => self.string(),
            _ => Ok(String::new()),
        }
    }

    pub(super) fn symbol_name(&mut self) -> Parsed<SymbolName> {
        let Token::Symbol(symbol) = &self.token else { return self.expected("a symbol") };
        let symbol = symbol.clone();
        self.advance()?;
        Ok(symbol)
    }

    /// The number of a handle with the prefix.
    pub(super) fn handle(&mut self, prefix: &str) -> Parsed<usize> {
        let index = match self.token {
            Token::Word(word) => handle_index(word, prefix),
            _ => None,
        };
        let Some(index) = index else { return self.expected(&format!("`{prefix}…`")) };
        self.advance()?;
        Ok(index as usize)
    }

    pub(super) fn entity<K: EntityRef>(&mut self, prefix: &str) -> Parsed<K> {
        self.handle(prefix).map(K::new)
    }

    /// Whether the token is a handle with the prefix.
    pub(super) fn at_handle(&self, prefix: &str) -> bool {
        matches!(self.token, Token::Word(word) if handle_index(word, prefix).is_some())
    }
}
