//! Walking into a type by indices, as `getelementptr` does, and adding up bytes.

use ir::{Type, TypeId, Types};

use crate::cursor::{Cursor, Parsed};

pub(crate) struct Steps {
    current: TypeId,
    first: bool,
    /// Bytes of all constant steps so far.
    pub bytes: i64,
}

impl Steps {
    pub fn new(source: TypeId) -> Steps {
        Steps { current: source, first: true, bytes: 0 }
    }

    /// A step by a known index.
    pub fn constant(&mut self, c: &Cursor<'_>, types: &Types, index: i64) -> Parsed<()> {
        if !self.first
            && let Type::Struct { fields, .. } = types.get(self.current)
        {
            let field = usize::try_from(index).ok().filter(|field| *field < fields.len());
            let offset = field.and_then(|field| types.field_offset(self.current, field));
            let (Some(field), Some(offset)) = (field, offset) else {
                return c.fault("a struct has no such field");
            };
            self.current = fields[field];
            self.bytes = self.bytes.wrapping_add(offset as i64);
            return Ok(());
        }
        let scale = self.variable(c, types)?;
        self.bytes = self.bytes.wrapping_add(index.wrapping_mul(scale));
        Ok(())
    }

    /// A step by an unknown index; yields the size to multiply it with.
    pub fn variable(&mut self, c: &Cursor<'_>, types: &Types) -> Parsed<i64> {
        let size = if self.first {
            self.first = false;
            types.layout(self.current).size
        } else {
            match types.get(self.current) {
                Type::Array { element, .. } => {
                    self.current = *element;
                    types.layout(*element).size
                }
                Type::Vector { element, .. } => {
                    self.current = *element;
                    types.lane_bits(*element) / 8
                }
                Type::Struct { .. } => {
                    return c.fault("a struct is indexed by something that is not a literal");
                }
                _ => return c.fault("a type without elements is indexed"),
            }
        };
        match i64::try_from(size) {
            Ok(size) => Ok(size),
            Err(_) => c.fault("a type is too large"),
        }
    }
}
