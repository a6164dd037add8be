//! From a type of the debug information, and what the user says, to a shape.
//!
//! Pointers lead to memory of their own. Those of parameters are never null unless the user says
//! so; those inside of that memory may be null and must be, below a certain depth.

use ir::{DebugMember, DebugType, DebugTypeId, Encoding, Module};

use super::{Buffer, Field, Form, Param, Pointer, Raw, Scalar, ScalarKind, Shape};
use crate::error::Error;
use crate::parse::{How, Override};
use crate::types::{c_name, holds_pointer, resolve, size_of};
use crate::{Alphabet, Domain, Length};

/// How many pointers in a row are followed before all further ones are null.
pub const DEPTH: u32 = 3;
/// The most unknown values of one parameter.
pub const MOST_CELLS: usize = 1 << 16;

const DEFAULT_STRING: Length = Length::UpTo(8);
const DEFAULT_ELEMENTS: u64 = 8;
/// Types nested deeper than this are not C.
const MOST_NESTING: u32 = 200;

pub(crate) struct Builder<'a> {
    pub module: &'a Module,
    pub overrides: &'a [Override],
    /// Per override, whether it said something about a place that exists.
    pub used: Vec<bool>,
    cells: usize,
}

/// Where in a parameter the builder is.
#[derive(Clone)]
struct At {
    path: String,
    /// How many pointers led here.
    depth: u32,
    nesting: u32,
}

impl At {
    fn deeper(&self, path: String) -> At {
        At { path, depth: self.depth, nesting: self.nesting + 1 }
    }

    fn member(&self, name: &str) -> At {
        let whole = self.path.strip_suffix("[]").unwrap_or(&self.path);
        match name.is_empty() {
            true => self.deeper(self.path.clone()),
            false => self.deeper(format!("{whole}.{name}")),
        }
    }

    fn elements(&self) -> At {
        self.deeper(format!("{}[]", self.path))
    }
}

