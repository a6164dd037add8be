//! From the IR of a function to its register form.
//!
//! Values that live within one block share registers. Reading a slot costs nothing: the
//! value stands for the slot's register until the slot is written. Address arithmetic,
//! comparisons and zero extensions with a single use are folded into their user.
//! The order of memory accesses, calls and writes of slots is that of the IR.

mod aggregate;
mod assembly;
mod call;
mod control;
mod definite;
mod memory;
mod partial;
mod registers;
mod scalar;

use base::entity::PrimaryMap;
use base::sets::BitSet;
use ir::{
    Body, Definition, FuncId, InstId, Module, Op as IrOp, Operand, SlotId, StatementId, TypeId,
};

use crate::addresses::Addresses;
use crate::code::{Code, Halt, Masks, Op, Passing, Reg, Scalar, SignatureId, Slow};
use crate::stop::Feature;
use registers::Registers;

/// What to put into the code besides the program's own operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instrumentation {
    /// Marks at the start of every statement.
    pub statements: bool,
}

/// Something without a register form. Stops the run that reaches it.
struct Unlowerable(Feature);

type Lowered<T> = Result<T, Unlowerable>;

/// Lowers one function. What cannot be lowered becomes an instruction that stops the run.
pub fn lower(
    module: &Module,
    addresses: &Addresses,
    function: FuncId,
    instrumentation: Instrumentation,
) -> Code {
    lower_marked(module, addresses, function, instrumentation, None)
}

/// As [`lower`]; if statements are given, only they get marks.
pub(crate) fn lower_marked(
    module: &Module,
    addresses: &Addresses,
    function: FuncId,
    instrumentation: Instrumentation,
    only: Option<&BitSet<StatementId>>,
) -> Code {
    let body = match &module.functions[function].definition {
        Definition::Body(body) => body,
        Definition::Declaration => {
            let name = module.functions[function].name.clone();
            return halting(function, Feature::Call(name));
        }
        Definition::Unreadable { reason, .. } => {
            let name = module.functions[function].display_name().to_owned();
            return halting(
                function,
                Feature::Unreadable { function: name, reason: reason.clone() },
            );
        }
    };
    let mut lowering = Lowering::new(module, addresses, function, body, instrumentation);
    lowering.only = only;
    lowering.run();
    let reason = if lowering.registers.overflowed() {
        "a function that needs more than 65535 registers"
    } else if lowering.is_too_large() {
        "a function of many operations on very large values"
    } else {
        return lowering.code;
    };
    halting(function, Feature::Instruction(reason.to_owned()))
}

/// Operations that any function may have, and how many per instruction on average: code must stay
/// in proportion to the program's text.
const BASIC_OPS: usize = 1 << 16;
const OPS_PER_INSTRUCTION: usize = 256;

/// Code that only stops.
fn halting(function: FuncId, feature: Feature) -> Code {
    let mut code = empty(function);
    code.ops.push(Op::Stop { index: 0 });
    code.origins.push(InstId::at(0));
    code.halts.push(Halt::Unsupported(feature));
    code
}

fn empty(function: FuncId) -> Code {
    Code {
        function,
        ops: Vec::new(),
        origins: Vec::new(),
        slow: Vec::new(),
        sites: Vec::new(),
        tables: Vec::new(),
        halts: Vec::new(),
        partial_reads: Vec::new(),
        loose: Vec::new(),
        in_archive: false,
        registers: 0,
        parameters: 0,
        parameter_masks: Masks::new(),
        signature: SignatureId::NONE,
        copies: Vec::new(),
        named: Vec::new(),
        variadic: false,
        stack: 0,
        slots: Vec::new(),
        starts: PrimaryMap::new(),
    }
}

