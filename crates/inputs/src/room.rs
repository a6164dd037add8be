//! What programs tell about inputs that no test resembles: whether they take arguments, which
//! options they know, and how long a text their arrays can hold.

mod options;

use ir::{Module, Op, Type, TypeId};

/// No single text is meant to fill an array beyond this size.
const LONGEST: u64 = 1024;

/// Room for inputs beyond the tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Whether `main` takes arguments.
    pub takes_arguments: bool,
    /// Sizes of the programs' own arrays of characters, ascending.
    pub sizes: Vec<u32>,
    /// Options and other words that they compare with arguments, sorted.
    pub options: Vec<Vec<u8>>,
}

impl Room {
    /// Of all versions of a program.
    pub fn of<'m>(modules: impl IntoIterator<Item = &'m Module>) -> Room {
        let mut room = Room::default();
        for module in modules {
            room.add(module);
        }
        room.sizes.sort_unstable();
        room.sizes.dedup();
        room.options.sort_unstable();
        room.options.dedup();
        room
    }

    fn add(&mut self, module: &Module) {
        self.options.extend(options::options(module));
        for (id, function) in &module.functions {
            let Some(body) = function.body().filter(|_| module.is_own(id)) else { continue };
            self.takes_arguments |= function.name == "main" && !function.params.is_empty();
            for inst in body.insts.values() {
                if let Op::Alloca { ty, .. } = inst.op {
                    self.add_type(module, ty);
                }
            }
        }
        let own = module.globals.values();
        let own = own.filter(|global| !global.constant && !module.in_archive(global.span));
        own.for_each(|global| self.add_type(module, global.ty));
    }

    /// The arrays of characters in a type.
    fn add_type(&mut self, module: &Module, ty: TypeId) {
        match module.types.get(ty) {
            Type::Array { element, length } => match module.types.get(*element) {
                Type::Int(8) if (2..=LONGEST).contains(length) => self.sizes.push(*length as u32),
                Type::Array { .. } | Type::Struct { .. } => self.add_type(module, *element),
                _ => {}
            },
            Type::Struct { fields, .. } => {
                fields.iter().for_each(|&field| self.add_type(module, field));
            }
            _ => {}
        }
    }

    /// One byte more than the longest text that fits, with its terminator, into an array of up to
    /// this size.
    pub(crate) fn beyond_arrays(&self, most: u32) -> u32 {
        let sizes = self.sizes.iter().filter(|&&size| size <= most);
        sizes.max().map_or(0, |size| size + 1)
    }
}
