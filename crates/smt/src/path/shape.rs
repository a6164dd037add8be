//! Classifies conditions, once per term.

use std::sync::Arc;

use crate::bytes::{ByteSet, SMALL_WIDTH};
use crate::chain::{IntervalSet, interval_set};
use crate::lanes::Lanes;
use crate::model::Model;
use crate::term::{Sort, Support, TermId, Terms, VarId};

/// The meaning of a condition, as far as the domain of one variable can express it.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A small variable has one of these values.
    Values(VarId, ByteSet),
    /// A variable of at most 64 bits lies in these intervals.
    Intervals(VarId, Arc<IntervalSet>),
    Other(Arc<Support>),
}

impl Shape {
    /// The one variable that it concerns.
    pub fn variable(&self) -> Option<VarId> {
        match self {
            Shape::Values(variable, _) | Shape::Intervals(variable, _) => Some(*variable),
            Shape::Other(_) => None,
        }
    }
}

/// Shapes by term.
#[derive(Default)]
pub struct Shapes {
    /// By term, one more than the index of its shape; 0 if unknown.
    numbers: Vec<u32>,
    shapes: Vec<Shape>,
    lanes: Lanes,
}

impl Shapes {
    pub fn get(&self, number: u32) -> &Shape {
        &self.shapes[number as usize]
    }

    /// The number of the condition's shape.
    pub fn of(&mut self, terms: &mut Terms, condition: TermId) -> u32 {
        let index = condition.index();
        if self.numbers.len() <= index {
            self.numbers.resize(terms.len() + 1, 0);
        }
        if self.numbers[index] == 0 {
            let shape = self.find(terms, condition);
            self.shapes.push(shape);
            self.numbers[index] = self.shapes.len() as u32;
        }
        self.numbers[index] - 1
    }

    fn find(&mut self, terms: &mut Terms, condition: TermId) -> Shape {
        let support = terms.support(condition);
        let ([variable], []) = (support.variables.as_slice(), support.functions.as_slice()) else {
            return Shape::Other(support);
        };
        match terms.variable_info(*variable).sort {
            Sort::Bits(..=SMALL_WIDTH) => {
                self.lanes.start(terms, *variable);
                match self.lanes.values(terms, &Model::new(), condition) {
                    Some(set) => Shape::Values(*variable, set),
                    None => Shape::Other(support),
                }
            }
            Sort::Bits(..=64) => match interval_set(terms, condition) {
                Some((variable, set)) => Shape::Intervals(variable, Arc::new(set)),
                None => Shape::Other(support),
            },
            _ => Shape::Other(support),
        }
    }
}