struct Lowering<'a> {
    module: &'a Module,
    addresses: &'a Addresses,
    body: &'a Body,
    instrumentation: Instrumentation,
    /// By statement: which get marks, if not all.
    only: Option<&'a BitSet<StatementId>>,
    code: Code,
    registers: Registers,
    /// The instruction being lowered.
    inst: InstId,
    /// Statements that already have their mark in the current block.
    marked: Vec<StatementId>,
    /// Jumps with unresolved targets: to blocks, and to stubs of the current block.
    block_jumps: Vec<(usize, ir::BlockId)>,
    stub_jumps: Vec<(usize, usize)>,
    stubs: Vec<control::Stub>,
    /// For slots that may be read before they are written: the register that records it.
    flags: PrimaryMap<SlotId, Option<Reg>>,
    /// Stores of the current block that write bits back which they had read.
    put_back: Vec<InstId>,
}

impl<'a> Lowering<'a> {
    fn new(
        module: &'a Module,
        addresses: &'a Addresses,
        function: FuncId,
        body: &'a Body,
        instrumentation: Instrumentation,
    ) -> Lowering<'a> {
        Lowering {
            module,
            addresses,
            body,
            instrumentation,
            only: None,
            code: empty(function),
            registers: Registers::default(),
            inst: InstId::at(0),
            marked: Vec::new(),
            block_jumps: Vec::new(),
            stub_jumps: Vec::new(),
            stubs: Vec::new(),
            flags: PrimaryMap::new(),
            put_back: Vec::new(),
        }
    }

    fn run(&mut self) {
        let mut spans = self.body.insts.values().map(|inst| inst.span);
        self.code.in_archive = spans.any(|span| self.module.in_archive(span));
        self.parameters();
        self.assign_registers();
        self.prepare_flags();
        for (block, data) in self.body.blocks.iter() {
            self.code.starts.push(self.code.ops.len() as u32);
            self.registers.start_block();
            self.marked.clear();
            for &inst in &data.insts {
                self.inst = inst;
                self.mark_statement();
                if let Err(Unlowerable(feature)) = self.instruction(block) {
                    self.halt(Halt::Unsupported(feature));
                    break;
                }
            }
            self.flush_stubs();
            if self.is_too_large() {
                return;
            }
        }
        self.resolve_targets();
        let slots = self.body.slots.keys();
        self.code.slots = slots.map(|slot| (self.registers.slot(slot), self.flags[slot])).collect();
        self.code.registers = self.registers.high_water();
        let words = 2 + self.body.slots.len() as u32 + u32::from(self.code.parameters);
        self.code.stack = 8 * words;
    }

    fn is_too_large(&self) -> bool {
        let most = BASIC_OPS + OPS_PER_INSTRUCTION * self.body.insts.len();
        self.registers.overflowed() || self.code.ops.len() > most
    }

    fn parameters(&mut self) {
        let function = &self.module.functions[self.code.function];
        self.code.variadic = function.variadic;
        let mut next: u32 = 0;
        for param in &function.params {
            let width = self.width(param.ty);
            let passing = match param.byval {
                Some(byval) => {
                    self.code.copies.push((next as Reg, byval.size));
                    Passing::Struct { size: byval.size, align: byval.align }
                }
                None => self.passing(param.ty),
            };
            self.code.named.push(passing);
            self.addresses.masks(&self.module.types, param.ty, &mut self.code.parameter_masks);
            next += u32::from(width);
        }
        self.code.signature = self.addresses.signature(self.code.function);
        self.code.parameters = next.min(u32::from(u16::MAX)) as u16;
    }

    fn mark_statement(&mut self) {
        if !self.instrumentation.statements {
            return;
        }
        let statement = self.body.insts[self.inst].statement;
        let is_wanted = self.only.is_none_or(|only| only.contains(statement));
        if is_wanted && !self.marked.contains(&statement) {
            self.marked.push(statement);
            self.emit(Op::Statement { statement });
        }
    }

    fn instruction(&mut self, block: ir::BlockId) -> Lowered<()> {
        let body = self.body;
        let inst = &body.insts[self.inst];
        match &inst.op {
            IrOp::Unary { op, value } => self.unary(*op, *value),
            IrOp::Binary { op, lhs, rhs, nsw } => self.binary(*op, *lhs, *rhs, *nsw),
            IrOp::Compare { op, lhs, rhs } => self.compare(*op, *lhs, *rhs),
            IrOp::Cast { op, value } => self.cast(*op, *value),
            IrOp::Select { condition, then, otherwise } => {
                self.select(*condition, *then, *otherwise)
            }
            // Phis are filled by moves on the edges that lead to the block.
            IrOp::Phi { .. } => Ok(()),
            IrOp::ReadSlot { slot } => self.read_slot(*slot),
            IrOp::WriteSlot { slot, value } => self.write_slot(*slot, *value),
            IrOp::Alloca { ty, count, .. } => self.alloca(*ty, *count),
            IrOp::Load { address, .. } => self.load(block, *address),
            IrOp::Store { address, value, .. } => self.store(*address, *value),
            IrOp::Offset { base, bytes, scaled, wraps } => {
                self.offset(*base, *bytes, scaled, !*wraps)
            }
            IrOp::AtomicRmw { op, address, value, .. } => self.atomic_rmw(*op, *address, *value),
            IrOp::CompareExchange { address, expected, new, .. } => {
                self.compare_exchange(*address, *expected, *new)
            }
            // One thread: every access is ordered already.
            IrOp::Fence => Ok(()),
            IrOp::ExtractValue { aggregate, path } => self.extract_value(*aggregate, path),
            IrOp::InsertValue { aggregate, value, path } => {
                self.insert_value(*aggregate, *value, path)
            }
            IrOp::ExtractElement { vector, index } => self.extract_element(*vector, *index),
            IrOp::InsertElement { vector, value, index } => {
                self.insert_element(*vector, *value, *index)
            }
            IrOp::Shuffle { lhs, rhs, mask } => self.shuffle(*lhs, *rhs, mask),
            IrOp::Call(call) => self.call(call),
            IrOp::VaArg { list } => self.va_arg(*list),
            IrOp::LandingPad | IrOp::Resume { .. } => Err(unsupported("exception handling")),
            IrOp::Jump { target } => self.jump(block, *target),
            IrOp::Branch { condition, then, otherwise } => {
                self.branch(block, *condition, *then, *otherwise)
            }
            IrOp::Switch { value, default, cases } => self.switch(block, *value, *default, cases),
            IrOp::IndirectJump { address, targets } => self.indirect_jump(*address, targets),
            IrOp::Return { value } => self.ret(*value),
            IrOp::Unreachable => {
                self.halt(Halt::Unreachable);
                Ok(())
            }
            IrOp::Invoke { call, normal, .. } => {
                self.call(call)?;
                self.jump(block, *normal)
            }
        }
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.origins.push(self.inst);
    }

    fn emit_slow(&mut self, slow: Slow) {
        let index = self.code.slow.len() as u32;
        self.code.slow.push(slow);
        self.emit(Op::Slow { index });
    }

    fn halt(&mut self, halt: Halt) {
        let index = self.code.halts.len() as u32;
        self.code.halts.push(halt);
        self.emit(Op::Stop { index });
    }

    fn operand_type(&self, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(value) => self.body.values[value].ty,
            Operand::Const(constant) => self.body.consts[constant].ty,
        }
    }

    fn result_type(&self) -> TypeId {
        match self.body.insts[self.inst].result {
            Some(value) => self.body.values[value].ty,
            None => ir::Types::VOID,
        }
    }

    fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        self.addresses.scalar(&self.module.types, ty)
    }

    fn scalar_or_unsupported(&self, ty: TypeId) -> Lowered<Scalar> {
        self.scalar(ty).ok_or_else(|| unsupported("a value of an unusual type"))
    }

    /// The number of registers of a type, saturating at the largest.
    fn width(&self, ty: TypeId) -> u16 {
        self.addresses.width(&self.module.types, ty)
    }
}

fn unsupported(what: impl Into<String>) -> Unlowerable {
    Unlowerable(Feature::Instruction(what.into()))
}
