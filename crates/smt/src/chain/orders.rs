//! Comparisons of terms with each other and with constants, as a graph of the order.
//!
//! Bounds propagate along the comparisons: a bound that contradicts its opposite, or a cycle with a
//! strict comparison, shows that there is no model, whatever the compared terms are. If all of them
//! are variables, the least consistent values are tried as a model. Signed and unsigned comparisons
//! are handled one after the other; inequalities (`≠`) are only checked.

use rustc_hash::FxHashMap;

use crate::eval::Evaluator;
use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, SatCounts, Solver};
use crate::term::{Op, TermId, Terms, mask};

/// Queries with more comparisons are passed on.
const MOST_EDGES: usize = 400;

pub struct Orders<S> {
    inner: S,
    graph: Graph,
    evaluator: Evaluator,
    refuted: u64,
    ordered: u64,
}

impl<S> Orders<S> {
    pub fn new(inner: S) -> Orders<S> {
        Orders {
            inner,
            graph: Graph::default(),
            evaluator: Evaluator::new(),
            refuted: 0,
            ordered: 0,
        }
    }
}

impl<S: Solver> Solver for Orders<S> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        if let Some(core) = self.graph.refute(terms, conditions) {
            self.refuted += 1;
            return Answer::Unsat(core);
        }
        if let Some(model) = self.graph.least_model(terms)
            && self.evaluator.holds(terms, &model, conditions)
        {
            self.ordered += 1;
            return Answer::Sat(model);
        }
        self.inner.check(terms, conditions, budget)
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("orders refuted", self.refuted));
        counters.push(("orders found", self.ordered));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

/// How terms are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Unsigned,
    Signed,
}

/// The first end is at most the second minus `gap`, because of a condition.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    gap: u64,
    because: usize,
}

/// A compared term. Values are mapped so that the order is unsigned.
#[derive(Clone, Debug)]
struct End {
    term: TermId,
    low: u64,
    high: u64,
    /// Why the term is not lower: the edge or condition, or a fact about the term itself.
    low_because: Why,
    high_because: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Range,
    Condition(usize),
    Edge(usize),
}

/// The comparisons of a query in one order. Buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    order: Order,
    edges: Vec<Edge>,
    ends: Vec<End>,
    numbers: FxHashMap<TermId, usize>,
}

