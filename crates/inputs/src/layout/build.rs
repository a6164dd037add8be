//! Turns a space into its cells, in the order in which an input is read.

use base::entity::{EntityRef, PrimaryMap};

use super::alias::ParamPointer;
use super::{Cells, Derived, End, Layout, Object, ObjectId, Piece, PointerAt, Source, Target};
use crate::shape::{Buffer, Field, Form, Param, Pointer, Raw, Scalar, ScalarKind, Shape};
use crate::{Alphabet, Atom, Cell, CellId, Domain, Length, Role, Space};

/// Bits of a cell that is a count, a choice or a null flag.
const COUNT_BITS: u32 = 32;
const FLAG_BITS: u32 = 8;

impl Layout {
    pub fn new(space: &Space) -> Layout {
        let mut layout = Layout {
            cells: PrimaryMap::new(),
            arg_count: None,
            args: Vec::new(),
            stdin: None,
            files: Vec::new(),
            missing: Vec::new(),
            params: Vec::new(),
            globals: Vec::new(),
            objects: PrimaryMap::new(),
            aliases: Vec::new(),
            derived: Vec::new(),
            first_param_cell: 0,
            space: space.clone(),
        };
        layout.add_texts(space);
        layout.first_param_cell = layout.cells.len();
        let mut family = Family::default();
        for param in &space.params {
            let (object, added) = layout.add_param(param);
            layout.params.push(object);
            family.push((&param.name, &param.shape, added));
        }
        layout.tie(&family);
        let pointers: Vec<ParamPointer<'_>> = family
            .iter()
            .map(|(name, _, added)| ParamPointer { name, null: added.null, target: added.target })
            .collect();
        layout.add_aliases(&space.aliases, &pointers);
        for global in &space.globals {
            let (object, _) = layout.add_param(global);
            layout.globals.push((global.name.clone(), object));
        }
        layout
    }

    fn add_texts(&mut self, space: &Space) {
        let most = space.args.len();
        if space.args_min < most {
            self.arg_count = Some(self.add_count("args.count".to_owned(), space.args_min, most));
        }
        for (index, atom) in space.args.iter().enumerate() {
            let source = self.add_atom(&format!("arg{}", index + 1), atom, Place::Argument);
            self.args.push(source);
        }
        self.stdin = space.stdin.as_ref().map(|atom| self.add_atom("stdin", atom, Place::Stream));
        for (name, atom) in &space.files {
            let is_optional = space.missing.contains(name);
            let missing = is_optional.then(|| self.add_flag(format!("no {name}"), Role::Missing));
            self.missing.push(missing);
            let source = self.add_atom(name, atom, Place::Stream);
            self.files.push((name.clone(), source));
        }
    }

    pub(super) fn add_cell(
        &mut self,
        name: String,
        bits: u32,
        domain: Domain,
        role: Role,
    ) -> CellId {
        self.cells.push(Cell { name, bits, domain, role })
    }

    pub(super) fn add_flag(&mut self, name: String, role: Role) -> CellId {
        let domain = Domain::range(FLAG_BITS, false, 0..=1).expect("two flags");
        self.add_cell(name, FLAG_BITS, domain, role)
    }

    fn add_count(&mut self, name: String, low: usize, high: usize) -> CellId {
        let range = low as i128..=high as i128;
        let domain = Domain::range(COUNT_BITS, false, range).expect("lengths are 32-bit numbers");
        self.add_cell(name, COUNT_BITS, domain, Role::Count)
    }

    fn add_atom(&mut self, name: &str, atom: &Atom, place: Place) -> Source {
        match atom {
            Atom::Literal(bytes) => Source::Literal(bytes.clone()),
            Atom::Int { low, high } => {
                let cell = self.add_int(name, *low, *high);
                Source::Decimal { cell, bits: self.cells[cell].bits }
            }
            Atom::Choice(texts) => {
                let range = 0..=texts.len().max(1) as i128 - 1;
                let domain = Domain::range(COUNT_BITS, false, range).expect("there are few texts");
                let cell = self.add_cell(name.to_owned(), COUNT_BITS, domain, Role::Choice);
                Source::Choice { cell, texts: texts.clone() }
            }
            Atom::Bytes { length, alphabet } => self.add_bytes(name, *length, *alphabet, place),
            Atom::Lines { count, line } => self.add_lines(name, *count, line),
        }
    }

    fn add_int(&mut self, name: &str, low: i64, high: i64) -> CellId {
        let fits = i32::try_from(low).is_ok() && i32::try_from(high).is_ok();
        let bits = if fits { 32 } else { 64 };
        let domain = Domain::range(bits, true, i128::from(low)..=i128::from(high));
        let domain = domain.unwrap_or_else(|| Domain::full(bits, true));
        self.add_cell(name.to_owned(), bits, domain, Role::Number)
    }

