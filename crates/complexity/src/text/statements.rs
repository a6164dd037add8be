//! Statements of the languages with braces: tokens of a function body → tree.
//!
//! Knows statement structure only; skims expressions (see `expressions`) and ignores types and
//! names. A C macro that the file does not define is judged by its name: `NAME(…) {` is a loop if
//! the name says so and a conditional block otherwise. Text that does not parse is a problem of the
//! function, never a failure.

use super::language::Language;
use super::macros::Role;
use super::syntax::{
    Body, Element, Function, Jump, Loop, Node, Piece, PieceId, PieceKind, Problem, Switch, Test,
    Tree,
};
use super::token::Kind;
use super::unit::Unit;

/// Nesting limit of statements. Far beyond real code, and safe for the stack.
pub(super) const MAX_DEPTH: usize = 150;

pub(super) struct Parser<'u, 't> {
    pub(super) unit: &'u Unit<'t>,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) tree: Tree,
    pub(super) depth: usize,
    /// The number of `switch` around the current statement.
    switches: usize,
    /// Braces found to open the body of a closure.
    pub(super) closure_braces: Vec<usize>,
}

impl<'u, 't> Parser<'u, 't> {
    pub(super) fn new(unit: &'u Unit<'t>, function: &Function) -> Parser<'u, 't> {
        Parser {
            unit,
            at: function.body.start,
            end: function.body.end,
            tree: Tree::default(),
            depth: 0,
            switches: 0,
            closure_braces: Vec::new(),
        }
    }

    pub(super) fn run(mut self, function: &Function) -> Tree {
        self.tree.problem.clone_from(&function.problem);
        let range = function.body.clone();
        if self.unit.brackets.has_stray(&range) {
            let strays = &self.unit.brackets.strays;
            let at = strays.partition_point(|&i| (i as usize) < range.start);
            let line = self.unit.line(strays.get(at).map_or(range.start, |&i| i as usize));
            self.problem(Problem::Bracket { line });
        }
        let head = self.add(PieceKind::Function, function.head.clone());
        let nodes = self.list(self.end);
        let end = self.end_of(head);
        self.tree.body.nodes = vec![Node::Simple(head)];
        self.tree.body.nodes.extend(nodes);
        self.tree.body.end = end;
        self.tree
    }

    pub(super) fn language(&self) -> Language {
        self.unit.language
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.tree.problem.get_or_insert(problem);
    }

    pub(super) fn unexpected(&mut self) {
        let (word, line) = (self.unit.token_text(self.at).to_owned(), self.unit.line(self.at));
        self.problem(Problem::Word { word, line });
    }

    /// Adds a piece to the tree and to the sequence.
    pub(super) fn add(&mut self, kind: PieceKind, range: std::ops::Range<usize>) -> PieceId {
        let ranges = std::iter::once(range).filter(|range| !range.is_empty()).collect();
        let id = self.tree.pieces.len();
        let position = self.tree.sequence.len();
        let (calls, macros) = (Vec::new(), Vec::new());
        self.tree.pieces.push(Piece { kind, ranges, calls, macros, position });
        self.tree.sequence.push(Element::Piece(id));
        id
    }

    pub(super) fn end_of(&mut self, piece: PieceId) -> usize {
        self.tree.sequence.push(Element::End(piece));
        self.tree.sequence.len() - 1
    }

