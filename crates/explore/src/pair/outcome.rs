//! What a run showed to a user, and whether two runs showed the same.

use exec::Stop;
use exec::libc::vfs::Vfs;
use exec::stop::Bound;
use regex::bytes::Regex;

/// A stream, a file or an end that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Observable {
    Exit,
    Stdout,
    Stderr,
    Files,
    /// What a function returned and left in memory.
    Result,
}

/// What counts as a difference.
#[derive(Clone, Debug)]
pub struct Observe {
    pub exit: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub files: bool,
    pub result: bool,
    /// Whether versions have their own `__LINE__` and the like, rather than OLD's.
    pub positions: bool,
    /// Matches of these are cut out of texts before they are compared.
    pub ignore: Vec<Regex>,
    /// Numbers in texts that are at most this many units in the last place of a `double` apart
    /// count as the same.
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
            positions: false,
            ignore: Vec::new(),
            tolerance: 0,
        }
    }
}

/// How a run ended, as far as a user can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By itself or by a signal, with this status as a shell tells it.
    Status(i32),
    /// In a fault that natively may mean this signal.
    Fault(i32),
    /// Not within its bounds.
    Endless,
    /// Nobody knows: something is not supported, or memory ran out.
    Unknown,
}

impl Ending {
    pub fn of(stop: &Stop) -> Ending {
        match stop {
            Stop::Fault(fault) => Ending::Fault(fault.kind.signal()),
            Stop::Exhausted(Bound::Steps | Bound::Output) => Ending::Endless,
            Stop::Exhausted(_) | Stop::Unsupported(_) => Ending::Unknown,
            Stop::Exit(_) | Stop::Signal(_) => {
                stop.status().map_or(Ending::Unknown, Ending::Status)
            }
        }
    }
}

impl Ending {
    /// The same without what may be another number on every input: whether the status is zero
    /// is all that is left of it.
    pub fn sort(self) -> Ending {
        match self {
            Ending::Status(status) => Ending::Status(status.signum()),
            other => other,
        }
    }
}

/// What a run showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files that are not as they were given; `None` for those that are gone.
    pub files: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    pub result: Option<String>,
    /// Whether it read memory that was never written, so that what it does is not determined.
    pub reads_unwritten: bool,
}

impl Outcome {
    pub fn ending(&self) -> Ending {
        Ending::of(&self.stop)
    }
}

/// What is seen of a run without copying it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub ending: Ending,
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
    pub files: &'a Vfs,
    pub result: Option<&'a str>,
}

impl Observe {
    /// The first thing that differs, the most telling first.
    pub fn difference(&self, old: &Seen<'_>, new: &Seen<'_>) -> Option<Observable> {
        if old.ending == Ending::Unknown || new.ending == Ending::Unknown {
            return None;
        }
        if (old.ending, new.ending) == (Ending::Endless, Ending::Endless) {
            return None;
        }
        let is_cut_off = old.ending == Ending::Endless || new.ending == Ending::Endless;
        if self.exit && (is_cut_off || old.ending != new.ending) {
            return Some(Observable::Exit);
        }
        if is_cut_off {
            return None;
        }
        if self.stdout && self.texts_differ(old.stdout, new.stdout) {
            return Some(Observable::Stdout);
        }
        if self.stderr && self.texts_differ(old.stderr, new.stderr) {
            return Some(Observable::Stderr);
        }
        if self.result && old.result != new.result {
            return Some(Observable::Result);
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
                return Some(Observable::Files);
            }
        }
        None
    }

    /// Whether two texts differ in something that counts.
    pub fn texts_differ(&self, old: &[u8], new: &[u8]) -> bool {
        if old == new {
            return false;
        }
        if self.ignore.is_empty() && self.tolerance == 0 {
            return true;
        }
        self.first_difference(old, new).is_some()
    }

    /// Where two texts differ first in something that counts, in either of them.
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

/// What is left of a text, and where each byte and the end were in it.
#[derive(Default)]
struct Kept {
    text: Vec<u8>,
    positions: Vec<usize>,
}

/// A file's name and contents; nothing if it is gone.
pub type File = (Vec<u8>, Option<Vec<u8>>);

/// Files that a run made, changed or removed.
pub fn files_of(vfs: &Vfs) -> Vec<File> {
    let changes = vfs.changes().into_iter();
    changes.map(|change| (change.path, change.content.map(|bytes| bytes.to_vec()))).collect()
}

/// Where two texts differ first but for numbers that are close to each other.
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

/// How many numbers of type `double` lie between two of them.
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
