//! Witnesses as JSON: the input, the behaviour of both versions on it, and why.

use effects::compare::{
    Behaviour, Compared, Identity, Lapse, Lapsed, Link, Unconfirmed, Via, Witness,
};
use effects::trial::Place as SourcePlace;
use inputs::snapshot::Differing;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Spent, pairs, spent};
use crate::bytes::Bytes;
use crate::compare::differences::differences;
use crate::compare::findings::sentence;
use crate::compare::{script_name, typed};
use crate::hunks::HunkLines;
use crate::pieces::{known, raw};
use crate::places::FaultAt;
use crate::{native, words};

#[derive(Serialize)]
pub(super) struct WitnessOf {
    id: String,
    summary: String,
    functions: Vec<String>,
    lapsed: Option<LapsedOf>,
    input: Box<RawValue>,
    command: String,
    script: String,
    class: &'static str,
    observable: &'static str,
    differs: Vec<&'static str>,
    left: Vec<LeftOf>,
    old: BehaviourOf,
    new: BehaviourOf,
    golden: Option<GoldenOf>,
    reached: Sides,
    infected: Option<LinkOf>,
    unlike_machine: Vec<UnlikeOf>,
    why: Vec<LinkOf>,
    why_complete: bool,
    responsible: Sides,
    changes: Vec<HunkLines>,
    changes_minimal: bool,
    condition: Option<String>,
    undefined_behaviour: Option<String>,
    undefined: Option<UndefinedOf>,
    inconsistent: Vec<String>,
    same_object: Vec<[String; 2]>,
    found_by: &'static str,
    found_after: Spent,
    alike: usize,
}

/// The undefined operation that only one version executes.
#[derive(Serialize)]
struct UndefinedOf {
    version: &'static str,
    kind: &'static str,
    place: Place,
}

/// An observable in which the machine's run deviates from the native one.
#[derive(Serialize)]
struct UnlikeOf {
    version: &'static str,
    observable: &'static str,
}

/// An acceptance that does not hold for the witness.
#[derive(Serialize)]
struct LapsedOf {
    id: String,
    reason: String,
    expires: Option<String>,
    why: &'static str,
}

#[derive(Serialize)]
struct BehaviourOf {
    end: &'static str,
    number: Option<i32>,
    never_ends: bool,
    stdout: Bytes,
    stderr: Bytes,
    files: Vec<FileOf>,
    result: Option<String>,
    fault: Option<FaultOf>,
    sanitizer: Option<String>,
}

#[derive(Serialize)]
struct FileOf {
    name: String,
    content: Option<Bytes>,
}

#[derive(Serialize)]
struct FaultOf {
    kind: &'static str,
    message: String,
    place: Option<Place>,
    stack: Vec<Place>,
    allocated: Option<Place>,
    freed: Option<Place>,
}

#[derive(Serialize)]
struct GoldenOf {
    judgement: &'static str,
    behaviour: BehaviourOf,
}

#[derive(Serialize)]
struct Sides {
    old: Vec<Place>,
    new: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: String,
    text: Option<String>,
    in_library: bool,
}

/// A step of the chain from the change to the observable.
#[derive(Serialize)]
struct LinkOf {
    what: &'static str,
    name: Option<String>,
    function: Option<String>,
    old_instead: Option<String>,
    old: Option<Place>,
    new: Option<Place>,
    old_value: Option<String>,
    new_value: Option<String>,
    only: Option<&'static str>,
    changed: bool,
    via: Option<&'static str>,
    repeats: u32,
}

#[derive(Serialize)]
pub(super) struct UnconfirmedOf {
    input: Box<RawValue>,
    command: String,
    observable: &'static str,
    old: BehaviourOf,
    new: BehaviourOf,
}

