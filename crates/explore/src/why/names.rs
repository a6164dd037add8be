//! Events in terms of the source: which variable, which value.

use exec::Program;
use exec::stop::Site;
use ir::{DebugType, DebugTypeId, FuncId, SlotId, Storage, Variable};

use super::search::Node;
use super::values::{Value, part, plain, value};
use super::{Instance, Step, Via, What};
use crate::trace::alignment::Run;
use crate::trace::{EventId, Kind, Origin, Place};

pub(super) struct Names<'a> {
    runs: [Run<'a>; 2],
}

impl<'a> Names<'a> {
    pub fn new(old: Run<'a>, new: Run<'a>) -> Names<'a> {
        Names { runs: [old, new] }
    }

    /// A node for people.
    pub fn step(&self, node: Node, via: Option<Via>) -> Step {
        let event = |version: usize, event: Option<EventId>| {
            let event = event?;
            Some((self.instance(version, event), self.describe(version, event)))
        };
        let (old, new) = (event(0, node.old), event(1, node.new));
        let what = match (&old, &new) {
            (_, Some((_, (what, _)))) | (Some((_, (what, _))), None) => what.clone(),
            (None, None) => What::Value,
        };
        Step {
            old: old.as_ref().and_then(|(instance, _)| *instance),
            new: new.as_ref().and_then(|(instance, _)| *instance),
            what,
            old_value: old.and_then(|(_, (_, value))| value),
            new_value: new.and_then(|(_, (_, value))| value),
            via,
            repeats: 1,
        }
    }

    fn instance(&self, version: usize, event: EventId) -> Option<Instance> {
        let trace = self.runs[version].trace;
        let statement = trace.statement(event)?;
        let kind = std::mem::discriminant(&trace.events[event].kind);
        let site = trace.events[event].site;
        let same = |other: &crate::trace::Event| {
            other.site == site && std::mem::discriminant(&other.kind) == kind
        };
        let before = trace.events.values().take(event.as_u32() as usize + 1);
        let occurrence = before.filter(|other| same(other)).count() as u32;
        Some(Instance { statement, occurrence })
    }

    /// What an event is about, and its value.
    fn describe(&self, version: usize, id: EventId) -> (What, Option<Value>) {
        let run = self.runs[version];
        let event = &run.trace.events[id];
        let module = &run.program.module;
        let site = run.trace.site(id);
        let typed = |ty: Option<DebugTypeId>| Some(self.value(version, id, ty));
        match event.kind {
            Kind::Slot(slot) => match slot_variable(run.program, site.function, slot) {
                Some(variable) => (What::Variable(variable.name.clone()), typed(variable.ty)),
                None => (What::Value, typed(None)),
            },
            Kind::Store | Kind::Transfer => match event.place {
                Some(place) => {
                    let (what, ty) = self.place(version, place, event.size);
                    let shown = match event.kind {
                        Kind::Transfer if event.size > 8 => None,
                        _ => typed(ty),
                    };
                    (what, shown)
                }
                None => (What::Memory(String::new()), typed(None)),
            },
            Kind::Branch => (What::Condition, Some(self.outcome(version, id))),
            Kind::Call(function) => {
                (What::Call(module.functions[function].display_name().to_owned()), None)
            }
            Kind::Shim(number) => {
                let name = exec::shims::names().nth(number as usize).unwrap_or_default();
                let output: Vec<u8> =
                    run.trace.outputs_of(id).iter().flat_map(|output| output.bytes.clone()).collect();
                let result = match output.is_empty() {
                    false => Some(Value::Text(output)),
                    true => Some(self.value(version, id, self.result_type(version, id))),
                };
                (What::Call(name.to_owned()), result)
            }
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
                let shown = if event.size > 8 { None } else { typed(ty) };
                (What::Initial(name + &path), shown)
            }
            Kind::End => (What::End, run.trace.stop.clone().map(Value::Stop)),
            Kind::Phi | Kind::Object | Kind::Start => (What::Value, typed(None)),
        }
    }

    fn value(&self, version: usize, id: EventId, ty: Option<DebugTypeId>) -> Value {
        let run = self.runs[version];
        let event = &run.trace.events[id];
        if let Some(target) = event.target {
            let (what, _) = self.place(version, target, 1);
            return match what {
                What::Variable(name) | What::Memory(name) => Value::Address(name),
                _ => Value::Address(String::new()),
            };
        }
        let is_pointer = match ty.and_then(|ty| plain(&run.program.module, ty)) {
            Some(DebugType::Pointer { .. }) => true,
            _ => run.trace.site(id).pointer && matches!(event.kind, Kind::Slot(_) | Kind::Store),
        };
        match is_pointer && event.value == 0 {
            true => Value::Null,
            false => value(&run.program.module, ty, event.value, event.size),
        }
    }

    fn outcome(&self, version: usize, id: EventId) -> Value {
        let run = self.runs[version];
        let (site, outcome) = (run.trace.site(id), run.trace.events[id].value);
        let body = run.program.module.functions[site.function].body();
        let op = body.zip(site.inst).map(|(body, inst)| &body.insts[inst].op);
        match op {
            Some(ir::Op::Switch { .. }) => {
                Value::Case((outcome != u64::MAX).then_some(outcome as i32 as i64))
            }
            _ => Value::Bool(outcome != 0),
        }
    }

    /// A part of memory: what it is called, and its type.
    fn place(&self, version: usize, place: Place, size: u32) -> (What, Option<DebugTypeId>) {
        let run = self.runs[version];
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
                    None => unnamed(self.maker(version, event)),
                }
            }
            Origin::Given(_) => unnamed("input".to_owned()),
        }
    }

    /// What is known of a nameless object: the function that made it, and where.
    fn maker(&self, version: usize, event: EventId) -> String {
        let run = self.runs[version];
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
    fn result_type(&self, version: usize, id: EventId) -> Option<DebugTypeId> {
        let run = self.runs[version];
        let site = run.trace.site(id);
        let body = run.program.module.functions[site.function].body()?;
        let ir::Op::Call(call) = &body.insts[site.inst?].op else { return None };
        let ir::Callee::Function(callee) = call.callee else { return None };
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
