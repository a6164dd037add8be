//! What conditions say of variables and of other terms by comparing them with constants: a set
//! of values for each, the conditions on it joined. A condition on one byte alone is a set of its
//! values, whatever it computes: classes of characters come from tables.

use rustc_hash::{FxHashMap, FxHashSet};

use super::glossary::{Glossary, Meaning};
use super::printer::{BITS, Printer};
use super::sets::{Said, Subject};
use crate::bytes::SMALL_WIDTH;
use crate::chain::{IntervalSet, interval_set, side_set};
use crate::eval::Evaluator;
use crate::lanes::Lanes;
use crate::model::Model;
use crate::term::{Op, Sort, TermId, Terms, VarId, mask};

/// The most terms of a condition whose variables are counted.
const MOST_TERMS: usize = 1000;

/// Sets for terms in the order in which conditions mention them.
pub(super) struct Facts {
    list: Vec<Fact>,
    by_subject: FxHashMap<TermId, usize>,
    /// By variable, its term.
    variables: FxHashMap<VarId, TermId>,
}

struct Fact {
    subject: TermId,
    variable: Option<VarId>,
    set: IntervalSet,
    /// Values that it is known not to have because something else says so.
    forbidden: IntervalSet,
    is_removed: bool,
    context: Context,
}

/// How conditions treat their subject.
#[derive(Default)]
pub(super) struct Context {
    is_signed: bool,
    is_float: bool,
    constants: Vec<u64>,
}

impl Facts {
    /// The facts of conditions, and the conditions that are none.
    pub fn new(printer: &Printer<'_>, conditions: &[TermId]) -> (Facts, Vec<TermId>) {
        let mut facts = Facts {
            list: Vec::new(),
            by_subject: FxHashMap::default(),
            variables: FxHashMap::default(),
        };
        let mut rest = Vec::new();
        let mut lanes = Lanes::default();
        for &condition in conditions {
            let terms = printer.terms;
            let compared = subject_set(printer, condition);
            let is_variable = |(subject, _): &(TermId, _)| terms.variable_of(*subject).is_some();
            let set = match compared {
                Some(known) if is_variable(&known) => Some(known),
                other => byte_set(terms, &mut lanes, condition).or(other),
            };
            match set {
                Some((subject, set)) => facts.add(terms, subject, set, condition),
                None => rest.push(condition),
            }
        }
        for fact in &mut facts.list {
            fact.set = fact.set.intersect(&allowed(printer, fact.subject));
        }
        rest.retain(|&condition| !facts.imply(printer.terms, condition));
        (facts, rest)
    }

    /// Whether a condition is about variables with one value each, and holds of these.
    fn imply(&self, terms: &Terms, condition: TermId) -> bool {
        let Some(variables) = variables(terms, condition) else { return false };
        let mut model = Model::new();
        for variable in variables {
            let Some(value) = self.only_value(variable) else { return false };
            model.set(variable, value);
        }
        Evaluator::new().holds(terms, &model, &[condition])
    }

    fn add(&mut self, terms: &Terms, subject: TermId, set: IntervalSet, condition: TermId) {
        let mut context = Context::default();
        context.read(terms, condition);
        match self.by_subject.get(&subject) {
            Some(&at) => {
                let known = &mut self.list[at];
                known.set = known.set.intersect(&set);
                known.context.is_signed |= context.is_signed;
                known.context.is_float |= context.is_float;
                known.context.constants.extend(context.constants);
            }
            None => {
                self.by_subject.insert(subject, self.list.len());
                let variable = terms.variable_of(subject);
                if let Some(variable) = variable {
                    self.variables.insert(variable, subject);
                }
                let forbidden = IntervalSet::empty(set.width);
                let is_removed = false;
                self.list.push(Fact { subject, variable, set, forbidden, is_removed, context });
            }
        }
    }

    fn of(&self, variable: VarId) -> Option<&Fact> {
        let at = self.by_subject.get(self.variables.get(&variable)?)?;
        self.list.get(*at).filter(|fact| !fact.is_removed)
    }

