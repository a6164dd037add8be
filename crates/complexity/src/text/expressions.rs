//! Skims expressions: finds their ends, their calls, and the statements inside.
//!
//! Ignores the meaning of operators and operands. `&&`, `||`, `?:` and the return of Rust's `?` are
//! part of the statement, because basic blocks consist of whole statements; a call after one of
//! them is marked as optional. Braces in an expression are a value (an initialiser, an object), the
//! body of a closure, or statements (blocks of Rust, `({ … })` of GNU C).

use std::ops::Range;

use super::language::Language;
use super::statements::{MAX_DEPTH, Parser};
use super::syntax::{Body, Call, Jump, NO_END, Node, PieceId, PieceKind, Problem, Receiver};
use super::token::Kind;

/// Where an expression ends, besides at an unmatched closing bracket.
#[derive(Clone, Copy, Default)]
pub(super) struct Stop {
    pub(super) semicolon: bool,
    pub(super) comma: bool,
    /// At a brace that opens a block.
    pub(super) brace: bool,
    /// At the `else` of Rust's `let … else`.
    pub(super) otherwise: bool,
}

/// The contents of an expression.
#[derive(Default)]
pub(super) struct Skimmed {
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) calls: Vec<Call>,
    pub(super) macros: Vec<usize>,
}

enum Brace {
    Value,
    Closure,
    Statements,
    Stop,
}

impl Parser<'_, '_> {
    /// A piece of the tokens from `start` to `end`.
    pub(super) fn skim_range(
        &mut self,
        nodes: &mut Vec<Node>,
        kind: PieceKind,
        start: usize,
        end: usize,
    ) -> PieceId {
        self.at = start;
        let limit = end.min(self.end);
        let outer = std::mem::replace(&mut self.end, limit);
        let skimmed = self.skim(nodes, Stop::default());
        self.at = self.end;
        self.end = outer;
        self.add_skimmed(kind, skimmed)
    }

    /// A piece from `start` to the brace that opens the body of a statement.
    pub(super) fn skim_header(
        &mut self,
        nodes: &mut Vec<Node>,
        kind: PieceKind,
        start: usize,
    ) -> PieceId {
        let mut skimmed = self.skim(nodes, Stop { brace: true, ..Stop::default() });
        match skimmed.ranges.first_mut().filter(|first| first.start == start + 1) {
            Some(first) => first.start = start,
            None => skimmed.ranges.insert(0, start..start + 1),
        }
        if !self.is(b'{') {
            self.unexpected();
        }
        self.add_skimmed(kind, skimmed)
    }

    /// The brace that opens the body of a Go statement whose head begins at the current token.
    pub(super) fn header_end(&self) -> usize {
        let mut at = self.at;
        let mut function = false;
        while at < self.end {
            match self.unit.tokens[at].kind {
                Kind::Punct(b'{') if !function && !self.is_go_literal(at) => return at,
                Kind::Punct(b'{') => {
                    function &= matches!(self.unit.word(at - 1), "struct" | "interface");
                    at = self.partner(at).unwrap_or(at);
                }
                Kind::Punct(b'(' | b'[') => at = self.partner(at).unwrap_or(at),
                Kind::Word if self.unit.word(at) == "func" => function = true,
                _ => {}
            }
            at += 1;
        }
        self.end
    }

    pub(super) fn add_skimmed(&mut self, kind: PieceKind, skimmed: Skimmed) -> PieceId {
        let id = self.add(kind, 0..0);
        self.tree.pieces[id].ranges = skimmed.ranges;
        self.tree.pieces[id].calls = skimmed.calls;
        self.tree.pieces[id].macros = skimmed.macros;
        id
    }

    /// A statement that is an expression or a declaration.
    pub(super) fn simple(&mut self, nodes: &mut Vec<Node>) {
        let stop = Stop { semicolon: true, ..Stop::default() };
        let skimmed = self.skim(nodes, stop);
        self.end_simple(nodes, skimmed);
    }

