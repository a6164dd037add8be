//! Reading types. Pointers to anything become `ptr`; named structs become their fields.
//!
//! Named types are resolved on first use. With typed pointers a struct may mention itself behind a
//! pointer, so inside definitions the reader first skips a type, and never resolves one that ends
//! in `*`.

use ir::{FloatKind, Type, TypeId, Types};
use rustc_hash::FxHashMap;

use crate::cursor::{Cursor, Parsed};
use crate::index::Item;

/// How deeply types (and constants) may nest.
pub(crate) const MAX_DEPTH: u32 = 200;

/// More lanes than any machine has; keeps layouts far from overflow.
const MAX_LANES: u64 = 1 << 20;

pub(crate) struct TypeReader<'t> {
    text: &'t [u8],
    pub types: Types,
    names: FxHashMap<&'t [u8], usize>,
    definitions: Vec<Definition>,
    /// The nesting of definitions of named types being resolved.
    resolving: u32,
}

#[derive(Clone, Copy)]
enum Definition {
    /// Begins and ends at these offsets.
    Pending(usize, usize),
    Busy,
    Known(TypeId),
    Failed,
}

/// A type, or the type of a function, which is no type of the IR.
pub(crate) enum Shape {
    Type(TypeId),
    Function(Signature),
}

#[derive(Clone, Copy)]
pub(crate) struct Signature {
    pub returns: TypeId,
    pub fixed: u32,
    pub variadic: bool,
}

