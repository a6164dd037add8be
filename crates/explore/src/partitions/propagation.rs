//! Why two versions behave the same on an input, as the conditions that this depends on.
//!
//! *Not reached* (definitions 4 and 5 of the thesis): if neither run executes a change, then no
//! other run does that agrees with them on all decisions that govern changed statements, and on
//! what those decisions depend on.
//!
//! *Not propagated* (definition 6, algorithm 3): statements that no change can affect do the same
//! in both versions, whatever path they take, and so do not matter. What must be fixed are the
//! decisions that are affected, those that govern affected statements, and what these depend on.
//! Then the affected instances are the same on all inputs that agree. Those with a visible effect
//! are aligned and followed back: an instance is *clean* if it does the same in both versions,
//! because its statement is unchanged and its operands come from clean or unaffected instances.
//! Everything visible must be clean. This is stricter than the thesis, whose condition omits
//! decisions under which an affected value would be read that is not read on this input.
//!
//! Other sources of differences are fixed as well: affected instances that may fail, and reads of
//! clean instances that might read an affected value if others wrote less before.

use base::Version;
use exec::Program;
use exec::concolic::{Origin, Step};
use exec::stop::Stop;
use ir::{FuncId, InstId, StatementId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;
use trace::Matching;
use trace::instances::{InstanceId, Instances, Kind};

use super::runs::Run;
use super::slices::Slice;
use crate::proved::Why;
use crate::tables::{SliceTables, meet};

/// What equality on an input depends on.
pub(super) struct Reason {
    pub conditions: Vec<TermId>,
    pub why: Why,
    /// By version: the statements at which the effect of the changes ends.
    pub stops: Vec<Vec<StatementId>>,
}

/// Both versions of a pair: static knowledge, and the run.
pub(super) struct Sides<'r> {
    pub programs: [&'r Program; 2],
    pub tables: [&'r SliceTables; 2],
    pub matching: &'r Matching,
    pub runs: [&'r Run<'r>; 2],
    pub instances: [&'r Instances; 2],
}

/// Finds the reason why both versions behave the same on an input; `None` if every reason needs the
/// whole paths.
pub(super) fn reason(sides: &Sides<'_>) -> Option<Reason> {
    let is_followed = |version: usize| {
        let instances = sides.instances[version];
        let both_exit = matches!(instances.stop, Stop::Exit(_))
            && matches!(sides.runs[version].stop, Stop::Exit(_));
        both_exit && instances.is_whole && sides.tables[version].is_structured
    };
    if !is_followed(0) || !is_followed(1) {
        return None;
    }
    let slice = |version: usize| {
        let (instances, tables) = (sides.instances[version], sides.tables[version]);
        Slice::new(instances, tables, sides.programs[version])
    };
    let mut slices = [slice(0), slice(1)];
    let reaches = sides.runs.iter().any(|run| !run.reached.is_empty());
    for (version, slice) in slices.iter_mut().enumerate() {
        fix_decisions(sides, version, slice, reaches);
    }
    let mut stops = vec![Vec::new(), Vec::new()];
    if reaches {
        let clean = Clean::of_all_shown(sides)?;
        if !clean.fix_reads(sides, &mut slices) {
            return None;
        }
        for (version, slice) in slices.iter_mut().enumerate() {
            clean.fix_failures(sides, version, slice);
            stops[version] = clean.stops(sides, version);
        }
    }
    let mut conditions = Vec::new();
    let mut seen = FxHashSet::default();
    for version in [1, 0] {
        for condition in conditions_of(sides.runs[version], &slices[version])? {
            if seen.insert(condition) {
                conditions.push(condition);
            }
        }
    }
    let why = if reaches { Why::NotPropagated } else { Why::NotReached };
    Some(Reason { conditions, why, stops })
}

/// Adds the decisions on whether changes, or what they affect, are executed.
fn fix_decisions(sides: &Sides<'_>, version: usize, slice: &mut Slice<'_>, reaches: bool) {
    let instances = sides.instances[version];
    for &decision in &instances.decisions {
        let matters = match slice.governed(decision) {
            None => true,
            Some(governed) if reaches => {
                governed.affected || governed.changed || sides.is_affected(version, decision)
            }
            Some(governed) => governed.changed,
        };
        if matters {
            slice.add(decision);
        }
    }
    // Whether the run continues where it ended.
    slice.add(instances.all[instances.end()].control);
}

/// The conditions of a run whose instances are in a slice, in chronological order. `None` if the
/// instance of some condition is unknown.
fn conditions_of(run: &Run, slice: &Slice<'_>) -> Option<Vec<TermId>> {
    let mut found: Vec<(u64, TermId)> = Vec::new();
    for step in run.steps.iter().chain(&run.repeats) {
        // A condition on the extent of the input means the same wherever it occurs.
        let is_extent = matches!(step.origin, Origin::Extent);
        if is_extent || slice.contains(instance_of(step, slice.instances)?) {
            found.push((step.moment, step.condition));
        }
    }
    found.sort_by_key(|&(moment, _)| moment);
    Some(found.into_iter().map(|(_, condition)| condition).collect())
}

fn instance_of(step: &Step, instances: &Instances) -> Option<InstanceId> {
    let key = (step.site.function, step.site.inst, step.moment);
    instances.by_moment.get(&key).copied()
}

impl Sides<'_> {
    fn statement(&self, version: usize, instance: InstanceId) -> Option<StatementId> {
        let data = &self.instances[version].all[instance];
        statement_of(self.programs[version], data.function, data.inst)
    }

    fn is_affected(&self, version: usize, instance: InstanceId) -> bool {
        if self.instances[version].all[instance].kind == Kind::Start {
            return false;
        }
        let statement = self.statement(version, instance);
        statement.is_none_or(|statement| self.tables[version].is_affected(statement))
    }

    /// Whether two instances belong to the same part of an unchanged statement.
    fn is_same_place(&self, old: InstanceId, new: InstanceId) -> bool {
        let (Some(one), Some(other)) = (self.statement(0, old), self.statement(1, new)) else {
            return false;
        };
        let is_changed = self.matching.is_changed(Version::Old, one)
            || self.matching.is_changed(Version::New, other);
        let [left, right] =
            [(0, old), (1, new)].map(|(version, id)| &self.instances[version].all[id]);
        let same_kind = match (left.kind, right.kind) {
            (Kind::Slot(_), Kind::Slot(_)) => true,
            (one, other) => one == other,
        };
        same_kind
            && !is_changed
            && self.matching.counterpart(Version::Old, one) == Some(other)
            && ordinal(self.programs[0], one, left.function, left.inst)
                == ordinal(self.programs[1], other, right.function, right.inst)
    }
}

fn statement_of(program: &Program, function: FuncId, inst: InstId) -> Option<StatementId> {
    let body = program.module.functions.get(function)?.body()?;
    Some(body.insts.get(inst)?.statement)
}

/// The index of an instruction within its statement.
fn ordinal(
    program: &Program,
    statement: StatementId,
    function: FuncId,
    inst: InstId,
) -> Option<usize> {
    let body = program.module.functions.get(function)?.body()?;
    let block = program.module.statements.get(statement)?.block;
    let insts = body.blocks.get(block)?.insts.iter();
    let mut own = insts.filter(|&&other| body.insts[other].statement == statement);
    own.position(|&other| other == inst)
}

/// Affected instances that do the same in both versions.
#[derive(Default)]
struct Clean {
    pairs: FxHashMap<(InstanceId, InstanceId), bool>,
    members: [FxHashSet<InstanceId>; 2],
}

impl Clean {
    /// Follows everything visible back. `None` if any of it may differ.
    fn of_all_shown(sides: &Sides<'_>) -> Option<Clean> {
        let shown = |version: usize| {
            let all = sides.instances[version].all.iter();
            let calls = all.filter(|(_, data)| matches!(data.kind, Kind::Shim(_)));
            let ids = calls.map(|(id, _)| id);
            ids.filter(|&id| sides.is_affected(version, id)).collect::<Vec<_>>()
        };
        let (old, new) = (shown(0), shown(1));
        if old.len() != new.len() {
            return None;
        }
        let mut clean = Clean::default();
        let shown = old.into_iter().zip(new);
        if !shown.into_iter().all(|(one, other)| clean.check(sides, one, other)) {
            return None;
        }
        let ends = [0, 1].map(|version: usize| {
            let instances = sides.instances[version];
            instances.sources(instances.end()).to_vec()
        });
        let [old, new] = &ends;
        let mut same = |(&one, &other): (&InstanceId, &InstanceId)| match (
            sides.is_affected(0, one),
            sides.is_affected(1, other),
        ) {
            (false, false) => true,
            (true, true) => clean.check(sides, one, other),
            _ => false,
        };
        let is_clean = old.len() == new.len() && old.iter().zip(new).all(&mut same);
        if !is_clean {
            return None;
        }
        for (one, other) in clean.members() {
            clean.members[0].insert(one);
            clean.members[1].insert(other);
        }
        Some(clean)
    }

    /// All pairs that are clean, in order.
    fn members(&self) -> Vec<(InstanceId, InstanceId)> {
        let clean = self.pairs.iter().filter(|(_, is_clean)| **is_clean);
        let mut members: Vec<(InstanceId, InstanceId)> = clean.map(|(&pair, _)| pair).collect();
        members.sort_unstable();
        members
    }

    /// Whether two affected instances do the same.
    fn check(&mut self, sides: &Sides<'_>, old: InstanceId, new: InstanceId) -> bool {
        let mut waiting = vec![(old, new)];
        while let Some(&pair) = waiting.last() {
            if self.pairs.contains_key(&pair) {
                waiting.pop();
                continue;
            }
            match self.judge(sides, pair) {
                Ok(is_clean) => {
                    self.pairs.insert(pair, is_clean);
                    waiting.pop();
                }
                Err(open) => waiting.push(open),
            }
        }
        self.pairs.get(&(old, new)).copied().unwrap_or(false)
    }

    /// Whether a pair is clean, or a pair of operands that must be judged first. Operands are older
    /// than their users, so that this terminates.
    fn judge(
        &self,
        sides: &Sides<'_>,
        (old, new): (InstanceId, InstanceId),
    ) -> Result<bool, (InstanceId, InstanceId)> {
        let [left, right] = [(0, old), (1, new)]
            .map(|(version, id): (usize, InstanceId)| sides.instances[version].sources(id));
        if left.len() != right.len() || !sides.is_same_place(old, new) {
            return Ok(false);
        }
        for (&one, &other) in left.iter().zip(right) {
            match (sides.is_affected(0, one), sides.is_affected(1, other)) {
                (false, false) => {}
                (true, true) => match self.pairs.get(&(one, other)) {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => return Err((one, other)),
                },
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Affected writes that may differ: of local variables by activation, and of memory.
    fn infected(&self, sides: &Sides<'_>, version: usize, slice: &Slice<'_>) -> Infected {
        let (mut slots, mut writes) = (FxHashMap::default(), Vec::new());
        for (id, data) in sides.instances[version].all.iter() {
            let is_write =
                matches!(data.kind, Kind::Slot(_) | Kind::Store | Kind::Transfer | Kind::Shim(_));
            if !is_write || self.members[version].contains(&id) || !sides.is_affected(version, id) {
                continue;
            }
            match data.kind {
                Kind::Slot(slot) => {
                    slots.entry((data.activation, slot)).or_insert(id);
                }
                _ => writes.push((id, slice.written(id).to_vec())),
            }
        }
        (slots, writes)
    }

    /// Fixes reads of local variables by clean instances that might read something infected.
    /// Returns whether there are no such reads of memory: which write they read may depend on
    /// addresses, which nothing fixes.
    fn fix_reads(&self, sides: &Sides<'_>, slices: &mut [Slice<'_>; 2]) -> bool {
        let infected = [0, 1].map(|version: usize| self.infected(sides, version, &slices[version]));
        for (old, new) in self.members() {
            let both = [(0, old), (1, new)];
            let reads_memory = both.iter().any(|&(version, id)| {
                may_read_memory(sides, version, id, &slices[version], &infected[version])
            });
            if reads_memory {
                return false;
            }
            let reads_slot = both
                .iter()
                .any(|&(version, id)| may_read_slot(sides, version, id, &infected[version]));
            if reads_slot {
                slices[0].add(old);
                slices[1].add(new);
            }
        }
        true
    }

    /// Fixes affected instances that may fail in one version only.
    fn fix_failures(&self, sides: &Sides<'_>, version: usize, slice: &mut Slice<'_>) {
        for (id, data) in sides.instances[version].all.iter() {
            let may_fail = matches!(
                data.kind,
                Kind::Division | Kind::Load | Kind::Store | Kind::Transfer | Kind::Call
            );
            if may_fail && !self.members[version].contains(&id) && sides.is_affected(version, id) {
                slice.add(id);
            }
        }
    }

    /// The statements of affected decisions whose operands may differ.
    fn stops(&self, sides: &Sides<'_>, version: usize) -> Vec<StatementId> {
        let instances = sides.instances[version];
        let mut stops: Vec<StatementId> = instances
            .decisions
            .iter()
            .filter(|&&decision| {
                let mut sources = instances.sources(decision).iter();
                sources.any(|&source| {
                    sides.is_affected(version, source) && !self.members[version].contains(&source)
                })
            })
            .filter_map(|&decision| sides.statement(version, decision))
            .collect();
        stops.sort_unstable();
        stops.dedup();
        stops
    }
}

/// Writes that may differ: the first of each local variable, and those of memory with what they
/// may write.
type Infected = (FxHashMap<(u32, ir::SlotId), InstanceId>, Vec<(InstanceId, Vec<u32>)>);

fn may_read_slot(
    sides: &Sides<'_>,
    version: usize,
    reader: InstanceId,
    (slots, _): &Infected,
) -> bool {
    let instances = sides.instances[version];
    instances.sources(reader).iter().any(|&source| {
        let data = &instances.all[source];
        let Kind::Slot(slot) = data.kind else { return false };
        slots.get(&(data.activation, slot)).is_some_and(|&first| first < reader)
    })
}

fn may_read_memory(
    sides: &Sides<'_>,
    version: usize,
    reader: InstanceId,
    slice: &Slice<'_>,
    (_, writes): &Infected,
) -> bool {
    let kind = sides.instances[version].all[reader].kind;
    let is_reader = matches!(kind, Kind::Load | Kind::Transfer | Kind::Shim(_));
    let regions = slice.read(reader);
    is_reader && writes.iter().any(|(write, written)| *write < reader && meet(written, regions))
}