    pub(super) fn end_simple(&mut self, nodes: &mut Vec<Node>, skimmed: Skimmed) {
        if self.is(b';') {
            self.at += 1;
        }
        if skimmed.ranges.iter().all(Range::is_empty) {
            return;
        }
        let ends = skimmed.calls.iter().any(|call| !call.skippable && self.ends_program(call));
        let piece = self.add_skimmed(PieceKind::Simple, skimmed);
        if ends {
            nodes.push(Node::Jump(piece, Jump::Exit))
        } else {
            nodes.push(Node::Simple(piece))
        }
    }

    fn ends_program(&self, call: &Call) -> bool {
        let name = self.unit.word(call.name);
        let qualifier = match call.receiver {
            Receiver::None => None,
            Receiver::Named { token, .. } => Some(self.unit.word(token)),
            Receiver::Macro => Some("!"),
            Receiver::Own | Receiver::Expression => Some(""),
        };
        self.unit.language.ends_program(name, qualifier)
    }

    /// A statement that jumps, with its value.
    pub(super) fn jump(&mut self, nodes: &mut Vec<Node>, jump: Jump) {
        let start = self.at;
        self.at += 1;
        let script = self.language() == Language::JavaScript;
        let alone = script && self.unit.line(self.at) != self.unit.line(start);
        let mut skimmed = Skimmed::default();
        if !alone && self.at < self.end {
            let stop = Stop { semicolon: true, ..Stop::default() };
            skimmed = self.skim(nodes, stop);
        }
        match skimmed.ranges.first_mut().filter(|first| first.start == start + 1) {
            Some(first) => first.start = start,
            None => skimmed.ranges.insert(0, start..start + 1),
        }
        if self.is(b';') {
            self.at += 1;
        }
        let piece = self.add_skimmed(PieceKind::Jump, skimmed);
        nodes.push(Node::Jump(piece, jump));
    }

    /// Skims from the current token. Statements inside go to `nodes`; the current token is then the
    /// first after the expression.
    pub(super) fn skim(&mut self, nodes: &mut Vec<Node>, stop: Stop) -> Skimmed {
        let mut found = Skimmed::default();
        let mut closers: Vec<usize> = Vec::new();
        let first = self.at;
        let mut begin = self.at;
        let mut skippable = false;
        // Between `let` and `=` of Rust, where braces belong to a pattern.
        let mut pattern = false;
        // The end of a Rust macro call, whose tokens have any meaning the macro gives them.
        let mut opaque = 0;
        while self.at < self.end {
            let at = self.at;
            if let Some(end) = self.unit.hole_at(at).filter(|&end| end > at) {
                let end = end.min(self.end);
                found.ranges.push(begin..at);
                (self.at, begin) = (end, end);
                continue;
            }
            let kind = self.unit.tokens[at].kind;
            if closers.is_empty() && self.stops(at, first, kind, stop) {
                break;
            }
            match kind {
                Kind::Punct(b'(' | b'[') => {
                    self.find_lambda(at, first);
                    closers.extend(self.partner(at));
                }
                Kind::Punct(b'{') => match self.brace(
                    at,
                    first,
                    stop.brace && closers.is_empty(),
                    at < opaque || pattern,
                ) {
                    Brace::Stop => break,
                    Brace::Value => closers.extend(self.partner(at)),
                    role => {
                        found.ranges.push(begin..at);
                        let body = Body { nodes: self.braces(), end: NO_END };
                        nodes.push(match role {
                            Brace::Closure => Node::Closure(body),
                            _ => Node::Block(body),
                        });
                        begin = self.at;
                        continue;
                    }
                },
                Kind::Punct(b')' | b']' | b'}') => {
                    if closers.last() == Some(&at) {
                        closers.pop();
                    } else {
                        break;
                    }
                }
                Kind::And | Kind::Or => skippable |= !self.opens_closure(at, first),
                Kind::FatArrow => skippable = true,
                Kind::Arrow if self.language() == Language::Java => skippable = true,
                Kind::Punct(b'?') if self.language() != Language::Rust => skippable = true,
                Kind::Punct(b'!') if self.language() == Language::Rust => {
                    let bracket =
                        matches!(self.unit.kind(at + 1), Some(Kind::Punct(b'(' | b'[' | b'{')));
                    if bracket && !self.unit.word(at.wrapping_sub(1)).is_empty() {
                        opaque = opaque.max(self.partner(at + 1).unwrap_or(0));
                    }
                }
                Kind::Punct(b'=') if closers.is_empty() => pattern = false,
                Kind::Text if at >= opaque && self.labels_block(at) => {
                    found.ranges.push(begin..at);
                    let label = self.unit.token_text(at).to_owned();
                    self.at += 2;
                    self.rust_block_like(nodes, Some(label));
                    begin = self.at;
                    continue;
                }
                Kind::Word => {
                    pattern |= self.language() == Language::Rust
                        && at >= opaque
                        && self.unit.word(at) == "let";
                    self.word_in_expression(at, first, skippable, &mut found);
                    if at >= opaque && self.inline(nodes, &mut found, begin) {
                        begin = self.at;
                        continue;
                    }
                }
                _ => {}
            }
            if at >= opaque && self.opens_closure(at, first) {
                skippable = true;
                self.find_closure(at);
            }
            self.at += 1;
        }
        found.ranges.push(begin..self.at.max(begin));
        found.ranges.retain(|range| !range.is_empty());
        found
    }

