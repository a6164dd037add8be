//! Names in the text form: quoted if necessary, with ids if ambiguous.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::ops::Index;

use base::entity::PrimaryMap;

use crate::{FuncId, GlobalId, Module};

/// How each function and global is written: `@name`, or with its id (`@name#f3`) if
/// the name is empty or not the only one of its kind.
pub(super) struct Symbols {
    functions: PrimaryMap<FuncId, String>,
    globals: PrimaryMap<GlobalId, String>,
}

impl Symbols {
    pub(super) fn new(module: &Module) -> Symbols {
        let functions = module.functions.values().map(|function| function.name.as_str());
        let globals = module.globals.values().map(|global| global.name.as_str());
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for name in functions.chain(globals) {
            *uses.entry(name).or_default() += 1;
        }
        let written = |name: &str, id: &dyn Display| match uses.get(name) {
            Some(1) if !name.is_empty() => symbol(name).to_string(),
            _ => format!("{}#{id}", symbol(name)),
        };
        Symbols {
            functions: module.functions.iter().map(|(id, f)| written(&f.name, &id)).collect(),
            globals: module.globals.iter().map(|(id, g)| written(&g.name, &id)).collect(),
        }
    }
}

impl Index<FuncId> for Symbols {
    type Output = String;
    fn index(&self, id: FuncId) -> &String {
        &self.functions[id]
    }
}

impl Index<GlobalId> for Symbols {
    type Output = String;
    fn index(&self, id: GlobalId) -> &String {
        &self.globals[id]
    }
}

/// `@name`, quoted where needed.
pub(super) fn symbol(name: &str) -> impl Display {
    shown(move |f| {
        if is_plain(name, u8::is_ascii_alphanumeric) {
            write!(f, "@{name}")
        } else {
            write!(f, "@{}", quoted(name.as_bytes()))
        }
    })
}

/// A space and a name, quoted where needed; nothing for an empty one.
pub(super) fn word(name: &str) -> impl Display {
    shown(move |f| match name {
        "" => Ok(()),
        name if is_plain(name, u8::is_ascii_alphabetic) => write!(f, " {name}"),
        name => write!(f, " {}", quoted(name.as_bytes())),
    })
}

/// Whether a name needs no quotes; `starts` says what it may start with.
fn is_plain(name: &str, starts: impl Fn(&u8) -> bool) -> bool {
    let extra = |byte: &u8| matches!(byte, b'_' | b'.' | b'$');
    let bytes = name.as_bytes();
    bytes.first().is_some_and(|byte| starts(byte) || extra(byte))
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || extra(byte))
}

/// A string in quotes. Escapes everything except printable ASCII and valid UTF-8.
pub fn quoted(bytes: &[u8]) -> impl Display {
    shown(move |f| {
        f.write_str("\"")?;
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                quote_character(f, character)?;
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_str("\"")
    })
}

fn quote_character(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    match character {
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\t' => f.write_str("\\t"),
        '\0'..' ' | '\x7f' => write!(f, "\\x{:02x}", character as u32),
        character => write!(f, "{character}"),
    }
}

/// A prefix and an id, or nothing.
pub(super) fn optional<T: Display>(prefix: &'static str, id: Option<T>) -> impl Display {
    shown(move |f| match &id {
        Some(id) => write!(f, "{prefix}{id}"),
        None => Ok(()),
    })
}

/// Something that is written by a function.
pub(super) fn shown(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl Display {
    Shown(write)
}

struct Shown<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Shown<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}
