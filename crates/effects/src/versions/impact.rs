//! What changes may affect: forward slices, where they meet, and which outputs they may reach.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use graphs::sdg::VertexId;
use graphs::{Criterion, ProgramGraphs};
use ir::{Callee, FuncId, Module, Op, StatementId};
use source::Checkout;

use super::outputs::AffectedOutput;
use super::{NumberedChange, Place, Side, Versions};
use crate::error::Error;
use crate::program::Loader;

/// A line that changes may affect.
#[derive(Clone, Debug, PartialEq)]
pub struct AffectedLine {
    pub place: Place,
    /// Numbers of the changes, from 1.
    pub changes: Vec<usize>,
    /// The estimated probability that it is affected.
    pub probability: f64,
    /// Whether its effect is visible to users.
    pub is_output: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AffectedFunction {
    pub name: String,
    /// Where it is defined.
    pub place: Option<Place>,
    pub affected: usize,
    pub statements: usize,
    /// Numbers of the changes, from 1.
    pub changes: Vec<usize>,
    /// The estimated probability that some statement of it is affected.
    pub probability: f64,
    /// The estimated probability that what it returns is affected, if it can be.
    pub result: Option<f64>,
}

/// Changes that may interfere, and the first lines where they meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    pub changes: (usize, usize),
    pub places: Vec<Place>,
}

/// What the changes between two versions may affect in NEW.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// The versions, as typed.
    pub old: String,
    pub new: String,
    pub changes: Vec<NumberedChange>,
    /// The most likely first.
    pub lines: Vec<AffectedLine>,
    /// The most likely first.
    pub functions: Vec<AffectedFunction>,
    /// The most likely first.
    pub outputs: Vec<AffectedOutput>,
    /// Functions of the program that no change can affect.
    pub unaffected_functions: usize,
    /// Lines of the program that no change can affect.
    pub unaffected: usize,
    pub meetings: Vec<Meeting>,
    /// Changes that meet no other.
    pub alone: Vec<usize>,
}

impl Versions {
    pub fn impact(&self) -> Impact {
        let mut impact = Impact {
            old: self.old.checkout.name.clone(),
            new: self.new.checkout.name.clone(),
            changes: self.numbered.clone(),
            ..Impact::default()
        };
        let reached: Vec<BTreeMap<StatementId, f64>> =
            self.numbered.iter().map(|change| self.reach(change)).collect();
        impact.lines = self.lines(&reached);
        (impact.functions, impact.unaffected_functions) = self.functions(&reached);
        impact.outputs = self.affected_outputs(&reached);
        impact.unaffected = self.unaffected(&reached);
        impact.meetings = self.meetings(&reached);
        let meets = |change: usize| {
            impact.meetings.iter().any(|m| m.changes.0 == change || m.changes.1 == change)
        };
        impact.alone = (1..=reached.len()).filter(|&change| !meets(change)).collect();
        impact
    }

