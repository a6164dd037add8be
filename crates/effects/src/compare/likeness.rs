//! Whether runs of the machine match the native runs on an input.
//!
//! Explanations are made from runs of the machine. If these deviate from the native runs, for
//! example because a program requests something that only one of them has, they explain behaviour
//! that nobody sees.

use base::Version;
use exec::Stop;
use inputs::Harness;
use source::End;
use trace::outcome::Observable;
use trace::{Observe, Outcome};

use super::Witness;
use super::confirm::Behaviour;
use crate::trial::{self, File, agree};

/// The directory of a run's files on the machine.
const DIRECTORY: &[u8] = b"/home/user/";

/// An observable in which a run of the machine deviates from the native run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlike {
    pub version: Version,
    pub observable: Observable,
}

/// In which observables runs of OLD and NEW on the machine deviate from the native ones.
pub(super) fn unlike(
    observe: &Observe,
    harnesses: [Option<&Harness>; 2],
    outcomes: &[Outcome; 2],
    natives: [&Behaviour; 2],
) -> Vec<Unlike> {
    let of = |version: Version| {
        let (outcome, native) = (&outcomes[version], natives[version]);
        let of = move |observable| Unlike { version, observable };
        unlike_in(observe, harnesses[version], outcome, native).into_iter().map(of)
    };
    Version::BOTH.into_iter().flat_map(of).collect()
}

fn unlike_in(
    observe: &Observe,
    harness: Option<&Harness>,
    outcome: &Outcome,
    behaviour: &Behaviour,
) -> Vec<Observable> {
    let native = &behaviour.native;
    let is_left_alike = match (harness.zip(outcome.result.as_ref()), &native.result) {
        (Some((harness, left)), Some(said)) => agree(&harness.text_of(left), said),
        (left, said) => left.is_some() == said.is_some(),
    };
    match &outcome.stop {
        // The behaviour of a native program after a fault is undefined, and a run without an end
        // cannot be compared.
        Stop::Fault(_) => {
            let is_noticed =
                matches!(native.end, End::Signaled(_)) || behaviour.sanitizer.is_some();
            return if is_noticed { Vec::new() } else { vec![Observable::Exit] };
        }
        _ if outcome.never_ends && native.status().is_none() => return Vec::new(),
        // The rest of the run is missing.
        Stop::Unsupported(_) | Stop::Exhausted(_) => {
            return [
                Observable::Exit,
                Observable::Stdout,
                Observable::Stderr,
                Observable::Result,
                Observable::Files,
            ]
            .to_vec();
        }
        Stop::Exit(_) | Stop::Signal(_) => {}
    }
    // The harness ends with 0 if the function returns.
    let status = outcome.result.as_ref().map_or_else(|| outcome.stop.status(), |_| Some(0));
    let all = [
        (Observable::Exit, observe.exit && status != native.status()),
        (
            Observable::Stdout,
            observe.stdout && observe.texts_differ(&outcome.stdout, &native.stdout),
        ),
        (
            Observable::Stderr,
            observe.stderr && observe.texts_differ(&outcome.stderr, &native.stderr),
        ),
        (Observable::Result, observe.result && !is_left_alike),
        (Observable::Files, observe.files && files_differ(observe, outcome, &native.files)),
    ];
    all.into_iter().filter(|(_, differs)| *differs).map(|(observable, _)| observable).collect()
}

/// Native runs tell nothing about files outside of the directory of the run.
fn files_differ(observe: &Observe, outcome: &Outcome, natives: &[File]) -> bool {
    let own = |(path, content): &(Vec<u8>, Option<Vec<u8>>)| {
        let name = path.strip_prefix(DIRECTORY)?;
        Some((String::from_utf8_lossy(name).into_owned(), content.clone()))
    };
    let mut files: Vec<File> = outcome.files.iter().filter_map(own).collect();
    // A directory is no file in a native run, and has no content here.
    files.retain(|(name, content)| {
        content.is_some() || natives.iter().any(|(native, _)| native == name)
    });
    files.sort();
    trial::files_differ(observe, &files, natives)
}

/// Which part of a witness to explain: everything, or only what differs natively and is the same on
/// the machine. `None` if that is something else there.
pub(super) fn explained_by(observe: &Observe, witness: &Witness) -> Option<Observe> {
    if witness.unlike.is_empty() {
        return Some(observe.clone());
    }
    let observable = witness.observable;
    if witness.unlike.iter().any(|unlike| unlike.observable == observable) {
        return None;
    }
    Some(Observe {
        exit: observable == Observable::Exit,
        stdout: observable == Observable::Stdout,
        stderr: observable == Observable::Stderr,
        files: observable == Observable::Files,
        result: observable == Observable::Result,
        ..observe.clone()
    })
}
