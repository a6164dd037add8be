//! What happens in a run, in words: faults, what is not supported, bounds, why a search may have
//! missed something, and sorts of differences between two versions.

use base::Version;
use effects::compare::{
    Acceptance, Class, Judgement, Lapse, Lapsed, Limit, Natively, Observable, UndefinedKind,
    Verdict, What, Witness,
};
use effects::premises::Premise;
use exec::observer::Use;
use exec::stop::{Access, Bound, FaultKind, Feature, ObjectDescription, ObjectKind};
use explore::partitions::Unclear;
use explore::why::Observable as Shown;
use explore::{Gap, Stopped, Unknown};
use inputs::snapshot::Incomparable;
use inputs::{Alias, Assumption};

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
            "{} of {size} bytes at offset {offset} of {} that is gone",
            access_name(*access),
            describe_object(object, local)
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

/// A fault's kind in one word, for other programs.
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

fn describe_object(object: &ObjectDescription, local: Option<&str>) -> String {
    let kind = match object.kind {
        ObjectKind::Global => "the global variable",
        ObjectKind::Stack => "the local variable",
        ObjectKind::Heap => "a heap block",
        ObjectKind::System => "memory of the C library",
    };
    match object.name.as_deref().or(local) {
        Some(name) => format!("{kind} {name} of {} bytes", object.size),
        None => format!("{} of {} bytes", kind.replace("the local", "a local"), object.size),
    }
}

/// Something that the machine does not do.
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

/// A bound of a run that was reached.
pub fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Steps => "the bound on instructions (--max-steps) was reached",
        Bound::Memory => "the bound on memory (--max-memory) was reached",
        Bound::Output => "the bound on output (--max-output) was reached",
        Bound::Depth => "the bound on the depth of calls (--max-depth) was reached",
    }
}

/// Why an exploration may have missed something.
pub fn gap(gap: &Gap) -> String {
    match gap {
        Gap::Pinned { pin } => match (pin.how, pin.by) {
            (_, Some(name)) => {
                format!("`{name}` gets a value of the input; only a few values were tried")
            }
            (Use::Control, None) => {
                "a value of the input decides where to go; only a few values were tried".to_owned()
            }
            (Use::Address | Use::Argument, None) => {
                "a value of the input is used in a way that is not followed; only a few values \
                 were tried"
                    .to_owned()
            }
        },
        Gap::Unknown { reason, .. } => match reason {
            Unknown::Effort => "the solver gave up on a condition".to_owned(),
            Unknown::Functions => {
                "the solver could not decide a condition on values of functions".to_owned()
            }
            Unknown::Failure => "the solver failed on a condition".to_owned(),
        },
        Gap::Diverged { .. } => "a run did not go where it was to go".to_owned(),
        Gap::ManyValues { .. } => "there are more values to try than were tried".to_owned(),
        Gap::Unsupported(what) => format!("not supported: {}", feature(&what.feature)),
        Gap::Exhausted(reached) => format!("{} in some run", bound(*reached)),
        Gap::Contradiction { .. } => "a run took a way that was thought impossible".to_owned(),
        Gap::Stopped(reason) => stopped(*reason).to_owned(),
        Gap::Sampled => "inputs were drawn at random".to_owned(),
    }
}

/// Why a search ended early.
pub fn stopped(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Time => "the time of the budget is over",
        Stopped::Runs => "the runs of the budget are used up",
        Stopped::SolverTime => "the solver's time of the budget is over",
        Stopped::Interrupted => "it was interrupted",
        Stopped::Candidates => "there are too many inputs waiting to be tried",
    }
}

/// The same in one word, for other programs.
pub fn stopped_name(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Interrupted => "interrupted",
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
        Gap::Stopped(_) => "budget",
        Gap::Sampled => "sampled",
    }
}

/// Why nothing is claimed of a partition.
pub fn unclear(unclear: &Unclear) -> String {
    match unclear {
        Unclear::Exhausted(reached) => format!("{} in some run", bound(*reached)),
        Unclear::Unsupported(what) => format!("not supported: {}", feature(&what.feature)),
        Unclear::Undetermined => {
            "memory is damaged, or read and never written, so that what a version does is not \
             determined"
                .to_owned()
        }
        Unclear::Contradiction => "a run took a way that was thought impossible".to_owned(),
        Unclear::Output => "output depends on the input in a way that is not followed".to_owned(),
        Unclear::Files => "what is written to a file depends on the input".to_owned(),
        Unclear::Memory(reason) => incomparable(reason),
        Unclear::Rounded => "numbers are rounded, so that different ones may look alike".to_owned(),
        Unclear::Incomparable => "the versions take different input".to_owned(),
    }
}

