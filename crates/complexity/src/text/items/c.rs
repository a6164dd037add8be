//! Functions and declarations of C and C++.
//!
//! Knows old-style definitions, names in parentheses, macros before and after the head,
//! constructors with initialisers, and operators. Skips the bodies of functions.

use std::ops::Range;

use super::{Container, classify_directive, container_name, declarations, function};
use crate::text::language::Language;
use crate::text::token::Kind;
use crate::text::unit::{DeclarationKind, Unit};

pub(super) fn find(unit: &mut Unit<'_>) {
    let mut scan = Scan { containers: Vec::new(), functions: Vec::new() };
    scan.run(unit);
    let Scan { containers, functions } = scan;
    for (head, open, name) in functions {
        let mut found = function(unit, name, head.clone(), open);
        found.container = container_name(&containers, head.start);
        found.local = head.clone().any(|at| unit.word(at) == "static");
        unit.add_function(found);
    }
    declarations(unit, &containers);
}

struct Scan {
    containers: Vec<Container>,
    functions: Vec<(Range<usize>, usize, String)>,
}

/// What a brace outside of functions opens.
enum Opens {
    Function {
        name: String,
        start: usize,
    },
    Container {
        name: String,
    },
    /// Members of a type, values, or something unknown.
    Other,
}

impl Scan {
    fn run(&mut self, unit: &Unit<'_>) {
        let mut start = 0;
        let mut at = 0;
        while at < unit.tokens.len() {
            match unit.tokens[at].kind {
                Kind::Directive | Kind::GroupStart | Kind::GroupAlternative | Kind::GroupEnd
                    if at == start =>
                {
                    start = at + 1;
                }
                Kind::Punct(b'(' | b'[') => at = unit.brackets.partner(at).unwrap_or(at),
                Kind::Punct(b'}') => start = at + 1,
                Kind::Punct(b':') if is_access(unit, start, at) => start = at + 1,
                Kind::Punct(b';') => match old_style_body(unit, start, at) {
                    Some(open) => {
                        at = self.define(unit, start, open);
                        start = at + 1;
                    }
                    None => start = at + 1,
                },
                Kind::Punct(b'{') => match opens(unit, start, at) {
                    Opens::Function { name, start: head } => {
                        self.functions.push((head..at, at, name));
                        at = self.behind(unit, at);
                        start = at + 1;
                    }
                    Opens::Container { name } => {
                        let close = unit.brackets.partner(at).unwrap_or(unit.tokens.len());
                        self.containers.push(Container {
                            open: at,
                            close,
                            name,
                            is_abstract: false,
                        });
                        start = at + 1;
                    }
                    Opens::Other => at = unit.brackets.partner(at).unwrap_or(at),
                },
                _ => {}
            }
            at += 1;
        }
    }

    /// Adds an old-style definition; returns the last token of its body.
    fn define(&mut self, unit: &Unit<'_>, start: usize, open: usize) -> usize {
        let name = function_name(unit, start, open).map_or_else(String::new, |found| found.0);
        self.functions.push((start..open, open, name));
        self.behind(unit, open)
    }

    fn behind(&self, unit: &Unit<'_>, open: usize) -> usize {
        match unit.brackets.partner(open) {
            Some(close) => close,
            None => super::end_by_layout(unit, open),
        }
    }
}

fn is_access(unit: &Unit<'_>, start: usize, at: usize) -> bool {
    let words = ["public", "private", "protected", "signals", "slots", "Q_SIGNALS", "Q_SLOTS"];
    at > start && at - start <= 2 && (start..at).any(|i| words.contains(&unit.word(i)))
}

