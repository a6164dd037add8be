//! Replays partitions on native programs: whether all versions behave on an input as claimed for
//! its partition.
//!
//! Native runs are compared as in a comparison. A program that behaves differently each time, or
//! does not end, confirms nothing.

use exec::Stop;
use exec::undefined::UndefinedKind;
use explore::CellFrom;
use explore::cells::own_assignment;
use inputs::Test;
use source::{Sanitizer, SourceError};
use trace::Observe;

use crate::trial::{
    Fault, Native, Patience, Runner, Subject, complaint_of, first_complaint, natives_differ,
};

/// The result of replaying an input natively.
#[derive(Clone, Debug)]
pub enum Replay {
    /// It was not replayed.
    NotRun,
    /// The native programs agree and differ as claimed; their runs.
    Confirmed(Vec<Native>),
    Unconfirmed(Doubt, Vec<Native>),
}

/// Why native programs do not confirm a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Other versions agree than claimed: by version, those with the same number behave the same.
    Otherwise(Vec<usize>),
    /// Two runs of the same version differ.
    Undetermined,
    /// A version does not end in time.
    Endless,
}

/// The native programs of all versions.
pub(super) struct Natives<'a> {
    runners: Vec<Runner<'a>>,
    /// By version, the sources of its cells.
    cells: Vec<Option<&'a [CellFrom]>>,
    observe: &'a Observe,
    /// The same with the versions' own positions, if some have those of another.
    pub written: Option<Box<Natives<'a>>>,
}

