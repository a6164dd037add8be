//! Which hunks are responsible for a difference: the smallest set found whose application to OLD
//! alone makes it behave like NEW. If only undefined operations differ, builds with a sanitizer
//! decide.
//!
//! Zeller's delta debugging over configurations, with a bound on how many are built. A
//! configuration that does not build shows nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use base::Version;
use exec::undefined::UndefinedKind;
use explore::Stopwatch;
use inputs::Test;
use source::{Checkout, Configurations, Hunk, HunkId, NativeProgram, Sanitizer};
use trace::Observe;
use trace::outcome::Observable;

use super::Witness;
use super::requests::Requests;
use crate::error::Error;
use crate::trial::{
    Native, Patience, Runner, Scope, Subject, complaint_of, natives_agree, sanitizer_of,
};

/// The most configurations to build for one witness.
const MOST_BUILDS: usize = 16;

/// The hunks that a witness needs.
#[derive(Clone, Debug, Default)]
pub struct Blame {
    pub hunks: Vec<Hunk>,
    /// Whether no hunk of the set can be left out; otherwise the bound was reached.
    pub is_minimal: bool,
    /// Configurations that were built.
    pub builds: usize,
}

pub(super) struct Blamer {
    configurations: Configurations,
    patience: Duration,
}

impl Blamer {
    pub fn new(requests: &Requests<'_>, patience: Duration) -> Result<Blamer, Error> {
        let request = requests.request;
        let loader = &request.scope.loader;
        let configurations =
            Configurations::new(request.old, request.new, loader.compiler, &loader.cflags)?;
        Ok(Blamer { configurations, patience })
    }

    /// Finds the hunks that make OLD behave like NEW on an input. `likely` are lines of NEW and of
    /// OLD that are known to matter, by file. `None` if there was no time to omit any of them.
    pub fn blame(
        &mut self,
        requests: &Requests<'_>,
        runner: &Runner<'_>,
        observe: &Observe,
        witness: &Witness,
        likely: [&[(String, u32)]; 2],
    ) -> Result<Option<Blame>, Error> {
        let all: Vec<HunkId> = self.configurations.hunks().iter().map(|hunk| hunk.id).collect();
        if all.len() < 2 {
            return Ok(Some(Blame { hunks: self.named(&all), is_minimal: true, builds: 0 }));
        }
        if witness.observable == Observable::Unwritten {
            // A single run of a configuration does not show which members it leaves unwritten.
            return Ok(None);
        }
        let watch = Stopwatch::start();
        let patience = self.patience;
        let mut known: BTreeMap<Vec<HunkId>, bool> = BTreeMap::new();
        let mut builds = 0;
        let mut shows = |configurations: &mut Configurations, applied: &[HunkId]| {
            if let Some(&known) = known.get(applied) {
                return Ok::<Option<bool>, Error>(Some(known));
            }
            if builds >= MOST_BUILDS || watch.elapsed() > patience {
                return Ok(None);
            }
            builds += 1;
            let checkout = configurations.materialize(applied)?;
            if let Some((version, operation)) = &witness.undefined {
                let complains = complains(requests, runner, checkout, witness, operation.kind)?;
                let shown = complains.map(|complains| complains == (*version == Version::New));
                known.insert(applied.to_vec(), shown == Some(true));
                return Ok(Some(shown == Some(true)));
            }
            let native = native(requests, runner, checkout, witness)?;
            // It may be as slow as NEW, which had more time.
            let is_late = |native: &Native| native.status().is_none();
            if native.as_ref().is_some_and(is_late) && !is_late(&witness.new.native) {
                return Ok(None);
            }
            let is_as_new = |native: Native| natives_agree(observe, &native, &witness.new.native);
            let shown = native.is_some_and(is_as_new);
            known.insert(applied.to_vec(), shown);
            Ok(Some(shown))
        };
        let likely: Vec<HunkId> = self
            .configurations
            .hunks()
            .iter()
            .filter(|hunk| is_likely(hunk, likely))
            .map(|hunk| hunk.id)
            .collect();
        let count = all.len();
        let mut current = all;
        if likely.len() < current.len()
            && !likely.is_empty()
            && shows(&mut self.configurations, &likely)? == Some(true)
        {
            current = likely;
        }
        let mut is_minimal = true;
        let mut parts = 2;
        while current.len() > 1 {
            let size = current.len().div_ceil(parts);
            let mut smaller = None;
            let chunks: Vec<Vec<HunkId>> = current.chunks(size).map(<[HunkId]>::to_vec).collect();
            let rests = chunks.iter().map(|chunk| {
                current.iter().copied().filter(|hunk| !chunk.contains(hunk)).collect()
            });
            let rests: Vec<Vec<HunkId>> = rests.collect();
            for candidate in chunks.iter().chain(&rests) {
                if candidate.is_empty() || candidate.len() == current.len() {
                    continue;
                }
                match shows(&mut self.configurations, candidate)? {
                    Some(true) => {
                        smaller = Some(candidate.clone());
                        break;
                    }
                    Some(false) => {}
                    None => is_minimal = false,
                }
            }
            match smaller {
                Some(smaller) => {
                    current = smaller;
                    parts = 2;
                }
                None if parts >= current.len() => break,
                None => parts = (parts * 2).min(current.len()),
            }
        }
        let is_known = is_minimal || current.len() < count;
        Ok(is_known.then(|| Blame { hunks: self.named(&current), is_minimal, builds }))
    }

