//! The words of all reports: faults, unsupported features, bounds, why a search may be incomplete,
//! and kinds of differences between two versions.

use base::Version;
use effects::compare::{
    Acceptance, Class, Judgement, Lapse, Lapsed, Limit, Natively, Observable, UndefinedKind,
    Verdict, What, Witness,
};
use effects::premises::Premise;
use exec::observer::Use;
use exec::stop::{Access, Bound, FaultKind, Feature, ObjectDescription, ObjectKind};
use explore::proved::Unclear;
use explore::{Gap, Stopped, Unknown};
use inputs::snapshot::Incomparable;
use inputs::{Alias, Assumption};
use trace::why::Observable as Shown;

/// A fault; `local` is the name of the object concerned, if it is a local variable.
pub fn fault(kind: &FaultKind, local: Option<&str>) -> String {
    match kind {
        FaultKind::Null { access, size, .. } => {
            format!("{} of {size} bytes through a null pointer", access_name(*access))
        }
        FaultKind::OutOfBounds { access, offset, size, object } => format!(
            "{} of {size} bytes at offset {offset}, out of bounds of {}",
            access_name(*access),
            describe_object(object, local)
        ),
        FaultKind::UseAfterFree { access, offset, size, object } => format!(
            "{} of {size} bytes at offset {offset} of {}",
            access_name(*access),
            describe_dead(object, local)
        ),
        FaultKind::Wild { access, address, size } => format!(
            "{} of {size} bytes at {address:#x}, where there is nothing",
            access_name(*access)
        ),
        FaultKind::WriteToConstant { object } => {
            format!("write to constant memory, {}", describe_object(object, local))
        }
        FaultKind::DoubleFree { object } => {
            format!("double free of {}", describe_object(object, local))
        }
        FaultKind::InvalidFree { address } => {
            format!("free of {address:#x}, which is not the start of a heap block")
        }
        FaultKind::Overlap { size } => {
            format!("memcpy of {size} bytes between overlapping ranges")
        }
        FaultKind::Uninitialised { size: 0 } => {
            "read of a variable that was never written".to_owned()
        }
        FaultKind::Uninitialised { size } => {
            format!("read of {size} bytes that were never written")
        }
        FaultKind::DivisionByZero => "division by zero".to_owned(),
        FaultKind::DivisionOverflow => "division of the smallest integer by -1".to_owned(),
        FaultKind::InvalidCall { address } => {
            format!("call of {address:#x}, which is not a function")
        }
        FaultKind::InvalidJump { address } => {
            format!("goto to {address:#x}, which is not a label of the function")
        }
        FaultKind::InvalidLongjmp => "longjmp to a function that has returned".to_owned(),
        FaultKind::StackOverflow => "stack overflow".to_owned(),
        FaultKind::Unreachable => "control reached code declared unreachable".to_owned(),
        FaultKind::Trap => "trap".to_owned(),
        FaultKind::Abort => "abort".to_owned(),
        FaultKind::Assertion { message } => format!("assertion failed: {message}"),
        FaultKind::BufferOverflow => "buffer overflow found by the C library".to_owned(),
    }
}

/// A fault's kind in one word, for programs.
pub fn fault_name(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::Null { .. } => "null_pointer",
        FaultKind::OutOfBounds { .. } => "out_of_bounds",
        FaultKind::UseAfterFree { .. } => "use_after_free",
        FaultKind::Wild { .. } => "wild_pointer",
        FaultKind::WriteToConstant { .. } => "write_to_constant",
        FaultKind::DoubleFree { .. } => "double_free",
        FaultKind::InvalidFree { .. } => "invalid_free",
        FaultKind::Overlap { .. } => "overlap",
        FaultKind::Uninitialised { .. } => "uninitialised",
        FaultKind::DivisionByZero => "division_by_zero",
        FaultKind::DivisionOverflow => "division_overflow",
        FaultKind::InvalidCall { .. } => "invalid_call",
        FaultKind::InvalidJump { .. } => "invalid_jump",
        FaultKind::InvalidLongjmp => "invalid_longjmp",
        FaultKind::StackOverflow => "stack_overflow",
        FaultKind::Unreachable => "unreachable",
        FaultKind::Trap => "trap",
        FaultKind::Abort => "abort",
        FaultKind::Assertion { .. } => "assertion",
        FaultKind::BufferOverflow => "buffer_overflow",
    }
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

