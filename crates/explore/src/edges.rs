//! Which edge of a control-flow graph a step of a path took, or would have taken.
//!
//! A step has its instruction and its outcome, in the machine's numbers. Tables of edges are by
//! function, block and the target block of the edge. Steps that the end of a block does not decide
//! have no edge, nor have outcomes that the register form does not distinguish, such as two sides
//! of a branch that both do nothing.

use base::entity::{PrimaryMap, SecondaryMap};
use exec::Program;
use exec::code::{Code, Pc};
use exec::concolic::{Origin, Step};
use ir::{BlockId, Body, FuncId, InstId, Op};
use smallvec::SmallVec;

/// An edge of a function's control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub function: FuncId,
    pub from: BlockId,
    pub to: BlockId,
}

/// The edges of a program's branches, computed for each function on demand.
pub struct Edges<'p> {
    program: &'p Program,
    functions: SecondaryMap<FuncId, Option<FunctionEdges>>,
}

/// By block.
type FunctionEdges = PrimaryMap<BlockId, Ways>;

/// The successors of a block: the outcome of a step and the block.
#[derive(Clone, Debug, Default)]
struct Ways {
    targets: SmallVec<[(u64, BlockId); 2]>,
}

impl<'p> Edges<'p> {
    pub fn new(program: &'p Program) -> Edges<'p> {
        Edges { program, functions: SecondaryMap::with_capacity(program.module.functions.len()) }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The block that a step belongs to.
    pub fn block_of(&self, step: &Step) -> Option<BlockId> {
        block_of(self.program, step.site.function, step.site.inst)
    }

    /// The edge that a step takes with an outcome.
    pub fn edge(&mut self, step: &Step, outcome: u64) -> Option<Edge> {
        if !matches!(step.origin, Origin::Branch | Origin::Switch { .. }) {
            return None;
        }
        let function = step.site.function;
        let body = self.program.module.functions[function].body()?;
        let from = self.block_of(step)?;
        let is_last = body.blocks[from].insts.last() == Some(&step.site.inst);
        let ways = &self.of(function, body)[from];
        let found = ways.targets.iter().find(|(other, _)| *other == outcome && is_last)?;
        Some(Edge { function, from, to: found.1 })
    }

    fn of(&mut self, function: FuncId, body: &Body) -> &FunctionEdges {
        let code = self.program.code(function);
        let edges = &mut self.functions[function];
        edges.get_or_insert_with(|| {
            body.blocks.keys().map(|block| ways_of(body, code, block)).collect()
        })
    }
}

/// The block that contains an instruction.
pub fn block_of(program: &Program, function: FuncId, inst: InstId) -> Option<BlockId> {
    let body = program.module.functions.get(function)?.body()?;
    let statement = body.insts.get(inst)?.statement;
    Some(program.module.statements.get(statement)?.block)
}

fn ways_of(body: &Body, code: &Code, block: BlockId) -> Ways {
    let last = body.blocks[block].insts.last();
    match last.map(|&last| (last, &body.insts[last].op)) {
        Some((last, &Op::Branch { then, otherwise, .. })) => {
            branch_ways(code, last, [then, otherwise])
        }
        Some((last, op @ Op::Switch { .. })) => {
            let mut blocks = Vec::new();
            op.successors(|to| blocks.push(to));
            switch_ways(code, last, &blocks)
        }
        _ => Ways::default(),
    }
}

fn branch_ways(code: &Code, last: InstId, blocks: [BlockId; 2]) -> Ways {
    let is_branch = |pc: &usize| code.origins[*pc] == last && is_conditional(code, *pc);
    let mut places = (0..code.ops.len()).filter(is_branch);
    let (Some(pc), None) = (places.next(), places.next()) else { return Ways::default() };
    let taken = code.ops[pc].target();
    let mut ways = Ways::default();
    for (outcome, place) in [(0, Some(pc as Pc + 1)), (1, taken)] {
        if let Some(block) = place.and_then(|place| landing(code, place, &blocks)) {
            ways.targets.push((outcome, block));
        }
    }
    ways
}

fn is_conditional(code: &Code, pc: usize) -> bool {
    let op = &code.ops[pc];
    op.target().is_some() && !matches!(op, exec::code::Op::Jump { .. })
}

fn switch_ways(code: &Code, last: InstId, blocks: &[BlockId]) -> Ways {
    let mut tables = code.ops.iter().zip(&code.origins).filter_map(|(op, &origin)| match op {
        exec::code::Op::Switch { table, .. } if origin == last => Some(*table as usize),
        _ => None,
    });
    let Some(table) = tables.next().map(|table| &code.tables[table]) else {
        return Ways::default();
    };
    let mut targets: Vec<Pc> = table.cases.iter().map(|&(_, target)| target).collect();
    targets.push(table.default);
    targets.sort_unstable();
    targets.dedup();
    let known = targets.into_iter().filter_map(|target| {
        let block = landing(code, target, blocks)?;
        Some((u64::from(target), block))
    });
    Ways { targets: known.collect() }
}

/// Which of some blocks a place leads to without a decision: the block itself, or the moves for its
/// phis and a jump.
fn landing(code: &Code, mut place: Pc, blocks: &[BlockId]) -> Option<BlockId> {
    for _ in 0..code.ops.len() {
        let mut here = blocks.iter().filter(|&&block| code.start_of(block) == Some(place));
        if let Some(&block) = here.next() {
            return here.all(|&other| other == block).then_some(block);
        }
        let jump = code.ops.get(place as usize..)?.iter().find(|op| op.target().is_some())?;
        place = match jump {
            exec::code::Op::Jump { target } => *target,
            _ => return None,
        };
    }
    None
}
