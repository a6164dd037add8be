//! Reading constants: literals, aggregates, addresses and constant expressions.
//!
//! Checks every constant against its type. Folds what it can (see `fold`); what the IR cannot
//! express is a fault that names it.

use ir::{CastOp, CompareOp, Const, Type, TypeId, TypedConst, Types};

use super::Reader;
use crate::cursor::{Cursor, Parsed, unescape};
use crate::fold;
use crate::literal;
use crate::offsets::Steps;
use crate::types::MAX_DEPTH;
use crate::words::{binary_op, cast_op, float_compare, int_compare};

impl<'t> Reader<'t> {
    /// A type and a constant of it.
    pub fn typed_constant(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<TypedConst> {
        let ty = self.types.read(c)?;
        let value = self.constant(c, ty, depth)?;
        Ok(TypedConst { ty, value })
    }

    pub fn constant(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32) -> Parsed<Const> {
        if depth > MAX_DEPTH {
            return c.fault("constants are nested too deeply");
        }
        let start = *c;
        match c.peek() {
            b'0'..=b'9' | b'-' | b'+' => literal::number(c, &self.types.types, ty),
            b'@' => {
                let name = c.global_name()?;
                self.check(c, ty, Types::PTR)?;
                self.symbol_constant(&start, name, depth)
            }
            b'[' => self.array(c, ty, depth),
            b'{' => self.structure(c, ty, depth, false),
            b'<' => {
                c.at += 1;
                if c.peek() == b'{' {
                    let value = self.structure(c, ty, depth, true)?;
                    c.expect(b'>')?;
                    return Ok(value);
                }
                self.vector(c, ty, depth)
            }
            b'c' if c.byte_at(1) == b'"' => {
                c.at += 1;
                self.bytes(c, ty)
            }
            _ => self.constant_word(c, ty, depth),
        }
    }

    fn check(&self, c: &Cursor<'t>, ty: TypeId, wanted: TypeId) -> Parsed<()> {
        if ty == wanted { Ok(()) } else { c.fault("a constant does not have the type it is given") }
    }

    fn constant_word(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32) -> Parsed<Const> {
        let start = *c;
        let word = c.word();
        match word {
            b"null" => self.check(c, ty, Types::PTR).map(|()| Const::Null),
            b"true" => self.check(c, ty, Types::I1).map(|()| Const::Int(1)),
            b"false" => self.check(c, ty, Types::I1).map(|()| Const::Int(0)),
            b"undef" | b"poison" | b"none" => Ok(Const::Undef),
            b"zeroinitializer" => Ok(zero(self.types.types.get(ty))),
            b"splat" => self.splat(c, ty, depth),
            b"blockaddress" => self.block_address(c),
            b"dso_local_equivalent" | b"no_cfi" => {
                let name = c.global_name()?;
                self.symbol_constant(&start, name, depth)
            }
            b"getelementptr" => self.element_address(c, depth),
            b"icmp" | b"fcmp" => self.comparison(c, ty, depth, word == b"icmp"),
            b"select" => self.selection(c, ty, depth),
            _ => {
                if let Some(op) = cast_op(word) {
                    return self.cast(c, ty, depth, op);
                }
                if let Some(op) = binary_op(word) {
                    let (lhs, rhs) = self.two_operands(c, depth)?;
                    self.check(c, ty, lhs.ty)?;
                    return Ok(fold::binary(&self.types.types, op, lhs, rhs));
                }
                if literal::is_typed_hex(word) {
                    *c = start;
                    return literal::number(c, &self.types.types, ty);
                }
                if matches!(
                    word,
                    b"ptrauth"
                        | b"fneg"
                        | b"extractvalue"
                        | b"insertvalue"
                        | b"extractelement"
                        | b"insertelement"
                        | b"shufflevector"
                        | b"asm"
                ) {
                    let name = String::from_utf8_lossy(word);
                    return start.fault(format!("a constant made by `{name}` is not supported"));
                }
                start.expected("a value")
            }
        }
    }

    fn array(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32) -> Parsed<Const> {
        let &Type::Array { element, length } = self.types.types.get(ty) else {
            return c.fault("an array constant stands where another type is expected");
        };
        c.expect(b'[')?;
        let elements = self.elements(c, Some(element), b']', depth)?;
        self.aggregate(c, elements, length)
    }

    fn vector(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32) -> Parsed<Const> {
        let &Type::Vector { element, lanes } = self.types.types.get(ty) else {
            return c.fault("a vector constant stands where another type is expected");
        };
        let elements = self.elements(c, Some(element), b'>', depth)?;
        self.aggregate(c, elements, u64::from(lanes))
    }

    fn structure(
        &mut self,
        c: &mut Cursor<'t>,
        ty: TypeId,
        depth: u32,
        tight: bool,
    ) -> Parsed<Const> {
        c.expect(b'{')?;
        let elements = self.elements(c, None, b'}', depth)?;
        let Type::Struct { fields, packed } = self.types.types.get(ty) else {
            return c.fault("a struct constant stands where another type is expected");
        };
        let matching = *packed == tight
            && fields.len() == elements.len()
            && fields.iter().zip(&elements).all(|(field, element)| *field == element.ty);
        if !matching {
            return c.fault("a struct constant does not fit its type");
        }
        Ok(Const::Elements(elements.into()))
    }

    fn elements(
        &mut self,
        c: &mut Cursor<'t>,
        wanted: Option<TypeId>,
        close: u8,
        depth: u32,
    ) -> Parsed<Vec<TypedConst>> {
        let mut elements = Vec::new();
        if c.eat(close) {
            return Ok(elements);
        }
        loop {
            let element = self.typed_constant(c, depth + 1)?;
            if wanted.is_some_and(|wanted| wanted != element.ty) {
                return c.fault("an element does not have its aggregate's element type");
            }
            elements.push(element);
            if !c.eat(b',') {
                c.expect(close)?;
                return Ok(elements);
            }
        }
    }

    fn aggregate(&self, c: &Cursor<'t>, elements: Vec<TypedConst>, length: u64) -> Parsed<Const> {
        if elements.len() as u64 != length {
            return c.fault("an aggregate constant has a wrong number of elements");
        }
        Ok(Const::Elements(elements.into()))
    }

    fn bytes(&mut self, c: &mut Cursor<'t>, ty: TypeId) -> Parsed<Const> {
        let bytes = unescape(c.string()?);
        match self.types.types.get(ty) {
            &Type::Array { element: Types::I8, length } if length == bytes.len() as u64 => {
                Ok(Const::Bytes(bytes.into()))
            }
            _ => c.fault("a string constant does not fit its type"),
        }
    }

    fn splat(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32) -> Parsed<Const> {
        c.expect(b'(')?;
        let lane = self.typed_constant(c, depth + 1)?;
        c.expect(b')')?;
        match self.types.types.get(ty) {
            &Type::Vector { element, lanes } if element == lane.ty => {
                let plain = !matches!(
                    lane.value,
                    Const::Elements(_) | Const::Binary { .. } | Const::Compare { .. }
                );
                if !plain {
                    return c.fault("a vector of equal expressions is not supported");
                }
                self.spend(c, lanes)?;
                Ok(Const::Elements(vec![lane; lanes as usize].into()))
            }
            _ => c.fault("a vector constant does not fit its type"),
        }
    }

    fn block_address(&mut self, c: &mut Cursor<'t>) -> Parsed<Const> {
        c.expect(b'(')?;
        let function = c.global_name()?;
        c.expect(b',')?;
        let start = *c;
        let label = c.local_name()?;
        c.expect(b')')?;
        self.block_constant(&start, function, label)
    }

    fn two_operands(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<(TypedConst, TypedConst)> {
        skip_flags(c)?;
        let lhs = self.typed_constant(c, depth + 1)?;
        c.expect(b',')?;
        let rhs = self.typed_constant(c, depth + 1)?;
        self.check(c, lhs.ty, rhs.ty)?;
        c.expect(b')')?;
        Ok((lhs, rhs))
    }

    fn comparison(
        &mut self,
        c: &mut Cursor<'t>,
        ty: TypeId,
        depth: u32,
        ints: bool,
    ) -> Parsed<Const> {
        let word = c.word();
        let op: Option<CompareOp> = if ints { int_compare(word) } else { float_compare(word) };
        let Some(op) = op else { return c.fault("unknown comparison") };
        let (lhs, rhs) = self.two_operands(c, depth)?;
        self.check(c, ty, Types::I1)?;
        Ok(fold::compare(&self.types.types, op, lhs, rhs))
    }

    fn selection(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32) -> Parsed<Const> {
        c.expect(b'(')?;
        let condition = self.typed_constant(c, depth + 1)?;
        c.expect(b',')?;
        let then = self.typed_constant(c, depth + 1)?;
        c.expect(b',')?;
        let otherwise = self.typed_constant(c, depth + 1)?;
        c.expect(b')')?;
        self.check(c, then.ty, ty)?;
        self.check(c, otherwise.ty, ty)?;
        match condition.value {
            Const::Int(0) => Ok(otherwise.value),
            Const::Int(_) => Ok(then.value),
            _ => match fold::select(&self.types.types, condition, then, otherwise) {
                Some(value) => Ok(value),
                None => c.fault("a constant of this type chosen by addresses is not supported"),
            },
        }
    }

    fn cast(&mut self, c: &mut Cursor<'t>, ty: TypeId, depth: u32, op: CastOp) -> Parsed<Const> {
        skip_flags(c)?;
        let value = self.typed_constant(c, depth + 1)?;
        c.expect_word("to")?;
        let target = self.types.read(c)?;
        c.expect(b')')?;
        self.check(c, ty, target)?;
        Ok(fold::cast(&self.types.types, op, value, target))
    }

    fn element_address(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<Const> {
        skip_flags(c)?;
        let source = self.types.read(c)?;
        c.expect(b',')?;
        let base = self.typed_constant(c, depth + 1)?;
        self.check(c, base.ty, Types::PTR)?;
        let mut steps = Steps::new(source);
        let mut address = base;
        while c.eat(b',') {
            c.eat_word(b"inrange");
            let index = self.typed_constant(c, depth + 1)?;
            match fold::signed_value(&self.types.types, &index) {
                Some(index) => steps.constant(c, &self.types.types, index)?,
                None => {
                    let scale = steps.variable(c, &self.types.types)?;
                    address = fold::add_scaled(&self.types.types, address, index, scale);
                }
            }
        }
        c.expect(b')')?;
        Ok(fold::offset(address, steps.bytes))
    }
}

/// The value with all bytes zero, in its simplest form.
pub(crate) fn zero(ty: &Type) -> Const {
    match ty {
        Type::Int(bits) if *bits <= 128 => Const::Int(0),
        Type::Float(_) => Const::Float(0),
        Type::Ptr => Const::Null,
        _ => Const::Zero,
    }
}

/// Skips flags such as `inbounds` and `nuw`, then the opening parenthesis.
fn skip_flags(c: &mut Cursor<'_>) -> Parsed<()> {
    while c.peek() != b'(' {
        let word = c.word_here();
        if word.is_empty() {
            return c.expected("`(`");
        }
        // `inrange(-16, 8)` is a flag with an argument.
        if word == b"inrange" {
            c.space();
            if c.byte() == b'(' {
                c.skip_group()?;
            }
        }
    }
    c.at += 1;
    Ok(())
}
