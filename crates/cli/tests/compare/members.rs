//! Members of JSON reports, as reports have them and as the documentation lists them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// By the sort of object.
pub type Members = BTreeMap<String, BTreeSet<String>>;

/// Members whose values are objects of another sort: of which sort, which member, what sort.
pub type Objects = [(&'static str, &'static str, &'static str)];

/// Collects the members of an object and of those in it.
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

/// The tables of a page: what stands in backquotes in their first column, by the heading above.
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
