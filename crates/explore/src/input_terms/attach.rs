//! Attaches the terms of an input to its values in a machine.

use std::sync::Arc;

use exec::Machine;
use exec::concolic::{Argument, Concolic, FileSource, Text};
use exec::memory::Shade;
use exec::observer::Operand;
use exec::process::IntegerPart;
use exec::state::State;
use inputs::{Layout, Object, ObjectId, Piece, Source, Target};
use smallvec::SmallVec;
use smt::{TermId, Terms};
use trace::Harness;
use trace::harness::{Addresses, Companion};

use super::InputTerms;
use super::text::{FileTerms, line_source};

/// The terms of one run.
pub(super) struct Attached<'a> {
    pub terms: &'a InputTerms,
    pub assignment: &'a [u64],
}

impl Companion<Concolic> for Attached<'_> {
    fn given(&mut self, harness: &Harness<'_>, machine: &mut Machine<'_, Concolic>) {
        machine.observer.start();
        self.attach_args(harness, machine);
        self.attach_files(harness.layout, machine);
    }

    fn placed(
        &mut self,
        machine: &mut Machine<'_, Concolic>,
        addresses: &Addresses,
        object: (u64, &Object),
    ) {
        attach_terms(machine, self.terms, addresses, object);
    }

    fn read(&mut self, machine: &mut Machine<'_, Concolic>, address: u64, size: u64) -> Operand {
        machine.observer.value_at(&machine.state.memory, address, size)
    }
}

impl Attached<'_> {
    fn attach_args(&self, harness: &Harness<'_>, machine: &mut Machine<'_, Concolic>) {
        let argv = machine.state.process.arguments[1].bits;
        let given = harness.input.args.len();
        for (index, text) in self.terms.args.iter().enumerate().take(given) {
            let Some(text) = text else { continue };
            let cell = argv + 8 * (index as u64 + 1);
            let Ok(address) = machine.state.memory.read_u64(cell) else { continue };
            let mut bytes = text.bytes.clone();
            bytes.push(machine.observer.terms.constant(8, 0));
            let text = Text { bytes, integer: text.integer };
            // The argument was just placed there.
            let _ = machine.observer.add_text(&mut machine.state.memory, address, text);
        }
        if let Some(count) = harness.layout.arg_count {
            attach_count(machine, self.terms.cells[count.position()], argv, given as u64);
        }
    }

    fn attach_files(&self, layout: &Layout, machine: &mut Machine<'_, Concolic>) {
        if let Some(source) = &layout.stdin {
            let node = machine.state.process.vfs.stdin_node();
            self.attach_file(layout, machine, (node, source, self.terms.stdin.as_ref()));
        }
        for missing in layout.missing.iter().flatten() {
            let at = missing.position();
            let program = machine.program;
            machine.observer.fix_extent(program, self.terms.cells[at], self.assignment[at]);
        }
        for ((name, source), known) in layout.files.iter().zip(&self.terms.files) {
            if let Some(node) = machine.state.process.vfs.file_node(name.as_bytes()) {
                self.attach_file(layout, machine, (node, source, known.as_ref()));
            }
        }
    }

    fn attach_file(
        &self,
        layout: &Layout,
        machine: &mut Machine<'_, Concolic>,
        (node, source, known): (u32, &Source, Option<&FileTerms>),
    ) {
        let table = &mut machine.observer.terms;
        let file = match (source, known) {
            (Source::Lines { count, lines }, _) => {
                let lines = (*count, &lines[..]);
                line_source(table, &self.terms.cells, self.assignment, lines, layout)
            }
            (_, Some(known)) => text_source(table, known, node, &machine.state),
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
}

/// The number of arguments, and with it whether a pointer of `argv` is null.
fn attach_count(machine: &mut Machine<'_, Concolic>, count: TermId, argv: u64, given: u64) {
    let terms = &mut machine.observer.terms;
    let wide = terms.zext(count, 32);
    let one = terms.constant(32, 1);
    let argc = terms.add(wide, one);
    machine.state.process.arguments[0].shadow = argc.raw();
    let mut arguments = Vec::new();
    for index in 0..=given {
        let terms = &mut machine.observer.terms;
        // The pointer is non-null if there are more arguments than its index.
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
            arguments.push(Argument { pointer, is_there, given: index < given });
        }
    }
    machine.observer.add_arguments(arguments);
}

