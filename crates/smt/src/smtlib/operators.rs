//! Operators of the core theory, of bit vectors and of arrays.

use super::SmtLibError;
use super::elaborate::Call;
use super::floats;
use super::values::{Kind, Typed};
use crate::term::{MAX_WIDTH, TermId, Terms};

pub fn apply(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    if call.operator.starts_with("fp") || call.operator.starts_with("to_fp") {
        return floats::apply(t, call);
    }
    if let Some(result) = core(t, call)? {
        return Ok(result);
    }
    let all_bits: Option<Vec<(u32, TermId)>> = call
        .arguments
        .iter()
        .map(|argument| match argument {
            Typed::Term(Kind::Bits(width), term) => Some((*width, *term)),
            _ => None,
        })
        .collect();
    if let Some(arguments) = all_bits {
        return match arguments.as_slice() {
            [(_, a)] => unary(t, call, *a),
            [(_, _), ..] => many(t, call, &arguments),
            [] => Err(unknown(call)),
        };
    }
    match (call.operator, call.arguments) {
        (
            "select",
            [
                Typed::Term(Kind::Array { index, element }, array),
                Typed::Term(Kind::Bits(width), at),
            ],
        ) if width == index => Ok(Typed::Term(Kind::Bits(*element), t.select(*array, *at))),
        (
            "store",
            [
                Typed::Term(kind @ Kind::Array { index, element }, array),
                Typed::Term(Kind::Bits(width), at),
                Typed::Term(Kind::Bits(other), value),
            ],
        ) if width == index && other == element => {
            Ok(Typed::Term(*kind, t.store(*array, *at, *value)))
        }
        _ if is_known(call.operator) => Err(call.wrong()),
        _ => Err(unknown(call)),
    }
}

fn is_known(operator: &str) -> bool {
    operator.starts_with("bv") || matches!(operator, "select" | "store" | "concat" | "extract")
}

fn unknown(call: &Call<'_>) -> SmtLibError {
    SmtLibError::Undeclared { line: call.line, name: call.operator.to_owned() }
}

fn core(t: &mut Terms, call: &Call<'_>) -> Result<Option<Typed>, SmtLibError> {
    let boolean = |term| Ok(Some(Typed::Term(Kind::Bool, term)));
    match (call.operator, call.arguments) {
        ("=" | "distinct", [first, _, ..]) => {
            if call.arguments.iter().any(|a| a.kind() != first.kind()) {
                return Err(call.wrong());
            }
            equalities(t, call).map(Some)
        }
        ("ite", [condition, then, otherwise]) => match (condition, then, otherwise) {
            (Typed::Term(Kind::Bool, c), Typed::Term(kind, x), Typed::Term(other, y))
                if kind == other =>
            {
                Ok(Some(Typed::Term(*kind, t.ite(*c, *x, *y))))
            }
            _ => Err(call.wrong()),
        },
        ("not" | "and" | "or" | "xor" | "=>", arguments) => {
            let conditions: Option<Vec<TermId>> = arguments
                .iter()
                .map(|a| match a {
                    Typed::Term(Kind::Bool, term) => Some(*term),
                    _ => None,
                })
                .collect();
            let conditions = conditions.ok_or_else(|| call.wrong())?;
            match (call.operator, conditions.as_slice()) {
                ("not", [one]) => boolean(t.not(*one)),
                ("and", [_, ..]) => boolean(t.all(&conditions)),
                ("or", [_, ..]) => boolean(t.any(&conditions)),
                ("xor", [first, rest @ ..]) if !rest.is_empty() => {
                    boolean(rest.iter().fold(*first, |x, y| t.xor(x, *y)))
                }
                ("=>", [rest @ .., last]) if !rest.is_empty() => {
                    boolean(rest.iter().rev().fold(*last, |x, y| t.implies(*y, x)))
                }
                _ => Err(call.wrong()),
            }
        }
        _ => Ok(None),
    }
}

