//! How the input space that versions have in common was made, in words.

use std::fmt::Write;

use effects::compare::CommonSpace;

use crate::compare::brief::{listed, write_aliases, write_assumptions};

/// What not all versions have, and what has other values in some of them; nothing if the versions
/// take the same input.
pub(super) fn write_space(text: &mut String, space: &CommonSpace) {
    for (holders, names) in fixed(space) {
        let names = listed(names);
        let _ = match &holders[..] {
            holders if holders.len() == space.only.len() => writeln!(
                text,
                "note: the versions have no value of {names} in common, which got a fixed value \
                 in each of them"
            ),
            [version] => {
                writeln!(text, "note: only v{version} has {names}, which got a fixed value")
            }
            holders => {
                let holders: Vec<String> = holders.iter().map(|one| format!("v{one}")).collect();
                let holders = holders.join(", ");
                writeln!(text, "note: only {holders} have {names}, which got a fixed value")
            }
        };
    }
    if !space.narrowed.is_empty() {
        let names = listed(space.narrowed.iter().map(String::as_str).collect());
        let _ =
            writeln!(text, "note: only values that all versions allow are in the space of {names}");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(only: &[&[&str]], narrowed: &[&str]) -> String {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let only = only.iter().map(|names| owned(names)).collect();
        let space = CommonSpace { only, narrowed: owned(narrowed), ..CommonSpace::default() };
        let mut text = String::new();
        write_space(&mut text, &space);
        text
    }

    #[test]
    fn names_are_told_by_the_versions_that_have_them() {
        assert_eq!(words(&[&[], &[]], &[]), "");
        assert_eq!(
            words(&[&["a"], &["b", "c"], &["c", "b"]], &["n"]),
            "note: only v0 has a, which got a fixed value\n\
             note: only v1, v2 have b, c, which got a fixed value\n\
             note: only values that all versions allow are in the space of n\n"
        );
        assert!(words(&[&["a"], &["a"]], &[]).contains("have no value of a in common"));
    }
}
