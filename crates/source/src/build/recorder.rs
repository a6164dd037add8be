//! Watches a build and notes which tools it executes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::execution::{Execution, Nested};
use super::response;
use super::tool::Tool;
use crate::end::End;
use crate::follow::{Attention, Process, ProcessId, Watcher};

/// Variables that change what compilers and linkers read.
pub(super) const VARIABLES: [&str; 3] = ["CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH"];

/// How far a build is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Programs that were executed.
    pub programs: usize,
    /// Commands of compilers among them.
    pub compilers: usize,
}

/// What was seen so far.
pub(super) struct Recorder<'a> {
    pub seen: Vec<Nested>,
    running: BTreeMap<ProcessId, Running>,
    progress: Progress,
    tell: &'a (dyn Fn(Progress) + Sync),
}

/// A process that has not ended.
#[derive(Default)]
struct Running {
    /// The nearest execution of a tool in it or around it.
    around: Option<usize>,
    /// The tools that it was, one after the other.
    own: Vec<usize>,
    /// The program that it is, if it is no tool that is known by its name.
    unknown: Option<Unknown>,
    parent: Option<ProcessId>,
}

struct Unknown {
    program: PathBuf,
    words: Vec<OsString>,
}

impl<'a> Recorder<'a> {
    pub fn telling(tell: &'a (dyn Fn(Progress) + Sync)) -> Recorder<'a> {
        Recorder { seen: Vec::new(), running: BTreeMap::new(), progress: Progress::default(), tell }
    }

    fn note(&mut self, id: ProcessId, tool: Tool, words: Vec<OsString>, process: &Process<'_>) {
        let directory = process.directory();
        let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let words = response::expanded(words, &directory);
        let is_compiler = matches!(tool, Tool::Compiler | Tool::CompilerCache);
        let variables = if is_compiler { variables(process) } else { Vec::new() };
        let is_preprocessor = is_compiler && words.iter().any(|word| word == "-E");
        let stdout = is_preprocessor.then(|| process.descriptor(1)).flatten();
        let execution = Execution {
            tool,
            words,
            directory,
            variables,
            stdout: stdout.filter(|path| path.is_file()),
        };
        let running = self.running.entry(id).or_default();
        let index = self.seen.len();
        self.seen.push(Nested { execution, parent: running.around, end: None });
        running.around = Some(index);
        running.own.push(index);
        if is_compiler {
            self.progress.compilers += 1;
        }
    }

    /// A program of any name that starts a part of a compiler is a compiler itself.
    fn promote_parent(&mut self, process: &Process<'_>) {
        let around = self.running.get(&process.id).and_then(|running| running.around);
        let is_known = around.is_some_and(|at| {
            let tool = self.seen[at].execution.tool;
            matches!(tool, Tool::Compiler | Tool::CompilerCache | Tool::CompilerPart)
        });
        let Some(parent) = self.running.get(&process.id).and_then(|running| running.parent) else {
            return;
        };
        let unknown = self.running.get_mut(&parent).and_then(|running| running.unknown.take());
        let Some(Unknown { program, words }) = unknown.filter(|_| !is_known) else { return };
        if Tool::of(&program, &program, None).is_none() && !is_shell(&program) {
            // It waits for its part, and works in the same directory.
            self.note(parent, Tool::Compiler, words, process);
            let around = self.running.get(&parent).and_then(|running| running.around);
            self.running.entry(process.id).or_default().around = around;
        }
    }
}

impl Watcher for Recorder<'_> {
    fn started(&mut self, process: ProcessId, parent: ProcessId) {
        let around = self.running.get(&parent).and_then(|running| running.around);
        let parent = Some(parent);
        self.running.insert(process, Running { around, parent, ..Running::default() });
    }

    fn executed(&mut self, process: &Process<'_>) -> Attention {
        self.progress.programs += 1;
        let program = process.program();
        let words = process.arguments();
        let name = words.first().map(PathBuf::from).unwrap_or_default();
        let first = words.get(1).and_then(|word| word.to_str());
        match Tool::of(&name, &program, first) {
            Some(tool) => {
                if tool == Tool::CompilerPart {
                    self.promote_parent(process);
                }
                self.note(process.id, tool, words, process);
            }
            None => {
                let running = self.running.entry(process.id).or_default();
                running.unknown = Some(Unknown { program, words });
            }
        }
        (self.tell)(self.progress);
        Attention::Programs
    }

    fn ended(&mut self, process: ProcessId, end: End) {
        let Some(running) = self.running.remove(&process) else { return };
        for index in running.own {
            self.seen[index].end = Some(end);
        }
    }
}

fn variables(process: &Process<'_>) -> Vec<(String, String)> {
    let environment = process.environment();
    let texts = environment.iter().filter_map(|text| text.to_str()?.split_once('='));
    let wanted = texts.filter(|(name, value)| VARIABLES.contains(name) && !value.is_empty());
    wanted.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn is_shell(program: &Path) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    matches!(name, Some("sh" | "bash" | "dash" | "busybox" | "zsh" | "ksh" | "env" | "make"))
}
