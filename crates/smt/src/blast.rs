//! Terms as circuits in one SAT instance.
//!
//! Bit-vector operations become circuits. Float operations, signed division and reads of written
//! arrays are first rewritten in simpler terms (`lower`). The rest — reads of array variables,
//! applications of functions, the remainder of floats — is cut off: its result is free, and `sat`
//! adds lemmas until the values fit.

mod circuits;
mod gates;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use self::circuits::Bits;
pub use self::gates::{FALSE, Gates, TRUE};
use crate::lower;
use crate::term::{Node, Op, TermId, Terms};

/// One instance.
pub struct Blaster {
    pub gates: Gates,
    pool: Vec<Lit>,
    /// Where in the pool the bits of a term are.
    spans: FxHashMap<TermId, (u32, u32)>,
    divisions: FxHashMap<(u32, u32), (Bits, Bits)>,
    /// Terms with their rewritten forms.
    lowered: FxHashMap<TermId, Option<TermId>>,
    /// Variables that have bits, in the order of their first occurrence.
    pub variables: Vec<TermId>,
    /// Terms whose results are free.
    pub cut: Vec<TermId>,
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            pool: Vec::new(),
            spans: FxHashMap::default(),
            divisions: FxHashMap::default(),
            lowered: FxHashMap::default(),
            variables: Vec::new(),
            cut: Vec::new(),
        }
    }

    /// The literal of a condition.
    pub fn condition(&mut self, terms: &mut Terms, term: TermId) -> Lit {
        self.blast(terms, term);
        self.bits(term)[0]
    }

    /// The bits of a term that has been blasted.
    pub fn bits(&self, term: TermId) -> &[Lit] {
        let (start, length) = self.spans[&term];
        &self.pool[start as usize..(start + length) as usize]
    }

    pub fn blast(&mut self, terms: &mut Terms, root: TermId) {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.spans.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let lowered = self.lowered.entry(term);
            let simpler = *lowered.or_insert_with(|| lower::lower(terms, term));
            match simpler {
                Some(simpler) => self.need(simpler, &mut stack),
                None => {
                    for operand in terms.operands(term) {
                        if !terms.is_array(operand) {
                            self.need(operand, &mut stack);
                        }
                    }
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            match simpler {
                Some(simpler) => {
                    let span = self.spans[&simpler];
                    self.spans.insert(term, span);
                }
                None => {
                    let bits = self.circuit(terms, term);
                    let start = self.pool.len() as u32;
                    self.pool.extend_from_slice(&bits);
                    self.spans.insert(term, (start, bits.len() as u32));
                }
            }
        }
    }

    fn need(&self, term: TermId, stack: &mut Vec<TermId>) {
        if !self.spans.contains_key(&term) {
            stack.push(term);
        }
    }

    fn operand_bits(&self, raw: u32) -> Bits {
        let term = TermId::from_raw(raw).expect("operations have operands");
        self.bits(term).to_vec()
    }

    /// All operands have their bits.
    fn circuit(&mut self, terms: &Terms, term: TermId) -> Bits {
        let node = terms.node(term);
        match node.op {
            Op::Const | Op::WideConst => constant(terms, term),
            Op::Var => {
                self.variables.push(term);
                self.free(terms.width(term))
            }
            Op::Select | Op::Apply | Op::FRem => {
                self.cut.push(term);
                self.free(terms.width(term))
            }
            _ => self.operation(&node, terms.width(term)),
        }
    }

    fn free(&mut self, width: u32) -> Bits {
        (0..width).map(|_| self.gates.fresh()).collect()
    }

    fn operation(&mut self, node: &Node, width: u32) -> Bits {
        let a = self.operand_bits(node.a);
        match node.op {
            Op::Not => a.iter().map(|lit| !*lit).collect(),
            Op::Neg => self.gates.negation(&a),
            Op::Extract => a[node.b as usize..(node.b + width) as usize].to_vec(),
            Op::ZExt => extended(a, width, FALSE),
            Op::SExt => {
                let sign = *a.last().expect("no vector is empty");
                extended(a, width, sign)
            }
            Op::Ite => {
                let (t, e) = (self.operand_bits(node.b), self.operand_bits(node.c));
                self.gates.choose(a[0], &t, &e)
            }
            _ => {
                let b = self.operand_bits(node.b);
                self.binary(node, a, b)
            }
        }
    }

    fn binary(&mut self, node: &Node, a: Bits, b: Bits) -> Bits {
        let gates = &mut self.gates;
        let pairs = a.iter().copied().zip(b.iter().copied());
        match node.op {
            Op::And => pairs.map(|(x, y)| gates.and(x, y)).collect(),
            Op::Or => pairs.map(|(x, y)| gates.or(x, y)).collect(),
            Op::Xor => pairs.map(|(x, y)| gates.xor(x, y)).collect(),
            Op::Add => gates.sum(&a, &b, FALSE).0,
            Op::Mul => gates.product(&a, &b),
            Op::Eq => vec![gates.equal(&a, &b)],
            Op::Ult => vec![gates.less(&a, &b)],
            Op::Slt => vec![gates.signed_less(&a, &b)],
            Op::Shl => gates.shift(&a, &b, FALSE, true),
            Op::LShr => gates.shift(&a, &b, FALSE, false),
            Op::AShr => {
                let sign = *a.last().expect("no vector is empty");
                gates.shift(&a, &b, sign, false)
            }
            Op::Concat => {
                let mut bits = b;
                bits.extend(a);
                bits
            }
            Op::UDiv | Op::URem => {
                let both = self.divisions.entry((node.a, node.b));
                let (quotient, rest) = both.or_insert_with(|| gates.division(&a, &b));
                if node.op == Op::UDiv { quotient.clone() } else { rest.clone() }
            }
            other => unreachable!("{other:?} is lowered or cut off before"),
        }
    }
}

fn constant(terms: &Terms, term: TermId) -> Bits {
    let value = terms.big_value(term);
    let bit = |at: u32| if value.bit(u64::from(at)) { TRUE } else { FALSE };
    (0..terms.width(term)).map(bit).collect()
}

fn extended(mut bits: Bits, width: u32, fill: Lit) -> Bits {
    bits.resize(width as usize, fill);
    bits
}
