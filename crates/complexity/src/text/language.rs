//! The language of a file, by its name, and its properties for the parser.

/// A language whose functions and statements can be recognised from text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    C,
    Cpp,
    Rust,
    Java,
    JavaScript,
    Go,
    Python,
}

impl Language {
    /// By the extension of the file's name. Headers (`.h`) are parsed as C++, which covers C
    /// headers, except for definitions in the old style.
    pub fn of(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, extension) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match extension {
            "c" | "i" => Language::C,
            "h" | "cc" | "cpp" | "cxx" | "c++" | "C" | "hh" | "hpp" | "hxx" | "h++" | "H"
            | "inl" | "ipp" | "tpp" | "inc" => Language::Cpp,
            "rs" => Language::Rust,
            "java" => Language::Java,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => Language::JavaScript,
            "go" => Language::Go,
            "py" | "pyi" | "pyw" => Language::Python,
            _ => return None,
        })
    }

    /// Whether other files include a file of this name and see its definitions.
    pub fn is_header(path: &str) -> bool {
        let extension = path.rsplit('.').next().unwrap_or_default();
        matches!(
            extension,
            "h" | "hh" | "hpp" | "hxx" | "h++" | "H" | "inl" | "ipp" | "tpp" | "inc"
        )
    }

    /// One for all languages whose files can refer to each other's definitions.
    pub fn family(self) -> Language {
        match self {
            Language::C => Language::Cpp,
            other => other,
        }
    }

    /// Whether lines that begin with `#` belong to a preprocessor.
    pub fn has_preprocessor(self) -> bool {
        matches!(self, Language::C | Language::Cpp)
    }

    /// Whether control falls through from one `case` into the next.
    pub fn falls_through(self) -> bool {
        !matches!(self, Language::Go | Language::Rust | Language::Python)
    }

    /// Words that open or continue a statement and therefore never name a function.
    pub fn is_keyword(self, word: &str) -> bool {
        let common = matches!(word, "if" | "else" | "for" | "return" | "break" | "continue");
        let switch = matches!(word, "while" | "do" | "switch" | "case" | "default" | "goto");
        let exception = matches!(word, "try" | "catch" | "finally" | "throw");
        let c_operator = matches!(
            word,
            "sizeof"
                | "alignof"
                | "typeof"
                | "__typeof__"
                | "defined"
                | "__attribute__"
                | "__declspec"
                | "alignas"
                | "static_assert"
                | "asm"
                | "__asm__"
                | "__asm"
        );
        let own = match self {
            Language::C => {
                switch
                    || c_operator
                    || matches!(word, "_Alignof" | "_Generic" | "_Alignas" | "_Static_assert")
            }
            Language::Cpp => {
                switch
                    || exception
                    || c_operator
                    || matches!(
                        word,
                        "decltype"
                            | "typeid"
                            | "noexcept"
                            | "new"
                            | "delete"
                            | "co_await"
                            | "co_return"
                            | "co_yield"
                            | "static_cast"
                            | "dynamic_cast"
                            | "const_cast"
                            | "reinterpret_cast"
                            | "requires"
                            | "explicit"
                    )
            }
            Language::Rust => matches!(
                word,
                "while"
                    | "loop"
                    | "match"
                    | "unsafe"
                    | "async"
                    | "move"
                    | "let"
                    | "in"
                    | "as"
                    | "mut"
                    | "ref"
                    | "dyn"
                    | "impl"
                    | "where"
                    | "fn"
            ),
            Language::Java => {
                switch
                    || exception
                    || matches!(
                        word,
                        "synchronized"
                            | "new"
                            | "assert"
                            | "super"
                            | "this"
                            | "instanceof"
                            | "yield"
                    )
            }
            Language::JavaScript => {
                switch
                    || exception
                    || matches!(
                        word,
                        "function"
                            | "with"
                            | "await"
                            | "yield"
                            | "typeof"
                            | "void"
                            | "delete"
                            | "new"
                            | "in"
                            | "of"
                            | "instanceof"
                            | "super"
                            | "import"
                    )
            }
            Language::Go => matches!(
                word,
                "switch"
                    | "select"
                    | "case"
                    | "default"
                    | "go"
                    | "defer"
                    | "func"
                    | "range"
                    | "goto"
                    | "fallthrough"
                    | "var"
                    | "const"
                    | "type"
                    | "struct"
                    | "interface"
                    | "map"
                    | "chan"
            ),
            Language::Python => matches!(
                word,
                "elif"
                    | "while"
                    | "try"
                    | "except"
                    | "finally"
                    | "raise"
                    | "with"
                    | "as"
                    | "in"
                    | "is"
                    | "not"
                    | "and"
                    | "or"
                    | "lambda"
                    | "yield"
                    | "await"
                    | "async"
                    | "assert"
                    | "del"
                    | "import"
                    | "from"
                    | "pass"
                    | "print"
                    | "global"
                    | "nonlocal"
            ),
        };
        common || own
    }

    /// Calls that end the program, by the name of the function.
    pub fn ends_program(self, name: &str, qualifier: Option<&str>) -> bool {
        match self {
            Language::C | Language::Cpp => matches!(
                name,
                "exit"
                    | "_exit"
                    | "_Exit"
                    | "abort"
                    | "quick_exit"
                    | "longjmp"
                    | "siglongjmp"
                    | "__builtin_unreachable"
                    | "__builtin_trap"
            ),
            Language::Rust => {
                matches!(name, "panic" | "unreachable" | "todo" | "unimplemented")
                    && qualifier == Some("!")
                    || matches!(name, "exit" | "abort") && qualifier == Some("process")
            }
            Language::Java => name == "exit" && qualifier == Some("System"),
            Language::JavaScript => name == "exit" && qualifier == Some("process"),
            Language::Go => {
                name == "panic" && qualifier.is_none()
                    || name == "Exit" && qualifier == Some("os")
                    || name.starts_with("Fatal") && qualifier == Some("log")
            }
            Language::Python => {
                name == "exit" && matches!(qualifier, None | Some("sys"))
                    || name == "_exit" && qualifier == Some("os")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_the_end_of_the_name() {
        assert_eq!(Language::of("src/a.c"), Some(Language::C));
        assert_eq!(Language::of("include/a.h"), Some(Language::Cpp));
        assert_eq!(Language::of("x.tsx"), Some(Language::JavaScript));
        assert_eq!(Language::of(".c"), None);
        assert_eq!(Language::of("c"), None);
        assert_eq!(Language::of("a.c/readme.md"), None);
    }
}
