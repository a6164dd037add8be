//! Abstract objects of memory and their cells.
//!
//! An object stands for all memory that one place of the program allocates: a global variable, a
//! local one, the blocks of one call of `malloc`. A cell is a distinguished part of an object: a
//! scalar of the object's type, where all elements of an array are one; in untyped memory, four
//! bytes, modulo the distance of elements once it was indexed.

use base::entity::{PrimaryMap, entity_impl};
use ir::{FuncId, GlobalId, InstId, Type, TypeId, Types};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "o");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u32);
entity_impl!(CellId, "cell");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    Global(GlobalId),
    Function(FuncId),
    /// What an `alloca` makes.
    Local(FuncId, InstId),
    /// What a call of an allocating function makes.
    Heap(FuncId, InstId),
    /// A function's own copy of a struct that is passed by value.
    Copy(FuncId, u32),
    /// The unnamed arguments of a variadic function.
    Varargs(FuncId),
    /// Memory that unknown callers of a function pass to it.
    Arguments(FuncId),
    /// State that the C library keeps, by its number in the library's models.
    Library(u32),
    /// Memory of unknown code.
    Unknown,
}

/// How the bytes of an object are divided into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One value of a type, or any number of them in a row.
    Typed { ty: TypeId, repeated: bool },
    /// Memory without a type; elements repeat at a distance unless it is 0.
    Raw { stride: u64 },
    /// One cell for everything.
    Whole,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub shape: Shape,
    /// Offsets and cells, ascending.
    pub cells: Vec<(u64, CellId)>,
}

#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub object: ObjectId,
    pub offset: u64,
}

/// The cell of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub offset: u64,
    /// How much further the same cell may begin, because elements of arrays are one.
    pub slack: u64,
    /// Bytes of the scalar there; 0 if unknown.
    pub size: u64,
}

/// All objects and cells of a program.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    pub objects: PrimaryMap<ObjectId, Object>,
    pub cells: PrimaryMap<CellId, Cell>,
}

/// Above this number of cells, offsets of an untyped object count as a progression.
const MANY_CELLS: usize = 128;

impl Objects {
    pub fn add(&mut self, kind: ObjectKind, shape: Shape) -> ObjectId {
        self.objects.push(Object { kind, shape, cells: Vec::new() })
    }

    /// The cell of an offset of an object; `None` outside of the object.
    pub fn fold(&self, types: &Types, object: ObjectId, offset: i64) -> Option<Fold> {
        match self.objects[object].shape {
            Shape::Whole => Some(Fold { offset: 0, slack: u64::MAX, size: 0 }),
            Shape::Raw { stride: 0 } => {
                let offset = u64::try_from(offset).ok()?;
                Some(Fold { offset: offset & !3, slack: 0, size: 0 })
            }
            Shape::Raw { stride } => {
                let offset = offset.rem_euclid(stride as i64) as u64;
                let offset = if stride % 4 == 0 { offset & !3 } else { 0 };
                Some(Fold { offset, slack: u64::MAX, size: 0 })
            }
            Shape::Typed { ty, repeated } => {
                let size = types.layout(ty).size;
                // Nothing that large exists.
                if size == 0 || size > i64::MAX as u64 {
                    return Some(Fold { offset: 0, slack: u64::MAX, size: 0 });
                }
                let offset = if repeated {
                    offset.rem_euclid(size as i64) as u64
                } else {
                    u64::try_from(offset).ok().filter(|&offset| offset <= size)?
                };
                let mut fold = fold_in(types, ty, offset);
                if repeated {
                    fold.slack = u64::MAX;
                }
                Some(fold)
            }
        }
    }

    /// The cell at a folded offset, created if it is new.
    pub fn cell(&mut self, object: ObjectId, offset: u64) -> (CellId, bool) {
        let cells = &mut self.objects[object].cells;
        match cells.binary_search_by_key(&offset, |&(known, _)| known) {
            Ok(at) => (cells[at].1, false),
            Err(at) => {
                let id = self.cells.push(Cell { object, offset });
                cells.insert(at, (offset, id));
                (id, true)
            }
        }
    }

