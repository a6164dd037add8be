//! A comparison of several targets: the programs that a change affects if their inputs are known,
//! and otherwise the functions that can be called alone, the most promising first.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use base::Both;
use effects::compare::{Compared, Options, Request, Verdict, compare_saving};
use effects::programs::{Callable, ChangedSymbol, Covering, Obstacle, Several, around};
use effects::trial::{Keep, Saving};
use explore::Budget;
use inputs::Flags;
use report::targets::{NotDone, NotDoneKind, Target, TargetKind, Targets};
use source::Checkout;

use super::{Format, Job, annotate, emitted, is_declared, progress};
use crate::programs::first_error;
use crate::progress::watch;
use crate::typed::Typed;
use crate::{exit, output, setup};

/// The most functions to list that were not compared.
const MOST_LISTED: usize = 8;

/// After this many times the budget, no further target is begun: loading and building large
/// programs can take much longer than searching.
const PATIENCE: u32 = 2;
const LEAST_PATIENCE: Duration = Duration::from_secs(60);

/// Options that a function does not take.
const OF_PROGRAMS: [&str; 5] = ["--arg", "--args-max", "--stdin", "--file", "--tests"];

/// One program or function to compare.
struct Goal {
    name: String,
    kind: TargetKind,
    command: String,
    directory: String,
    versions: Both<Checkout>,
    /// The file of a function.
    key: Option<PathBuf>,
}

impl Goal {
    fn entry(&self) -> Option<&str> {
        (self.kind == TargetKind::Function).then_some(self.name.as_str())
    }
}

/// A goal that was reached.
struct Done {
    goal: Goal,
    compared: Compared,
    /// The state of the search.
    state: String,
}

