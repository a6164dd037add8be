//! Which parameters, or members of one struct, belong together: a pointer and its length, the
//! two ends of a range, capacity and count.
//!
//! From names, types, and how the code uses them. A name alone suffices only if it can hardly mean
//! anything else; otherwise the code must confirm it. The result is a list of assumptions about
//! callers, which reports state.

mod holds;
mod names;

use std::collections::BTreeSet;
use std::fmt;

use ir::{DebugType, DebugTypeId, Encoding, Module};

use self::names::{Strength, ends, is_array, is_begin, is_capacity, is_cursor, length, names_it};
use crate::evidence::Evidence;
use crate::types::resolve;

/// What Ripple assumes about parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Assume {
    /// That they are consistent.
    #[default]
    Consistent,
    Nothing,
}

/// An assumption about parameters. Places are named as in `--param`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// A number is the length of buffers, which have at most this many elements.
    Length { length: String, of: Vec<String>, elements: u64, least: Option<i128> },
    /// A number is at most another one.
    AtMost { number: String, most: String },
    /// A number is below another one, or both are zero.
    Below { number: String, limit: String },
    /// A number is zero if a pointer is null.
    Empty { number: String, pointer: String },
    /// A pointer points into the memory of another one, or just past its end; at most as far as a
    /// third one.
    Inside { pointer: String, of: String, most: Option<String> },
    /// Unions of a type, or at a place if the type has no name, contain one of their members.
    Member { union: String, member: String },
}

impl Assumption {
    /// The place that is restricted.
    pub fn place(&self) -> &str {
        match self {
            Assumption::Length { length: place, .. }
            | Assumption::AtMost { number: place, .. }
            | Assumption::Below { number: place, .. }
            | Assumption::Empty { number: place, .. }
            | Assumption::Inside { pointer: place, .. }
            | Assumption::Member { union: place, .. } => place,
        }
    }

    /// Whether inputs are possible without it.
    pub fn can_be_lifted(&self) -> bool {
        !matches!(self, Assumption::Member { .. })
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Length { length, of, elements, least } => {
                let of: Vec<String> = of.iter().map(|name| format!("`{name}`")).collect();
                let of = of.join(" and ");
                match least {
                    Some(1..) => write!(
                        f,
                        "`{length}` is at least 1 and at most the number of elements of {of} \
                         ({elements})"
                    ),
                    Some(_) => write!(
                        f,
                        "`{length}` is not negative and at most the number of elements of {of} \
                         ({elements})"
                    ),
                    None => write!(
                        f,
                        "`{length}` is at most the number of elements of {of} ({elements})"
                    ),
                }
            }
            Assumption::AtMost { number, most } => write!(f, "`{number}` is at most `{most}`"),
            Assumption::Below { number, limit } => {
                write!(f, "`{number}` is below `{limit}`, or 0")
            }
            Assumption::Empty { number, pointer } => {
                write!(f, "`{number}` is 0 where `{pointer}` is null")
            }
            Assumption::Inside { pointer, of, most: None } => {
                write!(f, "`{pointer}` points into what `{of}` points to, or right behind it")
            }
            Assumption::Inside { pointer, of, most: Some(most) } => {
                write!(f, "`{pointer}` points into what `{of}` points to, at most to `{most}`")
            }
            Assumption::Member { union, member } => {
                write!(f, "the union `{union}` holds its member `{member}`")
            }
        }
    }
}

/// A parameter or member beside others.
pub(crate) struct Sibling<'a> {
    pub name: &'a str,
    /// As in `--param`.
    pub path: String,
    pub ty: Option<DebugTypeId>,
    /// Whether the user declares it.
    pub is_declared: bool,
}

/// Relations among siblings, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relations {
    pub counts: Vec<Count>,
    pub inside: Vec<Inside>,
    /// Pointers that may be null although nothing else says so.
    pub nullable: BTreeSet<String>,
}

/// A number that counts elements.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub number: String,
    pub of: Vec<String>,
    /// It is a capacity.
    pub is_capacity: bool,
    /// Another number that is at least as large.
    pub most: Option<String>,
    /// It is below that number, unless both are zero.
    pub is_below: bool,
    pub may_be_negative: bool,
    /// The largest constant that it is compared with.
    pub constant: u64,
}

/// A pointer into the memory of another one.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    pub pointer: String,
    pub of: String,
    pub most: Option<String>,
}

