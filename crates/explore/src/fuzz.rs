//! The strategies `random` and `fuzz` on two versions: plain runs, as many as possible.
//!
//! `random` draws inputs from the space: boundaries, small numbers, constants of both programs and
//! their neighbours. `fuzz` mutates kept inputs, tests among them, which were kept because their
//! runs covered something new in either version or made the versions diverge. It prefers inputs on
//! which the versions diverge, inputs that reach the change, and for each branch the shortest run
//! that takes it. Every fourth input follows a hint from a comparison ([`hints`]), as long as there
//! are any.
//!
//! Mutations work on fields and stay in the input space, which is why this is not built on a
//! fuzzing library: those mutate a single string of bytes.

pub mod fields;
mod hints;
mod structure;
mod tokens;

use std::ops::RangeInclusive;

use base::Random;
use inputs::{Cell, End, Layout};

use crate::pair::{Advance, Aim, Arena, Searcher};

pub use tokens::Tokens;

use self::fields::{Field, fields, rows_of};
use self::hints::Hints;

/// Runs between two checks of the time.
const BETWEEN_LOOKS: u64 = 16;
/// One in this many drawn inputs may have another number of arguments than all tests.
const UNUSUAL: usize = 4;
/// The length of most drawn texts.
const SHORT: usize = 64;
/// One in this many mutations changes whole rows, if there are any.
const BETWEEN_ROWS: usize = 6;
/// Attempts to draw a field that is part of the input.
const TRIES: usize = 8;
/// One in this many inputs takes parts from a test.
const FROM_TESTS: usize = 3;
/// The most mutations of one input after the first.
const MOST_ROUNDS: usize = 11;
/// One in this many inputs follows a hint.
const BETWEEN_HINTS: u64 = 4;

/// Draws inputs at random.
pub struct RandomSearch<'p> {
    mutator: Mutator<'p>,
}

impl<'p> RandomSearch<'p> {
    /// Most inputs have as many arguments as one of the tests, if there are any.
    pub fn new(
        layout: &'p Layout,
        tokens: &'p Tokens,
        seed: u64,
        tests: &[Box<[u64]>],
    ) -> RandomSearch<'p> {
        RandomSearch { mutator: Mutator::new(layout, tokens, seed, tests) }
    }
}

impl Searcher for RandomSearch<'_> {
    fn name(&self) -> &'static str {
        "random"
    }

    fn aim(&self) -> Aim {
        Aim::Blind
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        run_many(arena, work, |_, input| self.mutator.draw(input))
    }
}

/// Mutates kept inputs.
pub struct FuzzSearch<'p> {
    mutator: Mutator<'p>,
    hints: Hints<'p>,
    tests: Vec<Box<[u64]>>,
    /// Kept inputs that reach the change, except those on which the versions diverge.
    reaching: Vec<usize>,
    diverging: Vec<usize>,
    /// How many kept inputs were examined: for these lists, and for hints.
    looked_at: usize,
    hinted: usize,
    made: u64,
}

impl<'p> FuzzSearch<'p> {
    pub fn new(
        arena: &Arena<'p>,
        tokens: &'p Tokens,
        seed: u64,
        tests: &[Box<[u64]>],
    ) -> FuzzSearch<'p> {
        FuzzSearch {
            mutator: Mutator::new(arena.pair.layout(), tokens, seed, tests),
            hints: Hints::new(arena),
            tests: tests.to_vec(),
            reaching: Vec::new(),
            diverging: Vec::new(),
            looked_at: 0,
            hinted: 0,
            made: 0,
        }
    }

    /// An input from a hint.
    fn hinted(&mut self, arena: &mut Arena<'_>) -> Option<Vec<u64>> {
        if !self.hints.has_next() {
            let kept = arena.kept.get(self.hinted)?.assignment.clone();
            self.hinted += 1;
            self.hints.look_at(arena, &self.mutator.fields, &kept);
        }
        self.hints.next()
    }

    fn next(&mut self, arena: &mut Arena<'_>, input: &mut Vec<u64>) {
        self.made += 1;
        if self.made.is_multiple_of(BETWEEN_HINTS)
            && let Some(hinted) = self.hinted(arena)
        {
            *input = hinted;
            return;
        }
        while let Some(kept) = arena.kept.get(self.looked_at) {
            if kept.diverges {
                self.diverging.push(self.looked_at);
            } else if kept.reaches {
                self.reaching.push(self.looked_at);
            }
            self.looked_at += 1;
        }
        let random = &mut self.mutator.random;
        let count = arena.kept.len();
        if count == 0 || random.below(32) == 0 {
            self.mutator.draw(input);
            return;
        }
        // The last kept inputs covered what few others do.
        let recent = |of: &[usize], most: usize, random: &mut Random| {
            let index = of.len().checked_sub(1 + random.below(of.len().clamp(1, most)))?;
            of.get(index).copied()
        };
        let chosen = match random.below(8) {
            0 => Some(count - 1 - random.below(count.min(16))),
            1..=2 => recent(&self.diverging, 32, random),
            3 => recent(&self.reaching, 64, random),
            4..=6 => None,
            _ => Some(random.below(count)),
        };
        let favoured = arena.favoured.inputs();
        let chosen = chosen.or_else(|| random.choose(favoured).copied()).unwrap_or(0);
        input.clear();
        input.extend_from_slice(&arena.kept[chosen].assignment);
        let donor = if random.one_in(FROM_TESTS) { random.choose(&self.tests) } else { None };
        let other = donor.unwrap_or_else(|| &arena.kept[random.below(count)].assignment);
        self.mutator.change(input, other);
    }
}

