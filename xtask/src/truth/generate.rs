//! A random function: its interface, and a body over it.

use crate::fuzz::random::Random;

use super::language::{
    Bound, Expr, Form, Global, GlobalKind, Interface, Kind, Loop, Object, Op, Param, ParamKind,
    Place, Returned, Sort, Stmt, Version,
};

/// Elements of buffers, and characters of strings.
const COUNT: usize = 4;

const GLOBALS: [Global; 6] = [
    Global { name: "counter", declaration: "int counter = 3;", kind: GlobalKind::Int },
    Global { name: "hits", declaration: "static int hits;", kind: GlobalKind::Int },
    Global { name: "table", declaration: "int table[4] = {1, 2};", kind: GlobalKind::Array(4) },
    Global { name: "last", declaration: "struct item last;", kind: GlobalKind::Item },
    Global {
        name: "message",
        declaration: "const char *message = \"none\";",
        kind: GlobalKind::Message,
    },
    Global { name: "chain", declaration: "struct node *chain;", kind: GlobalKind::Chain },
];

const SCALARS: [(&str, i64, i64); 6] = [
    ("int", i32::MIN as i64, i32::MAX as i64),
    ("unsigned", 0, u32::MAX as i64),
    ("short", i16::MIN as i64, i16::MAX as i64),
    ("unsigned char", 0, 255),
    ("long", i64::MIN, i64::MAX),
    ("int", -100, 1000),
];

/// What a generated function can use.
struct Generator<'a> {
    random: &'a mut Random,
    readable: Vec<Place>,
    writable: Vec<Place>,
    /// Strings of the parameters.
    texts: Vec<String>,
    /// Buffers and their lengths.
    buffers: Vec<(String, String)>,
    loops: usize,
    /// The greatest depth of expressions, and the number of statements.
    depth: usize,
    statements: usize,
}

/// An interface and a function with it.
pub fn generate(random: &mut Random) -> (Interface, Version) {
    let interface = interface(random);
    // Small ones can be proved more often, large ones have more content.
    let (depth, statements) = [(1, 1), (1, 2), (2, 1), (2, 3)][random.below(4)];
    let mut generator = Generator {
        random,
        readable: Vec::new(),
        writable: Vec::new(),
        texts: Vec::new(),
        buffers: Vec::new(),
        loops: 0,
        depth,
        statements,
    };
    generator.see(&interface);
    let version = generator.version(&interface);
    (interface, version)
}

fn interface(random: &mut Random) -> Interface {
    let mut params = Vec::new();
    let mut add = |name: String, kind| params.push(Param { name, kind });
    for number in 0..1 + random.below(2) {
        let (ty, low, high) = SCALARS[random.below(SCALARS.len())];
        add(format!("a{number}"), ParamKind::Int { ty, low, high });
    }
    if random.one_in(3) {
        let ty = random.pick(&["double", "double", "float"]);
        add("r".to_owned(), ParamKind::Real { ty });
    }
    // No two pointers have the same type, so that they cannot alias.
    if random.one_in(2) {
        let (ty, low, high) = [SCALARS[0], SCALARS[2], SCALARS[3]][random.below(3)];
        add("v".to_owned(), ParamKind::Buffer { ty, low, high, count: COUNT });
        add("n".to_owned(), ParamKind::Int { ty: "int", low: 0, high: COUNT as i64 });
    }
    if random.one_in(3) {
        add("s".to_owned(), ParamKind::Text { max: COUNT });
    }
    if random.one_in(3) {
        add("p".to_owned(), ParamKind::Item);
    }
    if random.one_in(3) {
        let (low, high) = (i64::MIN, i64::MAX);
        add("out".to_owned(), ParamKind::Buffer { ty: "long", low, high, count: 1 });
    }
    if random.one_in(6) {
        add("head".to_owned(), ParamKind::OutList);
    }
    let globals = GLOBALS.iter().filter(|_| random.one_in(4)).cloned().collect();
    Interface { params, globals }
}

