//! A stopped process: what it was started with, and its memory, as `/proc` shows them.
//!
//! Read on demand, because most watchers want the arguments of few programs only. A process that
//! is killed meanwhile has empty ones.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use libc::pid_t;

/// A process of the command. Unlike the numbers of the kernel, ids are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessId(pub(super) u32);

/// The longest text that is read from a process.
const MOST_TEXT: usize = 1 << 16;
/// How much of a text is read at once: up to the end of a page, which may be the last one.
const PAGE: u64 = 4096;

/// A process while it is stopped.
#[derive(Debug)]
pub struct Process<'a> {
    pub id: ProcessId,
    /// `None` for the command itself, and if the parent ended before it could be asked for.
    pub parent: Option<ProcessId>,
    pub(super) pid: pid_t,
    pub(super) _stopped: std::marker::PhantomData<&'a ()>,
}

impl Process<'_> {
    /// The number that the kernel knows it by.
    pub fn number(&self) -> i32 {
        self.pid
    }

    /// The executed file, without symbolic links. Of a script, its interpreter.
    pub fn program(&self) -> PathBuf {
        fs::read_link(self.place("exe")).unwrap_or_default()
    }

    /// With the name of the program first.
    pub fn arguments(&self) -> Vec<OsString> {
        self.list("cmdline")
    }

    /// Texts `NAME=VALUE`.
    pub fn environment(&self) -> Vec<OsString> {
        self.list("environ")
    }

    /// The working directory.
    pub fn directory(&self) -> PathBuf {
        fs::read_link(self.place("cwd")).unwrap_or_default()
    }

    /// What a descriptor of the process refers to.
    pub fn descriptor(&self, number: i32) -> Option<PathBuf> {
        fs::read_link(self.place(&format!("fd/{number}"))).ok()
    }

    /// Bytes at an address, up to a terminating zero.
    pub fn text(&self, address: u64) -> Option<OsString> {
        let memory = File::open(self.place("mem")).ok()?;
        let mut text = Vec::new();
        let mut at = address;
        while text.len() < MOST_TEXT {
            let mut buffer = [0; PAGE as usize];
            let wanted = (PAGE - at % PAGE) as usize;
            let count =
                memory.read_at(&mut buffer[..wanted], at).ok().filter(|&count| count > 0)?;
            if let Some(end) = buffer[..count].iter().position(|&byte| byte == 0) {
                text.extend_from_slice(&buffer[..end]);
                return Some(OsString::from_vec(text));
            }
            text.extend_from_slice(&buffer[..count]);
            at += count as u64;
        }
        None
    }

    /// This many bytes at an address, or fewer if the memory ends before.
    pub fn bytes(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let memory = File::open(self.place("mem"));
        let mut filled = 0;
        while let Ok(memory) = &memory
            && filled < length
            && let Ok(count) = memory.read_at(&mut bytes[filled..], address + filled as u64)
            && count > 0
        {
            filled += count;
        }
        bytes.truncate(filled);
        bytes
    }

    /// Opens the file behind a descriptor once more, for reading, with a position of its own.
    pub fn reopen(&self, number: i32) -> io::Result<File> {
        File::open(self.place(&format!("fd/{number}")))
    }

    /// The same for regular files only, with the position of the descriptor.
    pub fn reopen_if_file(&self, number: i32) -> Option<(File, u64)> {
        let is_file = fs::metadata(self.place(&format!("fd/{number}"))).ok()?.is_file();
        let file = is_file.then(|| self.reopen(number).ok()).flatten()?;
        Some((file, self.position(number)?))
    }

    /// Where the next read or write of a descriptor begins.
    pub fn position(&self, number: i32) -> Option<u64> {
        let text = fs::read_to_string(self.place(&format!("fdinfo/{number}"))).ok()?;
        text.lines().find_map(|line| line.strip_prefix("pos:"))?.trim().parse().ok()
    }

    fn list(&self, name: &str) -> Vec<OsString> {
        let bytes = fs::read(self.place(name)).unwrap_or_default();
        let Some((_, texts)) = bytes.split_last() else { return Vec::new() };
        texts.split(|&byte| byte == 0).map(|text| OsString::from_vec(text.to_vec())).collect()
    }

    fn place(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.pid)
    }
}

/// The process of a task and that process's parent, as the kernel numbers them.
pub(super) fn family(task: pid_t) -> Option<(pid_t, pid_t)> {
    let status = fs::read_to_string(format!("/proc/{task}/status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    Some((field("Tgid:")?, field("PPid:")?))
}
