//! Runs a text to its end.

use std::collections::BTreeMap;
use std::path::Path;

use exec::observer::At;
use exec::stop::{Bound, Stop};
use exec::{
    Input, Instrumentation, Limits, Machine, Observer, Program, Unobserved, runtime, shims,
};
use ir::link::LinkError;
use ir::{FuncId, InstId, Module, StatementId};
use source::{Cache, Compiler};
use testkit::compiler_at;

use super::super::allocation::measured;
use super::super::corpus::Corpus;
use super::super::random::{Random, for_case};
use super::super::watch;
use super::{Outcome, Wrong, bounded, input, wrong};

const LIMITS: Limits =
    Limits { steps: 2_000_000, memory: 64 << 20, output: 1 << 20, depth: 10_000 };
/// Bytes and their flags, copies of both while they are moved, and some slack.
const RUN_BASIS: usize = 512 << 20;
const RUN_FACTOR: usize = 400;

pub struct Runner {
    compiler: Compiler,
    members: BTreeMap<&'static str, Module>,
}

impl Runner {
    pub fn new(root: &Path) -> anyhow::Result<Runner> {
        let compiler = compiler_at(Cache::at(Corpus::place(root).join("runtime")), root)?;
        Ok(Runner { compiler, members: BTreeMap::new() })
    }

    pub fn check(&mut self, text: &[u8], seed: u64) -> Result<Outcome, Wrong> {
        let mut random = for_case(seed, 1);
        let (outcome, peak) = measured(|| self.run(text, &mut random));
        bounded(peak, RUN_FACTOR * text.len() + RUN_BASIS)?;
        outcome
    }

    fn run(&mut self, text: &[u8], random: &mut Random) -> Result<Outcome, Wrong> {
        let Ok(read) = llvm::read("fuzz.ll", text) else { return Ok("refused".to_owned()) };
        if !ir::verify(&read.module).is_empty() {
            return Ok("invalid".to_owned());
        }
        let quick = !random.one_in(6);
        let linked = ir::link::link_with_archive(vec![read.module], |name| {
            self.member(name, quick).map(Ok::<Module, LinkError>)
        });
        let Ok(module) = linked else { return Ok("does not link".to_owned()) };
        let instrumentation = Instrumentation { statements: random.one_in(3) };
        let program = match Program::bounded(module, "main", instrumentation, LIMITS.memory) {
            Ok(program) => program,
            Err(_) => return Ok("no program".to_owned()),
        };
        let input = input::input(random);
        match random.below(8) {
            0 => sliced(&program, &input, random),
            1 | 2 => {
                let run = observed(&program, &input);
                Ok(name(&run))
            }
            _ => Ok(name(&plain(&program, &input))),
        }
    }

    /// The member of the C runtime that defines a name, unless the machine provides it.
    fn member(&mut self, name: &str, quick: bool) -> Option<Module> {
        if let Some(shim) = shims::find(name)
            && (!shims::get(shim).has_twin || quick)
        {
            return None;
        }
        let member = runtime::member_defining(name)?;
        if !self.members.contains_key(member.name) {
            let module = watch::paused(|| self.compile(member))?;
            self.members.insert(member.name, module);
        }
        self.members.get(member.name).cloned()
    }

    fn compile(&self, member: &runtime::Member) -> Option<Module> {
        let flags: Vec<String> = runtime::CFLAGS.iter().map(|&flag| flag.to_owned()).collect();
        let file = format!("{}.c", member.name);
        let unit = self.compiler.compile_text(&file, &member.text(), &flags).ok()?;
        Some(llvm::read(&file, &unit.text).ok()?.module)
    }
}

fn plain(program: &Program, input: &Input) -> Stop {
    match Machine::new(program, input, LIMITS, Unobserved) {
        Ok(mut machine) => machine.run(),
        Err(stop) => stop,
    }
}

fn observed(program: &Program, input: &Input) -> Stop {
    match Machine::new(program, input, LIMITS, Looker::default()) {
        Ok(mut machine) => {
            machine.state.memory.strict = true;
            machine.run()
        }
        Err(stop) => stop,
    }
}

/// Runs in one piece, and in slices with a fork in between: all must have the same end.
fn sliced(program: &Program, input: &Input, random: &mut Random) -> Result<Outcome, Wrong> {
    let Ok(mut whole) = Machine::new(program, input, LIMITS, Unobserved) else {
        return Ok("does not start".to_owned());
    };
    let expected = whole.run();
    let slice = 1 + random.below(3000) as u64;
    let first = Limits { steps: slice, ..LIMITS };
    let Ok(mut machine) = Machine::new(program, input, first, Unobserved) else {
        return Ok("does not start".to_owned());
    };
    let early = machine.run();
    let mut fork = Machine { program, state: machine.state.fork(), observer: Unobserved };
    for (which, machine) in [("original", &mut machine), ("fork", &mut fork)] {
        let mut stop = early.clone();
        while stop == Stop::Exhausted(Bound::Steps) && machine.state.limits.steps < LIMITS.steps {
            let more = machine.state.steps.max(slice) + slice * 50;
            machine.state.limits.steps = more.min(LIMITS.steps);
            stop = machine.run();
        }
        if stop != expected || what_is_seen(machine) != what_is_seen(&whole) {
            let (steps, all) = (machine.state.steps, whole.state.steps);
            return Err(wrong(
                "not resumed",
                format!("the {which} ends in another way: {stop:?} {steps}, {expected:?} {all}"),
            ));
        }
    }
    Ok(name(&expected))
}

/// Output and length of a run.
fn what_is_seen<'m>(machine: &'m Machine<'_, Unobserved>) -> (&'m [u8], &'m [u8], u64) {
    let vfs = &machine.state.process.vfs;
    (vfs.stdout(), vfs.stderr(), machine.state.steps)
}

/// How a run ended, for the table.
fn name(stop: &Stop) -> Outcome {
    let first_word = |text: String| -> String {
        text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
    };
    match stop {
        Stop::Exit(_) => "exit".to_owned(),
        Stop::Signal(_) => "signal".to_owned(),
        Stop::Fault(fault) => format!("fault: {}", first_word(format!("{:?}", fault.kind))),
        Stop::Unsupported(what) => {
            format!("unsupported: {}", first_word(format!("{:?}", what.feature)))
        }
        Stop::Exhausted(bound) => format!("exhausted: {}", first_word(format!("{bound:?}"))),
    }
}

/// An observer that inspects everything.
#[derive(Default)]
struct Looker {
    last: Option<(FuncId, InstId)>,
    statement: Option<StatementId>,
    seen: u64,
}

impl Looker {
    fn look(&mut self, at: At<'_>) {
        self.last = Some((at.function(), at.inst()));
        self.seen += 1;
    }
}

impl Observer for Looker {
    const STATEMENTS: bool = true;
    const OUTPUT: bool = true;

    fn statement(&mut self, statement: StatementId) {
        self.statement = Some(statement);
    }

    fn branch(&mut self, at: At<'_>, _taken: bool) {
        self.look(at);
    }

    fn jump(&mut self, at: At<'_>, _target: u32) {
        self.look(at);
    }

    fn read(&mut self, at: At<'_>, _address: u64, _size: u64) {
        self.look(at);
    }

    fn write(&mut self, at: At<'_>, _address: u64, _size: u64) {
        self.look(at);
    }

    fn output(&mut self, _descriptor: i32, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
    }
}
