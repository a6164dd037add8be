//! The edits of a statement: operators, bounds, constants, negated conditions, values that are not
//! written, and calls that are skipped.

use ir::{
    BinaryOp, Body, CompareOp, Const, FuncId, InstId, Module, Op, Operand, StatementId, Type,
    TypedConst,
};

/// An edit in terms of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// One operator instead of another.
    Operator { from: &'static str, to: &'static str },
    /// One number instead of another.
    Constant { from: i128, to: i128 },
    /// A condition the other way round.
    Negated,
    /// A variable keeps its value; memory, if there is no name.
    NotWritten(Option<String>),
    /// A call is skipped: of this function, or through an address.
    NotCalled(Option<String>),
}

/// An edit in the IR.
#[derive(Clone, Debug)]
pub(super) enum Mutation {
    /// Another operation, which may use a new constant.
    Replace(Op, Option<TypedConst>),
    Remove,
}

impl Mutation {
    pub fn apply(self, module: &mut Module, (function, inst): (FuncId, InstId)) {
        let ir::Definition::Body(body) = &mut module.functions[function].definition else { return };
        match self {
            Mutation::Replace(op, constant) => {
                if let Some(constant) = constant {
                    body.consts.push(constant);
                }
                body.insts[inst].op = op;
            }
            Mutation::Remove => {
                for block in body.blocks.values_mut() {
                    block.insts.retain(|&one| one != inst);
                }
            }
        }
    }
}

/// All edits of a statement.
pub(super) fn mutations(module: &Module, statement: StatementId) -> Vec<(InstId, Edit, Mutation)> {
    let data = &module.statements[statement];
    let Some(body) = module.functions[data.function].body() else { return Vec::new() };
    let insts = body.blocks[data.block].insts.iter();
    let own = insts.filter(|&&inst| body.insts[inst].statement == statement);
    let edits = |&inst: &InstId| {
        let found = of_inst(module, body, inst);
        found.into_iter().map(move |(edit, mutation)| (inst, edit, mutation))
    };
    own.flat_map(edits).collect()
}

fn of_inst(module: &Module, body: &Body, inst: InstId) -> Vec<(Edit, Mutation)> {
    let op = &body.insts[inst].op;
    let mut found = constants(module, body, op);
    match op {
        Op::Binary { op: binary, lhs, rhs, nsw } => {
            if let Some((from, to, other)) = operator(*binary) {
                let op = Op::Binary { op: other, lhs: *lhs, rhs: *rhs, nsw: *nsw };
                found.push((Edit::Operator { from, to }, Mutation::Replace(op, None)));
            }
        }
        Op::Compare { op: compare, lhs, rhs } => {
            if let Some((from, to, other)) = bound(*compare) {
                let op = Op::Compare { op: other, lhs: *lhs, rhs: *rhs };
                found.push((Edit::Operator { from, to }, Mutation::Replace(op, None)));
            }
        }
        Op::Branch { condition, then, otherwise } => {
            let op = Op::Branch { condition: *condition, then: *otherwise, otherwise: *then };
            found.push((Edit::Negated, Mutation::Replace(op, None)));
        }
        Op::WriteSlot { slot, .. } => {
            let name = body.slots[*slot].name.clone();
            let name = Some(name).filter(|name| !name.is_empty());
            found.push((Edit::NotWritten(name), Mutation::Remove));
        }
        Op::Store { .. } => found.push((Edit::NotWritten(None), Mutation::Remove)),
        Op::Call(call) if is_unused(body, inst) => {
            let name = match &call.callee {
                ir::Callee::Function(function) => {
                    Some(module.functions[*function].display_name().to_owned())
                }
                ir::Callee::Indirect(_) => None,
                ir::Callee::Builtin(_) | ir::Callee::Asm(_) => return found,
            };
            found.push((Edit::NotCalled(name), Mutation::Remove));
        }
        _ => {}
    }
    found
}

fn is_unused(body: &Body, inst: InstId) -> bool {
    let Some(result) = body.insts[inst].result else { return true };
    let mut is_used = false;
    for other in body.insts.values() {
        other.op.operands(|operand| is_used |= operand == Operand::Value(result));
    }
    !is_used
}