impl Searcher for FuzzSearch<'_> {
    fn name(&self) -> &'static str {
        "fuzz"
    }

    fn aim(&self) -> Aim {
        Aim::Differences
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        run_many(arena, work, |arena, input| self.next(arena, input))
    }
}

fn run_many(
    arena: &mut Arena<'_>,
    work: u64,
    mut next: impl FnMut(&mut Arena<'_>, &mut Vec<u64>),
) -> Advance {
    let mut input = Vec::new();
    let until = arena.effort.work().saturating_add(work);
    while arena.effort.work() < until && arena.exhausted().is_none() {
        for _ in 0..BETWEEN_LOOKS {
            next(arena, &mut input);
            arena.try_briefly(&input);
        }
        arena.try_postponed();
    }
    Advance::More
}

/// Generates and mutates inputs.
struct Mutator<'p> {
    random: Random,
    cells: Vec<&'p Cell>,
    fields: Vec<Field>,
    /// The fields that are rows, and for each field the count and number of its row, if it has one.
    rows: Vec<usize>,
    row_of: Vec<Option<(usize, u64)>>,
    scalars: Vec<usize>,
    tokens: &'p Tokens,
    /// The cell with the number of arguments, and its values in the tests.
    arguments: Option<(usize, Vec<u64>)>,
    text: Vec<u8>,
}

