//! Functions of the machine in concolic runs.
//!
//! Most functions that read the input are C and executed like the program. Of the rest, some read
//! input, some write output, which is recorded, and some have terms. Every other use of a value
//! that depends on the input pins it.

use library::{Handling, To};
use smt::{Function, TermId, Terms};

use super::Concolic;
use super::path::Origin;
use super::source::FileInteger;
use crate::libc::format::{Amount, Conversion, Directive, Source, Spec, Value, text_of_one};
use crate::libc::vfs::Reading;
use crate::machine::shades_of;
use crate::memory::{NoticedByte, Shade};
use crate::observer::{At, Operand, Use};
use crate::process::{ArgumentPlace, Printed};
use crate::shims::{Arguments, Outcome, Shim};
use crate::state::State;

/// Output of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub to: Sink,
    pub pieces: Vec<Piece>,
}

/// Where output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// A descriptor, as the program gave it.
    Descriptor(i32),
    /// A `FILE`, by its address.
    Stream(u64),
}

/// A part of an output.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Bytes that do not depend on the input.
    Text(Vec<u8>),
    /// Bytes of which some depend on the input: the value of each, and its shadow.
    Bytes(Vec<(u8, u32)>),
    /// A number that depends on the input, by a conversion of printf.
    Number { conversion: Spec, text: Vec<u8>, value: Operand },
}

/// The call under observation.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingCall {
    /// The function, for pins.
    pub name: Option<&'static str>,
    /// The source of the next byte of its stream.
    pub place: Option<(u32, usize)>,
    /// The value of `errno` before it.
    pub errno: Operand,
}

impl Concolic {
    pub(super) fn before_call(
        &mut self,
        at: At<'_>,
        shim: &'static Shim,
        args: &[Operand],
        state: &mut State,
    ) {
        self.pending.name = Some(shim.name);
        state.memory.watch_reads();
        state.process.vfs.take_readings();
        match shim.handling {
            Some(Handling::PrintTo(_)) => {
                state.process.printed = Some(Vec::new());
            }
            Some(Handling::IntegerIn) => {
                let next = state.next_unread(args[0].bits);
                self.pending.place = next.map(|(node, offset)| (node, offset as usize));
                self.pin_operands(at, args);
            }
            Some(Handling::PutByte(_)) => self.pin_operands(at, &args[1..]),
            Some(Handling::Status) => self.result = args[..1].to_vec(),
            Some(Handling::UngetByte) => self.pin_operands(at, &args[1..]),
            Some(Handling::Math { .. }) => self.set_errno_aside(args, state),
            _ => self.pin_operands(at, args),
        }
    }

    fn pin_operands(&mut self, at: At<'_>, args: &[Operand]) {
        for arg in args.iter().filter(|arg| arg.shadow != 0) {
            self.pin(at, *arg, Use::Argument);
        }
    }

