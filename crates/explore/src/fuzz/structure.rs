//! Mutates a text by its structure: lines, words and numbers, and runs of one character.
//!
//! Separators of words are guessed: white space and punctuation. The text is a valid input even if
//! the guess is wrong.

use std::ops::Range;

use base::Random;

use super::Tokens;

/// A part of a text that a mutation changes as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// With its newline.
    Line,
    /// Letters, digits and underscores.
    Word,
    /// A quoted string, with its quotes.
    Quoted,
}

/// Mutates a text of at most `most` bytes; parts may come from another one.
pub(super) fn change(
    text: &mut Vec<u8>,
    other: &[u8],
    most: usize,
    tokens: &Tokens,
    random: &mut Random,
) {
    match random.below(12) {
        0..=2 => exchange(text, other, random),
        3..=4 => join(text, other, random),
        5..=6 => repeat_or_remove(text, random),
        7 => swap(text, random),
        8..=9 => change_number(text, tokens, random),
        _ => lengthen(text, most, tokens, random),
    }
}

/// Replaces a part by one of the same kind from either text, or inserts it before.
fn exchange(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let part = any_part(random);
    let source = if random.one_in(3) { text.as_slice() } else { other };
    let Some(taken) = find(source, part, random) else { return };
    let taken = source[taken].to_vec();
    let Some(mut at) = find(text, part, random) else { return };
    if random.one_in(2) {
        at.end = at.start;
    }
    text.splice(at, taken);
}

/// Appends a line of the other text, or all from there on, to some lines of this one or to all.
fn join(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let Some(taken) = find(other, Part::Line, random) else { return };
    let keeps_all = random.one_in(2);
    if let Some(last) = find(text, Part::Line, random)
        && !keeps_all
    {
        text.truncate(last.end);
    }
    if text.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    let end = if random.one_in(2) { other.len() } else { taken.end };
    text.extend_from_slice(&other[taken.start..end]);
}

/// Repeats or removes a part.
fn repeat_or_remove(text: &mut Vec<u8>, random: &mut Random) {
    let Some(range) = find(text, any_part(random), random) else { return };
    if random.one_in(3) {
        text.drain(range);
    } else {
        let part = text[range.clone()].to_vec();
        text.splice(range.end..range.end, part);
    }
}

fn swap(text: &mut Vec<u8>, random: &mut Random) {
    let part = any_part(random);
    let (Some(one), Some(two)) = (find(text, part, random), find(text, part, random)) else {
        return;
    };
    let (first, second) = if one.start < two.start { (one, two) } else { (two, one) };
    if first.end <= second.start {
        let moved = text[first.clone()].to_vec();
        let taken: Vec<u8> = text.splice(second, moved).collect();
        text.splice(first, taken);
    }
}

/// Replaces a number by another one: near it, from the program, or at the bound of a type.
fn change_number(text: &mut Vec<u8>, tokens: &Tokens, random: &mut Random) {
    let Some((range, number)) = find_number(text, random) else { return };
    let near = random.below(5) as i128 - 2;
    let number = match random.below(8) {
        0..=2 => number.saturating_add(near),
        3 => number.saturating_neg(),
        4 => number.saturating_mul(10),
        5 => 1_i128 << random.below(40),
        _ => random.choose(&tokens.numbers).map_or(0, |own| own.saturating_add(near)),
    };
    text.splice(range, number.to_string().into_bytes());
}

/// A run of one character, or a repeated part, about as long as a number of the program or a power
/// of two.
fn lengthen(text: &mut Vec<u8>, most: usize, tokens: &Tokens, random: &mut Random) {
    let length = length(most, tokens, random);
    let (at, piece) = match find(text, any_part(random), random) {
        Some(range) if random.one_in(2) => (range.end, text[range].to_vec()),
        _ => {
            let at = random.below(text.len() + 1);
            let before = at.checked_sub(1).and_then(|before| text.get(before)).copied();
            (at, vec![before.unwrap_or(b'a')])
        }
    };
    let run: Vec<u8> = piece.iter().copied().cycle().take(length).collect();
    text.splice(at..at, run);
    text.truncate(most);
}

