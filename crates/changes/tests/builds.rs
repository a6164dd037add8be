//! Pairs of builds under `builds/`, `NAME/old.c` and `NAME/new.c`, and what follows from their
//! changes for each of them, by lines.
//!
//! The file `expected` holds the report below; with `RIPPLE_BLESS` set it is written instead.

#[path = "shared/programs.rs"]
mod programs;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use base::Version;
use complexity::sequence::Vertex;
use graphs::{ProgramCalls, ProgramGraphs};
use ir::{BlockId, Body, Callee, FuncId, Module, Op, StatementId};
use programs::{compiler, line, module};
use ripple_changes::branches::BranchIndex;
use ripple_changes::interactions::{Effects, InteractionVertex, TwoBuilds};
use ripple_changes::points::successors;
use ripple_changes::sequence::BuildSequences;
use ripple_changes::versions::{Alignment, align};
use ripple_changes::{
    Branch, ChangePoint, ChangePoints, InteractionGraph, IrrelevantBranches, Region, regions,
};

/// The line that control comes to first in a block, past blocks that only jump on.
fn first_line(module: &Module, body: &Body, mut block: BlockId) -> u32 {
    for _ in 0..body.blocks.len() {
        let insts = &body.blocks[block].insts;
        match insts[..] {
            [only] if successors(body, block).len() == 1 => {
                let at = line(module, body.insts[only].statement);
                let next = successors(body, block)[0];
                if body.blocks[next].insts.is_empty() {
                    return at;
                }
                block = next;
            }
            _ => return line(module, body.insts[insts[0]].statement),
        }
    }
    0
}

fn branch_lines(module: &Module, branch: Branch) -> (u32, u32) {
    let body = module.functions[branch.function].body().expect("a branch is in code");
    let last = body.blocks[branch.block].insts.last().expect("a block ends");
    let target = successors(body, branch.block)[branch.successor];
    (line(module, body.insts[*last].statement), first_line(module, body, target))
}

fn point(module: &Module, point: ChangePoint) -> String {
    match point {
        ChangePoint::Statement(statement) => format!("{}", line(module, statement)),
        ChangePoint::Behind(statement) => format!("behind {}", line(module, statement)),
        ChangePoint::Way { function, block, successor } => {
            let branch = Branch { function, block, successor: successor as usize };
            let (from, to) = branch_lines(module, branch);
            format!("{from}->{to}")
        }
        ChangePoint::Entry(function) => format!("entry of {}", module.functions[function].name),
    }
}

fn listed(title: &str, items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("{title}: {}\n", items.join(" ")).replace(": \n", ":\n")
}

/// The function where runs begin.
fn entry(module: &Module) -> Option<FuncId> {
    module.functions.iter().find(|(_, function)| function.name == "main").map(|(id, _)| id)
}

fn branches(module: &Module, points: &ChangePoints) -> String {
    let table = IrrelevantBranches::new(&ProgramCalls::new(module), points, entry(module));
    let lines = |is_member: &dyn Fn(Branch) -> bool| {
        let members = BranchIndex::all(module).into_iter().filter(|&branch| is_member(branch));
        let lines = members.map(|branch| branch_lines(module, branch));
        // Parts of a condition on one line are one decision to a reader.
        let lines: BTreeSet<(u32, u32)> = lines.filter(|(from, to)| from != to).collect();
        lines.into_iter().map(|(from, to)| format!("{from}->{to}")).collect::<Vec<_>>()
    };
    let mut text = listed("execution", lines(&|branch| table.execution(branch)));
    text += &listed("propagation", lines(&|branch| table.propagation(branch)));
    text
}

fn region(module: &Module, region: Option<&Region>) -> String {
    let Some(region) = region else { return "nowhere".to_owned() };
    let lines: BTreeSet<u32> = region.statements.iter().map(|&id| line(module, id)).collect();
    let mut text: String = lines.iter().map(|line| format!("{line} ")).collect();
    let body = module.functions[region.function].body().expect("a region is in code");
    match region.exit {
        Some((block, position)) => {
            let inst = body.blocks[block].insts[position];
            let _ = write!(text, "until {}", line(module, body.insts[inst].statement));
        }
        None => text.push_str("until the end"),
    }
    text
}

fn vertex(module: &Module, sequences: &BuildSequences, index: u32) -> String {
    let vertex = sequences.graph.vertices[index as usize];
    match vertex {
        Vertex::Entry => "entry".to_owned(),
        Vertex::Exit => "exit".to_owned(),
        Vertex::Changed { .. } => {
            let (_, points) = sequences.place(vertex).expect("a change has a place");
            let points: BTreeSet<String> = points.iter().map(|&at| point(module, at)).collect();
            points.into_iter().collect::<Vec<_>>().join(",").replace(' ', "_")
        }
    }
}