    /// Whether the expression ends before a token that is outside of all its brackets.
    fn stops(&self, at: usize, first: usize, kind: Kind, stop: Stop) -> bool {
        match kind {
            Kind::Punct(b';') => stop.semicolon,
            Kind::Punct(b',') => stop.comma,
            Kind::Word if stop.otherwise && self.unit.word(at) == "else" => true,
            Kind::Word if stop.semicolon && at > first => match self.language() {
                Language::C | Language::Cpp => self.begins_behind_macro(at),
                Language::JavaScript => self.new_line_ends(at),
                _ => false,
            },
            Kind::GroupStart | Kind::GroupAlternative | Kind::GroupEnd => {
                stop.semicolon && at > first && self.unit.is(at - 1, b')')
            }
            _ if stop.semicolon && at > first && self.language() == Language::JavaScript => {
                self.new_line_ends(at)
            }
            _ => false,
        }
    }

    /// A C statement after a macro that needs no semicolon.
    fn begins_behind_macro(&self, at: usize) -> bool {
        match self.unit.word(at) {
            "if" | "for" | "while" | "do" | "switch" | "return" | "goto" | "break" | "continue"
            | "case" | "else" => true,
            "default" => self.unit.is(at + 1, b':'),
            _ => false,
        }
    }

    /// JavaScript's rule for statements without a semicolon.
    fn new_line_ends(&self, at: usize) -> bool {
        let before = &self.unit.tokens[at - 1];
        let lines = match before.kind {
            Kind::Text => before.text(self.unit.text).matches('\n').count() as u32,
            _ => 0,
        };
        let token = &self.unit.tokens[at];
        if token.line <= before.line + lines {
            return false;
        }
        let ends = match before.kind {
            Kind::Word => !matches!(
                before.text(self.unit.text),
                "typeof"
                    | "new"
                    | "in"
                    | "of"
                    | "instanceof"
                    | "void"
                    | "delete"
                    | "await"
                    | "extends"
                    | "as"
                    | "const"
                    | "let"
                    | "var"
                    | "export"
                    | "default"
                    | "async"
                    | "implements"
                    | "keyof"
                    | "readonly"
                    | "abstract"
                    | "declare"
                    | "static"
            ),
            Kind::Number | Kind::Text => true,
            Kind::Punct(punct) => matches!(punct, b')' | b']' | b'}'),
            Kind::Operator => matches!(before.text(self.unit.text), "++" | "--"),
            _ => false,
        };
        let goes_on = match token.kind {
            Kind::Word => matches!(
                token.text(self.unit.text),
                "in" | "of" | "instanceof" | "as" | "extends" | "implements" | "satisfies"
            ),
            Kind::Number | Kind::Text => token.text(self.unit.text).starts_with('`'),
            Kind::Punct(punct) => !matches!(punct, b'!' | b'~' | b'@' | b'#'),
            Kind::Operator => !matches!(token.text(self.unit.text), "++" | "--"),
            _ => true,
        };
        ends && !goes_on
    }

