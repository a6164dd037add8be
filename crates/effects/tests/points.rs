//! Where changes are, checked by running both versions of the examples.
//!
//! If two versions behave differently, the new one reached a point of a change. After a branch that
//! is irrelevant for execution it reaches none; before one that is irrelevant for propagation it
//! reached none. If something is missing on a path, reaching the decision counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base::Version;
use changes::{Branch, ChangePoint, ChangePoints, IrrelevantBranches};
use exec::{Input, Instrumentation, Limits, Machine, Observer, Program, Stop};
use inputs::Test;
use ir::{FuncId, Module, StatementId};
use ripple_effects::versions::{self, HunkEffect};
use ripple_effects::{Libc, Loader};
use source::{Compiler, Selection, check_out};

/// Examples whose pairs and tests are used.
const EXAMPLES: [&str; 11] = [
    "avoid",
    "calc",
    "dates",
    "fields",
    "histogram",
    "match",
    "schedule",
    "stats",
    "tariff",
    "tlv",
    "tokens",
];

/// The statements and functions of a run, in order, with the edges that were taken.
#[derive(Default)]
struct Trace {
    events: Vec<Event>,
    frames: Vec<Option<StatementId>>,
    output: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Event {
    Statement(StatementId),
    /// From the last statement of the same frame to another.
    Way(StatementId, StatementId),
    Enter(FuncId),
}

impl Observer for Trace {
    const STATEMENTS: bool = true;
    const OUTPUT: bool = true;

    fn statement(&mut self, statement: StatementId) {
        if self.frames.is_empty() {
            self.frames.push(None);
        }
        let before = self.frames.last_mut().and_then(|frame| frame.replace(statement));
        self.events.extend(before.map(|before| Event::Way(before, statement)));
        self.events.push(Event::Statement(statement));
    }

    fn enter(&mut self, function: FuncId) {
        self.frames.push(None);
        self.events.push(Event::Enter(function));
    }

    fn leave(&mut self, _function: FuncId) {
        self.frames.pop();
    }

    fn output(&mut self, descriptor: i32, bytes: &[u8]) {
        self.output.push(descriptor as u8);
        self.output.extend(bytes);
    }
}

/// How a run ended, without the place, and its trace.
fn run(program: &Program, input: &Input) -> (String, Trace) {
    let limits = Limits { steps: 3_000_000, ..Limits::default() };
    match Machine::new(program, input, limits, Trace::default()) {
        Ok(mut machine) => {
            let end = match machine.run() {
                Stop::Exit(code) => format!("exit {code}"),
                other => format!("{:?}", std::mem::discriminant(&other)),
            };
            (end, machine.observer)
        }
        Err(stop) => panic!("the machine does not start: {stop:?}"),
    }
}

fn program(module: Module) -> Program {
    Program::new(module, "main", Instrumentation { statements: true }).expect("it is a program")
}

/// The branch between two statements of one function, if there is just one.
fn branch(module: &Module, from: StatementId, to: StatementId) -> Option<Branch> {
    let (one, other) = (&module.statements[from], &module.statements[to]);
    let body = module.functions[one.function].body()?;
    let ways = changes::points::successors(body, one.block);
    let mut fitting = ways.iter().enumerate().filter(|&(_, &way)| way == other.block);
    let (successor, _) = fitting.next()?;
    let is_branch = one.function == other.function && ways.len() > 1 && fitting.next().is_none();
    let starts = body.blocks[other.block].insts.first()?;
    let is_start = body.insts[*starts].statement == to && one.block != other.block;
    (is_branch && is_start).then_some(Branch {
        function: one.function,
        block: one.block,
        successor,
    })
}

/// A pair of versions, and what is known about NEW.
struct Pair<'a> {
    old: Program,
    new: Program,
    module: &'a Module,
    points: ChangePoints,
    table: IrrelevantBranches,
    /// Statements and functions at, or right before, a point.
    near: BTreeSet<StatementId>,
    entered: BTreeSet<FuncId>,
}

/// How often something was checked.
#[derive(Default)]
struct Checked {
    different: usize,
    irrelevant: usize,
}

