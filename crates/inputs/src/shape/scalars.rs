//! Numbers: integers, floats, enumerations and bit-fields, and the user's declarations for them.

use ir::{DebugMember, DebugType, DebugTypeId, Encoding};

use super::build::{At, Builder};
use super::{Form, Raw, Scalar, ScalarKind, Shape};
use crate::Domain;
use crate::error::Error;
use crate::parse::How;
use crate::types::{c_name, resolve, size_of};

impl Builder<'_> {
    pub(super) fn scalar(&mut self, at: &At, scalar: Scalar) -> Result<Form, Error> {
        self.count(at, 1)?;
        Ok(Form::Scalar(scalar))
    }

    pub(super) fn base(
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
        let scalar = Scalar { bits, kind, domain: base_domain(bits, encoding), tie: None };
        let scalar = self.narrowed(at, ty, scalar, how)?;
        self.scalar(at, scalar)
    }

    pub(super) fn enumeration(
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
        self.narrowed(at, ty, Scalar { bits, kind, domain, tie: None }, how)
    }

    /// Applies the user's declaration to a number.
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
            How::Buffer { .. } | How::Text { .. } | How::Null | How::Same(_) => {
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

    pub(super) fn bit_field(&mut self, at: &At, member: &DebugMember) -> Result<Shape, Error> {
        let how = self.say(&at.path);
        let mut scalar = match resolve(self.module, member.ty) {
            DebugType::Base { encoding, .. } => {
                let bits = u32::try_from(member.bits).ok().filter(|bits| (1..=64).contains(bits));
                let unknown = || self.unsupported(at, member.ty, "its width is not known");
                let bits = bits.ok_or_else(unknown)?;
                let domain = base_domain(bits, *encoding);
                Scalar { bits, kind: ScalarKind::Int, domain, tie: None }
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
}

pub(super) fn base_domain(bits: u32, encoding: Encoding) -> Domain {
    match encoding {
        Encoding::Boolean => Domain::range(bits, false, 0..=1).expect("0 and 1 fit everywhere"),
        Encoding::Signed | Encoding::SignedChar => Domain::full(bits, true),
        _ => Domain::full(bits, false),
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

pub(super) fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
