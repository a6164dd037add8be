//! The control flow of a function's statements, as basic blocks.
//!
//! Built from the tree of one version. *Places* are positions in the sequence where statements of
//! the other version were deleted; each becomes an empty statement there. Exceptions go from every
//! block of a `try` to each of its handlers; those that the function does not catch are ignored. A
//! closure may be executed, once, where it is written.

use std::collections::{BTreeMap, BTreeSet};

use super::syntax::{
    Body, Jump, Loop, NO_END, Node, PieceId, Position, Problem, Switch, Test, Tree,
};
use super::unit::Unit;

/// The basic blocks of a function; the first one is entered first.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    pub blocks: Vec<Block>,
    pub problem: Option<Problem>,
}

/// Statements that are executed together.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub pieces: Vec<PieceId>,
    /// Places of deleted statements.
    pub places: Vec<Position>,
    pub successors: Vec<usize>,
    /// Control may return to the caller from here.
    pub returns: bool,
    /// The program may end here.
    pub exits: bool,
}

/// The control flow of a tree.
pub fn flow(unit: &Unit<'_>, tree: &Tree, places: &BTreeSet<Position>) -> Flow {
    let mut builder = Builder {
        unit,
        tree,
        places,
        points: Vec::new(),
        current: Vec::new(),
        frames: Vec::new(),
        labels: BTreeMap::new(),
        computed: Vec::new(),
        hidden: Vec::new(),
        exceptions: Vec::new(),
        problem: tree.problem.clone(),
    };
    builder.body(&tree.body);
    let last = std::mem::take(&mut builder.current);
    builder.jump(last, &Jump::Return);
    builder.resolve_labels();
    let blocks = builder.blocks();
    Flow { blocks, problem: builder.problem }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Piece(PieceId),
    Place(Position),
    /// An empty point where paths meet.
    Join,
}

struct Point {
    content: Content,
    successors: Vec<usize>,
    returns: bool,
    exits: bool,
    /// Begins a block, whatever comes before.
    leads: bool,
}

enum Frame {
    Loop {
        label: Option<String>,
        next: usize,
        breaks: Vec<usize>,
    },
    Switch {
        label: Option<String>,
        head: usize,
        breaks: Vec<usize>,
        falls: Vec<usize>,
        falls_through: bool,
        has_default: bool,
    },
    Try {
        handlers: usize,
    },
    Finally {
        entry: usize,
        pending: Vec<Jump>,
    },
    Closure {
        end: usize,
    },
}

struct Label {
    point: usize,
    defined: bool,
    wanted: bool,
}

struct Builder<'a, 't> {
    unit: &'a Unit<'t>,
    tree: &'a Tree,
    places: &'a BTreeSet<Position>,
    points: Vec<Point>,
    /// Points from which control continues to the next point.
    current: Vec<usize>,
    frames: Vec<Frame>,
    labels: BTreeMap<String, Label>,
    /// Points that jump to an address.
    computed: Vec<usize>,
    /// Pieces with a macro that jumps to a label, which may be one of its arguments.
    hidden: Vec<(usize, PieceId, String)>,
    /// Points of the first range may go to the second point by an exception.
    exceptions: Vec<(std::ops::Range<usize>, usize)>,
    problem: Option<Problem>,
}

impl Builder<'_, '_> {
    fn point(&mut self, content: Content) -> usize {
        let (successors, returns, exits, leads) = (Vec::new(), false, false, false);
        self.points.push(Point { content, successors, returns, exits, leads });
        self.points.len() - 1
    }

    fn connect(&mut self, from: &[usize], to: usize) {
        for &point in from {
            if !self.points[point].successors.contains(&to) {
                self.points[point].successors.push(to);
            }
        }
    }

    /// Appends a point after the current ones.
    fn put(&mut self, content: Content) -> usize {
        let point = self.point(content);
        self.go_to(point);
        self.current = vec![point];
        point
    }

    fn go_to(&mut self, point: usize) {
        let current = std::mem::take(&mut self.current);
        self.connect(&current, point);
    }

    fn join(&mut self) -> usize {
        self.put(Content::Join)
    }

    fn place(&mut self, position: Position) {
        if position != NO_END && self.places.contains(&position) {
            self.put(Content::Place(position));
        }
    }

    fn emit(&mut self, piece: PieceId) -> usize {
        self.place(self.tree.pieces[piece].position);
        let point = self.put(Content::Piece(piece));
        self.macro_jumps(point, piece);
        point
    }