impl Job<'_> {
    /// Compares what the change affects.
    pub(super) fn several(&self, several: &Several) -> anyhow::Result<ExitCode> {
        let (mut goals, mut not_done) = self.goals(several)?;
        if goals.len() == 1 {
            say(&not_done, self.globals.quiet);
            let goal = goals.remove(0);
            if !self.globals.quiet {
                output::note(&format!("note: comparing the {} {}", goal.kind.name(), goal.name));
            }
            let compared = self.compare_one(&goal.versions, None, goal.entry(), None)?;
            let done = [Done { goal, compared, state: String::new() }];
            let uncovered = uncovered(several, &done, &not_done);
            let is_claim = matches!(done[0].compared.verdict, Verdict::Equal | Verdict::Accepted);
            let is_whole = not_done.is_empty() && uncovered.is_empty();
            if is_whole || !is_claim {
                say(&uncovered, self.globals.quiet);
                return self.finish(&done[0].compared);
            }
            // The verdict on one target is not that on the versions.
            not_done.extend(uncovered);
            return self.finish_all(several, &done, &not_done);
        }
        let done = self.compare_all(goals, &mut not_done)?;
        not_done.extend(uncovered(several, &done, &not_done));
        self.finish_all(several, &done, &not_done)
    }

    /// What to compare, and what not.
    fn goals(&self, several: &Several) -> anyhow::Result<(Vec<Goal>, Vec<NotDone>)> {
        let mut not_done = outside(several);
        let functions = several.functions.iter().filter(|one| one.obstacle.is_none());
        let functions: Vec<&Callable> = functions.collect();
        let is_only = several.affected.programs.len() == 1;
        let are_programs = self.knows_inputs() || functions.is_empty() || is_only;
        let is_known = |program| are_programs || several.tells_options(&self.loader, program);
        let typed = Typed::this();
        let mut goals: Vec<Goal> = Vec::new();
        for program in &several.affected.programs {
            let name = program.new.name.clone();
            let command = typed.with("--program", &name);
            let what = format!("program {name}");
            let why = if goals.len() >= self.args.targets {
                "there are more targets than --targets allows".to_owned()
            } else if !is_known(program) {
                "its inputs are not known".to_owned()
            } else {
                match program.versions([&several.units[0], &several.units[1]]) {
                    Ok(versions) => {
                        let directory = directory(&name, &goals);
                        let kind = TargetKind::Program;
                        goals.push(Goal { name, kind, command, directory, versions, key: None });
                        continue;
                    }
                    Err(error) => {
                        // Typed alone, the program is rejected as well.
                        not_done.push(single(what, first_line(&error.to_string()), None));
                        continue;
                    }
                }
            };
            not_done.push(single(what, why, Some(command)));
        }
        // Beside programs, functions matter that no program reaches.
        let wanted = (!goals.is_empty()).then(|| several.uncovered(&covering(&goals)));
        for function in functions {
            let is_wanted = wanted.as_ref().is_none_or(|uncovered| {
                uncovered.iter().any(|one| one.key == function.key && one.name == function.name)
            });
            if !is_wanted {
                continue;
            }
            let name = function.name.clone();
            let without = typed.without(&OF_PROGRAMS);
            let command = match function.is_unique {
                true => without.with("--entry", &name),
                // The file tells which one is meant.
                false => {
                    let file = several.units[1].checkout.name_of(&function.key);
                    without.with_file("--entry", &name, &file)
                }
            };
            if goals.len() < self.args.targets {
                let units = [&several.units[0], &several.units[1]];
                let versions = around(units, function.units);
                let directory = directory(&name, &goals);
                let kind = TargetKind::Function;
                let key = Some(function.key.clone());
                goals.push(Goal { name, kind, command, directory, versions, key });
            } else if not_done.len() < MOST_LISTED {
                let why = "there are more targets than --targets allows".to_owned();
                let what = format!("function {name}");
                not_done.push(single(what, why, Some(command)));
            }
        }
        Ok((goals, not_done))
    }

    /// Whether the inputs of programs are declared, or tests show them.
    fn knows_inputs(&self) -> bool {
        let Flags { args, args_max, stdin, files, .. } = &self.varied.flags;
        let is_declared =
            !args.is_empty() || args_max.is_some() || stdin.is_some() || !files.is_empty();
        is_declared || !self.varied.tests.is_empty()
    }

    fn compare_all(
        &self,
        goals: Vec<Goal>,
        not_done: &mut Vec<NotDone>,
    ) -> anyhow::Result<Vec<Done>> {
        let count = goals.len().max(1) as u32;
        let budget = &self.options.budget;
        let share = Budget { time: budget.time.map(|time| time / count), ..budget.clone() };
        let options = Options { budget: share, ..self.options.clone() };
        let time = self.options.budget.time;
        let plain = self.plain_flags();
        let patience = time.filter(|_| !self.options.deterministic);
        let patience = patience.map(|time| (time * PATIENCE).max(LEAST_PATIENCE));
        let start = Instant::now();
        let results = watch(self.globals.quiet, time, progress(), |progress, tell| {
            let mut results = Vec::new();
            for goal in goals {
                if progress.is_stopped() {
                    results.push((goal, Err("interrupted")));
                    continue;
                }
                // Loading and building do not count against the budget.
                let is_late = patience.is_some_and(|patience| start.elapsed() > patience);
                if is_late && !results.is_empty() {
                    results.push((goal, Err("the other targets took too long")));
                    continue;
                }
                let state = std::sync::Mutex::new(String::new());
                let keep = |lines: &str| {
                    if let Ok(mut state) = state.lock() {
                        state.push_str(lines);
                    }
                    Ok(())
                };
                let scope = self.scope(goal.entry(), &plain);
                let [old, new] = &goal.versions;
                let request = Request { scope, old, new, golden: None, options: options.clone() };
                let keep = self.results.as_ref().map(|_| &keep as Keep<'_>);
                let saving = Saving { resume: None, keep };
                let compared = compare_saving(&request, saving, progress, tell);
                let state = state.into_inner().unwrap_or_default();
                results.push((goal, Ok((compared, state))));
            }
            results
        })?;
        let mut done = Vec::new();
        for (goal, result) in results {
            let why = match result {
                Ok((Ok(mut compared), state)) => {
                    self.set_aside(&mut compared);
                    done.push(Done { goal, compared, state });
                    continue;
                }
                Ok((Err(error), _)) => first_line(&chain(&error)),
                Err(why) => why.to_owned(),
            };
            let what = format!("{} {}", goal.kind.name(), goal.name);
            not_done.push(single(what, why, Some(goal.command)));
        }
        Ok(done)
    }

    /// Prints the results and writes the directory.
    fn finish_all(
        &self,
        several: &Several,
        done: &[Done],
        not_done: &[NotDone],
    ) -> anyhow::Result<ExitCode> {
        let Job { args, base, .. } = self;
        let all = summary(several, done, not_done);
        let scripts = args.out.to_string_lossy();
        let scripts = self.results.as_ref().map(|_| &*scripts);
        self.print(&match args.format {
            Format::Text => report::targets::text(&all, scripts, setup::look()),
            Format::Json => report::targets::json(&all),
            Format::Sarif => report::targets::sarif(&all, base),
            Format::Markdown => report::targets::markdown(&all, base),
            Format::Short => report::targets::short(&all, base),
        })?;
        for one in done {
            annotate(args, &one.compared, base)?;
        }
        if let Some(results) = self.results.as_ref().filter(|_| !done.is_empty()) {
            let mut parts = Vec::new();
            for one in done {
                let emitted = emitted(args, &one.compared);
                for reason in emitted.iter().flat_map(|emitted| &emitted.left_out) {
                    output::note(&format!("note: {}: {reason}", one.goal.name));
                }
                parts.push((
                    one.goal.directory.as_str(),
                    &one.compared,
                    emitted,
                    one.state.as_str(),
                ));
            }
            let report = report::targets::json(&all);
            results.write_several(&report, &parts, base).context("cannot write the results")?;
            if args.format == Format::Text && !self.globals.quiet {
                output::note(&format!("wrote {}", args.out.display()));
            }
        }
        Ok(ExitCode::from(self.code(&all)))
    }

    fn code(&self, all: &Targets<'_>) -> u8 {
        match all.verdict() {
            Verdict::Different => exit::FOUND,
            Verdict::Inconclusive => exit::INCONCLUSIVE,
            Verdict::Accepted | Verdict::Equal => {
                let equal = all.targets.iter().map(|target| target.compared);
                let equal = equal.filter(|compared| compared.verdict == Verdict::Equal);
                let mut objections = equal.filter_map(|compared| {
                    let is_reached = compared.is_reached();
                    self.args.strictness.objection(is_reached, is_declared(compared))
                });
                match objections.next() {
                    Some(objection) => {
                        output::note(&format!("note: {objection}"));
                        exit::INCONCLUSIVE
                    }
                    None => 0,
                }
            }
        }
    }
}

