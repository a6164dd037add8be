//! Inline assembly: assembled here, run as one operation.

use ir::{Argument, Asm, Operand, Type, TypeId};

use super::{Lowered, Lowering, Unlowerable};
use crate::assembly;
use crate::code::{Op, Scalar, Slow};
use crate::stop::Feature;

impl Lowering<'_> {
    pub(super) fn assembly(&mut self, asm: &Asm, args: &[Argument]) -> Lowered<()> {
        let unknown = || Unlowerable(Feature::Assembly(asm.template.clone()));
        if assembly::is_inert(&asm.template) {
            return self.inert_assembly(asm, args);
        }
        let results = self.integers(self.result_type()).ok_or_else(unknown)?;
        let arguments: Option<Vec<_>> =
            args.iter().map(|argument| self.assembly_argument(argument.value)).collect();
        let code = arguments.and_then(|arguments| assembly::assemble(asm, &results, &arguments));
        let code = Box::new(code.ok_or_else(unknown)?);
        let args = self.take_args(args)?.into();
        let d = self.define_apart();
        self.emit_slow(Slow::Assembly { code, d, args });
        self.registers.flush();
        Ok(())
    }

    /// Widths of an integer, a pointer, or of the fields of a struct of such.
    fn integers(&self, ty: TypeId) -> Option<Vec<u32>> {
        match self.module.types.get(ty) {
            Type::Void => Some(Vec::new()),
            Type::Struct { fields, .. } => {
                fields.iter().map(|&field| self.integer(field)).collect()
            }
            _ => Some(vec![self.integer(ty)?]),
        }
    }

    fn integer(&self, ty: TypeId) -> Option<u32> {
        match self.scalar(ty) {
            Some(Scalar::Int(bits)) if bits <= 64 => Some(u32::from(bits)),
            _ => None,
        }
    }

    fn assembly_argument(&self, operand: Operand) -> Option<assembly::Argument> {
        let bits = self.integer(self.operand_type(operand))?;
        Some(assembly::Argument { bits, constant: self.immediate(operand) })
    }

    /// Assembly without a visible effect: every output has the value of its tied input.
    fn inert_assembly(&mut self, asm: &Asm, args: &[Argument]) -> Lowered<()> {
        let ty = self.result_type();
        let tied = tied_inputs(&asm.constraints);
        let outputs = match self.module.types.get(ty) {
            Type::Void => return Ok(()),
            Type::Struct { fields, .. } if tied.len() != 1 => fields.to_vec(),
            _ => vec![ty],
        };
        if tied.len() != outputs.len() {
            return Err(Unlowerable(Feature::Assembly(asm.template.clone())));
        }
        let regs = self.take_args(args)?;
        let mut d = self.define_apart();
        for (input, ty) in tied.into_iter().zip(outputs) {
            let width = self.width(ty);
            let same = |input: &usize| self.width(self.operand_type(args[*input].value)) == width;
            let input = input.filter(|input| *input < args.len()).filter(same);
            for index in 0..width {
                match input {
                    Some(input) => self.emit(Op::Copy { d, a: regs[input] + index }),
                    None => self.emit(Op::Const { d, value: 0 }),
                }
                d += 1;
            }
        }
        self.registers.flush();
        Ok(())
    }
}

/// For each direct output of an assembly statement, the argument that shares its register.
fn tied_inputs(constraints: &str) -> Vec<Option<usize>> {
    let mut outputs = Vec::new();
    let mut ties = Vec::new();
    let (mut operand, mut argument) = (0, 0);
    for constraint in constraints.split(',').filter(|word| !word.starts_with('~')) {
        if constraint.starts_with("=*") {
            argument += 1;
        } else if constraint.starts_with('=') {
            outputs.push(operand);
        } else {
            if let Ok(output) = constraint.parse::<usize>() {
                ties.push((output, argument));
            }
            argument += 1;
        }
        operand += 1;
    }
    let tie = |output| ties.iter().find(|(tied, _)| *tied == output).map(|(_, input)| *input);
    outputs.into_iter().map(tie).collect()
}
