//! Functions and declarations of Rust, Go and Java.

use std::ops::Range;

use super::{Container, container_name, declarations, function};
use crate::text::language::Language;
use crate::text::token::Kind;
use crate::text::unit::{DeclarationKind, Unit};

pub(super) fn rust(unit: &mut Unit<'_>) {
    let mut containers = Vec::new();
    let mut found = Vec::new();
    for at in 0..unit.tokens.len() {
        match unit.word(at) {
            "fn" if !unit.word(at + 1).is_empty() => {
                if let Some(open) = body_brace(unit, at + 2) {
                    found.push((at, open));
                }
            }
            "impl" | "trait" | "mod" | "extern" => containers.extend(rust_container(unit, at)),
            _ => {}
        }
    }
    for (at, open) in found {
        let start = qualifiers_start(unit, at);
        let mut found = function(unit, unit.word(at + 1).to_owned(), start..open, open);
        let is_abstract = containers.iter().any(|c| c.is_abstract && c.open < at && at < c.close);
        found.container = container_name(&containers, at);
        found.local = !is_abstract && !(start..at).any(|i| unit.word(i) == "pub");
        unit.add_function(found);
    }
    declarations(unit, &containers);
}

/// The brace that opens a body: the first one outside of parentheses before any semicolon.
fn body_brace(unit: &Unit<'_>, mut at: usize) -> Option<usize> {
    while at < unit.tokens.len() {
        match unit.tokens[at].kind {
            Kind::Punct(b'{')
                if matches!(unit.word(at - 1), "struct" | "interface")
                    && unit.language == Language::Go =>
            {
                at = unit.brackets.partner(at)?;
            }
            Kind::Punct(b'{') => return Some(at),
            Kind::Punct(b';' | b'}') => return None,
            Kind::Punct(b'(' | b'[') => at = unit.brackets.partner(at)?,
            _ => {}
        }
        at += 1;
    }
    None
}

fn qualifiers_start(unit: &Unit<'_>, at: usize) -> usize {
    let mut start = at;
    while start > 0 {
        let before = start - 1;
        match unit.tokens[before].kind {
            Kind::Word
                if matches!(
                    unit.word(before),
                    "pub" | "async" | "unsafe" | "const" | "extern" | "default"
                ) =>
            {
                start = before;
            }
            Kind::Text if before > 0 && unit.word(before - 1) == "extern" => start = before,
            Kind::Punct(b')') => match unit.brackets.partner(before) {
                Some(open) if open > 0 && unit.word(open - 1) == "pub" => start = open,
                _ => break,
            },
            _ => break,
        }
    }
    start
}

fn rust_container(unit: &Unit<'_>, at: usize) -> Option<Container> {
    let open = match unit.word(at) {
        // `impl Trait` in a type does not begin an item.
        "impl" if at > 0 && !begins_item(unit, at) => return None,
        "mod" if unit.is(at + 2, b'{') => at + 2,
        "mod" => return None,
        "extern" => (at + 1..at + 3).find(|&i| unit.is(i, b'{'))?,
        _ => body_brace(unit, at + 1)?,
    };
    let close = unit.brackets.partner(open).unwrap_or(unit.tokens.len());
    let is_trait = unit.word(at) == "trait";
    let implements = (at..open).rfind(|&i| unit.word(i) == "for" && !unit.is(i + 1, b'<'));
    let start = implements.map_or(at + 1, |i| i + 1);
    let name = match unit.word(at) {
        "extern" => String::new(),
        _ => type_name(unit, start..open),
    };
    Some(Container { open, close, name, is_abstract: is_trait || implements.is_some() })
}

fn begins_item(unit: &Unit<'_>, at: usize) -> bool {
    match unit.tokens[at - 1].kind {
        Kind::Punct(punct) => matches!(punct, b'}' | b';' | b'{' | b']'),
        Kind::Word => matches!(unit.word(at - 1), "unsafe" | "default"),
        _ => false,
    }
}

