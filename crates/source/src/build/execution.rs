//! The executions of tools in a build, and which of them count.
//!
//! Compilers call each other: a wrapper calls the real one, a compiler calls its parts, a linker
//! with link-time optimisation calls a compiler, a cache calls one or does without. What counts is
//! the innermost compiler command whose flags say everything, and nothing that it starts itself.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::tool::Tool;
use crate::end::End;

/// A tool that a build executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Execution {
    pub tool: Tool,
    /// With the program first, and response files in place.
    pub words: Vec<String>,
    /// Where it ran.
    pub directory: PathBuf,
    /// Variables that change what a compiler reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<(String, String)>,
    /// Where its standard output went, if that is a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<PathBuf>,
}

/// One with its place among the others.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    pub execution: Execution,
    /// The nearest execution around it.
    pub parent: Option<usize>,
    /// `None` if unknown.
    pub end: Option<End>,
}

/// Those that count, in the order in which they began.
pub(super) fn that_count(all: Vec<Nested>) -> Vec<Execution> {
    let is_wrapper = wrappers(&all);
    let counts: Vec<bool> = (0..all.len()).map(|at| counts(&all, at, &is_wrapper)).collect();
    let kept = all.into_iter().zip(counts).filter(|(_, counts)| *counts);
    kept.map(|(nested, _)| nested.execution).collect()
}

/// Whether an execution only leads to another one of its kind.
fn wrappers(all: &[Nested]) -> Vec<bool> {
    let mut is_wrapper = vec![false; all.len()];
    for nested in all {
        let tool = nested.execution.tool;
        if !matches!(tool, Tool::Compiler | Tool::Archiver | Tool::Linker) {
            continue;
        }
        let mut around = nested.parent;
        while let Some(at) = around
            && all[at].execution.tool == tool
        {
            is_wrapper[at] = true;
            around = all[at].parent;
        }
    }
    is_wrapper
}

fn counts(all: &[Nested], at: usize, is_wrapper: &[bool]) -> bool {
    let nested = &all[at];
    let has_failed = nested.end.is_some_and(|end| end != End::Exited(0));
    if has_failed || is_wrapper[at] || nested.execution.tool == Tool::CompilerPart {
        return false;
    }
    let mut around = nested.parent;
    while let Some(at) = around {
        let outer = all[at].execution.tool;
        let is_inside = match outer {
            Tool::CompilerCache | Tool::CompilerPart | Tool::Linker => true,
            // A wrapper may do more than call the real compiler: it may copy the result.
            Tool::Compiler | Tool::Archiver => !is_wrapper[at],
            _ => false,
        };
        if is_inside {
            return false;
        }
        around = all[at].parent;
    }
    true
}

impl Execution {
    /// The name of the program and the words behind it, without a cache in front of them.
    pub fn command(&self) -> (&Path, &[String]) {
        let split = self.words.split_first().map(|(name, rest)| (Path::new(name), rest));
        let (name, rest) = split.unwrap_or((Path::new(""), &[]));
        let is_compiler = |name: &Path| Tool::of(name, name, None) == Some(Tool::Compiler);
        match rest.split_first() {
            Some((compiler, words)) if self.tool == Tool::CompilerCache && !is_compiler(name) => {
                (Path::new(compiler), words)
            }
            _ => (name, rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(all: &[(Tool, Option<usize>)], wanted: &[usize]) {
        let nested = all.iter().enumerate().map(|(at, &(tool, parent))| Nested {
            execution: Execution {
                tool,
                words: vec![at.to_string()],
                directory: PathBuf::new(),
                variables: Vec::new(),
                stdout: None,
            },
            parent,
            end: Some(End::Exited(0)),
        });
        let found = that_count(nested.collect());
        let found: Vec<usize> = found.iter().map(|one| one.words[0].parse().unwrap()).collect();
        assert_eq!(found, wanted, "{all:?}");
    }

    #[test]
    fn a_compiler_counts_and_its_parts_do_not() {
        let (driver, part, linker) = (Tool::Compiler, Tool::CompilerPart, Tool::Linker);
        check(&[(driver, None), (part, Some(0)), (Tool::Assembler, Some(0))], &[0]);
        // Link-time optimisation: driver, collect2, ld, lto-wrapper, driver.
        let lto = [
            (driver, None),
            (part, Some(0)),
            (linker, Some(1)),
            (part, Some(2)),
            (driver, Some(3)),
        ];
        check(&lto, &[0]);
        check(&[(Tool::Assembler, None), (linker, None)], &[0, 1]);
    }

    #[test]
    fn of_wrappers_the_innermost_counts_and_of_caches_the_outermost() {
        let driver = Tool::Compiler;
        check(&[(driver, None), (driver, Some(0)), (Tool::CompilerPart, Some(1))], &[1]);
        check(&[(driver, None), (driver, Some(0)), (Tool::Mover, Some(0))], &[1, 2]);
        check(&[(Tool::CompilerCache, None), (driver, Some(0)), (driver, Some(0))], &[0]);
        check(&[(Tool::Archiver, None), (Tool::Archiver, Some(0))], &[1]);
    }
}
