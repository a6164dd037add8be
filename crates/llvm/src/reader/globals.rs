//! Global variables, aliases, and the lists of constructors and destructors.

use ir::{Alias, Const, FuncId, Global, GlobalId, Linkage, Span, TypedConst, Types};

use super::{AliasState, Reader, Symbol};
use crate::cursor::{Cursor, Fault, Parsed, text_of};
use crate::index::count_lines;
use crate::types::MAX_DEPTH;
use crate::{Problem, ReadError};

/// The text before the type of a global.
#[derive(Clone, Copy)]
pub(crate) struct GlobalHead<'t> {
    name: &'t [u8],
    line: u32,
    linkage: Linkage,
    declared: bool,
    thread_local: bool,
    kind: GlobalKind,
    /// The position after the word for the kind.
    cursor: Cursor<'t>,
}

#[derive(Clone, Copy, PartialEq)]
enum GlobalKind {
    Variable,
    Constant,
    Alias,
    IFunc,
}

pub(crate) fn linkage(word: &[u8]) -> Option<Linkage> {
    Some(match word {
        b"private" | b"internal" | b"appending" => Linkage::Internal,
        b"available_externally" => Linkage::AvailableExternally,
        b"linkonce" | b"linkonce_odr" | b"weak" | b"weak_odr" => Linkage::Weak,
        b"common" => Linkage::Common,
        b"extern_weak" => Linkage::ExternWeak,
        b"external" => Linkage::External,
        _ => return None,
    })
}

fn head<'t>(name: &'t [u8], mut c: Cursor<'t>, line: u32) -> Parsed<GlobalHead<'t>> {
    let mut found = Linkage::External;
    let mut declared = false;
    let mut thread_local = false;
    loop {
        c.space();
        let mut ahead = c;
        let word = ahead.word_here();
        let kind = match word {
            b"global" => Some(GlobalKind::Variable),
            b"constant" => Some(GlobalKind::Constant),
            b"alias" => Some(GlobalKind::Alias),
            b"ifunc" => Some(GlobalKind::IFunc),
            _ => None,
        };
        if let Some(kind) = kind {
            let cursor = ahead;
            let linkage = found;
            return Ok(GlobalHead { name, line, linkage, declared, thread_local, kind, cursor });
        }
        if let Some(linkage) = linkage(word) {
            found = linkage;
            declared = matches!(word, b"external" | b"extern_weak");
        }
        thread_local |= word == b"thread_local";
        c.skip_attribute()?;
    }
}

impl<'t> Reader<'t> {
    /// Gives every global its id; returns what is left to read.
    pub fn declare_globals(
        &mut self,
    ) -> Result<Vec<(Option<GlobalId>, GlobalHead<'t>)>, ReadError> {
        let items = std::mem::take(&mut self.index.globals);
        let mut heads = Vec::with_capacity(items.len());
        for item in items {
            let head =
                match head(item.name, Cursor::new(&self.text[..item.end], item.at), item.line) {
                    Ok(head) => head,
                    Err(fault) => {
                        self.global_problem(item.name, item.line, item.at, &fault);
                        continue;
                    }
                };
            let (symbol, id) = match head.kind {
                GlobalKind::Alias => {
                    self.alias_heads.push((head, AliasState::Pending));
                    (Symbol::Alias(self.alias_heads.len() as u32 - 1), None)
                }
                GlobalKind::IFunc => (Symbol::Function(self.add_ifunc(&head)), None),
                GlobalKind::Variable | GlobalKind::Constant if head.name.starts_with(b"llvm.") => {
                    heads.push((None, head));
                    (Symbol::Dropped, None)
                }
                GlobalKind::Variable | GlobalKind::Constant => {
                    let id = self.globals.push(Global {
                        name: text_of(head.name),
                        linkage: head.linkage,
                        ty: Types::I8,
                        align: 1,
                        constant: head.kind == GlobalKind::Constant,
                        thread_local: head.thread_local,
                        init: None,
                        source_name: None,
                        debug_type: None,
                        span: Span::NONE,
                    });
                    (Symbol::Global(id), Some(id))
                }
            };
            self.define_symbol(head.name, symbol, head.line)?;
            if id.is_some() {
                heads.push((id, head));
            }
        }
        Ok(heads)
    }

    fn global_problem(&mut self, name: &[u8], line: u32, at: usize, fault: &Fault) {
        let end = fault.at.clamp(at, self.text.len());
        let line = line + count_lines(&self.text[at..end]);
        let reason = format!("@{}: {}", text_of(name), fault.reason);
        self.problems.push(Problem { line, reason });
    }