    fn of_mut(&mut self, variable: VarId) -> Option<&mut Fact> {
        let at = self.by_subject.get(self.variables.get(&variable)?)?;
        self.list.get_mut(*at)
    }

    /// The values of a variable that conditions allow.
    pub fn set(&self, variable: VarId) -> Option<&IntervalSet> {
        self.of(variable).map(|fact| &fact.set)
    }

    pub fn only_value(&self, variable: VarId) -> Option<u64> {
        match self.set(variable)?.intervals.as_slice() {
            [(one, other)] if one == other => Some(*one),
            _ => None,
        }
    }

    /// What is known of the variable is said elsewhere.
    pub fn remove(&mut self, variable: VarId) {
        if let Some(fact) = self.of_mut(variable) {
            fact.is_removed = true;
        }
    }

    /// That the variable does not have a value is said elsewhere.
    pub fn forbid(&mut self, variable: VarId, value: u64) {
        if let Some(fact) = self.of_mut(variable) {
            let value = IntervalSet::of(fact.set.width, vec![(value, value)]);
            fact.forbidden = fact.forbidden.union(&value);
        }
    }

    /// Variables that are mentioned, in the order of that.
    pub fn mentioned(&self) -> Vec<VarId> {
        self.list.iter().filter_map(|fact| fact.variable).collect()
    }

    /// Those of variables as text, the ones that always hold left out.
    pub fn said_of_variables(&self, printer: &Printer<'_>) -> Vec<Said> {
        let of_variables = self.list.iter().filter(|fact| fact.variable.is_some());
        of_variables.filter_map(|fact| fact.said(printer)).collect()
    }

    /// Those of other terms as text, each with its subject.
    pub fn said_of_others(&self, printer: &Printer<'_>) -> Vec<(TermId, Said)> {
        let of_others = self.list.iter().filter(|fact| fact.variable.is_none());
        of_others.filter_map(|fact| Some((fact.subject, fact.said(printer)?))).collect()
    }
}

impl Fact {
    fn said(&self, printer: &Printer<'_>) -> Option<Said> {
        if self.is_removed {
            return None;
        }
        let allowed = allowed(printer, self.subject).intersect(&self.forbidden.complement());
        told(printer, self.subject, &self.set, &allowed, &self.context)
    }
}

/// That a term is in a set, as a comparison with constants says; `true` if that always holds.
/// Nothing if the condition is no such comparison.
pub(super) fn comparison(printer: &Printer<'_>, condition: TermId) -> Option<Said> {
    let (subject, set) = subject_set(printer, condition)?;
    let mut context = Context::default();
    context.read(printer.terms, condition);
    let always = Said { class: super::sets::Class::Equality, text: "true".to_owned() };
    let allowed = allowed(printer, subject);
    Some(told(printer, subject, &set, &allowed, &context).unwrap_or(always))
}

fn told(
    printer: &Printer<'_>,
    subject: TermId,
    set: &IntervalSet,
    allowed: &IntervalSet,
    context: &Context,
) -> Option<Said> {
    let name = printer.nested(subject, BITS);
    let meaning = meaning(printer, subject, context);
    let constants = &context.constants;
    Subject { name: &name, meaning: &meaning, allowed, constants }.within(set)
}

/// The subject of a condition, and its values for which the condition holds.
fn subject_set(printer: &Printer<'_>, condition: TermId) -> Option<(TermId, IntervalSet)> {
    let terms = printer.terms;
    if let Some((variable, set)) = interval_set(terms, condition) {
        // Flags and single bits read better as such.
        return (set.width > 1).then(|| (terms.variable_term(variable), set));
    }
    let (side, set) = side_set(terms, condition)?;
    let whole = (terms.op(side) == Op::Extract).then(|| terms.operand(side, 0));
    match whole.filter(|whole| printer.is_float(*whole)) {
        // A float without its sign.
        Some(whole) if terms.node(side).b == 0 && set.width + 1 == terms.width(whole) => {
            let sign = 1 << set.width;
            let both = set.intervals.iter();
            let both = both.flat_map(|&(a, b)| [(a, b), (sign | a, sign | b)]).collect();
            Some((whole, IntervalSet::of(set.width + 1, both)))
        }
        _ => Some((side, set)),
    }
}

