//! Directories of two versions of files under `cases/`, and what is expected of the change.
//!
//! Files of the old version are named `old.*` or lie in `old/`, those of the new one likewise. The
//! file `expected` holds the report below; with `RIPPLE_BLESS` set it is written instead.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use ripple_complexity::measure::VertexLabel;
use ripple_complexity::{Complexity, FileVersions, measure};

fn files(case: &Path, side: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let directory = case.join(side);
    if directory.is_dir() {
        for entry in fs::read_dir(directory).expect("the directory is there") {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            found.insert(name, fs::read_to_string(path).expect("it is text"));
        }
    }
    for entry in fs::read_dir(case).expect("the case is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        if let Some(extension) = name.strip_prefix(&format!("{side}.")) {
            found
                .insert(format!("file.{extension}"), fs::read_to_string(path).expect("it is text"));
        }
    }
    found
}

fn label(label: &VertexLabel) -> String {
    match label {
        VertexLabel::Entry => "entry".to_owned(),
        VertexLabel::Exit => "exit".to_owned(),
        VertexLabel::Block { function, lines, .. } => {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{function}:{}", lines.join(","))
        }
        VertexLabel::DeletedFunction { function, .. } => format!("{function} (deleted)"),
        VertexLabel::Declarations { file } => format!("declarations of {file}"),
    }
}

fn report(found: &Complexity) -> String {
    let mut text = String::new();
    let lines = found.lines;
    writeln!(text, "cycc {}", found.cycc).expect("strings grow");
    writeln!(
        text,
        "cloc {}: +{} -{} ~{}",
        found.cloc(),
        lines.added,
        lines.deleted,
        lines.modified
    )
    .expect("strings grow");
    for function in &found.functions {
        let kind = format!("{:?}", function.kind).to_lowercase();
        let counts = (function.blocks, function.cycc, function.lines.total());
        writeln!(
            text,
            "{kind} {}: blocks {}, cycc {}, cloc {}",
            function.name, counts.0, counts.1, counts.2
        )
        .expect("strings grow");
    }
    for (_, change) in &found.declarations {
        writeln!(text, "{:?} {}: cloc {}", change.kind, change.name, change.lines.total())
            .expect("strings grow");
    }
    for unparsed in &found.unparsed {
        writeln!(text, "unparsed {}: {}", unparsed.function, unparsed.reason)
            .expect("strings grow");
    }
    let edges: BTreeSet<String> = found
        .graph
        .edges
        .iter()
        .map(|&(from, to)| {
            format!(
                "{} -> {}",
                label(&found.labels[from as usize]),
                label(&found.labels[to as usize])
            )
        })
        .collect();
    for edge in edges {
        writeln!(text, "{edge}").expect("strings grow");
    }
    text
}

fn check(case: &Path) -> Option<String> {
    let (olds, news) = (files(case, "old"), files(case, "new"));
    let names: BTreeSet<&String> = olds.keys().chain(news.keys()).collect();
    let versions: Vec<FileVersions<'_>> = names
        .into_iter()
        .map(|path| FileVersions {
            path,
            old: olds.get(path).map(String::as_str),
            new: news.get(path).map(String::as_str),
        })
        .collect();
    let found = report(&measure(&versions));
    let expected = case.join("expected");
    let wanted = fs::read_to_string(&expected).unwrap_or_default();
    let is_comment = |line: &&str| line.starts_with('#');
    if std::env::var_os("RIPPLE_BLESS").is_some() {
        let mut blessed: String =
            wanted.lines().filter(is_comment).map(|line| format!("{line}\n")).collect();
        blessed.push_str(&found);
        fs::write(&expected, blessed).expect("the expectation can be written");
        return None;
    }
    let same = wanted.lines().filter(|line| !is_comment(line)).eq(found.lines());
    (!same).then(|| format!("{}\nexpected:\n{wanted}\nfound:\n{found}", case.display()))
}

#[test]
fn every_case_gives_what_is_expected() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<PathBuf> = fs::read_dir(cases)
        .expect("there are cases")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    assert!(paths.len() > 20);
    let failures: Vec<String> = paths.iter().filter_map(|case| check(case)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
