//! Reads and writes at addresses that depend on the input.
//!
//! The choice of the object and that the access stays within it become conditions, whose negations
//! lead to other objects or to a fault. If few places of an object are possible, a read is a choice
//! among their values, and a write changes each place under the condition that it is the target. In
//! larger objects the address is pinned.

use smallvec::SmallVec;
use smt::{Op, TermId, Terms};

use super::Concolic;
use super::path::Origin;
use crate::machine::shades_of;
use crate::memory::{Memory, ObjectView, Shade, WINDOW_BITS};
use crate::observer::{At, Operand, Pointer, Spread, Use};

/// A read chooses among at most this many places.
const MOST_READ: u64 = 1024;
/// A write may change at most this many places.
const MOST_WRITTEN: u64 = 256;
/// Choices among more addresses are not examined.
const MOST_CHOICES: usize = 200;

/// A choice among places of an object that is never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TableKey {
    first: u64,
    count: u64,
    stride: u64,
    bytes: u32,
    index: TermId,
}

/// Where an access may go within its object: `first + index·stride` for `index < count`.
#[derive(Clone, Copy, Debug)]
struct Places {
    index: TermId,
    first: u64,
    stride: u64,
    count: u64,
}

impl Places {
    fn address(&self, place: u64) -> u64 {
        self.first + place * self.stride
    }
}

impl Concolic {
    pub(super) fn load_anywhere(
        &mut self,
        at: At<'_>,
        memory: &Memory,
        from: &Pointer,
        words: &mut [u32],
    ) -> bool {
        if self.is_end_of_integer(from) {
            words.fill(0);
            return true;
        }
        let Some((address, object)) = self.resolve(at, memory, from) else { return false };
        self.note_alignment(at, address, object, from.bytes);
        if words.len() != 1 {
            self.pin_address(at, address, from);
            return false;
        }
        let Some(places) = self.places(address, object, from, MOST_READ) else {
            self.pin_address(at, address, from);
            return false;
        };
        self.see_text(at, places.first, object.start + object.size - places.first);
        let value = self.choose(memory, object, from.bytes, &places);
        words[0] = self.shadow_of(value);
        true
    }

    pub(super) fn store_anywhere(
        &mut self,
        at: At<'_>,
        memory: &Memory,
        to: &Pointer,
        words: &[Operand],
    ) -> Option<Spread> {
        let (address, object) = self.resolve(at, memory, to)?;
        self.note_alignment(at, address, object, to.bytes);
        let places = match words.len() {
            1 => self.places(address, object, to, MOST_WRITTEN),
            _ => None,
        };
        let Some(places) = places.filter(|places| places.stride >= u64::from(to.bytes)) else {
            self.pin_address(at, address, to);
            return None;
        };
        let value = self.term(words[0], 8 * to.bytes);
        let size = (places.count - 1) * places.stride + u64::from(to.bytes);
        let old = memory.bytes(places.first, size).ok()?;
        let mut shades = vec![Shade::default(); size as usize];
        let known = memory.shades(places.first, size);
        shades[..known.len()].copy_from_slice(known);
        for place in 0..places.count {
            let start = (place * places.stride) as usize;
            let range = start..start + to.bytes as usize;
            let before = self.value_of(&shades[range.clone()], &old[range.clone()]);
            let number = self.terms.constant(self.terms.width(places.index), place);
            let is_here = self.terms.eq(places.index, number);
            let after = self.terms.ite(is_here, value, before);
            let shadow = self.shadow_of(after);
            for (shade, new) in shades[range].iter_mut().zip(shades_of(shadow, to.bytes as u8)) {
                *shade = new;
            }
        }
        Some(Spread { address: places.first, shades })
    }

    /// The address as a term, and its object, with the conditions for it. Nothing if the access
    /// will fail or the address does not depend on the input.
    fn resolve(
        &mut self,
        at: At<'_>,
        memory: &Memory,
        pointer: &Pointer,
    ) -> Option<(TermId, ObjectView)> {
        let address = self.address_term(pointer);
        if self.terms.is_constant(address) {
            return None;
        }
        let concrete = pointer.address();
        // A plain pointer with an index belongs to the object it points to, unless it hits another
        // one by chance.
        if pointer.base.shadow == 0
            && let Some(object) = memory.object_at(pointer.base.bits)
            && self.check_within(at, object, address, pointer)
        {
            return Some((address, object));
        }
        self.fix_object(at, address, concrete);
        let Some(object) = memory.object_at(concrete) else {
            self.unresolved = Some(address);
            return None;
        };
        // The object may already determine the address.
        if self.is_only_choice(address, concrete) {
            return None;
        }
        self.check_within(at, object, address, pointer).then_some((address, object))
    }

