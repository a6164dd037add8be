//! What changed between two versions: changed statements, the orders in which they can be
//! executed, where they meet, and how complex the change is.
//!
//! `versions` aligns two builds in our IR; `points` says where its changes are in each of them and
//! `regions` which pieces of control flow hold them. `irrelevant` says of branches
//! whether they lead to changes; `interactions` where changes may meet.
//! `complexity` measures a change from the texts of both versions, without a build. `sequence`
//! builds the change sequence graph from blocks, wherever they come from. Nothing here runs a
//! program, reads a file or knows of repositories.

pub mod branches;
pub mod complexity;
pub mod drawing;
pub mod interactions;
pub mod irrelevant;
pub mod points;
pub mod regions;
pub mod sequence;
pub mod text;
pub mod versions;

pub use branches::Branch;
pub use interactions::InteractionGraph;
pub use irrelevant::IrrelevantBranches;
pub use points::{ChangePoint, ChangePoints};
pub use regions::{ChangeGroup, Region, regions};
pub use versions::{Alignment, align};
