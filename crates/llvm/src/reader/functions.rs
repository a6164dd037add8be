//! Headers of functions: linkage, types, parameters and their attributes.

use ir::{ByVal, FuncId, Param, TypeId};
use memchr::{memchr, memmem};

use super::Reader;
use super::globals::linkage;
use crate::cursor::{Cursor, Parsed, numeric, text_of};
use crate::types::at_type;
use crate::words::is_value_word;

/// The parts of the header that the body needs.
pub(crate) struct Header<'t> {
    /// The parameters' names in the text; those without one are numbered.
    pub names: Vec<Option<&'t [u8]>>,
}

/// The attributes of a parameter or argument that matter.
#[derive(Default)]
pub(crate) struct Attributes {
    byval: Option<TypeId>,
    align: Option<u64>,
}

impl<'t> Reader<'t> {
    /// Reads the text between `define` or `declare` and the body.
    pub fn header(&mut self, id: FuncId, mut c: Cursor<'t>) -> Parsed<Header<'t>> {
        while !at_type(&mut c) {
            let word = c.peek_word();
            if let Some(linkage) = linkage(word) {
                self.functions[id].linkage = linkage;
            }
            c.skip_attribute()?;
        }
        self.functions[id].returns = self.types.read(&mut c)?;
        c.global_name()?;
        c.expect(b'(')?;
        let names = self.parameters(id, &mut c)?;
        self.describe_function(id, c);
        Ok(Header { names })
    }

    fn parameters(&mut self, id: FuncId, c: &mut Cursor<'t>) -> Parsed<Vec<Option<&'t [u8]>>> {
        let mut names = Vec::new();
        if c.eat(b')') {
            return Ok(names);
        }
        loop {
            if c.peek() == b'.' {
                c.word_here();
                self.functions[id].variadic = true;
            } else {
                let ty = self.types.read(c)?;
                let attributes = self.attributes(c)?;
                let name = if c.peek() == b'%' { Some(c.local_name()?) } else { None };
                let shown = name.filter(|name| numeric(name).is_none()).map(text_of);
                let byval = self.byval(&attributes);
                let param = Param { ty, name: shown.unwrap_or_default(), byval };
                self.functions[id].params.push(param);
                names.push(name);
            }
            if !c.eat(b',') {
                c.expect(b')')?;
                return Ok(names);
            }
        }
    }

    /// Takes name, type and position of the source from the attached `!dbg`.
    fn describe_function(&mut self, id: FuncId, c: Cursor<'t>) {
        let rest = &c.text[c.at..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let Some(found) = memmem::find(line, b"!dbg !") else { return };
        let mut number = Cursor::new(line, found + 6);
        let described = number.number_u32().ok().and_then(|node| self.debug.subprogram(node));
        if let Some(described) = described {
            let function = &mut self.functions[id];
            function.source_name = Some(described.name);
            function.debug_type = described.ty;
            function.span = described.span;
        }
    }

    /// Attributes up to the value, the comma or the parenthesis behind them.
    pub fn attributes(&mut self, c: &mut Cursor<'t>) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            match c.peek() {
                b'"' | b'#' => {
                    c.skip_attribute()?;
                    continue;
                }
                b'c' if c.byte_at(1) == b'"' => return Ok(attributes),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
                _ => return Ok(attributes),
            }
            match c.peek_word() {
                b"byval" => {
                    c.word_here();
                    c.expect(b'(')?;
                    attributes.byval = Some(self.types.read(c)?);
                    c.expect(b')')?;
                }
                b"align" => {
                    c.word_here();
                    let bracket = c.eat(b'(');
                    let align = c.number()?;
                    attributes.align = align.is_power_of_two().then_some(align);
                    if bracket {
                        c.expect(b')')?;
                    }
                }
                word if is_value_word(word) => return Ok(attributes),
                _ => c.skip_attribute()?,
            }
        }
    }

    pub fn byval(&self, attributes: &Attributes) -> Option<ByVal> {
        let layout = self.types.types.layout(attributes.byval?);
        Some(ByVal { size: layout.size, align: attributes.align.unwrap_or(layout.align) })
    }
}
