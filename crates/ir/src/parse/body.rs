//! Reads bodies: slots, variables, blocks and the ends of instruction lines.

use std::collections::HashMap;

use super::lexer::Token;
use super::{Mentioned, ParseError, Parsed, Parser, handle_index};
use crate::{
    Block, BlockId, Body, ConstId, Inst, InstId, Operand, Param, Slot, SlotId, StatementId,
    Storage, TypedConst, Value, ValueId, Variable,
};

/// A body while its lines are read.
#[derive(Default)]
pub(super) struct Draft {
    body: Body,
    values: HashMap<u32, Value>,
    consts: HashMap<TypedConst, ConstId>,
    mentioned_values: Mentioned,
    mentioned_slots: Mentioned,
    mentioned_blocks: Mentioned,
}

impl Draft {
    pub(super) fn constant(&mut self, constant: TypedConst) -> Operand {
        let consts = &mut self.body.consts;
        let id = self.consts.entry(constant);
        Operand::Const(*id.or_insert_with_key(|constant| consts.push(constant.clone())))
    }

    fn add_inst(&mut self, inst: Inst) -> InstId {
        self.body.insts.push(inst)
    }
}

impl Parser<'_> {
    /// The lines after the opening brace, up to the closing one.
    pub(super) fn body(&mut self, params: &[Param]) -> Parsed<Body> {
        let mut draft = Draft::default();
        self.end_of_line()?;
        while !self.eat('}')? {
            self.body_line(&mut draft)?;
            self.end_of_line()?;
        }
        self.finish_body(draft, params)
    }

    fn body_line(&mut self, draft: &mut Draft) -> Parsed<()> {
        match self.token {
            Token::Newline => Ok(()),
            Token::Word("slot") => self.slot_line(draft),
            Token::Word("variable") => self.variable_line(draft),
            Token::Word("value") => {
                self.advance()?;
                self.define_value(draft).map(|_| ())
            }
            Token::Word(word) if handle_index(word, "b").is_some() => self.block_line(draft),
            Token::Word(_) => self.inst_line(draft),
            _ => self.expected("a line of a function"),
        }
    }

    fn slot_line(&mut self, draft: &mut Draft) -> Parsed<()> {
        self.advance()?;
        if self.handle("s")? != draft.body.slots.len() {
            return self.error("slots are s0, s1, … in order");
        }
        let (name, ty) = self.named_type()?;
        draft.body.slots.push(Slot { ty, name });
        Ok(())
    }

    fn variable_line(&mut self, draft: &mut Draft) -> Parsed<()> {
        self.advance()?;
        let name = self.string()?;
        let ty = self.type_annotation()?;
        let scope = if self.eat_keyword("scope")? { Some(self.scope_id()?) } else { None };
        self.keyword("line")?;
        let line = self.number()?;
        let parameter = if self.eat_keyword("parameter")? { self.number()? } else { 0 };
        let storage = match self.word("where the variable is stored")? {
            "slot" => Storage::Slot(self.slot(draft)?),
            "memory" => Storage::Memory(self.value(draft)?),
            "value" => Storage::Value(self.value(draft)?),
            "unknown" => Storage::Unknown,
            word => return self.error(format!("`{word}` is not a kind of storage")),
        };
        draft.body.variables.push(Variable { name, ty, scope, line, parameter, storage });
        Ok(())
    }

    fn block_line(&mut self, draft: &mut Draft) -> Parsed<()> {
        if self.handle("b")? != draft.body.blocks.len() {
            return self.error("blocks are b0, b1, … in order");
        }
        let name = self.optional_name()?;
        self.mark(':')?;
        draft.body.blocks.push(Block { name, insts: Vec::new() });
        Ok(())
    }

    fn inst_line(&mut self, draft: &mut Draft) -> Parsed<()> {
        let result = if self.at_handle("v") {
            let value = self.define_value(draft)?;
            self.mark('=')?;
            Some(value)
        } else {
            None
        };
        let op = self.op(draft)?;
        let span = self.span()?;
        let statement = self.statement_annotation()?;
        let inst = draft.add_inst(Inst { op, result, span, statement });
        match draft.body.blocks.last_mut() {
            Some((_, block)) => block.insts.push(inst),
            None => return self.error("an instruction comes before the first block"),
        }
        Ok(())
    }

    /// ` st3`, where present.
    fn statement_annotation(&mut self) -> Parsed<StatementId> {
        if !self.at_handle("st") {
            return Ok(StatementId::at(0));
        }
        let line = self.line;
        let statement = self.entity("st")?;
        self.statements.note(statement, line);
        Ok(statement)
    }

    /// `v3 name: type`.
    fn define_value(&mut self, draft: &mut Draft) -> Parsed<ValueId> {
        let line = self.line;
        let index = self.handle("v")? as u32;
        let (name, ty) = self.named_type()?;
        match draft.values.insert(index, Value { ty, name }) {
            None => Ok(ValueId::at(index)),
            Some(_) => Err(ParseError { line, reason: format!("v{index} is defined twice") }),
        }
    }

    pub(super) fn value(&mut self, draft: &mut Draft) -> Parsed<ValueId> {
        let line = self.line;
        let value = self.entity("v")?;
        draft.mentioned_values.note(value, line);
        Ok(value)
    }

    pub(super) fn slot(&mut self, draft: &mut Draft) -> Parsed<SlotId> {
        let line = self.line;
        let slot = self.entity("s")?;
        draft.mentioned_slots.note(slot, line);
        Ok(slot)
    }

    pub(super) fn block_id(&mut self, draft: &mut Draft) -> Parsed<BlockId> {
        let line = self.line;
        let block = self.entity("b")?;
        draft.mentioned_blocks.note(block, line);
        Ok(block)
    }

    fn finish_body(&self, mut draft: Draft, params: &[Param]) -> Parsed<Body> {
        // Parameters that no line describes are as declared.
        for (index, param) in params.iter().enumerate() {
            let declared = || Value { ty: param.ty, name: param.name.clone() };
            draft.values.entry(index as u32).or_insert_with(declared);
        }
        for index in 0..draft.values.len() as u32 {
            let Some(value) = draft.values.remove(&index) else {
                return self.error(format!("v{index} is not defined, but others after it are"));
            };
            draft.body.values.push(value);
        }
        draft.mentioned_values.check(draft.body.values.len(), "v")?;
        draft.mentioned_slots.check(draft.body.slots.len(), "s")?;
        draft.mentioned_blocks.check(draft.body.blocks.len(), "b")?;
        Ok(draft.body)
    }
}
