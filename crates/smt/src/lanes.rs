//! A condition evaluated for many values of one variable at once.
//!
//! Computes every term for up to 256 successive values side by side, in loops that the compiler
//! turns into vector instructions. Does not handle terms wider than 64 bits.

use crate::bytes::{ByteSet, SMALL_WIDTH};
use crate::eval::element;
use crate::model::Model;
use crate::semantics;
use crate::term::{FunctionId, Node, Op, Sort, TermId, Terms, VarId, mask, signed};
use crate::walk::Walk;

/// Values of one term, one per value of the variable.
pub const LANES: usize = 1 << SMALL_WIDTH;
/// Conditions with more terms are not worth the memory.
const LARGEST: usize = 2000;

/// Buffers of evaluations, to be reused.
#[derive(Debug, Default)]
pub struct Lanes {
    walk: Walk,
    slots: Vec<u32>,
    /// The values of a slot, and whether they are all the same.
    values: Vec<[u64; LANES]>,
    same: Vec<bool>,
    used: usize,
    variable: Option<VarId>,
    /// The first value, and how many.
    first: u64,
    count: usize,
}

impl Lanes {
    /// Later queries are about all values of this variable, which has at most [`SMALL_WIDTH`] bits,
    /// under one assignment of the others.
    pub fn start(&mut self, terms: &Terms, variable: VarId) {
        self.start_at(terms, variable, 0);
    }

    /// The same for a variable of up to 64 bits and [`LANES`] values from the first one on.
    pub fn start_at(&mut self, terms: &Terms, variable: VarId, first: u64) {
        self.used = 0;
        self.variable = Some(variable);
        self.first = first;
        self.count = match terms.variable_info(variable).sort {
            Sort::Bits(width) => 1 << width.min(SMALL_WIDTH),
            Sort::Array { .. } => 0,
        };
        self.walk.restart();
    }

    /// The values of the variable for which the condition holds, counted from the first one.
    /// Nothing if a term is too wide or there are too many.
    pub fn values(&mut self, terms: &Terms, model: &Model, condition: TermId) -> Option<ByteSet> {
        let count = self.walk.start(terms, condition);
        if self.slots.len() < count {
            self.slots.resize(count, 0);
        }
        while let Some(term) = self.walk.next(terms) {
            self.compute(terms, model, term)?;
        }
        let slot = self.slots[condition.index()] as usize;
        Some(ByteSet::of_truths(&self.values[slot][..self.count]))
    }

    /// All operands are done.
    fn compute(&mut self, terms: &Terms, model: &Model, term: TermId) -> Option<()> {
        let node = terms.node(term);
        if self.used >= LARGEST || (!node.is_array() && node.width > 64) {
            return None;
        }
        let slot = self.used;
        self.used += 1;
        self.walk.mark(term);
        self.slots[term.index()] = slot as u32;
        if self.values.len() <= slot {
            self.values.push([0; LANES]);
            self.same.push(true);
        }
        if node.is_array() {
            // Only reads of an array have values.
            return Some(());
        }
        self.same[slot] = match node.op {
            Op::Const => self.fill(slot, node.value()),
            Op::Var if Some(VarId(node.a)) == self.variable => {
                self.count_up(slot, mask(u32::from(node.width)))
            }
            Op::Var => self.fill(slot, model.get(VarId(node.a))),
            Op::Select => self.select(terms, model, &node, slot),
            Op::Apply => self.apply(terms, model, &node, slot),
            _ => self.operation(terms, &node, slot),
        };
        Some(())
    }

    fn fill(&mut self, slot: usize, value: u64) -> bool {
        self.values[slot][..self.count].fill(value);
        true
    }

    fn count_up(&mut self, slot: usize, keep: u64) -> bool {
        for (value, lane) in (0..).zip(&mut self.values[slot][..self.count]) {
            *lane = self.first.wrapping_add(value) & keep;
        }
        false
    }

    fn slot(&self, raw: u32) -> usize {
        self.slots[raw as usize] as usize
    }

