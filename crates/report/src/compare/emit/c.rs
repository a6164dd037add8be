//! Tests as C programs: a program is run with the help of one header, a function is called.

use std::path::Path;

use super::call::{Call, entry_file};
use super::shell::word;
use super::story::commented;
use super::{Case, EmittedFile, files_that_differ, flags_of, function, tests_stderr};
use crate::shell::c_text;

const HEADER: &str = "run_program.h";
const HEADER_TEXT: &str = include_str!("../../../emit/run_program.h");

pub(super) fn emit(case: &Case<'_>) -> Result<Vec<EmittedFile>, String> {
    let name = format!("{}.c", case.name);
    if case.compared.entry.is_some() {
        let call = Call::of(case)?;
        let build = build_commands(case, &name, "test", "");
        let usage = vec![
            "Build and run it in the directory of the project:".to_owned(),
            format!("    {}", build.trim_end()),
            "    ./test".to_owned(),
        ];
        let text = function::write(case, &call, &usage)?;
        return Ok(vec![EmittedFile::text(name, text)]);
    }
    let usage = vec![
        "Build it beside run_program.h, and run it with the program under test:".to_owned(),
        format!("    cc -o test {name}"),
        "    ./test PROGRAM".to_owned(),
    ];
    let mut text = comment(case, &usage);
    text.push_str(&format!("#include \"{HEADER}\"\n\nint main(int argc, char **argv)\n{{\n"));
    write_run(&mut text, case, "program_under_test(argc, argv)");
    text.push_str("    int failed = 0;\n\n");
    for check in checks(case) {
        text.push_str(&format!("    failed += {check};\n"));
    }
    text.push_str("    return failed != 0;\n}\n");
    Ok(vec![EmittedFile::text(name, text), header()])
}

pub(super) fn header() -> EmittedFile {
    EmittedFile::text(HEADER, HEADER_TEXT.to_owned())
}

/// The comment at the head of a file.
pub(super) fn comment(case: &Case<'_>, usage: &[String]) -> String {
    format!("/*\n{} */\n", commented(case, usage, " *"))
}

/// The input, and the run; its outcome is `run`.
pub(super) fn write_run(text: &mut String, case: &Case<'_>, program: &str) {
    let input = &case.witness.test.input;
    let mut line = |words: &str| text.push_str(&format!("    {words}\n"));
    line(&format!("const char *program = {program};"));
    let mut arguments = vec!["\"program\"".to_owned()];
    arguments.extend(input.args.iter().map(|argument| c_text(argument)));
    line(&format!("const char *arguments[] = {{{}, NULL}};", arguments.join(", ")));
    line("enter_directory();");
    for (name, bytes) in &input.files {
        line(&format!("give_file({}, TEXT({}));", c_text(name.as_bytes()), literal(bytes)));
    }
    let stdin = literal(&input.stdin);
    line(&format!("struct run run = run_program(program, arguments, TEXT({stdin}));"));
}

/// Expressions that are 0 if everything is as expected.
fn checks(case: &Case<'_>) -> Vec<String> {
    let mut checks = Vec::new();
    if let Some(status) = case.status() {
        checks.push(format!("check_status(&run, {status})"));
    }
    checks.extend(expected_texts(case).into_iter().map(|(name, place, text)| match text {
        Some(text) => format!("check_text({name}, {place}, TEXT({}))", literal(text)),
        None => format!("{place}.bytes != NULL"),
    }));
    checks
}

/// A text of a run that counts: its name and an expression of C for it, and what it must be; none
/// for a file that must not be there.
type ExpectedText<'a> = (String, String, Option<&'a [u8]>);

pub(super) fn expected_texts<'a>(case: &'a Case<'_>) -> Vec<ExpectedText<'a>> {
    let right = &case.right().native;
    let mut texts = Vec::new();
    if case.compared.observe.stdout {
        texts.push((c_text(b"standard output"), "run.out".to_owned(), Some(&right.stdout[..])));
    }
    if tests_stderr(case) {
        texts.push((c_text(b"standard error"), "run.err".to_owned(), Some(&right.stderr[..])));
    }
    for (name, content) in files_that_differ(case) {
        let name = c_text(name.as_bytes());
        let place = format!("read_at({name})");
        texts.push((name, place, content));
    }
    texts
}

/// A string literal, with one line of the text per line.
pub(super) fn literal(bytes: &[u8]) -> String {
    let lines: Vec<String> = bytes.split_inclusive(|byte| *byte == b'\n').map(c_text).collect();
    match lines.len() {
        0 => "\"\"".to_owned(),
        1 => lines.concat(),
        _ => format!("\n        {}", lines.join("\n        ")),
    }
}

/// The command that builds the test of a function, in the directory of the project.
pub(super) fn build_commands(case: &Case<'_>, test: &str, output: &str, end: &str) -> String {
    let compared = case.compared;
    let flags = entry_file(compared).map(|file| flags_of(compared, &file)).unwrap_or_default();
    let flags: String = flags.iter().map(|flag| format!(" {}", word(flag))).collect();
    let others = compared.builds[1].files.iter();
    let others: String =
        others.map(|file: &std::path::PathBuf| format!(" {}", word(&shown(file)))).collect();
    let main = if others.is_empty() { "" } else { " -Dmain=program_main" };
    format!("${{CC:-cc}} -w -O0 -iquote .{main}{flags} -o \"{output}\" {test}{others} -lm{end}\n")
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
