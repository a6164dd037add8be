//! Strongly connected components of a graph whose nodes are numbers: Tarjan (1972), without
//! recursion, so that deep graphs do not overflow the stack.

/// The components of the nodes reachable from the roots, each by number. A component comes after
/// those it leads to.
pub fn components(
    len: usize,
    roots: impl Iterator<Item = u32>,
    successors: impl Fn(u32, &mut dyn FnMut(u32)),
) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut numbers = vec![UNSEEN; len];
    let mut lows = vec![0u32; len];
    let mut on_stack = vec![false; len];
    let mut stack: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    let mut next_number = 0;
    let mut pending: Vec<u32> = Vec::new();
    // Each frame: the node, and where its successors begin in `pending`.
    let mut frames: Vec<(u32, usize)> = Vec::new();
    for root in roots {
        if numbers[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                numbers[node as usize] = next_number;
                lows[node as usize] = next_number;
                next_number += 1;
                on_stack[node as usize] = true;
                stack.push(node);
                frames.push((node, pending.len()));
                successors(node, &mut |to| pending.push(to));
            }
            let Some(&(node, start)) = frames.last() else { break };
            if pending.len() > start {
                let to = pending.pop().expect("there is more than at the start");
                if numbers[to as usize] == UNSEEN {
                    enter = Some(to);
                } else if on_stack[to as usize] {
                    lows[node as usize] = lows[node as usize].min(numbers[to as usize]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(parent, _)) = frames.last() {
                lows[parent as usize] = lows[parent as usize].min(lows[node as usize]);
            }
            if lows[node as usize] == numbers[node as usize] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn circles_are_together_and_come_behind_what_they_lead_to() {
        let edges: [&[u32]; 5] = [&[1], &[2, 3], &[0], &[4], &[]];
        let found = components(5, 0..5, |node, visit| {
            edges[node as usize].iter().for_each(|&to| visit(to));
        });
        assert_eq!(found, [vec![4], vec![3], vec![0, 1, 2]]);
    }
}