    pub(super) fn after_call(
        &mut self,
        at: At<'_>,
        shim: &'static Shim,
        args: &[Operand],
        state: &mut State,
        result: u64,
    ) -> u32 {
        let noticed = state.memory.watched_reads();
        let readings = state.process.vfs.take_readings();
        let kind = shim.handling;
        let shadow = match kind {
            Some(Handling::PrintTo(to)) => self.printed(at, args, state, to, &noticed),
            Some(Handling::PutByte(to)) => {
                let bytes = vec![(args[0].bits as u8, self.low_byte(args[0]))];
                self.put_bytes(to, args, bytes);
                self.low_byte(args[0])
            }
            Some(Handling::PutBytes { address, size, count, to }) => {
                let total = args[size].bits.wrapping_mul(count.map_or(1, |at| args[at].bits));
                self.put_memory(state, to, args, args[address].bits, total);
                0
            }
            Some(Handling::PutString(to)) => {
                let address = args[0].bits;
                self.see_string(at, &noticed);
                let length = state.memory.c_string(address).map_or(0, <[u8]>::len);
                let mut bytes = self.bytes_at(state, address, length as u64);
                // Only `puts` has no argument for a stream, and it ends the line.
                bytes.extend((to == To::Stdout).then_some((b'\n', 0)));
                self.put_bytes(to, args, bytes);
                0
            }
            Some(Handling::GetByte(stream)) => {
                let stdin = state.process.files.stdin();
                let stream = stream.map_or(stdin, |index| args[index].bits);
                return self.got_byte(at, stream, &readings, result);
            }
            Some(Handling::UngetByte) => {
                let shadow = self.low_byte(args[0]);
                self.sources.pushed_back.push((args[1].bits, shadow));
                shadow
            }
            Some(Handling::Read(buffer)) => {
                return self.read_into(at, state, args[buffer].bits, &readings);
            }
            Some(Handling::Math { arguments, width }) => {
                self.see_noticed(at, &noticed);
                return self.mathematics(shim, &args[..arguments.min(args.len())], width, state);
            }
            Some(Handling::Integer) => return self.integer(args, state),
            Some(Handling::IntegerIn) => return self.integer_in(at, args, state, result),
            Some(Handling::Size) => self.fix_sizes(at),
            Some(Handling::Seek) if args.get(2).is_some_and(|whence| whence.bits == 2) => {
                self.fix_sizes(at)
            }
            _ => {
                self.see_noticed(at, &noticed);
                0
            }
        };
        self.use_up_readings(at, state, &readings);
        shadow
    }

    fn low_byte(&mut self, operand: Operand) -> u32 {
        let term = self.term(operand, 8);
        self.shadow_of(term)
    }

    /// Bytes that a function looked at are pinned.
    fn see_noticed(&mut self, at: At<'_>, noticed: &[NoticedByte]) {
        for byte in noticed {
            self.see_text(at, byte.address, 1);
            let term = self.byte_term(byte.shade, byte.byte);
            let shadow = self.shadow_of(term);
            self.pin(at, Operand { bits: byte.byte.into(), shadow }, Use::Argument);
        }
    }

    /// Only the end of a string matters, not its bytes.
    fn see_string(&mut self, at: At<'_>, noticed: &[NoticedByte]) {
        for byte in noticed {
            self.see_text(at, byte.address, 1);
            let term = self.byte_term(byte.shade, byte.byte);
            let zero = self.terms.constant(8, 0);
            let is_end = self.terms.eq(term, zero);
            self.push_truth(at, is_end, byte.byte == 0, Origin::Extent);
        }
    }

    fn sink(&self, to: To, args: &[Operand]) -> Sink {
        let argument = |index: usize| args.get(index).map_or(0, |arg| arg.bits);
        match to {
            To::Stdout => Sink::Descriptor(1),
            To::Stream(index) => Sink::Stream(argument(index)),
            To::Descriptor(index) => Sink::Descriptor(argument(index) as i32),
        }
    }

    fn put_bytes(&mut self, to: To, args: &[Operand], bytes: Vec<(u8, u32)>) {
        let piece = if bytes.iter().all(|&(_, shadow)| shadow == 0) {
            Piece::Text(bytes.iter().map(|&(byte, _)| byte).collect())
        } else {
            Piece::Bytes(bytes)
        };
        self.events.push(Event { to: self.sink(to, args), pieces: vec![piece] });
    }

    fn put_memory(&mut self, state: &mut State, to: To, args: &[Operand], address: u64, size: u64) {
        let bytes = self.bytes_at(state, address, size);
        self.put_bytes(to, args, bytes);
    }

