//! Which functions, lines and branches of the program's own code were covered.
//!
//! Branches by all runs of the exploration: two outcomes of a conditional branch, one for each
//! target of a switch. Lines and functions by the kept tests. The C library does not count, nor
//! do functions that an entry other than `main` cannot reach.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use base::entity::EntityRef;
use exec::Program;
use exec::code::{Op, Table};
use exec::stop::Site;
use ir::{FileId, FuncId, References};

use crate::trial::Places;

/// By file, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub files: Vec<FileCoverage>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCoverage {
    /// As passed to the compiler.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    pub functions: Vec<FunctionCoverage>,
    /// Lines with code, and how often the tests executed them.
    pub lines: Vec<(u32, u64)>,
    pub branches: Vec<BranchCoverage>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    pub name: String,
    pub line: u32,
    /// How often the tests called it.
    pub calls: u64,
}

/// One branch or switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    pub line: u32,
    /// For each outcome, whether some run had it.
    pub outcomes: Vec<bool>,
}

/// A count out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub covered: u64,
    pub total: u64,
}

impl Share {
    fn of(covered: impl Iterator<Item = bool>) -> Share {
        covered.fold(Share::default(), |share, covered| Share {
            covered: share.covered + u64::from(covered),
            total: share.total + 1,
        })
    }
}

impl FileCoverage {
    pub fn function_share(&self) -> Share {
        Share::of(self.functions.iter().map(|function| function.calls > 0))
    }

    pub fn line_share(&self) -> Share {
        Share::of(self.lines.iter().map(|&(_, count)| count > 0))
    }

    pub fn branch_share(&self) -> Share {
        Share::of(self.branches.iter().flat_map(|branch| branch.outcomes.iter().copied()))
    }
}

impl Coverage {
    pub fn functions(&self) -> Share {
        self.total(FileCoverage::function_share)
    }

    pub fn lines(&self) -> Share {
        self.total(FileCoverage::line_share)
    }

    pub fn branches(&self) -> Share {
        self.total(FileCoverage::branch_share)
    }

    fn total(&self, share: fn(&FileCoverage) -> Share) -> Share {
        self.files.iter().map(share).fold(Share::default(), |sum, share| Share {
            covered: sum.covered + share.covered,
            total: sum.total + share.total,
        })
    }
}

/// `covered` is an exploration's, `statements` counts executions by statement.
pub(super) fn measure(places: &Places<'_>, covered: &[Vec<u8>], statements: &[u64]) -> Coverage {
    let program = places.program;
    let reachable = References::reachable(&program.module, &[program.entry], |_| true);
    let from_main = program.module.functions[program.entry].name == "main";
    let counted = |function: &FuncId| from_main || reachable.functions[*function];
    let own: BTreeSet<FuncId> = places.own_functions().filter(counted).collect();
    let mut files: BTreeMap<FileId, FileCoverage> = BTreeMap::new();
    for &function in &own {
        let Some(file) = places.file_of(program.module.functions[function].span) else { continue };
        let file = files.entry(file).or_insert_with(|| FileCoverage {
            name: places.name_of(file).to_owned(),
            path: places.path_of(file),
            functions: Vec::new(),
            lines: Vec::new(),
            branches: Vec::new(),
        });
        file.functions.push(function_coverage(program, function, statements));
        let ways = covered.get(function.index()).map_or(&[][..], Vec::as_slice);
        file.branches.extend(branches(program, function, ways));
    }
    add_lines(places, &own, statements, &mut files);
    let mut files: Vec<FileCoverage> = files.into_values().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    for file in &mut files {
        file.functions.sort_by_key(|function| function.line);
        file.branches.sort_by_key(|branch| branch.line);
    }
    Coverage { files }
}

fn function_coverage(program: &Program, function: FuncId, statements: &[u64]) -> FunctionCoverage {
    let data = &program.module.functions[function];
    // The first statement is executed once for each call, unless the first block is a loop.
    let entry = data.body().and_then(|body| {
        let first = body.blocks.get(ir::Body::ENTRY)?.insts.first()?;
        Some(body.insts.get(*first)?.statement)
    });
    let calls = entry.and_then(|entry| statements.get(entry.index()));
    FunctionCoverage {
        name: data.display_name().to_owned(),
        line: data.span.line,
        calls: calls.copied().unwrap_or(0),
    }
}

fn branches(program: &Program, function: FuncId, ways: &[u8]) -> Vec<BranchCoverage> {
    let code = program.code(function);
    let seen = |pc: usize| ways.get(pc).copied().unwrap_or(0);
    let mut branches = Vec::new();
    for (pc, &op) in code.ops.iter().enumerate() {
        let outcomes = match op {
            Op::Switch { table, .. } | Op::IndirectJump { table, .. } => {
                targets(&code.tables[table as usize])
                    .into_iter()
                    .map(|target| seen(target as usize) & explore::JUMPED != 0)
                    .collect()
            }
            op if is_branch(op) => vec![seen(pc) & 1 != 0, seen(pc) & 2 != 0],
            _ => continue,
        };
        let site = Site { function, inst: code.origins[pc] };
        branches.push(BranchCoverage { line: program.position(site).line, outcomes });
    }
    branches
}

fn targets(table: &Table) -> BTreeSet<u32> {
    let cases = table.cases.iter().map(|&(_, target)| target);
    cases.chain([table.default]).filter(|&target| target != Table::NOWHERE).collect()
}

fn is_branch(op: Op) -> bool {
    op.target().is_some() && !matches!(op, Op::Jump { .. })
}

/// The count of a line is that of its most often executed statement.
fn add_lines(
    places: &Places<'_>,
    own: &BTreeSet<FuncId>,
    counts: &[u64],
    files: &mut BTreeMap<FileId, FileCoverage>,
) {
    let mut lines: BTreeMap<(FileId, u32), u64> = BTreeMap::new();
    for (id, statement) in places.program.module.statements.iter() {
        if !own.contains(&statement.function) || statement.span.line == 0 {
            continue;
        }
        let Some(file) = places.file_of(statement.span) else { continue };
        let count = counts.get(id.index()).copied().unwrap_or(0);
        let most = lines.entry((file, statement.span.line)).or_default();
        *most = count.max(*most);
    }
    for ((file, line), count) in lines {
        if let Some(file) = files.get_mut(&file) {
            file.lines.push((line, count));
        }
    }
}
