//! Copies of ranges, and the shadows of bytes.

use super::object::{DEFINED, Life, Store};
use super::{Memory, MemoryResult, Shade, WINDOW_BITS, address_of, offset_of};
use crate::stop::Access;

impl Memory {
    /// The shadows of a range of bytes; empty if no byte of the object has one, or if the
    /// range is not within an object.
    pub fn shades(&self, address: u64, size: u64) -> &[Shade] {
        match self.checked(address, size, Access::Read) {
            Ok(content) => {
                let offset = offset_of(address).expect("checked") as usize;
                content.shades.get(offset..offset + size as usize).unwrap_or(&[])
            }
            Err(_) => &[],
        }
    }

    /// Sets the shadows of a range of bytes that has just been written.
    pub fn set_shades(&mut self, address: u64, shades: &[Shade]) -> MemoryResult<()> {
        let (content, offset) = self.own_content(address, shades.len() as u64)?;
        if content.shades.is_empty() {
            content.shades.resize(content.bytes.len(), Shade::default());
        }
        content.shades[offset..offset + shades.len()].copy_from_slice(shades);
        Ok(())
    }

    /// Replaces the value of every shadowed byte by a function of its shadow.
    pub(crate) fn reevaluate(&mut self, mut value: impl FnMut(Shade) -> Option<u8>) {
        for index in 0..self.used {
            let object = &self.objects[index];
            if object.life != Life::Live || object.store.content().shades.is_empty() {
                continue;
            }
            let shades = object.store.content().shades.clone();
            let Ok((content, _)) = self.own_content(address_of(index), 1) else { continue };
            for (byte, &shade) in content.bytes.iter_mut().zip(&shades) {
                if let Some(new) = value(shade) {
                    *byte = new;
                }
            }
        }
    }

    /// Copies a range together with the marks of its bytes; ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> MemoryResult<()> {
        if size == 0 || to == from {
            return Ok(());
        }
        self.work.add(size);
        let length = size as usize;
        let content = self.checked(from, size, Access::Read)?;
        if self.noticed.counting {
            self.notice(content, from, size);
            self.notice_write(to, size);
        }
        let start = offset_of(from).expect("checked") as usize;
        let source = (from >> WINDOW_BITS) as usize;
        let (content, offset) = self.own_content(to, size)?;
        if source == (to >> WINDOW_BITS) as usize {
            content.bytes.copy_within(start..start + length, offset);
            if !content.defined.is_empty() {
                content.defined.copy_within(start..start + length, offset);
            }
            if !content.shades.is_empty() {
                content.shades.copy_within(start..start + length, offset);
            }
            return Ok(());
        }
        let mut target = std::mem::take(content);
        let source = self.objects[source].store.content();
        target.bytes[offset..offset + length].copy_from_slice(&source.bytes[start..start + length]);
        let flags = source.defined.get(start..start + length);
        copy_marks(&mut target.defined, target.bytes.len(), offset, length, flags, DEFINED);
        let shades = source.shades.get(start..start + length);
        let none = Shade::default();
        copy_marks(&mut target.shades, target.bytes.len(), offset, length, shades, none);
        self.objects[(to >> WINDOW_BITS) as usize].store = Store::Own(target);
        Ok(())
    }
}

/// Copies marks, one per byte. An empty list of marks stands for `plain` everywhere.
fn copy_marks<T: Copy + PartialEq>(
    target: &mut Vec<T>,
    bytes: usize,
    offset: usize,
    length: usize,
    marks: Option<&[T]>,
    plain: T,
) {
    let special = marks.is_some_and(|marks| marks.iter().any(|mark| *mark != plain));
    if special && target.is_empty() {
        target.resize(bytes, plain);
    }
    match (marks, target.get_mut(offset..offset + length)) {
        (Some(marks), Some(target)) => target.copy_from_slice(marks),
        (None, Some(target)) => target.fill(plain),
        (_, None) => {}
    }
}
