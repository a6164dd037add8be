//! The contents of a file in a language with braces: functions, and declarations between them.
//!
//! Recognises functions by the shape of their heads, per language, without reading their bodies.
//! Declarations get a kind and a name by their first words. Names have no meaning here.

mod c;
mod curly;
mod script;

use std::collections::BTreeMap;
use std::ops::Range;

use super::language::Language;
use super::preprocessor::directive;
use super::syntax::{Function, Problem};
use super::token::Kind;
use super::unit::{Declaration, DeclarationKind, Unit};

/// Finds the functions and declarations of a file.
pub(super) fn find(unit: &mut Unit<'_>) {
    match unit.language {
        Language::C | Language::Cpp => c::find(unit),
        Language::Rust => curly::rust(unit),
        Language::Go => curly::go(unit),
        Language::Java => curly::java(unit),
        Language::JavaScript => script::find(unit),
        // It has no braces and a parser of its own.
        Language::Python => {}
    }
    unit.settle();
}

/// A class, a module or the like: where its braces are, and its name.
struct Container {
    open: usize,
    close: usize,
    name: String,
    /// Whether callers that know only an interface may call the functions inside.
    is_abstract: bool,
}

/// The number of containers in a name.
const NAMED_DEPTH: usize = 6;

/// The names of the innermost containers around a token, outermost first.
fn container_name(containers: &[Container], at: usize) -> String {
    let around =
        containers.iter().rev().filter(|c| c.open < at && at < c.close && !c.name.is_empty());
    let mut names: Vec<&str> = around.take(NAMED_DEPTH).map(|c| c.name.as_str()).collect();
    names.reverse();
    names.join("::")
}

/// A function whose body begins at the brace `open`.
fn function(unit: &Unit<'_>, name: String, head: Range<usize>, open: usize) -> Function {
    let close = unit.brackets.partner(open);
    let (end, problem) = match close {
        Some(close) => (close, None),
        None => {
            let line = unit.line(open);
            (end_by_layout(unit, open), Some(Problem::Bracket { line }))
        }
    };
    let hole = head.start..(end + 1).min(unit.tokens.len());
    Function {
        name,
        container: String::new(),
        first_line: unit.line(head.start),
        last_line: unit.line(end),
        head,
        body: open + 1..end.max(open + 1),
        hole,
        local: false,
        problem,
    }
}

/// The end of a body whose brace has no partner: at the next brace in the first column.
fn end_by_layout(unit: &Unit<'_>, open: usize) -> usize {
    let first_column = |at: usize| {
        let start = unit.tokens[at].start as usize;
        start == 0 || unit.text.as_bytes().get(start - 1) == Some(&b'\n')
    };
    let mut rest = open + 1..unit.tokens.len();
    rest.find(|&at| unit.is(at, b'}') && first_column(at))
        .unwrap_or(unit.tokens.len().saturating_sub(1))
}

/// Collects the declarations between functions, also inside of containers.
fn declarations(unit: &mut Unit<'_>, containers: &[Container]) {
    let opens: BTreeMap<usize, usize> = containers.iter().map(|c| (c.open, c.close)).collect();
    let mut holes: Vec<(usize, usize)> =
        unit.functions.iter().map(|f| (f.hole.start, f.hole.end)).collect();
    holes.sort_unstable();
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut next_hole = 0;
    while at < unit.tokens.len() {
        while holes.get(next_hole).is_some_and(|hole| hole.0 < at) {
            next_hole += 1;
        }
        if let Some(hole) = holes.get(next_hole).filter(|hole| hole.0 == at) {
            at = hole.1.max(at + 1);
            start = at;
            continue;
        }
        let next = at + 1;
        match unit.tokens[at].kind {
            Kind::Directive if start == at => {
                found.extend(declare(unit, at..next));
                start = next;
            }
            Kind::GroupStart | Kind::GroupAlternative | Kind::GroupEnd if start == at => {
                start = next
            }
            Kind::Punct(b';') => {
                found.extend(declare(unit, start..at));
                start = next;
            }
            Kind::Punct(b'{') if opens.contains_key(&at) => start = next,
            Kind::Punct(b'{' | b'(' | b'[') => {
                let close = unit.brackets.partner(at).unwrap_or(at);
                let type_ends = unit.is(at, b'{')
                    && matches!(unit.language, Language::Rust | Language::Java)
                    && !(start..at).any(|i| unit.is(i, b'='));
                at = close;
                if type_ends {
                    found.extend(declare(unit, start..close + 1));
                    start = close + 1;
                }
            }
            Kind::Punct(b'}') => start = next,
            _ => {}
        }
        at += 1;
    }
    unit.declarations.extend(found);
}

/// A declaration of the given tokens.
fn declare(unit: &Unit<'_>, tokens: Range<usize>) -> Option<Declaration> {
    if tokens.is_empty() {
        return None;
    }
    let (kind, name) = match unit.language {
        Language::C | Language::Cpp => c::classify(unit, &tokens),
        language => curly::classify(unit, &tokens, language),
    };
    Some(Declaration { kind, name, tokens })
}

/// A macro, or a line that only introduces names.
fn classify_directive(unit: &Unit<'_>, at: usize) -> (DeclarationKind, String) {
    match directive(&unit.tokens[at], unit.text) {
        ("define" | "undef", rest) => {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (DeclarationKind::Macro, rest[..end].to_owned())
        }
        ("include" | "import" | "include_next" | "line" | "pragma" | "error" | "warning", rest) => {
            (DeclarationKind::Import, rest.to_owned())
        }
        (word, rest) => (DeclarationKind::Other, format!("{word} {rest}")),
    }
}
