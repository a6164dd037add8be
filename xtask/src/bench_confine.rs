//! `cargo xtask bench confine`: what confining a native program costs, in one run side by side with
//! unconfined runs.
//!
//! A program that does nothing runs a thousand times each way, in turns. The bar is for the
//! difference of the medians.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use source::{Confinement, Invocation, Limits, NativeProgram, SourceText, run_native};
use testkit::bench_compiler;

const RUNS: usize = 1000;
const BAR: Duration = Duration::from_millis(1);

pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let build = |confinement| -> anyhow::Result<NativeProgram> {
        let mut compiler = bench_compiler(root)?;
        compiler.confinement = confinement;
        let text = SourceText { name: "nothing.c", text: "int main(void) { return 0; }" };
        let none: [PathBuf; 0] = [];
        let built = compiler.build_native_with_text(text, Path::new("nothing.c"), &none, &[], None);
        built.context("cannot build a program")
    };
    let programs = [build(Confinement::Unconfined)?, build(Confinement::Confined)?];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        for (program, times) in programs.iter().zip(&mut times) {
            let start = Instant::now();
            run_native(program, &Invocation::default(), &Limits::default())?;
            times.push(start.elapsed());
        }
    }
    let [unconfined, confined] = times.map(|mut times| {
        times.sort_unstable();
        times[RUNS / 2]
    });
    let cost = confined.saturating_sub(unconfined);
    println!("median of {RUNS} runs: unconfined {unconfined:?}, confined {confined:?}");
    println!("confining costs {cost:?} a run (bar: {BAR:?})");
    Ok(if cost < BAR { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
