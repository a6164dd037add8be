//! Test support: compiles a C driver with the host's compiler and feeds it a byte stream.
//!
//! Tests compare the engines with the host's C library. Without a compiler, or with another C
//! library, the comparison is skipped with a message.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs a driver on some input; `None` if the host cannot serve as the reference.
pub fn run(name: &str, source: &str, input: &[u8]) -> Option<Vec<u8>> {
    Driver::compile(name, source).map(|driver| driver.run(input))
}

/// A compiled driver in a directory of its own, which is removed with it.
pub struct Driver {
    directory: PathBuf,
    program: PathBuf,
    runs: AtomicU32,
}

impl Driver {
    /// `None` if the host cannot serve as the reference.
    pub fn compile(name: &str, source: &str) -> Option<Driver> {
        // Tests of one process run side by side, so each gets a directory of its own.
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let serial = COUNTER.fetch_add(1, Ordering::Relaxed);
        let directory =
            std::env::temp_dir().join(format!("ripple-libc-{}-{serial}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let program = compile(&directory, source);
        if program.is_none() {
            testkit::skip(format!("no C compiler with glibc found for {name}"));
            std::fs::remove_dir_all(&directory).unwrap();
        }
        program.map(|program| Driver { directory, program, runs: AtomicU32::new(0) })
    }

    /// Runs it in a fresh empty directory.
    pub fn run(&self, input: &[u8]) -> Vec<u8> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let empty = self.directory.join(format!("run{run}"));
        std::fs::create_dir_all(&empty).unwrap();
        feed(&self.program, &empty, input)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A directory left behind does no harm.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn compile(directory: &std::path::Path, source: &str) -> Option<PathBuf> {
    let file = directory.join("driver.c");
    let program = directory.join("driver");
    std::fs::write(&file, source).unwrap();
    ["cc", "clang", "gcc", "clang-19", "clang-16", "clang-14"]
        .into_iter()
        .find(|compiler| {
            Command::new(compiler)
                .args(["-w", "-O1", "-fno-builtin", "-o"])
                .arg(&program)
                .arg(&file)
                .arg("-lm")
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        })
        .map(|_| program)
}

fn feed(program: &std::path::Path, directory: &std::path::Path, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .current_dir(directory)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "driver ended with {}", output.status);
    output.stdout
}
