//! Decodes an assignment of the cells to an input. Missing cells count as zero.

use super::{End, Layout, Source};
use crate::shape::{Form, Param, Pointer, Raw, Scalar, ScalarKind, Shape};
use crate::{CellId, Input, Value};

impl Layout {
    pub fn decode(&self, assignment: &[u64]) -> Input {
        let mut input = Input::default();
        self.decode_into(assignment, &mut input);
        input
    }

    /// Decodes into an input whose buffers are reused.
    pub fn decode_into(&self, assignment: &[u64], input: &mut Input) {
        let settled = self.settled(assignment);
        let cells = Assigned(&settled);
        let most = self.args.len();
        let count = self.arg_count.map_or(most, |cell| (cells.at(cell) as usize).min(most));
        input.args.resize_with(count, Vec::new);
        for (text, source) in input.args.iter_mut().zip(&self.args) {
            refill(text, source, cells);
        }
        match &self.stdin {
            Some(source) => refill(&mut input.stdin, source, cells),
            None => input.stdin.clear(),
        }
        self.decode_files(cells, &mut input.files);
        self.decode_params(cells, input);
    }

    fn decode_files(&self, cells: Assigned<'_>, files: &mut Vec<(String, Vec<u8>)>) {
        let mut given = 0;
        for ((name, source), missing) in self.files.iter().zip(&self.missing) {
            if missing.is_some_and(|cell| cells.at(cell) == 1) {
                continue;
            }
            if files.get(given).is_none_or(|(known, _)| known != name) {
                files.truncate(given);
                files.push((name.clone(), Vec::new()));
            }
            refill(&mut files[given].1, source, cells);
            given += 1;
        }
        files.truncate(given);
    }

    fn decode_params(&self, cells: Assigned<'_>, input: &mut Input) {
        let mut walk = Walk { cells, next: self.first_param_cell };
        let mut value = |param: &Param| (param.name.clone(), walk.value(&param.shape));
        input.params.clear();
        input.params.extend(self.space.params.iter().map(&mut value));
        let shapes: Vec<&Shape> = self.space.params.iter().map(|param| &param.shape).collect();
        null_with_neighbours(&shapes, &mut input.params);
        walk.next += self.aliases.len();
        input.globals.clear();
        let mut value = |param: &Param| (param.name.clone(), walk.value(&param.shape));
        input.globals.extend(self.space.globals.iter().map(&mut value));
        self.decode_aliases(cells.0, input);
    }

    /// The bytes of one argument, of standard input or of a file.
    pub fn text_into(&self, source: &Source, assignment: &[u64], text: &mut Vec<u8>) {
        refill(text, source, Assigned(assignment));
    }

    /// The cells of parameters and global variables as a harness reads them: 8 bytes each, least
    /// significant first.
    pub fn image(&self, assignment: &[u64]) -> Vec<u8> {
        let settled = self.settled(assignment);
        let cells = (self.first_param_cell..self.cells.len()).map(|at| settled.get(at));
        cells.flat_map(|value| value.copied().unwrap_or(0).to_le_bytes()).collect()
    }

    /// The cells in the image that a harness reads, and their offsets in it, in bytes. If a cell is
    /// narrower than its word, the other bytes are zero.
    pub fn image_cells(&self) -> impl Iterator<Item = (u64, CellId)> {
        let cells = self.cells.keys().skip(self.first_param_cell);
        cells.enumerate().map(|(index, cell)| (8 * index as u64, cell))
    }

    /// The memory of an object, with zeros in place of addresses.
    pub fn memory_into(&self, object: super::ObjectId, assignment: &[u64], memory: &mut Vec<u8>) {
        self.settled_memory_into(object, &self.settled(assignment), memory);
    }

    /// The same from the settled values of the cells.
    pub fn settled_memory_into(
        &self,
        object: super::ObjectId,
        settled: &[u64],
        memory: &mut Vec<u8>,
    ) {
        let cells = Assigned(settled);
        let object = &self.objects[object];
        memory.clear();
        memory.extend_from_slice(&object.fixed);
        for piece in &object.pieces {
            let value = cells.at(piece.cell);
            match piece.bytes() {
                Some((offset, size)) => {
                    let (offset, size) = (offset as usize, size as usize);
                    memory[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
                }
                None => put_bits(memory, piece.bit, piece.bits, value),
            }
        }
    }
}

fn put_bits(memory: &mut [u8], bit: u64, bits: u32, value: u64) {
    for index in 0..u64::from(bits) {
        let (byte, mask) = (((bit + index) / 8) as usize, 1 << ((bit + index) % 8));
        match value >> index & 1 {
            0 => memory[byte] &= !mask,
            _ => memory[byte] |= mask,
        }
    }
}

#[derive(Clone, Copy)]
struct Assigned<'a>(&'a [u64]);

impl Assigned<'_> {
    fn at(self, cell: CellId) -> u64 {
        self.0.get(cell.position()).copied().unwrap_or(0)
    }
}

fn refill(text: &mut Vec<u8>, source: &Source, cells: Assigned<'_>) {
    text.clear();
    append(text, source, cells);
}