fn equalities(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    let mut all = Terms::TRUE;
    let count = call.arguments.len();
    for i in 0..count {
        // `=` is chained, `distinct` is pairwise.
        let until = if call.operator == "=" { (i + 2).min(count) } else { count };
        for j in i + 1..until {
            let same = equal(t, call, call.arguments[i], call.arguments[j])?;
            let holds = if call.operator == "=" { same } else { t.not(same) };
            all = t.and(all, holds);
        }
    }
    Ok(Typed::Term(Kind::Bool, all))
}

fn equal(t: &mut Terms, call: &Call<'_>, a: Typed, b: Typed) -> Result<TermId, SmtLibError> {
    match (a, b) {
        (Typed::Term(Kind::Bool | Kind::Bits(_), x), Typed::Term(_, y)) => Ok(t.eq(x, y)),
        (Typed::Term(Kind::Float(_), x), Typed::Term(_, y)) => {
            // There is one NaN, whatever its bits.
            let (same, x_nan, y_nan) = (t.eq(x, y), t.is_nan(x), t.is_nan(y));
            let nans = t.and(x_nan, y_nan);
            Ok(t.or(same, nans))
        }
        (Typed::Term(Kind::Array { .. }, x), Typed::Term(_, y)) if x == y => Ok(Terms::TRUE),
        (Typed::Term(Kind::Array { .. }, _), _) => Err(call.unsupported("equality of arrays")),
        (Typed::Rounding(x), Typed::Rounding(y)) => Ok(t.boolean(x == y)),
        _ => Err(call.wrong()),
    }
}

fn unary(t: &mut Terms, call: &Call<'_>, a: TermId) -> Result<Typed, SmtLibError> {
    let width = t.width(a);
    let result = match (call.operator, call.indices) {
        ("bvnot", []) => t.not(a),
        ("bvneg", []) => t.neg(a),
        ("bvnego", []) => {
            let one = t.constant(1, 1);
            let zeros = (width > 1).then(|| t.constant(width - 1, 0));
            let least = zeros.map_or(one, |zeros| t.concat(one, zeros));
            return Ok(Typed::Term(Kind::Bool, t.eq(a, least)));
        }
        ("extract", [high, low]) if low <= high && *high < width => {
            t.extract(a, *low, high - low + 1)
        }
        ("zero_extend", [by]) if by.saturating_add(width) <= MAX_WIDTH => t.zext(a, width + by),
        ("sign_extend", [by]) if by.saturating_add(width) <= MAX_WIDTH => t.sext(a, width + by),
        ("repeat", [times @ 1..=u32::MAX]) if times.saturating_mul(width) <= MAX_WIDTH => {
            (1..*times).fold(a, |all, _| t.concat(all, a))
        }
        ("rotate_left" | "rotate_right", [by]) => {
            let by = by % width;
            let amount = t.constant(width, u64::from(by));
            match call.operator {
                "rotate_left" => t.rotate_left(a, amount),
                _ => t.rotate_right(a, amount),
            }
        }
        (operator, _) if is_known(operator) || !call.indices.is_empty() => return Err(call.wrong()),
        _ => return Err(unknown(call)),
    };
    Ok(Typed::Term(Kind::Bits(t.width(result)), result))
}

fn many(t: &mut Terms, call: &Call<'_>, arguments: &[(u32, TermId)]) -> Result<Typed, SmtLibError> {
    let terms: Vec<TermId> = arguments.iter().map(|(_, term)| *term).collect();
    let (first, rest) = (terms[0], &terms[1..]);
    if call.operator == "concat" && call.indices.is_empty() {
        let total: u32 = arguments.iter().map(|(width, _)| width).sum();
        if total > MAX_WIDTH {
            return Err(call.unsupported("a bit vector that wide"));
        }
        let all = rest.iter().fold(first, |high, low| t.concat(high, *low));
        return Ok(Typed::Term(Kind::Bits(total), all));
    }
    if !call.indices.is_empty() || arguments.iter().any(|(width, _)| *width != arguments[0].0) {
        return Err(call.wrong());
    }
    let fold = |t: &mut Terms, operation: fn(&mut Terms, TermId, TermId) -> TermId| {
        let all = rest.iter().fold(first, |x, y| operation(t, x, *y));
        Ok(Typed::Term(Kind::Bits(arguments[0].0), all))
    };
    match call.operator {
        "bvand" => return fold(t, Terms::and),
        "bvor" => return fold(t, Terms::or),
        "bvxor" => return fold(t, Terms::xor),
        "bvadd" => return fold(t, Terms::add),
        "bvmul" => return fold(t, Terms::mul),
        _ => {}
    }
    let [second] = rest else { return Err(call.wrong()) };
    binary(t, call, first, *second)
}

