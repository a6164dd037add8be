//! The language of generated functions: trees of pure expressions and statements over an interface
//! of C types, and objects that are built on the heap.
//!
//! All integers are computed as `unsigned`, divisors are never zero, shifts stay in range, and
//! reals become integers through a function of our own, so that nothing is undefined unless a
//! mutation makes it so.

/// A pure expression: an operation and its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub op: Op,
    pub args: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    // Of type `unsigned`.
    Const(u32),
    Read(Place),
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// The divisor gets its lowest bit set.
    Div,
    Rem,
    Shl(u32),
    Shr(u32),
    Not,
    Choose,
    /// Of a real: 0 if it does not fit into an `int`.
    Whole,
    /// A function of its own, by its number.
    Call(usize),
    // Of type `double`.
    Real(u64),
    RealAdd,
    RealSub,
    RealMul,
    RealDiv,
    RealNeg,
    /// Of an integer, taken as `int`.
    ToReal,
    // Conditions.
    Less,
    AtMost,
    Equal,
    SignedLess,
    SignedAtMost,
    RealLess,
    RealAtMost,
    RealEqual,
    Negate,
    Both,
    Either,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Whole,
    Real,
    Truth,
}

impl Expr {
    pub fn new(op: Op, args: Vec<Expr>) -> Expr {
        Expr { op, args }
    }

    pub fn number(value: u32) -> Expr {
        Expr::new(Op::Const(value), Vec::new())
    }

    pub fn real(value: f64) -> Expr {
        Expr::new(Op::Real(value.to_bits()), Vec::new())
    }

    pub fn read(place: &Place) -> Expr {
        Expr::new(Op::Read(place.clone()), Vec::new())
    }

    pub fn negated(self) -> Expr {
        Expr::new(Op::Negate, vec![self])
    }

    pub fn sort(&self) -> Sort {
        match &self.op {
            Op::Read(place) if place.is_real => Sort::Real,
            Op::Real(_)
            | Op::RealAdd
            | Op::RealSub
            | Op::RealMul
            | Op::RealDiv
            | Op::RealNeg
            | Op::ToReal => Sort::Real,
            Op::Less
            | Op::AtMost
            | Op::Equal
            | Op::SignedLess
            | Op::SignedAtMost
            | Op::RealLess
            | Op::RealAtMost
            | Op::RealEqual
            | Op::Negate
            | Op::Both
            | Op::Either => Sort::Truth,
            _ => Sort::Whole,
        }
    }

    /// Every node, this one first.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.args.iter().for_each(|arg| arg.each(visit));
    }

    pub fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit(self);
        self.args.iter_mut().for_each(|arg| arg.each_mut(visit));
    }

    /// The places that it reads.
    pub fn places(&self) -> Vec<&Place> {
        let mut places = Vec::new();
        self.each(&mut |expr| {
            if let Op::Read(place) = &expr.op {
                places.push(place);
            }
        });
        places
    }
}

/// Something that can be read and assigned, in C notation.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub text: String,
    pub is_real: bool,
}

impl Place {
    pub fn whole(text: impl Into<String>) -> Place {
        Place { text: text.into(), is_real: false }
    }

    pub fn real(text: impl Into<String>) -> Place {
        Place { text: text.into(), is_real: true }
    }

    /// The variable that it is, or is a part of.
    pub fn base(&self) -> &str {
        let text = self.text.trim_start_matches('*');
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        &text[..end.unwrap_or(text.len())]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Set(Place, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Loop(Loop),
    /// Sets the place by counting up to the value, in up to 2³¹ rounds; or down to zero.
    Count {
        place: Place,
        value: Expr,
        down: bool,
    },
    /// Makes an object and stores its address.
    Build {
        target: String,
        object: Object,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Of its counter, `i0` and so on.
    pub number: usize,
    pub bound: Bound,
    pub form: Form,
    pub body: Vec<Stmt>,
    /// Its rounds may run in any order.
    pub any_order: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// This many rounds; the body does not change the number.
    Times(Expr),
    /// A round for every character of a string.
    Text(String),
    /// As long as a variable is greater (or equal, which may be endless), and halved in every
    /// round.
    Halving { place: Place, above: u32, or_equal: bool },
}

/// The form of a loop. All forms are equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    For,
    While,
    Guarded,
    Twice,
    Peeled,
    Downward,
}

/// An object built on the heap from three numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub kind: Kind,
    pub args: [Expr; 3],
    /// The style of the code; all styles are equivalent.
    pub style: u32,
    /// A mistake in it, by its number.
    pub mistake: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Digits,
    Literal,
    Item,
    List,
    /// Two pointers, to one object or to two.
    Pair,
}

impl Kind {
    /// The type of the pointer in C, without the star.
    pub fn pointee(self) -> &'static str {
        match self {
            Kind::Text | Kind::Digits | Kind::Literal => "const char",
            Kind::Item => "struct item",
            Kind::List => "struct node",
            Kind::Pair => "struct pair",
        }
    }
}

