//! Conditional compilation: which parts of a text count as code, and how.
//!
//! Evaluates no condition, except `#if 0` and `#if 1`. A part between `#if` and `#endif` counts as
//! code. If `#else` or `#elif` give several parts, and each of them consists of whole statements,
//! the parts become alternatives of the control flow: the marks `GroupStart`, `GroupAlternative`
//! and `GroupEnd` stay in the tokens. Otherwise (a part that opens a brace which is closed after
//! `#endif`, an alternative inside an expression) one part counts and the others become a single
//! token of kind `Directive`, so that a change in them is noticed without being parsed.

use super::token::{Kind, Token};

/// Which part counts if the parts are not whole statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    First,
    Last,
}

/// Resolves the conditionals of a text. Keeps other directives.
pub fn resolve(tokens: Vec<Token>, text: &str, preference: Preference) -> Vec<Token> {
    if !tokens.iter().any(|token| token.kind == Kind::Directive) {
        return tokens;
    }
    let mut resolver = Resolver {
        text,
        preference,
        output: Vec::with_capacity(tokens.len()),
        open: Vec::new(),
        groups: Vec::new(),
        dead: 0,
    };
    for (index, token) in tokens.iter().enumerate() {
        let mut rest = tokens[index + 1..].iter().take(8);
        let next = rest.find(|next| next.kind != Kind::Directive);
        let before_else = next.is_some_and(|next| next.text(text) == "else");
        resolver.take(*token, before_else);
    }
    while !resolver.groups.is_empty() {
        resolver.end_group(None, false);
    }
    resolver.output
}

/// The word after the `#`, and the text after it.
pub fn directive<'t>(token: &Token, text: &'t str) -> (&'t str, &'t str) {
    let line = token.text(text).trim_start_matches('#').trim_start();
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
    (&line[..end], line[end..].trim())
}

struct Resolver<'t> {
    text: &'t str,
    preference: Preference,
    output: Vec<Token>,
    /// Brackets that are open at the end of the output.
    open: Vec<u8>,
    groups: Vec<Group>,
    /// How many `#if` are open inside a part that is never compiled, counting from its own.
    dead: usize,
}

struct Group {
    /// The place of the mark of `#if` in the output.
    mark: usize,
    open: Vec<u8>,
    /// The lowest number of open brackets in the current part.
    low: usize,
    parts: Vec<Part>,
    /// Where the current part begins in the output, behind its mark.
    begin: usize,
    /// The token that opened the current part.
    opener: Token,
    /// Whether a part that is always compiled came before, so that the rest never is.
    settled: bool,
    /// Whether the current part is never compiled.
    skipped: bool,
    boundary: bool,
}

struct Part {
    begin: usize,
    end: usize,
    opener: Token,
    open: Vec<u8>,
    complete: bool,
}

