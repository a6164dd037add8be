//! The C text of a program that calls one function natively.
//!
//! The harness includes the file that defines the function, so that static functions and all
//! types are at hand; a `main` in there gets another name. It is compiled once and run many times:
//! `harness [PARAMS [RESULT]]` reads the cells of parameters and global variables from a file
//! (`ripple.params`; see [`Layout::image`]), makes the memory, calls the function, and writes what
//! can be observed to a file (standard output).
//!
//! What is written: a line `return` with the scalars of the result, unless there is none; then a
//! line for each buffer and global variable, its name followed by its scalars in the order of
//! their addresses. A scalar is its bits in hexadecimal with leading zeros; those wider than 64
//! bits are several. A pointer is `null`, `&NAME+OFFSET` for a place in a buffer or global
//! variable or right behind it, `&NAME` for a function that was given, or `other`. Instead of its
//! scalars, a buffer that was freed (by a call in the included file) has the word `freed`.
//! A function that does not return leaves nothing.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ir::{DebugType, DebugTypeId, FuncId, Linkage, Module};

use crate::entry::find_global;
use crate::error::Error;
use crate::layout::{Leaf, ObjectId, Target, raw_pieces};
use crate::shape::Raw;
use crate::types::{c_name, resolve, size_of};
use crate::{Input, Layout, Test};

/// The file that a harness reads if none is named.
pub const PARAMS_FILE: &str = "ripple.params";
/// What `main` of the program is called, if it has one. Other files of the program are to be
/// compiled with `-Dmain=` this name.
pub const PROGRAM_MAIN: &str = "ripple_program_main";

const BEGIN: &str = include_str!("../harness/begin.c");
const END: &str = include_str!("../harness/end.c");

/// A harness for one function and one layout.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// The scalars of the result; `None` for a function without one.
    pub returned: Option<Vec<Leaf>>,
    /// Objects that are observed, in the order of the result, by name.
    pub observed: Vec<(ObjectId, String)>,
}

/// Where an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointee {
    Null,
    /// An object of the layout and an offset in it, up to its size.
    Object(ObjectId, u64),
    /// A function that was given as a parameter.
    Function(String),
    Other,
}

/// The file of the function's definition, as the debug information names it.
pub fn defining_file(module: &Module, function: FuncId) -> Option<PathBuf> {
    let scope = module.functions.get(function)?.span.scope?;
    let file = module.files.get(module.scopes.get(scope)?.file)?;
    Some(Path::new(&file.directory).join(&file.name))
}

impl Harness {
    /// `source` is the C file to include, which defines the function or includes what does.
    pub fn new(
        module: &Module,
        function: FuncId,
        layout: &Layout,
        source: &Path,
    ) -> Result<Harness, Error> {
        let function = &module.functions[function];
        let unknown = || Error::NoDebugTypes { function: function.display_name().to_owned() };
        let ty = function.debug_type.and_then(|id| module.debug_types.get(id));
        let Some(DebugType::Function { returns, params }) = ty else { return Err(unknown()) };
        let types = param_types(function, params);
        let name = function.display_name();
        let mut returned = Vec::new();
        collect_leaves(module, *returns, 0, &mut returned, 0).ok_or_else(|| {
            unsupported(module, "the result", *returns, "its parts are not known")
        })?;
        let observed = observed(layout);
        let arguments = arguments(module, layout, &types)?;
        let mut text = String::new();
        write_source(&mut text, name, source);
        let named = Named::new(module, layout);
        named.declare(&mut text);
        write_tables(&mut text, layout, &named, &observed, &returned);
        text.push_str(END);
        let returns = !matches!(resolve(module, *returns), DebugType::Void);
        write_main(&mut text, name, &arguments, returns);
        Ok(Harness { text, returned: returns.then_some(returned), observed })
    }

    /// An input of the function as an input of the harness.
    pub fn test(&self, layout: &Layout, assignment: &[u64], name: Option<String>) -> Test {
        let decoded = layout.decode(assignment);
        let mut files = decoded.files;
        files.push((PARAMS_FILE.to_owned(), layout.image(assignment)));
        let input = Input { stdin: decoded.stdin, files, ..Input::default() };
        Test { name, input }
    }

    /// What the harness writes for a run that ended with these memory contents. `memory` yields
    /// an object's bytes, or `None` if it was freed; `pointee` says where an address leads.
    pub fn result(
        &self,
        layout: &Layout,
        returned: &[u8],
        memory: &dyn Fn(ObjectId) -> Option<Vec<u8>>,
        pointee: &dyn Fn(u64) -> Pointee,
    ) -> String {
        let mut text = String::new();
        let tell = |text: &mut String, leaves: &[Leaf], memory: &[u8]| {
            for leaf in leaves {
                text.push(' ');
                self.tell_leaf(text, leaf, memory, pointee);
            }
        };
        if let Some(leaves) = &self.returned {
            text.push_str("return");
            tell(&mut text, leaves, returned);
            text.push('\n');
        }
        for (id, name) in &self.observed {
            text.push_str(name);
            match memory(*id) {
                Some(memory) => tell(&mut text, &layout.objects[*id].leaves, &memory),
                None => text.push_str(" freed"),
            }
            text.push('\n');
        }
        text
    }

