//! Whether two snapshots are equal.
//!
//! Walks both graphs at once from the roots that count. Objects are paired when they are found and
//! stay paired: one object where the other version has two is a difference. Objects of one version
//! alone, and objects beyond the bounds, make the comparison incomplete.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{Bits, Line, LineKind, LineOrigin, Snapshot, Token};
use crate::harness::Harness;
use crate::view::{Meaning, Part, PartKind, View, ViewId, Views};

/// Which parts of a function's result count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// The return value, with everything reachable from it.
    pub result: bool,
    /// Everything that parameters point to.
    pub memory: bool,
    /// Global variables, with everything reachable from them.
    pub globals: bool,
    /// Static ones among them.
    pub internal: bool,
    /// Unreachable heap blocks.
    pub leaks: bool,
    /// Whether NaNs with different bits differ.
    pub nan_bits: bool,
}

impl Values {
    /// All that a caller sees.
    pub const VISIBLE: Values = Values {
        result: true,
        memory: true,
        globals: true,
        internal: true,
        leaks: false,
        nan_bits: false,
    };

    fn counts(&self, kind: LineKind) -> bool {
        match kind {
            LineKind::Returned => self.result,
            LineKind::Memory => self.memory,
            LineKind::Global => self.globals,
            LineKind::Internal => self.globals && self.internal,
            LineKind::Reached => false,
        }
    }
}

/// A snapshot and how to read its lines; nothing is known for a parsed one.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    pub snapshot: &'a Snapshot,
    pub harness: Option<&'a Harness>,
}

impl<'a> Side<'a> {
    fn views(&self) -> Option<&'a Views> {
        self.harness.map(|harness| &harness.views)
    }

    /// The name of a root.
    fn root_name(&self, line: &Line) -> Option<&'a [u8]> {
        match line.origin {
            LineOrigin::Root(number) => {
                let root = self.harness?.roots.get(number as usize)?;
                Some(root.name.as_bytes())
            }
            LineOrigin::Named(text) if line.kind != LineKind::Reached => {
                self.snapshot.texts.get(text as usize).map(Vec::as_slice)
            }
            _ => None,
        }
    }
}

/// Sees what the walk finds, and decides whether it continues.
pub trait Judge {
    /// Two numbers, by their lines and the positions of their tokens. False ends the walk: they
    /// differ.
    fn numbers(&mut self, lines: [usize; 2], at: [usize; 2], old: &Bits, new: &Bits) -> bool;

    /// Two tokens of different kinds or with different targets; or, at their first tokens, two
    /// lines one of which is freed. False ends the walk.
    fn apart(&mut self, lines: [usize; 2], at: [usize; 2]) -> bool;
}

/// Why two snapshots cannot be compared as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomparable {
    /// There are more objects or scalars than the bounds allow.
    TooLarge,
    /// A pointer leads to something unknown, in this root or behind it.
    Unknown { root: String },
    /// Bytes of an address lie where no pointer is expected, in this root or behind it.
    HiddenPointer { root: String },
    /// A variable that only one version has and writes to.
    OneVersionOnly { name: String },
    /// The same memory has different types in the versions.
    OtherType { root: String },
    /// The same bytes are in memory of another kind: a literal, a variable, or a heap block.
    OtherStorage { root: String },
    /// One version writes to a member of this root, or of an object behind it, and the other does
    /// not: there the member holds the previous content of memory, or the object ends before it.
    WrittenByOne { root: String, member: String, by_old: bool },
}

/// The outcome of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Same,
    /// The judge ended the walk.
    Different,
    /// No difference in the part that can be compared.
    Unclear(Incomparable),
}

/// Compares snapshots of two versions; reuses its buffers.
#[derive(Clone, Debug, Default)]
pub struct Comparer {
    /// By line, the partner in the other snapshot.
    partners: [Vec<u32>; 2],
    queue: Vec<(u32, u32)>,
    /// By line of the first snapshot, whether it is or was in the queue.
    queued: Vec<bool>,
    /// Whether only one version wrote to a part of the current lines.
    is_lopsided: bool,
    /// Members that only one version wrote to, by their lines and the positions of their tokens.
    unwritten: Vec<([usize; 2], [usize; 2])>,
    forms: BTreeMap<(ViewId, ViewId), Form>,
}

