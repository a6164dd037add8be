//! Two versions of one function.

use base::Version;
use base::entity::{EntityRef, SecondaryMap};
use graphs::{Cfg, ControlDependence, DominatorTree, Outcome};
use imara_diff::{Algorithm, Diff, InternedInput};
use ir::{Body, FuncId, Module, StatementId};
use rustc_hash::FxHashMap;

use super::globals::global_name;
use super::key::Keys;
use super::locals::{self, Labels, Renamed, Side};
use super::order::commute;
use super::units::{Unit, Units};
use super::{Alignment, Change, ChangedGlobals, FunctionPair, Why};

/// The alignment of two versions of a function.
pub struct Comparison<'a> {
    pair: FunctionPair,
    old: &'a Body,
    new: &'a Body,
    old_units: Units,
    new_units: Units,
    /// For units of OLD, their counterpart.
    forward: Vec<Option<u32>>,
    backward: Vec<Option<u32>>,
    /// Pairs that do not do the same.
    different: Vec<(u32, u32)>,
    /// Pairs that do the same at another place.
    moved: Vec<(u32, u32)>,
}

/// Compares two functions with code.
pub fn compare<'a>(
    old: &'a Module,
    old_id: FuncId,
    new: &'a Module,
    new_id: FuncId,
    globals: &ChangedGlobals,
) -> Comparison<'a> {
    let (old_body, new_body) = (body(old, old_id), body(new, new_id));
    let (old_units, new_units) = (Units::new(old_body), Units::new(new_body));
    let left = Side { module: old, body: old_body, units: &old_units };
    let right = Side { module: new, body: new_body, units: &new_units };
    let (old_labels, new_labels, renamed) = locals::pair(left, right);
    let old_keys = keys(left, &old_labels);
    let new_keys = keys(right, &new_labels);
    let (forward, backward) = diff(&old_keys, &new_keys);
    let mut comparison = Comparison {
        pair: FunctionPair {
            old: old_id,
            new: new_id,
            changes: Vec::new(),
            signature: signature(old, old_id) != signature(new, new_id),
            renamed: visible(renamed),
        },
        old: old_body,
        new: new_body,
        old_units,
        new_units,
        forward,
        backward,
        different: Vec::new(),
        moved: Vec::new(),
    };
    comparison.pair_moved(&old_keys, &new_keys);
    comparison.pair_different(&old_keys, &new_keys);
    comparison.collect(old, new, globals);
    comparison
}

fn body(module: &Module, function: FuncId) -> &Body {
    module.functions[function].body().expect("only functions with code are compared")
}

/// Names made up by the compiler do not count.
fn visible(renamed: Vec<Renamed>) -> Vec<Renamed> {
    let is_word = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_named = |name: &str| is_word(name) && !name.is_empty();
    renamed.into_iter().filter(|r| is_named(&r.old) && is_named(&r.new)).collect()
}

fn signature(module: &Module, function: FuncId) -> String {
    let function = &module.functions[function];
    let size = |ty| {
        let layout = module.types.layout(ty);
        format!("{}/{}", layout.size, layout.align)
    };
    let params: Vec<String> = function.params.iter().map(|param| size(param.ty)).collect();
    format!("{} {} {:?}", size(function.returns), function.variadic, params)
}

fn keys(side: Side<'_>, labels: &Labels) -> Vec<String> {
    let keys = Keys { module: side.module, body: side.body, units: side.units, names: labels };
    side.units.all.iter().map(|unit| keys.key(unit.inst)).collect()
}

/// Matches units by a diff of their keys.
fn diff(old: &[String], new: &[String]) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(old.iter().map(String::as_str));
    input.update_after(new.iter().map(String::as_str));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let (mut forward, mut backward) = (vec![None; old.len()], vec![None; new.len()]);
    let (mut at_old, mut at_new) = (0u32, 0u32);
    let mut same = |at_old: &mut u32, at_new: &mut u32, until: u32| {
        while *at_old < until {
            forward[*at_old as usize] = Some(*at_new);
            backward[*at_new as usize] = Some(*at_old);
            *at_old += 1;
            *at_new += 1;
        }
    };
    for hunk in diff.hunks() {
        same(&mut at_old, &mut at_new, hunk.before.start);
        (at_old, at_new) = (hunk.before.end, hunk.after.end);
    }
    same(&mut at_old, &mut at_new, old.len() as u32);
    (forward, backward)
}

