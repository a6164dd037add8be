//! Values of an option that stand for values of a library: what can be typed, its help, what it
//! means.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value that can be typed, its help, and what it means.
pub type Choice<T> = (&'static str, &'static str, T);

/// Reads one of these values.
pub fn one_of<T>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync,
{
    let values = choices.iter().map(|&(name, help, _)| {
        let value = PossibleValue::new(name);
        if help.is_empty() { value } else { value.help(help) }
    });
    PossibleValuesParser::new(values).map(|typed| {
        let meant = choices.iter().find(|(name, ..)| *name == typed);
        meant.expect("clap accepts only the values of the table").2
    })
}
