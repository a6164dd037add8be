//! The search from an observable back to a change.

mod ends;

use std::collections::VecDeque;

use base::Version;
use exec::Stop;
use rustc_hash::FxHashMap;

use super::Via;
use crate::alignment::Alignment;
use crate::alignment::Run;
use crate::events::{EventId, Kind};
use crate::matching::Matching;

/// The largest number of nodes that a search visits.
const MOST_NODES: usize = 1 << 18;

/// An event of both versions, or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Node {
    pub old: Option<EventId>,
    pub new: Option<EventId>,
}

impl Node {
    pub fn of(self, version: Version) -> Option<EventId> {
        match version {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }

    fn is_one_sided(self) -> bool {
        self.old.is_none() || self.new.is_none()
    }
}

/// A chain: nodes from the change to the observable, each with how it leads to the next.
pub(super) struct Chain {
    pub nodes: Vec<(Node, Option<Via>)>,
    pub complete: bool,
}

pub(super) struct Search<'a> {
    pub old: Run<'a>,
    pub new: Run<'a>,
    pub matching: &'a Matching,
    alignment: &'a Alignment,
    /// For each version, by the event that they depend on: events of that version only that can
    /// prevent others.
    leaving: [FxHashMap<EventId, Vec<EventId>>; 2],
    /// For each version: calls of functions of the machine that differ.
    calls: [Vec<EventId>; 2],
}

