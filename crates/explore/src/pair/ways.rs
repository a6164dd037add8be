//! How often each branch of a run went each way, with one numbering for the branches of two
//! versions: a branch that both versions have gets the same number in both.
//!
//! A run yields a list of *features*: branch, way and order of magnitude of the count, as in
//! coverage-guided fuzzing. Computed jumps count by their target.

use std::sync::Arc;

use base::Version;
use base::entity::EntityRef;
use exec::code::Code;
use exec::observer::{At, Operand};
use exec::{Observer, Program};
use ir::{FuncId, InstId, StatementId};
use rustc_hash::FxHashMap;
use trace::Matching;

/// The ways of one number: not taken, taken, jumped to.
const WAYS: u32 = 3;

/// The numbers of all instructions of a version.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    /// By function, by instruction.
    insts: Vec<Vec<u32>>,
    /// The count of numbers in both versions together.
    pub count: u32,
    /// By number: whether both versions have it.
    shared: Arc<[bool]>,
}

/// An instruction by its statement and its place among the instructions of that statement.
type Name = (StatementId, u32);

impl Numbering {
    /// The numbers of both versions.
    pub fn both(old: &Program, new: &Program, matching: &Matching) -> [Arc<Numbering>; 2] {
        let mut names: FxHashMap<Name, u32> = FxHashMap::default();
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let of_new = number(new, |name| *names.entry(name).or_insert_with(&mut fresh));
        let mut both: Vec<u32> = Vec::new();
        let of_old = number(old, |(statement, ordinal)| {
            let counterpart = matching.counterpart(Version::Old, statement);
            let known = counterpart.and_then(|statement| names.get(&(statement, ordinal)));
            both.extend(known);
            known.copied().unwrap_or_else(&mut fresh)
        });
        let mut shared = vec![false; count as usize];
        for number in both {
            shared[number as usize] = true;
        }
        let shared: Arc<[bool]> = shared.into();
        [of_old, of_new].map(|insts| {
            let shared = Arc::clone(&shared);
            Arc::new(Numbering { insts, count, shared })
        })
    }

    /// The numbers of a single version.
    pub fn alone(program: &Program) -> Numbering {
        let mut count = 0;
        let insts = number(program, |_| {
            count += 1;
            count - 1
        });
        Numbering { insts, count, shared: Arc::from([]) }
    }

    /// Whether a way belongs to a branch that both versions have.
    pub fn is_shared(&self, way: u32) -> bool {
        self.shared.get((way / WAYS) as usize).is_some_and(|&shared| shared)
    }
}

fn number(program: &Program, mut number: impl FnMut(Name) -> u32) -> Vec<Vec<u32>> {
    let mut ordinals: FxHashMap<StatementId, u32> = FxHashMap::default();
    let mut of_function = |function: &ir::Function| {
        let insts = function.body().map(|body| body.insts.values());
        let numbers = insts.into_iter().flatten().map(|inst| {
            let ordinal = ordinals.entry(inst.statement).or_insert(0);
            *ordinal += 1;
            number((inst.statement, *ordinal))
        });
        numbers.collect()
    };
    program.module.functions.values().map(&mut of_function).collect()
}

/// Observes one run after the other.
#[derive(Debug)]
pub struct Ways<const RESULTS: bool> {
    numbering: Arc<Numbering>,
    /// By function and operation, made when a function is first entered.
    numbers: Vec<Option<Box<[u32]>>>,
    counts: Vec<u8>,
    /// The ways with a count, in the order of first use.
    pub touched: Vec<u32>,
    /// Changed statements that began, each once, in the order of their first execution.
    pub reached: Vec<StatementId>,
    /// By statement, the last run in which it began.
    began: Vec<u32>,
    /// The number of the run, from 1.
    run: u32,
    pub returned: Option<Vec<u64>>,
}

impl<const RESULTS: bool> Ways<RESULTS> {
    pub fn new(program: &Program, numbering: Arc<Numbering>) -> Self {
        let functions = program.module.functions.len();
        Ways {
            counts: vec![0; (numbering.count.max(1) * WAYS) as usize],
            numbering,
            numbers: (0..functions).map(|_| None).collect(),
            touched: Vec::new(),
            reached: Vec::new(),
            began: vec![0; program.module.statements.len()],
            run: 0,
            returned: None,
        }
    }

    pub fn start(&mut self) {
        for &way in &self.touched {
            self.counts[way as usize] = 0;
        }
        self.touched.clear();
        self.reached.clear();
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.began.fill(0);
            self.run = 1;
        }
        self.returned = None;
    }

    pub fn count(&self, way: u32) -> u8 {
        self.counts.get(way as usize).copied().unwrap_or(0)
    }

    #[inline]
    fn mark(&mut self, code: &Code, pc: usize, way: u32) {
        let function = code.function.index();
        let numbers = match &self.numbers[function] {
            Some(numbers) => numbers,
            None => {
                let numbers = numbers_of(&self.numbering, code.function, &code.origins);
                self.numbers[function].insert(numbers)
            }
        };
        let way = numbers[pc] * WAYS + way;
        let count = &mut self.counts[way as usize];
        if *count == 0 {
            self.touched.push(way);
        }
        *count = count.saturating_add(1);
    }
}

#[cold]
fn numbers_of(numbering: &Numbering, function: FuncId, origins: &[InstId]) -> Box<[u32]> {
    let insts = &numbering.insts[function.index()];
    let number = |inst: &InstId| insts.get(inst.index()).copied().unwrap_or(0);
    origins.iter().map(number).collect()
}

impl<const RESULTS: bool> Observer for Ways<RESULTS> {
    const STATEMENTS: bool = true;
    const UNDEFINED: bool = true;
    /// Only observers with shadows see the result of the entry.
    const SHADOWS: bool = RESULTS;

    #[inline]
    fn branch(&mut self, at: At<'_>, taken: bool) {
        self.mark(at.code, at.pc, u32::from(taken));
    }

    #[inline]
    fn jump(&mut self, at: At<'_>, target: u32) {
        self.mark(at.code, target as usize, 2);
    }

    fn statement(&mut self, statement: StatementId) {
        let Some(began) = self.began.get_mut(statement.index()) else { return };
        if *began != self.run {
            *began = self.run;
            self.reached.push(statement);
        }
    }

    fn finish(&mut self, results: &[Operand]) {
        self.returned = Some(results.iter().map(|operand| operand.bits).collect());
    }
}

/// The order of magnitude of a count, from 0 to 7.
pub fn magnitude(count: u8) -> u32 {
    match count {
        0..=3 => u32::from(count.saturating_sub(1)),
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        128.. => 7,
    }
}