impl<'a> Builder<'a> {
    pub fn new(module: &'a Module, overrides: &'a [Override]) -> Builder<'a> {
        Builder { module, overrides, used: vec![false; overrides.len()], cells: 0 }
    }

    pub fn param(&mut self, name: &str, ty: Option<DebugTypeId>) -> Result<Param, Error> {
        self.cells = 0;
        let at = At { path: name.to_owned(), depth: 0, nesting: 0 };
        Ok(Param { name: name.to_owned(), shape: self.shape(&at, ty)? })
    }

    fn shape(&mut self, at: &At, ty: Option<DebugTypeId>) -> Result<Shape, Error> {
        if at.nesting > MOST_NESTING {
            return Err(self.unsupported(at, ty, "it is nested too deeply"));
        }
        let module = self.module;
        let how = self.say(&at.path);
        let form = match resolve(module, ty) {
            DebugType::Base { bits, encoding, name } => {
                self.base(at, ty, *bits, *encoding, name, how)?
            }
            DebugType::Enum { bits, enumerators, .. } => {
                let scalar = self.enumeration(at, ty, *bits, enumerators, how)?;
                self.scalar(at, scalar)?
            }
            DebugType::Pointer { to } => Form::Pointer(self.pointer(at, ty, *to, how)?),
            DebugType::Struct { members, .. } => {
                self.refuse(at, ty, how, "say what its members are: NAME.MEMBER=…")?;
                Form::Struct(self.members(at, members)?)
            }
            DebugType::Union { bits, .. } => {
                self.refuse(at, ty, how, "a union is explored as bytes and cannot be declared")?;
                if holds_pointer(module, ty) {
                    return Err(self.unsupported(at, ty, "it is a union that holds a pointer"));
                }
                self.count(at, bits.div_ceil(8))?;
                Form::Raw { kind: Raw::Union, bits: *bits }
            }
            DebugType::Array { element, lengths } => {
                self.refuse(at, ty, how, "say what its elements are: NAME[]=…")?;
                self.array(at, *element, lengths)?
            }
            DebugType::Void => return Err(self.unsupported(at, ty, "it has no values")),
            DebugType::Function { .. } => {
                return Err(self.unsupported(at, ty, "it is a function"));
            }
            _ => return Err(self.unsupported(at, ty, "its kind is not known")),
        };
        let size = size_of(module, ty)
            .filter(|&size| size <= u64::from(u32::MAX))
            .ok_or_else(|| self.unsupported(at, ty, "its size is not known"))?;
        Ok(Shape { ty: c_name(module, ty), size, form })
    }

    /// What the user says about a place.
    fn say(&mut self, path: &str) -> Option<&'a How> {
        let index = self.overrides.iter().position(|over| over.path == path)?;
        self.used[index] = true;
        self.overrides[index].how.as_ref()
    }

    fn unsupported(&self, at: &At, ty: Option<DebugTypeId>, why: &'static str) -> Error {
        Error::UnsupportedType { place: at.path.clone(), ty: c_name(self.module, ty), why }
    }

    fn unfit(&self, at: &At, ty: Option<DebugTypeId>, problem: impl Into<String>) -> Error {
        let (place, ty) = (at.path.clone(), c_name(self.module, ty));
        Error::Unfit { place, ty, problem: problem.into() }
    }

    fn refuse(
        &self,
        at: &At,
        ty: Option<DebugTypeId>,
        how: Option<&How>,
        problem: &str,
    ) -> Result<(), Error> {
        match how {
            Some(_) => Err(self.unfit(at, ty, problem)),
            None => Ok(()),
        }
    }

    fn count(&mut self, at: &At, cells: u64) -> Result<(), Error> {
        self.cells = self.cells.saturating_add(usize::try_from(cells).unwrap_or(usize::MAX));
        match self.cells > MOST_CELLS {
            true => Err(Error::TooManyCells { place: at.path.clone(), most: MOST_CELLS }),
            false => Ok(()),
        }
    }

    fn scalar(&mut self, at: &At, scalar: Scalar) -> Result<Form, Error> {
        self.count(at, 1)?;
        Ok(Form::Scalar(scalar))
    }

    fn base(
        &mut self,
        at: &At,
        ty: Option<DebugTypeId>,
        bits: u64,
        encoding: Encoding,
        name: &str,
        how: Option<&How>,
    ) -> Result<Form, Error> {
        let wide = |kind, bits| Ok(Form::Raw { kind, bits });
        let kind = match encoding {
            Encoding::Float if bits > 64 && name == "long double" => {
                self.refuse(at, ty, how, "its range cannot be declared")?;
                self.count(at, 2)?;
                return wide(Raw::LongDouble, 80);
            }
            Encoding::Signed | Encoding::Unsigned if bits > 64 && bits <= 128 => {
                self.refuse(at, ty, how, "its range cannot be declared")?;
                self.count(at, 2)?;
                let signed = encoding == Encoding::Signed;
                return wide(if signed { Raw::SignedInt } else { Raw::UnsignedInt }, bits);
            }
            Encoding::Other => return Err(self.unsupported(at, ty, "its encoding is not known")),
            _ if bits == 0 || bits > 64 => {
                return Err(self.unsupported(at, ty, "its width is not known"));
            }
            Encoding::Float => ScalarKind::Float,
            Encoding::SignedChar | Encoding::UnsignedChar => ScalarKind::Char,
            _ => ScalarKind::Int,
        };
        let bits = bits as u32;
        let scalar = Scalar { bits, kind, domain: base_domain(bits, encoding) };
        let scalar = self.narrowed(at, ty, scalar, how)?;
        self.scalar(at, scalar)
    }

    fn enumeration(
        &mut self,
        at: &At,
        ty: Option<DebugTypeId>,
        bits: u64,
        enumerators: &[(String, i128)],
        how: Option<&How>,
    ) -> Result<Scalar, Error> {
        let signed = enumerators.iter().any(|(_, value)| *value < 0);
        let bits = u32::try_from(bits).ok().filter(|bits| (1..=64).contains(bits));
        let bits = bits.ok_or_else(|| self.unsupported(at, ty, "its width is not known"))?;
        let values = enumerators.iter().map(|(_, value)| *value..=*value);
        let domain =
            Domain::union(bits, signed, values).unwrap_or_else(|| Domain::full(bits, signed));
        let kind = ScalarKind::Enum(enumerators.to_vec());
        self.narrowed(at, ty, Scalar { bits, kind, domain }, how)
    }

    /// Applies what the user says about a number.
    fn narrowed(
        &self,
        at: &At,
        ty: Option<DebugTypeId>,
        scalar: Scalar,
        how: Option<&How>,
    ) -> Result<Scalar, Error> {
        let Some(how) = how else { return Ok(scalar) };
        let float = scalar.kind == ScalarKind::Float;
        let ranges = match how {
            How::Literal(text) if float => {
                let bits = float_literal(scalar.bits, text);
                let bits = bits.ok_or_else(|| {
                    self.unfit(at, ty, format!("`{}` is not its value", shown(text)))
                })?;
                vec![i128::from(bits)..=i128::from(bits)]
            }
            _ if float => return Err(self.unfit(at, ty, "only =VALUE can be said about it")),
            How::AnyInt => vec![i128::MIN..=i128::MAX],
            How::Int { low, high } => vec![i128::from(*low)..=i128::from(*high)],
            How::Choice(texts) => {
                let number = |text: &Vec<u8>| self.number(at, ty, &scalar, text);
                let numbers: Vec<i128> = texts.iter().map(number).collect::<Result<_, _>>()?;
                numbers.into_iter().map(|number| number..=number).collect()
            }
            How::Literal(text) => {
                let number = self.number(at, ty, &scalar, text)?;
                vec![number..=number]
            }
            How::Buffer { .. } | How::Text { .. } | How::Null => {
                let problem = "it is no pointer; write int, int:LOW..HIGH, choice:A,B,… or =VALUE";
                return Err(self.unfit(at, ty, problem));
            }
        };
        let (bits, signed) = (scalar.bits, scalar.domain.is_signed());
        let full = Domain::full(bits, signed).bounds();
        let misses = |range: &std::ops::RangeInclusive<i128>| {
            *range.start() != i128::MIN && (*range.start() < full.0 || *range.end() > full.1)
        };
        if ranges.iter().any(misses) {
            let problem = format!("its values lie between {} and {}", full.0, full.1);
            return Err(self.unfit(at, ty, problem));
        }
        let domain = Domain::union(bits, signed, ranges).expect("the ranges were just checked");
        Ok(Scalar { domain, ..scalar })
    }

    /// A number or the name of an enumerator.
    fn number(
        &self,
        at: &At,
        ty: Option<DebugTypeId>,
        scalar: &Scalar,
        text: &[u8],
    ) -> Result<i128, Error> {
        let text = shown(text);
        let named = match &scalar.kind {
            ScalarKind::Enum(names) => names.iter().find(|(name, _)| *name == text),
            _ => None,
        };
        let number = named.map(|(_, value)| *value).or_else(|| text.parse().ok());
        number.ok_or_else(|| self.unfit(at, ty, format!("`{text}` is not its value")))
    }

    fn members(&mut self, at: &At, members: &[DebugMember]) -> Result<Vec<Field>, Error> {
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            let at = at.member(&member.name);
            let shape = match member.bit_field {
                true => self.bit_field(&at, member)?,
                false => self.shape(&at, member.ty)?,
            };
            fields.push(Field { name: member.name.clone(), bit: member.offset, shape });
        }
        Ok(fields)
    }

    fn bit_field(&mut self, at: &At, member: &DebugMember) -> Result<Shape, Error> {
        let how = self.say(&at.path);
        let mut scalar = match resolve(self.module, member.ty) {
            DebugType::Base { encoding, .. } => {
                let bits = u32::try_from(member.bits).ok().filter(|bits| (1..=64).contains(bits));
                let unknown = || self.unsupported(at, member.ty, "its width is not known");
                let bits = bits.ok_or_else(unknown)?;
                Scalar { bits, kind: ScalarKind::Int, domain: base_domain(bits, *encoding) }
            }
            DebugType::Enum { enumerators, .. } => {
                self.enumeration(at, member.ty, member.bits, enumerators, None)?
            }
            _ => return Err(self.unsupported(at, member.ty, "it is a bit-field")),
        };
        scalar = self.narrowed(at, member.ty, scalar, how)?;
        let size = size_of(self.module, member.ty).unwrap_or(0);
        let form = self.scalar(at, scalar)?;
        Ok(Shape { ty: c_name(self.module, member.ty), size, form })
    }

    /// Rows of rows are arrays of arrays. An array without a length has no elements of its own.
    fn array(
        &mut self,
        at: &At,
        element: Option<DebugTypeId>,
        lengths: &[Option<u64>],
    ) -> Result<Form, Error> {
        let mut lengths = lengths.iter().rev().map(|length| length.unwrap_or(0));
        let count = lengths.next().unwrap_or(0);
        let mut form = self.elements(&at.elements(), element, count)?;
        for count in lengths {
            let rows = count.max(1) - 1;
            self.count(at, rows.saturating_mul(cells_of(&form)))?;
            let size = size_of_form(&form);
            let ty = format!("{} [...]", c_name(self.module, element));
            form = Form::Array { element: Box::new(Shape { ty, size, form }), count };
        }
        Ok(form)
    }

    /// Consecutive elements that are alike.
    fn elements(
        &mut self,
        at: &At,
        element: Option<DebugTypeId>,
        count: u64,
    ) -> Result<Form, Error> {
        let before = self.cells;
        let element = self.shape(at, element)?;
        let each = (self.cells - before) as u64;
        self.count(at, each.saturating_mul(count.max(1) - 1))?;
        Ok(Form::Array { element: Box::new(element), count })
    }

    fn pointer(
        &mut self,
        at: &At,
        ty: Option<DebugTypeId>,
        to: Option<DebugTypeId>,
        how: Option<&How>,
    ) -> Result<Pointer, Error> {
        let target = resolve(self.module, to);
        match (how, target) {
            (Some(How::Null), _) => Ok(Pointer::Null),
            (Some(How::Literal(name)), DebugType::Function { .. }) => {
                self.function_named(at, ty, &shown(name))
            }
            (Some(_), DebugType::Function { .. }) => {
                Err(self.unfit(at, ty, "write =FUNCTION for the address of a function, or null"))
            }
            (None, DebugType::Function { .. }) if at.nesting == 0 => {
                let problem = "write --param NAME==FUNCTION for the function that it points to";
                Err(self.unfit(at, ty, problem))
            }
            (None, DebugType::Function { .. }) => Ok(Pointer::Null),
            (None, _) if at.depth >= DEPTH => Ok(Pointer::Null),
            (None, target) if is_opaque(target) && at.nesting > 0 => Ok(Pointer::Null),
            (_, target) if is_opaque(target) => {
                let why = "what it points to is a stream or an incomplete type";
                Err(self.unsupported(at, ty, why))
            }
            (None, _) => self.usual_buffer(at, to),
            (Some(How::Buffer { count, nullable }), _) => {
                self.buffer(at, to, u64::from(*count), *nullable)
            }
            (Some(How::Text { length, alphabet, nullable }), target) if is_char(target) => {
                self.string(at, to, *length, *alphabet, *nullable)
            }
            (Some(How::Literal(text)), target) if is_char(target) => {
                Ok(Pointer::Buffer(literal_string(c_name(self.module, to), text)))
            }
            (Some(_), target) => {
                let problem = match is_char(target) {
                    true => "write str:N, text:N, buf:N, =TEXT or null",
                    false => "write buf:N or null",
                };
                Err(self.unfit(at, ty, problem))
            }
        }
    }

    fn function_named(
        &self,
        at: &At,
        ty: Option<DebugTypeId>,
        name: &str,
    ) -> Result<Pointer, Error> {
        let known = self.module.functions.values().any(|f| f.display_name() == name);
        match known {
            true => Ok(Pointer::Function(name.to_owned())),
            false => Err(self.unfit(at, ty, format!("the program has no function `{name}`"))),
        }
    }

    fn usual_buffer(&mut self, at: &At, to: Option<DebugTypeId>) -> Result<Pointer, Error> {
        let nullable = at.nesting > 0;
        match resolve(self.module, to) {
            target if is_char(target) && !is_unsigned_char(target) => {
                self.string(at, to, DEFAULT_STRING, Alphabet::Any, nullable)
            }
            DebugType::Base { .. } | DebugType::Enum { .. } | DebugType::Void => {
                self.buffer(at, to, DEFAULT_ELEMENTS, nullable)
            }
            _ => self.buffer(at, to, 1, nullable),
        }
    }

    fn buffer(
        &mut self,
        at: &At,
        to: Option<DebugTypeId>,
        count: u64,
        nullable: bool,
    ) -> Result<Pointer, Error> {
        self.count(at, u64::from(nullable))?;
        let inner = At { depth: at.depth + 1, ..at.elements() };
        let form = match resolve(self.module, to) {
            // Memory behind a `void *` is bytes.
            DebugType::Void => {
                self.count(at, count)?;
                Form::Array { element: Box::new(unsigned_char()), count }
            }
            _ => self.elements(&inner, to, count)?,
        };
        let size = size_of_form(&form);
        if size > u64::from(u32::MAX) {
            return Err(self.unsupported(at, to, "its size is not known"));
        }
        let ty = format!("{} [{count}]", c_name(self.module, to));
        let target = Box::new(Shape { ty, size, form });
        Ok(Pointer::Buffer(Buffer { target, nullable, string: false }))
    }

    fn string(
        &mut self,
        at: &At,
        to: Option<DebugTypeId>,
        length: Length,
        alphabet: Alphabet,
        nullable: bool,
    ) -> Result<Pointer, Error> {
        let count = u64::from(length.max());
        self.count(at, count + u64::from(nullable))?;
        let DebugType::Base { encoding, .. } = resolve(self.module, to) else {
            return Err(self.unsupported(at, to, "it is no character"));
        };
        let full = base_domain(8, *encoding);
        let exact = matches!(length, Length::Exactly(_));
        let allowed = |byte: u8| match byte {
            0 => !exact,
            byte => alphabet != Alphabet::Printable || (b' '..=b'~').contains(&byte),
        };
        let bytes = (0..=u8::MAX).filter(|&byte| allowed(byte));
        let numbers = bytes.map(|byte| full.decode(u64::from(byte)));
        let domain = Domain::union(8, full.is_signed(), numbers.map(|number| number..=number));
        let domain = domain.expect("every alphabet has letters");
        let scalar = Scalar { bits: 8, kind: ScalarKind::Char, domain };
        let ty = c_name(self.module, to);
        let element = Shape { ty: ty.clone(), size: 1, form: Form::Scalar(scalar) };
        let form = Form::Array { element: Box::new(element), count };
        // The zero behind the last character is not among the elements that vary.
        let size = count + 1;
        let target = Box::new(Shape { ty: format!("{ty} [{size}]"), size, form });
        Ok(Pointer::Buffer(Buffer { target, nullable, string: true }))
    }
}

