//! Running an assembled template.

use smallvec::SmallVec;

use super::arithmetic as compute;
use super::flags::Flags;
use super::operand::{Address, Operand};
use super::register::{AX, COUNT, CX, DI, DX, Register, SI, Size};
use super::{Arithmetic, BitTest, Carry, Code, Op, Output, Repeat, StringOp, Wide};
use crate::stop::{FaultKind, Stop};

/// What a template sees of the machine besides its operands.
pub trait Surroundings {
    fn load(&mut self, address: u64, bytes: u32) -> Result<u64, Stop>;
    fn store(&mut self, address: u64, bytes: u32, value: u64) -> Result<(), Stop>;
    /// A counter that grows with the work done.
    fn cycles(&self) -> u64;
    fn fault(&self, kind: FaultKind) -> Stop;
}

impl Code {
    /// Runs with the values of the arguments; gives the results.
    pub fn run<S: Surroundings>(
        &self,
        arguments: &[u64],
        surroundings: &mut S,
    ) -> Result<SmallVec<[u64; 4]>, Stop> {
        let mut run = Run { registers: [0; COUNT], flags: Flags::default(), surroundings };
        for input in &self.inputs {
            run.registers[usize::from(input.register)] = arguments[input.argument];
        }
        for op in &self.ops {
            run.step(op)?;
        }
        let value = |output: &Output| match *output {
            Output::Register { register, bits } => {
                run.registers[usize::from(register)] & u64::MAX >> (64 - bits)
            }
            Output::Flag(condition) => u64::from(condition.holds(run.flags)),
        };
        Ok(self.outputs.iter().map(value).collect())
    }
}

struct Run<'s, S> {
    registers: [u64; COUNT],
    flags: Flags,
    surroundings: &'s mut S,
}

