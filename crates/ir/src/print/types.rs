//! The text form of types: structural, but a large type is written once and then named.
//!
//! Types share their parts, so their full text could be exponentially long.

use std::fmt::{self, Display, Write};

use base::entity::SecondaryMap;

use super::Printer;
use crate::{FloatKind, Type, TypeId, Types};

/// A type whose text would be longer gets a name.
const MAX_LENGTH: usize = 160;
/// So does a type that nests more deeply.
const MAX_DEPTH: usize = 16;

impl FloatKind {
    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Half => "f16",
            FloatKind::BFloat => "bf16",
            FloatKind::Single => "f32",
            FloatKind::Double => "f64",
            FloatKind::X87 => "f80",
            FloatKind::Quad => "f128",
        }
    }
}

/// The large types of a module, numbered in order.
pub(super) struct TypeNames {
    names: SecondaryMap<TypeId, Option<u32>>,
}

impl TypeNames {
    pub(super) fn new(types: &Types) -> TypeNames {
        let mut names = SecondaryMap::new();
        let mut extents: SecondaryMap<TypeId, Extent> = SecondaryMap::new();
        let mut next = 0;
        for (id, ty) in types.iter() {
            // Parts precede the types they are part of.
            let extent = Extent::of(ty, &extents);
            if extent.length > MAX_LENGTH || extent.depth > MAX_DEPTH {
                names[id] = Some(next);
                next += 1;
            } else {
                extents[id] = extent;
            }
        }
        TypeNames { names }
    }
}

/// The approximate length of a type's text; that of a name by default.
#[derive(Clone, Copy)]
struct Extent {
    length: usize,
    depth: usize,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { length: 4, depth: 0 }
    }
}

impl Extent {
    fn of(ty: &Type, extents: &SecondaryMap<TypeId, Extent>) -> Extent {
        let around = |part: Extent| Extent { length: part.length + 8, depth: part.depth + 1 };
        match ty {
            Type::Vector { element, .. } | Type::Array { element, .. } => around(extents[*element]),
            Type::Struct { fields, .. } => {
                let parts = fields.iter().map(|field| extents[*field]);
                let all = parts.fold(Extent { length: 0, depth: 0 }, |all, part| Extent {
                    length: all.length + part.length + 2,
                    depth: all.depth.max(part.depth),
                });
                around(all)
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Opaque => {
                Extent::default()
            }
        }
    }
}

impl Printer<'_> {
    pub(super) fn type_names(&self, out: &mut dyn Write) -> fmt::Result {
        for (id, _) in self.module.types.iter() {
            if let Some(number) = self.type_names.names[id] {
                writeln!(
                    out,
                    "type t{number} = {}",
                    TypeText { printer: self, id, written: true }
                )?;
            }
        }
        Ok(())
    }

    /// A type, by its structure or its name.
    pub(super) fn ty(&self, id: TypeId) -> impl Display {
        TypeText { printer: self, id, written: false }
    }
}

struct TypeText<'a> {
    printer: &'a Printer<'a>,
    id: TypeId,
    /// Whether the structure is written even if there is a name.
    written: bool,
}

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |id: TypeId| TypeText { printer: self.printer, id, written: false };
        if let Some(number) = self.printer.type_names.names[self.id]
            && !self.written
        {
            return write!(f, "t{number}");
        }
        match self.printer.module.types.get(self.id) {
            Type::Void => f.write_str("void"),
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(kind) => f.write_str(kind.name()),
            Type::Ptr => f.write_str("ptr"),
            Type::Vector { element, lanes } => write!(f, "<{lanes} x {}>", part(*element)),
            Type::Array { element, length } => write!(f, "[{length} x {}]", part(*element)),
            Type::Struct { fields, packed } => {
                f.write_str(if *packed { "<{" } else { "{" })?;
                for (index, field) in fields.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    part(*field).fmt(f)?;
                }
                f.write_str(if *packed { "}>" } else { "}" })
            }
            Type::Opaque => f.write_str("opaque"),
        }
    }
}