    fn add_bytes(
        &mut self,
        name: &str,
        length: Length,
        alphabet: Alphabet,
        place: Place,
    ) -> Source {
        let varies = matches!(length, Length::UpTo(_));
        let end = match place {
            _ if !varies => End::Last,
            Place::Argument => End::Zero,
            Place::Stream | Place::Line => {
                let high = length.max() as usize;
                End::Length(self.add_count(format!("{name}.length"), 0, high))
            }
        };
        let domain = byte_domain(alphabet, place, end == End::Zero);
        let first = CellId::new(self.cells.len());
        for index in 0..length.max() {
            self.add_cell(format!("{name}[{index}]"), 8, domain.clone(), Role::Byte);
        }
        Source::Bytes { cells: Cells { first, count: length.max() }, end }
    }

    fn add_lines(&mut self, name: &str, count: Length, line: &Atom) -> Source {
        let max = count.max();
        let varies = matches!(count, Length::UpTo(_));
        let cell = varies.then(|| self.add_count(format!("{name}.lines"), 0, max as usize));
        let lines = (1..=max)
            .map(|number| self.add_atom(&format!("{name}.line{number}"), line, Place::Line))
            .collect();
        Source::Lines { count: cell, lines }
    }

    fn add_param(&mut self, param: &Param) -> (ObjectId, Added) {
        let object = self.add_object(param.name.clone(), param.shape.size);
        let path = Path { text: param.name.clone(), behind_pointer: false };
        let added = self.add_shape(object, 0, &path, &param.shape);
        (object, added)
    }

    fn add_object(&mut self, name: String, size: u64) -> ObjectId {
        let fixed = vec![0; usize::try_from(size).expect("shapes fit into memory")];
        let (pieces, pointers) = (Vec::new(), Vec::new());
        self.objects.push(Object { name, fixed, pieces, pointers })
    }

    fn add_shape(&mut self, object: ObjectId, bit: u64, path: &Path, shape: &Shape) -> Added {
        let nothing = Added::default();
        match &shape.form {
            Form::Scalar(scalar) => {
                let cell = Some(self.add_scalar(object, bit, path, scalar));
                return Added { cell, ..nothing };
            }
            Form::Pointer(pointer) => return self.add_pointer(object, bit / 8, path, pointer),
            Form::Raw { kind, bits } => self.add_raw(object, bit, path, *kind, *bits),
            Form::Fixed(bytes) => {
                let offset = (bit / 8) as usize;
                let memory = self.objects[object].fixed.iter_mut().skip(offset);
                memory.zip(bytes).for_each(|(byte, &value)| *byte = value);
            }
            Form::Struct(fields) => {
                let mut family = Family::default();
                for Field { name, bit: at, shape } in fields {
                    let added = self.add_shape(object, bit + at, &path.field(name), shape);
                    family.push((name, shape, added));
                }
                self.tie(&family);
            }
            Form::Array { element, count } => {
                for index in 0..*count {
                    let at = bit + index * element.size * 8;
                    self.add_shape(object, at, &path.element(index), element);
                }
            }
        }
        nothing
    }

    /// Resolves relations between parameters, or between members of one struct.
    fn tie(&mut self, family: &Family<'_>) {
        let named = |name: &String| {
            family.iter().find(|(other, ..)| *other == name).map(|(_, _, added)| *added)
        };
        // Limits come before what they limit.
        let (mut free, mut limited) = (Vec::new(), Vec::new());
        let mut add = |derived: Derived| match derived.most {
            Some(_) => limited.push(derived),
            None => free.push(derived),
        };
        for (_, shape, added) in family {
            match (&shape.form, added.cell) {
                (Form::Scalar(Scalar { tie: Some(tie), .. }), Some(cell)) => {
                    let nulls = tie.nulls.iter().filter_map(|name| named(name)?.null).collect();
                    let most = tie.most.as_ref().and_then(|name| named(name)?.cell);
                    add(Derived { cell, nulls, most, is_below: tie.is_below });
                }
                (Form::Pointer(Pointer::Inside(inside)), Some(cell)) => {
                    let Some(of) = named(&inside.of) else { continue };
                    let (Some(target), Some((object, index))) = (of.target, added.pointer) else {
                        continue;
                    };
                    let pointer = &mut self.objects[object].pointers[index];
                    pointer.null = of.null;
                    pointer.target = Target::Inside { object: target, cell, size: inside.size };
                    if let Some(most) = inside.most.as_ref().and_then(|name| named(name)?.cell) {
                        let (nulls, most) = (Vec::new(), Some(most));
                        add(Derived { cell, nulls, most, is_below: false });
                    }
                }
                _ => {}
            }
        }
        self.derived.append(&mut free);
        // A limit may be limited itself. Cycles do not occur in practice; cells of a cycle keep
        // their order.
        while !limited.is_empty() {
            let waits = |one: &Derived| limited.iter().any(|other| one.most == Some(other.cell));
            let at = limited.iter().position(|one| !waits(one)).unwrap_or(0);
            self.derived.push(limited.remove(at));
        }
    }

