//! Conjunctions of conditions that can be weakened: values of single cells as ranges, and all
//! other conditions as terms.

use inputs::{Domain, Layout};
use rustc_hash::FxHashSet;
use smt::chain::interval_set;
use smt::{Op, TermId, Terms};

/// The most parts of a term to count.
const MOST_PARTS: usize = 200;
/// The greatest depth to which conditions are decomposed.
const DEEPEST: usize = 8;
/// The most values to exclude one by one.
const MOST_HOLES: usize = 3;

/// A conjunction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cube {
    /// By cell, in order.
    ranges: Vec<(usize, Range)>,
    /// The others.
    terms: Vec<TermId>,
    /// All of it as conditions.
    pub conditions: Vec<TermId>,
}

/// A part of a cube that can be weakened by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Literal {
    Term(TermId),
    /// The values of a cell.
    Cell(usize),
}

/// The allowed numbers of a cell, within the bounds of its domain: ascending, with gaps between.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    pieces: Vec<(i128, i128)>,
}

/// The cells and their terms.
pub(super) struct Cells<'p> {
    pub layout: &'p Layout,
    pub terms: Vec<TermId>,
}

impl Cells<'_> {
    fn domain(&self, cell: usize) -> &Domain {
        let id = inputs::CellId::at(cell as u32);
        &self.layout.cells[id].domain
    }

    /// The cell and the numbers of a condition on a single cell.
    fn range(&self, terms: &Terms, condition: TermId) -> Option<(usize, Range)> {
        self.range_within(terms, condition, DEEPEST)
    }

    fn range_within(
        &self,
        terms: &Terms,
        condition: TermId,
        depth: usize,
    ) -> Option<(usize, Range)> {
        let depth = depth.checked_sub(1)?;
        let Some((variable, set)) = interval_set(terms, condition) else {
            return self.exclusive(terms, condition, depth);
        };
        let is_it = |&term: &TermId| terms.variable_of(term) == Some(variable);
        let cell = self.terms.iter().position(is_it)?;
        let (domain, half) = (self.domain(cell), 1_u64 << (set.width - 1));
        let mut pieces = Vec::new();
        for &(first, last) in &set.intervals {
            if domain.is_signed() && first < half && last >= half {
                pieces.extend([(first, half - 1), (half, last)]);
            } else {
                pieces.push((first, last));
            }
        }
        let numbers = pieces.iter().map(|&(low, high)| (domain.decode(low), domain.decode(high)));
        Some((cell, Range { pieces: numbers.collect() }.within(domain)))
    }

    /// That exactly one of two conditions on a cell holds, or the contrary: this is how comparisons
    /// between two choices of numbers look.
    fn exclusive(&self, terms: &Terms, condition: TermId, depth: usize) -> Option<(usize, Range)> {
        let operands: Vec<TermId> = terms.operands(condition).collect();
        match (terms.op(condition), &operands[..]) {
            (Op::Not, &[inner]) => {
                let (cell, range) = self.range_within(terms, inner, depth)?;
                Some((cell, range.complement(self.domain(cell))))
            }
            (Op::Xor, &[a, b]) => {
                let (cell, a) = self.range_within(terms, a, depth)?;
                let (other, b) = self.range_within(terms, b, depth)?;
                let domain = self.domain(cell);
                let (not_a, not_b) = (a.complement(domain), b.complement(domain));
                let mut pieces = a.intersect(&not_b).pieces;
                pieces.extend(not_a.intersect(&b).pieces);
                (cell == other).then(|| (cell, Range { pieces }.within(domain)))
            }
            _ => None,
        }
    }
}