    /// Bytes of memory with their shadows.
    fn bytes_at(&mut self, state: &State, address: u64, size: u64) -> Vec<(u8, u32)> {
        let Ok(bytes) = state.memory.bytes(address, size) else { return Vec::new() };
        let shades = state.memory.shades(address, size);
        let shade = |index: usize| shades.get(index).copied().unwrap_or_default();
        let with_shadow = |(index, &byte): (usize, &u8)| {
            let term = self.byte_term(shade(index), byte);
            (byte, self.shadow_of(term))
        };
        bytes.iter().enumerate().map(with_shadow).collect()
    }

    /// Records formatted output; returns the shadow of the number of bytes.
    fn printed(
        &mut self,
        at: At<'_>,
        args: &[Operand],
        state: &mut State,
        to: To,
        noticed: &[NoticedByte],
    ) -> u32 {
        let all = state.process.printed.take().unwrap_or_default();
        // The total length without the numbers that depend on the input.
        let mut known = 0;
        let mut length: Option<TermId> = None;
        for printed in &all {
            let (pieces, numbers) = self.pieces(at, args, state, printed, noticed);
            known += printed.output.bytes.len() as u64;
            for piece in &pieces {
                known -= if let Piece::Number { text, .. } = piece { text.len() as u64 } else { 0 };
            }
            for number in numbers {
                length = Some(length.map_or(number, |sum| self.terms.add(sum, number)));
            }
            self.events.push(Event { to: self.sink(to, args), pieces });
        }
        let Some(length) = length else { return 0 };
        let known = self.terms.constant(32, known);
        let length = self.terms.add(length, known);
        self.shadow_of(length)
    }

    /// The pieces of an output, and the lengths of its numbers that depend on the input.
    fn pieces(
        &mut self,
        at: At<'_>,
        args: &[Operand],
        state: &State,
        printed: &Printed,
        noticed: &[NoticedByte],
    ) -> (Vec<Piece>, Vec<TermId>) {
        let (mut pieces, mut lengths) = (Vec::new(), Vec::new());
        let mut followed = vec![false; printed.places.len()];
        for piece in &printed.output.pieces {
            let text = &printed.output.bytes[piece.range.clone()];
            let plain = Piece::Text(text.to_vec());
            let Source::Conversion { directive, argument: Some(number), value } = piece.source
            else {
                pieces.push(plain);
                continue;
            };
            let Directive::Conversion(spec) = &printed.format.directives[directive as usize] else {
                continue;
            };
            let operand = self.argument(args, state, printed.places.get(number as usize));
            match (value, spec.conversion) {
                (Some(Value::Integer(address)), Conversion::String) => {
                    let within = |byte: &&NoticedByte| byte.address >> 32 == address >> 32;
                    let bytes: Vec<NoticedByte> = noticed.iter().filter(within).copied().collect();
                    self.see_string(at, &bytes);
                    match self.string_pieces(state, address, text, &bytes) {
                        Some(known) => pieces.extend(known),
                        None => {
                            self.see_noticed(at, &bytes);
                            pieces.push(plain);
                        }
                    }
                }
                (Some(Value::Integer(_) | Value::Double(_)), conversion)
                    if operand.shadow != 0 && is_number(spec, conversion) =>
                {
                    followed[number as usize] = true;
                    lengths.push(self.length_of(spec, operand));
                    let conversion = spec.clone();
                    let text = text.to_vec();
                    pieces.push(Piece::Number { conversion, text, value: operand });
                }
                _ => pieces.push(plain),
            }
        }
        for (place, _) in printed.places.iter().zip(&followed).filter(|(_, followed)| !**followed) {
            let operand = self.argument(args, state, Some(place));
            self.pin_operands(at, &[operand]);
        }
        (pieces, lengths)
    }

