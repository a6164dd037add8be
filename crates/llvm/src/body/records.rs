//! Debug records: which local variable lives where, in both spellings.
//!
//! `call void @llvm.dbg.declare(metadata ptr %x, metadata !1, metadata !DIExpression()), !dbg !2`
//! and `#dbg_declare(ptr %x, !1, !DIExpression(), !2)` mean the same.

use ir::{Operand, Storage, Variable};

use super::BodyReader;
use crate::cursor::Parsed;
use crate::metadata::reference;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Declare,
    Value,
    Assign,
    Other,
}

/// The relevant arguments of a record.
#[derive(Default)]
struct Arguments<'t> {
    values: Vec<Option<Operand>>,
    /// The text of each argument.
    texts: Vec<&'t [u8]>,
}

impl<'t> BodyReader<'_, 't> {
    /// `#dbg_value(…)`.
    pub fn debug_record(&mut self) -> Parsed<()> {
        self.c.at += 1;
        let kind = match self.c.word_here() {
            b"dbg_declare" => Kind::Declare,
            b"dbg_value" => Kind::Value,
            b"dbg_assign" => Kind::Assign,
            word if word.starts_with(b"dbg_") => Kind::Other,
            _ => return self.c.expected("a debug record"),
        };
        let arguments = self.record_arguments(kind)?;
        let location = arguments.texts.last().and_then(|text| reference(text));
        self.note_variable(kind, &arguments, location);
        Ok(())
    }

    /// `@llvm.dbg.value(…)`, from the name on.
    pub fn debug_call(&mut self) -> Parsed<()> {
        let kind = match self.c.global_name()? {
            b"llvm.dbg.declare" => Kind::Declare,
            b"llvm.dbg.value" => Kind::Value,
            b"llvm.dbg.assign" => Kind::Assign,
            _ => Kind::Other,
        };
        let arguments = self.record_arguments(kind)?;
        self.call_attributes()?;
        let mut location = None;
        let mark = b", !dbg !";
        if self.c.text[self.c.at..].starts_with(mark) {
            let mut ahead = self.c;
            ahead.at += mark.len();
            location = ahead.number_u32().ok();
        }
        self.note_variable(kind, &arguments, location);
        Ok(())
    }

    fn record_arguments(&mut self, kind: Kind) -> Parsed<Arguments<'t>> {
        let mut arguments = Arguments::default();
        self.c.expect(b'(')?;
        if kind == Kind::Other {
            self.c.at -= 1;
            self.c.skip_group()?;
            return Ok(arguments);
        }
        loop {
            self.c.eat_word(b"metadata");
            self.c.space();
            let start = self.c.at;
            let value = self.record_value()?;
            arguments.values.push(value);
            arguments.texts.push(&self.c.text[start..self.c.at]);
            if !self.c.eat(b',') {
                self.c.expect(b')')?;
                return Ok(arguments);
            }
        }
    }

    /// A local value; anything else is passed over.
    fn record_value(&mut self) -> Parsed<Option<Operand>> {
        if self.c.peek() != b'!' {
            let ty = self.reader.types.read(&mut self.c)?;
            if self.c.peek() == b'%' {
                return self.operand(ty).map(Some);
            }
        }
        self.skip_metadata()?;
        Ok(None)
    }

    fn note_variable(&mut self, kind: Kind, arguments: &Arguments<'t>, location: Option<u32>) {
        let Some(variable) = arguments.texts.get(1).and_then(|text| reference(text)) else {
            return;
        };
        let storage = storage(kind, arguments);
        let Some(described) = self.reader.debug.variable(variable, location) else { return };
        let key = match storage {
            Storage::Memory(value) => (variable, described.scope, 0, value.as_u32()),
            Storage::Value(value) => (variable, described.scope, 1, value.as_u32()),
            _ => (variable, described.scope, 2, 0),
        };
        if self.noted.insert(key) {
            self.body.variables.push(Variable {
                name: described.name,
                ty: described.ty,
                scope: described.scope,
                line: described.line,
                parameter: described.parameter,
                storage,
            });
        }
    }
}

/// Where the variable is, if the record says so without further computation.
fn storage(kind: Kind, arguments: &Arguments<'_>) -> Storage {
    let plain = |index: usize| arguments.texts.get(index) == Some(&b"!DIExpression()".as_slice());
    let local = |index: usize| match arguments.values.get(index) {
        Some(Some(Operand::Value(value))) => Some(*value),
        _ => None,
    };
    match kind {
        Kind::Declare if plain(2) => local(0).map(Storage::Memory),
        Kind::Assign if plain(2) && plain(5) && local(4).is_some() => local(4).map(Storage::Memory),
        Kind::Value | Kind::Assign if plain(2) => local(0).map(Storage::Value),
        Kind::Value
            if arguments.texts.get(2) == Some(&b"!DIExpression(DW_OP_deref)".as_slice()) =>
        {
            local(0).map(Storage::Memory)
        }
        _ => None,
    }
    .unwrap_or(Storage::Unknown)
}
