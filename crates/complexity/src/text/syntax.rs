//! The parse tree of a function: structured statements.
//!
//! A *piece* is what the paper calls a statement: a simple statement, or the head of a compound one
//! (`if (x)`, the three parts of a `for`, a `case`). Besides the tree there is the *sequence* of
//! pieces and ends of bodies in the order of the text, by which two versions of a function are
//! compared. Every piece and every end knows its position in the sequence.

use std::ops::Range;

/// A function found in a text. Its body is parsed on demand.
#[derive(Clone, Debug)]
pub struct Function {
    /// As callers write it, without its class, type or module.
    pub name: String,
    /// Its class, type or module; empty if there is none.
    pub container: String,
    /// Tokens from the first of its head to the one before its body.
    pub head: Range<usize>,
    /// Tokens of the body, without the outermost braces.
    pub body: Range<usize>,
    /// Its tokens as seen from an enclosing function.
    pub hole: Range<usize>,
    pub first_line: u32,
    pub last_line: u32,
    /// All its callers are in the same file, as far as the language shows.
    pub local: bool,
    /// Why its extent is not certain.
    pub problem: Option<Problem>,
}

impl Function {
    pub fn qualified_name(&self) -> String {
        match self.container.as_str() {
            "" => self.name.clone(),
            container => format!("{container}::{}", self.name),
        }
    }
}

/// Why a function has no control flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A bracket without its partner.
    Bracket { line: u32 },
    /// A word such as `else` or `case` where it is not allowed.
    Word { word: String, line: u32 },
    /// A jump to a label that the function does not have.
    Label { name: String },
    /// Statements are nested too deeply.
    Depth,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Bracket { line } => write!(f, "a bracket without its partner in line {line}"),
            Problem::Word { word, line } => write!(f, "an unexpected `{word}` in line {line}"),
            Problem::Label { name } => write!(f, "a jump to `{name}`, which is no label here"),
            Problem::Depth => write!(f, "statements nested too deeply"),
        }
    }
}

pub type PieceId = usize;
/// An index into the sequence.
pub type Position = usize;

/// What kind of statement a piece is, or the head of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// The head of the function itself.
    Function,
    Simple,
    Condition,
    /// A loop, by its condition or by what it iterates over.
    Loop,
    /// The third part of a `for`.
    Step,
    /// The first word of a loop with its test after the body, or without a condition.
    Do,
    Switch,
    Case,
    Jump,
    Label,
    Try,
    Handler,
    Directive,
}

/// A statement, or the head of one.
#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: PieceKind,
    /// Tokens that belong to it and to nothing inside of it.
    pub ranges: Vec<Range<usize>>,
    pub calls: Vec<Call>,
    /// The macros in it that jump, by the token that names them.
    pub macros: Vec<usize>,
    pub position: Position,
}

/// A call, by the names in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The token of the name.
    pub name: usize,
    pub receiver: Receiver,
    /// Whether it follows `&&`, `||` or `?`, and may be skipped.
    pub skippable: bool,
}

/// The receiver of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Nothing.
    None,
    /// The object or the type of the calling function.
    Own,
    /// A name, by its token, as in `Type::name()` or `value.name()`.
    Named { token: usize, is_path: bool },
    /// Something longer.
    Expression,
    /// A macro of Rust.
    Macro,
}

/// The end of a body without an end in the sequence, because it is inside a piece.
pub const NO_END: Position = usize::MAX;

/// Statements between braces, or their equivalent.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub nodes: Vec<Node>,
    /// The position of its end in the sequence.
    pub end: Position,
}

#[derive(Clone, Debug)]
pub enum Node {
    Simple(PieceId),
    Jump(PieceId, Jump),
    Label(PieceId, String),
    /// A label of the innermost `switch`.
    Case {
        piece: PieceId,
        is_default: bool,
    },
    Block(Body),
    If {
        arms: Vec<(PieceId, Body)>,
        otherwise: Option<Body>,
    },
    Loop(Loop),
    Switch(Switch),
    /// Arms without fall-through.
    Match {
        head: PieceId,
        arms: Vec<(PieceId, Body)>,
        exhaustive: bool,
    },
    Try {
        piece: PieceId,
        body: Body,
        handlers: Vec<(PieceId, Body)>,
        otherwise: Option<Body>,
        finally: Option<Body>,
    },
    /// An anonymous function, written where it may be called.
    Closure(Body),
    /// Parts of which the preprocessor selects one.
    Alternatives {
        parts: Vec<Body>,
        is_exhaustive: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub label: Option<String>,
    /// Executed before the first test.
    pub init: Option<PieceId>,
    /// Tested before each round, or after it.
    pub condition: Option<PieceId>,
    pub step: Option<PieceId>,
    pub test: Test,
    pub body: Body,
    /// Executed when the loop ends without `break`.
    pub otherwise: Option<Body>,
}

/// When a loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Before,
    Behind,
    /// After the body, and it never holds: `do … while (0)`.
    Once,
    /// Never, except by a jump.
    Endless,
}

#[derive(Clone, Debug)]
pub struct Switch {
    pub label: Option<String>,
    pub head: PieceId,
    pub body: Body,
    pub falls_through: bool,
    /// One of the cases is always taken.
    pub exhaustive: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    Return,
    Break(Option<String>),
    Continue(Option<String>),
    Goto(String),
    /// To any label whose address may have been taken.
    ComputedGoto,
    FallThrough,
    Throw,
    /// The end of the program.
    Exit,
}

/// A member of the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Piece(PieceId),
    /// The end of a body that belongs to the piece.
    End(PieceId),
}

/// A parsed function body.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub pieces: Vec<Piece>,
    pub body: Body,
    pub sequence: Vec<Element>,
    pub problem: Option<Problem>,
}
