//! Changes as JSON, for programs. `docs/changes.md` says what the members mean.

use effects::versions::{
    BuildDependences, Cause, CauseKind, ChangedFunction, ChangedGlobal, ChangedRegion,
    ChangedStatement, Changes, Direction, HunkEffect, HunkMeaning, Inactive, NamedFunction, Needs,
    NotAChange, Place, RegionLines, Why,
};
use serde::Serialize;

use super::{effect_word, kind_word};
use crate::hunks::{ConditionOf, HunkLines, conditions, number, status_name};

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.changes/1";
/// The same under an older name, kept for programs that read it.
const FORMAT: &str = "ripple changes 1";

/// The report as JSON; ends with a newline.
pub fn json(changes: &Changes) -> String {
    crate::pieces::written(&Report::of(changes))
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    format: &'static str,
    old: &'a str,
    new: &'a str,
    changed: bool,
    #[serde(flatten)]
    changes: Changed<'a>,
    hunks: Vec<Hunk<'a>>,
    configurations: Option<Configurations>,
}

/// What changed, statement by statement, and what did not.
#[derive(Serialize)]
pub(crate) struct Changed<'a> {
    functions: Vec<Function<'a>>,
    added_functions: Vec<OneSided<'a>>,
    removed_functions: Vec<OneSided<'a>>,
    globals: Vec<Global<'a>>,
    not_changes: Vec<Same<'a>>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    place: Option<Location<'a>>,
    signature_changed: bool,
    statements: Vec<Statement<'a>>,
    regions: Vec<Region<'a>>,
}

#[derive(Serialize)]
struct Region<'a> {
    changes: &'a [usize],
    old: Option<Span<'a>>,
    new: Option<Span<'a>>,
}

#[derive(Serialize)]
struct Span<'a> {
    file: &'a str,
    first: u32,
    last: u32,
}

#[derive(Serialize)]
struct Statement<'a> {
    number: usize,
    kind: &'static str,
    old: Option<Location<'a>>,
    old_text: Option<&'a str>,
    new: Option<Location<'a>>,
    new_text: Option<&'a str>,
    why: Option<&'static str>,
    uses: &'a [String],
    cause: Option<CauseOf<'a>>,
}

#[derive(Serialize)]
struct CauseOf<'a> {
    kind: &'static str,
    name: &'a str,
    old: &'a str,
    new: &'a str,
}

#[derive(Serialize)]
pub(crate) struct Location<'a> {
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct OneSided<'a> {
    name: &'a str,
    place: Option<Location<'a>>,
}

#[derive(Serialize)]
struct Global<'a> {
    name: &'a str,
    kind: &'static str,
}

#[derive(Serialize)]
struct Same<'a> {
    name: &'a str,
    place: Option<Location<'a>>,
    renamed: Vec<Renamed<'a>>,
    moved: bool,
    reformatted: bool,
    not_compiled: Vec<ConditionOf>,
    position: bool,
}

#[derive(Serialize)]
struct Renamed<'a> {
    old: &'a str,
    new: &'a str,
}

#[derive(Serialize)]
struct Hunk<'a> {
    number: u32,
    #[serde(flatten)]
    lines: HunkLines,
    effect: &'static str,
    status: &'static str,
    conditions: Vec<ConditionOf>,
    changes: &'a [usize],
    functions: &'a [String],
}

#[derive(Serialize)]
struct Configurations {
    linked: bool,
    builds: usize,
    max_builds: usize,
    needs: Vec<Dependence>,
    untried: Vec<Alone>,
}

#[derive(Serialize)]
struct Dependence {
    #[serde(flatten)]
    alone: Alone,
    needs: Option<Vec<u32>>,
    is_smallest: bool,
}

#[derive(Serialize)]
struct Alone {
    hunk: u32,
    direction: &'static str,
}

