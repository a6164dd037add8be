//! Control flow, dependence and slices of one program.
//!
//! From an immutable, linked [`ir::Module`] to side tables: control-flow graphs, dominators,
//! points-to sets, the call graph, what functions read and write, dependence graphs and slices.
//! Does not know two versions, execution, or output formats other than text and DOT.

pub mod call_graph;
pub mod cfg;
pub mod control;
pub mod criteria;
pub mod dependents;
pub mod dominators;
pub mod drawing;
pub mod error;
pub mod icfg;
pub mod live;
pub mod may_define;
pub mod memory;
pub mod names;
pub mod objects;
pub mod pdg;
pub mod points_to;
pub mod program;
pub mod quantify;
pub mod sdg;
pub mod slice;
pub mod views;

pub use call_graph::CallGraph;
pub use cfg::{Cfg, NodeId, Outcome};
pub use control::ControlDependence;
pub use criteria::Criterion;
pub use dependents::Dependents;
pub use dominators::DominatorTree;
pub use drawing::Drawing;
pub use error::GraphError;
pub use icfg::{Called, Icfg, Position, Segment, SegmentId};
pub use live::LiveSlots;
pub use may_define::MayDefine;
pub use memory::Memory;
pub use pdg::{Dependence, Pdg, Reason};
pub use points_to::PointsTo;
pub use program::{GraphCache, ProgramCalls, ProgramGraphs};
pub use quantify::{Affected, quantify};
pub use sdg::Sdg;
pub use slice::{Direction, Slice};
