//! From the commands of a build to what its files are made of.
//!
//! Commands are taken in the order in which they began: in a build that works, whoever reads a file
//! begins after its writer has ended. A file is what was last written to its path. Commands that
//! copy files are followed; files that came to their place in a way that was not seen are found by
//! their contents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::archiver::{Archiving, Operation, archiving};
use super::contents::Contents;
use super::copying::{Copy, copies};
use super::driver::{Compilation, Mode, Source, compilation};
use super::execution::Execution;
use super::linker::{LinkInput, LinkLine};
use super::model::{Language, ProductKind, Unit, flags_of};
use super::tool::Tool;
use crate::paths::normal;

/// What a file contains.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// An object, or a text between source and object.
    Units(Vec<usize>),
    Archive(Vec<Member>),
    Linked(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Member {
    pub name: String,
    /// Where the object was when it was added.
    pub path: PathBuf,
    pub units: Vec<usize>,
}

/// A program or a shared library.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    pub path: PathBuf,
    pub kind: ProductKind,
    pub parts: Vec<Part>,
    pub libraries: Vec<String>,
    pub unknown: Vec<PathBuf>,
    /// Optimised when it was linked, so that its symbols do not tell what it is made of.
    pub is_optimised: bool,
}

/// What one input gives to a link.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Object { path: Option<PathBuf>, units: Vec<usize> },
    Archive { path: PathBuf, node: usize, is_whole: bool },
    Shared { linked: usize },
}

/// All files of a build.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub units: Vec<Unit>,
    /// Of each unit, flags that only other compilers know.
    pub dropped: Vec<Vec<String>>,
    pub nodes: Vec<Node>,
    pub links: Vec<Linked>,
    /// What is at a path.
    pub at: BTreeMap<PathBuf, usize>,
    symbolic: BTreeMap<PathBuf, PathBuf>,
    real: BTreeMap<PathBuf, PathBuf>,
    contents: Contents,
}

impl Graph {
    pub fn of(executions: &[Execution]) -> Graph {
        let mut graph = Graph::default();
        for execution in executions {
            graph.add(execution);
        }
        graph
    }

    fn add(&mut self, execution: &Execution) {
        let (name, words) = execution.command();
        let directory = execution.directory.as_path();
        match execution.tool {
            Tool::Compiler | Tool::CompilerCache => {
                if let Some(found) = compilation(name, words) {
                    self.compile(execution, &found);
                }
            }
            // A part of a compiler never counts alone.
            Tool::CompilerPart => {}
            Tool::Assembler => self.assemble(words, directory),
            Tool::Linker => {
                let mut line = LinkLine::default();
                line.words(words.iter().map(String::as_str));
                self.link(&line, &[], execution);
            }
            Tool::Archiver => {
                if let Some(found) = archiving(words) {
                    self.archive(&found, directory);
                }
            }
            Tool::Copier
            | Tool::Mover
            | Tool::Installer
            | Tool::LinkMaker
            | Tool::Stripper
            | Tool::ObjectCopier => {
                for copy in copies(execution.tool, words, directory) {
                    self.copy(&copy);
                }
            }
        }
    }

    fn compile(&mut self, execution: &Execution, found: &Compilation) {
        let directory = execution.directory.as_path();
        let linked = found.mode == Mode::Link;
        let mut made = Vec::new();
        for source in &found.sources {
            let output = match found.mode {
                Mode::Link => None,
                // Without a name for its output, the preprocessor prints.
                Mode::Preprocess => found.link.output.clone().or_else(|| execution.stdout.clone()),
                Mode::Assembly | Mode::Object => Some(found.output_of(source)),
            };
            let output = output.map(|output| self.key(&directory.join(output)));
            let is_text = found.mode == Mode::Preprocess;
            if is_text && !output.as_deref().is_some_and(is_preprocessed) {
                continue;
            }
            let file = normal(&directory.join(&source.file));
            let units = self.units_of(source, &file, execution, found, output.clone());
            match output {
                Some(output) => self.put(output, Node::Units(units)),
                None => made.push((file, units)),
            }
        }
        if linked {
            self.link(&found.link, &made, execution);
        }
    }

    /// A text that the build made of a source stands for that source.
    fn units_of(
        &mut self,
        source: &Source,
        file: &Path,
        execution: &Execution,
        found: &Compilation,
        object: Option<PathBuf>,
    ) -> Vec<usize> {
        let key = self.key(file);
        if let Some(&node) = self.at.get(&key)
            && let Node::Units(units) = self.nodes[node].clone()
        {
            return units;
        }
        self.units.push(Unit {
            file: file.to_owned(),
            flags: flags_of(&found.meaning, &execution.variables),
            language: source.language,
            directory: execution.directory.clone(),
            object,
            is_generated: false,
        });
        self.dropped.push(found.meaning.dropped.clone());
        vec![self.units.len() - 1]
    }

