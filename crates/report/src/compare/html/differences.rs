//! The differences, most severe first, with everything needed to judge each of them.

use std::collections::BTreeSet;

use base::Version;
use effects::compare::{Behaviour, Class, Compared, Witness};
use effects::trial::Place;
use maud::{Markup, html};

use super::anchors::Anchors;
use super::{beside, chain, visible};
use crate::compare::brief;
use crate::compare::differences::{differences, end};
use crate::compare::findings::undefined;
use crate::compare::{script_name, typed};
use crate::conditions::readable_condition;
use crate::counting::counted;
use crate::places::FaultAt;
use crate::places::position;
use crate::printable::{printable, source_line};
use crate::words;

/// Differences that are initially unfolded.
const OPEN: usize = 3;
/// The most bytes of an input, of a condition, and of the head of a difference.
const MOST_OF_INPUT: usize = 4 << 10;
const MOST_OF_HEAD: usize = 160;
/// The most changed statements of a version to list.
const MOST_REACHED: usize = 12;

pub fn section(compared: &Compared, anchors: &Anchors) -> Markup {
    let all = &compared.witnesses;
    if all.is_empty() {
        return html! { p { "No difference was found." } };
    }
    html! {
        @if all.len() > 1 { (filters(compared, anchors)) }
        div #list {
            @for (index, witness) in all.iter().enumerate() {
                (one(compared, witness, index, anchors))
            }
        }
    }
}

fn filters(compared: &Compared, anchors: &Anchors) -> Markup {
    let classes: BTreeSet<Class> = compared.witnesses.iter().map(|w| w.class).collect();
    let files: BTreeSet<String> =
        compared.witnesses.iter().flat_map(|witness| files_of(witness, anchors)).collect();
    html! {
        form.controls role="search" aria-label="Filter differences" {
            label { "Text " input #text type="search" autocomplete="off"; }
            label { "Kind "
                select #class {
                    option value="" { "all" }
                    @for class in &classes {
                        option value=(words::class_name(*class)) { (words::class(*class)) }
                    }
                }
            }
            label { "File "
                select #file {
                    option value="" { "all" }
                    @for file in &files { option { (file) } }
                }
            }
            button type="reset" { "Clear" }
            button #unfold type="button" { "Open all" }
            p #shown role="status" { (counted(compared.witnesses.len() as u64, "difference", "differences")) }
        }
    }
}

/// The files whose changed statements a witness executes, or that its chain contains.
fn files_of(witness: &Witness, anchors: &Anchors) -> Vec<String> {
    let mut places: Vec<&Place> = witness.reached.iter().flatten().collect();
    for link in witness.why.iter().flat_map(|why| &why.chain) {
        places.extend(link.old.iter().chain(&link.new));
    }
    let own = places.into_iter().filter(|place| {
        Version::BOTH.iter().any(|version| anchors.of_place(*version, place).is_some())
    });
    let names: BTreeSet<String> = own
        .filter_map(|place| place.file.as_ref())
        .map(|file| printable(file.as_bytes()))
        .collect();
    names.into_iter().collect()
}

fn one(compared: &Compared, witness: &Witness, index: usize, anchors: &Anchors) -> Markup {
    let number = index + 1;
    let input = typed(compared, &witness.test);
    let is_severe = witness.is_consistent()
        && matches!(witness.class, Class::FaultAppeared | Class::DoesNotEnd);
    html! {
        details.difference.severe[is_severe] id={ "d" (number) } open[index < OPEN]
            data-class=(words::class_name(witness.class))
            data-files=(files_of(witness, anchors).join("\n")) {
            summary {
                h3 {
                    span.number { (number) } " " (words::class(witness.class))
                    @if !witness.is_consistent() { " (only for inconsistent input)" }
                    " " code.head { (visible::text(input.as_bytes(), MOST_OF_HEAD)) }
                }
            }
            div.body { (body(compared, witness, index, &input, anchors)) }
        }
    }
}

