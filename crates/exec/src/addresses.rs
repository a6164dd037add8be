//! The addresses of functions, globals and labels, and the values of constants in registers
//! and in memory.

use std::collections::HashMap;

use base::bits;
use base::entity::PrimaryMap;
use ir::references::References;
use ir::{
    BlockId, CastOp, Const, Definition, FloatKind, FuncId, Function, Global, GlobalId, Linkage,
    Module, Type, TypeId, TypedConst, Types,
};
use smallvec::SmallVec;

use crate::code::{Masks, Scalar, SignatureId};
use crate::memory::Memory;
use crate::{big, operator, shims};

/// The registers of a constant.
pub type Words = SmallVec<[u64; 2]>;

/// A type may take this many registers at most.
const MAX_WIDTH: u64 = 4096;

/// The target of a call of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// It has a body.
    Code,
    /// The machine provides it: number of the shim.
    Shim(u32),
    /// Undefined.
    Missing,
    /// An undefined weak symbol, whose address is null.
    Absent,
}

/// The global variables that a module uses and does not define, although they are not weak.
pub(crate) fn undefined_globals(module: &Module) -> Vec<GlobalId> {
    let is_open = |global: &Global| global.init.is_none() && global.linkage != Linkage::ExternWeak;
    if !module.globals.values().any(is_open) {
        return Vec::new();
    }
    // A variable that is only declared need not be defined.
    let used = References::of(module).globals;
    let open = module.globals.iter().filter(|(id, global)| is_open(global) && used[*id]);
    open.map(|(id, _)| id).collect()
}

/// The type of a parameter, and size and alignment of a struct by value.
pub type ParameterType = (TypeId, Option<(u64, u64)>);

/// The type of a function, as far as a call must agree with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub params: SmallVec<[ParameterType; 4]>,
    pub returns: TypeId,
    pub variadic: bool,
}

/// Fixed for a program; the same on every host.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    /// By global; 0 for a weak one that stays undefined, and for one that is never used.
    pub globals: PrimaryMap<GlobalId, u64>,
    labels: HashMap<(FuncId, BlockId), u32>,
    /// The blocks whose address is taken, by label number.
    pub blocks: Vec<(FuncId, BlockId)>,
    targets: PrimaryMap<FuncId, Target>,
    /// The types of functions, and which function has which.
    signatures: HashMap<Signature, SignatureId>,
    function_signatures: PrimaryMap<FuncId, SignatureId>,
    scalars: PrimaryMap<TypeId, Option<Scalar>>,
    widths: PrimaryMap<TypeId, u16>,
}

impl Addresses {
    pub fn new(module: &Module) -> Addresses {
        let mut addresses = Addresses::default();
        for (id, ty) in module.types.iter() {
            addresses.scalars.push(scalar_of(ty));
            let width = addresses.compute_width(&module.types, id);
            addresses.widths.push(width);
        }
        let mut placed = 0;
        let undefined = undefined_globals(module);
        for (id, global) in module.globals.iter() {
            let has_object = global.init.is_some() || undefined.contains(&id);
            addresses.globals.push(if has_object { Memory::object_address(placed) } else { 0 });
            placed += usize::from(has_object);
            if let Some(init) = &global.init {
                addresses.collect_labels(init);
            }
        }
        for (_, function) in module.functions.iter() {
            addresses.targets.push(match &function.definition {
                Definition::Declaration => match shims::find(&function.name) {
                    Some(shim) => Target::Shim(shim),
                    None if function.linkage == Linkage::ExternWeak => Target::Absent,
                    None => Target::Missing,
                },
                Definition::Body(_) | Definition::Unreadable { .. } => Target::Code,
            });
            addresses.add_signature(function);
            for constant in function.body().iter().flat_map(|body| body.consts.values()) {
                addresses.collect_labels(constant);
            }
        }
        addresses
    }

