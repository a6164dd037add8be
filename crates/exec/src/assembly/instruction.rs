//! From the text of one instruction to its operation.

use super::flags::Condition;
use super::operand::{self, Operand};
use super::register::{AX, BX, CX, DX, Register, Size};
use super::template::Statement;
use super::{Arithmetic, BitTest, Carry, Op, Repeat, Scan, Shift, Single, StringOp, Wide};

pub(super) fn assemble(statement: &Statement) -> Option<Op> {
    let name = statement.mnemonic.as_str();
    let operands = operand::list(&statement.operands)?;
    if operands.is_empty() {
        return match statement.repeat {
            None => alone(name).or_else(|| string(name, Repeat::Once)),
            Some(repeat) => string(name, repeat),
        };
    }
    // The newer instructions are the older ones with a prefix.
    let name = match (statement.repeat, name.trim_end_matches(['w', 'l', 'q'])) {
        (None, _) => name.to_owned(),
        (Some(Repeat::WhileEqual), base @ ("bsf" | "bsr")) => {
            let newer = if base == "bsf" { "tzcnt" } else { "lzcnt" };
            name.replacen(base, newer, 1)
        }
        _ => return None,
    };
    let op = extension(&name, &operands)
        .or_else(|| conditional(&name, &operands))
        .or_else(|| plain(&name, &operands))?;
    // No instruction here has two operands in memory or writes to a constant.
    let memory = operands.iter().filter(|operand| operand.is_memory()).count();
    (memory <= 1).then_some(op)
}

/// Instructions without operands.
fn alone(name: &str) -> Option<Op> {
    Some(match name {
        "cbtw" | "cbw" => Op::WidenAccumulator { size: Size::Word },
        "cwtl" | "cwde" => Op::WidenAccumulator { size: Size::Long },
        "cltq" | "cdqe" => Op::WidenAccumulator { size: Size::Quad },
        "cwtd" | "cwd" => Op::SpreadSign { size: Size::Word },
        "cltd" | "cdq" => Op::SpreadSign { size: Size::Long },
        "cqto" | "cqo" => Op::SpreadSign { size: Size::Quad },
        "clc" => Op::Carry(Carry::Clear),
        "stc" => Op::Carry(Carry::Set),
        "cmc" => Op::Carry(Carry::Complement),
        "cpuid" => Op::Zeros(&[AX, BX, CX, DX]),
        "xgetbv" => Op::Zeros(&[AX, DX]),
        "rdtsc" => Op::TimeStamp { processor: false },
        "rdtscp" => Op::TimeStamp { processor: true },
        "ud2" => Op::Trap,
        _ => return None,
    })
}

fn string(name: &str, repeat: Repeat) -> Option<Op> {
    let suffix = name.chars().last()?;
    let op = match name.strip_suffix(suffix)? {
        "movs" => StringOp::Move,
        "stos" => StringOp::Store,
        "lods" => StringOp::Load,
        "scas" => StringOp::Scan,
        "cmps" => StringOp::Compare,
        _ => return None,
    };
    let compares = matches!(op, StringOp::Scan | StringOp::Compare);
    if repeat == Repeat::WhileDifferent && !compares {
        return None;
    }
    Some(Op::String { op, size: Size::of_suffix(suffix)?, repeat })
}

/// `movzbl`, `movslq`, `movzx` and their like.
fn extension(name: &str, operands: &[Operand]) -> Option<Op> {
    let &[from, to] = operands else { return None };
    let signed = name.starts_with("movs");
    let rest = name.strip_prefix("movs").or_else(|| name.strip_prefix("movz"))?;
    let Operand::Register(Register { size: to_size, .. }) = to else { return None };
    let from_size = match (rest, from) {
        ("x", Operand::Register(register)) => register.size,
        ("xd", _) if signed => Size::Long,
        _ => {
            let mut letters = rest.chars();
            let from_size = Size::of_suffix(letters.next()?)?;
            match letters.as_str() {
                "" => {}
                suffix if suffix == to_size.suffix().to_string() => {}
                _ => return None,
            }
            from_size
        }
    };
    let zero_extended_long = !signed && from_size == Size::Long;
    if from_size >= to_size || zero_extended_long {
        return None;
    }
    match from {
        Operand::Register(register) if register.size != from_size => None,
        Operand::Immediate(_) => None,
        _ => Some(Op::Extend { to, to_size, from, from_size, signed }),
    }
}

