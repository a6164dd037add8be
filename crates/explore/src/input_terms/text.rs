//! The bytes of input texts as terms over cells.

use std::sync::Arc;

use exec::concolic::{FileByte, FileInteger, FileSource};
use inputs::{CellId, Cells, End, Layout, Source};
use smt::{TermId, Terms};

/// The most digits of a decimal number of 64 bits.
const MOST_DIGITS: u32 = 19;

/// A text as terms: all bytes that it can have, with zeros after its end.
#[derive(Clone, Debug)]
pub struct TextTerms {
    pub bytes: Vec<TermId>,
    /// If it is a number: its value and its length in characters, both in 64 bits.
    pub integer: Option<(TermId, TermId)>,
    /// Its length, if that is a cell of its own.
    pub length: Option<TermId>,
}

/// A file as terms, the same for all runs.
#[derive(Clone, Debug)]
pub struct FileTerms {
    pub bytes: Arc<[FileByte]>,
    pub length: Option<TermId>,
}

/// The terms of a file that is one text.
pub fn file_terms(terms: &mut Terms, cells: &[TermId], source: &Source) -> Option<FileTerms> {
    let text = text_terms(terms, cells, source)?;
    let bytes = text.bytes.iter().enumerate().map(|(at, &term)| {
        let guard = match text.length {
            Some(length) => exceeds(terms, length, at as u64),
            // A missing byte is 0, and texts have no other zero byte.
            None => is_there(terms, source, term),
        };
        FileByte { term, guards: [Terms::TRUE, guard] }
    });
    Some(FileTerms { bytes: bytes.collect(), length: text.length })
}

fn exceeds(terms: &mut Terms, length: TermId, count: u64) -> TermId {
    let count = terms.constant(terms.width(length), count);
    terms.ugt(length, count)
}

fn is_there(terms: &mut Terms, source: &Source, byte: TermId) -> TermId {
    match source {
        Source::Decimal { .. } | Source::Choice { .. } => {
            let zero = terms.constant(8, 0);
            terms.ne(byte, zero)
        }
        _ => Terms::TRUE,
    }
}

/// A file of lines, as it is in one run.
pub fn line_source(
    terms: &mut Terms,
    cells: &[TermId],
    assignment: &[u64],
    (count, lines): (Option<CellId>, &[Source]),
    layout: &Layout,
) -> FileSource {
    let given = count.map_or(lines.len(), |cell| assignment[cell.position()] as usize);
    let newline = terms.constant(8, b'\n'.into());
    let mut file = FileSource {
        bytes: Arc::default(),
        at_end: Terms::TRUE,
        extents: Vec::new(),
        integers: Vec::new(),
    };
    if let Some(count) = count {
        let now = assignment[count.position()];
        let count = cells[count.position()];
        file.extents.push((count, now));
        let more = exceeds(terms, count, now);
        file.at_end = terms.not(more);
    }
    let mut bytes: Vec<FileByte> = Vec::new();
    let mut text = Vec::new();
    for (number, line) in lines.iter().enumerate().take(given) {
        let Some(known) = file_terms(terms, cells, line) else { continue };
        layout.text_into(line, assignment, &mut text);
        let start = bytes.len();
        bytes.extend(known.bytes.iter().take(text.len()));
        let guard = match (known.bytes.get(text.len()), known.length) {
            (Some(next), _) => terms.not(next.guards[1]),
            _ => Terms::TRUE,
        };
        bytes.push(FileByte { term: newline, guards: [Terms::TRUE, guard] });
        if let Some(count) = count {
            bytes[start].guards[0] = exceeds(terms, cells[count.position()], number as u64);
        }
        if let Some(integer) = text_terms(terms, cells, line).and_then(|text| text.integer) {
            file.integers.push(FileInteger { offset: start, term: integer.0 });
            file.extents.push((integer.1, text.len() as u64));
        }
        file.extents.extend(known.length.map(|length| (length, text.len() as u64)));
    }
    file.bytes = bytes.into();
    file
}

/// The terms of a text; lines are not one text and have none.
pub fn text_terms(terms: &mut Terms, cells: &[TermId], source: &Source) -> Option<TextTerms> {
    let plain = |bytes| Some(TextTerms { bytes, integer: None, length: None });
    match source {
        Source::Literal(text) => plain(constants(terms, text)),
        Source::Decimal { cell, .. } => Some(decimal(terms, cells[cell.position()])),
        Source::Choice { cell, texts } => plain(choice(terms, cells[cell.position()], texts)),
        Source::Bytes { cells: run, end } => {
            let length = match end {
                End::Length(cell) => Some(cells[cell.position()]),
                End::Last | End::Zero => None,
            };
            let bytes = bytes_of(cells, *run);
            Some(TextTerms { bytes, integer: None, length })
        }
        Source::Lines { .. } => None,
    }
}

fn constants(terms: &mut Terms, text: &[u8]) -> Vec<TermId> {
    text.iter().map(|&byte| terms.constant(8, byte.into())).collect()
}

fn bytes_of(cells: &[TermId], run: Cells) -> Vec<TermId> {
    run.positions().map(|position| cells[position]).collect()
}

