//! A fault of a program: what went wrong, and where.

use exec::Stop;
use exec::stop::{self, FaultKind};

use super::place::{Place, Places};

/// A fault that the machine found, with places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The name of the object concerned, if it is a local variable.
    pub local: Option<String>,
    /// Innermost call first.
    pub stack: Vec<Place>,
    pub allocated: Option<Place>,
    pub freed: Option<Place>,
}

impl Fault {
    /// The fault that a run ended in, if any.
    pub(crate) fn at_end(stop: &Stop, places: &Places<'_>) -> Option<Fault> {
        match stop {
            Stop::Fault(fault) => Some(Fault::new(fault, places)),
            _ => None,
        }
    }

    pub(crate) fn new(fault: &stop::Fault, places: &Places<'_>) -> Fault {
        let local = fault.allocated.and_then(|site| places.program.local_name(site));
        Fault {
            kind: fault.kind.clone(),
            local: local.map(str::to_owned),
            stack: fault.stack.iter().map(|&site| places.of(site)).collect(),
            allocated: fault.allocated.map(|site| places.of(site)),
            freed: fault.freed.map(|site| places.of(site)),
        }
    }
}