/// An object whose lifetime has ended.
fn describe_dead(object: &ObjectDescription, local: Option<&str>) -> String {
    match object.kind {
        ObjectKind::Heap => format!("a freed heap block of {} bytes", object.size),
        _ => format!("{}, which is out of scope", describe_object(object, local)),
    }
}

fn describe_object(object: &ObjectDescription, local: Option<&str>) -> String {
    let kind = match object.kind {
        ObjectKind::Global => "the global variable",
        ObjectKind::Stack => "the local variable",
        ObjectKind::Heap => "a heap block",
        ObjectKind::System => "memory of the C library",
        ObjectKind::Undefined => "the undefined variable",
    };
    match object.name.as_deref().or(local) {
        Some(name) => format!("{kind} {name} of {} bytes", object.size),
        None => format!("{} of {} bytes", kind.replace("the local", "a local"), object.size),
    }
}

/// An unsupported feature.
pub fn feature(feature: &Feature) -> String {
    match feature {
        Feature::Call(name) => format!("call of {name}"),
        Feature::Use { function, what } => format!("call of {function} with {what}"),
        Feature::Instruction(what) => what.clone(),
        Feature::Assembly(template) => format!("inline assembly `{}`", template.escape_debug()),
        Feature::Unreadable { function, reason } => {
            format!("the function {function}, whose code cannot be read ({reason})")
        }
        Feature::UndefinedGlobal(name) => format!("the undefined variable {name}"),
    }
}

/// A bound that a run reached.
pub fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Steps => "the instruction limit was reached (--max-steps)",
        Bound::Memory => "the memory limit was reached (--max-memory)",
        Bound::Output => "the output limit was reached (--max-output)",
        Bound::Depth => "the call depth limit was reached (--max-depth)",
    }
}

/// Why an exploration may have missed something.
pub fn gap(gap: &Gap) -> String {
    match gap {
        Gap::Pinned { pin } => match (pin.how, pin.by) {
            (_, Some(name)) => {
                format!("`{name}` receives an input value; only a few values were tried")
            }
            (Use::Control, None) => {
                "an input value selects the target of a jump; only a few values were tried"
                    .to_owned()
            }
            (Use::Address | Use::Argument, None) => {
                "an input value is used in a way that Ripple does not track; only a few values \
                 were tried"
                    .to_owned()
            }
        },
        Gap::Unknown { reason, .. } => match reason {
            Unknown::Effort => "the solver gave up on a condition".to_owned(),
            Unknown::Functions => {
                "the solver could not decide a condition on function values".to_owned()
            }
            Unknown::Failure => "the solver failed on a condition".to_owned(),
        },
        Gap::Diverged { .. } => "a run diverged from the predicted path".to_owned(),
        Gap::ManyValues { .. } => "not all values were tried".to_owned(),
        Gap::Unsupported(what) => format!("not supported: {}", feature(&what.feature)),
        Gap::Exhausted(reached) => format!("{} in some run", bound(*reached)),
        Gap::Contradiction { .. } => "a run took a path that was thought infeasible".to_owned(),
        Gap::Stopped(reason) => stopped(*reason).to_owned(),
        Gap::Sampled => "inputs were drawn at random".to_owned(),
    }
}

/// Why a search ended early.
pub fn stopped(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Time => "the time budget ran out",
        Stopped::Runs => "the run budget ran out",
        Stopped::SolverTime => "the solver time budget ran out",
        Stopped::Interrupted => "the search was interrupted",
        Stopped::Candidates => "too many inputs are waiting to be tried",
        Stopped::Memory => "the memory bound (--max-memory-total) was reached",
    }
}

/// The same in one word, for programs.
pub fn stopped_name(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Interrupted => "interrupted",
        Stopped::Memory => "memory",
        Stopped::Time | Stopped::Runs | Stopped::SolverTime | Stopped::Candidates => "budget",
    }
}

/// Why an exploration may have missed something, in one word.
pub fn gap_name(gap: &Gap) -> &'static str {
    match gap {
        Gap::Pinned { .. } => "pinned",
        Gap::Unknown { .. } => "solver",
        Gap::Diverged { .. } => "diverged",
        Gap::ManyValues { .. } => "many_values",
        Gap::Unsupported(_) => "unsupported",
        Gap::Exhausted(_) => "bound",
        Gap::Contradiction { .. } => "contradiction",
        Gap::Stopped(Stopped::Interrupted) => "interrupted",
        Gap::Stopped(Stopped::Memory) => "memory",
        Gap::Stopped(_) => "budget",
        Gap::Sampled => "sampled",
    }
}

