//! Numbers and texts that stand in a program: likely values of its input.

use ir::{Const, FuncId, Module, Op, Operand, Type, TypedConst};

/// Numbers and texts beyond which none are taken.
const MOST: usize = 4096;
/// The longest text that is taken.
const LONGEST: usize = 24;

/// What inputs may be made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Sorted, each once.
    pub numbers: Vec<i128>,
    pub texts: Vec<Vec<u8>>,
}

impl Tokens {
    /// Adds what stands in the functions of a module that are wanted.
    pub fn add(&mut self, module: &Module, is_wanted: impl Fn(FuncId) -> bool) {
        for (_, function) in module.functions.iter().filter(|(id, _)| is_wanted(*id)) {
            let Some(body) = function.body() else { continue };
            for inst in body.insts.values() {
                if let Op::Switch { cases, .. } = &inst.op {
                    self.numbers.extend(cases.iter().map(|(case, _)| signed(*case, 32)));
                }
                // Offsets and sizes of memory say nothing about values.
                if matches!(inst.op, Op::Alloca { .. } | Op::Offset { .. }) {
                    continue;
                }
                inst.op.operands(|operand| {
                    if let Operand::Const(constant) = operand {
                        self.add_constant(module, &body.consts[constant]);
                    }
                });
            }
        }
        self.settle();
    }

    fn add_constant(&mut self, module: &Module, constant: &TypedConst) {
        let bits = match module.types.get(constant.ty) {
            Type::Int(bits) => *bits,
            _ => 64,
        };
        constant.visit(&mut |part| match part {
            Const::Int(value) if bits > 1 => self.numbers.push(signed(*value, bits)),
            Const::Global(global) => {
                if let Some(init) = &module.globals[*global].init {
                    init.visit(&mut |part| self.add_part(part));
                }
            }
            _ => {}
        });
    }

    /// Of a global variable.
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
    }
}

/// The number that bits of a two's complement number mean.
fn signed(bits: u128, width: u32) -> i128 {
    match width {
        1..=127 => (bits << (128 - width)) as i128 >> (128 - width),
        _ => bits as i128,
    }
}