    /// Whether an address is a choice among constants, only one of which is in the window of the
    /// object.
    fn is_only_choice(&self, address: TermId, concrete: u64) -> bool {
        let is_elsewhere =
            |&value: &u64| value == concrete || value >> WINDOW_BITS != concrete >> WINDOW_BITS;
        self.choices(address).is_some_and(|values| values.iter().all(is_elsewhere))
    }

    /// The values of a term that is a choice among constants.
    pub(super) fn choices(&self, term: TermId) -> Option<SmallVec<[u64; 8]>> {
        let mut values = SmallVec::new();
        let mut open: SmallVec<[(TermId, u64); 8]> = smallvec::smallvec![(term, 0)];
        let constant = |term| self.terms.as_constant(term);
        while let Some((term, offset)) = open.pop() {
            if values.len() + open.len() > MOST_CHOICES {
                return None;
            }
            let mut operands = self.terms.operands(term);
            match self.terms.op(term) {
                Op::Ite => open.extend(operands.skip(1).map(|choice| (choice, offset))),
                Op::ZExt => open.push((operands.next()?, offset)),
                // Sums of fewer bits may lose some.
                Op::Add if self.terms.width(term) == 64 => {
                    let (a, b) = (operands.next()?, operands.next()?);
                    let (choice, added) = if constant(a).is_some() { (b, a) } else { (a, b) };
                    open.push((choice, offset.wrapping_add(constant(added)?)));
                }
                _ => values.push(constant(term)?.wrapping_add(offset)),
            }
        }
        Some(values)
    }

    /// Adds that an access is within an object, or that it is not; returns which.
    fn check_within(
        &mut self,
        at: At<'_>,
        object: ObjectView,
        address: TermId,
        pointer: &Pointer,
    ) -> bool {
        let Some(last) = object.size.checked_sub(pointer.bytes.into()) else { return false };
        let is_within = pointer.address().wrapping_sub(object.start) <= last;
        let (start, last) = (self.terms.constant(64, object.start), self.terms.constant(64, last));
        let offset = self.terms.sub(address, start);
        let within = self.terms.ule(offset, last);
        self.push_truth(at, within, is_within, Origin::Check);
        is_within
    }

    /// Adds which object an address belongs to: every address outside fails in the same way.
    fn fix_object(&mut self, at: At<'_>, address: TermId, concrete: u64) {
        let (low, high) = self.terms.bounds(address);
        if low >> WINDOW_BITS != high >> WINDOW_BITS {
            let shift = self.terms.constant(64, WINDOW_BITS.into());
            let window = self.terms.lshr(address, shift);
            self.push_value(at, window, concrete >> WINDOW_BITS);
        }
    }

    /// Whether the address is the end of an integer's text, wherever that is: it always contains a
    /// 0.
    fn is_end_of_integer(&mut self, from: &Pointer) -> bool {
        let Some((start, length)) = self.sources.integer_around(from.address()) else {
            return false;
        };
        let (start, address) = (self.terms.constant(64, start), self.address_term(from));
        from.bytes == 1 && self.terms.add(start, length) == address
    }

    fn address_term(&mut self, pointer: &Pointer) -> TermId {
        let (base, index) = (self.term(pointer.base, 64), self.term(pointer.index, 64));
        let scale = self.terms.constant(64, pointer.scale as u64);
        let distance = self.terms.mul(index, scale);
        let sum = self.terms.add(base, distance);
        let offset = self.terms.constant(64, pointer.offset as u64);
        self.terms.add(sum, offset)
    }

