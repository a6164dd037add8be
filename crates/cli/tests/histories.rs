//! Three projects with histories: a `configure` that generates a header, with a static library; CMake
//! with two programs and a shared library; a Makefile with programs that take options. Each commit
//! has a known effect, and the bare comparison of it with the one before must end well.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use testkit::desk::Desk;
use testkit::is_installed;

/// A commit: its subject, the texts to replace in a file, and words that must be in the report.
struct Commit {
    subject: &'static str,
    file: &'static str,
    replace: [&'static str; 2],
    shown: &'static str,
}

/// Commits the files, then each change; returns the reports that do not show the effect.
fn unshown(files: &[(&str, &str)], commits: &[Commit]) -> Option<Vec<String>> {
    let desk = Desk::repository(&["compare"])?;
    desk.write(&[(".git/info/exclude", "ripple.out*\n")]);
    desk.commit(files, "Begin");
    let mut unshown = Vec::new();
    for commit in commits {
        let before = desk.read(commit.file);
        let [from, to] = commit.replace;
        assert!(before.contains(from), "{}", commit.subject);
        desk.commit(&[(commit.file, &before.replace(from, to))], commit.subject);
        let index = std::fs::read(desk.path().join(".git/index")).unwrap();
        let said = desk.run(&["HEAD~1", "HEAD", "--budget", "3s", "--first"]);
        let text = format!("{}{}", said.out, said.err);
        assert!(matches!(said.code, 0 | 1 | 3), "{}: {}: {text}", commit.subject, said.code);
        // An effect that was not found is not denied either.
        assert_ne!(said.code, 0, "{}: {text}", commit.subject);
        let status = desk.git(&["status", "--porcelain", "--ignored"]);
        assert!(status.lines().all(|line| line.contains("ripple.out")), "{status}");
        assert_eq!(std::fs::read(desk.path().join(".git/index")).unwrap(), index);
        if said.code != 1 || !said.out.contains(commit.shown) {
            unshown.push(format!("{}: {text}", commit.subject));
        }
    }
    Some(unshown)
}

const CONFIGURE: &str = "#!/bin/sh\n# Options are ignored.\nlimit=9\n\
    printf '#define LIMIT %s\\n#define NAME \"clamp\"\\n' $limit > config.h\n\
    sed \"s,@CC@,${CC:-cc},\" Makefile.in > Makefile\n";
const CONFIGURED: [(&str, &str); 6] = [
    ("configure", CONFIGURE),
    (
        "Makefile.in",
        "CC = @CC@\nclamp: main.o libnum.a\n\t$(CC) -o $@ main.o -L. -lnum\n\
         libnum.a: lib/clamp.o lib/scale.o\n\tar rcs $@ lib/clamp.o lib/scale.o\n\
         .c.o:\n\t$(CC) -I. -c -o $@ $<\n",
    ),
    (
        "main.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include \"config.h\"\n#include \"lib/num.h\"\n\
         int main(int argc, char **argv)\n{\n    if (argc < 2) {\n        \
         fprintf(stderr, NAME \": which number?\\n\");\n        return 2;\n    }\n    \
         printf(\"%d\\n\", scale(clamp(atoi(argv[1]))));\n    return 0;\n}\n",
    ),
    ("lib/num.h", "int clamp(int n);\nint scale(int n);\n"),
    (
        "lib/clamp.c",
        "#include \"config.h\"\n#include \"num.h\"\n\
         int clamp(int n)\n{\n    return n > LIMIT ? LIMIT : n;\n}\n",
    ),
    ("lib/scale.c", "#include \"num.h\"\nint scale(int n)\n{\n    return n * 10;\n}\n"),
];

#[test]
fn commits_of_a_configured_project_are_shown() {
    let commits = [
        Commit {
            subject: "Clamp earlier",
            file: "configure",
            replace: ["limit=9", "limit=4"],
            shown: "40",
        },
        Commit {
            subject: "Scale less, but not small numbers",
            file: "lib/scale.c",
            replace: ["n * 10", "n > 2 ? n * 9 : n * 10"],
            shown: "n > 2 ? n * 9",
        },
        Commit {
            subject: "Say what is printed",
            file: "main.c",
            replace: ["\"%d\\n\", scale", "\"n: %d\\n\", scale"],
            shown: "n: ",
        },
    ];
    let Some(unshown) = unshown(&CONFIGURED, &commits) else { return };
    assert!(unshown.is_empty(), "{unshown:#?}");
}

#[test]
fn commits_of_a_cmake_project_are_shown() {
    if !is_installed("cmake") {
        return;
    }
    let files = [
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.10)\nproject(p C)\n\
             configure_file(limits.h.in gen.h)\n\
             add_library(steps SHARED src/steps.c)\n\
             target_include_directories(steps PUBLIC ${CMAKE_CURRENT_BINARY_DIR})\n\
             add_executable(up src/up.c)\ntarget_link_libraries(up steps)\n\
             add_executable(down src/down.c)\ntarget_link_libraries(down steps)\n\
             target_compile_definitions(down PRIVATE STEP=1)\n",
        ),
        ("limits.h.in", "#define MOST 5\n"),
        (
            "src/steps.c",
            "#include \"gen.h\"\nint up(int n) { return n < MOST ? n + 1 : n; }\n\
             int down(int n, int by) { return n - by; }\n",
        ),
        (
            "src/up.c",
            "#include <stdio.h>\n#include <stdlib.h>\nint up(int n);\n\
             int main(int argc, char **argv)\n{\n    \
             printf(\"%d\\n\", up(argc > 1 ? atoi(argv[1]) : 0));\n    return 0;\n}\n",
        ),
        (
            "src/down.c",
            "#include <stdio.h>\n#include <string.h>\nint down(int n, int by);\n\
             int main(int argc, char **argv)\n{\n    int length = 0;\n    \
             for (int i = 1; i < argc; i++)\n        length += (int)strlen(argv[i]);\n    \
             printf(\"%d\\n\", down(length, STEP));\n    return 0;\n}\n",
        ),
    ];
    let commits = [
        Commit {
            subject: "Go down in larger steps",
            file: "CMakeLists.txt",
            replace: ["STEP=1", "STEP=2"],
            shown: "different",
        },
        Commit {
            subject: "Stop earlier",
            file: "limits.h.in",
            replace: ["MOST 5", "MOST 3"],
            shown: "different",
        },
        Commit {
            subject: "Go down no further than to zero",
            file: "src/steps.c",
            replace: ["return n - by", "return n < by ? 0 : n - by"],
            shown: "n < by ? 0",
        },
    ];
    let Some(unshown) = unshown(&files, &commits) else { return };
    assert!(unshown.is_empty(), "{unshown:#?}");
}