/// How two views correspond.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Same,
    /// Some members have the same name: the numbers of their parts.
    ByName(Arc<[(u32, u32)]>),
    Other,
}

const NONE: u32 = u32::MAX;

/// What ended a walk.
struct Ended;

impl Comparer {
    pub fn compare(
        &mut self,
        old: Side<'_>,
        new: Side<'_>,
        values: &Values,
        judge: &mut dyn Judge,
    ) -> Comparison {
        for (partners, side) in self.partners.iter_mut().zip([&old, &new]) {
            partners.clear();
            partners.resize(side.snapshot.lines.len(), NONE);
        }
        self.queue.clear();
        self.queued.clear();
        self.unwritten.clear();
        self.queued.resize(old.snapshot.lines.len(), false);
        let mut unclear = None;
        self.pair_roots(old, new, values, &mut unclear);
        let mut at = 0;
        while let Some(&pair) = self.queue.get(at) {
            if self.lines(old, new, pair, judge, &mut unclear).is_err() {
                return Comparison::Different;
            }
            at += 1;
        }
        if values.leaks && old.snapshot.leaks != new.snapshot.leaks {
            return Comparison::Different;
        }
        unclear.map_or(Comparison::Same, Comparison::Unclear)
    }

    /// Members of heap blocks that, in the last comparison, one version wrote completely and the
    /// other not at all: by their lines and the positions of their tokens. Excludes elements of
    /// arrays and members of unions, because only the program knows which of these count.
    pub fn unwritten(&self) -> &[([usize; 2], [usize; 2])] {
        &self.unwritten
    }

    fn pair_roots(
        &mut self,
        old: Side<'_>,
        new: Side<'_>,
        values: &Values,
        unclear: &mut Option<Incomparable>,
    ) {
        let is_root = |line: &Line| line.kind != LineKind::Reached;
        let lines = &old.snapshot.lines;
        let others = &new.snapshot.lines;
        for (number, line) in lines.iter().enumerate().take_while(|(_, line)| is_root(line)) {
            let name = old.root_name(line);
            let is_it = |other: &Line| is_root(other) && new.root_name(other) == name;
            // Usually they are in the same order.
            let found = if others.get(number).is_some_and(is_it) {
                Some(number)
            } else {
                others.iter().position(is_it)
            };
            match found {
                Some(partner) => {
                    self.partners[0][number] = partner as u32;
                    self.partners[1][partner] = number as u32;
                    if values.counts(line.kind) && values.counts(others[partner].kind) {
                        self.queued[number] = true;
                        self.queue.push((number as u32, partner as u32));
                    }
                }
                None => note_lonely(old, line, values, unclear),
            }
        }
        for (number, line) in others.iter().enumerate().take_while(|(_, line)| is_root(line)) {
            if self.partners[1][number] == NONE {
                note_lonely(new, line, values, unclear);
            }
        }
    }

    fn lines(
        &mut self,
        old: Side<'_>,
        new: Side<'_>,
        (number, partner): (u32, u32),
        judge: &mut dyn Judge,
        unclear: &mut Option<Incomparable>,
    ) -> Result<(), Ended> {
        let (one, two) =
            (&old.snapshot.lines[number as usize], &new.snapshot.lines[partner as usize]);
        let (first, second) = (one.first as usize, two.first as usize);
        let pair = [number, partner];
        let is_heap = |line: &Line| line.kind == LineKind::Reached && line.is_heap;
        if one.kind == two.kind && is_heap(one) != is_heap(two) {
            unclear.get_or_insert(Incomparable::OtherStorage { root: root_of(old, number) });
        }
        if one.is_freed != two.is_freed {
            return if judge.apart([number as usize, partner as usize], [first, second]) {
                Ok(())
            } else {
                Err(Ended)
            };
        }
        match self.form(old, one, new, two) {
            Form::Same => {
                self.is_lopsided = one.count != two.count;
                for index in 0..one.count.min(two.count) as usize {
                    let at = [first + index, second + index];
                    self.tokens(old, new, pair, at, judge, unclear)?;
                }
                if self.is_lopsided {
                    let members = unwritten_members((old, one), (new, two));
                    let at = |index: usize| [first + index, second + index];
                    let positions = pair.map(|line| line as usize);
                    self.unwritten.extend(members.map(|index| (positions, at(index))));
                    if unclear.is_none() {
                        *unclear = written_by_one((old, one), (new, two), number);
                    }
                }
            }
            Form::ByName(parts) => {
                let root = root_of(old, number);
                unclear.get_or_insert(Incomparable::OtherType { root });
                let is_there = |&&(a, b): &&(u32, u32)| a < one.count && b < two.count;
                for &(index, position) in parts.iter().filter(is_there) {
                    let at = [first + index as usize, second + position as usize];
                    self.tokens(old, new, pair, at, judge, unclear)?;
                }
            }
            Form::Other => {
                unclear.get_or_insert(Incomparable::OtherType { root: root_of(old, number) });
            }
        }
        Ok(())
    }