/// A length that is just too long, or just not.
pub(super) fn length(most: usize, tokens: &Tokens, random: &mut Random) -> usize {
    let near = random.below(3);
    let length = match random.below(3) {
        0 => (1 << random.below(11)) + near,
        1 => most.saturating_sub(near),
        _ => {
            let number = random.choose(&tokens.numbers).copied();
            usize::try_from(number.unwrap_or(0)).unwrap_or(0).saturating_add(near)
        }
    };
    length.saturating_sub(1).min(most)
}

fn any_part(random: &mut Random) -> Part {
    match random.below(5) {
        0..=2 => Part::Line,
        3 => Part::Word,
        _ => Part::Quoted,
    }
}

/// A part of this kind, searched from a random position.
fn find(text: &[u8], part: Part, random: &mut Random) -> Option<Range<usize>> {
    let from = random.below(text.len().max(1));
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match part {
        Part::Line => {
            let start = text[..from].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let end = text[start..].iter().position(|&byte| byte == b'\n');
            let end = end.map_or(text.len(), |at| start + at + 1);
            (start < end).then_some(start..end)
        }
        Part::Word => {
            let first = text[from..].iter().position(|&byte| is_word(byte))? + from;
            let start =
                text[..first].iter().rposition(|&byte| !is_word(byte)).map_or(0, |at| at + 1);
            let end = text[first..].iter().position(|&byte| !is_word(byte));
            Some(start..end.map_or(text.len(), |at| first + at))
        }
        Part::Quoted => {
            let start = text[from..].iter().position(|byte| b"\"'".contains(byte))? + from;
            let end = text[start + 1..].iter().position(|&byte| byte == text[start])?;
            Some(start..start + end + 2)
        }
    }
}

/// A decimal number somewhere in the text.
fn find_number(text: &[u8], random: &mut Random) -> Option<(Range<usize>, i128)> {
    let from = random.below(text.len().max(1));
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let first = text[from..].iter().position(is_digit)? + from;
    let start = text[..first].iter().rposition(|byte| !is_digit(byte)).map_or(0, |at| at + 1);
    let end = text[first..].iter().position(|byte| !is_digit(byte));
    let end = end.map_or(text.len(), |at| first + at);
    let number = std::str::from_utf8(&text[start..end]).ok()?.parse().ok()?;
    Some((start..end, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], part: Part) -> Vec<String> {
        let mut random = Random::new(1);
        let found = (0..200).filter_map(|_| find(text, part, &mut random));
        let mut found: Vec<String> =
            found.map(|range| String::from_utf8_lossy(&text[range]).into_owned()).collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn parts_of_a_text_are_lines_words_and_what_is_quoted() {
        let text = b"add 12,x_1\nsay \"a b\"\n";
        assert_eq!(all(text, Part::Line), ["add 12,x_1\n", "say \"a b\"\n"]);
        assert_eq!(all(text, Part::Word), ["12", "a", "add", "b", "say", "x_1"]);
        assert_eq!(all(text, Part::Quoted), ["\"a b\""]);
        assert_eq!(all(b"", Part::Line), Vec::<String>::new());
        assert_eq!(all(b"\"", Part::Quoted), Vec::<String>::new());
    }

    #[test]
    fn numbers_are_found_whole() {
        let mut random = Random::new(7);
        let found = find_number(b"x=4096;", &mut random);
        assert!(found.is_none_or(|(range, number)| range == (2..6) && number == 4096));
        assert_eq!(find_number(b"none", &mut random), None);
    }

    #[test]
    fn any_text_can_be_changed_and_stays_short_enough_if_it_was_lengthened() {
        let mut random = Random::new(3);
        let tokens = Tokens { numbers: vec![-1, 64, i128::MAX], ..Tokens::default() };
        for text in [&b""[..], b"\n", b"a", b"7", b"\"\"", b"a b\n'c' 99999999999999999999\n"] {
            for _ in 0..2_000 {
                let mut changed = text.to_vec();
                change(&mut changed, b"x 1\n\"y\"", 100, &tokens, &mut random);
                assert!(changed.len() <= 200, "{}", changed.len());
            }
        }
    }
}
