//! The body of a function: blocks, local names, and the loop over its lines.
//!
//! A value is created at its first mention, with the type given there; its definition must agree,
//! and at the end every mentioned value and block must have been defined.

mod calls;
mod instructions;
mod intrinsics;
mod records;
mod x86;

use std::ops::Range;

use base::entity::EntityRef;
use ir::{
    Block, BlockId, Body, Const, ConstId, FuncId, Inst, InstId, Op, Operand, ScopeId, Span,
    StatementId, TypeId, TypedConst, Types, UnaryOp, Value, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cursor::{Cursor, Fault, Parsed, numeric, text_of};
use crate::labels::{Labels, label, labels};
use crate::literal;
use crate::reader::{Header, Reader};

/// The meaning of a local name.
#[derive(Clone, Copy)]
struct Local {
    operand: Operand,
    ty: TypeId,
}

pub(crate) struct BodyReader<'r, 't> {
    pub reader: &'r mut Reader<'t>,
    pub c: Cursor<'t>,
    pub body: Body,
    named: FxHashMap<&'t [u8], Local>,
    numbered: Vec<Option<Local>>,
    /// The largest number that the text has room for.
    max_number: usize,
    next_number: u32,
    defined: Vec<bool>,
    undefined: usize,
    consts: FxHashMap<TypedConst, ConstId>,
    labels: Labels<'t>,
    /// Blocks without a label, by the number they take.
    implicit: FxHashMap<u32, BlockId>,
    opened: Vec<bool>,
    current: BlockId,
    /// The current block has no terminator so far.
    open: bool,
    /// The name before `=` of the current instruction.
    result: Option<&'t [u8]>,
    /// Variables already recorded, by scope and place.
    pub noted: FxHashSet<(u32, Option<ScopeId>, u8, u32)>,
}

/// Reads the text between the braces. A fault comes with the source position, if known.
pub(crate) fn read<'t>(
    reader: &mut Reader<'t>,
    id: FuncId,
    range: Range<usize>,
    header: &Header<'t>,
) -> Result<Body, (Box<Fault>, Option<String>)> {
    let labels = labels(reader.text, range.clone());
    let c = Cursor::new(&reader.text[..range.end], range.start);
    let mut body = BodyReader::new(reader, c, labels, range.len());
    match body.parameters(id, header).and_then(|()| body.run()) {
        Ok(()) => {
            let mut body = body.body;
            ir::promote::promote(&reader.types.types, &mut body);
            Ok(body)
        }
        Err(fault) => {
            let place = body.source_place(fault.at);
            Err((fault, place))
        }
    }
}

impl<'r, 't> BodyReader<'r, 't> {
    fn new(
        reader: &'r mut Reader<'t>,
        c: Cursor<'t>,
        labels: Labels<'t>,
        length: usize,
    ) -> BodyReader<'r, 't> {
        let mut body = Body::default();
        for name in &labels.names {
            let name = name.filter(|name| numeric(name).is_none()).map(text_of).unwrap_or_default();
            body.blocks.push(Block { name, insts: Vec::new() });
        }
        BodyReader {
            reader,
            c,
            named: FxHashMap::default(),
            numbered: Vec::new(),
            max_number: length + 4096,
            next_number: 0,
            defined: Vec::new(),
            undefined: 0,
            consts: FxHashMap::default(),
            opened: vec![false; labels.names.len()],
            labels,
            implicit: FxHashMap::default(),
            current: Body::ENTRY,
            open: false,
            result: None,
            noted: FxHashSet::default(),
            body,
        }
    }

