//! Members of JSON reports, in reports and in the documentation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// By the kind of object.
pub type Members = BTreeMap<String, BTreeSet<String>>;

/// Members whose values are objects of another kind: the kind, the member, and its kind.
pub type Objects = [(&'static str, &'static str, &'static str)];

/// Collects the members of an object and of nested ones.
pub fn collect(objects: &Objects, kind: &str, value: &Value, seen: &mut Members) {
    match value {
        Value::Array(values) => {
            values.iter().for_each(|value| collect(objects, kind, value, seen));
        }
        Value::Object(members) => {
            let names: BTreeSet<String> = members.keys().cloned().collect();
            let known = seen.entry(kind.to_owned()).or_insert_with(|| names.clone());
            assert_eq!(*known, names, "{kind} has not always the same members");
            for (name, value) in members {
                let inside = objects.iter().find(|(of, member, _)| *of == kind && member == name);
                if let Some((_, _, inside)) = inside {
                    collect(objects, inside, value, seen);
                }
            }
        }
        _ => {}
    }
}

/// The tables of a page: the words in backquotes in their first column, by the heading above.
pub fn documented(page: &str) -> Members {
    let (_, text) = page.split_once("## The JSON report").unwrap();
    let text = text.split("\n## ").next().unwrap();
    let mut members = Members::new();
    let mut kind = "report".to_owned();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            heading.trim().clone_into(&mut kind);
        }
        let Some(cell) = line.strip_prefix("| `").and_then(|rest| rest.split(" |").next()) else {
            continue;
        };
        let names = cell.split('`').filter(|name| !name.trim_matches([' ', ',']).is_empty());
        members.entry(kind.clone()).or_default().extend(names.map(str::to_owned));
    }
    members
}