    fn named(&self, hunks: &[HunkId]) -> Vec<Hunk> {
        let all = self.configurations.hunks().iter();
        all.filter(|hunk| hunks.contains(&hunk.id)).cloned().collect()
    }
}

/// The native run of a configuration on the input of a witness; `None` if it does not build, or
/// does not accept the input.
pub(super) fn native(
    requests: &Requests<'_>,
    runner: &Runner<'_>,
    checkout: &Checkout,
    witness: &Witness,
) -> Result<Option<Native>, Error> {
    native_on(requests, runner, checkout, [&witness.test, &witness.native_tests[1]])
}

/// The same on a test, given as such and in the form for NEW's native program.
pub(crate) fn native_on(
    requests: &Requests<'_>,
    runner: &Runner<'_>,
    checkout: &Checkout,
    tests: [&Test; 2],
) -> Result<Option<Native>, Error> {
    let Some((program, test)) = built(requests, checkout, tests, None) else { return Ok(None) };
    Ok(Some(runner.run_program(&program, &test, Patience::Little)?))
}

/// Whether a sanitizer reports that a configuration executes an undefined operation of a kind on
/// the input of a witness; `None` if unknown.
pub(crate) fn complains(
    requests: &Requests<'_>,
    runner: &Runner<'_>,
    checkout: &Checkout,
    witness: &Witness,
    kind: UndefinedKind,
) -> Result<Option<bool>, Error> {
    let sanitizer = Some(sanitizer_of(kind));
    let tests = [&witness.test, &witness.native_tests[1]];
    let built = built(requests, checkout, tests, sanitizer);
    let Some((program, test)) = built else { return Ok(None) };
    let said = runner.ask(&program, &test, Patience::Little)?;
    Ok(said.map(|said| complaint_of(&said, kind).is_some()))
}

/// The native program of a configuration, and a test in its form.
fn built(
    requests: &Requests<'_>,
    checkout: &Checkout,
    [test, native_test]: [&Test; 2],
    sanitizer: Option<Sanitizer>,
) -> Option<(NativeProgram, Test)> {
    let Scope { loader, entry, .. } = &requests.request.scope;
    let compiler = checkout.compiler(loader.compiler);
    if entry.is_none() {
        let program = compiler.build_sanitized(&checkout.files, &loader.cflags, sanitizer).ok()?;
        return Some((program, native_test.clone()));
    }
    // A harness names its file and fits its function, and a configuration has its own of both.
    let target = requests.pairing.other(&compiler, &checkout.files);
    let subject = Subject::load(&target).ok()?;
    let assignment = subject.layout.encode(&test.input).ok()?;
    let program = match sanitizer {
        Some(sanitizer) => subject.sanitized(sanitizer)?,
        None => subject.native.clone(),
    };
    Some((program, subject.native_test(test, &assignment)))
}

/// Whether a hunk contains one of the lines.
fn is_likely(hunk: &Hunk, [old, new]: [&[(String, u32)]; 2]) -> bool {
    let holds = |file: &std::path::Path, lines: &source::Lines, wanted: &[(String, u32)]| {
        wanted.iter().any(|(name, line)| {
            file.as_os_str() == name.as_str() && (lines.contains(*line) || lines.count == 0)
        })
    };
    holds(&hunk.old_file, &hunk.old, old) || holds(&hunk.new_file, &hunk.new, new)
}