impl<'a> Pair<'a> {
    fn new(both: &'a versions::Versions) -> Pair<'a> {
        let (old, module) = (&both.old.module, &both.new.module);
        let points = ChangePoints::new(&both.alignment, old, module, Version::New);
        let main = module.functions.iter().find(|(_, of)| of.name == "main").map(|(id, _)| id);
        let (mut near, mut entered) = (BTreeSet::new(), BTreeSet::new());
        for &point in &points.all {
            match point {
                ChangePoint::Statement(id) | ChangePoint::Behind(id) => {
                    near.insert(id);
                }
                ChangePoint::Way { function, block, .. } => {
                    let body = module.functions[function].body().expect("a way is in code");
                    let last = body.blocks[block].insts.last().expect("a block ends");
                    near.insert(body.insts[*last].statement);
                }
                ChangePoint::Entry(function) => {
                    entered.insert(function);
                }
            }
        }
        let table = IrrelevantBranches::new(&both.new.calls(), &points, main);
        let (old, new) = (program(old.clone()), program(module.clone()));
        Pair { old, new, module, points, table, near, entered }
    }

    fn check(&self, input: &Input, checked: &mut Checked) -> Result<(), String> {
        let (before, after) = (run(&self.old, input), run(&self.new, input));
        let (mut is_near, mut is_met, mut is_past) = (false, false, false);
        for event in &after.1.events {
            match *event {
                Event::Statement(id) => {
                    let behind = self.points.all.binary_search(&ChangePoint::Behind(id)).is_ok();
                    let is_point = self.points.contains(id);
                    is_near |= self.near.contains(&id);
                    is_met |= is_point || behind;
                    if is_point && is_past {
                        return Err(format!("{} is after an irrelevant branch", self.line(id)));
                    }
                }
                Event::Enter(function) => {
                    is_near |= self.entered.contains(&function);
                    is_met |= self.entered.contains(&function);
                }
                Event::Way(from, to) => {
                    let Some(at) = branch(self.module, from, to) else { continue };
                    if self.table.propagation(at) && is_met {
                        return Err(format!("a change came before {}", self.line(from)));
                    }
                    is_met |= self.points.contains_way(at.function, at.block, at.successor);
                    is_past |= self.table.execution(at);
                    checked.irrelevant += usize::from(self.table.execution(at));
                }
            }
        }
        if before.0 != after.0 || before.1.output != after.1.output {
            checked.different += 1;
            if !is_near {
                return Err("the versions differ without a change".to_owned());
            }
        }
        Ok(())
    }

    fn line(&self, statement: StatementId) -> String {
        format!("line {}", self.module.statements[statement].span.line)
    }
}

/// The values of a key in a file of pairs, in order.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(" = "));
    lines.map(|value| value.trim_matches(['"', '\'']))
}

fn tests(directory: &Path, pairs: &str) -> Vec<Test> {
    let path = directory.join("tests.jsonl");
    let mut tests = inputs::read_tests(&path).expect("the tests can be read");
    let read = |path: &Path| fs::read(path);
    for witness in values(pairs, "witness") {
        tests.extend(inputs::parse_tests(&path, witness.as_bytes(), &read).unwrap_or_default());
    }
    tests
}

fn input(test: &Test) -> Input {
    let mut args = vec![b"program".to_vec()];
    args.extend(test.input.args.iter().cloned());
    let files = test.input.files.iter();
    let files = files.map(|(name, bytes)| (name.clone().into_bytes(), bytes.clone())).collect();
    Input { args, stdin: test.input.stdin.clone(), files, ..Input::default() }
}

fn load(compiler: &Compiler, path: &Path) -> versions::Side {
    let selection = Selection {
        directory: &compiler.directory,
        paths: &[],
        cflags: &[],
        cache: &compiler.cache,
    };
    let checkout = check_out(path.as_os_str(), &selection).expect("the version is there");
    let own = checkout.compiler(compiler);
    let loader = Loader { compiler: &own, cflags: Vec::new(), libc: Libc::Quick };
    let module = loader.load(&checkout.files).expect("it builds").module;
    versions::Side::new(checkout, module)
}

#[test]
fn what_differs_came_to_a_change_and_irrelevant_branches_keep_away_from_changes() {
    let Some(compiler) = testkit::compiler("points") else { return };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut wrong, mut checked) = (Vec::new(), Checked::default());
    for example in EXAMPLES {
        let directory: PathBuf = examples.join(example);
        let pairs = fs::read_to_string(directory.join("pairs.toml")).expect("there are pairs");
        let tests = tests(&directory, &pairs);
        for (old, new) in values(&pairs, "old").zip(values(&pairs, "new")) {
            let (before, after) = (directory.join(old), directory.join(new));
            let sides = (load(&compiler, &before), load(&compiler, &after));
            let both = versions::Versions::of(sides.0, sides.1);
            let pair = Pair::new(&both);
            for test in &tests {
                if let Err(problem) = pair.check(&input(test), &mut checked) {
                    wrong.push(format!("{example} {old} {new}, {:?}: {problem}", test.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let Checked { different, irrelevant } = checked;
    assert!(
        different > 150 && irrelevant > 50_000,
        "{different} differ, {irrelevant} are irrelevant"
    );
}

#[test]
fn hunks_that_only_builds_could_tell_are_unknown_without_time() {
    let Some(compiler) = testkit::compiler("hunks-in-time") else { return };
    let text = |limit: u32, price: u32, size: &str| {
        format!(
            "#define LIMIT {limit}\n\n\n\n#define PRICE {price}\n\n\n\ntypedef {size} amount;\n\n\n\n\
             int main(int argc, char **argv)\n{{\n    amount a = argc * PRICE;\n    \
             return a > LIMIT;\n}}\n"
        )
    };
    let load = |name: &str, text: &str| {
        let file = testkit::file(&compiler, name, text);
        load(&compiler, &file)
    };
    let both = versions::Versions::of(
        load("old", &text(3, 5, "long")),
        load("new", &text(4, 6, "long int")),
    );
    let loader = Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Quick };
    let effects = |is_over: bool| -> Vec<HunkEffect> {
        let hunks = both.hunks(&loader, 8, &|| is_over).expect("they can be read");
        hunks.into_iter().map(|hunk| hunk.effect).collect()
    };
    assert_eq!(effects(true), [HunkEffect::Unknown, HunkEffect::Unknown, HunkEffect::Unknown]);
    assert_eq!(effects(false), [HunkEffect::Changes, HunkEffect::Changes, HunkEffect::Nothing]);
}