    fn parameters(&mut self, id: FuncId, header: &Header<'t>) -> Parsed<()> {
        for (position, name) in header.names.iter().enumerate() {
            let param = &self.reader.functions[id].params[position];
            let (ty, shown) = (param.ty, param.name.clone());
            let value = self.body.values.push(Value { ty, name: shown });
            self.defined.push(true);
            let local = Local { operand: Operand::Value(value), ty };
            match name {
                Some(name) if numeric(name).is_none() => {
                    self.named.insert(name, local);
                }
                _ => {
                    let number = name.and_then(numeric).unwrap_or(self.next_number);
                    self.next_number = number.saturating_add(1);
                    self.set_number(number, local)?;
                }
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Parsed<()> {
        while self.c.peek() != 0 || !self.c.is_end() {
            self.line()?;
        }
        self.finish()
    }

    /// A label, a debug record or an instruction.
    fn line(&mut self) -> Parsed<()> {
        match self.c.byte() {
            b'#' => return self.debug_record(),
            b'%' => {
                let name = self.c.local_name()?;
                self.c.expect(b'=')?;
                self.result = Some(name);
                self.c.space();
            }
            _ => {
                if let Some(name) = label(&mut self.c) {
                    return self.label(name);
                }
                self.result = None;
            }
        }
        if !self.open {
            self.implicit_block()?;
        }
        let first = self.body.insts.len();
        self.instruction()?;
        if let Some(name) = self.result.take() {
            let name = String::from_utf8_lossy(name);
            return self.c.fault(format!("%{name} is given a value by something without one"));
        }
        let span = self.trailer()?;
        for index in first..self.body.insts.len() {
            self.body.insts[InstId::new(index)].span = span;
        }
        Ok(())
    }

    fn label(&mut self, name: &'t [u8]) -> Parsed<()> {
        if self.open {
            return self.c.fault("a block does not end with a branch or return");
        }
        let entry_unnamed = self.labels.names.first() == Some(&None);
        let known = self.labels.by_name.get(name).copied();
        let block = match known {
            Some(block) => block,
            // An indented label names the entry, which was thought to have none.
            None if entry_unnamed && !self.opened[0] => {
                self.labels.by_name.insert(name, Body::ENTRY);
                if numeric(name).is_none() {
                    self.body.blocks[Body::ENTRY].name = text_of(name);
                }
                Body::ENTRY
            }
            None => self.add_block(name),
        };
        if let Some(number) = numeric(name) {
            self.next_number = number.saturating_add(1);
        }
        self.open_block(block)
    }

    fn open_block(&mut self, block: BlockId) -> Parsed<()> {
        let opened = &mut self.opened[block.index()];
        if *opened {
            return self.c.fault("a label is used twice");
        }
        *opened = true;
        self.current = block;
        self.open = true;
        Ok(())
    }

    /// Instructions without a label before them: the entry, or a block that takes a number.
    fn implicit_block(&mut self) -> Parsed<()> {
        let number = self.next_number;
        self.next_number = number.saturating_add(1);
        let entry = !self.opened[0] && self.labels.names[0].is_none();
        let known = self.labels.by_name.get(number.to_string().as_bytes()).copied();
        let block = match known {
            Some(block) => block,
            None if entry => Body::ENTRY,
            None => self.add_block(b""),
        };
        self.implicit.insert(number, block);
        self.open_block(block)
    }

    fn add_block(&mut self, name: &'t [u8]) -> BlockId {
        let shown = if numeric(name).is_some() { String::new() } else { text_of(name) };
        let block = self.body.blocks.push(Block { name: shown, insts: Vec::new() });
        self.opened.push(false);
        if !name.is_empty() {
            self.labels.by_name.insert(name, block);
        }
        block
    }

    /// `label %name`.
    pub fn target(&mut self) -> Parsed<BlockId> {
        self.c.expect_word("label")?;
        self.block_name()
    }

    pub fn block_name(&mut self) -> Parsed<BlockId> {
        let name = self.c.local_name()?;
        if let Some(&block) = self.labels.by_name.get(name) {
            return Ok(block);
        }
        let implicit = numeric(name).and_then(|number| self.implicit.get(&number));
        match implicit {
            Some(&block) => Ok(block),
            None => Ok(self.add_block(name)),
        }
    }

    fn finish(&mut self) -> Parsed<()> {
        if self.open {
            return self.c.fault("the last block does not end with a branch or return");
        }
        if let Some(index) = self.opened.iter().position(|opened| !opened) {
            let id = BlockId::new(index);
            let name = self.labels.by_name.iter().find(|(_, block)| **block == id);
            let name = name.map(|(name, _)| text_of(name)).unwrap_or_default();
            return self.c.fault(format!("there is no block %{name}"));
        }
        if self.undefined > 0 {
            let index = self.defined.iter().position(|defined| !defined).unwrap_or(0);
            let name = &self.body.values[ValueId::new(index)].name;
            return self.c.fault(format!("%{name} is used but never given a value"));
        }
        Ok(())
    }

    // Names and operands.

    fn set_number(&mut self, number: u32, local: Local) -> Parsed<()> {
        let index = number as usize;
        if index > self.max_number {
            return self.c.fault("a value's number is out of range");
        }
        if index >= self.numbered.len() {
            self.numbered.resize(index + 1, None);
        }
        self.numbered[index] = Some(local);
        Ok(())
    }

    fn find(&self, name: &[u8]) -> Option<Local> {
        match numeric(name) {
            Some(number) => self.numbered.get(number as usize).copied().flatten(),
            None => self.named.get(name).copied(),
        }
    }

    fn bind(&mut self, name: &'t [u8], local: Local) -> Parsed<()> {
        match numeric(name) {
            Some(number) => self.set_number(number, local),
            None => {
                self.named.insert(name, local);
                Ok(())
            }
        }
    }

    fn new_value(&mut self, name: &[u8], ty: TypeId, defined: bool) -> ValueId {
        // Numbers are kept for messages only as long as the value is not defined.
        let shown = if defined && numeric(name).is_some() { String::new() } else { text_of(name) };
        self.defined.push(defined);
        self.undefined += usize::from(!defined);
        self.body.values.push(Value { ty, name: shown })
    }

    /// The value of a name, of the given type.
    #[inline]
    fn local(&mut self, ty: TypeId) -> Parsed<Operand> {
        let start = self.c;
        let name = self.c.local_name()?;
        if let Some(local) = self.find(name) {
            if local.ty != ty {
                let name = String::from_utf8_lossy(name);
                return start.fault(format!("%{name} is used with another type than it has"));
            }
            return Ok(local.operand);
        }
        let value = self.new_value(name, ty, false);
        let operand = Operand::Value(value);
        self.bind(name, Local { operand, ty })?;
        Ok(operand)
    }

    /// A value or constant of a type that is already known.
    #[inline]
    pub fn operand(&mut self, ty: TypeId) -> Parsed<Operand> {
        match self.c.peek() {
            b'%' => self.local(ty),
            b'0'..=b'9' | b'-' => {
                let value = literal::number(&mut self.c, &self.reader.types.types, ty)?;
                Ok(self.constant(ty, value))
            }
            _ => {
                let value = self.reader.constant(&mut self.c, ty, 0)?;
                Ok(self.constant(ty, value))
            }
        }
    }

    /// A type and a value of it.
    #[inline]
    pub fn typed_operand(&mut self) -> Parsed<(TypeId, Operand)> {
        let ty = self.reader.types.read(&mut self.c)?;
        Ok((ty, self.operand(ty)?))
    }

    pub fn pointer(&mut self) -> Parsed<Operand> {
        let (ty, operand) = self.typed_operand()?;
        if ty == Types::PTR { Ok(operand) } else { self.c.fault("an address is not a pointer") }
    }

    pub fn constant(&mut self, ty: TypeId, value: Const) -> Operand {
        let constant = TypedConst { ty, value };
        if let Some(&id) = self.consts.get(&constant) {
            return Operand::Const(id);
        }
        let id = self.body.consts.push(constant.clone());
        self.consts.insert(constant, id);
        Operand::Const(id)
    }

    /// The constant behind an operand.
    pub fn constant_value(&self, operand: Operand) -> Option<&TypedConst> {
        match operand {
            Operand::Const(id) => Some(&self.body.consts[id]),
            Operand::Value(_) => None,
        }
    }

    // Making instructions.

    fn add(&mut self, op: Op, result: Option<ValueId>) {
        let ends = op.is_terminator();
        let statement = StatementId::at(0);
        let id = self.body.insts.push(Inst { op, result, span: Span::NONE, statement });
        self.body.blocks[self.current].insts.push(id);
        if ends {
            self.open = false;
        }
    }

    /// An instruction without a result.
    pub fn effect(&mut self, op: Op) {
        self.add(op, None);
    }

    /// An instruction whose result takes the name before `=`, or the next number.
    pub fn define(&mut self, op: Op, ty: TypeId) -> Parsed<()> {
        if ty == Types::VOID {
            self.effect(op);
            return Ok(());
        }
        let value = self.result_value(ty)?;
        self.add(op, Some(value));
        Ok(())
    }

    fn result_value(&mut self, ty: TypeId) -> Parsed<ValueId> {
        let Some(name) = self.result.take() else {
            let number = self.next_number;
            self.next_number = number.saturating_add(1);
            if let Some(local) = self.numbered.get(number as usize).copied().flatten() {
                return self.define_mentioned(local, ty);
            }
            let value = self.new_value(b"", ty, true);
            self.set_number(number, Local { operand: Operand::Value(value), ty })?;
            return Ok(value);
        };
        if let Some(number) = numeric(name) {
            self.next_number = number.saturating_add(1);
        }
        if let Some(local) = self.find(name) {
            return self.define_mentioned(local, ty);
        }
        let value = self.new_value(name, ty, true);
        self.bind(name, Local { operand: Operand::Value(value), ty })?;
        Ok(value)
    }

    fn define_mentioned(&mut self, local: Local, ty: TypeId) -> Parsed<ValueId> {
        match local.operand {
            Operand::Value(value) if !self.defined[value.index()] => {
                if local.ty != ty {
                    return self.c.fault("a value is used with another type than it has");
                }
                self.defined[value.index()] = true;
                self.undefined -= 1;
                let name = &mut self.body.values[value].name;
                if numeric(name.as_bytes()).is_some() {
                    name.clear();
                }
                Ok(value)
            }
            _ => self.c.fault("a name is given two values"),
        }
    }

    /// An instruction whose result has no name in the text.
    pub fn temporary(&mut self, op: Op, ty: TypeId) -> Operand {
        let value = self.new_value(b"", ty, true);
        self.add(op, Some(value));
        Operand::Value(value)
    }

    /// Makes the name before `=` an alias of an existing operand.
    pub fn same_as(&mut self, operand: Operand, ty: TypeId) -> Parsed<()> {
        if let Some(name) = self.result
            && self.find(name).is_none()
        {
            self.result = None;
            if let Some(number) = numeric(name) {
                self.next_number = number.saturating_add(1);
            }
            return self.bind(name, Local { operand, ty });
        }
        self.define(Op::Unary { op: UnaryOp::Copy, value: operand }, ty)
    }

    // What follows an instruction.

    /// Metadata attachments; yields the position of the source.
    fn trailer(&mut self) -> Parsed<Span> {
        let mut span = Span::NONE;
        loop {
            self.c.inline_space();
            if self.c.byte() != b',' {
                return Ok(span);
            }
            self.c.at += 1;
            if self.c.peek() != b'!' {
                return self.c.expected("metadata");
            }
            self.c.at += 1;
            let debug = self.c.word_here() == b"dbg";
            self.c.inline_space();
            if self.c.byte() != b'!' {
                return self.c.expected("metadata");
            }
            self.c.at += 1;
            if debug && self.c.byte().is_ascii_digit() {
                let node = self.c.number_u32()?;
                span = self.reader.debug.span(node);
            } else if self.c.byte() == b'{' {
                self.c.skip_group()?;
            } else {
                self.c.skip_attribute()?;
            }
        }
    }

    /// The source position of the line of text around an offset.
    fn source_place(&mut self, at: usize) -> Option<String> {
        let text = self.c.text;
        let start = memchr::memrchr(b'\n', &text[..at.min(text.len())]).map_or(0, |at| at + 1);
        let mut c = Cursor::new(text, start);
        c.line_end();
        let line = &text[start..c.at];
        let found = memchr::memmem::find(line, b"!dbg !")?;
        let node = Cursor::new(line, found + 6).number_u32().ok()?;
        let span = self.reader.debug.span(node);
        self.reader.debug.place(span)
    }
}
