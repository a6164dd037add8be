//! Tests: for each difference, one that passes on one version and fails on the other, in a form
//! that the project uses.
//!
//! A test needs the project and a compiler, and neither Ripple nor anything of this machine. What a
//! form cannot express is omitted, with the reason; there is never a test that could not
//! distinguish the versions.

mod c;
mod call;
mod cmocka;
mod function;
mod junit;
mod ktest;
mod naming;
mod rust;
mod shell;
mod story;

use base::Version;
use effects::compare::{Behaviour, Compared, Witness};
use source::End;

use super::typed;
use crate::printable::harmless;

/// The most bytes of an input or output in a test.
const MOST_TEXT: usize = 64 << 10;

/// The form of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Shell,
    C,
    Cmocka,
    Rust,
    /// KLEE's files, which have an input and no expectation.
    Ktest,
    /// The replays of both versions as a test report.
    Junit,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitted {
    pub files: Vec<EmittedFile>,
    /// Differences without a test, and why, in words.
    pub left_out: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedFile {
    pub name: String,
    pub content: Vec<u8>,
}

impl EmittedFile {
    fn text(name: impl Into<String>, content: String) -> EmittedFile {
        EmittedFile { name: name.into(), content: content.into_bytes() }
    }
}

/// One test to be written.
struct Case<'a> {
    compared: &'a Compared,
    witness: &'a Witness,
    /// The version whose behaviour is expected.
    expect: Version,
    /// An identifier that describes the test; unique among all tests.
    name: String,
}

impl Case<'_> {
    /// The expected behaviour.
    fn right(&self) -> &Behaviour {
        match self.expect {
            Version::Old => &self.witness.old,
            Version::New => &self.witness.new,
        }
    }

    /// The behaviour of the other version.
    fn wrong(&self) -> &Behaviour {
        match self.expect {
            Version::Old => &self.witness.new,
            Version::New => &self.witness.old,
        }
    }

    /// The expected exit status, if it is observed.
    fn status(&self) -> Option<i32> {
        self.right().native.status().filter(|_| self.compared.observe.exit)
    }
}

/// Writes one test in some form, or says why that is not possible.
type Write = fn(&Case<'_>) -> Result<Vec<EmittedFile>, String>;

/// Writes tests for all differences.
pub fn emit(compared: &Compared, form: Form, expect: Version) -> Emitted {
    let each = |name: &str, write: Write| emit_each(compared, expect, name, write);
    match form {
        Form::Shell => each("shell", shell::emit),
        Form::C => each("C", c::emit),
        Form::Cmocka => each("cmocka", cmocka::emit),
        Form::Rust => each("Rust", rust::emit),
        Form::Ktest => each("ktest", ktest::emit),
        Form::Junit => junit::emit(compared),
    }
}

fn emit_each(compared: &Compared, expect: Version, form: &str, write: Write) -> Emitted {
    let mut emitted = Emitted::default();
    let mut names = naming::Names::default();
    // Differences of another space are only reported; nobody requested tests for them.
    let all = compared.witnesses.iter().enumerate();
    for (index, witness) in all.filter(|(_, witness)| witness.builds.is_none()) {
        let name = names.name(compared, witness, expect);
        let case = Case { compared, witness, expect, name };
        match suits(&case).and_then(|()| write(&case)) {
            Ok(files) => {
                // Shared files are written once.
                let is_new = |file: &EmittedFile| !emitted.files.contains(file);
                let files: Vec<EmittedFile> = files.into_iter().filter(is_new).collect();
                emitted.files.extend(files);
            }
            Err(reason) => {
                let input = typed(compared, &witness.test);
                let number = index + 1;
                emitted
                    .left_out
                    .push(format!("no {form} test for difference {number} ({input}): {reason}"));
            }
        }
    }
    emitted
}

/// Whether a test can express the expectation.
fn suits(case: &Case<'_>) -> Result<(), String> {
    let version = match case.expect {
        Version::Old => "OLD",
        Version::New => "NEW",
    };
    if !case.witness.is_consistent() {
        return Err("only inconsistent input shows it".to_owned());
    }
    let right = &case.right().native;
    match right.end {
        End::Exited(_) => {}
        End::Signaled(_) => {
            return Err(format!("{version} fails on it; --expect the other version"));
        }
        End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined => {
            return Err(format!("{version} does not end on it; --expect the other version"));
        }
    }
    if *right == case.wrong().native {
        return Err("only sanitizers see the difference".to_owned());
    }
    let texts = [&right.stdout, &right.stderr];
    let input = &case.witness.test.input;
    let sizes = texts.iter().map(|text| text.len()).chain([input.stdin.len()]);
    let files = input.files.iter().map(|(_, bytes)| bytes.len());
    let left = right.files.iter().filter_map(|(_, bytes)| bytes.as_ref().map(Vec::len));
    let longest = sizes.chain(files).chain(left).chain(input.args.iter().map(Vec::len)).max();
    if longest.is_some_and(|longest| longest > MOST_TEXT) {
        return Err("its input or output is too long for a test that people read".to_owned());
    }
    let ignored = &case.compared.observe.ignore;
    if texts.iter().any(|text| ignored.iter().any(|regex| regex.is_match(text))) {
        return Err("its output has parts that are not compared (--ignore-regex)".to_owned());
    }
    Ok(())
}

/// Differing files that the run leaves: each with its content, or removed.
fn files_that_differ<'a>(case: &'a Case<'_>) -> Vec<(&'a str, Option<&'a [u8]>)> {
    if !case.compared.observe.files {
        return Vec::new();
    }
    let (right, wrong) = (&case.right().native.files, &case.wrong().native.files);
    let find = |files: &'a [(String, Option<Vec<u8>>)], name: &str| {
        files.iter().find(|(other, _)| other == name).map(|(_, content)| content.as_deref())
    };
    let mut names: Vec<&str> = right.iter().chain(wrong).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let differs = |name: &&str| find(right, name) != find(wrong, name);
    let given = &case.witness.test.input.files;
    let left = |name: &'a str| match find(right, name) {
        Some(content) => content,
        // It is unchanged.
        None => given.iter().find(|(other, _)| other == name).map(|(_, bytes)| &bytes[..]),
    };
    names.into_iter().filter(differs).map(|name| (name, left(name))).collect()
}

/// Whether standard error is part of the test: only if it differs, because warnings of a
/// sanitizer or of the system come there, too.
fn tests_stderr(case: &Case<'_>) -> bool {
    case.compared.observe.stderr && case.right().native.stderr != case.wrong().native.stderr
}

/// The program's source files, relative to the current directory.
fn sources(compared: &Compared) -> Vec<String> {
    compared.new.files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
}

/// Flags of all files and of one, as users pass them.
fn flags_of(compared: &Compared, file: &std::path::Path) -> Vec<String> {
    let own = compared.new.flags.get(file).into_iter().flatten();
    let all = compared.builds[1].cflags.iter();
    // That flag only keeps file names in messages equal for the comparison.
    let is_wanted =
        |flag: &&String| !flag.starts_with("-fmacro-prefix-map=") && !flag.starts_with("-Dmain=");
    own.chain(all).filter(is_wanted).cloned().collect()
}

fn one_line(text: &str) -> String {
    harmless(text)
}
