//! Where the input lies: strings in memory and files, byte by byte as terms.
//!
//! A string has one byte more than its longest value, so that its end is a byte like all
//! others: whoever reads beyond a byte has to know that it is not 0. How long a file is
//! becomes a condition when its end is met, or when more is read of it.

use smt::{TermId, Terms};

use super::Concolic;
use super::path::Origin;
use crate::memory::{Memory, MemoryResult, Shade};
use crate::observer::At;
use crate::state::State;

/// A string that is input.
#[derive(Clone, Debug)]
pub struct Text {
    /// All bytes that it can have, and a 0 behind the last.
    pub bytes: Vec<TermId>,
    /// If it is the decimal text of an integer: the integer in 64 bits, and how many
    /// characters it has, in 64 bits as well.
    pub integer: Option<(TermId, TermId)>,
}

/// A file that is input.
#[derive(Clone, Debug)]
pub struct FileSource {
    pub bytes: Vec<TermId>,
    /// How long it is; `None` if it always has all bytes.
    pub length: Option<TermId>,
}

/// The input of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    texts: Vec<PlacedText>,
    files: Vec<(u32, FileSource)>,
    /// Bytes given back to streams: the stream and the shadow of the byte.
    pub pushed_back: Vec<(u64, u32)>,
}

#[derive(Clone, Debug)]
struct PlacedText {
    address: u64,
    text: Text,
    /// Up to which byte it is known to be that long.
    known: usize,
}

impl Sources {
    pub fn clear(&mut self) {
        self.texts.clear();
        self.files.clear();
        self.pushed_back.clear();
    }

    pub fn file(&self, node: u32) -> Option<&FileSource> {
        self.files.iter().find(|(other, _)| *other == node).map(|(_, source)| source)
    }

    /// The lengths of all files, where they are not known, with the numbers of the nodes.
    pub fn lengths(&self) -> Vec<(u32, TermId)> {
        let length = |(node, source): &(u32, FileSource)| Some((*node, source.length?));
        self.files.iter().filter_map(length).collect()
    }

    /// The integer whose text starts at an address, and the length of the text.
    pub fn integer_at(&self, address: u64) -> Option<(TermId, TermId)> {
        let text = self.texts.iter().find(|text| text.address == address)?;
        text.text.integer
    }

    /// The integer in whose text an address lies: where the text starts and its length.
    pub fn integer_around(&self, address: u64) -> Option<(u64, TermId)> {
        let text = self.texts.iter().find(|text| text.address >> 32 == address >> 32)?;
        Some((text.address, text.text.integer?.1))
    }
}

impl Concolic {
    /// Tells that the string at an address is input. It holds a value of the text.
    pub fn add_text(
        &mut self,
        memory: &mut Memory,
        address: u64,
        text: Text,
    ) -> MemoryResult<()> {
        let size = memory.object_at(address).map_or(0, |object| object.size) as usize;
        let shade = |term: &TermId| match self.terms.is_constant(*term) {
            true => Shade::default(),
            false => Shade { shadow: term.raw(), part: 0, size: 1 },
        };
        let shades: Vec<Shade> = text.bytes.iter().take(size).map(shade).collect();
        memory.set_shades(address, &shades)?;
        self.sources.texts.push(PlacedText { address, text, known: 0 });
        Ok(())
    }

    /// Tells that a file, given by the number of its node, is input.
    pub fn add_file(&mut self, state: &mut State, node: u32, source: FileSource) {
        state.process.vfs.note_readings(true);
        self.sources.files.push((node, source));
    }

    /// Bytes are read: if they belong to a string, it does not end before the last of them.
    pub(super) fn see_text(&mut self, at: At<'_>, address: u64, size: u64) {
        let window = |address: u64| address >> 32;
        let found = |text: &PlacedText| window(text.address) == window(address);
        let Some(index) = self.sources.texts.iter().position(found) else { return };
        let placed = &self.sources.texts[index];
        let last = address.wrapping_sub(placed.address).saturating_add(size).saturating_sub(1);
        let last = (last as usize).min(placed.text.bytes.len() - 1);
        for before in placed.known..last {
            let byte = self.sources.texts[index].text.bytes[before];
            let zero = self.terms.constant(8, 0);
            let goes_on = self.terms.ne(byte, zero);
            self.push(at, goes_on, Origin::Extent, 1);
        }
        let known = &mut self.sources.texts[index].known;
        *known = (*known).max(last);
    }

    /// Some bytes of a file are read, and possibly its end is met.
    pub(super) fn see_file(&mut self, at: At<'_>, node: u32, end: usize, at_end: bool) {
        let Some(length) = self.sources.file(node).and_then(|source| source.length) else {
            return;
        };
        let width = self.terms.width(length);
        let count = self.terms.constant(width, end as u64);
        let is_there = self.terms.uge(length, count);
        self.push(at, is_there, Origin::Extent, 1);
        if at_end {
            let is_all = self.terms.ule(length, count);
            self.push(at, is_all, Origin::Extent, 0);
        }
    }

    /// The byte of a file at an offset, if it is input.
    pub(super) fn file_byte(&self, node: u32, offset: usize) -> TermId {
        let byte = self.sources.file(node).and_then(|source| source.bytes.get(offset));
        byte.copied().unwrap_or(Terms::FALSE)
    }
}
