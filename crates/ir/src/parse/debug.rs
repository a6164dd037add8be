//! Reads files, scopes and source-level types.

use std::str::FromStr;

use super::lexer::Token;
use super::{Parsed, Parser, handle_index};
use crate::{
    DebugMember, DebugType, DebugTypeId, Encoding, FileId, Qualifier, Scope, SourceFile, Span,
};

impl Parser<'_> {
    /// `file0 = …`, `scope0 = …` or `d0 = …`; the handle has been read.
    pub(super) fn debug_definition(&mut self, handle: &str) -> Parsed<()> {
        self.mark('=')?;
        if let Some(index) = handle_index(handle, "file") {
            self.in_order(index, self.module.files.len())?;
            let (directory, name) = (self.string()?, self.string()?);
            let in_archive = self.eat_keyword("archive")?;
            let file = SourceFile { directory, name, in_archive };
            self.module.files.push(file);
        } else if let Some(index) = handle_index(handle, "scope") {
            self.in_order(index, self.module.scopes.len())?;
            let scope = self.scope()?;
            self.module.scopes.push(scope);
        } else if let Some(index) = handle_index(handle, "d") {
            self.in_order(index, self.module.debug_types.len())?;
            let ty = self.debug_type()?;
            self.module.debug_types.push(ty);
        } else {
            return self.error(format!("`{handle}` does not start a definition"));
        }
        self.end_of_line()
    }

    fn in_order(&self, index: u32, next: usize) -> Parsed<()> {
        if index as usize == next {
            Ok(())
        } else {
            self.error("handles are defined in order, without gaps")
        }
    }

    fn scope(&mut self) -> Parsed<Scope> {
        let at = self.line;
        let file: FileId = self.entity("file")?;
        self.files.note(file, at);
        self.mark(':')?;
        let line = self.number()?;
        let parent = if self.eat_keyword("in")? { Some(self.scope_id()?) } else { None };
        let function = if self.eat_keyword("function")? { Some(self.string()?) } else { None };
        let inlined_at: Option<Span> =
            if self.eat_keyword("inlined")? { Some(self.span()?) } else { None };
        Ok(Scope { file, line, parent, function, inlined_at })
    }

    fn debug_type(&mut self) -> Parsed<DebugType> {
        match self.word("a kind of type")? {
            "void" => Ok(DebugType::Void),
            "base" => Ok(DebugType::Base {
                name: self.string()?,
                bits: self.number()?,
                encoding: self.one_of(Encoding::from_name, "an encoding")?,
            }),
            "pointer" => Ok(DebugType::Pointer { to: self.optional_type()? }),
            "struct" => {
                let (name, bits, members) = self.composite()?;
                Ok(DebugType::Struct { name, bits, members })
            }
            "union" => {
                let (name, bits, members) = self.composite()?;
                Ok(DebugType::Union { name, bits, members })
            }
            "array" => {
                let element = self.optional_type()?;
                let lengths = self.until_newline(Self::optional_number)?;
                Ok(DebugType::Array { element, lengths })
            }
            "enum" => {
                let (name, bits) = (self.string()?, self.number()?);
                let enumerators = self.block(|parser| Ok((parser.string()?, parser.number()?)))?;
                Ok(DebugType::Enum { name, bits, enumerators })
            }
            "typedef" => Ok(DebugType::Typedef { name: self.string()?, to: self.optional_type()? }),
            "qualified" => Ok(DebugType::Qualified {
                qualifier: self.one_of(Qualifier::from_name, "a qualifier")?,
                to: self.optional_type()?,
            }),
            "function" => {
                let returns = self.optional_type()?;
                let params = self.until_newline(Self::optional_type)?;
                Ok(DebugType::Function { returns, params })
            }
            "other" => Ok(DebugType::Other { tag: self.string()?, name: self.string()? }),
            kind => self.error(format!("`{kind}` is not a kind of type")),
        }
    }

    fn composite(&mut self) -> Parsed<(String, u64, Vec<DebugMember>)> {
        let (name, bits) = (self.string()?, self.number()?);
        let members = self.block(|parser| {
            Ok(DebugMember {
                name: parser.string()?,
                ty: parser.optional_type()?,
                offset: parser.number()?,
                bits: parser.number()?,
                bit_field: parser.eat_keyword("bit_field")?,
            })
        })?;
        Ok((name, bits, members))
    }

    /// Lines in braces.
    fn block<T>(&mut self, mut line: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.mark('{')?;
        self.end_of_line()?;
        let mut lines = Vec::new();
        while !self.eat('}')? {
            lines.push(line(self)?);
            self.end_of_line()?;
        }
        Ok(lines)
    }

    fn until_newline<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !matches!(self.token, Token::Newline | Token::End) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn optional_type(&mut self) -> Parsed<Option<DebugTypeId>> {
        Ok(if self.eat_keyword("none")? { None } else { Some(self.debug_type_id()?) })
    }

    fn optional_number<N: FromStr>(&mut self) -> Parsed<Option<N>> {
        Ok(if self.eat_keyword("none")? { None } else { Some(self.number()?) })
    }
}
