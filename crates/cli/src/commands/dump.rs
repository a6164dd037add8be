//! `ripple dump`: shows the stages between source and execution.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use effects::{Libc, Loader};
use exec::Instrumentation;
use exec::addresses::Addresses;
use exec::lower::lower;

use crate::options::Globals;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ripple dump ir hello.c            the intermediate representation
  ripple dump statements hello.c    one line per statement: id, function, place, instructions
  ripple dump code hello.c          the register form that the machine executes
  ripple dump ir a.c b.c --linked   both files and the parts of the C library they need";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What to show
    stage: Stage,

    /// C files, or LLVM IR as text (.ll)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Show the whole program, linked with the C library, instead of file by file
    #[arg(long)]
    linked: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Stage {
    /// The intermediate representation: types, globals, functions, debug names and lines
    Ir,
    /// One line per statement: id, function, place, instructions
    Statements,
    /// The register form that the machine executes
    Code,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let modules = match args.linked {
        true => vec![loader.load(&args.files)?.module],
        false => loader.modules(&args.files)?,
    };
    let mut text = String::new();
    for module in &modules {
        match args.stage {
            Stage::Ir => ir::print::print(module, &mut text)?,
            Stage::Statements => ir::print::print_statements(module, &mut text)?,
            Stage::Code => print_code(module, &mut text)?,
        }
    }
    output::result(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn print_code(module: &ir::Module, out: &mut String) -> std::fmt::Result {
    let addresses = Addresses::new(module);
    for (id, function) in module.functions.iter() {
        if function.body().is_some() {
            let code = lower(module, &addresses, id, Instrumentation::default());
            writeln!(out, "; {}\n{code}", function.display_name())?;
        }
    }
    Ok(())
}