/// The brace of a definition `f(a, b) int a; char *b; {` whose first semicolon is at `at`.
fn old_style_body(unit: &Unit<'_>, start: usize, at: usize) -> Option<usize> {
    if unit.language != Language::C && unit.language != Language::Cpp {
        return None;
    }
    let (_, open, close) = function_name(unit, start, at)?;
    let parameters = open + 1..close;
    let names = parameters.clone().all(|i| {
        matches!(unit.tokens[i].kind, Kind::Punct(b',') | Kind::Directive)
            || !unit.word(i).is_empty()
            || unit.tokens[i].is_group_mark()
    });
    // Two adjacent words are a type and a name, which the old style has outside.
    let typed =
        parameters.clone().any(|i| !unit.word(i).is_empty() && !unit.word(i + 1).is_empty());
    if parameters.is_empty()
        || !names
        || typed
        || close + 1 >= at
        || (start..at).any(|i| unit.is(i, b'='))
    {
        return None;
    }
    let first = (close + 1..at)
        .find(|&i| unit.tokens[i].kind != Kind::Directive && !unit.tokens[i].is_group_mark())?;
    if unit.word(first).is_empty() || unit.word(first) == "__attribute__" {
        return None;
    }
    let mut next = at + 1;
    while next < unit.tokens.len() {
        match unit.tokens[next].kind {
            Kind::Punct(b'{') => {
                let mut before = next - 1;
                while unit.tokens[before].is_group_mark()
                    || unit.tokens[before].kind == Kind::Directive
                {
                    before -= 1;
                }
                return unit.is(before, b';').then_some(next);
            }
            Kind::Punct(b'(' | b'[') => next = unit.brackets.partner(next)?,
            Kind::Punct(b'}' | b'=') => return None,
            _ => {}
        }
        next += 1;
        if next > at + 600 {
            return None;
        }
    }
    None
}

/// What the brace at `at` opens, whose item begins at `start`.
fn opens(unit: &Unit<'_>, start: usize, at: usize) -> Opens {
    let item = start..at;
    if let Some(name) = container(unit, &item) {
        return Opens::Container { name };
    }
    let operator = item.clone().find(|&i| unit.word(i) == "operator");
    if operator.is_none() && has_initialiser(unit, &item) {
        return Opens::Other;
    }
    if let Some(operator) = operator
        && let Some(name) = operator_name(unit, operator, at)
    {
        return Opens::Function { name, start };
    }
    match function_name(unit, start, at) {
        Some((_, _, close)) if initialises_member(unit, close, at) => Opens::Other,
        Some((name, open, _)) => Opens::Function { name, start: head_start(unit, start, open) },
        None => Opens::Other,
    }
}

/// Skips directives before the head; macros and attributes belong to it.
fn head_start(unit: &Unit<'_>, start: usize, open: usize) -> usize {
    (start..open).find(|&i| unit.tokens[i].kind == Kind::Word).unwrap_or(start)
}

/// `=` outside of brackets: what follows is a value.
fn has_initialiser(unit: &Unit<'_>, item: &Range<usize>) -> bool {
    let mut at = item.start;
    while at < item.end {
        match unit.tokens[at].kind {
            Kind::Punct(b'=') => return true,
            Kind::Punct(b'(' | b'[' | b'{') => at = unit.brackets.partner(at).unwrap_or(at),
            // Default arguments of templates.
            Kind::Punct(b'<') if at > 0 && unit.word(at - 1) == "template" => {
                at = template_end(unit, at, item.end)
            }
            _ => {}
        }
        at += 1;
    }
    false
}

