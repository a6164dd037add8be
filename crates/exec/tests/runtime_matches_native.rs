//! The C runtime against the native library: its functions, compiled under
//! other names and with sanitizers, give what glibc's give for many inputs.
//!
//! Each file of `tests/runtime/` is a driver that calls both and counts
//! disagreements. Without clang the tests say so and pass.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // Tests fail by panicking and may talk.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

#[path = "../src/runtime.rs"]
mod runtime;

use runtime::{CFLAGS, HEADER, Member, member_defining, members};

/// How members and drivers are built. The address sanitizer replaces the native
/// functions by its own, whose results are coarser, so what they return is
/// compared without it.
#[derive(Clone, Copy)]
enum Build {
    Exact,
    Addresses,
}

/// The exit status of a program in which the address sanitizer found an error.
const ADDRESS_ERROR: i32 = 99;

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Exact => &["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"],
            Build::Addresses => &["-fsanitize=address"],
        }
    }

    /// The drivers use the macros of native headers, which are not ours to judge.
    fn driver_flags(self) -> &'static [&'static str] {
        match self {
            Build::Exact => &[],
            Build::Addresses => self.flags(),
        }
    }

    fn directory(self) -> PathBuf {
        directory(match self {
            Build::Exact => "runtime-exact",
            Build::Addresses => "runtime-addresses",
        })
    }
}

fn find_clang() -> Option<&'static str> {
    let answers = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    ["clang", "clang-19", "clang-16", "clang-14"].into_iter().find(answers)
}

/// Runs the check with the first clang there is, or says that there is none.
fn with_clang(check: impl FnOnce(&str)) {
    match find_clang() {
        Some(clang) => check(clang),
        None => testkit::skip("no clang is installed"),
    }
}

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn assert_ran(output: &Output, what: &str) {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{what}: {}\n{stdout}{stderr}", output.status);
}

/// Calls the function for every member, on as many threads as there are cores.
fn for_each_member(check: impl Fn(&Member) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in members().chunks(members().len().div_ceil(threads)) {
            let check = &check;
            scope.spawn(move || part.iter().for_each(check));
        }
    });
}

/// The external definitions in the text of a module.
fn definitions(ir: &str) -> Vec<String> {
    let is_local = |line: &str| {
        let mut words = line.split([' ', '=']);
        words.any(|word| matches!(word, "internal" | "private" | "external" | "declare"))
    };
    let name = |line: &str| {
        let start = if line.starts_with("define ") { line.find('@')? } else { 0 };
        let rest = line[start..].strip_prefix('@')?;
        let end = rest.find(['(', ' '])?;
        Some(rest[..end].to_owned())
    };
    let is_definition = |line: &&str| line.starts_with("define ") || line.starts_with('@');
    let heads = ir.lines().filter(is_definition).filter(|line| {
        let head = line.split(['{', '(', '[']).next().unwrap_or(line);
        !is_local(head)
    });
    let mut names: Vec<_> = heads.filter_map(name).collect();
    names.sort();
    names
}

#[test]
fn the_symbols_of_a_member_are_what_its_text_defines() {
    with_clang(|clang| {
        let directory = directory("runtime-symbols");
        for_each_member(|member| {
            let source = directory.join(format!("{}.c", member.name));
            let target = directory.join(format!("{}.ll", member.name));
            std::fs::write(&source, member.text()).unwrap();
            let mut command = Command::new(clang);
            command.args(CFLAGS).args(["-S", "-emit-llvm", "-Wall", "-Werror"]);
            let output = command.arg(&source).arg("-o").arg(&target).output().unwrap();
            assert_ran(&output, member.name);
            let ir = std::fs::read_to_string(&target).unwrap();
            assert_eq!(definitions(&ir), member.symbols, "{}", member.name);
        });
    });
}

#[test]
fn every_symbol_is_found_in_its_member_and_nowhere_else() {
    for member in members() {
        assert!(member.symbols.is_sorted(), "{}", member.name);
        for symbol in member.symbols {
            assert_eq!(member_defining(symbol), Some(member), "{symbol}");
        }
    }
    assert_eq!(member_defining("no_such_function"), None);
    assert!(members().is_sorted_by_key(|member| member.name));
}

#[test]
fn a_member_needs_no_header_of_the_host() {
    assert!(!HEADER.contains("#include"));
    for member in members() {
        assert!(!member.source.contains("#include"), "{}", member.name);
    }
}

