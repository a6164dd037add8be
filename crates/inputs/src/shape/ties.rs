//! Restricts numbers and pointers by their neighbours, once all of them are built.

use super::{Form, Inside, Pointer, Shape, Tie};
use crate::Domain;
use crate::relations::{Assumption, Count, Relations, Sibling};

/// Applies relations to the shapes of siblings, if wanted; returns the resulting assumptions.
pub(super) fn tie(
    relations: &Relations,
    siblings: &[Sibling<'_>],
    mut shapes: Vec<&mut Shape>,
    applies: bool,
) -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    for inside in &relations.inside {
        let Some(at) = position(siblings, &inside.pointer) else { continue };
        let extent = position(siblings, &inside.of).and_then(|of| extent(shapes[of]));
        let Form::Pointer(pointer) = &mut shapes[at].form else { continue };
        match (&*pointer, extent) {
            (Pointer::Inside(_), Some(Extent { count, size, .. })) => {
                let (of, most) = (inside.of.clone(), inside.most.clone());
                *pointer = Pointer::Inside(Inside { of, most, count, size });
            }
            (Pointer::Inside(_), None) => {
                *pointer = Pointer::Null;
                continue;
            }
            (Pointer::Buffer(_), Some(_)) if !applies => {}
            _ => continue,
        }
        assumptions.push(Assumption::Inside {
            pointer: siblings[at].path.clone(),
            of: path(siblings, &inside.of),
            most: inside.most.as_ref().map(|most| path(siblings, most)),
        });
    }
    for count in &relations.counts {
        let mut count = count.clone();
        for of in &mut count.of {
            let shape = position(siblings, of).map(|at| &shapes[at].form);
            if let Some(Form::Pointer(Pointer::Inside(Inside { of: same, count: 0, .. }))) = shape {
                *of = same.clone();
            }
        }
        let count = &count;
        let extents: Option<Vec<Extent>> = count
            .of
            .iter()
            .map(|of| position(siblings, of).and_then(|at| extent(shapes[at])))
            .collect();
        let (Some(extents), Some(at)) = (extents, position(siblings, &count.number)) else {
            continue;
        };
        let most = count.most.as_ref().filter(|most| {
            let limits = |other: &&Count| other.number == **most;
            relations.counts.iter().any(|other| limits(&other))
        });
        let mut kept = shapes[at].clone();
        let shape = if applies { &mut *shapes[at] } else { &mut kept };
        assumptions.extend(count_elements(count, most, &extents, siblings, at, shape));
    }
    assumptions
}

/// Restricts one number.
fn count_elements(
    count: &Count,
    most: Option<&String>,
    extents: &[Extent],
    siblings: &[Sibling<'_>],
    at: usize,
    shape: &mut Shape,
) -> Vec<Assumption> {
    let Form::Scalar(scalar) = &mut shape.form else { return Vec::new() };
    let Some(elements) = extents.iter().map(|extent| extent.count).min() else {
        return Vec::new();
    };
    let negative = count.may_be_negative && scalar.domain.is_signed();
    let least = match (negative, count.is_capacity) {
        (true, _) => None,
        (false, true) => Some(i128::from(elements.min(1))),
        (false, false) => Some(0),
    };
    let range = least.unwrap_or(i128::MIN)..=i128::from(elements);
    let (bits, signed) = (scalar.bits, scalar.domain.is_signed());
    let Some(domain) = Domain::range(bits, signed, range) else { return Vec::new() };
    scalar.domain = domain;
    let nulls = count.of.iter().zip(extents).filter(|(_, extent)| extent.nullable);
    let nulls: Vec<String> = nulls.map(|(name, _)| name.clone()).collect();
    let number = siblings[at].path.clone();
    let mut assumptions = vec![Assumption::Length {
        length: number.clone(),
        of: count.of.iter().map(|name| path(siblings, name)).collect(),
        elements,
        least: if signed || count.is_capacity { least } else { None },
    }];
    for null in &nulls {
        let (number, pointer) = (number.clone(), path(siblings, null));
        assumptions.push(Assumption::Empty { number, pointer });
    }
    if let Some(most) = most {
        let most = path(siblings, most);
        assumptions.push(if count.is_below {
            Assumption::Below { number, limit: most }
        } else {
            Assumption::AtMost { number, most }
        });
    }
    if !nulls.is_empty() || most.is_some() {
        scalar.tie = Some(Tie { nulls, most: most.cloned(), is_below: count.is_below });
    }
    assumptions
}

fn position(siblings: &[Sibling<'_>], name: &str) -> Option<usize> {
    siblings.iter().position(|sibling| sibling.name == name)
}

fn path(siblings: &[Sibling<'_>], name: &str) -> String {
    let found = position(siblings, name).map(|at| siblings[at].path.clone());
    found.unwrap_or_else(|| name.to_owned())
}

/// The number of elements behind a pointer or in an array.
struct Extent {
    count: u64,
    /// Of an element, in bytes.
    size: u64,
    nullable: bool,
}

fn extent(shape: &Shape) -> Option<Extent> {
    match &shape.form {
        Form::Array { element, count } => {
            Some(Extent { count: *count, size: element.size, nullable: false })
        }
        Form::Pointer(Pointer::Buffer(buffer)) => {
            let nullable = buffer.nullable;
            match &buffer.target.form {
                Form::Array { element, count } => {
                    Some(Extent { count: *count, size: element.size, nullable })
                }
                // A fixed text, with its terminating zero.
                Form::Fixed(bytes) => Some(Extent {
                    count: (bytes.len() as u64).saturating_sub(1),
                    size: 1,
                    nullable,
                }),
                _ => None,
            }
        }
        _ => None,
    }
}
