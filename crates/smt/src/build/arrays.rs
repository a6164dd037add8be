//! Arrays and applications of functions.

use crate::term::{FunctionId, Node, Op, Sort, TermId, Terms};

impl Terms {
    fn array_sort(&self, array: TermId) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            Sort::Bits(_) => panic!("a bit vector is used as an array"),
        }
    }

    /// The element at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let (index_width, element) = self.array_sort(array);
        assert_eq!(self.width(index), index_width, "an index of another width");
        let mut array = array;
        while !self.raw {
            let node = self.node(array);
            match node.op {
                Op::ConstArray => return self.operand(array, 0),
                Op::Store => match self.eq(self.operand(array, 1), index) {
                    Terms::TRUE => return self.operand(array, 2),
                    Terms::FALSE => array = self.operand(array, 0),
                    _ => break,
                },
                _ => break,
            }
        }
        self.binary(Op::Select, element, array, index)
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let (index_width, element) = self.array_sort(array);
        assert_eq!(self.width(index), index_width, "an index of another width");
        assert_eq!(self.width(value), element, "an element of another width");
        let mut base = array;
        if !self.raw {
            if self.op(base) == Op::Store && self.operand(base, 1) == index {
                base = self.operand(base, 0);
            }
            if self.match_binary(Op::Select, value) == Some((base, index)) {
                return base;
            }
        }
        let width = self.node(array).width;
        let (a, b, c) = (base.raw(), index.raw(), value.raw());
        self.make(Node { op: Op::Store, rounding: 0, width, a, b, c })
    }

    /// The array that has the same element everywhere.
    pub fn const_array(&mut self, index: u32, value: TermId) -> TermId {
        let element = self.width(value);
        let width = self.encode_sort(Sort::Array { index, element });
        self.make(Node { op: Op::ConstArray, rounding: 0, width, a: value.raw(), b: 0, c: 0 })
    }

    /// A function applied to arguments; computed if it has an implementation and they are
    /// constants.
    pub fn apply(&mut self, function: FunctionId, arguments: &[TermId]) -> TermId {
        let declared = self.function_info(function);
        let widths: Vec<u32> = arguments.iter().map(|a| self.width(*a)).collect();
        assert_eq!(widths, declared.arguments, "arguments of `{}`", declared.name);
        let result = declared.result;
        let constants: Option<Vec<u64>> = arguments.iter().map(|a| self.as_constant(*a)).collect();
        if let (Some(value), Some(constants), false) = (&declared.value, constants, self.raw) {
            let value = value(&constants);
            return self.constant(result, value);
        }
        let start = self.intern_arguments(arguments);
        let width = self.encode_sort(Sort::Bits(result));
        self.make(Node { op: Op::Apply, rounding: 0, width, a: function.0, b: start, c: 0 })
    }
}
