//! Dominators, control dependence, live slots and what branches may define, against definitions.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

#[path = "shared/programs.rs"]
mod programs;

use std::collections::BTreeSet;
use std::path::Path;

use ripple_graphs::may_define::Variable;
use ripple_graphs::{
    Cfg, ControlDependence, DominatorTree, LiveSlots, MayDefine, NodeId, Outcome, ProgramGraphs,
};

/// Programs with loops, switches, gotos, jumps between functions and exits.
const PROGRAMS: [&str; 5] = ["computed_goto", "exit_codes", "gotos", "setjmp", "switches"];

/// Calls `check` with the control flow of every function of the programs.
fn for_all(check: impl Fn(&str, &Cfg)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    for name in PROGRAMS {
        let file = root.join(format!("{name}.c"));
        let Some(module) = programs::load_with(&[file], &["-w"]) else { return };
        let graphs = ProgramGraphs::new(&module);
        for (id, function) in module.functions.iter() {
            if let Some(cfg) = graphs.cfg(id) {
                check(&format!("{name}: {}", function.name), &cfg);
            }
        }
    }
}

/// What can be reached from a node without going through another.
fn reached(cfg: &Cfg, from: NodeId, without: Option<NodeId>) -> BTreeSet<NodeId> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        if Some(node) != without && seen.insert(node) {
            stack.extend(cfg.successors(node).iter().map(|&(to, _)| to));
        }
    }
    seen
}

#[test]
fn a_node_dominates_what_cannot_be_reached_without_it() {
    for_all(|name, cfg| {
        let tree = DominatorTree::new(cfg);
        let reachable = reached(cfg, Cfg::ENTRY, None);
        for &a in &reachable {
            let rest = reached(cfg, Cfg::ENTRY, Some(a));
            for &b in &reachable {
                assert_eq!(tree.dominates(a, b), !rest.contains(&b), "{name}: {a} {b}");
            }
        }
    });
}

#[test]
fn a_node_postdominates_what_cannot_leave_without_it() {
    for_all(|name, cfg| {
        let tree = DominatorTree::of_postdominance(cfg);
        // Where there is no way out the tree makes one up.
        if !tree.endless().is_empty() {
            return;
        }
        let reachable = reached(cfg, Cfg::ENTRY, None);
        for &a in &reachable {
            for &b in &reachable {
                let leaves = a != b && reached(cfg, b, Some(a)).contains(&cfg.exit());
                assert_eq!(tree.dominates(a, b), !leaves, "{name}: {a} {b}");
            }
        }
    });
}

#[test]
fn control_dependence_is_what_its_definition_says() {
    for_all(|name, cfg| {
        let post = DominatorTree::of_postdominance(cfg);
        let control = ControlDependence::new(cfg, &post);
        if !post.endless().is_empty() {
            return;
        }
        let reachable = reached(cfg, Cfg::ENTRY, None);
        for &decision in &reachable {
            for &node in reachable.iter().filter(|&&node| node != cfg.exit()) {
                // It follows one outcome for certain and does not strictly post-dominate the node.
                let strictly = node != decision && post.dominates(node, decision);
                let ways = cfg.successors(decision).iter();
                let ways = ways.filter(|&&(to, _)| post.dominates(node, to) && !strictly);
                let expected: BTreeSet<Outcome> = match cfg.successors(decision).len() {
                    0 | 1 => BTreeSet::new(),
                    _ => ways.map(|&(_, outcome)| outcome).collect(),
                };
                let parents = control.parents(node).iter();
                let found = parents.filter(|(from, _)| *from == decision).map(|&(_, o)| o);
                assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{name}: {decision} {node}");
            }
        }
    });
}

#[test]
fn slots_live_until_they_are_read_last_and_branches_define_what_they_guard() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("choose.c");
    let text = "int choose(int x) {\n    int y = 1, z = 2;\n    if (x > 0)\n        y = x;\n\
                \n    else\n        z = x;\n    return y;\n}\n";
    std::fs::write(&file, text).unwrap();
    let Some(module) = programs::load_with(&[file], &["-w"]) else { return };
    let graphs = ProgramGraphs::new(&module);
    let (id, function) = module.functions.iter().find(|(_, f)| f.name == "choose").unwrap();
    let body = function.body().unwrap();
    let cfg = graphs.cfg(id).unwrap();
    let named = |name: &str| body.slots.iter().find(|(_, slot)| slot.name == name).unwrap().0;
    let live = LiveSlots::new(body, &cfg);
    let after: Vec<_> = live.leaving(Cfg::ENTRY).collect();
    assert_eq!(after, [named("x"), named("y")], "nobody reads z");
    assert_eq!(live.entering(Cfg::ENTRY).count(), 0);
    let control = ControlDependence::new(&cfg, &DominatorTree::of_postdominance(&cfg));
    let may = MayDefine::new(graphs.analyses(), id, &cfg, &control);
    let defined = |outcome| may.variables(Cfg::ENTRY, outcome).collect::<Vec<_>>();
    assert_eq!(defined(Outcome::True), [Variable::Slot(named("y"))]);
    assert_eq!(defined(Outcome::False), [Variable::Slot(named("z"))]);
}
