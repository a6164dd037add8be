//! Relative links of Markdown files lead to files that exist.
//!
//! Addresses of other sites are not visited, and headings inside a page are not looked up.

use std::path::Path;

use super::{File, Violation};

pub fn check(root: &Path, files: &[File]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.has_extension("md")) {
        let directory = root.join(&file.path);
        let directory = directory.parent().unwrap_or(root);
        for (line, target) in targets(&file.text) {
            if !directory.join(target).exists() {
                let message = format!("links to `{target}`, which does not exist");
                violations.push(Violation::of(file, line, message));
            }
        }
    }
    violations
}

/// Relative targets of `[text](target)` outside of code, with their lines.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let paths = links.filter_map(|link| link.split('#').next());
        let relative = paths.filter(|path| !path.is_empty() && !path.contains(':'));
        found.extend(relative.map(|path| (index + 1, path)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relative_targets_outside_of_code_count() {
        let text = "[a](b.md#part) [c](https://d.e/f)\n```\n[g](h)\n```\n[i](#j) ![k](l/m.png)\n";
        assert_eq!(targets(text), [(1, "b.md"), (5, "l/m.png")]);
    }
}
