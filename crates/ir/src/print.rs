//! The text form of a module.
//!
//! Writes everything in the module, and [`crate::parse`] reads it back, except what nothing refers
//! to: instructions that no block lists, constants that no instruction uses, types that nothing
//! has. All ids must be in range, as [`crate::verify`] checks.
//!
//! ```text
//! module "max.c" i128 16
//! file0 = "/src" "max.c"
//! scope0 = file0:1 function "max"
//! d0 = base "int" 32 signed
//! function @max external (v0 a: i32, v1 b: i32) -> i32 type d0 @ 1:0 scope0 {
//!   slot s0 a: i32
//!   variable a type d0 scope scope0 line 1 parameter 1 slot s0
//! b0 entry:
//!   write s0, v0 @ 1:13 scope0 st0
//!   …
//! }
//! statement st0 @max b0 @ 1:13 scope0
//! ```

mod body;
mod constant;
mod debug;
mod statements;
mod symbols;
mod types;

use std::fmt::{self, Display, Write};

use crate::{Definition, Function, Global, Module, Param, ScopeId, Span};
pub use statements::print_statements;
pub use symbols::quoted;
use symbols::{Symbols, optional, shown, word};
use types::TypeNames;

/// Writes the text form of a module.
pub fn print(module: &Module, out: &mut impl Write) -> fmt::Result {
    Printer::new(module).module(out)
}

impl Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self, f)
    }
}

/// How much of an instruction is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// All of it, so that it can be read back.
    Full,
    /// A form for readers: no types of constants, no alignments, slots by name.
    Short,
}

struct Printer<'a> {
    module: &'a Module,
    symbols: Symbols,
    type_names: TypeNames,
    detail: Detail,
}

impl<'a> Printer<'a> {
    fn new(module: &'a Module) -> Printer<'a> {
        Printer {
            module,
            symbols: Symbols::new(module),
            type_names: TypeNames::new(&module.types),
            detail: Detail::Full,
        }
    }

    fn module(&self, out: &mut dyn Write) -> fmt::Result {
        let module = self.module;
        let align = module.types.i128_align();
        writeln!(out, "module {} i128 {align}", quoted(module.name.as_bytes()))?;
        self.type_names(out)?;
        self.debug(out)?;
        for (id, global) in module.globals.iter() {
            self.global(out, &self.symbols[id], global)?;
        }
        for alias in &module.aliases {
            let name = symbols::symbol(&alias.name);
            let target = self.constant(&alias.target);
            writeln!(out, "alias {name} {} = {target}", alias.linkage.name())?;
        }
        for (keyword, list) in
            [("constructor", &module.constructors), ("destructor", &module.destructors)]
        {
            for (priority, function) in list {
                writeln!(out, "{keyword} {priority} {}", self.symbols[*function])?;
            }
        }
        for (id, function) in module.functions.iter() {
            self.function(out, &self.symbols[id], function)?;
        }
        for (id, statement) in module.statements.iter() {
            let function = &self.symbols[statement.function];
            let span = span(statement.span);
            writeln!(out, "statement {id} {function} {}{span}", statement.block)?;
        }
        Ok(())
    }

    fn global(&self, out: &mut dyn Write, name: &str, global: &Global) -> fmt::Result {
        let ty = self.ty(global.ty);
        write!(out, "global {name} {}: {ty} align {}", global.linkage.name(), global.align)?;
        if global.constant {
            write!(out, " constant")?;
        }
        if global.thread_local {
            write!(out, " thread_local")?;
        }
        if let Some(source) = &global.source_name {
            write!(out, " source {}", quoted(source.as_bytes()))?;
        }
        write!(out, "{}{}", optional(" type ", global.debug_type), span(global.span))?;
        if let Some(init) = &global.init {
            write!(out, " = {}", self.constant(init))?;
        }
        writeln!(out)
    }

    fn function(&self, out: &mut dyn Write, name: &str, function: &Function) -> fmt::Result {
        write!(out, "function {name} {} (", function.linkage.name())?;
        for (index, param) in function.params.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(out, "{separator}v{index}")?;
            self.param(out, param)?;
        }
        if function.variadic {
            write!(out, "{}...", if function.params.is_empty() { "" } else { ", " })?;
        }
        write!(out, ") -> {}", self.ty(function.returns))?;
        if let Some(source) = &function.source_name {
            write!(out, " source {}", quoted(source.as_bytes()))?;
        }
        write!(out, "{}{}", optional(" type ", function.debug_type), span(function.span))?;
        match &function.definition {
            Definition::Declaration => writeln!(out),
            Definition::Body(body) => self.body(out, function, body),
            Definition::Unreadable { reason, line } => {
                writeln!(out, " unreadable {line} {}", quoted(reason.as_bytes()))
            }
        }
    }

    fn param(&self, out: &mut dyn Write, param: &Param) -> fmt::Result {
        write!(out, "{}: {}", word(&param.name), self.ty(param.ty))?;
        match param.byval {
            Some(byval) => write!(out, " byval {} {}", byval.size, byval.align),
            None => Ok(()),
        }
    }
}

/// A position as an annotation: ` @ line:column scope`; nothing for no position.
fn span(span: Span) -> impl Display {
    shown(move |f| match span {
        Span::NONE => Ok(()),
        Span { scope, line, column } => {
            write!(f, " @ {line}:{column}{}", optional::<ScopeId>(" ", scope))
        }
    })
}
