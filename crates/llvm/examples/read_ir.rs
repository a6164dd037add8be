//! Reads files of LLVM IR and says what was not understood, and how fast it went.
//!
//! `cargo run --release -p ripple-llvm --example read_ir -- [--verify] FILE.ll…`
#![allow(clippy::print_stdout)]

use std::time::Instant;

fn main() {
    let (mut bytes, mut seconds, mut problems) = (0, 0.0, 0);
    let verify = std::env::args().any(|argument| argument == "--verify");
    for path in std::env::args().skip(1).filter(|argument| argument != "--verify") {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let read = ripple_llvm::read(&path, &text);
        seconds += start.elapsed().as_secs_f64();
        bytes += text.len();
        match read {
            Ok(read) => {
                problems += read.problems.len();
                for problem in read.problems {
                    println!("{path}:{}: {}", problem.line, problem.reason);
                }
                if verify {
                    for violation in ir::verify(&read.module) {
                        problems += 1;
                        println!("{path}: {violation}");
                    }
                }
            }
            Err(error) => {
                problems += 1;
                println!("{path}: {error}");
            }
        }
    }
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{megabytes:.1} MB in {:.1} ms, {:.0} MB/s, {problems} problems",
        seconds * 1e3,
        megabytes / seconds
    );
}
