//! Constraints: where the operands of an assembly statement live.
//!
//! Of the places that a constraint allows, chooses the same as LLVM, as far as a correct template
//! can observe: constants stay constants, an indirect operand is memory unless an input is tied to
//! it, and everything else gets a register.

use super::flags::Condition;
use super::operand::Operand;
use super::register::{self, Register, Size};
use super::{Argument, Input, Op, Output};

/// An operand as a template can write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Register {
        index: u8,
        size: Size,
    },
    /// Memory at the address in a register.
    Memory {
        address: u8,
    },
    Constant {
        value: i64,
        size: Size,
    },
    /// An output that the template sets without naming it.
    Flag,
}

#[derive(Debug, Default)]
pub(super) struct Binding {
    pub operands: Vec<Bound>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    /// Moves of registers to memory after the template.
    pub stores: Vec<Op>,
}

/// The places that one constraint allows.
#[derive(Debug, Default)]
struct Allowed {
    output: bool,
    /// The argument is the operand's address.
    indirect: bool,
    tie: Option<usize>,
    register: Option<u8>,
    any_register: bool,
    memory: bool,
    address: bool,
    immediates: Vec<char>,
    flag: Option<Condition>,
}

/// Finds places for all operands; `results` and arguments are in the order of the call.
pub(super) fn bind(constraints: &str, results: &[u32], arguments: &[Argument]) -> Option<Binding> {
    let words = constraints.split(',').filter(|word| !(word.is_empty() || word.starts_with('~')));
    let list: Vec<Allowed> = words.map(parse).collect::<Option<_>>()?;
    let mut binder = Binder {
        list: &list,
        results,
        arguments,
        next_argument: 0,
        next_register: register::PHYSICAL,
        binding: Binding::default(),
    };
    for (index, allowed) in list.iter().enumerate() {
        let bound =
            if allowed.output { binder.output(index, allowed)? } else { binder.input(allowed)? };
        binder.binding.operands.push(bound);
    }
    let complete =
        binder.next_argument == arguments.len() && binder.binding.outputs.len() == results.len();
    complete.then_some(binder.binding)
}

struct Binder<'a> {
    list: &'a [Allowed],
    results: &'a [u32],
    arguments: &'a [Argument],
    next_argument: usize,
    next_register: u8,
    binding: Binding,
}

impl Binder<'_> {
    fn output(&mut self, index: usize, allowed: &Allowed) -> Option<Bound> {
        if allowed.indirect {
            return self.indirect_output(index, allowed);
        }
        let bits = *self.results.get(self.binding.outputs.len())?;
        let size = Size::holding(bits)?;
        if let Some(condition) = allowed.flag {
            self.binding.outputs.push(Output::Flag(condition));
            return Some(Bound::Flag);
        }
        let register = self.register(allowed)?;
        self.binding.outputs.push(Output::Register { register, bits });
        Some(Bound::Register { index: register, size })
    }

    fn indirect_output(&mut self, index: usize, allowed: &Allowed) -> Option<Bound> {
        let address = self.fresh()?;
        self.take_argument(address)?;
        let Some(tied) = self.argument_tied_to(index) else {
            return allowed.memory.then_some(Bound::Memory { address });
        };
        let size = Size::holding(tied.bits)?;
        let index = self.register(allowed)?;
        let (to, from) = (Operand::behind(address), Operand::register(index, size));
        self.binding.stores.push(Op::Move { to, from, size });
        Some(Bound::Register { index, size })
    }

    /// The argument of the input that shares the place of an output.
    fn argument_tied_to(&self, output: usize) -> Option<Argument> {
        let takes_argument = |allowed: &&Allowed| !allowed.output || allowed.indirect;
        let position =
            self.list.iter().filter(takes_argument).position(|input| input.tie == Some(output))?;
        self.arguments.get(position).copied()
    }

    fn input(&mut self, allowed: &Allowed) -> Option<Bound> {
        let argument = *self.arguments.get(self.next_argument)?;
        let size = Size::holding(argument.bits)?;
        if let Some(output) = allowed.tie {
            let Bound::Register { index, .. } = *self.binding.operands.get(output)? else {
                return None;
            };
            self.take_argument(index)?;
            return Some(Bound::Register { index, size });
        }
        if allowed.indirect || allowed.address {
            let address = self.fresh()?;
            self.take_argument(address)?;
            return Some(Bound::Memory { address });
        }
        if let Some(value) = constant(argument)
            && allowed.immediates.iter().any(|&letter| fits(letter, value))
        {
            self.next_argument += 1;
            return Some(Bound::Constant { value, size });
        }
        // A value that may only be in memory is a copy in memory: equivalent to a register.
        let index = if allowed.memory { self.fresh()? } else { self.register(allowed)? };
        self.take_argument(index)?;
        Some(Bound::Register { index, size })
    }

    fn take_argument(&mut self, register: u8) -> Option<()> {
        let argument = self.next_argument;
        self.next_argument += 1;
        self.binding.inputs.push(Input { register, argument });
        (argument < self.arguments.len()).then_some(())
    }

    fn register(&mut self, allowed: &Allowed) -> Option<u8> {
        match allowed.register {
            Some(register) => Some(register),
            None if allowed.any_register => self.fresh(),
            None => None,
        }
    }

    fn fresh(&mut self) -> Option<u8> {
        let register = self.next_register;
        self.next_register += 1;
        (usize::from(register) < register::COUNT).then_some(register)
    }
}

