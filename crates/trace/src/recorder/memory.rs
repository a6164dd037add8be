//! Memory as a trace sees it: objects, and the events that bytes come from.

use std::hash::{Hash, Hasher};

use exec::memory::Memory;
use rustc_hash::FxHasher;

use super::{MOST_PIECES, Recorder};
use crate::events::{Content, EventId, Kind, Object, Origin, Place, Sources};
use ir::FuncId;

impl Recorder<'_> {
    /// What an address points into.
    pub(super) fn place(&mut self, address: u64) -> Option<Place> {
        let (window, offset) = Memory::split(address);
        let object = match window {
            0 => return None,
            1 => {
                let function = FuncId::at(Memory::function_at(address)?);
                let objects = &mut self.trace.objects;
                let made = || objects.push(Object { origin: Origin::Function(function) });
                return Some(Place {
                    object: *self.functions.entry(function).or_insert_with(made),
                    offset: 0,
                });
            }
            2 => return None,
            window => {
                let (objects, globals) = (&mut self.trace.objects, self.globals);
                let given = Origin::Given(window.wrapping_sub(globals));
                let made = || objects.push(Object { origin: given });
                *self.windows.entry(window).or_insert_with(made)
            }
        };
        Some(Place { object, offset: offset as i32 })
    }

    /// The value of a register at a place that may define pointers.
    pub(super) fn set_value(&mut self, event: EventId, value: u64, size: u32, pointer: bool) {
        let target = if pointer { self.place(value) } else { None };
        let event = &mut self.trace.events[event];
        (event.value, event.size, event.target) = (value, size, target);
    }

    /// A new object at an address.
    pub(super) fn make_object(&mut self, address: u64, event: EventId) {
        let (window, _) = Memory::split(address);
        let object = self.trace.objects.push(Object { origin: Origin::Made(event) });
        self.windows.insert(window, object);
    }

    /// The events that bytes of memory come from.
    pub(super) fn bytes(
        &mut self,
        memory: &Memory,
        address: u64,
        size: u64,
        pointer: bool,
    ) -> Sources {
        let shades = memory.shades(address, size);
        let mut members: Vec<u32> = Vec::new();
        let mut last = 0;
        for shade in shades {
            if shade.shadow != last && shade.shadow != 0 {
                members.extend_from_slice(self.trace.sets.get(&shade.shadow));
            }
            last = shade.shadow;
        }
        // Uninitialised bytes, piece by piece.
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for (at, _) in (0..).zip(shades).filter(|(_, shade)| shade.shadow == 0) {
            match runs.last_mut() {
                Some((start, count)) if *start + *count == at => *count += 1,
                _ => runs.push((at, 1)),
            }
        }
        if shades.is_empty() && size > 0 {
            runs.push((0, size));
        }
        for (at, count) in runs {
            let whole = pointer && count == size;
            let initial = self.initial_value(memory, address + at, count, whole);
            members.extend_from_slice(self.trace.sets.get(&initial));
        }
        self.trace.sets.of(members)
    }

    /// The event of a global variable that still has its initial value.
    pub(super) fn initial_value(
        &mut self,
        memory: &Memory,
        address: u64,
        size: u64,
        pointer: bool,
    ) -> Sources {
        if let Some(&known) = self.initial.get(&(address, size)) {
            return known;
        }
        let Some(place) = self.place(address) else { return 0 };
        let Origin::Global(global) = self.trace.objects[place.object].origin else { return 0 };
        // Unnamed constants are part of the statement that uses them.
        if self.program.module.globals[global].source_name.is_none() {
            return 0;
        }
        let Ok(bytes) = memory.bytes(address, size) else { return 0 };
        let target = if pointer { self.place(word(bytes)) } else { None };
        let (value, digest) = (word(bytes), digest(memory, bytes));
        let site = self.trace.events[EventId::START].site;
        let event = self.push(Kind::Initial(global), site, 0, |event| {
            event.control = EventId::START;
            event.place = Some(place);
            event.size = size as u32;
            (event.value, event.digest, event.target) = (value, digest, target);
        });
        if let Some(event) = event {
            self.keep(event, Some(place), bytes);
        }
        let sources = event.map_or(0, EventId::as_u32);
        self.initial.insert((address, size), sources);
        sources
    }

    /// Records bytes that do not fit into the value of the last event.
    pub(super) fn keep(&mut self, event: EventId, place: Option<Place>, bytes: &[u8]) {
        if bytes.len() > 8 {
            let bytes = bytes[..bytes.len().min(Content::MOST)].into();
            self.trace.contents.push(Content { event, place, bytes });
        }
    }

    /// The pieces of a copy that come from the same events.
    pub(super) fn copied(
        &mut self,
        memory: &Memory,
        from: u64,
        size: u64,
    ) -> Vec<(u64, u64, Sources)> {
        let shades = memory.shades(from, size);
        let mut pieces: Vec<(u64, u64, u32)> = Vec::new();
        for (at, shade) in (0..).zip(shades) {
            match pieces.last_mut() {
                Some(last) if last.2 == shade.shadow => last.1 += 1,
                _ => pieces.push((at, 1, shade.shadow)),
            }
        }
        if pieces.is_empty() || pieces.len() > MOST_PIECES {
            return vec![(0, size, self.bytes(memory, from, size, false))];
        }
        let whole = |(at, count, _)| (at, count, self.bytes(memory, from + at, count, false));
        pieces.into_iter().map(whole).collect()
    }
}

pub(super) fn word(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// A digest of bytes. It ignores where objects are: words that are addresses count only by their
/// offset in the object.
pub(super) fn digest(memory: &Memory, bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    bytes.len().hash(&mut hasher);
    for part in bytes.chunks(8) {
        if part.len() == 8 && is_address(memory, word(part)) {
            Memory::split(word(part)).1.hash(&mut hasher);
        } else {
            part.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Whether a word is probably the address of something in a live object or right after it.
pub(super) fn is_address(memory: &Memory, word: u64) -> bool {
    let object = memory.object_at(word);
    object.is_some_and(|object| (object.start..=object.start + object.size).contains(&word))
}
