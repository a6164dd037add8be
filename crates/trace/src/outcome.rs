//! The observable result of a run, and whether two runs have the same.

use exec::Stop;
use exec::libc::vfs::Vfs;
use exec::stop::Bound;
use exec::undefined::{UndefinedKind, UndefinedOperations};
use inputs::Snapshot;
use inputs::snapshot::{ByValue, Comparer, Comparison, Incomparable, Values};
use regex::bytes::Regex;

use base::Version;

/// A stream, a file or an end that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Observable {
    Exit,
    Stdout,
    Stderr,
    Files,
    /// What a function returned and left in memory.
    Result,
    /// Whether the run is defined, which users do not see.
    Undefined,
    /// Whether a function wrote a member that it left, which may vary from run to run.
    Unwritten,
}

impl Observable {
    /// The same as in the flag `--observe`. Users keep it in files, so it never changes.
    pub fn name(self) -> &'static str {
        match self {
            Observable::Exit => "exit",
            Observable::Stdout => "stdout",
            Observable::Stderr => "stderr",
            Observable::Files => "files",
            Observable::Result => "result",
            Observable::Undefined => "ub",
            Observable::Unwritten => "unwritten",
        }
    }

    /// Whether users may see nothing of it.
    pub fn is_silent(self) -> bool {
        matches!(self, Observable::Undefined | Observable::Unwritten)
    }
}

/// What counts as a difference.
#[derive(Clone, Debug)]
pub struct Observe {
    pub exit: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub files: bool,
    /// The result of a function, with everything reachable from it.
    pub result: bool,
    /// Everything reachable from a function's parameters.
    pub memory: bool,
    /// Global variables that a function may write to, with everything reachable from them.
    pub globals: bool,
    /// Static variables among them, which no other file sees.
    pub internal: bool,
    /// Heap blocks that are unreachable after a call.
    pub leaks: bool,
    /// Whether NaNs are distinguished by their bits.
    pub nan_bits: bool,
    /// Whether undefined operations count that only one version executes.
    pub ub: bool,
    /// Whether versions have their own `__LINE__` and the like, rather than OLD's.
    pub positions: bool,
    /// Matches of these are cut out of texts before they are compared.
    pub ignore: Vec<Regex>,
    /// Numbers in texts at most this many units in the last place of a `double` apart count as
    /// equal.
    pub tolerance: u64,
}

impl Default for Observe {
    fn default() -> Observe {
        Observe {
            exit: true,
            stdout: true,
            stderr: true,
            files: true,
            result: true,
            memory: true,
            globals: true,
            internal: true,
            leaks: false,
            nan_bits: false,
            ub: false,
            positions: false,
            ignore: Vec::new(),
            tolerance: 0,
        }
    }
}

/// How a run ended, as far as a user can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By itself or by a signal, with this status as a shell reports it.
    Status(i32),
    /// In a fault that may raise this signal in a native run.
    Fault(i32),
    /// Never: this is proved, not only a timeout.
    Endless,
    /// Not within its bounds of steps and output. It may end later or not.
    Unfinished,
    /// Unknown: something is not supported, or memory ran out.
    Unknown,
}

impl Ending {
    pub fn of(stop: &Stop) -> Ending {
        match stop {
            Stop::Fault(fault) => Ending::Fault(fault.kind.signal()),
            Stop::Exhausted(Bound::Steps | Bound::Output) => Ending::Unfinished,
            Stop::Exhausted(_) | Stop::Unsupported(_) => Ending::Unknown,
            Stop::Exit(_) | Stop::Signal(_) => {
                stop.status().map_or(Ending::Unknown, Ending::Status)
            }
        }
    }
}

impl Ending {
    /// Whether it is known how the run ends, or that it never does.
    pub fn is_known(self) -> bool {
        !matches!(self, Ending::Unfinished | Ending::Unknown)
    }

    /// The same without the exact status, which may differ on every input: only whether it is zero.
    pub fn sort(self) -> Ending {
        match self {
            Ending::Status(status) => Ending::Status(status.signum()),
            other => other,
        }
    }
}

/// The observable result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files that differ from those given; `None` for removed ones.
    pub files: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// The state that a function left when it returned.
    pub result: Option<Snapshot>,
    /// Whether it read uninitialised memory, so that its behaviour is not determined.
    pub reads_unwritten: bool,
    /// Undefined operations that it executed.
    pub undefined: UndefinedOperations,
    /// Whether it is proved that it never ends.
    pub never_ends: bool,
    /// Steps that it made.
    pub steps: u64,
}

