//! Instructions other than calls: one function for each shape of text.

use ir::{Access, BlockId, CastOp, Const, Op, Operand, Type, TypeId, TypedConst, Types, UnaryOp};

use super::BodyReader;
use crate::cursor::Parsed;
use crate::fold;
use crate::literal;
use crate::offsets::Steps;
use crate::types::at_type;
use crate::words::{binary_op, cast_op, float_compare, int_compare, rmw_op};

impl<'t> BodyReader<'_, 't> {
    /// Reads one instruction, up to its metadata.
    pub fn instruction(&mut self) -> Parsed<()> {
        let start = self.c;
        let word = self.c.word();
        match word {
            b"load" => self.load(),
            b"store" => self.store(),
            b"getelementptr" => self.element_address(),
            b"call" => self.call(),
            b"tail" | b"musttail" | b"notail" => {
                self.c.expect_word("call")?;
                self.call()
            }
            b"br" => self.branch(),
            b"icmp" => self.compare(true),
            b"fcmp" => self.compare(false),
            b"alloca" => self.alloca(),
            b"phi" => self.phi(),
            b"select" => self.select(),
            b"ret" => self.ret(),
            b"switch" => self.switch(),
            b"unreachable" => {
                self.effect(Op::Unreachable);
                Ok(())
            }
            b"extractvalue" => self.extract_value(),
            b"insertvalue" => self.insert_value(),
            b"extractelement" => self.extract_element(),
            b"insertelement" => self.insert_element(),
            b"shufflevector" => self.shuffle(),
            b"fneg" => self.unary(UnaryOp::FNeg),
            b"freeze" => self.unary(UnaryOp::Copy),
            b"indirectbr" => self.indirect_branch(),
            b"invoke" => self.invoke(),
            b"landingpad" => self.landing_pad(),
            b"resume" => {
                let (_, value) = self.typed_operand()?;
                self.effect(Op::Resume { value });
                Ok(())
            }
            b"atomicrmw" => self.atomic_rmw(),
            b"cmpxchg" => self.compare_exchange(),
            b"fence" => {
                self.ordering()?;
                self.effect(Op::Fence);
                Ok(())
            }
            b"va_arg" => {
                let list = self.pointer()?;
                self.c.expect(b',')?;
                let ty = self.reader.types.read(&mut self.c)?;
                self.define(Op::VaArg { list }, ty)
            }
            b"callbr" | b"catchswitch" | b"catchpad" | b"catchret" | b"cleanuppad"
            | b"cleanupret" => {
                let name = String::from_utf8_lossy(word);
                start.fault(format!("instruction `{name}` is not supported"))
            }
            _ => {
                if let Some(op) = binary_op(word) {
                    let nsw = self.flags_with(b"nsw")?;
                    let (ty, lhs) = self.typed_operand()?;
                    self.c.expect(b',')?;
                    let rhs = self.operand(ty)?;
                    return self.define(Op::Binary { op, lhs, rhs, nsw }, ty);
                }
                if let Some(op) = cast_op(word) {
                    return self.cast(op);
                }
                if word.is_empty() {
                    return start.expected("an instruction");
                }
                let name = String::from_utf8_lossy(word);
                start.fault(format!("unknown instruction `{name}`"))
            }
        }
    }

    /// Skips flags and attributes up to a type.
    pub fn flags(&mut self) -> Parsed<()> {
        while !at_type(&mut self.c) {
            self.c.skip_attribute()?;
        }
        Ok(())
    }

    /// As `flags`; returns whether this one is among them.
    fn flags_with(&mut self, wanted: &[u8]) -> Parsed<bool> {
        let mut is_there = false;
        while !at_type(&mut self.c) {
            is_there |= { self.c }.word() == wanted;
            self.c.skip_attribute()?;
        }
        Ok(is_there)
    }

    fn types(&self) -> &Types {
        &self.reader.types.types
    }

    fn unary(&mut self, op: UnaryOp) -> Parsed<()> {
        self.flags()?;
        let (ty, value) = self.typed_operand()?;
        self.define(Op::Unary { op, value }, ty)
    }

    fn cast(&mut self, op: CastOp) -> Parsed<()> {
        self.flags()?;
        let (from, value) = self.typed_operand()?;
        self.c.expect_word("to")?;
        let to = self.reader.types.read(&mut self.c)?;
        if op == CastOp::Bitcast && from == to {
            return self.same_as(value, to);
        }
        self.define(Op::Cast { op, value }, to)
    }

    fn compare(&mut self, ints: bool) -> Parsed<()> {
        let op = loop {
            let start = self.c;
            let word = self.c.word();
            let op = if ints { int_compare(word) } else { float_compare(word) };
            if let Some(op) = op {
                break op;
            }
            // Flags such as `samesign` and `fast` come before the predicate.
            if word.is_empty() || at_type(&mut start.clone()) {
                return start.expected("a comparison");
            }
        };
        let (ty, lhs) = self.typed_operand()?;
        self.c.expect(b',')?;
        let rhs = self.operand(ty)?;
        let result = self.truth(ty);
        self.define(Op::Compare { op, lhs, rhs }, result)
    }

    /// `i1`, or a vector of them with as many lanes as the type has.
    fn truth(&mut self, ty: TypeId) -> TypeId {
        match *self.types().get(ty) {
            Type::Vector { lanes, .. } => {
                self.reader.types.types.intern(Type::Vector { element: Types::I1, lanes })
            }
            _ => Types::I1,
        }
    }

    fn select(&mut self) -> Parsed<()> {
        self.flags()?;
        let (_, condition) = self.typed_operand()?;
        self.c.expect(b',')?;
        let (ty, then) = self.typed_operand()?;
        self.c.expect(b',')?;
        let (other, otherwise) = self.typed_operand()?;
        if ty != other {
            return self.c.fault("the two values of a select have different types");
        }
        self.define(Op::Select { condition, then, otherwise }, ty)
    }

    fn phi(&mut self) -> Parsed<()> {
        self.flags()?;
        let ty = self.reader.types.read(&mut self.c)?;
        let mut incoming = Vec::new();
        loop {
            self.c.expect(b'[')?;
            let value = self.operand(ty)?;
            self.c.expect(b',')?;
            incoming.push((self.block_name()?, value));
            self.c.expect(b']')?;
            // Behind the comma there may be metadata instead.
            let mut ahead = self.c;
            if !ahead.eat(b',') || ahead.peek() != b'[' {
                break;
            }
            self.c = ahead;
        }
        self.define(Op::Phi { incoming: incoming.into() }, ty)
    }

    // Memory.

    /// `, align 4`, if it is there; 0 otherwise.
    fn align(&mut self) -> Parsed<u64> {
        let mut ahead = self.c;
        if !ahead.eat(b',') || !ahead.eat_word(b"align") {
            return Ok(0);
        }
        let align = ahead.number()?;
        if !align.is_power_of_two() {
            return ahead.fault("an alignment is not a power of two");
        }
        self.c = ahead;
        Ok(align)
    }

    /// An optional `syncscope("…")` and up to two orderings.
    fn ordering(&mut self) -> Parsed<()> {
        loop {
            self.c.inline_space();
            match self.c.byte() {
                b'a'..=b'z' => self.c.skip_attribute()?,
                _ => return Ok(()),
            }
        }
    }

    /// The words `atomic` and `volatile` (and `weak`) before a type.
    fn access(&mut self) -> Parsed<Access> {
        let mut access = Access::default();
        while !at_type(&mut self.c) {
            match self.c.peek_word() {
                b"atomic" => access.atomic = true,
                b"volatile" => access.volatile = true,
                _ => {}
            }
            self.c.skip_attribute()?;
        }
        Ok(access)
    }

    fn load(&mut self) -> Parsed<()> {
        let mut access = self.access()?;
        let ty = self.reader.types.read(&mut self.c)?;
        self.c.expect(b',')?;
        let address = self.pointer()?;
        self.ordering()?;
        access.align = self.align()?;
        self.define(Op::Load { address, access }, ty)
    }

    fn store(&mut self) -> Parsed<()> {
        let mut access = self.access()?;
        let (_, value) = self.typed_operand()?;
        self.c.expect(b',')?;
        let address = self.pointer()?;
        self.ordering()?;
        access.align = self.align()?;
        self.effect(Op::Store { address, value, access });
        Ok(())
    }

    fn alloca(&mut self) -> Parsed<()> {
        self.flags()?;
        let ty = self.reader.types.read(&mut self.c)?;
        let mut count = None;
        let mut ahead = self.c;
        if ahead.eat(b',') && at_type(&mut ahead) {
            self.c = ahead;
            count = Some(self.typed_operand()?.1);
        }
        let align = match self.align()? {
            0 => self.types().layout(ty).align,
            align => align,
        };
        let mut ahead = self.c;
        if ahead.eat(b',') && ahead.eat_word(b"addrspace") {
            ahead.skip_group()?;
            self.c = ahead;
        }
        let count = match count {
            Some(count) => count,
            None => self.constant(Types::I32, Const::Int(1)),
        };
        self.define(Op::Alloca { ty, count, align }, Types::PTR)
    }

    fn element_address(&mut self) -> Parsed<()> {
        let wraps = !self.flags_with(b"inbounds")?;
        let source = self.reader.types.read(&mut self.c)?;
        self.c.expect(b',')?;
        let (mut result, base) = self.typed_operand()?;
        let mut steps = Steps::new(source);
        let mut scaled = Vec::new();
        loop {
            let mut ahead = self.c;
            if !ahead.eat(b',') || !at_type(&mut ahead) {
                break;
            }
            self.c = ahead;
            let (ty, index) = self.typed_operand()?;
            if let Type::Vector { lanes, .. } = *self.types().get(ty)
                && result == Types::PTR
            {
                let lanes = Type::Vector { element: Types::PTR, lanes };
                result = self.reader.types.types.intern(lanes);
            }
            let known = self.constant_value(index);
            match known.and_then(|index| fold::signed_value(self.types(), index)) {
                Some(index) => steps.constant(&self.c, self.types(), index)?,
                None => scaled.push((index, steps.variable(&self.c, self.types())?)),
            }
        }
        if steps.bytes == 0 && scaled.is_empty() && result == Types::PTR {
            return self.same_as(base, result);
        }
        let op = Op::Offset { base, bytes: steps.bytes, scaled: scaled.into(), wraps };
        self.define(op, result)
    }

    fn atomic_rmw(&mut self) -> Parsed<()> {
        let volatile = self.c.eat_word(b"volatile");
        let start = self.c;
        let word = self.c.word();
        let Some(op) = rmw_op(word) else {
            let name = String::from_utf8_lossy(word);
            return start.fault(format!("atomic operation `{name}` is not supported"));
        };
        let address = self.pointer()?;
        self.c.expect(b',')?;
        let (ty, value) = self.typed_operand()?;
        self.ordering()?;
        let access = Access { align: self.align()?, volatile, atomic: true };
        self.define(Op::AtomicRmw { op, address, value, access }, ty)
    }

    fn compare_exchange(&mut self) -> Parsed<()> {
        let mut access = self.access()?;
        access.atomic = true;
        let address = self.pointer()?;
        self.c.expect(b',')?;
        let (ty, expected) = self.typed_operand()?;
        self.c.expect(b',')?;
        let (other, new) = self.typed_operand()?;
        if ty != other {
            return self.c.fault("the values of a cmpxchg have different types");
        }
        self.ordering()?;
        access.align = self.align()?;
        let pair = Type::Struct { fields: [ty, Types::I1].into(), packed: false };
        let result = self.reader.types.types.intern(pair);
        self.define(Op::CompareExchange { address, expected, new, access }, result)
    }

    // Aggregates and vectors.

    /// `, 0, 1` and the type that it leads to.
    fn path(&mut self, aggregate: TypeId) -> Parsed<(Box<[u32]>, TypeId)> {
        let mut path = Vec::new();
        let mut current = aggregate;
        loop {
            let mut ahead = self.c;
            if !ahead.eat(b',') || !ahead.peek().is_ascii_digit() {
                break;
            }
            let index = ahead.number_u32()?;
            self.c = ahead;
            let inner = match self.types().get(current) {
                Type::Struct { fields, .. } => fields.get(index as usize).copied(),
                Type::Array { element, length } => (u64::from(index) < *length).then_some(*element),
                _ => None,
            };
            match inner {
                Some(inner) => current = inner,
                None => return self.c.fault("an aggregate has no such element"),
            }
            path.push(index);
        }
        if path.is_empty() {
            return self.c.expected("an index");
        }
        Ok((path.into(), current))
    }

    fn extract_value(&mut self) -> Parsed<()> {
        let (ty, aggregate) = self.typed_operand()?;
        let (path, result) = self.path(ty)?;
        self.define(Op::ExtractValue { aggregate, path }, result)
    }

    fn insert_value(&mut self) -> Parsed<()> {
        let (ty, aggregate) = self.typed_operand()?;
        self.c.expect(b',')?;
        let (inner, value) = self.typed_operand()?;
        let (path, wanted) = self.path(ty)?;
        if inner != wanted {
            return self.c.fault("an inserted value has a wrong type");
        }
        self.define(Op::InsertValue { aggregate, value, path }, ty)
    }

    fn vector_operand(&mut self) -> Parsed<(TypeId, TypeId, Operand)> {
        let (ty, operand) = self.typed_operand()?;
        match *self.types().get(ty) {
            Type::Vector { element, .. } => Ok((ty, element, operand)),
            _ => self.c.fault("an operand is not a vector"),
        }
    }

    fn extract_element(&mut self) -> Parsed<()> {
        let (_, element, vector) = self.vector_operand()?;
        self.c.expect(b',')?;
        let (_, index) = self.typed_operand()?;
        self.define(Op::ExtractElement { vector, index }, element)
    }

    fn insert_element(&mut self) -> Parsed<()> {
        let (ty, element, vector) = self.vector_operand()?;
        self.c.expect(b',')?;
        let (inner, value) = self.typed_operand()?;
        self.c.expect(b',')?;
        let (_, index) = self.typed_operand()?;
        if inner != element {
            return self.c.fault("an inserted lane has a wrong type");
        }
        self.define(Op::InsertElement { vector, value, index }, ty)
    }

    fn shuffle(&mut self) -> Parsed<()> {
        let (ty, element, lhs) = self.vector_operand()?;
        self.c.expect(b',')?;
        let (other, _, rhs) = self.vector_operand()?;
        if ty != other {
            return self.c.fault("the vectors of a shuffle have different types");
        }
        self.c.expect(b',')?;
        let start = self.c;
        let (mask_ty, mask) = self.typed_operand()?;
        let lanes = match *self.types().get(mask_ty) {
            Type::Vector { lanes, .. } => lanes,
            _ => return start.fault("a shuffle's mask is not a vector"),
        };
        let mask = self.constant_value(mask).map(|mask| mask.value.clone());
        let mask: Option<Box<[Option<u32>]>> = match mask {
            Some(Const::Undef) => {
                self.reader.spend(&start, lanes)?;
                Some(vec![None; lanes as usize].into())
            }
            Some(Const::Zero) => {
                self.reader.spend(&start, lanes)?;
                Some(vec![Some(0); lanes as usize].into())
            }
            Some(Const::Elements(elements)) => elements.iter().map(mask_lane).collect(),
            _ => None,
        };
        let Some(mask) = mask else {
            return start.fault("a shuffle's mask is not constant");
        };
        let result = self.reader.types.types.intern(Type::Vector { element, lanes });
        self.define(Op::Shuffle { lhs, rhs, mask }, result)
    }

    // Control.

    fn branch(&mut self) -> Parsed<()> {
        if self.c.peek_word() == b"label" {
            let target = self.target()?;
            self.effect(Op::Jump { target });
            return Ok(());
        }
        let (_, condition) = self.typed_operand()?;
        self.c.expect(b',')?;
        let then = self.target()?;
        self.c.expect(b',')?;
        let otherwise = self.target()?;
        self.effect(Op::Branch { condition, then, otherwise });
        Ok(())
    }

    fn ret(&mut self) -> Parsed<()> {
        let ty = self.reader.types.read(&mut self.c)?;
        let value = if ty == Types::VOID { None } else { Some(self.operand(ty)?) };
        self.effect(Op::Return { value });
        Ok(())
    }

    fn switch(&mut self) -> Parsed<()> {
        let (ty, value) = self.typed_operand()?;
        let bits = match *self.types().get(ty) {
            Type::Int(bits) => bits,
            _ => return self.c.fault("a switch needs an integer"),
        };
        self.c.expect(b',')?;
        let default = self.target()?;
        self.c.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.c.eat(b']') {
            let case = self.case(ty, bits)?;
            cases.push(case);
        }
        self.effect(Op::Switch { value, default, cases: cases.into() });
        Ok(())
    }

    fn case(&mut self, ty: TypeId, bits: u32) -> Parsed<(u128, BlockId)> {
        if self.reader.types.read(&mut self.c)? != ty {
            return self.c.fault("a case has another type than its switch");
        }
        let value = match self.c.peek() {
            b't' | b'f' if bits == 1 => u128::from(self.c.word() == b"true"),
            _ => literal::integer(&mut self.c, bits)?,
        };
        self.c.expect(b',')?;
        Ok((value, self.target()?))
    }

    fn indirect_branch(&mut self) -> Parsed<()> {
        let address = self.pointer()?;
        self.c.expect(b',')?;
        self.c.expect(b'[')?;
        let mut targets = Vec::new();
        if !self.c.eat(b']') {
            loop {
                targets.push(self.target()?);
                if !self.c.eat(b',') {
                    break;
                }
            }
            self.c.expect(b']')?;
        }
        self.effect(Op::IndirectJump { address, targets: targets.into() });
        Ok(())
    }

    fn landing_pad(&mut self) -> Parsed<()> {
        let ty = self.reader.types.read(&mut self.c)?;
        loop {
            match self.c.peek_word() {
                b"cleanup" => {
                    self.c.word_here();
                }
                b"catch" | b"filter" => {
                    self.c.word_here();
                    self.typed_operand()?;
                }
                _ => return self.define(Op::LandingPad, ty),
            }
        }
    }
}

fn mask_lane(lane: &TypedConst) -> Option<Option<u32>> {
    match lane.value {
        Const::Int(lane) => u32::try_from(lane).ok().map(Some),
        Const::Undef => Some(None),
        _ => None,
    }
}