impl Comparison<'_> {
    /// Units that moved unchanged.
    fn pair_moved(&mut self, old: &[String], new: &[String]) {
        let mut waiting: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (index, key) in new.iter().enumerate().rev() {
            if self.backward[index].is_none() {
                waiting.entry(key).or_default().push(index as u32);
            }
        }
        for (index, key) in old.iter().enumerate() {
            if self.forward[index].is_some() {
                continue;
            }
            let Some(other) = waiting.get_mut(key.as_str()).and_then(Vec::pop) else { continue };
            let index = index as u32;
            self.join(index, other);
            if !self.is_harmless(index, other) {
                self.moved.push((index, other));
            }
        }
    }

    fn join(&mut self, old: u32, new: u32) {
        self.forward[old as usize] = Some(new);
        self.backward[new as usize] = Some(old);
    }

    /// Whether a unit may stand at either place: it commutes with everything it passes.
    fn is_harmless(&self, old: u32, new: u32) -> bool {
        let unit = &self.old_units.all[old as usize];
        let pairs = self.forward.iter().enumerate();
        pairs
            .filter_map(|(index, there)| Some((index as u32, (*there)?)))
            .filter(|&(index, there)| index != old && (index < old) != (there < new))
            .map(|(index, _)| &self.old_units.all[index as usize])
            .all(|other| other.block == unit.block && commute(unit, other))
    }

    /// Pairs of units at the same place that do something else.
    fn pair_different(&mut self, old: &[String], new: &[String]) {
        let mut start = 0;
        for index in 0..=new.len() {
            // A gap is between two pairs that are in order.
            let anchor = match new.get(index) {
                Some(_) => match self.backward[index] {
                    Some(there) => there as usize,
                    None => continue,
                },
                None => old.len(),
            };
            let gap: Vec<u32> = (start..anchor.max(start))
                .filter(|&at| self.forward[at].is_none())
                .map(|at| at as u32)
                .collect();
            let added: Vec<u32> = (0..index)
                .rev()
                .take_while(|&at| self.backward[at].is_none())
                .map(|at| at as u32)
                .collect();
            self.pair_gap(&gap, &added.into_iter().rev().collect::<Vec<_>>(), old, new);
            start = start.max(anchor + 1);
        }
    }

    fn pair_gap(&mut self, gap: &[u32], added: &[u32], old: &[String], new: &[String]) {
        let mut rest: Vec<u32> = added.to_vec();
        for &one in gap {
            let kind = head(&old[one as usize]);
            let found = rest.iter().position(|&other| head(&new[other as usize]) == kind);
            let Some(index) = found else { continue };
            let other = rest[index];
            // Skipped units have no counterpart.
            rest.drain(..=index);
            self.join(one, other);
            self.different.push((one, other));
        }
    }

    /// From units to statements.
    fn collect(&mut self, old: &Module, new: &Module, globals: &ChangedGlobals) {
        let mut verdicts: SecondaryMap<StatementId, Verdict> = SecondaryMap::new();
        for &(one, other) in &self.different {
            let statement = self.new_units.all[other as usize].statement;
            verdicts[statement].different |= true;
            verdicts[statement].old.get_or_insert(self.old_units.all[one as usize].statement);
        }
        for &(one, other) in &self.moved {
            let statement = self.new_units.all[other as usize].statement;
            verdicts[statement].moved |= true;
            verdicts[statement].old.get_or_insert(self.old_units.all[one as usize].statement);
        }
        let mut explained: Vec<u32> = self
            .new_units
            .all
            .iter()
            .enumerate()
            .filter(|(index, unit)| {
                self.backward[*index].is_none() || verdicts[unit.statement].different
            })
            .map(|(index, _)| self.line(index as u32))
            .collect();
        // If a decision depends on another one, so does everything that depends on it: only the
        // first is the change.
        for (other, lines) in self.control_differs() {
            if lines.iter().all(|line| explained.contains(line)) {
                continue;
            }
            verdicts[self.new_units.all[other as usize].statement].control |= true;
            explained.push(self.line(other));
        }
        for (index, unit) in self.new_units.all.iter().enumerate() {
            let verdict = &mut verdicts[unit.statement];
            match self.backward[index] {
                Some(there) => {
                    let statement = self.old_units.all[there as usize].statement;
                    verdict.old.get_or_insert(statement);
                    verdict.kept = true;
                }
                None => verdict.added = true,
            }
        }
        let uses = self.changed_uses(old, new, globals);
        self.changes_of_new(&verdicts, &uses);
        self.deletions();
    }

    fn changes_of_new(
        &mut self,
        verdicts: &SecondaryMap<StatementId, Verdict>,
        uses: &SecondaryMap<StatementId, Vec<String>>,
    ) {
        let mut done: Vec<StatementId> = Vec::new();
        for unit in &self.new_units.all {
            let new = unit.statement;
            if done.contains(&new) {
                continue;
            }
            done.push(new);
            let verdict = verdicts[new];
            let change = match verdict.old {
                None => Change::Added { new },
                Some(_) if verdict.added && !verdict.kept => Change::Added { new },
                Some(old) if verdict.added || verdict.different => {
                    Change::Modified { old, new, why: Why::Text }
                }
                Some(old) if verdict.moved => Change::Moved { old, new },
                Some(old) if verdict.control => Change::Modified { old, new, why: Why::Control },
                Some(old) if !uses[new].is_empty() => {
                    Change::Modified { old, new, why: Why::Uses(uses[new].clone()) }
                }
                Some(_) => continue,
            };
            self.pair.changes.push(change);
        }
    }

    /// Statements of OLD without any counterpart, and those that lost a part.
    fn deletions(&mut self) {
        let mut parts: Vec<(StatementId, bool, bool, usize)> = Vec::new();
        for (index, unit) in self.old_units.all.iter().enumerate() {
            let kept = self.forward[index].is_some();
            match parts.iter_mut().find(|part| part.0 == unit.statement) {
                Some(part) => {
                    part.1 |= kept;
                    part.2 |= !kept;
                }
                None => parts.push((unit.statement, kept, !kept, index)),
            }
        }
        for (old, kept, lost, index) in parts {
            if !lost {
                continue;
            }
            let before = self.next_kept(index);
            if kept {
                let Some(new) = self.counterpart(old) else { continue };
                let known = |change: &Change| change.in_new() == Some(new);
                if !self.pair.changes.iter().any(known) {
                    self.pair.changes.push(Change::Modified { old, new, why: Why::Text });
                }
            } else {
                self.pair.changes.push(Change::Deleted { old, before })
            }
        }
        let place = |change: &Change| match change {
            Change::Deleted { before, .. } => {
                before.map_or(u64::MAX, |s| 2 * u64::from(s.as_u32()))
            }
            other => other.in_new().map_or(u64::MAX, |s| 2 * u64::from(s.as_u32()) + 1),
        };
        self.pair.changes.sort_by_key(place);
    }

    /// The statement of NEW that contains the first kept part of a statement.
    fn counterpart(&self, old: StatementId) -> Option<StatementId> {
        let units = self.old_units.all.iter().enumerate();
        let mut own = units.filter(|(_, unit)| unit.statement == old);
        let there = own.find_map(|(index, _)| self.forward[index])?;
        Some(self.new_units.all[there as usize].statement)
    }

    fn next_kept(&self, index: usize) -> Option<StatementId> {
        let there = self.forward[index..].iter().find_map(|there| *there)?;
        Some(self.new_units.all[there as usize].statement)
    }

    /// Units of NEW that depend on other decisions than their counterparts, each with the lines of
    /// the decisions that differ.
    fn control_differs(&self) -> Vec<(u32, Vec<u32>)> {
        let old = Decisions::new(self.old, &self.old_units);
        let new = Decisions::new(self.new, &self.new_units);
        let mut differing = Vec::new();
        for (index, there) in self.backward.iter().enumerate() {
            let Some(there) = *there else { continue };
            let was = old.kept(there, &self.forward);
            let mut is = new.kept(index as u32, &self.backward);
            let mut was: Vec<(u32, Outcome)> = was
                .into_iter()
                .filter_map(|(unit, outcome)| Some((self.forward[unit as usize]?, outcome)))
                .collect();
            was.sort_unstable();
            is.sort_unstable();
            if was != is {
                let both = was.iter().filter(|way| !is.contains(way));
                let both = both.chain(is.iter().filter(|way| !was.contains(way)));
                let lines = both.map(|&(unit, _)| self.line(unit)).collect();
                differing.push((index as u32, lines));
            }
        }
        differing
    }

    /// The source line of a unit of NEW.
    fn line(&self, unit: u32) -> u32 {
        self.new.insts[self.new_units.all[unit as usize].inst].span.line
    }

    /// For statements of NEW, the changed global variables that they mention.
    fn changed_uses(
        &self,
        old: &Module,
        new: &Module,
        globals: &ChangedGlobals,
    ) -> SecondaryMap<StatementId, Vec<String>> {
        let mut uses: SecondaryMap<StatementId, Vec<String>> = SecondaryMap::new();
        if globals.old.is_empty() && globals.new.is_empty() {
            return uses;
        }
        let gone: Vec<&str> = globals.old.iter().map(|&id| global_name(&old.globals[id])).collect();
        for inst in self.new.insts.values() {
            inst.op.operands(|operand| {
                let ir::Operand::Const(constant) = operand else { return };
                self.new.consts[constant].visit(&mut |part| {
                    let ir::Const::Global(id) = &part.value else { return };
                    let name = global_name(&new.globals[*id]);
                    let names = &mut uses[inst.statement];
                    let changed = globals.new.contains(id) || gone.contains(&name);
                    if changed && !names.iter().any(|known| known == name) {
                        names.push(name.to_owned());
                    }
                });
            });
        }
        uses
    }

    /// Records the result.
    pub fn record(self, alignment: &mut Alignment) {
        for (index, there) in self.forward.iter().enumerate() {
            let Some(there) = *there else { continue };
            let old = self.old_units.all[index].statement;
            let new = self.new_units.all[there as usize].statement;
            alignment.counterparts[Version::Old][old].get_or_insert(new);
            alignment.counterparts[Version::New][new].get_or_insert(old);
        }
        alignment.functions.push(self.pair);
    }
}

