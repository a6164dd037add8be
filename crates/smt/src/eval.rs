//! Evaluation of terms under an assignment.
//!
//! Flat post-order with an explicit stack. Each term is computed once per assignment and cached
//! with a generation stamp, so that switching to another assignment costs nothing. Arrays are never
//! built: a read walks the stores above it.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::model::Model;
use crate::semantics;
use crate::term::{FunctionId, Node, Op, TermId, Terms, VarId};
use crate::walk::Walk;

/// Buffers of evaluations, to be reused.
#[derive(Debug, Default)]
pub struct Evaluator {
    walk: Walk,
    values: Vec<u64>,
    wides: FxHashMap<TermId, BigUint>,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Forgets all values, because another assignment follows.
    pub fn restart(&mut self) {
        self.wides.clear();
        self.walk.restart();
    }

    /// Whether all conditions hold. Stops at the first that does not.
    pub fn holds(&mut self, terms: &Terms, model: &Model, conditions: &[TermId]) -> bool {
        self.restart();
        conditions.iter().all(|condition| self.value(terms, model, *condition) == 1)
    }

    /// The value of a term of at most 64 bits, under the assignment used since the last
    /// [`Evaluator::restart`].
    pub fn value(&mut self, terms: &Terms, model: &Model, term: TermId) -> u64 {
        self.compute(terms, model, term);
        self.values[term.index()]
    }

    /// The value of a bit vector of any width.
    pub fn wide_value(&mut self, terms: &Terms, model: &Model, term: TermId) -> BigUint {
        self.compute(terms, model, term);
        self.big(terms, term)
    }

    fn compute(&mut self, terms: &Terms, model: &Model, root: TermId) {
        let count = self.walk.start(terms, root);
        if self.values.len() < count {
            self.values.resize(count, 0);
        }
        while let Some(term) = self.walk.next(terms) {
            self.compute_one(terms, model, term);
            self.walk.mark(term);
        }
    }

    /// All operands are done.
    fn compute_one(&mut self, terms: &Terms, model: &Model, term: TermId) {
        let node = terms.node(term);
        if node.is_array() {
            // Only reads of an array have values.
            return;
        }
        let value = match node.op {
            Op::Const => node.value(),
            Op::Var if node.width <= 64 => model.get(VarId(node.a)),
            Op::Var => {
                self.wides.insert(term, model.get_wide(VarId(node.a)));
                return;
            }
            Op::WideConst => {
                self.wides.insert(term, terms.wide_value(&node).clone());
                return;
            }
            Op::Select => element(terms, model, &node, |raw| self.values[raw as usize]),
            Op::Apply => self.application(terms, model, &node),
            _ => return self.compute_operation(terms, term, &node),
        };
        self.values[term.index()] = value;
    }

    fn compute_operation(&mut self, terms: &Terms, term: TermId, node: &Node) {
        let first = TermId::from_raw(node.a).expect("operations have operands");
        let operand = terms.width(first);
        // A wide second operand without a wide first one: branches of an if-then-else, whose
        // width is the result's, and concatenations, which are wider still.
        if operand <= 64 && node.width <= 64 {
            let value = |raw: u32| self.values.get(raw as usize).copied().unwrap_or(0);
            let (a, b, c) = (value(node.a), value(node.b), value(node.c));
            self.values[term.index()] = semantics::narrow(node, operand, a, b, c);
            return;
        }
        let count = node.op.operand_count();
        let big = |at: u8, raw: u32| match TermId::from_raw(raw) {
            Some(term) if at < count => self.big(terms, term),
            _ => BigUint::ZERO,
        };
        let (a, b, c) = (big(0, node.a), big(1, node.b), big(2, node.c));
        let value = semantics::wide(node, operand, [&a, &b, &c]);
        if node.width <= 64 {
            self.values[term.index()] = value.to_u64().unwrap_or(0)
        } else {
            self.wides.insert(term, value);
        }
    }

    fn big(&self, terms: &Terms, term: TermId) -> BigUint {
        match terms.width(term) {
            0..=64 => BigUint::from(self.values[term.index()]),
            _ => self.wides.get(&term).cloned().unwrap_or_default(),
        }
    }

    fn application(&self, terms: &Terms, model: &Model, node: &Node) -> u64 {
        let function = FunctionId(node.a);
        let arguments = terms.arguments_of(node);
        let values: Vec<u64> = arguments.iter().map(|a| self.values[a.index()]).collect();
        match &terms.function_info(function).value {
            Some(value) => value(&values) & crate::term::mask(u32::from(node.width)),
            None => model.application(function, &values),
        }
    }
}

/// What a read of an array gives, from the values of the terms around it.
pub(crate) fn element(
    terms: &Terms,
    model: &Model,
    node: &Node,
    value: impl Fn(u32) -> u64,
) -> u64 {
    let index = value(node.b);
    let mut raw = node.a;
    loop {
        let array = TermId::from_raw(raw).expect("arrays are terms");
        let node = terms.node(array);
        raw = match node.op {
            Op::Store if value(node.b) == index => return value(node.c),
            Op::Store => node.a,
            Op::ConstArray => return value(node.a),
            Op::Ite if value(node.a) == 1 => node.b,
            Op::Ite => node.c,
            _ => return model.element(VarId(node.a), index),
        };
    }
}
