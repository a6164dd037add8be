//! Mutates a valid text so that it stays close to valid, or gets far from it.
//!
//! Mutations of words keep most texts readable, so that they get past the reader; mutations of
//! bytes are for the reader itself.

mod insert;

use std::ops::Range;

use super::corpus::Corpus;
use super::random::Random;
use super::words::{
    DIRECTIVES, FUNCTIONS, GROUPS, NUMBERS, WIDTHS, is_global, is_int_type, is_local, is_number,
    tokens,
};

/// The amount of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Anything, down to single bytes.
    Any,
    /// So that the text may still be a program.
    Gentle,
}

/// A mutated text of the corpus.
pub fn mutant(corpus: &Corpus, random: &mut Random, damage: Damage) -> Vec<u8> {
    let mut text = pick_text(corpus, random);
    while damage == Damage::Gentle && !text.contains("@main(") {
        text = pick_text(corpus, random);
    }
    let mut mutation = Mutation::new(corpus, random, text);
    let most = if mutation.random.one_in(10) { 16 } else { 4 };
    for _ in 0..1 + mutation.random.below(most) {
        match damage {
            Damage::Gentle if !mutation.random.one_in(5) => mutation.change_gently(),
            _ => mutation.change(),
        }
    }
    let mut bytes = mutation.lines.join("\n").into_bytes();
    bytes.push(b'\n');
    if damage == Damage::Any && random.one_in(2) {
        let other = pick_text(corpus, random);
        for _ in 0..1 + random.below(4) {
            change_bytes(&mut bytes, other.as_bytes(), random);
        }
    }
    bytes
}

/// Prefers small texts: more of them fit into the same time.
fn pick_text<'a>(corpus: &'a Corpus, random: &mut Random) -> &'a str {
    let mut candidates: Vec<&str> =
        (0..3).map(|_| corpus.texts[random.below(corpus.texts.len())].as_str()).collect();
    candidates.sort_by_key(|text| text.len());
    candidates[random.below(3).min(random.below(3))]
}

struct Mutation<'a> {
    corpus: &'a Corpus,
    random: &'a mut Random,
    lines: Vec<String>,
    /// Numbers for new names.
    fresh: usize,
}

