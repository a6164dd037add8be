//! The state that a directly called function left: a snapshot of the machine's memory.
//!
//! Walks memory like the native harness, in the same order, so that both write the same text.

mod registers;
pub(crate) mod symbolic;

use exec::memory::{Inspected, Memory};
use exec::stop::ObjectKind;
use exec::{Machine, Program};
use inputs::harness::{MOST_LINES, MOST_TOKENS};
use inputs::snapshot::{Bits, Line, LineKind, LineOrigin, Snapshot, Token};
use inputs::view::{Part, PartKind, RAW, Views};
use inputs::{Harness, Root, RootKind};
use rustc_hash::FxHashMap;
use trace::harness::RESULT;

use self::registers::bytes_of_registers;

/// Takes snapshots of one version; reuses its buffers.
#[derive(Clone, Debug)]
pub struct Taker {
    /// By root, the address of a variable; 0 for others.
    globals: Vec<u64>,
    /// By global variable, whether it is text without a name.
    literals: FxHashMap<u64, ()>,
    /// The line of an object, by its address.
    lines: FxHashMap<u64, u32>,
    /// The returned value.
    returned: Vec<u8>,
}

impl Taker {
    pub fn new(caller: &Harness, program: &Program) -> Taker {
        let globals = &program.module.globals;
        let address = |root: &Root| match &root.kind {
            RootKind::Global { symbol, .. } => {
                let found = globals.iter().find(|(_, global)| global.name == *symbol);
                found.map_or(0, |(id, _)| program.addresses.globals[id])
            }
            RootKind::Returned | RootKind::Object(_) | RootKind::Errno => 0,
        };
        let is_literal = |global: &ir::Global| global.constant && global.source_name.is_none();
        let literals = globals.iter().filter(|(_, global)| is_literal(global));
        let literals = literals.map(|(id, _)| (program.addresses.globals[id], ()));
        Taker {
            globals: caller.roots.iter().map(address).collect(),
            literals: literals.collect(),
            lines: FxHashMap::default(),
            returned: Vec::new(),
        }
    }

    /// Takes a snapshot of the state that the function left when it returned. `registers` has the
    /// returned value.
    pub fn take<O>(
        &mut self,
        caller: &Harness,
        placed: &trace::Harness<'_>,
        machine: &Machine<'_, O>,
        registers: &[u64],
        counts_leaks: bool,
        snapshot: &mut Snapshot,
    ) {
        snapshot.clear();
        self.lines.clear();
        let memory = &machine.state.memory;
        let returned = self.returned_address(machine, registers);
        for (number, root) in caller.roots.iter().enumerate() {
            let address = match &root.kind {
                RootKind::Returned => returned,
                RootKind::Object(id) => placed.objects[*id],
                RootKind::Global { .. } => self.globals[number],
                RootKind::Errno => machine.state.process.errno,
            };
            let inspected = memory.inspect(address);
            let is_freed = inspected.is_some_and(|object| object.is_freed);
            if address != 0 {
                self.lines.insert(start_of(address), number as u32);
            }
            snapshot.lines.push(Line {
                origin: LineOrigin::Root(number as u32),
                kind: root.line_kind(),
                view: Some(root.view),
                elements: caller.views.get(root.view).elements(root.size) as u32,
                first: 0,
                count: 0,
                is_freed,
                is_touched: inspected.is_some_and(|object| object.is_touched),
                is_heap: inspected.is_some_and(|object| object.kind == ObjectKind::Heap),
                address,
            });
        }
        let returned = std::mem::take(&mut self.returned);
        let mut walk = Walk { taker: self, caller, machine, snapshot, hidden: 0 };
        let mut number = 0;
        while number < walk.snapshot.lines.len() {
            walk.line(number, &returned);
            number += 1;
        }
        if counts_leaks {
            let lost = memory.heap_blocks().filter(|block| !self.lines.contains_key(block));
            snapshot.leaks = lost.count() as u64;
        }
        self.returned = returned;
    }

    /// The address of a returned struct; 0 if it is in registers, and then it is kept.
    fn returned_address<O>(&mut self, machine: &Machine<'_, O>, registers: &[u64]) -> u64 {
        let module = &machine.program.module;
        let function = &module.functions[machine.program.entry];
        if function.params.first().is_some_and(|first| first.name == RESULT) {
            machine.state.process.arguments.first().map_or(0, |first| first.bits)
        } else {
            bytes_of_registers(&module.types, function.returns, registers, &mut self.returned);
            0
        }
    }
}