/// Why there is no claim about a partition.
pub fn unclear(unclear: &Unclear) -> String {
    match unclear {
        Unclear::Exhausted(reached) => format!("{} in some run", bound(*reached)),
        Unclear::Unsupported(what) => format!("not supported: {}", feature(&what.feature)),
        Unclear::Undetermined => {
            "a version corrupts memory or reads uninitialised memory, so its behaviour is \
             undetermined"
                .to_owned()
        }
        Unclear::Contradiction => "a run took a path that was thought infeasible".to_owned(),
        Unclear::Output => {
            "output depends on the input in a way that Ripple does not track".to_owned()
        }
        Unclear::Files => "the contents of a written file depend on the input".to_owned(),
        Unclear::Memory(reason) => incomparable(reason),
        Unclear::Rounded => "numbers are rounded, so different values may look equal".to_owned(),
        Unclear::Incomparable => "the versions take different input".to_owned(),
    }
}

/// Why the states that functions leave cannot be compared completely.
pub fn incomparable(reason: &Incomparable) -> String {
    match reason {
        Incomparable::TooLarge => "a function leaves more memory than Ripple compares".to_owned(),
        Incomparable::Unknown { root } => {
            format!("`{}` points to something that cannot be compared", root_name(root))
        }
        Incomparable::HiddenPointer { root } => format!(
            "`{}` points to raw bytes that contain a pointer, which cannot be compared",
            root_name(root)
        ),
        Incomparable::OneVersionOnly { name } => {
            format!("`{}` exists in only one version and is not compared", root_name(name))
        }
        Incomparable::OtherType { root } => {
            format!("what `{}` points to has a different type in NEW", root_name(root))
        }
        Incomparable::OtherStorage { root } => format!(
            "`{}` points to the same text in a different kind of memory (literal, variable or heap)",
            root_name(root)
        ),
        Incomparable::WrittenByOne { root, member, by_old } => {
            let (one, other) = if *by_old { ("OLD", "NEW") } else { ("NEW", "OLD") };
            let root = root_name(root);
            let place = match member.strip_prefix('.').unwrap_or(member) {
                "" => format!("`{root}` or what it points to"),
                member => format!("`{member}` in `{root}` or what it points to"),
            };
            format!("{one} writes {place}, and {other} leaves it unwritten")
        }
    }
}

/// A variable, or the result of a function, in words.
fn root_name(name: &str) -> &str {
    match name {
        "return" => "result",
        name => name.strip_prefix("static:").unwrap_or(name),
    }
}

/// The same in one word, for programs.
pub fn unclear_name(unclear: &Unclear) -> &'static str {
    match unclear {
        Unclear::Exhausted(_) => "bound",
        Unclear::Unsupported(_) => "unsupported",
        Unclear::Undetermined => "undetermined",
        Unclear::Contradiction => "contradiction",
        Unclear::Output => "output",
        Unclear::Files => "files",
        Unclear::Memory(_) => "memory",
        Unclear::Rounded => "rounded",
        Unclear::Incomparable => "incomparable",
    }
}

/// A kind of difference.
pub fn class(class: Class) -> &'static str {
    match class {
        Class::FaultAppeared => "a fault appeared",
        Class::DoesNotEnd => "NEW does not terminate",
        Class::OutputChanged => "the output changed",
        Class::Ends => "NEW terminates where OLD did not",
        Class::FaultDisappeared => "a fault disappeared",
        Class::UndefinedAppeared => "undefined behaviour appeared",
        Class::UndefinedDisappeared => "undefined behaviour disappeared",
        Class::UnwrittenAppeared => "a member is left unwritten",
        Class::UnwrittenDisappeared => "a member is written that was not",
        Class::PositionChanged => "a position changed",
    }
}

pub fn class_name(class: Class) -> &'static str {
    class.name()
}

/// The judgement of a difference by the golden version.
pub fn judgement(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Regression => "regression: OLD behaves like the golden version, NEW does not",
        Judgement::DifferentialError => {
            "differential error: neither behaves like the golden version"
        }
        Judgement::Progression => "progression: NEW behaves like the golden version, OLD does not",
    }
}

pub fn judgement_name(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Regression => "regression",
        Judgement::DifferentialError => "differential_error",
        Judgement::Progression => "progression",
    }
}

/// A compared observable.
pub fn observable(observable: Observable) -> &'static str {
    match observable {
        Observable::Exit => "how they end",
        Observable::Stdout => "standard output",
        Observable::Stderr => "standard error",
        Observable::Files => "written files",
        Observable::Result => "result",
        Observable::Undefined => "undefined behaviour",
        Observable::Unwritten => "what is never written",
    }
}

