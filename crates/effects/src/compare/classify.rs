//! Classifies differences.

use base::Version;
use source::End;
use trace::Observe;

use super::confirm::Behaviour;
use crate::trial::natives_agree;

/// The class of a difference by what a user sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// NEW fails where OLD does not.
    FaultAppeared,
    /// OLD ends and NEW is proved not to.
    DoesNotEnd,
    /// The output, the result, or the exit status differs.
    OutputChanged,
    /// NEW ends and OLD is proved not to.
    Ends,
    /// OLD fails where NEW does not.
    FaultDisappeared,
    /// NEW executes an undefined operation where OLD does not; users see no difference here.
    UndefinedAppeared,
    /// OLD executes an undefined operation where NEW does not; users see no difference here.
    UndefinedDisappeared,
    /// NEW leaves a member unwritten that OLD writes; its visible value is not determined.
    UnwrittenAppeared,
    /// OLD leaves a member unwritten that NEW writes.
    UnwrittenDisappeared,
    /// Only a position, such as a line number, differs.
    PositionChanged,
}

impl Class {
    /// One word, for programs. Users keep it in files, so it never changes.
    pub fn name(self) -> &'static str {
        match self {
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
}

/// The judgement of a difference by the correct version (Böhme, definitions 8 and 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// OLD was correct and NEW is not.
    Regression,
    /// Neither is correct, and they differ.
    DifferentialError,
    /// NEW is correct and OLD was not.
    Progression,
}

/// The class of a confirmed difference. If nothing else differs, one version executes an undefined
/// operation.
pub(super) fn classify(old: &Behaviour, new: &Behaviour, undefined: Option<Version>) -> Class {
    match undefined {
        Some(Version::New) => return Class::UndefinedAppeared,
        Some(Version::Old) => return Class::UndefinedDisappeared,
        None => {}
    }
    match (fails(old), fails(new)) {
        (false, true) => return Class::FaultAppeared,
        (true, false) => return Class::FaultDisappeared,
        _ => {}
    }
    match (old.never_ends, new.never_ends) {
        (false, true) => Class::DoesNotEnd,
        (true, false) => Class::Ends,
        _ => Class::OutputChanged,
    }
}

/// A visible crash: reported by the machine and the signal or a sanitizer, or a signal of its own.
fn fails(behaviour: &Behaviour) -> bool {
    matches!(behaviour.native.end, End::Signaled(_))
        || behaviour.fault.is_some() && behaviour.sanitizer.is_some()
}

/// Judges a difference by the behaviour of the correct version.
pub(super) fn judge(
    observe: &Observe,
    old: &Behaviour,
    new: &Behaviour,
    golden: &Behaviour,
) -> Judgement {
    let is_right =
        |behaviour: &Behaviour| natives_agree(observe, &behaviour.native, &golden.native);
    match (is_right(old), is_right(new)) {
        (true, _) => Judgement::Regression,
        (false, true) => Judgement::Progression,
        (false, false) => Judgement::DifferentialError,
    }
}
