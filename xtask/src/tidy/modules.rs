//! No cycles between the modules of a crate.
//!
//! Modules are those that the crate's root names, including everything below them. A module depends
//! on another one if it names it, or something of it that the root re-exports, after `crate::`.
//! Tests do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Violation};

/// By module, the modules that it depends on.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub fn check(files: &[File]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for root in files.iter().filter(|file| is_root(file)) {
        let graph = graph(root, files);
        for module in graph.keys().filter(|module| reaches(&graph, module, module)) {
            let message = format!("the module `{module}` is in a cycle of modules");
            violations.push(Violation { path: root.path.clone(), line: 0, message });
        }
    }
    violations
}

/// The file that names the modules of a crate.
fn is_root(file: &File) -> bool {
    let parts: Vec<&str> = file.path.iter().filter_map(|part| part.to_str()).collect();
    match parts[..] {
        ["crates", _, "src", name] => name == "lib.rs" || name == "main.rs",
        ["xtask", "src", name] => name == "main.rs",
        _ => false,
    }
}

fn graph(root: &File, files: &[File]) -> Graph {
    let mut graph: Graph =
        modules(&root.text).map(|module| (module.to_owned(), BTreeSet::new())).collect();
    let handed_on = handed_on(&root.text);
    let Some(directory) = root.path.parent() else { return graph };
    for file in files.iter().filter(|file| file.has_extension("rs") && !is_test(file)) {
        let Ok(below) = file.path.strip_prefix(directory) else { continue };
        let first = below.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
        let module = first.strip_suffix(".rs").unwrap_or(first);
        if !graph.contains_key(module) {
            continue;
        }
        let named = named_after_crate(&file.text).into_iter().map(|name| {
            let handed = handed_on.get(name).copied();
            handed.unwrap_or(name)
        });
        let others: Vec<String> = named
            .filter(|name| *name != module && graph.contains_key(*name))
            .map(str::to_owned)
            .collect();
        graph.entry(module.to_owned()).or_default().extend(others);
    }
    graph
}

fn is_test(file: &File) -> bool {
    let is_named = |name: &str| file.path.iter().any(|part| part == name);
    ["tests", "tests.rs", "testing", "testing.rs"].into_iter().any(is_named)
}

/// The modules that a root names.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (before, name) = line.strip_suffix(';')?.split_once("mod ")?;
        (before.is_empty() || before.starts_with("pub")).then_some(name)
    })
}

/// The re-exports of a root, with their modules.
fn handed_on(text: &str) -> BTreeMap<&str, &str> {
    let mut all = BTreeMap::new();
    let uses = text.split(';').filter_map(|item| Some(item.split_once("pub use ")?.1));
    for (module, rest) in uses.filter_map(|path| path.split_once("::")) {
        all.extend(words(rest).map(|name| (name, module)));
    }
    all
}

/// The names after `crate::` in code, also in braces.
fn named_after_crate(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut names = Vec::new();
    for line_start in text.match_indices("crate::").map(|(at, _)| at) {
        let is_comment = text[..line_start].lines().next_back().is_some_and(|l| l.contains("//"));
        if is_comment || text[..line_start].ends_with('$') {
            continue;
        }
        let rest = &text[line_start + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split(';').next().unwrap_or_default();
                names.extend(list.split(',').filter_map(|item| words(item).next()));
            }
            None => names.extend(words(rest).next()),
        }
    }
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let of_a_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !of_a_word(c)).filter(|word| !word.is_empty())
}

/// Whether a path of at least one step leads from one module to another.
fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(module) = waiting.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if next == to {
                return true;
            }
            if seen.insert(next.as_str()) {
                waiting.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: path.into(), text: (*text).into() };
        let files: Vec<File> = files.iter().map(file).collect();
        check(&files).into_iter().map(|violation| violation.message).collect()
    }

    #[test]
    fn a_cycle_is_found_through_what_the_root_hands_on() {
        let found = messages(&[
            ("crates/new/src/lib.rs", "mod a;\npub mod b;\nmod c;\npub use b::{Thing, Other};\n"),
            ("crates/new/src/a.rs", "use crate::Thing;\n"),
            ("crates/new/src/b.rs", "mod inner;\n"),
            ("crates/new/src/b/inner.rs", "use crate::{a::A, c};\n"),
            ("crates/new/src/c.rs", "// crate::b\n#[cfg(test)]\nmod tests { use crate::a; }\n"),
        ]);
        let expected = ["a", "b"].map(|m| format!("the module `{m}` is in a cycle of modules"));
        assert_eq!(found, expected);
    }
}
