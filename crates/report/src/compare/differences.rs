//! The differing observables of two native runs of the same input.

use effects::compare::{Behaviour, Compared, Observable};

use super::is_cut_off;
use crate::columns::side_by_side;
use crate::native;
use crate::paint::Look;
use crate::printable::printable;

/// A differing observable, with the value of each version; `None` for a missing file.
pub(super) struct Difference<'a> {
    pub observable: Observable,
    pub name: String,
    pub old: Option<&'a [u8]>,
    pub new: Option<&'a [u8]>,
}

/// All requested differences. Only the end is compared if a run was cut off.
pub(super) fn differences<'a>(
    compared: &Compared,
    old: &'a Behaviour,
    new: &'a Behaviour,
) -> Vec<Difference<'a>> {
    let observe = &compared.observe;
    let mut found = Vec::new();
    if is_cut_off(old) || is_cut_off(new) {
        return found;
    }
    let (one, other) = (&old.native, &new.native);
    let texts = [
        (observe.stdout, Observable::Stdout, "standard output", &one.stdout, &other.stdout),
        (observe.stderr, Observable::Stderr, "standard error", &one.stderr, &other.stderr),
    ];
    for (is_observed, observable, name, old, new) in texts {
        if is_observed && observe.texts_differ(old, new) {
            let (old, new) = (Some(&old[..]), Some(&new[..]));
            found.push(Difference { observable, name: name.to_owned(), old, new });
        }
    }
    let (left, right) = (one.result.as_ref(), other.result.as_ref());
    if left != right {
        let texts = match (&old.left, &new.left) {
            (Some(old), Some(new)) => [Some(old), Some(new)],
            _ => [left, right],
        };
        let [old, new] = texts.map(|result| result.map(|text| text.as_bytes()));
        let name = "result".to_owned();
        found.push(Difference { observable: Observable::Result, name, old, new });
    }
    if observe.files {
        let mut names: Vec<&str> = Vec::new();
        names.extend(one.files.iter().chain(&other.files).map(|(name, _)| name.as_str()));
        names.sort_unstable();
        names.dedup();
        for name in names {
            let find = |files: &'a [(String, Option<Vec<u8>>)]| {
                let found = files.iter().find(|(other, _)| other == name);
                found.and_then(|(_, bytes)| bytes.as_deref())
            };
            let (old, new) = (find(&one.files), find(&other.files));
            let differ = match (old, new) {
                (Some(old), Some(new)) => observe.texts_differ(old, new),
                (old, new) => old.is_some() || new.is_some(),
            };
            if differ {
                let name = format!("file {}", printable(name.as_bytes()));
                found.push(Difference { observable: Observable::Files, name, old, new });
            }
        }
    }
    found
}

/// How a version ends, for people.
pub(super) fn end(behaviour: &Behaviour, is_function: bool) -> String {
    match (is_function, &behaviour.native.result) {
        (true, Some(_)) => "returns".to_owned(),
        _ if behaviour.never_ends && behaviour.native.status().is_none() => "never ends".to_owned(),
        _ => native::end(behaviour.native.end),
    }
}

/// Lines that show a difference, with its name above it.
pub(super) fn show(difference: &Difference<'_>, indent: usize, look: Look) -> Vec<String> {
    let mut name = difference.name.clone();
    for (version, text) in [("OLD", difference.old), ("NEW", difference.new)] {
        match text {
            None => name.push_str(&format!(" (not there in {version})")),
            Some([]) => name.push_str(&format!(" (nothing in {version})")),
            Some(_) => {}
        }
    }
    let mut lines = vec![look.faint(&format!("{name}:"))];
    let [old, new] = [difference.old, difference.new].map(Option::unwrap_or_default);
    lines.extend(side_by_side(old, new, indent, look));
    lines
}
