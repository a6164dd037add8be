//! Whether slices are right: what a changed value reaches must be in its forward slice.
//!
//! A program is run as it is, and again with the value of one assignment changed each time that it
//! is executed. In both, every statement writes down the integers that it assigns, passes, returns
//! and decides on. A statement outside the forward slice of the assignment must write down the
//! same in both runs. Where the changed run does not end by itself (a fault, a bound), what it got
//! to must be the same.

use std::collections::{BTreeMap, BTreeSet};

use base::Random;
use exec::{Input, Instrumentation, Limits, Machine, Program, Stop, Unobserved};
use graphs::sdg::Kind;
use graphs::{Direction, ProgramGraphs, Slice};
use ir::{
    Argument, BinaryOp, Body, Call, Callee, CastOp, Const, ConstId, Definition, FuncId, Function,
    Global, GlobalId, Inst, InstId, Linkage, Module, Op, Operand, Param, Span, StatementId, Type,
    TypeId, TypedConst, Types, Value,
};

/// What came out of checking one program.
#[derive(Debug, Default)]
pub struct Report {
    /// Changed runs that were compared.
    pub compared: usize,
    /// Statements that were outside of slices and had something to compare.
    pub outside: usize,
    /// Statements inside of slices that did see something else.
    pub affected: usize,
    pub violations: Vec<String>,
}

/// Bounds of one run; programs that need more are not compared.
const LIMITS: Limits = Limits { steps: 4_000_000, memory: 1 << 28, output: 2 << 20, depth: 10_000 };

/// Changes values of a program, one after the other, and compares. `None` if the program as it is
/// does not end within the limits.
pub fn check(module: &Module, input: &Input, trials: usize, seed: u64) -> Option<Report> {
    let graphs = ProgramGraphs::new(module);
    let usual = run(module, None, input)?;
    if !usual.ended {
        return None;
    }
    let candidates = candidates(&graphs, &usual);
    let mut report = Report::default();
    let mut random = Random::new(seed);
    for _ in 0..trials.min(candidates.len()) {
        let (function, inst) = random.pick(&candidates);
        let change = Change { function, inst, bits: 1 << random.below(4) };
        if let Some(changed) = run(module, Some(change), input) {
            compare(&graphs, change, &usual, &changed, &mut report);
        }
    }
    Some(report)
}

/// An assignment whose value gets some bits flipped.
#[derive(Clone, Copy, Debug)]
struct Change {
    function: FuncId,
    inst: InstId,
    bits: u128,
}

/// What statements wrote down.
struct Log {
    by_statement: BTreeMap<StatementId, Vec<u64>>,
    ended: bool,
}

fn compare(
    graphs: &ProgramGraphs<'_>,
    change: Change,
    usual: &Log,
    changed: &Log,
    report: &mut Report,
) {
    let vertices = graphs.sdg.vertices_of(change.function);
    let start: Vec<_> = vertices
        .filter(|&vertex| graphs.sdg.vertices[vertex].kind == Kind::Inst(change.inst))
        .collect();
    let slice = Slice::new(&graphs.sdg, &start, Direction::Forward);
    report.compared += 1;
    let statements: BTreeSet<&StatementId> =
        usual.by_statement.keys().chain(changed.by_statement.keys()).collect();
    for statement in statements {
        let [before, after] = [usual, changed]
            .map(|log| log.by_statement.get(statement).map_or(&[][..], |values| &values[..]));
        let same = if changed.ended { before == after } else { before.starts_with(after) };
        if slice.contains_statement(&graphs.sdg, *statement) {
            report.affected += usize::from(!same);
            continue;
        }
        report.outside += 1;
        if !same {
            report.violations.push(describe(graphs.module, change, *statement));
        }
    }
}

