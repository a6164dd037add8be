//! Why a statement changed although its text is the same in both versions: a macro that it uses,
//! the type of something that it names, or else a constant in the code.
//!
//! Macros are looked up in the text of the versions' files, regardless of conditions. The result is
//! for people; whether a statement changed does not depend on it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use inputs::c_name;
use ir::{Const, DebugType, DebugTypeId, FuncId, Module, Operand, StatementId};

use super::{NumberedChange, Side};

/// The difference behind equal texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub kind: CauseKind,
    /// Of the macro, or of the variable or function with the type; empty for a constant.
    pub name: String,
    /// Empty if a version has none.
    pub old: String,
    pub new: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    Macro,
    Type,
    Constant,
}

/// How far to follow macros into macros, and types into types.
const DEEPEST: usize = 6;
/// The most files of a version to search for macros.
const MOST_FILES: usize = 500;
/// The most lines of one definition.
const MOST_LINES: usize = 12;

/// Both versions, with what their files define.
pub(super) struct Causes<'a> {
    old: &'a Side,
    new: &'a Side,
    macros: [Macros; 2],
}

/// All definitions of a name, in the order of files and lines.
type Macros = BTreeMap<String, Vec<String>>;

impl<'a> Causes<'a> {
    pub fn new(old: &'a Side, new: &'a Side) -> Causes<'a> {
        Causes { old, new, macros: [macros(old), macros(new)] }
    }

    /// The cause of a change whose statement has this text in both versions.
    pub fn of(&self, change: &NumberedChange, text: &str) -> Option<Cause> {
        let names = identifiers(text);
        names
            .iter()
            .find_map(|name| self.macro_behind(name, 0))
            .or_else(|| names.iter().find_map(|name| self.type_behind(change, name)))
            .or_else(|| self.constant_behind(change))
    }

    fn macro_behind(&self, name: &str, depth: usize) -> Option<Cause> {
        let [old, new] = self.macros.each_ref().map(|macros| macros.get(name));
        if old.is_none() && new.is_none() || depth > DEEPEST {
            return None;
        }
        let none = Vec::new();
        let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
        if old != new {
            let only = |some: &[String], others: &[String]| {
                let mut lacking = some.iter().filter(|one| !others.contains(one));
                lacking.next().or(some.first()).cloned().unwrap_or_default()
            };
            let (old, new) = (only(old, new), only(new, old));
            return Some(Cause { kind: CauseKind::Macro, name: name.to_owned(), old, new });
        }
        let parts = new.iter().flat_map(|definition| identifiers(definition));
        parts.filter(|part| part != name).find_map(|part| self.macro_behind(&part, depth + 1))
    }

    fn type_behind(&self, change: &NumberedChange, name: &str) -> Option<Cause> {
        let function = |side: &Side, statement: Option<StatementId>| {
            Some(side.module.statements.get(statement?)?.function)
        };
        let of_old = function(self.old, change.old_statement);
        let of_new = function(self.new, change.new_statements.first().copied());
        let old = type_of(&self.old.module, of_old, name)?;
        let new = type_of(&self.new.module, of_new, name)?;
        let shown = [shown(&self.old.module, old), shown(&self.new.module, new)];
        if layout(&self.old.module, old, 0) == layout(&self.new.module, new, 0) {
            return None;
        }
        let [old, new] = shown;
        Some(Cause { kind: CauseKind::Type, name: name.to_owned(), old, new })
    }

    /// The constants that only one version has, if each has one.
    fn constant_behind(&self, change: &NumberedChange) -> Option<Cause> {
        let old = constants(&self.old.module, change.old_statement?);
        let new = constants(&self.new.module, *change.new_statements.first()?);
        let lacking = |some: &[String], others: &[String]| {
            let mut left = others.to_vec();
            let mut lacking = some.to_vec();
            lacking.retain(|one| match left.iter().position(|other| other == one) {
                Some(found) => {
                    left.remove(found);
                    false
                }
                None => true,
            });
            lacking.dedup();
            lacking
        };
        let (only_old, only_new) = (lacking(&old, &new), lacking(&new, &old));
        let ([old], [new]) = (&only_old[..], &only_new[..]) else { return None };
        let (old, new) = (old.clone(), new.clone());
        Some(Cause { kind: CauseKind::Constant, name: String::new(), old, new })
    }
}