impl<'p> Mutator<'p> {
    fn new(layout: &'p Layout, tokens: &'p Tokens, seed: u64, tests: &[Box<[u64]>]) -> Mutator<'p> {
        let fields = fields(layout);
        let scalars = fields.iter().filter_map(|field| match field {
            Field::Scalar(position) => Some(*position),
            Field::Text { .. } | Field::Rows { .. } => None,
        });
        let rows = fields.iter().enumerate();
        let rows = rows.filter(|(_, field)| matches!(field, Field::Rows { .. }));
        Mutator {
            rows: rows.map(|(index, _)| index).collect(),
            row_of: rows_of(layout, &fields),
            random: Random::new(seed | 1),
            cells: layout.cells.values().collect(),
            scalars: scalars.collect(),
            fields,
            tokens,
            arguments: layout.arg_count.map(|count| {
                let at = count.position();
                (at, tests.iter().map(|test| test[at]).collect())
            }),
            text: Vec::new(),
        }
    }

    /// A new input.
    fn draw(&mut self, input: &mut Vec<u64>) {
        input.clear();
        input.extend(self.cells.iter().map(|cell| cell.domain.nth(0)));
        for index in 0..self.fields.len() {
            match self.fields[index] {
                Field::Scalar(position) => input[position] = self.number(position, input),
                Field::Text { first, count, end } => {
                    self.draw_text(first, count);
                    self.write(first, count, end, input);
                }
                // Its parts are drawn separately.
                Field::Rows { .. } => {}
            }
        }
        if let Some((count, usual)) = &self.arguments
            && !self.random.one_in(UNUSUAL)
            && let Some(&usual) = self.random.choose(usual)
        {
            input[*count] = usual;
        }
    }

    /// Mutates some fields; parts may come from another input.
    fn change(&mut self, input: &mut [u64], other: &[u64]) {
        if self.fields.is_empty() {
            return;
        }
        let more = [0, 0, 0, 0, 3, 3, 3, MOST_ROUNDS][self.random.below(8)];
        let rounds = 1 + self.random.below(more + 1);
        for _ in 0..rounds {
            let index = self.choose_field(input);
            match self.fields[index] {
                Field::Scalar(position) => {
                    let value = match self.random.below(8) {
                        0..=1 => self.near(position, input[position]),
                        2 => other[position],
                        3 => self.combined(position, input),
                        _ => self.number(position, input),
                    };
                    input[position] = value;
                }
                Field::Text { first, count, end } => {
                    self.read(first, count, end, input);
                    match self.random.below(8) {
                        0 => self.insert_other_text(input),
                        1..=4 => self.change_structure(first, count, end, other),
                        _ => self.change_text(first, count, end, other),
                    }
                    self.write(first, count, end, input);
                }
                Field::Rows { first, stride, rows, count } => {
                    self.change_rows((first, stride, rows), count, input, other);
                }
            }
        }
    }

    /// Draws a field, most likely one that is part of the input: rows beyond the count are not.
    fn choose_field(&mut self, input: &[u64]) -> usize {
        if self.random.one_in(BETWEEN_ROWS)
            && let Some(&rows) = self.random.choose(&self.rows)
        {
            return rows;
        }
        let mut index = 0;
        for _ in 0..TRIES {
            index = self.random.below(self.fields.len());
            if self.row_of[index].is_none_or(|(count, row)| row < input[count]) {
                break;
            }
        }
        index
    }

    /// Fills a range of rows with one number, or with numbers near it.
    fn fill_rows(&mut self, positions: RangeInclusive<usize>, input: &mut [u64]) {
        let first = *positions.start();
        let number = if self.random.one_in(2) { self.number(first, input) } else { input[first] };
        let is_even = self.random.one_in(4);
        for position in positions {
            input[position] = if is_even { number } else { self.near(position, number) };
        }
    }

    /// Copies, swaps, inserts, removes or fills whole rows.
    fn change_rows(
        &mut self,
        (first, stride, rows): (usize, usize, usize),
        count: Option<usize>,
        input: &mut [u64],
        other: &[u64],
    ) {
        let random = &mut self.random;
        let given = count.map_or(rows, |cell| (input[cell] as usize).min(rows));
        let at = |row: usize| first + row * stride;
        let resize = |input: &mut [u64], given: usize| {
            if let Some(cell) = count
                && self.cells[cell].domain.contains(given as u64)
            {
                input[cell] = given as u64;
            }
        };
        if given == 0 {
            input[first..first + stride].copy_from_slice(&other[first..first + stride]);
            resize(input, 1);
            return;
        }
        let (row, from) = (random.below(given), random.below(given));
        match random.below(8) {
            0 => input.copy_within(at(from)..at(from + 1), at(row)),
            1 => (0..stride).for_each(|offset| input.swap(at(row) + offset, at(from) + offset)),
            2 if given > 1 => {
                input.copy_within(at(row + 1)..at(rows), at(row));
                resize(input, given - 1);
            }
            3 if given < rows => {
                // Repeat a row.
                input.copy_within(at(row)..at(rows - 1), at(row + 1));
                resize(input, given + 1);
            }
            4 if given < rows => {
                // Insert a row of another input.
                let taken = at(random.below(rows));
                input.copy_within(at(row)..at(rows - 1), at(row + 1));
                input[at(row)..at(row + 1)].copy_from_slice(&other[taken..taken + stride]);
                resize(input, given + 1);
            }
            5..=6 if stride == 1 => {
                self.fill_rows(at(row.min(from))..=at(row.max(from)), input);
            }
            _ => {
                let taken = at(random.below(rows));
                input[at(row)..at(row + 1)].copy_from_slice(&other[taken..taken + stride]);
            }
        }
    }

    /// Inserts a piece of another text of the same input into this one.
    fn insert_other_text(&mut self, input: &[u64]) {
        let this = std::mem::take(&mut self.text);
        let index = self.random.below(self.fields.len());
        if let Field::Text { first, count, end } = self.fields[index] {
            self.read(first, count, end, input);
        }
        let length = self.text.len();
        let from = self.random.below(length + 1);
        let to = from + self.random.below(length - from + 1);
        let piece = self.text[from..to].to_vec();
        self.text = this;
        let at = self.random.below(self.text.len() + 1);
        self.text.splice(at..at, piece);
    }

    /// A value for a cell, with a preference for the bounds of its domain, small numbers and
    /// numbers of the program.
    fn number(&mut self, position: usize, input: &[u64]) -> u64 {
        let domain = &self.cells[position].domain;
        let (low, high) = domain.bounds();
        let tokens = &self.tokens.numbers;
        let random = &mut self.random;
        let number = match random.below(16) {
            0 => low,
            1 => high,
            2 => 0,
            3 => i128::from(random.next() as i8),
            4 => i128::from(random.next() as i16),
            5..=7 if !tokens.is_empty() => {
                tokens[random.below(tokens.len())] + random.below(3) as i128 - 1
            }
            8 if !tokens.is_empty() => {
                let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
                tokens[a].wrapping_add(tokens[b])
            }
            9 if !self.scalars.is_empty() => {
                // Equal values are rare by chance and often matter.
                let other = self.scalars[random.below(self.scalars.len())];
                self.cells[other].domain.decode(input[other]) + random.below(3) as i128 - 1
            }
            10..=11 => random.below(16) as i128,
            _ => return domain.nth(u128::from(random.next())),
        };
        if domain.contains_number(number) {
            domain.encode(number)
        } else {
            domain.nth(u128::from(random.next()))
        }
    }

    fn near(&mut self, position: usize, value: u64) -> u64 {
        let domain = &self.cells[position].domain;
        let now = domain.decode(value);
        let number = match self.random.below(10) {
            0..=1 => now + 1,
            2..=3 => now - 1,
            4 => now + self.random.below(32) as i128,
            5 => now - self.random.below(32) as i128,
            6 => -now,
            7 => now * 2,
            8 => now / 2,
            _ => now ^ (1 << self.random.below(63)),
        };
        if domain.contains_number(number) { domain.encode(number) } else { value }
    }

    /// A number computed from others of the input.
    fn combined(&mut self, position: usize, input: &[u64]) -> u64 {
        let random = &mut self.random;
        let mut pick = || {
            let other = self.scalars[random.below(self.scalars.len())];
            self.cells[other].domain.decode(input[other])
        };
        let (a, b) = (pick(), pick());
        let number = match random.below(4) {
            0 => a + b,
            1 => a - b,
            2 => a,
            _ => (a + b) / 2,
        };
        let domain = &self.cells[position].domain;
        if domain.contains_number(number) { domain.encode(number) } else { input[position] }
    }

    fn read(&mut self, first: usize, count: usize, end: End, input: &[u64]) {
        text_of(&mut self.text, first, count, end, input);
    }

    fn write(&mut self, first: usize, count: usize, end: End, input: &mut [u64]) {
        put_text(&self.cells, &self.text, first, count, end, input);
    }

    /// Mutates lines, words, numbers, or lengths.
    fn change_structure(&mut self, first: usize, count: usize, end: End, other: &[u64]) {
        let mut text = std::mem::take(&mut self.text);
        self.read(first, count, end, other);
        structure::change(&mut text, &self.text, count, self.tokens, &mut self.random);
        self.text = text;
    }

    fn change_text(&mut self, first: usize, count: usize, end: End, other: &[u64]) {
        let length = self.text.len();
        let at = self.random.below(length + 1);
        match self.random.below(13) {
            0..=2 if length > 0 => {
                let at = at.min(length - 1);
                self.text[at] = self.byte(first);
            }
            3..=4 => {
                let byte = self.byte(first);
                self.text.insert(at, byte);
            }
            5 if length > 0 => {
                let many =
                    1 + self.random.below(2) * self.random.below(length - at.min(length - 1));
                let at = at.min(length - 1);
                self.text.drain(at..(at + many).min(length));
            }
            6..=7 => {
                let piece = self.piece(first);
                self.text.splice(at..at, piece);
            }
            8 if length > 0 => {
                let piece = self.piece(first);
                let to = (at + piece.len()).min(length);
                self.text.splice(at.min(to)..to, piece);
            }
            9 if length > 0 => {
                // Repeat a piece.
                let from = self.random.below(length);
                let to = from + 1 + self.random.below(length - from);
                let piece = self.text[from..to].to_vec();
                self.text.splice(at..at, piece);
            }
            10 if length > 1 => {
                let (a, b) = (self.random.below(length), self.random.below(length));
                self.text.swap(a, b);
            }
            11 if self.random.below(4) == 0 => self.draw_text(first, count),
            _ => {
                // Append the rest of another input.
                let head = self.text[..at].to_vec();
                self.read(first, count, end, other);
                let from = self.random.below(self.text.len() + 1);
                let tail = self.text.split_off(from);
                self.text = head;
                self.text.extend(tail);
            }
        }
    }

    /// A new text: of words and separators, of words alone, or of any characters.
    fn draw_text(&mut self, first: usize, count: usize) {
        self.text.clear();
        let (words, separated) = (self.random.below(3) > 0, self.random.below(2) == 0);
        // Short texts are plainer, and programs tend to forget texts that are just too long.
        let length = match self.random.below(8) {
            0 => structure::length(count, self.tokens, &mut self.random),
            1..=2 => self.random.below(count + 1),
            _ => self.random.below(count.min(SHORT) + 1),
        };
        while self.text.len() < length {
            if words {
                let piece = self.piece(first);
                self.text.extend(piece);
                if separated {
                    self.text.push(if self.random.below(4) == 0 { b'\n' } else { b' ' });
                }
            } else {
                self.insert_piece(first);
            }
        }
    }

    fn insert_piece(&mut self, first: usize) {
        let piece = match self.random.below(3) {
            0 => self.piece(first),
            _ => vec![self.byte(first)],
        };
        self.text.extend(piece);
    }

    /// A text of the program, a number, or a few bytes.
    fn piece(&mut self, first: usize) -> Vec<u8> {
        let Tokens { numbers, texts, .. } = self.tokens;
        match self.random.below(8) {
            0..=3 if !texts.is_empty() => texts[self.random.below(texts.len())].clone(),
            4 if !numbers.is_empty() => {
                numbers[self.random.below(numbers.len())].to_string().into_bytes()
            }
            5 => self.random.below(12).to_string().into_bytes(),
            6 => vec![self.byte(first); 1 + self.random.below(4)],
            _ => vec![self.byte(first), self.byte(first)],
        }
    }

    fn byte(&mut self, first: usize) -> u8 {
        const COMMON: &[u8] = b"0123456789 \nabcABCxyz-+*/.,:;=()[]<>\"'\\%_\t";
        let Tokens { texts, characters, .. } = self.tokens;
        match self.random.below(10) {
            0..=3 if !characters.is_empty() => characters[self.random.below(characters.len())],
            4 if !texts.is_empty() => {
                let text = &texts[self.random.below(texts.len())];
                text[self.random.below(text.len())]
            }
            5..=7 => COMMON[self.random.below(COMMON.len())],
            8 if !self.text.is_empty() => self.text[self.random.below(self.text.len())],
            _ => {
                let position = first.min(self.cells.len() - 1);
                self.cells[position].domain.nth(u128::from(self.random.next())) as u8
            }
        }
    }
}

