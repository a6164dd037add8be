//! One mistake in a function: another operator, constant or condition, a removed or moved
//! statement, an extra round, another object, or something that happens rarely.

use crate::fuzz::random::Random;

use super::language::{
    Bound, Expr, Interface, Op, ParamKind, Place, Stmt, Version, each_block, each_stmt,
};

/// Attempts until something changes.
const ATTEMPTS: usize = 20;

/// Mutates a version; returns the kind of change.
pub fn mutate(version: &mut Version, interface: &Interface, random: &mut Random) -> &'static str {
    for _ in 0..ATTEMPTS {
        let (kind, changed) = match random.below(12) {
            0 => ("statement left out", left_out(version, random)),
            1 => ("order", order(version, random)),
            2 | 3 => ("loop bound", bound(version, random)),
            4 | 5 => ("object", object(version, random)),
            6 | 7 => ("rare", rare(version, interface, random)),
            _ => ("expression", expression(version, random)),
        };
        if changed {
            return kind;
        }
    }
    "none"
}

fn expression(version: &mut Version, random: &mut Random) -> bool {
    let mut nodes = 0;
    version.each_expr(&mut |expr| expr.each(&mut |_| nodes += 1));
    let chosen = random.below(nodes);
    let (mut index, mut changed) = (0, false);
    version.each_expr(&mut |expr| {
        expr.each_mut(&mut |node| {
            if index == chosen {
                changed = change(node, random);
            }
            index += 1;
        });
    });
    changed
}

fn change(node: &mut Expr, random: &mut Random) -> bool {
    let op = match &node.op {
        Op::Const(value) => Op::Const(match random.below(4) {
            0 => value.wrapping_add(1),
            1 => value.wrapping_sub(1),
            2 => value ^ 1 << random.below(32),
            _ => !value,
        }),
        Op::Add => Op::Sub,
        Op::Sub => Op::Add,
        Op::Mul => Op::Add,
        Op::And => Op::Or,
        Op::Or => Op::Xor,
        Op::Xor => Op::Or,
        Op::Div => Op::Rem,
        Op::Rem => Op::Div,
        Op::Shl(by) => Op::Shl(by % 30 + 1),
        Op::Shr(by) => Op::Shr(by % 30 + 1),
        Op::RealAdd => Op::RealSub,
        Op::RealSub => Op::RealAdd,
        Op::RealMul => Op::RealDiv,
        Op::RealDiv => Op::RealMul,
        Op::Less => Op::AtMost,
        Op::AtMost => Op::Less,
        Op::SignedLess => [Op::SignedAtMost, Op::Less][random.below(2)].clone(),
        Op::SignedAtMost => [Op::SignedLess, Op::AtMost][random.below(2)].clone(),
        Op::Both => Op::Either,
        Op::Either => Op::Both,
        // Wrong for zeros.
        Op::RealNeg => {
            *node = Expr::new(Op::RealSub, vec![Expr::real(0.0), node.args[0].clone()]);
            return true;
        }
        // Wrong for NaNs.
        Op::RealLess | Op::RealAtMost => {
            let op = if node.op == Op::RealLess { Op::RealAtMost } else { Op::RealLess };
            let (a, b) = (node.args[0].clone(), node.args[1].clone());
            *node = Expr::new(op, vec![b, a]).negated();
            return true;
        }
        Op::Choose => {
            node.args.swap(1, 2);
            return true;
        }
        Op::Equal | Op::RealEqual => {
            *node = node.clone().negated();
            return true;
        }
        Op::Negate => {
            *node = node.args[0].clone();
            return true;
        }
        Op::Not => {
            *node = node.args[0].clone();
            return true;
        }
        Op::Read(_) | Op::Whole | Op::ToReal | Op::Real(_) | Op::Call(_) => return false,
    };
    node.op = op;
    true
}

/// Statements of all blocks, by number.
fn stmts(version: &mut Version) -> usize {
    let mut count = 0;
    each_stmt(&mut version.body, &mut |_| count += 1);
    count
}

fn left_out(version: &mut Version, random: &mut Random) -> bool {
    let chosen = random.below(stmts(version));
    let (mut first, mut changed) = (0, false);
    each_block(&mut version.body, &mut |block| {
        let inside = chosen.checked_sub(first).filter(|&index| index < block.len());
        first += block.len();
        // Variables keep their initial values, which all of them have.
        if let Some(index) = inside.filter(|_| !changed)
            && matches!(&block[index], Stmt::Set(..) | Stmt::If(..))
        {
            block.remove(index);
            changed = true;
        }
    });
    changed
}

fn order(version: &mut Version, random: &mut Random) -> bool {
    let mut changed = false;
    each_block(&mut version.body, &mut |block| {
        if !changed && block.len() > 1 {
            let index = 1 + random.below(block.len() - 1);
            block.swap(index - 1, index);
            changed = true;
        }
    });
    changed
}

fn bound(version: &mut Version, random: &mut Random) -> bool {
    let mut changed = false;
    each_stmt(&mut version.body, &mut |stmt| {
        let Stmt::Loop(one) = stmt else { return };
        if changed {
            return;
        }
        match &mut one.bound {
            Bound::Times(count) => {
                // An extra round would leave a buffer, which is as good a mistake.
                let op = if random.one_in(4) { Op::Add } else { Op::Sub };
                let less = Expr::new(op, vec![count.clone(), Expr::number(1)]);
                let none = Expr::new(Op::Equal, vec![count.clone(), Expr::number(0)]);
                *count = Expr::new(Op::Choose, vec![none, Expr::number(0), less]);
            }
            Bound::Halving { above, or_equal, .. } => {
                if random.one_in(2) {
                    *or_equal = true
                } else {
                    *above += 1
                }
            }
            Bound::Text(_) => return,
        }
        changed = true;
    });
    changed
}

fn object(version: &mut Version, random: &mut Random) -> bool {
    let mut changed = false;
    version.each_object(&mut |object| {
        if !changed {
            object.mistake = Some(random.below(3) as u32);
            changed = true;
        }
    });
    changed
}

/// Something that happens only for few values of the parameters.
fn rare(version: &mut Version, interface: &Interface, random: &mut Random) -> bool {
    let mut condition: Option<Expr> = None;
    for param in &interface.params {
        let ParamKind::Int { low, high, .. } = param.kind else { continue };
        let width = high.wrapping_sub(low) as u64;
        let value = low.wrapping_add((random.next() % width.max(1)) as i64);
        let place = Expr::read(&Place::whole(&param.name));
        let is = Expr::new(Op::Equal, vec![place, Expr::number(value as u32)]);
        condition = Some(match condition {
            Some(before) => Expr::new(Op::Both, vec![before, is]),
            None => is,
        });
    }
    let targets: Vec<Place> = version
        .body
        .iter()
        .filter_map(|stmt| match stmt {
            Stmt::Set(place, _) if !place.is_real => Some(place.clone()),
            _ => None,
        })
        .collect();
    let (Some(condition), Some(target)) = (condition, random.choose(&targets)) else {
        return false;
    };
    let value = Expr::new(Op::Xor, vec![Expr::read(target), Expr::number(1)]);
    let stmt = Stmt::If(condition, vec![Stmt::Set(target.clone(), value)], Vec::new());
    version.body.push(stmt);
    true
}
