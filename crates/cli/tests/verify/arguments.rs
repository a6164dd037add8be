//! Proofs for programs that get any number of arguments.

use super::{Desk, partitions, verified};

/// A program that wants two numbers, and the same with another condition.
fn two_numbers(condition: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n
        int main(int argc, char **argv)\n{{
            char *end;
            long a, b;
            if (argc != 3)
                return 2;
            a = strtol(argv[1], &end, 10);
            if (end == argv[1] || *end)
                return 3;
            b = strtol(argv[2], &end, 10);
            if (end == argv[2] || *end)
                return 4;
            printf({condition} ? \"more\\n\" : \"less\\n\");
            return 0;
        }}\n"
    )
}

#[test]
fn equality_is_proved_for_any_number_of_arguments() {
    let (old, new) = (two_numbers("a > b"), two_numbers("b < a"));
    let desk = Desk::pair(&old, &new);
    let space = ["--no-out", "--arg", "int", "--arg", "int", "--arg", "int", "--args-max", "3"];
    let report = verified(&desk, &[&["old.c", "new.c"], &space[..]].concat(), 0);
    assert_eq!(report["verdict"], "equal");
    // The text of a number is not looked at digit by digit.
    assert!(partitions(&report).len() <= 4, "{report:#}");
}

/// A program that moves its arguments by one place before it looks at the first of them.
fn shifting(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n
        int main(int argc, char **argv)\n{{
            memmove(argv + 1, argv + 2, argc * sizeof *argv - sizeof *argv);
            {body}
            return 0;
        }}\n"
    )
}

#[test]
fn moved_arguments_exist_where_they_came_from() {
    let (old, new) = (
        shifting("puts(argv[1] ? \"two\" : \"fewer\");"),
        shifting("puts(argv[1] || argc > 1 ? \"two\" : \"fewer\");"),
    );
    let desk = Desk::pair(&old, &new);
    let space = ["--no-out", "--arg", "int:0..9", "--arg", "int:0..9", "--args-max", "2"];
    let report = verified(&desk, &[&["old.c", "new.c"], &space[..]].concat(), 1);
    let differs = &report["differs_when"]["condition"];
    assert_eq!(differs, "number of arguments = 1", "{report:#}");
}
