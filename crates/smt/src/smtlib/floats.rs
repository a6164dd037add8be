//! Operators of the theory of floats, for single and double precision.

use super::SmtLibError;
use super::elaborate::{Call, expect_nearest};
use super::sexpr::Sexpr;
use super::values::{Kind, Typed};
use crate::float::Format;
use crate::term::{Rounding, TermId, Terms};

pub fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
        "RTP" | "roundTowardPositive" => Rounding::TowardPositive,
        "RTN" | "roundTowardNegative" => Rounding::TowardNegative,
        "RTZ" | "roundTowardZero" => Rounding::TowardZero,
        _ => return None,
    })
}

fn width_of(exponent: u32, significand: u32) -> Option<u32> {
    match (exponent, significand) {
        (8, 24) => Some(32),
        (11, 53) => Some(64),
        _ => None,
    }
}

/// `((_ to_fp 11 53) RNE 0.1)`: converts the number here, because we have no sort for it.
pub fn from_decimal(
    terms: &mut Terms,
    head: &Sexpr,
    arguments: &[Sexpr],
) -> Result<Option<Typed>, SmtLibError> {
    let Some([_, operator, exponent, significand]) = head.list() else { return Ok(None) };
    let [mode, number] = arguments else { return Ok(None) };
    if operator.atom() != Some("to_fp") {
        return Ok(None);
    }
    let Some(text) = decimal(number) else { return Ok(None) };
    let line = head.line;
    let unsupported = || SmtLibError::Unsupported { line, what: format!("`{head}` of a number") };
    let index = |part: &Sexpr| part.atom()?.parse().ok();
    let width = index(exponent)
        .zip(index(significand))
        .and_then(|(e, s)| width_of(e, s))
        .ok_or_else(unsupported)?;
    if mode.atom().and_then(rounding) != Some(Rounding::NearestEven) {
        return Err(unsupported());
    }
    let bits = match width {
        64 => text.parse::<f64>().map(f64::to_bits).ok(),
        _ => text.parse::<f32>().map(|value| u64::from(value.to_bits())).ok(),
    };
    let bits = bits.ok_or_else(unsupported)?;
    Ok(Some(Typed::Term(Kind::Float(width), terms.constant(width, bits))))
}

/// A decimal number, or its negation.
fn decimal(sexpr: &Sexpr) -> Option<String> {
    if let Some([minus, number]) = sexpr.list() {
        return (minus.atom() == Some("-")).then(|| decimal(number).map(|n| format!("-{n}")))?;
    }
    let text = sexpr.atom()?;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (digits && text.starts_with(|c: char| c.is_ascii_digit())).then(|| text.to_owned())
}

pub fn apply(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    match call.operator {
        "fp" => literal(t, call),
        "to_fp" | "to_fp_unsigned" => convert(t, call),
        "fp.to_sbv" | "fp.to_ubv" => to_integer(t, call),
        _ => operation(t, call),
    }
}

fn literal(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    match call.arguments {
        [
            Typed::Term(Kind::Bits(1), sign),
            Typed::Term(Kind::Bits(exponent), e),
            Typed::Term(Kind::Bits(fraction), f),
        ] => {
            let width = width_of(*exponent, fraction + 1);
            let width = width.ok_or_else(|| call.unsupported("a float of that precision"))?;
            let low = t.concat(*e, *f);
            Ok(Typed::Term(Kind::Float(width), t.concat(*sign, low)))
        }
        _ => Err(call.wrong()),
    }
}

fn convert(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    let [exponent, significand] = call.indices else { return Err(call.wrong()) };
    let width = width_of(*exponent, *significand)
        .ok_or_else(|| call.unsupported("a float of that precision"))?;
    let unsigned = call.operator == "to_fp_unsigned";
    let term = match call.arguments {
        [Typed::Term(Kind::Bits(bits), term)] if *bits == width && !unsigned => *term,
        [Typed::Rounding(mode), Typed::Term(Kind::Float(_), term)] if !unsigned => {
            expect_nearest(call, *mode)?;
            t.fptofp(*term, width)
        }
        [Typed::Rounding(mode), Typed::Term(Kind::Bits(bits), term)] => {
            expect_nearest(call, *mode)?;
            if *bits > 128 {
                return Err(call.unsupported("a float of an integer of more than 128 bits"));
            }
            if unsigned { t.uitofp(*term, width) } else { t.sitofp(*term, width) }
        }
        _ => return Err(call.wrong()),
    };
    Ok(Typed::Term(Kind::Float(width), term))
}

