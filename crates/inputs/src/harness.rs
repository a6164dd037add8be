//! The C text of a program that calls one function natively.
//!
//! The harness includes the file that defines the function, so that static functions and all types
//! are available; a `main` in that file is renamed. It is compiled once and run many times:
//! `harness [PARAMS [RESULT [FILL]]]` reads the cells of parameters and global variables from a
//! file (`ripple.params`; see [`Layout::image`]), builds the memory, calls the function, and writes
//! what can be observed to a file (standard output). A third argument, `zeros` or `ones`, says how
//! to fill new heap blocks.
//!
//! The output is the text form of a [`Snapshot`](crate::snapshot::Snapshot). The harness wraps
//! `malloc`, so that it knows every heap block and its size, and reads its own symbol table for the
//! addresses of variables and functions. A function that does not return leaves no output.

use std::fmt::Write;
use std::path::Path;

use base::entity::SecondaryMap;
use ir::{DebugType, DebugTypeId, FuncId, Linkage, Module};
use library::Fact;

use crate::error::Error;
use crate::layout::{ObjectId, Target};
use crate::lookup::find_global;
use crate::types::{c_name, resolve, size_of};
use crate::view::{PartKind, RAW, ViewId, Views};
use crate::{Input, Layout, Test};

/// The file that a harness reads if none is named.
pub const PARAMS_FILE: &str = "ripple.params";
/// The new name of the program's `main`, if it has one. Compile other files of the program with
/// `-Dmain=` this name.
pub const PROGRAM_MAIN: &str = "ripple_program_main";

/// The most objects to follow, and the most scalars in all of them.
pub const MOST_LINES: usize = 1 << 12;
pub const MOST_TOKENS: usize = 1 << 16;
/// Longer names are replaced by numbers.
pub(crate) const LONGEST_NAME: usize = 120;
/// The name of the result.
pub(crate) const RETURN: &str = "return";
/// The prefix of static variables' names.
pub(crate) const STATIC: &str = "static:";

/// The C library's error variable, among the observed variables.
pub const ERRNO: &str = "errno";

/// Functions of the C library that allocate for the program, besides `malloc` and its relatives.
const ALLOCATING: [&str; 11] = [
    "aligned_alloc",
    "asprintf",
    "getdelim",
    "getline",
    "memalign",
    "posix_memalign",
    "reallocarray",
    "strdup",
    "strndup",
    "valloc",
    "vasprintf",
];

const BEGIN: &str = include_str!("../harness/begin.c");
const END: &str = include_str!("../harness/end.c");

/// A harness for one function and one layout.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// How memory is read.
    pub views: Views,
    /// The roots of the output, in order.
    pub roots: Vec<Root>,
}

/// A root of what a caller can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub name: String,
    pub kind: RootKind,
    pub view: ViewId,
    /// In bytes.
    pub size: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootKind {
    Returned,
    /// Memory behind a parameter, or a variable that varies.
    Object(ObjectId),
    /// A variable, by its symbol.
    Global {
        symbol: String,
        is_internal: bool,
    },
    Errno,
}

impl Harness {
    /// `source` is the C file to include, which defines the function or includes a file that does;
    /// `globals` are the symbols of observed variables.
    pub fn new(
        module: &Module,
        function: FuncId,
        layout: &Layout,
        source: &Path,
        globals: &[String],
    ) -> Result<Harness, Error> {
        let function = &module.functions[function];
        let unknown = || Error::NoDebugTypes { function: function.display_name().to_owned() };
        let ty = function.debug_type.and_then(|id| module.debug_types.get(id));
        let Some(DebugType::Function { returns, params }) = ty else { return Err(unknown()) };
        let types = param_types(function, params);
        let name = function.display_name();
        let returned = !matches!(resolve(module, *returns), DebugType::Void);
        let is_scalar = matches!(
            resolve(module, *returns),
            DebugType::Base { .. } | DebugType::Pointer { .. } | DebugType::Enum { .. }
        );
        let mut views = Views::default();
        let mut roots = Vec::new();
        if returned {
            let size = size_of(module, *returns).ok_or_else(|| {
                unsupported(module, "the result", *returns, "its parts are not known")
            })?;
            let (name, kind) = (RETURN.to_owned(), RootKind::Returned);
            roots.push(Root { name, kind, view: views.of(module, *returns), size });
        }
        object_roots(module, layout, &types, &mut views, &mut roots);
        global_roots(module, layout, globals, &mut views, &mut roots);
        let arguments = arguments(module, layout, &types)?;
        let mut text = String::new();
        write_source(&mut text, name, source);
        let named = Named::new(module, layout);
        named.declare(&mut text);
        write_tables(&mut text, layout, &named);
        write_views(&mut text, &views, &roots);
        write_constants(&mut text, module);
        text.push_str(END);
        write_main(&mut text, name, &arguments, returned, is_scalar);
        Ok(Harness { text, views, roots })
    }

