//! The variables and functions that a term depends on.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{FunctionId, Op, TermId, Terms, VarId};

/// The variables of a term and its functions without an implementation, each sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    pub variables: Vec<VarId>,
    pub functions: Vec<FunctionId>,
    /// The number of different terms in it.
    pub size: usize,
}

impl Terms {
    /// The support of the term. Computed once per requested term.
    pub fn support(&mut self, term: TermId) -> Arc<Support> {
        if let Some(known) = self.supports.get(&term) {
            return Arc::clone(known);
        }
        let support = Arc::new(self.compute_support(term));
        self.supports.insert(term, Arc::clone(&support));
        support
    }

    fn compute_support(&self, term: TermId) -> Support {
        let mut support = Support::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.node(term);
            match node.op {
                Op::Var => support.variables.push(VarId(node.a)),
                Op::Apply => {
                    let function = FunctionId(node.a);
                    if self.function_info(function).value.is_none() {
                        support.functions.push(function);
                    }
                }
                _ => {}
            }
            stack.extend(self.operands(term));
        }
        support.size = seen.len();
        support.variables.sort_unstable();
        support.functions.sort_unstable();
        support.functions.dedup();
        support
    }
}
