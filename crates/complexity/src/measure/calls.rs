//! Calls between functions of the changed files, by the names in their text.
//!
//! A name without a receiver means a function next to the caller or outside of any class; `self`,
//! `this` and `Self` mean the caller's class; `Type::name` means a member of that type; a method of
//! a value is resolved only if a single function has its name. Calls through pointers are not
//! resolved.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{FunctionRef, Versions};
use crate::sequence::{self, Procedure};
use crate::text::language::Language;
use crate::text::syntax::{Call, Function, Receiver};
use crate::text::unit::Unit;

/// The functions that matter for paths between changes, and how names resolve to them.
pub(super) struct Calls {
    /// Changed functions and those that may lead to them by calls, in order.
    pub(super) relevant: Vec<FunctionRef>,
    by_name: HashMap<String, Vec<Callee>>,
}

struct Callee {
    at: FunctionRef,
    procedure: usize,
    container: String,
    /// The file's name without directories and extension.
    stem: String,
    language: Language,
    is_local: bool,
}

impl Calls {
    pub(super) fn new(versions: &[Versions<'_>], changed: &BTreeSet<FunctionRef>) -> Calls {
        let relevant: Vec<FunctionRef> = relevant(versions, changed).into_iter().collect();
        let mut by_name: HashMap<String, Vec<Callee>> = HashMap::new();
        for (procedure, &at) in relevant.iter().enumerate() {
            let versions = &versions[at.file];
            let Some(unit) = &versions.new else { continue };
            let function = &unit.functions[at.function];
            let file = versions.path.rsplit('/').next().unwrap_or_default();
            by_name.entry(simple_name(function).to_owned()).or_default().push(Callee {
                at,
                procedure,
                container: container(function),
                stem: file.split('.').next().unwrap_or_default().to_owned(),
                language: unit.language,
                is_local: is_local(versions.path, function),
            });
        }
        Calls { relevant, by_name }
    }

    /// The procedures that a call in a function may mean. A method of a value of unknown type is a
    /// guess, and the call may mean another method.
    pub(super) fn call(&self, caller: FunctionRef, unit: &Unit<'_>, call: &Call) -> sequence::Call {
        let is_guess =
            matches!(call.receiver, Receiver::Named { is_path: false, .. } | Receiver::Expression);
        let mut targets = self.targets(caller, unit, call);
        if is_guess {
            targets.retain(|&target| self.relevant[target] != caller);
        }
        sequence::Call { targets, is_skippable: call.skippable || is_guess }
    }

    fn targets(&self, caller: FunctionRef, unit: &Unit<'_>, call: &Call) -> Vec<usize> {
        let Some(named) = self.by_name.get(unit.word(call.name)) else { return Vec::new() };
        let function = &unit.functions[caller.function];
        let own = container(function);
        let visible = |callee: &&Callee| {
            callee.language.family() == unit.language.family()
                && (!callee.is_local || callee.at.file == caller.file)
        };
        let named: Vec<&Callee> = named.iter().filter(visible).collect();
        let pick = |fits: &dyn Fn(&Callee) -> bool| -> Vec<usize> {
            named.iter().filter(|callee| fits(callee)).map(|callee| callee.procedure).collect()
        };
        let only = |found: Vec<usize>| if found.len() == 1 { found } else { Vec::new() };
        match call.receiver {
            Receiver::None => {
                let near = pick(&|callee| callee.container == own && callee.at.file == caller.file);
                let free = || pick(&|callee| callee.container.is_empty());
                [near, free()]
                    .into_iter()
                    .find(|found| !found.is_empty())
                    .unwrap_or_else(|| only(pick(&|_| true)))
            }
            Receiver::Own => pick(&|callee| callee.container == own),
            Receiver::Named { token, is_path: true } => {
                let name = unit.word(token);
                let typed = pick(&|callee| last(&callee.container) == name);
                if typed.is_empty() {
                    pick(&|callee| callee.container.is_empty() && callee.stem == name)
                } else {
                    typed
                }
            }
            Receiver::Named { .. } | Receiver::Expression if unit.language == Language::C => {
                Vec::new()
            }
            Receiver::Named { .. } | Receiver::Expression => only(pick(&|callee| {
                !callee.container.is_empty()
                    || matches!(callee.language, Language::Go | Language::Python)
            })),
            Receiver::Macro => Vec::new(),
        }
    }

    /// Marks the procedures that may be called from elsewhere: all, except local ones whose callers
    /// are known and whose address is never taken.
    pub(super) fn mark_roots(&self, versions: &[Versions<'_>], procedures: &mut [Procedure]) {
        let mut called: BTreeSet<usize> = BTreeSet::new();
        for (caller, procedure) in procedures.iter().enumerate() {
            let targets = procedure
                .blocks
                .iter()
                .flat_map(|block| &block.calls)
                .flat_map(|call| &call.targets);
            // A function that only calls itself has another caller somewhere.
            called.extend(targets.filter(|&&target| target != caller));
        }
        let mut taken: BTreeMap<usize, HashSet<&str>> = BTreeMap::new();
        for (index, (at, procedure)) in self.relevant.iter().zip(procedures).enumerate() {
            let versions = &versions[at.file];
            let Some(unit) = &versions.new else { continue };
            let function = &unit.functions[at.function];
            if called.contains(&index) && is_local(versions.path, function) {
                let taken = taken.entry(at.file).or_insert_with(|| words_without_call(unit));
                procedure.is_root = taken.contains(simple_name(function));
            }
        }
    }
}

fn is_local(path: &str, function: &Function) -> bool {
    function.local && !Language::is_header(path)
}

/// The name without C++ qualifiers.
fn simple_name(function: &Function) -> &str {
    last(&function.name)
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The class or module of a function, even if only its name has it.
fn container(function: &Function) -> String {
    match function.name.rsplit_once("::") {
        Some((container, _)) => container.to_owned(),
        None => function.container.clone(),
    }
}

/// Names with uses other than calls and function definitions.
fn words_without_call<'t>(unit: &Unit<'t>) -> HashSet<&'t str> {
    let words = (0..unit.tokens.len()).filter(|&at| !unit.is(at + 1, b'('));
    words.map(|at| unit.word(at)).filter(|word| !word.is_empty()).collect()
}

/// Changed functions and, transitively, those that call them.
fn relevant(versions: &[Versions<'_>], changed: &BTreeSet<FunctionRef>) -> BTreeSet<FunctionRef> {
    let mut found = changed.clone();
    if changed.is_empty() {
        return found;
    }
    let mut callers: HashMap<&str, Vec<FunctionRef>> = HashMap::new();
    for (file, of) in versions.iter().enumerate() {
        let Some(unit) = &of.new else { continue };
        for (number, function) in unit.functions.iter().enumerate() {
            let at = FunctionRef { file, function: number };
            for token in unit.own_tokens(function).into_iter().flatten() {
                let word = unit.word(token);
                if !word.is_empty() && may_call(unit, token) {
                    let callers = callers.entry(word).or_default();
                    if callers.last() != Some(&at) {
                        callers.push(at);
                    }
                }
            }
        }
    }
    let mut waiting: Vec<FunctionRef> = changed.iter().copied().collect();
    while let Some(at) = waiting.pop() {
        let Some(unit) = &versions[at.file].new else { continue };
        let name = simple_name(&unit.functions[at.function]);
        for &caller in callers.get(name).into_iter().flatten() {
            if found.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    found
}

fn may_call(unit: &Unit<'_>, at: usize) -> bool {
    unit.is(at + 1, b'(') || unit.language == Language::Rust && unit.is(at + 2, b'<')
}
