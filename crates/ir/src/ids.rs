//! The handles of the IR. Each prints as it appears in the text form.

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(u32);
            entity_impl!($name, $prefix);

            impl $name {
                pub const fn at(index: u32) -> $name {
                    $name(index)
                }
            }
        )*
    };
}

handles! {
    /// An interned type of a module.
    TypeId "t";
    /// A function of a module, defined or declared.
    FuncId "f";
    /// A global variable of a module.
    GlobalId "g";
    /// A source file that debug information names.
    FileId "file";
    /// A lexical scope of debug information.
    ScopeId "scope";
    /// A source-level type.
    DebugTypeId "d";
    /// A statement: the instructions of one block that carry the same source line.
    StatementId "st";
    /// A basic block of a body.
    BlockId "b";
    /// An instruction of a body.
    InstId "i";
    /// A value of a body: a parameter or the result of an instruction.
    ValueId "v";
    /// A constant used in a body.
    ConstId "c";
    /// A mutable, named, typed local variable of a body whose address is never taken.
    SlotId "s";
}

use base::entity::entity_impl;
