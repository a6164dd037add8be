//! From an assignment of the cells to a run: puts the input in place and, for concolic runs,
//! the terms beside it.

mod entry;

use std::sync::Arc;

use base::entity::SecondaryMap;
use exec::concolic::{Concolic, FileSource, Text};
use exec::memory::Shade;
use exec::observer::Operand;
use exec::process::{IntegerPart, IntegerText};
use exec::state::State;
use exec::{Machine, Observer, Program, Stop};
use inputs::{Cell, CellId, Derived, Layout, ObjectId, Source};
use smt::{Model, Sort, TermId, Terms, VarId};

use self::entry::{attach_terms, read_plain, read_term};
use crate::pair::CellFrom;
use crate::text::{FileTerms, TextTerms, file_terms, line_source, text_terms};

/// Lengths and capacities are compared in this many bits, in which none of them is too large for
/// a signed number.
const WIDE: u32 = 64;

/// How runs of a program get their input.
pub struct Harness<'p> {
    pub program: &'p Program,
    pub layout: &'p Layout,
    /// What the program is called: its first argument.
    pub name: Vec<u8>,
    /// Whether the entry gets the parameters of the layout instead of the arguments of `main`.
    pub calls_function: bool,
    /// Where the memory of parameters and global variables lies in the last run.
    pub objects: SecondaryMap<ObjectId, u64>,
    input: inputs::Input,
    given: exec::Input,
}

/// The terms of an input space, for one table of terms.
#[derive(Clone, Debug)]
pub struct InputTerms {
    /// By cell.
    pub cells: Vec<TermId>,
    /// By cell, what it stands for; the same unless others have a say in it.
    pub values: Vec<TermId>,
    /// What holds of every input of the space.
    pub domain: Vec<TermId>,
    args: Vec<Option<TextTerms>>,
    stdin: Option<FileTerms>,
    files: Vec<Option<FileTerms>>,
}

impl InputTerms {
    pub fn new(terms: &mut Terms, layout: &Layout) -> InputTerms {
        let cells: Vec<TermId> =
            layout.cells.values().map(|cell| variable(terms, &cell.name, cell.bits)).collect();
        let domain = layout
            .cells
            .values()
            .zip(&cells)
            .map(|(cell, &term)| domain_condition(terms, cell, term))
            .filter(|&condition| condition != Terms::TRUE)
            .collect();
        InputTerms::with_cells(terms, layout, cells, domain)
    }

    /// The terms of a version whose cells come from those of this space.
    pub fn of_version(&self, terms: &mut Terms, layout: &Layout, from: &[CellFrom]) -> InputTerms {
        let cells = from.iter().zip(layout.cells.values()).map(|(from, cell)| match from {
            CellFrom::Fixed(value) => terms.constant(cell.bits, *value),
            CellFrom::Common { position, domain } => {
                let term = self.cells[*position];
                // The same number in as many bits as the version has.
                match terms.width(term) {
                    width if width > cell.bits => terms.trunc(term, cell.bits),
                    width if width == cell.bits => term,
                    _ if domain.is_signed() => terms.sext(term, cell.bits),
                    _ => terms.zext(term, cell.bits),
                }
            }
        });
        let cells = cells.collect();
        InputTerms::with_cells(terms, layout, cells, self.domain.clone())
    }

    fn with_cells(
        terms: &mut Terms,
        layout: &Layout,
        cells: Vec<TermId>,
        domain: Vec<TermId>,
    ) -> InputTerms {
        let mut of = |source: &Source| text_terms(terms, &cells, source);
        let args = layout.args.iter().map(&mut of).collect();
        let mut file = |source: &Source| file_terms(terms, &cells, source);
        let stdin = layout.stdin.as_ref().and_then(&mut file);
        let files = layout.files.iter().map(|(_, source)| file(source)).collect();
        let values = settled(terms, layout, &cells);
        InputTerms { cells, values, domain, args, stdin, files }
    }

    /// The assignment as a model.
    pub fn model(&self, terms: &Terms, assignment: &[u64]) -> Model {
        let mut model = Model::new();
        for (&cell, &value) in self.cells.iter().zip(assignment) {
            if let Some(variable) = terms.variable_of(cell) {
                model.set(variable, value);
            }
        }
        model
    }

    /// The assignment that a model says.
    pub fn assignment(&self, terms: &Terms, model: &Model) -> Box<[u64]> {
        let value = |&cell: &TermId| {
            terms.variable_of(cell).map_or(0, |variable: VarId| model.get(variable))
        };
        self.cells.iter().map(value).collect()
    }
}