fn body(
    compared: &Compared,
    witness: &Witness,
    index: usize,
    input: &str,
    anchors: &Anchors,
) -> Markup {
    html! {
        @for lapsed in compared.lapsed.iter().filter(|lapsed| lapsed.witness == index) {
            p.note { "This difference " (visible::text(words::lapsed(lapsed).as_bytes(), MOST_OF_INPUT)) "." }
        }
        h4 { "Input" }
        div.input {
            pre tabindex="0" { code { (visible::text(input.as_bytes(), MOST_OF_INPUT)) } }
            button.copy type="button" { "Copy" }
        }
        p.small {
            "Reproduce: " code { "sh " (script_name(index)) } " in the directory of this report builds \
            both versions and shows the difference."
        }
        h4 { "What differs" }
        (ends(compared, witness))
        @for difference in differences(compared, &witness.old, &witness.new) {
            (beside::table(&difference.name, difference.old, difference.new))
        }
        (fault("OLD", Version::Old, &witness.old, anchors))
        (fault("NEW", Version::New, &witness.new, anchors))
        @if let Some((golden, judgement)) = &witness.golden {
            p.note {
                (words::judgement(*judgement)) ". The golden version "
                (end(golden, compared.entry.is_some())) "."
            }
        }
        @if witness.undefined.is_some() {
            p.note { "Executes " (visible::text(undefined(witness).as_bytes(), MOST_OF_INPUT)) "." }
        }
        @if !witness.inconsistent.is_empty() {
            p.note { strong { "Only for inconsistent input" } ": "
                (visible::text(words::inconsistent(&witness.inconsistent).as_bytes(), MOST_OF_INPUT)) }
        }
        @if !witness.same.is_empty() {
            p.note { "It " (visible::text(words::needs_same(&witness.same).as_bytes(), MOST_OF_INPUT)) "." }
        }
        @if let Some(said) = &witness.undefined_behaviour {
            @let head = if witness.undefined.is_some() { "A sanitizer build reports" } else { "May be due to undefined behaviour" };
            p.note { strong { (head) } ": "
                (visible::text(said.as_bytes(), MOST_OF_INPUT)) }
        }
        @if let Some(words) = words::unlike(witness) {
            p.note { "Note: " (words) "." }
        }
        @if let Some(condition) = &witness.condition {
            h4 { "When" }
            (when(condition))
        }
        (chain::section(witness, anchors))
        (reached(witness, anchors))
        p.small { "Found " (brief::found(witness)) "." }
    }
}

/// The short conditions, and all of them on demand.
fn when(condition: &str) -> Markup {
    let short = readable_condition(condition);
    html! {
        p.condition { code { (visible::text(short.as_bytes(), MOST_OF_INPUT)) } }
        @if short != condition {
            details {
                summary { "The whole condition" }
                p.condition { code { (visible::text(condition.as_bytes(), MOST_OF_INPUT)) } }
            }
        }
    }
}

fn ends(compared: &Compared, witness: &Witness) -> Markup {
    let is_function = compared.entry.is_some();
    let [old, new] = [&witness.old, &witness.new].map(|behaviour| end(behaviour, is_function));
    html! {
        dl.ends.same[old == new] {
            div { dt { "OLD" } dd { (old) } }
            div { dt { "NEW" } dd { (new) } }
        }
    }
}

fn fault(name: &str, version: Version, behaviour: &Behaviour, anchors: &Anchors) -> Markup {
    let Some(fault) = &behaviour.fault else { return html! {} };
    let at = FaultAt(fault);
    html! {
        div.fault {
            p { strong { "Fault in " (name) } ": " (at.message()) }
            ul {
                @for place in fault.stack.iter().take(MOST_REACHED) {
                    li {
                        (anchors.link(version, place)) " in " (printable(place.function.as_bytes()))
                        @if let Some(text) = place.text.as_deref() {
                            ": " code { (cut_line(text)) }
                        }
                    }
                }
                @if fault.stack.len() > MOST_REACHED {
                    li { (fault.stack.len() - MOST_REACHED) " more calls" }
                }
                @for (place, what) in [(&fault.allocated, "allocated"), (&fault.freed, "freed")] {
                    @if let Some(place) = place {
                        @if !place.in_library { li { (what) " at " (anchors.link(version, place)) } }
                    }
                }
            }
            @if let Some(said) = &behaviour.sanitizer {
                p.small { "A sanitizer build reports: " (visible::text(said.as_bytes(), MOST_OF_INPUT)) }
            }
        }
    }
}

fn cut_line(text: &str) -> Markup {
    visible::text(source_line(text).trim_start().as_bytes(), MOST_OF_HEAD)
}

/// The changed statements that the witness executes.
fn reached(witness: &Witness, anchors: &Anchors) -> Markup {
    if witness.reached.iter().all(Vec::is_empty) {
        return html! {};
    }
    html! {
        h4 { "Changed statements executed" }
        ul.reached {
            @for (version, places) in Version::BOTH.into_iter().zip(&witness.reached) {
                @let lines = lines_of(places);
                @for place in lines.iter().take(MOST_REACHED) {
                    li.old[version == Version::Old] {
                        @if version == Version::Old { "− " } @else { "+ " }
                        (anchors.link(version, place)) ": "
                        code { (cut_line(place.text.as_deref().unwrap_or_default())) }
                    }
                }
                @if lines.len() > MOST_REACHED {
                    li { (lines.len() - MOST_REACHED) " more in " (words::version(version)) }
                }
            }
        }
    }
}

/// Each line once.
fn lines_of(places: &[Place]) -> Vec<&Place> {
    let mut seen = BTreeSet::new();
    places.iter().filter(|place| seen.insert(position(place))).collect()
}
