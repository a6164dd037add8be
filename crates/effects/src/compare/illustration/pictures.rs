//! Drawings of the change: the orders in which changes can be executed, and the dependences in
//! changed functions. Boxes are lines of the source.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use base::Version;
use changes::interactions::InteractionVertex;
use graphs::drawing::Style;
use graphs::{Drawing, ProgramGraphs, Reason};
use ir::{FuncId, StatementId};

use super::sources::Texts;
use super::{BoxMeaning, FileLine, Picture, Subject};
use crate::versions::Versions;

/// The most boxes of one readable drawing.
const MOST_BOXES: usize = 40;
/// The most boxes of the graph of sequences, which is omitted rather than cut.
const MOST_VERTICES: usize = 120;
/// The most functions whose dependences are drawn.
const MOST_FUNCTIONS: usize = 8;
/// Characters of a line of source in a box.
const MOST_CHARACTERS: usize = 44;

/// As many as there is time for.
pub(super) fn draw(
    versions: &Versions,
    texts: &Texts<'_>,
    is_over: &dyn Fn() -> bool,
) -> Vec<Picture> {
    if is_over() {
        return Vec::new();
    }
    let mut pictures: Vec<Picture> = sequences(versions, texts).into_iter().collect();
    let graphs = versions.new.graphs();
    let alignment = &versions.alignment;
    let pairs = alignment.functions.iter().filter(|pair| !pair.changes.is_empty());
    let changed = pairs.map(|pair| pair.new).chain(alignment.added.iter().copied());
    for function in changed.take(MOST_FUNCTIONS).take_while(|_| !is_over()) {
        pictures.extend(dependences(&graphs, function, texts));
    }
    pictures
}

fn sequences(versions: &Versions, texts: &Texts<'_>) -> Option<Picture> {
    let (graph, complexity) = versions.sequence_graph();
    if graph.vertices.is_empty() {
        return None;
    }
    let subject = Subject::Sequences { complexity };
    if graph.vertices.len() > MOST_VERTICES {
        let left_out = graph.vertices.len();
        let (drawing, boxes) = (Drawing::new("changes"), Vec::new());
        return Some(Picture { subject, drawing, boxes, left_out });
    }
    let drawing =
        changes::drawing::draw(&graph, &versions.old.module, &versions.new.module, "changes");
    let boxes = graph.vertices.iter().map(|vertex| {
        let at = |version: Version, statements: &[StatementId]| {
            let line = texts.line(version, *statements.first()?)?;
            Some((version, line))
        };
        let (at, changed, affected) = match vertex {
            InteractionVertex::Changed(statements) => (at(Version::New, statements), true, true),
            InteractionVertex::Missing(statements) => (at(Version::Old, statements), true, true),
            InteractionVertex::Location(statements) => (at(Version::New, statements), false, true),
            InteractionVertex::Output(statements) => (at(Version::New, statements), false, false),
            InteractionVertex::Signature(_) => (None, true, true),
            InteractionVertex::Entry | InteractionVertex::Exit => (None, false, false),
        };
        BoxMeaning { at, changed, affected }
    });
    let boxes = boxes.collect();
    Some(Picture { subject, drawing, boxes, left_out: 0 })
}

/// The lines of a function with their dependences, starting at the changed ones as far as there is
/// room.
fn dependences(graphs: &ProgramGraphs<'_>, function: FuncId, texts: &Texts<'_>) -> Option<Picture> {
    let pdg = graphs.pdg(function);
    let line = |statement: StatementId| texts.line(Version::New, statement);
    let mut edges: BTreeMap<(FileLine, FileLine, bool), BTreeSet<String>> = BTreeMap::new();
    for dependence in &pdg.dependences {
        let (Some(from), Some(to)) = (line(dependence.from), line(dependence.to)) else { continue };
        if from == to {
            continue;
        }
        let (by_control, label) = match dependence.reason {
            Reason::Control(outcome) => (true, outcome.to_string()),
            reason => (false, reason.variable(graphs.analyses())),
        };
        edges.entry((from, to, by_control)).or_default().insert(label);
    }
    let all: BTreeSet<FileLine> = pdg.statements.iter().filter_map(|&id| line(id)).collect();
    let chosen = choose(&all, &edges, texts);
    if chosen.len() < 2 {
        return None;
    }
    let name = graphs.module.functions[function].display_name().to_owned();
    let mut drawing = Drawing::new(name.clone());
    let mut boxes = Vec::new();
    let mut numbers = BTreeMap::new();
    for &at in &chosen {
        let text = texts.text(Version::New, at).unwrap_or_default();
        numbers.insert(at, drawing.add_box(format!("line {}", at.1), shortened(&text)));
        boxes.push(BoxMeaning {
            at: Some((Version::New, at)),
            changed: texts.is_changed(Version::New, at),
            affected: texts.is_affected(Version::New, at),
        });
    }
    for ((from, to, by_control), labels) in &edges {
        let (Some(&from), Some(&to)) = (numbers.get(from), numbers.get(to)) else { continue };
        let labels: Vec<&str> =
            labels.iter().map(String::as_str).filter(|l| !l.is_empty()).collect();
        let style = if *by_control { Style::Solid } else { Style::Dashed };
        drawing.add_line(from, to, labels.join(", "), style);
    }
    let left_out = all.len() - chosen.len();
    Some(Picture { subject: Subject::Dependences { function: name }, drawing, boxes, left_out })
}

/// The lines closest to the changed ones, by dependences in either direction.
fn choose(
    all: &BTreeSet<FileLine>,
    edges: &BTreeMap<(FileLine, FileLine, bool), BTreeSet<String>>,
    texts: &Texts<'_>,
) -> BTreeSet<FileLine> {
    let is_changed = |at: &&FileLine| texts.is_changed(Version::New, **at);
    let is_affected = |at: &&FileLine| texts.is_affected(Version::New, **at);
    let mut waiting: VecDeque<FileLine> = all.iter().filter(is_changed).copied().collect();
    if waiting.is_empty() {
        waiting = all.iter().filter(is_affected).copied().collect();
    }
    let mut chosen = BTreeSet::new();
    while let Some(at) = waiting.pop_front() {
        if chosen.len() >= MOST_BOXES {
            break;
        }
        if !chosen.insert(at) {
            continue;
        }
        for (from, to, _) in edges.keys() {
            if *from == at {
                waiting.push_back(*to);
            }
            if *to == at {
                waiting.push_back(*from);
            }
        }
    }
    chosen
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