fn literal_string(ty: String, text: &[u8]) -> Buffer {
    let mut bytes = text.to_vec();
    bytes.push(0);
    let size = bytes.len() as u64;
    let target = Shape { ty: format!("{ty} [{size}]"), size, form: Form::Fixed(bytes) };
    Buffer { target: Box::new(target), nullable: false, string: true }
}

fn unsigned_char() -> Shape {
    let domain = Domain::full(8, false);
    let scalar = Scalar { bits: 8, kind: ScalarKind::Char, domain };
    Shape { ty: "unsigned char".to_owned(), size: 1, form: Form::Scalar(scalar) }
}

fn base_domain(bits: u32, encoding: Encoding) -> Domain {
    match encoding {
        Encoding::Boolean => Domain::range(bits, false, 0..=1).expect("0 and 1 fit everywhere"),
        Encoding::Signed | Encoding::SignedChar => Domain::full(bits, true),
        _ => Domain::full(bits, false),
    }
}

fn is_char(ty: &DebugType) -> bool {
    matches!(
        ty,
        DebugType::Base { bits: 8, encoding: Encoding::SignedChar | Encoding::UnsignedChar, .. }
    )
}

fn is_unsigned_char(ty: &DebugType) -> bool {
    matches!(ty, DebugType::Base { encoding: Encoding::UnsignedChar, .. })
}

