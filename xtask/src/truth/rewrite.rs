//! Rewrites that preserve the behaviour of a function: other operators, other loops, other
//! allocations.
//!
//! Each of them holds for all values, including those that overflow, and for signed zeros. NaNs may
//! get other bits.

use crate::fuzz::random::Random;

use super::language::{
    Bound, Expr, Form, Loop, Op, Part, Place, Sort, Stmt, Version, each_block, each_stmt,
};

/// An expression with more nodes is not written twice.
const SMALL: usize = 6;

/// Rewrites a version.
pub fn rewrite(version: &mut Version, random: &mut Random) {
    version.each_expr(&mut |expr| rewrite_expr(expr, random));
    forms(version, random);
    version.each_object(&mut |object| object.style = random.below(3) as u32);
    branches(version, random);
    reorder(version, random);
    temporaries(version, random);
    unroll(version, random);
    extract(version, random);
    if random.one_in(12) {
        count(version, random);
    }
}

fn size(expr: &Expr) -> usize {
    let mut size = 0;
    expr.each(&mut |_| size += 1);
    size
}

fn rewrite_expr(expr: &mut Expr, random: &mut Random) {
    for arg in &mut expr.args {
        rewrite_expr(arg, random);
    }
    if random.one_in(3)
        && let Some(new) = other(expr, random)
    {
        *expr = new;
    }
}

fn two(op: Op, a: &Expr, b: &Expr) -> Expr {
    Expr::new(op, vec![a.clone(), b.clone()])
}

fn not(a: &Expr) -> Expr {
    Expr::new(Op::Not, vec![a.clone()])
}

/// The same value by other operations, if there is one.
fn other(expr: &Expr, random: &mut Random) -> Option<Expr> {
    match expr.args.as_slice() {
        [] => constant(expr, random),
        [a] => one(&expr.op, a),
        [a, b] => {
            let first = random.one_in(2);
            let small = size(a) + size(b) <= SMALL;
            whole(&expr.op, a, b, first, small)
                .or_else(|| condition(&expr.op, a, b, first, small))
                .or_else(|| real(&expr.op, a, b))
        }
        [c, a, b] if expr.op == Op::Choose => {
            Some(Expr::new(Op::Choose, vec![c.clone().negated(), b.clone(), a.clone()]))
        }
        _ => None,
    }
}

fn constant(expr: &Expr, random: &mut Random) -> Option<Expr> {
    let Op::Const(value) = expr.op else { return None };
    let part = random.next() as u32;
    Some(match random.below(3) {
        0 => two(Op::Add, &Expr::number(value.wrapping_sub(part)), &Expr::number(part)),
        1 => two(Op::Xor, &Expr::number(value ^ part), &Expr::number(part)),
        _ => not(&Expr::number(!value)),
    })
}

fn one(op: &Op, a: &Expr) -> Option<Expr> {
    Some(match op {
        Op::Not => two(Op::Sub, &Expr::number(u32::MAX), a),
        Op::Shl(by) => two(Op::Mul, a, &Expr::number(1 << by)),
        Op::RealNeg => two(Op::RealSub, &Expr::real(-0.0), a),
        Op::Negate => match (&a.op, a.args.as_slice()) {
            (Op::Both, [a, b]) => two(Op::Either, &a.clone().negated(), &b.clone().negated()),
            (Op::Either, [a, b]) => two(Op::Both, &a.clone().negated(), &b.clone().negated()),
            (Op::Negate, [a]) => a.clone(),
            (Op::Less, [a, b]) => two(Op::AtMost, b, a),
            (Op::SignedAtMost, [a, b]) => two(Op::SignedLess, b, a),
            _ => return None,
        },
        _ => return None,
    })
}

