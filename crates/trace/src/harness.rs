//! Starts a run from an assignment of the cells: sets up the input.
//!
//! Does not know terms. A [`Companion`] handles what accompanies the values of an input, as in a
//! concolic run.

mod entry;

use base::entity::SecondaryMap;
use exec::observer::Operand;
use exec::process::IntegerText;
use exec::{Machine, Observer, Program, Stop};
use inputs::{Layout, Object, ObjectId, Source};

/// Clang's name of the parameter through which a large struct is returned.
pub const RESULT: &str = "agg.result";

/// How runs of a program get their input.
pub struct Harness<'p> {
    pub program: &'p Program,
    pub layout: &'p Layout,
    /// The program's name: its first argument.
    pub name: Vec<u8>,
    /// Whether the entry gets the parameters of the layout instead of the arguments of `main`.
    pub calls_function: bool,
    /// Where the memory of parameters and global variables lies in the last run.
    pub objects: Addresses,
    /// The input of the last run.
    pub input: inputs::Input,
    given: exec::Input,
}

/// Where the memory of objects lies.
pub type Addresses = SecondaryMap<ObjectId, u64>;

/// Accompanies the values of an input while they are put in place.
pub trait Companion<O> {
    /// Arguments and files are in place.
    fn given(&mut self, _harness: &Harness<'_>, _machine: &mut Machine<'_, O>) {}

    /// An object is in place, and so are all others.
    fn placed(
        &mut self,
        _machine: &mut Machine<'_, O>,
        _addresses: &Addresses,
        _object: (u64, &Object),
    ) {
    }

    /// The shadow of some bytes of memory in a register of the call.
    fn read(&mut self, machine: &mut Machine<'_, O>, address: u64, size: u64) -> Operand {
        let bytes = machine.state.memory.bytes(address, size).unwrap_or_default();
        plain(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    }
}

/// Without a companion.
struct Alone;

impl<O> Companion<O> for Alone {}

impl<'p> Harness<'p> {
    pub fn new(program: &'p Program, layout: &'p Layout, name: &[u8]) -> Harness<'p> {
        Harness {
            program,
            layout,
            name: name.to_vec(),
            calls_function: !layout.params.is_empty()
                || program.module.functions[program.entry].name != "main",
            objects: SecondaryMap::new(),
            input: inputs::Input::default(),
            given: exec::Input { env: environment(), ..exec::Input::default() },
        }
    }

    /// Runs an input from its start to its end.
    pub fn run<O: Observer>(&mut self, machine: &mut Machine<'p, O>, assignment: &[u64]) -> Stop {
        match self.start(machine, assignment) {
            Ok(()) => machine.run(),
            Err(stop) => stop,
        }
    }

    /// Starts a plain run.
    pub fn start<O: Observer>(
        &mut self,
        machine: &mut Machine<'p, O>,
        assignment: &[u64],
    ) -> Result<(), Stop> {
        self.start_with(machine, assignment, &mut Alone)
    }

    /// Starts a run with a companion of its input.
    pub fn start_with<O: Observer>(
        &mut self,
        machine: &mut Machine<'p, O>,
        assignment: &[u64],
        companion: &mut impl Companion<O>,
    ) -> Result<(), Stop> {
        self.give(assignment);
        machine.reset(&self.given)?;
        self.place_integers(machine);
        companion.given(self, machine);
        if !self.layout.objects.is_empty() || self.calls_function {
            self.place_parameters(machine, assignment, companion)?;
        }
        machine.begin()
    }

    /// The input of an assignment, as the machine takes it.
    fn give(&mut self, assignment: &[u64]) {
        self.layout.decode_into(assignment, &mut self.input);
        self.given.args.resize_with(self.input.args.len() + 1, Vec::new);
        self.given.args[0].clone_from(&self.name);
        for (given, arg) in self.given.args[1..].iter_mut().zip(&self.input.args) {
            given.clone_from(arg);
        }
        self.given.stdin.clone_from(&self.input.stdin);
        self.given.files.resize_with(self.input.files.len(), Default::default);
        for (given, (name, bytes)) in self.given.files.iter_mut().zip(&self.input.files) {
            if given.0 != name.as_bytes() {
                given.0 = name.clone().into_bytes();
            }
            given.1.clone_from(bytes);
        }
    }

    /// Declares to the C library which arguments are integers.
    fn place_integers<O: Observer>(&mut self, machine: &mut Machine<'p, O>) {
        let argv = machine.state.process.arguments[1].bits;
        let mut integers = Vec::new();
        for (index, (source, arg)) in self.layout.args.iter().zip(&self.input.args).enumerate() {
            if !matches!(source, Source::Decimal { .. }) {
                continue;
            }
            let text = std::str::from_utf8(arg).ok();
            let value = text.and_then(|text| text.parse().ok());
            let address = machine.state.memory.read_u64(argv + 8 * (index as u64 + 1));
            if let (Some(value), Ok(address)) = (value, address) {
                integers.push(IntegerText { address, length: arg.len() as u64, value });
            }
        }
        machine.state.process.integers = integers;
    }
}

/// The environment of a native run.
fn environment() -> Vec<Vec<u8>> {
    ["LC_ALL=C", "TZ=UTC"].map(|variable| variable.as_bytes().to_vec()).into()
}

/// A register without a shadow.
fn plain(bits: u64) -> Operand {
    Operand { bits, shadow: 0 }
}