    fn tell_leaf(
        &self,
        text: &mut String,
        leaf: &Leaf,
        memory: &[u8],
        pointee: &dyn Fn(u64) -> Pointee,
    ) {
        let value = leaf.read(memory);
        let name = |object: ObjectId| self.observed.iter().find(|(id, _)| *id == object);
        let token = match leaf.pointer {
            false => format!("{value:0width$x}", width = leaf.bits.div_ceil(4) as usize),
            true => match pointee(value) {
                Pointee::Null => "null".to_owned(),
                Pointee::Object(object, offset) => match name(object) {
                    Some((_, name)) => format!("&{name}+{offset}"),
                    None => "other".to_owned(),
                },
                Pointee::Function(name) => format!("&{name}"),
                Pointee::Other => "other".to_owned(),
            },
        };
        text.push_str(&token);
    }
}

fn unsupported(module: &Module, place: &str, ty: Option<DebugTypeId>, why: &'static str) -> Error {
    Error::UnsupportedType { place: place.to_owned(), ty: c_name(module, ty), why }
}

/// Old-style definitions have their parameters' types with the variables only.
fn param_types(
    function: &ir::Function,
    params: &[Option<DebugTypeId>],
) -> Vec<Option<DebugTypeId>> {
    let typed: Vec<_> = params.iter().copied().filter(Option::is_some).collect();
    if !typed.is_empty() {
        return typed;
    }
    let variables = function.body().map_or(&[][..], |body| &body.variables);
    let mut found: Vec<_> = variables.iter().filter(|variable| variable.parameter > 0).collect();
    found.sort_by_key(|variable| variable.parameter);
    found.dedup_by_key(|variable| variable.parameter);
    found.into_iter().map(|variable| variable.ty).collect()
}

/// Buffers and global variables; the parameters themselves are copies.
fn observed(layout: &Layout) -> Vec<(ObjectId, String)> {
    let objects = layout.objects.iter().filter(|(id, _)| !layout.params.contains(id));
    objects.map(|(id, object)| (id, object.name.clone())).collect()
}