/// The type of a variable, a function or a global, or the one of that name.
fn type_of(module: &Module, function: Option<FuncId>, name: &str) -> Option<DebugTypeId> {
    let body = function.and_then(|function| module.functions[function].body());
    let local = body.and_then(|body| body.variables.iter().find(|known| known.name == name));
    let global =
        || module.globals.values().find(|known| known.source_name.as_deref() == Some(name));
    let called = || module.functions.values().find(|known| known.display_name() == name);
    let named = || {
        let is_it = |ty: &DebugType| match ty {
            DebugType::Struct { name: known, .. }
            | DebugType::Union { name: known, .. }
            | DebugType::Enum { name: known, .. }
            | DebugType::Typedef { name: known, .. } => known == name,
            _ => false,
        };
        module.debug_types.iter().find(|(_, ty)| is_it(ty)).map(|(id, _)| id)
    };
    let of_local = local.and_then(|local| local.ty);
    of_local
        .or_else(|| global().and_then(|global| global.debug_type))
        .or_else(|| called().and_then(|function| function.debug_type))
        .or_else(named)
}

/// Everything about a type that code can depend on, without the names of types.
fn layout(module: &Module, ty: DebugTypeId, depth: usize) -> String {
    let inner = |ty: Option<DebugTypeId>| match ty {
        Some(ty) if depth < DEEPEST => layout(module, ty, depth + 1),
        _ => String::new(),
    };
    match module.debug_types.get(ty) {
        Some(DebugType::Base { bits, encoding, .. }) => format!("{encoding:?}{bits}"),
        Some(DebugType::Pointer { to }) => format!("*{}", inner(*to)),
        Some(DebugType::Struct { bits, members, .. } | DebugType::Union { bits, members, .. }) => {
            let members = members.iter().map(|member| {
                format!("{}@{}:{} {}", member.name, member.offset, member.bits, inner(member.ty))
            });
            format!("{bits}{{{}}}", members.collect::<Vec<_>>().join(";"))
        }
        Some(DebugType::Array { element, lengths }) => format!("{}{lengths:?}", inner(*element)),
        Some(DebugType::Enum { bits, enumerators, .. }) => format!("{bits}{enumerators:?}"),
        Some(DebugType::Typedef { to, .. }) => inner(*to),
        Some(DebugType::Qualified { qualifier, to }) => format!("{qualifier:?} {}", inner(*to)),
        Some(DebugType::Function { returns, params }) => {
            let params: Vec<String> = params.iter().map(|param| inner(*param)).collect();
            format!("{}({})", inner(*returns), params.join(","))
        }
        Some(DebugType::Other { tag, name }) => format!("{tag} {name}"),
        Some(DebugType::Void) | None => String::new(),
    }
}

/// A type in readable form, down to the members of the struct in question.
fn shown(module: &Module, ty: DebugTypeId) -> String {
    let name = c_name(module, Some(ty));
    let mut behind = ty;
    for _ in 0..DEEPEST {
        behind = match module.debug_types.get(behind) {
            Some(
                DebugType::Pointer { to: Some(to) }
                | DebugType::Typedef { to: Some(to), .. }
                | DebugType::Qualified { to: Some(to), .. }
                | DebugType::Array { element: Some(to), .. },
            ) => *to,
            _ => break,
        };
    }
    match module.debug_types.get(behind) {
        Some(DebugType::Struct { members, .. } | DebugType::Union { members, .. }) => {
            let members = members
                .iter()
                .map(|member| format!("{} {};", c_name(module, member.ty), member.name));
            format!("{name} {{ {} }}", members.collect::<Vec<_>>().join(" "))
        }
        Some(DebugType::Base { name: base, .. }) if *base != name && behind != ty => {
            format!("{name} ({base})")
        }
        Some(DebugType::Enum { enumerators, .. }) => {
            let all = enumerators.iter().map(|(name, value)| format!("{name} = {value}"));
            format!("{name} {{ {} }}", all.collect::<Vec<_>>().join(", "))
        }
        _ => name,
    }
}

