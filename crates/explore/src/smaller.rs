//! Minimises inputs: fewer bytes, smaller numbers, plainer characters, as long as the property that
//! the input is kept for holds.

use inputs::{Cell, CellId, End, Layout, Role};

use crate::fuzz::fields::{Field, fields};

/// All numbers up to here are tried.
const SMALL: i128 = 9;

/// Makes texts shorter, then values smaller one by one, and equal ones together, as long as the
/// input keeps the wanted property. Stops after this many tries, or when time is over.
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
    let mut settled = Settled { changes: 0, tried: vec![None; layout.cells.len()] };
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
        settled.changes += u64::from(*assignment != before);
        if simplify(layout, assignment, &mut settled, &mut attempt).is_none()
            || *assignment == before
        {
            return;
        }
    }
}

type Attempt<'a> = dyn FnMut(&mut Box<[u64]>, Box<[u64]>) -> Option<bool> + 'a;

/// Omits rows one by one, the last first. `None` when time is over.
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

/// Cuts pieces out of a text, long ones first. `None` when time is over.
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
        // Cells after the end of a text mean nothing.
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

/// What is known about each cell.
struct Settled {
    /// The number of changes of any cell so far.
    changes: u64,
    /// By cell: that number when the cell could not be made simpler.
    tried: Vec<Option<u64>>,
}

/// Makes values simpler. `None` when time is over.
fn simplify(
    layout: &Layout,
    assignment: &mut Box<[u64]>,
    settled: &mut Settled,
    attempt: &mut Attempt<'_>,
) -> Option<()> {
    for (id, cell) in layout.cells.iter() {
        let position = id.position();
        // Nothing has changed since then.
        if settled.tried[position] == Some(settled.changes) {
            continue;
        }
        let before = assignment[position];
        let is_first = settled.tried[position].is_none();
        let mut set = |assignment: &mut Box<[u64]>, positions: &[usize], value: u64| {
            let mut smaller = assignment.clone();
            positions.iter().for_each(|&position| smaller[position] = value);
            attempt(assignment, smaller)
        };
        let equal = equal_cells(layout, assignment, id);
        for positions in [&equal[..1], &equal[..]] {
            let mut try_value = |value| set(assignment, positions, value);
            match cell.role {
                Role::Byte | Role::Float => plainer(cell, before, &mut try_value)?,
                _ => bisect(cell, before, is_first, &mut try_value)?,
            }
            if assignment[position] != before || equal.len() == 1 {
                break;
            }
        }
        settled.changes += u64::from(assignment[position] != before);
        settled.tried[position] = Some(settled.changes);
    }
    Some(())
}

/// Searches a plainer byte or floating-point number. `None` when time is over.
fn plainer(cell: &Cell, value: u64, try_value: &mut dyn FnMut(u64) -> Option<bool>) -> Option<()> {
    // The end of a text, then plain characters.
    let plain: &[u8] = if cell.role == Role::Byte { b"\0a0 " } else { b"\0" };
    let number = cell.domain.decode(value);
    let plain = plain.iter().map(|&byte| i128::from(byte)).take_while(|plain| *plain != number);
    for simple in plain.filter(|&plain| cell.domain.contains_number(plain)) {
        if try_value(cell.domain.encode(simple))? {
            break;
        }
    }
    Some(())
}

/// Searches a number nearer to zero: small ones, then by halving the distance. If that was done
/// before, only checks whether it is worth doing again. `None` when time is over.
fn bisect(
    cell: &Cell,
    value: u64,
    is_first: bool,
    try_value: &mut dyn FnMut(u64) -> Option<bool>,
) -> Option<()> {
    let number = cell.domain.decode(value);
    let mut attempt = |number: i128| {
        if cell.domain.contains_number(number) {
            try_value(cell.domain.encode(number))
        } else {
            Some(false)
        }
    };
    let mut most = number.abs();
    if !is_first {
        let half = number / 2;
        if attempt(0)? {
            return Some(());
        } else if attempt(half)? {
            most = half.abs();
        } else if attempt(number - number.signum())? {
            most -= 1;
        } else {
            return Some(());
        }
    }
    for small in 0..=SMALL.min(most - 1) {
        if attempt(small)? {
            return Some(());
        }
    }
    // The first does not have the property; the last does. For negative numbers, small ones were
    // not tried.
    let first = if number < 0 { 0 } else { SMALL };
    let (mut low, mut high) = (first.min(most), most);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if attempt(middle * number.signum())? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(())
}

/// The position of a cell, and those of similar cells with the same value.
fn equal_cells(layout: &Layout, assignment: &[u64], id: CellId) -> Vec<usize> {
    let cell = &layout.cells[id];
    let is_like = |other: &&Cell| other.role == cell.role && other.domain == cell.domain;
    let value = assignment[id.position()];
    let mut positions = vec![id.position()];
    // Bytes are equal too often to mean anything.
    if cell.role == Role::Number {
        let others = layout.cells.iter().filter(|(other, _)| *other != id);
        let equal =
            others.filter(|(other, cell)| is_like(cell) && assignment[other.position()] == value);
        positions.extend(equal.map(|(other, _)| other.position()));
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::{Flags, Room};

    fn layout(args: &[&str]) -> Layout {
        let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
        let flags = Flags { args, ..Flags::default() };
        flags.program_space(&[], &Room::default()).expect("a space").0.layout()
    }

    /// Minimises numbers under a condition; also returns how many tries that took.
    fn smallest(args: &[&str], given: &[i128], wanted: fn(&[i128]) -> bool) -> (Vec<i128>, usize) {
        let layout = layout(args);
        let cells = || layout.cells.values();
        let numbers = |values: &[u64]| -> Vec<i128> {
            cells().zip(values).map(|(cell, &value)| cell.domain.decode(value)).collect()
        };
        let encoded = cells().zip(given).map(|(cell, &number)| cell.domain.encode(number));
        let mut assignment: Box<[u64]> = encoded.collect();
        let mut tries = 0;
        let mut keeps = |smaller: &[u64]| {
            tries += 1;
            wanted(&numbers(smaller))
        };
        minimise(&layout, &mut assignment, 10_000, &|| false, &mut keeps);
        (numbers(&assignment), tries)
    }

    #[test]
    fn numbers_become_the_smallest_that_do_in_a_few_tries_each() {
        let ranges = ["int:0..20000", "int:-1500..1500", "int:0..20000", "int"];
        let given = [18_000, -1_400, 777, 2_000_000_000];
        let wanted = |n: &[i128]| n[0] >= 593 && n[1] <= -7 && n[3] > 1_000_000;
        let (small, tries) = smallest(&ranges, &given, wanted);
        assert_eq!(small, [593, -7, 0, 1_000_001]);
        assert!(tries < 120, "{tries} tries");
    }

    #[test]
    fn numbers_that_have_to_be_equal_become_smaller_together() {
        let wanted = |n: &[i128]| n[0] == n[1] && n[0] > 40;
        let (small, _) = smallest(&["int:0..1000", "int:0..1000"], &[900, 900], wanted);
        assert_eq!(small, [41, 41]);
    }

    #[test]
    fn a_number_is_made_smaller_again_when_another_one_allows_it() {
        let wanted = |n: &[i128]| n[0] > n[1];
        let (small, _) = smallest(&["int:0..1000", "int:0..1000"], &[900, 800], wanted);
        assert_eq!(small, [1, 0]);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let (small, _) = smallest(&["int:100..9000", "int:-50..-20"], &[8_000, -33], |_| true);
        assert_eq!(small, [100, -20]);
    }
}
