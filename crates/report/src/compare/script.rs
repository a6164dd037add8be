//! A witness as a shell script that builds both versions from their sources and shows how they
//! differ. POSIX sh with `mktemp`, `timeout`, `diff` and a C compiler; for
//! revisions also `git` and `tar`.

use std::path::PathBuf;

use effects::compare::{Compared, UndefinedKind, Witness};
use effects::trial::Build;
use inputs::Test;
use inputs::harness::PARAMS_FILE;
use inputs::script::{quoted, write_input};
use source::Checkout;

use super::typed;
use crate::printable::printable;
use crate::words;

/// The file that a harness writes the result of the function to.
const RESULT_FILE: &str = "ripple.result";
/// The placeholder for the file that a harness includes.
const INCLUDED: &str = "RIPPLE_SOURCE";
/// Selects the relevant lines of a sanitizer's report.
const SUMMARY: &str = "/^SUMMARY:/p;/runtime error:/p";
/// The delimiter of a harness's text.
const END_OF_HARNESS: &str = "END_OF_HARNESS";

const BEGINNING: &str = r#"set -eu
cc=${CC:-}
if [ -z "$cc" ]; then
    for cc in clang cc gcc; do
        if command -v "$cc" >/dev/null 2>&1; then break; fi
    done
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$place/old/files" "$place/new/files"

fail() {
    echo "$1" >&2
    exit 2
}

# Runs a version with the arguments of the witness in a directory of its own.
execute() {
    version=$1
    shift
    status=0
    (
        ulimit -f 200000 2>/dev/null || true
        exec timeout 10 "$place/$version.program" "$@" <"$place/$version.stdin" \
            >"$place/$version/stdout" 2>"$place/$version/stderr"
    ) 2>/dev/null || status=$?
    case $status in
    124) echo "does not terminate within 10 seconds" ;;
    *) echo "status $status" ;;
    esac >"$place/$version/exit"
}
"#;

const END: &str = r#"build_old || fail "OLD does not build"
build_new || fail "NEW does not build"
(run_old)
(run_new)
cd "$place"
for what in exit stdout stderr; do
    diff -au --label "OLD $what" --label "NEW $what" "old/$what" "new/$what" || true
done >difference
(cd old/files && find . -type f) >names
(cd new/files && find . -type f) >>names
sort -u names | while IFS= read -r name; do
    diff -auN --label "OLD $name" --label "NEW $name" "old/files/$name" "new/files/$name" || true
done >>difference
if [ -s difference ]; then
    cat -v difference
    exit 1
fi
echo "no difference"
"#;

/// The script of a witness.
pub fn script(compared: &Compared, witness: &Witness) -> String {
    let mut text = String::new();
    let [old, new] = [&compared.old, &compared.new].map(|side| printable(side.name.as_bytes()));
    text.push_str("#!/bin/sh\n");
    text.push_str(&format!(
        "# {}: {}\n",
        words::class(witness.class),
        typed(compared, &witness.test)
    ));
    text.push_str(&format!(
        "# Builds OLD ({old}) and NEW ({new}), runs both, and shows how their behaviour differs.\n\
         # Exits with 1 if they differ, with 0 if they do not, and with 2 on failure.\n\
         # The compiler is $CC, or else clang, or else cc.\n"
    ));
    text.push_str(BEGINNING);
    let is_hidden = is_hidden(witness);
    let sanitizers = if is_hidden { sanitizers(witness) } else { "" };
    let [old, new] = witness.builds.as_deref().unwrap_or(&compared.builds);
    for (name, checkout, build) in [("old", &compared.old, old), ("new", &compared.new, new)] {
        text.push('\n');
        write_build(&mut text, name, checkout, build, sanitizers);
    }
    for (name, test) in ["old", "new"].into_iter().zip(&witness.native_tests) {
        text.push('\n');
        write_run(&mut text, name, test, compared.entry.is_some(), is_hidden);
    }
    text.push('\n');
    text.push_str(END);
    text
}

/// Whether only sanitizers show the difference.
fn is_hidden(witness: &Witness) -> bool {
    witness.old.native == witness.new.native
}

/// The flags of a build that shows it.
fn sanitizers(witness: &Witness) -> &'static str {
    let kind = witness.undefined.as_ref().map(|(_, operation)| operation.kind);
    match kind {
        Some(UndefinedKind::Uninitialised) => " -fsanitize=memory",
        _ => " -fsanitize=address,undefined",
    }
}