    /// An input of the function as an input of the harness.
    pub fn test(&self, layout: &Layout, assignment: &[u64], name: Option<String>) -> Test {
        let decoded = layout.decode(assignment);
        let mut files = decoded.files;
        files.push((PARAMS_FILE.to_owned(), layout.image(assignment)));
        let input = Input { stdin: decoded.stdin, files, ..Input::default() };
        Test { name, input, ..Test::default() }
    }
}

fn unsupported(module: &Module, place: &str, ty: Option<DebugTypeId>, why: &'static str) -> Error {
    Error::UnsupportedType { place: place.to_owned(), ty: c_name(module, ty), why }
}

/// Old-style definitions have the types of parameters only in the variables.
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

/// Buffers and variables that vary; the parameters themselves are copies.
fn object_roots(
    module: &Module,
    layout: &Layout,
    types: &[Option<DebugTypeId>],
    views: &mut Views,
    roots: &mut Vec<Root>,
) {
    let mut known: SecondaryMap<ObjectId, Option<ViewId>> = SecondaryMap::new();
    let globals = layout
        .globals
        .iter()
        .map(|(name, id)| (*id, find_global(module, name).and_then(|global| global.debug_type)));
    let params = layout.params.iter().copied().zip(types.iter().copied());
    let mut queue: Vec<(ObjectId, ViewId)> =
        params.chain(globals).map(|(id, ty)| (id, views.of(module, ty))).collect();
    while let Some((id, view)) = queue.pop() {
        if known[id].replace(view).is_some() {
            continue;
        }
        for pointer in &layout.objects[id].pointers {
            let Target::Object(target) = pointer.target else { continue };
            queue.push((target, target_of(views, view, pointer.offset)));
        }
    }
    for (id, object) in layout.objects.iter().filter(|(id, _)| !layout.params.contains(id)) {
        roots.push(Root {
            name: object.name.clone(),
            kind: RootKind::Object(id),
            view: known[id].unwrap_or(RAW),
            size: object.fixed.len() as u64,
        });
    }
}

/// How to read memory behind the pointer at an offset.
fn target_of(views: &Views, view: ViewId, offset: u64) -> ViewId {
    let view = views.get(view);
    let at = (offset % view.size) * 8;
    let part = view.parts.iter().find(|part| part.bit == at);
    match part.map(|part| part.kind) {
        Some(PartKind::Pointer(target)) => target,
        _ => RAW,
    }
}

/// Variables that do not vary and that the function may write to.
fn global_roots(
    module: &Module,
    layout: &Layout,
    globals: &[String],
    views: &mut Views,
    roots: &mut Vec<Root>,
) {
    for symbol in globals {
        if symbol == ERRNO {
            let ty = views.integer();
            roots.push(Root { name: ERRNO.to_owned(), kind: RootKind::Errno, view: ty, size: 4 });
            continue;
        }
        let Some(global) = module.globals.values().find(|global| global.name == *symbol) else {
            continue;
        };
        let source = global.source_name.as_deref().unwrap_or(symbol);
        let varies = |(name, _): &(String, ObjectId)| name == source || name == symbol;
        if layout.globals.iter().any(varies) {
            continue;
        }
        let is_internal = global.linkage == Linkage::Internal;
        let name = if is_internal { format!("{STATIC}{symbol}") } else { symbol.clone() };
        let kind = RootKind::Global { symbol: symbol.clone(), is_internal };
        let size = module.types.layout(global.ty).size;
        roots.push(Root { name, kind, view: views.of(module, global.debug_type), size });
    }
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
        if name.contains('…') {
            Err(unsupported(module, place, ty, "it has no name"))
        } else {
            Ok(format!("*({name} *)ripple_spans[{}].ripple_start", object.as_u32()))
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
         #undef main\n\
         #define main {PROGRAM_MAIN}\n\
         #include \"{path}\"\n\
         #undef main\n\n",
    );
    text.push_str(BEGIN);
    text.push('\n');
}

