//! What is proved about partitions of the input space of two versions, as plain data.

use explore::partitions::{Counts, DiffersWhen, Planes, Shares, Summary};
use inputs::{Input, Layout};
use ir::{FuncId, Module};

use crate::verify::Described;

/// What is proved so far.
#[derive(Clone, Debug)]
pub struct Proved {
    pub counts: Counts,
    /// Regions that nobody has looked at, or of which the solver knows nothing.
    pub left: usize,
    /// Whether the partitions are the whole space.
    pub is_complete: bool,
    /// Whether it is proved that both versions show the same on every input.
    pub is_equal: bool,
    /// How much of the space is proved to be what.
    pub shares: Shares,
    /// When the versions differ, if that can be said in few words.
    pub differs_when: Option<DiffersWhen>,
    /// The ones of most interest first; not all if there are very many.
    pub partitions: Vec<Described>,
    /// Pictures, if they were asked for, and the input that they go through.
    pub planes: Option<(Planes, Input)>,
}

impl Proved {
    /// `is_own` says whether a function of a version is the program's own, and not one of the C
    /// library.
    pub(crate) fn new(
        summary: Summary,
        layout: &Layout,
        modules: [&Module; 2],
        is_own: &dyn Fn(usize, FuncId) -> bool,
    ) -> Proved {
        let Summary { counts, left, is_complete, is_equal, .. } = summary;
        let told = summary.partitions.into_iter();
        Proved {
            counts,
            left,
            is_complete,
            is_equal,
            shares: summary.shares,
            differs_when: summary.differs_when,
            partitions: told.map(|told| Described::new(told, layout, &modules, is_own)).collect(),
            planes: summary.planes.map(|planes| with_held(planes, layout)),
        }
    }
}

/// Pictures and the input that they go through.
pub(crate) fn with_held(planes: Planes, layout: &Layout) -> (Planes, Input) {
    let held = layout.decode(&planes.held);
    (planes, held)
}
