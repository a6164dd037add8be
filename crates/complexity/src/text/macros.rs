//! How the macros that a file defines affect the control flow of the statements that use them.
//!
//! C hides jumps in macros (`#define CHECK(x) if (!(x)) goto fail`) and renames keywords (`#define
//! vmcase(l) case l:`). Only macros defined in the same file are known, and only their jumps and
//! headers, not what else they compute.

use std::collections::{BTreeSet, HashMap};

use super::language::Language;
use super::lexer::lex;
use super::preprocessor::directive;
use super::token::{Brackets, Kind, Token};

/// The meaning of a use of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An expression, or complete statements.
    Plain,
    /// `if (…)` without its body.
    If,
    /// `while (…)` or `for (…)` without its body.
    Loop,
    /// `switch (…)` without its body.
    Switch,
    /// `case …:`
    Case,
    /// `default:`
    Default,
    Return,
    Break,
    Continue,
}

/// A macro, as far as control flow is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    pub role: Role,
    /// It may end the function.
    pub may_return: bool,
    /// Labels it may jump to.
    pub may_goto: BTreeSet<String>,
    /// It may leave the loop or `switch` around it.
    pub may_break: bool,
    pub may_continue: bool,
}

impl Macro {
    /// Whether a use of it is more than a plain expression.
    pub fn jumps(&self) -> bool {
        self.may_return || self.may_break || self.may_continue || !self.may_goto.is_empty()
    }
}

/// The macros of one file that matter.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    by_name: HashMap<String, Macro>,
}

impl Macros {
    pub fn of(tokens: &[Token], text: &str) -> Macros {
        let mut raw: Vec<(String, Macro, Vec<String>)> = Vec::new();
        for token in tokens.iter().filter(|token| token.kind == Kind::Directive) {
            if let ("define", rest) = directive(token, text)
                && let Some((name, body)) = split(rest)
                && let Some((found, words)) = read(body)
            {
                raw.push((name.to_owned(), found, words));
            }
        }
        Macros { by_name: close(raw) }
    }

    pub fn get(&self, name: &str) -> Option<&Macro> {
        self.by_name.get(name)
    }

    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// The name and the replacement of `NAME(parameters) replacement`.
fn split(definition: &str) -> Option<(&str, &str)> {
    let end = definition
        .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .unwrap_or(definition.len());
    let (name, rest) = definition.split_at(end);
    if name.is_empty() {
        return None;
    }
    match rest.strip_prefix('(') {
        Some(parameters) => Some((name, parameters.split_once(')')?.1)),
        None => Some((name, rest)),
    }
}

/// The macro with the effects of its own text, and the words that may be further macros.
fn read(body: &str) -> Option<(Macro, Vec<String>)> {
    // Most macros are constants.
    if !body.bytes().any(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let tokens: Vec<Token> = lex(body, Language::C);
    let word = |at: usize| match tokens.get(at) {
        Some(token) if token.kind == Kind::Word => token.text(body),
        _ => "",
    };
    let mut found = Macro {
        role: role(&tokens, body),
        may_return: false,
        may_goto: BTreeSet::new(),
        may_break: false,
        may_continue: false,
    };
    let mut words = Vec::new();
    let mut loops = false;
    let (mut breaks, mut continues) = (false, false);
    for at in 0..tokens.len() {
        match word(at) {
            "" => {}
            "return" => found.may_return = true,
            "goto" if !word(at + 1).is_empty() => found.may_goto.extend([word(at + 1).to_owned()]),
            "break" => breaks = true,
            "continue" => continues = true,
            "do" | "for" | "while" | "switch" => loops = true,
            other => words.push(other.to_owned()),
        }
    }
    // Inside a loop of the macro they concern that loop, also in `do { … } while (0)`.
    found.may_break = breaks && !loops;
    found.may_continue = continues && !loops;
    let matters = found.role != Role::Plain || found.jumps() || !words.is_empty();
    matters.then_some((found, words))
}

/// The meaning of a use, by how the replacement begins and ends.
fn role(tokens: &[Token], body: &str) -> Role {
    let Some(first) = tokens.first().filter(|first| first.kind == Kind::Word) else {
        return Role::Plain;
    };
    let last = tokens[tokens.len() - 1];
    let header = || {
        let brackets = Brackets::of(tokens);
        tokens.get(1).is_some_and(|t| t.is(b'(')) && brackets.partner(1) == Some(tokens.len() - 1)
    };
    let parts = tokens.iter().filter(|token| token.is(b';')).count();
    let single = parts == 0 || parts == 1 && last.is(b';');
    match first.text(body) {
        "if" if header() => Role::If,
        "while" | "for" if header() => Role::Loop,
        "switch" if header() => Role::Switch,
        "case" if single => Role::Case,
        "default" if single => Role::Default,
        "return" if single => Role::Return,
        "break" if tokens.len() <= 2 => Role::Break,
        "continue" if tokens.len() <= 2 => Role::Continue,
        _ => Role::Plain,
    }
}

/// Adds to each macro the effects of the macros that it uses.
fn close(raw: Vec<(String, Macro, Vec<String>)>) -> HashMap<String, Macro> {
    let mut by_name: HashMap<String, Macro> = HashMap::new();
    for (name, found, _) in &raw {
        // Of several conditional definitions, the first with an effect counts.
        if by_name.get(name).is_some_and(|before| before.role != Role::Plain) {
        } else {
            drop(by_name.insert(name.clone(), found.clone()))
        }
    }
    // Long chains of macros are rare; more steps than this are not followed.
    for _ in 0..8 {
        let mut changed = false;
        for (name, _, words) in &raw {
            let Some(mut merged) = by_name.get(name).cloned() else { continue };
            for inner in words.iter().filter(|word| *word != name).filter_map(|w| by_name.get(w)) {
                merged.may_return |= inner.may_return;
                merged.may_goto.extend(inner.may_goto.iter().cloned());
            }
            if by_name.get(name) != Some(&merged) {
                changed = true;
                by_name.insert(name.clone(), merged);
            }
        }
        if !changed {
            break;
        }
    }
    by_name.retain(|_, found| found.role != Role::Plain || found.jumps());
    by_name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(text: &str) -> Macros {
        Macros::of(&lex(text, Language::C), text)
    }

    #[test]
    fn jumps_are_found_through_other_macros() {
        let found = macros(
            "#define PULL() do { if (!have) goto leave; have--; } while (0)\n\
             #define NEED(n) do { while (bits < n) PULL(); } while (0)\n\
             #define CHECK(x) if (!(x)) return -1;\n#define N 10\n",
        );
        let need = found.get("NEED").expect("it jumps");
        assert_eq!(need.may_goto.iter().collect::<Vec<_>>(), ["leave"]);
        assert!(found.get("CHECK").is_some_and(|check| check.may_return));
        assert_eq!(found.get("N"), None);
    }

    #[test]
    fn renamed_keywords_keep_their_role() {
        let found = macros(
            "#define vmcase(l) case l:\n#define vmbreak break\n#define vmdispatch(o) switch(o)\n\
             #define each(x) for (int i = 0; i < (x); i++)\n",
        );
        let role = |name: &str| found.get(name).map(|found| found.role);
        assert_eq!(role("vmcase"), Some(Role::Case));
        assert_eq!(role("vmbreak"), Some(Role::Break));
        assert_eq!(role("vmdispatch"), Some(Role::Switch));
        assert_eq!(role("each"), Some(Role::Loop));
    }
}
