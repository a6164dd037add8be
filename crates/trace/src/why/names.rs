//! Events in terms of the source: which variable, which value.

use std::cell::OnceCell;

use base::Version;
use base::entity::SecondaryMap;
use exec::Program;
use exec::stop::Site;
use ir::{Callee, DebugType, DebugTypeId, FuncId, Op, SlotId, Storage, TypeId, Variable};

use rustc_hash::FxHashMap;

use super::expressions::Expressions;
use super::search::Node;
use super::values::{Value, aggregate, is_aggregate, plain_value, text, value};
use super::{Instance, Step, Via, What};
use crate::alignment::Run;
use crate::events::{EventId, Kind, Origin, Place, SiteId, Trace};
use crate::matching::Matching;
use crate::parts::{Part, part, plain, size_of};

/// Clang's name of the variable that holds a function's result.
const RESULT: &str = "retval";

pub(super) struct Names<'a> {
    runs: [Run<'a>; 2],
    matching: &'a Matching,
    /// How often each event has happened, by version; counted on demand.
    occurrences: [OnceCell<SecondaryMap<EventId, u32>>; 2],
}

impl<'a> Names<'a> {
    pub fn new(old: Run<'a>, new: Run<'a>, matching: &'a Matching) -> Names<'a> {
        Names { runs: [old, new], matching, occurrences: Default::default() }
    }

    /// Events for people: the names and values of both versions.
    pub fn step(&self, shown: Node, node: Node, via: Option<Via>) -> Step {
        let from = self.first_different(shown);
        let described = |version: Version, event: EventId| self.describe(version, event, from);
        let old = shown.old.map(|event| described(Version::Old, event));
        let new = shown.new.map(|event| described(Version::New, event));
        let happened = |version| node.of(version).is_some();
        let what = match (&old, &new) {
            (_, Some((what, _))) | (Some((what, _)), None) => what.clone(),
            (None, None) => What::Value,
        };
        let only = match (happened(Version::Old), happened(Version::New)) {
            (true, false) => Some(Version::Old),
            (false, true) => Some(Version::New),
            _ => None,
        };
        let old_what = old.as_ref().map(|(what, _)| what.clone());
        let mut versions = Version::BOTH.into_iter();
        Step {
            old: shown.old.and_then(|event| self.instance(Version::Old, event)),
            new: shown.new.and_then(|event| self.instance(Version::New, event)),
            old_what: old_what.filter(|old| *old != what && new.is_some()),
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

    /// Where writes of several members first differ.
    fn first_different(&self, node: Node) -> Option<u32> {
        let (old, new) = (node.old?, node.new?);
        let bytes = |version: Version, event: EventId| {
            let trace = self.run(version).trace;
            let data = &trace.events[event];
            let is_write = matches!(data.kind, Kind::Store | Kind::Transfer | Kind::Initial(_));
            is_write.then(|| bytes_of(trace, event)).filter(|_| data.target.is_none())
        };
        let (old, new) = (bytes(Version::Old, old)?, bytes(Version::New, new)?);
        let differs = old.iter().zip(&new).position(|(a, b)| a != b)?;
        (old.len() == new.len()).then_some(differs as u32)
    }

    fn run(&self, version: Version) -> Run<'a> {
        self.runs[version]
    }

    fn is_changed(&self, version: Version, event: EventId) -> bool {
        let trace = self.run(version).trace;
        if let Kind::Initial(global) = trace.events[event].kind {
            return self.matching.globals[version].contains(&global);
        }
        let statement = trace.statement(event);
        statement.is_some_and(|statement| self.matching.is_changed(version, statement))
    }

    fn instance(&self, version: Version, event: EventId) -> Option<Instance> {
        let trace = self.run(version).trace;
        let statement = trace.statement(event)?;
        let occurrences = self.occurrences[version].get_or_init(|| occurrences(trace));
        Some(Instance { statement, occurrence: occurrences[event] })
    }

    /// The subject of an event, and its value. For a write of several members, the one that
    /// contains a byte.
    pub fn describe(
        &self,
        version: Version,
        id: EventId,
        from: Option<u32>,
    ) -> (What, Option<Value>) {
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
            Kind::Store | Kind::Transfer => self.write(version, id, from),
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
            Kind::Initial(_) => match self.write(version, id, from) {
                (What::Variable(name), value) => (What::Initial(name), value),
                other => other,
            },
            Kind::Undefined(kind) => (What::Undefined(kind), None),
            Kind::End => (What::End, run.trace.stop.clone().map(Value::Stop)),
            Kind::Phi | Kind::Object | Kind::Start => (What::Value, typed(None)),
        }
    }

    /// A write to memory, or the first read of uninitialised memory.
    fn write(&self, version: Version, id: EventId, from: Option<u32>) -> (What, Option<Value>) {
        let run = self.run(version);
        let event = &run.trace.events[id];
        let Some(place) = event.place else {
            return (What::Memory(String::new()), self.value(version, id, None));
        };
        let (what, ty, _) = self.place(version, place, event.size);
        let module = &run.program.module;
        let is_whole = ty.and_then(|ty| size_of(module, ty)) == Some(event.size.into());
        if let (What::Variable(_), false, Some(from)) = (&what, is_whole, from) {
            let there = Place { offset: place.offset + from as i32, ..place };
            let (what, ty, within) = self.place(version, there, 1);
            let bytes = bytes_of(run.trace, id);
            let start = (u64::from(from)).saturating_sub(within) as usize;
            let value = ty.and_then(|ty| aggregate(module, ty, bytes.get(start..)?));
            return (what, value);
        }
        let written = match what {
            What::Memory(_) => self.target(version, id),
            _ => None,
        };
        match written {
            Some((name, ty)) => (What::Variable(name), self.value(version, id, ty)),
            None => (what, self.value(version, id, ty)),
        }
    }

    /// A slot without a variable: the function's result, or a temporary of the compiler.
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

    /// A function of the machine: what it wrote, or its result.
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
            let (what, ty, _) = self.place(version, place, u32::MAX);
            let shown = ty.and_then(|ty| aggregate(&run.program.module, ty, &content.bytes));
            let is_pointer = ty.is_some_and(|ty| {
                matches!(plain(&run.program.module, ty), Some(DebugType::Pointer { .. }))
            });
            let as_text = || (!is_pointer).then(|| Value::Text(text(&content.bytes)));
            let shown = shown.or_else(as_text);
            if let What::Variable(_) = what {
                return (what, shown);
            }
            return (call, shown);
        }
        let is_void = self.ir_type(version, id) == Some(ir::Types::VOID);
        if is_void && library::find(name).is_some_and(library::Function::takes_status) {
            return (call, Some(Value::Signed(run.trace.events[id].value as i32 as i64)));
        }
        (call, self.value(version, id, self.result_type(version, id)))
    }

    fn value(&self, version: Version, id: EventId, ty: Option<DebugTypeId>) -> Option<Value> {
        let run = self.run(version);
        let module = &run.program.module;
        let event = &run.trace.events[id];
        if let Some(target) = event.target {
            if let Some(text) = self.literal(version, target) {
                return Some(Value::Text(text));
            }
            let pointee = match ty.and_then(|ty| plain(module, ty)) {
                Some(DebugType::Pointer { to: Some(to) }) => size_of(module, *to),
                _ => None,
            };
            let (what, ..) = self.place(version, target, pointee.unwrap_or(1) as u32);
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

    /// The text of a string literal.
    fn literal(&self, version: Version, place: Place) -> Option<Vec<u8>> {
        let run = self.run(version);
        let Origin::Global(global) = run.trace.objects[place.object].origin else { return None };
        let data = &run.program.module.globals[global];
        if data.source_name.is_some() || !data.constant {
            return None;
        }
        let size = run.program.module.types.layout(data.ty).size;
        let address = run.program.addresses.globals[global];
        let bytes = run.program.image().bytes(address, size).ok()?;
        let bytes = bytes.get(usize::try_from(place.offset).ok()?..)?;
        let is_text = |&byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let text = text(bytes);
        (text.len() < bytes.len() && text.iter().all(is_text)).then_some(text)
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

    /// The target of a write to unnamed memory, as in the source.
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

    /// A part of memory: its name, its type, and the offset of the place.
    fn place(&self, version: Version, place: Place, size: u32) -> (What, Option<DebugTypeId>, u64) {
        let run = self.run(version);
        let module = &run.program.module;
        let offset = place.offset.max(0) as u64;
        let named = |name: &str, ty: Option<DebugTypeId>| {
            let Part { path, ty, within } = part(module, ty, offset, size.into());
            let rest = match within {
                within if within > 0 && size > 1 => format!(" + {within}"),
                _ => String::new(),
            };
            (What::Variable(format!("{name}{path}{rest}")), ty, within)
        };
        let unnamed = |name: String| match place.offset {
            0 => (What::Memory(name), None, 0),
            offset => (What::Memory(format!("{name} + {offset}")), None, 0),
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
                (What::Variable(name), None, 0)
            }
            Origin::Made(event) => {
                let site = run.trace.site(event);
                let local = site.inst.and_then(|inst| {
                    run.program.local_variable(Site { function: site.function, inst })
                });
                match local {
                    Some(variable) => named(&variable.name, variable.ty),
                    // A temporary of the compiler.
                    None if run.trace.events[event].kind == Kind::Object => (What::Value, None, 0),
                    None => unnamed(self.maker(version, event)),
                }
            }
            Origin::Given(number) if (1..=run.trace.arguments).contains(&number.into()) => {
                let offset = match place.offset {
                    0 => String::new(),
                    offset => format!("[{offset}]"),
                };
                (What::Memory(format!("argv[{}]{offset}", number - 1)), None, 0)
            }
            Origin::Given(0) => unnamed("errno".to_owned()),
            Origin::Given(_) => unnamed("input".to_owned()),
        }
    }

    /// What is known about an unnamed object: the function that made it, and where.
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

    /// The type of the result of a function of the machine, as far as the call shows.
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

/// The parameter that a register holds.
fn parameter(program: &Program, function: FuncId, register: u16) -> Option<&Variable> {
    let data = &program.module.functions[function];
    let mut next = 0;
    let index = data.params.iter().position(|param| {
        next += program.addresses.width(&program.module.types, param.ty);
        register < next
    })?;
    let body = data.body()?;
    // A struct may be passed in parts, which the compiler names after it.
    let name = data.params[index].name.split(".coerce").next().unwrap_or_default();
    let parameters = || body.variables.iter().filter(|variable| variable.parameter > 0);
    let by_name = parameters().find(|variable| variable.name == name);
    by_name.or_else(|| parameters().find(|variable| variable.parameter as usize == index + 1))
}

/// The bytes that an event wrote or read, as far as they are known.
fn bytes_of(trace: &Trace, id: EventId) -> Vec<u8> {
    let event = &trace.events[id];
    match trace.content_of(id) {
        Some(content) => content.bytes.to_vec(),
        None => event.value.to_le_bytes()[..event.size.min(8) as usize].to_vec(),
    }
}

fn returned(program: &Program, ty: DebugTypeId) -> Option<DebugTypeId> {
    match plain(&program.module, ty)? {
        DebugType::Function { returns, .. } => *returns,
        _ => None,
    }
}

/// For every event, how many of its kind there were at its place until then.
fn occurrences(trace: &Trace) -> SecondaryMap<EventId, u32> {
    let mut counts: FxHashMap<(SiteId, Kind), u32> = FxHashMap::default();
    let mut occurrences = trace.table();
    for (id, event) in trace.events.iter() {
        let count = counts.entry((event.site, event.kind)).or_insert(0);
        *count += 1;
        occurrences[id] = *count;
    }
    occurrences
}
