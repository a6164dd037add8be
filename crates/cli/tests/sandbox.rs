//! Where native programs cannot be confined, they are not run, and the user reads why.
//!
//! A launcher in C forbids system calls as a kernel or a container without them does.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::process::Command;

use testkit::desk::{Desk, Said, said};

/// Starts a command whose system calls of one number fail.
const LAUNCHER: &str = r#"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, atoi(argv[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | atoi(argv[2])),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {4, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 99;
    execv(argv[3], argv + 3);
    return 98;
}
"#;

/// `landlock_create_ruleset` with ENOSYS, the same with EOPNOTSUPP as where it is switched off, and
/// `seccomp` with EPERM as in a strict container.
const LACKING: [(&str, &str, &str); 3] =
    [("444", "38", "landlock"), ("444", "95", "landlock"), ("317", "1", "seccomp")];

fn desk() -> Option<Desk> {
    let desk = Desk::pair(
        "#include <stdlib.h>\nint main(int n, char **v) { return atoi(v[1]) > 3; }\n",
        "#include <stdlib.h>\nint main(int n, char **v) { return atoi(v[1]) > 4; }\n",
    );
    desk.write(&[("launcher.c", LAUNCHER)]);
    let mut clang = Command::new("clang");
    clang.args(["-w", "launcher.c", "-o", "launcher"]).current_dir(desk.path());
    if !clang.status().is_ok_and(|status| status.success()) {
        testkit::skip("no clang builds the launcher");
        return None;
    }
    Some(desk)
}

fn launched(desk: &Desk, lacking: (&str, &str, &str), args: &[&str]) -> Said {
    let ripple = desk.ripple(args);
    let mut command = Command::new(desk.path().join("launcher"));
    command.args([lacking.0, lacking.1]).arg(ripple.get_program()).args(ripple.get_args());
    command.envs(ripple.get_envs().filter_map(|(name, value)| Some((name, value?))));
    said(command.current_dir(desk.path()))
}

const COMPARE: [&str; 7] = ["compare", "old.c", "new.c", "--arg", "int:0..9", "--budget", "5s"];

#[test]
fn where_a_protection_is_missing_nothing_runs_natively() {
    let Some(desk) = desk() else { return };
    for lacking in LACKING {
        let refused = launched(&desk, lacking, &COMPARE);
        assert_eq!(refused.code, 2, "{}{}", refused.out, refused.err);
        let lines: Vec<&str> = refused.err.lines().collect();
        let said = lines.last().unwrap();
        assert!(said.contains("native programs would run unprotected"), "{said}");
        assert!(said.contains(lacking.2) && said.contains("--no-sandbox"), "{said}");
        let doctor = launched(&desk, lacking, &["doctor"]);
        assert_eq!(doctor.code, 2, "{}", doctor.out);
        let line = doctor.out.lines().find(|line| line.starts_with("sandbox")).unwrap();
        assert!(line.contains("MISSING") && line.contains(lacking.2), "{line}");
        assert!(doctor.out.contains("  writes      NOT PROTECTED\n"), "{}", doctor.out);
    }
}

#[test]
fn the_user_can_do_without_protections() {
    let Some(desk) = desk() else { return };
    let args: Vec<&str> = COMPARE.iter().copied().chain(["--no-sandbox"]).collect();
    let compared = launched(&desk, LACKING[0], &args);
    assert_eq!(compared.code, 1, "{}{}", compared.out, compared.err);
    let doctor = launched(&desk, LACKING[0], &["doctor", "--no-sandbox"]);
    assert!(doctor.out.contains("sandbox       OFF: --no-sandbox\n"), "{}", doctor.out);
}

#[test]
fn doctor_says_which_protections_hold() {
    let Some(desk) = desk() else { return };
    let doctor = said(&mut desk.ripple(&["doctor"]));
    let Some(line) = doctor.out.lines().find(|line| line.starts_with("sandbox")) else {
        panic!("{}", doctor.out)
    };
    if line.contains("MISSING") {
        return testkit::leave_out("programs cannot be confined here");
    }
    for protection in ["writes", "reads", "network", "processes", "limits"] {
        assert!(doctor.out.contains(&format!("\n  {protection:<12}")), "{}", doctor.out);
    }
}
