//! What users can observe of a program: calls that write, and how it ends.
//!
//! A call is an output if `library` says so and the program does not define the function itself.
//! A program's exit status is what `main` returns; without `main`, what exported functions return
//! is what callers see. Where a stream goes is told from its name in the code, not from its value.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Body, Callee, Const, FuncId, Function, Linkage, Module, Op, Operand, StatementId};
use library::Handling::{PrintTo, PutByte, PutBytes, PutString};
use library::To;

use super::{Place, Side, Versions};

/// What an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    Stdout,
    Stderr,
    /// A stream, a descriptor or the file system.
    Files,
    /// How the program ends.
    Exit,
    /// What a function returns to callers outside of the program.
    Result,
}

/// An output that changes may affect.
#[derive(Clone, Debug, PartialEq)]
pub struct AffectedOutput {
    pub kind: OutputKind,
    /// The function that writes or ends the program: `printf`, `exit`; or `return`.
    pub by: String,
    /// The function that contains it.
    pub function: String,
    pub place: Place,
    /// Numbers of the changes, from 1.
    pub changes: Vec<usize>,
    /// The estimated probability that it is affected.
    pub probability: f64,
}

/// A statement that makes an output.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Output {
    kind: OutputKind,
    by: String,
}

impl Versions {
    /// The outputs of NEW among what each change reaches, most likely first.
    pub(super) fn affected_outputs(
        &self,
        reached: &[BTreeMap<StatementId, f64>],
    ) -> Vec<AffectedOutput> {
        let all = observable(&self.new);
        let mut found: BTreeMap<(StatementId, usize), AffectedOutput> = BTreeMap::new();
        for (number, statements) in reached.iter().enumerate() {
            for (&statement, &probability) in statements {
                let outputs = all.get(&statement).into_iter().flatten().enumerate();
                for (index, output) in outputs {
                    let Some(place) = self.new.place(statement) else { continue };
                    let entry = found.entry((statement, index)).or_insert_with(|| AffectedOutput {
                        kind: output.kind,
                        by: output.by.clone(),
                        function: self.new.name(self.new.module.statements[statement].function),
                        place,
                        changes: Vec::new(),
                        probability: 0.0,
                    });
                    entry.changes.push(number + 1);
                    entry.probability = entry.probability.max(probability);
                }
            }
        }
        let mut outputs: Vec<AffectedOutput> = found.into_values().collect();
        // Equally likely ones stay in the order of the program.
        outputs.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        outputs
    }

    /// The statements of NEW in which a function returns a value.
    pub(super) fn returning(&self) -> BTreeMap<StatementId, FuncId> {
        let module = &self.new.module;
        let own = module.functions.iter().filter(|(id, _)| self.new.is_own(*id));
        let mut returning = BTreeMap::new();
        for (id, function) in own {
            let statements = function.body().into_iter().flat_map(values_returned);
            returning.extend(statements.map(|statement| (statement, id)));
        }
        returning
    }
}

impl Side {
    /// The statements that make an output. With an entry other than `main`, what that returns is one.
    pub(crate) fn output_statements(&self, entry: Option<&str>) -> BTreeSet<StatementId> {
        let mut all: BTreeSet<StatementId> = observable(self).into_keys().collect();
        let functions = self.module.functions.values();
        let entered = functions.filter(|function| Some(function.name.as_str()) == entry);
        all.extend(entered.filter_map(|function| function.body()).flat_map(values_returned));
        all
    }
}

/// The outputs of a version, by statement.
fn observable(side: &Side) -> BTreeMap<StatementId, Vec<Output>> {
    let module = &side.module;
    let has_main = module.functions.values().any(|f| f.name == "main" && f.body().is_some());
    let mut outputs: BTreeMap<StatementId, Vec<Output>> = BTreeMap::new();
    for (_, function) in module.functions.iter().filter(|(id, _)| side.is_own(*id)) {
        let Some(body) = function.body() else { continue };
        for inst in body.insts.values() {
            let Op::Call(call) = &inst.op else { continue };
            if let Callee::Function(callee) = call.callee
                && let Some(kind) = kind_of_call(module, body, callee, call)
            {
                let by = module.functions[callee].display_name().to_owned();
                note(outputs.entry(inst.statement).or_default(), Output { kind, by });
            }
        }
        if let Some(kind) = kind_of_return(function, has_main) {
            for statement in values_returned(body) {
                let output = Output { kind, by: "return".to_owned() };
                note(outputs.entry(statement).or_default(), output);
            }
        }
    }
    outputs
}

fn note(outputs: &mut Vec<Output>, output: Output) {
    if !outputs.contains(&output) {
        outputs.push(output);
    }
}

/// What callers outside of the program see of a function's result.
fn kind_of_return(function: &Function, has_main: bool) -> Option<OutputKind> {
    match function.name.as_str() {
        "main" => Some(OutputKind::Exit),
        _ if has_main || function.linkage == Linkage::Internal => None,
        _ => Some(OutputKind::Result),
    }
}

fn values_returned(body: &Body) -> impl Iterator<Item = StatementId> {
    let returns = body.insts.values();
    returns.filter(|inst| matches!(inst.op, Op::Return { value: Some(_) })).map(|i| i.statement)
}

fn kind_of_call(
    module: &Module,
    body: &Body,
    callee: FuncId,
    call: &ir::Call,
) -> Option<OutputKind> {
    if module.is_own(callee) {
        return None;
    }
    let known = library::find(&module.functions[callee].name)?;
    if !known.is_seen() {
        return None;
    }
    if !known.puts_out() {
        return Some(OutputKind::Exit);
    }
    let argument = |index: usize| call.args.get(index).map(|argument| argument.value);
    match known.handling {
        Some(PrintTo(to) | PutByte(to) | PutString(to) | PutBytes { to, .. }) => Some(match to {
            To::Stdout => OutputKind::Stdout,
            To::Stream(index) => stream(module, body, argument(index)),
            To::Descriptor(index) => descriptor(body, argument(index)),
        }),
        // `perror`, and the system's log.
        _ => Some(OutputKind::Stderr),
    }
}

/// Where `stdout` and `stderr` go, if one of them is read for this very call.
fn stream(module: &Module, body: &Body, argument: Option<Operand>) -> OutputKind {
    match argument.and_then(|argument| global_read(module, body, argument)) {
        Some("stdout") => OutputKind::Stdout,
        Some("stderr") => OutputKind::Stderr,
        _ => OutputKind::Files,
    }
}

fn descriptor(body: &Body, argument: Option<Operand>) -> OutputKind {
    let Some(Operand::Const(number)) = argument else { return OutputKind::Files };
    match body.consts[number].value {
        Const::Int(1) => OutputKind::Stdout,
        Const::Int(2) => OutputKind::Stderr,
        _ => OutputKind::Files,
    }
}

/// The global variable whose value an operand is.
fn global_read<'m>(module: &'m Module, body: &Body, operand: Operand) -> Option<&'m str> {
    let Operand::Value(value) = operand else { return None };
    let read = body.insts.values().find(|inst| inst.result == Some(value))?;
    let Op::Load { address: Operand::Const(address), .. } = read.op else { return None };
    match body.consts[address].value {
        Const::Global(global) => Some(&module.globals[global].name),
        _ => None,
    }
}
