//! `ripple dump`: prints an intermediate form of a program.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;
use effects::{Libc, Loader};
use exec::Instrumentation;
use exec::addresses::Addresses;
use exec::lower::lower;

use crate::commands::graphs::{self, Format, Graph};
use crate::output;
use crate::setup::Globals;

const EXAMPLES: &str = "\
Examples:
  ripple dump ir hello.c            the intermediate representation
  ripple dump statements hello.c    one line per statement: id, function, place, instructions
  ripple dump code hello.c          the register form that the machine executes
  ripple dump ir a.c b.c --linked   both files and the parts of the C library they need
  ripple dump cfg sort.c            the control-flow graph of each function
  ripple dump pdg sort.c --function swap --format svg > swap.svg
                                    the dependences in a function, as a picture
  ripple dump callgraph a.c b.c --format dot | dot -Tpdf > calls.pdf";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Form to print
    stage: Stage,

    /// C files, or LLVM IR as text (.ll)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print the whole program, linked with the C library, instead of file by file
    #[arg(long)]
    linked: bool,

    /// Print the graphs of this function only; repeatable
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,

    /// Output format of a graph
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Print post-dominators instead of dominators
    #[arg(long)]
    post: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Stage {
    /// The intermediate representation: types, globals, functions, debug names and lines
    Ir,
    /// One line per statement: id, function, place, instructions
    Statements,
    /// The register form that the machine executes
    Code,
    /// The control-flow graph of each function
    Cfg,
    /// The call graph, including calls through pointers
    Callgraph,
    /// The program dependence graph of each function
    Pdg,
    /// The system dependence graph: dependences across functions
    Sdg,
    /// The dominator tree of each function
    Domtree,
}

impl Stage {
    /// Graphs are of the whole program.
    fn graph(self) -> Option<Graph> {
        match self {
            Stage::Ir | Stage::Statements | Stage::Code => None,
            Stage::Cfg => Some(Graph::Cfg),
            Stage::Callgraph => Some(Graph::Calls),
            Stage::Pdg => Some(Graph::Pdg),
            Stage::Sdg => Some(Graph::Sdg),
            Stage::Domtree => Some(Graph::Dominators),
        }
    }
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    if let Some(graph) = args.stage.graph() {
        let graph = if args.post { graph.reversed()? } else { graph };
        let module = loader.load(&args.files)?.module;
        let text = graphs::show(&module, graph, args.format, &args.function)?;
        output::result(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.post || args.format != Format::Text || !args.function.is_empty() {
        bail!("`--function`, `--format` and `--post` apply to graphs only");
    }
    let modules = if args.linked {
        vec![loader.load(&args.files)?.module]
    } else {
        loader.modules(&args.files)?
    };
    let mut text = String::new();
    for module in &modules {
        match args.stage {
            Stage::Statements => ir::print::print_statements(module, &mut text)?,
            Stage::Code => print_code(module, &mut text)?,
            // Graphs are printed above.
            _ => ir::print::print(module, &mut text)?,
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