/// What stands for the machine where members ask it and a native answer exists.
const MACHINE: &str = include_str!("runtime/machine.c");

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c| !is_part_of_name(c))
}

/// Whether a member needs nothing but other members and a C library. Those that
/// ask the machine (for signals, say), or whose variables the machine fills (the
/// standard streams), cannot run natively.
fn is_portable(member: &Member) -> bool {
    if member.symbols.contains(&"stderr") {
        return false;
    }
    let is_known =
        |name: &str| member_defining(name).is_some() || words(MACHINE).any(|word| word == name);
    words(member.source).filter(|word| word.starts_with("__ripple_")).all(is_known)
}

/// All portable members as objects whose public names begin with `rt_`.
fn renamed_objects(clang: &str, build: Build) -> &'static [PathBuf] {
    static OBJECTS: [OnceLock<Vec<PathBuf>>; 2] = [OnceLock::new(), OnceLock::new()];
    OBJECTS[build as usize].get_or_init(|| {
        let rename = |symbol: &&str| format!("#define {symbol} rt_{symbol}\n");
        let portable = || members().iter().filter(|member| is_portable(member));
        let renames: String = portable().flat_map(|member| member.symbols).map(rename).collect();
        let version = Command::new(clang).arg("--version").output().unwrap().stdout;
        let version = String::from_utf8_lossy(&version).replace('\n', " ");
        for_each_member(|member| {
            let text = format!("// {version}\n{renames}{}", member.text());
            compile_object(clang, build, member.name, &text);
        });
        let object = |member: &Member| build.directory().join(format!("{}.o", member.name));
        portable().map(object).collect()
    })
}

/// Compiles a text, unless the object of an earlier run is of the same text.
fn compile_object(clang: &str, build: Build, name: &str, text: &str) {
    let file = |suffix| build.directory().join(format!("{name}.{suffix}"));
    let (source, partial, object) = (file("c"), file("partial.o"), file("o"));
    if object.exists() && std::fs::read_to_string(&source).is_ok_and(|old| old == text) {
        return;
    }
    std::fs::write(&source, text).unwrap();
    let mut command = Command::new(clang);
    command.args(CFLAGS).args(build.flags()).arg("-c").arg(&source).arg("-o").arg(&partial);
    assert_ran(&command.output().unwrap(), name);
    std::fs::rename(&partial, &object).unwrap();
}

/// Builds the driver with the renamed members and runs it.
fn run_driver(clang: &str, name: &str, build: Build) -> Output {
    let objects = renamed_objects(clang, build);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime");
    let program = build.directory().join(format!("driver-{name}"));
    let mut command = Command::new(clang);
    command.args(["-g", "-fno-builtin", "-w"]).args(build.driver_flags());
    command.arg(root.join(format!("{name}.c"))).arg(root.join("machine.c")).args(objects);
    let output = command.args(["-lm", "-o"]).arg(&program).output().unwrap();
    assert_ran(&output, name);
    // Leaks are the drivers' own; the locale and time zone are those modelled.
    let options = format!("detect_leaks=0:exitcode={ADDRESS_ERROR}");
    let mut run = Command::new(&program);
    run.env_clear().env("ASAN_OPTIONS", options).env("TZ", "UTC0");
    run.output().unwrap()
}

fn check_driver(name: &str) {
    with_clang(|clang| {
        assert_ran(&run_driver(clang, name, Build::Exact), name);
        let output = run_driver(clang, name, Build::Addresses);
        let code = output.status.code();
        if code.is_none_or(|code| code == ADDRESS_ERROR) {
            assert_ran(&output, name);
        }
    });
}

macro_rules! drivers {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            check_driver($name);
        })*
    };
}

drivers! {
    strings_match: "strings",
    numbers_match: "numbers",
    character_classes_match: "ctype",
    sorting_compares_in_the_native_order: "sorting",
    random_sequences_match: "random",
    the_environment_matches: "environment",
    options_match: "options",
    messages_match: "messages",
    dates_match: "time",
    wide_characters_match: "wide",
    the_locale_matches: "locale",
    file_name_patterns_match: "patterns",
    system_tables_match: "system",
    regular_expressions_match: "regex",
    search_trees_match: "search",
    file_names_and_locks_match: "files",
    string_vectors_match: "vectors",
    streams_match: "streams",
    scanned_text_matches: "scanf",
    formatted_text_matches: "printf",
    declared_integers_are_taken_as_they_are: "integers",
}