    /// The role of an opening brace in an expression.
    fn brace(&self, at: usize, first: usize, may_stop: bool, opaque: bool) -> Brace {
        if opaque {
            return Brace::Value;
        }
        if self.closure_braces.contains(&at) {
            return Brace::Closure;
        }
        let before = (at > first).then(|| self.unit.tokens[at - 1].kind);
        match self.language() {
            Language::C | Language::Cpp => match before {
                Some(Kind::Punct(b'(')) => Brace::Statements,
                _ => Brace::Value,
            },
            Language::Java => match before {
                Some(Kind::Arrow) => Brace::Closure,
                _ => Brace::Value,
            },
            Language::JavaScript => match before {
                Some(Kind::FatArrow | Kind::Punct(b')')) => Brace::Closure,
                _ => Brace::Value,
            },
            Language::Go if may_stop && !self.is_go_literal(at) => Brace::Stop,
            Language::Rust => self.rust_brace(at, before, may_stop),
            Language::Go | Language::Python => Brace::Value,
        }
    }

    fn rust_brace(&self, at: usize, before: Option<Kind>, may_stop: bool) -> Brace {
        match before {
            _ if may_stop && !matches!(before, Some(Kind::Punct(b'=' | b'('))) => Brace::Stop,
            None => Brace::Statements,
            Some(Kind::Punct(b'>' | b'!')) => Brace::Value,
            Some(Kind::Word) => match self.unit.word(at - 1) {
                "else" | "return" | "break" | "in" | "unsafe" | "const" | "async" | "move" => {
                    Brace::Statements
                }
                _ => Brace::Value,
            },
            _ => Brace::Statements,
        }
    }

    /// Whether a brace in the head of a Go statement opens a value such as `[]int{1}`.
    fn is_go_literal(&self, at: usize) -> bool {
        let mut back = at;
        while back > 0 {
            back -= 1;
            match self.unit.tokens[back].kind {
                Kind::Word
                    if back + 1 == at && matches!(self.unit.word(back), "struct" | "interface") =>
                {
                    return true;
                }
                Kind::Word | Kind::Punct(b'.' | b'*') => {}
                Kind::Punct(b']') if back + 1 < at => {
                    let open = self.unit.brackets.partner(back).unwrap_or(back);
                    let before =
                        open.checked_sub(1).map(|b| (self.unit.tokens[b].kind, self.unit.word(b)));
                    return match before {
                        Some((Kind::Word, "map" | "range" | "return")) => true,
                        Some((Kind::Word | Kind::Punct(b')' | b']'), _)) => false,
                        _ => true,
                    };
                }
                Kind::Punct(b'}') if back + 1 == at => {
                    // `struct{}{}`
                    let open = self.unit.brackets.partner(back).unwrap_or(back);
                    return matches!(self.unit.word(open.wrapping_sub(1)), "struct" | "interface");
                }
                _ => return false,
            }
        }
        false
    }

