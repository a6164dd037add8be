//! Reads instructions.

use super::body::Draft;
use super::lexer::Token;
use super::{Parsed, Parser};
use crate::{
    Access, Argument, Asm, BinaryOp, BlockId, Builtin, Call, Callee, CastOp, CompareOp, Op,
    Operand, RmwOp, UnaryOp,
};

impl Parser<'_> {
    pub(super) fn op(&mut self, draft: &mut Draft) -> Parsed<Op> {
        let word = self.word("an instruction")?;
        match word {
            "read" => Ok(Op::ReadSlot { slot: self.slot(draft)? }),
            "write" => {
                let slot = self.slot(draft)?;
                Ok(Op::WriteSlot { slot, value: self.next_operand(draft)? })
            }
            "select" => {
                let [condition, then, otherwise] = self.operands(draft)?;
                Ok(Op::Select { condition, then, otherwise })
            }
            "phi" => self.phi(draft),
            "alloca" => self.alloca(draft),
            "load" => {
                let address = self.operand(draft)?;
                Ok(Op::Load { address, access: self.access()? })
            }
            "store" => {
                let [address, value] = self.operands(draft)?;
                Ok(Op::Store { address, value, access: self.access()? })
            }
            "offset" => self.offset(draft),
            "rmw" => {
                let op = self.one_of(RmwOp::from_name, "an atomic operation")?;
                let [address, value] = self.operands(draft)?;
                Ok(Op::AtomicRmw { op, address, value, access: self.access()? })
            }
            "cmpxchg" => {
                let [address, expected, new] = self.operands(draft)?;
                Ok(Op::CompareExchange { address, expected, new, access: self.access()? })
            }
            "fence" => Ok(Op::Fence),
            "extractvalue" => {
                let aggregate = self.operand(draft)?;
                Ok(Op::ExtractValue { aggregate, path: self.path()? })
            }
            "insertvalue" => {
                let [aggregate, value] = self.operands(draft)?;
                Ok(Op::InsertValue { aggregate, value, path: self.path()? })
            }
            "extractelement" => {
                let [vector, index] = self.operands(draft)?;
                Ok(Op::ExtractElement { vector, index })
            }
            "insertelement" => {
                let [vector, value, index] = self.operands(draft)?;
                Ok(Op::InsertElement { vector, value, index })
            }
            "shuffle" => self.shuffle(draft),
            "call" => Ok(Op::Call(Box::new(self.call(draft)?))),
            "vaarg" => Ok(Op::VaArg { list: self.operand(draft)? }),
            "landingpad" => Ok(Op::LandingPad),
            _ => self.terminator_or_operation(word, draft),
        }
    }

    fn terminator_or_operation(&mut self, word: &str, draft: &mut Draft) -> Parsed<Op> {
        match word {
            "jump" => Ok(Op::Jump { target: self.block_id(draft)? }),
            "branch" => {
                let condition = self.operand(draft)?;
                let then = self.next_block(draft)?;
                Ok(Op::Branch { condition, then, otherwise: self.next_block(draft)? })
            }
            "switch" => {
                let value = self.operand(draft)?;
                let default = self.next_block(draft)?;
                let cases = self.list('[', ']', |parser| {
                    let value = parser.number()?;
                    parser.mark(':')?;
                    Ok((value, parser.block_id(draft)?))
                })?;
                Ok(Op::Switch { value, default, cases: cases.into() })
            }
            "indirectjump" => {
                let address = self.operand(draft)?;
                let targets = self.list('[', ']', |parser| parser.block_id(draft))?;
                Ok(Op::IndirectJump { address, targets: targets.into() })
            }
            "return" => {
                let ends = matches!(self.token, Token::Newline | Token::End | Token::Mark('@'));
                let value =
                    if ends || self.at_handle("st") { None } else { Some(self.operand(draft)?) };
                Ok(Op::Return { value })
            }
            "unreachable" => Ok(Op::Unreachable),
            "invoke" => {
                let call = Box::new(self.call(draft)?);
                self.keyword("to")?;
                let normal = self.block_id(draft)?;
                self.keyword("unwind")?;
                Ok(Op::Invoke { call, normal, unwind: self.block_id(draft)? })
            }
            "resume" => Ok(Op::Resume { value: self.operand(draft)? }),
            _ => self.operation(word, draft),
        }
    }

    fn operation(&mut self, word: &str, draft: &mut Draft) -> Parsed<Op> {
        if let Some(op) = UnaryOp::from_name(word) {
            return Ok(Op::Unary { op, value: self.operand(draft)? });
        }
        if let Some(op) = CastOp::from_name(word) {
            return Ok(Op::Cast { op, value: self.operand(draft)? });
        }
        if let Some(op) = BinaryOp::from_name(word) {
            let nsw = self.eat_keyword("nsw")?;
            let [lhs, rhs] = self.operands(draft)?;
            return Ok(Op::Binary { op, lhs, rhs, nsw });
        }
        if let Some(op) = CompareOp::from_name(word) {
            let [lhs, rhs] = self.operands(draft)?;
            return Ok(Op::Compare { op, lhs, rhs });
        }
        self.error(format!("`{word}` is not an instruction"))
    }

    pub(super) fn operand(&mut self, draft: &mut Draft) -> Parsed<Operand> {
        if self.at_handle("v") {
            return Ok(Operand::Value(self.value(draft)?));
        }
        let constant = self.constant()?;
        Ok(draft.constant(constant))
    }

    /// Operands with commas between them.
    fn operands<const N: usize>(&mut self, draft: &mut Draft) -> Parsed<[Operand; N]> {
        let first = self.operand(draft)?;
        let mut operands = [first; N];
        for operand in operands.iter_mut().skip(1) {
            *operand = self.next_operand(draft)?;
        }
        Ok(operands)
    }

    fn next_operand(&mut self, draft: &mut Draft) -> Parsed<Operand> {
        self.mark(',')?;
        self.operand(draft)
    }

    fn next_block(&mut self, draft: &mut Draft) -> Parsed<BlockId> {
        self.mark(',')?;
        self.block_id(draft)
    }

    /// Items in marks, with commas between them.
    fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        self.mark(open)?;
        while !self.eat(close)? {
            if !items.is_empty() {
                self.mark(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn phi(&mut self, draft: &mut Draft) -> Parsed<Op> {
        let mut incoming = Vec::new();
        while self.at_handle("b") {
            let block = self.block_id(draft)?;
            incoming.push((block, self.operand(draft)?));
            if !self.eat(',')? {
                break;
            }
        }
        Ok(Op::Phi { incoming: incoming.into() })
    }

    fn alloca(&mut self, draft: &mut Draft) -> Parsed<Op> {
        let ty = self.ty()?;
        let count = self.next_operand(draft)?;
        Ok(Op::Alloca { ty, count, align: self.access()?.align })
    }

    fn offset(&mut self, draft: &mut Draft) -> Parsed<Op> {
        let wraps = self.eat_keyword("wraps")?;
        let base = self.operand(draft)?;
        self.mark(',')?;
        let bytes = self.number()?;
        let mut scaled = Vec::new();
        while self.eat(',')? {
            let index = self.operand(draft)?;
            self.mark('*')?;
            scaled.push((index, self.number()?));
        }
        Ok(Op::Offset { base, bytes, scaled: scaled.into(), wraps })
    }

    fn path(&mut self) -> Parsed<Box<[u32]>> {
        let mut path = Vec::new();
        while self.eat(',')? {
            path.push(self.number()?);
        }
        Ok(path.into())
    }

    fn shuffle(&mut self, draft: &mut Draft) -> Parsed<Op> {
        let [lhs, rhs] = self.operands(draft)?;
        self.mark(',')?;
        let mask = self.list('[', ']', |parser| {
            if parser.eat_keyword("any")? { Ok(None) } else { parser.number().map(Some) }
        })?;
        Ok(Op::Shuffle { lhs, rhs, mask: mask.into() })
    }

    fn access(&mut self) -> Parsed<Access> {
        let align = if self.eat_keyword("align")? { self.number()? } else { 0 };
        let volatile = self.eat_keyword("volatile")?;
        Ok(Access { align, volatile, atomic: self.eat_keyword("atomic")? })
    }

    fn call(&mut self, draft: &mut Draft) -> Parsed<Call> {
        let returns = self.ty()?;
        let callee = self.callee(draft)?;
        let args = self.list('(', ')', |parser| {
            let value = parser.operand(draft)?;
            Ok(Argument { value, byval: parser.byval()? })
        })?;
        let fixed = if self.eat_keyword("fixed")? { Some(self.number()?) } else { None };
        Ok(Call { callee, args, returns, fixed })
    }

    fn callee(&mut self, draft: &mut Draft) -> Parsed<Callee> {
        if let Token::Symbol(_) = self.token {
            return self.function_symbol().map(Callee::Function);
        }
        match self.word("what is called")? {
            "indirect" => self.operand(draft).map(Callee::Indirect),
            "builtin" => self.one_of(Builtin::from_name, "a builtin").map(Callee::Builtin),
            "asm" => {
                let asm = Asm { template: self.string()?, constraints: self.string()? };
                Ok(Callee::Asm(Box::new(asm)))
            }
            word => self.error(format!("`{word}` cannot be called")),
        }
    }
}
