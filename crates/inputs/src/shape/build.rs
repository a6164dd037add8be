//! Builds a shape from a type of the debug information and the user's declarations: structs, arrays
//! and the count of unknown values. Numbers and pointers have files of their own.

use std::collections::BTreeMap;

use ir::{DebugMember, DebugType, DebugTypeId, Module};

use super::alias::may_be_same;
use super::ties::tie;
use super::{Field, Form, Param, Pointer, Raw, Shape};
use crate::error::Error;
use crate::evidence::Evidence;
use crate::parse::{How, Override};
use crate::relations::{self, Assumption, Relations, Sibling};
use crate::types::{c_name, holds_pointer, resolve, size_of};

/// How many pointers in a row to follow; all further ones are null.
pub const DEPTH: u32 = 3;
/// The most unknown values of one parameter.
pub const MOST_CELLS: usize = 1 << 16;

/// Types nested deeper than this are not C.
const MOST_NESTING: u32 = 200;

pub(crate) struct Builder<'a> {
    pub module: &'a Module,
    pub overrides: &'a [Override],
    /// By override, whether it applied to an existing place.
    pub used: Vec<bool>,
    /// How the code uses parameters, if relations are wanted.
    pub evidence: Option<&'a Evidence>,
    /// Whether related values are made consistent.
    pub ties: bool,
    /// What holds for consistent values of everything built so far.
    pub assumptions: Vec<Assumption>,
    /// By path, what neighbours imply for pointers under construction.
    plans: BTreeMap<String, Plan>,
    cells: usize,
}

/// What the neighbours of a pointer imply for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// One of them is its number of elements.
    pub is_counted: bool,
    /// The largest constant that this number is compared with.
    pub constant: u64,
    pub nullable: bool,
    pub inside: Option<relations::Inside>,
}

/// The builder's position in a parameter.
#[derive(Clone)]
pub(super) struct At {
    pub path: String,
    /// How many pointers led to it.
    pub depth: u32,
    pub nesting: u32,
}

impl At {
    fn deeper(&self, path: String) -> At {
        At { path, depth: self.depth, nesting: self.nesting + 1 }
    }

    fn member(&self, name: &str) -> At {
        let whole = self.path.strip_suffix("[]").unwrap_or(&self.path);
        if name.is_empty() {
            self.deeper(self.path.clone())
        } else {
            self.deeper(format!("{whole}.{name}"))
        }
    }

    pub fn elements(&self) -> At {
        self.deeper(format!("{}[]", self.path))
    }
}

