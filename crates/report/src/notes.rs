//! Notes of all reports: on the input space, on positions that moved, and on what a verdict
//! assumes.

use std::fmt::Write;

use effects::compare::CommonSpace;
use effects::premises::Premise;
use effects::trial::Misfit;
use inputs::{Alias, Assumption, Origin, Space};
use source::HeldPosition;

use crate::counting::{counted, listed};
use crate::printable::printable;
use crate::undeclared;
use crate::words;

/// The most assumptions and pairs of parameters, and tests outside of the input space, to show.
const SHOWN_ASSUMPTIONS: usize = 8;
const SHOWN_MISFITS: usize = 3;

/// Positions that moved, which are not compared.
pub(crate) fn write_positions(text: &mut String, positions: &[HeldPosition]) {
    if positions.is_empty() {
        return;
    }
    let mut names: Vec<&str> = positions.iter().map(|position| position.name).collect();
    names.sort_unstable();
    names.dedup();
    let mut places: Vec<String> =
        positions.iter().map(|HeldPosition { file, line, .. }| format!("{file}:{line}")).collect();
    places.dedup();
    let places = listed(&places);
    let _ = writeln!(
        text,
        "note: a position changed ({} at {places}) and is not compared; --observe positions \
         compares it",
        names.join(", ")
    );
}

/// How the common input space was derived; nothing if all versions take the same input. `versions`
/// are their names.
pub(crate) fn write_space(text: &mut String, space: &CommonSpace, versions: &[String]) {
    for (holders, names) in fixed(space) {
        let names = listed(&names);
        let holders: Vec<&str> = holders.iter().map(|&one| versions[one].as_str()).collect();
        let _ = if holders.len() == space.only.len() {
            writeln!(text, "note: no value of {names} is valid in all versions; each uses its own")
        } else {
            let have = if holders.len() == 1 { "has" } else { "have" };
            let holders = holders.join(", ");
            writeln!(text, "note: only {holders} {have} {names}, fixed to one value")
        };
    }
    if !space.narrowed.is_empty() {
        let names = listed(&space.narrowed);
        let _ = writeln!(text, "note: only values of {names} that all versions allow are tried");
    }
    write_assumptions(text, &space.assumptions);
    write_aliases(text, &space.aliases);
}

/// Names that got a fixed value, by the versions that have them.
fn fixed(space: &CommonSpace) -> Vec<(Vec<usize>, Vec<&str>)> {
    let mut groups: Vec<(Vec<usize>, Vec<&str>)> = Vec::new();
    for name in space.only.iter().flatten() {
        let all = space.only.iter().enumerate();
        let holders: Vec<usize> =
            all.filter(|(_, names)| names.contains(name)).map(|(version, _)| version).collect();
        match groups.iter_mut().find(|(known, _)| *known == holders) {
            Some((_, names)) if names.contains(&name.as_str()) => {}
            Some((_, names)) => names.push(name),
            None => groups.push((holders, vec![name])),
        }
    }
    groups
}

/// What is assumed about the parameters of a function.
pub(crate) fn write_assumptions(text: &mut String, assumptions: &[Assumption]) {
    if assumptions.is_empty() {
        return;
    }
    let _ = writeln!(text, "note: assumes consistent parameters (--assume none tries all):");
    for assumption in assumptions.iter().take(SHOWN_ASSUMPTIONS) {
        let _ = writeln!(text, "  {}", printable(assumption.to_string().as_bytes()));
    }
    if assumptions.len() > SHOWN_ASSUMPTIONS {
        let _ = writeln!(text, "  {} more", assumptions.len() - SHOWN_ASSUMPTIONS);
    }
}

/// Parameters that may be the same object.
pub(crate) fn write_aliases(text: &mut String, aliases: &[Alias]) {
    if aliases.is_empty() {
        return;
    }
    let _ = writeln!(text, "note: parameters may be the same object (--alias):");
    for alias in aliases.iter().take(SHOWN_ASSUMPTIONS) {
        let pair = format!("`{}` and `{}`", alias.of, alias.pointer);
        let _ = writeln!(text, "  {}", printable(pair.as_bytes()));
    }
    if aliases.len() > SHOWN_ASSUMPTIONS {
        let _ = writeln!(text, "  {} more pairs", aliases.len() - SHOWN_ASSUMPTIONS);
    }
}

/// The origin of the input space, unless the user declared it.
pub(crate) fn write_origin(text: &mut String, origin: Origin, chosen: &Space) {
    let note = match origin {
        Origin::Declared | Origin::Types => return,
        Origin::InferredFromTests => &format!(
            "the input space was inferred from the tests: {}; declare it with --arg, --stdin or \
             --file",
            undeclared::inputs(chosen)
        ),
        Origin::Options => &format!(
            "no input space was declared, so {} vary, beginning with the options and words that \
             the code compares with arguments: {}; declare it with --arg, --stdin or --tests",
            undeclared::inputs(chosen),
            undeclared::options(chosen)
        ),
        Origin::Unspecified => {
            "no input space was declared, so two arguments of up to 4 bytes and up to 8 bytes of \
             standard input vary; declare it with --arg, --stdin or --tests"
        }
    };
    let _ = writeln!(text, "note: {note}");
}

/// Tests outside of the input space.
pub(crate) fn write_misfits(text: &mut String, misfits: &[Misfit]) {
    for misfit in misfits.iter().take(SHOWN_MISFITS) {
        let name = misfit.name.as_ref().map(|name| format!(" ({})", printable(name.as_bytes())));
        let _ = writeln!(
            text,
            "note: test {}{} is skipped, because it is outside the declared space: {}",
            misfit.number,
            name.unwrap_or_default(),
            misfit.mismatch
        );
    }
    if misfits.len() > SHOWN_MISFITS {
        let more = misfits.len() - SHOWN_MISFITS;
        let more = counted(more as u64, "more test is", "more tests are");
        let _ = writeln!(text, "note: {more} skipped");
    }
}

/// What a verdict about inputs that were not run natively assumes.
pub(crate) fn write_premises(text: &mut String, premises: &[Premise]) {
    let said: Vec<&str> = premises.iter().map(|&premise| words::premise(premise)).collect();
    let _ = writeln!(text, "assumes: {}", said.join("; "));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(only: &[&[&str]], narrowed: &[&str]) -> String {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let only = only.iter().map(|names| owned(names)).collect();
        let space = CommonSpace { only, narrowed: owned(narrowed), ..CommonSpace::default() };
        let mut text = String::new();
        let names: Vec<String> = (0..space.only.len()).map(|at| format!("v{at}")).collect();
        write_space(&mut text, &space, &names);
        text
    }

    #[test]
    fn names_are_told_by_the_versions_that_have_them() {
        assert_eq!(words(&[&[], &[]], &[]), "");
        assert_eq!(
            words(&[&["a"], &["b", "c"], &["c", "b"]], &["n"]),
            "note: only v0 has a, fixed to one value\n\
             note: only v1, v2 have b, c, fixed to one value\n\
             note: only values of n that all versions allow are tried\n"
        );
        assert!(words(&[&["a"], &["a"]], &[]).contains("no value of a is valid in all versions"));
    }
}
