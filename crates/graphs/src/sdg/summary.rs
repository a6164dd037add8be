//! Which inputs of a function reach which of its outputs.
//!
//! Backward from the outputs over the function's own vertices, callees first; repeats mutually
//! recursive functions until nothing changes. Leaves out paths through unordered memory: slices
//! follow those anyway.

use base::components;
use base::sets::BitMatrix;
use ir::FuncId;

use super::{Key, Sdg, VertexId};
use crate::call_graph::CallGraph;

pub(super) fn summarise(sdg: &mut Sdg, calls: &CallGraph) {
    for part in sdg.parts.values_mut() {
        part.by_input = BitMatrix::new(part.ins.len(), part.outs.len());
        part.by_output = BitMatrix::new(part.outs.len(), part.ins.len());
    }
    for component in calls.components() {
        let order = callees_first(component, calls);
        let mut waiting = vec![true; component.len()];
        // Sweeps over what may have changed, until nothing has.
        while waiting.contains(&true) {
            for &function in &order {
                let Ok(at) = component.binary_search(&function) else { continue };
                if !std::mem::replace(&mut waiting[at], false) || !summarise_one(sdg, function) {
                    continue;
                }
                for &(caller, _) in calls.callers(function) {
                    if let Ok(at) = component.binary_search(&caller) {
                        waiting[at] = true;
                    }
                }
            }
        }
        settle_unchanged(sdg, component);
    }
}

/// The functions of a component such that callees come before callers where they can.
fn callees_first(component: &[FuncId], calls: &CallGraph) -> Vec<FuncId> {
    let mut seen = vec![false; component.len()];
    let mut order = Vec::with_capacity(component.len());
    for &root in component {
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.last_mut() {
            let at = component.binary_search(function).unwrap_or_default();
            if *next == 0 && std::mem::replace(&mut seen[at], true) {
                stack.pop();
                continue;
            }
            match calls.callees(*function).get(*next) {
                Some(&(_, callee)) => {
                    *next += 1;
                    if component.binary_search(&callee).is_ok_and(|at| !seen[at]) {
                        stack.push((callee, 0));
                    }
                }
                None => {
                    order.push(*function);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Recomputes the summary of one function; returns whether it grew.
fn summarise_one(sdg: &mut Sdg, function: FuncId) -> bool {
    let part = sdg.part(function);
    if part.outs.is_empty() || part.ins.is_empty() {
        return false;
    }
    let (start, end) = (part.start, part.end);
    let inside = |vertex: VertexId| (start..end).contains(&vertex.as_u32());
    let len = (end - start) as usize;
    let order = components(len, 0..len as u32, |at, visit| {
        let vertex = VertexId(start + at);
        for &(to, _) in sdg.forward.of(vertex) {
            if inside(to) {
                visit(to.as_u32() - start);
            }
        }
        sdg.summary_forward(vertex, |to| visit(to.as_u32() - start));
    });
    let mut reached = BitMatrix::new(order.len(), part.outs.len());
    let mut class = vec![0u32; len];
    for (index, members) in order.iter().enumerate() {
        members.iter().for_each(|&member| class[member as usize] = index as u32);
    }
    for (output, &(_, vertex)) in part.outs.iter().enumerate() {
        reached.insert(class[(vertex.as_u32() - start) as usize] as usize, output);
    }
    for (index, members) in order.iter().enumerate() {
        for &member in members {
            let vertex = VertexId(start + member);
            for &(to, _) in sdg.forward.of(vertex) {
                if inside(to) {
                    reached.add_row(class[(to.as_u32() - start) as usize] as usize, index);
                }
            }
            sdg.summary_forward(vertex, |to| {
                reached.add_row(class[(to.as_u32() - start) as usize] as usize, index);
            });
        }
    }
    let mut found = Vec::new();
    for (input, &(_, vertex)) in part.ins.iter().enumerate() {
        let class = class[(vertex.as_u32() - start) as usize] as usize;
        found.extend(reached.row(class).map(|output| (input, output)));
    }
    let part = &mut sdg.parts[function];
    let mut grew = false;
    for (input, output) in found {
        grew |= part.by_input.insert(input, output);
        part.by_output.insert(output, input);
    }
    grew
}

/// A region passes through a function unchanged only if it may pass through its calls unchanged,
/// too. If the summary says that it cannot pass at all, that is final.
fn settle_unchanged(sdg: &mut Sdg, component: &[FuncId]) {
    for &function in component {
        let part = &sdg.parts[function];
        let kept = part.unchanged.iter().copied().filter(|&region| {
            let key = Key::Region(region);
            let input = part.ins.binary_search_by_key(&key, |&(key, _)| key);
            let output = part.outs.binary_search_by_key(&key, |&(key, _)| key);
            match (input, output) {
                (Ok(input), Ok(output)) => part.by_input.contains(input, output),
                _ => false,
            }
        });
        let kept = kept.collect();
        sdg.parts[function].unchanged = kept;
    }
}
