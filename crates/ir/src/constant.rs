//! Constants: operands of instructions and initialisers of globals.
//!
//! A constant is a tree. Addresses are symbolic (a global, a function, a block); the machine
//! assigns them.

use crate::{BinaryOp, BlockId, CastOp, CompareOp, FuncId, GlobalId, TypeId};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypedConst {
    pub ty: TypeId,
    pub value: Const,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// An integer below 2^128, zero-extended to the width of its type.
    Int(u128),
    /// The bit pattern of a float of the constant's type.
    Float(u128),
    /// The null pointer.
    Null,
    /// Any value; the machine uses zero.
    Undef,
    /// All bytes zero, of any type.
    Zero,
    /// An array of `i8`.
    Bytes(Box<[u8]>),
    /// The elements of an array, vector or struct.
    Elements(Box<[TypedConst]>),
    Global(GlobalId),
    Function(FuncId),
    /// The address of a block, for computed gotos.
    Block(FuncId, BlockId),
    /// An address plus a number of bytes.
    Offset {
        base: Box<TypedConst>,
        bytes: i64,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<TypedConst>,
        rhs: Box<TypedConst>,
    },
    Compare {
        op: CompareOp,
        lhs: Box<TypedConst>,
        rhs: Box<TypedConst>,
    },
    Cast {
        op: CastOp,
        value: Box<TypedConst>,
    },
}

impl TypedConst {
    /// Calls `visit` with this constant and all its parts.
    pub fn visit(&self, visit: &mut impl FnMut(&TypedConst)) {
        visit(self);
        match &self.value {
            Const::Elements(elements) => elements.iter().for_each(|element| element.visit(visit)),
            Const::Offset { base, .. } => base.visit(visit),
            Const::Binary { lhs, rhs, .. } | Const::Compare { lhs, rhs, .. } => {
                lhs.visit(visit);
                rhs.visit(visit);
            }
            Const::Cast { value, .. } => value.visit(visit),
            // These have no parts.
            Const::Int(_)
            | Const::Float(_)
            | Const::Null
            | Const::Undef
            | Const::Zero
            | Const::Bytes(_)
            | Const::Global(_)
            | Const::Function(_)
            | Const::Block(..) => {}
        }
    }
}