impl<'a> Report<'a> {
    fn of(changes: &'a Changes) -> Report<'a> {
        Report {
            schema: SCHEMA,
            format: FORMAT,
            old: &changes.old,
            new: &changes.new,
            changed: !changes.is_empty(),
            changes: Changed::of(changes),
            hunks: changes.hunks.iter().map(Hunk::of).collect(),
            configurations: changes.dependences.as_ref().map(Configurations::of),
        }
    }
}

impl<'a> Changed<'a> {
    pub(crate) fn of(changes: &'a Changes) -> Changed<'a> {
        Changed {
            functions: changes.functions.iter().map(Function::of).collect(),
            added_functions: changes.added.iter().map(OneSided::of).collect(),
            removed_functions: changes.removed.iter().map(OneSided::of).collect(),
            globals: changes.globals.iter().map(Global::of).collect(),
            not_changes: changes.not_changes.iter().map(Same::of).collect(),
        }
    }
}

impl<'a> Function<'a> {
    fn of(function: &'a ChangedFunction) -> Function<'a> {
        Function {
            name: &function.name,
            place: function.place.as_ref().map(Location::of),
            signature_changed: function.signature,
            statements: function.statements.iter().map(Statement::of).collect(),
            regions: function.regions.iter().map(Region::of).collect(),
        }
    }
}

impl<'a> Region<'a> {
    fn of(region: &'a ChangedRegion) -> Region<'a> {
        let span = |lines: &'a RegionLines| Span {
            file: &lines.file,
            first: lines.first,
            last: lines.last,
        };
        Region {
            changes: &region.changes,
            old: region.old.as_ref().map(span),
            new: region.new.as_ref().map(span),
        }
    }
}

impl<'a> Statement<'a> {
    fn of(statement: &'a ChangedStatement) -> Statement<'a> {
        let (why, uses): (_, &[String]) = match &statement.why {
            Some(Why::Text) => (Some("text"), &[]),
            Some(Why::Control) => (Some("control"), &[]),
            Some(Why::Uses(names)) => (Some("uses"), names),
            None => (None, &[]),
        };
        Statement {
            number: statement.number,
            kind: kind_word(statement.kind),
            old: statement.old.as_ref().map(Location::of),
            old_text: statement.old_text.as_deref(),
            new: statement.new.as_ref().map(Location::of),
            new_text: statement.new_text.as_deref(),
            why,
            uses,
            cause: statement.cause.as_ref().map(|Cause { kind, name, old, new }| CauseOf {
                kind: match kind {
                    CauseKind::Macro => "macro",
                    CauseKind::Type => "type",
                    CauseKind::Constant => "constant",
                },
                name,
                old,
                new,
            }),
        }
    }
}

impl<'a> Location<'a> {
    pub(crate) fn of(place: &'a Place) -> Location<'a> {
        Location { file: &place.file, line: place.line }
    }
}

impl<'a> OneSided<'a> {
    fn of(function: &'a NamedFunction) -> OneSided<'a> {
        OneSided { name: &function.name, place: function.place.as_ref().map(Location::of) }
    }
}

impl<'a> Global<'a> {
    fn of(global: &'a ChangedGlobal) -> Global<'a> {
        let kind = match (global.in_old, global.in_new) {
            (true, true) => "modified",
            (false, _) => "added",
            (true, false) => "removed",
        };
        Global { name: &global.name, kind }
    }
}

impl<'a> Same<'a> {
    fn of(same: &'a NotAChange) -> Same<'a> {
        let renamed = same.renamed.iter().map(|(old, new)| Renamed { old, new });
        Same {
            name: &same.name,
            place: same.place.as_ref().map(Location::of),
            renamed: renamed.collect(),
            moved: same.moved,
            reformatted: same.reformatted,
            not_compiled: conditions(&same.inactive),
            position: same.position,
        }
    }
}

impl<'a> Hunk<'a> {
    fn of(meaning: &'a HunkMeaning) -> Hunk<'a> {
        let because: &[Inactive] = match &meaning.effect {
            HunkEffect::Inactive(because) => because,
            _ => &[],
        };
        Hunk {
            number: number(meaning.hunk.id),
            lines: HunkLines::of(&meaning.hunk),
            effect: effect_word(&meaning.effect),
            status: status_name(&meaning.standing()),
            conditions: conditions(because),
            changes: &meaning.changes,
            functions: &meaning.functions,
        }
    }
}

impl Configurations {
    fn of(found: &BuildDependences) -> Configurations {
        let alone = |hunk, direction| Alone {
            hunk: number(hunk),
            direction: match direction {
                Direction::Applied => "applied",
                Direction::Undone => "undone",
            },
        };
        let needs = found.dependences.iter().map(|dependence| {
            let hunks = match &dependence.needs {
                Needs::Smallest(hunks) | Needs::Irreducible(hunks) => Some(hunks),
                Needs::Unknown => None,
            };
            Dependence {
                alone: alone(dependence.hunk, dependence.direction),
                needs: hunks.map(|hunks| hunks.iter().map(|&hunk| number(hunk)).collect()),
                is_smallest: matches!(dependence.needs, Needs::Smallest(_)),
            }
        });
        Configurations {
            linked: found.linked,
            builds: found.builds,
            max_builds: found.limit,
            needs: needs.collect(),
            untried: found.untried.iter().map(|&(hunk, way)| alone(hunk, way)).collect(),
        }
    }
}