    /// The places that an access within an object may hit, if they are few.
    fn places(
        &mut self,
        address: TermId,
        object: ObjectView,
        pointer: &Pointer,
        most: u64,
    ) -> Option<Places> {
        let start = self.terms.constant(64, object.start);
        let offset = self.terms.sub(address, start);
        let bytes = u64::from(pointer.bytes);
        let (low, high) = self.terms.bounds(offset);
        let high = high.min(object.size - bytes);
        let low = low.min(high);
        // Possible distances of the address: all multiples of a power of two, relative to the
        // concrete access.
        let concrete = pointer.address() - object.start;
        if pointer.base.shadow != 0 || pointer.scale < 1 || self.may_wrap(pointer) {
            let aligned = 1u64 << self.terms.trailing_zeros(offset).min(6);
            return self.aligned_places(offset, object, (low, high), aligned, most);
        }
        let stride = pointer.scale as u64;
        // Offsets of the form `rest + index·stride` with the index counted from 0.
        let rest = concrete % stride;
        let first = low.saturating_sub(rest).div_ceil(stride) * stride + rest;
        let count = (high.checked_sub(first)?) / stride + 1;
        if count > most {
            return None;
        }
        let index = self.term(pointer.index, 64);
        let here = (concrete - first) / stride;
        // The index of the first place.
        let lowest = pointer.index.bits.wrapping_sub(here);
        let lowest = self.terms.constant(64, lowest);
        let index = self.terms.sub(index, lowest);
        Some(Places { index, first: object.start + first, stride, count })
    }

    /// Whether different indices could mean the same place.
    fn may_wrap(&mut self, pointer: &Pointer) -> bool {
        let index = self.term(pointer.index, 64);
        let (low, high) = self.terms.signed_bounds(index);
        let furthest = low.unsigned_abs().max(high.unsigned_abs());
        furthest.checked_mul(pointer.scale as u64).is_none_or(|distance| distance >> 62 != 0)
    }

    fn aligned_places(
        &mut self,
        offset: TermId,
        object: ObjectView,
        (low, high): (u64, u64),
        stride: u64,
        most: u64,
    ) -> Option<Places> {
        let first = low.next_multiple_of(stride);
        let count = high.checked_sub(first)? / stride + 1;
        if count > most {
            return None;
        }
        let base = self.terms.constant(64, first);
        let distance = self.terms.sub(offset, base);
        let shift = self.terms.constant(64, stride.trailing_zeros().into());
        let index = self.terms.lshr(distance, shift);
        Some(Places { index, first: object.start + first, stride, count })
    }

    /// The value at the place that the index names.
    fn choose(
        &mut self,
        memory: &Memory,
        object: ObjectView,
        bytes: u32,
        places: &Places,
    ) -> TermId {
        let Places { index, first, stride, count } = *places;
        let key = TableKey { first, count, stride, bytes, index };
        if object.constant
            && let Some(&known) = self.tables.get(&key)
        {
            return known;
        }
        let mut values: Vec<TermId> = Vec::with_capacity(count as usize);
        for place in 0..count {
            let (address, size) = (places.address(place), u64::from(bytes));
            let shades = memory.shades(address, size);
            let value = match memory.bytes(address, size) {
                Ok(concrete) if shades.is_empty() => {
                    let none = [Shade::default(); 8];
                    self.value_of(&none[..concrete.len()], concrete)
                }
                Ok(concrete) => self.value_of(shades, concrete),
                // All places lie within the object.
                Err(_) => Terms::FALSE,
            };
            values.push(value);
        }
        let value = self.choose_among(index, 0, &values);
        if object.constant {
            self.tables.insert(key, value);
        }
        value
    }

    /// A balanced choice: equal neighbours need no condition.
    fn choose_among(&mut self, index: TermId, start: u64, values: &[TermId]) -> TermId {
        if values.iter().all(|value| *value == values[0]) {
            return values[0];
        }
        let (left, right) = values.split_at(values.len() / 2);
        let middle = start + left.len() as u64;
        let low = self.choose_among(index, start, left);
        let high = self.choose_among(index, middle, right);
        let bound = self.terms.constant(self.terms.width(index), middle);
        let is_left = self.terms.ult(index, bound);
        self.terms.ite(is_left, low, high)
    }

    fn pin_address(&mut self, at: At<'_>, address: TermId, pointer: &Pointer) {
        let operand = Operand { bits: pointer.address(), shadow: address.raw() };
        self.pin(at, operand, Use::Address);
    }
}
