//! Facts about the functions of the C library and the system, stated once.
//!
//! One entry of the [table](table.rs) has everything about a function: what a call reads, writes,
//! returns and calls, how it ends, what it does with input and output, and other facts. Everything
//! here is a query of that table; no other crate knows a function of the library by its name,
//! except where it is implemented.
//!
//! The linker decides whether a function of a program *is* the library's, not its name: it has no
//! code, or its code comes from the archive.

mod effect;
mod facts;
mod read;
mod table;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use effect::{
    COMMAND_LINE, CONSOLE, Depth, ERRNO, Effect, End, FILES, Returned, SIGNALS, STATE_COUNT, Which,
    state_name,
};
pub use facts::{Fact, Handling, Length, StartVariable, To};

/// Facts about a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// What a call does to memory; none if the function is C code of ours, whose code shows it.
    effects: Option<Vec<Effect>>,
    /// What the machine does with input-dependent values that reach a call.
    pub handling: Option<Handling>,
    /// Pointers that come with a length.
    pub lengths: Vec<Length>,
    facts: Vec<Fact>,
}

/// All functions.
struct Table {
    functions: Vec<Function>,
    /// By name, an index into `functions`. Functions of one line share theirs.
    names: FxHashMap<&'static str, usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(read::table);

/// The facts about a function of the library.
pub fn find(name: &str) -> Option<&'static Function> {
    let of = |name: &str| TABLE.names.get(name).map(|&at| &TABLE.functions[at]);
    of(name).or_else(|| {
        // Functions of math.h and complex.h exist in other widths and under other names.
        let plain = name.strip_prefix("__").unwrap_or(name);
        let plain = plain.strip_suffix("_finite").unwrap_or(plain);
        let stems = [Some(plain), plain.strip_suffix('f'), plain.strip_suffix('l')];
        let mut pure = stems.into_iter().flatten().filter_map(of).filter(|f| f.has(Fact::Pure));
        pure.next().map(|_| &*PURE)
    })
}

/// The facts about a function whose result depends on its arguments alone.
static PURE: LazyLock<Function> =
    LazyLock::new(|| Function { effects: Some(Vec::new()), ..Function::default() });

/// What a function without code does to memory. A function without a model is unknown code, which
/// may do anything to what it can reach.
pub fn model(name: &str) -> Option<&'static [Effect]> {
    find(name)?.effects.as_deref()
}

/// How calls of a function end, if they do not return.
pub fn end(name: &str) -> Option<End> {
    find(name)?.end()
}

/// Whether the table has the function.
pub fn has(name: &str, fact: Fact) -> bool {
    find(name).is_some_and(|function| function.has(fact))
}

impl Function {
    pub fn has(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }

    pub fn end(&self) -> Option<End> {
        self.effects().find_map(|effect| match effect {
            Effect::Ends(end) => Some(end),
            _ => None,
        })
    }

    fn effects(&self) -> impl Iterator<Item = Effect> {
        self.effects.iter().flatten().copied()
    }

    /// Whether it may end the program, or jump out of its callers.
    pub fn may_not_return(&self) -> bool {
        matches!(self.end(), Some(End::Exits | End::Jumps))
    }

    /// Whether its first argument is the program's exit status.
    pub fn takes_status(&self) -> bool {
        self.handling == Some(Handling::Status)
    }

    /// Whether it writes bytes: to a stream, a descriptor or the system's log.
    pub fn puts_out(&self) -> bool {
        use Handling::{PrintTo, PutByte, PutBytes, PutString};
        let puts =
            |handling| matches!(handling, PrintTo(_) | PutByte(_) | PutBytes { .. } | PutString(_));
        self.handling.is_some_and(puts) || self.has(Fact::PutsOut)
    }

    /// Whether users can observe a call: it writes output or ends the program.
    pub fn is_seen(&self) -> bool {
        self.puts_out() || self.end() == Some(End::Exits)
    }

    /// Whether it may write bytes into files: its own, or those buffered in a stream.
    pub fn writes_files(&self) -> bool {
        self.puts_out() || self.has(Fact::Settles)
    }