fn template_end(unit: &Unit<'_>, open: usize, end: usize) -> usize {
    let mut depth = 0;
    let mut at = open;
    while at < end {
        match unit.tokens[at].kind {
            Kind::Punct(b'<') => depth += 1,
            Kind::Punct(b'>') => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            Kind::Punct(b'(' | b'[' | b'{') => at = unit.brackets.partner(at).unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
    open
}

/// The name of a namespace, a class or `extern "C"`, if that is what the item opens.
fn container(unit: &Unit<'_>, item: &Range<usize>) -> Option<String> {
    let mut at = item.start;
    while at < item.end {
        let word = unit.word(at);
        match word {
            "template" if unit.is(at + 1, b'<') => at = template_end(unit, at + 1, item.end),
            "extern" if unit.kind(at + 1) == Some(Kind::Text) && at + 2 == item.end => {
                return Some(String::new());
            }
            "namespace" => return Some(last_word(unit, at + 1..item.end)),
            "class" | "struct" | "union" if unit.language == Language::Cpp => {
                return (!is_function_head(unit, at, item.end))
                    .then(|| class_name(unit, at + 1, item.end));
            }
            "enum" | "typedef" | "struct" | "union" => return None,
            _ => {}
        }
        if matches!(unit.kind(at), Some(Kind::Punct(b'(' | b'[' | b'='))) {
            return None;
        }
        at += 1;
    }
    None
}

/// `struct x *f(…)` is a function, `struct MACRO(…) x` is not.
fn is_function_head(unit: &Unit<'_>, start: usize, end: usize) -> bool {
    match function_name(unit, start, end) {
        None => false,
        Some((name, _, close)) => {
            let attribute = is_loud(&name) || name.starts_with("__") || name == "alignas";
            !attribute && !(close + 1..end).any(|i| unit.is(i, b':') && !unit.is(i - 1, b')'))
        }
    }
}

/// All in capitals, as macros are.
fn is_loud(name: &str) -> bool {
    name.bytes().any(|b| b.is_ascii_uppercase()) && !name.bytes().any(|b| b.is_ascii_lowercase())
}

fn class_name(unit: &Unit<'_>, start: usize, end: usize) -> String {
    let limit = (start..end).find(|&i| unit.is(i, b':') || unit.is(i, b'<')).unwrap_or(end);
    let is_name = |&i: &usize| !unit.word(i).is_empty() && unit.word(i) != "final";
    (start..limit).rev().find(is_name).map_or_else(String::new, |i| unit.word(i).to_owned())
}

fn last_word(unit: &Unit<'_>, range: Range<usize>) -> String {
    let last = range.rev().find(|&i| !unit.word(i).is_empty());
    last.map_or_else(String::new, |i| unit.word(i).to_owned())
}

/// `operator` with what it overloads, if parameters follow.
fn operator_name(unit: &Unit<'_>, operator: usize, end: usize) -> Option<String> {
    let mut next = operator + 1;
    let mut name = String::from("operator");
    if unit.is(next, b'(') && unit.is(next + 1, b')') {
        name.push_str("()");
        next += 2;
    }
    while next < end && !unit.is(next, b'(') {
        if !unit.word(next).is_empty() {
            name.push(' ');
        }
        name.push_str(unit.token_text(next));
        next += 1;
    }
    (next < end).then_some(name)
}

/// Words after which a parenthesis is no list of parameters.
fn is_specifier(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "alignas"
            | "_Alignas"
            | "decltype"
            | "typeof"
            | "__typeof__"
            | "noexcept"
            | "throw"
            | "asm"
            | "__asm__"
            | "__asm"
            | "requires"
            | "explicit"
            | "_Pragma"
            | "__pragma"
            | "sizeof"
            | "if"
            | "while"
            | "for"
            | "switch"
            | "return"
            | "static_assert"
            | "_Static_assert"
    )
}

/// The name of the function whose head is in the range, and the parentheses of its parameters.
fn function_name(unit: &Unit<'_>, start: usize, end: usize) -> Option<(String, usize, usize)> {
    let groups = groups(unit, start, end);
    // `int (*name(parameters))(parameters of the result)`
    for pair in groups.windows(2) {
        let ((open, close), (next, _)) = (pair[0], pair[1]);
        if close + 1 == next && unit.is(open + 1, b'*') {
            let inner = (open + 2..close).find(|&i| unit.is(i, b'('));
            if let Some(inner) = inner.filter(|&inner| !unit.word(inner - 1).is_empty()) {
                return Some((
                    unit.word(inner - 1).to_owned(),
                    inner,
                    unit.brackets.partner(inner)?,
                ));
            }
        }
    }
    // `int (name)(parameters)`
    for pair in groups.windows(2) {
        let ((open, close), (next, end)) = (pair[0], pair[1]);
        if close + 1 == next && close == open + 2 && !unit.word(open + 1).is_empty() {
            return Some((unit.word(open + 1).to_owned(), next, end));
        }
    }
    let named = |&&(open, _): &&(usize, usize)| {
        open > start && !unit.word(open - 1).is_empty() && !is_specifier(unit.word(open - 1))
    };
    let candidates: Vec<&(usize, usize)> = groups.iter().filter(named).collect();
    let mut chosen = *candidates.first()?;
    for candidate in &candidates[1..] {
        let (word, next) = (unit.word(chosen.0 - 1), unit.word(candidate.0 - 1));
        // A macro before the head: it stands alone, or its name is in capitals and the next is not.
        let typed = chosen.0 >= start + 2 && !is_storage(unit.word(chosen.0 - 2)) && {
            let kind = unit.tokens[chosen.0 - 2].kind;
            matches!(kind, Kind::Word | Kind::Punct(b'*' | b'&' | b'>') | Kind::Path)
        };
        let before = unit.tokens[candidate.0 - 2].kind;
        let follows = candidate.0 == chosen.1 + 2
            || matches!(before, Kind::Word | Kind::Punct(b'*' | b'&' | b'>'));
        let initialiser = separates(unit, chosen.1 + 1, candidate.0);
        if !initialiser
            && follows
            && !is_loud(next)
            && !next.starts_with("__")
            && (!typed || is_loud(word))
        {
            chosen = candidate;
        }
    }
    let (open, close) = *chosen;
    let mut name = unit.word(open - 1).to_owned();
    let mut before = open - 1;
    if before > start && unit.is(before - 1, b'~') {
        name.insert(0, '~');
        before -= 1;
    }
    while before >= start + 2
        && unit.kind(before - 1) == Some(Kind::Path)
        && !unit.word(before - 2).is_empty()
    {
        name = format!("{}::{name}", unit.word(before - 2));
        before -= 2;
    }
    Some((name, open, close))
}

/// Whether a colon or a comma stands outside of brackets.
fn separates(unit: &Unit<'_>, start: usize, end: usize) -> bool {
    let mut at = start;
    while at < end {
        match unit.tokens[at].kind {
            Kind::Punct(b':' | b',') => return true,
            Kind::Punct(b'(' | b'[' | b'{') => at = unit.brackets.partner(at).unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
    false
}

fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "static"
            | "extern"
            | "inline"
            | "__inline"
            | "__inline__"
            | "virtual"
            | "friend"
            | "constexpr"
    )
}

/// Parentheses outside of other brackets, up to the initialisers of a constructor.
fn groups(unit: &Unit<'_>, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut groups = Vec::new();
    let mut at = start;
    while at < end {
        match unit.tokens[at].kind {
            Kind::Punct(b'(') => {
                let Some(close) = unit.brackets.partner(at).filter(|&close| close < end) else {
                    break;
                };
                groups.push((at, close));
                at = close;
            }
            Kind::Punct(b'[' | b'{') => at = unit.brackets.partner(at).unwrap_or(at),
            Kind::Punct(b';') => break,
            Kind::Word if unit.word(at) == "template" && unit.is(at + 1, b'<') => {
                at = template_end(unit, at + 1, end);
            }
            _ => {}
        }
        at += 1;
    }
    groups
}

/// Whether the brace at `at` belongs to `member{…}` in the initialisers of a constructor.
fn initialises_member(unit: &Unit<'_>, parameters_end: usize, at: usize) -> bool {
    let colon = (parameters_end + 1..at).find(|&i| unit.is(i, b':'));
    let Some(colon) = colon else { return false };
    if unit.word(at - 1).is_empty() && !unit.is(at - 1, b'>') {
        return false;
    }
    let separator = (colon..at)
        .rev()
        .find(|&i| matches!(unit.tokens[i].kind, Kind::Punct(b':' | b',' | b')' | b'}')));
    separator.is_some_and(|i| unit.is(i, b':') || unit.is(i, b','))
}

/// Kind and name of what is declared by the tokens.
pub(super) fn classify(unit: &Unit<'_>, tokens: &Range<usize>) -> (DeclarationKind, String) {
    let first = tokens.start;
    if unit.kind(first) == Some(Kind::Directive) {
        return classify_directive(unit, first);
    }
    let words: Vec<usize> = tokens.clone().filter(|&i| !unit.word(i).is_empty()).take(6).collect();
    let has = |word: &str| words.iter().any(|&i| unit.word(i) == word);
    let braces = tokens.clone().find(|&i| unit.is(i, b'{'));
    let initialised = has_initialiser(unit, tokens);
    if has("using") || has("friend") || has("static_assert") || has("_Static_assert") {
        return (DeclarationKind::Import, String::new());
    }
    if has("typedef") || braces.is_some() && !initialised {
        let name = if has("typedef") {
            last_word(unit, tokens.clone())
        } else {
            last_word(unit, first..braces.unwrap_or(tokens.end))
        };
        return (DeclarationKind::Type, name);
    }
    if !initialised && let Some((name, _, _)) = function_name(unit, first, tokens.end) {
        return (DeclarationKind::Prototype, name);
    }
    let end = tokens.clone().find(|&i| unit.is(i, b'=') || unit.is(i, b'[') || unit.is(i, b','));
    let name = last_word(unit, first..end.unwrap_or(tokens.end));
    let forward =
        (has("struct") || has("class") || has("union") || has("enum")) && tokens.len() == 2;
    if forward { (DeclarationKind::Import, name) } else { (DeclarationKind::Variable, name) }
}