    /// Whether moving by multiples of `scale` from an offset stays within elements of arrays
    /// there, so that the cell is the same.
    pub fn is_element(&self, types: &Types, object: ObjectId, offset: u64, scale: u64) -> bool {
        match self.objects[object].shape {
            Shape::Whole => true,
            Shape::Raw { stride } => stride != 0 && scale.is_multiple_of(stride),
            Shape::Typed { ty, repeated } => {
                let size = types.layout(ty).size;
                repeated && size != 0 && scale.is_multiple_of(size)
                    || is_element_in(types, ty, offset, scale)
            }
        }
    }

    /// The shape after an access at a variable offset, if it changes.
    pub fn indexed(&self, object: ObjectId, scale: u64) -> Shape {
        match self.objects[object].shape {
            Shape::Raw { stride } => match gcd(stride, scale) {
                0..=3 => Shape::Whole,
                stride if stride > i64::MAX as u64 => Shape::Whole,
                stride => Shape::Raw { stride },
            },
            Shape::Typed { .. } | Shape::Whole => Shape::Whole,
        }
    }

    /// The shape once the number of different offsets suggests a loop, if it changes.
    pub fn crowded(&self, object: ObjectId) -> Option<Shape> {
        let Object { shape: Shape::Raw { .. }, cells, .. } = &self.objects[object] else {
            return None;
        };
        if cells.len() <= MANY_CELLS {
            return None;
        }
        let step = cells.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0, gcd);
        Some(self.indexed(object, step))
    }

    /// Gives an object a coarser shape. Returns the pairs of cells that were merged, the
    /// surviving one second.
    pub fn reshape(
        &mut self,
        types: &Types,
        object: ObjectId,
        shape: Shape,
    ) -> Vec<(CellId, CellId)> {
        let old = std::mem::take(&mut self.objects[object].cells);
        self.objects[object].shape = shape;
        let mut merged = Vec::new();
        for (offset, cell) in old {
            let fold = self.fold(types, object, offset as i64);
            let offset = fold.map_or(0, |fold| fold.offset);
            let cells = &mut self.objects[object].cells;
            match cells.binary_search_by_key(&offset, |&(known, _)| known) {
                Ok(at) => merged.push((cell, cells[at].1)),
                Err(at) => {
                    cells.insert(at, (offset, cell));
                    self.cells[cell].offset = offset;
                }
            }
        }
        merged
    }

    /// Whether a cell stands for one scalar in one place, given that its object is one.
    pub fn is_single(&self, types: &Types, cell: CellId) -> Option<u64> {
        let Cell { object, offset } = self.cells[cell];
        let Shape::Typed { repeated: false, .. } = self.objects[object].shape else { return None };
        let fold = self.fold(types, object, offset as i64)?;
        (fold.slack == 0 && fold.size != 0).then_some(fold.size)
    }
}

/// The place of an offset within a type: the start of the scalar there, with all elements of arrays
/// mapped to the first.
fn fold_in(types: &Types, ty: TypeId, offset: u64) -> Fold {
    match types.get(ty) {
        Type::Struct { fields, .. } => {
            let mut found = None;
            for (start, field) in field_starts(types, ty, fields) {
                if start <= offset && offset - start < types.layout(field).size {
                    found = Some((start, field));
                }
            }
            match found {
                Some((start, field)) => {
                    let inner = fold_in(types, field, offset - start);
                    Fold { offset: start + inner.offset, ..inner }
                }
                // Padding, or the end.
                None => Fold { offset, slack: 0, size: 0 },
            }
        }
        Type::Array { element, length } => {
            let size = types.layout(*element).size;
            if size == 0 {
                return Fold { offset: 0, slack: 0, size: 0 };
            }
            let inner = fold_in(types, *element, offset % size);
            let spread = size.saturating_mul(length.saturating_sub(1));
            Fold { slack: inner.slack.saturating_add(spread), ..inner }
        }
        _ => {
            let size = types.layout(ty).size;
            if offset >= size { Fold { offset, slack: 0, size: 0 } } else { scalar(types, ty) }
        }
    }
}

fn scalar(types: &Types, ty: TypeId) -> Fold {
    Fold { offset: 0, slack: 0, size: types.store_size(ty) }
}

