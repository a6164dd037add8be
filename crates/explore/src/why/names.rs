//! Events in terms of the source: which variable, which value.

use exec::Program;
use exec::stop::Site;
use ir::{Callee, DebugType, DebugTypeId, FuncId, Op, SlotId, Storage, TypeId, Variable};

use super::expressions::Expressions;
use super::search::Node;
use super::values::{Value, aggregate, is_aggregate, part, plain, plain_value, size_of, text, value};
use super::{Instance, Step, Via, What};
use crate::matching::{Matching, Version};
use crate::trace::alignment::Run;
use crate::trace::{Event, EventId, Kind, Origin, Place};

/// What clang calls the variable that a function's result is kept in.
const RESULT: &str = "retval";

pub(super) struct Names<'a> {
    runs: [Run<'a>; 2],
    matching: &'a Matching,
}

impl<'a> Names<'a> {
    pub fn new(old: Run<'a>, new: Run<'a>, matching: &'a Matching) -> Names<'a> {
        Names { runs: [old, new], matching }
    }

    /// Events for people: what is shown of both versions, and what happened.
    pub fn step(&self, shown: Node, node: Node, via: Option<Via>) -> Step {
        let described = |version: Version, event: EventId| self.describe(version, event);
        let old = shown.old.map(|event| described(Version::Old, event));
        let new = shown.new.map(|event| described(Version::New, event));
        let happened = |version| node.of(version).is_some();
        let what = match (&old, &new) {
            (Some((what, _)), _) if !happened(Version::New) => what.clone(),
            (_, Some((what, _))) | (Some((what, _)), None) => what.clone(),
            (None, None) => What::Value,
        };
        let only = match (happened(Version::Old), happened(Version::New)) {
            (true, false) => Some(Version::Old),
            (false, true) => Some(Version::New),
            _ => None,
        };
        let mut versions = Version::BOTH.into_iter();
        Step {
            old: shown.old.and_then(|event| self.instance(Version::Old, event)),
            new: shown.new.and_then(|event| self.instance(Version::New, event)),
            what,
            old_value: old.and_then(|(_, value)| value),
            new_value: new.and_then(|(_, value)| value),
            only,
            changed: versions.any(|version| {
                node.of(version).is_some_and(|event| self.is_changed(version, event))
            }),
            via,
            repeats: 1,
        }
    }

    fn run(&self, version: Version) -> Run<'a> {
        self.runs[version as usize]
    }

    fn is_changed(&self, version: Version, event: EventId) -> bool {
        let trace = self.run(version).trace;
        if let Kind::Initial(global) = trace.events[event].kind {
            return self.matching.globals[version as usize].contains(&global);
        }
        let statement = trace.statement(event);
        statement.is_some_and(|statement| self.matching.is_changed(version, statement))
    }

    fn instance(&self, version: Version, event: EventId) -> Option<Instance> {
        let trace = self.run(version).trace;
        let statement = trace.statement(event)?;
        let Event { kind, site, .. } = trace.events[event];
        let before = trace.events.values().take(event.as_u32() as usize + 1);
        let same = before.filter(|other| other.site == site && other.kind == kind);
        Some(Instance { statement, occurrence: same.count() as u32 })
    }

    /// What an event is about, and its value.
    fn describe(&self, version: Version, id: EventId) -> (What, Option<Value>) {
        let run = self.run(version);
        let event = &run.trace.events[id];
        let module = &run.program.module;
        let site = run.trace.site(id);
        let typed = |ty: Option<DebugTypeId>| self.value(version, id, ty);
        match event.kind {
            Kind::Slot(slot) => match slot_variable(run.program, site.function, slot) {
                Some(variable) => (What::Variable(variable.name.clone()), typed(variable.ty)),
                None => self.unnamed_slot(version, id, slot),
            },
            Kind::Store | Kind::Transfer => match event.place {
                Some(place) => {
                    let (what, ty) = self.place(version, place, event.size);
                    let written = match what {
                        What::Memory(_) => self.target(version, id),
                        _ => None,
                    };
                    match written {
                        Some((name, ty)) => (What::Variable(name), typed(ty)),
                        None => (what, typed(ty)),
                    }
                }
                None => (What::Memory(String::new()), typed(None)),
            },
            Kind::Branch => (What::Condition, Some(self.outcome(version, id))),
            Kind::Call(function) => {
                (What::Call(module.functions[function].display_name().to_owned()), None)
            }
            Kind::Shim(number) => self.library_call(version, id, number),
            Kind::Parameter(function, register) => {
                let variable = parameter(run.program, function, register);
                let name = variable.map_or(String::new(), |variable| variable.name.clone());
                let function = module.functions[function].display_name().to_owned();
                (What::Argument { function, name }, typed(variable.and_then(|v| v.ty)))
            }
            Kind::Return => {
                let function = &module.functions[site.function];
                let ty = function.debug_type.and_then(|ty| returned(run.program, ty));
                (What::Result(function.display_name().to_owned()), typed(ty))
            }
            Kind::Initial(global) => {
                let ty = module.globals[global].debug_type;
                let offset = event.place.map_or(0, |place| place.offset.max(0) as u64);
                let (path, ty) = part(module, ty, offset, event.size.into());
                let name = module.globals[global].source_name.clone().unwrap_or_default();
                (What::Initial(name + &path), typed(ty))
            }
            Kind::End => (What::End, run.trace.stop.clone().map(Value::Stop)),
            Kind::Phi | Kind::Object | Kind::Start => (What::Value, typed(None)),
        }
    }

