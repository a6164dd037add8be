//! Terms and the table that holds each of them once.
//!
//! Booleans are bit vectors of width 1, and floats are bit vectors of width 32 or 64 with float
//! operations on them, so that no conversion stands between what a machine stores and what a
//! condition says. A term's operands have smaller ids than the term itself. `build` constructs and
//! simplifies terms; this file only interns them.

mod facts;
mod support;

use std::num::NonZeroU32;
use std::sync::Arc;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use self::facts::Facts;
pub use self::support::Support;

/// The largest width in bits.
pub const MAX_WIDTH: u32 = 4096;

/// A term of a [`Terms`] table. Its number is never 0, so 0 can stand for "no term".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(NonZeroU32);

impl TermId {
    pub const fn from_raw(raw: u32) -> Option<TermId> {
        match NonZeroU32::new(raw) {
            Some(raw) => Some(TermId(raw)),
            None => None,
        }
    }

    pub const fn raw(self) -> u32 {
        self.0.get()
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// A free variable of a [`Terms`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// An uninterpreted function of a [`Terms`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A bit vector, 1 to [`MAX_WIDTH`] bits.
    Bits(u32),
    /// A total map from bit vectors to bit vectors, each of at most 64 bits.
    Array { index: u32, element: u32 },
}

/// How a float is rounded to an integral value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl Rounding {
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardPositive,
        Rounding::TowardNegative,
        Rounding::TowardZero,
    ];
}

/// The operation at the top of a term. There is no subtraction (`a + -b`), no "or equal"
/// (`¬(b < a)`), and no rotation (concatenated extracts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Op {
    Const,
    WideConst,
    Var,
    Not,
    Neg,
    Add,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    Ult,
    Slt,
    Ite,
    Extract,
    Concat,
    ZExt,
    SExt,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FSqrt,
    FFma,
    FEq,
    FLt,
    FLe,
    /// Truncation to a signed integer; the smallest one if it does not fit, as on x86.
    FToSi,
    SiToF,
    UiToF,
    /// Between `f32` and `f64`.
    FToF,
    /// To an integral value, by the [`Rounding`] in the node.
    FRound,
    Select,
    Store,
    ConstArray,
    Apply,
}

/// One entry of the table. The meaning of `a`, `b` and `c` depends on the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub op: Op,
    pub rounding: u8,
    /// The width, or `ARRAY` plus the number of the array sort.
    pub width: u16,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

const ARRAY: u16 = 0x8000;

/// The implementation of a function, given the bits of its arguments.
pub type FunctionValue = Arc<dyn Fn(&[u64]) -> u64 + Send + Sync>;

/// An uninterpreted function over bit vectors of at most 64 bits.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub arguments: Vec<u32>,
    pub result: u32,
    /// If given, models are checked with it; else any function will do.
    pub value: Option<FunctionValue>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub sort: Sort,
    pub(crate) term: TermId,
}

/// The table of all terms.
pub struct Terms {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    interned: FxHashMap<Node, TermId>,
    wides: Vec<BigUint>,
    interned_wides: FxHashMap<BigUint, u32>,
    arrays: Vec<(u32, u32)>,
    variables: Vec<Variable>,
    by_name: FxHashMap<String, VarId>,
    functions: Vec<Function>,
    functions_by_name: FxHashMap<String, FunctionId>,
    arguments: Vec<TermId>,
    interned_arguments: FxHashMap<Vec<TermId>, u32>,
    supports: FxHashMap<TermId, Arc<Support>>,
    /// Construction does not simplify. Only for tests of the simplifier.
    pub(crate) raw: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        let filler = Node { op: Op::Const, rounding: 0, width: 1, a: 0, b: 0, c: 0 };
        let mut terms = Terms {
            nodes: vec![filler],
            facts: vec![Facts::unknown(1)],
            interned: FxHashMap::default(),
            wides: Vec::new(),
            interned_wides: FxHashMap::default(),
            arrays: vec![(64, 8)],
            variables: Vec::new(),
            by_name: FxHashMap::default(),
            functions: Vec::new(),
            functions_by_name: FxHashMap::default(),
            arguments: Vec::new(),
            interned_arguments: FxHashMap::default(),
            supports: FxHashMap::default(),
            raw: false,
        };
        // The two truth values are always terms 1 and 2.
        terms.constant(1, 0);
        terms.constant(1, 1);
        terms
    }
}

impl Terms {
    pub const FALSE: TermId = TermId(NonZeroU32::MIN);
    pub const TRUE: TermId = TermId(NonZeroU32::MIN.saturating_add(1));