/// A parameter of the function.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// With the type in C and its values.
    Int {
        ty: &'static str,
        low: i64,
        high: i64,
    },
    /// `double` or `float`.
    Real {
        ty: &'static str,
    },
    Buffer {
        ty: &'static str,
        low: i64,
        high: i64,
        count: usize,
    },
    /// A string of at most this many characters.
    Text {
        max: usize,
    },
    Item,
    /// A list that the function makes.
    OutList,
}

/// What the function returns.
#[derive(Clone, Debug, PartialEq)]
pub enum Returned {
    Nothing,
    Int(&'static str, Expr),
    Real(Expr),
    /// A struct by value, of its members.
    Item(Expr, Expr, Expr),
    Object(Object),
    /// An address inside the string of that name.
    Inside(String, Expr),
}

#[derive(Clone, Debug)]
pub struct Interface {
    pub params: Vec<Param>,
    pub globals: Vec<Global>,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: &'static str,
    pub declaration: &'static str,
    pub kind: GlobalKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    Int,
    Array(usize),
    Item,
    Message,
    Chain,
}

/// A version of the function.
#[derive(Clone, Debug)]
pub struct Version {
    /// Local variables `x0`… and `d0`….
    pub wholes: usize,
    pub reals: usize,
    pub loops: usize,
    pub body: Vec<Stmt>,
    pub returned: Returned,
    pub parts: Vec<Part>,
}

/// A helper function of a version for an expression.
#[derive(Clone, Debug)]
pub struct Part {
    pub params: Vec<Place>,
    pub body: Expr,
}

/// Every list of statements, the outer ones first.
pub fn each_block(block: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(block);
    for stmt in block {
        match stmt {
            Stmt::If(_, then, other) => {
                each_block(then, visit);
                each_block(other, visit);
            }
            Stmt::Loop(one) => each_block(&mut one.body, visit),
            _ => {} // Without blocks of their own.
        }
    }
}

/// Every statement, the outer ones first.
pub fn each_stmt(block: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Stmt)) {
    each_block(block, &mut |stmts| stmts.iter_mut().for_each(&mut *visit));
}

impl Version {
    /// Every complete expression of the statements and the result.
    pub fn each_expr(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        each_stmt(&mut self.body, &mut |stmt| match stmt {
            Stmt::Set(_, expr) | Stmt::If(expr, ..) | Stmt::Count { value: expr, .. } => {
                visit(expr);
            }
            Stmt::Build { object, .. } => object.args.iter_mut().for_each(&mut *visit),
            Stmt::Loop(Loop { bound: Bound::Times(expr), .. }) => visit(expr),
            Stmt::Loop(_) => {} // Their bounds have no expression.
        });
        match &mut self.returned {
            Returned::Int(_, expr) | Returned::Real(expr) | Returned::Inside(_, expr) => {
                visit(expr);
            }
            Returned::Item(a, b, c) => [a, b, c].into_iter().for_each(visit),
            Returned::Object(object) => object.args.iter_mut().for_each(visit),
            Returned::Nothing => {} // Nothing is calculated.
        }
    }

    /// Every object that is built.
    pub fn each_object(&mut self, visit: &mut dyn FnMut(&mut Object)) {
        each_stmt(&mut self.body, &mut |stmt| {
            if let Stmt::Build { object, .. } = stmt {
                visit(object);
            }
        });
        if let Returned::Object(object) = &mut self.returned {
            visit(object);
        }
    }
}