    fn add_signature(&mut self, function: &Function) {
        let params = function
            .params
            .iter()
            .map(|param| (param.ty, param.byval.map(|byval| (byval.size, byval.align))));
        let (returns, variadic) = (function.returns, function.variadic);
        let signature = Signature { params: params.collect(), returns, variadic };
        let next = SignatureId(self.signatures.len() as u32);
        let id = *self.signatures.entry(signature).or_insert(next);
        self.function_signatures.push(id);
    }

    pub fn signature(&self, function: FuncId) -> SignatureId {
        let id = self.function_signatures.get(function);
        id.copied().unwrap_or(SignatureId::NONE)
    }

    pub fn find_signature(&self, signature: &Signature) -> SignatureId {
        self.signatures.get(signature).copied().unwrap_or(SignatureId::NONE)
    }

    fn collect_labels(&mut self, constant: &TypedConst) {
        constant.visit(&mut |part| {
            if let Const::Block(function, block) = part.value {
                let next = self.blocks.len() as u32;
                let label = *self.labels.entry((function, block)).or_insert(next);
                if label == next {
                    self.blocks.push((function, block));
                }
            }
        });
    }

    /// The number of a block whose address is taken.
    pub fn label(&self, function: FuncId, block: BlockId) -> Option<u32> {
        self.labels.get(&(function, block)).copied()
    }

    pub fn target(&self, function: FuncId) -> Target {
        self.targets.get(function).copied().unwrap_or(Target::Missing)
    }

    /// How a scalar type is held; `None` for aggregates, vectors and unusual types.
    pub fn scalar(&self, types: &Types, ty: TypeId) -> Option<Scalar> {
        match self.scalars.get(ty) {
            Some(scalar) => *scalar,
            None => scalar_of(types.get(ty)),
        }
    }

    /// Number of registers of a type; 0 for types without a value and for oversized ones.
    pub fn width(&self, types: &Types, ty: TypeId) -> u16 {
        match self.widths.get(ty) {
            Some(width) => *width,
            None => self.compute_width(types, ty),
        }
    }

    fn compute_width(&self, types: &Types, ty: TypeId) -> u16 {
        let width = match types.get(ty) {
            Type::Vector { element, lanes } => {
                u64::from(self.width(types, *element)) * u64::from(*lanes)
            }
            Type::Array { element, length } => {
                u64::from(self.width(types, *element)).saturating_mul(*length)
            }
            Type::Struct { fields, .. } => {
                fields.iter().map(|&field| u64::from(self.width(types, field))).sum()
            }
            Type::Int(bits) if (129..=big::MAX_BITS).contains(bits) => big::words(*bits) as u64,
            other => scalar_of(other).map_or(0, |scalar| u64::from(scalar.registers())),
        };
        if width > MAX_WIDTH { 0 } else { width as u16 }
    }

    /// Adds the bits that belong to a value of the type, register by register.
    pub fn masks(&self, types: &Types, ty: TypeId, out: &mut Masks) {
        if self.width(types, ty) == 0 {
            return;
        }
        if let Some(scalar) = self.scalar(types, ty) {
            let mask = bits::mask(scalar.bits());
            out.push(mask as u64);
            if scalar.registers() == 2 {
                out.push((mask >> 64) as u64);
            }
            return;
        }
        match types.get(ty) {
            Type::Int(bits) => {
                let words = big::words(*bits);
                out.extend(std::iter::repeat_n(u64::MAX, words - 1));
                out.push(u64::MAX >> (64 * words as u32 - bits));
            }
            Type::Struct { fields, .. } => {
                fields.iter().for_each(|&field| self.masks(types, field, out));
            }
            Type::Array { element, length } => {
                (0..*length).for_each(|_| self.masks(types, *element, out));
            }
            Type::Vector { element, lanes } => {
                (0..*lanes).for_each(|_| self.masks(types, *element, out));
            }
            // Types without a value have no register.
            _ => {}
        }
    }

