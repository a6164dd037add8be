//! Other processes: there are none, and none can be created.

use super::answer::{self, fail, fail_null};
use super::{Arguments, Group, ShimResult, int};
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("fork __fork vfork _Fork clone daemon forkpty", no_process),
    ("execl execle execlp execv execve execvp execvpe fexecve", no_program),
    ("posix_spawn posix_spawnp", |_, _| int(Errno::ENOENT.0)),
    ("posix_spawn_file_actions_init", |state, args| cleared(state, args, 80)),
    (
        "posix_spawn_file_actions_destroy posix_spawn_file_actions_addclose \
         posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addopen \
         posix_spawnattr_destroy posix_spawnattr_setflags posix_spawnattr_setpgroup \
         posix_spawnattr_setsigdefault posix_spawnattr_setsigmask",
        |_, _| int(0),
    ),
    ("posix_spawnattr_init", |state, args| cleared(state, args, 336)),
    ("popen", |state, _| fail_null(state, Errno::EAGAIN)),
    ("pclose wait wait3 wait4 waitpid __waitpid waitid", no_child),
    ("system", system),
];

fn no_process(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    fail(state, Errno::EAGAIN)
}

fn no_program(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    fail(state, Errno::ENOENT)
}

fn no_child(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    fail(state, Errno::ECHILD)
}

/// Without a command the result says whether there is a shell. With one it is that of a shell that
/// could not be started.
fn system(_: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.word(0) {
        0 => int(0),
        _ => int(127 << 8),
    }
}

fn cleared(state: &mut State, args: &Arguments<'_>, size: u64) -> ShimResult {
    state.memory.fill(args.word(0), 0, size)?;
    answer::nothing()
}
