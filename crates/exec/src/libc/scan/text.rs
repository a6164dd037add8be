//! Text: `%c %s %[`, narrow, wide and allocated.

use super::super::decimal::is_space;
use super::super::errno::Errno;
use super::{Scan, Scanner, Spec, Step, Stop, Value};

impl<S: Scan> Scanner<'_, S> {
    pub(super) fn characters(&mut self, mut spec: Spec, wide: bool) -> Step<(), S> {
        let address = self.pointer(&spec)?;
        let start = self.read;
        spec.width = Some(spec.width.unwrap_or(1));
        let mut bytes = vec![self.demand()?];
        spec.spend();
        while !spec.exhausted()
            && (!wide || bytes.is_ascii())
            && let Some(byte) = self.next()?
        {
            bytes.push(byte);
            spec.spend();
        }
        self.assign_text(spec, address, bytes, wide, start)
    }

    pub(super) fn string(&mut self, spec: Spec, wide: bool) -> Step<(), S> {
        let address = self.pointer(&spec)?;
        let start = self.read;
        let bytes = self.collect(spec, wide, |byte| !is_space(byte))?;
        self.assign_string(spec, address, bytes, wide, start)
    }

    pub(super) fn set(&mut self, spec: Spec) -> Step<(), S> {
        let address = self.pointer(&spec)?;
        let start = self.read;
        let set = self.read_set()?;
        let bytes = self.collect(spec, spec.wide(), |byte| set[usize::from(byte)])?;
        if bytes.is_empty() {
            return Err(Stop::Mismatch);
        }
        self.assign_string(spec, address, bytes, spec.wide(), start)
    }

    /// Bytes as long as they are wanted; the first unwanted one is given back. A byte without a
    /// wide form ends a wide text.
    fn collect(
        &mut self,
        mut spec: Spec,
        wide: bool,
        wanted: impl Fn(u8) -> bool,
    ) -> Step<Vec<u8>, S> {
        let mut bytes = Vec::new();
        let mut current = Some(self.demand()?);
        while let Some(byte) = current {
            if !wanted(byte) {
                self.unget();
                break;
            }
            bytes.push(byte);
            spec.spend();
            if spec.exhausted() || wide && !byte.is_ascii() {
                break;
            }
            current = self.next()?;
        }
        Ok(bytes)
    }

    /// The set behind a `[`, which must be closed.
    fn read_set(&mut self) -> Step<[bool; 256], S> {
        let negated = self.peek_format() == Some(b'^');
        self.position += usize::from(negated);
        let mut set = [false; 256];
        let first = self.position;
        loop {
            let byte = self.peek_format().ok_or(Stop::Mismatch)?;
            let at = self.position;
            self.position += 1;
            if byte == b']' && at > first {
                break;
            }
            let low = self.format[at.saturating_sub(1)];
            match self.peek_format() {
                Some(high) if byte == b'-' && at > first && high != b']' && low <= high => {
                    set[usize::from(low)..usize::from(high)].fill(true);
                }
                _ => set[usize::from(byte)] = true,
            }
        }
        if negated {
            set.iter_mut().for_each(|wanted| *wanted = !*wanted);
        }
        Ok(set)
    }

    fn assign_string(
        &mut self,
        spec: Spec,
        address: Option<u64>,
        mut bytes: Vec<u8>,
        wide: bool,
        start: usize,
    ) -> Step<(), S> {
        bytes.push(0);
        self.assign_text(spec, address, bytes, wide, start)
    }

    fn assign_text(
        &mut self,
        spec: Spec,
        address: Option<u64>,
        bytes: Vec<u8>,
        wide: bool,
        start: usize,
    ) -> Step<(), S> {
        if !wide {
            let value =
                if spec.allocate { Value::AllocatedBytes(&bytes) } else { Value::Bytes(&bytes) };
            return self.assign(address, value, start);
        }
        let characters: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte)).collect();
        if self.current.is_some_and(|byte| !byte.is_ascii()) && !bytes.is_ascii() {
            // What was converted before the invalid byte is stored without a terminator.
            let valid = bytes.iter().take_while(|byte| byte.is_ascii()).count();
            if let Some(address) = address
                && !spec.allocate
            {
                self.target.store(address, Value::Wide(&characters[..valid]), start..self.read)?;
            }
            self.target.set_errno(Errno::EILSEQ);
            return Err(Stop::Mismatch);
        }
        let value = if spec.allocate {
            Value::AllocatedWide(&characters)
        } else {
            Value::Wide(&characters)
        };
        self.assign(address, value, start)
    }
}
