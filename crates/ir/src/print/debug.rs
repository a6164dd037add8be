//! The text form of files, scopes and source-level types.

use std::fmt::{self, Display, Write};

use super::{Printer, optional, quoted, shown, span};
use crate::{DebugMember, DebugType, DebugTypeId, Scope};

impl Printer<'_> {
    pub(super) fn debug(&self, out: &mut dyn Write) -> fmt::Result {
        let module = self.module;
        for (id, file) in module.files.iter() {
            let directory = quoted(file.directory.as_bytes());
            let origin = if file.in_archive { " archive" } else { "" };
            writeln!(out, "{id} = {directory} {}{origin}", quoted(file.name.as_bytes()))?;
        }
        for (id, scope) in module.scopes.iter() {
            write!(out, "{id} = ")?;
            self.scope(out, scope)?;
        }
        for (id, ty) in module.debug_types.iter() {
            write!(out, "{id} = ")?;
            self.debug_type(out, ty)?;
        }
        Ok(())
    }

    fn scope(&self, out: &mut dyn Write, scope: &Scope) -> fmt::Result {
        write!(out, "{}:{}{}", scope.file, scope.line, optional(" in ", scope.parent))?;
        if let Some(function) = &scope.function {
            write!(out, " function {}", quoted(function.as_bytes()))?;
        }
        match scope.inlined_at {
            Some(at) if at == crate::Span::NONE => write!(out, " inlined @ 0:0")?,
            Some(at) => write!(out, " inlined{}", span(at))?,
            None => {}
        }
        writeln!(out)
    }

    fn debug_type(&self, out: &mut dyn Write, ty: &DebugType) -> fmt::Result {
        match ty {
            DebugType::Void => writeln!(out, "void"),
            DebugType::Base { name, bits, encoding } => {
                writeln!(out, "base {} {bits} {}", quoted(name.as_bytes()), encoding.name())
            }
            DebugType::Pointer { to } => writeln!(out, "pointer {}", or_none(*to)),
            DebugType::Struct { name, bits, members } => {
                composite(out, "struct", name, *bits, members)
            }
            DebugType::Union { name, bits, members } => {
                composite(out, "union", name, *bits, members)
            }
            DebugType::Array { element, lengths } => {
                write!(out, "array {}", or_none(*element))?;
                for length in lengths {
                    write!(out, " {}", or_none(*length))?;
                }
                writeln!(out)
            }
            DebugType::Enum { name, bits, enumerators } => {
                writeln!(out, "enum {} {bits} {{", quoted(name.as_bytes()))?;
                for (name, value) in enumerators {
                    writeln!(out, "  {} {value}", quoted(name.as_bytes()))?;
                }
                writeln!(out, "}}")
            }
            DebugType::Typedef { name, to } => {
                writeln!(out, "typedef {} {}", quoted(name.as_bytes()), or_none(*to))
            }
            DebugType::Qualified { qualifier, to } => {
                writeln!(out, "qualified {} {}", qualifier.name(), or_none(*to))
            }
            DebugType::Function { returns, params } => {
                write!(out, "function {}", or_none(*returns))?;
                for param in params {
                    write!(out, " {}", or_none(*param))?;
                }
                writeln!(out)
            }
            DebugType::Other { tag, name } => {
                writeln!(out, "other {} {}", quoted(tag.as_bytes()), quoted(name.as_bytes()))
            }
        }
    }
}

fn composite(
    out: &mut dyn Write,
    keyword: &str,
    name: &str,
    bits: u64,
    members: &[DebugMember],
) -> fmt::Result {
    writeln!(out, "{keyword} {} {bits} {{", quoted(name.as_bytes()))?;
    for member in members {
        let DebugMember { name, ty, offset, bits, bit_field } = member;
        let field = if *bit_field { " bit_field" } else { "" };
        let ty: Option<DebugTypeId> = *ty;
        writeln!(out, "  {} {} {offset} {bits}{field}", quoted(name.as_bytes()), or_none(ty))?;
    }
    writeln!(out, "}}")
}

fn or_none<T: Display>(value: Option<T>) -> impl Display {
    shown(move |f| match &value {
        Some(value) => value.fmt(f),
        None => f.write_str("none"),
    })
}