/// The start of the object that contains an address.
fn start_of(address: u64) -> u64 {
    let (_, offset) = Memory::split(address);
    address.wrapping_sub(offset as u64)
}

struct Walk<'w, 'p, O> {
    taker: &'w mut Taker,
    caller: &'w Harness,
    machine: &'w Machine<'p, O>,
    snapshot: &'w mut Snapshot,
    /// The offset of the line up to which bytes belong to an address found before.
    hidden: u64,
}

/// The memory of a line.
struct Area<'a> {
    bytes: &'a [u8],
    object: Option<Inspected<'a>>,
}

impl Area<'_> {
    /// Which digits of a part are written, the lowest first.
    fn written(&self, part: &Part, offset: u64) -> u16 {
        let Some(object) = self.object.filter(|object| !object.written.is_empty()) else {
            return u16::MAX;
        };
        let bits = part.read(object.written, offset);
        (0..16).fold(0, |digits, digit| digits | u16::from(bits >> (4 * digit) & 0xf != 0) << digit)
    }
}

impl Area<'_> {
    /// Eight bytes, if all of them were written.
    fn word(&self, at: u64) -> Option<u64> {
        let range = at as usize..at as usize + 8;
        let word = u64::from_le_bytes(self.bytes.get(range.clone())?.try_into().ok()?);
        // Addresses are neither small nor large, unlike most words.
        if word >> 32 == 0 || word >> 48 != 0 {
            return None;
        }
        let written = self.object.map_or(&[][..], |object| object.written);
        let is_written = written.is_empty() || written.get(range)?.iter().all(|&bits| bits != 0);
        is_written.then_some(word)
    }
}

impl<O> Walk<'_, '_, O> {
    fn views(&self) -> &Views {
        &self.caller.views
    }

    fn line(&mut self, number: usize, returned: &[u8]) {
        let line = self.snapshot.lines[number];
        let first = self.snapshot.tokens.len();
        self.snapshot.lines[number].first = first as u32;
        self.hidden = 0;
        if !line.is_freed {
            let machine = self.machine;
            let object = machine.state.memory.inspect(line.address);
            let size = match line.origin {
                LineOrigin::Root(root) => self.caller.roots[root as usize].size as usize,
                _ => usize::MAX,
            };
            let bytes = match object {
                Some(object) => &object.bytes[..size.min(object.bytes.len())],
                None if line.kind == LineKind::Returned => returned,
                None => &[],
            };
            let (caller, area) = (self.caller, Area { bytes, object });
            let size = bytes.len() as u64;
            caller.views.each_part(line.view.unwrap_or(RAW), size, |offset, part| {
                self.part(number, &area, offset, part);
            });
        }
        self.snapshot.lines[number].count = (self.snapshot.tokens.len() - first) as u32;
    }

    fn part(&mut self, line: usize, area: &Area<'_>, offset: u64, part: &Part) {
        if self.snapshot.tokens.len() >= MOST_TOKENS {
            if self.snapshot.tokens.len() == MOST_TOKENS {
                self.snapshot.tokens.push(Token::Beyond);
            }
            return;
        }
        let value = part.read(area.bytes, offset);
        let written = area.written(part, offset);
        let is_real = matches!(part.kind, PartKind::Float | PartKind::LongDouble);
        let may_be_address = part.bits == 64 && !is_real && written != 0;
        let pointer = if may_be_address { self.pointer(line, value, part.kind) } else { None };
        let is_hidden = pointer.is_none() && self.hides(area, offset + part.bytes().start, part);
        let token = pointer.unwrap_or_else(|| {
            if is_hidden {
                Token::Hidden
            } else {
                let whole = Bits::whole(value, part.bits, part.kind == PartKind::Float);
                let is_nan = whole.is_nan || part.is_long_nan(area.bytes, offset);
                Token::Bits(Bits { written: whole.written & written, is_nan, ..whole })
            }
        });
        self.snapshot.tokens.push(token);
    }

