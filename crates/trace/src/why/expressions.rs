//! The name of a pointer, from the instructions that compute it.
//!
//! Variables, members and elements that the source reaches through pointers: `at->next->weight`.
//! Does not say which element it is. Gives nothing for pointers computed in other ways.

use ir::{Body, DebugType, DebugTypeId, InstId, Module, Op, Operand, Storage, ValueId};

use crate::parts::{Part, part, plain, size_of};

/// The longest chain of pointers that is followed.
const DEEPEST: usize = 8;

/// A name and the type of what it names.
type Named = (String, Option<DebugTypeId>);

pub(super) struct Expressions<'a> {
    module: &'a Module,
    body: &'a Body,
}

impl<'a> Expressions<'a> {
    pub fn new(module: &'a Module, body: &'a Body) -> Expressions<'a> {
        Expressions { module, body }
    }

    /// The name of the memory at an address.
    pub fn lvalue(&self, address: Operand, size: u64) -> Option<Named> {
        self.at(address, size, 0)
    }

    fn definition(&self, value: ValueId) -> Option<InstId> {
        let mut insts = self.body.insts.iter();
        insts.find(|(_, inst)| inst.result == Some(value)).map(|(id, _)| id)
    }

    fn op(&self, operand: Operand) -> Option<&'a Op> {
        let Operand::Value(value) = operand else { return None };
        Some(&self.body.insts[self.definition(value)?].op)
    }

    fn at(&self, address: Operand, size: u64, depth: usize) -> Option<Named> {
        let (pointer, bytes, indexed) = match self.op(address)? {
            Op::Offset { base, bytes, scaled, .. } => (*base, *bytes, !scaled.is_empty()),
            _ => (address, 0, false),
        };
        let (name, ty) = self.pointer(pointer, depth)?;
        let DebugType::Pointer { to: Some(to) } = plain(self.module, ty?)? else { return None };
        let each = size_of(self.module, *to)?.max(1);
        let index = bytes.div_euclid(each as i64);
        let offset = bytes.rem_euclid(each as i64) as u64;
        let Part { path, ty, .. } = part(self.module, Some(*to), offset, size);
        let name = match (indexed, index, path.strip_prefix('.')) {
            (true, ..) => format!("{name}[..]{path}"),
            (false, 0, Some(member)) => format!("{name}->{member}"),
            (false, 0, None) if path.is_empty() => format!("*{name}"),
            (false, index, _) => format!("{name}[{index}]{path}"),
        };
        Some((name, ty))
    }

    /// The name of a pointer, and its type.
    fn pointer(&self, value: Operand, depth: usize) -> Option<Named> {
        if depth > DEEPEST {
            return None;
        }
        match self.op(value)? {
            Op::ReadSlot { slot } => {
                let storage = Storage::Slot(*slot);
                let mut variables = self.body.variables.iter();
                let variable = variables.find(|variable| variable.storage == storage)?;
                Some((variable.name.clone(), variable.ty))
            }
            Op::Load { address, .. } => self.at(*address, 8, depth + 1),
            Op::Cast { value, .. } => self.pointer(*value, depth + 1),
            _ => None,
        }
    }
}