fn text_source(table: &mut Terms, known: &FileTerms, node: u32, state: &State) -> FileSource {
    let size = state.process.vfs.bytes_of(node, 0).len();
    let next = known.bytes.get(size);
    let at_end = next.map_or(Terms::TRUE, |next| table.not(next.guards[1]));
    let extents = known.length.map(|length| (length, size as u64)).into_iter().collect();
    let bytes = Arc::clone(&known.bytes);
    FileSource { bytes, at_end, extents, integers: Vec::new() }
}

/// Gives the bytes of an object the terms of its cells.
fn attach_terms(
    machine: &mut Machine<'_, Concolic>,
    terms: &InputTerms,
    placed: &Addresses,
    (address, object): (u64, &Object),
) {
    for piece in &object.pieces {
        let Some((offset, size)) = piece.bytes() else { continue };
        let cell = terms.values[piece.cell.position()];
        if machine.observer.terms.is_constant(cell) {
            continue;
        }
        let shadow = cell.raw();
        let shades: SmallVec<[Shade; 8]> =
            (0..size as u8).map(|part| Shade { shadow, part, size: size as u8 }).collect();
        // The object was just placed there.
        let _ = machine.state.memory.set_shades(address + offset, &shades);
    }
    attach_bits(machine, terms, address, object);
    attach_pointers(machine, terms, placed, (address, object));
}

/// Bit-fields share bytes: each byte is assembled bit by bit.
fn attach_bits(
    machine: &mut Machine<'_, Concolic>,
    terms: &InputTerms,
    address: u64,
    object: &Object,
) {
    let fields: Vec<&Piece> = object.pieces.iter().filter(|p| p.bytes().is_none()).collect();
    for byte in 0..object.fixed.len() as u64 {
        let covers =
            |piece: &&&Piece, bit: u64| piece.bit <= bit && bit < piece.bit + u64::from(piece.bits);
        if !fields.iter().any(|piece| (0..8).any(|bit| covers(&piece, 8 * byte + bit))) {
            continue;
        }
        let table = &mut machine.observer.terms;
        let mut value: Option<TermId> = None;
        for bit in 0..8 {
            let at = 8 * byte + bit;
            let this = match fields.iter().find(|piece| covers(piece, at)) {
                Some(piece) => {
                    let cell = terms.values[piece.cell.position()];
                    table.extract(cell, (at - piece.bit) as u32, 1)
                }
                None => table.constant(1, u64::from(object.fixed[byte as usize] >> bit & 1)),
            };
            value = Some(value.map_or(this, |low| table.concat(this, low)));
        }
        let Some(value) = value.filter(|&value| !table.is_constant(value)) else { continue };
        let shade = Shade { shadow: value.raw(), part: 0, size: 1 };
        let _ = machine.state.memory.set_shades(address + byte, &[shade]);
    }
}

/// Pointers that may be null, and those that point to any place of an object.
fn attach_pointers(
    machine: &mut Machine<'_, Concolic>,
    terms: &InputTerms,
    placed: &Addresses,
    (address, object): (u64, &Object),
) {
    for pointer in &object.pointers {
        let table = &mut machine.observer.terms;
        let start = |table: &mut Terms, target: ObjectId| {
            let mut start = table.constant(64, placed[target]);
            for (cell, object) in &pointer.instead {
                let is_instead = table.trunc(terms.values[cell.position()], 1);
                let other = table.constant(64, placed[*object]);
                start = table.ite(is_instead, other, start);
            }
            start
        };
        let there = match &pointer.target {
            Target::Object(target) => start(table, *target),
            Target::Inside { object, cell, size } => {
                let element = table.zext(terms.values[cell.position()], 64);
                let (start, size) = (start(table, *object), table.constant(64, *size));
                let offset = table.mul(element, size);
                table.add(start, offset)
            }
            Target::Null | Target::Function(_) => continue,
        };
        let value = match pointer.null {
            Some(null) => {
                let is_null = table.trunc(terms.cells[null.position()], 1);
                let nowhere = table.constant(64, 0);
                table.ite(is_null, nowhere, there)
            }
            None => there,
        };
        if table.is_constant(value) {
            continue;
        }
        let shades: SmallVec<[Shade; 8]> =
            (0..8).map(|part| Shade { shadow: value.raw(), part, size: 8 }).collect();
        let _ = machine.state.memory.set_shades(address + pointer.offset, &shades);
    }
}