    /// A slot without a variable: what the function returns, or something of the compiler's.
    fn unnamed_slot(&self, version: Version, id: EventId, slot: SlotId) -> (What, Option<Value>) {
        let run = self.run(version);
        let function = &run.program.module.functions[run.trace.site(id).function];
        let is_result = function.body().is_some_and(|body| body.slots[slot].name == RESULT);
        if !is_result {
            return (What::Value, self.value(version, id, None));
        }
        let ty = function.debug_type.and_then(|ty| returned(run.program, ty));
        (What::Result(function.display_name().to_owned()), self.value(version, id, ty))
    }

    /// A function of the machine: what it put out, what it wrote, or its result.
    fn library_call(&self, version: Version, id: EventId, number: u32) -> (What, Option<Value>) {
        let run = self.run(version);
        let name = exec::shims::names().nth(number as usize).unwrap_or_default();
        let call = What::Call(name.to_owned());
        let output = run.trace.outputs_of(id).iter().flat_map(|output| &output.bytes);
        let output: Vec<u8> = output.copied().collect();
        if !output.is_empty() {
            return (call, Some(Value::Text(output)));
        }
        if let Some(content) = run.trace.content_of(id)
            && let Some(place) = content.place
        {
            // Functions of the machine write the beginning of a buffer.
            let (what, ty) = self.place(version, place, u32::MAX);
            let shown = ty.and_then(|ty| aggregate(&run.program.module, ty, &content.bytes));
            let shown = shown.or_else(|| Some(Value::Text(text(&content.bytes))));
            if let What::Variable(_) = what {
                return (what, shown);
            }
            return (call, shown);
        }
        let is_void = self.ir_type(version, id) == Some(ir::Types::VOID);
        if is_void && matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit") {
            return (call, Some(Value::Signed(run.trace.events[id].value as i32 as i64)));
        }
        (call, self.value(version, id, self.result_type(version, id)))
    }

    fn value(&self, version: Version, id: EventId, ty: Option<DebugTypeId>) -> Option<Value> {
        let run = self.run(version);
        let module = &run.program.module;
        let event = &run.trace.events[id];
        if let Some(target) = event.target {
            let (what, _) = self.place(version, target, 1);
            return Some(match what {
                What::Variable(name) | What::Memory(name) => Value::Address(name),
                _ => Value::Address(String::new()),
            });
        }
        match ty {
            Some(ty) if is_aggregate(module, ty) => match run.trace.content_of(id) {
                Some(content) => aggregate(module, ty, &content.bytes),
                // One of several registers.
                None if size_of(module, ty).is_none_or(|size| size > 8) => None,
                None => {
                    let bytes = event.value.to_le_bytes();
                    aggregate(module, ty, &bytes[..event.size.min(8) as usize])
                }
            },
            Some(ty) => match plain(module, ty) {
                Some(DebugType::Pointer { .. }) if event.value == 0 => Some(Value::Null),
                Some(DebugType::Pointer { .. }) => None,
                _ => Some(value(module, Some(ty), event.value, event.size)),
            },
            None if event.size > 8 => None,
            None => match self.ir_type(version, id) {
                Some(ty) => plain_value(module, ty, event.value),
                None => Some(value(module, None, event.value, event.size)),
            },
        }
    }

    /// The type of what an event defines, as the IR has it.
    fn ir_type(&self, version: Version, id: EventId) -> Option<TypeId> {
        let run = self.run(version);
        let site = run.trace.site(id);
        let function = &run.program.module.functions[site.function];
        let body = function.body()?;
        match run.trace.events[id].kind {
            Kind::Slot(slot) => Some(body.slots[slot].ty),
            Kind::Return => Some(function.returns),
            Kind::Shim(_) => match body.insts[site.inst?].result {
                Some(result) => Some(body.values[result].ty),
                None => Some(ir::Types::VOID),
            },
            Kind::Store => match body.insts[site.inst?].op {
                Op::Store { value, .. } => Some(body.operand_type(value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a write to memory without a name writes to, as the source has it.
    fn target(&self, version: Version, id: EventId) -> Option<(String, Option<DebugTypeId>)> {
        let run = self.run(version);
        let (site, size) = (run.trace.site(id), run.trace.events[id].size);
        let body = run.program.module.functions[site.function].body()?;
        let Op::Store { address, .. } = body.insts[site.inst?].op else { return None };
        Expressions::new(&run.program.module, body).lvalue(address, size.into())
    }

    fn outcome(&self, version: Version, id: EventId) -> Value {
        let run = self.run(version);
        let (site, outcome) = (run.trace.site(id), run.trace.events[id].value);
        let body = run.program.module.functions[site.function].body();
        let op = body.zip(site.inst).map(|(body, inst)| &body.insts[inst].op);
        match op {
            Some(Op::Switch { .. }) => {
                Value::Case((outcome != u64::MAX).then_some(outcome as i32 as i64))
            }
            _ => Value::Bool(outcome != 0),
        }
    }

    /// A part of memory: what it is called, and its type.
    fn place(&self, version: Version, place: Place, size: u32) -> (What, Option<DebugTypeId>) {
        let run = self.run(version);
        let module = &run.program.module;
        let offset = place.offset.max(0) as u64;
        let named = |name: &str, ty: Option<DebugTypeId>| {
            let (path, ty) = part(module, ty, offset, size.into());
            (What::Variable(format!("{name}{path}")), ty)
        };
        let unnamed = |name: String| match place.offset {
            0 => (What::Memory(name), None),
            offset => (What::Memory(format!("{name} + {offset}")), None),
        };
        match run.trace.objects[place.object].origin {
            Origin::Global(global) => {
                let global = &module.globals[global];
                match &global.source_name {
                    Some(name) => named(name, global.debug_type),
                    None => unnamed("constant".to_owned()),
                }
            }
            Origin::Function(function) => {
                let name = module.functions[function].display_name().to_owned();
                (What::Variable(name), None)
            }
            Origin::Made(event) => {
                let site = run.trace.site(event);
                let local = site.inst.and_then(|inst| {
                    local_variable(run.program, Site { function: site.function, inst })
                });
                match local {
                    Some(variable) => named(&variable.name, variable.ty),
                    // A temporary of the compiler's.
                    None if run.trace.events[event].kind == Kind::Object => (What::Value, None),
                    None => unnamed(self.maker(version, event)),
                }
            }
            Origin::Given(number) if (1..=run.trace.arguments).contains(&number.into()) => {
                let offset = match place.offset {
                    0 => String::new(),
                    offset => format!("[{offset}]"),
                };
                (What::Memory(format!("argv[{}]{offset}", number - 1)), None)
            }
            Origin::Given(_) => unnamed("input".to_owned()),
        }
    }

    /// What is known of a nameless object: the function that made it, and where.
    fn maker(&self, version: Version, event: EventId) -> String {
        let run = self.run(version);
        let line = run.trace.statement(event).map(|st| run.program.module.statements[st].span.line);
        let name = match run.trace.events[event].kind {
            Kind::Shim(number) => exec::shims::names().nth(number as usize).unwrap_or_default(),
            _ => "object",
        };
        match line {
            Some(line) => format!("{name}@{line}"),
            None => name.to_owned(),
        }
    }

    /// The type of what a function of the machine returns, as far as the call tells.
    fn result_type(&self, version: Version, id: EventId) -> Option<DebugTypeId> {
        let run = self.run(version);
        let site = run.trace.site(id);
        let body = run.program.module.functions[site.function].body()?;
        let Op::Call(call) = &body.insts[site.inst?].op else { return None };
        let Callee::Function(callee) = call.callee else { return None };
        let ty = run.program.module.functions[callee].debug_type?;
        returned(run.program, ty)
    }
}

fn slot_variable(program: &Program, function: FuncId, slot: SlotId) -> Option<&Variable> {
    let body = program.module.functions[function].body()?;
    body.variables.iter().find(|variable| variable.storage == Storage::Slot(slot))
}

fn local_variable(program: &Program, site: Site) -> Option<&Variable> {
    let body = program.module.functions[site.function].body()?;
    let address = body.insts.get(site.inst)?.result?;
    body.variables.iter().find(|variable| variable.storage == Storage::Memory(address))
}

/// The parameter that a register holds.
fn parameter(program: &Program, function: FuncId, register: u16) -> Option<&Variable> {
    let data = &program.module.functions[function];
    let mut next = 0;
    let index = data.params.iter().position(|param| {
        next += program.addresses.width(&program.module.types, param.ty);
        register < next
    })?;
    let body = data.body()?;
    body.variables.iter().find(|variable| variable.parameter as usize == index + 1)
}

fn returned(program: &Program, ty: DebugTypeId) -> Option<DebugTypeId> {
    match plain(&program.module, ty)? {
        DebugType::Function { returns, .. } => *returns,
        _ => None,
    }
}