/// A kind of undefined operation, for programs.
pub fn undefined_name(kind: UndefinedKind) -> &'static str {
    match kind {
        UndefinedKind::Overflow => "overflow",
        UndefinedKind::Shift => "shift",
        UndefinedKind::Conversion => "conversion",
        UndefinedKind::Null => "null",
        UndefinedKind::Alignment => "alignment",
        UndefinedKind::Uninitialised => "uninitialised",
    }
}

/// Why an acceptance does not hold for a difference.
pub fn lapsed(lapsed: &Lapsed) -> String {
    let Acceptance { id, reason, expires, .. } = &lapsed.acceptance;
    match lapsed.why {
        Lapse::Expired => {
            let day = expires.as_deref().unwrap_or("a day that has passed");
            format!("was accepted until {day} ({reason}, {id})")
        }
        Lapse::Differs => {
            format!("differs from what was accepted in this function ({reason}, {id})")
        }
    }
}

pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Different => "different",
        Verdict::Equal => "equal",
        Verdict::Accepted => "accepted",
        Verdict::Inconclusive => "inconclusive",
    }
}

/// A version as in reports.
pub fn version(version: Version) -> &'static str {
    match version {
        Version::Old => "OLD",
        Version::New => "NEW",
    }
}

pub fn version_name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

/// The subject of a step on the path from a change to the output.
pub fn step(what: &What) -> String {
    match what {
        What::Variable(name) => name.clone(),
        What::Memory(name) => format!("memory {name}"),
        What::Initial(name) => format!("initial value of {name}"),
        What::Condition => "condition".to_owned(),
        What::Value => "value".to_owned(),
        What::Argument { function, name } => format!("argument {name} of {function}"),
        What::Result(function) => format!("result of {function}"),
        What::Call(function) => format!("call of {function}"),
        What::Output(shown) => output(shown),
        What::Undefined(kind) => format!("undefined: {}", kind.name()),
        What::End => "end of the run".to_owned(),
    }
}

fn output(shown: &Shown) -> String {
    match shown {
        Shown::Stdout { .. } => "standard output".to_owned(),
        Shown::Stderr { .. } => "standard error".to_owned(),
        Shown::File { path, .. } => format!("file {}", path.escape_ascii()),
        Shown::End => "end of the run".to_owned(),
        Shown::Returned => "result".to_owned(),
        Shown::Memory => "memory that is left".to_owned(),
        Shown::Undefined(kind) => format!("undefined: {}", kind.name()),
    }
}

/// The same for programs: its kind, the name of its subject, and the function.
pub fn step_name(what: &What) -> (&'static str, Option<String>, Option<String>) {
    match what {
        What::Variable(name) => ("variable", Some(name.clone()), None),
        What::Memory(name) => ("memory", Some(name.clone()), None),
        What::Initial(name) => ("initial", Some(name.clone()), None),
        What::Condition => ("condition", None, None),
        What::Value => ("value", None, None),
        What::Argument { function, name } => {
            ("argument", Some(name.clone()), Some(function.clone()))
        }
        What::Result(function) => ("result", None, Some(function.clone())),
        What::Call(function) => ("call", None, Some(function.clone())),
        What::Output(shown) => ("output", Some(output(shown)), None),
        What::Undefined(kind) => ("undefined", Some(kind.name().to_owned()), None),
        What::End => ("end", None, None),
    }
}

/// Why a comparison may have missed something, without the version and the place.
pub fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Unsupported { what, .. } => format!("not supported: {}", feature(&what.feature)),
        Limit::Exhausted { bound: reached, .. } => format!("{} in some run", bound(*reached)),
        Limit::Undetermined => {
            "on some input a version corrupts memory or reads uninitialised memory, so its \
             behaviour is undetermined"
                .to_owned()
        }
        Limit::Incomparable(reason) => incomparable(reason),
        Limit::InvalidInputs { fault } => format!(
            "every input run ends in a fault in both versions before it reaches the change: {}",
            self::fault(&fault.kind, fault.local.as_deref())
        ),
        Limit::Stopped(reason) => stopped(*reason).to_owned(),
        Limit::Memory { strategies } => format!(
            "dropped {}: the memory bound (--max-memory-total) was near",
            strategies.join(", ")
        ),
        Limit::OutsideDiff { differences: 1 } => {
            "1 difference outside the diff (--in-diff) is not reported".to_owned()
        }
        Limit::OutsideDiff { differences } => {
            format!("{differences} differences outside the diff (--in-diff) are not reported")
        }
    }
}

