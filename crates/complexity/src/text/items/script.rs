//! Functions of JavaScript and TypeScript.
//!
//! A file is a function of its own, `<module>`, with the statements outside of functions. A named
//! function counts wherever it is: `function f() {…}`, methods of classes and objects, `f = (…) =>
//! {…}`, `f: function (…) {…}`. Others are part of the enclosing statement.

use super::{Container, container_name, function};
use crate::text::language::Language;
use crate::text::token::Kind;
use crate::text::unit::Unit;

pub(super) fn find(unit: &mut Unit<'_>) {
    let mut containers = Vec::new();
    let mut found = Vec::new();
    for at in 0..unit.tokens.len() {
        if unit.word(at) == "class" && !unit.word(at + 1).is_empty() {
            containers.extend(class(unit, at));
        }
        if unit.is(at, b'{')
            && at > 0
            && let Some((name, start)) = named_function(unit, at)
        {
            found.push((name, start, at));
        }
    }
    for (name, start, open) in found {
        let mut found = function(unit, name, start..open, open);
        found.container = container_name(&containers, open);
        unit.add_function(found);
    }
    unit.add_module();
}

fn class(unit: &Unit<'_>, at: usize) -> Option<Container> {
    let mut open = at + 1;
    while open < unit.tokens.len() && !unit.is(open, b'{') {
        if unit.is(open, b';') || unit.is(open, b'=') {
            return None;
        }
        open += 1;
    }
    let close = unit.brackets.partner(open)?;
    Some(Container { open, close, name: unit.word(at + 1).to_owned(), is_abstract: false })
}

/// The name and the first token of the function whose body opens at `at`.
fn named_function(unit: &Unit<'_>, at: usize) -> Option<(String, usize)> {
    match unit.tokens[at - 1].kind {
        Kind::FatArrow => assigned_name(unit, arrow_start(unit, at - 1)?),
        Kind::Punct(b')') => parameters_before(unit, at - 1),
        Kind::Word | Kind::Punct(b'>' | b']' | b'}') | Kind::Text => {
            parameters_before(unit, before_type(unit, at)?)
        }
        _ => None,
    }
}

/// The closing parenthesis before `: Type` that ends before `at`.
fn before_type(unit: &Unit<'_>, at: usize) -> Option<usize> {
    let mut back = at;
    for _ in 0..60 {
        back = back.checked_sub(1)?;
        match unit.tokens[back].kind {
            Kind::Punct(b':') => {
                let close =
                    back.checked_sub(1).filter(|&close| unit.is(close, b')') && back + 1 < at)?;
                return Some(close);
            }
            Kind::Word if is_no_type(unit.word(back)) => return None,
            Kind::Word | Kind::Text | Kind::Number => {}
            Kind::Punct(b'<' | b'>' | b'.' | b'|' | b'&' | b',') => {}
            Kind::Punct(b'}') if back + 1 != at && unit.kind(back + 1) == Some(Kind::Word) => {
                return None;
            }
            Kind::Punct(b']' | b'}') => back = unit.brackets.partner(back)?,
            _ => return None,
        }
    }
    None
}

/// Words that occur in no type.
fn is_no_type(word: &str) -> bool {
    matches!(
        word,
        "class"
            | "export"
            | "implements"
            | "interface"
            | "enum"
            | "namespace"
            | "const"
            | "let"
            | "var"
            | "return"
            | "else"
            | "do"
            | "try"
            | "finally"
            | "static"
            | "module"
            | "function"
    )
}

/// A function by its closing parenthesis: `function f(…)`, a method, or an assigned one.
fn parameters_before(unit: &Unit<'_>, close: usize) -> Option<(String, usize)> {
    let open = unit.brackets.partner(close)?;
    let mut name = open.checked_sub(1)?;
    if unit.is(name, b'>') {
        // Type parameters of a method.
        while name > 0 && !unit.is(name, b'<') {
            name -= 1;
        }
        name = name.checked_sub(1)?;
    }
    let word = unit.word(name);
    if word == "function" || unit.is(name, b'*') && name > 0 && unit.word(name - 1) == "function" {
        let start = if word == "function" { name } else { name - 1 };
        return assigned_name(unit, start);
    }
    if word.is_empty() || Language::JavaScript.is_keyword(word) {
        return None;
    }
    let before = name.checked_sub(1);
    let before_word = before.map_or("", |before| unit.word(before));
    if before_word == "function" {
        return Some((word.to_owned(), with_async(unit, name - 1)));
    }
    if before.is_some_and(|b| unit.is(b, b'*')) && name > 1 && unit.word(name - 2) == "function" {
        return Some((word.to_owned(), with_async(unit, name - 2)));
    }
    let start = before.filter(|&b| unit.is(b, b'*') || unit.is(b, b'#')).unwrap_or(name);
    let start = modifiers_start(unit, start);
    let begins = match start.checked_sub(1).map(|before| unit.tokens[before].kind) {
        None => false,
        Some(Kind::Punct(punct)) => matches!(punct, b'{' | b'}' | b';' | b',' | b')'),
        Some(Kind::Word | Kind::Number | Kind::Text) => unit.line(start) != unit.line(start - 1),
        Some(_) => false,
    };
    begins.then(|| (word.to_owned(), start))
}

fn modifiers_start(unit: &Unit<'_>, mut start: usize) -> usize {
    while start > 0
        && matches!(
            unit.word(start - 1),
            "static"
                | "async"
                | "get"
                | "set"
                | "public"
                | "private"
                | "protected"
                | "override"
                | "abstract"
                | "readonly"
        )
    {
        start -= 1;
    }
    start
}

fn with_async(unit: &Unit<'_>, start: usize) -> usize {
    match start.checked_sub(1).filter(|&before| unit.word(before) == "async") {
        Some(before) => before,
        None => start,
    }
}

/// The first token of the parameters of an arrow function.
fn arrow_start(unit: &Unit<'_>, arrow: usize) -> Option<usize> {
    let before = arrow.checked_sub(1)?;
    match unit.tokens[before].kind {
        Kind::Punct(b')') => unit.brackets.partner(before),
        Kind::Word if before > 0 && unit.is(before - 1, b':') => {
            unit.brackets.partner(before_type(unit, arrow)?)
        }
        Kind::Word => Some(before),
        _ => unit.brackets.partner(before_type(unit, arrow)?),
    }
}

/// The name that a function gets from `name =` or `name:` before it.
fn assigned_name(unit: &Unit<'_>, start: usize) -> Option<(String, usize)> {
    let start = with_async(unit, start);
    let sign = start.checked_sub(1)?;
    if !unit.is(sign, b'=') && !unit.is(sign, b':') {
        return None;
    }
    let target = sign.checked_sub(1)?;
    let typed = target >= 2 && unit.is(target - 1, b':') && unit.is(sign, b'=');
    let name = if typed { target - 2 } else { target };
    let word = unit.word(name);
    // In `a ? b : () => {…}` the word is no name.
    let chosen = unit.is(sign, b':') && name > 0 && unit.is(name - 1, b'?');
    (!word.is_empty() && !chosen && word != "default").then(|| (word.to_owned(), start))
}
