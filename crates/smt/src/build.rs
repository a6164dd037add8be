//! Building terms. Every constructor simplifies; one file per family of operations.
//!
//! A rule may only replace a term by one that has the same value under every assignment. All
//! rules are tested together by building random terms with and without them.

mod arithmetic;
mod arrays;
mod bitwise;
mod compare;
mod floats;
pub use floats::FloatOrder;
mod ite;
mod pieces;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::semantics;
use crate::term::{Node, Op, Sort, TermId, Terms};

impl Terms {
    /// The term of an operation, folded if all operands are constants.
    pub(crate) fn make(&mut self, node: Node) -> TermId {
        if !self.raw
            && let Some(constant) = self.fold(&node)
        {
            return constant;
        }
        self.intern(node)
    }

    fn fold(&mut self, node: &Node) -> Option<TermId> {
        if matches!(node.op, Op::Select | Op::Store | Op::ConstArray | Op::Apply | Op::Var) {
            return None;
        }
        let raws = [node.a, node.b, node.c];
        let count = usize::from(node.op.operand_count());
        let mut operands = [None; 3];
        for (slot, raw) in operands.iter_mut().zip(&raws[..count]) {
            let term = TermId::from_raw(*raw)?;
            if !self.is_constant(term) {
                return None;
            }
            *slot = Some(term);
        }
        let first = self.width(operands[0]?);
        let width = u32::from(node.width);
        let narrow = |term: Option<TermId>| term.map_or(Some(0), |t| self.as_constant(t));
        if let (true, Some(a), Some(b), Some(c)) =
            (width <= 64, narrow(operands[0]), narrow(operands[1]), narrow(operands[2]))
        {
            let value = semantics::narrow(node, first, a, b, c);
            return Some(self.constant(width, value));
        }
        let value = |term: Option<TermId>| term.map_or_else(BigUint::zero, |t| self.big_value(t));
        let (a, b, c) = (value(operands[0]), value(operands[1]), value(operands[2]));
        let value = semantics::wide(node, first, [&a, &b, &c]);
        Some(self.wide_constant(width, value))
    }

    /// The value of a constant of any width; 0 if the term is not constant.
    pub fn big_value(&self, term: TermId) -> BigUint {
        let node = self.node(term);
        match node.op {
            Op::Const => BigUint::from(node.value()),
            Op::WideConst => self.wide_value(&node).clone(),
            _ => BigUint::zero(),
        }
    }

    pub(crate) fn unary(&mut self, op: Op, width: u32, a: TermId) -> TermId {
        let width = self.encode_sort(Sort::Bits(width));
        self.make(Node { op, rounding: 0, width, a: a.raw(), b: 0, c: 0 })
    }

    pub(crate) fn binary(&mut self, op: Op, width: u32, a: TermId, b: TermId) -> TermId {
        let width = self.encode_sort(Sort::Bits(width));
        self.make(Node { op, rounding: 0, width, a: a.raw(), b: b.raw(), c: 0 })
    }

    /// Operands of a commutative operation in canonical order: constants last, else older first.
    pub(crate) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |term| (self.is_constant(term), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    pub(crate) fn is_zero(&self, term: TermId) -> bool {
        self.as_constant(term) == Some(0)
            || (self.is_constant(term) && self.big_value(term).is_zero())
    }

    pub(crate) fn is_one(&self, term: TermId) -> bool {
        self.is_constant(term) && self.big_value(term).is_one()
    }

    pub(crate) fn is_ones(&self, term: TermId) -> bool {
        if !self.is_constant(term) {
            return false;
        }
        let width = self.width(term);
        match self.as_constant(term) {
            Some(value) => value == crate::term::mask(width),
            None => self.big_value(term).count_ones() == u64::from(width),
        }
    }

    pub(crate) fn zero(&mut self, width: u32) -> TermId {
        self.constant(width, 0)
    }

    pub(crate) fn ones(&mut self, width: u32) -> TermId {
        match width {
            0..=64 => self.constant(width, u64::MAX),
            _ => self.wide_constant(width, (BigUint::one() << width) - 1u8),
        }
    }

    pub(crate) fn operand(&self, term: TermId, which: usize) -> TermId {
        let node = self.node(term);
        let raw = [node.a, node.b, node.c][which];
        TermId::from_raw(raw).expect("operations have operands")
    }

    /// `Some(x)` if the term is `op x`.
    pub(crate) fn match_unary(&self, op: Op, term: TermId) -> Option<TermId> {
        (self.op(term) == op).then(|| self.operand(term, 0))
    }

    /// `Some((x, y))` if the term is `x op y`.
    pub(crate) fn match_binary(&self, op: Op, term: TermId) -> Option<(TermId, TermId)> {
        (self.op(term) == op).then(|| (self.operand(term, 0), self.operand(term, 1)))
    }

    /// `Some((x, c))` if the term is `x op c` with a narrow constant.
    pub(crate) fn match_constant(&self, op: Op, term: TermId) -> Option<(TermId, u64)> {
        let (x, y) = self.match_binary(op, term)?;
        Some((x, self.as_constant(y)?))
    }

    /// `Some((c, t, e))` if the term is an if-then-else.
    pub(crate) fn match_ite(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        let is = self.op(term) == Op::Ite;
        is.then(|| (self.operand(term, 0), self.operand(term, 1), self.operand(term, 2)))
    }

    /// Whether the term is an if-then-else of constants.
    pub(crate) fn is_choice(&self, term: TermId) -> bool {
        let constant = |t| self.is_constant(t);
        self.match_ite(term).is_some_and(|(_, t, e)| constant(t) && constant(e))
    }
}
