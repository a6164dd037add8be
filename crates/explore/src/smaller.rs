//! Making inputs small: fewer bytes, smaller numbers, plainer characters, as long as what an
//! input is kept for stays.

use inputs::{Cell, CellId, End, Layout, Role};

use crate::fuzz::fields::{Field, fields};

/// Numbers up to here are all tried.
const SMALL: i128 = 9;
/// Larger ones are divided by these powers of two, again and again as long as it works.
const SHIFTS: [u32; 6] = [32, 16, 8, 4, 2, 1];

/// Makes texts shorter, then values smaller one by one, and equal ones together, as long as
/// the input keeps what it is wanted for. Stops after this many tries, or when it is over.
pub fn minimise(
    layout: &Layout,
    assignment: &mut Box<[u64]>,
    most: usize,
    is_over: &dyn Fn() -> bool,
    keeps: &mut dyn FnMut(&[u64]) -> bool,
) {
    let mut left = most;
    let mut attempt = |assignment: &mut Box<[u64]>, smaller: Box<[u64]>| {
        if left == 0 || is_over() {
            return None;
        }
        left -= 1;
        let is_kept = keeps(&smaller);
        if is_kept {
            *assignment = smaller;
        }
        Some(is_kept)
    };
    let fields = fields(layout);
    loop {
        let before = assignment.clone();
        for field in &fields {
            let is_over = match *field {
                Field::Scalar(_) => false,
                Field::Text { first, count, end } => {
                    shorten(layout, assignment, first, count, end, &mut attempt).is_none()
                }
                Field::Rows { first, stride, rows, count } => {
                    drop_rows(layout, assignment, (first, stride, rows), count, &mut attempt)
                        .is_none()
                }
            };
            if is_over {
                return;
            }
        }
        if simplify(layout, assignment, &mut attempt).is_none() || *assignment == before {
            return;
        }
    }
}

type Attempt<'a> = dyn FnMut(&mut Box<[u64]>, Box<[u64]>) -> Option<bool> + 'a;

/// Leaves out rows one by one, the last first. `None` when it is over.
fn drop_rows(
    layout: &Layout,
    assignment: &mut Box<[u64]>,
    (first, stride, rows): (usize, usize, usize),
    count: Option<usize>,
    attempt: &mut Attempt<'_>,
) -> Option<()> {
    let Some(count) = count else { return Some(()) };
    let given = (assignment[count] as usize).min(rows);
    for row in (0..given).rev() {
        let domain = &layout.cells[CellId::at(count as u32)].domain;
        let fewer = assignment[count].saturating_sub(1);
        if !domain.contains(fewer) {
            break;
        }
        let mut smaller = assignment.clone();
        let end = first + rows * stride;
        smaller.copy_within(first + (row + 1) * stride..end, first + row * stride);
        smaller[count] = fewer;
        attempt(assignment, smaller)?;
    }
    Some(())
}

/// Cuts pieces out of a text, long ones first. `None` when it is over.
fn shorten(
    layout: &Layout,
    assignment: &mut Box<[u64]>,
    first: usize,
    count: usize,
    end: End,
    attempt: &mut Attempt<'_>,
) -> Option<()> {
    let length = |assignment: &[u64]| match end {
        End::Last => 0,
        End::Zero => {
            let bytes = &assignment[first..first + count];
            bytes.iter().position(|&byte| byte == 0).unwrap_or(count)
        }
        End::Length(cell) => (assignment[cell.position()] as usize).min(count),
    };
    let mut piece = length(assignment);
    while piece > 0 {
        let mut at = 0;
        while at + piece <= length(assignment) {
            let is_cut = match cut(layout, assignment, (first, count, end), at, piece) {
                Some(smaller) => attempt(assignment, smaller)?,
                None => false,
            };
            if !is_cut {
                at += piece;
            }
        }
        piece /= 2;
    }
    Some(())
}

/// The input without a piece of a text; `None` if that is not in the space.
fn cut(
    layout: &Layout,
    assignment: &[u64],
    (first, count, end): (usize, usize, End),
    at: usize,
    piece: usize,
) -> Option<Box<[u64]>> {
    let mut smaller: Box<[u64]> = assignment.into();
    smaller[first..first + count].copy_within(at + piece.., at);
    smaller[first + count - piece..first + count].fill(0);
    if let End::Length(cell) = end {
        smaller[cell.position()] -= piece as u64;
    }
    let fits = |(id, cell): (CellId, &Cell)| {
        let position = id.position();
        let value = smaller[position];
        // What lies behind the end of a text means nothing.
        cell.domain.contains(value) || value == 0 && (first..first + count).contains(&position)
    };
    let mut cells = layout.cells.iter();
    let all = cells.all(fits);
    for (id, cell) in layout.cells.iter() {
        if !cell.domain.contains(smaller[id.position()]) {
            smaller[id.position()] = cell.domain.nth(0);
        }
    }
    all.then_some(smaller)
}

/// Makes values simpler. `None` when it is over.
fn simplify(layout: &Layout, assignment: &mut Box<[u64]>, attempt: &mut Attempt<'_>) -> Option<()> {
    for (id, cell) in layout.cells.iter() {
        let position = id.position();
        let values = simpler(cell.role, &cell.domain, assignment[position]);
        let equal = equal_cells(layout, assignment, id);
        let alone = values.iter().map(|&value| (&equal[..1], value));
        let together = values.iter().map(|&value| (&equal[..], value));
        let together = together.filter(|(positions, _)| positions.len() > 1);
        for (positions, value) in alone.chain(together) {
            let mut smaller = assignment.clone();
            positions.iter().for_each(|&position| smaller[position] = value);
            if attempt(assignment, smaller)? {
                break;
            }
        }
    }
    Some(())
}

/// The position of a cell, and those of its like with the same value.
fn equal_cells(layout: &Layout, assignment: &[u64], id: CellId) -> Vec<usize> {
    let cell = &layout.cells[id];
    let is_like = |other: &&Cell| other.role == cell.role && other.domain == cell.domain;
    let value = assignment[id.position()];
    let mut positions = vec![id.position()];
    // Bytes are too often equal to tell anything.
    if cell.role == Role::Number {
        let others = layout.cells.iter().filter(|(other, _)| *other != id);
        let equal =
            others.filter(|(other, cell)| is_like(cell) && assignment[other.position()] == value);
        positions.extend(equal.map(|(other, _)| other.position()));
    }
    positions
}

/// Values that people find simpler than this one, the simplest first.
fn simpler(role: Role, domain: &inputs::Domain, value: u64) -> Vec<u64> {
    let number = domain.decode(value);
    let candidates: Vec<i128> = match role {
        // The end of a text, then plain characters.
        Role::Byte => [0, 'a' as i128, '0' as i128, ' ' as i128].to_vec(),
        Role::Float => vec![0],
        _ => {
            let mut smaller: Vec<i128> = (0..=SMALL).collect();
            smaller.extend(SHIFTS.map(|shift| number >> shift).into_iter().filter(|n| *n != 0));
            smaller.push(number - number.signum());
            smaller
        }
    };
    let rank = |number: i128| match role {
        Role::Byte => [0, 'a' as i128, '0' as i128, ' ' as i128]
            .iter()
            .position(|&simple| simple == number)
            .unwrap_or(usize::MAX) as u128,
        _ => number.unsigned_abs(),
    };
    let is_simpler = |&other: &i128| domain.contains_number(other) && rank(other) < rank(number);
    let mut values: Vec<u64> =
        candidates.iter().filter(|n| is_simpler(n)).map(|&n| domain.encode(n)).collect();
    values.dedup();
    values
}