impl Outcome {
    pub fn ending(&self) -> Ending {
        match &self.result {
            // The harness ends with 0 if the function returns.
            Some(_) => Ending::Status(0),
            None if self.never_ends => Ending::Endless,
            None => Ending::of(&self.stop),
        }
    }
}

/// The observable result of a run without copying it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub ending: Ending,
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
    pub files: &'a Vfs,
    /// The state that a function left when it returned.
    pub result: Option<inputs::snapshot::Side<'a>>,
    pub undefined: &'a UndefinedOperations,
}

/// The result of comparing two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contrast {
    Same,
    /// What differs, the most significant first.
    Differs(Observable),
    /// One version never wrote a member that the other did, and nothing else differs.
    Unwritten(Incomparable),
    /// No difference in the part that can be compared.
    Unclear(Incomparable),
}

impl Contrast {
    pub fn differs(&self) -> Option<Observable> {
        match self {
            Contrast::Differs(observable) => Some(*observable),
            Contrast::Unwritten(_) => Some(Observable::Unwritten),
            Contrast::Same | Contrast::Unclear(_) => None,
        }
    }
}

impl Observe {
    /// Which parts of a function's result count.
    pub fn values(&self) -> Values {
        let Observe { result, memory, globals, internal, leaks, nan_bits, .. } = *self;
        Values { result, memory, globals, internal, leaks, nan_bits }
    }

    /// The first difference, the most significant first.
    pub fn contrast(&self, old: &Seen<'_>, new: &Seen<'_>, comparer: &mut Comparer) -> Contrast {
        if !old.ending.is_known() || !new.ending.is_known() {
            return Contrast::Same;
        }
        if (old.ending, new.ending) == (Ending::Endless, Ending::Endless) {
            return Contrast::Same;
        }
        let is_cut_off = old.ending == Ending::Endless || new.ending == Ending::Endless;
        if self.exit && (is_cut_off || old.ending != new.ending) {
            return Contrast::Differs(Observable::Exit);
        }
        if is_cut_off {
            return Contrast::Same;
        }
        if self.stdout && self.texts_differ(old.stdout, new.stdout) {
            return Contrast::Differs(Observable::Stdout);
        }
        if self.stderr && self.texts_differ(old.stderr, new.stderr) {
            return Contrast::Differs(Observable::Stderr);
        }
        let left = match (old.result, new.result) {
            (Some(old), Some(new)) => {
                let (values, mut judge) = (self.values(), ByValue { nan_bits: self.nan_bits });
                comparer.compare(old, new, &values, &mut judge)
            }
            (None, None) => Comparison::Same,
            // One returned, and the other ended the program.
            _ if self.exit || self.result => Comparison::Different,
            _ => Comparison::Same,
        };
        if left == Comparison::Different {
            return Contrast::Differs(Observable::Result);
        }
        if self.files {
            let (old, new) = (files_of(old.files), files_of(new.files));
            let same = |((name, old), (other, new)): (&File, &File)| {
                name == other
                    && match (old, new) {
                        (Some(old), Some(new)) => !self.texts_differ(old, new),
                        (old, new) => old.is_none() && new.is_none(),
                    }
            };
            if old.len() != new.len() || !old.iter().zip(&new).all(same) {
                return Contrast::Differs(Observable::Files);
            }
        }
        if self.ub && only_undefined(old.undefined, new.undefined).is_some() {
            return Contrast::Differs(Observable::Undefined);
        }
        match left {
            Comparison::Unclear(reason) if !comparer.unwritten().is_empty() => {
                Contrast::Unwritten(reason)
            }
            Comparison::Unclear(reason) => Contrast::Unclear(reason),
            Comparison::Same | Comparison::Different => Contrast::Same,
        }
    }

    /// Whether two texts differ in a way that counts.
    pub fn texts_differ(&self, old: &[u8], new: &[u8]) -> bool {
        if old == new {
            return false;
        }
        if self.ignore.is_empty() && self.tolerance == 0 {
            return true;
        }
        self.first_difference(old, new).is_some()
    }

    /// Where two texts first differ in a way that counts, in either of them.
    pub fn first_difference(&self, old: &[u8], new: &[u8]) -> Option<[usize; 2]> {
        if self.ignore.is_empty() {
            return first_apart(old, new, self.tolerance);
        }
        let (old, new) = (self.without_ignored(old), self.without_ignored(new));
        let [old_at, new_at] = first_apart(&old.text, &new.text, self.tolerance)?;
        Some([old.positions[old_at], new.positions[new_at]])
    }