impl<'t> TypeReader<'t> {
    pub fn new(text: &'t [u8], items: &[Item<'t>], data_layout: &[u8]) -> TypeReader<'t> {
        let wide = memchr::memmem::find(data_layout, b"i128:128").is_some();
        let mut names = FxHashMap::default();
        let mut definitions = Vec::with_capacity(items.len());
        for item in items {
            names.entry(item.name).or_insert(definitions.len());
            definitions.push(Definition::Pending(item.at, item.end));
        }
        let mut types = Types::new();
        types.set_i128_align(if wide { 16 } else { 8 });
        TypeReader { text, types, names, definitions, resolving: 0 }
    }

    #[inline]
    pub fn read(&mut self, c: &mut Cursor<'t>) -> Parsed<TypeId> {
        self.nested(c, 0)
    }

    fn nested(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<TypeId> {
        match self.shape(c, depth)? {
            Shape::Type(ty) => Ok(ty),
            Shape::Function(_) => c.fault("a function type stands where a value's type must"),
        }
    }

    #[inline]
    pub fn read_shape(&mut self, c: &mut Cursor<'t>) -> Parsed<Shape> {
        self.shape(c, 0)
    }

    fn shape(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<Shape> {
        c.space();
        if self.resolving > 0 {
            let mut ahead = *c;
            if skip_type(&mut ahead)? {
                *c = ahead;
                return Ok(Shape::Type(Types::PTR));
            }
        }
        let mut shape = Shape::Type(self.base(c, depth)?);
        loop {
            let mut ahead = *c;
            ahead.inline_space();
            match ahead.byte() {
                b'*' => {
                    ahead.at += 1;
                    shape = Shape::Type(Types::PTR);
                }
                b'(' => {
                    let Shape::Type(returns) = shape else {
                        return c.fault("a function cannot return a function");
                    };
                    ahead.at += 1;
                    shape = Shape::Function(self.parameters(&mut ahead, returns, depth)?);
                }
                b'a' if ahead.eat_word(b"addrspace") => {
                    if ahead.byte() != b'(' {
                        return ahead.expected("`(`");
                    }
                    ahead.skip_group()?;
                }
                _ => return Ok(shape),
            }
            *c = ahead;
        }
    }

    fn parameters(&mut self, c: &mut Cursor<'t>, returns: TypeId, depth: u32) -> Parsed<Signature> {
        let mut signature = Signature { returns, fixed: 0, variadic: false };
        if c.eat(b')') {
            return Ok(signature);
        }
        loop {
            if c.peek() == b'.' {
                c.word_here();
                signature.variadic = true;
            } else {
                self.deeper(c, depth)?;
                signature.fixed += 1;
            }
            if !c.eat(b',') {
                c.expect(b')')?;
                return Ok(signature);
            }
        }
    }

    fn deeper(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<TypeId> {
        if depth >= MAX_DEPTH {
            return c.fault("types are nested too deeply");
        }
        self.nested(c, depth + 1)
    }

    fn base(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<TypeId> {
        match c.byte() {
            b'%' => self.named(c, depth),
            b'[' => {
                c.at += 1;
                let length = c.number()?;
                c.expect_word("x")?;
                let element = self.deeper(c, depth)?;
                c.expect(b']')?;
                Ok(self.types.intern(Type::Array { element, length }))
            }
            b'{' => self.fields(c, depth, false),
            b'<' => {
                c.at += 1;
                if c.peek() == b'{' {
                    let ty = self.fields(c, depth, true)?;
                    c.expect(b'>')?;
                    return Ok(ty);
                }
                self.vector(c, depth)
            }
            _ => self.simple(c),
        }
    }

    fn vector(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<TypeId> {
        if c.peek_word() == b"vscale" {
            return c.fault("vectors of a size known only at run time are not supported");
        }
        let lanes = c.number()?;
        c.expect_word("x")?;
        let element = self.deeper(c, depth)?;
        c.expect(b'>')?;
        let scalar = matches!(self.types.get(element), Type::Int(_) | Type::Float(_) | Type::Ptr);
        match u32::try_from(lanes) {
            Ok(count) if scalar && (1..=MAX_LANES).contains(&lanes) => {
                Ok(self.types.intern(Type::Vector { element, lanes: count }))
            }
            _ => c.fault("a vector type is not valid"),
        }
    }

    fn fields(&mut self, c: &mut Cursor<'t>, depth: u32, packed: bool) -> Parsed<TypeId> {
        c.expect(b'{')?;
        let mut fields = Vec::new();
        if !c.eat(b'}') {
            loop {
                fields.push(self.deeper(c, depth)?);
                if !c.eat(b',') {
                    break;
                }
            }
            c.expect(b'}')?;
        }
        Ok(self.types.intern(Type::Struct { fields: fields.into(), packed }))
    }

    fn named(&mut self, c: &mut Cursor<'t>, depth: u32) -> Parsed<TypeId> {
        let start = *c;
        let name = c.local_name()?;
        if c.byte() == b'*' {
            return Ok(Types::PTR);
        }
        let Some(&index) = self.names.get(name) else {
            return start.fault(format!("type %{} is not defined", String::from_utf8_lossy(name)));
        };
        match self.definitions[index] {
            Definition::Known(ty) => Ok(ty),
            Definition::Busy => start.fault("a type contains itself"),
            Definition::Failed => start.fault("a named type cannot be read"),
            Definition::Pending(at, end) => {
                self.definitions[index] = Definition::Busy;
                self.resolving += 1;
                let ty = self.definition(Cursor::new(&self.text[..end], at), depth);
                self.resolving -= 1;
                self.definitions[index] =
                    ty.as_ref().map_or(Definition::Failed, |ty| Definition::Known(*ty));
                ty
            }
        }
    }

    fn definition(&mut self, mut c: Cursor<'t>, depth: u32) -> Parsed<TypeId> {
        c.expect_word("type")?;
        if c.eat_word(b"opaque") {
            return Ok(Types::OPAQUE);
        }
        self.deeper(&mut c, depth)
    }

    #[inline]
    fn simple(&mut self, c: &mut Cursor<'t>) -> Parsed<TypeId> {
        let start = *c;
        let word = c.word_here();
        let ty = match word {
            b"ptr" => Types::PTR,
            b"i32" => Types::I32,
            b"i64" => Types::I64,
            b"i8" => Types::I8,
            b"i1" => Types::I1,
            b"void" => Types::VOID,
            b"i16" => Types::I16,
            b"float" => Types::F32,
            b"double" => Types::F64,
            b"x86_fp80" => Types::F80,
            b"half" => self.types.intern(Type::Float(FloatKind::Half)),
            b"bfloat" => self.types.intern(Type::Float(FloatKind::BFloat)),
            b"fp128" => self.types.intern(Type::Float(FloatKind::Quad)),
            b"label" | b"token" | b"metadata" => Types::OPAQUE,
            b"ppc_fp128" | b"x86_mmx" | b"x86_amx" | b"target" => {
                let name = String::from_utf8_lossy(word);
                return start.fault(format!("type {name} is not supported"));
            }
            _ => match int_width(word) {
                Some(bits) => self.types.int(bits),
                None => return start.expected("a type"),
            },
        };
        Ok(ty)
    }
}

fn int_width(word: &[u8]) -> Option<u32> {
    let bits = crate::cursor::numeric(word.strip_prefix(b"i")?)?;
    (1..=1 << 23).contains(&bits).then_some(bits)
}

/// Whether a type begins here (as opposed to an attribute, a flag or a value).
#[inline]
pub(crate) fn at_type(c: &mut Cursor<'_>) -> bool {
    match c.peek() {
        b'%' | b'[' | b'{' | b'<' => true,
        b'a'..=b'z' => is_type_word(c.peek_word()),
        _ => false,
    }
}

fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"ptr"
            | b"i32"
            | b"i64"
            | b"i8"
            | b"i1"
            | b"void"
            | b"float"
            | b"double"
            | b"x86_fp80"
            | b"half"
            | b"bfloat"
            | b"fp128"
            | b"ppc_fp128"
            | b"x86_mmx"
            | b"x86_amx"
            | b"label"
            | b"token"
            | b"metadata"
            | b"target"
    ) || int_width(word).is_some()
}

/// Skips a type without resolving names; returns whether it is a pointer.
fn skip_type(c: &mut Cursor<'_>) -> Parsed<bool> {
    let mut pointer = false;
    match c.peek() {
        b'%' => {
            c.at += 1;
            c.name()?;
        }
        b'[' | b'{' | b'<' => c.skip_group()?,
        _ => pointer = c.word_here() == b"ptr",
    }
    loop {
        let mut ahead = *c;
        ahead.inline_space();
        match ahead.byte() {
            b'*' => {
                ahead.at += 1;
                pointer = true;
            }
            b'(' => {
                ahead.skip_group()?;
                pointer = false;
            }
            b'a' if ahead.eat_word(b"addrspace") && ahead.byte() == b'(' => ahead.skip_group()?,
            _ => return Ok(pointer),
        }
        *c = ahead;
    }
}
