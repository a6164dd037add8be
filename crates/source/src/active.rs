//! Which hunks the compiler sees: some differ only in comments, and some are in branches of
//! conditionals that the preprocessor skips.
//!
//! Asks the preprocessor itself: it gets each file with a mark in every branch, through a file
//! system overlay, and skips a branch if no translation unit of the version prints its mark. In
//! doubt a hunk counts as seen: if the preprocessor fails, the conditionals of a file are not
//! balanced, or the mark of a file that is read does not appear.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use base::parallel::{cores, in_parallel};
use serde_json::json;

use crate::artifact::{Job, Target};
use crate::checkout::Checkout;
use crate::compile::{Compiler, Kind, ir_flags};
use crate::conditions::{Begins, Content, Opener, Scan};
use crate::error::SourceError;
use crate::hunk::{Hunk, Lines};
use crate::paths::normal;
use crate::scratch::scratch;

/// The prefix of a mark. The preprocessor passes unknown pragmas through.
const MARK: &str = "#pragma ripple_branch ";

/// Above this number of translation units the preprocessor is not asked.
const MOST_JOBS: usize = 500;

/// What the compiler sees of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Its lines, or Ripple cannot tell.
    Lines,
    /// Nothing: only comments and white space differ.
    Blank,
    /// Nothing: the preprocessor skips its lines, because of these conditions.
    Skipped(Vec<Inactive>),
}

/// Why the preprocessor skips a branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inactive {
    NotDefined(String),
    Defined(String),
    /// The expression is false.
    False(String),
    /// An earlier branch is taken, whose expression is true.
    True(String),
}

/// What the compiler sees of the given hunks between two versions.
pub fn seen(
    [old, new]: [&Checkout; 2],
    compiler: &Compiler,
    cflags: &[String],
    hunks: &[&Hunk],
) -> Result<Vec<Seen>, SourceError> {
    let keys: BTreeSet<&Path> = hunks.iter().map(|hunk| hunk.key.as_path()).collect();
    let mut scans = [Scans::of(old, &keys), Scans::of(new, &keys)];
    let wanted: Vec<&Hunk> =
        hunks.iter().copied().filter(|hunk| needs_compiler(&scans, hunk)).collect();
    for (index, checkout) in [old, new].into_iter().enumerate() {
        let lines = wanted.iter().map(|hunk| (hunk.key.as_path(), [hunk.old, hunk.new][index]));
        let branches = scans[index].branches_of(lines);
        scans[index].ask(checkout, compiler, cflags, &branches)?;
    }
    Ok(hunks.iter().map(|hunk| seen_of(&scans, hunk)).collect())
}

/// The files of a version, scanned.
struct Scans {
    files: BTreeMap<PathBuf, Scanned>,
}

struct Scanned {
    text: Vec<u8>,
    scan: Scan,
    /// By branch, whether it is taken; nothing if unknown.
    taken: Option<Vec<bool>>,
}

impl Scans {
    fn of(checkout: &Checkout, keys: &BTreeSet<&Path>) -> Scans {
        let scanned = |key: &&Path| {
            let name = checkout.name_of(key);
            // Files in other languages have other conditionals and comments, if any.
            if Kind::of(&name) == Some(Kind::Ir) {
                return None;
            }
            let text = fs::read(checkout.path(&name)).ok()?;
            let scan = Scan::of(&text);
            Some((key.to_path_buf(), Scanned { text, scan, taken: None }))
        };
        Scans { files: keys.iter().filter_map(scanned).collect() }
    }

    /// The branches that contain these lines.
    fn branches_of<'k>(
        &self,
        lines: impl Iterator<Item = (&'k Path, Lines)>,
    ) -> BTreeMap<PathBuf, BTreeSet<usize>> {
        let mut wanted: BTreeMap<PathBuf, BTreeSet<usize>> = BTreeMap::new();
        for (key, lines) in lines {
            let Some(file) = self.files.get(key) else { continue };
            for number in lines.first..lines.first + lines.count {
                let Some(line) = file.scan.line(number) else { continue };
                let branch = match line.content {
                    Content::Blank => None,
                    Content::Code => line.branch,
                    Content::Conditional(conditional) => first_branch(file, conditional),
                };
                if let Some(branch) = branch {
                    wanted.entry(key.to_owned()).or_default().insert(branch);
                }
            }
        }
        wanted
    }