    pub fn new() -> Terms {
        Terms::default()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub(crate) fn node(&self, term: TermId) -> Node {
        self.nodes[term.index()]
    }

    pub(crate) fn facts(&self, term: TermId) -> &Facts {
        &self.facts[term.index()]
    }

    /// The smallest and the largest value that a bit vector of at most 64 bits can have, as far as
    /// its structure shows.
    pub fn bounds(&self, term: TermId) -> (u64, u64) {
        let facts = self.facts(term);
        (facts.umin, facts.umax)
    }

    /// As [`Terms::bounds`], of the signed values.
    pub fn signed_bounds(&self, term: TermId) -> (i64, i64) {
        let facts = self.facts(term);
        (facts.smin, facts.smax)
    }

    /// How many of the lowest bits of a bit vector are certainly 0.
    pub fn trailing_zeros(&self, term: TermId) -> u32 {
        self.facts(term).zeros.trailing_ones()
    }

    pub fn op(&self, term: TermId) -> Op {
        self.node(term).op
    }

    /// The width of a bit vector.
    ///
    /// # Panics
    /// If the term is an array.
    pub fn width(&self, term: TermId) -> u32 {
        let width = self.node(term).width;
        assert!(width < ARRAY, "an array has no width");
        u32::from(width)
    }

    pub fn sort(&self, term: TermId) -> Sort {
        let width = self.node(term).width;
        if width < ARRAY {
            Sort::Bits(u32::from(width))
        } else {
            let (index, element) = self.arrays[usize::from(width - ARRAY)];
            Sort::Array { index, element }
        }
    }

    pub fn is_array(&self, term: TermId) -> bool {
        self.node(term).width >= ARRAY
    }

    pub(crate) fn encode_sort(&mut self, sort: Sort) -> u16 {
        match sort {
            Sort::Bits(width) => {
                assert!((1..=MAX_WIDTH).contains(&width), "a width of {width} bits");
                width as u16
            }
            Sort::Array { index, element } => {
                assert!(index <= 64 && element <= 64, "an array of wide bit vectors");
                let known = self.arrays.iter().position(|sort| *sort == (index, element));
                let number = known.unwrap_or_else(|| {
                    self.arrays.push((index, element));
                    self.arrays.len() - 1
                });
                ARRAY + number as u16
            }
        }
    }

    /// The value of a constant of at most 64 bits.
    pub fn as_constant(&self, term: TermId) -> Option<u64> {
        let node = self.node(term);
        (node.op == Op::Const).then(|| node.value())
    }

    pub(crate) fn wide_value(&self, node: &Node) -> &BigUint {
        &self.wides[node.a as usize]
    }

    pub fn is_constant(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::Const | Op::WideConst)
    }