impl Range {
    /// The intersection with the bounds of a domain, in order.
    fn within(mut self, domain: &Domain) -> Range {
        let (least, most) = domain.bounds();
        self.pieces.sort_unstable();
        let mut pieces: Vec<(i128, i128)> = Vec::new();
        for (low, high) in self.pieces {
            let (low, high) = (low.max(least), high.min(most));
            match pieces.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ if low <= high => pieces.push((low, high)),
                _ => {}
            }
        }
        Range { pieces }
    }

    fn intersect(&self, other: &Range) -> Range {
        let mut pieces = Vec::new();
        for &(low, high) in &self.pieces {
            let parts = other.pieces.iter().map(|&(a, b)| (low.max(a), high.min(b)));
            pieces.extend(parts.filter(|(low, high)| low <= high));
        }
        Range { pieces }
    }

    /// All numbers of both and, if these are not contiguous, those in between.
    fn join(&self, other: &Range) -> Range {
        let mut pieces: Vec<(i128, i128)> =
            self.pieces.iter().chain(&other.pieces).copied().collect();
        pieces.sort_unstable();
        let low = pieces.first().map_or(0, |piece| piece.0);
        let high = pieces.iter().map(|piece| piece.1).max().unwrap_or(0);
        Range { pieces: vec![(low, high)] }
    }

    /// The numbers between the bounds of the domain that are not in it.
    fn complement(&self, domain: &Domain) -> Range {
        Range { pieces: self.holes(domain) }
    }

    fn is_all(&self, domain: &Domain) -> bool {
        self.pieces == [domain.bounds()]
    }

    /// Ranges with more numbers, the largest first.
    fn weaker(&self, domain: &Domain) -> Vec<Range> {
        let (least, most) = domain.bounds();
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return Vec::new();
        };
        let (low, high) = (first.0, last.1);
        let but = |value: i128| Range { pieces: vec![(least, value - 1), (value + 1, most)] };
        let mut weaker = Vec::new();
        if low > least {
            weaker.push(but(low - 1));
        }
        if high < most {
            weaker.push(but(high + 1));
        }
        weaker.push(Range { pieces: vec![(least, high)] });
        weaker.push(Range { pieces: vec![(low, most)] });
        weaker.push(Range { pieces: vec![(low, high)] });
        let tidied = weaker.into_iter().map(|range| range.within(domain));
        tidied.filter(|range| range != self && range.intersect(self) == *self).collect()
    }

    /// The condition on a cell.
    fn condition(&self, terms: &mut Terms, cell: TermId, domain: &Domain) -> TermId {
        let (least, most) = domain.bounds();
        let width = terms.width(cell);
        let holes = self.holes(domain);
        if !holes.is_empty() && holes.len() <= MOST_HOLES && holes.iter().all(|(a, b)| a == b) {
            return holes.iter().fold(Terms::TRUE, |all, (value, _)| {
                let value = terms.constant(width, domain.encode(*value));
                let other = terms.ne(cell, value);
                terms.and(all, other)
            });
        }
        let mut any = Terms::FALSE;
        for &(low, high) in &self.pieces {
            let [low_bits, high_bits] =
                [low, high].map(|number| terms.constant(width, domain.encode(number)));
            let above = match (low > least, domain.is_signed()) {
                (false, _) => Terms::TRUE,
                (true, true) => terms.sge(cell, low_bits),
                (true, false) => terms.uge(cell, low_bits),
            };
            let below = match (high < most, domain.is_signed()) {
                (false, _) => Terms::TRUE,
                (true, true) => terms.sle(cell, high_bits),
                (true, false) => terms.ule(cell, high_bits),
            };
            let piece =
                if low == high { terms.eq(cell, low_bits) } else { terms.and(above, below) };
            any = terms.or(any, piece);
        }
        any
    }

    /// The missing numbers between the bounds of the domain.
    fn holes(&self, domain: &Domain) -> Vec<(i128, i128)> {
        let (mut next, most) = domain.bounds();
        let mut holes = Vec::new();
        for &(low, high) in &self.pieces {
            if next < low {
                holes.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= most {
            holes.push((next, most));
        }
        holes
    }
}

impl Cube {
    /// The conjunction of some conditions.
    pub fn new(terms: &mut Terms, cells: &Cells<'_>, conditions: &[TermId]) -> Cube {
        let mut cube = Cube { ranges: Vec::new(), terms: Vec::new(), conditions: Vec::new() };
        for condition in flat(terms, conditions) {
            match cells.range(terms, condition) {
                Some((cell, range)) => cube.restrict(cell, range),
                None => cube.terms.push(condition),
            }
        }
        make_strict(terms, &mut cube.terms);
        cube.ranges.retain(|(cell, range)| !range.is_all(cells.domain(*cell)));
        cube.ranges.sort_by_key(|(cell, _)| *cell);
        cube.settled(terms, cells)
    }

    fn restrict(&mut self, cell: usize, range: Range) {
        match self.ranges.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, known)) => *known = known.intersect(&range),
            None => self.ranges.push((cell, range)),
        }
    }

    fn settled(mut self, terms: &mut Terms, cells: &Cells<'_>) -> Cube {
        let ranges = self.ranges.iter();
        let ranges: Vec<TermId> = ranges
            .map(|(cell, range)| range.condition(terms, cells.terms[*cell], cells.domain(*cell)))
            .collect();
        self.conditions = ranges.into_iter().chain(self.terms.iter().copied()).collect();
        self
    }

    /// How many parts there are.
    pub fn literals(&self) -> usize {
        self.conditions.len()
    }

    /// The parts, the hardest to read first.
    pub fn parts(&self, terms: &Terms) -> Vec<Literal> {
        let mut others: Vec<TermId> = self.terms.clone();
        others.sort_by_key(|&term| std::cmp::Reverse(size(terms, term)));
        let ranges = self.ranges.iter().map(|(cell, _)| Literal::Cell(*cell));
        others.into_iter().map(Literal::Term).chain(ranges).collect()
    }

    /// Cubes with one weaker part, the weakest first: the first one is without that part.
    pub fn weaker(&self, terms: &mut Terms, cells: &Cells<'_>, literal: Literal) -> Vec<Cube> {
        let mut without = self.clone();
        let mut all = Vec::new();
        match literal {
            Literal::Term(term) => {
                without.terms.retain(|&other| other != term);
                all.push(without.clone());
                for weaker in weaker_comparisons(terms, term) {
                    let mut cube = without.clone();
                    cube.terms.push(weaker);
                    all.push(cube);
                }
            }
            Literal::Cell(cell) => {
                without.ranges.retain(|(other, _)| *other != cell);
                all.push(without.clone());
                let range = self.ranges.iter().find(|(other, _)| *other == cell);
                let domain = cells.domain(cell);
                for weaker in range.map(|(_, range)| range.weaker(domain)).unwrap_or_default() {
                    let mut cube = without.clone();
                    cube.ranges.push((cell, weaker));
                    cube.ranges.sort_by_key(|(cell, _)| *cell);
                    all.push(cube);
                }
            }
        }
        all.into_iter().map(|cube| cube.settled(terms, cells)).collect()
    }

    /// The parts that another cube does not have.
    pub fn without(&self, other: &Cube, terms: &mut Terms, cells: &Cells<'_>) -> Cube {
        let mut cube = self.clone();
        cube.ranges.retain(|range| !other.ranges.contains(range));
        cube.terms.retain(|term| !other.terms.contains(term));
        cube.settled(terms, cells)
    }

    /// The parts about a single cell.
    pub fn ranges_only(&self, terms: &mut Terms, cells: &Cells<'_>) -> Cube {
        Cube { terms: Vec::new(), ..self.clone() }.settled(terms, cells)
    }

    /// The common part of both, with ranges that contain the numbers of both.
    pub fn join(&self, other: &Cube, terms: &mut Terms, cells: &Cells<'_>) -> Cube {
        let common = self.terms.iter().filter(|term| other.terms.contains(term));
        let mut cube =
            Cube { ranges: Vec::new(), terms: common.copied().collect(), conditions: Vec::new() };
        for (cell, range) in &self.ranges {
            let same = other.ranges.iter().find(|(known, _)| known == cell);
            let joined = same.map(|(_, known)| known.join(range));
            let joined = joined.filter(|joined| !joined.is_all(cells.domain(*cell)));
            cube.ranges.extend(joined.map(|joined| (*cell, joined)));
        }
        cube.settled(terms, cells)
    }
}

