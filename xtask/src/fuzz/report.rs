//! Failing cases as files: a comment that describes the failure, and the smallest text found that
//! causes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::target::Target;

/// How long to search a smaller text.
const TIME: Duration = Duration::from_secs(40);

/// A failure, as a worker reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub case: u64,
    pub kind: String,
    pub what: String,
}

impl Failure {
    /// From `fail CASE KIND WHAT`, separated by tabs.
    pub fn parse(line: &str) -> Option<Failure> {
        let mut fields = line.strip_prefix("fail\t")?.splitn(3, '\t');
        let case = fields.next()?.parse().ok()?;
        let kind = fields.next()?.to_owned();
        Some(Failure { case, kind, what: fields.next()?.to_owned() })
    }

    /// What failures with the same cause share: place and words, no numbers.
    pub fn signature(&self) -> String {
        let place = self.what.split(": ").next().unwrap_or_default();
        format!("{} {place}", self.kind)
    }
}

const SEED_MARK: &str = "; seed ";

/// The seed in the comment of a failing text.
pub fn seed_of(text: &[u8]) -> Option<u64> {
    let head = text.get(..text.len().min(2000))?;
    let head = String::from_utf8_lossy(head);
    head.lines().find_map(|line| line.strip_prefix(SEED_MARK)?.trim().parse().ok())
}

/// The comment at the start of a file.
pub fn head(kind: &str, what: &str, target: Target, seed: u64) -> String {
    let target = target.name();
    format!("; {kind}: {what}\n; cargo xtask fuzz {target} --file THIS\n{SEED_MARK}{seed}\n")
}

/// Minimises texts by trying them in processes of their own.
pub struct Minimiser<'a> {
    pub worker: &'a Path,
    pub target: Target,
    pub place: &'a Path,
}

impl Minimiser<'_> {
    /// Writes the failure's file and returns its path.
    pub fn write(&self, failure: &Failure, text: &[u8], seed: u64) -> anyhow::Result<PathBuf> {
        fs::create_dir_all(self.place)?;
        let head = head(&failure.kind, &failure.what, self.target, seed);
        let name = format!("{}-{:016x}.ll", self.target.name(), hash(&failure.signature()));
        let file = self.place.join(name);
        let smallest = self.minimise(failure, &head, text)?;
        fs::write(&file, [head.as_bytes(), &smallest].concat())?;
        Ok(file)
    }

    /// Omits lines, in smaller and smaller pieces, as long as the failure stays the same.
    fn minimise(&self, failure: &Failure, head: &str, text: &[u8]) -> anyhow::Result<Vec<u8>> {
        let end = Instant::now() + TIME;
        let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let mut piece = lines.len().div_ceil(2);
        while piece > 0 && Instant::now() < end {
            let mut at = 0;
            while at < lines.len() && Instant::now() < end {
                let rest = (at + piece).min(lines.len());
                let fewer: Vec<&[u8]> = lines[..at].iter().chain(&lines[rest..]).copied().collect();
                if self.still_fails(failure, head, &fewer)? {
                    lines = fewer;
                } else {
                    at += piece;
                }
            }
            piece /= 2;
        }
        Ok(lines.concat())
    }

    fn still_fails(&self, failure: &Failure, head: &str, lines: &[&[u8]]) -> anyhow::Result<bool> {
        let attempt = self.place.join("attempt.ll");
        fs::write(&attempt, [head.as_bytes(), &lines.concat()].concat())?;
        let found = try_file(self.worker, self.target, &attempt)?;
        fs::remove_file(&attempt)?;
        Ok(found.is_some_and(|found| found.signature() == failure.signature()))
    }
}

/// Tries a file in a process of its own.
pub fn try_file(worker: &Path, target: Target, file: &Path) -> anyhow::Result<Option<Failure>> {
    let mut command = Command::new(worker);
    command.args(["fuzz", "check", target.name()]).arg(file).stdin(Stdio::null());
    let output = command.output()?;
    if output.status.success() {
        return Ok(None);
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let told = stdout.lines().find_map(Failure::parse);
    Ok(Some(told.unwrap_or_else(|| death(0, &String::from_utf8_lossy(&output.stderr)))))
}

/// The failure of a case that its process did not survive.
pub fn death(case: u64, stderr: &str) -> Failure {
    let what = match stderr {
        text if text.contains("overflowed its stack") => "stack overflow",
        text if text.contains("memory allocation") => "memory allocation failed",
        _ => "the process died",
    };
    Failure { case, kind: "crash".to_owned(), what: what.to_owned() }
}

/// FNV-1a: file names must not depend on the standard library's hash.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_at_one_place_are_one_failure() {
        let parse = |line| Failure::parse(line).unwrap().signature();
        let a = parse("fail\t1\tpanic\tsrc/a.rs:1:2: index 7 of 3");
        let b = parse("fail\t9\tpanic\tsrc/a.rs:1:2: index 8 of 3");
        assert_eq!(a, b);
        assert_ne!(a, parse("fail\t9\tpanic\tsrc/a.rs:2:2: index 8 of 3"));
    }

    #[test]
    fn a_failing_text_names_its_seed() {
        assert_eq!(seed_of(b"; panic\n; seed 77\ndefine"), Some(77));
        assert_eq!(seed_of(b"define"), None);
    }
}