/// What cells stand for; see [`Layout::settled`].
fn settled(terms: &mut Terms, layout: &Layout, cells: &[TermId]) -> Vec<TermId> {
    let mut values = cells.to_vec();
    for Derived { cell, nulls, most, is_below } in &layout.derived {
        let (bits, mut value) = (layout.cells[*cell].bits, values[cell.position()]);
        if let Some(most) = most {
            let limit = values[most.position()];
            let wide = |terms: &mut Terms, id: CellId, term: TermId| match layout.cells[id]
                .domain
                .is_signed()
            {
                true => terms.sext(term, WIDE),
                false => terms.zext(term, WIDE),
            };
            let (number, mut most) = (wide(terms, *cell, value), wide(terms, *most, limit));
            if *is_below {
                let (one, zero) = (terms.constant(WIDE, 1), terms.constant(WIDE, 0));
                let before = terms.sub(most, one);
                let is_positive = terms.sgt(most, zero);
                most = terms.ite(is_positive, before, zero);
            }
            let is_more = terms.sgt(number, most);
            let most = terms.trunc(most, bits);
            value = terms.ite(is_more, most, value);
        }
        for null in nulls {
            let is_null = terms.trunc(values[null.position()], 1);
            let zero = terms.constant(bits, 0);
            value = terms.ite(is_null, zero, value);
        }
        values[cell.position()] = value;
    }
    values
}