fn describe(module: &Module, change: Change, statement: StatementId) -> String {
    let body = module.functions[change.function].body().expect("a candidate has code");
    let from = body.insts[change.inst].statement;
    let place = |statement: StatementId| {
        let data = &module.statements[statement];
        let name = module.functions[data.function].display_name();
        format!("{statement} ({name}, line {})", data.span.line)
    };
    format!("{:?} of {} reaches {}", change.inst, place(from), place(statement))
}

/// Assignments of integers that are executed.
fn candidates(graphs: &ProgramGraphs<'_>, usual: &Log) -> Vec<(FuncId, InstId)> {
    let module = graphs.module;
    let mut found = Vec::new();
    for (id, function) in module.functions.iter() {
        let Some(body) = function.body() else { continue };
        for &inst in body.blocks.values().flat_map(|block| &block.insts) {
            let executed = usual.by_statement.contains_key(&body.insts[inst].statement);
            if let Op::WriteSlot { value, .. } | Op::Store { value, .. } = body.insts[inst].op
                && matches!(module.types.get(body.operand_type(value)), Type::Int(8..=64))
                && executed
            {
                found.push((id, inst));
            }
        }
    }
    found
}

fn run(module: &Module, change: Option<Change>, input: &Input) -> Option<Log> {
    let mut module = module.clone();
    if let Some(change) = change {
        perturb(&mut module, change);
    }
    Writer::add_to(&mut module);
    let program = Program::new(module, "main", Instrumentation::default()).ok()?;
    let mut machine = Machine::new(&program, input, LIMITS, Unobserved).ok()?;
    let stop = machine.run();
    let text = String::from_utf8_lossy(machine.state.process.vfs.stderr()).into_owned();
    let mut by_statement: BTreeMap<StatementId, Vec<u64>> = BTreeMap::new();
    // A bound on the output may cut the last line short.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for line in whole.lines() {
        // The program may write there as well.
        let Some(line) = line.strip_prefix('\u{1}') else { continue };
        if let Some((statement, value)) = line.split_once(' ')
            && let (Ok(statement), Ok(value)) = (statement.parse(), u64::from_str_radix(value, 16))
        {
            by_statement.entry(StatementId::at(statement)).or_default().push(value);
        }
    }
    Some(Log { by_statement, ended: matches!(stop, Stop::Exit(_)) })
}

/// Flips bits of the value that an assignment stores.
fn perturb(module: &mut Module, change: Change) {
    let Definition::Body(body) = &mut module.functions[change.function].definition else { return };
    let inst = body.insts[change.inst].clone();
    let (Op::WriteSlot { value, .. } | Op::Store { value, .. }) = inst.op else { return };
    let ty = body.operand_type(value);
    let bits = constant(body, ty, change.bits);
    let op = Op::Binary { op: BinaryOp::Xor, lhs: value, rhs: bits, nsw: false };
    let (new, result) = add(body, op, Some(ty), &inst);
    insert_before(body, change.inst, &[new]);
    let changed = result.expect("an operation has a result");
    if let Op::WriteSlot { value, .. } | Op::Store { value, .. } = &mut body.insts[change.inst].op {
        *value = changed;
    }
}

fn constant(body: &mut Body, ty: TypeId, value: u128) -> Operand {
    let constant: ConstId = body.consts.push(TypedConst { ty, value: Const::Int(value) });
    Operand::Const(constant)
}

/// A new instruction in the place of another, not listed yet.
fn add(body: &mut Body, op: Op, ty: Option<TypeId>, like: &Inst) -> (InstId, Option<Operand>) {
    let result = ty.map(|ty| body.values.push(Value { ty, name: String::new() }));
    let inst = Inst { op, result, span: like.span, statement: like.statement };
    (body.insts.push(inst), result.map(Operand::Value))
}

fn insert_before(body: &mut Body, inst: InstId, new: &[InstId]) {
    for block in body.blocks.values_mut() {
        if let Some(at) = block.insts.iter().position(|&known| known == inst) {
            block.insts.splice(at..at, new.iter().copied());
            return;
        }
    }
}