/// Numbers and texts in the code of a statement, sorted.
fn constants(module: &Module, statement: StatementId) -> Vec<String> {
    let mut found = Vec::new();
    let Some(data) = module.statements.get(statement) else { return found };
    let Some(body) = module.functions[data.function].body() else { return found };
    for inst in body.insts.values().filter(|inst| inst.statement == statement) {
        inst.op.operands(|operand| {
            if let Operand::Const(constant) = operand {
                found.extend(constant_shown(module, &body.consts[constant].value));
            }
        });
    }
    found.sort();
    found
}

fn constant_shown(module: &Module, constant: &Const) -> Option<String> {
    match constant {
        Const::Int(value) => Some(value.to_string()),
        Const::Global(global) => match &module.globals[*global].init.as_ref()?.value {
            Const::Bytes(bytes) => {
                let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
                Some(format!("\"{}\"", text.escape_ascii()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Words that may name something, each once, in order.
fn identifiers(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    for word in text.split(|c: char| !is_part(c)) {
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_name && !names.iter().any(|known| known == word) {
            names.push(word.to_owned());
        }
    }
    names
}

/// What the files of a version define, and the files that they include by name.
fn macros(side: &Side) -> Macros {
    let mut found = Macros::new();
    let (mut seen, mut waiting) = (BTreeSet::new(), Vec::new());
    waiting.extend(side.checkout.files.iter().rev().map(|file| side.checkout.path(file)));
    while let Some(path) = waiting.pop() {
        if seen.len() >= MOST_FILES || !seen.insert(path.clone()) {
            continue;
        }
        let Ok(bytes) = fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        for directive in directives(&text) {
            if let Some(rest) = word_after(&directive, "define") {
                let name = identifiers(rest).into_iter().next();
                let definitions = name.map(|name| found.entry(name).or_default());
                definitions.into_iter().for_each(|all| all.push(format!("#define {rest}")));
            } else if let Some(rest) = word_after(&directive, "include") {
                waiting.extend(included(side, &path, rest));
            }
        }
    }
    found
}

/// Lines that begin with `#`, without it, each with the lines that continue it.
fn directives(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
        let mut whole = rest.trim().to_owned();
        for _ in 0..MOST_LINES {
            let Some(begun) = whole.strip_suffix('\\') else { break };
            whole = format!("{} {}", begun.trim_end(), lines.next().unwrap_or_default().trim());
        }
        let words: Vec<&str> = whole.split_whitespace().collect();
        found.push(words.join(" "));
    }
    found
}

fn word_after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with([' ', '"', '<']).then(|| rest.trim_start())
}

/// The possible paths of an included file, as far as it belongs to the version.
fn included(side: &Side, by: &Path, rest: &str) -> Vec<PathBuf> {
    let Some(name) = rest.strip_prefix(['"', '<']).and_then(|rest| rest.split(['"', '>']).next())
    else {
        return Vec::new();
    };
    let checkout = &side.checkout;
    let flags = checkout.flags.values().flatten();
    let directories = flags.filter_map(|flag| flag.strip_prefix("-I"));
    let directories = directories.map(|directory| checkout.path(Path::new(directory)));
    let mut places = vec![checkout.root.clone(), checkout.directory.clone()];
    places.extend(directories);
    places.extend(by.parent().map(Path::to_owned));
    let mut found: Vec<PathBuf> = places.iter().map(|place| place.join(name)).collect();
    found.retain(|path| path.is_file());
    found.sort();
    found.dedup();
    found
}