    pub(super) fn word(&self) -> &'t str {
        self.unit.word(self.at)
    }

    pub(super) fn is(&self, punct: u8) -> bool {
        self.at < self.end && self.unit.is(self.at, punct)
    }

    /// The partner of the bracket at a token, if it lies before the end.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.unit.brackets.partner(at).filter(|&partner| partner > at && partner < self.end)
    }

    /// Statements up to a token.
    pub(super) fn list(&mut self, end: usize) -> Vec<Node> {
        let limit = end.min(self.end);
        let outer = std::mem::replace(&mut self.end, limit);
        let mut nodes = Vec::new();
        while self.at < self.end {
            let before = self.at;
            self.statement(&mut nodes);
            if self.at <= before {
                self.at = before + 1;
            }
        }
        self.end = outer;
        nodes
    }

    /// One statement, as a body that ends there. `piece` is what it belongs to.
    pub(super) fn body(&mut self, piece: PieceId) -> Body {
        let mut nodes = Vec::new();
        while self.at < self.end {
            if self.is(b'{') && self.unit.hole_at(self.at).is_none() {
                let inside = self.braces();
                nodes.extend(inside);
                break;
            }
            self.statement(&mut nodes);
            // A label or a preprocessor line precedes a statement.
            let before = match nodes.last() {
                Some(Node::Label(..) | Node::Case { .. }) => true,
                Some(Node::Simple(piece)) => self.tree.pieces[*piece].kind == PieceKind::Directive,
                _ => false,
            };
            if !before || self.is(b'}') {
                break;
            }
        }
        Body { nodes, end: self.end_of(piece) }
    }

    /// The statements between braces, which begin at the current token.
    pub(super) fn braces(&mut self) -> Vec<Node> {
        let Some(close) = self.partner(self.at) else {
            self.problem(Problem::Bracket { line: self.unit.line(self.at) });
            self.at += 1;
            return Vec::new();
        };
        self.at += 1;
        if self.depth >= MAX_DEPTH {
            self.problem(Problem::Depth);
            self.at = close + 1;
            return Vec::new();
        }
        self.depth += 1;
        let nodes = self.list(close);
        self.depth -= 1;
        self.at = close + 1;
        nodes
    }

    pub(super) fn statement(&mut self, nodes: &mut Vec<Node>) {
        if let Some(end) = self.unit.hole_at(self.at) {
            self.at = end.min(self.end);
            return;
        }
        if self.depth >= MAX_DEPTH {
            self.problem(Problem::Depth);
            self.at = self.end;
            return;
        }
        self.depth += 1;
        match self.unit.tokens[self.at].kind {
            Kind::Punct(b';') => self.at += 1,
            Kind::Punct(b'{') => {
                let nodes_inside = self.braces();
                nodes.extend(nodes_inside);
            }
            Kind::Punct(b'}' | b')' | b']') => {
                self.problem(Problem::Bracket { line: self.unit.line(self.at) });
                self.at += 1;
            }
            Kind::Directive => self.directive(nodes),
            Kind::GroupStart => self.alternatives(nodes),
            // Belongs to a group that began inside a statement.
            Kind::GroupAlternative | Kind::GroupEnd => self.at += 1,
            Kind::Text if self.language() == Language::Rust => self.rust_label(nodes),
            Kind::Punct(b'#') if self.language() == Language::Rust => self.rust_attribute(),
            Kind::Word if self.language() == Language::Rust => self.rust_statement(nodes),
            Kind::Word => self.word_statement(nodes),
            _ => self.simple(nodes),
        }
        self.depth -= 1;
    }

    fn directive(&mut self, nodes: &mut Vec<Node>) {
        let piece = self.add(PieceKind::Directive, self.at..self.at + 1);
        nodes.push(Node::Simple(piece));
        self.at += 1;
    }

    /// Parts of which the preprocessor selects one.
    fn alternatives(&mut self, nodes: &mut Vec<Node>) {
        let mut parts = Vec::new();
        let mut is_exhaustive = false;
        while self.at < self.end && self.unit.kind(self.at) != Some(Kind::GroupEnd) {
            let text = self.unit.token_text(self.at);
            is_exhaustive |= text.trim_start_matches('#').trim_start().starts_with("else");
            let piece = self.add(PieceKind::Directive, self.at..self.at + 1);
            self.at += 1;
            let end = self.end_of_part();
            let mut inside = vec![Node::Simple(piece)];
            inside.extend(self.list(end));
            self.at = end;
            parts.push(Body { nodes: inside, end: self.end_of(piece) });
        }
        self.at += 1;
        nodes.push(Node::Alternatives { parts, is_exhaustive });
    }

    /// The next mark of the same group.
    fn end_of_part(&self) -> usize {
        let mut depth = 0;
        for at in self.at..self.end {
            match self.unit.tokens[at].kind {
                Kind::GroupStart => depth += 1,
                Kind::GroupEnd if depth > 0 => depth -= 1,
                Kind::GroupEnd => return at,
                Kind::GroupAlternative if depth == 0 => return at,
                _ => {}
            }
        }
        self.end
    }

    fn word_statement(&mut self, nodes: &mut Vec<Node>) {
        let language = self.language();
        let next_is_colon = self.unit.is(self.at + 1, b':') && self.at + 1 < self.end;
        match self.word() {
            "if" => self.if_chain(nodes, None),
            "while" => self.while_loop(nodes, None),
            "for" => self.for_loop(nodes, None),
            "do" if language != Language::Go => self.do_loop(nodes, None),
            "switch" | "select" if self.opens_switch() => self.switch(nodes, None),
            "return" | "co_return" => self.jump(nodes, Jump::Return),
            "throw" if language != Language::C && language != Language::Go => {
                self.jump(nodes, Jump::Throw);
            }
            "break" => self.labelled_jump(nodes, Jump::Break),
            "continue" => self.labelled_jump(nodes, Jump::Continue),
            "goto" if matches!(language, Language::C | Language::Cpp | Language::Go) => {
                self.goto(nodes);
            }
            "fallthrough" if language == Language::Go => self.jump(nodes, Jump::FallThrough),
            "case" => self.case(nodes),
            "default" if self.default_label() => self.case(nodes),
            "try" if self.opens_try() => self.try_statement(nodes),
            "else" | "catch" | "finally" if language != Language::C || self.word() == "else" => {
                self.unexpected();
                self.at += 1;
            }
            "synchronized" if language == Language::Java && self.unit.is(self.at + 1, b'(') => {
                self.guarded_block(nodes);
            }
            "class" | "interface" | "enum" | "namespace" | "record"
                if matches!(language, Language::JavaScript | Language::Java) =>
            {
                self.class(nodes);
            }
            _ if next_is_colon && self.is_label() && !self.is_case_macro() => self.label(nodes),
            _ if language.has_preprocessor() => self.c_words(nodes),
            _ => self.simple(nodes),
        }
    }

    fn opens_switch(&self) -> bool {
        self.language() == Language::Go
            || self.word() == "switch" && self.unit.is(self.at + 1, b'(')
    }

    fn opens_try(&self) -> bool {
        self.unit.is(self.at + 1, b'{')
            || self.language() == Language::Java && self.unit.is(self.at + 1, b'(')
    }

    fn default_label(&self) -> bool {
        self.unit.is(self.at + 1, b':') || self.unit.kind(self.at + 1) == Some(Kind::Arrow)
    }

    fn is_label(&self) -> bool {
        // `a ? b : c` never begins here, and TypeScript has no types at this place.
        !matches!(self.word(), "public" | "private" | "protected" | "signals" | "slots")
    }

    fn is_case_macro(&self) -> bool {
        let role = self.unit.macros.get(self.word()).map(|found| found.role);
        matches!(role, Some(Role::Case | Role::Default))
    }

    /// A word that names a macro of C, or begins an expression or a declaration.
    fn c_words(&mut self, nodes: &mut Vec<Node>) {
        let role = self.unit.macros.get(self.word()).map(|found| found.role);
        let parenthesis = self.unit.is(self.at + 1, b'(').then(|| self.partner(self.at + 1));
        let behind = parenthesis.flatten().map_or(self.at + 1, |close| close + 1);
        let block = behind < self.end && self.unit.is(behind, b'{');
        match role {
            Some(Role::If) => return self.macro_if(nodes, behind),
            Some(Role::Loop) => return self.macro_loop(nodes, behind, Test::Before),
            Some(Role::Switch) => return self.macro_switch(nodes, behind),
            Some(Role::Case | Role::Default) => return self.macro_case(nodes, behind),
            Some(Role::Return) => return self.jump(nodes, Jump::Return),
            Some(Role::Break) => return self.jump(nodes, Jump::Break(None)),
            Some(Role::Continue) => return self.jump(nodes, Jump::Continue(None)),
            Some(Role::Plain) | None => {}
        }
        // `CASE(x):`
        if self.switches > 0 && parenthesis.is_some() && self.unit.is(behind, b':') {
            return self.macro_case(nodes, behind);
        }
        if !block || matches!(self.word(), "struct" | "union" | "enum" | "class") {
            return self.simple(nodes);
        }
        let name = self.word().to_ascii_lowercase();
        let is_loop = ["each", "for", "loop", "while"].iter().any(|part| name.contains(part));
        match parenthesis {
            Some(_) if is_loop => self.macro_loop(nodes, behind, Test::Before),
            Some(_) => self.macro_if(nodes, behind),
            None if name == "forever" => self.macro_loop(nodes, behind, Test::Endless),
            None => self.named_block(nodes, behind),
        }
    }

    fn macro_if(&mut self, nodes: &mut Vec<Node>, behind: usize) {
        let piece = self.add(PieceKind::Condition, self.at..behind);
        self.at = behind;
        self.if_rest(nodes, piece);
    }

    fn macro_loop(&mut self, nodes: &mut Vec<Node>, behind: usize, test: Test) {
        let piece = self.add(PieceKind::Loop, self.at..behind);
        self.at = behind;
        let body = self.body(piece);
        let condition = Some(piece);
        let (label, init, step, otherwise) = (None, None, None, None);
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    fn macro_switch(&mut self, nodes: &mut Vec<Node>, behind: usize) {
        let head = self.add(PieceKind::Switch, self.at..behind);
        self.at = behind;
        self.switch_rest(nodes, head, None);
    }

    fn macro_case(&mut self, nodes: &mut Vec<Node>, behind: usize) {
        let is_default = self.unit.macros.get(self.word()).is_some_and(|m| m.role == Role::Default);
        let end = behind + usize::from(behind < self.end && self.unit.is(behind, b':'));
        let piece = self.add(PieceKind::Case, self.at..end);
        self.at = end;
        nodes.push(Node::Case { piece, is_default });
    }

    /// `NAME {`: a block with a marker before it. In C++ it may also be a value.
    fn named_block(&mut self, nodes: &mut Vec<Node>, behind: usize) {
        let close = self.partner(behind);
        let is_value = close.is_some_and(|close| {
            let next = self.unit.kind(close + 1);
            matches!(next, Some(Kind::Punct(b';' | b'.' | b'(' | b',')))
        });
        if is_value || close.is_none() {
            return self.simple(nodes);
        }
        let piece = self.add(PieceKind::Simple, self.at..behind);
        self.at = behind;
        nodes.push(Node::Simple(piece));
        let inside = self.braces();
        let end = self.end_of(piece);
        nodes.push(Node::Block(Body { nodes: inside, end }));
    }

    /// `if`, its conditions and bodies up to the last `else`.
    pub(super) fn if_chain(&mut self, nodes: &mut Vec<Node>, _label: Option<String>) {
        let piece = self.condition(nodes, PieceKind::Condition);
        self.if_rest(nodes, piece);
    }

    fn if_rest(&mut self, nodes: &mut Vec<Node>, first: PieceId) {
        let mut arms = vec![(first, self.body(first))];
        let mut otherwise = None;
        while self.skip_to_else() {
            self.at += 1;
            if self.word() == "if" && self.at < self.end {
                let mut before = Vec::new();
                let piece = self.condition(&mut before, PieceKind::Condition);
                let body = self.body(piece);
                if before.is_empty() {
                    arms.push((piece, body));
                    continue;
                }
                // The condition contains statements of its own, which only this `else` executes.
                before.push(Node::If { arms: vec![(piece, body)], otherwise: None });
                let end = self.end_of(first);
                otherwise = Some(Body { nodes: before, end });
                break;
            }
            otherwise = Some(self.body(first));
            break;
        }
        nodes.push(Node::If { arms, otherwise });
    }

    /// Whether `else` follows, perhaps after a directive.
    fn skip_to_else(&mut self) -> bool {
        let mut at = self.at;
        while at < self.end && self.unit.kind(at) == Some(Kind::Directive) {
            at += 1;
        }
        let found = at < self.end && self.unit.word(at) == "else";
        if found {
            self.at = at;
        }
        found
    }

    /// The head of `if`, `while` and `switch`: the word and its condition.
    fn condition(&mut self, nodes: &mut Vec<Node>, kind: PieceKind) -> PieceId {
        let start = self.at;
        self.at += 1;
        if self.language() == Language::Go || self.language() == Language::Rust {
            return self.skim_header(nodes, kind, start);
        }
        // `if constexpr (…)`, and macros such as `if likely(…)`.
        while self.unit.kind(self.at) == Some(Kind::Word)
            && self.at < self.end
            && !self.unit.is(self.at, b'(')
        {
            self.at += 1;
        }
        match self.is(b'(').then(|| self.partner(self.at)).flatten() {
            Some(close) => {
                let piece = self.skim_range(nodes, kind, start, close + 1);
                self.at = close + 1;
                piece
            }
            None => {
                self.unexpected();
                self.add(kind, start..self.at)
            }
        }
    }

    pub(super) fn while_loop(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let condition = self.condition(nodes, PieceKind::Loop);
        let test = match self.constant(condition) {
            Some(true) => Test::Endless,
            _ => Test::Before,
        };
        let body = self.body(condition);
        let (condition, init, step, otherwise) = (Some(condition), None, None, None);
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    /// Whether a condition is a literal that always or never holds.
    pub(super) fn constant(&self, piece: PieceId) -> Option<bool> {
        let range = self.tree.pieces[piece].ranges.first()?.clone();
        let mut words = range.filter(|&at| {
            let text = self.unit.token_text(at);
            !matches!(text, "(" | ")" | "while" | "if" | "for" | "do" | ";" | "")
        });
        let value = match self.unit.token_text(words.next()?) {
            "1" | "true" | "TRUE" | "True" => true,
            "0" | "false" | "FALSE" | "False" => false,
            _ => return None,
        };
        words.next().is_none().then_some(value)
    }

    fn for_loop(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        if self.language() == Language::Go {
            return self.go_for(nodes, label);
        }
        let start = self.at;
        self.at += 1;
        if self.word() == "await" || self.word() == "each" {
            self.at += 1;
        }
        let Some(close) = self.is(b'(').then(|| self.partner(self.at)).flatten() else {
            self.unexpected();
            return;
        };
        let mut parts = self.split(self.at + 1, close);
        let three = parts.len() == 3;
        if !three {
            parts = std::iter::once(start..close + 1).collect();
        } else {
            parts[0].start = start;
            parts[2].end = close + 1;
        }
        self.three_parts(nodes, label, &parts, close + 1, [2, 0, 1]);
    }

    /// A loop by the parts of its head: all of it, or initialisation, test and step. `empty` is the
    /// number of tokens of each part if it is empty.
    fn three_parts(
        &mut self,
        nodes: &mut Vec<Node>,
        label: Option<String>,
        parts: &[std::ops::Range<usize>],
        behind: usize,
        empty: [usize; 3],
    ) {
        let [first, second, third] = parts else {
            let range = parts.first().cloned().unwrap_or(self.at..behind);
            let condition = self.skim_range(nodes, PieceKind::Loop, range.start, range.end);
            self.at = behind;
            let body = self.body(condition);
            let (condition, test) = (Some(condition), Test::Before);
            let (init, step, otherwise) = (None, None, None);
            nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
            return;
        };
        let written = |range: &std::ops::Range<usize>, empty: usize| range.len() > empty;
        // The word `for` must belong to some piece, or a change of the kind of loop would go
        // unnoticed.
        let init = self.skim_range(nodes, PieceKind::Do, first.start, first.end);
        let condition = written(second, empty[1])
            .then(|| self.skim_range(nodes, PieceKind::Loop, second.start, second.end));
        let step = written(third, empty[2])
            .then(|| self.skim_range(nodes, PieceKind::Step, third.start, third.end));
        self.at = behind;
        let body = self.body(init);
        let endless = condition.is_none_or(|piece| self.constant(piece) == Some(true));
        let test = if endless { Test::Endless } else { Test::Before };
        let (init, otherwise) = (Some(init), None);
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    /// The ranges between semicolons outside of brackets.
    fn split(&self, start: usize, end: usize) -> Vec<std::ops::Range<usize>> {
        let mut parts = Vec::new();
        let mut begin = start;
        let mut at = start;
        while at < end {
            match self.unit.tokens[at].kind {
                Kind::Punct(b'(' | b'[' | b'{') => at = self.partner(at).unwrap_or(at),
                Kind::Punct(b';') => {
                    parts.push(begin..at);
                    begin = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        parts.push(begin..end);
        parts
    }

    fn go_for(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let start = self.at;
        self.at += 1;
        let brace = self.header_end();
        let mut parts = self.split(self.at, brace);
        if brace == self.at {
            let piece = self.add(PieceKind::Do, start..self.at);
            let body = self.body(piece);
            let test = Test::Endless;
            let (init, condition, step, otherwise) = (Some(piece), None, None, None);
            nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
            return;
        }
        match parts.len() {
            3 => parts[0].start = start,
            // `for ; x ; {` has its last part swallowed by the brace.
            2 => {
                parts[0].start = start;
                parts.push(brace..brace);
            }
            _ => parts = std::iter::once(start..brace).collect(),
        }
        self.three_parts(nodes, label, &parts, brace, [1, 0, 0]);
    }

    fn do_loop(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let start = self.add(PieceKind::Do, self.at..self.at + 1);
        self.at += 1;
        let body = self.body(start);
        let mut condition = None;
        let mut test = Test::Once;
        let mut before = Vec::new();
        if self.word() == "while" && self.at < self.end {
            let piece = self.condition(&mut before, PieceKind::Loop);
            test = match self.constant(piece) {
                Some(false) => Test::Once,
                Some(true) => Test::Endless,
                None => Test::Behind,
            };
            condition = Some(piece);
            if self.is(b';') {
                self.at += 1;
            }
        } else {
            self.unexpected();
        }
        let mut body = body;
        body.nodes.extend(before);
        let (init, step, otherwise) = (Some(start), None, None);
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    fn switch(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let head = self.condition(nodes, PieceKind::Switch);
        self.switch_rest(nodes, head, label);
    }

    fn switch_rest(&mut self, nodes: &mut Vec<Node>, head: PieceId, label: Option<String>) {
        if self.language() == Language::Java && self.has_arrows() {
            return self.arrow_switch(nodes, head);
        }
        let first = self.tree.pieces[head].ranges.first();
        let is_select = first.is_some_and(|range| self.unit.word(range.start) == "select");
        self.switches += 1;
        let body = self.body(head);
        self.switches -= 1;
        let falls_through = self.language().falls_through();
        let exhaustive = is_select;
        nodes.push(Node::Switch(Switch { label, head, body, falls_through, exhaustive }));
    }

    /// Whether the first label of a Java `switch` ends in an arrow.
    fn has_arrows(&self) -> bool {
        let Some(close) = self.partner(self.at) else { return false };
        let mut at = self.at + 1;
        while at < close {
            match self.unit.tokens[at].kind {
                Kind::Arrow => return true,
                Kind::Punct(b':') => return false,
                Kind::Punct(b'(' | b'[' | b'{') => at = self.partner(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        false
    }

    pub(super) fn arrow_switch(&mut self, nodes: &mut Vec<Node>, head: PieceId) {
        let Some(close) = self.partner(self.at) else { return self.unexpected() };
        self.at += 1;
        let mut arms = Vec::new();
        let mut exhaustive = false;
        while self.at < close {
            exhaustive |= self.word() == "default";
            let start = self.at;
            while self.at < close && self.unit.kind(self.at) != Some(Kind::Arrow) {
                self.at = self.partner(self.at).unwrap_or(self.at) + 1;
            }
            self.at = (self.at + 1).min(close);
            let pattern = self.skim_range(nodes, PieceKind::Case, start, self.at);
            let outer = std::mem::replace(&mut self.end, close);
            let body = self.body(pattern);
            self.end = outer;
            arms.push((pattern, body));
            while self.at < close && self.unit.is(self.at, b';') {
                self.at += 1;
            }
        }
        self.at = close + 1;
        nodes.push(Node::Match { head, arms, exhaustive });
    }

    fn case(&mut self, nodes: &mut Vec<Node>) {
        let start = self.at;
        let is_default = self.word() == "default";
        if self.switches == 0 {
            self.unexpected();
        }
        let mut questions = 0;
        self.at += 1;
        while self.at < self.end {
            match self.unit.tokens[self.at].kind {
                Kind::Punct(b'?') => questions += 1,
                Kind::Punct(b':') if questions == 0 => break,
                Kind::Punct(b':') => questions -= 1,
                Kind::Punct(b';') => break,
                Kind::Punct(b'(' | b'[' | b'{') => {
                    self.at = self.partner(self.at).unwrap_or(self.at)
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = (self.at + 1).min(self.end);
        let piece = self.skim_range(nodes, PieceKind::Case, start, self.at);
        nodes.push(Node::Case { piece, is_default });
    }

    fn try_statement(&mut self, nodes: &mut Vec<Node>) {
        let start = self.at;
        self.at += 1;
        let resources = self.is(b'(').then(|| self.partner(self.at)).flatten();
        let behind = resources.map_or(self.at, |close| close + 1);
        let piece = self.skim_range(nodes, PieceKind::Try, start, behind);
        self.at = behind;
        let body = self.body(piece);
        let mut handlers = Vec::new();
        let mut finally = None;
        while self.at < self.end && self.word() == "catch" {
            let start = self.at;
            self.at += 1;
            if let Some(close) = self.is(b'(').then(|| self.partner(self.at)).flatten() {
                self.at = close + 1;
            }
            let handler = self.add(PieceKind::Handler, start..self.at);
            let body = self.body(handler);
            handlers.push((handler, body));
        }
        if self.at < self.end && self.word() == "finally" {
            self.at += 1;
            finally = Some(self.body(piece));
        }
        nodes.push(Node::Try { piece, body, handlers, otherwise: None, finally });
    }

    fn guarded_block(&mut self, nodes: &mut Vec<Node>) {
        let start = self.at;
        let close = self.partner(self.at + 1).unwrap_or(self.at + 1);
        let piece = self.skim_range(nodes, PieceKind::Simple, start, close + 1);
        nodes.push(Node::Simple(piece));
        self.at = close + 1;
        let body = self.body(piece);
        nodes.push(Node::Block(body));
    }

    /// A class inside a function: its methods are functions of their own, and its fields belong to
    /// one statement.
    fn class(&mut self, nodes: &mut Vec<Node>) {
        let mut at = self.at + 1;
        while at < self.end && !self.unit.is(at, b'{') && !self.unit.is(at, b';') {
            if self.unit.is(at, b'=') || self.unit.is(at, b':') || self.unit.is(at, b'.') {
                return self.simple(nodes);
            }
            at = self.partner(at).unwrap_or(at) + 1;
        }
        let end = match self.unit.is(at, b'{').then(|| self.partner(at)).flatten() {
            Some(close) => close + 1,
            None => return self.simple(nodes),
        };
        let piece = self.skim_range(nodes, PieceKind::Simple, self.at, end);
        nodes.push(Node::Simple(piece));
        self.at = end;
    }

    fn label(&mut self, nodes: &mut Vec<Node>) {
        let name = self.word().to_owned();
        let piece = self.add(PieceKind::Label, self.at..self.at + 2);
        self.at += 2;
        nodes.push(Node::Label(piece, name.clone()));
        if self.language().has_preprocessor() || self.at >= self.end {
            return;
        }
        let label = Some(name);
        match self.word() {
            "for" => self.for_loop(nodes, label),
            "while" => self.while_loop(nodes, label),
            "do" => self.do_loop(nodes, label),
            "switch" | "select" if self.opens_switch() => self.switch(nodes, label),
            _ if self.is(b'{') => self.labelled_block(nodes, label),
            // Other statements do not need their label.
            _ => {}
        }
    }

    /// A block that can be left by its label is a loop of one round.
    pub(super) fn labelled_block(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let start = self.add(PieceKind::Do, 0..0);
        let body = self.body(start);
        let (init, condition, step, otherwise) = (Some(start), None, None, None);
        let test = Test::Once;
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    fn goto(&mut self, nodes: &mut Vec<Node>) {
        let jump = match self.unit.word(self.at + 1) {
            "" => Jump::ComputedGoto,
            label => Jump::Goto(label.to_owned()),
        };
        self.jump(nodes, jump);
    }

    fn labelled_jump(&mut self, nodes: &mut Vec<Node>, jump: fn(Option<String>) -> Jump) {
        let next = self.at + 1;
        let same_line = self.unit.line(next) == self.unit.line(self.at);
        let named = matches!(self.language(), Language::Java | Language::JavaScript | Language::Go);
        let label = match self.unit.word(next) {
            "" => None,
            label if named && same_line && next < self.end => Some(label.to_owned()),
            _ => None,
        };
        self.jump(nodes, jump(label));
    }
}