/// Whether nobody but a library can make up what lies there.
fn is_opaque(ty: &DebugType) -> bool {
    match ty {
        DebugType::Struct { name, bits, members } => {
            name == "_IO_FILE" || name == "__va_list_tag" || *bits == 0 && members.is_empty()
        }
        DebugType::Union { bits, members, .. } => *bits == 0 && members.is_empty(),
        _ => false,
    }
}

fn size_of_form(form: &Form) -> u64 {
    match form {
        Form::Array { element, count } => element.size.saturating_mul(*count),
        _ => 0,
    }
}

/// The number of cells that a form takes, for arrays of arrays.
fn cells_of(form: &Form) -> u64 {
    match form {
        Form::Scalar(_) => 1,
        Form::Raw { kind, bits } => crate::layout::raw_pieces(*kind, *bits).count() as u64,
        Form::Fixed(_) => 0,
        Form::Struct(fields) => fields.iter().map(|field| cells_of(&field.shape.form)).sum(),
        Form::Array { element, count } => count.saturating_mul(cells_of(&element.form)),
        Form::Pointer(Pointer::Buffer(buffer)) => {
            u64::from(buffer.nullable).saturating_add(cells_of(&buffer.target.form))
        }
        Form::Pointer(_) => 0,
    }
}

fn float_literal(bits: u32, text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    match bits {
        32 => text.parse::<f32>().ok().map(|number| u64::from(number.to_bits())),
        64 => text.parse::<f64>().ok().map(f64::to_bits),
        _ => None,
    }
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