/// Reads a text from its cells.
fn text_of(text: &mut Vec<u8>, first: usize, count: usize, end: End, input: &[u64]) {
    let bytes = &input[first..first + count];
    let length = match end {
        End::Last => count,
        End::Zero => bytes.iter().position(|&byte| byte == 0).unwrap_or(count),
        End::Length(cell) => (input[cell.position()] as usize).min(count),
    };
    text.clear();
    text.extend(bytes[..length].iter().map(|&byte| byte as u8));
}

/// Writes a text to its cells, as far as it fits and their domains allow.
fn put_text(cells: &[&Cell], text: &[u8], first: usize, count: usize, end: End, input: &mut [u64]) {
    let within = |index: usize, byte: u64| {
        let domain = &cells[first + index].domain;
        if domain.contains(byte) { byte } else { domain.nth(u128::from(byte)) }
    };
    let length = text.len().min(count);
    for (index, &byte) in text[..length].iter().enumerate() {
        input[first + index] = within(index, u64::from(byte));
    }
    if end == End::Last {
        (length..count).for_each(|index| input[first + index] = within(index, 0));
    } else if length < count {
        // All bytes of a text that may end earlier have the same domain.
        input[first + length..first + count].fill(within(length, 0));
    }
    if let End::Length(cell) = end {
        let domain = &cells[cell.position()].domain;
        let (low, high) = domain.bounds();
        input[cell.position()] = domain.encode((length as i128).clamp(low, high));
    }
}