/// The last name of a path, without parameters: `a::B<C>` is `B`.
fn type_name(unit: &Unit<'_>, range: Range<usize>) -> String {
    let mut name = "";
    let mut depth = 0;
    for at in range {
        match unit.tokens[at].kind {
            Kind::Punct(b'<') => depth += 1,
            Kind::Punct(b'>') => depth -= 1,
            Kind::Word if depth == 0 => match unit.word(at) {
                "where" => break,
                "dyn" | "mut" | "const" => {}
                word => name = word,
            },
            Kind::Punct(b':') if depth == 0 => break,
            _ => {}
        }
    }
    name.to_owned()
}

pub(super) fn go(unit: &mut Unit<'_>) {
    let mut at = 0;
    let mut found = Vec::new();
    while at < unit.tokens.len() {
        if unit.word(at) == "func" {
            let mut name = at + 1;
            let mut receiver = String::new();
            if unit.is(name, b'(')
                && let Some(close) = unit.brackets.partner(name)
            {
                receiver = go_receiver(unit, name + 1..close);
                name = close + 1;
            }
            if !unit.word(name).is_empty()
                && let Some(open) = body_brace(unit, name + 1)
            {
                let mut function = function(unit, unit.word(name).to_owned(), at..open, open);
                function.container = receiver;
                at = function.hole.end.max(at + 1);
                found.push(function);
                continue;
            }
        }
        at = match unit.tokens[at].kind {
            Kind::Punct(b'{' | b'(') => unit.brackets.partner(at).unwrap_or(at) + 1,
            _ => at + 1,
        };
    }
    found.into_iter().for_each(|function| unit.add_function(function));
    declarations(unit, &[]);
}

/// The type of a receiver: `t *Tree[K]` is `Tree`.
fn go_receiver(unit: &Unit<'_>, range: Range<usize>) -> String {
    let end = range.clone().find(|&i| unit.is(i, b'[')).unwrap_or(range.end);
    let last = (range.start..end).rev().find(|&i| !unit.word(i).is_empty());
    last.map_or_else(String::new, |i| unit.word(i).to_owned())
}

pub(super) fn java(unit: &mut Unit<'_>) {
    let mut containers = Vec::new();
    let mut found = Vec::new();
    for at in 0..unit.tokens.len() {
        if !unit.is(at, b'{') {
            continue;
        }
        let start = item_start(unit, at);
        if let Some(name) = java_class(unit, start..at) {
            let close = unit.brackets.partner(at).unwrap_or(unit.tokens.len());
            containers.push(Container { open: at, close, name, is_abstract: false });
        } else if let Some(name) = java_method(unit, start, at) {
            found.push((start, at, name));
        } else if unit.word(at - usize::from(at > 0)) == "static" && at > 0 {
            found.push((at - 1, at, "<static>".to_owned()));
        }
    }
    for (start, open, name) in found {
        let container = container_name(&containers, open);
        let mut function = function(unit, name, start..open, open);
        function.local = (start..open).any(|i| unit.word(i) == "private");
        function.container = container;
        unit.add_function(function);
    }
    declarations(unit, &containers);
}

/// The first token after the previous statement, declaration or brace.
fn item_start(unit: &Unit<'_>, at: usize) -> usize {
    let mut start = at;
    while start > 0 {
        match unit.tokens[start - 1].kind {
            Kind::Punct(b';' | b'{' | b'}') => break,
            Kind::Punct(b')') => start = unit.brackets.partner(start - 1).unwrap_or(start - 1),
            _ => start -= 1,
        }
    }
    start
}

fn java_class(unit: &Unit<'_>, item: Range<usize>) -> Option<String> {
    for at in item.clone() {
        let word = unit.word(at);
        let opens = matches!(word, "class" | "interface" | "enum" | "record");
        let named = !unit.word(at + 1).is_empty() && at + 1 < item.end;
        let member = at > 0 && unit.is(at - 1, b'.');
        if opens && named && !member {
            return Some(unit.word(at + 1).to_owned());
        }
        if matches!(word, "new" | "return") || unit.is(at, b'=') {
            // An anonymous class, or a value.
            return None;
        }
    }
    None
}