    pub fn read_globals(&mut self, heads: Vec<(Option<GlobalId>, GlobalHead<'t>)>) {
        for (id, head) in heads {
            let read = match id {
                Some(id) => self.variable(id, &head),
                None => self.structor_list(&head),
            };
            if let Err(fault) = read {
                self.global_problem(head.name, head.line, head.cursor.at, &fault);
            }
        }
    }

    fn variable(&mut self, id: GlobalId, head: &GlobalHead<'t>) -> Parsed<()> {
        let mut c = head.cursor;
        let ty = self.types.read(&mut c)?;
        self.globals[id].ty = ty;
        self.globals[id].align = self.types.types.layout(ty).align;
        if !head.declared {
            let value = self.constant(&mut c, ty, 0)?;
            self.globals[id].init = Some(TypedConst { ty, value });
        }
        self.variable_attributes(id, &mut c)
    }

    fn variable_attributes(&mut self, id: GlobalId, c: &mut Cursor<'t>) -> Parsed<()> {
        loop {
            c.inline_space();
            match c.byte() {
                b',' => c.at += 1,
                b'a' if c.eat_word(b"align") => {
                    let start = *c;
                    match c.number()? {
                        align if align.is_power_of_two() => self.globals[id].align = align,
                        _ => return start.fault("an alignment is not a power of two"),
                    }
                }
                b'!' => {
                    c.at += 1;
                    let debug = c.word_here() == b"dbg";
                    c.inline_space();
                    if debug && c.byte() == b'!' {
                        c.at += 1;
                        let node = c.number_u32()?;
                        self.describe_global(id, node);
                    } else {
                        c.skip_attribute()?;
                    }
                }
                b'\n' | b'\r' | b';' => return Ok(()),
                0 if c.is_end() => return Ok(()),
                _ => c.skip_attribute()?,
            }
        }
    }

    fn describe_global(&mut self, id: GlobalId, node: u32) {
        let Some(described) = self.debug.global(node) else { return };
        // Several variables may share one global; the first names it.
        let global = &mut self.globals[id];
        if global.source_name.is_none() {
            global.source_name = Some(described.name);
            global.debug_type = described.ty;
            global.span = described.span;
        }
    }

    /// `llvm.global_ctors` and `llvm.global_dtors`; other lists have no effect.
    fn structor_list(&mut self, head: &GlobalHead<'t>) -> Parsed<()> {
        let constructors = match head.name {
            b"llvm.global_ctors" => true,
            b"llvm.global_dtors" => false,
            _ => return Ok(()),
        };
        let mut c = head.cursor;
        let ty = self.types.read(&mut c)?;
        let Const::Elements(entries) = self.constant(&mut c, ty, 0)? else { return Ok(()) };
        for entry in entries {
            let Some(entry) = structor(&entry) else {
                return c.fault("an entry is not a priority and a function");
            };
            if constructors {
                self.constructors.push(entry);
            } else {
                self.destructors.push(entry);
            }
        }
        Ok(())
    }

    /// A function selected at load time: known by name, never defined.
    fn add_ifunc(&mut self, head: &GlobalHead<'t>) -> FuncId {
        let reason = "functions chosen at load time (ifunc) are not supported".to_owned();
        let line = head.line;
        self.problems.push(Problem { line, reason: format!("@{}: {reason}", text_of(head.name)) });
        self.add_unreadable(head.name, head.linkage, reason, line)
    }

    pub fn read_aliases(&mut self) -> Vec<Alias> {
        let mut aliases = Vec::new();
        for position in 0..self.alias_heads.len() {
            let head = self.alias_heads[position].0;
            match self.alias_target(&head.cursor, position as u32, 0) {
                Ok(target) => {
                    aliases.push(Alias { name: text_of(head.name), linkage: head.linkage, target })
                }
                Err(fault) => {
                    self.global_problem(head.name, head.line, head.cursor.at, &fault);
                }
            }
        }
        aliases
    }

    /// The target of an alias: a symbol, possibly with an offset.
    pub fn alias_target(
        &mut self,
        at: &Cursor<'t>,
        position: u32,
        depth: u32,
    ) -> Parsed<TypedConst> {
        let (head, state) = &mut self.alias_heads[position as usize];
        match state {
            AliasState::Known(target) => return Ok(target.as_ref().clone()),
            AliasState::Busy => return at.fault("an alias stands for itself"),
            AliasState::Failed => return at.fault("an alias cannot be read"),
            AliasState::Pending => *state = AliasState::Busy,
        }
        let c = head.cursor;
        let target = self.aliasee(c, depth);
        self.alias_heads[position as usize].1 = match &target {
            Ok(target) => AliasState::Known(Box::new(target.clone())),
            Err(_) => AliasState::Failed,
        };
        target
    }

    fn aliasee(&mut self, mut c: Cursor<'t>, depth: u32) -> Parsed<TypedConst> {
        if depth >= MAX_DEPTH {
            return c.fault("aliases are nested too deeply");
        }
        self.types.read_shape(&mut c)?;
        c.expect(b',')?;
        let target = if crate::types::at_type(&mut c) {
            self.typed_constant(&mut c, depth + 1)?
        } else {
            // Expressions that cast state their own type.
            let value = self.constant(&mut c, Types::PTR, depth + 1)?;
            TypedConst { ty: Types::PTR, value }
        };
        let symbol = match &target.value {
            Const::Offset { base, .. } => &base.value,
            value => value,
        };
        match symbol {
            Const::Global(_) | Const::Function(_) if target.ty == Types::PTR => Ok(target),
            _ => c.fault("an alias stands for something that is not a symbol"),
        }
    }
}

/// `{ i32 priority, ptr function, … }`.
fn structor(entry: &TypedConst) -> Option<(u32, FuncId)> {
    let Const::Elements(parts) = &entry.value else { return None };
    match (&parts.first()?.value, &parts.get(1)?.value) {
        (Const::Int(priority), Const::Function(function)) => {
            Some((u32::try_from(*priority).ok()?, *function))
        }
        _ => None,
    }
}