fn binary(t: &mut Terms, call: &Call<'_>, a: TermId, b: TermId) -> Result<Typed, SmtLibError> {
    let bits = |t: &Terms, term| Ok(Typed::Term(Kind::Bits(t.width(term)), term));
    let boolean = |term| Ok(Typed::Term(Kind::Bool, term));
    let result = match call.operator {
        "bvsub" => t.sub(a, b),
        "bvudiv" => t.udiv(a, b),
        "bvurem" => t.urem(a, b),
        "bvsdiv" => t.sdiv(a, b),
        "bvsrem" => t.srem(a, b),
        "bvsmod" => signed_modulo(t, a, b),
        "bvshl" => t.shl(a, b),
        "bvlshr" => t.lshr(a, b),
        "bvashr" => t.ashr(a, b),
        "bvnand" => {
            let both = t.and(a, b);
            t.not(both)
        }
        "bvnor" => {
            let either = t.or(a, b);
            t.not(either)
        }
        "bvxnor" => {
            let differ = t.xor(a, b);
            t.not(differ)
        }
        "bvcomp" => t.eq(a, b),
        "bvult" => return boolean(t.ult(a, b)),
        "bvule" => return boolean(t.ule(a, b)),
        "bvugt" => return boolean(t.ugt(a, b)),
        "bvuge" => return boolean(t.uge(a, b)),
        "bvslt" => return boolean(t.slt(a, b)),
        "bvsle" => return boolean(t.sle(a, b)),
        "bvsgt" => return boolean(t.sgt(a, b)),
        "bvsge" => return boolean(t.sge(a, b)),
        "bvuaddo" | "bvsaddo" | "bvumulo" | "bvsmulo" | "bvusubo" | "bvssubo" => {
            return boolean(overflow(t, call.operator, a, b));
        }
        _ => return Err(unknown(call)),
    };
    bits(t, result)
}

/// The remainder with the sign of the divisor.
fn signed_modulo(t: &mut Terms, a: TermId, b: TermId) -> TermId {
    let width = t.width(a);
    let rest = t.srem(a, b);
    let zero = t.constant(width, 0);
    let (is_zero, shifted) = (t.eq(rest, zero), t.add(rest, b));
    let (rest_negative, b_negative) = (t.slt(rest, zero), t.slt(b, zero));
    let same_sign = t.eq(rest_negative, b_negative);
    let fits = t.or(is_zero, same_sign);
    let no_divisor = t.eq(b, zero);
    let fits = t.or(fits, no_divisor);
    t.ite(fits, rest, shifted)
}

/// Whether the operation in twice the width gives a different result.
fn overflow(t: &mut Terms, operator: &str, a: TermId, b: TermId) -> TermId {
    let width = t.width(a);
    let signed = operator.as_bytes()[2] == b's';
    let extend = |t: &mut Terms, x, to| if signed { t.sext(x, to) } else { t.zext(x, to) };
    let wide = if operator.contains("mul") { 2 * width } else { width + 1 };
    let wide = wide.min(MAX_WIDTH);
    let (x, y) = (extend(t, a, wide), extend(t, b, wide));
    let (exact, wrapped) = match &operator[3..] {
        "addo" => (t.add(x, y), t.add(a, b)),
        "subo" => (t.sub(x, y), t.sub(a, b)),
        _ => (t.mul(x, y), t.mul(a, b)),
    };
    let back = extend(t, wrapped, wide);
    t.ne(exact, back)
}