/// What the added calls need: `dprintf(2, "\1%u %lx\n", statement, value)`.
struct Writer {
    function: FuncId,
    format: GlobalId,
}

impl Writer {
    fn add_to(module: &mut Module) {
        let text = b"\x01%u %lx\n\0";
        let ty = module.types.intern(Type::Array { element: Types::I8, length: text.len() as u64 });
        let format = module.globals.push(Global {
            name: "format of the log".into(),
            linkage: Linkage::Internal,
            ty,
            align: 1,
            constant: true,
            thread_local: false,
            init: Some(TypedConst { ty, value: Const::Bytes(text.as_slice().into()) }),
            source_name: None,
            debug_type: None,
            span: Span::NONE,
        });
        let known = module.functions.iter().find(|(_, f)| f.name == "dprintf").map(|(id, _)| id);
        let parameter = |ty| Param { ty, name: String::new(), byval: None };
        let function = known.unwrap_or_else(|| {
            module.functions.push(Function {
                name: "dprintf".into(),
                linkage: Linkage::External,
                returns: Types::I32,
                params: vec![parameter(Types::I32), parameter(Types::PTR)],
                variadic: true,
                source_name: None,
                debug_type: None,
                span: Span::NONE,
                definition: Definition::Declaration,
            })
        });
        let writer = Writer { function, format };
        let Module { functions, types, .. } = module;
        for function in functions.values_mut() {
            if let Definition::Body(body) = &mut function.definition {
                writer.add_calls(types, body);
            }
        }
    }

    fn add_calls(&self, types: &Types, body: &mut Body) {
        for block in body.blocks.keys() {
            let mut listed = Vec::new();
            for inst in std::mem::take(&mut body.blocks[block].insts) {
                for value in told(types, body, inst) {
                    self.add_call(types, body, inst, value, &mut listed);
                }
                listed.push(inst);
            }
            body.blocks[block].insts = listed;
        }
    }

    fn add_call(
        &self,
        types: &Types,
        body: &mut Body,
        inst: InstId,
        value: Operand,
        listed: &mut Vec<InstId>,
    ) {
        let like = body.insts[inst].clone();
        let mut value = value;
        if !matches!(types.get(body.operand_type(value)), Type::Int(64)) {
            let op = Op::Cast { op: CastOp::ZExt, value };
            let (new, result) = add(body, op, Some(Types::I64), &like);
            listed.push(new);
            value = result.expect("a cast has a result");
        }
        let descriptor = constant(body, Types::I32, 2);
        let format = TypedConst { ty: Types::PTR, value: Const::Global(self.format) };
        let format = Operand::Const(body.consts.push(format));
        let statement = constant(body, Types::I32, like.statement.as_u32().into());
        let args = [descriptor, format, statement, value];
        let call = Call {
            callee: Callee::Function(self.function),
            args: args.map(|value| Argument { value, byval: None }).into(),
            returns: Types::I32,
            fixed: Some(2),
        };
        let (new, _) = add(body, Op::Call(Box::new(call)), Some(Types::I32), &like);
        listed.push(new);
    }
}

/// The integers that an instruction assigns, passes, returns or decides on.
fn told(types: &Types, body: &Body, inst: InstId) -> Vec<Operand> {
    let values: Vec<Operand> = match &body.insts[inst].op {
        Op::WriteSlot { value, .. } | Op::Store { value, .. } | Op::Switch { value, .. } => {
            vec![*value]
        }
        Op::Branch { condition, .. } => vec![*condition],
        Op::Return { value } => value.iter().copied().collect(),
        Op::Call(call) => call.args.iter().map(|arg| arg.value).collect(),
        _ => Vec::new(),
    };
    let integer = |value: &Operand| {
        let known = matches!(types.get(body.operand_type(*value)), Type::Int(1..=64));
        known && matches!(value, Operand::Value(_))
    };
    values.into_iter().filter(integer).collect()
}