    fn form(&mut self, old: Side<'_>, one: &Line, new: Side<'_>, two: &Line) -> Form {
        let (Some(view), Some(other)) = (one.view, two.view) else { return Form::Same };
        let (Some(views), Some(others)) = (old.views(), new.views()) else { return Form::Same };
        self.forms
            .entry((view, other))
            .or_insert_with(|| form_of(views, views.get(view), others, others.get(other)))
            .clone()
    }

    fn tokens(
        &mut self,
        old: Side<'_>,
        new: Side<'_>,
        lines: [u32; 2],
        at: [usize; 2],
        judge: &mut dyn Judge,
        unclear: &mut Option<Incomparable>,
    ) -> Result<(), Ended> {
        let (one, two) = (old.snapshot.tokens[at[0]], new.snapshot.tokens[at[1]]);
        let positions = lines.map(|line| line as usize);
        let apart =
            |judge: &mut dyn Judge| if judge.apart(positions, at) { Ok(()) } else { Err(Ended) };
        self.is_lopsided |= written(&one) != written(&two);
        match (&one, &two) {
            _ if written(&one) == 0 || written(&two) == 0 => Ok(()),
            (Token::Bits(a), Token::Bits(b)) => {
                if judge.numbers(positions, at, a, b) {
                    Ok(())
                } else {
                    Err(Ended)
                }
            }
            (Token::Null, Token::Null) | (Token::Freed, Token::Freed) => Ok(()),
            (Token::Beyond, _) | (_, Token::Beyond) => {
                unclear.get_or_insert(Incomparable::TooLarge);
                Ok(())
            }
            (Token::Hidden, _) | (_, Token::Hidden) => {
                let root = root_of(old, lines[0]);
                unclear.get_or_insert(Incomparable::HiddenPointer { root });
                Ok(())
            }
            (Token::Other, Token::Null) | (Token::Null, Token::Other) => apart(judge),
            (Token::Other, _) | (_, Token::Other) => {
                unclear.get_or_insert(Incomparable::Unknown { root: root_of(old, lines[0]) });
                Ok(())
            }
            (&Token::Place { line: a, offset: from }, &Token::Place { line: b, offset: to }) => {
                if from == to && self.pair(a, b) {
                    Ok(())
                } else {
                    apart(judge)
                }
            }
            (&Token::Literal(text), &Token::Place { line, offset })
            | (&Token::Place { line, offset }, &Token::Literal(text)) => {
                let is_old = matches!(one, Token::Literal(_));
                let (literal, other) = if is_old { (old, new) } else { (new, old) };
                let literal = literal.snapshot.texts.get(text as usize);
                if !holds_text(other.snapshot, line, offset, literal) {
                    return apart(judge);
                }
                let root = root_of(old, lines[0]);
                unclear.get_or_insert(Incomparable::OtherStorage { root });
                Ok(())
            }
            (&Token::Named(a), &Token::Named(b)) | (&Token::Literal(a), &Token::Literal(b)) => {
                let same = old.snapshot.texts.get(a as usize) == new.snapshot.texts.get(b as usize);
                if same { Ok(()) } else { apart(judge) }
            }
            _ => apart(judge),
        }
    }

