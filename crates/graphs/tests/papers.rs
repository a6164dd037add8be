//! The worked examples of the papers, with their exact answers: `NAME.c` and `NAME.expected`.
//!
//! Lines of an expectation: `edge FROM TO [VARIABLE]` for every dependence between statements of
//! the function, by lines; `forward LINE: LINES`, `backward LINE: LINES` for slices;
//! `chain LINE LENGTH: (1, 2) (2, 6, y)` for each chain of dependences of that length.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

#[path = "shared/programs.rs"]
mod programs;

use std::collections::BTreeSet;
use std::fmt::Write;

use graphs::{Dependence, Direction, Pdg, ProgramGraphs, Slice};
use ir::{FuncId, StatementId};
use programs::Example;
use ripple_graphs as graphs;

/// Gives the lines of a function that a paper's figure shows, as the paper numbers them.
struct Figure<'a> {
    graphs: &'a ProgramGraphs<'a>,
    function: FuncId,
}

impl Figure<'_> {
    fn line(&self, statement: StatementId) -> u32 {
        self.graphs.module.statements[statement].span.line
    }

    fn statements(&self, line: u32) -> Vec<StatementId> {
        let all = self.graphs.module.statements.iter();
        let found = all.filter(|(_, s)| s.function == self.function && s.span.line == line);
        let found: Vec<StatementId> = found.map(|(id, _)| id).collect();
        assert!(!found.is_empty(), "there is a statement on line {line}");
        found
    }

    fn dependence(&self, dependence: &Dependence) -> (u32, u32, String) {
        let variable = dependence.reason.variable(self.graphs.analyses());
        (self.line(dependence.from), self.line(dependence.to), variable)
    }

    fn edges(&self, pdg: &Pdg) -> BTreeSet<String> {
        let edges = pdg.dependences.iter().map(|d| self.dependence(d));
        edges.map(|(from, to, name)| format!("edge {from} {to} {name}").trim().to_owned()).collect()
    }

    fn slice(&self, line: u32, direction: Direction) -> String {
        let slice = Slice::of_statements(&self.graphs.sdg, self.statements(line), direction);
        let lines: BTreeSet<u32> =
            slice.statements(&self.graphs.sdg).into_iter().map(|s| self.line(s)).collect();
        lines.iter().map(|line| format!(" {line}")).collect()
    }

    fn chains(&self, pdg: &Pdg, line: u32, length: usize) -> BTreeSet<String> {
        let starts = self.statements(line);
        let chains = starts.iter().flat_map(|&start| pdg.chains(start, length));
        let text = chains.map(|chain| {
            let mut text = String::new();
            for dependence in &chain {
                let (from, to, name) = self.dependence(dependence);
                let name = if name.is_empty() { name } else { format!(", {name}") };
                write!(text, " ({from}, {to}{name})").unwrap();
            }
            text
        });
        text.collect()
    }
}

fn check(name: &str) {
    let Some(example) = Example::load(&format!("papers/{name}.c")) else { return };
    let expected = example.text(&format!("papers/{name}.expected"));
    let graphs = ProgramGraphs::new(&example.module);
    let (function, _) =
        example.module.functions.iter().find(|(_, f)| f.name == "figure").expect("it is there");
    let figure = Figure { graphs: &graphs, function };
    let pdg = graphs.pdg(function);
    let mut edges = BTreeSet::new();
    let mut asked: Vec<(u32, usize, BTreeSet<String>)> = Vec::new();
    for line in expected.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with("edge ") {
            edges.insert(line.to_owned());
            continue;
        }
        let (question, answer) = line.split_once(':').expect("a question ends with a colon");
        let words: Vec<&str> = question.split(' ').collect();
        let at: u32 = words[1].parse().unwrap();
        match words[0] {
            "forward" => assert_eq!(figure.slice(at, Direction::Forward), answer, "{name}: {line}"),
            "backward" => {
                assert_eq!(figure.slice(at, Direction::Backward), answer, "{name}: {line}");
            }
            "chain" => {
                let length: usize = words[2].parse().unwrap();
                match asked.last_mut() {
                    Some(last) if (last.0, last.1) == (at, length) => {
                        last.2.insert(answer.to_owned());
                    }
                    _ => asked.push((at, length, [answer.to_owned()].into())),
                }
            }
            other => panic!("`{other}` is not a question"),
        }
    }
    if !edges.is_empty() {
        assert_eq!(figure.edges(&pdg), edges, "{name}");
    }
    for (line, length, chains) in asked {
        assert_eq!(figure.chains(&pdg, line, length), chains, "{name}: {length}");
    }
}

#[test]
fn what_depends_on_data_ranks_above_what_depends_on_the_decision_alone() {
    // The chapter's Fig. 8: what computes with `c` is affected most, the lines that only a
    // decision on `c` guards least, and those that it guards and that use `c` are between.
    let Some(example) = Example::load("papers/tangents.c") else { return };
    let graphs = ProgramGraphs::new(&example.module);
    let (function, _) =
        example.module.functions.iter().find(|(_, f)| f.name == "figure").expect("it is there");
    let figure = Figure { graphs: &graphs, function };
    let start: Vec<_> = figure
        .statements(2)
        .into_iter()
        .flat_map(|statement| graphs.sdg.of_statement(statement).to_vec())
        .collect();
    let ranked = graphs::quantify(&graphs, &start);
    let score = |line: u32| {
        let mut entries = ranked.iter().filter(|entry| figure.line(entry.statement) == line);
        entries.next().expect("the line is in the slice").probability
    };
    assert_eq!((score(2), score(3), score(4)), (1.0, 1.0, 0.5));
    for line in 6..=11 {
        assert!(score(line) < 1.0 && score(line) > score(4), "line {line}: {}", score(line));
    }
    assert!(ranked.windows(2).all(|pair| pair[0].probability >= pair[1].probability));
}

#[test]
fn the_running_example_has_the_dependences_and_slices_of_its_figures() {
    check("running_old");
}

#[test]
fn the_changed_running_example_has_the_dependences_and_slices_of_its_figures() {
    check("running_new");
}

#[test]
fn the_array_example_has_the_static_slices_of_its_table() {
    check("arr");
}

#[test]
fn the_binary_example_has_the_dependences_of_its_figure_and_all_chains_of_its_table() {
    check("bin");
}