/// The same in one word, for programs.
pub fn limit_name(limit: &Limit) -> &'static str {
    match limit {
        Limit::Unsupported { .. } => "unsupported",
        Limit::Exhausted { .. } => "bound",
        Limit::Undetermined => "undetermined",
        Limit::Incomparable(_) => "incomparable",
        Limit::InvalidInputs { .. } => "invalid_inputs",
        Limit::Stopped(Stopped::Interrupted) => "interrupted",
        Limit::Stopped(Stopped::Memory) | Limit::Memory { .. } => "memory",
        Limit::Stopped(_) => "budget",
        Limit::OutsideDiff { .. } => "outside_diff",
    }
}

/// The behaviour of native programs if one version does not end within its bounds on the machine.
pub fn natively(natively: Natively) -> String {
    match natively {
        Natively::Same => "natively both terminate and behave the same".to_owned(),
        Natively::Unfinished { seconds } => {
            format!(
                "natively it does not terminate within {seconds} s; it is unknown whether it ever does"
            )
        }
        Natively::Undetermined => "natively, repeated runs differ".to_owned(),
        Natively::NotRun => "it was not run natively to its end, for lack of time".to_owned(),
    }
}

/// The same in one word, for programs.
pub fn natively_name(natively: Natively) -> &'static str {
    match natively {
        Natively::Same => "same",
        Natively::Unfinished { .. } => "unfinished",
        Natively::Undetermined => "undetermined",
        Natively::NotRun => "not_run",
    }
}

/// How the machine's runs deviate from the native ones, and the consequence; `None` if they match.
pub fn unlike(witness: &Witness) -> Option<String> {
    if witness.unlike.is_empty() {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for wanted in base::Version::BOTH {
        let of = witness.unlike.iter().filter(|unlike| unlike.version == wanted);
        let mut what: Vec<&str> = of.map(|unlike| observable(unlike.observable)).collect();
        // A run with another end may have any other output.
        if witness
            .unlike
            .iter()
            .any(|one| (one.version, one.observable) == (wanted, Observable::Exit))
        {
            what = vec!["how it ends"];
        }
        if !what.is_empty() {
            parts.push(format!("{} ({})", version(wanted), what.join(", ")));
        }
    }
    let who = parts.join(" and of ");
    let rest = match &witness.why {
        Some(_) => "only what both have in common is explained",
        None => "no explanation is given",
    };
    Some(format!(
        "the machine's run differs from the native run of {who}; executed statements are those of \
         the machine's run, and {rest}"
    ))
}

/// What to do if no input is valid.
pub fn valid_inputs_help(is_function: bool) -> &'static str {
    if is_function {
        "declare the parameters (--param NAME=...), or write a driver that builds valid objects \
             and compare that (--entry)"
    } else {
        "declare valid inputs (--arg, --stdin, --file), or give tests (--tests)"
    }
}

/// What a verdict assumes.
pub fn premise(premise: Premise) -> &'static str {
    match premise {
        Premise::Compiler => "each version means what clang -O0 makes of it",
        Premise::Machine => "native programs behave as on Ripple's machine",
        Premise::Solver => "the solver is correct",
        Premise::Environment => "environment, clock and other files are fixed",
        Premise::Positions => "line numbers and other positions are those of OLD",
        Premise::ChosenSpace => "inputs lie in the space that Ripple chose",
        Premise::InitialVariables => "global variables start with their initial values",
        Premise::SeparateMemory => "input pointers refer to separate objects",
        Premise::NoOverlap => {
            "input pointers refer to separate objects, or parameters to the same whole object"
        }
        Premise::ConsistentParameters => "parameters are consistent",
        Premise::DefinedArithmetic => "undefined arithmetic is not compared",
    }
}

/// Which assumptions an inconsistent input violates.
pub fn inconsistent(broken: &[Assumption]) -> String {
    let broken: Vec<String> = broken.iter().map(ToString::to_string).collect();
    format!("consistent input satisfies: {}", broken.join("; "))
}

/// Parameters that must be the same object.
pub fn needs_same(same: &[Alias]) -> String {
    let pair = |one: &Alias| format!("`{}` and `{}`", one.of, one.pointer);
    let pairs: Vec<String> = same.iter().map(pair).collect();
    format!("needs {} to be the same object", pairs.join(", and "))
}
