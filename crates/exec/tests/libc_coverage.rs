//! Which functions of the C library are covered, by the shims and the C runtime together.

use std::collections::BTreeSet;

use ripple_exec::{runtime, shims};

/// Names, most used first. Lines that begin with `#` are comments.
const USAGE: &str = include_str!("libc/usage.txt");

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
    assert!(used().count() > 100, "the list of functions is short");
    let missing: Vec<_> = used().filter(|name| !covered.contains(name)).collect();
    assert!(missing.is_empty(), "not covered: {missing:?}");
}

#[test]
fn no_name_is_a_shim_twice() {
    let names: Vec<_> = shims::names().collect();
    let twice: Vec<_> =
        names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(twice.is_empty(), "more than one shim: {twice:?}");
}
