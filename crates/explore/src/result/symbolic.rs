//! A snapshot with the terms of its numbers, and when two of them are equal.
//!
//! The objects and their links are those of this run. If they depend on the input, there is a
//! condition: the snapshot is about inputs that satisfy it.

use exec::concolic::Concolic;
use exec::observer::Operand;
use exec::{Machine, Program};
use inputs::snapshot::{
    Bits, Comparer, Comparison, Incomparable, Judge, LineKind, LineOrigin, Side, Snapshot, Token,
    Values,
};
use inputs::view::{Part, RAW};
use smt::{TermId, Terms};

use super::Taker;
use super::registers::held;

/// The state that a function left, over the input.
#[derive(Clone, Debug)]
pub(crate) struct SymbolicSnapshot {
    pub plain: Snapshot,
    /// By token: its term, if it depends on the input.
    terms: Vec<Option<TermId>>,
    /// What must hold for objects to have these links.
    pub conditions: Vec<TermId>,
}

impl SymbolicSnapshot {
    pub fn take(
        taker: &mut Taker,
        caller: &inputs::Harness,
        placed: &trace::Harness<'_>,
        machine: &mut Machine<'_, Concolic>,
        counts_leaks: bool,
    ) -> SymbolicSnapshot {
        let registers = machine.observer.result.clone();
        let bits: Vec<u64> = registers.iter().map(|register| register.bits).collect();
        let mut plain = Snapshot::default();
        taker.take(caller, placed, machine, &bits, counts_leaks, &mut plain);
        let mut conditions = Vec::new();
        let mut terms = Vec::with_capacity(plain.tokens.len());
        for line in &plain.lines {
            if line.is_freed {
                continue;
            }
            let size = match line.origin {
                LineOrigin::Root(root) => caller.roots[root as usize].size,
                _ => u64::MAX,
            };
            let in_registers = line.kind == LineKind::Returned && line.address == 0;
            let program = machine.program;
            let size = if in_registers {
                size
            } else {
                let object = machine.state.memory.inspect(line.address);
                object.map_or(0, |object| size.min(object.bytes.len() as u64))
            };
            caller.views.each_part(line.view.unwrap_or(RAW), size, |offset, part| {
                let term = if in_registers {
                    register_term(machine, program, &registers, offset, part)
                } else {
                    memory_term(machine, line.address, offset, part)
                };
                terms.push(term.filter(|&term| !machine.observer.terms.is_constant(term)));
            });
            // Tokens beyond the bound do not exist.
            terms.resize((line.first + line.count) as usize, None);
        }
        terms.resize(plain.tokens.len(), None);
        let table = &mut machine.observer.terms;
        for (token, term) in plain.tokens.iter().zip(&mut terms) {
            let is_number = matches!(token, Token::Bits(_));
            if let (false, Some(found)) = (is_number, *term) {
                conditions.extend(shape_condition(table, found, token, &plain));
                *term = None;
            }
        }
        SymbolicSnapshot { plain, terms, conditions }
    }

    /// When two versions left the same state; unknown if some of it cannot be compared.
    pub fn same(
        &self,
        caller: &inputs::Harness,
        other: &SymbolicSnapshot,
        other_caller: &inputs::Harness,
        values: &Values,
        table: &mut Terms,
    ) -> Result<TermId, Incomparable> {
        let mut judge = ByTerm { sides: [self, other], table, same: Terms::TRUE, values };
        let (old, new) = (
            Side { snapshot: &self.plain, harness: Some(caller) },
            Side { snapshot: &other.plain, harness: Some(other_caller) },
        );
        match Comparer::default().compare(old, new, values, &mut judge) {
            Comparison::Same => Ok(judge.same),
            Comparison::Different => Ok(Terms::FALSE),
            // A certain difference counts even if the rest is unknown.
            Comparison::Unclear(_) if judge.same == Terms::FALSE => Ok(Terms::FALSE),
            Comparison::Unclear(reason) => Err(reason),
        }
    }

    /// For people: numbers of the result and of everything reachable from it.
    pub fn text(&self, caller: &inputs::Harness, table: &Terms) -> String {
        let names = caller.names(&self.plain);
        let mut parts = Vec::new();
        for (line, name) in self.plain.lines.iter().zip(&names) {
            let first = line.first as usize;
            let tokens = first..first + line.count as usize;
            let depends = self.terms[tokens.clone()].iter().any(Option::is_some);
            if !depends && line.kind != LineKind::Returned {
                continue;
            }
            let token = |at: usize| match (self.terms[at], self.plain.tokens[at]) {
                (Some(term), _) => smt::people::term(table, term),
                (None, Token::Bits(bits)) => bits.value.to_string(),
                (None, Token::Null) => "null".to_owned(),
                (None, _) => "&".to_owned(),
            };
            let shown: Vec<String> = tokens.take(MOST_SHOWN).map(token).collect();
            let shown = shown.join(" ");
            parts.push(match line.kind {
                LineKind::Returned => shown,
                _ => format!("{name}: {shown}"),
            });
        }
        parts.join(", ")
    }
}