    /// Whether it returns a new object: a block of memory, a stream or a directory.
    pub fn makes_object(&self) -> bool {
        let is_new =
            |effect| matches!(effect, Effect::Returns(Returned::New | Returned::Resized(_)));
        self.has(Fact::MakesStream) || self.effects().any(is_new)
    }

    /// Whether what it returns or writes depends on more than its arguments and the program's
    /// memory: on input, the clock, or state of the library.
    pub fn looks_outside(&self) -> bool {
        use Handling::{GetByte, IntegerIn, Read, Seek, Size, UngetByte};
        let reads = |handling| {
            matches!(handling, GetByte(_) | UngetByte | Read(_) | Size | Seek | IntegerIn)
        };
        let looks = |effect| match effect {
            Effect::ReadsState(_) => true,
            Effect::Returns(Returned::State(state)) => state != ERRNO,
            _ => false,
        };
        self.handling.is_some_and(reads)
            || self.has(Fact::Machine)
            || self.has(Fact::Opens)
            || self.effects().any(looks)
    }

    /// Whether control may leave the structure of branches, calls and returns after a call: it
    /// jumps, keeps a function for later, or starts a thread or a process.
    pub fn is_unstructured(&self) -> bool {
        let leaves = |effect| {
            matches!(
                effect,
                Effect::Ends(End::Jumps | End::Sets) | Effect::Keeps(_) | Effect::KeepsInside(_)
            )
        };
        self.has(Fact::Unstructured) || self.effects().any(leaves)
    }

    /// Whether it returns the address of `errno`.
    pub fn locates_errno(&self) -> bool {
        self.effects().any(|effect| effect == Effect::Returns(Returned::State(ERRNO)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> &'static Function {
        find(name).unwrap_or_else(|| panic!("`{name}` has no entry"))
    }

    #[test]
    fn models_say_what_is_read_written_and_returned() {
        let effects = model("memcpy").unwrap();
        assert!(effects.contains(&Effect::Copies(0, 1)));
        assert!(effects.contains(&Effect::Returns(Returned::Argument(0))));
        assert_eq!(end("exit"), Some(End::Exits));
        assert_eq!(model("cosf"), Some(&[][..]));
        assert_eq!(model("__cosl_finite"), Some(&[][..]));
        assert_eq!(model("no_such_function"), None);
    }

    #[test]
    fn only_functions_of_their_arguments_have_variants_without_an_entry() {
        assert_eq!(find("readl"), None);
        assert_eq!(find("__read_finite"), None);
        assert_eq!(find("qsortf"), None);
    }

    #[test]
    fn what_is_c_code_of_ours_has_facts_and_no_model() {
        assert_eq!(known("qsort").lengths, [Length { pointer: 0, length: 1 }]);
        assert_eq!(model("qsort"), None);
    }

    #[test]
    fn one_entry_answers_every_question_about_a_function() {
        for name in ["printf", "__printf_chk", "fputs", "write", "perror", "putw"] {
            assert!(known(name).is_seen() && known(name).writes_files(), "{name}");
        }
        for name in ["exit", "_Exit", "abort", "__assert_fail"] {
            assert!(known(name).is_seen() && known(name).may_not_return(), "{name}");
            assert!(!known(name).writes_files(), "{name}");
        }
        assert!(known("fclose").writes_files() && !known("fclose").is_seen());
        assert!(!known("sprintf").is_seen() && !known("fgetc").writes_files());
        assert!(known("exit").takes_status() && !known("abort").takes_status());
        assert!(known("longjmp").may_not_return() && !known("longjmp").is_seen());
        for name in ["malloc", "realloc", "mmap", "fopen", "opendir"] {
            assert!(known(name).makes_object(), "{name}");
        }
        assert!(!known("freopen").makes_object() && !known("readdir").makes_object());
        for name in ["setjmp", "siglongjmp", "signal", "sigaction", "atexit", "raise", "fork"] {
            assert!(known(name).is_unstructured(), "{name}");
        }
        assert!(!known("exit").is_unstructured() && !known("call_once").is_unstructured());
        assert!(known("__errno_location").locates_errno());
    }

    #[test]
    fn every_function_has_one_entry() {
        let mut names: Vec<&str> = read::names().collect();
        names.sort_unstable();
        let twice: Vec<&str> = names.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert!(names.len() > 900, "{} entries", names.len());
    }
}