/// The parts of conjunctions, each once.
fn flat(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut parts: Vec<TermId> = Vec::new();
    let mut stack: Vec<TermId> = conditions.iter().rev().copied().collect();
    while let Some(condition) = stack.pop() {
        let operands: Vec<TermId> = terms.operands(condition).collect();
        match (terms.op(condition), &operands[..]) {
            (Op::And, &[a, b]) => stack.extend([b, a]),
            _ if condition == Terms::TRUE || parts.contains(&condition) => {}
            _ => parts.push(condition),
        }
    }
    parts
}

/// Makes `a <= b` strict if `a != b` is also a part.
fn make_strict(terms: &mut Terms, parts: &mut Vec<TermId>) {
    let negated = |terms: &Terms, term: TermId| {
        let inner = terms.operands(term).next().filter(|_| terms.op(term) == Op::Not)?;
        let operands: Vec<TermId> = terms.operands(inner).collect();
        let &[a, b] = &operands[..] else { return None };
        Some((terms.op(inner), a, b))
    };
    for at in 0..parts.len() {
        let Some(&part) = parts.get(at) else { break };
        let Some((op @ (Op::Slt | Op::Ult), a, b)) = negated(terms, part) else { continue };
        let differ = |&term: &TermId| match negated(terms, term) {
            Some((Op::Eq, x, y)) => (x, y) == (a, b) || (x, y) == (b, a),
            _ => false,
        };
        if let Some(other) = parts.iter().position(differ) {
            parts[at] = if op == Op::Slt { terms.slt(b, a) } else { terms.ult(b, a) };
            parts.remove(other);
        }
    }
}

/// Weaker comparisons of the same operands.
fn weaker_comparisons(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    let operands: Vec<TermId> = terms.operands(condition).collect();
    let &[a, b] = &operands[..] else { return Vec::new() };
    match terms.op(condition) {
        Op::Slt => vec![terms.ne(a, b), terms.sle(a, b)],
        Op::Ult => vec![terms.ne(a, b), terms.ule(a, b)],
        Op::Eq if terms.width(a) > 1 => vec![terms.sle(a, b), terms.sge(a, b)],
        _ => Vec::new(),
    }
}

/// How many parts a term has.
fn size(terms: &Terms, term: TermId) -> usize {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if seen.len() < MOST_PARTS && seen.insert(term) {
            stack.extend(terms.operands(term));
        }
    }
    seen.len()
}
