//! What another solver said to a question of ours.

use num_bigint::BigUint;
use num_traits::Num;

use super::SmtLibError;
use super::sexpr::{Sexpr, read};
use crate::model::Model;
use crate::term::{Sort, Terms};

/// Another solver's answer. Its model says nothing of arrays and functions and is to be checked
/// by evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalAnswer {
    Sat(Model),
    Unsat,
    Unknown,
}

/// Reads what a solver printed when given the text of [`super::print_question`].
pub fn read_answer(terms: &Terms, output: &str) -> Result<ExternalAnswer, SmtLibError> {
    let parts = read(output)?;
    let said = parts.iter().find_map(|part| match part.atom() {
        Some(word @ ("sat" | "unsat" | "unknown" | "timeout")) => Some(word),
        _ => None,
    });
    match said {
        Some("unsat") => Ok(ExternalAnswer::Unsat),
        Some("sat") => {
            let mut model = Model::new();
            for list in parts.iter().filter_map(Sexpr::list) {
                for pair in list {
                    read_value(terms, &mut model, pair);
                }
            }
            Ok(ExternalAnswer::Sat(model))
        }
        _ => Ok(ExternalAnswer::Unknown),
    }
}

/// `(name #x…)`; anything else is left alone, since the model is checked anyway.
fn read_value(terms: &Terms, model: &mut Model, pair: &Sexpr) {
    let Some([name, value]) = pair.list() else { return };
    let variable = name.atom().and_then(|name| terms.find_variable(name));
    let Some(variable) = variable else { return };
    if !matches!(terms.variable_info(variable).sort, Sort::Bits(_)) {
        return;
    }
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
    if let Some(number) = number {
        model.set_wide(terms, variable, number);
    }
}