    /// The bytes of a string within its field; nothing if they are not found there.
    fn string_pieces(
        &mut self,
        state: &State,
        address: u64,
        text: &[u8],
        noticed: &[NoticedByte],
    ) -> Option<Vec<Piece>> {
        if noticed.is_empty() {
            return Some(vec![Piece::Text(text.to_vec())]);
        }
        let whole = state.memory.c_string(address).map_or(text.len(), <[u8]>::len);
        let length = whole.min(text.len());
        let bytes = self.bytes_at(state, address, length as u64);
        let is_here = |part: &[u8]| part.iter().eq(bytes.iter().map(|(byte, _)| byte));
        let (padding, is_left) = match text.split_at(text.len() - length) {
            (padding, content) if is_here(content) => (padding, false),
            _ if is_here(&text[..length]) => (&text[length..], true),
            _ => return None,
        };
        let mut pieces = vec![Piece::Bytes(bytes)];
        if !padding.is_empty() {
            pieces.insert(usize::from(is_left), Piece::Text(padding.to_vec()));
        }
        Some(pieces)
    }

    fn argument(
        &mut self,
        args: &[Operand],
        state: &State,
        place: Option<&ArgumentPlace>,
    ) -> Operand {
        match place {
            Some(ArgumentPlace::Call(index)) => args.get(*index).copied().unwrap_or_default(),
            Some(ArgumentPlace::Memory(address)) => {
                let shades = state.memory.shades(*address, 8);
                match state.memory.bytes(*address, 8) {
                    Ok(bytes) if !shades.is_empty() => {
                        let term = self.value_of(shades, bytes);
                        let word = bytes.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
                        Operand { bits: word, shadow: self.shadow_of(term) }
                    }
                    _ => Operand::default(),
                }
            }
            None => Operand::default(),
        }
    }

    /// The number of characters that a conversion makes of a number: a function with an
    /// implementation.
    fn length_of(&mut self, spec: &Spec, operand: Operand) -> TermId {
        let term = self.term(operand, 64);
        let name = format!("length by {spec:?}");
        let spec = spec.clone();
        let length = move |bits: &[u64]| text_of_one(&spec, bits[0]).len() as u64;
        let function = self.terms.function(Function {
            name,
            arguments: vec![64],
            result: 32,
            value: Some(std::sync::Arc::new(length)),
        });
        self.terms.apply(function, &[term])
    }

    /// The result of a function that reads one character.
    fn got_byte(&mut self, at: At<'_>, stream: u64, readings: &[Reading], result: u64) -> u32 {
        for reading in readings {
            self.see_file(at, reading);
        }
        if result as i32 == -1 {
            return 0;
        }
        let term = match readings.iter().rev().find(|reading| reading.count == 1) {
            Some(reading) => self.file_byte(reading.node, reading.offset),
            None => {
                let pushed = &mut self.sources.pushed_back;
                let found = pushed.iter().rposition(|&(other, _)| other == stream);
                let shadow = found.map_or(0, |index| pushed.remove(index).1);
                TermId::from_raw(shadow).unwrap_or(Terms::FALSE)
            }
        };
        self.shadow_of(term)
    }

    /// What `read` and the like put into a buffer.
    fn read_into(
        &mut self,
        at: At<'_>,
        state: &mut State,
        buffer: u64,
        readings: &[Reading],
    ) -> u32 {
        let mut address = buffer;
        for reading in readings {
            self.see_file(at, reading);
            let bytes = (0..reading.count).map(|index| reading.offset + index);
            let shades: Vec<Shade> = bytes
                .map(|offset| {
                    let term = self.file_byte(reading.node, offset);
                    let shadow = self.shadow_of(term);
                    Shade { shadow, part: 0, size: u8::from(shadow != 0) }
                })
                .collect();
            if shades.iter().any(|shade| shade.shadow != 0) {
                // The bytes have just been written there.
                let _ = state.memory.set_shades(address, &shades);
            }
            address = address.wrapping_add(reading.count as u64);
        }
        0
    }

    /// Pins bytes of files that were read in a way that terms do not follow.
    fn use_up_readings(&mut self, at: At<'_>, state: &State, readings: &[Reading]) {
        for reading in readings {
            self.see_file(at, reading);
            for offset in reading.offset..reading.offset + reading.count {
                let term = self.file_byte(reading.node, offset);
                let shadow = self.shadow_of(term);
                let bits = state.process.vfs.byte_of(reading.node, offset).unwrap_or(0);
                self.pin(at, Operand { bits: bits.into(), shadow }, Use::Argument);
            }
        }
    }

