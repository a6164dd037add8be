//! Which crate of ours may depend on which: the arrows of the architecture.
//!
//! Only dependencies of the build count. Tests may use anything. The workspace's manifest has the
//! versions of foreign crates, once.

use std::collections::BTreeMap;

use anyhow::Context;
use toml::{Table, Value};

use super::{File, Violation};

/// Crate, then the crates it may depend on. Unlisted crates are not allowed.
const ALLOWED: [(&str, &[&str]); 16] = [
    ("ripple-base", &[]),
    ("ripple-library", &[]),
    ("ripple-source", &["ripple-base"]),
    ("ripple-ir", &["ripple-base"]),
    ("ripple-llvm", &["ripple-base", "ripple-ir"]),
    ("ripple-graphs", &["ripple-base", "ripple-library", "ripple-ir"]),
    ("ripple-complexity", &["ripple-base"]),
    (
        "ripple-changes",
        &["ripple-base", "ripple-library", "ripple-ir", "ripple-graphs", "ripple-complexity"],
    ),
    ("ripple-smt", &["ripple-base"]),
    ("ripple-inputs", &["ripple-base", "ripple-library", "ripple-ir"]),
    ("ripple-exec", &["ripple-base", "ripple-library", "ripple-ir", "ripple-smt"]),
    (
        "ripple-trace",
        &["ripple-base", "ripple-library", "ripple-ir", "ripple-exec", "ripple-inputs"],
    ),
    (
        "ripple-explore",
        &[
            "ripple-base",
            "ripple-library",
            "ripple-ir",
            "ripple-smt",
            "ripple-exec",
            "ripple-inputs",
            "ripple-trace",
        ],
    ),
    (
        "ripple-effects",
        &[
            "ripple-base",
            "ripple-library",
            "ripple-source",
            "ripple-ir",
            "ripple-llvm",
            "ripple-smt",
            "ripple-exec",
            "ripple-inputs",
            "ripple-trace",
            "ripple-explore",
            "ripple-graphs",
            "ripple-changes",
        ],
    ),
    (
        "ripple-report",
        &[
            "ripple-base",
            "ripple-source",
            "ripple-complexity",
            "ripple-exec",
            "ripple-inputs",
            "ripple-trace",
            "ripple-explore",
            "ripple-effects",
        ],
    ),
    (
        "ripple-diff",
        &[
            "ripple-base",
            "ripple-source",
            "ripple-ir",
            "ripple-llvm",
            "ripple-graphs",
            "ripple-complexity",
            "ripple-exec",
            "ripple-smt",
            "ripple-inputs",
            "ripple-trace",
            "ripple-explore",
            "ripple-effects",
            "ripple-report",
        ],
    ),
];

/// Crates that users never see may depend on anything, and nothing that is built for users may
/// depend on them.
const UNRESTRICTED: [&str; 3] = ["xtask", "ripple-fuzz", "ripple-testkit"];

/// The crate whose package name differs from its directory, because the name is taken.
const RENAMED: (&str, &str) = ("cli", "ripple-diff");

pub fn check(files: &[File]) -> anyhow::Result<Vec<Violation>> {
    let is_manifest = |file: &&File| file.path.ends_with("Cargo.toml");
    let mut manifests = Vec::new();
    for file in files.iter().filter(is_manifest) {
        let table: Table = toml::from_str(&file.text)
            .with_context(|| format!("cannot read `{}`", file.path.display()))?;
        manifests.push((file, table));
    }
    let aliases = workspace_aliases(&manifests);
    let mut violations = Vec::new();
    for (file, manifest) in &manifests {
        if let Some(name) = package_name(manifest) {
            violations.extend(check_name(file, name));
            violations.extend(check_crate(file, manifest, name, &aliases));
            violations.extend(check_versions(file, manifest));
        }
    }
    Ok(violations)
}

fn package_name(manifest: &Table) -> Option<&str> {
    manifest.get("package")?.get("name")?.as_str()
}

/// Names of the workspace's dependencies in its crates, and their packages.
fn workspace_aliases(manifests: &[(&File, Table)]) -> BTreeMap<String, String> {
    let workspaces = manifests.iter().filter_map(|(_, m)| m.get("workspace"));
    let tables = workspaces.filter_map(|w| w.get("dependencies")?.as_table());
    let packages =
        tables.flat_map(|table| table.iter().map(|(k, v)| (k.clone(), package_of(k, v))));
    packages.collect()
}

fn package_of(key: &str, value: &Value) -> String {
    let renamed = value.get("package").and_then(Value::as_str);
    renamed.unwrap_or(key).to_owned()
}

fn check_name(file: &File, name: &str) -> Option<Violation> {
    let mut parts = file.path.iter();
    if parts.next()? != "crates" {
        return None;
    }
    let directory = parts.next()?.to_str()?;
    let expected =
        if directory == RENAMED.0 { RENAMED.1.to_owned() } else { format!("ripple-{directory}") };
    let message = format!("the package in crates/{directory} must be `{expected}`");
    (name != expected).then(|| Violation::of(file, 0, message))
}

