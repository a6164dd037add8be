//! Conditions for people: infix, in the names of the input, bounds of a variable gathered.
//!
//! `600 < rate ≤ 700 ∧ confident ≠ 0`. What variables stand for is in a [`Glossary`]: floats are
//! told as floats, characters as characters, choices by their names, and texts as a whole. What
//! holds of every allowed value is left out. The text means the same as the conditions. Not meant
//! to be read back.
//!
//! `=` of two computed floats says that they are the same value: a NaN equals a NaN, and the zeros
//! are different. Where the program itself compares two computed floats, that is `==` and `!=`, as
//! in C. Next to a constant both are the same, and `x = 0.0` holds of both zeros; `x is -0.0`
//! holds of one.

mod facts;
mod glossary;
mod printer;
mod sets;
mod texts;
mod values;

use rustc_hash::FxHashSet;

pub use self::glossary::{Entry, Glossary, Meaning, Text, TextEnd};
pub use self::values::word;

use self::facts::Facts;
use self::printer::{AND, LOWEST, Printer};
use self::sets::{Class, Said};
use crate::term::{Op, TermId, Terms, VarId};

/// Terms that are looked at to count the variables of a condition.
const MOST_COUNTED: usize = 300;

/// All conditions, joined by `∧`, the most telling first.
pub fn conjunction(terms: &Terms, conditions: &[TermId]) -> String {
    Glossary::new().conjunction(terms, conditions)
}

/// One term.
pub fn term(terms: &Terms, term: TermId) -> String {
    Glossary::new().term(terms, term)
}

impl Glossary {
    /// One term in the words of this glossary.
    pub fn term(&self, terms: &Terms, term: TermId) -> String {
        Printer::new(terms, self).at(term, LOWEST)
    }

    /// All conditions, joined by `∧`, the most telling first: what is said of one variable or
    /// text, equalities before bounds, and then what is said of few variables and is short.
    pub fn conjunction(&self, terms: &Terms, conditions: &[TermId]) -> String {
        let parts = self.parts(terms, conditions);
        if parts.is_empty() { "true".to_owned() } else { parts.join(" ∧ ") }
    }

    fn parts(&self, terms: &Terms, conditions: &[TermId]) -> Vec<String> {
        let printer = Printer::new(terms, self);
        let (mut facts, rest) = Facts::new(&printer, &flattened(terms, conditions));
        let mut ranked: Vec<Ranked> = Vec::new();
        let mut known = FxHashSet::default();
        for variable in facts.mentioned() {
            if let Some(number) = self.text_of(variable).filter(|number| known.insert(*number)) {
                ranked.extend(texts::said(self, number, &mut facts).into_iter().map(Ranked::plain));
            }
        }
        ranked.extend(facts.said_of_variables(&printer).into_iter().map(Ranked::plain));
        for (subject, said) in facts.said_of_others(&printer) {
            ranked.push(Ranked::computed(terms, subject, said.text));
        }
        for condition in rest {
            let text = printer.at(condition, AND);
            ranked.push(Ranked::computed(terms, condition, text));
        }
        if ranked.iter().any(|part| part.text == "false") {
            return vec!["false".to_owned()];
        }
        // The sort is stable: what is as telling stays in the order of the conditions.
        ranked.sort_by_key(|part| part.rank);
        let mut told = FxHashSet::default();
        let texts = ranked.into_iter().map(|part| part.text);
        texts.filter(|text| text != "true" && told.insert(text.clone())).collect()
    }
}

/// A part of a conjunction, and how early it is told.
struct Ranked {
    /// Its class, and for what is computed how many variables and characters it has.
    rank: (Class, usize, usize),
    text: String,
}

impl Ranked {
    fn plain(said: Said) -> Ranked {
        Ranked { rank: (said.class, 0, 0), text: said.text }
    }

    fn computed(terms: &Terms, term: TermId, text: String) -> Ranked {
        let rank = (Class::Other, variables(terms, term), text.chars().count());
        Ranked { rank, text }
    }
}

/// How many variables there are among the first terms of a term.
fn variables(terms: &Terms, term: TermId) -> usize {
    let mut seen = FxHashSet::default();
    let mut variables: FxHashSet<VarId> = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop()
        && seen.len() < MOST_COUNTED
    {
        if seen.insert(term) {
            variables.extend(terms.variable_of(term));
            stack.extend(terms.operands(term));
        }
    }
    variables.len()
}