fn is_element_in(types: &Types, ty: TypeId, offset: u64, scale: u64) -> bool {
    match types.get(ty) {
        Type::Struct { fields, .. } => field_starts(types, ty, fields).any(|(start, field)| {
            let size = types.layout(field).size;
            start <= offset
                && offset - start < size
                && is_element_in(types, field, offset - start, scale)
        }),
        Type::Array { element, .. } => {
            let size = types.layout(*element).size;
            size == 0
                || scale.is_multiple_of(size)
                || is_element_in(types, *element, offset % size, scale)
        }
        Type::Vector { .. } => true,
        _ => false,
    }
}

fn field_starts<'t>(
    types: &'t Types,
    ty: TypeId,
    fields: &'t [TypeId],
) -> impl Iterator<Item = (u64, TypeId)> + 't {
    let packed = matches!(types.get(ty), Type::Struct { packed: true, .. });
    let mut end = 0u64;
    fields.iter().map(move |&field| {
        let layout = types.layout(field);
        let start = if packed { end } else { ir::types::align_up(end, layout.align) };
        end = start.saturating_add(layout.size);
        (start, field)
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Objects {
    pub fn object_of(&self, cell: CellId) -> ObjectId {
        self.cells[cell].object
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

/// The cells of an object within `size` bytes from a folded offset; all cells without a size.
pub fn cells_in_range(
    objects: &Objects,
    types: &Types,
    cell: CellId,
    size: Option<u64>,
) -> Vec<CellId> {
    let Cell { object, offset } = objects.cells[cell];
    let cells = &objects.objects[object].cells;
    let fold = objects.fold(types, object, offset as i64);
    let end = match (size, fold) {
        (Some(size), Some(fold)) => offset.saturating_add(size).saturating_add(fold.slack),
        _ => return cells.iter().map(|&(_, cell)| cell).collect(),
    };
    // A shape that repeats has no order.
    if end == u64::MAX {
        return cells.iter().map(|&(_, cell)| cell).collect();
    }
    let inside = cells
        .iter()
        .filter(|&&(start, _)| offset <= start && start < end.max(offset.saturating_add(1)));
    inside.map(|&(_, cell)| cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> (Types, Objects, ObjectId) {
        let mut types = Types::new();
        let array = types.intern(Type::Array { element: Types::I32, length: 4 });
        let fields = vec![Types::I64, array, Types::PTR].into();
        let ty = types.intern(Type::Struct { fields, packed: false });
        let mut objects = Objects::default();
        let object = objects.add(ObjectKind::Unknown, Shape::Typed { ty, repeated: false });
        (types, objects, object)
    }

    #[test]
    fn elements_of_an_array_are_one_cell_and_fields_are_several() {
        let (types, objects, object) = fixture();
        let at = |offset| objects.fold(&types, object, offset).map(|fold| fold.offset);
        assert_eq!([at(0), at(8), at(12), at(20), at(24)].map(Option::unwrap), [0, 8, 8, 8, 24]);
        assert_eq!(at(4), Some(0), "the middle of a scalar is the scalar");
        assert_eq!(at(32), Some(32), "the end is an address");
        assert_eq!((at(-8), at(40)), (None, None));
    }

    #[test]
    fn a_range_that_starts_in_an_array_may_reach_what_follows_the_array() {
        let (types, mut objects, object) = fixture();
        let (array, _) = objects.cell(object, 8);
        let (pointer, _) = objects.cell(object, 24);
        assert_eq!(cells_in_range(&objects, &types, array, Some(8)), [array, pointer]);
        let found = objects.fold(&types, object, 8).map(|fold| fold.slack);
        assert_eq!(found, Some(12));
    }

    #[test]
    fn untyped_memory_repeats_at_the_common_distance_of_its_elements() {
        let types = Types::new();
        let mut objects = Objects::default();
        let object = objects.add(ObjectKind::Unknown, Shape::Raw { stride: 0 });
        let (a, _) = objects.cell(object, 8);
        let (b, _) = objects.cell(object, 32);
        let merged = objects.reshape(&types, object, objects.indexed(object, 24));
        assert_eq!(merged, [(b, a)]);
        assert!(objects.is_element(&types, object, 8, 48));
        assert_eq!(objects.indexed(object, 2), Shape::Whole);
    }
}
