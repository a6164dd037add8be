//! What tests of all crates share. Nothing that users get is built from it.

/// The variable that makes a test fail where it would be skipped; `./check` sets it.
pub const REQUIRE_ALL: &str = "RIPPLE_TESTS_REQUIRE_ALL";

/// Says that a test, or a part of one, is skipped because this machine lacks something. Where
/// everything is required, that is a failure.
#[allow(clippy::print_stdout)] // A test says why nothing was tested.
pub fn skip(lacks: impl std::fmt::Display) {
    assert!(
        std::env::var_os(REQUIRE_ALL).is_none_or(|value| value.is_empty()),
        "{lacks}, and {REQUIRE_ALL} is set"
    );
    println!("skipped: {lacks}");
}

/// Whether there is a git to make histories with; says so where there is none.
pub fn has_git() -> bool {
    let has_git = std::process::Command::new("git").arg("--version").output().is_ok();
    if !has_git {
        skip("there is no git");
    }
    has_git
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process::Command;

    /// Of the test below, in a process of its own: environment variables are for all threads.
    const CHILD: &str = "RIPPLE_TESTING_SKIPS";

    #[test]
    fn a_skip_is_a_failure_where_everything_is_required() {
        if env::var_os(CHILD).is_some() {
            return super::skip("there is no such thing");
        }
        let test = "tests::a_skip_is_a_failure_where_everything_is_required";
        for (value, succeeds) in [(None, true), (Some(""), true), (Some("1"), false)] {
            let mut child = Command::new(env::current_exe().expect("the tests have a file"));
            child.args(["--exact", test]).env(CHILD, "1").env_remove(super::REQUIRE_ALL);
            child.envs(value.map(|value| (super::REQUIRE_ALL, value)));
            let output = child.output().expect("the tests can be started");
            assert_eq!(output.status.success(), succeeds, "{value:?}: {output:?}");
        }
    }
}