fn to_integer(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    let [width @ 1..=u32::MAX] = call.indices else { return Err(call.wrong()) };
    if *width > 127 {
        return Err(call.unsupported("an integer of more than 127 bits of a float"));
    }
    let [Typed::Rounding(mode), Typed::Term(Kind::Float(_), term)] = call.arguments else {
        return Err(call.wrong());
    };
    let whole = match mode {
        Rounding::TowardZero => *term,
        mode => t.fround(*term, *mode),
    };
    let integer = match call.operator {
        "fp.to_sbv" => t.indefinite(whole, *width),
        _ => {
            let signed = t.indefinite(whole, width + 1);
            t.extract(signed, 0, *width)
        }
    };
    Ok(Typed::Term(Kind::Bits(*width), integer))
}

fn operation(t: &mut Terms, call: &Call<'_>) -> Result<Typed, SmtLibError> {
    let (mode, arguments) = match call.arguments {
        [Typed::Rounding(mode), rest @ ..] => (Some(*mode), rest),
        all => (None, all),
    };
    let mut terms = Vec::new();
    let mut width = 0;
    for argument in arguments {
        match argument {
            Typed::Term(Kind::Float(w), term) if width == 0 || width == *w => {
                width = *w;
                terms.push(*term);
            }
            _ => return Err(call.wrong()),
        }
    }
    if width == 0 {
        return Err(call.wrong());
    }
    match mode {
        Some(mode) => rounded(t, call, mode, &terms, width),
        None => exact(t, call, &terms, width),
    }
}

fn rounded(
    t: &mut Terms,
    call: &Call<'_>,
    mode: Rounding,
    arguments: &[TermId],
    width: u32,
) -> Result<Typed, SmtLibError> {
    let result = match (call.operator, arguments) {
        ("fp.roundToIntegral", [a]) => t.fround(*a, mode),
        (_, _) => {
            expect_nearest(call, mode)?;
            match (call.operator, arguments) {
                ("fp.add", [a, b]) => t.fadd(*a, *b),
                ("fp.sub", [a, b]) => t.fsub(*a, *b),
                ("fp.mul", [a, b]) => t.fmul(*a, *b),
                ("fp.div", [a, b]) => t.fdiv(*a, *b),
                ("fp.fma", [a, b, c]) => t.fma(*a, *b, *c),
                ("fp.sqrt", [a]) => t.fsqrt(*a),
                _ => return Err(call.wrong()),
            }
        }
    };
    Ok(Typed::Term(Kind::Float(width), result))
}

fn exact(
    t: &mut Terms,
    call: &Call<'_>,
    arguments: &[TermId],
    width: u32,
) -> Result<Typed, SmtLibError> {
    let float = |term| Ok(Typed::Term(Kind::Float(width), term));
    let boolean = |term| Ok(Typed::Term(Kind::Bool, term));
    match (call.operator, arguments) {
        ("fp.abs", [a]) => float(t.fabs(*a)),
        ("fp.neg", [a]) => float(t.fneg(*a)),
        ("fp.min", [a, b]) => float(t.fmin(*a, *b)),
        ("fp.max", [a, b]) => float(t.fmax(*a, *b)),
        ("fp.rem", _) => Err(call.unsupported("`fp.rem`")),
        ("fp.isNaN", [a]) => boolean(t.is_nan(*a)),
        ("fp.isInfinite", [a]) => boolean(t.is_infinite(*a)),
        ("fp.isZero", [a]) => boolean(t.is_float_zero(*a)),
        ("fp.isNormal" | "fp.isSubnormal", [a]) => {
            let format = Format::of_width(width);
            let field = t.extract(*a, format.fraction, format.exponent);
            let (zero, ones) =
                (t.constant(format.exponent, 0), t.constant(format.exponent, u64::MAX));
            let (low, high) = (t.eq(field, zero), t.eq(field, ones));
            if call.operator == "fp.isNormal" {
                let special = t.or(low, high);
                return boolean(t.not(special));
            }
            let is_zero = t.is_float_zero(*a);
            let not_zero = t.not(is_zero);
            boolean(t.and(low, not_zero))
        }
        ("fp.isNegative" | "fp.isPositive", [a]) => {
            let sign = t.extract(*a, width - 1, 1);
            let nan = t.is_nan(*a);
            let number = t.not(nan);
            let wanted = if call.operator == "fp.isNegative" { sign } else { t.not(sign) };
            boolean(t.and(wanted, number))
        }
        ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", [_, _, ..]) => {
            let mut all = Terms::TRUE;
            for pair in arguments.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                let holds = match call.operator {
                    "fp.eq" => t.feq(a, b),
                    "fp.lt" => t.flt(a, b),
                    "fp.leq" => t.fle(a, b),
                    "fp.gt" => t.flt(b, a),
                    _ => t.fle(b, a),
                };
                all = t.and(all, holds);
            }
            boolean(all)
        }
        _ => Err(call.wrong()),
    }
}