fn conditional(name: &str, operands: &[Operand]) -> Option<Op> {
    if let Some(condition) = name.strip_prefix("set") {
        let condition = Condition::parse(condition)?;
        let &[to] = operands else { return None };
        size(Some(Size::Byte), operands)?;
        return to.is_writable().then_some(Op::SetCondition { condition, to });
    }
    let rest = name.strip_prefix("cmov")?;
    let &[from, to] = operands else { return None };
    let (condition, suffix) = match Condition::parse(rest) {
        Some(condition) => (condition, None),
        None => {
            let letter = rest.chars().last()?;
            (Condition::parse(rest.strip_suffix(letter)?)?, Some(Size::of_suffix(letter)?))
        }
    };
    let size = size(suffix, operands).filter(|size| *size != Size::Byte)?;
    match (from, to) {
        (Operand::Immediate(_), _) => None,
        (_, Operand::Register(_)) => Some(Op::ConditionalMove { condition, to, from, size }),
        _ => None,
    }
}

/// Families of mnemonics that take a suffix for the size.
#[derive(Clone, Copy)]
enum Form {
    Move,
    Exchange,
    ExchangeAdd,
    CompareExchange,
    Arithmetic(Arithmetic),
    Single(Single),
    Shift(Shift),
    DoubleShift { left: bool },
    SignedMultiply,
    Wide(Wide),
    Scan(Scan),
    BitTest(BitTest),
    LoadAddress,
}

fn form(name: &str) -> Option<Form> {
    Some(match name {
        "mov" | "movabs" => Form::Move,
        "xchg" => Form::Exchange,
        "xadd" => Form::ExchangeAdd,
        "cmpxchg" => Form::CompareExchange,
        "add" => Form::Arithmetic(Arithmetic::Add),
        "adc" => Form::Arithmetic(Arithmetic::AddCarry),
        "sub" => Form::Arithmetic(Arithmetic::Subtract),
        "sbb" => Form::Arithmetic(Arithmetic::SubtractBorrow),
        "and" => Form::Arithmetic(Arithmetic::And),
        "or" => Form::Arithmetic(Arithmetic::Or),
        "xor" => Form::Arithmetic(Arithmetic::Xor),
        "cmp" => Form::Arithmetic(Arithmetic::Compare),
        "test" => Form::Arithmetic(Arithmetic::Test),
        "inc" => Form::Single(Single::Increment),
        "dec" => Form::Single(Single::Decrement),
        "neg" => Form::Single(Single::Negate),
        "not" => Form::Single(Single::Not),
        "bswap" => Form::Single(Single::SwapBytes),
        "shl" | "sal" => Form::Shift(Shift::Left),
        "shr" => Form::Shift(Shift::LogicalRight),
        "sar" => Form::Shift(Shift::ArithmeticRight),
        "rol" => Form::Shift(Shift::RotateLeft),
        "ror" => Form::Shift(Shift::RotateRight),
        "rcl" => Form::Shift(Shift::RotateCarryLeft),
        "rcr" => Form::Shift(Shift::RotateCarryRight),
        "shld" => Form::DoubleShift { left: true },
        "shrd" => Form::DoubleShift { left: false },
        "imul" => Form::SignedMultiply,
        "mul" => Form::Wide(Wide::Multiply),
        "div" => Form::Wide(Wide::Divide),
        "idiv" => Form::Wide(Wide::SignedDivide),
        "bsf" => Form::Scan(Scan::Forward),
        "bsr" => Form::Scan(Scan::Reverse),
        "popcnt" => Form::Scan(Scan::CountOnes),
        "lzcnt" => Form::Scan(Scan::LeadingZeros),
        "tzcnt" => Form::Scan(Scan::TrailingZeros),
        "bt" => Form::BitTest(BitTest::Keep),
        "bts" => Form::BitTest(BitTest::Set),
        "btr" => Form::BitTest(BitTest::Reset),
        "btc" => Form::BitTest(BitTest::Complement),
        "lea" => Form::LoadAddress,
        _ => return None,
    })
}