    /// Whether bytes of a part belong to an address that is not the part itself. Numbers larger
    /// than a byte are numbers.
    fn hides(&mut self, area: &Area<'_>, start: u64, part: &Part) -> bool {
        let from = match (part.kind, part.bits) {
            (PartKind::Word, _) => start + 1..start + 8,
            (PartKind::Character | PartKind::Signed | PartKind::Unsigned, 8)
                if part.bit.is_multiple_of(8) =>
            {
                start..start + 1
            }
            _ => return false,
        };
        let was_hidden = start < self.hidden;
        for at in from {
            if area.word(at).is_some_and(|word| self.is_address(word)) {
                self.hidden = at + 8;
            }
        }
        was_hidden || start < self.hidden
    }

    fn is_address(&self, word: u64) -> bool {
        if let Some(index) = Memory::function_at(word) {
            return self.machine.program.module.functions.get(ir::FuncId::at(index)).is_some();
        }
        let (_, offset) = Memory::split(word);
        let object = self.machine.state.memory.inspect(word);
        let is_within = |size: usize| offset >= 0 && offset as u64 <= size as u64;
        object.is_some_and(|object| is_within(object.bytes.len()))
    }

    /// The target of an address; `None` if it is none.
    fn pointer(&mut self, from: usize, address: u64, kind: PartKind) -> Option<Token> {
        if address == 0 {
            return matches!(kind, PartKind::Pointer(_)).then_some(Token::Null);
        }
        if let Some(index) = Memory::function_at(address) {
            let functions = &self.machine.program.module.functions;
            let function = functions.get(ir::FuncId::at(index))?;
            return Some(Token::Named(self.snapshot.text(function.name.as_bytes())));
        }
        let machine = self.machine;
        let object = machine.state.memory.inspect(address)?;
        let (_, offset) = Memory::split(address);
        let is_within = offset >= 0 && offset as u64 <= object.bytes.len() as u64;
        let is_pointer = matches!(kind, PartKind::Pointer(_));
        // A number may look like an address.
        if !is_pointer && (!is_within || object.is_freed) {
            return None;
        }
        if object.is_freed || object.kind == ObjectKind::Stack {
            return Some(Token::Freed);
        }
        if let Some(&line) = self.taker.lines.get(&object.start) {
            return Some(Token::Place { line, offset });
        }
        // The memory of a stream does not tell which stream it is.
        if object.kind == ObjectKind::System || machine.state.process.files.is_stream(address) {
            return is_pointer.then(|| self.system(address));
        }
        if self.taker.literals.contains_key(&object.start) {
            let text = object.bytes.get(offset as usize..).unwrap_or(&[]);
            return Some(Token::Literal(self.snapshot.text(text)));
        }
        if self.snapshot.lines.len() >= MOST_LINES {
            return Some(Token::Beyond);
        }
        let line = self.reach(from, &object, offset, kind);
        Some(Token::Place { line, offset })
    }

    /// An object of the C library.
    fn system(&mut self, address: u64) -> Token {
        let names: [&[u8]; 3] = [b"stdin", b"stdout", b"stderr"];
        let stream = self.machine.state.process.files.standard(address);
        let name = stream.and_then(|number| names.get(usize::try_from(number).ok()?).copied());
        name.map_or(Token::Other, |name| Token::Named(self.snapshot.text(name)))
    }

    /// A line for a newly found object.
    fn reach(&mut self, from: usize, object: &Inspected<'_>, offset: i64, kind: PartKind) -> u32 {
        let size = object.bytes.len() as u64;
        let wanted = match kind {
            PartKind::Pointer(view) => view,
            _ => RAW,
        };
        let view = self.views().get(wanted);
        let is_aligned =
            (offset as u64).is_multiple_of(view.size) && size.is_multiple_of(view.size);
        let id = if offset == 0 || view.tail.is_none() && is_aligned { wanted } else { RAW };
        let number = self.snapshot.lines.len() as u32;
        let token = self.snapshot.tokens.len() as u32 - self.snapshot.lines[from].first;
        self.taker.lines.insert(object.start, number);
        let elements = self.views().get(id).elements(size) as u32;
        self.snapshot.lines.push(Line {
            origin: LineOrigin::Reached { line: from as u32, token },
            kind: LineKind::Reached,
            view: Some(id),
            elements,
            first: 0,
            count: 0,
            is_freed: false,
            is_touched: object.is_touched,
            is_heap: object.kind == ObjectKind::Heap,
            address: object.start,
        });
        number
    }
}