fn write_build(
    text: &mut String,
    name: &str,
    checkout: &Checkout,
    build: &Build,
    sanitizers: &str,
) {
    text.push_str(&format!("build_{name}() {{\n"));
    enter(text, name, checkout);
    let all: String = build.cflags.iter().map(|flag| format!(" {}", quoted(flag))).collect();
    let mut objects = 0;
    if let Some(harness) = &build.harness {
        let (harness, source, file) = movable_harness(harness, checkout);
        let own = file.and_then(|file| checkout.flags.get(file)).into_iter().flatten();
        let own: String = own.map(|flag| format!(" {}", quoted(flag))).collect();
        text.push_str(&format!("    cat >\"$place/{name}.c\" <<'{END_OF_HARNESS}'\n"));
        text.push_str(&harness);
        text.push_str(&format!("{END_OF_HARNESS}\n"));
        text.push_str(&format!(
            "    \"$cc\" -w{own}{all} -O0 -g{sanitizers} \"-D{INCLUDED}=\\\"\"{source}\"\\\"\" -c \
             -o \"$place/{name}.{objects}.o\" \"$place/{name}.c\" || return 1\n"
        ));
        objects += 1;
    }
    for file in &build.files {
        let own = checkout.flags.get(file).into_iter().flatten();
        let own: String = own.map(|flag| format!(" {}", quoted(flag))).collect();
        let file = quoted(&file.to_string_lossy());
        text.push_str(&format!(
            "    \"$cc\" -w{own}{all} -O0 -g{sanitizers} -c -o \"$place/{name}.{objects}.o\" \
             {file} || return 1\n"
        ));
        objects += 1;
    }
    // A witness reaches nothing that is undefined.
    let gaps = if build.has_stubs { " -Wl,--unresolved-symbols=ignore-all" } else { "" };
    text.push_str(&format!(
        "    \"$cc\" -w{all} -O0 -g{sanitizers}{gaps} \"$place/{name}\".*.o -o \"$place/{name}.program\" \
         -lm || return 1\n}}\n"
    ));
}

/// Changes to the directory that the names of files are relative to, in a copy of the version if it
/// is a revision or has a build, which is repeated there.
fn enter(text: &mut String, name: &str, checkout: &Checkout) {
    let tree = format!("\"$place/{name}.tree\"");
    match (&checkout.revision, &checkout.build) {
        (Some(revision), _) => {
            let repository = quoted(&revision.repository.to_string_lossy());
            let commit = &revision.commit;
            text.push_str(&format!("    mkdir {tree}\n"));
            text.push_str(&format!(
                "    git -C {repository} archive {commit} | tar -x -C {tree} || return 1\n"
            ));
            if checkout.root.join(".gitmodules").is_file() {
                enter_submodules(text, &repository, commit, &tree);
            }
        }
        (None, Some(build)) => {
            let source = quoted(&build.source.to_string_lossy());
            text.push_str(&format!("    cp -R {source} {tree} || return 1\n"));
        }
        (None, None) => {
            let directory = quoted(&checkout.directory.to_string_lossy());
            text.push_str(&format!("    cd {directory} || return 1\n"));
            return;
        }
    }
    if let Some(build) = &checkout.build {
        let (below, command) = (build.below.to_string_lossy(), quoted(&build.command));
        text.push_str(&format!(
            "    (cd {tree}/{} && sh -c {command}) >\"$place/{name}.build\" 2>&1 </dev/null || {{ cat \
             \"$place/{name}.build\"; return 1; }}\n",
            quoted(&below)
        ));
    }
    let below = checkout.directory.strip_prefix(&checkout.root).unwrap_or("".as_ref());
    text.push_str(&format!("    cd {tree}/{} || return 1\n", quoted(&below.to_string_lossy())));
}

/// Adds the files of submodules, which an archive lacks.
fn enter_submodules(text: &mut String, repository: &str, commit: &str, tree: &str) {
    text.push_str(&format!(
        "    git -C {repository} ls-tree -r {commit} | while read -r mode kind id path; do\n        \
         [ \"$mode\" != 160000 ] || git -C {repository}/\"$path\" archive \"$id\" | tar -x -C \
         {tree}/\"$path\"\n    done\n"
    ));
}

/// The text of a harness with a placeholder instead of the file that it includes, that file as the
/// shell finds it from the directory of the version, and its name there.
fn movable_harness<'c>(
    harness: &str,
    checkout: &'c Checkout,
) -> (String, String, Option<&'c PathBuf>) {
    let (mut included, mut found) = (String::new(), None);
    let mut text = String::new();
    for line in harness.lines() {
        let file = checkout
            .files
            .iter()
            .find(|file| line == format!("#include \"{}\"", checkout.path(file).display()));
        found = found.or(file);
        match file {
            Some(file) if checkout.revision.is_some() || checkout.build.is_some() => {
                included = format!("\"$PWD\"/{}", quoted(&file.to_string_lossy()));
            }
            Some(file) => included = quoted(&checkout.path(file).to_string_lossy()),
            None => {}
        }
        match file {
            Some(_) => text.push_str(&format!("#include {INCLUDED}")),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    (text, included, found)
}

fn write_run(text: &mut String, name: &str, test: &Test, is_function: bool, sanitize: bool) {
    let mut input = test.input.clone();
    if is_function {
        input.args = [PARAMS_FILE, RESULT_FILE].map(|file| file.as_bytes().to_vec()).to_vec();
    }
    text.push_str(&format!("run_{name}() {{\n    cd \"$place/{name}/files\"\n"));
    let mut line = |words: &str| {
        // Quoted texts may have several lines; nothing may precede them.
        text.push_str(words);
        text.push('\n');
    };
    write_input(&input, &format!("$place/{name}.stdin"), &mut line);
    line(&format!("execute {name} \"$@\""));
    if is_function {
        line(&format!("rm -f {PARAMS_FILE}"));
    }
    if sanitize {
        // Only this part of a sanitizer's report is the same each time.
        line(&format!("sed -n '{SUMMARY}' \"$place/{name}/stderr\" >\"$place/{name}.said\""));
        line(&format!("mv \"$place/{name}.said\" \"$place/{name}/stderr\""));
    }
    text.push_str("}\n");
}
