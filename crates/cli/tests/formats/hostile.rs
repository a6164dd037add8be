//! Hostile content is harmless in every format: markup, escape sequences, zeros, bytes that are not
//! text, long lines, long outputs, and names of files.

use serde_json::Value;

use crate::desk::{Desk, said};

/// Writes markup, escapes, zeros, bytes that are not UTF-8, and commands of CI services.
const WRITER: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    static const char hostile[] =
        "<script>alert(1)</script> </details> ``` ]]> @everyone [a](http://b) | x\n"
        "::error file=a::injected\n  ::set-output name=x::y\n##[error]injected\n"
        "\x1b[31mred\x1b[0m \0 \xff\xfe \r back\n";
    int n = argc > 1 ? atoi(argv[1]) : 0;
    fwrite(hostile, 1, sizeof hostile - 1, stdout);
    printf("%d\n", n /* <b>*//* --> */ + 1);
    return 0;
}
"#;

const FORMATS: [&str; 5] = ["text", "json", "sarif", "markdown", "short"];

fn hostile_desk() -> Desk {
    Desk::pair(WRITER, &WRITER.replace("+ 1)", "+ 2)"))
}

/// Nothing that moves a cursor or changes a colour, in any format.
fn check_plain(format: &str, text: &str) {
    let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}' || c == '\u{fffd}';
    let found = text.char_indices().find(|(_, c)| bad(*c));
    assert!(found.is_none(), "{format}: {found:?}");
}

#[test]
fn what_programs_write_means_nothing_to_any_format() {
    let desk = hostile_desk();
    for format in FORMATS {
        let flags = ["old.c", "new.c", "--arg", "int:0..3", "--no-out", "--format", format];
        let mut command = desk.command(&flags);
        command.env("GITHUB_ACTIONS", "true");
        let said = said(&mut command);
        assert_eq!(said.code, 1, "{format}: {}", said.err);
        check_plain(format, &said.out);
        check_plain(format, &said.err);
        if matches!(format, "json" | "sarif") {
            assert!(serde_json::from_str::<Value>(&said.out).is_ok(), "{format}");
        }
        if matches!(format, "text" | "markdown" | "short") {
            for line in said.out.lines().map(str::trim_start) {
                assert!(!line.starts_with("::") && !line.contains("##["), "{format}: {line}");
            }
        }
        let is_ours = |line: &&str| line.starts_with("::warning file=new.c,line=");
        let commands = said.err.lines().filter(|line| line.contains("::"));
        assert!(commands.clone().all(|line| is_ours(&line)), "{format}: {}", said.err);
    }
}

#[test]
fn markdown_cannot_be_left() {
    let desk = hostile_desk();
    let flags = ["--arg", "int:0..3", "--no-out", "--format", "markdown", "--observe", "stdout"];
    let said = desk.compare(&flags);
    let opened = said.out.matches("<details>").count();
    assert_eq!(opened, said.out.lines().filter(|line| *line == "</details>").count());
    // Outside of code there is no markup from the program.
    let mut fence: Option<String> = None;
    for line in said.out.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if *open == line => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                assert!(!line.contains("<script"), "{line}");
                assert!(!line.contains("@everyone"), "{line}");
            }
        }
    }
    assert_eq!(fence, None);
}

#[test]
fn long_lines_and_long_outputs_stay_out_of_what_people_read() {
    let writer = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
        static char line[1000000];\nint main(int c, char **v) {\n    \
        int n = c > 1 ? atoi(v[1]) : 0;\n    memset(line, 'x', sizeof line);\n    \
        fwrite(line, 1, sizeof line, stdout);\n    \
        printf(\"%d\\n\", n + 1);\n    return 0;\n}\n";
    let desk = Desk::pair(writer, &writer.replace("n + 1", "n + 2"));
    let flags = ["--arg", "int:0..3", "--no-out", "--first", "--max-output", "3000000"];
    for (format, most) in [("sarif", 20_000), ("markdown", 20_000), ("short", 1_000)] {
        let said = desk.compare(&[&flags[..], &["--format", format]].concat());
        assert_eq!(said.code, 1, "{format}: {}{}", said.out, said.err);
        assert!(said.out.len() < most, "{format}: {} bytes", said.out.len());
        assert!(said.out.contains("xxx") && !said.out.is_empty(), "{format}");
    }
}

#[test]
fn a_hundred_megabytes_of_output_are_an_end_of_their_own() {
    let writer = "#include <stdio.h>\nint main(int c, char **v) {\n    char line[1000];\n    \
        int i;\n    for (i = 0; i < 1000; i++) line[i] = 'y';\n    \
        for (i = 0; i < 3; i++) fwrite(line, 1, 1000, stdout);\n    return 0;\n}\n";
    let desk = Desk::pair(writer, &writer.replace("i < 3;", "i < 100000;"));
    for format in FORMATS {
        let flags = ["--arg", "=a", "--no-out", "--format", format, "--budget", "5s"];
        let said = desk.compare(&flags);
        assert!(said.out.len() < 80_000_000, "{format}: {} bytes", said.out.len());
        check_plain(format, &said.out);
        assert!(said.code == 1 || said.code == 3, "{format}: {}", said.err);
    }
}

#[test]
fn names_of_files_are_only_names() {
    let name = "a b<i>&%,:`|\u{1b}[1m\n::x.c";
    let desk = Desk::with(&[
        (&format!("v1/{name}"), crate::OLD),
        (&format!("v2/{name}"), &crate::OLD.replace("shown = n;", "shown = n & 63;")),
    ]);
    for format in FORMATS {
        let flags = ["v1", "v2", "--arg", "int:0..200", "--no-out", "--format", format];
        let mut command = desk.command(&flags);
        command.env("GITHUB_ACTIONS", "true");
        let said = said(&mut command);
        assert_eq!(said.code, 1, "{format}: {}", said.err);
        check_plain(format, &said.out);
        check_plain(format, &said.err);
        if format == "sarif" {
            let log: Value = serde_json::from_str(&said.out).unwrap();
            crate::valid::check(&log, &said.out);
        }
    }
}

#[test]
fn emitted_tests_cannot_be_left_by_what_programs_write() {
    let desk = hostile_desk();
    let flags = ["--arg", "int:0..3", "--emit", "shell,c,rust,junit", "--quiet"];
    assert_eq!(desk.compare(&flags).code, 1);
    let tests = desk.path().join("ripple.out/tests");
    for entry in std::fs::read_dir(&tests).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        check_plain(&path.display().to_string(), &text);
    }
}