/// The same for any condition on one variable of a byte.
fn byte_set(terms: &Terms, lanes: &mut Lanes, condition: TermId) -> Option<(TermId, IntervalSet)> {
    let variables = variables(terms, condition)?;
    let [variable] = variables[..] else { return None };
    let plain =
        if terms.op(condition) == Op::Not { terms.operand(condition, 0) } else { condition };
    let is_bit =
        terms.op(plain) == Op::Extract && terms.variable_of(terms.operand(plain, 0)).is_some();
    // Single bits read better as such.
    if is_bit || terms.variable_info(variable).sort != Sort::Bits(SMALL_WIDTH) {
        return None;
    }
    lanes.start(terms, variable);
    let values = lanes.values(terms, &Model::new(), condition)?;
    let members = values.members().map(|value| (value, value)).collect();
    Some((terms.variable_term(variable), IntervalSet::of(SMALL_WIDTH, members)))
}

/// All variables of a condition. Nothing if there are too many terms, or some that are no function
/// of variables of up to 64 bits.
fn variables(terms: &Terms, condition: TermId) -> Option<Vec<VarId>> {
    let mut seen = FxHashSet::default();
    let mut variables = Vec::new();
    let mut stack = vec![condition];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_TERMS || terms.node(term).is_array() || terms.op(term) == Op::Apply {
            return None;
        }
        if let Some(variable) = terms.variable_of(term) {
            match terms.variable_info(variable).sort {
                Sort::Bits(1..=64) => variables.push(variable),
                _ => return None,
            }
        }
        stack.extend(terms.operands(term));
    }
    Some(variables)
}

/// All values that a term can have.
fn allowed(printer: &Printer<'_>, subject: TermId) -> IntervalSet {
    let terms = printer.terms;
    let width = terms.width(subject);
    let entry = terms.variable_of(subject).and_then(|variable| printer.glossary.entry(variable));
    if let Some(entry) = entry.filter(|entry| entry.allowed.width == width) {
        return entry.allowed.clone();
    }
    let (least, most) = terms.bounds(subject);
    let (lowest, highest) = terms.signed_bounds(subject);
    let unsigned = IntervalSet::of(width, vec![(least, most)]);
    let bits = |value: i64| value as u64 & mask(width);
    let signed = if lowest < 0 && highest >= 0 {
        vec![(0, bits(highest)), (bits(lowest), mask(width))]
    } else {
        vec![(bits(lowest), bits(highest))]
    };
    unsigned.intersect(&IntervalSet::of(width, signed))
}

fn meaning(printer: &Printer<'_>, subject: TermId, context: &Context) -> Meaning {
    let variable = printer.terms.variable_of(subject);
    let glossary: &Glossary = printer.glossary;
    if let Some(entry) = variable.and_then(|variable| glossary.entry(variable)) {
        return entry.meaning.clone();
    }
    let width = printer.terms.width(subject);
    if (context.is_float || printer.is_float(subject)) && crate::float::is_float_width(width) {
        return Meaning::Float;
    }
    Meaning::Number { is_signed: printer.sign(subject).unwrap_or(context.is_signed) }
}

impl Context {
    /// The kinds of comparisons of a condition, and the constants that it compares with.
    fn read(&mut self, terms: &Terms, condition: TermId) {
        let mut left = 400;
        let mut stack = vec![condition];
        while let Some(condition) = stack.pop()
            && left > 0
        {
            left -= 1;
            let operands = terms.operands(condition);
            match terms.op(condition) {
                Op::Not | Op::And | Op::Or => stack.extend(operands),
                op => {
                    let constant = |operand| terms.as_constant(operand);
                    self.constants.extend(operands.filter_map(constant));
                    self.is_signed |= op == Op::Slt;
                    self.is_float |= matches!(op, Op::FEq | Op::FLt | Op::FLe);
                }
            }
        }
    }
}
