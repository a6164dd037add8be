//! What changed between two builds: changed statements, the orders in which they can be
//! executed, and where they meet.
//!
//! `versions` aligns two builds in our IR; `points` places its changes in each of them, and
//! `regions` finds the pieces of control flow that contain them. `irrelevant` decides whether
//! branches lead to changes; `interactions` where changes may meet. `sequence` makes the change
//! sequence graph of a build. Nothing here runs a program, reads a file or knows repositories.

pub mod branches;
pub mod drawing;
pub mod interactions;
pub mod irrelevant;
pub mod points;
pub mod regions;
pub mod sequence;
pub mod versions;

pub use branches::Branch;
pub use interactions::InteractionGraph;
pub use irrelevant::IrrelevantBranches;
pub use points::{ChangePoint, ChangePoints};
pub use regions::{ChangeGroup, Region, regions};
pub use versions::{Alignment, align};
