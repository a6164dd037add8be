//! Numbers and texts in a program: likely values of its input.

use std::collections::BTreeSet;

use ir::{Body, Const, FloatKind, FuncId, GlobalId, Module, Op, Operand, Type, TypedConst};

/// The most numbers and the most texts to collect.
const MOST: usize = 4096;
/// The longest text to collect.
const LONGEST: usize = 24;
/// Bounds of integer types, as texts.
const EDGES: [&str; 8] = ["127", "128", "255", "256", "65535", "65536", "2147483647", "2147483648"];

/// The raw material of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Sorted, each once.
    pub numbers: Vec<i128>,
    pub texts: Vec<Vec<u8>>,
    /// Characters that the program compares with.
    pub characters: Vec<u8>,
}

impl Tokens {
    /// Adds the tokens of the wanted functions of a module.
    pub fn add(&mut self, module: &Module, is_wanted: impl Fn(FuncId) -> bool) {
        let mut globals = BTreeSet::new();
        for (_, function) in module.functions.iter().filter(|(id, _)| is_wanted(*id)) {
            if let Some(body) = function.body() {
                self.add_body(module, body, &mut globals);
            }
        }
        self.add_globals(module, globals);
        self.texts.extend(EDGES.iter().map(|text| text.as_bytes().to_vec()));
        self.settle();
    }

    fn add_body(&mut self, module: &Module, body: &Body, globals: &mut BTreeSet<GlobalId>) {
        for inst in body.insts.values() {
            if let Op::Switch { cases, .. } = &inst.op {
                self.numbers.extend(cases.iter().map(|(case, _)| signed(*case, 32)));
                self.characters.extend(cases.iter().filter_map(|(case, _)| character(*case)));
            }
            // Offsets and sizes of memory say nothing about values; its contents do.
            let is_address = matches!(inst.op, Op::Alloca { .. } | Op::Offset { .. });
            let is_compared = matches!(inst.op, Op::Compare { .. });
            inst.op.operands(|operand| {
                let Operand::Const(constant) = operand else { return };
                let constant = &body.consts[constant];
                self.add_constant(module, constant, is_address, globals);
                if let Const::Int(value) = constant.value
                    && is_compared
                {
                    self.characters.extend(character(value));
                }
            });
        }
    }

    fn add_constant(
        &mut self,
        module: &Module,
        constant: &TypedConst,
        is_address: bool,
        globals: &mut BTreeSet<GlobalId>,
    ) {
        let bits = match module.types.get(constant.ty) {
            Type::Int(bits) => *bits,
            _ => 64,
        };
        constant.visit(&mut |part| match &part.value {
            Const::Int(value) if bits > 1 && !is_address => self.numbers.push(signed(*value, bits)),
            Const::Float(bits) => self.texts.extend(decimal(module.types.get(part.ty), *bits)),
            Const::Global(global) => {
                globals.insert(*global);
            }
            _ => {}
        });
    }

    /// The contents of global variables and of everything reachable from them.
    fn add_globals(&mut self, module: &Module, mut known: BTreeSet<GlobalId>) {
        let mut waiting: Vec<GlobalId> = known.iter().copied().collect();
        while let Some(global) = waiting.pop() {
            let Some(init) = &module.globals[global].init else { continue };
            init.visit(&mut |part| match &part.value {
                Const::Global(other) if known.insert(*other) => waiting.push(*other),
                part => self.add_part(part),
            });
        }
    }

    fn add_part(&mut self, part: &Const) {
        match part {
            Const::Int(value) if self.numbers.len() < MOST => self.numbers.push(signed(*value, 32)),
            Const::Bytes(bytes) if self.texts.len() < MOST => {
                let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                self.texts.push(text.to_vec());
                // A message is no input, but its words may be.
                let words = text.split(|byte| !byte.is_ascii_alphanumeric());
                self.texts.extend(words.filter(|word| word.len() > 1).map(<[u8]>::to_vec));
            }
            _ => {}
        }
    }

    fn settle(&mut self) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
        self.numbers.truncate(MOST);
        self.texts.retain(|text| !text.is_empty() && text.len() <= LONGEST);
        self.texts.sort_unstable();
        self.texts.dedup();
        self.texts.truncate(MOST);
        self.characters.sort_unstable();
        self.characters.dedup();
    }
}

/// A floating-point number in a form that programs read.
fn decimal(ty: &Type, bits: u128) -> Option<Vec<u8>> {
    let number = match ty {
        Type::Float(FloatKind::Single) => f64::from(f32::from_bits(bits as u32)),
        Type::Float(FloatKind::Double) => f64::from_bits(bits as u64),
        _ => return None,
    };
    number.is_finite().then(|| number.to_string().into_bytes())
}

/// A constant that may be a character: printable, or white space.
fn character(value: u128) -> Option<u8> {
    let byte = u8::try_from(value).ok()?;
    (byte.is_ascii_graphic() || byte.is_ascii_whitespace()).then_some(byte)
}

/// The value of the bits of a two's complement number.
fn signed(bits: u128, width: u32) -> i128 {
    match width {
        1..=127 => (bits << (128 - width)) as i128 >> (128 - width),
        _ => bits as i128,
    }
}
