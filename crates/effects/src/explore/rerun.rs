//! Kept tests once more on the machine: what they print, what they return, which statements
//! they execute.

use exec::observer::Operand;
use exec::{Limits, Machine, Observer, Program, Stop};
use explore::{Harness, Options};
use inputs::{ObjectId, Pointee, Target};
use ir::{FloatKind, StatementId, Type, TypeId, Types};

use super::ExploreError;
use super::select::Selected;
use super::subject::Subject;

/// What clang calls the parameter through which a large struct is returned.
const RESULT: &str = "agg.result";

/// What a run showed on the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineOutcome {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    /// For a function that returned: its result and its buffers, as a harness writes them.
    pub result: Option<String>,
    /// Whether it read memory that was never written, so that what it does is not determined.
    pub reads_unwritten: bool,
}

impl MachineOutcome {
    /// The exit status of the native program, where that is known: of a function that returns,
    /// the harness ends with 0.
    pub fn status(&self) -> Option<i32> {
        match self.result {
            Some(_) => Some(0),
            None => self.stop.status(),
        }
    }
}

pub(super) struct Rerun {
    /// One for each test.
    pub outcomes: Vec<MachineOutcome>,
    /// How often each statement was executed, by its number, over all tests.
    pub statements: Vec<u64>,
}

/// Counts statements and keeps what the entry returned.
#[derive(Default)]
struct Watch<const RESULTS: bool> {
    statements: Vec<u64>,
    returned: Option<Vec<u64>>,
}

impl<const RESULTS: bool> Observer for Watch<RESULTS> {
    const STATEMENTS: bool = true;
    /// Only who asks for shadows is told what the entry returns.
    const SHADOWS: bool = RESULTS;

    fn statement(&mut self, statement: StatementId) {
        self.statements[statement.as_u32() as usize] += 1;
    }

    fn finish(&mut self, results: &[Operand]) {
        self.returned = Some(results.iter().map(|operand| operand.bits).collect());
    }
}

pub(super) fn rerun(
    subject: &Subject<'_>,
    tests: &[Selected],
    options: &Options,
) -> Result<Rerun, ExploreError> {
    let program = subject.instrumented()?;
    Ok(match subject.harness.is_some() {
        true => rerun_watched::<true>(subject, &program, tests, options),
        false => rerun_watched::<false>(subject, &program, tests, options),
    })
}

fn rerun_watched<const RESULTS: bool>(
    subject: &Subject<'_>,
    program: &Program,
    tests: &[Selected],
    options: &Options,
) -> Rerun {
    // Marks of statements count as steps, too: one at most for each other one.
    let limits = Limits { steps: options.limits.steps.saturating_mul(2), ..options.limits };
    let mut harness = Harness::new(program, &subject.layout, &options.name);
    let statements = vec![0; program.module.statements.len()];
    let watch = Watch::<RESULTS> { statements, returned: None };
    let mut machine = Machine::idle(program, &exec::Input::default(), limits, watch);
    let outcomes = tests.iter().map(|selected| {
        machine.observer.returned = None;
        let stop = match harness.start(&mut machine, &selected.assignment) {
            Ok(()) => machine.run(),
            Err(stop) => stop,
        };
        let vfs = &machine.state.process.vfs;
        let undefined = machine.state.memory.undefined_reads + machine.state.undefined_slots;
        MachineOutcome {
            stdout: vfs.stdout().to_vec(),
            result: result(subject, &harness, &machine, &stop),
            reads_unwritten: undefined > 0,
            stop,
        }
    });
    let outcomes = outcomes.collect();
    Rerun { outcomes, statements: machine.observer.statements }
}