/// What the units of a statement of NEW say about it.
#[derive(Clone, Copy, Debug, Default)]
struct Verdict {
    old: Option<StatementId>,
    added: bool,
    kept: bool,
    different: bool,
    moved: bool,
    control: bool,
}

/// The decisions that each unit depends on, as units.
struct Decisions {
    of_node: Vec<Vec<(u32, Outcome)>>,
    node_of: Vec<usize>,
}

impl Decisions {
    fn new(body: &Body, units: &Units) -> Decisions {
        let cfg = Cfg::of_blocks(body);
        let post = DominatorTree::of_postdominance(&cfg);
        let control = ControlDependence::new(&cfg, &post);
        let of_node = cfg
            .nodes
            .keys()
            .map(|node| {
                let parents = control.parents(node).iter();
                let as_unit = parents.filter_map(|&(parent, outcome)| {
                    let last = cfg.last_inst(body, parent)?;
                    Some((units.of_inst[last]?, outcome))
                });
                as_unit.collect()
            })
            .collect();
        let node = |unit: &Unit| cfg.first_of(unit.block).index();
        Decisions { of_node, node_of: units.all.iter().map(node).collect() }
    }

    /// The decisions with a counterpart that a unit depends on, directly or through decisions
    /// without one.
    fn kept(&self, unit: u32, counterpart: &[Option<u32>]) -> Vec<(u32, Outcome)> {
        let (mut kept, mut seen, mut waiting) = (Vec::new(), vec![unit], vec![unit]);
        while let Some(unit) = waiting.pop() {
            for &(decision, outcome) in &self.of_node[self.node_of[unit as usize]] {
                if counterpart[decision as usize].is_some() {
                    kept.push((decision, outcome));
                } else if !seen.contains(&decision) {
                    seen.push(decision);
                    waiting.push(decision);
                }
            }
        }
        kept.sort_unstable();
        kept.dedup();
        kept
    }
}

/// The kind of unit of a key: the part before its operands.
fn head(key: &str) -> &str {
    key.split('(').next().unwrap_or(key)
}