impl<S: Surroundings> Run<'_, S> {
    fn step(&mut self, op: &Op) -> Result<(), Stop> {
        match *op {
            Op::Move { to, from, size } => {
                let value = self.get(from, size)?;
                self.set(to, size, value)
            }
            Op::Extend { to, to_size, from, from_size, signed } => {
                let value = self.get(from, from_size)?;
                let value = if signed { from_size.signed(value) as u64 } else { value };
                self.set(to, to_size, value)
            }
            Op::Exchange { to, with, size } => {
                let (a, b) = (self.get(to, size)?, self.get(with, size)?);
                self.set(to, size, b)?;
                self.set(with, size, a)
            }
            Op::ExchangeAdd { to, with, size } => {
                let (a, b) = (self.get(to, size)?, self.get(with, size)?);
                let sum = compute::binary(Arithmetic::Add, size, a, b, &mut self.flags);
                self.set(with, size, a)?;
                self.set(to, size, sum)
            }
            Op::CompareExchange { to, from, size } => self.compare_exchange(to, from, size),
            Op::Arithmetic { op, to, from, size } => {
                let (b, a) = (self.get(from, size)?, self.get(to, size)?);
                let value = compute::binary(op, size, a, b, &mut self.flags);
                match op {
                    Arithmetic::Compare | Arithmetic::Test => Ok(()),
                    _ => self.set(to, size, value),
                }
            }
            Op::Single { op, to, size } => {
                let a = self.get(to, size)?;
                let value = compute::single(op, size, a, &mut self.flags);
                self.set(to, size, value)
            }
            Op::Shift { op, to, count, size } => {
                let (count, a) = (self.get(count, Size::Byte)?, self.get(to, size)?);
                let value = compute::shift(op, size, a, count, &mut self.flags);
                self.set(to, size, value)
            }
            Op::DoubleShift { left, to, from, count, size } => {
                let count = self.get(count, Size::Byte)?;
                let (a, b) = (self.get(to, size)?, self.get(from, size)?);
                let value = compute::double_shift(left, size, a, b, count, &mut self.flags);
                self.set(to, size, value)
            }
            Op::Multiply { to, a, b, size } => {
                let (a, b) = (self.get(a, size)?, self.get(b, size)?);
                let value = compute::multiply(size, a, b, &mut self.flags);
                self.set(to, size, value)
            }
            Op::Wide { op, by, size } => self.wide(op, by, size),
            Op::Scan { op, to, from, size } => {
                let a = self.get(from, size)?;
                match compute::scan(op, size, a, &mut self.flags) {
                    Some(value) => self.set(to, size, value),
                    None => Ok(()),
                }
            }
            Op::BitTest { op, to, index, size } => self.bit_test(op, to, index, size),
            Op::LoadAddress { to, address, size } => {
                let value = self.address(address);
                self.set(to, size, value)
            }
            Op::ConditionalMove { condition, to, from, size } => {
                // The source is read, and the upper half cleared, in any case.
                let (new, old) = (self.get(from, size)?, self.get(to, size)?);
                self.set(to, size, if condition.holds(self.flags) { new } else { old })
            }
            Op::SetCondition { condition, to } => {
                self.set(to, Size::Byte, u64::from(condition.holds(self.flags)))
            }
            Op::WidenAccumulator { size } => {
                let half = match size {
                    Size::Word | Size::Byte => Size::Byte,
                    Size::Long => Size::Word,
                    Size::Quad => Size::Long,
                };
                let value = half.signed(self.registers[usize::from(AX)]) as u64;
                self.set_register(Register::new(AX, size), value);
                Ok(())
            }
            Op::SpreadSign { size } => {
                let sign = size.signed(self.registers[usize::from(AX)]) >> 63;
                self.set_register(Register::new(DX, size), sign as u64);
                Ok(())
            }
            Op::Carry(Carry::Clear) => {
                self.flags.carry = false;
                Ok(())
            }
            Op::Carry(Carry::Set) => {
                self.flags.carry = true;
                Ok(())
            }
            Op::Carry(Carry::Complement) => {
                self.flags.carry = !self.flags.carry;
                Ok(())
            }
            Op::String { op, size, repeat } => self.string(op, size, repeat),
            Op::Zeros(registers) => {
                for &register in registers {
                    self.registers[usize::from(register)] = 0;
                }
                Ok(())
            }
            Op::TimeStamp { processor } => {
                let cycles = self.surroundings.cycles();
                self.registers[usize::from(AX)] = cycles & Size::Long.mask();
                self.registers[usize::from(DX)] = cycles >> 32;
                if processor {
                    self.registers[usize::from(CX)] = 0;
                }
                Ok(())
            }
            Op::Trap => Err(self.surroundings.fault(FaultKind::Trap)),
        }
    }

    fn address(&self, address: Address) -> u64 {
        let register = |index: Option<u8>| index.map_or(0, |at| self.registers[usize::from(at)]);
        register(address.base)
            .wrapping_add(register(address.index).wrapping_mul(u64::from(address.scale)))
            .wrapping_add_signed(address.displacement)
    }

    fn get(&mut self, operand: Operand, size: Size) -> Result<u64, Stop> {
        match operand {
            Operand::Register(register) => {
                let value = self.registers[usize::from(register.index)];
                Ok(if register.high { value >> 8 } else { value } & size.mask())
            }
            Operand::Immediate(value) => Ok(value as u64 & size.mask()),
            Operand::Memory(address) => self.surroundings.load(self.address(address), size.bytes()),
        }
    }

    fn set(&mut self, operand: Operand, size: Size, value: u64) -> Result<(), Stop> {
        let value = value & size.mask();
        match operand {
            Operand::Register(register) => {
                self.set_register(Register { size, ..register }, value);
                Ok(())
            }
            Operand::Memory(address) => {
                let address = self.address(address);
                self.surroundings.store(address, size.bytes(), value)
            }
            Operand::Immediate(_) => unreachable!("the assembler lets nothing write to constants"),
        }
    }

    /// Writing 32 bits clears the upper half; narrower writes keep the rest.
    fn set_register(&mut self, register: Register, value: u64) {
        let whole = &mut self.registers[usize::from(register.index)];
        *whole = match register.size {
            Size::Quad => value,
            Size::Long => value & Size::Long.mask(),
            _ if register.high => *whole & !0xff00 | (value & 0xff) << 8,
            narrow => *whole & !narrow.mask() | value & narrow.mask(),
        };
    }

    fn compare_exchange(&mut self, to: Operand, from: Operand, size: Size) -> Result<(), Stop> {
        let accumulator = Operand::register(AX, size);
        let (old, expected) = (self.get(to, size)?, self.get(accumulator, size)?);
        compute::binary(Arithmetic::Compare, size, expected, old, &mut self.flags);
        if self.flags.zero {
            let new = self.get(from, size)?;
            self.set(to, size, new)
        } else {
            // The destination is written in any case: read-only memory is a fault.
            self.set(to, size, old)?;
            self.set(accumulator, size, old)
        }
    }

    fn wide(&mut self, op: Wide, by: Operand, size: Size) -> Result<(), Stop> {
        let by = self.get(by, size)?;
        let (low, high) = self.halves(size);
        let (low_value, high_value) = (self.get(low, size)?, self.get(high, size)?);
        let signed = |value: u64| i128::from(size.signed(value));
        let value = u128::from(high_value) << size.bits() | u128::from(low_value);
        let unused = 128 - 2 * size.bits();
        match op {
            Wide::Multiply => {
                let product = u128::from(low_value) * u128::from(by);
                self.set_product(size, product, product >> size.bits() != 0)
            }
            Wide::SignedMultiply => {
                let product = signed(low_value) * signed(by);
                self.set_product(size, product as u128, signed(product as u64) != product)
            }
            _ if by == 0 => Err(self.surroundings.fault(FaultKind::DivisionByZero)),
            Wide::Divide => {
                let (quotient, rest) = (value / u128::from(by), value % u128::from(by));
                let fits = quotient <= u128::from(size.mask());
                self.set_quotient(size, fits, quotient as u64, rest as u64)
            }
            Wide::SignedDivide => {
                let (value, by) = ((value << unused) as i128 >> unused, signed(by));
                let (quotient, rest) = (value.wrapping_div(by), value.wrapping_rem(by));
                let fits = signed(quotient as u64) == quotient;
                self.set_quotient(size, fits, quotient as u64, rest as u64)
            }
        }
    }

    /// Where the halves of products and dividends are.
    fn halves(&self, size: Size) -> (Operand, Operand) {
        let low = Operand::register(AX, size);
        let high = match size {
            Size::Byte => Operand::Register(Register { index: AX, size, high: true }),
            _ => Operand::register(DX, size),
        };
        (low, high)
    }

    fn set_product(&mut self, size: Size, product: u128, overflow: bool) -> Result<(), Stop> {
        (self.flags.carry, self.flags.overflow) = (overflow, overflow);
        let (low, high) = self.halves(size);
        self.set(low, size, product as u64)?;
        self.set(high, size, (product >> size.bits()) as u64)
    }

    fn set_quotient(
        &mut self,
        size: Size,
        fits: bool,
        quotient: u64,
        rest: u64,
    ) -> Result<(), Stop> {
        if !fits {
            return Err(self.surroundings.fault(FaultKind::DivisionOverflow));
        }
        let (low, high) = self.halves(size);
        self.set(low, size, quotient)?;
        self.set(high, size, rest)
    }

    fn bit_test(
        &mut self,
        op: BitTest,
        to: Operand,
        index: Operand,
        size: Size,
    ) -> Result<(), Stop> {
        let position = self.get(index, size)?;
        let to = match (to, index) {
            // A register counts bits from the address on, in both directions.
            (Operand::Memory(address), Operand::Register(_)) => {
                let units = size.signed(position) >> size.bits().trailing_zeros();
                let offset = units.wrapping_mul(i64::from(size.bytes()));
                let displacement = address.displacement.wrapping_add(offset);
                Operand::Memory(Address { displacement, ..address })
            }
            _ => to,
        };
        let bit = 1 << (position % u64::from(size.bits()));
        let value = self.get(to, size)?;
        self.flags.carry = value & bit != 0;
        match op {
            BitTest::Keep => Ok(()),
            BitTest::Set => self.set(to, size, value | bit),
            BitTest::Reset => self.set(to, size, value & !bit),
            BitTest::Complement => self.set(to, size, value ^ bit),
        }
    }

    /// Ends by itself or by a fault: every round goes to the next element in memory.
    fn string(&mut self, op: StringOp, size: Size, repeat: Repeat) -> Result<(), Stop> {
        if repeat == Repeat::Once {
            return self.string_element(op, size);
        }
        while self.registers[usize::from(CX)] != 0 {
            self.string_element(op, size)?;
            self.registers[usize::from(CX)] -= 1;
            let compares = matches!(op, StringOp::Scan | StringOp::Compare);
            if compares && self.flags.zero != (repeat == Repeat::WhileEqual) {
                break;
            }
        }
        Ok(())
    }

    fn string_element(&mut self, op: StringOp, size: Size) -> Result<(), Stop> {
        let accumulator = Operand::register(AX, size);
        let (from, to) = (Operand::behind(SI), Operand::behind(DI));
        let (uses_from, uses_to) = match op {
            StringOp::Move | StringOp::Compare => (true, true),
            StringOp::Store | StringOp::Scan => (false, true),
            StringOp::Load => (true, false),
        };
        let source = if uses_from { from } else { accumulator };
        let value = self.get(source, size)?;
        match op {
            StringOp::Move | StringOp::Store => self.set(to, size, value)?,
            StringOp::Load => self.set(accumulator, size, value)?,
            StringOp::Scan | StringOp::Compare => {
                let other = self.get(to, size)?;
                compute::binary(Arithmetic::Compare, size, value, other, &mut self.flags);
            }
        }
        for (register, used) in [(SI, uses_from), (DI, uses_to)] {
            if used {
                let register = &mut self.registers[usize::from(register)];
                *register = register.wrapping_add(u64::from(size.bytes()));
            }
        }
        Ok(())
    }
}