impl<'a> Mutation<'a> {
    fn new(corpus: &'a Corpus, random: &'a mut Random, text: &str) -> Mutation<'a> {
        let lines = text.lines().map(str::to_owned).collect();
        Mutation { corpus, random, lines, fresh: 0 }
    }

    fn change(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        match self.random.below(20) {
            0..=2 => self.change_token(is_number, |random, _| random.pick(NUMBERS).to_owned()),
            3..=5 => self.change_word(),
            6 | 7 => self.change_local(),
            8 => self.change_global(),
            9 => self.change_callee(),
            10 => self.change_width(),
            11 => self.change_string(),
            12 => self.delete_lines(),
            13 => self.duplicate_line(),
            14 => self.swap_lines(),
            15 => self.splice(),
            16 => self.nest_type(),
            _ => self.insert_instructions(),
        }
    }

    /// Mutations after which most texts are still valid.
    fn change_gently(&mut self) {
        match self.random.below(12) {
            0..=2 => self.change_number(),
            3 | 4 => self.change_word(),
            5..=7 => self.change_like_local(),
            8 => self.change_callee(),
            9 => self.change_string(),
            _ => self.insert_instructions(),
        }
    }

    /// Changes a number that is an operand: after a type or a comma.
    fn change_number(&mut self) {
        let line = self.pick_line();
        let all = tokens(&self.lines[line]);
        let is_operand =
            |at: usize| is_number(all[at]) && (is_int_type(all[at - 2]) || all[at - 2] == ",");
        let places: Vec<usize> = (2..all.len()).filter(|&at| is_operand(at)).collect();
        let Some(&at) = self.random.choose(&places) else { return };
        let new = self.random.pick(NUMBERS);
        let changed = all.iter().enumerate();
        self.lines[line] =
            changed.map(|(index, &token)| if index == at { new } else { token }).collect();
    }

    /// Replaces a local by another one after the same word: a type, or `label`.
    fn change_like_local(&mut self) {
        let line = self.pick_line();
        let all = tokens(&self.lines[line]);
        let places: Vec<usize> = (2..all.len()).filter(|&at| is_local(all[at])).collect();
        let Some(&at) = self.random.choose(&places) else { return };
        let before = all[at - 2];
        let mut likes: Vec<String> = Vec::new();
        for index in self.surroundings(line) {
            let near = tokens(&self.lines[index]);
            let locals = (2..near.len()).filter(|&at| near[at - 2] == before && is_local(near[at]));
            likes.extend(locals.map(|at| near[at].to_owned()));
        }
        let Some(new) = self.random.choose(&likes) else { return };
        let changed = all.iter().enumerate();
        self.lines[line] =
            changed.map(|(index, &token)| if index == at { new } else { token }).collect();
    }

    /// The lines of the functions, headers and closing braces included.
    fn functions(&self) -> Vec<Range<usize>> {
        let mut functions = Vec::new();
        let mut start = None;
        for (index, line) in self.lines.iter().enumerate() {
            if line.starts_with("define") {
                start = Some(index);
            } else if line.starts_with('}')
                && let Some(start) = start.take()
            {
                functions.push(start..index + 1);
            }
        }
        functions
    }

    /// A line, mostly of a function.
    fn pick_line(&mut self) -> usize {
        let functions = self.functions();
        match self.random.choose(&functions) {
            Some(range) if !self.random.clone().one_in(8) => {
                let range = range.clone();
                range.start + self.random.below(range.len())
            }
            _ => self.random.below(self.lines.len()),
        }
    }

    /// The lines of the function that contains a line, or the line alone.
    fn surroundings(&self, line: usize) -> Range<usize> {
        let found = self.functions().into_iter().find(|range| range.contains(&line));
        found.unwrap_or(line..line + 1)
    }

    /// Replaces a token of a kind somewhere near a random line.
    fn change_token(
        &mut self,
        is_meant: impl Fn(&str) -> bool,
        replacement: impl Fn(&mut Random, &str) -> String,
    ) {
        for _ in 0..8 {
            let line = self.pick_line();
            let tokens = tokens(&self.lines[line]);
            let meant: Vec<usize> =
                (0..tokens.len()).filter(|&index| is_meant(tokens[index])).collect();
            let Some(&index) = self.random.choose(&meant) else { continue };
            let new = replacement(self.random, tokens[index]);
            let changed = tokens.iter().enumerate();
            let changed: String =
                changed.map(|(at, &token)| if at == index { &new } else { token }).collect();
            self.lines[line] = changed;
            return;
        }
    }

    /// Replaces opcodes, predicates, types and keywords by similar ones.
    fn change_word(&mut self) {
        let group_of = |token: &str| GROUPS.iter().find(|group| group.contains(&token));
        self.change_token(
            |token| group_of(token).is_some(),
            |random, token| match group_of(token) {
                Some(group) => random.pick(group).to_owned(),
                None => token.to_owned(),
            },
        );
    }

    fn change_local(&mut self) {
        let line = self.pick_line();
        let mut names: Vec<String> = Vec::new();
        for index in self.surroundings(line) {
            names.extend(
                tokens(&self.lines[index]).into_iter().filter(|t| is_local(t)).map(str::to_owned),
            );
        }
        if !names.is_empty() {
            self.change_token(is_local, |random, _| names[random.below(names.len())].clone());
        }
    }

    fn change_global(&mut self) {
        let names: Vec<String> = self
            .lines
            .iter()
            .filter(|line| line.starts_with('@') || line.starts_with("define"))
            .filter_map(|line| tokens(line).into_iter().find(|t| is_global(t)).map(str::to_owned))
            .collect();
        if !names.is_empty() {
            self.change_token(is_global, |random, _| names[random.below(names.len())].clone());
        }
    }

    /// Replaces one C library function by another, everywhere.
    fn change_callee(&mut self) {
        let declared: Vec<String> = self
            .lines
            .iter()
            .filter(|line| line.starts_with("declare") && !line.contains("@llvm."))
            .filter_map(|line| tokens(line).into_iter().find(|t| is_global(t)).map(str::to_owned))
            .collect();
        let Some(old) = self.random.choose(&declared).cloned() else { return };
        let new = format!("@{}", self.random.pick(FUNCTIONS));
        let everything = 0..self.lines.len();
        self.rename(everything, &old, &new);
    }

    /// Replaces a token in a range of lines.
    fn rename(&mut self, range: Range<usize>, old: &str, new: &str) {
        for line in &mut self.lines[range] {
            if line.contains(old) {
                let renamed = tokens(line).into_iter().map(|t| if t == old { new } else { t });
                *line = renamed.collect();
            }
        }
    }

    /// Another width for an integer type: once, in a function, or everywhere.
    fn change_width(&mut self) {
        let new = self.random.pick(WIDTHS);
        let line = self.pick_line();
        let widths: Vec<String> = tokens(&self.lines[line])
            .into_iter()
            .filter(|token| is_int_type(token))
            .map(str::to_owned)
            .collect();
        let Some(old) = self.random.choose(&widths).cloned() else { return };
        match self.random.below(4) {
            0 => self.change_token(is_int_type, |_, _| new.to_owned()),
            1 => {
                let everything = 0..self.lines.len();
                self.rename(everything, &old, new);
            }
            _ => {
                let function = self.surroundings(line);
                self.rename(function, &old, new);
            }
        }
    }

    /// Inserts a piece of a format string into a constant, whose length stays the same.
    fn change_string(&mut self) {
        let with_strings: Vec<usize> =
            (0..self.lines.len()).filter(|&line| self.lines[line].contains(" c\"")).collect();
        let Some(&line) = self.random.choose(&with_strings) else { return };
        let text = &mut self.lines[line];
        let Some(start) = text.find(" c\"").map(|at| at + 3) else { return };
        let Some(length) = text[start..].find('"') else { return };
        let piece = self.random.pick(DIRECTIVES);
        // Do not split a byte that is written as a hexadecimal number.
        let plain = text[start..start + length].find('\\').unwrap_or(length);
        let weight = if piece.starts_with('\\') { 1 } else { piece.len() };
        if plain >= weight && text.is_char_boundary(start + weight) {
            let at = start + self.random.below(plain - weight + 1);
            if text.is_char_boundary(at) && text.is_char_boundary(at + weight) {
                text.replace_range(at..at + weight, piece);
            }
        }
    }

    fn delete_lines(&mut self) {
        let line = self.pick_line();
        let count = if self.random.one_in(4) { 1 + self.random.below(8) } else { 1 };
        let end = (line + count).min(self.lines.len());
        self.lines.drain(line..end);
        if self.lines.is_empty() {
            self.lines.push(String::new());
        }
    }

    /// Repeats a line, with a new name for its definition.
    fn duplicate_line(&mut self) {
        let line = self.pick_line();
        let copies = if self.random.one_in(30) { 2000 } else { 1 };
        let original = self.lines[line].clone();
        for _ in 0..copies {
            let mut copy = original.clone();
            if let Some((_, value)) = original.split_once(" = ")
                && original.starts_with("  %")
            {
                copy = format!("  {} = {value}", self.fresh_name());
            }
            self.lines.insert(line + 1, copy);
        }
    }

    fn fresh_name(&mut self) -> String {
        self.fresh += 1;
        format!("%fresh{}", self.fresh)
    }

    fn swap_lines(&mut self) {
        let line = self.pick_line();
        let range = self.surroundings(line);
        let other = if self.random.one_in(2) {
            range.start + self.random.below(range.len())
        } else {
            (line + 1).min(self.lines.len() - 1)
        };
        self.lines.swap(line, other);
    }

    /// Inserts lines of another text.
    fn splice(&mut self) {
        let other: Vec<&str> = pick_text(self.corpus, self.random).lines().collect();
        let from = self.random.below(other.len());
        let count = 1 + self.random.below(if self.random.clone().one_in(4) { 40 } else { 4 });
        let piece =
            other[from..(from + count).min(other.len())].iter().map(|&line| line.to_owned());
        let at = self.pick_line();
        let end = if self.random.one_in(2) { (at + count).min(self.lines.len()) } else { at };
        self.lines.splice(at..end, piece);
        if self.lines.is_empty() {
            self.lines.push(String::new());
        }
    }

    /// Wraps a type in arrays, structs or vectors, sometimes very deeply.
    fn nest_type(&mut self) {
        let depth = if self.random.one_in(20) { 5000 } else { 1 + self.random.below(3) };
        self.change_token(is_int_type, |random, token| {
            let count = *random
                .choose(&[0u64, 1, 2, 3, 17, 100, 4096, 70_000, 1 << 31, 1 << 33, u64::MAX])
                .unwrap_or(&1);
            let (open, close) = match random.below(4) {
                0 => (format!("[{count} x "), "]"),
                1 => ("{ ".to_owned(), " }"),
                2 => ("<{ i8, ".to_owned(), " }>"),
                _ => (format!("<{} x ", count % 5000), ">"),
            };
            format!("{}{token}{}", open.repeat(depth), close.repeat(depth))
        });
    }
}

