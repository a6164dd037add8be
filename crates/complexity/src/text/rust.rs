//! Statements of Rust, where nearly everything is an expression.
//!
//! `if`, `match` and loops are parsed anywhere, even in the middle of an expression; they then
//! precede the statement that uses their value. Macro calls are opaque.

use super::expressions::{Skimmed, Stop};
use super::statements::Parser;
use super::syntax::{Body, Jump, Loop, Node, PieceKind, Test};
use super::token::Kind;

impl Parser<'_, '_> {
    pub(super) fn rust_statement(&mut self, nodes: &mut Vec<Node>) {
        match self.word() {
            _ if self.rust_opens_block(self.at) => self.rust_block_statement(nodes, None),
            "struct" | "enum" | "union" | "impl" | "trait" | "mod" | "macro_rules" | "use"
            | "extern"
                if self.rust_skips_item() => {}
            "unsafe" if matches!(self.unit.word(self.at + 1), "impl" | "trait") => {
                self.rust_skips_item();
            }
            "let" => self.rust_let(nodes),
            _ => self.rust_expression(nodes, Stop { semicolon: true, ..Stop::default() }),
        }
    }

    /// `'label: loop …`
    pub(super) fn rust_label(&mut self, nodes: &mut Vec<Node>) {
        let text = self.unit.token_text(self.at);
        if !self.unit.is(self.at + 1, b':') || !text.starts_with('\'') {
            return self.rust_expression(nodes, Stop { semicolon: true, ..Stop::default() });
        }
        self.at += 2;
        if self.at < self.end {
            self.rust_block_statement(nodes, Some(text.to_owned()));
        }
    }

    /// An attribute belongs to no statement.
    pub(super) fn rust_attribute(&mut self) {
        self.at += 1;
        if self.is(b'!') {
            self.at += 1;
        }
        if let Some(close) = self.is(b'[').then(|| self.partner(self.at)).flatten() {
            self.at = close + 1;
        }
    }