/// Operations on integers; `small` allows to write operands twice.
fn whole(op: &Op, a: &Expr, b: &Expr, first: bool, small: bool) -> Option<Expr> {
    Some(match (op, first) {
        (Op::Add, true) if small => {
            let carry = Expr::new(Op::Shl(1), vec![two(Op::And, a, b)]);
            two(Op::Add, &two(Op::Xor, a, b), &carry)
        }
        (Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor, false) => two(op.clone(), b, a),
        (Op::Add, _) => two(Op::Sub, a, &two(Op::Sub, &Expr::number(0), b)),
        (Op::Sub, true) => two(Op::Add, a, &two(Op::Add, &not(b), &Expr::number(1))),
        (Op::Sub, false) => not(&two(Op::Add, &not(a), b)),
        (Op::And, true) => not(&two(Op::Or, &not(a), &not(b))),
        (Op::Or, true) if small => two(Op::Add, &two(Op::And, a, &not(b)), b),
        (Op::Xor, true) if small => two(Op::Sub, &two(Op::Or, a, b), &two(Op::And, a, b)),
        _ => return None,
    })
}

fn condition(op: &Op, a: &Expr, b: &Expr, first: bool, small: bool) -> Option<Expr> {
    let shifted = |a: &Expr| two(Op::Xor, a, &Expr::number(1 << 31));
    Some(match (op, first) {
        (Op::Less, _) => two(Op::AtMost, b, a).negated(),
        (Op::AtMost, _) => two(Op::Less, b, a).negated(),
        (Op::Equal, true) => two(Op::Equal, &two(Op::Xor, a, b), &Expr::number(0)),
        (Op::Equal | Op::RealEqual | Op::Both | Op::Either, false) => two(op.clone(), b, a),
        (Op::SignedLess, true) => two(Op::Less, &shifted(a), &shifted(b)),
        (Op::SignedLess, false) => two(Op::SignedAtMost, b, a).negated(),
        (Op::SignedAtMost, _) => two(Op::SignedLess, b, a).negated(),
        (Op::RealEqual, true) if small => {
            two(Op::Both, &two(Op::RealAtMost, a, b), &two(Op::RealAtMost, b, a))
        }
        (Op::RealAtMost, _) if small => {
            two(Op::Either, &two(Op::RealLess, a, b), &two(Op::RealEqual, a, b))
        }
        (Op::Both, true) => two(Op::Either, &a.clone().negated(), &b.clone().negated()).negated(),
        _ => return None,
    })
}

fn real(op: &Op, a: &Expr, b: &Expr) -> Option<Expr> {
    Some(match op {
        Op::RealAdd | Op::RealMul => two(op.clone(), b, a),
        Op::RealSub => two(Op::RealAdd, a, &Expr::new(Op::RealNeg, vec![b.clone()])),
        _ => return None,
    })
}

fn forms(version: &mut Version, random: &mut Random) {
    const FORMS: [Form; 6] =
        [Form::For, Form::While, Form::Guarded, Form::Twice, Form::Peeled, Form::Downward];
    each_stmt(&mut version.body, &mut |stmt| {
        if let Stmt::Loop(one) = stmt {
            let form = FORMS[random.below(FORMS.len())];
            one.form = if form == Form::Downward && !one.any_order { Form::While } else { form };
        }
    });
}

fn branches(version: &mut Version, random: &mut Random) {
    each_stmt(&mut version.body, &mut |stmt| match stmt {
        Stmt::If(condition, then, other) if random.one_in(3) => {
            *condition = condition.clone().negated();
            std::mem::swap(then, other);
        }
        Stmt::Set(place, Expr { op: Op::Choose, args }) if random.one_in(2) => {
            if let [condition, a, b] = args.as_slice() {
                let [then, other] =
                    [a, b].map(|value| vec![Stmt::Set(place.clone(), value.clone())]);
                *stmt = Stmt::If(condition.clone(), then, other);
            }
        }
        _ => {} // Stays as it is.
    });
}

/// Swaps independent neighbours.
fn reorder(version: &mut Version, random: &mut Random) {
    each_block(&mut version.body, &mut |block| {
        for index in 1..block.len() {
            if random.one_in(2) && independent(&block[index - 1], &block[index]) {
                block.swap(index - 1, index);
            }
        }
    });
}

fn independent(a: &Stmt, b: &Stmt) -> bool {
    let (Stmt::Set(to, value), Stmt::Set(other_to, other_value)) = (a, b) else { return false };
    let reads =
        |value: &Expr, place: &Place| value.places().iter().any(|read| read.base() == place.base());
    to.base() != other_to.base() && !reads(value, other_to) && !reads(other_value, to)
}

