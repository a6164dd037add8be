//! Reads another solver's answer to a query of ours.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{Num, ToPrimitive};

use super::SmtLibError;
use super::sexpr::{Sexpr, read};
use crate::model::Model;
use crate::term::{FunctionId, Op, TermId, Terms, VarId};

/// Another solver's answer. The caller must check its model by evaluation: floats of the script
/// leave open which NaN they are, and functions with an implementation are free in it.
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalAnswer {
    Sat(Model),
    Unsat,
    Unknown,
}

/// Reads the output of a solver for the text of [`super::print_question`].
pub fn read_answer(terms: &Terms, output: &str) -> Result<ExternalAnswer, SmtLibError> {
    let parts = read(output)?;
    let said = parts.iter().find_map(|part| match part.atom() {
        Some(word @ ("sat" | "unsat" | "unknown" | "timeout")) => Some(word),
        _ => None,
    });
    match said {
        Some("unsat") => Ok(ExternalAnswer::Unsat),
        Some("sat") => {
            let mut values = BTreeMap::new();
            for list in parts.iter().filter_map(Sexpr::list) {
                values.extend(list.iter().filter_map(|pair| read_value(terms, pair)));
            }
            Ok(ExternalAnswer::Sat(model_of(terms, &values)))
        }
        _ => Ok(ExternalAnswer::Unknown),
    }
}

/// `(name #x…)`; ignores anything else, since the model is checked anyway.
fn read_value(terms: &Terms, pair: &Sexpr) -> Option<(TermId, BigUint)> {
    let [name, value] = pair.list()? else { return None };
    let name = name.atom()?;
    let term = match terms.find_variable(name) {
        Some(variable) => terms.variable_term(variable),
        None => {
            let number: u32 = name.strip_prefix("t!")?.parse().ok()?;
            TermId::from_raw(number).filter(|_| number as usize <= terms.len())?
        }
    };
    let number = match value.atom() {
        Some(text) if text.starts_with("#x") => BigUint::from_str_radix(&text[2..], 16).ok(),
        Some(text) if text.starts_with("#b") => BigUint::from_str_radix(&text[2..], 2).ok(),
        Some(_) => None,
        // `(_ bv5 32)`
        None => value.list().and_then(|parts| {
            let digits = parts.get(1)?.atom()?.strip_prefix("bv")?;
            BigUint::from_str_radix(digits, 10).ok()
        }),
    };
    Some((term, number?))
}

/// What the values of terms imply for variables, arrays and functions.
fn model_of(terms: &Terms, values: &BTreeMap<TermId, BigUint>) -> Model {
    let mut model = Model::new();
    let narrow = |term: TermId| match terms.as_constant(term) {
        Some(value) => Some(value),
        None => values.get(&term)?.to_u64(),
    };
    for (&term, value) in values {
        match terms.op(term) {
            Op::Var => {
                if let (Some(variable), false) = (terms.variable_of(term), terms.is_array(term)) {
                    model.set_wide(terms, variable, value.clone());
                }
            }
            Op::Select => {
                if let Some((array, index)) = element_read(terms, term, &narrow)
                    && let Some(value) = narrow(term)
                {
                    model.arrays.entry(array).or_default().elements.insert(index, value);
                }
            }
            Op::Apply => {
                let arguments: Option<Vec<u64>> = terms.operands(term).map(narrow).collect();
                if let (Some(arguments), Some(value)) = (arguments, narrow(term)) {
                    let function = FunctionId(terms.node(term).a);
                    model.functions.entry(function).or_default().insert(arguments, value);
                }
            }
            _ => {}
        }
    }
    model
}

/// The array variable that a read reaches under these values, and its index.
fn element_read(
    terms: &Terms,
    read: TermId,
    narrow: &impl Fn(TermId) -> Option<u64>,
) -> Option<(VarId, u64)> {
    let index = narrow(terms.operand(read, 1))?;
    let mut array = terms.operand(read, 0);
    loop {
        array = match terms.op(array) {
            Op::Store if narrow(terms.operand(array, 1))? == index => return None,
            Op::Store => terms.operand(array, 0),
            Op::Ite if narrow(terms.operand(array, 0))? == 1 => terms.operand(array, 1),
            Op::Ite => terms.operand(array, 2),
            _ => return Some((terms.variable_of(array)?, index)),
        };
    }
}
