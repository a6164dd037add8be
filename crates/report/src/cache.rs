//! What the cache holds, as text and as JSON.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use source::{Cleared, Contents};

use crate::counting::{counted, grouped};
use crate::pieces::written;
use crate::printable::printable;

const SCHEMA: &str = "ripple.cache/1";
const CLEARED_SCHEMA: &str = "ripple.cache-clear/1";

/// The contents as text; ends with a newline.
pub fn text(contents: &Contents) -> String {
    let mut text = String::new();
    let directory = printable(contents.directory.as_os_str().as_encoded_bytes());
    let (held, bound) = (size(contents.bytes), size(contents.bound));
    let _ = writeln!(text, "directory   {directory}");
    let _ = writeln!(text, "size        {held} of at most {bound}");
    let _ = writeln!(text, "entries     {}", grouped(contents.entries));
    if let Some(age) = contents.oldest_age() {
        let _ = writeln!(text, "oldest use  {}", ago(age));
    }
    if !contents.kinds.is_empty() {
        let _ = writeln!(text, "\nentries       size  kind");
    }
    for count in &contents.kinds {
        let (entries, bytes) = (grouped(count.entries), size(count.bytes));
        let _ = writeln!(text, "{entries:>7} {bytes:>10}  {}", words(count.kind));
    }
    text
}

/// The contents as JSON; ends with a newline.
pub fn json(contents: &Contents) -> String {
    let kinds = contents.kinds.iter();
    let kinds =
        kinds.map(|count| Kind { kind: count.kind, entries: count.entries, bytes: count.bytes });
    let oldest = contents.oldest.map(seconds);
    written(&Report {
        schema: SCHEMA,
        directory: contents.directory.to_string_lossy().into_owned(),
        bound: contents.bound,
        bytes: contents.bytes,
        entries: contents.entries,
        oldest_use: oldest,
        kinds: kinds.collect(),
    })
}

/// What was removed, as text; ends with a newline.
pub fn cleared(cleared: &Cleared) -> String {
    let directory = printable(cleared.directory.as_os_str().as_encoded_bytes());
    let removed = counted(cleared.entries, "entry", "entries");
    let mut text = format!("removed {removed}, {}, from {directory}\n", size(cleared.bytes));
    if cleared.in_use > 0 {
        let left = counted(cleared.in_use, "entry", "entries");
        let _ = writeln!(text, "left {left} that running commands use");
    }
    text
}

/// What was removed, as JSON; ends with a newline.
pub fn cleared_json(cleared: &Cleared) -> String {
    written(&ClearedReport {
        schema: CLEARED_SCHEMA,
        directory: cleared.directory.to_string_lossy().into_owned(),
        entries: cleared.entries,
        bytes: cleared.bytes,
        in_use: cleared.in_use,
    })
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    directory: String,
    bound: u64,
    bytes: u64,
    entries: u64,
    /// Seconds since 1970.
    oldest_use: Option<u64>,
    kinds: Vec<Kind>,
}

#[derive(Serialize)]
struct Kind {
    kind: &'static str,
    entries: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct ClearedReport {
    schema: &'static str,
    directory: String,
    entries: u64,
    bytes: u64,
    in_use: u64,
}

fn words(kind: &str) -> &str {
    match kind {
        "compiler" => "versions of compilers",
        "manifest" => "lists of included files",
        "preprocessed" => "preprocessed files",
        "ir" => "LLVM IR of files",
        "object" => "native objects",
        "program" => "native programs",
        "rejection" => "errors of the compiler and linker",
        "revision" => "files of revisions",
        "older" => "written by an older Ripple",
        other => other,
    }
}

fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} B"),
    }
}

fn ago(age: Duration) -> String {
    let units = [(86_400, "day", "days"), (3600, "hour", "hours"), (60, "minute", "minutes")];
    match units.into_iter().find(|(unit, ..)| age.as_secs() >= *unit) {
        Some((unit, one, many)) => format!("{} ago", counted(age.as_secs() / unit, one, many)),
        None => "less than a minute ago".to_owned(),
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::KindCount;

    #[test]
    fn sizes_and_kinds_stand_in_columns() {
        let contents = Contents {
            directory: "/caches/ripple".into(),
            bound: 2 << 30,
            bytes: 3_500_000,
            entries: 1201,
            kinds: vec![
                KindCount { kind: "ir", entries: 1200, bytes: 3_400_000 },
                KindCount { kind: "program", entries: 1, bytes: 100_000 },
            ],
            oldest: Some(SystemTime::now() - Duration::from_secs(3 * 86_400 + 5)),
        };
        let expected = "\
directory   /caches/ripple
size        3.3 MB of at most 2.0 GB
entries     1,201
oldest use  3 days ago

entries       size  kind
  1,200     3.2 MB  LLVM IR of files
      1    97.7 KB  native programs
";
        assert_eq!(text(&contents), expected);
    }
}