/// Passes values through variables of their own.
fn temporaries(version: &mut Version, random: &mut Random) {
    let (mut wholes, mut reals) = (version.wholes, version.reals);
    each_block(&mut version.body, &mut |block| {
        let mut index = 0;
        while index < block.len() {
            if let Stmt::Set(_, value) = &mut block[index]
                && random.one_in(6)
            {
                let temporary = match value.sort() {
                    Sort::Real => {
                        reals += 1;
                        Place::real(format!("d{}", reals - 1))
                    }
                    _ => {
                        wholes += 1;
                        Place::whole(format!("x{}", wholes - 1))
                    }
                };
                let value = std::mem::replace(value, Expr::read(&temporary));
                block.insert(index, Stmt::Set(temporary, value));
                index += 1;
            }
            index += 1;
        }
    });
    (version.wholes, version.reals) = (wholes, reals);
}

/// Writes out a loop with a fixed number of rounds.
fn unroll(version: &mut Version, random: &mut Random) {
    each_block(&mut version.body, &mut |block| {
        let found = block.iter().position(|stmt| rounds(stmt).is_some());
        let Some(index) = found.filter(|_| random.one_in(3)) else { return };
        let Some((number, count, body)) = rounds(&block[index]) else { return };
        let counter = Place::whole(format!("i{number}"));
        let rounds = (0..count).flat_map(|round| {
            let start = Stmt::Set(counter.clone(), Expr::number(round));
            std::iter::once(start).chain(body.iter().cloned())
        });
        let end = Stmt::Set(counter.clone(), Expr::number(count));
        let rounds: Vec<Stmt> = rounds.chain([end]).collect();
        block.splice(index..=index, rounds);
    });
}

fn rounds(stmt: &Stmt) -> Option<(usize, u32, Vec<Stmt>)> {
    match stmt {
        Stmt::Loop(Loop {
            number,
            bound: Bound::Times(Expr { op: Op::Const(count), .. }),
            body,
            ..
        }) if *count <= 4 => Some((*number, *count, body.clone())),
        _ => None,
    }
}

/// Moves a value into a function of its own.
fn extract(version: &mut Version, random: &mut Random) {
    let mut parts = std::mem::take(&mut version.parts);
    version.each_expr(&mut |whole| {
        whole.each_mut(&mut |expr| {
            if expr.sort() != Sort::Whole || expr.args.is_empty() || !random.one_in(25) {
                return;
            }
            if matches!(expr.op, Op::Call(_)) {
                return;
            }
            // A function that calls others would have to come after them.
            let mut calls = false;
            expr.each(&mut |node| calls |= matches!(node.op, Op::Call(_)));
            if !calls {
                let (part, args) = parted(expr);
                parts.push(part);
                *expr = Expr::new(Op::Call(parts.len() - 1), args);
            }
        });
    });
    version.parts = parts;
}

fn parted(expr: &Expr) -> (Part, Vec<Expr>) {
    let mut read: Vec<Place> = Vec::new();
    for place in expr.places() {
        if !read.contains(place) {
            read.push(place.clone());
        }
    }
    let name = |index: usize| Place { text: format!("p{index}"), is_real: read[index].is_real };
    let params: Vec<Place> = (0..read.len()).map(name).collect();
    let mut body = expr.clone();
    body.each_mut(&mut |node| {
        if let Op::Read(place) = &mut node.op {
            let index = read.iter().position(|known| known == place);
            *place = params[index.expect("every place was collected")].clone();
        }
    });
    (Part { params, body }, read.iter().map(Expr::read).collect())
}

/// Computes one value by counting up to it, outside of loops.
fn count(version: &mut Version, random: &mut Random) {
    let candidates: Vec<usize> = version
        .body
        .iter()
        .enumerate()
        .filter(|(_, stmt)| matches!(stmt, Stmt::Set(place, _) if place.text.starts_with('x')))
        .map(|(index, _)| index)
        .collect();
    if let Some(&index) = random.choose(&candidates)
        && let Stmt::Set(place, value) = version.body[index].clone()
    {
        version.body[index] = Stmt::Count { place, value, down: random.one_in(2) };
    }
}