/// The name of a method or constructor whose body opens at `at`.
fn java_method(unit: &Unit<'_>, start: usize, at: usize) -> Option<String> {
    let mut close = at.checked_sub(1)?;
    while close > start && !unit.is(close, b')') {
        let fits = !unit.word(close).is_empty() || unit.is(close, b',') || unit.is(close, b'.');
        if !fits {
            return None;
        }
        close -= 1;
    }
    let throws = close + 1 == at || unit.word(close + 1) == "throws";
    let open = unit.brackets.partner(close).filter(|_| unit.is(close, b')') && throws)?;
    let name = open.checked_sub(1)?;
    if unit.word(name).is_empty() || Language::Java.is_keyword(unit.word(name)) || name < start {
        return None;
    }
    if name == start {
        // A constructor has nothing before it; neither has the constant of an enumeration.
        let capital = unit.word(name).starts_with(char::is_uppercase);
        let loud = !unit.word(name).chars().any(char::is_lowercase);
        return (capital && !loud).then(|| unit.word(name).to_owned());
    }
    let before = name - 1;
    let typed = match unit.tokens[before].kind {
        Kind::Word => {
            !matches!(unit.word(before), "new" | "return" | "throw" | "else" | "case" | "yield")
        }
        Kind::Punct(punct) => matches!(punct, b'>' | b']' | b')'),
        _ => false,
    };
    typed.then(|| unit.word(name).to_owned())
}

/// Kind and name of what is declared by the tokens.
pub(super) fn classify(
    unit: &Unit<'_>,
    tokens: &Range<usize>,
    language: Language,
) -> (DeclarationKind, String) {
    let words: Vec<usize> = tokens.clone().filter(|&i| !unit.word(i).is_empty()).collect();
    let behind = |keyword: &str| {
        let at = words.iter().position(|&i| unit.word(i) == keyword)?;
        words.get(at + 1).map(|&i| unit.word(i).to_owned())
    };
    let first = words
        .iter()
        .map(|&i| unit.word(i))
        .find(|word| !matches!(*word, "pub" | "crate" | "export"));
    let (imports, types): (&[&str], &[&str]) = match language {
        Language::Rust => {
            (&["use", "mod", "extern"], &["struct", "enum", "union", "type", "trait"])
        }
        Language::Go => (&["import", "package"], &["type"]),
        _ => (&["import", "package"], &["class", "interface", "enum", "record"]),
    };
    let first = first.unwrap_or_default();
    if imports.contains(&first) {
        return (DeclarationKind::Import, String::new());
    }
    if let Some(name) = types.iter().find_map(|keyword| behind(keyword)) {
        return (DeclarationKind::Type, name);
    }
    if first == "macro_rules" {
        return (DeclarationKind::Macro, behind("macro_rules").unwrap_or_default());
    }
    if let Some(name) = behind("fn") {
        return (DeclarationKind::Prototype, name);
    }
    if let Some(name) = ["const", "static", "var"]
        .iter()
        .find_map(|k| behind(k))
        .filter(|_| language != Language::Java)
    {
        return (DeclarationKind::Variable, name);
    }
    let end = tokens.clone().find(|&i| unit.is(i, b'=') || unit.is(i, b'('));
    let before = words.iter().rev().find(|&&i| i < end.unwrap_or(tokens.end));
    let name = before.map_or_else(String::new, |&i| unit.word(i).to_owned());
    let kind = if language != Language::Java {
        DeclarationKind::Other
    } else if end.is_some_and(|i| unit.is(i, b'(')) {
        DeclarationKind::Prototype
    } else {
        DeclarationKind::Variable
    };
    (kind, name)
}