    /// The value of a scalar constant; `None` if it has no value of 128 bits.
    pub fn value(&self, types: &Types, constant: &TypedConst) -> Option<u128> {
        let bits = self.scalar(types, constant.ty)?.bits();
        let value = match &constant.value {
            Const::Int(value) | Const::Float(value) => *value,
            Const::Null | Const::Undef | Const::Zero => 0,
            Const::Global(global) => u128::from(*self.globals.get(*global)?),
            Const::Function(function) if self.target(*function) == Target::Absent => 0,
            Const::Function(function) => u128::from(Memory::function_address(function.as_u32())),
            Const::Block(function, block) => {
                u128::from(Memory::label_address(*self.labels.get(&(*function, *block))?))
            }
            Const::Offset { base, bytes } => {
                let base = self.value(types, base)? as u64;
                u128::from(base.wrapping_add_signed(*bytes))
            }
            Const::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(types, lhs)?, self.value(types, rhs)?);
                operator::int_binary(*op, bits, lhs, rhs).ok()?
            }
            Const::Compare { op, lhs, rhs } => {
                let width = self.scalar(types, lhs.ty)?.bits();
                let (lhs, rhs) = (self.value(types, lhs)?, self.value(types, rhs)?);
                u128::from(operator::int_compare(*op, width, lhs, rhs))
            }
            Const::Cast { op: CastOp::Bitcast, value } if is_vector(types, value.ty) => {
                self.bits_in_memory(types, value)?
            }
            Const::Cast { op, value } => {
                let from = self.scalar(types, value.ty)?;
                let to = self.scalar(types, constant.ty)?;
                operator::cast(*op, from, to, self.value(types, value)?)?
            }
            Const::Bytes(_) | Const::Elements(_) => return None,
        };
        Some(bits::truncate(value, bits))
    }

    /// The memory content of a constant of up to 16 bytes, as a number.
    fn bits_in_memory(&self, types: &Types, constant: &TypedConst) -> Option<u128> {
        let mut bytes = [0; 16];
        let size = usize::try_from(types.layout(constant.ty).size).ok()?;
        self.write(types, constant, bytes.get_mut(..size)?)?;
        Some(u128::from_le_bytes(bytes))
    }

    /// The constant as consecutive registers; `None` if it has no such form.
    pub fn words(&self, types: &Types, constant: &TypedConst) -> Option<Words> {
        let mut words = Words::new();
        self.push_words(types, constant, &mut words)?;
        Some(words)
    }

    fn push_words(&self, types: &Types, constant: &TypedConst, out: &mut Words) -> Option<()> {
        if let Some(scalar) = self.scalar(types, constant.ty) {
            let value = self.value(types, constant)?;
            out.push(value as u64);
            if scalar.registers() == 2 {
                out.push((value >> 64) as u64);
            }
            return Some(());
        }
        if let Some(bits) = self.big_bits(types, constant.ty) {
            out.extend(self.big_value(types, constant, bits)?);
            return Some(());
        }
        match &constant.value {
            Const::Zero | Const::Undef | Const::Null => {
                let width = self.width(types, constant.ty);
                out.extend(std::iter::repeat_n(0, usize::from(width)));
            }
            Const::Bytes(bytes) => out.extend(bytes.iter().map(|&byte| u64::from(byte))),
            Const::Elements(elements) => {
                for element in elements {
                    self.push_words(types, element, out)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The width of an integer type of more than 128 bits.
    pub fn big_bits(&self, types: &Types, ty: TypeId) -> Option<u32> {
        match types.get(ty) {
            Type::Int(bits) if (129..=big::MAX_BITS).contains(bits) => Some(*bits),
            _ => None,
        }
    }

    fn int_bits(&self, types: &Types, ty: TypeId) -> Option<u32> {
        match types.get(ty) {
            Type::Int(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The words of an integer constant of more than 128 bits.
    fn big_value(&self, types: &Types, constant: &TypedConst, bits: u32) -> Option<Vec<u64>> {
        let mut words = match &constant.value {
            Const::Int(value) => vec![*value as u64, (*value >> 64) as u64],
            Const::Zero | Const::Undef => Vec::new(),
            Const::Binary { op, lhs, rhs } => {
                let lhs = self.big_value(types, lhs, bits)?;
                let rhs = self.big_value(types, rhs, bits)?;
                big::binary(*op, bits, &lhs, &rhs).ok()?
            }
            Const::Cast { op, value } => {
                let narrow = self.words(types, value)?;
                let from = self.int_bits(types, value.ty)?;
                big::cast(*op, from, bits, &narrow)
            }
            _ => return None,
        };
        words.resize(big::words(bits), 0);
        Some(words)
    }

    /// Writes the constant as in memory. `out` must be zero.
    pub fn write(&self, types: &Types, constant: &TypedConst, out: &mut [u8]) -> Option<()> {
        match &constant.value {
            Const::Zero | Const::Undef | Const::Null => {}
            Const::Bytes(bytes) => out.get_mut(..bytes.len())?.copy_from_slice(bytes),
            Const::Elements(_) if is_packed(types, constant.ty) => {
                let Type::Vector { element, .. } = types.get(constant.ty) else { return None };
                let bits = types.lane_bits(*element) as usize;
                for (lane, word) in self.words(types, constant)?.into_iter().enumerate() {
                    for bit in (0..bits).filter(|bit| word >> bit & 1 == 1) {
                        let at = lane * bits + bit;
                        *out.get_mut(at / 8)? |= 1 << (at % 8);
                    }
                }
            }
            Const::Elements(elements) => {
                let mut offsets = Offsets::new(types, constant.ty)?;
                for element in elements {
                    let offset = offsets.next()? as usize;
                    self.write(types, element, out.get_mut(offset..)?)?;
                }
            }
            _ => {
                let size = types.store_size(constant.ty) as usize;
                let words = self.words(types, constant)?;
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                out.get_mut(..size)?.copy_from_slice(bytes.get(..size)?);
            }
        }
        Some(())
    }
}

fn is_vector(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Vector { .. })
}

/// Whether a type is a vector whose lanes do not fill bytes; such lanes are packed.
fn is_packed(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Vector { element, .. } => {
            let bits = types.lane_bits(*element);
            bits < 64 && !bits.is_multiple_of(8)
        }
        _ => false,
    }
}

/// The byte offsets of the elements of an aggregate, one after the other.
struct Offsets<'a> {
    types: &'a Types,
    ty: &'a Type,
    index: usize,
    /// Where the next field may start.
    end: u64,
}

impl<'a> Offsets<'a> {
    /// `None` for a type without elements.
    fn new(types: &'a Types, ty: TypeId) -> Option<Offsets<'a>> {
        let ty = types.get(ty);
        let aggregate =
            matches!(ty, Type::Struct { .. } | Type::Array { .. } | Type::Vector { .. });
        aggregate.then_some(Offsets { types, ty, index: 0, end: 0 })
    }

    fn next(&mut self) -> Option<u64> {
        let (index, types) = (self.index as u64, self.types);
        self.index += 1;
        match self.ty {
            Type::Struct { fields, packed } => {
                let layout = types.layout(*fields.get(index as usize)?);
                let align = if *packed { 1 } else { layout.align };
                let offset = ir::types::align_up(self.end, align);
                self.end = offset.saturating_add(layout.size);
                Some(offset)
            }
            Type::Array { element, .. } => types.layout(*element).size.checked_mul(index),
            Type::Vector { element, .. } => Some(types.lane_bits(*element) / 8 * index),
            _ => None,
        }
    }
}

fn scalar_of(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Int(bits) if (1..=128).contains(bits) => Some(Scalar::Int(*bits as u8)),
        Type::Ptr => Some(Scalar::Int(64)),
        Type::Float(kind) => Some(match kind {
            FloatKind::Half => Scalar::F16,
            FloatKind::BFloat => Scalar::BF16,
            FloatKind::Single => Scalar::F32,
            FloatKind::Double => Scalar::F64,
            FloatKind::X87 => Scalar::F80,
            FloatKind::Quad => Scalar::F128,
        }),
        _ => None,
    }
}
