//! Old dialects of C: code that clang rejects by default and that GCC compiles with a warning.
//!
//! Clang names the warning behind such an error, and the flag that downgrades it. A rejected file
//! is compiled once more with these flags. Errors that the user requested with `-Werror` stay
//! errors, and so does everything that GCC does not merely warn about.

/// Warnings that some version of clang treats as errors and GCC (up to 13) does not.
const TOLERATED: [&str; 8] = [
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
    "incompatible-function-pointer-types",
    "return-type",
    "return-mismatch",
    "deprecated-non-prototype",
];

/// Clang's message about `void main` if the flags ask for a strict standard.
const MAIN_RETURNS_NO_INT: &str = "error: 'main' must return 'int'";

/// Flags that may make a rejected file compile, derived from the diagnostics: those that `flags`
/// lacks. Nothing if the errors are not due to a dialect.
pub(crate) fn remedies(said: &str, flags: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in said.lines().filter(|line| line.contains(" error: ")) {
        let name = line.strip_suffix(']').and_then(|line| line.rsplit_once(" [-W"));
        let tolerated = name.filter(|(_, name)| TOLERATED.contains(name));
        let warning = tolerated.filter(|(_, name)| !is_wanted(name, flags));
        let standard = line.contains(MAIN_RETURNS_NO_INT).then(|| lax_standard(flags)).flatten();
        found.extend(warning.map(|(_, name)| format!("-Wno-error={name}")).or(standard));
    }
    found.sort();
    found.dedup();
    found.retain(|flag| !flags.contains(flag));
    found
}

/// Whether the user asked for the error.
fn is_wanted(name: &str, flags: &[String]) -> bool {
    flags.iter().any(|flag| match flag.strip_prefix("-Werror") {
        Some(rest) => rest.is_empty() || rest.strip_prefix('=') == Some(name),
        None => flag == "-pedantic-errors",
    })
}

/// The flag for the user's standard with GNU extensions.
fn lax_standard(flags: &[String]) -> Option<String> {
    flags.iter().rev().find_map(|flag| match flag.strip_prefix("-std=c") {
        Some(year) => Some(format!("-std=gnu{year}")),
        None => (flag == "-ansi").then(|| "-std=gnu89".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, flags: &[&str], wanted: &[&str]) {
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        assert_eq!(remedies(said, &flags), wanted, "{said}");
    }

    const UNDECLARED: &str = "a.c:1:2: error: call to undeclared function 'f'; ISO C99 and later \
        do not support implicit function declarations [-Wimplicit-function-declaration]\n";

    #[test]
    fn errors_that_are_warnings_elsewhere_have_a_remedy() {
        let flag = "-Wno-error=implicit-function-declaration";
        check(UNDECLARED, &["-Wall"], &[flag]);
        check(&UNDECLARED.repeat(2), &[], &[flag]);
        check(UNDECLARED, &[flag], &[]);
        let main = "a.c:1:1: error: 'main' must return 'int'\n";
        check(main, &["-std=c99"], &["-std=gnu99"]);
        check(main, &["-ansi"], &["-std=gnu89"]);
    }

    #[test]
    fn genuine_errors_and_those_that_the_user_wants_have_none() {
        check("a.c:1:2: error: use of undeclared identifier 'x'\n", &[], &[]);
        check("a.c:1:2: error: unused variable 'x' [-Werror,-Wunused-variable]\n", &[], &[]);
        for wanted in ["-Werror", "-Werror=implicit-function-declaration", "-pedantic-errors"] {
            check(UNDECLARED, &[wanted], &[]);
        }
    }
}