    fn macro_jumps(&mut self, point: usize, piece: PieceId) {
        let tree = self.tree;
        for &token in &tree.pieces[piece].macros {
            let Some(found) = self.unit.macros.get(self.unit.word(token)) else { continue };
            let found = found.clone();
            if found.may_return {
                self.jump(vec![point], &Jump::Return);
            }
            if found.may_break && self.breakable() {
                self.jump(vec![point], &Jump::Break(None));
            }
            if found.may_continue && self.frames.iter().any(|f| matches!(f, Frame::Loop { .. })) {
                self.jump(vec![point], &Jump::Continue(None));
            }
            for label in found.may_goto {
                self.hidden.push((point, piece, label));
            }
        }
    }

    fn breakable(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame, Frame::Loop { .. } | Frame::Switch { .. }))
    }

    fn body(&mut self, body: &Body) {
        for node in &body.nodes {
            self.node(node);
        }
        self.place(body.end);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Simple(piece) => drop(self.emit(*piece)),
            Node::Jump(piece, jump) => {
                self.emit(*piece);
                let from = std::mem::take(&mut self.current);
                self.jump(from, jump);
            }
            Node::Label(piece, name) => self.label(*piece, name),
            Node::Case { piece, is_default } => self.case(*piece, *is_default),
            Node::Block(body) => self.body(body),
            Node::If { arms, otherwise } => self.if_chain(arms, otherwise.as_ref()),
            Node::Loop(repeat) => self.repeat(repeat),
            Node::Switch(switch) => self.switch(switch),
            Node::Match { head, arms, exhaustive } => self.arms(*head, arms, *exhaustive),
            Node::Try { piece, body, handlers, otherwise, finally } => {
                self.try_statement(*piece, body, handlers, otherwise.as_ref(), finally.as_ref());
            }
            Node::Closure(body) => self.closure(body),
            Node::Alternatives { parts, .. } => self.alternatives(parts),
        }
    }

    /// Lets points jump. Jumps out of a `try` pass through its `finally`.
    fn jump(&mut self, from: Vec<usize>, jump: &Jump) {
        if from.is_empty() {
            return;
        }
        match jump {
            Jump::Exit => return from.iter().for_each(|&p| self.points[p].exits = true),
            Jump::Goto(name) => {
                let label = self.label_point(name);
                self.labels.entry(name.clone()).and_modify(|label| label.wanted = true);
                return self.connect(&from, label);
            }
            Jump::ComputedGoto => return self.computed.extend(from),
            _ => {}
        }
        for index in (0..self.frames.len()).rev() {
            let target = match (&mut self.frames[index], jump) {
                (Frame::Finally { entry, pending }, _) => {
                    if !pending.contains(jump) {
                        pending.push(jump.clone());
                    }
                    *entry
                }
                (Frame::Closure { end }, Jump::Return | Jump::Throw) => *end,
                (Frame::Closure { .. }, _) => break,
                (Frame::Try { handlers }, Jump::Throw) => *handlers,
                (Frame::Loop { label, breaks, .. }, Jump::Break(wanted)) if fits(label, wanted) => {
                    return breaks.extend(from);
                }
                (Frame::Switch { label, breaks, .. }, Jump::Break(wanted))
                    if fits(label, wanted) =>
                {
                    return breaks.extend(from);
                }
                (Frame::Switch { falls, .. }, Jump::FallThrough) => return falls.extend(from),
                (Frame::Loop { label, next, .. }, Jump::Continue(wanted))
                    if fits(label, wanted) =>
                {
                    *next
                }
                _ => continue,
            };
            return self.connect(&from, target);
        }
        match jump {
            Jump::Return | Jump::Throw => from.iter().for_each(|&p| self.points[p].returns = true),
            Jump::Break(Some(name)) | Jump::Continue(Some(name)) => {
                // A block may have a label as well.
                let label = self.label_point(name);
                self.labels.entry(name.clone()).and_modify(|label| label.wanted = true);
                self.connect(&from, label);
            }
            _ => self.misplaced(&from, jump),
        }
    }

    /// A `break` or the like without an enclosing statement to leave.
    fn misplaced(&mut self, from: &[usize], jump: &Jump) {
        let word = match jump {
            Jump::Continue(_) => "continue",
            Jump::FallThrough => "fallthrough",
            _ => "break",
        };
        let piece = from.iter().find_map(|&p| match self.points[p].content {
            Content::Piece(piece) => self.tree.pieces[piece].ranges.first(),
            _ => None,
        });
        let line = piece.map_or(0, |range| self.unit.line(range.start));
        self.problem.get_or_insert(Problem::Word { word: word.to_owned(), line });
    }

    fn label_point(&mut self, name: &str) -> usize {
        if let Some(label) = self.labels.get(name) {
            return label.point;
        }
        let point = self.point(Content::Join);
        self.labels.insert(name.to_owned(), Label { point, defined: false, wanted: false });
        point
    }

    fn label(&mut self, piece: PieceId, name: &str) {
        let point = self.label_point(name);
        self.labels.entry(name.to_owned()).and_modify(|label| label.defined = true);
        self.go_to(point);
        self.current = vec![point];
        self.emit(piece);
    }

    fn resolve_labels(&mut self) {
        for (name, label) in &self.labels {
            if label.wanted && !label.defined {
                self.problem.get_or_insert(Problem::Label { name: name.clone() });
            }
        }
        let defined: Vec<usize> =
            self.labels.values().filter(|l| l.defined).map(|l| l.point).collect();
        for point in std::mem::take(&mut self.computed) {
            for &label in &defined {
                self.connect(&[point], label);
            }
        }
        for (point, piece, name) in std::mem::take(&mut self.hidden) {
            let own = self.labels.get(&name).filter(|label| label.defined).map(|label| label.point);
            let target = own.or_else(|| self.label_among_arguments(piece));
            if let Some(target) = target {
                self.connect(&[point], target);
            }
        }
    }

    fn label_among_arguments(&self, piece: PieceId) -> Option<usize> {
        let mut tokens = self.tree.pieces[piece].ranges.iter().cloned().flatten();
        tokens.find_map(|token| {
            let label = self.labels.get(self.unit.word(token))?;
            label.defined.then_some(label.point)
        })
    }

    fn if_chain(&mut self, arms: &[(PieceId, Body)], otherwise: Option<&Body>) {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            let condition = self.emit(*condition);
            self.body(body);
            ends.append(&mut self.current);
            self.current = vec![condition];
        }
        if let Some(body) = otherwise {
            self.body(body);
        }
        self.current.append(&mut ends);
    }

    fn repeat(&mut self, repeat: &Loop) {
        if let Some(init) = repeat.init {
            self.emit(init);
        }
        let tested_first = matches!(repeat.test, Test::Before | Test::Endless);
        let head = match repeat.condition {
            Some(condition) if tested_first => self.emit(condition),
            _ => self.join(),
        };
        let next =
            if repeat.step.is_some() || !tested_first { self.point(Content::Join) } else { head };
        let (label, breaks) = (repeat.label.clone(), Vec::new());
        self.frames.push(Frame::Loop { label, next, breaks });
        self.body(&repeat.body);
        self.go_to(next);
        let breaks = match self.frames.pop() {
            Some(Frame::Loop { breaks, .. }) => breaks,
            _ => Vec::new(),
        };
        if next != head {
            self.current = vec![next];
            if let Some(step) = repeat.step {
                self.emit(step);
            }
            if let Some(condition) = repeat.condition.filter(|_| !tested_first) {
                self.emit(condition);
            }
            if repeat.test != Test::Once {
                let current = self.current.clone();
                self.connect(&current, head);
            }
        }
        match repeat.test {
            Test::Before => self.current = vec![head],
            Test::Endless => self.current.clear(),
            // Control continues from the condition to after the body.
            Test::Behind | Test::Once => {}
        }
        if let Some(body) = &repeat.otherwise {
            self.body(body);
        }
        self.current.extend(breaks);
    }

    fn switch(&mut self, switch: &Switch) {
        let head = self.emit(switch.head);
        self.current.clear();
        self.frames.push(Frame::Switch {
            label: switch.label.clone(),
            head,
            breaks: Vec::new(),
            falls: Vec::new(),
            falls_through: switch.falls_through,
            has_default: switch.exhaustive,
        });
        self.body(&switch.body);
        if let Some(Frame::Switch { breaks, has_default, .. }) = self.frames.pop() {
            self.current.extend(breaks);
            if !has_default {
                self.current.push(head);
            }
        }
    }

    fn case(&mut self, piece: PieceId, is_default: bool) {
        let mut current = std::mem::take(&mut self.current);
        let innermost =
            self.frames.iter_mut().rev().find(|frame| matches!(frame, Frame::Switch { .. }));
        if let Some(Frame::Switch { head, breaks, falls, falls_through, has_default, .. }) =
            innermost
        {
            if !*falls_through {
                breaks.append(&mut current);
            }
            current.append(falls);
            current.push(*head);
            *has_default |= is_default;
        }
        self.current = current;
        self.emit(piece);
    }

    fn arms(&mut self, head: PieceId, arms: &[(PieceId, Body)], exhaustive: bool) {
        let head = self.emit(head);
        let mut ends = Vec::new();
        for (pattern, body) in arms {
            self.current = vec![head];
            self.emit(*pattern);
            self.body(body);
            ends.append(&mut self.current);
        }
        if !exhaustive {
            ends.push(head);
        }
        self.current = ends;
    }

    fn try_statement(
        &mut self,
        piece: PieceId,
        body: &Body,
        handlers: &[(PieceId, Body)],
        otherwise: Option<&Body>,
        finally: Option<&Body>,
    ) {
        if finally.is_some() {
            let entry = self.point(Content::Join);
            self.frames.push(Frame::Finally { entry, pending: Vec::new() });
        }
        let handlers_point = self.point(Content::Join);
        let start = self.emit(piece);
        self.points[start].leads = true;
        if !handlers.is_empty() {
            self.frames.push(Frame::Try { handlers: handlers_point });
        }
        self.body(body);
        let end = self.join();
        self.points[end].leads = true;
        if !handlers.is_empty() {
            self.frames.pop();
            self.exceptions.push((start..end, handlers_point));
        }
        if let Some(body) = otherwise {
            self.body(body);
        }
        let mut ends = std::mem::take(&mut self.current);
        for (handler, body) in handlers {
            self.current = vec![handlers_point];
            self.emit(*handler);
            self.body(body);
            ends.append(&mut self.current);
        }
        self.current = ends;
        if let Some(body) = finally {
            self.finally(body);
        }
    }

    fn finally(&mut self, body: &Body) {
        let Some(Frame::Finally { entry, pending }) = self.frames.pop() else { return };
        let normally = !self.current.is_empty();
        self.go_to(entry);
        self.current = vec![entry];
        self.body(body);
        let end = self.current.clone();
        for jump in &pending {
            self.jump(end.clone(), jump);
        }
        if !normally {
            self.current.clear();
        }
    }

    fn closure(&mut self, body: &Body) {
        let around = self.join();
        let end = self.point(Content::Join);
        self.frames.push(Frame::Closure { end });
        self.body(body);
        self.frames.pop();
        self.go_to(end);
        self.current = vec![around, end];
    }

    /// One part is ordinary code. Of several, one is executed.
    fn alternatives(&mut self, parts: &[Body]) {
        let before = self.join();
        let mut ends = Vec::new();
        for part in parts {
            self.current = vec![before];
            self.body(part);
            ends.append(&mut self.current);
        }
        // What follows must be reachable without a part that jumps away.
        self.current = if ends.is_empty() { vec![before] } else { ends };
    }

    /// Merges points into blocks.
    fn blocks(&self) -> Vec<Block> {
        let mut predecessors = vec![0u32; self.points.len()];
        let mut begins = vec![false; self.points.len()];
        for point in &self.points {
            let ways =
                point.successors.len() + usize::from(point.returns) + usize::from(point.exits);
            for &successor in &point.successors {
                predecessors[successor] += 1;
                begins[successor] |= ways > 1;
            }
        }
        for (index, point) in self.points.iter().enumerate() {
            begins[index] |= predecessors[index] != 1 || point.leads;
        }
        if let Some(first) = begins.first_mut() {
            *first = true;
        }
        for (_, handlers) in &self.exceptions {
            begins[*handlers] = true;
        }
        let mut block_of = vec![usize::MAX; self.points.len()];
        let mut blocks: Vec<Block> = Vec::new();
        let mut last_points = Vec::new();
        for start in (0..self.points.len()).filter(|&p| begins[p]) {
            let mut block = Block::default();
            let mut point = start;
            loop {
                block_of[point] = blocks.len();
                match self.points[point].content {
                    Content::Piece(piece) => block.pieces.push(piece),
                    Content::Place(position) => block.places.push(position),
                    Content::Join => {}
                }
                match self.points[point].successors[..] {
                    [next] if !begins[next] => point = next,
                    _ => break,
                }
            }
            block.returns = self.points[point].returns;
            block.exits = self.points[point].exits;
            blocks.push(block);
            last_points.push(point);
        }
        for (block, point) in last_points.into_iter().enumerate() {
            let successors = self.points[point].successors.iter().map(|&next| block_of[next]);
            blocks[block].successors = successors.filter(|&next| next != usize::MAX).collect();
        }
        self.add_exceptions(&mut blocks, &block_of);
        blocks
    }

    fn add_exceptions(&self, blocks: &mut [Block], block_of: &[usize]) {
        for (points, handlers) in &self.exceptions {
            let target = block_of[*handlers];
            let mut last = usize::MAX;
            for point in points.clone() {
                let block = block_of[point];
                if block != last
                    && block != usize::MAX
                    && !blocks[block].successors.contains(&target)
                {
                    blocks[block].successors.push(target);
                }
                last = block;
            }
        }
    }
}

/// Whether a jump, with or without a label, concerns a statement with or without one.
fn fits(label: &Option<String>, wanted: &Option<String>) -> bool {
    wanted.is_none() || label == wanted
}
