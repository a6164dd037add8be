//! The control-flow graph of a function.
//!
//! Nodes are basic blocks, divided after calls that may not return: such a call continues, or goes
//! to the exit (`exit`, `abort`, a `longjmp` to another function), or to a `setjmp` of the same
//! function. One virtual exit stands for all ways to leave. The caller says how calls end; without
//! that, [`Cfg::of_blocks`] assumes that every call returns.

use std::fmt;
use std::ops::Range;

use base::entity::{PrimaryMap, entity_impl, filled};
use ir::{BlockId, Body, InstId, Op};

/// A node of a control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

/// Consecutive instructions of a block; the virtual exit has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub block: BlockId,
    /// Positions in the block's list of instructions.
    pub insts: Range<usize>,
}

/// The edge by which control left a node with several successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Always,
    True,
    False,
    Case(u128),
    Default,
    /// One of the targets of a computed goto.
    Target(u32),
    /// A call returned.
    Returns,
    /// A call ended the program or left for a `setjmp` of another function.
    Halts,
    /// A call left for a `setjmp` of this function.
    Resumes,
    /// An exception passed.
    Unwinds,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Always => f.write_str("always"),
            Outcome::True => f.write_str("T"),
            Outcome::False => f.write_str("F"),
            Outcome::Case(value) => write!(f, "{value}"),
            Outcome::Default => f.write_str("default"),
            Outcome::Target(index) => write!(f, "target {index}"),
            Outcome::Returns => f.write_str("returns"),
            Outcome::Halts => f.write_str("halts"),
            Outcome::Resumes => f.write_str("resumes"),
            Outcome::Unwinds => f.write_str("unwinds"),
        }
    }
}

/// How a call may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub returns: bool,
    /// It may end the program.
    pub halts: bool,
    /// It may leave for a `setjmp`.
    pub jumps: bool,
    /// It is a `setjmp`, which may return again.
    pub sets: bool,
}

impl Ending {
    pub const RETURNS: Ending = Ending { returns: true, halts: false, jumps: false, sets: false };

    fn divides(self) -> bool {
        self != Ending::RETURNS
    }
}

#[derive(Clone, Debug)]
pub struct Cfg {
    pub nodes: PrimaryMap<NodeId, Node>,
    successors: PrimaryMap<NodeId, Vec<(NodeId, Outcome)>>,
    predecessors: PrimaryMap<NodeId, Vec<NodeId>>,
    exit: NodeId,
    firsts: PrimaryMap<BlockId, NodeId>,
}

impl Cfg {
    pub const ENTRY: NodeId = NodeId(0);

    /// The graph in which every call returns.
    pub fn of_blocks(body: &Body) -> Cfg {
        Cfg::new(body, |_| Ending::RETURNS)
    }

    pub fn new(body: &Body, ending: impl Fn(InstId) -> Ending) -> Cfg {
        let mut nodes = PrimaryMap::new();
        let mut firsts = PrimaryMap::with_capacity(body.blocks.len());
        let mut resumed = Vec::new();
        for (block, contents) in body.blocks.iter() {
            firsts.push(nodes.next_key());
            let mut start = 0;
            for (at, &inst) in contents.insts.iter().enumerate() {
                let divides = matches!(body.insts[inst].op, Op::Call(_)) && ending(inst).divides();
                if divides && at + 1 < contents.insts.len() {
                    nodes.push(Node { block, insts: start..at + 1 });
                    start = at + 1;
                    if ending(inst).sets {
                        resumed.push(nodes.next_key());
                    }
                }
            }
            nodes.push(Node { block, insts: start..contents.insts.len() });
        }
        let exit = nodes.push(Node { block: Body::ENTRY, insts: 0..0 });
        let mut cfg = Cfg {
            successors: filled(nodes.len(), Vec::new()),
            predecessors: filled(nodes.len(), Vec::new()),
            nodes,
            exit,
            firsts,
        };
        cfg.connect(body, &ending, &resumed);
        cfg
    }