    /// Finds the body of an anonymous function that begins at a word or with brackets.
    fn find_lambda(&mut self, at: usize, first: usize) {
        if self.language() != Language::Cpp || !self.unit.is(at, b'[') || self.unit.is(at + 1, b'[')
        {
            return;
        }
        let begins = at == first
            || match self.unit.tokens[at - 1].kind {
                Kind::Word => matches!(self.unit.word(at - 1), "return" | "co_return" | "co_yield"),
                Kind::Punct(punct) => !matches!(punct, b')' | b']' | b'['),
                Kind::Number | Kind::Text => false,
                _ => true,
            };
        let Some(close) = self.partner(at).filter(|_| begins) else { return };
        let mut next = close + 1;
        for _ in 0..40 {
            match self.unit.kind(next) {
                Some(Kind::Punct(b'{')) => {
                    self.closure_braces.push(next);
                    return;
                }
                Some(Kind::Punct(b'(' | b'[')) => {
                    next = self.unit.brackets.partner(next).unwrap_or(next);
                }
                Some(
                    Kind::Word
                    | Kind::Arrow
                    | Kind::Path
                    | Kind::Punct(b'<' | b'>' | b'*' | b'&' | b','),
                ) => {}
                _ => return,
            }
            next += 1;
        }
    }

    /// Records calls, macros that jump, and anonymous functions.
    fn word_in_expression(
        &mut self,
        at: usize,
        first: usize,
        skippable: bool,
        found: &mut Skimmed,
    ) {
        let word = self.unit.word(at);
        if self.unit.macros.get(word).is_some_and(super::macros::Macro::jumps) {
            found.macros.push(at);
        }
        if word == "function" && self.language() == Language::JavaScript
            || word == "func" && self.language() == Language::Go
        {
            return self.find_function_body(at);
        }
        if self.unit.language.is_keyword(word) {
            return;
        }
        if self.language() == Language::Rust
            && self.unit.is(at + 1, b'!')
            && matches!(self.unit.kind(at + 2), Some(Kind::Punct(b'(' | b'[' | b'{')))
        {
            found.calls.push(Call { name: at, receiver: Receiver::Macro, skippable });
        } else if self.is_called(at) {
            found.calls.push(Call { name: at, receiver: self.receiver(at, first), skippable });
        }
    }

    fn is_called(&self, at: usize) -> bool {
        if self.unit.is(at + 1, b'(') {
            return at + 1 < self.end;
        }
        // `name::<Type>(…)`
        if self.unit.kind(at + 1) != Some(Kind::Path) || !self.unit.is(at + 2, b'<') {
            return false;
        }
        let mut depth = 0;
        for next in at + 2..(at + 40).min(self.end) {
            match self.unit.tokens[next].kind {
                Kind::Punct(b'<') => depth += 1,
                Kind::Punct(b'>') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self.unit.is(next + 1, b'(');
            }
        }
        false
    }

    /// The receiver before the name of a call.
    fn receiver(&self, at: usize, first: usize) -> Receiver {
        if at == first || at < 1 {
            return Receiver::None;
        }
        let is_path = match self.unit.tokens[at - 1].kind {
            Kind::Path => true,
            Kind::Punct(b'.') => false,
            Kind::Arrow if self.language().has_preprocessor() => false,
            Kind::Operator if self.unit.token_text(at - 1) == "?." => false,
            _ => return Receiver::None,
        };
        match at.checked_sub(2).map(|token| (token, self.unit.word(token))) {
            Some((_, "self" | "this" | "super" | "Self" | "cls")) => Receiver::Own,
            Some((token, word)) if !word.is_empty() => Receiver::Named { token, is_path },
            _ => Receiver::Expression,
        }
    }