/// Why what functions leave behind cannot be compared as a whole.
pub fn incomparable(reason: &Incomparable) -> String {
    match reason {
        Incomparable::TooLarge => "a function leaves more memory than is compared".to_owned(),
        Incomparable::Unknown { root } => {
            format!("`{}` leads to something that cannot be compared", root_name(root))
        }
        Incomparable::HiddenPointer { root } => format!(
            "`{}` leads to bytes with a pointer among them, which cannot be compared",
            root_name(root)
        ),
        Incomparable::OneVersionOnly { name } => {
            format!("only one version has `{}`, which is not compared", root_name(name))
        }
        Incomparable::OtherType { root } => {
            format!("what `{}` leads to has another type in NEW", root_name(root))
        }
        Incomparable::OtherStorage { root } => format!(
            "`{}` leads to the same text in memory of another kind (literal, variable or heap)",
            root_name(root)
        ),
        Incomparable::WrittenByOne { root, member, by_old } => {
            let (one, other) = if *by_old { ("OLD", "NEW") } else { ("NEW", "OLD") };
            let root = root_name(root);
            let place = match member.strip_prefix('.').unwrap_or(member) {
                "" => format!("what `{root}` is or leads to"),
                member => format!("`{member}` in what `{root}` is or leads to"),
            };
            format!("{one} writes {place}, and {other} leaves it as it was in memory")
        }
    }
}

/// A variable, or what a function returns, as people say it.
fn root_name(name: &str) -> &str {
    match name {
        "return" => "result",
        name => name.strip_prefix("static:").unwrap_or(name),
    }
}

/// The same in one word, for other programs.
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

/// A sort of difference.
pub fn class(class: Class) -> &'static str {
    match class {
        Class::FaultAppeared => "a fault appeared",
        Class::DoesNotEnd => "NEW does not end",
        Class::OutputChanged => "the output changed",
        Class::Ends => "NEW ends where OLD did not",
        Class::FaultDisappeared => "a fault disappeared",
        Class::UndefinedAppeared => "undefined behaviour appeared",
        Class::UndefinedDisappeared => "undefined behaviour disappeared",
        Class::UnwrittenAppeared => "a member is left unwritten",
        Class::UnwrittenDisappeared => "a member is written that was not",
        Class::PositionChanged => "a position changed",
    }
}

pub fn class_name(class: Class) -> &'static str {
    match class {
        Class::FaultAppeared => "fault_appeared",
        Class::DoesNotEnd => "does_not_end",
        Class::OutputChanged => "output_changed",
        Class::Ends => "ends",
        Class::FaultDisappeared => "fault_disappeared",
        Class::UndefinedAppeared => "undefined_behaviour_appeared",
        Class::UndefinedDisappeared => "undefined_behaviour_disappeared",
        Class::UnwrittenAppeared => "unwritten_appeared",
        Class::UnwrittenDisappeared => "unwritten_disappeared",
        Class::PositionChanged => "position_changed",
    }
}

/// What the golden version makes of a difference.
pub fn judgement(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Regression => "regression: OLD does what the golden version does, NEW does not",
        Judgement::DifferentialError => {
            "differential error: neither does what the golden version does"
        }
        Judgement::Progression => {
            "progression: NEW does what the golden version does, OLD does not"
        }
    }
}

pub fn judgement_name(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Regression => "regression",
        Judgement::DifferentialError => "differential_error",
        Judgement::Progression => "progression",
    }
}

/// What is compared.
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

/// A kind of undefined operations, for programs.
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
        Lapse::Differs => format!("is not what was accepted in this function ({reason}, {id})"),
    }
}

/// The same as the flag `--observe` has it.
pub fn observable_name(observable: Observable) -> &'static str {
    match observable {
        Observable::Exit => "exit",
        Observable::Stdout => "stdout",
        Observable::Stderr => "stderr",
        Observable::Files => "files",
        Observable::Result => "result",
        Observable::Undefined => "ub",
        Observable::Unwritten => "unwritten",
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

/// A version as reports call it.
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

/// What a step on the way from a change to what is seen is about.
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

/// The same for other programs: its kind, the name of what it is about, and the function.
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
            "some input makes a version damage memory or read memory that was never written, so \
             that what it does is not determined"
                .to_owned()
        }
        Limit::Incomparable(reason) => incomparable(reason),
        Limit::InvalidInputs { fault } => format!(
            "every input that was run ends in a fault in both versions, before anything that \
             changed: {}",
            self::fault(&fault.kind, fault.local.as_deref())
        ),
        Limit::Stopped(reason) => stopped(*reason).to_owned(),
        Limit::OutsideDiff { differences: 1 } => {
            "1 difference that no line of the diff (--in-diff) is behind is not reported".to_owned()
        }
        Limit::OutsideDiff { differences } => format!(
            "{differences} differences that no line of the diff (--in-diff) is behind are not \
             reported"
        ),
    }
}