/// The operation with one of its constants one larger.
fn constants(module: &Module, body: &Body, op: &Op) -> Vec<(Edit, Mutation)> {
    let mut found = Vec::new();
    let next = Operand::Const(body.consts.next_key());
    let mut larger = |operand: Operand, replaced: &dyn Fn(Operand) -> Op| {
        if let Some((edit, constant)) = one_more(module, body, operand) {
            found.push((edit, Mutation::Replace(replaced(next), Some(constant))));
        }
    };
    match op {
        &Op::Binary { op, lhs, rhs, nsw } => {
            larger(lhs, &|lhs| Op::Binary { op, lhs, rhs, nsw });
            larger(rhs, &|rhs| Op::Binary { op, lhs, rhs, nsw });
        }
        &Op::Compare { op, lhs, rhs } => {
            larger(lhs, &|lhs| Op::Compare { op, lhs, rhs });
            larger(rhs, &|rhs| Op::Compare { op, lhs, rhs });
        }
        &Op::WriteSlot { slot, value } => larger(value, &|value| Op::WriteSlot { slot, value }),
        &Op::Store { address, value, access } => {
            larger(value, &|value| Op::Store { address, value, access });
        }
        &Op::Return { value: Some(value) } => {
            larger(value, &|value| Op::Return { value: Some(value) });
        }
        Op::Call(call) if !matches!(call.callee, ir::Callee::Builtin(_)) => {
            for (index, argument) in call.args.iter().enumerate() {
                larger(argument.value, &|value| {
                    let mut call = call.clone();
                    call.args[index].value = value;
                    Op::Call(call)
                });
            }
        }
        _ => {}
    }
    found
}

/// A constant integer plus one, unless it is a truth value.
fn one_more(module: &Module, body: &Body, operand: Operand) -> Option<(Edit, TypedConst)> {
    let Operand::Const(id) = operand else { return None };
    let TypedConst { ty, value } = &body.consts[id];
    let Type::Int(bits @ 2..=64) = *module.types.get(*ty) else { return None };
    let before = match value {
        Const::Int(value) => *value,
        Const::Zero => 0,
        _ => return None,
    };
    let mask = (1_u128 << bits) - 1;
    let after = (before + 1) & mask;
    let signed = |value: u128| match value >> (bits - 1) & 1 {
        1 => value as i128 - (1_i128 << bits),
        _ => value as i128,
    };
    let edit = Edit::Constant { from: signed(before & mask), to: signed(after) };
    Some((edit, TypedConst { ty: *ty, value: Const::Int(after) }))
}

fn operator(op: BinaryOp) -> Option<(&'static str, &'static str, BinaryOp)> {
    use BinaryOp::*;
    Some(match op {
        Add => ("+", "-", Sub),
        Sub => ("-", "+", Add),
        Mul => ("*", "+", Add),
        UDiv => ("/", "*", Mul),
        SDiv => ("/", "*", Mul),
        URem => ("%", "*", Mul),
        SRem => ("%", "*", Mul),
        Shl => ("<<", ">>", LShr),
        LShr => (">>", "<<", Shl),
        AShr => (">>", "<<", Shl),
        And => ("&", "|", Or),
        Or => ("|", "&", And),
        Xor => ("^", "&", And),
        FAdd => ("+", "-", FSub),
        FSub => ("-", "+", FAdd),
        FMul => ("*", "/", FDiv),
        FDiv => ("/", "*", FMul),
        FRem => return None,
    })
}

/// The same comparison with its bound included, or not.
fn bound(op: CompareOp) -> Option<(&'static str, &'static str, CompareOp)> {
    use CompareOp::*;
    Some(match op {
        Ugt => (">", ">=", Uge),
        Uge => (">=", ">", Ugt),
        Ult => ("<", "<=", Ule),
        Ule => ("<=", "<", Ult),
        Sgt => (">", ">=", Sge),
        Sge => (">=", ">", Sgt),
        Slt => ("<", "<=", Sle),
        Sle => ("<=", "<", Slt),
        FOgt => (">", ">=", FOge),
        FOge => (">=", ">", FOgt),
        FOlt => ("<", "<=", FOle),
        FOle => ("<=", "<", FOlt),
        _ => return None,
    })
}