fn append(text: &mut Vec<u8>, source: &Source, cells: Assigned<'_>) {
    match source {
        Source::Literal(bytes) => text.extend_from_slice(bytes),
        Source::Decimal { cell, bits } => {
            let number = ((cells.at(*cell) << (64 - bits)) as i64) >> (64 - bits);
            text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        }
        Source::Choice { cell, texts } => {
            if let Some(chosen) = texts.get(cells.at(*cell) as usize) {
                text.extend_from_slice(chosen);
            }
        }
        Source::Bytes { cells: range, end } => {
            let assigned = cells.0.get(range.positions()).unwrap_or(&[]);
            let bytes = assigned.iter().map(|&value| value as u8);
            match end {
                End::Last => text.extend(bytes),
                End::Zero => text.extend(bytes.take_while(|&byte| byte != 0)),
                End::Length(cell) => text.extend(bytes.take(cells.at(*cell) as usize)),
            }
        }
        Source::Lines { count, lines } => {
            let count = count.map_or(lines.len(), |cell| cells.at(cell) as usize);
            for line in lines.iter().take(count) {
                append(text, line, cells);
                text.push(b'\n');
            }
        }
    }
}

/// Takes cells in the order in which the layout made them.
struct Walk<'a> {
    cells: Assigned<'a>,
    next: usize,
}

impl Walk<'_> {
    fn take(&mut self) -> u64 {
        let value = self.cells.0.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        value
    }

    fn value(&mut self, shape: &Shape) -> Value {
        match &shape.form {
            Form::Scalar(scalar) => scalar_value(scalar, self.take()),
            Form::Raw { kind, bits } => self.raw(*kind, *bits),
            Form::Fixed(bytes) => Value::Bytes(bytes.clone()),
            Form::Struct(fields) => {
                let values = fields.iter().map(|f| (f.name.clone(), self.value(&f.shape)));
                let mut values: Vec<(String, Value)> = values.collect();
                let shapes: Vec<&Shape> = fields.iter().map(|field| &field.shape).collect();
                null_with_neighbours(&shapes, &mut values);
                Value::Struct(values)
            }
            Form::Array { element, count } => self.array(element, *count),
            Form::Pointer(pointer) => self.pointer(pointer),
        }
    }

    fn raw(&mut self, kind: Raw, bits: u64) -> Value {
        if kind == Raw::Union {
            return Value::Bytes(kind.pieces(bits).map(|_| self.take() as u8).collect());
        }
        let parts = kind.pieces(bits);
        let whole = parts.fold(0, |whole, (at, _)| whole | u128::from(self.take()) << at);
        match kind {
            Raw::SignedInt => wide_int((whole << (128 - bits)) as i128 >> (128 - bits), whole),
            Raw::UnsignedInt => wide_int(i128::try_from(whole).unwrap_or(i128::MAX), whole),
            Raw::LongDouble | Raw::Union => Value::Bits(whole),
        }
    }

    fn array(&mut self, element: &Shape, count: u64) -> Value {
        match &element.form {
            Form::Scalar(Scalar { kind: ScalarKind::Char, .. }) => {
                Value::Bytes((0..count).map(|_| self.take() as u8).collect())
            }
            _ => Value::Array((0..count).map(|_| self.value(element)).collect()),
        }
    }

    fn pointer(&mut self, pointer: &Pointer) -> Value {
        match pointer {
            Pointer::Null => Value::Null,
            Pointer::Function(name) => Value::Function(name.clone()),
            Pointer::Inside(inside) => Value::Inside { of: inside.of.clone(), offset: self.take() },
            Pointer::Buffer(buffer) => {
                let null = buffer.nullable && self.take() == 1;
                let value = self.value(&buffer.target);
                match value {
                    _ if null => Value::Null,
                    Value::Bytes(bytes) if buffer.string => Value::Bytes(without_zeros(bytes)),
                    Value::Array(elements) => single(elements),
                    value => value,
                }
            }
        }
    }
}

/// Pointers into the memory of a neighbour are null if the neighbour is.
fn null_with_neighbours(shapes: &[&Shape], values: &mut [(String, Value)]) {
    for (index, shape) in shapes.iter().enumerate() {
        let Form::Pointer(Pointer::Inside(inside)) = &shape.form else { continue };
        let is_it = |(name, value): &(String, Value)| *name == inside.of && *value == Value::Null;
        if values.iter().any(is_it) {
            values[index].1 = Value::Null;
        }
    }
}

/// One element stands for itself, unless it could be mistaken for the pointer's own value.
fn single(mut elements: Vec<Value>) -> Value {
    match elements.as_slice() {
        [Value::Int(_) | Value::Float(_) | Value::Bits(_) | Value::Struct(_)] => {
            elements.swap_remove(0)
        }
        _ => Value::Array(elements),
    }
}

/// A string ends before its trailing zeros. Bytes after an inner zero are memory, too.
pub(super) fn without_zeros(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.truncate(length);
    bytes
}

/// Numbers beyond 64 bits are written as bits.
fn wide_int(number: i128, bits: u128) -> Value {
    if i64::try_from(number).is_ok() || u64::try_from(number).is_ok() {
        Value::Int(number)
    } else {
        Value::Bits(bits)
    }
}

fn scalar_value(scalar: &Scalar, bits: u64) -> Value {
    match scalar.kind {
        ScalarKind::Float => float_value(scalar.bits, bits),
        _ => Value::Int(scalar.domain.decode(bits)),
    }
}

/// Only finite numbers have a notation as numbers.
fn float_value(width: u32, bits: u64) -> Value {
    let value = match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        64 => f64::from_bits(bits),
        _ => f64::NAN,
    };
    if value.is_finite() { Value::Float(value) } else { Value::Bits(u128::from(bits)) }
}