/// The parts of conjunctions, each once.
fn flattened(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut known = FxHashSet::default();
    let mut parts = Vec::new();
    let mut stack: Vec<TermId> = conditions.iter().rev().copied().collect();
    while let Some(condition) = stack.pop() {
        if condition == Terms::TRUE || !known.insert(condition) {
            continue;
        }
        match terms.match_binary(Op::And, condition) {
            Some((a, b)) if terms.width(condition) == 1 => stack.extend([b, a]),
            _ => parts.push(condition),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn an_overflow_is_told_as_such() {
        let t = &mut Terms::new();
        let (a, b) = (t.variable("a", Sort::Bits(32)), t.variable("b", Sort::Bits(32)));
        let sum = t.add(a, b);
        let (wide_a, wide_b, cut) = (t.sext(a, 33), t.sext(b, 33), t.sext(sum, 33));
        let exact = t.add(wide_a, wide_b);
        let overflows = t.ne(cut, exact);
        assert_eq!(term(t, overflows), "a + b does not fit 32 bits");
    }

    #[test]
    fn a_flag_says_what_its_name_says() {
        let t = &mut Terms::new();
        let is_null = t.variable("p == NULL", Sort::Bits(8));
        let flag = t.trunc(is_null, 1);
        let conditions = [t.not(flag)];
        assert_eq!(conjunction(t, &conditions), "p ≠ NULL");
        assert_eq!(term(t, flag), "p = NULL");
    }

    #[test]
    fn bounds_of_a_variable_are_gathered() {
        let t = &mut Terms::new();
        let rate = t.variable("rate", Sort::Bits(32));
        let confident = t.variable("confident", Sort::Bits(32));
        let (low, high, zero) = (t.constant(32, 600), t.constant(32, 700), t.constant(32, 0));
        let conditions = [t.slt(low, rate), t.ne(confident, zero), t.sle(rate, high)];
        assert_eq!(conjunction(t, &conditions), "600 < rate ≤ 700 ∧ confident ≠ 0");
        assert_eq!(conjunction(t, &conditions[..1]), "600 < rate");
        assert_eq!(conjunction(t, &[]), "true");
    }

    #[test]
    fn a_class_of_characters_is_told_by_its_ranges() {
        let t = &mut Terms::new();
        let (c, d) = (t.variable("c", Sort::Bits(8)), t.variable("d", Sort::Bits(8)));
        // As a table tells it: a mask for each character.
        let mut class = |c: TermId| {
            let mut table = t.constant(16, 2);
            for (first, last, mask) in [(b'0', b'9', 0x800), (b'a', b'f', 0x400)] {
                let (first, last) = (t.constant(8, first.into()), t.constant(8, last.into()));
                let (low, high) = (t.ule(first, c), t.ule(c, last));
                let (inside, mask) = (t.and(low, high), t.constant(16, mask));
                table = t.ite(inside, mask, table);
            }
            t.extract(table, 11, 1)
        };
        let (digit, other) = (class(c), class(d));
        assert_eq!(conjunction(t, &[digit]), "48 ≤ c ≤ 57");
        let (five, nine) = (t.constant(8, b'5'.into()), t.constant(8, b'9'.into()));
        let conditions = [digit, other, t.eq(c, five), t.eq(d, nine), t.ult(c, d)];
        assert_eq!(conjunction(t, &conditions), "c = 53 ∧ d = 57");
    }

    #[test]
    fn signed_ranges_join_across_zero() {
        let t = &mut Terms::new();
        let x = t.variable("x", Sort::Bits(32));
        let (low, high) = (t.constant(32, -5i64 as u64), t.constant(32, 5));
        let conditions = [t.sle(low, x), t.slt(x, high)];
        assert_eq!(conjunction(t, &conditions), "-5 ≤ x < 5");
    }

    #[test]
    fn terms_read_as_people_write_them() {
        let t = &mut Terms::new();
        let (x, y) = (t.variable("x", Sort::Bits(32)), t.variable("y", Sort::Bits(32)));
        let (two, three) = (t.constant(32, 2), t.constant(32, 3));
        let difference = t.sub(x, y);
        let doubled = t.mul(difference, two);
        let condition = t.slt(doubled, three);
        assert_eq!(term(t, condition), "(x - y)·2 < 3".replace('·', " · "));
        let other = t.ule(x, y);
        let either = t.or(condition, other);
        assert_eq!(term(t, either), "(x - y) · 2 < 3 ∨ x ≤ y");
        let byte = t.extract(x, 8, 8);
        let wide = t.zext(byte, 32);
        let sum = t.add(wide, y);
        assert_eq!(term(t, sum), "y + x[15:8]");
        let mut power = x;
        for _ in 0..100 {
            let other = t.add(power, y);
            power = t.mul(power, other);
        }
        assert!(term(t, power).contains('…'));
    }
}