impl Relations {
    /// Among the parameters of a function.
    pub fn of_params(module: &Module, siblings: &[Sibling<'_>], evidence: &Evidence) -> Relations {
        let group = Group::new(module, siblings, evidence, None);
        let mut relations = Relations { counts: group.lengths(), ..Relations::default() };
        relations.inside = group.ranges(&relations.counts);
        let tested = |member: &&Member<'_>| {
            evidence.nulls.contains(&member.sibling.path) && !member.sibling.is_declared
        };
        let nullable = group.pointers().filter(tested).map(|member| member.sibling.name.to_owned());
        relations.nullable = nullable.collect();
        relations
    }

    /// Among the members of a struct.
    pub fn of_members(
        module: &Module,
        siblings: &[Sibling<'_>],
        evidence: &Evidence,
        of: &DebugType,
    ) -> Relations {
        let group = Group::new(module, siblings, evidence, Some(of));
        let mut relations = Relations { counts: group.sizes(), ..Relations::default() };
        relations.inside = group.ranges(&relations.counts);
        relations
    }

    /// Whether a pointer has a length or an end.
    pub fn is_counted(&self, pointer: &str) -> bool {
        self.counts.iter().any(|count| count.of.iter().any(|name| name == pointer))
            || self.inside.iter().any(|inside| inside.of == pointer)
    }

    pub fn inside_of(&self, pointer: &str) -> Option<&Inside> {
        self.inside.iter().find(|inside| inside.pointer == pointer)
    }

    /// The largest constant that a length of the pointer is compared with.
    pub fn constant(&self, pointer: &str) -> u64 {
        let counts = self.counts.iter().filter(|count| count.of.iter().any(|of| of == pointer));
        counts.map(|count| count.constant).max().unwrap_or(0)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind<'m> {
    Number,
    /// To numbers, characters or bytes.
    Numbers(&'m DebugType),
    /// To structs, pointers or arrays.
    Others(&'m DebugType),
    /// An array inside a struct.
    Array,
}

struct Member<'a> {
    sibling: &'a Sibling<'a>,
    kind: Kind<'a>,
    index: usize,
}

impl Member<'_> {
    fn name(&self) -> &str {
        self.sibling.name
    }
}

struct Group<'a> {
    members: Vec<Member<'a>>,
    evidence: &'a Evidence,
}

impl<'a> Group<'a> {
    fn new(
        module: &'a Module,
        siblings: &'a [Sibling<'a>],
        evidence: &'a Evidence,
        inside: Option<&DebugType>,
    ) -> Group<'a> {
        let member = |(index, sibling): (usize, &'a Sibling<'a>)| {
            let kind = kind(module, sibling.ty, inside)?;
            (!sibling.name.is_empty()).then_some(Member { sibling, kind, index })
        };
        Group { members: siblings.iter().enumerate().filter_map(member).collect(), evidence }
    }

    fn pointers(&self) -> impl Iterator<Item = &Member<'a>> {
        self.members
            .iter()
            .filter(|member| matches!(member.kind, Kind::Numbers(_) | Kind::Others(_)))
    }

    fn numbers(&self) -> impl Iterator<Item = &Member<'a>> {
        let free = |member: &&Member<'_>| !member.sibling.is_declared;
        self.members.iter().filter(|member| member.kind == Kind::Number).filter(free)
    }

    fn pair(&self, one: &Member<'_>, two: &Member<'_>) -> (String, String) {
        (one.sibling.path.clone(), two.sibling.path.clone())
    }

    fn bounds(&self, pointer: &Member<'_>, number: &Member<'_>) -> bool {
        self.evidence.bounded.contains(&self.pair(pointer, number))
    }

    fn counts(&self, pointer: &Member<'_>, number: &Member<'_>) -> bool {
        self.evidence.counted.contains(&self.pair(pointer, number))
    }

    fn count(&self, number: &Member<'_>, of: Vec<String>) -> Count {
        let path = &number.sibling.path;
        Count {
            number: number.name().to_owned(),
            of,
            is_capacity: false,
            most: None,
            is_below: false,
            may_be_negative: self.evidence.negatives.contains(path),
            constant: self.evidence.constants.get(path).copied().unwrap_or(0),
        }
    }

    /// Parameters that are lengths of others.
    fn lengths(&self) -> Vec<Count> {
        let mut counts = Vec::new();
        for number in self.numbers() {
            let strength = length(number.name());
            let is_borne_out = |pointer: &&Member<'_>| {
                self.bounds(pointer, number) || strength.is_some() && self.counts(pointer, number)
            };
            let mut of: Vec<&Member<'_>> = self.pointers().filter(is_borne_out).collect();
            if of.is_empty() && strength == Some(Strength::Sure) {
                of.extend(self.by_name(number));
            }
            if !of.is_empty() {
                let of = of.into_iter().map(|pointer| pointer.name().to_owned()).collect();
                counts.push(self.count(number, of));
            }
        }
        counts
    }

    /// The pointer that a length belongs to by its name, else the one before it.
    fn by_name(&self, number: &Member<'_>) -> Option<&Member<'a>> {
        let is_plain = |member: &&Member<'_>| matches!(member.kind, Kind::Numbers(_));
        let named = self.pointers().find(|pointer| names_it(number.name(), pointer.name()));
        named.or_else(|| {
            let before = self.pointers().filter(|pointer| pointer.index < number.index);
            before.last().filter(is_plain)
        })
    }

    /// Pointers into the memory of others.
    fn ranges(&self, counts: &[Count]) -> Vec<Inside> {
        let has_length = |member: &Member<'_>| {
            counts.iter().any(|count| count.of.iter().any(|of| of == member.name()))
        };
        let mut found: Vec<Inside> = Vec::new();
        for end in self.pointers().filter(|end| !end.sibling.is_declared && !has_length(end)) {
            let begins = self.pointers().filter(|begin| {
                begin.kind == end.kind
                    && begin.index != end.index
                    && !has_length(begin)
                    && !found.iter().any(|inside| inside.pointer == begin.name())
                    && self.is_range(begin, end)
            });
            // The one that is called a beginning, else the nearest one before.
            let nearest = |begin: &&Member<'_>| {
                let before = begin.index < end.index;
                let distance = begin.index.abs_diff(end.index);
                (!is_begin(begin.name()), is_cursor(begin.name()), !before, distance)
            };
            if let Some(begin) = begins.min_by_key(nearest) {
                let (pointer, of) = (end.name().to_owned(), begin.name().to_owned());
                found.push(Inside { pointer, of, most: None });
            }
        }
        let owners: Vec<(String, String)> =
            found.iter().map(|inside| (inside.of.clone(), inside.pointer.clone())).collect();
        for (owner, end) in owners {
            let Some(begin) = self.pointers().find(|member| member.name() == owner) else {
                continue;
            };
            for cursor in self.pointers().filter(|member| is_cursor(member.name())) {
                let taken = cursor.name() == owner
                    || cursor.kind != begin.kind
                    || cursor.sibling.is_declared
                    || found.iter().any(|inside| {
                        inside.pointer == cursor.name() || inside.of == cursor.name()
                    });
                if !taken && is_begin(&owner) {
                    let (pointer, of) = (cursor.name().to_owned(), owner.clone());
                    found.push(Inside { pointer, of, most: Some(end.clone()) });
                }
            }
        }
        found
    }

    fn is_range(&self, begin: &Member<'_>, end: &Member<'_>) -> bool {
        let forth = self.evidence.below.contains(&self.pair(begin, end));
        let back = self.evidence.below.contains(&self.pair(end, begin));
        let met = self.evidence.met.contains(&self.pair(begin, end))
            || self.evidence.met.contains(&self.pair(end, begin));
        let advances = self.evidence.advanced.contains(&begin.sibling.path);
        if ends(begin.name()) == Some(Strength::Sure) {
            return false;
        }
        // Pointers to structs may equally be links between them.
        if matches!(begin.kind, Kind::Others(_)) {
            return forth && !back || met && advances;
        }
        match ends(end.name()) {
            Some(Strength::Sure) => forth || back || met || begin.index < end.index,
            Some(Strength::Perhaps) => forth,
            None => forth && !back && advances && begin.index < end.index,
        }
    }

    /// Members that are the length or capacity of another one.
    fn sizes(&self) -> Vec<Count> {
        let data = || self.members.iter().filter(|member| member.kind != Kind::Number);
        let is_only = data().count() == 1;
        let mut counts: Vec<Count> = Vec::new();
        for array in data() {
            let belongs = |number: &&Member<'_>| {
                let is_length = length(number.name()).is_some() || is_capacity(number.name());
                self.bounds(array, number)
                    || self.limits_index(array, number)
                    || is_length && self.counts(array, number)
                    || is_length && names_it(number.name(), array.name())
                    || is_length && is_only && is_array(array.name())
            };
            let is_taken =
                |number: &&Member<'_>| !counts.iter().any(|count| count.number == number.name());
            let numbers: Vec<&Member<'_>> =
                self.numbers().filter(belongs).filter(is_taken).collect();
            let capacity = capacity_among(&numbers);
            for number in &numbers {
                let is_it = capacity == Some(number.name());
                let mut count = self.count(number, vec![array.name().to_owned()]);
                count.is_capacity = is_it && array.kind != Kind::Array;
                count.most = capacity.filter(|_| !is_it).map(str::to_owned);
                counts.push(count);
            }
            let limits: Vec<&str> = numbers.iter().map(|number| number.name()).collect();
            counts.extend(self.positions(array, &limits, &counts));
        }
        counts
    }

    /// Whether the code reduces an index of an array by a number, as in a ring buffer.
    fn limits_index(&self, array: &Member<'_>, number: &Member<'_>) -> bool {
        let is_reduced = |index: &Member<'_>| {
            self.evidence.reduced.contains(&self.pair(index, number)) && is_position(index.name())
        };
        self.numbers().any(|index| self.counts(array, index) && is_reduced(index))
    }

    /// Members that are a position in an array. A position that is reduced by the number of
    /// elements, or restarts at zero, is below that number; one that is compared with it may be
    /// just past the last element.
    fn positions(&self, array: &Member<'_>, limits: &[&str], known: &[Count]) -> Vec<Count> {
        let is_known = |number: &Member<'_>| known.iter().any(|one| one.number == number.name());
        let mut counts = Vec::new();
        for index in self.numbers().filter(|index| self.counts(array, index)) {
            if is_known(index) || !is_position(index.name()) {
                continue;
            }
            let among = |related: &BTreeSet<(String, String)>| {
                let mut limits = self.numbers().filter(|number| limits.contains(&number.name()));
                limits.find(|number| related.contains(&self.pair(index, number)))
            };
            let reduced = among(&self.evidence.reduced);
            let starts_again = self.evidence.cleared.contains(&index.sibling.path);
            let limit = reduced.or_else(|| among(&self.evidence.against));
            let Some(limit) = limit else { continue };
            let mut count = self.count(index, vec![array.name().to_owned()]);
            count.most = Some(limit.name().to_owned());
            count.is_below = reduced.is_some() || starts_again;
            counts.push(count);
        }
        counts
    }
}