/// The scalars of a type; `None` if some cannot be told.
fn collect_leaves(
    module: &Module,
    ty: Option<DebugTypeId>,
    bit: u64,
    leaves: &mut Vec<Leaf>,
    nesting: u32,
) -> Option<()> {
    let raw = |leaves: &mut Vec<Leaf>, kind, bits| {
        let pieces = raw_pieces(kind, bits);
        leaves.extend(pieces.map(|(at, bits)| Leaf { bit: bit + at, bits, pointer: false }));
    };
    match resolve(module, ty) {
        DebugType::Void => {}
        _ if nesting > 64 || leaves.len() > 1 << 16 => return None,
        DebugType::Base { name, .. } if name == "long double" => {
            raw(leaves, Raw::LongDouble, 80);
        }
        DebugType::Base { bits, .. } | DebugType::Enum { bits, .. } => {
            raw(leaves, Raw::UnsignedInt, *bits);
        }
        DebugType::Union { bits, .. } => raw(leaves, Raw::Union, *bits),
        DebugType::Pointer { .. } => leaves.push(Leaf { bit, bits: 64, pointer: true }),
        DebugType::Struct { members, .. } => {
            for member in members {
                let at = bit + member.offset;
                match member.bit_field {
                    true => {
                        let bits = u32::try_from(member.bits).ok()?;
                        leaves.push(Leaf { bit: at, bits, pointer: false });
                    }
                    false => collect_leaves(module, member.ty, at, leaves, nesting + 1)?,
                }
            }
        }
        DebugType::Array { element, lengths } => {
            let count = lengths.iter().try_fold(1u64, |n, len| n.checked_mul(len.unwrap_or(0)))?;
            let size = size_of(module, *element)? * 8;
            for index in 0..count {
                collect_leaves(module, *element, bit + index * size, leaves, nesting + 1)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The arguments of the call, as C expressions. Addresses convert to every pointer, and numbers
/// to every enumeration, so only values of other types need the name of their type.
fn arguments(
    module: &Module,
    layout: &Layout,
    types: &[Option<DebugTypeId>],
) -> Result<Vec<String>, Error> {
    let argument = |(&object, &ty): (&ObjectId, &Option<DebugTypeId>)| {
        let name = match resolve(module, ty) {
            DebugType::Pointer { .. } => "void *".to_owned(),
            DebugType::Base { name, .. } => name.clone(),
            DebugType::Enum { bits, .. } => integer_of(*bits).to_owned(),
            _ => c_name(module, ty),
        };
        let place = &layout.objects[object].name;
        match name.contains('…') {
            true => Err(unsupported(module, place, ty, "it has no name")),
            false => Ok(format!("*({name} *)ripple_spans[{}].ripple_start", object.as_u32())),
        }
    };
    layout.params.iter().zip(types).map(argument).collect()
}

fn integer_of(bits: u64) -> &'static str {
    match bits {
        8 => "unsigned char",
        16 => "unsigned short",
        64 => "unsigned long",
        _ => "unsigned int",
    }
}

fn write_source(text: &mut String, name: &str, source: &Path) {
    let path = source.display().to_string();
    let _ = write!(
        text,
        "/* Calls `{name}` natively with parameters from a file. */\n\
         void ripple_free(void *);\n\
         void *ripple_realloc(void *, unsigned long);\n\
         #undef main\n\
         #define main {PROGRAM_MAIN}\n\
         #define free ripple_free\n\
         #define realloc ripple_realloc\n\
         #include \"{path}\"\n\
         #undef main\n\
         #undef free\n\
         #undef realloc\n\n",
    );
    text.push_str(BEGIN);
    text.push('\n');
}

fn write_tables(
    text: &mut String,
    layout: &Layout,
    named: &Named,
    observed: &[(ObjectId, String)],
    returned: &[Leaf],
) {
    let objects = || layout.objects.iter();
    let cell = |id: crate::CellId| id.position() - layout.first_param_cell;
    let shown = |id: ObjectId| observed.iter().any(|(other, _)| *other == id);
    let global = |id: ObjectId| layout.globals.iter().find(|(_, other)| *other == id);
    let spans = objects().map(|(id, object)| {
        let start = match global(id) {
            Some((name, _)) => named.address_of(name),
            None => "0".to_owned(),
        };
        let (size, name) = (object.fixed.len(), &object.name);
        format!("{start}, {size}, \"{name}\", {}, 0", u8::from(shown(id)))
    });
    table(text, "struct ripple_span", "ripple_spans", "RIPPLE_OBJECTS", spans);
    let functions = functions(layout);
    let addresses =
        functions.iter().map(|name| format!("{}, 0, \"{name}\", 0, 0", named.address_of(name)));
    table(text, "struct ripple_span", "ripple_functions", "RIPPLE_FUNCTIONS", addresses);
    let bytes = objects().flat_map(|(id, object)| {
        let set = object.fixed.iter().enumerate().filter(|(_, byte)| **byte != 0);
        set.map(move |(offset, byte)| format!("{}, {offset}, {byte}", id.as_u32()))
    });
    table(text, "const struct ripple_byte", "ripple_bytes", "RIPPLE_BYTES", bytes);
    let pieces = objects().flat_map(|(id, object)| {
        let row = move |piece: &crate::Piece| {
            format!("{}, {}, {}, {}", id.as_u32(), piece.bits, cell(piece.cell), piece.bit)
        };
        object.pieces.iter().map(row)
    });
    table(text, "const struct ripple_piece", "ripple_pieces", "RIPPLE_PIECES", pieces);
    let pointers = objects().flat_map(|(id, object)| {
        let functions = &functions;
        object.pointers.iter().map(move |pointer| {
            let null = pointer.null.map_or("-1".to_owned(), |id| cell(id).to_string());
            let (target, function) = match &pointer.target {
                Target::Null => (-1, -1),
                Target::Object(target) | Target::Inside { object: target, .. } => {
                    (i64::from(target.as_u32()), -1)
                }
                Target::Function(name) => {
                    let index = functions.iter().position(|known| known == name);
                    (-1, index.map_or(-1, |index| index as i64))
                }
            };
            let (inside, size) = match &pointer.target {
                Target::Inside { cell: id, size, .. } => (cell(*id).to_string(), *size),
                _ => ("-1".to_owned(), 0),
            };
            let (id, offset) = (id.as_u32(), pointer.offset);
            format!("{id}, {offset}, {null}, {target}, {function}, {inside}, {size}")
        })
    });
    table(text, "const struct ripple_pointer", "ripple_pointers", "RIPPLE_POINTERS", pointers);
    let leaves = objects()
        .flat_map(|(id, object)| object.leaves.iter().map(move |leaf| leaf_row(id.as_u32(), leaf)));
    table(text, "const struct ripple_leaf", "ripple_leaves", "RIPPLE_LEAVES", leaves);
    let returned = returned.iter().map(|leaf| leaf_row(0, leaf));
    table(text, "const struct ripple_leaf", "ripple_returned", "RIPPLE_RETURNED", returned);
    let cells = layout.cells.len() - layout.first_param_cell;
    let _ = writeln!(text, "#define RIPPLE_CELLS {cells}u");
    let _ = writeln!(text, "static unsigned long long ripple_cells[RIPPLE_CELLS + 1];\n");
}

fn leaf_row(object: u32, leaf: &Leaf) -> String {
    format!("{object}, {}, {}, {}", leaf.bit, leaf.bits, u8::from(leaf.pointer))
}

/// Functions and global variables whose addresses the harness takes. Those that other files see
/// are declared anew by their symbol, because the included file need not know them.
struct Named {
    symbols: Vec<Symbol>,
}

struct Symbol {
    name: String,
    /// How other files see it, if they do.
    visible: Option<String>,
    is_function: bool,
}

impl Named {
    fn new(module: &Module, layout: &Layout) -> Named {
        let visible = |linkage: Linkage, symbol: &String| {
            (linkage != Linkage::Internal).then(|| symbol.clone())
        };
        let globals = layout.globals.iter().map(|(name, _)| {
            let found = find_global(module, name);
            let visible = found.and_then(|global| visible(global.linkage, &global.name));
            Symbol { name: name.clone(), visible, is_function: false }
        });
        let functions = functions(layout).into_iter().map(|name| {
            let found = module.functions.values().find(|f| f.display_name() == name);
            let visible = found.and_then(|function| visible(function.linkage, &function.name));
            Symbol { name, visible, is_function: true }
        });
        Named { symbols: globals.chain(functions).collect() }
    }

    fn declare(&self, text: &mut String) {
        for (index, symbol) in self.symbols.iter().enumerate() {
            let Some(visible) = &symbol.visible else { continue };
            let (ty, suffix) = match symbol.is_function {
                true => ("void", "(void)"),
                false => ("unsigned char", "[]"),
            };
            let name = format!("ripple_symbol_{index}{suffix}");
            let _ = writeln!(text, "extern {ty} {name} __asm__(\"{visible}\");");
        }
    }

    fn address_of(&self, name: &str) -> String {
        let found = self.symbols.iter().position(|symbol| symbol.name == name);
        match found.filter(|&index| self.symbols[index].visible.is_some()) {
            Some(index) => format!("(unsigned char *)&ripple_symbol_{index}"),
            None => format!("(unsigned char *)&{name}"),
        }
    }
}

/// The functions that pointers are given, each once.
fn functions(layout: &Layout) -> Vec<String> {
    let pointers = layout.objects.values().flat_map(|object| &object.pointers);
    let mut names: Vec<String> = Vec::new();
    for pointer in pointers {
        if let Target::Function(name) = &pointer.target
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    names
}

/// A table and the number of its rows. An empty row at the end keeps it from being empty.
fn table(
    text: &mut String,
    ty: &str,
    name: &str,
    count_name: &str,
    rows: impl Iterator<Item = String>,
) {
    let _ = writeln!(text, "static {ty} {name}[] = {{");
    let mut count = 0;
    for row in rows {
        let _ = writeln!(text, "    {{ {row} }},");
        count += 1;
    }
    let _ = writeln!(text, "    {{ 0 }}\n}};\n#define {count_name} {count}u");
}

fn write_main(text: &mut String, name: &str, arguments: &[String], returns: bool) {
    let call = format!("({name})({})", arguments.join(", "));
    let (call, tell) = match returns {
        true => (
            format!("__typeof__({call}) ripple_result = {call};"),
            "    ripple_libc_fprintf(ripple_out, \"return\");\n    \
             for (unsigned ripple_i = 0; ripple_i < RIPPLE_RETURNED; ripple_i++)\n        \
             ripple_tell_leaf(ripple_out, (unsigned char *)&ripple_result, \
             &ripple_returned[ripple_i]);\n    \
             ripple_libc_fprintf(ripple_out, \"\\n\");\n",
        ),
        false => (format!("{call};"), ""),
    };
    let _ = write!(
        text,
        "\nint main(int ripple_argc, char **ripple_argv) {{\n    \
         ripple_read(ripple_argc > 1 ? ripple_argv[1] : \"{PARAMS_FILE}\");\n    \
         ripple_fill();\n    \
         {call}\n    \
         void *ripple_out = ripple_argc > 2 ? ripple_libc_fopen(ripple_argv[2], \"w\") : \
         ripple_libc_stdout;\n    \
         if (!ripple_out)\n        \
         ripple_libc_exit(125);\n\
         {tell}    \
         ripple_tell_objects(ripple_out);\n    \
         ripple_libc_fflush(ripple_out);\n    \
         return 0;\n}}\n",
    );
}