/// Damage without regard to the text.
fn change_bytes(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let length = random.below(32).min(text.len() - at);
    match random.below(6) {
        0 => text[at] = random.next() as u8,
        1 => text[at] ^= 1 << random.below(8),
        2 => drop(text.drain(at..at + length)),
        3 => {
            let piece = text[at..at + length].to_vec();
            let target = random.below(text.len());
            text.splice(target..target, piece);
        }
        4 => {
            let from = random.below(other.len());
            let piece = &other[from..(from + 4 * length).min(other.len())];
            text.splice(at..at + length, piece.iter().copied());
        }
        _ => {
            let piece: &[u8] = match random.below(6) {
                0 => b"(",
                1 => b"\"",
                2 => b"{",
                3 => b"<",
                4 => b"\n",
                _ => b"\0",
            };
            let times = if random.one_in(20) { 20_000 } else { 1 };
            text.splice(at..at, piece.repeat(times));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        let text = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}";
        let corpus = Corpus { texts: vec![text.to_owned(), "@g = global i8 0".to_owned()] };
        for case in 0..500 {
            let make =
                || mutant(&corpus, &mut super::super::random::for_case(7, case), Damage::Any);
            assert_eq!(make(), make());
        }
    }

    #[test]
    fn tokens_are_the_line_again() {
        for line in ["  %y = add i32 %\"a b\", -1 ; é", "@g = global [3 x i8] c\"%d\\00\"", ""] {
            assert_eq!(tokens(line).concat(), line);
        }
    }
}