    /// The operands that are terms.
    pub fn operands(&self, term: TermId) -> Operands<'_> {
        let node = self.node(term);
        let id = |raw| TermId::from_raw(raw).unwrap_or(Terms::FALSE);
        match node.op {
            Op::Apply => Operands::List(self.arguments_of(&node).iter()),
            op => {
                let all = [id(node.a), id(node.b), id(node.c)];
                Operands::Few { all, next: 0, count: op.operand_count() }
            }
        }
    }

    pub(crate) fn arguments_of(&self, node: &Node) -> &[TermId] {
        let count = self.functions[node.a as usize].arguments.len();
        &self.arguments[node.b as usize..node.b as usize + count]
    }

    pub fn constant(&mut self, width: u32, value: u64) -> TermId {
        if width > 64 {
            return self.wide_constant(width, BigUint::from(value));
        }
        let value = value & mask(width);
        let node = Node {
            op: Op::Const,
            rounding: 0,
            width: self.encode_sort(Sort::Bits(width)),
            a: 0,
            b: value as u32,
            c: (value >> 32) as u32,
        };
        self.intern(node)
    }

    pub fn boolean(&self, value: bool) -> TermId {
        if value { Terms::TRUE } else { Terms::FALSE }
    }

    /// A constant of any width, truncated to it.
    pub fn wide_constant(&mut self, width: u32, value: BigUint) -> TermId {
        let value = value & ((BigUint::from(1u8) << width) - 1u8);
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            return self.constant(width, low);
        }
        let number = match self.interned_wides.get(&value) {
            Some(&number) => number,
            None => {
                let number = self.wides.len() as u32;
                self.wides.push(value.clone());
                self.interned_wides.insert(value, number);
                number
            }
        };
        let width = self.encode_sort(Sort::Bits(width));
        self.intern(Node { op: Op::WideConst, rounding: 0, width, a: number, b: 0, c: 0 })
    }

    /// The variable of that name. Each name means one variable: the same name gives the same term.
    ///
    /// # Panics
    /// If the name belongs to a variable of another sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(known) = self.by_name.get(name) {
            let variable = &self.variables[known.0 as usize];
            assert_eq!(variable.sort, sort, "`{name}` has another sort");
            return variable.term;
        }
        let number = self.variables.len() as u32;
        let width = self.encode_sort(sort);
        let node = Node { op: Op::Var, rounding: 0, width, a: number, b: 0, c: 0 };
        let term = self.intern(node);
        self.variables.push(Variable { name: name.to_owned(), sort, term });
        self.by_name.insert(name.to_owned(), VarId(number));
        term
    }

    pub fn find_variable(&self, name: &str) -> Option<VarId> {
        self.by_name.get(name).copied()
    }

    pub fn variable_of(&self, term: TermId) -> Option<VarId> {
        let node = self.node(term);
        (node.op == Op::Var).then_some(VarId(node.a))
    }

    pub fn variable_term(&self, variable: VarId) -> TermId {
        self.variables[variable.0 as usize].term
    }

    pub fn variable_info(&self, variable: VarId) -> &Variable {
        &self.variables[variable.0 as usize]
    }

    pub fn variables(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len() as u32).map(VarId)
    }

    /// The function of that name. The same name gives the same function.
    pub fn function(&mut self, function: Function) -> FunctionId {
        if let Some(&known) = self.functions_by_name.get(&function.name) {
            return known;
        }
        let mut widths = function.arguments.iter().copied().chain([function.result]);
        assert!(widths.all(|width| (1..=64).contains(&width)), "a function of wide values");
        drop(widths);
        let id = FunctionId(self.functions.len() as u32);
        self.functions_by_name.insert(function.name.clone(), id);
        self.functions.push(function);
        id
    }

    pub fn function_info(&self, function: FunctionId) -> &Function {
        &self.functions[function.0 as usize]
    }

    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    pub(crate) fn intern_arguments(&mut self, arguments: &[TermId]) -> u32 {
        if let Some(&start) = self.interned_arguments.get(arguments) {
            return start;
        }
        let start = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        self.interned_arguments.insert(arguments.to_vec(), start);
        start
    }

    /// The term of this node: the existing one, or a new one. A new one whose facts leave only one
    /// value is that constant instead.
    pub(crate) fn intern(&mut self, node: Node) -> TermId {
        if let Some(&known) = self.interned.get(&node) {
            return known;
        }
        let facts = Facts::of(self, &node);
        if let (Some(value), false) = (facts.only_value(), self.raw || node.op == Op::Const) {
            let constant = self.constant(u32::from(node.width), value);
            self.interned.insert(node, constant);
            return constant;
        }
        let raw = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms fit in memory");
        let id = TermId::from_raw(raw).expect("the table starts with a filler");
        self.nodes.push(node);
        self.facts.push(facts);
        self.interned.insert(node, id);
        id
    }
}

impl Node {
    pub fn value(&self) -> u64 {
        u64::from(self.b) | u64::from(self.c) << 32
    }

    pub fn is_array(&self) -> bool {
        self.width >= ARRAY
    }
}

impl Op {
    /// How many of `a`, `b` and `c` are terms. Applications have a list instead.
    pub(crate) fn operand_count(self) -> u8 {
        use Op::*;
        match self {
            Const | WideConst | Var | Apply => 0,
            Not | Neg | Extract | ZExt | SExt | FSqrt | FToSi | SiToF | UiToF | FToF | FRound
            | ConstArray => 1,
            Ite | FFma | Store => 3,
            _ => 2,
        }
    }
}

/// Operands of a term, in order.
#[derive(Clone, Debug)]
pub enum Operands<'a> {
    Few { all: [TermId; 3], next: u8, count: u8 },
    List(std::slice::Iter<'a, TermId>),
}

impl Iterator for Operands<'_> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        match self {
            Operands::Few { all, next, count } => {
                let at = *next;
                *next += 1;
                (at < *count).then(|| all[usize::from(at)])
            }
            Operands::List(list) => list.next().copied(),
        }
    }
}

/// The lowest `width` bits.
pub(crate) const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The bits as a signed number.
pub(crate) const fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (value << unused) as i64 >> unused
}
