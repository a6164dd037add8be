//! `ripple run`: runs a program on the machine, with the output and exit status of the program.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use effects::{Libc, Loader};
use exec::{Input, Instrumentation, Limits, Machine, Observer, Program, Stop};

use crate::programs::ProgramFlag;
use crate::setup::Globals;
use crate::single::Named;
use crate::{exit, fault, files, output};

const EXAMPLES: &str = "\
Examples:
  ripple run hello.c
  ripple run sort.c -- 3 1 2
  ripple run wc.c --stdin text.txt -- -l
  ripple run main.c util.c --cflags '-DDEBUG -Iinclude' --file in.txt=data/in.txt -- in.txt
  ripple run loop.c --max-steps 1000000 --stats
  ripple run src/ --program sort -- 3 1 2
  ripple run HEAD~1 --program sort -- 3 1 2

Standard output, standard error and the exit status are those of the program. After a fault, the
exit status is 128 + the signal that would kill the native program; after an unsupported operation
or at a bound, it is 3.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// C files, or LLVM IR as text (.ll); or a directory or git revision
    #[arg(required_unless_present = "list_libc", value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    program: ProgramFlag,

    /// Arguments of the program, after `--`
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,

    /// Standard input of the program; `-` is that of ripple [default: empty]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,

    /// Give the program a file NAME with the contents of PATH; repeatable
    #[arg(long = "file", value_name = "NAME=PATH")]
    input_files: Vec<OsString>,

    /// Set an environment variable of the program; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<OsString>,

    /// Clock at the start, in seconds since 1970 [default: a fixed time]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time: Option<i64>,

    /// Directory for the files that the program writes; created if missing
    #[arg(long, value_name = "DIR")]
    save_files: Option<PathBuf>,

    /// Treat reads of uninitialised memory as faults
    #[arg(long)]
    strict: bool,

    /// Print the instruction count and speed to standard error
    #[arg(long)]
    stats: bool,

    /// Print every executed statement to standard error
    #[arg(long)]
    trace_statements: bool,

    /// Maximum number of instructions
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: u64,

    /// Maximum memory
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().memory)]
    max_memory: u64,

    /// Maximum output
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().output)]
    max_output: u64,

    /// Maximum call depth
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    max_depth: u32,

    /// List the library functions that programs may call, and exit
    #[arg(long)]
    list_libc: bool,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    if args.list_libc {
        return list_libc();
    }
    let compiler = globals.compiler()?;
    // Strict runs and traces also look inside the library.
    let libc = if args.strict || args.trace_statements { Libc::Open } else { Libc::Quick };
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc };
    let instrumentation = Instrumentation { statements: args.trace_statements };
    let named = Named::of(&args.files, &args.program, None, &loader, globals)?;
    let input = input(args, named.name(&args.files, &args.program))?;
    let (files, compiler) = named.parts(&loader);
    let loader = Loader { compiler: &compiler, ..loader };
    let program = loader.program(&files, instrumentation)?;
    if args.trace_statements {
        execute(&program, &input, args, Tracer { program: &program })
    } else {
        execute(&program, &input, args, Shower)
    }
    .map(|stop| finish(&program, &stop, globals))
}

fn execute<O: Observer>(
    program: &Program,
    input: &Input,
    args: &Args,
    observer: O,
) -> anyhow::Result<Stop> {
    let limits = Limits {
        steps: args.max_steps,
        memory: args.max_memory,
        output: args.max_output,
        depth: args.max_depth,
    };
    let start = Instant::now();
    let mut machine = match Machine::new(program, input, limits, observer) {
        Ok(machine) => machine,
        Err(stop) => return Ok(stop),
    };
    machine.state.memory.strict = args.strict;
    let stop = machine.run();
    let seconds = start.elapsed().as_secs_f64();
    if let Some(directory) = &args.save_files {
        files::save(&machine.state.process.vfs.changes(), directory)?;
    }
    if args.stats {
        print_stats(machine.state.steps, seconds);
    }
    let undefined = machine.state.memory.undefined_reads + machine.state.undefined_slots;
    if undefined > 0 && args.stats {
        output::note(&format!("reads of uninitialised memory: {undefined}"));
    }
    Ok(stop)
}

/// Explains an abnormal end, and gives the exit status.
fn finish(program: &Program, stop: &Stop, globals: &Globals) -> ExitCode {
    if !globals.quiet
        && let Some(text) = fault::describe(program, stop)
    {
        output::note(&text);
    }
    match stop.status() {
        Some(status) => ExitCode::from(status as u8),
        None => ExitCode::from(exit::INCONCLUSIVE),
    }
}

fn print_stats(steps: u64, seconds: f64) {
    let rate = steps as f64 / seconds.max(1e-9) / 1e6;
    output::note(&format!("{steps} instructions in {seconds:.3} s, {rate:.1} million per second"));
}

fn input(args: &Args, name: Option<OsString>) -> anyhow::Result<Input> {
    let words = name.iter().chain(&args.args);
    Ok(Input {
        args: words.map(|word| word.as_encoded_bytes().to_vec()).collect(),
        stdin: files::stdin(args.stdin.as_deref())?,
        files: files::given(&args.input_files)?,
        env: files::environment(&args.env)?,
        time: args.time,
        ..Input::default()
    })
}

fn list_libc() -> anyhow::Result<ExitCode> {
    let members = exec::runtime::members().iter().flat_map(|member| member.symbols);
    let mut names: Vec<&str> = exec::shims::names().chain(members.copied()).collect();
    names.sort_unstable();
    names.dedup();
    output::result(format!("{}\n", names.join("\n")).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Passes output on as it is written.
struct Shower;

impl Observer for Shower {
    const OUTPUT: bool = true;

    fn output(&mut self, descriptor: i32, bytes: &[u8]) {
        output::pass_on(descriptor, bytes);
    }
}

/// Prints statements as they are executed.
struct Tracer<'p> {
    program: &'p Program,
}

impl Observer for Tracer<'_> {
    const STATEMENTS: bool = true;
    const OUTPUT: bool = true;

    fn output(&mut self, descriptor: i32, bytes: &[u8]) {
        output::pass_on(descriptor, bytes);
    }

    fn statement(&mut self, statement: ir::StatementId) {
        let data = &self.program.module.statements[statement];
        let function = self.program.module.functions[data.function].display_name();
        let place = fault::place(&self.program.module, data.span);
        output::note(&format!("{statement} {place} {function}"));
    }
}