    /// Finds out whether the preprocessor takes the given branches.
    fn ask(
        &mut self,
        checkout: &Checkout,
        compiler: &Compiler,
        cflags: &[String],
        wanted: &BTreeMap<PathBuf, BTreeSet<usize>>,
    ) -> Result<(), SourceError> {
        let keys: Vec<PathBuf> =
            self.files.keys().filter(|key| wanted.contains_key(*key)).cloned().collect();
        if keys.is_empty() {
            return Ok(());
        }
        let goal = keys
            .iter()
            .enumerate()
            .flat_map(|(number, key)| wanted[key].iter().map(move |branch| (number, branch + 1)));
        let goal: BTreeSet<(usize, usize)> = goal.collect();
        let marked: Vec<(PathBuf, Vec<u8>)> = keys
            .iter()
            .enumerate()
            .map(|(number, key)| {
                let name = normal(&checkout.path(&checkout.name_of(key)));
                (name, marked(number, &self.files[key]))
            })
            .collect();
        let compiler = checkout.compiler(compiler);
        let Some(marks) = compiler.marks(&checkout.files, cflags, &marked, &goal)? else {
            return Ok(());
        };
        for (number, key) in keys.iter().enumerate() {
            let Some(file) = self.files.get_mut(key) else { continue };
            let is_taken = |branch: usize| marks.contains(&(number, branch + 1));
            file.taken = Some((0..file.scan.branches.len()).map(is_taken).collect());
        }
        Ok(())
    }
}

/// The text with a mark at its beginning and in every branch.
fn marked(number: usize, file: &Scanned) -> Vec<u8> {
    let heads = file.scan.branches.iter().enumerate();
    let heads: BTreeMap<u32, usize> = heads.map(|(index, branch)| (branch.head, index)).collect();
    let mut text = format!("{MARK}{number} 0\n").into_bytes();
    for (index, line) in file.text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        text.extend(line);
        if let Some(branch) = heads.get(&(index as u32 + 1)) {
            if !line.ends_with(b"\n") {
                text.push(b'\n');
            }
            text.extend(format!("{MARK}{number} {}\n", branch + 1).bytes());
        }
    }
    text
}

