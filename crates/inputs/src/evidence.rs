//! How code uses the parameters of a function, and so what its callers must respect.
//!
//! From the function and its callees: which numbers bound the indices of which pointers, which
//! pointers are compared with which, what is tested for null or for being negative. Nothing here
//! follows control flow, so a fact says "somewhere", never "always". Covers only parameters and the
//! members of structs that a parameter points to.

mod facts;

use std::collections::{BTreeMap, BTreeSet};

use ir::{DebugType, FuncId, Module, Op, Operand, Storage, ValueId, Variable};

use self::facts::{Place, facts};
use crate::lookup::find_function;
use crate::types::resolve;

/// Facts about places, which are named as in `--param`: `n`, `p.length`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence<P = String> {
    /// A pointer and a number that bounds its index, or that a library function takes as its
    /// length.
    pub(crate) bounded: BTreeSet<(P, P)>,
    /// A pointer and a number that may be its length: it is added to the pointer, or counted down
    /// while the pointer advances.
    pub(crate) counted: BTreeSet<(P, P)>,
    /// Two pointers: the code tests whether the first is below the second, or subtracts the first
    /// from the second.
    pub(crate) below: BTreeSet<(P, P)>,
    /// Two pointers that are compared for equality.
    pub(crate) met: BTreeSet<(P, P)>,
    /// Pointers that advance.
    pub(crate) advanced: BTreeSet<P>,
    /// Pointers that are compared with null.
    pub(crate) nulls: BTreeSet<P>,
    /// Numbers that are tested for being negative.
    pub(crate) negatives: BTreeSet<P>,
    /// Two numbers: the first, or a value computed from it, is reduced by the second: `x % n`, `x &
    /// (n - 1)`.
    pub(crate) reduced: BTreeSet<(P, P)>,
    /// Two numbers that are compared.
    pub(crate) against: BTreeSet<(P, P)>,
    /// Members that are set to zero.
    pub(crate) cleared: BTreeSet<P>,
    /// The largest constant that a number is compared with.
    pub(crate) constants: BTreeMap<P, u64>,
}

impl Evidence {
    /// From all versions of a function; a version without the function adds nothing.
    pub fn of<'m>(modules: impl IntoIterator<Item = &'m Module>, function: &str) -> Evidence {
        let mut evidence = Evidence::default();
        for module in modules {
            if let Ok(id) = find_function(module, function) {
                evidence.add(module, id);
            }
        }
        evidence
    }

    pub(crate) fn add(&mut self, module: &Module, function: FuncId) {
        let names = Names { module, function };
        self.add_translated(&facts(module, function), |place| names.of(place));
    }
}

impl<P: Ord + Clone> Evidence<P> {
    /// Adds facts about other places, each of which stands for some of these.
    fn add_translated<Q: Ord, Places: IntoIterator<Item = P>>(
        &mut self,
        other: &Evidence<Q>,
        places: impl Fn(&Q) -> Places,
    ) {
        let pairs = |known: &mut BTreeSet<(P, P)>, others: &BTreeSet<(Q, Q)>| {
            for (one, two) in others {
                for first in places(one) {
                    let seconds = places(two).into_iter().filter(|second| *second != first);
                    known.extend(seconds.map(|second| (first.clone(), second)));
                }
            }
        };
        let singles = |known: &mut BTreeSet<P>, others: &BTreeSet<Q>| {
            known.extend(others.iter().flat_map(&places));
        };
        pairs(&mut self.bounded, &other.bounded);
        pairs(&mut self.counted, &other.counted);
        pairs(&mut self.below, &other.below);
        pairs(&mut self.met, &other.met);
        pairs(&mut self.reduced, &other.reduced);
        pairs(&mut self.against, &other.against);
        singles(&mut self.advanced, &other.advanced);
        singles(&mut self.nulls, &other.nulls);
        singles(&mut self.negatives, &other.negatives);
        singles(&mut self.cleared, &other.cleared);
        for (place, &constant) in &other.constants {
            for place in places(place) {
                let known = self.constants.entry(place).or_default();
                *known = (*known).max(constant);
            }
        }
    }
}

/// The names of places.
struct Names<'m> {
    module: &'m Module,
    function: FuncId,
}

impl Names<'_> {
    fn of(&self, place: &Place) -> Option<String> {
        let variable = self.variable(place.param)?;
        let name = &variable.name;
        let Some(offset) = place.member else { return Some(name.clone()) };
        let DebugType::Pointer { to } = resolve(self.module, variable.ty) else { return None };
        let DebugType::Struct { members, .. } = resolve(self.module, *to) else { return None };
        let bit = u64::try_from(offset).ok()?.checked_mul(8)?;
        let is_it = |member: &&ir::DebugMember| member.offset == bit && !member.bit_field;
        let member = members.iter().find(is_it).filter(|member| !member.name.is_empty())?;
        Some(format!("{name}.{}", member.name))
    }

    /// The source variable that stores a parameter. `None` for a struct passed in several
    /// parameters.
    fn variable(&self, param: u32) -> Option<&Variable> {
        let body = self.module.functions[self.function].body()?;
        let value = Operand::Value(ValueId::at(param));
        let slot = body.insts.values().find_map(|inst| match &inst.op {
            Op::WriteSlot { slot, value: written } if *written == value => Some(*slot),
            _ => None,
        })?;
        let is_it = |variable: &&Variable| {
            variable.parameter > 0 && variable.storage == Storage::Slot(slot)
        };
        body.variables.iter().find(is_it).filter(|variable| !variable.name.is_empty())
    }
}