fn sequences(module: &Module, points: &ChangePoints) -> String {
    let sequences = BuildSequences::new(&ProgramCalls::new(module), points, entry(module));
    let edges = sequences.graph.edges.iter();
    let edges = edges.map(|&(from, to)| {
        format!("{}->{}", vertex(module, &sequences, from), vertex(module, &sequences, to))
    });
    let edges: BTreeSet<String> = edges.collect();
    let text = listed("sequences", edges);
    format!("{text}cycc: {}\n", sequences.graph.cyclomatic_complexity())
}

/// Statements that print.
fn outputs(module: &Module) -> BTreeSet<StatementId> {
    let is_output = |op: &Op| match op {
        Op::Call(call) => match call.callee {
            Callee::Function(id) => {
                ["printf", "puts"].contains(&module.functions[id].name.as_str())
            }
            _ => false,
        },
        _ => false,
    };
    let insts = module.functions.values().filter_map(|f| f.body()).flat_map(|b| b.insts.values());
    insts.filter(|inst| is_output(&inst.op)).map(|inst| inst.statement).collect()
}

fn interaction_vertex(old: &Module, new: &Module, vertex: &InteractionVertex) -> String {
    match vertex {
        InteractionVertex::Entry => "entry".to_owned(),
        InteractionVertex::Exit => "exit".to_owned(),
        InteractionVertex::Changed(statements) => line(new, statements[0]).to_string(),
        InteractionVertex::Missing(statements) => format!("({})", line(old, statements[0])),
        InteractionVertex::Signature(function) => new.functions[*function].name.clone(),
        InteractionVertex::Location(statements) => format!("{}?", line(new, statements[0])),
        InteractionVertex::Output(statements) => format!("{}!", line(new, statements[0])),
    }
}

fn interactions(alignment: &Alignment, old: &Module, new: &Module) -> String {
    let (old_graphs, new_graphs) = (ProgramGraphs::new(old), ProgramGraphs::new(new));
    let builds = TwoBuilds { alignment, old: &old_graphs, new: &new_graphs, entry: entry(new) };
    let graph = InteractionGraph::new(builds, &outputs(new), |_| true);
    let effects = Effects::new(builds);
    let shown = |edges: &[(usize, usize)]| {
        let name = |at: usize| interaction_vertex(old, new, &graph.vertices[at]);
        edges.iter().map(|&(from, to)| format!("{}->{}", name(from), name(to))).collect::<Vec<_>>()
    };
    let mut text = listed("order", shown(&graph.order));
    text += &listed("influence", shown(&graph.influence));
    for set in sets(effects.changes.len()) {
        let names = set.iter().map(|&at| interaction_vertex(old, new, &effects.changes[at]));
        let title = format!("meet {}", names.collect::<Vec<_>>().join(","));
        let lines = effects.meet(&set).into_iter().map(|ids| line(new, ids[0]).to_string());
        text += &listed(&title, lines);
    }
    text
}

/// All sets of two changes or more, if there are at most three.
fn sets(changes: usize) -> Vec<Vec<usize>> {
    match changes {
        2 => vec![vec![0, 1]],
        3 => vec![vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]],
        _ => Vec::new(),
    }
}

fn report(old: &Module, new: &Module) -> String {
    let alignment = align(old, new, |_, _, _| true);
    let mut text = String::new();
    for (version, module, name) in [(Version::Old, old, "old"), (Version::New, new, "new")] {
        let points = ChangePoints::new(&alignment, old, new, version);
        let shown: BTreeSet<String> = points.all.iter().map(|&at| point(module, at)).collect();
        let _ = write!(text, "{}", listed(&format!("points in {name}"), shown));
    }
    for group in regions(&alignment, old, new) {
        let (before, after) = (region(old, group.old.as_ref()), region(new, group.new.as_ref()));
        let _ = writeln!(text, "region: {before} => {after}");
    }
    let points = ChangePoints::new(&alignment, old, new, Version::New);
    text += &branches(new, &points);
    text += &sequences(new, &points);
    text += &interactions(&alignment, old, new);
    text
}

#[test]
fn every_pair_of_builds_gives_what_is_expected() {
    let Some(compiler) = compiler() else { return };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builds");
    let mut cases: Vec<PathBuf> = fs::read_dir(directory)
        .expect("the cases are there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    cases.sort();
    let mut wrong = Vec::new();
    for case in &cases {
        let flags = ["-w".to_owned()];
        let old = module(&compiler, &case.join("old.c"), &flags);
        let new = module(&compiler, &case.join("new.c"), &flags);
        let found = report(&old, &new);
        let path = case.join("expected");
        let wanted = fs::read_to_string(&path).unwrap_or_default();
        let (comments, expected): (Vec<&str>, Vec<&str>) =
            wanted.lines().partition(|line| line.starts_with('#'));
        if std::env::var_os("RIPPLE_BLESS").is_some() {
            let comments: String = comments.iter().map(|line| format!("{line}\n")).collect();
            fs::write(&path, comments + &found).expect("the expectation can be written");
        } else if !expected.iter().copied().eq(found.lines()) {
            wrong.push(format!("{}\nexpected:\n{wanted}\nfound:\n{found}", case.display()));
        }
    }
    assert!(cases.len() >= 8, "only {} cases", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
