//! How much of each criterion tests satisfy.
//!
//! For chains, everything counts that a test covers or that extends it by one dependence: what lies
//! beyond the frontier is not enumerated.

use trace::chains::Point;

use super::requirements::Requirements;
use super::runs::Ran;
use super::{ChangedLine, Coverage, Criterion};

pub(super) fn criteria(
    ran: &Ran,
    requirements: &Requirements<'_>,
    lines: &[ChangedLine],
) -> Vec<Coverage> {
    let points = &requirements.points;
    let executed =
        points.iter().filter(|point| ran.tests.iter().any(|test| test.reached.contains(*point)));
    let mut all = vec![Coverage {
        criterion: Criterion::Statements,
        distance: None,
        satisfied: executed.count(),
        total: points.len(),
    }];
    for criterion in [Criterion::Branches, Criterion::Uses] {
        let counts = |link: &&trace::chains::Link| {
            link.how.is_control() == (criterion == Criterion::Branches)
        };
        let links = || requirements.direct.iter().filter(counts);
        all.push(Coverage {
            criterion,
            distance: None,
            satisfied: links().filter(|link| requirements.is_taken(link)).count(),
            total: links().count(),
        });
    }
    let distances = distances(requirements.distance, longest(ran, requirements));
    for criterion in [Criterion::Chains, Criterion::Propagation] {
        all.extend(distances.iter().map(|&most| chains(ran, requirements, criterion, most)));
    }
    let shown = lines.iter().filter(|line| line.confirmed.is_some()).count();
    all.push(Coverage {
        criterion: Criterion::Output,
        distance: None,
        satisfied: shown,
        total: lines.len(),
    });
    all
}

/// The length of the longest known chain.
fn longest(ran: &Ran, requirements: &Requirements<'_>) -> u32 {
    let covered = ran.tree.chains.values().map(|node| node.length);
    let open = requirements.frontier.values().flatten().map(|open| open.length);
    covered.chain(open).max().unwrap_or(0)
}

/// The distances to tell about: each of the first ten, then powers of two, and the last one.
fn distances(most: u32, longest: u32) -> Vec<u32> {
    let last = most.min(longest.max(1));
    let mut distances: Vec<u32> = (1..=last.min(10)).collect();
    let further = std::iter::successors(Some(16_u32), |distance| distance.checked_mul(2));
    distances.extend(further.take_while(|&distance| distance < last));
    if last > 10 {
        distances.push(last);
    }
    if most == 0 { vec![0] } else { distances }
}

fn chains(ran: &Ran, requirements: &Requirements<'_>, criterion: Criterion, most: u32) -> Coverage {
    let is_propagation = criterion == Criterion::Propagation;
    // A changed statement that is not executed stands for all of its chains. One that is executed and
    // decides and defines nothing has none.
    let is_reached = |point: &&Point| ran.tests.iter().any(|test| test.reached.contains(*point));
    let unreached = requirements.points.iter().filter(|point| !is_reached(point)).count();
    let (mut satisfied, mut total) = (0, unreached);
    for node in ran.tree.chains.values().filter(|node| node.length <= most) {
        if node.length == 0 && most > 0 && !is_propagation {
            continue;
        }
        let tests = if is_propagation { &node.propagated } else { &node.covered };
        satisfied += usize::from(!tests.is_empty());
        total += 1;
    }
    total += requirements.frontier.values().flatten().filter(|open| open.length <= most).count();
    Coverage { criterion, distance: Some(most), satisfied, total }
}