impl<'a> Natives<'a> {
    pub fn new(
        subjects: &'a [Subject<'a>],
        cells: Vec<Option<&'a [CellFrom]>>,
        observe: &'a Observe,
    ) -> Natives<'a> {
        let runners = subjects.iter().map(Runner::new).collect();
        Natives { runners, cells, observe, written: None }
    }

    /// A fault of a version, with places.
    pub fn fault(&self, version: usize, stop: &Stop) -> Option<Fault> {
        self.runners[version].fault(stop)
    }

    /// Runs an input on all versions and checks the claim that those with the same number behave
    /// the same, and others do not.
    pub fn replay(&self, assignment: &[u64], claimed: &[usize]) -> Result<Replay, SourceError> {
        let natives = self.run(assignment)?;
        let doubt = match self.classes(assignment, claimed, &natives)? {
            None => Some(Doubt::Endless),
            Some(classes) if !is_same_division(&classes, claimed) => {
                Some(Doubt::Otherwise(classes))
            }
            Some(_) => None,
        };
        if doubt == Some(Doubt::Endless) {
            return Ok(Replay::Unconfirmed(Doubt::Endless, natives));
        }
        // A program that behaves differently each time shows nothing.
        if self.run(assignment)? != natives {
            return Ok(Replay::Unconfirmed(Doubt::Undetermined, natives));
        }
        Ok(match (doubt, &self.written) {
            (Some(doubt), _) => Replay::Unconfirmed(doubt, natives),
            (None, None) => Replay::Confirmed(natives),
            (None, Some(written)) => written.replay_written(assignment, claimed)?,
        })
    }

    /// The same for programs with their own positions: they may differ where others agree.
    fn replay_written(&self, assignment: &[u64], claimed: &[usize]) -> Result<Replay, SourceError> {
        let natives = self.run(assignment)?;
        let Some(classes) = self.classes(assignment, claimed, &natives)? else {
            return Ok(Replay::Unconfirmed(Doubt::Endless, natives));
        };
        let differ = |one: usize, other: usize| classes[one] != classes[other];
        let mut pairs = (0..claimed.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let agrees = pairs.all(|(one, other)| claimed[one] == claimed[other] || differ(one, other));
        Ok(if agrees {
            Replay::Confirmed(natives)
        } else {
            Replay::Unconfirmed(Doubt::Otherwise(classes), natives)
        })
    }

    fn run(&self, assignment: &[u64]) -> Result<Vec<Native>, SourceError> {
        let tests = self.tests(assignment);
        let runs = self.runners.iter().zip(&tests);
        runs.map(|(runner, test)| runner.run(test, Patience::Usual)).collect()
    }

    /// An input in the form for each version.
    fn tests(&self, assignment: &[u64]) -> Vec<Test> {
        let mut own = Vec::new();
        let test = |(runner, cells): (&Runner<'_>, &Option<&[CellFrom]>)| {
            let layout = &runner.subject.layout;
            own_assignment(layout, *cells, assignment, &mut own);
            let test = Test { input: layout.decode(&own), ..Test::default() };
            runner.subject.native_test(&test, &own)
        };
        self.runners.iter().zip(&self.cells).map(test).collect()
    }

    /// The reports of sanitizers for an input, by version; `None` if they cannot run.
    fn sanitize(&self, assignment: &[u64]) -> Result<Option<Vec<String>>, SourceError> {
        let tests = self.tests(assignment);
        let asked = self.runners.iter().zip(&tests);
        let ask = |(runner, test): (&Runner<'_>, &Test)| {
            runner.sanitize(test, Sanitizer::Behaviour, Patience::Little)
        };
        asked.map(ask).collect()
    }

    /// The first report of sanitizers, by version; `None` if they cannot run.
    pub fn complaints(
        &self,
        assignment: &[u64],
    ) -> Result<Option<Vec<Option<String>>>, SourceError> {
        let said = self.sanitize(assignment)?;
        Ok(said.map(|said| said.iter().map(|said| first_complaint(said)).collect()))
    }

    /// By version, those with the same number behave the same; `None` if one does not end. Versions
    /// that are claimed to differ may do so only in undefined operations.
    fn classes(
        &self,
        assignment: &[u64],
        claimed: &[usize],
        natives: &[Native],
    ) -> Result<Option<Vec<usize>>, SourceError> {
        if natives.iter().any(|native| native.status().is_none()) {
            return Ok(None);
        }
        let is_shown = |one: usize, other: usize| {
            natives_differ(self.observe, &natives[one], &natives[other]).is_some()
        };
        let shown = classes_by(natives.len(), is_shown);
        if !self.observe.ub || is_same_division(&shown, claimed) {
            return Ok(Some(shown));
        }
        let Some(said) = self.sanitize(assignment)? else { return Ok(Some(shown)) };
        let kinds =
            |said: &String| UndefinedKind::ALL.map(|kind| complaint_of(said, kind).is_some());
        let kinds: Vec<[bool; UndefinedKind::ALL.len()]> = said.iter().map(kinds).collect();
        let differ = |one: usize, other: usize| {
            is_shown(one, other) || claimed[one] != claimed[other] && kinds[one] != kinds[other]
        };
        Ok(Some(classes_by(natives.len(), differ)))
    }
}

/// Numbers versions so that each is in the class whose first member it does not differ from.
pub(super) fn classes_by(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut first: Vec<usize> = Vec::new();
    let class = |index: usize| match first.iter().position(|&other| !differ(other, index)) {
        Some(class) => class,
        None => {
            first.push(index);
            first.len() - 1
        }
    };
    (0..count).map(class).collect()
}

/// Whether two divisions are the same; numbers of classes do not matter.
pub(super) fn is_same_division(one: &[usize], other: &[usize]) -> bool {
    let pairs = |classes: &[usize]| -> Vec<bool> {
        let of = |(at, a): (usize, &usize)| -> Vec<bool> {
            classes[..at].iter().map(|b| a == b).collect()
        };
        classes.iter().enumerate().flat_map(of).collect()
    };
    one.len() == other.len() && pairs(one) == pairs(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_classes_do_not_matter() {
        assert!(is_same_division(&[0, 1, 0], &[5, 2, 5]));
        assert!(!is_same_division(&[0, 1, 0], &[0, 1, 1]));
        assert!(!is_same_division(&[0, 0], &[0, 0, 0]));
    }

    #[test]
    fn versions_that_show_the_same_are_in_one_class() {
        let shown = [3, 4, 3, 5, 4];
        assert_eq!(classes_by(5, |one, other| shown[one] != shown[other]), [0, 1, 0, 2, 1]);
    }
}
