//! Reads types and constants.

use super::lexer::Token;
use super::{Parsed, Parser, Symbol, handle_index};
use crate::{BinaryOp, BlockId, CastOp, CompareOp, Const, FloatKind, Type, TypeId, TypedConst};

/// How deeply types and constants may nest.
const MAX_DEPTH: u32 = 200;
const MAX_INT_BITS: u32 = 1 << 23;
const FLOATS: [FloatKind; 6] = [
    FloatKind::Half,
    FloatKind::BFloat,
    FloatKind::Single,
    FloatKind::Double,
    FloatKind::X87,
    FloatKind::Quad,
];

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.nested_type(0)
    }

    fn nested_type(&mut self, depth: u32) -> Parsed<TypeId> {
        if depth > MAX_DEPTH {
            return self.error("a type nests too deeply");
        }
        match self.token {
            Token::Word(word) => {
                let named = handle_index(word, "t").and_then(|it| self.types.get(it as usize));
                let ty = match (named, simple_type(word)) {
                    (Some(&ty), _) => ty,
                    (None, Some(ty)) => self.module.types.intern(ty),
                    (None, None) => return self.expected("a type"),
                };
                self.advance()?;
                Ok(ty)
            }
            Token::Mark('[') => {
                self.advance()?;
                let length = self.number()?;
                self.keyword("x")?;
                let element = self.nested_type(depth + 1)?;
                self.mark(']')?;
                Ok(self.module.types.intern(Type::Array { element, length }))
            }
            Token::Mark('{') => self.fields(false, depth),
            Token::Mark('<') => {
                self.advance()?;
                if self.token == Token::Mark('{') {
                    let ty = self.fields(true, depth)?;
                    self.mark('>')?;
                    return Ok(ty);
                }
                self.vector(depth)
            }
            _ => self.expected("a type"),
        }
    }

    fn fields(&mut self, packed: bool, depth: u32) -> Parsed<TypeId> {
        let mut fields = Vec::new();
        self.mark('{')?;
        while !self.eat('}')? {
            if !fields.is_empty() {
                self.mark(',')?;
            }
            fields.push(self.nested_type(depth + 1)?);
        }
        let fields = fields.into_boxed_slice();
        Ok(self.module.types.intern(Type::Struct { fields, packed }))
    }

    fn vector(&mut self, depth: u32) -> Parsed<TypeId> {
        let lanes = self.number()?;
        self.keyword("x")?;
        let element = self.nested_type(depth + 1)?;
        let types = &mut self.module.types;
        if !matches!(types.get(element), Type::Int(_) | Type::Float(_) | Type::Ptr) {
            return self.error("a vector has elements that are not scalars");
        }
        let ty = types.intern(Type::Vector { element, lanes });
        self.mark('>')?;
        Ok(ty)
    }

    pub(super) fn constant(&mut self) -> Parsed<TypedConst> {
        self.nested_constant(0)
    }

    fn nested_constant(&mut self, depth: u32) -> Parsed<TypedConst> {
        if depth > MAX_DEPTH {
            return self.error("a constant nests too deeply");
        }
        let ty = self.ty()?;
        let value = match self.token {
            Token::Number(text) => {
                let value = self.numeric(ty, text)?;
                self.advance()?;
                value
            }
            Token::Word(word) => {
                self.advance()?;
                self.worded(word, depth)?
            }
            Token::Symbol(_) => match self.symbol()? {
                Symbol::Function(function) => Const::Function(function),
                Symbol::Global(global) => Const::Global(global),
            },
            Token::Mark('{') => self.elements(depth)?,
            _ => return self.expected("a constant"),
        };
        Ok(TypedConst { ty, value })
    }

    /// A number that is written in decimals.
    fn numeric(&self, ty: TypeId, text: &str) -> Parsed<Const> {
        let fraction = text.contains(['.', 'e']) && !text.starts_with("0x");
        let value = match (fraction, self.module.types.get(ty)) {
            (true, Type::Float(FloatKind::Double)) => {
                text.parse::<f64>().ok().map(|value| Const::Float(value.to_bits().into()))
            }
            (true, Type::Float(FloatKind::Single)) => {
                text.parse::<f32>().ok().map(|value| Const::Float(value.to_bits().into()))
            }
            (true, _) => None,
            (false, Type::Int(bits @ 1..=128)) if text.starts_with('-') => {
                text.parse::<i128>().ok().map(|value| Const::Int(truncated(value, *bits)))
            }
            (false, _) => text.parse::<u128>().ok().map(Const::Int),
        };
        match value {
            Some(value) => Ok(value),
            None => self.error(format!("`{text}` is not a number of the type")),
        }
    }

    fn worded(&mut self, word: &str, depth: u32) -> Parsed<Const> {
        match word {
            "null" => Ok(Const::Null),
            "undef" => Ok(Const::Undef),
            "zero" => Ok(Const::Zero),
            "bytes" => Ok(Const::Bytes(self.bytes()?.into_boxed_slice())),
            "bits" => self.bits(),
            _ => {
                self.mark('(')?;
                let constant = self.expression(word, depth)?;
                self.mark(')')?;
                Ok(constant)
            }
        }
    }

    fn bits(&mut self) -> Parsed<Const> {
        let Token::Number(text) = self.token else { return self.expected("a number") };
        let digits = text.strip_prefix("0x").unwrap_or("");
        let Ok(bits) = u128::from_str_radix(digits, 16) else {
            return self.error(format!("`{text}` is not a hexadecimal number"));
        };
        self.advance()?;
        Ok(Const::Float(bits))
    }

    fn expression(&mut self, word: &str, depth: u32) -> Parsed<Const> {
        if word == "block" {
            let line = self.line;
            let function = self.function_symbol()?;
            self.mark(',')?;
            let block = self.entity::<BlockId>("b")?;
            self.blocks.push((function, block, line));
            return Ok(Const::Block(function, block));
        }
        let first = Box::new(self.nested_constant(depth + 1)?);
        if let Some(op) = CastOp::from_name(word) {
            return Ok(Const::Cast { op, value: first });
        }
        self.mark(',')?;
        if word == "offset" {
            return Ok(Const::Offset { base: first, bytes: self.number()? });
        }
        let second = Box::new(self.nested_constant(depth + 1)?);
        if let Some(op) = BinaryOp::from_name(word) {
            return Ok(Const::Binary { op, lhs: first, rhs: second });
        }
        match CompareOp::from_name(word) {
            Some(op) => Ok(Const::Compare { op, lhs: first, rhs: second }),
            None => self.error(format!("`{word}` is not an operation on constants")),
        }
    }

    fn elements(&mut self, depth: u32) -> Parsed<Const> {
        let mut elements = Vec::new();
        self.mark('{')?;
        while !self.eat('}')? {
            if !elements.is_empty() {
                self.mark(',')?;
            }
            elements.push(self.nested_constant(depth + 1)?);
        }
        Ok(Const::Elements(elements.into_boxed_slice()))
    }
}

fn simple_type(word: &str) -> Option<Type> {
    match word {
        "void" => Some(Type::Void),
        "ptr" => Some(Type::Ptr),
        "opaque" => Some(Type::Opaque),
        _ => float_type(word).or_else(|| int_type(word)),
    }
}

fn float_type(word: &str) -> Option<Type> {
    FLOATS.into_iter().find(|kind| kind.name() == word).map(Type::Float)
}

fn int_type(word: &str) -> Option<Type> {
    let bits = handle_index(word, "i")?;
    (1..=MAX_INT_BITS).contains(&bits).then_some(Type::Int(bits))
}

/// The low bits of a number, zero-extended.
fn truncated(value: i128, bits: u32) -> u128 {
    let unused = 128 - bits;
    (value as u128) << unused >> unused
}
