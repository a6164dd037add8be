//! Static facts about the places in a function's code.

use base::entity::{PrimaryMap, SecondaryMap};
use exec::Program;
use exec::code::{Code, Op, Reg};
use ir::{BlockId, Body, FuncId, InstId, Op as IrOp, SlotId, StatementId, Type, TypeId};

use crate::events::{Site, SiteId};

/// The places of one function.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// By operation.
    sites: Vec<SiteId>,
    /// By operation: whether it fills a value that depends on the path.
    phis: Vec<bool>,
    /// By register: the local variable that lives there.
    slots: Vec<Option<SlotId>>,
    /// By parameter register: whether it is a pointer.
    pub parameters: Vec<bool>,
    /// By block: its first statement.
    pub firsts: SecondaryMap<BlockId, Option<StatementId>>,
}

impl Sites {
    fn new(program: &Program, function: FuncId, all: &mut PrimaryMap<SiteId, Site>) -> Sites {
        let code = program.code(function);
        let module = &program.module;
        let data = &module.functions[function];
        let is_pointer = |ty: TypeId| matches!(module.types.get(ty), Type::Ptr);
        let width = |ty: TypeId| usize::from(program.addresses.width(&module.types, ty));
        let mut sites = Sites {
            sites: Vec::with_capacity(code.ops.len()),
            phis: vec![false; code.ops.len()],
            slots: vec![None; usize::from(code.registers)],
            parameters: Vec::new(),
            firsts: SecondaryMap::new(),
        };
        for param in &data.params {
            sites.parameters.extend(vec![is_pointer(param.ty); width(param.ty)]);
        }
        let Some(body) = data.body() else {
            let site = Site { function, inst: None, statement: None, pointer: false };
            sites.sites = vec![all.push(site); code.ops.len()];
            return sites;
        };
        for (slot, &(first, _)) in body.slots.keys().zip(&code.slots) {
            let registers = usize::from(first)..usize::from(first) + width(body.slots[slot].ty);
            for register in sites.slots.get_mut(registers).unwrap_or_default() {
                *register = Some(slot);
            }
        }
        for (id, block) in body.blocks.iter() {
            sites.firsts[id] = block.insts.first().map(|&inst| body.insts[inst].statement);
        }
        // Operations of one instruction share a place, unless one writes a pointer and
        // another does not.
        let mut latest: Option<(Site, SiteId)> = None;
        let mut decided: Option<InstId> = None;
        for (pc, &inst) in code.origins.iter().enumerate() {
            let data = &body.insts[inst];
            let op = code.ops[pc];
            // A jump, or a decision once it is made, fills the values that its target chooses by the
            // path. Other constants are operands of the instruction.
            let writes = op.operands().is_none_or(|o| o.writes.is_some());
            if data.op.is_terminator() && !writes {
                decided = Some(inst);
            }
            let is_on_way = matches!(data.op, IrOp::Jump { .. }) || decided == Some(inst);
            sites.phis[pc] = writes && is_on_way && leads_to_phi(body, &data.op);
            let pointer = match destination(op).and_then(|d| sites.slot(d)) {
                Some(slot) => is_pointer(body.slots[slot].ty),
                None => match &data.op {
                    IrOp::Store { value, .. } => is_pointer(body.operand_type(*value)),
                    IrOp::WriteSlot { slot, .. } => is_pointer(body.slots[*slot].ty),
                    IrOp::Return { value: Some(value) } => is_pointer(body.operand_type(*value)),
                    _ => data.result.is_some_and(|value| is_pointer(body.values[value].ty)),
                },
            };
            let site =
                Site { function, inst: Some(inst), statement: Some(data.statement), pointer };
            let id = match latest {
                Some((known, id)) if known == site => id,
                _ => all.push(site),
            };
            latest = Some((site, id));
            sites.sites.push(id);
        }
        sites
    }

    pub fn site(&self, pc: usize) -> SiteId {
        self.sites[pc]
    }

    pub fn is_phi(&self, pc: usize) -> bool {
        self.phis[pc]
    }

    pub fn slot(&self, register: Reg) -> Option<SlotId> {
        self.slots.get(usize::from(register)).copied().flatten()
    }
}

/// Whether a block that an instruction leads to has values that depend on the path.
fn leads_to_phi(body: &Body, op: &IrOp) -> bool {
    let mut found = false;
    op.successors(|block| {
        let first = body.blocks[block].insts.first();
        found |= first.is_some_and(|&inst| matches!(body.insts[inst].op, IrOp::Phi { .. }));
    });
    found
}

/// The register that an operation defines, if any.
fn destination(op: Op) -> Option<Reg> {
    match op {
        Op::Const { d, .. } | Op::Alloca { d, .. } => Some(d),
        Op::Call { d, .. } | Op::CallIndirect { d, .. } | Op::CallShim { d, .. } => Some(d),
        op => match (op.operands(), op.access()) {
            (Some(operands), _) => operands.writes,
            (None, Some(access)) if !access.write => Some(access.value),
            _ => None,
        },
    }
}

/// The places of all functions, computed when they are first entered.
#[derive(Debug)]
pub(crate) struct Places<'p> {
    program: &'p Program,
    functions: SecondaryMap<FuncId, Option<Box<Sites>>>,
    /// The first one is [`SiteId::START`].
    pub all: PrimaryMap<SiteId, Site>,
}

impl<'p> Places<'p> {
    pub fn new(program: &'p Program) -> Places<'p> {
        let mut all = PrimaryMap::new();
        all.push(Site { function: FuncId::at(0), inst: None, statement: None, pointer: false });
        Places { program, functions: SecondaryMap::new(), all }
    }

    pub fn of(&mut self, function: FuncId) -> &Sites {
        let Places { program, functions, all } = self;
        functions[function].get_or_insert_with(|| Box::new(Sites::new(program, function, all)))
    }
}

/// The block that an operation belongs to.
pub(crate) fn block_of(program: &Program, code: &Code, pc: usize) -> Option<BlockId> {
    let body = program.module.functions[code.function].body()?;
    let statement = body.insts[code.origins[pc]].statement;
    Some(program.module.statements[statement].block)
}