    /// The statements of NEW that a change may affect, with estimates. Deleted code acts through
    /// what it would have affected in OLD.
    pub(crate) fn reach(&self, change: &NumberedChange) -> BTreeMap<StatementId, f64> {
        let new = &self.new.graphs();
        let vertices = |graphs: &ProgramGraphs<'_>, ids: &[StatementId]| -> Vec<VertexId> {
            ids.iter().flat_map(|&id| graphs.sdg.of_statement(id).to_vec()).collect()
        };
        let mut reached = BTreeMap::new();
        for affected in graphs::quantify(new, &vertices(new, &change.new_statements)) {
            reached.insert(affected.statement, affected.probability);
        }
        if change.new_statements.is_empty() {
            // Graphs of large programs are expensive, and most changes do without those of OLD.
            let old = &self.old.graphs();
            for affected in graphs::quantify(old, &vertices(old, change.old_statement.as_slice())) {
                if let Some(there) = self.alignment.counterparts[Version::Old][affected.statement] {
                    reached.entry(there).or_insert(affected.probability);
                }
            }
        }
        reached.retain(|&statement, _| {
            self.new.is_own(self.new.module.statements[statement].function)
        });
        reached
    }

    fn lines(&self, reached: &[BTreeMap<StatementId, f64>]) -> Vec<AffectedLine> {
        let mut lines: BTreeMap<Place, AffectedLine> = BTreeMap::new();
        let outputs = outputs(&self.new.module);
        for (number, statements) in reached.iter().enumerate() {
            for (&statement, &probability) in statements {
                let Some(place) = self.new.place(statement) else { continue };
                let line = lines.entry(place.clone()).or_insert_with(|| AffectedLine {
                    place,
                    changes: Vec::new(),
                    probability: 0.0,
                    is_output: false,
                });
                if line.changes.last() != Some(&(number + 1)) {
                    line.changes.push(number + 1);
                }
                line.probability = line.probability.max(probability);
                line.is_output |= outputs.contains(&statement);
            }
        }
        let mut lines: Vec<AffectedLine> = lines.into_values().collect();
        lines.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        lines
    }

    /// The functions that may be affected, and how many others there are.
    fn functions(&self, reached: &[BTreeMap<StatementId, f64>]) -> (Vec<AffectedFunction>, usize) {
        let module = &self.new.module;
        let mut found: BTreeMap<FuncId, AffectedFunction> = BTreeMap::new();
        for (id, function) in module.functions.iter() {
            if function.body().is_some() && self.new.is_own(id) {
                found.insert(id, self.unaffected_function(id));
            }
        }
        for data in module.statements.values() {
            if let Some(function) = found.get_mut(&data.function) {
                function.statements += 1;
            }
        }
        let returning = self.returning();
        let mut counted: BTreeSet<StatementId> = BTreeSet::new();
        for (number, statements) in reached.iter().enumerate() {
            for (&statement, &probability) in statements {
                let owner = module.statements[statement].function;
                let Some(function) = found.get_mut(&owner) else { continue };
                function.affected += usize::from(counted.insert(statement));
                if function.changes.last() != Some(&(number + 1)) {
                    function.changes.push(number + 1);
                }
                function.probability = function.probability.max(probability);
                if returning.contains_key(&statement) {
                    let known = function.result.unwrap_or(0.0);
                    function.result = Some(known.max(probability));
                }
            }
        }
        let all = found.len();
        let mut functions: Vec<AffectedFunction> =
            found.into_values().filter(|function| function.affected > 0).collect();
        // Equally likely ones stay in the order of the program.
        functions.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let others = all - functions.len();
        (functions, others)
    }

    fn unaffected_function(&self, id: FuncId) -> AffectedFunction {
        AffectedFunction {
            name: self.new.name(id),
            place: self.new.place_of_function(id),
            affected: 0,
            statements: 0,
            changes: Vec::new(),
            probability: 0.0,
            result: None,
        }
    }

    fn unaffected(&self, reached: &[BTreeMap<StatementId, f64>]) -> usize {
        let module = &self.new.module;
        let own = module.statements.iter().filter(|(_, data)| self.new.is_own(data.function));
        let lines: BTreeSet<Place> = own.filter_map(|(id, _)| self.new.place(id)).collect();
        let all = reached.iter().flat_map(BTreeMap::keys);
        let affected: BTreeSet<Place> = all.filter_map(|&id| self.new.place(id)).collect();
        lines.difference(&affected).count()
    }

    /// Pairs of changes whose effects may reach one statement, with the first such lines.
    fn meetings(&self, reached: &[BTreeMap<StatementId, f64>]) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for one in 0..reached.len() {
            for other in one + 1..reached.len() {
                let shared = reached[one].keys().filter(|id| reached[other].contains_key(id));
                let mut places: Vec<Place> =
                    shared.filter_map(|&statement| self.new.place(statement)).collect();
                places.sort();
                places.dedup();
                if !places.is_empty() {
                    meetings.push(Meeting { changes: (one + 1, other + 1), places });
                }
            }
        }
        meetings
    }
}

/// Statements that call functions with visible effects.
pub(super) fn outputs(module: &Module) -> BTreeSet<StatementId> {
    let mut outputs = BTreeSet::new();
    for function in module.functions.values() {
        let Some(body) = function.body() else { continue };
        for inst in body.insts.values() {
            let Op::Call(call) = &inst.op else { continue };
            let Callee::Function(callee) = call.callee else { continue };
            let known = library::find(&module.functions[callee].name);
            if !module.is_own(callee) && known.is_some_and(library::Function::is_seen) {
                outputs.insert(inst.statement);
            }
        }
    }
    outputs
}

/// What a change of a line may affect, before it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The version, as typed.
    pub version: String,
    pub line: u32,
    /// The most likely first. All of them by the one change.
    pub lines: Vec<AffectedLine>,
}

/// Follows a change of a line that has not been made yet.
pub fn predict(loader: &Loader<'_>, checkout: &Checkout, line: u32) -> Result<Prediction, Error> {
    let side = Side::load(loader, checkout, "OLD")?;
    let names: Vec<String> =
        side.checkout.files.iter().map(|path| path.display().to_string()).collect();
    let start = Criterion::line(line).statements(&side.module, &names)?;
    let graphs = side.graphs();
    let outputs = outputs(&side.module);
    let vertices: Vec<VertexId> =
        start.iter().flat_map(|&id| graphs.sdg.of_statement(id).to_vec()).collect();
    let mut lines: Vec<AffectedLine> = Vec::new();
    for affected in graphs::quantify(&graphs, &vertices) {
        let function = side.module.statements[affected.statement].function;
        let Some(place) = side.place(affected.statement).filter(|_| side.is_own(function)) else {
            continue;
        };
        let is_output = outputs.contains(&affected.statement);
        match lines.iter_mut().find(|known| known.place == place) {
            Some(known) => known.is_output |= is_output,
            None => lines.push(AffectedLine {
                place,
                changes: vec![1],
                probability: affected.probability,
                is_output,
            }),
        }
    }
    Ok(Prediction { version: checkout.name.clone(), line, lines })
}