/// The most numbers of one line to print.
const MOST_SHOWN: usize = 32;

fn term_of(operand: Operand) -> Option<TermId> {
    TermId::from_raw(operand.shadow)
}

/// The term of a part of an object.
fn memory_term(
    machine: &mut Machine<'_, Concolic>,
    address: u64,
    offset: u64,
    part: &Part,
) -> Option<TermId> {
    let range = part.bytes();
    let (start, size) = (address + offset + range.start, range.end - range.start);
    let memory = &machine.state.memory;
    let value = machine.observer.value_at(memory, start, size.min(8));
    let term = term_of(value)?;
    let table = &mut machine.observer.terms;
    let term = fit(table, term, 8 * size.min(8) as u32);
    let low = (part.bit % 8) as u32;
    if low == 0 && part.bits == table.width(term) {
        return Some(term);
    }
    // A bit-field may span nine bytes.
    (low + part.bits <= table.width(term)).then(|| table.extract(term, low, part.bits))
}

/// The term of a part of a value in registers.
fn register_term(
    machine: &mut Machine<'_, Concolic>,
    program: &Program,
    registers: &[Operand],
    offset: u64,
    part: &Part,
) -> Option<TermId> {
    let function = &program.module.functions[program.entry];
    let start = offset + part.bytes().start;
    let all = held(&program.module.types, function.returns);
    let is_in = |held: &&super::registers::Held| {
        held.offset <= start && offset + part.bytes().end <= held.offset + held.size
    };
    let found = all.iter().find(is_in)?;
    let term = term_of(*registers.get(found.register)?)?;
    let table = &mut machine.observer.terms;
    let term = fit(table, term, 8 * found.size as u32);
    let low = (8 * offset + part.bit - 8 * found.offset) as u32;
    Some(table.extract(term, low, part.bits))
}

/// That a pointer points to its target in this run.
fn shape_condition(
    table: &mut Terms,
    term: TermId,
    token: &Token,
    snapshot: &Snapshot,
) -> Option<TermId> {
    let width = table.width(term);
    let value = match token {
        Token::Null => 0,
        Token::Place { line, offset } => {
            snapshot.lines[*line as usize].address.wrapping_add(*offset as u64)
        }
        // It makes no claim.
        Token::Hidden => return None,
        // The other targets of the pointer depend on the input.
        _ => return Some(Terms::FALSE),
    };
    let value = table.constant(width, value);
    let condition = table.eq(term, value);
    (condition != Terms::TRUE).then_some(condition)
}

/// Collects when numbers are equal.
struct ByTerm<'a> {
    sides: [&'a SymbolicSnapshot; 2],
    table: &'a mut Terms,
    same: TermId,
    values: &'a Values,
}

impl Judge for ByTerm<'_> {
    fn numbers(&mut self, _: [usize; 2], at: [usize; 2], old: &Bits, new: &Bits) -> bool {
        let terms = [self.sides[0].terms[at[0]], self.sides[1].terms[at[1]]];
        if terms == [None, None] {
            if !old.is_same(new, self.values.nan_bits) {
                self.same = Terms::FALSE;
            }
            return self.same != Terms::FALSE;
        }
        let width = u32::from(old.bits);
        let mut term = |term: Option<TermId>, bits: &Bits| match term {
            Some(term) => fit(self.table, term, width),
            None => self.table.constant(width, bits.value),
        };
        let (one, two) = (term(terms[0], old), term(terms[1], new));
        let mut equal = self.table.eq(one, two);
        if old.is_float && !self.values.nan_bits && equal != Terms::TRUE {
            let (a, b) = (self.table.is_nan(one), self.table.is_nan(two));
            let both = self.table.and(a, b);
            equal = self.table.or(equal, both);
        }
        self.same = self.table.and(self.same, equal);
        self.same != Terms::FALSE
    }

    fn apart(&mut self, _: [usize; 2], _: [usize; 2]) -> bool {
        self.same = Terms::FALSE;
        false
    }
}

/// Zero-extended or truncated to a width.
pub(crate) fn fit(terms: &mut Terms, term: TermId, width: u32) -> TermId {
    match terms.width(term).cmp(&width) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Less => terms.zext(term, width),
        std::cmp::Ordering::Greater => terms.trunc(term, width),
    }
}
