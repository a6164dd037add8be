//! Calls: callee, arguments, inline assembler, and the treatment of intrinsics.

use ir::{Argument, Asm, Call, Callee, Const, FuncId, Op, Operand, TypeId, Types};

use super::BodyReader;
use crate::cursor::{Parsed, text_of};
use crate::intrinsics::Intrinsic;
use crate::reader::Symbol;
use crate::types::Shape;

/// The callee, as in the text.
enum Target {
    Callee(Callee),
    Intrinsic(Intrinsic),
}

/// A call whose text has been read.
pub(crate) struct ReadCall<'t> {
    target: Target,
    pub args: Vec<Argument>,
    pub types: Vec<TypeId>,
    pub returns: TypeId,
    /// The texts of metadata arguments that are strings.
    pub metadata: Vec<&'t [u8]>,
    fixed: Option<u32>,
}

impl<'t> BodyReader<'_, 't> {
    pub fn call(&mut self) -> Parsed<()> {
        let Some(read) = self.call_text()? else { return Ok(()) };
        match read.target {
            Target::Intrinsic(intrinsic) => self.intrinsic(intrinsic, read),
            Target::Callee(callee) => {
                let returns = read.returns;
                let call = Call { callee, args: read.args, returns, fixed: read.fixed };
                self.define(Op::Call(Box::new(call)), returns)
            }
        }
    }

    pub fn invoke(&mut self) -> Parsed<()> {
        let start = self.c;
        let Some(read) = self.call_text()? else {
            return start.fault("a debug intrinsic cannot be invoked");
        };
        self.c.expect_word("to")?;
        let normal = self.target()?;
        self.c.expect_word("unwind")?;
        let unwind = self.target()?;
        match read.target {
            // Intrinsics do not raise exceptions.
            Target::Intrinsic(intrinsic) => {
                self.intrinsic(intrinsic, read)?;
                self.effect(Op::Jump { target: normal });
                Ok(())
            }
            Target::Callee(callee) => {
                let returns = read.returns;
                let call = Call { callee, args: read.args, returns, fixed: read.fixed };
                self.define(Op::Invoke { call: Box::new(call), normal, unwind }, returns)
            }
        }
    }

    /// Reads everything after `call` up to the attributes; `None` for a debug intrinsic, which is
    /// no instruction of ours.
    fn call_text(&mut self) -> Parsed<Option<ReadCall<'t>>> {
        self.flags()?;
        let (returns, fixed) = match self.reader.types.read_shape(&mut self.c)? {
            Shape::Type(ty) => (ty, None),
            Shape::Function(signature) => {
                (signature.returns, signature.variadic.then_some(signature.fixed))
            }
        };
        let Some(target) = self.callee()? else {
            self.debug_call()?;
            return Ok(None);
        };
        let (args, types, metadata) = (Vec::new(), Vec::new(), Vec::new());
        let mut read = ReadCall { target, args, types, returns, metadata, fixed };
        self.arguments(&mut read)?;
        self.call_attributes()?;
        Ok(Some(read))
    }

    /// `None` for the debug intrinsics, whose arguments are metadata.
    fn callee(&mut self) -> Parsed<Option<Target>> {
        let start = self.c;
        match self.c.peek() {
            b'@' => {
                let name = self.c.global_name()?;
                if name.starts_with(b"llvm.dbg.") {
                    self.c = start;
                    return Ok(None);
                }
                match self.reader.symbols.get(name) {
                    Some(&Symbol::Function(id)) => Ok(Some(function(id))),
                    Some(&Symbol::Intrinsic(position, None)) => {
                        Ok(Some(function(self.reader.intrinsic_function(name, position))))
                    }
                    Some(&Symbol::Intrinsic(_, Some(intrinsic))) => {
                        Ok(Some(Target::Intrinsic(intrinsic)))
                    }
                    _ => {
                        self.c = start;
                        self.computed_callee()
                    }
                }
            }
            b'a' if self.c.peek_word() == b"asm" => self.assembler().map(Some),
            _ => self.computed_callee(),
        }
    }

    fn computed_callee(&mut self) -> Parsed<Option<Target>> {
        let operand = self.operand(Types::PTR)?;
        let callee = match self.constant_value(operand).map(|constant| &constant.value) {
            Some(Const::Function(id)) => Callee::Function(*id),
            _ => Callee::Indirect(operand),
        };
        Ok(Some(Target::Callee(callee)))
    }

    fn assembler(&mut self) -> Parsed<Target> {
        self.c.word();
        // `sideeffect`, `alignstack`, `inteldialect`, `unwind`.
        let mut intel = false;
        while self.c.peek() != b'"' {
            intel |= self.c.peek_word() == b"inteldialect";
            self.c.skip_attribute()?;
        }
        let mut template = text_of(self.c.string()?);
        if intel {
            // The template itself then says how to read it.
            template.insert_str(0, ".intel_syntax noprefix\n");
        }
        self.c.expect(b',')?;
        let constraints = text_of(self.c.string()?);
        Ok(Target::Callee(Callee::Asm(Box::new(Asm { template, constraints }))))
    }

    fn arguments(&mut self, read: &mut ReadCall<'t>) -> Parsed<()> {
        self.c.expect(b'(')?;
        if self.c.eat(b')') {
            return Ok(());
        }
        loop {
            let metadata = self.c.peek_word() == b"metadata";
            let ty = self.reader.types.read(&mut self.c)?;
            if metadata {
                let start = self.c.at;
                self.skip_metadata()?;
                let text = &self.c.text[start..self.c.at];
                if let [b'!', b'"', word @ .., b'"'] = text.trim_ascii() {
                    read.metadata.push(word);
                }
            } else {
                let attributes = self.reader.attributes(&mut self.c)?;
                let value = self.operand(ty)?;
                let byval = self.reader.byval(&attributes);
                read.args.push(Argument { value, byval });
                read.types.push(ty);
            }
            if !self.c.eat(b',') {
                return self.c.expect(b')');
            }
        }
    }

    /// Skips a metadata argument: an exception behaviour, a register's name, a node.
    pub fn skip_metadata(&mut self) -> Parsed<()> {
        loop {
            match self.c.byte() {
                b',' | b')' => return Ok(()),
                b'"' => {
                    self.c.string()?;
                }
                b'(' | b'{' | b'[' | b'<' => self.c.skip_group()?,
                0 if self.c.is_end() => return self.c.expected("`)`"),
                _ => self.c.at += 1,
            }
        }
    }

    /// Attributes and operand bundles; on the line of the call.
    pub fn call_attributes(&mut self) -> Parsed<()> {
        loop {
            self.c.inline_space();
            match self.c.byte() {
                b'#' | b'"' => self.c.skip_attribute()?,
                b'[' => self.c.skip_group()?,
                b'a'..=b'z' if !matches!(self.c.peek_word(), b"to") => self.c.skip_attribute()?,
                _ => return Ok(()),
            }
        }
    }

    /// A constant argument as a number.
    pub fn number_argument(&self, operand: Operand) -> Option<u128> {
        match self.constant_value(operand)?.value {
            Const::Int(value) => Some(value),
            Const::Zero => Some(0),
            _ => None,
        }
    }
}

fn function(id: FuncId) -> Target {
    Target::Callee(Callee::Function(id))
}