    /// Fixes the sizes of files to those of this run.
    fn fix_sizes(&mut self, at: At<'_>) -> u32 {
        for (term, value) in self.sources.extents() {
            self.push_value(at, term, value);
        }
        0
    }

    /// A function of math.h: one function for each name, with an implementation.
    fn mathematics(
        &mut self,
        shim: &'static Shim,
        args: &[Operand],
        width: u32,
        state: &mut State,
    ) -> u32 {
        if args.iter().all(|arg| arg.shadow == 0) {
            return 0;
        }
        let terms: Vec<TermId> = args.iter().map(|&arg| self.term(arg, width)).collect();
        self.bring_errno_back(shim, &terms, width, state);
        if let Some(known) = self.exact(shim.name, &terms) {
            return self.shadow_of(known);
        }
        let value = move |bits: &[u64]| real_run(shim, bits).0;
        let function = self.terms.function(Function {
            name: shim.name.to_owned(),
            arguments: vec![width; args.len()],
            result: width,
            value: Some(std::sync::Arc::new(value)),
        });
        let term = self.terms.apply(function, &terms);
        self.shadow_of(term)
    }

    /// Lets a function of math.h show whether it sets `errno`.
    fn set_errno_aside(&mut self, args: &[Operand], state: &mut State) {
        if args.iter().any(|arg| arg.shadow != 0) {
            let errno = state.process.errno;
            self.pending.errno = self.value_at(&state.memory, errno, 4);
            // It is always there.
            let _ = state.memory.write_u32(errno, 0);
        }
    }

    /// The value of `errno` after a function of math.h: as before, unless the arguments make it set
    /// one.
    fn bring_errno_back(
        &mut self,
        shim: &'static Shim,
        args: &[TermId],
        width: u32,
        state: &mut State,
    ) {
        let place = state.process.errno;
        let before = self.pending.errno;
        if state.memory.bytes(place, 4).is_ok_and(|bytes| bytes == [0; 4]) {
            // It is always there, here and below.
            let _ = state.memory.write_u32(place, before.bits as u32);
        }
        let set = self.errno_term(shim, args, width);
        let (old, none) = (self.term(before, 32), self.terms.constant(32, 0));
        let is_not_set = self.terms.eq(set, none);
        let after = self.terms.ite(is_not_set, old, set);
        let shadow = self.shadow_of(after);
        if shadow != 0 {
            let shades: Vec<Shade> = shades_of(shadow, 4).collect();
            let _ = state.memory.set_shades(place, &shades);
        }
    }

    /// The value that a function of math.h stores in `errno`; 0 for none.
    fn errno_term(&mut self, shim: &'static Shim, args: &[TermId], width: u32) -> TermId {
        let (zero, edom) = (self.terms.constant(width, 0), self.terms.constant(32, 33));
        let none = self.terms.constant(32, 0);
        let less = smt::FloatOrder { less: true, equal: false, greater: false, unordered: false };
        match shim.name.trim_end_matches('f') {
            "sqrt" => {
                let is_negative = self.terms.fcmp(less, args[0], zero);
                self.terms.ite(is_negative, edom, none)
            }
            "fabs" | "floor" | "ceil" | "trunc" | "round" | "rint" | "nearbyint" | "roundeven"
            | "copysign" | "fmin" | "fmax" => none,
            name => {
                let name = format!("errno of {name}");
                let value = move |bits: &[u64]| real_run(shim, bits).1;
                let value = Some(std::sync::Arc::new(value) as smt::FunctionValue);
                let arguments = vec![width; args.len()];
                let function = Function { name, arguments, result: 32, value };
                let function = self.terms.function(function);
                self.terms.apply(function, args)
            }
        }
    }