fn summary<'a>(several: &'a Several, done: &'a [Done], not_done: &'a [NotDone]) -> Targets<'a> {
    let reached =
        |symbol: &ChangedSymbol| !several.affected.in_no_program().any(|other| other == symbol);
    let [old, new] = [0, 1].map(|side| several.units[side].checkout.name.as_str());
    Targets {
        old,
        new,
        targets: done.iter().map(Done::target).collect(),
        not_done,
        changed: several.affected.changed.iter().map(|one| (one, reached(one))).collect(),
        has_programs: several.units.iter().any(|units| !units.mains().is_empty()),
        has_gaps: !several.affected.broken.is_empty(),
    }
}

impl Done {
    fn target(&self) -> Target<'_> {
        Target {
            name: &self.goal.name,
            kind: self.goal.kind,
            command: &self.goal.command,
            directory: &self.goal.directory,
            compared: &self.compared,
        }
    }
}

/// Something with a reason of its own.
fn single(what: String, why: String, command: Option<String>) -> NotDone {
    NotDone { what, why, command, kind: NotDoneKind::Single }
}

/// What cannot be compared at all, whatever the bounds are.
fn outside(several: &Several) -> Vec<NotDone> {
    let affected = &several.affected;
    let mut not_done = Vec::new();
    for (names, why, kind) in [
        (&affected.only_old, "NEW does not have it", NotDoneKind::OnlyOld),
        (&affected.only_new, "OLD does not have it", NotDoneKind::OnlyNew),
    ] {
        not_done.extend(names.iter().map(|name| NotDone {
            what: format!("program {name}"),
            why: why.to_owned(),
            command: None,
            kind,
        }));
    }
    for file in &affected.broken {
        let broken = several.broken.iter().find(|broken| broken.key == *file);
        let why = broken.map_or_else(|| "it does not compile".to_owned(), first_error);
        not_done.push(single(format!("file {}", file.display()), why, None));
    }
    let changed = several.functions.iter().filter(|one| one.calls == 0);
    for function in changed.take(MOST_LISTED) {
        let why = match &function.obstacle {
            Some(Obstacle::NoParameters) => {
                "it has no parameters; --global NAME varies what it reads".to_owned()
            }
            Some(Obstacle::SeveralOfThisName) => {
                format!("several functions have this name; that of {}", function.key.display())
            }
            Some(Obstacle::Types(why)) => why.clone(),
            None => continue,
        };
        not_done.push(single(format!("function {}", function.name), why, None));
    }
    not_done
}

/// What these goals show once they are reached.
fn covering<'a>(goals: impl IntoIterator<Item = &'a Goal>) -> Vec<Covering<'a>> {
    let covering = |goal: &'a Goal| match &goal.key {
        None => Covering::Program(&goal.name),
        Some(key) => Covering::Function { key, name: &goal.name },
    };
    goals.into_iter().map(covering).collect()
}

/// What changed and no comparison shows, unless it is listed already.
fn uncovered(several: &Several, done: &[Done], listed: &[NotDone]) -> Vec<NotDone> {
    let mut found: Vec<NotDone> = Vec::new();
    for symbol in several.uncovered(&covering(done.iter().map(|one| &one.goal))) {
        let kind = if symbol.is_function { "function" } else { "variable" };
        let what = format!("{kind} {}", symbol.name);
        if !listed.iter().chain(&found).any(|one| one.what == what) {
            let change = report::targets::change_name(symbol.change);
            let why =
                format!("{change} in {}, and nothing compared shows that", symbol.key.display());
            found.push(NotDone { what, why, command: None, kind: NotDoneKind::Unshown });
        }
    }
    found
}

/// The directory of a goal's results, which no other goal has.
fn directory(name: &str, goals: &[Goal]) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-+".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let is_taken = |name: &str| goals.iter().any(|goal| goal.directory == name);
    let numbered = (2..).map(|number| format!("{plain}_{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or(plain)
}

fn say(not_done: &[NotDone], quiet: bool) {
    if quiet {
        return;
    }
    for (what, command) in report::targets::not_done(not_done) {
        let next = command.map(|command| format!("; try: {command}")).unwrap_or_default();
        output::note(&format!("note: not compared: {what}{next}"));
    }
}

fn chain(error: &effects::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    match lines.find(|line| line.contains("error: ")) {
        Some(error) => format!("{first} {}", error.trim()),
        None => first,
    }
}