/// Whether a number may be a position. The number of elements may equal the capacity, even if the
/// code reduces its sum with a position.
fn is_position(name: &str) -> bool {
    length(name).is_none() && !is_capacity(name)
}

/// Which of several numbers is the capacity.
fn capacity_among<'n>(numbers: &[&'n Member<'_>]) -> Option<&'n str> {
    let named = numbers.iter().find(|number| is_capacity(number.name()));
    let size = || {
        let is_size = |number: &&&Member<'_>| number.name().to_ascii_lowercase().ends_with("size");
        numbers.iter().find(is_size).filter(|_| numbers.len() > 1)
    };
    named.or_else(size).map(|number| number.name())
}

/// `inside` is the struct that contains the members; pointers to the same type are links to
/// neighbours.
fn kind<'m>(
    module: &'m Module,
    ty: Option<DebugTypeId>,
    inside: Option<&DebugType>,
) -> Option<Kind<'m>> {
    match resolve(module, ty) {
        DebugType::Base {
            bits: 8..=64,
            encoding: Encoding::Signed | Encoding::Unsigned | Encoding::UnsignedChar,
            ..
        } => Some(Kind::Number),
        DebugType::Array { .. } => Some(Kind::Array),
        DebugType::Pointer { to } => match resolve(module, *to) {
            DebugType::Function { .. } => None,
            target @ (DebugType::Base { .. } | DebugType::Enum { .. } | DebugType::Void) => {
                Some(Kind::Numbers(target))
            }
            target if Some(target) == inside => None,
            target => Some(Kind::Others(target)),
        },
        _ => None,
    }
}
