//! The seccomp filter that stops a process at some system calls.
//!
//! All other calls, and all calls of 32-bit programs, go on as without it. A process cannot get rid
//! of it, and passes it on to all that it starts.

use std::io;

/// What the kernel calls this machine (`linux/audit.h`).
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

/// A filter in the form that the kernel takes.
pub(super) struct Filter(Vec<libc::sock_filter>);

impl Filter {
    /// Stops at these calls; at most as many as a jump can skip.
    pub fn stopping_at(calls: &[i64]) -> Filter {
        let statement =
            |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
        let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
        let equal = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        let count = u8::try_from(calls.len()).unwrap_or(u8::MAX - 2).min(u8::MAX - 2);
        let mut program = vec![
            statement(load, ARCHITECTURE),
            // Behind the tests of the calls: go on.
            libc::sock_filter { code: equal, jt: 0, jf: count + 1, k: AUDIT_ARCH_X86_64 },
            statement(load, NUMBER),
        ];
        for (at, &call) in (0..count).zip(calls) {
            let number = u32::try_from(call).unwrap_or(u32::MAX);
            program.push(libc::sock_filter { code: equal, jt: count - at, jf: 0, k: number });
        }
        let answer = libc::BPF_RET | libc::BPF_K;
        program.push(statement(answer, libc::SECCOMP_RET_ALLOW));
        program.push(statement(answer, libc::SECCOMP_RET_TRACE));
        Filter(program)
    }

    /// Installs it in this process for good. Makes system calls only, so that a process that was
    /// just forked can call it.
    #[allow(unsafe_code)]
    pub fn install(&self) -> io::Result<()> {
        let program =
            libc::sock_fprog { len: self.0.len() as u16, filter: self.0.as_ptr().cast_mut() };
        let install = || {
            // SAFETY: the kernel reads the program, whose length is right, and keeps a copy.
            unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) == 0 }
        };
        if install() {
            return Ok(());
        }
        // Without the rights of an administrator, the process must give up on ever getting them.
        // SAFETY: the call takes numbers.
        let given_up = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 };
        if given_up && install() { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}