#[test]
fn commits_of_a_project_with_options_are_shown() {
    let files = [
        (
            "Makefile",
            "all: head count\nhead: head.o\ncount: count.o text.o\ncheck: all\n\tsh tests/run\n",
        ),
        ("tests/run", "printf 'a\\nb\\n' | ./head -n 1\n./count -w 'a b'\n"),
        (
            "head.c",
            "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
             int main(int argc, char **argv)\n{\n    int c, most = 1, quiet = 0;\n    \
             while ((c = getopt(argc, argv, \"qn:\")) != -1) {\n        if (c == 'n')\n            \
             most = atoi(optarg);\n        else if (c == 'q')\n            quiet = 1;\n        \
             else\n            return 2;\n    }\n    int lines = 0;\n    \
             while (lines < most && (c = getchar()) != EOF) {\n        if (!quiet)\n            \
             putchar(c);\n        lines += c == '\\n';\n    }\n    return 0;\n}\n",
        ),
        ("text.h", "int words(const char *text);\nint letters(const char *text);\n"),
        (
            "text.c",
            "#include <ctype.h>\n#include \"text.h\"\n\
             int words(const char *text)\n{\n    int count = 0, inside = 0;\n    \
             for (; *text; text++) {\n        int now = !isspace((unsigned char)*text);\n        \
             count += now && !inside;\n        inside = now;\n    }\n    return count;\n}\n\
             int letters(const char *text)\n{\n    int count = 0;\n    for (; *text; text++)\n        \
             count++;\n    return count;\n}\n",
        ),
        (
            "count.c",
            "#include <stdio.h>\n#include <string.h>\n#include \"text.h\"\n\
             int main(int argc, char **argv)\n{\n    int by_words = 0, sum = 0;\n    \
             for (int i = 1; i < argc; i++) {\n        if (!strcmp(argv[i], \"--words\"))\n            \
             by_words = 1;\n        else\n            \
             sum += by_words ? words(argv[i]) : letters(argv[i]);\n    }\n    \
             printf(\"%d\\n\", sum);\n    return sum > 99;\n}\n",
        ),
    ];
    let commits = [
        Commit {
            subject: "Take one line more",
            file: "head.c",
            replace: ["lines < most", "lines <= most"],
            shown: "lines <= most",
        },
        Commit {
            subject: "Say nothing of what is quiet",
            file: "head.c",
            replace: ["return 0;", "return quiet;"],
            shown: "-q",
        },
        Commit {
            subject: "Count letters only",
            file: "text.c",
            replace: ["        count++;", "        count += !!isalpha((unsigned char)*text);"],
            shown: "isalpha",
        },
        Commit {
            subject: "End words at commas, too",
            file: "text.c",
            replace: [
                "!isspace((unsigned char)*text)",
                "!isspace((unsigned char)*text) && *text != ','",
            ],
            shown: "--words",
        },
    ];
    let Some(unshown) = unshown(&files, &commits) else { return };
    assert!(unshown.len() <= 1, "{unshown:#?}");
}