    /// Pairs two lines, unless one of them already has another partner.
    fn pair(&mut self, one: u32, two: u32) -> bool {
        let (a, b) = (self.partners[0][one as usize], self.partners[1][two as usize]);
        if a == NONE && b == NONE {
            self.partners[0][one as usize] = two;
            self.partners[1][two as usize] = one;
        } else if a != two || b != one {
            return false;
        }
        // A root that does not count by itself does count if something that counts points to it.
        if !std::mem::replace(&mut self.queued[one as usize], true) {
            self.queue.push((one, two));
        }
        true
    }
}

/// Which digits of a token were written.
fn written(token: &Token) -> u16 {
    match token {
        Token::Bits(bits) => bits.written,
        _ => u16::MAX,
    }
}

/// Members of two heap blocks of the same struct that one version wrote completely, and the other
/// not at all.
fn unwritten_members<'a>(
    (old, one): (Side<'a>, &'a Line),
    (new, two): (Side<'a>, &'a Line),
) -> impl Iterator<Item = usize> + 'a {
    let is_struct = |line: &Line| line.is_heap && line.elements == 1;
    let view = one.view.and_then(|view| Some(old.views()?.get(view)));
    let view = view.filter(|_| is_struct(one) && is_struct(two) && one.count == two.count);
    let parts = view.map_or(&[][..], |view| &view.parts);
    let is_member = move |part: &Part| {
        let name = part.name.as_str();
        let of_name = parts.iter().filter(|other| other.name == name).count();
        name.starts_with('.') && !name.contains('[') && of_name == 1
    };
    let tokens = [old.snapshot.tokens_of(one), new.snapshot.tokens_of(two)];
    let pairs = tokens[0].iter().zip(tokens[1]).zip(parts).enumerate();
    pairs.filter_map(move |(index, ((one, two), part))| {
        let is_by_one = match (written(one), written(two)) {
            (0, _) => is_whole(two),
            (_, 0) => is_whole(one),
            _ => false,
        };
        (is_by_one && is_member(part)).then_some(index)
    })
}

/// Whether all of a token was written.
fn is_whole(token: &Token) -> bool {
    match token {
        Token::Bits(bits) => bits.written == Bits::whole(0, bits.bits.into(), false).written,
        _ => true,
    }
}