impl Graph {
    /// Positions of conditions that contradict each other by their comparisons alone. If there are
    /// none, the graph keeps the least values of the last order.
    pub fn refute(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Vec<usize>> {
        let has = |op: Op| move |c: &TermId| comparison(terms, *c).is_some_and(|c| c.0 == op);
        let signed = conditions.iter().any(has(Op::Slt));
        let unsigned = !signed || conditions.iter().any(has(Op::Ult));
        let orders = [(Order::Unsigned, unsigned), (Order::Signed, signed)];
        for (order, _) in orders.into_iter().filter(|(_, met)| *met) {
            if self.build(terms, conditions, order)
                && let Some(mut core) = self.raise()
            {
                core.sort_unstable();
                core.dedup();
                return Some(core);
            }
        }
        None
    }

    /// A model of the least values, none below zero if that is possible.
    fn least_model(&mut self, terms: &Terms) -> Option<Model> {
        let all_variables = self.ends.iter().all(|end| terms.variable_of(end.term).is_some());
        if self.edges.is_empty() || !all_variables {
            return None;
        }
        let mut model = Model::new();
        let saved = self.ends.clone();
        for end in &mut self.ends {
            let zero = self.order.key(0, terms.width(end.term));
            end.low = end.low.max(zero.min(end.high));
            end.low_because = Why::Range;
        }
        if self.raise().is_some() {
            self.ends = saved;
        }
        for end in &self.ends {
            let variable = terms.variable_of(end.term)?;
            model.set(variable, self.order.key(end.low, terms.width(end.term)));
        }
        Some(model)
    }

    /// Whether there is anything to compare in this order.
    fn build(&mut self, terms: &Terms, conditions: &[TermId], order: Order) -> bool {
        self.order = order;
        self.edges.clear();
        self.ends.clear();
        self.numbers.clear();
        for (position, condition) in conditions.iter().enumerate() {
            let Some((op, a, b, holds)) = comparison(terms, *condition) else { continue };
            let fits = match op {
                Op::Eq => holds,
                Op::Ult => order == Order::Unsigned,
                _ => order == Order::Signed,
            };
            if !fits {
                continue;
            }
            match (op, holds) {
                (Op::Eq, _) => {
                    self.compare(terms, a, b, 0, position);
                    self.compare(terms, b, a, 0, position);
                }
                (_, true) => self.compare(terms, a, b, 1, position),
                (_, false) => self.compare(terms, b, a, 0, position),
            }
        }
        !self.edges.is_empty() && self.edges.len() <= MOST_EDGES
    }

    /// Records that `a` is at most `b` minus `gap`.
    fn compare(&mut self, terms: &Terms, a: TermId, b: TermId, gap: u64, because: usize) {
        let width = terms.width(a);
        match (terms.as_constant(a), terms.as_constant(b)) {
            (None, None) => {
                let (from, to) = (self.number(terms, a), self.number(terms, b));
                self.edges.push(Edge { from, to, gap, because });
            }
            (Some(constant), None) => {
                let at = self.number(terms, b);
                let end = &mut self.ends[at];
                // Construction folds comparisons with a constant too large to stay below.
                let low = self.order.key(constant, width).saturating_add(gap);
                if low > end.low {
                    end.low = low;
                    end.low_because = Why::Condition(because);
                }
            }
            (None, Some(constant)) => {
                let at = self.number(terms, a);
                let end = &mut self.ends[at];
                let high = self.order.key(constant, width).saturating_sub(gap);
                if high < end.high {
                    end.high = high;
                    end.high_because = Some(because);
                }
            }
            // Construction folds comparisons of constants.
            (Some(_), Some(_)) => {}
        }
    }

    fn number(&mut self, terms: &Terms, term: TermId) -> usize {
        let (ends, order) = (&mut self.ends, self.order);
        *self.numbers.entry(term).or_insert_with(|| {
            let (facts, width) = (terms.facts(term), terms.width(term));
            let (low, high) = match order {
                Order::Unsigned => (facts.umin, facts.umax),
                Order::Signed => {
                    let key = |bound: i64| order.key(bound as u64 & mask(width), width);
                    (key(facts.smin), key(facts.smax))
                }
            };
            let low_because = Why::Range;
            ends.push(End { term, low, high, low_because, high_because: None });
            ends.len() - 1
        })
    }

    /// Raises lower bounds along the edges. Returns the conditions behind a contradiction.
    fn raise(&mut self) -> Option<Vec<usize>> {
        for end in 0..self.ends.len() {
            if self.ends[end].low > self.ends[end].high {
                return Some(self.chain_to(end));
            }
        }
        for _ in 0..=self.ends.len() {
            let mut changed = None;
            for (number, edge) in self.edges.iter().enumerate() {
                let low = self.ends[edge.from].low.saturating_add(edge.gap);
                let overflows = low == self.ends[edge.from].low && edge.gap > 0;
                let to = &mut self.ends[edge.to];
                if low <= to.low && !overflows {
                    continue;
                }
                to.low = low;
                to.low_because = Why::Edge(number);
                changed = Some(edge.to);
                if low > to.high || overflows {
                    return Some(self.chain_to(edge.to));
                }
            }
            let last = changed?;
            if self.on_circle(last).is_some() {
                return self.on_circle(last);
            }
        }
        // Every raise follows a chain of edges, and a chain longer than the number of ends contains
        // a cycle, which has been found above.
        None
    }

    /// The conditions behind the bounds of an end that exclude each other.
    fn chain_to(&self, end: usize) -> Vec<usize> {
        let mut core: Vec<usize> = self.ends[end].high_because.into_iter().collect();
        let mut at = end;
        for _ in 0..=self.ends.len() {
            match self.ends[at].low_because {
                Why::Range => break,
                Why::Condition(because) => {
                    core.push(because);
                    break;
                }
                Why::Edge(number) => {
                    core.push(self.edges[number].because);
                    at = self.edges[number].from;
                }
            }
        }
        core
    }

    /// The conditions of a cycle behind the lower bound of an end, if there is one.
    fn on_circle(&self, end: usize) -> Option<Vec<usize>> {
        let before = |at: usize| match self.ends[at].low_because {
            Why::Edge(number) => Some(self.edges[number]),
            _ => None,
        };
        let mut at = end;
        for _ in 0..self.ends.len() {
            at = before(at)?.from;
        }
        let mut core = Vec::new();
        let first = at;
        loop {
            let edge = before(at)?;
            core.push(edge.because);
            at = edge.from;
            if at == first {
                return Some(core);
            }
        }
    }
}

impl Order {
    /// Maps a value to a number whose unsigned order is this one, or back.
    fn key(self, value: u64, width: u32) -> u64 {
        match self {
            Order::Unsigned => value,
            Order::Signed => value ^ 1 << (width - 1),
        }
    }
}

/// A comparison of narrow terms, and whether it holds or is negated.
fn comparison(terms: &Terms, condition: TermId) -> Option<(Op, TermId, TermId, bool)> {
    let mut holds = true;
    let mut at = condition;
    while let Some(inner) = terms.match_unary(Op::Not, at) {
        holds = !holds;
        at = inner;
    }
    let op = terms.op(at);
    if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
        return None;
    }
    let (a, b) = (terms.operand(at, 0), terms.operand(at, 1));
    (terms.width(a) <= 64).then_some((op, a, b, holds))
}