    /// The body after `function (…)` or `func (…) …`.
    fn find_function_body(&mut self, at: usize) {
        let mut next = at + 1;
        let mut seen_parameters = false;
        while next < self.end && next < at + 200 {
            match self.unit.tokens[next].kind {
                Kind::Punct(b'(' | b'[') => {
                    seen_parameters = true;
                    next = self.unit.brackets.partner(next).unwrap_or(next);
                }
                Kind::Punct(b'{') => {
                    let before = self.unit.token_text(next - 1);
                    let is_type =
                        matches!(before, "struct" | "interface" | ":" | "|" | "&" | "<" | ",");
                    if seen_parameters && !is_type {
                        self.closure_braces.push(next);
                        return;
                    }
                    next = self.unit.brackets.partner(next).unwrap_or(next);
                }
                Kind::Punct(b';' | b')' | b'}') => return,
                _ => {}
            }
            next += 1;
        }
    }

    /// Whether the bars of a Rust closure begin at a token.
    fn opens_closure(&self, at: usize, first: usize) -> bool {
        if self.language() != Language::Rust
            || !matches!(self.unit.tokens[at].kind, Kind::Punct(b'|') | Kind::Or)
        {
            return false;
        }
        at == first
            || match self.unit.tokens[at - 1].kind {
                Kind::Word => matches!(
                    self.unit.word(at - 1),
                    "move" | "return" | "async" | "static" | "else" | "in" | "break"
                ),
                Kind::Punct(punct) => {
                    matches!(punct, b'(' | b',' | b'=' | b'{' | b'[' | b'&' | b':' | b';')
                }
                Kind::FatArrow => true,
                _ => false,
            }
    }

    /// The body after the bars of a closure, if it has braces. Moves the current token to the last
    /// bar.
    fn find_closure(&mut self, at: usize) {
        let mut next = at;
        if self.unit.is(at, b'|') {
            next += 1;
            while next < self.end && !self.unit.is(next, b'|') {
                next = self.unit.brackets.partner(next).filter(|&p| p > next).unwrap_or(next) + 1;
            }
        }
        self.at = next.min(self.end.saturating_sub(1)).max(at);
        next += 1;
        if self.unit.kind(next) == Some(Kind::Arrow) {
            while next < self.end && !self.unit.is(next, b'{') && next < at + 60 {
                next += 1;
            }
        }
        if self.unit.is(next, b'{') {
            self.closure_braces.push(next);
        }
    }

    /// Whether a Rust label precedes a loop or a block.
    fn labels_block(&self, at: usize) -> bool {
        let next = at + 2;
        self.language() == Language::Rust
            && self.unit.is(at + 1, b':')
            && next < self.end
            && self.depth < MAX_DEPTH
            && (self.unit.is(next, b'{')
                || matches!(self.unit.word(next), "loop" | "while" | "for"))
    }

    /// Statements that begin with a word inside an expression.
    fn inline(&mut self, nodes: &mut Vec<Node>, found: &mut Skimmed, begin: usize) -> bool {
        let at = self.at;
        if self.depth >= MAX_DEPTH {
            self.problem(Problem::Depth);
            return false;
        }
        self.depth += 1;
        let found = match (self.language(), self.word()) {
            (Language::Java, "switch") if self.unit.is(at + 1, b'(') => {
                found.ranges.push(begin..at);
                self.java_switch_value(nodes);
                true
            }
            (Language::Rust, _) if self.rust_opens_block(at) => {
                found.ranges.push(begin..at);
                self.rust_block_like(nodes, None);
                true
            }
            _ => false,
        };
        self.depth -= 1;
        found
    }

    fn java_switch_value(&mut self, nodes: &mut Vec<Node>) {
        let start = self.at;
        let close = self.partner(start + 1).unwrap_or(start + 1);
        let head = self.skim_range(nodes, PieceKind::Switch, start + 1, close + 1);
        self.tree.pieces[head].ranges.insert(0, start..start + 1);
        self.at = close + 1;
        if self.is(b'{') {
            self.arrow_switch(nodes, head);
        } else {
            let line = self.unit.line(start);
            self.problem(Problem::Word { word: "switch".to_owned(), line });
        }
    }
}