/// What a function that returned left behind, as its harness writes it.
fn result<const RESULTS: bool>(
    subject: &Subject<'_>,
    placed: &Harness<'_>,
    machine: &Machine<'_, Watch<RESULTS>>,
    stop: &Stop,
) -> Option<String> {
    let harness = subject.harness.as_ref()?;
    let registers = machine.observer.returned.as_ref()?;
    // What the program does after the function has returned may still fail.
    if !matches!(stop, Stop::Exit(_)) {
        return None;
    }
    let memory = &machine.state.memory;
    let bytes_of = |id: ObjectId| {
        let size = subject.layout.objects[id].fixed.len() as u64;
        memory.bytes(placed.objects[id], size).ok().map(<[u8]>::to_vec)
    };
    let module = &machine.program.module;
    let function = &module.functions[machine.program.entry];
    let returned = match function.params.first().is_some_and(|first| first.name == RESULT) {
        true => {
            let address = machine.state.process.arguments.first().map_or(0, |first| first.bits);
            let ends =
                harness.returned.iter().flatten().map(|leaf| leaf.bit + u64::from(leaf.bits));
            let size = ends.max().unwrap_or(0).div_ceil(8);
            memory.bytes(address, size).map(<[u8]>::to_vec).unwrap_or_default()
        }
        false => bytes_of_registers(&module.types, function.returns, registers),
    };
    let pointee = |address: u64| pointee(subject, placed, machine.program, address);
    Some(harness.result(&subject.layout, &returned, &bytes_of, &pointee))
}

/// Where an address leads, in the order in which a harness looks.
fn pointee(
    subject: &Subject<'_>,
    placed: &Harness<'_>,
    program: &Program,
    address: u64,
) -> Pointee {
    if address == 0 {
        return Pointee::Null;
    }
    let observed = subject.harness.iter().flat_map(|harness| &harness.observed);
    let spans: Vec<(ObjectId, u64, u64)> = observed
        .map(|(id, _)| (*id, placed.objects[*id], subject.layout.objects[*id].fixed.len() as u64))
        .collect();
    let inside = |&&(_, start, size): &&(ObjectId, u64, u64)| {
        start <= address && (address - start < size || size == 0 && address == start)
    };
    let behind = |&&(_, start, size): &&(ObjectId, u64, u64)| address == start + size;
    if let Some(&(id, start, _)) = spans.iter().find(inside).or(spans.iter().find(behind)) {
        return Pointee::Object(id, address - start);
    }
    let functions = &program.module.functions;
    let function = exec::memory::Memory::function_at(address)
        .and_then(|index| functions.get(ir::FuncId::at(index)))
        .map(ir::Function::display_name);
    let mut pointers = subject.layout.objects.values().flat_map(|object| &object.pointers);
    let mut is_given = |name: &str| {
        pointers.any(|pointer| matches!(&pointer.target, Target::Function(given) if given == name))
    };
    match function {
        Some(name) if is_given(name) => Pointee::Function(name.to_owned()),
        _ => Pointee::Other,
    }
}

/// The memory of a value that is held in registers.
fn bytes_of_registers(types: &Types, ty: TypeId, registers: &[u64]) -> Vec<u8> {
    let size = types.layout(ty).size as usize;
    let mut bytes = vec![0; size];
    let mut registers = registers.iter().copied();
    put(types, ty, 0, &mut registers, &mut bytes);
    bytes
}

fn put(
    types: &Types,
    ty: TypeId,
    offset: u64,
    registers: &mut dyn Iterator<Item = u64>,
    bytes: &mut [u8],
) {
    let (size, words) = match types.get(ty) {
        Type::Void | Type::Opaque => return,
        Type::Int(bits) => (u64::from(bits.div_ceil(8)), bits.div_ceil(64)),
        Type::Float(kind) => {
            let words = if matches!(kind, FloatKind::X87 | FloatKind::Quad) { 2 } else { 1 };
            (u64::from(kind.bits().div_ceil(8)), words)
        }
        Type::Ptr => (8, 1),
        Type::Vector { element, lanes } => {
            let each = types.lane_bits(*element).div_ceil(8);
            for lane in 0..u64::from(*lanes) {
                put(types, *element, offset + lane * each, registers, bytes);
            }
            return;
        }
        Type::Array { element, length } => {
            let each = types.layout(*element).size;
            for index in 0..*length {
                put(types, *element, offset + index * each, registers, bytes);
            }
            return;
        }
        Type::Struct { fields, .. } => {
            for (index, &field) in fields.iter().enumerate() {
                let at = offset + types.field_offset(ty, index).unwrap_or(0);
                put(types, field, at, registers, bytes);
            }
            return;
        }
    };
    let words = (0..words).filter_map(|_| registers.next()).flat_map(u64::to_le_bytes);
    let places = bytes.iter_mut().skip(offset as usize).take(size as usize);
    places.zip(words).for_each(|(place, byte)| *place = byte);
}