    fn add_scalar(&mut self, object: ObjectId, bit: u64, path: &Path, scalar: &Scalar) -> CellId {
        let role = match scalar.kind {
            ScalarKind::Int | ScalarKind::Enum(_) => Role::Number,
            ScalarKind::Char => Role::Byte,
            ScalarKind::Float => Role::Float,
        };
        let cell = self.add_cell(path.value(), scalar.bits, scalar.domain.clone(), role);
        self.add_piece(object, bit, scalar.bits, cell);
        cell
    }

    fn add_raw(&mut self, object: ObjectId, bit: u64, path: &Path, kind: Raw, bits: u64) {
        let name = path.value();
        for (index, (at, width)) in kind.pieces(bits).enumerate() {
            let name = format!("{name}.part{index}");
            let cell = self.add_cell(name, width, Domain::full(width, false), Role::Raw);
            self.add_piece(object, bit + at, width, cell);
        }
    }

    fn add_piece(&mut self, object: ObjectId, bit: u64, bits: u32, cell: CellId) {
        self.objects[object].pieces.push(Piece { bit, bits, cell });
    }

    fn add_pointer(
        &mut self,
        object: ObjectId,
        offset: u64,
        path: &Path,
        pointer: &Pointer,
    ) -> Added {
        let mut added = Added::default();
        let (null, target) = match pointer {
            Pointer::Null => (None, Target::Null),
            Pointer::Function(name) => (None, Target::Function(name.clone())),
            Pointer::Buffer(buffer) => {
                let (null, target) = self.add_buffer(path, buffer);
                (added.null, added.target) = (null, Some(target));
                (null, Target::Object(target))
            }
            Pointer::Inside(inside) => {
                let name = format!("{} - {}", path.value(), path.beside(&inside.of));
                added.cell = Some(self.add_count(name, 0, inside.count as usize));
                // The target is known once the neighbours are.
                (None, Target::Null)
            }
        };
        added.pointer = Some((object, self.objects[object].pointers.len()));
        self.objects[object].pointers.push(PointerAt { offset, null, target, instead: Vec::new() });
        added
    }

    fn add_buffer(&mut self, path: &Path, buffer: &Buffer) -> (Option<CellId>, ObjectId) {
        let path = path.value();
        let null = buffer.nullable.then(|| self.add_flag(format!("{path} == NULL"), Role::Null));
        let target = self.add_object(format!("*{path}"), buffer.target.size);
        match &buffer.target.form {
            Form::Array { element, count: 1 } => {
                let single = Path { text: path, behind_pointer: true };
                self.add_shape(target, 0, &single, element);
            }
            _ => {
                let many = Path { text: path, behind_pointer: false };
                self.add_shape(target, 0, &many, &buffer.target);
            }
        }
        (null, target)
    }
}

/// What the layout has for a number or pointer.
#[derive(Clone, Copy, Default)]
struct Added {
    /// The number, or the element that a pointer into other memory points to.
    cell: Option<CellId>,
    /// Whether the pointer is null.
    null: Option<CellId>,
    /// The memory behind the pointer.
    target: Option<ObjectId>,
    /// Where the pointer is in the list of an object.
    pointer: Option<(ObjectId, usize)>,
}

/// Parameters, or members of one struct.
type Family<'a> = Vec<(&'a String, &'a Shape, Added)>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Argument,
    Stream,
    Line,
}

fn byte_domain(alphabet: Alphabet, place: Place, zero_ends: bool) -> Domain {
    let allowed = |byte: u8| match (byte, place) {
        (0, Place::Argument) => zero_ends,
        (b'\n', Place::Line) => false,
        (b'\n' | b'\t', Place::Stream) | (b'\t', Place::Line) => true,
        (0, _) => alphabet == Alphabet::Any,
        _ => alphabet != Alphabet::Printable || matches!(byte, b' '..=b'~'),
    };
    let bytes = (0..=u8::MAX).filter(|&byte| allowed(byte));
    let ranges = bytes.map(|byte| i128::from(byte)..=i128::from(byte));
    Domain::union(8, false, ranges).expect("every alphabet has letters")
}

/// The name of a piece of memory in C.
struct Path {
    text: String,
    /// The text is a pointer to the memory, rather than the memory itself.
    behind_pointer: bool,
}

impl Path {
    fn value(&self) -> String {
        if self.behind_pointer { format!("*{}", self.text) } else { self.text.clone() }
    }

    /// A neighbour, by its name.
    fn beside(&self, name: &str) -> String {
        let at = self.text.rfind(['.', '>']).map_or(0, |at| at + 1);
        format!("{}{name}", &self.text[..at])
    }

    /// Members without a name take the name of their parent.
    fn field(&self, name: &str) -> Path {
        if name.is_empty() {
            return Path { text: self.text.clone(), behind_pointer: self.behind_pointer };
        }
        let accessor = if self.behind_pointer { "->" } else { "." };
        Path { text: format!("{}{accessor}{name}", self.text), behind_pointer: false }
    }

    fn element(&self, index: u64) -> Path {
        let text = if self.behind_pointer {
            format!("(*{})[{index}]", self.text)
        } else {
            format!("{}[{index}]", self.text)
        };
        Path { text, behind_pointer: false }
    }
}