impl Resolver<'_> {
    fn take(&mut self, token: Token, before_else: bool) {
        if token.kind != Kind::Directive {
            if self.dead == 0 {
                self.emit(token);
            }
            return;
        }
        let (word, rest) = directive(&token, self.text);
        match word {
            "if" | "ifdef" | "ifndef" if self.dead > 0 => self.dead += 1,
            "if" | "ifdef" | "ifndef" => self.begin_group(token, word, rest),
            "else" | "elif" | "elifdef" | "elifndef" if self.dead > 1 => {}
            "else" | "elif" | "elifdef" | "elifndef" => self.next_part(token),
            "endif" if self.dead > 1 => self.dead -= 1,
            "endif" => self.end_group(Some(token), before_else),
            _ if self.dead == 0 => self.emit(token),
            // Never compiled.
            _ => {}
        }
    }

    fn emit(&mut self, token: Token) {
        if let Kind::Punct(punct) = token.kind {
            match punct {
                b'(' | b'[' | b'{' => self.open.push(punct),
                b')' | b']' | b'}' => {
                    self.open.pop();
                    let depth = self.open.len();
                    for group in &mut self.groups {
                        group.low = group.low.min(depth);
                    }
                }
                _ => {}
            }
        }
        self.output.push(token);
    }

    fn begin_group(&mut self, token: Token, word: &str, rest: &str) {
        let never = word == "if" && is_constant(rest, "0");
        let always = word == "if" && is_constant(rest, "1");
        let boundary = self.at_boundary();
        self.output.push(Token { kind: Kind::GroupStart, ..token });
        self.groups.push(Group {
            mark: self.output.len() - 1,
            open: self.open.clone(),
            low: self.open.len(),
            parts: Vec::new(),
            begin: self.output.len(),
            opener: token,
            settled: always,
            skipped: never,
            boundary,
        });
        if never {
            self.dead = 1;
        }
    }

    /// Whether a statement may begin after the output so far.
    fn at_boundary(&self) -> bool {
        if self.open.last().is_some_and(|open| *open != b'{') {
            return false;
        }
        match self.output.last() {
            None => true,
            Some(last) => match last.kind {
                Kind::Punct(punct) => matches!(punct, b';' | b'{' | b'}' | b':' | b')'),
                Kind::Word => matches!(last.text(self.text), "else" | "do"),
                Kind::Directive | Kind::GroupStart | Kind::GroupAlternative | Kind::GroupEnd => {
                    true
                }
                _ => false,
            },
        }
    }

    fn next_part(&mut self, token: Token) {
        let Some(mut group) = self.groups.pop() else { return };
        self.end_part(&mut group);
        self.dead = 0;
        let always = directive(&token, self.text).0 == "else";
        if group.settled {
            group.skipped = true;
            self.dead = 1;
        } else {
            group.skipped = false;
            if !group.parts.is_empty() {
                self.output.push(Token { kind: Kind::GroupAlternative, ..token });
            }
            group.settled = always;
        }
        group.opener = token;
        group.begin = self.output.len();
        self.open.clone_from(&group.open);
        group.low = self.open.len();
        self.groups.push(group);
    }

    fn end_part(&mut self, group: &mut Group) {
        if group.skipped {
            return;
        }
        let balanced = group.low >= group.open.len() && self.open.len() == group.open.len();
        let part = &self.output[group.begin..];
        let begins =
            !part.iter().find(|token| token.kind != Kind::Directive).is_some_and(|first| {
                first.kind == Kind::Word
                    && matches!(first.text(self.text), "else" | "catch" | "finally")
            });
        let ends = part.last().is_none_or(|last| match last.kind {
            Kind::Punct(punct) => matches!(punct, b';' | b'}' | b':'),
            Kind::Directive | Kind::GroupEnd => true,
            _ => false,
        });
        group.parts.push(Part {
            begin: group.begin,
            end: self.output.len(),
            opener: group.opener,
            open: self.open.clone(),
            complete: balanced && begins && ends,
        });
    }

    /// `before_else`: what follows continues an `if` inside of the parts.
    fn end_group(&mut self, token: Option<Token>, before_else: bool) {
        let Some(mut group) = self.groups.pop() else { return };
        self.end_part(&mut group);
        self.dead = 0;
        let whole = group.boundary && !before_else && group.parts.iter().all(|part| part.complete);
        if whole && group.parts.iter().any(|part| part.begin < part.end) {
            let end = token.or(self.output.last().copied());
            self.output.extend(end.map(|end| Token { kind: Kind::GroupEnd, ..end }));
            return;
        }
        self.choose(&group, token);
    }

    /// Keeps one part as code. The condition and the other parts become one directive each.
    fn choose(&mut self, group: &Group, end: Option<Token>) {
        let chosen = match self.preference {
            Preference::First => group.parts.first(),
            // A single part that breaks the structure may as well be left out.
            Preference::Last if group.parts.len() == 1 && !group.parts[0].complete => None,
            Preference::Last => group.parts.last(),
        };
        let (kept, open) = match chosen {
            Some(part) => (self.output[part.begin..part.end].to_vec(), part.open.clone()),
            None => (Vec::new(), group.open.clone()),
        };
        let limit = end.map_or(self.text.len() as u32, |end| end.start);
        let kept_at = chosen.map(|part| part.begin);
        let mut replacement = Vec::new();
        for (index, part) in group.parts.iter().enumerate() {
            if Some(part.begin) == kept_at {
                replacement.push(Token { kind: Kind::Directive, ..part.opener });
                replacement.extend_from_slice(&kept);
            } else {
                let next = group.parts.get(index + 1).map_or(limit, |next| next.opener.start);
                let end = next.max(part.opener.end);
                replacement.push(Token { kind: Kind::Directive, end, ..part.opener });
            }
        }
        self.output.truncate(group.mark);
        self.output.extend(replacement);
        self.open = open;
        let depth = self.open.len();
        for outer in &mut self.groups {
            outer.low = outer.low.min(depth);
        }
    }
}

fn is_constant(condition: &str, constant: &str) -> bool {
    let end = condition.find("/*").unwrap_or(condition.len());
    condition[..end].trim() == constant
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::language::Language;
    use crate::text::lexer::lex;

    fn resolved(text: &str) -> String {
        let tokens = resolve(lex(text, Language::C), text, Preference::First);
        let words = tokens.iter().map(|token| match token.kind {
            Kind::GroupStart => "<",
            Kind::GroupAlternative => "|",
            Kind::GroupEnd => ">",
            Kind::Directive => "#",
            _ => token.text(text),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn whole_statements_become_alternatives() {
        assert_eq!(resolved("a;\n#if X\nb;\n#else\nc;\n#endif\nd;"), "a ; < b ; | c ; > d ;");
        assert_eq!(resolved("a;\n#ifdef X\nb;\n#endif\nd;"), "a ; < b ; > d ;");
    }

    #[test]
    fn parts_of_statements_are_chosen_from() {
        let text = "#if X\nif (a) {\n#else\nif (b) {\n#endif\n c; }";
        assert_eq!(resolved(text), "# if ( a ) { # c ; }");
        let text = "x = f(\n#if X\n1\n#else\n2\n#endif\n);";
        assert_eq!(resolved(text), "x = f ( # 1 # ) ;");
    }

    #[test]
    fn what_is_never_compiled_is_no_code() {
        assert_eq!(
            resolved("a;\n#if 0\nb; {\n#if Y\n#endif\n#else\nc;\n#endif\nd;"),
            "a ; < c ; > d ;"
        );
        assert_eq!(resolved("a;\n#if 0 /* off */\nb; {\n#endif\nd;"), "a ; d ;");
        assert_eq!(resolved("a;\n#if 1\nb;\n#else\nc; {\n#endif\nd;"), "a ; < b ; > d ;");
    }

    #[test]
    fn conditionals_that_are_not_closed_or_not_opened_do_no_harm() {
        assert_eq!(resolved("#endif\na;\n#else\n#if X\nb;"), "a ; < b ; >");
    }
}
