//! `cargo xtask COMMAND`: chores of the workspace that are programs of their own.
//!
//! One file and one arm per command. Nothing here is part of what users install.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Printing is what these programs are for.

mod agree;
mod bench;
mod bench_adequacy;
mod bench_compare;
mod bench_complexity;
mod bench_confine;
mod bench_explore;
mod bench_graphs;
mod bench_large;
mod bench_search;
mod bench_solver;
mod bench_verdict;
mod bench_verify;
mod conform;
mod fuzz;
mod read;
mod slices;
mod soak;
mod soak_adequacy;
mod soak_compare;
mod soak_explore;
mod soak_exported;
mod soak_projects;
mod soak_verify;
mod solvers;
mod tidy;
mod tool;
mod truth;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, iter};

/// Counts for `fuzz`; otherwise it is the plain system allocator.
#[global_allocator]
static ALLOCATOR: fuzz::Counting = fuzz::Counting;

const USAGE: &str = "\
Usage: cargo xtask COMMAND [OPTIONS]

Commands:
  agree   put generated questions to our solver and to z3 and cvc5
  conform run programs on the machine and natively, and compare
  bench   measure speed: bench run (beside native code), bench solver, explore, compare,
          search, verdict, verify, complexity or graphs
  fuzz    try mutated texts: fuzz read, fuzz run
  read    read the LLVM IR of real code by every compiler at hand
  slices  change values of programs at run time, and compare what they reach with slices
  soak    all of these but bench with large numbers, or only the parts that are named
  tidy    check the rules of the source tree: dependencies, file headers, sizes, links";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (command, options) = match arguments.split_first() {
        Some((command, options)) => (command.as_str(), options),
        None => ("--help", &[][..]),
    };
    let root = root();
    let result = match command {
        "agree" => agree::run(options),
        "bench" => bench::run(&root, options),
        "conform" => conform::run(&root, options),
        "fuzz" => fuzz::run(&root, options),
        "read" => read::run(&root, options),
        "slices" => slices::run(&root, options),
        "soak" => soak::run(&root, options),
        "tidy" => tidy::run(&root, options),
        "-h" | "--help" | "help" => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        other => Err(anyhow::anyhow!("there is no command `{other}`\n\n{USAGE}")),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// The workspace: the directory above this crate, or the nearest one with a lock file.
fn root() -> PathBuf {
    if let Some(manifest) = env::var_os("CARGO_MANIFEST_DIR") {
        let crate_directory = PathBuf::from(manifest);
        return crate_directory.join("..").canonicalize().unwrap_or(crate_directory);
    }
    let here = env::current_dir().unwrap_or_default();
    let mut upward = iter::successors(Some(here.as_path()), |path| path.parent());
    let found = upward.find(|path| path.join("Cargo.lock").is_file());
    found.unwrap_or(Path::new(".")).to_owned()
}
