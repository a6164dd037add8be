//! Which tool a program is, by its name: compilers and their parts, archivers, linkers, and
//! programs that copy files.

use std::path::Path;

/// What a program does in a build.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Compiles, assembles and links by starting other programs.
    Compiler,
    /// Stands before a compiler, and may do without it.
    CompilerCache,
    /// The part of a compiler that reads C.
    CompilerPart,
    /// Another part of a compiler, which a build may also start by itself.
    Assembler,
    Linker,
    Archiver,
    Copier,
    Mover,
    Installer,
    LinkMaker,
    Stripper,
    ObjectCopier,
}

const COMPILERS: [&str; 18] = [
    "cc", "gcc", "clang", "c99", "c89", "c++", "g++", "clang++", "CC", "tcc", "icc", "icpc", "icx",
    "icpx", "pcc", "egcc", "eg++", "gfortran",
];
const CACHES: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "buildcache"];
const PARTS: [&str; 12] = [
    "cc1",
    "cc1plus",
    "cc1obj",
    "cc1objplus",
    "f951",
    "collect2",
    "lto1",
    "lto-wrapper",
    "d21",
    "gnat1",
    "go1",
    "lto-dump",
];
const LINKERS: [&str; 9] =
    ["ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", "gold", "lld", "mold", "wild"];
const ARCHIVERS: [&str; 4] = ["ar", "gcc-ar", "llvm-ar", "clang-ar"];
const STRIPPERS: [&str; 2] = ["strip", "llvm-strip"];
const OBJECT_COPIERS: [&str; 2] = ["objcopy", "llvm-objcopy"];

/// Names for which the recorder makes links where it cannot follow processes.
pub(super) const SHIMMED: [&str; 31] = [
    "cc",
    "gcc",
    "clang",
    "c99",
    "c89",
    "c++",
    "g++",
    "clang++",
    "tcc",
    "ar",
    "gcc-ar",
    "llvm-ar",
    "ranlib",
    "gcc-ranlib",
    "llvm-ranlib",
    "ld",
    "ld.bfd",
    "ld.gold",
    "ld.lld",
    "as",
    "cp",
    "mv",
    "install",
    "ln",
    "strip",
    "objcopy",
    "ccache",
    "sccache",
    "distcc",
    "icecc",
    "gfortran",
];

impl Tool {
    /// The tool that a program is, by the name that it was started with and by that of its file,
    /// and by its arguments.
    pub fn of(name: &Path, file: &Path, first_argument: Option<&str>) -> Option<Tool> {
        let (name, file) = (base(name), base(file));
        // A cache may be started under the name of a compiler.
        if is_one_of(file, &CACHES) || is_one_of(name, &CACHES) {
            return Some(Tool::CompilerCache);
        }
        let tool = Self::named(name).or_else(|| Self::named(file))?;
        let is_part = matches!(first_argument, Some("-cc1" | "-cc1as"));
        Some(if tool == Tool::Compiler && is_part { Tool::CompilerPart } else { tool })
    }

    fn named(name: &str) -> Option<Tool> {
        let simple = match name {
            "as" | "gas" | "llvm-as" => Some(Tool::Assembler),
            "cp" | "gcp" => Some(Tool::Copier),
            "mv" | "gmv" => Some(Tool::Mover),
            "install" | "ginstall" => Some(Tool::Installer),
            "ln" | "gln" => Some(Tool::LinkMaker),
            _ if PARTS.contains(&name) => Some(Tool::CompilerPart),
            _ => None,
        };
        let tables: [(&[&str], Tool); 5] = [
            (&COMPILERS, Tool::Compiler),
            (&LINKERS, Tool::Linker),
            (&ARCHIVERS, Tool::Archiver),
            (&STRIPPERS, Tool::Stripper),
            (&OBJECT_COPIERS, Tool::ObjectCopier),
        ];
        let by_table = || tables.iter().find(|(names, _)| is_one_of(name, names));
        simple.or_else(|| by_table().map(|(_, tool)| *tool))
    }
}

/// Whether a file name says that the tool compiles C++ unless told otherwise.
pub(super) fn compiles_cpp(name: &Path) -> bool {
    is_one_of(base(name), &["c++", "g++", "clang++", "icpc", "icpx", "eg++", "CC"])
}

fn base(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Whether a name is one of these, perhaps with a target before it and a version behind it:
/// `x86_64-linux-gnu-gcc-12`.
fn is_one_of(name: &str, names: &[&str]) -> bool {
    let versionless = match name.rsplit_once('-') {
        Some((rest, version)) if is_version(version) => rest,
        _ => name,
    };
    names.iter().any(|known| {
        let target = versionless.strip_suffix(known);
        target.is_some_and(|target| target.is_empty() || is_target(target))
    })
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// `x86_64-linux-gnu-`, `arm-none-eabi-`, `musl-`: words with hyphens, and none of the programs
/// that only look alike.
fn is_target(text: &str) -> bool {
    let Some(words) = text.strip_suffix('-') else { return false };
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    };
    words.split('-').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, file: &str, first: &str) -> Option<Tool> {
        Tool::of(Path::new(name), Path::new(file), Some(first))
    }

    #[test]
    fn compilers_are_known_under_all_their_names() {
        for name in ["cc", "/usr/bin/gcc-12", "x86_64-linux-gnu-gcc-12", "clang-19", "musl-gcc"] {
            assert_eq!(tool(name, "/bin/sh", "-c"), Some(Tool::Compiler), "{name}");
        }
        let renamed = tool("mycc", "/usr/bin/x86_64-linux-gnu-gcc-12", "-c");
        assert_eq!(renamed, Some(Tool::Compiler));
        assert_eq!(tool("gcc", "/usr/bin/ccache", "-c"), Some(Tool::CompilerCache));
        assert_eq!(tool("clang", "/usr/bin/clang-14", "-cc1"), Some(Tool::CompilerPart));
        assert_eq!(tool("gcc-ar-12", "x", ""), Some(Tool::Archiver));
    }

    #[test]
    fn programs_that_only_look_alike_are_not_taken_for_tools() {
        for name in ["clang-format", "gcc.sh", "make", "tar", "bash", "sed", "ldd", "clang-tidy-19"]
        {
            assert_eq!(tool(name, name, ""), None, "{name}");
        }
    }
}