fn plain(name: &str, operands: &[Operand]) -> Option<Op> {
    let (form, suffix) = match form(name) {
        Some(form) => (form, None),
        None => {
            let letter = name.chars().last()?;
            (form(name.strip_suffix(letter)?)?, Some(Size::of_suffix(letter)?))
        }
    };
    let last = operands.last().filter(|operand| operand.is_writable());
    match (form, operands) {
        (Form::Shift(op), _) => shift(op, suffix, operands),
        (Form::DoubleShift { left }, _) => double_shift(left, suffix, operands),
        (Form::SignedMultiply, _) => signed_multiply(suffix, operands),
        (Form::Wide(op), &[by]) => {
            let size = size(suffix, operands)?;
            by.is_writable().then_some(Op::Wide { op, by, size })
        }
        (Form::Single(op), &[to]) => single(op, to, size(suffix, operands)?),
        // Operands of a test and an exchange commute, also as text.
        (Form::Exchange, &[with, to]) if with.is_writable() && to.is_writable() => {
            Some(Op::Exchange { to, with, size: size(suffix, operands)? })
        }
        (Form::Arithmetic(op), &[from, to]) => {
            let test = op == Arithmetic::Test;
            let (from, to) = if test && !to.is_writable() { (to, from) } else { (from, to) };
            let size = size(suffix, operands)?;
            to.is_writable().then_some(Op::Arithmetic { op, to, from, size })
        }
        (Form::LoadAddress, &[Operand::Memory(address), to @ Operand::Register(register)]) => {
            let size = size(suffix, &[to])?;
            (register.size != Size::Byte).then_some(Op::LoadAddress { to, address, size })
        }
        (_, &[from, _]) => two(form, suffix, from, *last?),
        _ => None,
    }
}

/// Instructions with a source and a destination.
fn two(form: Form, suffix: Option<Size>, from: Operand, to: Operand) -> Option<Op> {
    let register = matches!(from, Operand::Register(_));
    let both = [from, to];
    match form {
        Form::Move => Some(Op::Move { to, from, size: size(suffix, &both)? }),
        Form::ExchangeAdd if register => {
            Some(Op::ExchangeAdd { to, with: from, size: size(suffix, &both)? })
        }
        Form::CompareExchange if register => {
            Some(Op::CompareExchange { to, from, size: size(suffix, &both)? })
        }
        Form::Scan(op) if from.is_writable() && !to.is_memory() => {
            let size = size(suffix, &both).filter(|size| *size != Size::Byte)?;
            Some(Op::Scan { op, to, from, size })
        }
        Form::BitTest(op) if !from.is_memory() => {
            let size = size(suffix, &both).filter(|size| *size != Size::Byte)?;
            Some(Op::BitTest { op, to, index: from, size })
        }
        _ => None,
    }
}

fn single(op: Single, to: Operand, size: Size) -> Option<Op> {
    let swaps = op == Single::SwapBytes;
    let known = to.is_writable() && !(swaps && (size < Size::Long || to.is_memory()));
    known.then_some(Op::Single { op, to, size })
}

fn shift(op: Shift, suffix: Option<Size>, operands: &[Operand]) -> Option<Op> {
    let (count, to) = match *operands {
        [to] => (Operand::Immediate(1), to),
        [count, to] if is_count(count) => (count, to),
        _ => return None,
    };
    let size = size(suffix, &[to])?;
    to.is_writable().then_some(Op::Shift { op, to, count, size })
}

fn double_shift(left: bool, suffix: Option<Size>, operands: &[Operand]) -> Option<Op> {
    let (count, from, to) = match *operands {
        [from, to] => (Operand::register(CX, Size::Byte), from, to),
        [count, from, to] if is_count(count) => (count, from, to),
        _ => return None,
    };
    let size = size(suffix, &[from, to]).filter(|size| *size != Size::Byte)?;
    let known = matches!(from, Operand::Register(_)) && to.is_writable();
    known.then_some(Op::DoubleShift { left, to, from, count, size })
}

/// A shift count: a constant or `cl`.
fn is_count(operand: Operand) -> bool {
    match operand {
        Operand::Immediate(_) => true,
        Operand::Register(register) => register == Register::new(CX, Size::Byte),
        Operand::Memory(_) => false,
    }
}

fn signed_multiply(suffix: Option<Size>, operands: &[Operand]) -> Option<Op> {
    let size = size(suffix, operands)?;
    let (a, b, to) = match *operands {
        [by] if by.is_writable() => return Some(Op::Wide { op: Wide::SignedMultiply, by, size }),
        [from, to] => (from, to, to),
        [a @ Operand::Immediate(_), b, to] => (a, b, to),
        _ => return None,
    };
    let known = matches!(to, Operand::Register(_)) && size != Size::Byte;
    known.then_some(Op::Multiply { to, a, b, size })
}

/// The size that the suffix and the registers agree on.
fn size(suffix: Option<Size>, operands: &[Operand]) -> Option<Size> {
    let mut size = suffix;
    for operand in operands {
        if let Operand::Register(register) = operand {
            match size {
                Some(known) if known != register.size => return None,
                _ => size = Some(register.size),
            }
        }
    }
    size
}