impl<'a> Search<'a> {
    pub fn new(
        old: Run<'a>,
        new: Run<'a>,
        matching: &'a Matching,
        alignment: &'a Alignment,
    ) -> Search<'a> {
        let mut search = Search {
            old,
            new,
            matching,
            alignment,
            leaving: [FxHashMap::default(), FxHashMap::default()],
            calls: [Vec::new(), Vec::new()],
        };
        for version in Version::BOTH {
            for (id, event) in search.run(version).trace.events.iter() {
                let node = search.node(version, id);
                let can_leave = match event.kind {
                    Kind::Branch | Kind::Return => true,
                    Kind::Shim(number) => ends_run(number),
                    _ => false,
                };
                if can_leave && node.is_one_sided() {
                    search.leaving[version].entry(event.control).or_default().push(id);
                }
                if matches!(event.kind, Kind::Shim(_)) && search.is_different(node) {
                    search.calls[version].push(id);
                }
            }
        }
        search
    }

    pub fn run(&self, version: Version) -> Run<'a> {
        match version {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }

    pub fn differ(&self, old: EventId, new: EventId) -> bool {
        self.alignment.differ(self.old, self.new, old, new)
    }

    /// The node of an event.
    pub fn node(&self, version: Version, event: EventId) -> Node {
        match version {
            Version::Old => Node { old: Some(event), new: self.alignment.in_new(event) },
            Version::New => Node { old: self.alignment.in_old(event), new: Some(event) },
        }
    }

    pub fn is_different(&self, node: Node) -> bool {
        match (node.old, node.new) {
            (Some(old), Some(new)) => self.differ(old, new),
            _ => true,
        }
    }

    /// The nodes that differ, or all if none does.
    pub fn different_first(&self, nodes: Vec<Node>) -> Vec<Node> {
        let mut different: Vec<Node> =
            nodes.iter().copied().filter(|&node| self.is_different(node)).collect();
        different.dedup();
        if different.is_empty() { nodes } else { different }
    }

    /// Whether a node is a change itself.
    pub fn is_change(&self, node: Node) -> bool {
        let changed = |version: Version, event: EventId| {
            let run = self.run(version);
            if let Kind::Initial(global) = run.trace.events[event].kind {
                return self.matching.globals[version].contains(&global);
            }
            let statement = run.trace.statement(event);
            statement.is_some_and(|statement| self.matching.is_changed(version, statement))
        };
        let mut versions = Version::BOTH.into_iter();
        versions.any(|version| node.of(version).is_some_and(|event| changed(version, event)))
    }

    /// The shortest chain from a change to one of the roots.
    pub fn chain(&self, roots: &[Node]) -> Chain {
        let mut after: FxHashMap<Node, Option<(Node, Via)>> = FxHashMap::default();
        let mut waiting: VecDeque<Node> = VecDeque::new();
        for &root in roots {
            if after.insert(root, None).is_none() {
                waiting.push_back(root);
            }
        }
        let mut changed = None;
        let mut deepest = roots.first().copied();
        while let Some(node) = waiting.pop_front() {
            let causes = self.causes(node);
            if self.is_change(node) {
                if causes.is_empty() {
                    return Chain { nodes: way(&after, node), complete: true };
                }
                // A changed node that differs for other reasons, too, is the answer only if these
                // lead to no change.
                changed.get_or_insert(node);
            }
            deepest = Some(node);
            if after.len() > MOST_NODES {
                break;
            }
            for (cause, via) in causes {
                after.entry(cause).or_insert_with(|| {
                    waiting.push_back(cause);
                    Some((node, via))
                });
            }
        }
        let first = changed.or(deepest);
        let nodes = first.map_or(Vec::new(), |node| way(&after, node));
        Chain { nodes, complete: changed.is_some() }
    }

    fn is_end(&self, version: Version, event: EventId) -> bool {
        self.run(version).trace.events[event].kind == Kind::End
    }

    /// What makes a node differ: for a node of both versions, what it was computed from; for one of
    /// a single version, why it happened.
    fn causes(&self, node: Node) -> Vec<(Node, Via)> {
        let mut causes = Vec::new();
        for version in Version::BOTH {
            let Some(event) = node.of(version) else { continue };
            let run = self.run(version);
            let is_undefined = matches!(run.trace.events[event].kind, Kind::Undefined(_));
            let failed = is_undefined
                || self.is_end(version, event) && matches!(run.trace.stop, Some(Stop::Fault(_)));
            if node.is_one_sided() || failed {
                self.control_causes(version, event, &mut causes);
            }
            // The target of a call through an address is data.
            let is_call = matches!(run.trace.events[event].kind, Kind::Call(_));
            if !node.is_one_sided() || is_call || is_undefined {
                self.data_causes(version, event, &mut causes);
            }
            if failed && let Some(instead) = self.instead(version, event) {
                self.causes_instead(version, event, instead, &mut causes);
            }
        }
        if !self.is_different(node) {
            self.order_causes(node, &mut causes);
        }
        // Added code explains itself.
        if causes.is_empty() && !(node.is_one_sided() && self.is_change(node)) {
            for version in Version::BOTH {
                if let Some(event) = node.of(version) {
                    self.data_causes(version, event, &mut causes);
                }
            }
            if causes.is_empty() {
                causes.extend(self.hidden_cause(node));
            }
        }
        // Data first: values say more than decisions.
        causes.sort_by_key(|(_, via)| *via == Via::Control);
        causes
    }

    /// What the other version did at the place where this one failed.
    fn instead(&self, version: Version, end: EventId) -> Option<EventId> {
        let trace = self.run(version).trace;
        let there = self.matching.counterpart(version, trace.statement(end)?)?;
        let control = self.node(version, trace.events[end].control).of(version.other());
        let trace = self.run(version.other()).trace;
        let mut events = trace.events.iter().filter(|(id, event)| {
            trace.statement(*id) == Some(there)
                && Some(event.control) == control
                && self.node(version.other(), *id).is_one_sided()
        });
        events.next().map(|(id, _)| id)
    }

    /// What the other version used where this one failed: first of all for the variables that
    /// this one failed with.
    fn causes_instead(
        &self,
        version: Version,
        end: EventId,
        instead: EventId,
        causes: &mut Vec<(Node, Via)>,
    ) {
        let failed_with: Vec<EventId> = self.run(version).trace.sources(end).collect();
        let before = causes.len();
        for source in self.run(version.other()).trace.sources(instead) {
            let node = self.node(version.other(), source);
            let mut known = failed_with.iter();
            let is_same = known.any(|&e| self.defines_same(version, e, source));
            if is_same && self.is_different(node) {
                causes.push((node, Via::Data));
            }
        }
        if causes.len() == before {
            self.data_causes(version.other(), instead, causes);
        }
    }

    /// The causes of a different order of the same events in both versions.
    fn order_causes(&self, node: Node, causes: &mut Vec<(Node, Via)>) {
        for version in Version::BOTH {
            let Some(event) = node.of(version) else { continue };
            let control = self.run(version).trace.events[event].control;
            if control != EventId::START {
                causes.push((self.node(version, control), Via::Control));
            }
        }
    }

    fn data_causes(&self, version: Version, event: EventId, causes: &mut Vec<(Node, Via)>) {
        for source in self.run(version).trace.sources(event) {
            let source = self.node(version, source);
            if self.is_different(source) {
                causes.push((source, Via::Data));
            }
        }
    }

    /// Why an event happened in one version only.
    fn control_causes(&self, version: Version, event: EventId, causes: &mut Vec<(Node, Via)>) {
        let control = self.run(version).trace.events[event].control;
        let parent = self.node(version, control);
        if self.is_different(parent) {
            causes.push((parent, Via::Control));
            return;
        }
        // Both versions came here, and the other one continued elsewhere.
        let other = version.other();
        let there = parent.of(other);
        let left = there.and_then(|there| self.leaving[other].get(&there));
        for &event in left.into_iter().flatten() {
            causes.push((self.node(other, event), Via::Control));
        }
        if left.is_none() && control != EventId::START {
            self.outer_causes(version, control, causes);
        }
    }

    /// The other version left early the function or round that an event belongs to.
    fn outer_causes(&self, version: Version, event: EventId, causes: &mut Vec<(Node, Via)>) {
        let (other, is_over) = (version.other(), self.is_end(version, event));
        let trace = self.run(other).trace;
        // A run that ended has no more events at all.
        if is_over || !matches!(trace.stop, Some(Stop::Fault(_) | Stop::Exit(_))) {
            return;
        }
        let last = trace.end().and_then(|end| trace.sources(end).last());
        if let Some(last) = last.map(|event| self.node(other, event))
            && last.is_one_sided()
        {
            causes.push((last, Via::Control));
        }
    }

    /// The internal state of a function of the machine may come from earlier calls.
    fn hidden_cause(&self, node: Node) -> Option<(Node, Via)> {
        for version in Version::BOTH {
            let Some(event) = node.of(version) else { continue };
            if !matches!(self.run(version).trace.events[event].kind, Kind::Shim(_)) {
                continue;
            }
            let calls = &self.calls[version];
            let before = calls.partition_point(|&call| call < event);
            if let Some(&call) = before.checked_sub(1).and_then(|index| calls.get(index)) {
                return Some((self.node(version, call), Via::Data));
            }
        }
        None
    }

    /// A definition of one version only, together with what the other version used instead
    /// for the next event.
    pub fn with_other(&self, node: Node, next: Option<Node>) -> Node {
        let (version, event) = match node {
            Node { old: Some(event), new: None } => (Version::Old, event),
            Node { old: None, new: Some(event) } => (Version::New, event),
            node => return node,
        };
        let other = version.other();
        let Some(next) = next.and_then(|next| next.of(other)) else { return node };
        let sources = self.run(other).trace.sources(next);
        let same = |source: &EventId| self.defines_same(version, event, *source);
        let instead = sources.filter(same).last();
        match version {
            Version::Old => Node { new: instead, ..node },
            Version::New => Node { old: instead, ..node },
        }
    }

    /// Whether two events, of a version and of the other one, define the same variable.
    fn defines_same(&self, version: Version, event: EventId, there: EventId) -> bool {
        self.alignment.define_same([self.old, self.new], self.matching, version, event, there)
    }
}

/// Whether a function of the machine may not return.
fn ends_run(shim: u32) -> bool {
    let name = exec::shims::names().nth(shim as usize).unwrap_or_default();
    library::find(name).is_some_and(library::Function::may_not_return)
}

/// The path from a node to its root.
fn way(after: &FxHashMap<Node, Option<(Node, Via)>>, from: Node) -> Vec<(Node, Option<Via>)> {
    let mut nodes = Vec::new();
    let mut at = Some(from);
    while let Some(node) = at {
        let next = after.get(&node).copied().flatten();
        nodes.push((node, next.map(|(_, via)| via)));
        at = next.map(|(node, _)| node);
    }
    nodes
}