    fn without_ignored(&self, text: &[u8]) -> Kept {
        let mut kept = Kept { text: text.to_vec(), positions: (0..=text.len()).collect() };
        for ignored in &self.ignore {
            let mut rest = Kept::default();
            let mut from = 0;
            for found in ignored.find_iter(&kept.text) {
                rest.text.extend(&kept.text[from..found.start()]);
                rest.positions.extend(&kept.positions[from..found.start()]);
                from = found.end();
            }
            rest.text.extend(&kept.text[from..]);
            rest.positions.extend(&kept.positions[from..]);
            kept = rest;
        }
        kept
    }
}

/// A kind of undefined operations that only one version executed, NEW first. Uninitialised reads
/// come last: they may not matter, which no sanitizer confirms.
pub fn only_undefined(
    old: &UndefinedOperations,
    new: &UndefinedOperations,
) -> Option<(Version, UndefinedKind)> {
    if old.is_empty() && new.is_empty() {
        return None;
    }
    let only = |one: &UndefinedOperations, other: &UndefinedOperations, is_unwritten: bool| {
        let kinds = one.places().iter().map(|(kind, _)| *kind);
        let mut kinds =
            kinds.filter(|&kind| (kind == UndefinedKind::Uninitialised) == is_unwritten);
        kinds.find(|&kind| other.first(kind).is_none())
    };
    [false, true].into_iter().find_map(|is_unwritten| {
        let appeared = only(new, old, is_unwritten).map(|kind| (Version::New, kind));
        appeared.or_else(|| only(old, new, is_unwritten).map(|kind| (Version::Old, kind)))
    })
}

/// What is left of a text, and where each byte and the end were in it.
#[derive(Default)]
struct Kept {
    text: Vec<u8>,
    positions: Vec<usize>,
}

/// A file's name and contents; `None` if it was removed.
pub type File = (Vec<u8>, Option<Vec<u8>>);

/// Files that a run made, changed or removed.
pub fn files_of(vfs: &Vfs) -> Vec<File> {
    let changes = vfs.changes().into_iter();
    changes.map(|change| (change.path, change.content.map(|bytes| bytes.to_vec()))).collect()
}

/// Where two texts first differ, apart from numbers that are close to each other.
fn first_apart(old: &[u8], new: &[u8], ulps: u64) -> Option<[usize; 2]> {
    let (mut old_rest, mut new_rest) = (old, new);
    loop {
        let same = old_rest.iter().zip(new_rest).take_while(|(a, b)| a == b).count();
        if same == old_rest.len() && same == new_rest.len() {
            return None;
        }
        let (old_at, new_at) =
            (old.len() - old_rest.len() + same, new.len() - new_rest.len() + same);
        let apart = Some([old_at, new_at]);
        if ulps == 0 {
            return apart;
        }
        let (Some(a), Some(b)) = (number_around(old, old_at), number_around(new, new_at)) else {
            return apart;
        };
        if distance(a.value, b.value) > ulps || a.end <= old_at && b.end <= new_at {
            return apart;
        }
        old_rest = &old[a.end.max(old_at)..];
        new_rest = &new[b.end.max(new_at)..];
    }
}

struct Number {
    value: f64,
    end: usize,
}

/// The number that a place in a text belongs to.
fn number_around(text: &[u8], at: usize) -> Option<Number> {
    let part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let start = at - text[..at].iter().rev().take_while(|byte| part(byte)).count();
    let end = at + text[at..].iter().take_while(|byte| part(byte)).count();
    let value = std::str::from_utf8(&text[start..end]).ok()?.parse().ok()?;
    Some(Number { value, end })
}

/// The number of `double` values between two of them.
fn distance(a: f64, b: f64) -> u64 {
    let ordered = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
    };
    ordered(a).abs_diff(ordered(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_within_the_tolerance_are_the_same() {
        let observe = |tolerance| Observe { tolerance, ..Observe::default() };
        let (old, new) = (b"mean 0.1 of 3".as_slice(), b"mean 0.10000000000000002 of 3".as_slice());
        assert!(observe(0).texts_differ(old, new));
        assert!(!observe(2).texts_differ(old, new));
        assert!(observe(2).texts_differ(b"mean 0.1", b"mean 0.2"));
        assert!(observe(2).texts_differ(b"mean 0.1", b"mode 0.1"));
        assert!(observe(2).texts_differ(b"1 2", b"1 2 3"));
    }

    #[test]
    fn what_is_ignored_does_not_differ() {
        let ignore = vec![Regex::new("v[0-9]+").expect("it is a regular expression")];
        let observe = Observe { ignore, ..Observe::default() };
        assert!(!observe.texts_differ(b"tool v1\n", b"tool v23\n"));
        assert!(observe.texts_differ(b"tool v1\n", b"tool v1 \n"));
    }
}
