//! Chains of dependences of generated programs, found by an interpreter that shares nothing with the
//! machine, its traces and their alignment.
//!
//! The interpreter keeps a list of executed statements with their values, the definitions that they
//! use, and the decision that they are under; chains are the paths through it. Executions of both
//! versions correspond if they are of one statement, under corresponding decisions.

mod language;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use effects::adequacy::{Adequacy, Options, Outcome, Request, Through, adequacy};
use effects::trial::Scope;
use effects::{Libc, Loader};
use explore::Progress;
use inputs::{Flags, Input, Test};
use source::{Compiler, Selection, check_out_both};
use trace::chains::ChainLimits;

use self::language::{Id, NAMES, Pair, Statement, pair, source};

/// Inputs are pairs of numbers below this.
const INPUTS: u32 = 5;
/// The longest chains to compare.
const DISTANCE: u32 = 4;

/// How many tests cover a chain, and propagate along it.
type Counts = BTreeMap<String, [usize; 2]>;

/// An executed statement.
struct Occurrence {
    id: Id,
    /// What it assigned, decided or printed.
    value: u32,
    /// The definitions of the variables that it uses.
    uses: Vec<(usize, usize)>,
    /// The decision that it is under.
    control: Option<usize>,
    is_print: bool,
}

#[derive(Default)]
struct Run {
    occurrences: Vec<Occurrence>,
    shown: Vec<u32>,
}

struct Interpreter {
    run: Run,
    variables: [u32; NAMES.len()],
    definitions: [Option<usize>; NAMES.len()],
}

impl Interpreter {
    fn run(program: &[Statement], x: u32, y: u32) -> Run {
        let mut variables = [0; NAMES.len()];
        (variables[0], variables[1]) = (x, y);
        let definitions = [None; NAMES.len()];
        let mut interpreter = Interpreter { run: Run::default(), variables, definitions };
        interpreter.block(program, None);
        interpreter.run
    }

    fn note(&mut self, id: Id, value: u32, mut uses: Vec<usize>, control: Option<usize>) -> usize {
        uses.sort_unstable();
        uses.dedup();
        let definition = |variable: &usize| Some((*variable, self.definitions[*variable]?));
        let uses = uses.iter().filter_map(definition).collect();
        let is_print = false;
        self.run.occurrences.push(Occurrence { id, value, uses, control, is_print });
        self.run.occurrences.len() - 1
    }

    fn block(&mut self, block: &[Statement], control: Option<usize>) {
        for statement in block {
            let mut uses = Vec::new();
            match statement {
                Statement::Assign(id, variable, value) => {
                    value.uses(&mut uses);
                    let value = value.value(&self.variables);
                    let at = self.note(*id, value, uses, control);
                    self.variables[*variable] = value;
                    self.definitions[*variable] = Some(at);
                }
                Statement::Print(id, value) => {
                    value.uses(&mut uses);
                    let value = value.value(&self.variables);
                    let at = self.note(*id, value, uses, control);
                    self.run.occurrences[at].is_print = true;
                    self.run.shown.push(value);
                }
                Statement::If(id, condition, then, otherwise) => {
                    condition.uses(&mut uses);
                    let holds = condition.holds(&self.variables);
                    let at = self.note(*id, u32::from(holds), uses, control);
                    self.block(if holds { then } else { otherwise }, Some(at));
                }
                Statement::While(id, condition, body) => {
                    // A later decision depends on the one before.
                    let mut control = control;
                    loop {
                        let mut uses = Vec::new();
                        condition.uses(&mut uses);
                        let holds = condition.holds(&self.variables);
                        let at = self.note(*id, u32::from(holds), uses, control);
                        if !holds {
                            break;
                        }
                        self.block(body, Some(at));
                        control = Some(at);
                    }
                }
            }
        }
    }
}

/// The runs of one input, and which executions correspond.
struct Runs<'a> {
    runs: [&'a Run; 2],
    counterparts: [Vec<Option<usize>>; 2],
}