/// Constants are written as signed numbers, truth values as 0 and 1.
fn constant(argument: Argument) -> Option<i64> {
    let value = argument.constant?;
    match argument.bits {
        1 => Some((value & 1) as i64),
        bits => Some(((value << (64 - bits)) as i64) >> (64 - bits)),
    }
}

/// Whether a constraint's letter admits a constant.
fn fits(letter: char, value: i64) -> bool {
    match letter {
        'I' => (0..=31).contains(&value),
        'J' => (0..=63).contains(&value),
        'K' => i8::try_from(value).is_ok(),
        'L' => matches!(value, 0xff | 0xffff | 0xffff_ffff),
        'M' => (0..=3).contains(&value),
        'N' => (0..=255).contains(&value),
        'O' => (0..=127).contains(&value),
        'e' => i32::try_from(value).is_ok(),
        'Z' => u32::try_from(value).is_ok(),
        _ => true,
    }
}

fn parse(text: &str) -> Option<Allowed> {
    let mut allowed = Allowed::default();
    let mut rest = text;
    if let Some(output) = rest.strip_prefix('=') {
        (allowed.output, rest) = (true, output);
    }
    if let Some(indirect) = rest.strip_prefix('*') {
        (allowed.indirect, rest) = (true, indirect);
    }
    while let Some(letter) = rest.chars().next() {
        if letter == '{' {
            let (name, behind) = rest[1..].split_once('}')?;
            named(&mut allowed, name)?;
            rest = behind;
        } else if letter.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            allowed.tie = rest[..end].parse().ok();
            rest = &rest[end..];
        } else {
            add(&mut allowed, letter)?;
            rest = &rest[letter.len_utf8()..];
        }
    }
    Some(allowed)
}

/// A register by its name, or a condition.
fn named(allowed: &mut Allowed, name: &str) -> Option<()> {
    if let Some(condition) = name.strip_prefix("@cc") {
        allowed.flag = Some(Condition::parse(condition)?);
        return Some(());
    }
    let register = Register::parse(name).filter(|register| !register.high)?;
    allowed.register = Some(register.index);
    Some(())
}

fn add(allowed: &mut Allowed, letter: char) -> Option<()> {
    match letter {
        // Early clobbers and commuting operands restrict sharing, and nothing is shared
        // here; of alternatives any will do.
        '&' | '%' | '|' | '?' => {}
        'r' | 'q' | 'Q' | 'R' | 'l' => allowed.any_register = true,
        'a' => allowed.register = Some(register::AX),
        'b' => allowed.register = Some(register::BX),
        'c' => allowed.register = Some(register::CX),
        'd' => allowed.register = Some(register::DX),
        'S' => allowed.register = Some(register::SI),
        'D' => allowed.register = Some(register::DI),
        'm' | 'o' | 'V' => allowed.memory = true,
        'p' => allowed.address = true,
        'g' | 'X' => {
            allowed.any_register = true;
            allowed.memory = true;
            allowed.immediates.push('i');
        }
        'i' | 'n' | 's' | 'e' | 'Z' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' => {
            allowed.immediates.push(letter);
        }
        // Constants of floats are no operands of integer instructions.
        'E' | 'F' | 'G' | 'C' => {}
        _ => return None,
    }
    Some(())
}
