//! Functions and statements of Python.
//!
//! A file is a function of its own, `<module>`. The body of a class belongs to the code around it.
//! Any statement in a `try` may raise; exceptions that the function does not catch, `yield`,
//! comprehensions and `lambda` are ignored.

use std::ops::Range;

use super::language::Language;
use super::statements::MAX_DEPTH;
use super::syntax::{
    Body, Call, Element, Function, Jump, Loop, Node, Piece, PieceId, PieceKind, Problem, Receiver,
    Test, Tree,
};
use super::token::Kind;
use super::unit::Unit;

pub(super) fn find_functions(unit: &mut Unit<'_>) {
    let mut found = Vec::new();
    let mut classes: Vec<(Range<usize>, String)> = Vec::new();
    for at in 0..unit.tokens.len() {
        let begins = at == 0
            || matches!(unit.tokens[at - 1].kind, Kind::Newline | Kind::Indent | Kind::Dedent)
            || unit.word(at - 1) == "async";
        match unit.word(at) {
            "def" | "class" if begins && !unit.word(at + 1).is_empty() => {
                let Some(colon) = head_end(unit, at) else { continue };
                let suite = suite(unit, colon);
                let name = unit.word(at + 1).to_owned();
                let start = at - usize::from(at > 0 && unit.word(at - 1) == "async");
                if unit.word(at) == "def" {
                    found.push((start, colon, suite.clone(), name.clone()));
                }
                classes.push((suite, name));
            }
            _ => {}
        }
    }
    for (start, colon, suite, name) in found {
        let around = classes.iter().filter(|(range, _)| range.start <= start && start < range.end);
        let mut names: Vec<&str> = around.rev().take(6).map(|(_, name)| name.as_str()).collect();
        names.reverse();
        let container = names.join("::");
        let last = last_token(unit, &suite);
        unit.add_function(Function {
            name,
            container,
            head: start..colon,
            hole: start..suite.end,
            first_line: unit.line(start),
            last_line: unit.line(last),
            body: suite,
            local: false,
            problem: None,
        });
    }
    unit.add_module();
    unit.settle();
}

fn last_token(unit: &Unit<'_>, range: &Range<usize>) -> usize {
    let written =
        |at: &usize| !matches!(unit.tokens[*at].kind, Kind::Newline | Kind::Indent | Kind::Dedent);
    range.clone().rev().find(written).unwrap_or(range.start)
}

