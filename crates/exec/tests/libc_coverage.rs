//! Which functions of the C library are covered, by the shims and the C runtime together.

use std::collections::BTreeSet;

use ripple_exec::{runtime, shims};

/// Names, most used first. Lines that begin with `#` are comments.
const USAGE: &str = include_str!("libc/usage.txt");

/// Names that are left out on purpose, with the reason. A program that calls one of them is
/// told so.
const LEFT_OUT: [(&str, &str); 0] = [];

fn used() -> impl Iterator<Item = &'static str> {
    USAGE.lines().filter(|line| !line.starts_with('#'))
}

fn covered() -> BTreeSet<&'static str> {
    let symbols = runtime::members().iter().flat_map(|member| member.symbols.iter().copied());
    shims::names().chain(symbols).collect()
}

#[test]
fn the_most_used_functions_are_covered() {
    let covered = covered();
    let left_out = |name: &&str| LEFT_OUT.iter().any(|(known, _)| known == name);
    let missing: Vec<_> =
        used().filter(|name| !covered.contains(name)).filter(|name| !left_out(name)).collect();
    assert!(missing.is_empty(), "neither covered nor left out: {missing:?}");
}

#[test]
fn what_is_left_out_is_used_and_not_covered() {
    let covered = covered();
    for (name, reason) in LEFT_OUT {
        assert!(used().any(|known| known == name), "{name} is not on the list");
        assert!(!covered.contains(name), "{name} is covered; it was left out because {reason}");
    }
}

#[test]
fn no_name_is_a_shim_twice() {
    let names: Vec<_> = shims::names().collect();
    let twice: Vec<_> =
        names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(twice.is_empty(), "more than one shim: {twice:?}");
}
