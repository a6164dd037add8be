//! Relative links of Markdown files point to existing files, and to their headings.
//!
//! Addresses of other sites are not visited.

use std::path::Path;

use super::{File, Violation};

pub fn check(root: &Path, files: &[File]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.has_extension("md")) {
        let directory = root.join(&file.path);
        let directory = directory.parent().unwrap_or(root);
        for (line, target) in targets(&file.text) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            if !path.is_empty() && !directory.join(path).exists() {
                let message = format!("links to `{path}`, which does not exist");
                violations.push(Violation::of(file, line, message));
            } else if !has_heading(root, files, file, path, heading) {
                let message = format!("links to `{target}`, and there is no such heading");
                violations.push(Violation::of(file, line, message));
            }
        }
    }
    violations
}

/// Whether the target page of a link has the heading that it names. Files that are not pages always
/// pass.
fn has_heading(root: &Path, files: &[File], from: &File, path: &str, heading: &str) -> bool {
    if heading.is_empty() {
        return true;
    }
    let wanted = match path {
        "" => root.join(&from.path),
        path => root.join(&from.path).with_file_name("").join(path),
    };
    let wanted = wanted.canonicalize().unwrap_or(wanted);
    let is_wanted = |file: &&File| root.join(&file.path).canonicalize().is_ok_and(|p| p == wanted);
    let page = if path.is_empty() { Some(from) } else { files.iter().find(is_wanted) };
    let Some(page) = page.filter(|page| page.has_extension("md")) else { return true };
    headings(&page.text).iter().any(|known| known == heading)
}

/// The anchors of a page's headings.
fn headings(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if in_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase().replace(' ', "-");
        let name: String =
            kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let same = names.iter().filter(|known| **known == name).count();
        names.push(if same == 0 { name } else { format!("{name}-{same}") });
    }
    names
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
        let relative = links.filter(|link| !link.is_empty() && !link.contains(':'));
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
        assert_eq!(targets(text), [(1, "b.md#part"), (5, "#j"), (5, "l/m.png")]);
    }

    #[test]
    fn headings_are_called_as_on_the_web() {
        let text = "# The `--out` page\n```\n# no\n```\n## Why?\n## Why?\n#hash\n";
        assert_eq!(headings(text), ["the---out-page", "why", "why-1"]);
    }
}