    fn assemble(&mut self, words: &[String], directory: &Path) {
        let mut output = PathBuf::from("a.out");
        let mut input = None;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "-o" => output = rest.next().map(PathBuf::from).unwrap_or(output),
                "-I" | "--MD" | "--defsym" => {
                    rest.next();
                }
                word if !word.starts_with('-') => input = Some(word),
                _ => {}
            }
        }
        let Some(input) = input else { return };
        let file = normal(&directory.join(input));
        let output = self.key(&directory.join(output));
        let key = self.key(&file);
        let node = match self.at.get(&key) {
            Some(&node) => self.nodes[node].clone(),
            None => {
                self.units.push(Unit {
                    file,
                    flags: Vec::new(),
                    language: Language::Assembly,
                    directory: directory.to_owned(),
                    object: Some(output.clone()),
                    is_generated: false,
                });
                self.dropped.push(Vec::new());
                Node::Units(vec![self.units.len() - 1])
            }
        };
        self.put(output, node);
    }

    fn link(&mut self, line: &LinkLine, made: &[(PathBuf, Vec<usize>)], execution: &Execution) {
        if line.inputs.is_empty() {
            return;
        }
        let directory = execution.directory.as_path();
        let output = line.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
        let path = self.key(&directory.join(output));
        let mut search: Vec<PathBuf> =
            line.search.iter().map(|name| normal(&directory.join(name))).collect();
        for (_, value) in execution.variables.iter().filter(|(name, _)| name == "LIBRARY_PATH") {
            search.extend(value.split(':').map(|name| normal(&directory.join(name))));
        }
        let kind = if line.is_shared { ProductKind::SharedLibrary } else { ProductKind::Program };
        let mut linked = Linked {
            path: path.clone(),
            kind,
            parts: Vec::new(),
            libraries: Vec::new(),
            unknown: Vec::new(),
            is_optimised: execution.words.iter().any(|word| word.starts_with("-flto")),
        };
        for input in &line.inputs {
            match input {
                LinkInput::Source(at) => {
                    // A source without code, such as a header, makes no object.
                    if let Some((_, units)) = made.get(*at) {
                        linked.parts.push(Part::Object { path: None, units: units.clone() });
                    }
                }
                LinkInput::File { path, is_whole } => {
                    let path = normal(&directory.join(path));
                    self.link_file(&mut linked, &path, *is_whole);
                }
                LinkInput::Library { name, is_whole, is_static } => {
                    match self.library(name, *is_static, &search) {
                        Some(path) => self.link_file(&mut linked, &path, *is_whole),
                        None => linked.libraries.push(name.clone()),
                    }
                }
            }
        }
        let node = if line.is_relocatable {
            Node::Units(self.all_units(&linked.parts))
        } else {
            self.links.push(linked);
            Node::Linked(self.links.len() - 1)
        };
        self.put(path, node);
    }

    fn link_file(&mut self, linked: &mut Linked, path: &Path, is_whole: bool) {
        let part = self.find(path).map(|node| match &self.nodes[node] {
            Node::Units(units) => {
                Part::Object { path: Some(path.to_owned()), units: units.clone() }
            }
            Node::Archive(_) => Part::Archive { path: path.to_owned(), node, is_whole },
            Node::Linked(linked) => Part::Shared { linked: *linked },
        });
        match (part, library_name(path)) {
            (Some(part), _) => linked.parts.push(part),
            (None, Some(name)) => linked.libraries.push(name),
            (None, None) if is_own_object(path) => linked.unknown.push(path.to_owned()),
            // A linker script, or a part of the compiler's own.
            (None, None) => {}
        }
    }

    /// Where a library of the build is that `-l` names.
    fn library(&mut self, name: &str, is_static: bool, search: &[PathBuf]) -> Option<PathBuf> {
        let names = match name.strip_prefix(':') {
            Some(file) => vec![file.to_owned()],
            None if is_static => vec![format!("lib{name}.a")],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let places =
            search.iter().flat_map(|directory| names.iter().map(|name| directory.join(name)));
        places.into_iter().find(|place| self.find(place).is_some())
    }

    fn all_units(&self, parts: &[Part]) -> Vec<usize> {
        let mut units = Vec::new();
        for part in parts {
            match part {
                Part::Object { units: own, .. } => units.extend(own),
                Part::Archive { node, .. } => {
                    if let Node::Archive(members) = &self.nodes[*node] {
                        units.extend(members.iter().flat_map(|member| &member.units));
                    }
                }
                Part::Shared { .. } => {}
            }
        }
        units
    }

    fn archive(&mut self, found: &Archiving, directory: &Path) {
        let path = self.key(&directory.join(&found.archive));
        let mut members = match self.find(&path).map(|node| &self.nodes[node]) {
            Some(Node::Archive(members)) => members.clone(),
            _ => Vec::new(),
        };
        match found.operation {
            Operation::Extract => return self.extract(found, &members, directory),
            Operation::Delete => {
                members.retain(|member| {
                    !found.files.iter().any(|file| base(Path::new(file)) == member.name)
                });
            }
            Operation::Replace | Operation::Append => {
                for file in &found.files {
                    let added = self.members_of(&directory.join(file), found.is_flat);
                    if found.operation == Operation::Replace {
                        let is_replaced =
                            |old: &Member| added.iter().any(|new| new.name == old.name);
                        members.retain(|old| !is_replaced(old));
                    }
                    members.extend(added);
                }
            }
        }
        self.put(path, Node::Archive(members));
    }

    fn members_of(&mut self, path: &Path, is_flat: bool) -> Vec<Member> {
        let path = normal(path);
        let name = base(&path);
        match self.find(&path).map(|node| self.nodes[node].clone()) {
            Some(Node::Archive(members)) if is_flat => members,
            // A thin archive may contain archives.
            Some(Node::Archive(members)) => {
                let units = members.into_iter().flat_map(|member| member.units).collect();
                vec![Member { name, path, units }]
            }
            Some(Node::Units(units)) => vec![Member { name, path, units }],
            Some(Node::Linked(_)) | None => vec![Member { name, path, units: Vec::new() }],
        }
    }

    fn extract(&mut self, found: &Archiving, members: &[Member], directory: &Path) {
        let place = found.directory.as_ref().map_or(directory.to_owned(), |to| directory.join(to));
        for member in members {
            let is_wanted = found.files.is_empty()
                || found.files.iter().any(|file| base(Path::new(file)) == member.name);
            if is_wanted {
                let path = self.key(&place.join(&member.name));
                self.put(path, Node::Units(member.units.clone()));
            }
        }
    }

    fn copy(&mut self, copy: &Copy) {
        let (from, to) = (self.key(&copy.from), self.key(&copy.to));
        if from == to {
            return;
        }
        if copy.is_symbolic {
            self.symbolic.insert(to, from);
            return;
        }
        match self.find(&from) {
            Some(node) => {
                self.at.insert(to, node);
            }
            None => self.copy_below(&from, &to),
        }
        if copy.is_move {
            let is_moved = |path: &PathBuf| path.starts_with(&from);
            let moved: Vec<PathBuf> =
                self.at.keys().filter(|path| is_moved(path)).cloned().collect();
            for path in moved {
                self.at.remove(&path);
            }
        }
    }

    fn copy_below(&mut self, from: &Path, to: &Path) {
        let below = self.at.iter().filter_map(|(path, &node)| {
            let rest = path.strip_prefix(from).ok()?;
            Some((to.join(rest), node))
        });
        let below: Vec<(PathBuf, usize)> = below.collect();
        self.at.extend(below);
    }

    fn put(&mut self, path: PathBuf, node: Node) {
        self.symbolic.remove(&path);
        self.nodes.push(node);
        self.at.insert(path, self.nodes.len() - 1);
    }

    /// What is at a path, through symbolic links; or what else has the same contents.
    pub fn find(&mut self, path: &Path) -> Option<usize> {
        let key = self.key(path);
        let mut place = &key;
        for _ in 0..=self.symbolic.len() {
            if let Some(&node) = self.at.get(place) {
                return Some(node);
            }
            match self.symbolic.get(place) {
                Some(target) => place = target,
                None => break,
            }
        }
        let real = std::fs::canonicalize(&key).ok()?;
        if let Some(&node) = self.at.get(&real) {
            return Some(node);
        }
        self.contents.same_as(&real, &self.at)
    }

    /// The path under which a file is known: without symbolic links before its last part.
    fn key(&mut self, path: &Path) -> PathBuf {
        let path = normal(path);
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return path };
        if let Some(real) = self.real.get(parent) {
            return real.join(name);
        }
        // A directory that is gone is known by the name that it had.
        let real = std::fs::canonicalize(parent).unwrap_or_else(|_| parent.to_owned());
        let key = real.join(name);
        self.real.insert(parent.to_owned(), real);
        key
    }
}

fn base(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_preprocessed(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("i" | "ii" | "s"))
}

fn is_own_object(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_object = matches!(extension, Some("o" | "lo" | "obj"));
    is_object && !["/usr/", "/lib"].iter().any(|place| path.starts_with(place))
}

/// The name of a library of the system: `libm.so.6` is `m`.
fn library_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let is_library = name.contains(".so") || name.ends_with(".a");
    let stem = name.strip_prefix("lib")?.split('.').next()?;
    is_library.then(|| stem.to_owned())
}
