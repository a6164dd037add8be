//! How long a comparison took, as JSON.
//!
//! Separate from the report, so that the report of the same search is always the same.

use effects::compare::Compared;
use explore::pair::PairEffort;
use serde::Serialize;

use crate::pieces::written;

/// The value of the member `schema`.
const SCHEMA: &str = "ripple.timing/1";

/// Seconds of the whole, and of its parts; ends with a newline.
pub fn timing(compared: &Compared) -> String {
    let effort = &compared.effort;
    let after = |moment: &Option<PairEffort>| moment.map(|spent| spent.time.as_secs_f64());
    let strategy = |(name, spent, _): &(&'static str, PairEffort, u64)| Strategy {
        name,
        seconds: spent.time.as_secs_f64(),
    };
    let phases = &effort.phases;
    written(&Timing {
        schema: SCHEMA,
        seconds: effort.time.as_secs_f64(),
        phases: Phases {
            building: phases.building.as_secs_f64(),
            searching: phases.searching.as_secs_f64(),
            confirming: phases.confirming.as_secs_f64(),
            explaining: phases.explaining.as_secs_f64(),
            illustrating: phases.illustrating.as_secs_f64(),
        },
        reached: after(&effort.milestones.reached),
        infected: after(&effort.milestones.infected),
        propagated: after(&effort.milestones.propagated),
        strategies: effort.strategies.iter().map(strategy).collect(),
    })
}

#[derive(Serialize)]
struct Timing {
    schema: &'static str,
    seconds: f64,
    phases: Phases,
    reached: Option<f64>,
    infected: Option<f64>,
    propagated: Option<f64>,
    strategies: Vec<Strategy>,
}

#[derive(Serialize)]
struct Phases {
    building: f64,
    searching: f64,
    confirming: f64,
    explaining: f64,
    illustrating: f64,
}

#[derive(Serialize)]
struct Strategy {
    name: &'static str,
    seconds: f64,
}