/// The colon that ends the head of a compound statement.
fn head_end(unit: &Unit<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    let mut lambdas = 0;
    while at < unit.tokens.len() {
        match unit.tokens[at].kind {
            Kind::Punct(b'(' | b'[' | b'{') => at = unit.brackets.partner(at)?,
            Kind::Word if unit.word(at) == "lambda" => lambdas += 1,
            Kind::Punct(b':') if lambdas > 0 => lambdas -= 1,
            Kind::Punct(b':') => return Some(at),
            Kind::Newline => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The statements after a colon: an indented block, or the rest of the line.
fn suite(unit: &Unit<'_>, colon: usize) -> Range<usize> {
    let start = colon + 1;
    let indented =
        unit.kind(start) == Some(Kind::Newline) && unit.kind(start + 1) == Some(Kind::Indent);
    if !indented {
        let end = (start..unit.tokens.len()).find(|&at| unit.tokens[at].kind == Kind::Newline);
        return start..end.map_or(unit.tokens.len(), |end| end + 1);
    }
    let mut depth = 0;
    for at in start + 1..unit.tokens.len() {
        match unit.tokens[at].kind {
            Kind::Indent => depth += 1,
            Kind::Dedent => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return start..at + 1;
        }
    }
    start..unit.tokens.len()
}

pub(super) fn parse(unit: &Unit<'_>, function: &Function) -> Tree {
    let mut parser = Parser { unit, at: function.body.start, tree: Tree::default(), depth: 0 };
    if unit.brackets.has_stray(&function.body) {
        let line = function.first_line;
        parser.tree.problem = Some(Problem::Bracket { line });
    }
    let head = parser.add(PieceKind::Function, function.head.clone());
    let mut nodes = vec![Node::Simple(head)];
    parser.list(function.body.end, &mut nodes);
    let end = parser.end_of(head);
    parser.tree.body = Body { nodes, end };
    parser.tree
}

struct Parser<'u, 't> {
    unit: &'u Unit<'t>,
    at: usize,
    tree: Tree,
    depth: usize,
}

impl Parser<'_, '_> {
    fn add(&mut self, kind: PieceKind, range: Range<usize>) -> PieceId {
        let id = self.tree.pieces.len();
        let calls = match kind {
            PieceKind::Function => Vec::new(),
            _ => self.calls(&range),
        };
        let position = self.tree.sequence.len();
        let ranges = if range.is_empty() { Vec::new() } else { vec![range] };
        self.tree.pieces.push(Piece { kind, ranges, calls, macros: Vec::new(), position });
        self.tree.sequence.push(Element::Piece(id));
        id
    }

    fn end_of(&mut self, piece: PieceId) -> usize {
        self.tree.sequence.push(Element::End(piece));
        self.tree.sequence.len() - 1
    }

    fn calls(&self, range: &Range<usize>) -> Vec<Call> {
        let mut calls = Vec::new();
        let mut skippable = false;
        for at in range.clone() {
            let word = self.unit.word(at);
            if matches!(word, "and" | "or" | "if" | "lambda" | "for") && at > range.start {
                skippable = true;
            }
            let called = !word.is_empty() && self.unit.is(at + 1, b'(') && at + 1 < range.end;
            if called && !Language::Python.is_keyword(word) {
                let member = at > range.start && self.unit.is(at - 1, b'.');
                let receiver = match at.checked_sub(2).map(|token| (token, self.unit.word(token))) {
                    _ if !member => Receiver::None,
                    Some((_, "self" | "cls")) => Receiver::Own,
                    Some((token, word)) if !word.is_empty() => {
                        Receiver::Named { token, is_path: false }
                    }
                    _ => Receiver::Expression,
                };
                calls.push(Call { name: at, receiver, skippable });
            }
        }
        calls
    }

    fn list(&mut self, end: usize, nodes: &mut Vec<Node>) {
        while self.at < end {
            let before = self.at;
            self.statement(end, nodes);
            self.at = self.at.max(before + 1).min(end.max(before + 1));
        }
        self.at = self.at.max(end);
    }

    /// The statements after the colon at the current token.
    fn suite(&mut self, piece: PieceId) -> Body {
        let range = suite(self.unit, self.at);
        let mut nodes = Vec::new();
        self.at = range.start;
        if self.depth >= MAX_DEPTH {
            self.tree.problem.get_or_insert(Problem::Depth);
            self.at = range.end;
        } else {
            self.depth += 1;
            self.list(range.end, &mut nodes);
            self.depth -= 1;
        }
        Body { nodes, end: self.end_of(piece) }
    }

    /// A head up to its colon, then its statements.
    fn compound(&mut self, kind: PieceKind) -> Option<(PieceId, Body)> {
        let Some(colon) = head_end(self.unit, self.at) else {
            let (word, line) = (self.unit.token_text(self.at).to_owned(), self.unit.line(self.at));
            self.tree.problem.get_or_insert(Problem::Word { word, line });
            self.at += 1;
            return None;
        };
        let piece = self.add(kind, self.at..colon);
        self.at = colon;
        let body = self.suite(piece);
        Some((piece, body))
    }

    fn word(&self, end: usize) -> &str {
        if self.at < end { self.unit.word(self.at) } else { "" }
    }

    fn statement(&mut self, end: usize, nodes: &mut Vec<Node>) {
        if let Some(hole) = self.unit.hole_at(self.at) {
            self.at = hole.min(end);
            return;
        }
        match self.unit.tokens[self.at].kind {
            Kind::Newline | Kind::Indent | Kind::Dedent | Kind::Punct(b';') => {
                self.at += 1;
                return;
            }
            _ => {}
        }
        if self.word(end) == "async" {
            self.at += 1;
        }
        match self.word(end) {
            "if" => self.if_chain(end, nodes),
            "while" | "for" => self.repeat(end, nodes),
            "try" => self.try_statement(end, nodes),
            "with" | "class" if head_end(self.unit, self.at).is_some() => {
                if let Some((piece, body)) = self.compound(PieceKind::Simple) {
                    nodes.push(Node::Simple(piece));
                    nodes.push(Node::Block(body));
                }
            }
            "match" if self.opens_match() => self.match_statement(nodes),
            "elif" | "else" | "except" | "finally" => {
                let (word, line) = (self.word(end).to_owned(), self.unit.line(self.at));
                self.tree.problem.get_or_insert(Problem::Word { word, line });
                self.at += 1;
            }
            "return" => self.simple(end, nodes, Some(Jump::Return)),
            "raise" => self.simple(end, nodes, Some(Jump::Throw)),
            "break" => self.simple(end, nodes, Some(Jump::Break(None))),
            "continue" => self.simple(end, nodes, Some(Jump::Continue(None))),
            _ => self.simple(end, nodes, None),
        }
    }

    fn simple(&mut self, end: usize, nodes: &mut Vec<Node>, jump: Option<Jump>) {
        let start = self.at;
        while self.at < end {
            match self.unit.tokens[self.at].kind {
                Kind::Newline | Kind::Punct(b';') | Kind::Dedent => break,
                Kind::Punct(b'(' | b'[' | b'{') => {
                    self.at = self.unit.brackets.partner(self.at).unwrap_or(self.at);
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(end);
        // A lone string is documentation.
        let documents = self.at == start + 1 && self.unit.kind(start) == Some(Kind::Text);
        if self.at == start || documents {
            return;
        }
        let kind = if jump.is_some() { PieceKind::Jump } else { PieceKind::Simple };
        let piece = self.add(kind, start..self.at);
        let jump = jump.or_else(|| self.ends_program(piece).then_some(Jump::Exit));
        nodes.push(match jump {
            Some(jump) => Node::Jump(piece, jump),
            None => Node::Simple(piece),
        });
    }

    fn ends_program(&self, piece: PieceId) -> bool {
        self.tree.pieces[piece].calls.iter().any(|call| {
            let qualifier = match call.receiver {
                Receiver::None => None,
                Receiver::Named { token, .. } => Some(self.unit.word(token)),
                _ => Some(""),
            };
            !call.skippable && Language::Python.ends_program(self.unit.word(call.name), qualifier)
        })
    }

    fn if_chain(&mut self, end: usize, nodes: &mut Vec<Node>) {
        let mut arms = Vec::new();
        arms.extend(self.compound(PieceKind::Condition));
        while self.word(end) == "elif" && !arms.is_empty() {
            match self.compound(PieceKind::Condition) {
                Some(arm) => arms.push(arm),
                None => break,
            }
        }
        if let Some(first) = arms.first().map(|arm| arm.0) {
            let otherwise = self.clause(end, "else", first);
            nodes.push(Node::If { arms, otherwise });
        }
    }

    /// `else:` or `finally:`, if it follows.
    fn clause(&mut self, end: usize, word: &str, piece: PieceId) -> Option<Body> {
        if self.word(end) != word || !self.unit.is(self.at + 1, b':') {
            return None;
        }
        self.at += 1;
        Some(self.suite(piece))
    }

    fn repeat(&mut self, end: usize, nodes: &mut Vec<Node>) {
        let is_while = self.word(end) == "while";
        let Some((piece, body)) = self.compound(PieceKind::Loop) else { return };
        let otherwise = self.clause(end, "else", piece);
        let range = self.tree.pieces[piece].ranges.first().cloned().unwrap_or_default();
        let always =
            range.len() == 2 && matches!(self.unit.token_text(range.start + 1), "True" | "1");
        let test = if is_while && always { Test::Endless } else { Test::Before };
        let (label, init, step) = (None, None, None);
        let condition = Some(piece);
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    fn try_statement(&mut self, end: usize, nodes: &mut Vec<Node>) {
        let Some((piece, body)) = self.compound(PieceKind::Try) else { return };
        let mut handlers = Vec::new();
        while self.word(end) == "except" {
            match self.compound(PieceKind::Handler) {
                Some(handler) => handlers.push(handler),
                None => break,
            }
        }
        let otherwise = self.clause(end, "else", piece);
        let finally = self.clause(end, "finally", piece);
        nodes.push(Node::Try { piece, body, handlers, otherwise, finally });
    }

    /// `match` is a keyword only if a block of `case` follows.
    fn opens_match(&self) -> bool {
        head_end(self.unit, self.at).is_some_and(|colon| {
            self.unit.kind(colon + 1) == Some(Kind::Newline)
                && self.unit.kind(colon + 2) == Some(Kind::Indent)
                && self.unit.word(colon + 3) == "case"
        })
    }

    fn match_statement(&mut self, nodes: &mut Vec<Node>) {
        let Some(colon) = head_end(self.unit, self.at) else { return };
        let head = self.add(PieceKind::Switch, self.at..colon);
        let range = suite(self.unit, colon);
        self.at = range.start + 2;
        let mut arms = Vec::new();
        let mut exhaustive = false;
        while self.word(range.end) == "case" {
            exhaustive |=
                self.unit.token_text(self.at + 1) == "_" && self.unit.is(self.at + 2, b':');
            match self.compound(PieceKind::Case) {
                Some(arm) => arms.push(arm),
                None => break,
            }
        }
        self.at = range.end;
        nodes.push(Node::Match { head, arms, exhaustive });
    }
}