impl Generator<'_> {
    /// Collects what the interface lets the body read and write.
    fn see(&mut self, interface: &Interface) {
        for Param { name, kind } in &interface.params {
            match kind {
                ParamKind::Int { .. } => self.readable.push(Place::whole(name)),
                ParamKind::Real { .. } => self.readable.push(Place::real(name)),
                ParamKind::Buffer { count: 1, .. } => {
                    self.readable.push(Place::whole(format!("*{name}")));
                    self.writable.push(Place::whole(format!("*{name}")));
                }
                ParamKind::Buffer { .. } => self.buffers.push((name.clone(), "n".to_owned())),
                ParamKind::Text { .. } => self.texts.push(name.clone()),
                ParamKind::Item => self.item(&format!("{name}->")),
                ParamKind::OutList => {} // Only lists are stored there.
            }
        }
        for Global { name, kind, .. } in &interface.globals {
            match kind {
                GlobalKind::Int => {
                    self.readable.push(Place::whole(*name));
                    self.writable.push(Place::whole(*name));
                }
                GlobalKind::Array(count) => {
                    for index in 0..*count {
                        self.writable.push(Place::whole(format!("{name}[{index}]")));
                    }
                    self.readable.push(Place::whole(format!("{name}[1]")));
                }
                GlobalKind::Item => self.item(&format!("{name}.")),
                GlobalKind::Message | GlobalKind::Chain => {} // Only objects are stored there.
            }
        }
    }

    fn item(&mut self, prefix: &str) {
        let members = [Place::whole(format!("{prefix}a")), Place::whole(format!("{prefix}c"))];
        for place in members.into_iter().chain([Place::real(format!("{prefix}d"))]) {
            self.readable.push(place.clone());
            self.writable.push(place);
        }
    }

    fn version(&mut self, interface: &Interface) -> Version {
        let (wholes, reals) = (3, 2);
        let mut body = Vec::new();
        for (name, is_real) in (0..wholes)
            .map(|number| (format!("x{number}"), false))
            .chain((0..reals).map(|number| (format!("d{number}"), true)))
        {
            let place = Place { text: name, is_real };
            let start = self.value_for(&place);
            body.push(Stmt::Set(place.clone(), start));
            self.readable.push(place.clone());
            self.writable.push(place);
        }
        for _ in 0..self.statements + self.random.below(2) {
            body.push(self.stmt(2));
        }
        // Mostly, everything that a caller can see is written.
        for place in self.writable.clone() {
            if !place.text.starts_with(['x', 'd']) && !self.random.one_in(4) {
                let value = self.value_for(&place);
                body.push(Stmt::Set(place, value));
            }
        }
        for Global { name, kind, .. } in &interface.globals {
            let kinds: &[Kind] = match kind {
                GlobalKind::Message => &[Kind::Text, Kind::Digits, Kind::Literal],
                GlobalKind::Chain => &[Kind::List],
                _ => continue,
            };
            let object = self.object(kinds);
            body.push(Stmt::Build { target: (*name).to_owned(), object });
        }
        if interface.params.iter().any(|param| param.kind == ParamKind::OutList) {
            let object = self.object(&[Kind::List]);
            body.push(Stmt::Build { target: "*head".to_owned(), object });
        }
        let returned = self.returned();
        Version { wholes, reals, loops: self.loops, body, returned, parts: Vec::new() }
    }

    fn returned(&mut self) -> Returned {
        const OBJECTS: [Kind; 6] =
            [Kind::Text, Kind::Digits, Kind::Literal, Kind::Item, Kind::List, Kind::Pair];
        match self.random.below(10) {
            0 => Returned::Nothing,
            1 | 2 => Returned::Int("int", self.expr(Sort::Whole, self.depth)),
            3 => Returned::Int("unsigned short", self.expr(Sort::Whole, self.depth)),
            4 => Returned::Real(self.expr(Sort::Real, self.depth)),
            5 => {
                let [a, b] = [0; 2].map(|_| self.expr(Sort::Whole, 1));
                Returned::Item(a, b, self.expr(Sort::Real, 1))
            }
            6 if !self.texts.is_empty() => {
                Returned::Inside(self.texts[0].clone(), self.expr(Sort::Whole, 1))
            }
            _ => Returned::Object(self.object(&OBJECTS)),
        }
    }

    fn object(&mut self, kinds: &[Kind]) -> Object {
        let kind = kinds[self.random.below(kinds.len())];
        let args = [0; 3].map(|_| self.expr(Sort::Whole, 1));
        Object { kind, args, style: 0, mistake: None }
    }

    fn value_for(&mut self, place: &Place) -> Expr {
        self.expr(if place.is_real { Sort::Real } else { Sort::Whole }, self.depth)
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        match self.random.below(5) {
            0 | 1 if depth > 0 => self.a_loop(depth - 1),
            2 if depth > 0 => {
                let condition = self.expr(Sort::Truth, self.depth);
                let then = (0..1 + self.random.below(2)).map(|_| self.stmt(depth - 1)).collect();
                let other = (0..self.random.below(2)).map(|_| self.stmt(depth - 1)).collect();
                Stmt::If(condition, then, other)
            }
            _ => {
                let place = self.writable[self.random.below(self.writable.len())].clone();
                let value = self.value_for(&place);
                Stmt::Set(place, value)
            }
        }
    }

    fn a_loop(&mut self, depth: usize) -> Stmt {
        let number = self.loops;
        self.loops += 1;
        let index = Place::whole(format!("i{number}"));
        let saved = (self.readable.clone(), self.writable.clone());
        self.readable.push(index);
        let bound = match self.random.below(5) {
            0 | 1 if !self.buffers.is_empty() => {
                let (buffer, length) = self.buffers[0].clone();
                let element = Place::whole(format!("{buffer}[i{number}]"));
                // Prefer reads of elements.
                self.readable.extend([element.clone(), element.clone()]);
                self.writable.push(element);
                Bound::Times(Expr::read(&Place::whole(length)))
            }
            0..=2 if !self.texts.is_empty() => {
                let text = self.texts[0].clone();
                let character = Place::whole(format!("{text}[i{number}]"));
                self.readable.extend([character.clone(), character]);
                Bound::Text(text)
            }
            3 => {
                let place = Place::whole("x0");
                self.writable.retain(|writable| *writable != place);
                Bound::Halving { place, above: self.random.below(20) as u32, or_equal: false }
            }
            4 => {
                let rounds = self.expr(Sort::Whole, 1);
                Bound::Times(Expr::new(Op::And, vec![rounds, Expr::number(7)]))
            }
            _ => Bound::Times(Expr::number(1 + self.random.below(6) as u32)),
        };
        let any_order = self.random.one_in(2) && !matches!(bound, Bound::Halving { .. });
        let body = if any_order {
            vec![self.gathering()]
        } else {
            (0..1 + self.random.below(2)).map(|_| self.stmt(depth)).collect()
        };
        (self.readable, self.writable) = saved;
        Stmt::Loop(Loop { number, bound, form: Form::For, body, any_order })
    }

    /// `x1 = x1 + …`, where the rest does not depend on earlier rounds.
    fn gathering(&mut self) -> Stmt {
        let sum = Place::whole("x1");
        let saved = self.readable.clone();
        self.readable.retain(|place| *place != sum);
        let value = self.expr(Sort::Whole, self.depth);
        self.readable = saved;
        let op = [Op::Add, Op::Xor][self.random.below(2)].clone();
        Stmt::Set(sum.clone(), Expr::new(op, vec![Expr::read(&sum), value]))
    }

    fn expr(&mut self, sort: Sort, depth: usize) -> Expr {
        match sort {
            Sort::Whole if depth == 0 || self.random.one_in(4) => self.leaf(false),
            Sort::Real if depth == 0 || self.random.one_in(4) => self.leaf(true),
            Sort::Whole => self.whole(depth - 1),
            Sort::Real => self.real(depth - 1),
            Sort::Truth => self.truth(depth.saturating_sub(1)),
        }
    }

    fn leaf(&mut self, is_real: bool) -> Expr {
        let places: Vec<&Place> =
            self.readable.iter().filter(|place| place.is_real == is_real).collect();
        if !places.is_empty() && !self.random.one_in(4) {
            return Expr::read(places[self.random.below(places.len())]);
        }
        if is_real {
            Expr::real([0.0, 1.0, -0.0, 0.5, 3.0, 1e10][self.random.below(6)])
        } else {
            Expr::number(match self.random.below(4) {
                0 => self.random.next() as u32,
                1 => [255, 256, 65535, 0x7fff_ffff, 0x8000_0000, u32::MAX][self.random.below(6)],
                _ => self.random.below(20) as u32,
            })
        }
    }

    fn whole(&mut self, depth: usize) -> Expr {
        const OPS: [Op; 8] =
            [Op::Add, Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Rem];
        match self.random.below(12) {
            0 => Expr::new(Op::Not, vec![self.expr(Sort::Whole, depth)]),
            1 => {
                let by = 1 + self.random.below(30) as u32;
                let op = if self.random.one_in(2) { Op::Shl(by) } else { Op::Shr(by) };
                Expr::new(op, vec![self.expr(Sort::Whole, depth)])
            }
            2 => {
                let condition = self.truth(depth);
                let [a, b] = [0; 2].map(|_| self.expr(Sort::Whole, depth));
                Expr::new(Op::Choose, vec![condition, a, b])
            }
            3 if self.readable.iter().any(|place| place.is_real) => {
                Expr::new(Op::Whole, vec![self.expr(Sort::Real, depth)])
            }
            4 => {
                let divisor = Expr::number(1 + self.random.below(1000) as u32);
                Expr::new(Op::Div, vec![self.expr(Sort::Whole, depth), divisor])
            }
            _ => {
                let op = OPS[self.random.below(OPS.len())].clone();
                let [a, b] = [0; 2].map(|_| self.expr(Sort::Whole, depth));
                Expr::new(op, vec![a, b])
            }
        }
    }

    fn real(&mut self, depth: usize) -> Expr {
        const OPS: [Op; 5] = [Op::RealAdd, Op::RealAdd, Op::RealSub, Op::RealMul, Op::RealDiv];
        match self.random.below(8) {
            0 => Expr::new(Op::RealNeg, vec![self.expr(Sort::Real, depth)]),
            1 | 2 => Expr::new(Op::ToReal, vec![self.expr(Sort::Whole, depth)]),
            _ => {
                let op = OPS[self.random.below(OPS.len())].clone();
                let [a, b] = [0; 2].map(|_| self.expr(Sort::Real, depth));
                Expr::new(op, vec![a, b])
            }
        }
    }

    fn truth(&mut self, depth: usize) -> Expr {
        const OPS: [Op; 5] = [Op::Less, Op::AtMost, Op::Equal, Op::SignedLess, Op::SignedAtMost];
        const REAL_OPS: [Op; 3] = [Op::RealLess, Op::RealAtMost, Op::RealEqual];
        let real = self.readable.iter().any(|place| place.is_real) && self.random.one_in(4);
        match self.random.below(8) {
            0 => self.truth(depth.saturating_sub(1)).negated(),
            1 | 2 if depth > 0 => {
                let op = if self.random.one_in(2) { Op::Both } else { Op::Either };
                Expr::new(op, vec![self.truth(depth - 1), self.truth(depth - 1)])
            }
            _ if real => {
                let op = REAL_OPS[self.random.below(REAL_OPS.len())].clone();
                let [a, b] = [0; 2].map(|_| self.expr(Sort::Real, depth));
                Expr::new(op, vec![a, b])
            }
            _ => {
                let op = OPS[self.random.below(OPS.len())].clone();
                let [a, b] = [0; 2].map(|_| self.expr(Sort::Whole, depth));
                Expr::new(op, vec![a, b])
            }
        }
    }
}