impl<'a> Runs<'a> {
    fn new(runs: [&'a Run; 2], alone: &BTreeSet<Id>) -> Runs<'a> {
        type Name = (Option<u32>, Id, u32);
        let mut numbers: HashMap<Name, u32> = HashMap::new();
        let named = runs.map(|run| {
            let mut counts: HashMap<(Option<u32>, Id), u32> = HashMap::new();
            let mut names: Vec<Option<u32>> = Vec::new();
            let mut own: BTreeMap<u32, usize> = BTreeMap::new();
            for (at, one) in run.occurrences.iter().enumerate() {
                let outer = one.control.and_then(|control| names[control]);
                if alone.contains(&one.id) {
                    names.push(outer);
                    continue;
                }
                let count = counts.entry((outer, one.id)).or_default();
                *count += 1;
                let next = numbers.len() as u32;
                let name = *numbers.entry((outer, one.id, *count)).or_insert(next);
                names.push(Some(name));
                own.insert(name, at);
            }
            own
        });
        let mut counterparts = runs.map(|run| vec![None; run.occurrences.len()]);
        for (name, &old) in &named[0] {
            if let Some(&new) = named[1].get(name) {
                counterparts[0][old] = Some(new);
                counterparts[1][new] = Some(old);
            }
        }
        Runs { runs, counterparts }
    }

    /// Whether the state at an execution is another one, as the execution that uses it sees it.
    fn differs(&self, version: usize, from: usize, to: usize, variable: Option<usize>) -> bool {
        let (own, other) = (self.runs[version], self.runs[1 - version]);
        let value = own.occurrences[from].value;
        if let Some(there) = self.counterparts[version][from] {
            return other.occurrences[there].value != value;
        }
        let Some(variable) = variable else { return true };
        let Some(there) = self.counterparts[version][to] else { return true };
        let mut uses = other.occurrences[there].uses.iter();
        let instead = uses.find(|(one, _)| *one == variable);
        instead.is_none_or(|&(_, definition)| other.occurrences[definition].value != value)
    }

    /// The dependences on each execution: the one that depends, what by, and whether the state
    /// differs.
    fn edges(&self, version: usize) -> Vec<Vec<(usize, String, bool)>> {
        let occurrences = &self.runs[version].occurrences;
        let mut edges = vec![Vec::new(); occurrences.len()];
        for (to, one) in occurrences.iter().enumerate() {
            for &(variable, from) in &one.uses {
                let differs = self.differs(version, from, to, Some(variable));
                edges[from].push((to, NAMES[variable].to_owned(), differs));
            }
            if let Some(from) = one.control {
                let decision = occurrences[from].value != 0;
                let differs = self.differs(version, from, to, None);
                edges[from].push((to, decision.to_string(), differs));
            }
        }
        edges
    }
}

/// What an interpreter finds about a pair.
struct Expected {
    counts: Counts,
    /// Tests that reach the change, infect the state, and show a difference.
    reach: usize,
    infect: usize,
    show: usize,
}

/// `alone`: the statements without a counterpart in the other version.
fn expected(pair: &Pair, alone: &BTreeSet<Id>, lines: [&BTreeMap<Id, u32>; 2]) -> Expected {
    let mut all = Expected { counts: Counts::new(), reach: 0, infect: 0, show: 0 };
    for (x, y) in (0..INPUTS).flat_map(|x| (0..INPUTS).map(move |y| (x, y))) {
        let runs = [&pair.old, &pair.new].map(|program| Interpreter::run(program, x, y));
        let runs = Runs::new([&runs[0], &runs[1]], alone);
        let mut chains: BTreeMap<String, bool> = BTreeMap::new();
        let is_changed = |one: &Occurrence| one.id == pair.changed;
        let reaches = runs.runs.iter().any(|run| run.occurrences.iter().any(is_changed));
        for version in [0, 1] {
            // Chains of OLD begin at deleted statements.
            if version == 0 && !alone.contains(&pair.changed) {
                continue;
            }
            let edges = runs.edges(version);
            let occurrences = &runs.runs[version].occurrences;
            let name = |id: Id| match (version, lines[1].get(&id), lines[0].get(&id)) {
                (1, Some(line), _) => line.to_string(),
                (_, Some(line), _) if !alone.contains(&id) => line.to_string(),
                (_, _, line) => format!("-{}", line.copied().unwrap_or_default()),
            };
            for (start, one) in occurrences.iter().enumerate().filter(|(_, one)| is_changed(one)) {
                let own = match runs.counterparts[version][start] {
                    Some(there) => runs.runs[1 - version].occurrences[there].value != one.value,
                    None => one.is_print,
                };
                let infects = own || edges[start].iter().any(|(.., differs)| *differs);
                *chains.entry(name(one.id)).or_default() |= infects;
                let mut waiting = vec![(start, name(one.id), true, 0)];
                while let Some((at, chain, propagates, length)) = waiting.pop() {
                    for (to, through, differs) in edges[at].iter().filter(|_| length < DISTANCE) {
                        let next = name(occurrences[*to].id);
                        let longer = format!("{chain} -[{through}]-> {next}");
                        *chains.entry(longer.clone()).or_default() |= propagates && *differs;
                        waiting.push((*to, longer, propagates && *differs, length + 1));
                    }
                }
            }
        }
        let infects = chains.iter().any(|(name, differs)| *differs && !name.contains("->"));
        let shows = runs.runs[0].shown != runs.runs[1].shown;
        all.reach += usize::from(reaches);
        all.infect += usize::from(infects);
        all.show += usize::from(shows);
        for (name, propagates) in chains {
            let counts = all.counts.entry(name).or_default();
            counts[0] += 1;
            counts[1] += usize::from(propagates);
        }
    }
    all
}

/// The chains of a report, without its frontier, and the frontier.
fn found(report: &Adequacy) -> (Counts, BTreeSet<String>) {
    let (mut counts, mut frontier) = (Counts::new(), BTreeSet::new());
    for line in &report.lines {
        let sign = if line.version == base::Version::Old { "-" } else { "" };
        let mut path: Vec<String> = Vec::new();
        for row in &line.tree {
            if let Some(step) = &row.step {
                let through = match &step.through {
                    Through::Decision(outcome) => (*outcome == Outcome::True).to_string(),
                    Through::Variable(name) => name.clone(),
                    other => format!("{other:?}"),
                };
                path.truncate(row.length as usize - 1);
                path.push(format!(" -[{through}]-> {}", step.to.line));
            }
            let steps = if row.step.is_some() { path.concat() } else { String::new() };
            let name = format!("{sign}{}{steps}", line.place.line);
            if row.covered == 0 {
                frontier.insert(name);
            } else {
                counts.insert(name, [row.covered, row.propagated]);
            }
        }
    }
    (counts, frontier)
}

/// What a comparison saw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub chains: usize,
    pub propagated: usize,
    /// Tests that show a difference.
    pub shown: usize,
}

/// Compares the chains that are found for the pair of a seed with those of the interpreter.
pub fn compare(compiler: &Compiler, place: &Path, seed: u64) -> Result<Compared, String> {
    let pair = pair(seed);
    let (texts, lines): (Vec<_>, Vec<_>) =
        [&pair.old, &pair.new].map(|one| source(one)).into_iter().unzip();
    if texts[0] == texts[1] {
        return Ok(Compared::default());
    }
    let report = judge(compiler, place, seed, &texts)?;
    let fail = |why: String| {
        Err(format!("seed {seed}: {why}\n--- OLD\n{}--- NEW\n{}", texts[0], texts[1]))
    };
    let lines: Vec<BTreeMap<Id, u32>> =
        lines.into_iter().map(|lines| lines.into_iter().collect()).collect();
    let is_in = |version: usize| lines[version].contains_key(&pair.changed);
    // Whether a changed statement is the same one is for the alignment to decide.
    let is_replaced = report.lines.iter().any(|line| line.version == base::Version::Old);
    let is_alone = is_replaced || !is_in(0) || !is_in(1);
    let alone: BTreeSet<Id> = is_alone.then_some(pair.changed).into_iter().collect();
    let expected = expected(&pair, &alone, [&lines[0], &lines[1]]);
    if report.lines.is_empty() {
        // Such as a deleted `c = c`.
        return match (expected.infect, expected.show) {
            (0, 0) => Ok(Compared::default()),
            _ => fail("nothing is to be tested, and the state differs".to_owned()),
        };
    }
    let (counts, frontier) = found(&report);
    if !report.limits.is_empty() {
        return fail(format!("limits: {:?}", report.limits));
    }
    let tell = |[covered, propagated]: &[usize; 2]| format!("{covered}/{propagated}");
    let names: BTreeSet<&String> = counts.keys().chain(expected.counts.keys()).collect();
    let wrong: Vec<String> = names
        .into_iter()
        .filter(|name| counts.get(*name) != expected.counts.get(*name))
        .map(|name| {
            let of = |all: &Counts| all.get(name).map_or("none".to_owned(), tell);
            format!("  {name}: {}, expected {}", of(&counts), of(&expected.counts))
        })
        .collect();
    if !wrong.is_empty() {
        return fail(format!("chains differ\n{}", wrong.join("\n")));
    }
    if let Some(name) = frontier.iter().find(|name| expected.counts.contains_key(*name)) {
        return fail(format!("{name} is in the frontier, and tests cover it"));
    }
    let tests = |holds: fn(&effects::adequacy::TestResult) -> bool| {
        report.tests.iter().filter(|test| holds(test)).count()
    };
    let seen = [tests(|one| one.reaches), tests(|one| one.infects), tests(|one| one.differs)];
    let wanted = [expected.reach, expected.infect, expected.show];
    if seen != wanted {
        return fail(format!("tests reach, infect and differ: {seen:?}, expected {wanted:?}"));
    }
    let silent = |one: &effects::adequacy::TestResult| one.differs && !(one.reaches && one.infects);
    if report.tests.iter().any(silent) {
        return fail("a test shows a difference without another state at the change".to_owned());
    }
    let propagated = counts.values().filter(|[_, propagated]| *propagated > 0).count();
    Ok(Compared { chains: counts.len(), propagated, shown: expected.show })
}

fn judge(
    compiler: &Compiler,
    place: &Path,
    seed: u64,
    texts: &[String],
) -> Result<Adequacy, String> {
    let files = ["old", "new"].map(|name| place.join(format!("{seed}-{name}.c")));
    for (file, text) in files.iter().zip(texts) {
        std::fs::write(file, text).map_err(|error| error.to_string())?;
    }
    let inputs = (0..INPUTS).flat_map(|x| (0..INPUTS).map(move |y| [x, y]));
    let tests: Vec<Test> = inputs
        .map(|numbers| Test {
            input: Input {
                args: numbers.map(|number| number.to_string().into_bytes()).to_vec(),
                ..Input::default()
            },
            ..Test::default()
        })
        .collect();
    let selection = Selection::of(compiler, &[], &[]);
    let both = check_out_both(files[0].as_os_str(), files[1].as_os_str(), &selection);
    let (old, new) = both.map_err(|error| error.to_string())?;
    let loader = Loader { compiler, cflags: Vec::new(), libc: Libc::Quick };
    let scope = Scope { loader, entry: None, flags: &Flags::default(), tests: &tests };
    let chains = ChainLimits { distance: DISTANCE, ..ChainLimits::default() };
    let request =
        Request { scope, old: &old, new: &new, options: Options { chains, ..Options::default() } };
    let judged = adequacy(&request, &Progress::new(), &|_| ());
    for file in &files {
        let _ = std::fs::remove_file(file);
    }
    judged.map_err(|error| format!("seed {seed}: {error}"))
}
