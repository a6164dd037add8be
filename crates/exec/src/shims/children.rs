//! Other processes: there are none, and none can be created.

use super::answer::{self, fail, fail_null};
use super::{Arguments, Group, ShimResult, int};
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("fork", no_process),
    ("__fork", no_process),
    ("vfork", no_process),
    ("_Fork", no_process),
    ("clone", no_process),
    ("daemon", no_process),
    ("forkpty", no_process),
    ("execl", no_program),
    ("execle", no_program),
    ("execlp", no_program),
    ("execv", no_program),
    ("execve", no_program),
    ("execvp", no_program),
    ("execvpe", no_program),
    ("fexecve", no_program),
    ("posix_spawn", |_, _| int(Errno::ENOENT.0)),
    ("posix_spawnp", |_, _| int(Errno::ENOENT.0)),
    ("posix_spawn_file_actions_init", |state, args| cleared(state, args, 80)),
    ("posix_spawn_file_actions_destroy", |_, _| int(0)),
    ("posix_spawn_file_actions_addclose", |_, _| int(0)),
    ("posix_spawn_file_actions_adddup2", |_, _| int(0)),
    ("posix_spawn_file_actions_addopen", |_, _| int(0)),
    ("posix_spawnattr_init", |state, args| cleared(state, args, 336)),
    ("posix_spawnattr_destroy", |_, _| int(0)),
    ("posix_spawnattr_setflags", |_, _| int(0)),
    ("posix_spawnattr_setpgroup", |_, _| int(0)),
    ("posix_spawnattr_setsigdefault", |_, _| int(0)),
    ("posix_spawnattr_setsigmask", |_, _| int(0)),
    ("popen", |state, _| fail_null(state, Errno::EAGAIN)),
    ("pclose", no_child),
    ("system", system),
    ("wait", no_child),
    ("wait3", no_child),
    ("wait4", no_child),
    ("waitpid", no_child),
    ("__waitpid", no_child),
    ("waitid", no_child),
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