fn check_crate(
    file: &File,
    manifest: &Table,
    name: &str,
    aliases: &BTreeMap<String, String>,
) -> Vec<Violation> {
    if UNRESTRICTED.contains(&name) {
        return Vec::new();
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        let message = format!("`{name}` is not in the dependency table of `cargo xtask tidy`");
        return vec![Violation::of(file, 0, message)];
    };
    let ours = |package: &String| package.starts_with("ripple-") || package == "xtask";
    let used = dependencies(manifest, aliases).into_iter().filter(ours);
    let forbidden = used.filter(|package| !allowed.contains(&package.as_str()));
    forbidden
        .map(|package| Violation::of(file, 0, format!("`{name}` may not depend on `{package}`")))
        .collect()
}

/// Versions of foreign crates in the manifest of a member.
fn check_versions(file: &File, manifest: &Table) -> Vec<Violation> {
    if manifest.contains_key("workspace") {
        return Vec::new();
    }
    let kinds = ["dependencies", "build-dependencies", "dev-dependencies"];
    let own = entries(manifest, &kinds).filter(|(_, value)| {
        value.is_str() || value.get("version").is_some() || value.get("git").is_some()
    });
    let message = |key: &String| format!("the version of `{key}` belongs into the workspace");
    own.map(|(key, _)| Violation::of(file, 0, message(key))).collect()
}

/// Packages that the crate is built from, on any platform.
fn dependencies(manifest: &Table, aliases: &BTreeMap<String, String>) -> Vec<String> {
    entries(manifest, &["dependencies", "build-dependencies"])
        .map(|(key, value)| match value.get("workspace") {
            Some(_) => aliases.get(key).unwrap_or(key).clone(),
            None => package_of(key, value),
        })
        .collect()
}

/// The entries of some sections of a manifest, for any platform.
fn entries<'m>(
    manifest: &'m Table,
    kinds: &'m [&str],
) -> impl Iterator<Item = (&'m String, &'m Value)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let platforms = targets.into_iter().flat_map(|t| t.values());
    let tables = platforms.filter_map(Value::as_table).chain([manifest]);
    let sections = tables.flat_map(|table| kinds.iter().map(|&kind| table.get(kind)));
    sections.flatten().filter_map(Value::as_table).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(manifests: &[(&str, &str)]) -> Vec<String> {
        let file =
            |(path, text): &(&str, &str)| File { path: path.into(), text: (*text).to_owned() };
        let files: Vec<File> = manifests.iter().map(file).collect();
        let violations = check(&files).unwrap();
        violations.into_iter().map(|v| v.message).collect()
    }

    const WORKSPACE: (&str, &str) = (
        "Cargo.toml",
        "[workspace.dependencies]\nir = { path = 'crates/ir', package = 'ripple-ir' }\n",
    );

    #[test]
    fn an_arrow_against_the_table_is_found_under_any_name() {
        let by_alias = "[package]\nname = 'ripple-source'\n[dependencies]\nir.workspace = true\n";
        let direct = "[package]\nname = 'ripple-base'\n[target.'cfg(unix)'.dependencies]\n\
                      x = { path = '../ir', package = 'ripple-ir' }\n";
        let found = messages(&[
            WORKSPACE,
            ("crates/source/Cargo.toml", by_alias),
            ("crates/base/Cargo.toml", direct),
        ]);
        let expected = [
            "`ripple-source` may not depend on `ripple-ir`",
            "`ripple-base` may not depend on `ripple-ir`",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn tests_and_allowed_arrows_are_left_alone() {
        let text = "[package]\nname = 'ripple-llvm'\n[dependencies]\nir.workspace = true\n\
                    anyhow.workspace = true\n[dev-dependencies]\nsource.workspace = true\n";
        assert!(messages(&[WORKSPACE, ("crates/llvm/Cargo.toml", text)]).is_empty());
    }

    #[test]
    fn only_tests_may_use_the_support_of_tests() {
        let support = "[package]\nname = 'ripple-testkit'\n[dependencies]\nir.workspace = true\n";
        let product = "[package]\nname = 'ripple-llvm'\n[dependencies]\n\
                       testkit = { path = '../testkit', package = 'ripple-testkit' }\n\
                       [dev-dependencies]\nother = { path = '../x', package = 'ripple-effects' }\n";
        let found = messages(&[
            WORKSPACE,
            ("crates/testkit/Cargo.toml", support),
            ("crates/llvm/Cargo.toml", product),
        ]);
        assert_eq!(found, ["`ripple-llvm` may not depend on `ripple-testkit`"]);
    }

    #[test]
    fn versions_of_foreign_crates_stand_in_the_workspace() {
        let text = "[package]\nname = 'ripple-base'\n[dependencies]\na = '1'\n\
                    b = { workspace = true, features = ['c'] }\n\
                    [target.'cfg(unix)'.dev-dependencies]\nc = { version = '1' }\n";
        let found = messages(&[WORKSPACE, ("crates/base/Cargo.toml", text)]);
        let expected =
            ["c", "a"].map(|key| format!("the version of `{key}` belongs into the workspace"));
        assert_eq!(found, expected);
    }

    #[test]
    fn unknown_and_misnamed_crates_are_found() {
        let found = messages(&[
            ("crates/new/Cargo.toml", "[package]\nname = 'ripple-new'\n"),
            ("crates/ir/Cargo.toml", "[package]\nname = 'ripple-base'\n"),
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
