//! The pages under `docs/` form a book: its table of contents names every page, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{File, Violation};

const PAGES: &str = "docs";
const CONTENTS: &str = "docs/SUMMARY.md";

pub fn check(files: &[File]) -> Vec<Violation> {
    let Some(contents) = files.iter().find(|file| file.path == Path::new(CONTENTS)) else {
        return Vec::new();
    };
    let mut listed: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut violations = Vec::new();
    for (index, line) in contents.text.lines().enumerate() {
        let Some(target) = line.split("](").nth(1).and_then(|rest| rest.split(')').next()) else {
            continue;
        };
        if listed.insert(Path::new(PAGES).join(target), index + 1).is_some() {
            let message = format!("lists `{target}` twice");
            violations.push(Violation::of(contents, index + 1, message));
        }
    }
    let is_page = |file: &&File| {
        file.path.parent() == Some(Path::new(PAGES))
            && file.has_extension("md")
            && file.path != contents.path
    };
    for page in files.iter().filter(is_page) {
        if !listed.contains_key(&page.path) {
            violations.push(Violation::of(page, 0, format!("is not listed in {CONTENTS}")));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_listed_once() {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.to_owned() };
        let files = [
            file(CONTENTS, "- [A](a.md)\n- [A again](a.md)\n"),
            file("docs/a.md", ""),
            file("docs/b.md", ""),
            file("README.md", ""),
        ];
        let messages: Vec<String> = check(&files).into_iter().map(|v| v.message).collect();
        assert_eq!(messages, ["lists `a.md` twice", "is not listed in docs/SUMMARY.md"]);
    }
}