pub(super) fn witness(compared: &Compared, witness: &Witness, index: usize) -> WitnessOf {
    let mut differs: Vec<&'static str> = Vec::new();
    let [old, new] = [&witness.old, &witness.new];
    if compared.observe.exit && old.native.status() != new.native.status() {
        differs.push("exit");
    }
    let shown = differences(compared, old, new);
    differs.extend(shown.iter().map(|one| one.observable.name()));
    differs.dedup();
    if witness.undefined.is_some() {
        differs.push("ub");
    }
    let sides = |[old, new]: &[Vec<SourcePlace>; 2]| Sides {
        old: old.iter().map(place).collect(),
        new: new.iter().map(place).collect(),
    };
    let (why, blame) = (witness.why.as_ref(), witness.blame.as_ref());
    let identity = Identity::of(witness);
    WitnessOf {
        id: identity.id(),
        summary: sentence(compared, witness),
        functions: identity.functions,
        lapsed: compared.lapsed.iter().find(|lapsed| lapsed.witness == index).map(lapsed),
        input: raw(&witness.test),
        command: typed(compared, &witness.test),
        script: script_name(index),
        class: words::class_name(witness.class),
        observable: witness.observable.name(),
        differs,
        left: witness.left.iter().map(LeftOf::of).collect(),
        old: behaviour(old),
        new: behaviour(new),
        golden: witness.golden.as_ref().map(|(golden, judgement)| GoldenOf {
            judgement: words::judgement_name(*judgement),
            behaviour: behaviour(golden),
        }),
        reached: sides(&witness.reached),
        infected: why.and_then(|why| why.infected.as_ref()).map(link),
        unlike_machine: witness
            .unlike
            .iter()
            .map(|unlike| UnlikeOf {
                version: words::version_name(unlike.version),
                observable: unlike.observable.name(),
            })
            .collect(),
        why: why.map(|why| why.chain.iter().map(link).collect()).unwrap_or_default(),
        why_complete: why.is_some_and(|why| why.complete && !why.truncated),
        responsible: sides(&witness.responsible),
        changes: blame.iter().flat_map(|blame| &blame.hunks).map(HunkLines::of).collect(),
        changes_minimal: blame.is_some_and(|blame| blame.is_minimal),
        condition: witness.condition.clone(),
        undefined_behaviour: witness.undefined_behaviour.clone(),
        undefined: witness.undefined.as_ref().map(|(version, operation)| UndefinedOf {
            version: words::version_name(*version),
            kind: words::undefined_name(operation.kind),
            place: place(&operation.place),
        }),
        inconsistent: witness.inconsistent.iter().map(ToString::to_string).collect(),
        same_object: pairs(&witness.same),
        found_by: witness.found_by,
        found_after: spent(&witness.found_after),
        alike: witness.alike,
    }
}

/// A place whose content differs after a call.
#[derive(Serialize)]
struct LeftOf {
    place: String,
    old: String,
    new: String,
    internal: bool,
}

impl LeftOf {
    fn of(one: &Differing) -> LeftOf {
        let Differing { place, old, new, is_internal } = one.clone();
        LeftOf { place, old, new, internal: is_internal }
    }
}

fn lapsed(lapsed: &Lapsed) -> LapsedOf {
    LapsedOf {
        id: lapsed.acceptance.id.clone(),
        reason: lapsed.acceptance.reason.clone(),
        expires: lapsed.acceptance.expires.clone(),
        why: match lapsed.why {
            Lapse::Expired => "expired",
            Lapse::Differs => "differs",
        },
    }
}

fn behaviour(behaviour: &Behaviour) -> BehaviourOf {
    let native = &behaviour.native;
    let file = |(name, content): &(String, Option<Vec<u8>>)| FileOf {
        name: name.clone(),
        content: content.as_deref().map(Bytes::of),
    };
    BehaviourOf {
        end: native::end_name(native.end),
        number: native::end_number(native.end),
        never_ends: behaviour.never_ends,
        stdout: Bytes::of(&native.stdout),
        stderr: Bytes::of(&native.stderr),
        files: native.files.iter().map(file).collect(),
        result: native.result.clone(),
        fault: behaviour.fault.as_ref().map(|fault| {
            let at = FaultAt(fault);
            FaultOf {
                kind: words::fault_name(&fault.kind),
                message: words::fault(&fault.kind, fault.local.as_deref()),
                place: at.blamed().map(place),
                stack: fault.stack.iter().map(place).collect(),
                allocated: fault.allocated.as_ref().map(place),
                freed: fault.freed.as_ref().map(place),
            }
        }),
        sanitizer: behaviour.sanitizer.clone(),
    }
}

fn place(place: &SourcePlace) -> Place {
    Place {
        file: place.file.clone(),
        line: known(place.line),
        column: known(place.column),
        function: place.function.clone(),
        text: place.text.clone(),
        in_library: place.in_library,
    }
}

pub(super) fn unconfirmed(compared: &Compared, unconfirmed: &Unconfirmed) -> UnconfirmedOf {
    UnconfirmedOf {
        input: raw(&unconfirmed.test),
        command: typed(compared, &unconfirmed.test),
        observable: unconfirmed.observable.name(),
        old: behaviour(&unconfirmed.old),
        new: behaviour(&unconfirmed.new),
    }
}

fn link(link: &Link) -> LinkOf {
    let (what, name, function) = words::step_name(&link.what);
    LinkOf {
        what,
        name,
        function,
        old_instead: link.old_what.as_ref().map(words::step),
        old: link.old.as_ref().map(place),
        new: link.new.as_ref().map(place),
        old_value: link.old_value.as_ref().map(ToString::to_string),
        new_value: link.new_value.as_ref().map(ToString::to_string),
        only: link.only.map(words::version_name),
        changed: link.changed,
        via: link.via.map(|via| match via {
            Via::Data => "data",
            Via::Control => "control",
        }),
        repeats: link.repeats,
    }
}