fn write_tables(text: &mut String, layout: &Layout, named: &Named) {
    let objects = || layout.objects.iter();
    let cell = |id: crate::CellId| id.position() - layout.first_param_cell;
    let global = |id: ObjectId| layout.globals.iter().find(|(_, other)| *other == id);
    let spans = objects().map(|(id, object)| {
        let start = match global(id) {
            Some((name, _)) => named.address_of(name),
            None => "0".to_owned(),
        };
        let (size, name) = (object.fixed.len(), &object.name);
        format!("{start}, {size}, \"{name}\"")
    });
    table(text, "struct ripple_span", "ripple_spans", "RIPPLE_OBJECTS", spans);
    let functions = functions(layout);
    let addresses =
        functions.iter().map(|name| format!("{}, 0, \"{name}\"", named.address_of(name)));
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
    let pointers = objects().flat_map(|(_, object)| &object.pointers).enumerate();
    let insteads = pointers.flat_map(|(number, pointer)| {
        let row = move |(id, object): &(crate::CellId, ObjectId)| {
            format!("{number}, {}, {}", cell(*id), object.as_u32())
        };
        pointer.instead.iter().map(row)
    });
    table(text, "const struct ripple_instead", "ripple_insteads", "RIPPLE_INSTEADS", insteads);
    let cells = layout.cells.len() - layout.first_param_cell;
    let _ = writeln!(text, "#define RIPPLE_CELLS {cells}u");
    let _ = writeln!(text, "static unsigned long long ripple_cells[RIPPLE_CELLS + 1];\n");
}

fn write_views(text: &mut String, views: &Views, roots: &[Root]) {
    let mut first = 0;
    let mut rows = Vec::new();
    for view in views.all.values() {
        let (tail, target, name) = match &view.tail {
            Some(tail) => (tail.offset as i64, tail.view.as_u32(), tail.name.as_str()),
            None => (-1, 0, ""),
        };
        let count = view.parts.len();
        rows.push(format!("{}, {first}, {count}, {tail}, {target}, \"{name}\"", view.size));
        first += count;
    }
    table(text, "const struct ripple_view", "ripple_views", "RIPPLE_VIEWS", rows.into_iter());
    let parts = views.all.values().flat_map(|view| &view.parts).map(|part| {
        let (kind, target) = match part.kind {
            PartKind::Signed | PartKind::Unsigned => (0, 0),
            PartKind::Character => (1, 0),
            PartKind::Float => (2, 0),
            PartKind::Pointer(target) => (3, target.as_u32()),
            PartKind::Word => (4, 0),
            PartKind::LongDouble => (5, 0),
        };
        format!("{}, {}, {kind}, {target}, \"{}\"", part.bit, part.bits, part.name)
    });
    table(text, "const struct ripple_part", "ripple_parts", "RIPPLE_PARTS", parts);
    let roots = roots.iter().map(|root| {
        let (object, symbol) = match &root.kind {
            RootKind::Returned => (-1, "0".to_owned()),
            RootKind::Object(id) => (i64::from(id.as_u32()), "0".to_owned()),
            RootKind::Global { symbol, .. } => (-1, format!("\"{symbol}\"")),
            RootKind::Errno => (-2, "0".to_owned()),
        };
        let (name, view) = (&root.name, root.view.as_u32());
        format!("\"{name}\", {object}, {symbol}, {}, {view}", root.size)
    });
    table(text, "const struct ripple_root", "ripple_roots", "RIPPLE_ROOTS", roots);
}