/// The same in one word, for other programs.
pub fn limit_name(limit: &Limit) -> &'static str {
    match limit {
        Limit::Unsupported { .. } => "unsupported",
        Limit::Exhausted { .. } => "bound",
        Limit::Undetermined => "undetermined",
        Limit::Incomparable(_) => "incomparable",
        Limit::InvalidInputs { .. } => "invalid_inputs",
        Limit::Stopped(Stopped::Interrupted) => "interrupted",
        Limit::Stopped(_) => "budget",
        Limit::OutsideDiff { .. } => "outside_diff",
    }
}

/// What native programs do where one version does not end within its bounds on the machine.
pub fn natively(natively: Natively) -> String {
    match natively {
        Natively::Same => "natively both end and do the same".to_owned(),
        Natively::Unfinished { seconds } => {
            format!(
                "natively it does not end within {seconds} s; whether it ever does is not known"
            )
        }
        Natively::Undetermined => "natively they do something else each time".to_owned(),
        Natively::NotRun => "there was no time to run it natively to its end".to_owned(),
    }
}

/// The same in one word, for other programs.
pub fn natively_name(natively: Natively) -> &'static str {
    match natively {
        Natively::Same => "same",
        Natively::Unfinished { .. } => "unfinished",
        Natively::Undetermined => "undetermined",
        Natively::NotRun => "not_run",
    }
}

/// In what the machine's runs are not like the native ones, and what follows from that; nothing if
/// they are alike.
pub fn unlike(witness: &Witness) -> Option<String> {
    if witness.unlike.is_empty() {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for wanted in base::Version::BOTH {
        let of = witness.unlike.iter().filter(|unlike| unlike.version == wanted);
        let mut what: Vec<&str> = of.map(|unlike| observable(unlike.observable)).collect();
        // What ends otherwise may show anything else.
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
        Some(_) => "only what is the same in both is explained",
        None => "no explanation is given",
    };
    Some(format!(
        "the machine's run differs from the native run of {who}; what is executed is told of the \
         machine's run, and {rest}"
    ))
}

/// What to do where no input is valid.
pub fn valid_inputs_help(is_function: bool) -> &'static str {
    if is_function {
        "say what the function takes (--param NAME=...), or write a driver that builds valid \
             objects and compare that (--entry)"
    } else {
        "say which inputs are valid (--arg, --stdin, --file), or give tests (--tests)"
    }
}

/// What a verdict takes for granted.
pub fn premise(premise: Premise) -> &'static str {
    match premise {
        Premise::Compiler => "versions mean what clang makes of them at -O0",
        Premise::Machine => "native programs do what Ripple's machine does",
        Premise::Solver => "the solver is right",
        Premise::Environment => "environment, clock and other files are fixed",
        Premise::Positions => "line numbers and the like are those of OLD",
        Premise::ChosenSpace => "inputs are like those that were chosen",
        Premise::InitialVariables => "global variables begin with their initial values",
        Premise::SeparateMemory => "pointers of the input lead to memory of their own",
        Premise::NoOverlap => {
            "pointers of the input lead to memory of their own, or parameters to the same object \
             as a whole"
        }
        Premise::ConsistentParameters => "parameters are consistent",
        Premise::DefinedArithmetic => "undefined arithmetic does not count",
    }
}

/// What an input that is not consistent lacks.
pub fn inconsistent(broken: &[Assumption]) -> String {
    let broken: Vec<String> = broken.iter().map(ToString::to_string).collect();
    format!("consistent would be that {}", broken.join(", and that "))
}

/// Parameters that must be the same object.
pub fn needs_same(same: &[Alias]) -> String {
    let pair = |one: &Alias| format!("`{}` and `{}`", one.of, one.pointer);
    let pairs: Vec<String> = same.iter().map(pair).collect();
    format!("needs {} to be the same object", pairs.join(", and "))
}