    /// Skips an item inside a function: to its semicolon, or past its braces.
    fn rust_skips_item(&mut self) -> bool {
        if self.word() == "union" && self.unit.word(self.at + 1).is_empty() {
            return false;
        }
        let mut at = self.at;
        while at < self.end {
            match self.unit.tokens[at].kind {
                Kind::Punct(b';') => break,
                Kind::Punct(b'{') => {
                    at = self.partner(at).unwrap_or(at);
                    break;
                }
                Kind::Punct(b'(' | b'[') => at = self.partner(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        self.at = (at + 1).min(self.end);
        true
    }

    /// Whether a word opens statements in the middle of an expression.
    pub(super) fn rust_opens_block(&self, at: usize) -> bool {
        let brace = |at: usize| self.unit.is(at, b'{');
        match self.unit.word(at) {
            "if" | "match" | "while" => true,
            "for" => !self.unit.is(at + 1, b'<'),
            "loop" | "unsafe" | "const" => brace(at + 1),
            "async" => brace(at + 1) || self.unit.word(at + 1) == "move" && brace(at + 2),
            _ => false,
        }
    }

    /// A block at the beginning of a statement, and what follows its value.
    fn rust_block_statement(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        self.rust_block_like(nodes, label);
        let goes_on = self.at < self.end
            && match self.unit.tokens[self.at].kind {
                Kind::Punct(punct) => matches!(punct, b'.' | b'?'),
                _ => self.unit.word(self.at) == "as",
            };
        if goes_on {
            self.rust_expression(nodes, Stop { semicolon: true, ..Stop::default() });
        }
    }

    /// `if`, `match`, a loop or a block.
    pub(super) fn rust_block_like(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        match self.word() {
            "if" => self.if_chain(nodes, None),
            "match" => self.rust_match(nodes),
            "while" => self.while_loop(nodes, label),
            "for" => self.rust_for(nodes, label),
            "loop" => self.rust_loop(nodes, label),
            "async" => {
                let start = self.at;
                while self.at < self.end && !self.is(b'{') {
                    self.at += 1;
                }
                let piece = self.add(PieceKind::Simple, start..self.at);
                nodes.push(Node::Simple(piece));
                let body = self.body(piece);
                nodes.push(Node::Closure(body));
            }
            _ => {
                // `unsafe`, `const`, or the braces of a labelled block.
                if !self.is(b'{') {
                    self.at += 1;
                }
                match label {
                    Some(_) => self.labelled_block(nodes, label),
                    None if self.is(b'{') => {
                        let inside = self.braces();
                        nodes.extend(inside);
                    }
                    None => self.unexpected(),
                }
            }
        }
    }

    fn rust_loop(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let start = self.add(PieceKind::Do, self.at..self.at + 1);
        self.at += 1;
        let body = self.body(start);
        let (init, condition, step, otherwise) = (Some(start), None, None, None);
        let test = Test::Endless;
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    fn rust_for(&mut self, nodes: &mut Vec<Node>, label: Option<String>) {
        let start = self.at;
        self.at += 1;
        // A pattern may hold braces: `for Point { x, y } in points {`.
        while self.at < self.end && self.word() != "in" {
            self.at = self.partner(self.at).unwrap_or(self.at) + 1;
        }
        let pattern = start..self.at;
        let before = self.at;
        self.at = (self.at + 1).min(self.end);
        let piece = self.skim_header(nodes, PieceKind::Loop, before);
        self.tree.pieces[piece].ranges.insert(0, pattern);
        let body = self.body(piece);
        let (init, condition, step, otherwise) = (None, Some(piece), None, None);
        let test = Test::Before;
        nodes.push(Node::Loop(Loop { label, init, condition, step, test, body, otherwise }));
    }

    fn rust_match(&mut self, nodes: &mut Vec<Node>) {
        let start = self.at;
        self.at += 1;
        let head = self.skim_header(nodes, PieceKind::Switch, start);
        let Some(close) = self.is(b'{').then(|| self.partner(self.at)).flatten() else { return };
        self.at += 1;
        let outer = std::mem::replace(&mut self.end, close);
        let mut arms = Vec::new();
        while self.at < close {
            if self.is(b'#') {
                self.rust_attribute();
                continue;
            }
            let start = self.at;
            let mut skimmed = Skimmed::default();
            while self.at < close && self.unit.kind(self.at) != Some(Kind::FatArrow) {
                self.at = self.partner(self.at).unwrap_or(self.at) + 1;
            }
            skimmed.ranges.push(start..self.at);
            let pattern = self.add_skimmed(PieceKind::Case, skimmed);
            self.at = (self.at + 1).min(close);
            let mut inside = Vec::new();
            if self.is(b'{') {
                inside = self.braces();
                // The value of the block may be used: `{ a }.b`.
                if self.at < close && !self.is(b',') && self.unit.is(self.at, b'.') {
                    self.rust_expression(&mut inside, Stop { comma: true, ..Stop::default() });
                }
            } else if self.at < close {
                self.rust_arm(&mut inside);
            }
            let end = self.end_of(pattern);
            arms.push((pattern, Body { nodes: inside, end }));
            if self.is(b',') {
                self.at += 1;
            }
        }
        self.end = outer;
        self.at = close + 1;
        nodes.push(Node::Match { head, arms, exhaustive: true });
    }

    fn rust_arm(&mut self, nodes: &mut Vec<Node>) {
        let before = self.at;
        self.rust_expression(nodes, Stop { comma: true, ..Stop::default() });
        if self.at == before {
            self.unexpected();
            self.at += 1;
        }
    }

    /// `let`, perhaps with an `else` that does not return.
    fn rust_let(&mut self, nodes: &mut Vec<Node>) {
        let stop = Stop { semicolon: true, otherwise: true, ..Stop::default() };
        let skimmed = self.skim(nodes, stop);
        if self.word() != "else" || self.at >= self.end {
            return self.end_simple(nodes, skimmed);
        }
        let piece = self.add_skimmed(PieceKind::Condition, skimmed);
        self.at += 1;
        let body = self.body(piece);
        nodes.push(Node::If { arms: vec![(piece, body)], otherwise: None });
        if self.is(b';') {
            self.at += 1;
        }
    }

    /// An expression as a statement or as the value of an arm; `return` and the like may begin it.
    fn rust_expression(&mut self, nodes: &mut Vec<Node>, stop: Stop) {
        let jump = match self.word() {
            "return" => Some(Jump::Return),
            "break" => Some(Jump::Break(self.rust_jump_label())),
            "continue" => Some(Jump::Continue(self.rust_jump_label())),
            _ => None,
        };
        let before = self.at;
        let skimmed = self.skim(nodes, stop);
        if self.at == before {
            // A token that begins no expression.
            self.at += usize::from(!stop.comma);
            return;
        }
        match jump {
            Some(jump) => {
                let piece = self.add_skimmed(PieceKind::Jump, skimmed);
                nodes.push(Node::Jump(piece, jump));
                if self.is(b';') {
                    self.at += 1;
                }
            }
            None => self.end_simple(nodes, skimmed),
        }
    }

    fn rust_jump_label(&self) -> Option<String> {
        let text = self.unit.token_text(self.at + 1);
        let is_label = text.starts_with('\'') && !text[1..].contains('\'');
        is_label.then(|| text.to_owned())
    }
}
