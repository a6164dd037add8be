//! Pointers: the memory that they point to.
//!
//! A parameter's own pointer is never null unless the user declares it or the code tests for it.
//! Pointers inside memory may be null, and are always null below a certain depth.

use ir::{DebugType, DebugTypeId, Encoding};

use super::build::{At, Builder, DEPTH, size_of_form};
use super::scalars::{base_domain, shown};
use super::{Buffer, Form, Inside, Pointer, Scalar, ScalarKind, Shape};
use crate::error::Error;
use crate::parse::How;
use crate::types::{c_name, complete, is_incomplete, resolve};
use crate::{Alphabet, Domain, Length};

const DEFAULT_STRING: Length = Length::UpTo(8);
const DEFAULT_ELEMENTS: u64 = 8;
/// The number of structs or pointers whose count is another value, if they are not large.
const COUNTED_OTHERS: u64 = 3;
const MOST_COUNTED_CELLS: u64 = 1 << 10;
/// The most elements to reach constants that a length is compared with.
const MOST_ELEMENTS: u64 = 32;

impl Builder<'_> {
    pub(super) fn pointer(
        &mut self,
        at: &At,
        ty: Option<DebugTypeId>,
        to: Option<DebugTypeId>,
        how: Option<&How>,
    ) -> Result<Pointer, Error> {
        let to = complete(self.module, to);
        let target = resolve(self.module, to);
        match (how, target) {
            (Some(How::Null), _) => Ok(Pointer::Null),
            (Some(How::Same(of)), _) => match at.nesting {
                0 => {
                    self.count(at, 1)?;
                    Ok(Pointer::Inside(Inside { of: of.clone(), most: None, count: 0, size: 0 }))
                }
                _ => Err(self.unfit(at, ty, "only a parameter can be the same as another one")),
            },
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
            (None, _) => match self.plan(&at.path).inside {
                Some(inside) => {
                    self.count(at, 1)?;
                    let (of, most) = (inside.of, inside.most);
                    // The target is known once all neighbours are.
                    Ok(Pointer::Inside(Inside { of, most, count: 0, size: 0 }))
                }
                None => self.usual_buffer(at, to),
            },
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
                let problem = if is_char(target) {
                    "write str:N, text:N, buf:N, =TEXT or null"
                } else {
                    "write buf:N or null"
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
        if known {
            Ok(Pointer::Function(name.to_owned()))
        } else {
            Err(self.unfit(at, ty, format!("the program has no function `{name}`")))
        }
    }

    fn usual_buffer(&mut self, at: &At, to: Option<DebugTypeId>) -> Result<Pointer, Error> {
        let plan = self.plan(&at.path);
        let nullable = at.nesting > 0 || plan.nullable;
        let elements = (plan.constant + 1).clamp(DEFAULT_ELEMENTS, MOST_ELEMENTS);
        match resolve(self.module, to) {
            target if is_char(target) && !(is_unsigned_char(target) && plan.is_counted) => {
                let length =
                    if plan.is_counted { Length::UpTo(elements as u32) } else { DEFAULT_STRING };
                self.string(at, to, length, Alphabet::Any, nullable)
            }
            DebugType::Base { .. } | DebugType::Enum { .. } | DebugType::Void => {
                let elements = if plan.is_counted { elements } else { DEFAULT_ELEMENTS };
                self.buffer(at, to, elements, nullable)
            }
            _ if plan.is_counted => {
                let before = self.cells();
                let single = self.buffer(at, to, 1, nullable)?;
                let each = (self.cells() - before) as u64;
                if each.saturating_mul(COUNTED_OTHERS) > MOST_COUNTED_CELLS {
                    return Ok(single);
                }
                self.forget(each);
                self.buffer(at, to, COUNTED_OTHERS, nullable)
            }
            _ => self.buffer(at, to, 1, nullable),
        }
    }

    pub(super) fn buffer(
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

    pub(super) fn string(
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
        let scalar = Scalar { bits: 8, kind: ScalarKind::Char, domain, tie: None };
        let ty = c_name(self.module, to);
        let element = Shape { ty: ty.clone(), size: 1, form: Form::Scalar(scalar) };
        let form = Form::Array { element: Box::new(element), count };
        // The zero after the last character is not among the elements that vary.
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
    let scalar = Scalar { bits: 8, kind: ScalarKind::Char, domain, tie: None };
    Shape { ty: "unsigned char".to_owned(), size: 1, form: Form::Scalar(scalar) }
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

/// Whether only a library can create such a value.
fn is_opaque(ty: &DebugType) -> bool {
    match ty {
        DebugType::Struct { name, .. } if name == "_IO_FILE" || name == "__va_list_tag" => true,
        _ => is_incomplete(ty),
    }
}