/// The first part of two lines of the same form that only one version wrote to. Characters after
/// the end of a text do not count.
fn written_by_one(
    (old, one): (Side<'_>, &Line),
    (new, two): (Side<'_>, &Line),
    number: u32,
) -> Option<Incomparable> {
    let tokens = [old.snapshot.tokens_of(one), new.snapshot.tokens_of(two)];
    let mut has_ended = [false; 2];
    for index in 0..one.count.max(two.count) {
        let pair = tokens.map(|tokens| tokens.get(index as usize));
        let (side, line) = if pair[0].is_some() { (old, one) } else { (new, two) };
        let part = side.views().and_then(|views| line.part(views, index));
        let is_character = part.is_some_and(|part| part.kind == PartKind::Character);
        let goes_on = part.is_some_and(|part| match part.name.strip_suffix(']') {
            Some(name) => !name.ends_with("[0"),
            None => part.name.is_empty() && index > 0,
        });
        if !is_character || !goes_on {
            has_ended = [false; 2];
        }
        let masks = pair.map(|token| token.map_or(0, written));
        if masks[0] != masks[1] && has_ended != [true; 2] {
            let member = part.map(|part| part.name.clone()).unwrap_or_default();
            let by_old = masks[0] & !masks[1] != 0;
            return Some(Incomparable::WrittenByOne { root: root_of(old, number), member, by_old });
        }
        for (ended, token) in has_ended.iter_mut().zip(pair) {
            *ended |= is_character
                && matches!(token, Some(Token::Bits(bits)) if bits.value == 0 && bits.was_written());
        }
    }
    None
}

/// Whether characters of a line equal the text of a literal.
fn holds_text(snapshot: &Snapshot, line: u32, offset: i64, literal: Option<&Vec<u8>>) -> bool {
    let (Some(line), Some(literal)) = (snapshot.lines.get(line as usize), literal) else {
        return false;
    };
    let from = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut tokens = snapshot.tokens_of(line).iter().skip(from);
    let end = literal.iter().position(|byte| *byte == 0).map_or(literal.len(), |end| end + 1);
    literal[..end].iter().all(|&byte| {
        matches!(tokens.next(), Some(Token::Bits(bits))
            if bits.bits == 8 && bits.was_written() && bits.value == u64::from(byte))
    })
}

/// A root that only one version has.
fn note_lonely(side: Side<'_>, line: &Line, values: &Values, unclear: &mut Option<Incomparable>) {
    if values.counts(line.kind) && line.is_touched {
        let name = side.root_name(line).unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        unclear.get_or_insert(Incomparable::OneVersionOnly { name });
    }
}

/// The name of the root that leads to a line.
fn root_of(side: Side<'_>, line: u32) -> String {
    let mut line = line;
    for _ in 0..side.snapshot.lines.len() {
        let Some(found) = side.snapshot.lines.get(line as usize) else { break };
        match found.origin {
            LineOrigin::Reached { line: from, .. } => line = from,
            _ => {
                let name = side.root_name(found).unwrap_or_default();
                return String::from_utf8_lossy(name).into_owned();
            }
        }
    }
    String::new()
}

fn form_of(views: &Views, one: &View, others: &Views, two: &View) -> Form {
    let kind = |kind: PartKind| match kind {
        PartKind::Pointer(_) | PartKind::Word => 0,
        PartKind::Float => 1,
        PartKind::Signed | PartKind::Unsigned | PartKind::Character => 2,
        PartKind::LongDouble => 3,
    };
    let has = |view: &View, name: &str| view.parts.iter().any(|part| part.name == name);
    // A member with another name in the same place is the same, unless the other version has a
    // member of that name elsewhere.
    let same = |(a, b): (&Part, &Part)| {
        (a.bit, a.bits, kind(a.kind)) == (b.bit, b.bits, kind(b.kind))
            && (a.name == b.name || !has(two, &a.name) && !has(one, &b.name))
            && Meaning::agrees(&a.meaning, &b.meaning)
    };
    let tails = match (&one.tail, &two.tail) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.offset == b.offset && views.get(a.view).parts.len() == others.get(b.view).parts.len()
        }
        _ => false,
    };
    let is_same = one.size == two.size
        && one.parts.len() == two.parts.len()
        && one.parts.iter().zip(&two.parts).all(same)
        && tails;
    let shares = |part: &Part| !part.name.is_empty() && has(two, &part.name);
    if is_same {
        Form::Same
    } else if one.parts.iter().any(shares) {
        Form::ByName(by_name(one, two))
    } else {
        Form::Other
    }
}

/// Parts with the same name and size. Several parts with one name are bytes of a union or pieces of
/// a wide number, which are in the same order in both versions.
fn by_name(one: &View, two: &View) -> Arc<[(u32, u32)]> {
    let mut others: BTreeMap<(&str, u32), VecDeque<u32>> = BTreeMap::new();
    for (number, part) in two.parts.iter().enumerate() {
        others.entry((&part.name, part.bits)).or_default().push_back(number as u32);
    }
    let mut pairs = Vec::new();
    for (number, part) in one.parts.iter().enumerate() {
        let other = others.get_mut(&(part.name.as_str(), part.bits));
        let Some(other) = other.and_then(VecDeque::pop_front) else { continue };
        if Meaning::agrees(&part.meaning, &two.parts[other as usize].meaning) {
            pairs.push((number as u32, other));
        }
    }
    pairs.into()
}

/// Numbers are equal if their bits are.
#[derive(Clone, Copy, Debug)]
pub struct ByValue {
    /// Whether NaNs with different bits differ.
    pub nan_bits: bool,
}

impl Judge for ByValue {
    fn numbers(&mut self, _: [usize; 2], _: [usize; 2], old: &Bits, new: &Bits) -> bool {
        old.is_same(new, self.nan_bits)
    }

    fn apart(&mut self, _: [usize; 2], _: [usize; 2]) -> bool {
        false
    }
}