/// That a cell has one of its allowed values.
fn domain_condition(terms: &mut Terms, cell: &Cell, term: TermId) -> TermId {
    if cell.domain.is_full() {
        return Terms::TRUE;
    }
    let mut any = Terms::FALSE;
    for &(low, high) in cell.domain.ranges() {
        let low = terms.constant(cell.bits, cell.domain.encode(low));
        let high = terms.constant(cell.bits, cell.domain.encode(high));
        let (above, below) = match cell.domain.is_signed() {
            true => (terms.sge(term, low), terms.sle(term, high)),
            false => (terms.uge(term, low), terms.ule(term, high)),
        };
        let within = terms.and(above, below);
        any = terms.or(any, within);
    }
    any
}

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

    /// Starts a plain run.
    pub fn start<O: Observer>(
        &mut self,
        machine: &mut Machine<'p, O>,
        assignment: &[u64],
    ) -> Result<(), Stop> {
        self.give(assignment);
        machine.reset(&self.given)?;
        self.place_integers(machine);
        if !self.layout.objects.is_empty() || self.calls_function {
            self.place_parameters(machine, assignment, &mut |_, _, _| (), &mut read_plain)?;
        }
        machine.begin()
    }

    /// Starts a concolic run.
    pub fn start_concolic(
        &mut self,
        machine: &mut Machine<'p, Concolic>,
        terms: &InputTerms,
        assignment: &[u64],
    ) -> Result<(), Stop> {
        self.give(assignment);
        machine.reset(&self.given)?;
        machine.observer.start();
        self.place_integers(machine);
        self.attach_args(machine, terms);
        self.attach_files(machine, terms, assignment);
        if !self.layout.objects.is_empty() || self.calls_function {
            let mut attach = |machine: &mut Machine<'p, Concolic>, placed: &_, object: (_, &_)| {
                attach_terms(machine, terms, placed, object);
            };
            self.place_parameters(machine, assignment, &mut attach, &mut read_term)?;
        }
        machine.begin()
    }

    /// Tells the C library which arguments are integers.
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

    fn attach_args(&mut self, machine: &mut Machine<'p, Concolic>, terms: &InputTerms) {
        let argv = machine.state.process.arguments[1].bits;
        let given = self.input.args.len();
        for (index, text) in terms.args.iter().enumerate().take(given) {
            let Some(text) = text else { continue };
            let cell = argv + 8 * (index as u64 + 1);
            let Ok(address) = machine.state.memory.read_u64(cell) else { continue };
            let mut bytes = text.bytes.clone();
            bytes.push(machine.observer.terms.constant(8, 0));
            let text = Text { bytes, integer: text.integer };
            // The argument has just been put there.
            let _ = machine.observer.add_text(&mut machine.state.memory, address, text);
        }
        if let Some(count) = self.layout.arg_count {
            self.attach_count(machine, terms.cells[count.position()], argv);
        }
    }

    /// The number of arguments, and with it whether a pointer of `argv` is null.
    fn attach_count(&mut self, machine: &mut Machine<'p, Concolic>, count: TermId, argv: u64) {
        let terms = &mut machine.observer.terms;
        let wide = terms.zext(count, 32);
        let one = terms.constant(32, 1);
        let argc = terms.add(wide, one);
        machine.state.process.arguments[0].shadow = argc.raw();
        let given = self.input.args.len() as u64;
        for index in 0..=given {
            let terms = &mut machine.observer.terms;
            // Whether an argument of this number is given says whether the pointer is there.
            let number = terms.constant(terms.width(count), index);
            let is_there = terms.ult(number, count);
            let cell = argv + 8 * (index + 1);
            let Ok(address) = machine.state.memory.read_u64(cell) else { continue };
            let elsewhere = if index < given { address } else { argv };
            let (there, null) = (terms.constant(64, elsewhere), terms.constant(64, 0));
            let pointer = terms.ite(is_there, there, null);
            let shade = |part| Shade { shadow: pointer.raw(), part, size: 8 };
            let shades: Vec<Shade> = (0..8).map(shade).collect();
            if !machine.observer.terms.is_constant(pointer) {
                let _ = machine.state.memory.set_shades(cell, &shades);
            }
        }
    }

    fn attach_files(
        &mut self,
        machine: &mut Machine<'p, Concolic>,
        terms: &InputTerms,
        assignment: &[u64],
    ) {
        if let Some(source) = &self.layout.stdin {
            let node = machine.state.process.vfs.stdin_node();
            self.attach_file(machine, terms, assignment, (node, source, terms.stdin.as_ref()));
        }
        for ((name, source), known) in self.layout.files.iter().zip(&terms.files) {
            if let Some(node) = machine.state.process.vfs.file_node(name.as_bytes()) {
                self.attach_file(machine, terms, assignment, (node, source, known.as_ref()));
            }
        }
    }

    fn attach_file(
        &self,
        machine: &mut Machine<'p, Concolic>,
        terms: &InputTerms,
        assignment: &[u64],
        (node, source, known): (u32, &Source, Option<&FileTerms>),
    ) {
        let table = &mut machine.observer.terms;
        let file = match (source, known) {
            (Source::Lines { count, lines }, _) => {
                let lines = (*count, &lines[..]);
                line_source(table, &terms.cells, assignment, lines, self.layout)
            }
            (_, Some(known)) => self.text_source(table, known, node, &machine.state),
            (_, None) => return,
        };
        for integer in &file.integers {
            let rest = machine.state.process.vfs.bytes_of(node, integer.offset);
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'-');
            let text: Vec<u8> = digits.copied().collect();
            let value = std::str::from_utf8(&text).ok().and_then(|text| text.parse().ok());
            let (offset, length) = (integer.offset as u64, text.len() as u64);
            if let Some(value) = value {
                let part = IntegerPart { node, offset, length, value };
                machine.state.process.file_integers.push(part);
            }
        }
        machine.observer.add_file(&mut machine.state, node, file);
    }

    fn text_source(
        &self,
        table: &mut Terms,
        known: &FileTerms,
        node: u32,
        state: &State,
    ) -> FileSource {
        let size = state.process.vfs.bytes_of(node, 0).len();
        let next = known.bytes.get(size);
        let at_end = next.map_or(Terms::TRUE, |next| table.not(next.guards[1]));
        let extents = known.length.map(|length| (length, size as u64)).into_iter().collect();
        let bytes = Arc::clone(&known.bytes);
        FileSource { bytes, at_end, extents, integers: Vec::new() }
    }
}

/// What a native run finds in its environment.
fn environment() -> Vec<Vec<u8>> {
    ["LC_ALL=C", "TZ=UTC"].map(|variable| variable.as_bytes().to_vec()).into()
}

/// A register without a shadow.
fn plain(bits: u64) -> Operand {
    Operand { bits, shadow: 0 }
}

/// The variable of a cell. A member of another width in the other version is another variable.
fn variable(terms: &mut Terms, name: &str, bits: u32) -> TermId {
    let sort = Sort::Bits(bits);
    match terms.find_variable(name).map(|known| terms.variable_info(known).sort) {
        Some(known) if known != sort => terms.variable(&format!("{name} ({bits} bits)"), sort),
        _ => terms.variable(name, sort),
    }
}
