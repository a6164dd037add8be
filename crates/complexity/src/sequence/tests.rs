use std::collections::BTreeSet;

use base::Random;

use super::*;

fn block(is_changed: bool, successors: &[usize]) -> Block {
    let returns = successors.is_empty();
    Block { is_changed, successors: successors.to_vec(), returns, ..Block::default() }
}

fn root(blocks: Vec<Block>) -> Procedure {
    Procedure { blocks, is_root: true }
}

fn calling(mut block: Block, target: usize, is_skippable: bool) -> Block {
    block.calls.push(Call { targets: vec![target], is_skippable });
    block
}

/// Edges by names: `a1` is block 1 of procedure 0.
fn edges(graph: &ChangeSequenceGraph) -> BTreeSet<String> {
    let name = |index: u32| match graph.vertices[index as usize] {
        Vertex::Entry => "entry".to_owned(),
        Vertex::Exit => "exit".to_owned(),
        Vertex::Changed { procedure, block } => {
            format!("{}{block}", (b'a' + procedure as u8) as char)
        }
    };
    graph.edges.iter().map(|&(from, to)| format!("{}-{}", name(from), name(to))).collect()
}

fn names(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn nothing_changed_is_not_complex() {
    let graph = ChangeSequenceGraph::new(&[root(vec![block(false, &[])])]);
    assert_eq!((graph.cyclomatic_complexity(), graph.vertices.len()), (0, 0));
}

#[test]
fn unrelated_changes_add_up() {
    let one = root(vec![block(true, &[])]);
    let graph = ChangeSequenceGraph::new(&[one.clone(), one.clone(), one]);
    assert_eq!(graph.cyclomatic_complexity(), 3);
}

#[test]
fn a_change_in_a_loop_follows_itself() {
    let graph = ChangeSequenceGraph::new(&[root(vec![
        block(false, &[1, 2]),
        block(true, &[0]),
        block(false, &[]),
    ])]);
    assert_eq!(edges(&graph), names("entry-a1 a1-a1 a1-exit"));
    assert_eq!(graph.cyclomatic_complexity(), 2);
}

#[test]
fn a_dead_change_is_in_no_sequence() {
    let graph = ChangeSequenceGraph::new(&[root(vec![block(false, &[]), block(true, &[])])]);
    assert_eq!(edges(&graph), names("a1-exit"));
    assert_eq!((graph.components, graph.cyclomatic_complexity()), (1, 0));
}

#[test]
fn a_loop_without_end_adds_nothing() {
    let graph = ChangeSequenceGraph::new(&[root(vec![block(true, &[0])])]);
    assert_eq!(edges(&graph), names("entry-a0 a0-a0"));
    assert_eq!(graph.cyclomatic_complexity(), 1);
}

#[test]
fn ways_come_back_to_where_they_were_called() {
    // Two callers of b, each with a change behind its call: from b to both, but not from a1's
    // side into the middle of c.
    let a = root(vec![calling(block(false, &[1]), 1, false), block(true, &[])]);
    let b = Procedure { blocks: vec![block(true, &[])], is_root: false };
    let c = root(vec![calling(block(false, &[1]), 1, false), block(true, &[])]);
    let graph = ChangeSequenceGraph::new(&[a, b, c]);
    assert_eq!(edges(&graph), names("entry-b0 b0-a1 b0-c1 a1-exit c1-exit"));
}

#[test]
fn a_call_that_always_changes_something_cannot_be_passed() {
    let through = |is_changed: bool, is_skippable: bool| {
        let a = root(vec![calling(block(true, &[1]), 1, is_skippable), block(true, &[])]);
        let b = Procedure {
            blocks: vec![block(is_changed, &[1]), block(!is_changed, &[])],
            is_root: false,
        };
        edges(&ChangeSequenceGraph::new(&[a, b])).contains("a0-a1")
    };
    assert!(!through(true, false));
    assert!(through(true, true));
    // A branch around the change.
    let a = root(vec![calling(block(true, &[1]), 1, false), block(true, &[])]);
    let b = Procedure {
        blocks: vec![block(false, &[1, 2]), block(true, &[2]), block(false, &[])],
        is_root: false,
    };
    let graph = ChangeSequenceGraph::new(&[a, b]);
    assert_eq!(edges(&graph), names("entry-a0 a0-b1 a0-a1 b1-a1 a1-exit"));
}

#[test]
fn a_callee_is_not_left_to_another_caller() {
    // From a0 into b and out again must lead to a1, never to c1.
    let b = Procedure { blocks: vec![block(false, &[])], is_root: false };
    let a = root(vec![calling(block(true, &[1]), 0, false), block(true, &[])]);
    let c = root(vec![calling(block(false, &[1]), 0, false), block(true, &[])]);
    let graph = ChangeSequenceGraph::new(&[b, a, c]);
    assert_eq!(edges(&graph), names("entry-b0 b0-b1 b1-exit entry-c1 c1-exit"));
}

#[test]
fn recursion_ends() {
    let a =
        root(vec![block(false, &[1, 2]), calling(block(true, &[2]), 0, false), block(false, &[])]);
    let graph = ChangeSequenceGraph::new(&[a]);
    assert_eq!(edges(&graph), names("entry-a1 a1-a1 a1-exit"));
}

#[test]
fn the_end_of_the_program_is_reached_from_inside_of_calls() {
    let a = root(vec![calling(block(true, &[1]), 1, false), block(true, &[])]);
    let b = Procedure { blocks: vec![Block { exits: true, ..Block::default() }], is_root: false };
    let graph = ChangeSequenceGraph::new(&[a, b]);
    assert_eq!(edges(&graph), names("entry-a0 a0-exit a1-exit"));
}

/// Ways of one procedure, found one vertex at a time.
fn plain_edges(procedure: &Procedure) -> BTreeSet<(Option<usize>, Option<usize>)> {
    let mut found = BTreeSet::new();
    let changed = (0..procedure.blocks.len()).filter(|&b| procedure.blocks[b].is_changed);
    let sources: Vec<Option<usize>> = std::iter::once(None).chain(changed.map(Some)).collect();
    for source in sources {
        let mut seen = vec![false; procedure.blocks.len()];
        let mut waiting = match source {
            None => vec![0],
            Some(block) => {
                if procedure.blocks[block].returns {
                    found.insert((source, None));
                }
                procedure.blocks[block].successors.clone()
            }
        };
        while let Some(block) = waiting.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            if procedure.blocks[block].is_changed {
                found.insert((source, Some(block)));
                continue;
            }
            if procedure.blocks[block].returns && source.is_some() {
                found.insert((source, None));
            }
            waiting.extend(&procedure.blocks[block].successors);
        }
    }
    found
}

#[test]
fn random_graphs_have_the_edges_of_a_plain_search() {
    let mut random = Random::new(3);
    for round in 0..300 {
        // Some have more changed blocks than are looked for at once.
        let count = if round % 20 == 0 { 1200 } else { 1 + random.below(14) };
        let blocks = (0..count).map(|_| Block {
            is_changed: random.below(2) == 0,
            successors: (0..random.below(3))
                .map(|_| random.below(count))
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            returns: random.below(4) == 0,
            ..Block::default()
        });
        let procedure = root(blocks.collect());
        let graph = ChangeSequenceGraph::new(std::slice::from_ref(&procedure));
        let side = |index: u32| match graph.vertices[index as usize] {
            Vertex::Changed { block, .. } => Some(block),
            Vertex::Entry | Vertex::Exit => None,
        };
        let found: BTreeSet<_> =
            graph.edges.iter().map(|&(from, to)| (side(from), side(to))).collect();
        if graph.vertices.is_empty() {
            assert!(!procedure.blocks.iter().any(|block| block.is_changed))
        } else {
            assert_eq!(found, plain_edges(&procedure))
        }
        assert_eq!(graph.edge_count as usize, found.len());
    }
}