/// Constants shared by both sides, and whether the harness follows heap blocks: it leaves a program
/// with its own `malloc` alone, and a sanitizer's `malloc`, too. Under a sanitizer it writes
/// nothing, because the sanitizer reports the necessary reads.
fn write_constants(text: &mut String, module: &Module) {
    let own = || {
        let with_code = module.functions.values().filter(|function| function.body().is_some());
        with_code.filter(|function| !module.in_archive(function.span))
    };
    let tracks = !own().any(|function| library::has(&function.name, Fact::Heap));
    for name in ALLOCATING {
        let is_own = own().any(|function| function.name == name);
        let _ = writeln!(text, "#define RIPPLE_WRAPS_{name} {}", u8::from(!is_own));
    }
    let _ = write!(
        text,
        "enum {{ RIPPLE_NUMBER, RIPPLE_CHARACTER, RIPPLE_FLOAT, RIPPLE_POINTER, RIPPLE_WORD, RIPPLE_LONG_DOUBLE }};\n\
         #define RIPPLE_MOST_LINES {MOST_LINES}u\n\
         #define RIPPLE_MOST_TOKENS {MOST_TOKENS}u\n\
         #define RIPPLE_LONGEST_NAME {LONGEST_NAME}u\n\
         #define RIPPLE_TRACKS {}\n\
         #define RIPPLE_IS_SANITIZED 0\n\
         #if defined(__has_feature)\n\
         #if __has_feature(address_sanitizer)\n\
         #undef RIPPLE_IS_SANITIZED\n\
         #define RIPPLE_IS_SANITIZED 1\n\
         #endif\n\
         #if __has_feature(memory_sanitizer)\n\
         #undef RIPPLE_IS_SANITIZED\n\
         #define RIPPLE_IS_SANITIZED 1\n\
         #endif\n\
         #endif\n\
         #if defined(__SANITIZE_ADDRESS__)\n\
         #undef RIPPLE_IS_SANITIZED\n\
         #define RIPPLE_IS_SANITIZED 1\n\
         #endif\n\n",
        u8::from(tracks),
    );
}

/// Functions and global variables whose addresses the harness takes. Those visible to other files
/// are declared again by their symbol, because the included file need not know them.
struct Named {
    symbols: Vec<Symbol>,
}

struct Symbol {
    name: String,
    /// Its declaration for other files, if they can see it.
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
            let (ty, suffix) =
                if symbol.is_function { ("void", "(void)") } else { ("unsigned char", "[]") };
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

/// The functions that pointers point to, each once.
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

/// Uses a scalar result as a caller would, so that a build with sanitizers depends on it.
fn write_main(text: &mut String, name: &str, arguments: &[String], returns: bool, is_scalar: bool) {
    let used =
        if is_scalar { "ripple_result ? 0 : ripple_libc_fflush(ripple_out) * 0" } else { "0" };
    let call = format!("({name})({})", arguments.join(", "));
    let (call, result) = if returns {
        (
            format!("__typeof__({call}) ripple_result = {call};"),
            "(unsigned char *)&ripple_result, sizeof ripple_result",
        )
    } else {
        (format!("{call};"), "0, 0")
    };
    let _ = write!(
        text,
        "\nint main(int ripple_argc, char **ripple_argv) {{\n    \
         ripple_read_symbols();\n    \
         if (ripple_argc > 3)\n        \
         ripple_pattern = *ripple_argv[3] == 'z' ? 0 : 0xff;\n    \
         ripple_read(ripple_argc > 1 ? ripple_argv[1] : \"{PARAMS_FILE}\");\n    \
         ripple_fill();\n    \
         *ripple_libc_errno() = 0;\n    \
         {call}\n    \
         int ripple_errno = *ripple_libc_errno();\n    \
         void *ripple_out = ripple_argc > 2 ? ripple_libc_fopen(ripple_argv[2], \"w\") : \
         ripple_libc_stdout;\n    \
         if (!ripple_out)\n        \
         ripple_libc_exit(125);\n    \
         if (RIPPLE_IS_SANITIZED)\n        \
         return {used};\n    \
         ripple_tell(ripple_out, {result}, ripple_errno);\n    \
         ripple_libc_fflush(ripple_out);\n    \
         return 0;\n}}\n",
    );
}
