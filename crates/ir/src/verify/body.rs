//! Blocks, definitions and uses of a body.

use base::entity::{EntityRef, SecondaryMap};

use super::dominance::Dominators;
use super::{Place, Verifier};
use crate::{BlockId, Body, FuncId, Function, Inst, InstId, Op, Operand, Type, ValueId};

type Predecessors = SecondaryMap<BlockId, Vec<BlockId>>;

/// Where a value is defined.
#[derive(Clone, Copy, Default)]
enum Defined {
    #[default]
    Nowhere,
    Parameter,
    /// At this position of the block.
    At(BlockId, usize),
}

/// An instruction and its position.
#[derive(Clone, Copy)]
struct Listed<'a> {
    place: Place,
    block: BlockId,
    position: usize,
    inst: &'a Inst,
}

fn listed<'a>(id: FuncId, body: &'a Body) -> impl Iterator<Item = Listed<'a>> {
    body.blocks.iter().flat_map(move |(block, data)| {
        data.insts.iter().enumerate().map(move |(position, &inst)| Listed {
            place: Place::Inst(id, block, inst),
            block,
            position,
            inst: &body.insts[inst],
        })
    })
}

impl Verifier<'_> {
    pub(super) fn body(&mut self, id: FuncId, function: &Function, body: &Body) {
        let place = Place::Function(id);
        self.parameters(place, function, body);
        self.slots(place, body);
        body.consts.values().for_each(|constant| self.constant(place, constant));
        if body.blocks.is_empty() {
            return self.report(place, "there is no entry block");
        }
        if !self.blocks(id, body) {
            return;
        }
        let predecessors = predecessors(body);
        self.phis(id, body, &predecessors);
        self.definitions(id, function, body, &predecessors);
        for Listed { place, inst, .. } in listed(id, body) {
            self.inst(place, function, body, inst);
        }
    }

    fn parameters(&mut self, place: Place, function: &Function, body: &Body) {
        let declared = function.params.iter().map(|param| param.ty);
        let values = body.values.values().map(|value| value.ty).take(function.params.len());
        self.check(declared.eq(values), place, "the first values are not the parameters");
    }

    fn slots(&mut self, place: Place, body: &Body) {
        for (id, slot) in body.slots.iter() {
            let ty = self.module.types.get(slot.ty);
            if !matches!(ty, Type::Int(1..=128) | Type::Float(_) | Type::Ptr) {
                self.report(place, format!("{id} is not a scalar"));
            }
        }
    }

    /// Terminators, phis and double listing; returns whether edges can be trusted.
    fn blocks(&mut self, id: FuncId, body: &Body) -> bool {
        let before = self.violations.len();
        let mut seen: SecondaryMap<InstId, bool> = SecondaryMap::new();
        for (block_id, block) in body.blocks.iter() {
            let Some((last, others)) = block.insts.split_last() else {
                self.report(Place::Block(id, block_id), "the block is empty");
                continue;
            };
            if !body.insts[*last].op.is_terminator() {
                self.report(Place::Block(id, block_id), "the block does not end with a terminator");
            }
            let mut phis_may_follow = block_id != Body::ENTRY;
            for &inst in others {
                let place = Place::Inst(id, block_id, inst);
                let op = &body.insts[inst].op;
                let is_phi = matches!(op, Op::Phi { .. });
                self.check(!op.is_terminator(), place, "a terminator is not last in its block");
                self.check(
                    !is_phi || phis_may_follow,
                    place,
                    "a phi is not at the start of a block with predecessors",
                );
                phis_may_follow &= is_phi;
            }
            for &inst in &block.insts {
                let place = Place::Inst(id, block_id, inst);
                self.check(!seen[inst], place, "the instruction is listed twice");
                seen[inst] = true;
            }
        }
        self.violations.len() == before
    }

    fn phis(&mut self, id: FuncId, body: &Body, predecessors: &Predecessors) {
        let entry = Place::Block(id, Body::ENTRY);
        self.check(predecessors[Body::ENTRY].is_empty(), entry, "the entry block is jumped to");
        for Listed { place, block, inst, .. } in listed(id, body) {
            let Op::Phi { incoming } = &inst.op else { continue };
            let mut pairs = incoming.to_vec();
            pairs.sort_by_key(|(from, _)| *from);
            let clash = pairs.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1);
            self.check(!clash, place, "the phi has two operands for one predecessor");
            pairs.dedup_by_key(|(from, _)| *from);
            let complete = pairs.iter().map(|(from, _)| from).eq(&predecessors[block]);
            self.check(complete, place, "the phi's blocks are not the predecessors");
        }
    }

    fn definitions(
        &mut self,
        id: FuncId,
        function: &Function,
        body: &Body,
        predecessors: &Predecessors,
    ) {
        let mut definitions: SecondaryMap<ValueId, Defined> = SecondaryMap::new();
        for index in 0..function.params.len() {
            definitions[ValueId::new(index)] = Defined::Parameter;
        }
        for Listed { place, block, position, inst } in listed(id, body) {
            let Some(result) = inst.result else { continue };
            let fresh = matches!(definitions[result], Defined::Nowhere);
            self.check(fresh, place, "the value is defined twice");
            definitions[result] = Defined::At(block, position);
        }
        let dominators = Dominators::new(body, predecessors);
        let precedes = |value: ValueId, block: BlockId, position: usize| match definitions[value] {
            Defined::Nowhere => false,
            Defined::Parameter => true,
            Defined::At(above, at) if above == block => at < position,
            Defined::At(above, _) => dominators.dominates(above, block),
        };
        for Listed { place, block, position, inst } in listed(id, body) {
            if !dominators.is_reachable(block) {
                continue;
            }
            let mut unreached = Vec::new();
            let mut see = |operand: Operand, block: BlockId, position: usize| {
                if let Operand::Value(value) = operand
                    && dominators.is_reachable(block)
                    && !precedes(value, block, position)
                {
                    unreached.push(value);
                }
            };
            match &inst.op {
                // A phi uses its operands at the ends of the predecessors.
                Op::Phi { incoming } => {
                    incoming.iter().for_each(|(from, operand)| see(*operand, *from, usize::MAX));
                }
                op => op.operands(|operand| see(operand, block, position)),
            }
            for value in unreached {
                self.report(place, format!("{value} is used where it need not be defined"));
            }
        }
    }
}

/// The blocks that may come right before each, in order, without repetition.
fn predecessors(body: &Body) -> Predecessors {
    let mut predecessors = Predecessors::new();
    for (id, block) in body.blocks.iter() {
        let Some(&last) = block.insts.last() else { continue };
        body.insts[last].op.successors(|next| {
            if predecessors[next].last() != Some(&id) {
                predecessors[next].push(id);
            }
        });
    }
    predecessors
}