/// One of several texts, by the number of the text.
fn choice(terms: &mut Terms, cell: TermId, texts: &[Vec<u8>]) -> Vec<TermId> {
    let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
    let width = terms.width(cell);
    let byte_at = |terms: &mut Terms, at: usize| {
        let byte = |text: &Vec<u8>| u64::from(text.get(at).copied().unwrap_or(0));
        let last = texts.len() - 1;
        let mut value = terms.constant(8, byte(&texts[last]));
        for (number, text) in texts.iter().enumerate().take(last).rev() {
            let number = terms.constant(width, number as u64);
            let is_this = terms.eq(cell, number);
            let this = terms.constant(8, byte(text));
            value = terms.ite(is_this, this, value);
        }
        value
    };
    (0..longest).map(|at| byte_at(terms, at)).collect()
}

/// The decimal text of a signed number: `-` if it is negative, then digits without leading
/// zeros.
fn decimal(terms: &mut Terms, number: TermId) -> TextTerms {
    let width = terms.width(number);
    let zero = terms.constant(width, 0);
    let negative = terms.slt(number, zero);
    let negated = terms.neg(number);
    let magnitude = terms.ite(negative, negated, number);
    let powers: Vec<u64> = (0..=MOST_DIGITS)
        .map(|exponent| 10u64.pow(exponent))
        .take_while(|&power| width == 64 || power <= 1 << (width - 1))
        .collect();
    let most = powers.len();
    // Whether there are more than this many digits.
    let longer: Vec<TermId> = (0..most)
        .map(|count| match count {
            0 => Terms::TRUE,
            count => {
                let power = terms.constant(width, powers[count]);
                terms.uge(magnitude, power)
            }
        })
        .collect();
    let digits: Vec<TermId> = powers.iter().map(|&power| digit(terms, magnitude, power)).collect();
    let signless: Vec<TermId> =
        (0..=most).map(|at| digit_at(terms, &digits, &longer, at)).collect();
    let minus = terms.constant(8, b'-'.into());
    let nothing = terms.constant(8, 0);
    let bytes = (0..=most)
        .map(|at| {
            let with_sign = if at == 0 { minus } else { signless[at - 1] };
            let without = signless.get(at).copied().unwrap_or(nothing);
            terms.ite(negative, with_sign, without)
        })
        .collect();
    let length = length(terms, negative, &longer);
    let value = terms.sext(number, 64);
    TextTerms { bytes, integer: Some((value, length)), length: None }
}

/// The digit of a power of ten, as a character.
fn digit(terms: &mut Terms, magnitude: TermId, power: u64) -> TermId {
    let width = terms.width(magnitude);
    let (power, ten) = (terms.constant(width, power), terms.constant(width, 10));
    let quotient = terms.udiv(magnitude, power);
    let digit = terms.urem(quotient, ten);
    let digit = terms.trunc(digit, 8);
    let base = terms.constant(8, b'0'.into());
    terms.add(digit, base)
}

/// The character at a position of a number without sign; 0 after the last digit. With `n + 1`
/// digits the first is that of the n-th power.
fn digit_at(terms: &mut Terms, digits: &[TermId], longer: &[TermId], at: usize) -> TermId {
    let mut value = terms.constant(8, 0);
    for top in at..digits.len() {
        value = terms.ite(longer[top], digits[top - at], value);
    }
    value
}

fn length(terms: &mut Terms, negative: TermId, longer: &[TermId]) -> TermId {
    let mut count = terms.constant(64, 1);
    for (digits, &longer) in longer.iter().enumerate().skip(1) {
        let here = terms.constant(64, digits as u64 + 1);
        count = terms.ite(longer, here, count);
    }
    let one = terms.constant(64, 1);
    let with_sign = terms.add(count, one);
    terms.ite(negative, with_sign, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Evaluator, Model, Sort};

    fn text_of(terms: &Terms, text: &TextTerms, bits: u64) -> (String, u64) {
        let mut model = Model::new();
        model.set(smt::VarId(0), bits);
        let mut evaluator = Evaluator::new();
        let bytes = text.bytes.iter().map(|&byte| evaluator.value(terms, &model, byte) as u8);
        let bytes: Vec<u8> = bytes.collect();
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        assert!(bytes[end..].iter().all(|&byte| byte == 0), "nothing follows the end");
        let (_, length) = text.integer.expect("a number");
        let length = evaluator.value(terms, &model, length);
        (String::from_utf8_lossy(&bytes[..end]).into_owned(), length)
    }

    #[test]
    fn decimal_terms_are_what_printing_gives() {
        let mut terms = Terms::new();
        let number = terms.variable("x", Sort::Bits(32));
        let text = decimal(&mut terms, number);
        for value in [0, 1, -1, 9, 10, 99, 100, -10, 12345, i32::MAX, i32::MIN, -999_999_999] {
            let (shown, length) = text_of(&terms, &text, u64::from(value as u32));
            assert_eq!(shown, value.to_string());
            assert_eq!(length, shown.len() as u64);
        }
    }

    #[test]
    fn wide_decimals_are_followed_too() {
        let mut terms = Terms::new();
        let number = terms.variable("x", Sort::Bits(64));
        let text = decimal(&mut terms, number);
        for value in [0, i64::MAX, i64::MIN, -5, 1_000_000_000_000] {
            let (shown, _) = text_of(&terms, &text, value as u64);
            assert_eq!(shown, value.to_string());
        }
    }
}
