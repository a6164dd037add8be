//! Why an access failed, and which object it concerned.

use super::object::Life;
use super::{CODE_WINDOW, FIRST_BYTE, LABEL_WINDOW, Memory, WINDOW_BITS};
use crate::stop::{Access, Fault, FaultKind, ObjectDescription, Site};

/// Why an operation on memory failed; the machine adds where.
pub type MemoryResult<T> = Result<T, Box<Violation>>;

/// A fault without its call stack.
#[derive(Clone, Debug)]
pub struct Violation {
    pub kind: FaultKind,
    pub allocated: Option<Site>,
    pub freed: Option<Site>,
}

impl Violation {
    pub fn into_fault(self, stack: Vec<Site>) -> Fault {
        Fault { kind: self.kind, stack, allocated: self.allocated, freed: self.freed }
    }
}

impl Memory {
    #[cold]
    pub(super) fn bad_access(&self, address: u64, size: u64, access: Access) -> Box<Violation> {
        let window = address >> WINDOW_BITS;
        let object = &self.objects[window as usize];
        let offset = (address & 0xffff_ffff) as i64 - FIRST_BYTE as i64;
        let kind = match window {
            0 => FaultKind::Null { access, address, size },
            CODE_WINDOW | LABEL_WINDOW => FaultKind::Wild { access, address, size },
            _ => {
                let description = self.describe(address);
                match object.life {
                    Life::Freed => {
                        FaultKind::UseAfterFree { access, offset, size, object: description }
                    }
                    Life::Live => {
                        FaultKind::OutOfBounds { access, offset, size, object: description }
                    }
                }
            }
        };
        self.violation(kind, address)
    }

    pub(super) fn violation(&self, kind: FaultKind, address: u64) -> Box<Violation> {
        let object = self.object((address >> WINDOW_BITS) as usize);
        Box::new(Violation {
            kind,
            allocated: object.and_then(|object| object.allocated),
            freed: object.and_then(|object| object.freed),
        })
    }

    pub(super) fn describe(&self, address: u64) -> ObjectDescription {
        let object = &self.objects[(address >> WINDOW_BITS) as usize];
        let name = &self.names[object.name as usize];
        ObjectDescription {
            kind: object.kind,
            size: u64::from(object.size),
            name: (!name.is_empty()).then(|| name.clone()),
        }
    }
}