    fn connect(&mut self, body: &Body, ending: &impl Fn(InstId) -> Ending, resumed: &[NodeId]) {
        for node in (0..self.exit.0).map(NodeId) {
            let edges = match self.last_inst(body, node) {
                Some(last) if body.insts[last].op.is_terminator() => {
                    self.ways_out(&body.insts[last].op)
                }
                Some(last) => self.ways_on(node, ending(last), resumed),
                None => vec![(self.exit, Outcome::Halts)],
            };
            for &(to, _) in &edges {
                self.predecessors[to].push(node);
            }
            self.successors[node] = edges;
        }
        for predecessors in self.predecessors.values_mut() {
            predecessors.sort_unstable();
            predecessors.dedup();
        }
    }

    /// Where control goes from a terminator.
    fn ways_out(&self, op: &Op) -> Vec<(NodeId, Outcome)> {
        let first = |block: &BlockId| self.firsts[*block];
        match op {
            Op::Jump { target } => vec![(first(target), Outcome::Always)],
            Op::Branch { then, otherwise, .. } => {
                vec![(first(then), Outcome::True), (first(otherwise), Outcome::False)]
            }
            Op::Switch { default, cases, .. } => {
                let cases = cases.iter().map(|(value, to)| (first(to), Outcome::Case(*value)));
                cases.chain([(first(default), Outcome::Default)]).collect()
            }
            Op::IndirectJump { targets, .. } => {
                let ways = targets.iter().enumerate();
                ways.map(|(index, to)| (first(to), Outcome::Target(index as u32))).collect()
            }
            Op::Invoke { normal, unwind, .. } => {
                vec![(first(normal), Outcome::Returns), (first(unwind), Outcome::Unwinds)]
            }
            Op::Return { .. } => vec![(self.exit, Outcome::Always)],
            // Any other end of a block leaves the function in an unusual way.
            _ => vec![(self.exit, Outcome::Halts)],
        }
    }

    /// Where control goes from a call that divides its block.
    fn ways_on(&self, node: NodeId, end: Ending, resumed: &[NodeId]) -> Vec<(NodeId, Outcome)> {
        let mut ways = Vec::new();
        if end.returns || end.sets {
            ways.push((NodeId(node.0 + 1), Outcome::Returns));
        }
        if end.halts || end.jumps || ways.is_empty() {
            ways.push((self.exit, Outcome::Halts));
        }
        if end.jumps {
            ways.extend(resumed.iter().map(|&to| (to, Outcome::Resumes)));
        }
        ways
    }

    pub fn exit(&self) -> NodeId {
        self.exit
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn successors(&self, node: NodeId) -> &[(NodeId, Outcome)] {
        &self.successors[node]
    }

    /// Without repetition, ascending.
    pub fn predecessors(&self, node: NodeId) -> &[NodeId] {
        &self.predecessors[node]
    }

    /// The first node of a block.
    pub fn first_of(&self, block: BlockId) -> NodeId {
        self.firsts[block]
    }

    pub fn insts<'b>(&self, body: &'b Body, node: NodeId) -> &'b [InstId] {
        let Node { block, insts } = &self.nodes[node];
        &body.blocks[*block].insts[insts.clone()]
    }

    pub fn last_inst(&self, body: &Body, node: NodeId) -> Option<InstId> {
        self.insts(body, node).last().copied()
    }

    /// The nodes that control can reach, in reverse postorder from the entry.
    pub fn reverse_postorder(&self) -> Vec<NodeId> {
        let mut order = postorder(self.len(), Cfg::ENTRY, |node, visit| {
            self.successors(node).iter().for_each(|&(to, _)| visit(to));
        });
        order.reverse();
        order
    }
}

/// The nodes reachable from a root, each after those that were first reached from it.
pub(crate) fn postorder(
    len: usize,
    root: NodeId,
    successors: impl Fn(NodeId, &mut dyn FnMut(NodeId)),
) -> Vec<NodeId> {
    let mut seen: PrimaryMap<NodeId, bool> = filled(len, false);
    let mut order = Vec::with_capacity(len);
    let expand = |node: NodeId| {
        let mut next = Vec::new();
        successors(node, &mut |to| next.push(to));
        next.reverse();
        next
    };
    seen[root] = true;
    let mut stack = vec![(root, expand(root))];
    while let Some((node, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(to) if !seen[to] => {
                seen[to] = true;
                stack.push((to, expand(to)));
            }
            Some(_) => {}
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}