    /// Functions that have terms of their own.
    fn exact(&mut self, name: &str, args: &[TermId]) -> Option<TermId> {
        use smt::Rounding::*;
        let x = args[0];
        Some(match name.trim_end_matches('f') {
            "sqrt" => self.terms.fsqrt(x),
            "fabs" => self.terms.fabs(x),
            "floor" => self.terms.fround(x, TowardNegative),
            "ceil" => self.terms.fround(x, TowardPositive),
            "trunc" => self.terms.fround(x, TowardZero),
            "round" => self.terms.fround(x, NearestAway),
            "rint" | "nearbyint" | "roundeven" => self.terms.fround(x, NearestEven),
            "copysign" => self.terms.copysign(x, args[1]),
            "fmin" => self.terms.fmin(x, args[1]),
            "fmax" => self.terms.fmax(x, args[1]),
            _ => return None,
        })
    }

    /// The value of an argument that was declared as an integer.
    fn integer(&mut self, args: &[Operand], state: &mut State) -> u32 {
        let Some((value, length)) = self.sources.integer_at(args[0].bits) else { return 0 };
        let shadow = self.shadow_of(value);
        let shades: Vec<Shade> = shades_of(shadow, 8).collect();
        // The value has just been written there.
        let _ = state.memory.set_shades(args[1].bits, &shades);
        self.shadow_of(length)
    }
}

impl Concolic {
    /// The value of an integer that was read from a file.
    fn integer_in(&mut self, at: At<'_>, args: &[Operand], state: &mut State, result: u64) -> u32 {
        let Some((node, offset)) = self.pending.place else { return 0 };
        let Some(source) = self.sources.file(node) else { return 0 };
        if state.process.vfs.bytes_of(node, offset).is_empty() {
            // There would be an integer if the file continued.
            let at_end = source.at_end;
            self.push(at, at_end, Origin::Extent, 0);
            return 0;
        }
        let found = source.integers.iter().find(|integer| integer.offset == offset);
        let Some(&FileInteger { term, .. }) = found.filter(|_| result > 0) else { return 0 };
        let is_given = source.bytes[offset].guards[0];
        self.push(at, is_given, Origin::Extent, 1);
        self.sources.pushed_back.retain(|&(stream, _)| stream != args[0].bits);
        self.sources.ends.push((node, offset + result as usize));
        let shades: Vec<Shade> = shades_of(self.shadow_of(term), 8).collect();
        // The value has just been written there.
        let _ = state.memory.set_shades(args[1].bits, &shades);
        0
    }
}

/// The real result of a function of math.h, and the value it stores in `errno`.
fn real_run(shim: &'static Shim, bits: &[u64]) -> (u64, u64) {
    use std::cell::RefCell;
    thread_local! {
        static STATE: RefCell<State> = RefCell::new(State::scratch());
    }
    let passing = vec![crate::code::Passing::Double; bits.len()];
    let args = Arguments { words: bits, passing: &passing, fixed: bits.len() };
    STATE.with_borrow_mut(|state| {
        let place = state.process.errno;
        // It is always there.
        let _ = state.memory.write_u32(place, 0);
        let value = match (shim.run)(state, &args) {
            Ok(Outcome::Value(value)) => value,
            _ => 0,
        };
        let errno = state.memory.bytes(place, 4).unwrap_or_default();
        (value, errno.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    })
}

/// Whether a conversion derives the text of a number from the number alone.
fn is_number(spec: &Spec, conversion: Conversion) -> bool {
    use Conversion::*;
    let is_known = |amount| !matches!(amount, Amount::Argument(_));
    let makes_number =
        matches!(conversion, Signed | Unsigned | Octal | Hex | Binary | Float(_) | HexFloat | Char);
    makes_number && is_known(spec.width) && is_known(spec.precision)
}