impl Compiler {
    /// The marks that the preprocessor prints for any of these C files if other files have these
    /// texts. Stops early once it has all marks of the goal. Nothing if the preprocessor fails,
    /// does not read the texts, or would take too long.
    fn marks(
        &self,
        files: &[PathBuf],
        cflags: &[String],
        texts: &[(PathBuf, Vec<u8>)],
        goal: &BTreeSet<(usize, usize)>,
    ) -> Result<Option<BTreeSet<(usize, usize)>>, SourceError> {
        let place = scratch()?;
        let system = |cause| SourceError::system("cannot write a scratch file", cause);
        let Some(overlay) = self.overlay(texts, place.path()).map_err(system)? else {
            return Ok(None);
        };
        let inputs = self.read_all(files)?;
        let flags = self.flags_of_each(&inputs, &ir_flags(cflags));
        let full = |name: &Path| normal(&self.directory.join(name));
        // Each job with the texts that it must read.
        let mut jobs: Vec<(Job<'_>, Vec<usize>)> = Vec::new();
        for (input, flags) in inputs.iter().zip(&flags).filter(|(one, _)| one.kind == Kind::C) {
            let job = self.job(input, flags, Target::IrText);
            let mut read: BTreeSet<PathBuf> =
                job.included()?.iter().map(|name| full(name)).collect();
            read.insert(full(&input.path));
            let expected: Vec<usize> =
                (0..texts.len()).filter(|&number| read.contains(&texts[number].0)).collect();
            if !expected.is_empty() {
                jobs.push((job, expected));
            }
        }
        if jobs.len() > MOST_JOBS {
            return Ok(None);
        }
        let mut marks = BTreeSet::new();
        for some in jobs.chunks(cores()) {
            if goal.is_subset(&marks) {
                break;
            }
            let outputs = in_parallel(some, some.len(), |(job, _)| job.preprocessed(&overlay));
            for ((_, expected), output) in some.iter().zip(outputs) {
                let Some(output) = output? else { return Ok(None) };
                let found = marks_in(&output);
                if expected.iter().any(|&number| !found.contains(&(number, 0))) {
                    return Ok(None);
                }
                marks.extend(found);
            }
        }
        Ok(Some(marks))
    }

    /// Writes the texts, and the overlay that makes clang read them instead of the files.
    fn overlay(
        &self,
        texts: &[(PathBuf, Vec<u8>)],
        place: &Path,
    ) -> std::io::Result<Option<PathBuf>> {
        let mut roots = Vec::new();
        for (number, (path, text)) in texts.iter().enumerate() {
            let contents = place.join(format!("{number}.txt"));
            fs::write(&contents, text)?;
            // Clang gets its directory from the operating system, with symbolic links resolved.
            let real = fs::canonicalize(&self.directory)?;
            let moved = path.strip_prefix(&self.directory).ok().map(|rest| real.join(rest));
            let names: BTreeSet<PathBuf> = moved.into_iter().chain([path.clone()]).collect();
            for name in names {
                let (Some(name), Some(contents)) = (name.to_str(), contents.to_str()) else {
                    return Ok(None);
                };
                roots.push(json!({"type": "file", "name": name, "external-contents": contents}));
            }
        }
        let overlay = json!({"version": 0, "use-external-names": false, "roots": roots});
        let path = place.join("overlay.yaml");
        fs::write(&path, overlay.to_string())?;
        Ok(Some(path))
    }
}

fn marks_in(output: &[u8]) -> BTreeSet<(usize, usize)> {
    let lines = output.split(|&byte| byte == b'\n');
    let marks = lines.filter_map(|line| std::str::from_utf8(line).ok()?.strip_prefix(MARK));
    let numbers = |mark: &str| {
        let (file, branch) = mark.trim().split_once(' ')?;
        Some((file.parse().ok()?, branch.parse().ok()?))
    };
    marks.filter_map(numbers).collect()
}

/// Whether some non-blank line of a hunk is in a branch, and none is outside of all branches.
fn needs_compiler(scans: &[Scans; 2], hunk: &Hunk) -> bool {
    let mut in_branch = false;
    for (scans, lines) in scans.iter().zip([hunk.old, hunk.new]) {
        let Some(file) = scans.files.get(&hunk.key) else { continue };
        for number in lines.first..lines.first + lines.count {
            let Some(line) = file.scan.line(number) else { continue };
            match line.content {
                Content::Blank => {}
                Content::Code if line.branch.is_none() => return false,
                _ => in_branch = true,
            }
        }
    }
    in_branch
}

fn seen_of(scans: &[Scans; 2], hunk: &Hunk) -> Seen {
    let mut because = BTreeSet::new();
    let mut is_blank = true;
    let mut edges = Vec::new();
    for (scans, lines) in scans.iter().zip([hunk.old, hunk.new]) {
        let Some(file) = scans.files.get(&hunk.key) else {
            // A file that exists in one version only has no lines here.
            if lines.count > 0 {
                return Seen::Lines;
            }
            edges.push([Begins::Fresh; 2]);
            continue;
        };
        let end = lines.first + lines.count;
        edges.push([file.scan.begins(lines.first), file.scan.begins(end)]);
        for number in lines.first..end {
            match skipped(file, &lines, number) {
                Some(why) => because.extend(why),
                None => return Seen::Lines,
            }
            let content = file.scan.line(number).map(|line| line.content);
            is_blank &= content == Some(Content::Blank);
        }
    }
    // If one version begins or ends a comment or a continued line here, what follows it changes.
    let is_contained = edges.first() == edges.last();
    if !is_contained {
        Seen::Lines
    } else if is_blank {
        Seen::Blank
    } else if because.is_empty() {
        Seen::Lines
    } else {
        Seen::Skipped(because.into_iter().collect())
    }
}

/// Why the compiler does not see a line of a hunk, if it does not. Gives nothing for blank lines,
/// or for whole conditionals, whose branches are examined line by line.
fn skipped(file: &Scanned, hunk: &Lines, number: u32) -> Option<Option<Inactive>> {
    let line = file.scan.line(number)?;
    let branch = match line.content {
        Content::Blank => return Some(None),
        Content::Conditional(conditional) => {
            let whole = &file.scan.conditionals[conditional];
            let is_whole = hunk.first <= whole.first
                && whole.first.saturating_add(whole.count) <= hunk.first + hunk.count;
            match line.branch {
                _ if is_whole => {
                    // An empty conditional would leave no reason at all.
                    return Some(first_branch(file, conditional).and_then(|one| reason(file, one)));
                }
                branch => branch?,
            }
        }
        Content::Code => line.branch?,
    };
    reason(file, branch).map(Some)
}

fn first_branch(file: &Scanned, conditional: usize) -> Option<usize> {
    file.scan.branches.iter().position(|branch| branch.conditional == conditional)
}

/// Why a branch is skipped, if it is: the outermost condition that decides it, because the
/// preprocessor does not evaluate the conditions inside.
fn reason(file: &Scanned, branch: usize) -> Option<Inactive> {
    let taken = file.taken.as_ref().filter(|_| file.scan.is_balanced)?;
    let branches = &file.scan.branches;
    let mut decides = None;
    let mut around = Some(branch);
    while let Some(at) = around {
        if !taken[at] {
            decides = Some(at);
        }
        around = branches[at].parent;
    }
    let at = decides?;
    let mut siblings =
        (0..branches.len()).filter(|&one| branches[one].conditional == branches[at].conditional);
    match siblings.find(|&one| one < at && taken[one]) {
        Some(earlier) => Some(holds(&branches[earlier].opener)),
        None => Some(fails(&branches[at].opener)),
    }
}

/// What holds where a branch is taken.
fn holds(opener: &Opener) -> Inactive {
    match opener {
        Opener::Ifdef(name) => Inactive::Defined(name.clone()),
        Opener::Ifndef(name) => Inactive::NotDefined(name.clone()),
        Opener::If(expression) => match defined(expression) {
            Some((name, true)) => Inactive::Defined(name),
            Some((name, false)) => Inactive::NotDefined(name),
            None => Inactive::True(expression.clone()),
        },
        // Nothing follows it in its conditional.
        Opener::Else => Inactive::True("#else".to_owned()),
    }
}

/// What holds where a branch is skipped although no earlier branch is taken.
fn fails(opener: &Opener) -> Inactive {
    match holds(opener) {
        Inactive::Defined(name) => Inactive::NotDefined(name),
        Inactive::NotDefined(name) => Inactive::Defined(name),
        Inactive::True(expression) | Inactive::False(expression) => Inactive::False(expression),
    }
}

/// The macro that an expression tests, if that is all it does, and whether it must be defined.
fn defined(expression: &str) -> Option<(String, bool)> {
    let positive = expression.strip_prefix('!').map(str::trim_start);
    let rest = positive.unwrap_or(expression).strip_prefix("defined")?;
    let inner = rest.trim();
    let name = match inner.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?.trim(),
        None if rest.starts_with(char::is_whitespace) => inner,
        None => return None,
    };
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !name.is_empty()).then(|| (name.to_owned(), positive.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_question_for_a_macro_is_said_as_one() {
        let is = |name: &str, wanted| Some((name.to_owned(), wanted));
        assert_eq!(defined("defined(A)"), is("A", true));
        assert_eq!(defined("!defined A"), is("A", false));
        assert_eq!(defined("! defined ( A_1 )"), is("A_1", false));
        assert_eq!(defined("defined(A) && defined(B)"), None);
        assert_eq!(defined("definedA"), None);
        assert_eq!(defined("A"), None);
    }

    #[test]
    fn marks_stand_behind_whole_directives() {
        let text = b"#if A \\\n && B\nx\n#else".to_vec();
        let file = Scanned { scan: Scan::of(&text), text, taken: None };
        let marked = String::from_utf8(marked(3, &file)).expect("it is text");
        let mark = |branch| format!("{MARK}3 {branch}\n");
        let expected = format!("{}#if A \\\n && B\n{}x\n#else\n{}", mark(0), mark(1), mark(2));
        assert_eq!(marked, expected);
        assert_eq!(marks_in(marked.as_bytes()).len(), 3);
    }
}