    fn operation(&mut self, terms: &Terms, node: &Node, slot: usize) -> bool {
        let first = TermId::from_raw(node.a).expect("operations have operands");
        let operand = terms.width(first);
        let number = node.op.operand_count();
        // Absent operands are never read: any slot will do.
        let a = self.slot(node.a);
        let b = if number > 1 { self.slot(node.b) } else { a };
        let c = if number > 2 { self.slot(node.c) } else { a };
        let (done, rest) = self.values.split_at_mut(slot);
        let (a_values, b_values, c_values) = (&done[a], &done[b], &done[c]);
        if self.same[a] && self.same[b] && self.same[c] {
            let value = semantics::narrow(node, operand, a_values[0], b_values[0], c_values[0]);
            rest[0][..self.count].fill(value);
            return true;
        }
        compute_lanes(node, operand, &mut rest[0], [a_values, b_values, c_values]);
        false
    }

    fn select(&mut self, terms: &Terms, model: &Model, node: &Node, slot: usize) -> bool {
        for lane in 0..self.count {
            let value = |raw| self.values[self.slot(raw)][lane];
            self.values[slot][lane] = element(terms, model, node, value);
        }
        false
    }

    fn apply(&mut self, terms: &Terms, model: &Model, node: &Node, slot: usize) -> bool {
        let function = FunctionId(node.a);
        let arguments = terms.arguments_of(node);
        let mut values = vec![0; arguments.len()];
        for lane in 0..self.count {
            for (value, argument) in values.iter_mut().zip(arguments) {
                *value = self.values[self.slot(argument.raw())][lane];
            }
            self.values[slot][lane] = match &terms.function_info(function).value {
                Some(value) => value(&values) & mask(u32::from(node.width)),
                None => model.application(function, &values),
            };
        }
        false
    }
}

/// The common operations in loops of their own, all others one value at a time. Lanes beyond the
/// last value of the variable are computed as well and never read.
fn compute_lanes(node: &Node, operand: u32, out: &mut [u64; LANES], operands: [&[u64; LANES]; 3]) {
    let [a, b, c] = operands;
    let width = u32::from(node.width);
    let keep = mask(width);
    let each = |out: &mut [u64; LANES], f: &dyn Fn(usize) -> u64| {
        for (lane, value) in out.iter_mut().enumerate() {
            *value = f(lane);
        }
    };
    match node.op {
        Op::Not => zip(out, a, b, |x, _| !x & keep),
        Op::Neg => zip(out, a, b, |x, _| x.wrapping_neg() & keep),
        Op::Add => zip(out, a, b, |x, y| x.wrapping_add(y) & keep),
        Op::Mul => zip(out, a, b, |x, y| x.wrapping_mul(y) & keep),
        Op::And => zip(out, a, b, |x, y| x & y),
        Op::Or => zip(out, a, b, |x, y| x | y),
        Op::Xor => zip(out, a, b, |x, y| x ^ y),
        Op::Eq => zip(out, a, b, |x, y| u64::from(x == y)),
        Op::Ult => zip(out, a, b, |x, y| u64::from(x < y)),
        Op::Slt => {
            zip(out, a, b, |x, y| u64::from(signed(x, operand) < signed(y, operand)));
        }
        Op::Extract => {
            let low = node.b;
            zip(out, a, b, |x, _| x >> low & keep);
        }
        Op::ZExt => out.copy_from_slice(a),
        Op::SExt => zip(out, a, b, |x, _| signed(x, operand) as u64 & keep),
        Op::Concat => {
            let by = width - operand;
            zip(out, a, b, |x, y| x << by | y);
        }
        Op::Ite => {
            for (value, ((x, y), z)) in out.iter_mut().zip(a.iter().zip(b).zip(c)) {
                *value = if *x != 0 { *y } else { *z };
            }
        }
        _ => each(out, &|lane| semantics::narrow(node, operand, a[lane], b[lane], c[lane])),
    }
}

fn zip(out: &mut [u64; LANES], a: &[u64; LANES], b: &[u64; LANES], f: impl Fn(u64, u64) -> u64) {
    for (value, (x, y)) in out.iter_mut().zip(a.iter().zip(b)) {
        *value = f(*x, *y);
    }
}