impl<'a> Builder<'a> {
    pub fn new(module: &'a Module, overrides: &'a [Override]) -> Builder<'a> {
        Builder {
            module,
            overrides,
            used: vec![false; overrides.len()],
            evidence: None,
            ties: true,
            assumptions: Vec::new(),
            plans: BTreeMap::new(),
            cells: 0,
        }
    }

    /// The parameters of a function.
    pub fn params(
        &mut self,
        declared: &[(String, Option<DebugTypeId>)],
    ) -> Result<Vec<Param>, Error> {
        let siblings: Vec<Sibling<'_>> =
            declared.iter().map(|(name, ty)| self.sibling(name, name.clone(), *ty)).collect();
        let relations =
            self.evidence.map(|evidence| Relations::of_params(self.module, &siblings, evidence));
        self.prepare(&siblings, relations.as_ref());
        let params = declared.iter().map(|(name, ty)| self.param(name, *ty));
        let mut params: Vec<Param> = params.collect::<Result<_, _>>()?;
        self.check_same(declared, &params)?;
        if let Some(relations) = &relations {
            let shapes = params.iter_mut().map(|param| &mut param.shape).collect();
            self.assumptions.extend(tie(relations, &siblings, shapes, self.ties));
        }
        Ok(params)
    }

    /// Whether parameters declared as the same as others can be.
    fn check_same(
        &self,
        declared: &[(String, Option<DebugTypeId>)],
        params: &[Param],
    ) -> Result<(), Error> {
        for over in self.overrides {
            let Some(How::Same(of)) = &over.how else { continue };
            let ty =
                |name: &str| declared.iter().find(|(known, _)| known == name).map(|(_, ty)| *ty);
            let Some(own) = ty(&over.path) else { continue };
            let has_memory = params.iter().any(|param| {
                param.name == *of && matches!(param.shape.form, Form::Pointer(Pointer::Buffer(_)))
            });
            let is_fit = ty(of).is_some_and(|ty| may_be_same(self.module, own, ty));
            if !is_fit || !has_memory {
                let at = At { path: over.path.clone(), depth: 0, nesting: 0 };
                let problem = "behind same: stands another parameter that points to the same \
                               type, has memory of its own and is not `restrict`";
                return Err(self.unfit(&at, own, problem));
            }
        }
        Ok(())
    }

    fn sibling<'n>(&self, name: &'n str, path: String, ty: Option<DebugTypeId>) -> Sibling<'n> {
        let is_declared = self.overrides.iter().any(|over| over.path == path && over.how.is_some());
        Sibling { name, path, ty, is_declared }
    }

    /// Notes what neighbours imply for each other.
    fn prepare(&mut self, siblings: &[Sibling<'_>], relations: Option<&Relations>) {
        let Some(relations) = relations else { return };
        for sibling in siblings {
            let plan = Plan {
                is_counted: relations.is_counted(sibling.name),
                constant: relations.constant(sibling.name),
                nullable: relations.nullable.contains(sibling.name),
                inside: relations.inside_of(sibling.name).filter(|_| self.ties).cloned(),
            };
            self.plans.insert(sibling.path.clone(), plan);
        }
    }

    pub(super) fn plan(&self, path: &str) -> Plan {
        self.plans.get(path).cloned().unwrap_or_default()
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the cells of a part that is built again.
    pub(super) fn forget(&mut self, cells: u64) {
        self.cells = self.cells.saturating_sub(usize::try_from(cells).unwrap_or(usize::MAX));
    }

    pub fn param(&mut self, name: &str, ty: Option<DebugTypeId>) -> Result<Param, Error> {
        self.cells = 0;
        let at = At { path: name.to_owned(), depth: 0, nesting: 0 };
        Ok(Param { name: name.to_owned(), shape: self.shape(&at, ty)? })
    }

    pub(super) fn shape(&mut self, at: &At, ty: Option<DebugTypeId>) -> Result<Shape, Error> {
        if at.nesting > MOST_NESTING {
            return Err(self.unsupported(at, ty, "it is nested too deeply"));
        }
        let module = self.module;
        let how = self.say(&at.path);
        let form = match resolve(module, ty) {
            DebugType::Base { bits, encoding, name } => {
                self.base(at, ty, *bits, *encoding, name, how)?
            }
            DebugType::Enum { bits, enumerators, .. } => {
                let scalar = self.enumeration(at, ty, *bits, enumerators, how)?;
                self.scalar(at, scalar)?
            }
            DebugType::Pointer { to } => Form::Pointer(self.pointer(at, ty, *to, how)?),
            DebugType::Struct { members, .. } => {
                self.refuse(at, ty, how, "say what its members are: NAME.MEMBER=…")?;
                Form::Struct(self.members(at, members, resolve(module, ty))?)
            }
            DebugType::Union { members, .. } if holds_pointer(module, ty) => {
                self.refuse(at, ty, how, "say what one of its members is: NAME.MEMBER=…")?;
                Form::Struct(self.one_member(at, ty, members)?)
            }
            DebugType::Union { bits, .. } => {
                self.refuse(at, ty, how, "a union is explored as bytes and cannot be declared")?;
                self.count(at, bits.div_ceil(8))?;
                Form::Raw { kind: Raw::Union, bits: *bits }
            }
            DebugType::Array { element, lengths } => {
                self.refuse(at, ty, how, "say what its elements are: NAME[]=…")?;
                self.array(at, *element, lengths)?
            }
            DebugType::Void => return Err(self.unsupported(at, ty, "it has no values")),
            DebugType::Function { .. } => {
                return Err(self.unsupported(at, ty, "it is a function"));
            }
            _ => return Err(self.unsupported(at, ty, "its kind is not known")),
        };
        let size = size_of(module, ty)
            .filter(|&size| size <= u64::from(u32::MAX))
            .ok_or_else(|| self.unsupported(at, ty, "its size is not known"))?;
        Ok(Shape { ty: c_name(module, ty), size, form })
    }

    /// The user's declaration for a place.
    pub(super) fn say(&mut self, path: &str) -> Option<&'a How> {
        let index = self.overrides.iter().position(|over| over.path == path)?;
        self.used[index] = true;
        self.overrides[index].how.as_ref()
    }

    pub(super) fn unsupported(&self, at: &At, ty: Option<DebugTypeId>, why: &'static str) -> Error {
        Error::UnsupportedType { place: at.path.clone(), ty: c_name(self.module, ty), why }
    }

    pub(super) fn unfit(
        &self,
        at: &At,
        ty: Option<DebugTypeId>,
        problem: impl Into<String>,
    ) -> Error {
        let (place, ty) = (at.path.clone(), c_name(self.module, ty));
        Error::Unfit { place, ty, problem: problem.into() }
    }

    pub(super) fn refuse(
        &self,
        at: &At,
        ty: Option<DebugTypeId>,
        how: Option<&How>,
        problem: &str,
    ) -> Result<(), Error> {
        match how {
            Some(_) => Err(self.unfit(at, ty, problem)),
            None => Ok(()),
        }
    }

    pub(super) fn count(&mut self, at: &At, cells: u64) -> Result<(), Error> {
        self.cells = self.cells.saturating_add(usize::try_from(cells).unwrap_or(usize::MAX));
        if self.cells > MOST_CELLS {
            Err(Error::TooManyCells { place: at.path.clone(), most: MOST_CELLS })
        } else {
            Ok(())
        }
    }

    fn members(
        &mut self,
        at: &At,
        members: &[DebugMember],
        of: &DebugType,
    ) -> Result<Vec<Field>, Error> {
        let siblings: Vec<Sibling<'_>> = members
            .iter()
            .map(|member| self.sibling(&member.name, at.member(&member.name).path, member.ty))
            .collect();
        let relations = self
            .evidence
            .map(|evidence| Relations::of_members(self.module, &siblings, evidence, of));
        self.prepare(&siblings, relations.as_ref());
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            let at = at.member(&member.name);
            let shape = if member.bit_field {
                self.bit_field(&at, member)?
            } else {
                self.shape(&at, member.ty)?
            };
            fields.push(Field { name: member.name.clone(), bit: member.offset, shape });
        }
        if let Some(relations) = &relations {
            let shapes = fields.iter_mut().map(|field| &mut field.shape).collect();
            self.assumptions.extend(tie(relations, &siblings, shapes, self.ties));
        }
        Ok(fields)
    }

    /// Random bytes are hardly ever an address, so a union with pointers becomes one of its
    /// members: the one that the user names, or else the largest one that contains a pointer.
    fn one_member(
        &mut self,
        at: &At,
        ty: Option<DebugTypeId>,
        members: &[DebugMember],
    ) -> Result<Vec<Field>, Error> {
        let is_said = |member: &&DebugMember| {
            let place = at.member(&member.name).path;
            let rest = |path: &str| path.strip_prefix(&place).map(str::to_owned);
            let said = self.overrides.iter().filter_map(|over| rest(&over.path));
            said.into_iter().any(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let named = members.iter().find(|member| !member.name.is_empty() && is_said(member));
        let largest = || {
            let holding = members.iter().filter(|member| holds_pointer(self.module, member.ty));
            // Of several, the first.
            holding.rev().max_by_key(|member| size_of(self.module, member.ty))
        };
        let Some(member) = named.or_else(largest) else {
            return Err(self.unsupported(at, ty, "it is a union that holds a pointer"));
        };
        let name = c_name(self.module, ty);
        let assumption = Assumption::Member {
            union: if name.contains('…') {
                at.path.clone()
            } else {
                name.trim_start_matches("union ").to_owned()
            },
            member: if member.name.is_empty() {
                c_name(self.module, member.ty)
            } else {
                member.name.clone()
            },
        };
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
        let shape = self.shape(&at.member(&member.name), member.ty)?;
        Ok(vec![Field { name: member.name.clone(), bit: member.offset, shape }])
    }

    /// Multi-dimensional arrays are arrays of arrays. An array without a length has no elements of
    /// its own.
    fn array(
        &mut self,
        at: &At,
        element: Option<DebugTypeId>,
        lengths: &[Option<u64>],
    ) -> Result<Form, Error> {
        let mut lengths = lengths.iter().rev().map(|length| length.unwrap_or(0));
        let count = lengths.next().unwrap_or(0);
        let mut form = self.elements(&at.elements(), element, count)?;
        for count in lengths {
            let rows = count.max(1) - 1;
            self.count(at, rows.saturating_mul(cells_of(&form).max(1)))?;
            let size = size_of_form(&form);
            let ty = format!("{} [...]", c_name(self.module, element));
            form = Form::Array { element: Box::new(Shape { ty, size, form }), count };
        }
        Ok(form)
    }

    /// Consecutive elements of the same shape.
    pub(super) fn elements(
        &mut self,
        at: &At,
        element: Option<DebugTypeId>,
        count: u64,
    ) -> Result<Form, Error> {
        let before = self.cells;
        let element = self.shape(at, element)?;
        let each = (self.cells - before) as u64;
        // Elements without anything unknown count as well, so that their number stays bounded.
        self.count(at, each.max(1).saturating_mul(count.max(1) - 1))?;
        Ok(Form::Array { element: Box::new(element), count })
    }
}

pub(super) fn size_of_form(form: &Form) -> u64 {
    match form {
        Form::Array { element, count } => element.size.saturating_mul(*count),
        _ => 0,
    }
}

/// The number of cells that a form takes, for arrays of arrays.
fn cells_of(form: &Form) -> u64 {
    match form {
        Form::Scalar(_) => 1,
        Form::Raw { kind, bits } => kind.pieces(*bits).count() as u64,
        Form::Fixed(_) => 0,
        Form::Struct(fields) => fields.iter().map(|field| cells_of(&field.shape.form)).sum(),
        Form::Array { element, count } => count.saturating_mul(cells_of(&element.form)),
        Form::Pointer(Pointer::Buffer(buffer)) => {
            u64::from(buffer.nullable).saturating_add(cells_of(&buffer.target.form))
        }
        Form::Pointer(Pointer::Inside(_)) => 1,
        Form::Pointer(_) => 0,
    }
}
