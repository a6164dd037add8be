//! Where the input lies: strings in memory and files, byte by byte as terms.
//!
//! A string has one byte more than its longest value, so that its end is a byte like all others: a
//! read beyond a byte implies that the byte is not 0. The length of a file becomes a condition when
//! its end is reached, or when more of it is read.

use std::sync::Arc;

use smt::{TermId, Terms};

use super::Concolic;
use super::path::Origin;
use crate::libc::vfs::Reading;
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

/// A file that is input, as it is in this run.
#[derive(Clone, Debug)]
pub struct FileSource {
    /// At least as many as it has in this run.
    pub bytes: Arc<[FileByte]>,
    /// What is known when its end is reached.
    pub at_end: TermId,
    /// What its size depends on, and the values in this run.
    pub extents: Vec<(TermId, u64)>,
    pub integers: Vec<FileInteger>,
}

/// A byte of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileByte {
    pub term: TermId,
    /// What is known when it is read, one after the other: that there is such a byte.
    pub guards: [TermId; 2],
}

/// The decimal text of an integer in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInteger {
    pub offset: usize,
    /// The integer in 64 bits.
    pub term: TermId,
}

/// The input of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    texts: Vec<PlacedText>,
    files: Vec<(u32, FileSource)>,
    arguments: Vec<Argument>,
    /// Places in files right after integers that were read as a whole: the integer ends there,
    /// whatever it is.
    pub ends: Vec<(u32, usize)>,
    /// Bytes pushed back to streams: the stream and the shadow of the byte.
    pub pushed_back: Vec<(u64, u32)>,
}

/// A pointer to an argument that not every input has; then it is null.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub pointer: TermId,
    pub is_there: TermId,
    /// Whether this run has it.
    pub given: bool,
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
        self.arguments.clear();
        self.ends.clear();
        self.pushed_back.clear();
    }

    pub fn file(&self, node: u32) -> Option<&FileSource> {
        self.files.iter().find(|(other, _)| *other == node).map(|(_, source)| source)
    }

    /// What the sizes of all files depend on.
    pub fn extents(&self) -> Vec<(TermId, u64)> {
        self.files.iter().flat_map(|(_, source)| source.extents.clone()).collect()
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
    /// Declares the string at an address as input. It holds a value of the text.
    pub fn add_text(&mut self, memory: &mut Memory, address: u64, text: Text) -> MemoryResult<()> {
        let size = memory.object_at(address).map_or(0, |object| object.size) as usize;
        let shade = |term: &TermId| {
            if self.terms.is_constant(*term) {
                Shade::default()
            } else {
                Shade { shadow: term.raw(), part: 0, size: 1 }
            }
        };
        let shades: Vec<Shade> = text.bytes.iter().take(size).map(shade).collect();
        memory.set_shades(address, &shades)?;
        self.sources.texts.push(PlacedText { address, text, known: 0 });
        Ok(())
    }

    /// Declares pointers that are null if there are too few arguments.
    pub fn add_arguments(&mut self, arguments: Vec<Argument>) {
        self.sources.arguments = arguments;
    }

    /// If the value is the pointer to an argument, its existence becomes a condition, so that the
    /// pointer and what is computed from it are plain. Returns whether it is one.
    pub(super) fn decide_argument(&mut self, at: At<'_>, shadow: u32) -> bool {
        let mut arguments = self.sources.arguments.iter();
        let Some(&found) = arguments.find(|argument| argument.pointer.raw() == shadow) else {
            return false;
        };
        self.push_truth(at, found.is_there, found.given, Origin::Extent);
        true
    }

    /// Declares a file, given by the number of its node, as input.
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

    /// Some bytes of a file are read, and possibly its end is reached.
    pub(super) fn see_file(&mut self, at: At<'_>, reading: &Reading) {
        let Some(source) = self.sources.file(reading.node) else { return };
        let (bytes, at_end) = (Arc::clone(&source.bytes), source.at_end);
        for offset in reading.offset..reading.offset + reading.count {
            let Some(byte) = bytes.get(offset) else { break };
            self.push(at, byte.guards[0], Origin::Extent, 1);
            if !self.sources.ends.contains(&(reading.node, offset)) {
                self.push(at, byte.guards[1], Origin::Extent, 1);
            }
        }
        if reading.at_end {
            self.push(at, at_end, Origin::Extent, 0);
        }
    }

    /// The byte of a file at an offset, if it is input.
    pub(super) fn file_byte(&self, node: u32, offset: usize) -> TermId {
        let byte = self.sources.file(node).and_then(|source| source.bytes.get(offset));
        byte.map_or(Terms::FALSE, |byte| byte.term)
    }
}
