//! Text of the languages with braces → tokens.
//!
//! Never fails: an unterminated string ends with its line, an unterminated comment with the text,
//! and an unknown character is a token of its own. Python needs indentation, see `python_lexer`.

use super::language::Language;
use super::token::{Kind, Token};

/// The tokens of a text. For Go, with the semicolons that its rule puts at the ends of lines.
pub fn lex(text: &str, language: Language) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        language,
        at: 0,
        line: 1,
        fresh_line: true,
        tokens: Vec::with_capacity(text.len() / 5),
    };
    lexer.run();
    lexer.tokens
}

struct Lexer<'t> {
    bytes: &'t [u8],
    language: Language,
    at: usize,
    line: u32,
    /// Only white space and comments so far on this line.
    fresh_line: bool,
    tokens: Vec<Token>,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl Lexer<'_> {
    fn run(&mut self) {
        // A byte order mark and a `#!` line are no part of the program.
        if self.bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
            self.at = 3;
        }
        if self.bytes[self.at..].starts_with(b"#!") && self.peek(2) != b'[' {
            self.skip_line();
        }
        while self.at < self.bytes.len() {
            self.step();
        }
        self.end_line();
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, start: usize, line: u32) {
        self.fresh_line = false;
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32, line });
    }

    fn step(&mut self) {
        let byte = self.peek(0);
        match byte {
            b'\n' => {
                self.end_line();
                self.at += 1;
                self.line += 1;
                self.fresh_line = true;
            }
            b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0 => self.at += 1,
            b'\\' if matches!(self.peek(1), b'\n' | b'\r') => self.at += 1,
            b'/' if self.peek(1) == b'/' => self.skip_line_comment(),
            b'/' if self.peek(1) == b'*' => self.skip_block_comment(),
            b'#' if self.fresh_line && self.language.has_preprocessor() => self.directive(),
            b'"' => self.double_quote(),
            b'\'' => self.single_quote(),
            b'`' if matches!(self.language, Language::JavaScript | Language::Go) => {
                self.back_quote()
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'/' if self.language == Language::JavaScript && self.regex_fits() => self.regex(),
            _ if is_word(byte) => self.word(),
            _ => self.operator(),
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    /// To the end of the line; in C, a backslash before it continues the comment.
    fn skip_line_comment(&mut self) {
        loop {
            self.skip_line();
            let mut before = self.at;
            if before > 0 && self.bytes[before - 1] == b'\r' {
                before -= 1;
            }
            let continued = before > 0 && self.bytes[before - 1] == b'\\';
            if !(continued && self.language.has_preprocessor() && self.at < self.bytes.len()) {
                return;
            }
            self.at += 1;
            self.line += 1;
        }
    }

    fn skip_block_comment(&mut self) {
        self.at += 2;
        let mut depth = 1;
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'*', b'/') => {
                    self.at += 2;
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                (b'/', b'*') if self.language == Language::Rust => {
                    self.at += 2;
                    depth += 1;
                }
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    /// A line that begins with `#`, with its continuation lines. A comment that is still open at
    /// the end of the line belongs to it.
    fn directive(&mut self) {
        let (start, line) = (self.at, self.line);
        let mut quote = 0;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => break,
                b'\\' if self.peek(1) == b'\n' => {
                    self.at += 2;
                    self.line += 1;
                }
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => {
                    self.at += 3;
                    self.line += 1;
                }
                b'\\' => self.at += 2,
                b'/' if quote == 0 && self.peek(1) == b'*' => self.skip_block_comment(),
                b'/' if quote == 0 && self.peek(1) == b'/' => {
                    let end = self.at;
                    self.skip_line_comment();
                    let after = std::mem::replace(&mut self.at, end);
                    self.push(Kind::Directive, start, line);
                    self.at = after;
                    return;
                }
                byte @ (b'"' | b'\'') => {
                    quote = match quote {
                        0 => byte,
                        open if open == byte => 0,
                        open => open,
                    };
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.push(Kind::Directive, start, line);
    }

    /// Reads to the closing quote. Without one, the string ends with the line if it must.
    fn quoted(&mut self, quote: u8, multi_line: bool) {
        let (start, line) = (self.at, self.line);
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => {
                    if self.peek(1) == b'\n' {
                        self.line += 1;
                    }
                    self.at += 2;
                }
                b'\n' if !multi_line => break,
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.push(Kind::Text, start, line);
    }

    fn double_quote(&mut self) {
        if self.language == Language::Java && self.bytes[self.at..].starts_with(b"\"\"\"") {
            return self.until(b"\"\"\"", 3);
        }
        self.quoted(b'"', self.language == Language::Rust);
    }

    fn single_quote(&mut self) {
        match self.language {
            Language::Rust => self.character_or_lifetime(),
            // In JSX text an apostrophe quotes nothing.
            Language::JavaScript if !self.closes_on_line(b'\'') => self.operator(),
            _ => self.quoted(b'\'', false),
        }
    }

    fn closes_on_line(&self, quote: u8) -> bool {
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => return false,
                _ if byte == quote => return true,
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn character_or_lifetime(&mut self) {
        let (start, line) = (self.at, self.line);
        let first = self.peek(1);
        let width = match first {
            0..0x80 => 1,
            0x80..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        };
        if first == b'\\' || self.peek(1 + width) == b'\'' && first != b'\'' {
            return self.quoted(b'\'', false);
        }
        self.at += 1;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        self.push(Kind::Text, start, line);
    }

    /// A JavaScript template, with code between `${` and `}`, or a raw string of Go.
    fn back_quote(&mut self) {
        if self.language == Language::Go {
            return self.until(b"`", 1);
        }
        let (start, line) = (self.at, self.line);
        self.at += 1;
        // Per open `${`: how many braces are open in it. Empty: in the text of the template.
        let mut open: Vec<u32> = Vec::new();
        let mut templates = 1;
        while self.at < self.bytes.len() && templates > 0 {
            let in_code = open.len() == templates;
            match self.peek(0) {
                b'\\' => self.at += 1,
                b'\n' => self.line += 1,
                b'`' if in_code => templates += 1,
                b'`' => templates -= 1,
                b'$' if !in_code && self.peek(1) == b'{' => {
                    open.push(0);
                    self.at += 1;
                }
                b'{' if in_code => {
                    if let Some(braces) = open.last_mut() {
                        *braces += 1;
                    }
                }
                b'}' if in_code => match open.last_mut() {
                    Some(0) | None => drop(open.pop()),
                    Some(braces) => *braces -= 1,
                },
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        self.push(Kind::Text, start, line);
    }

    /// A text up to the given end, whatever is in between.
    fn until(&mut self, end: &[u8], opening: usize) {
        let (start, line) = (self.at, self.line);
        self.at += opening;
        while self.at < self.bytes.len() && !self.bytes[self.at..].starts_with(end) {
            if self.peek(0) == b'\n' {
                self.line += 1;
            }
            if self.peek(0) == b'\\' && end.len() == 3 {
                self.at += 1;
            }
            self.at += 1;
        }
        self.at = (self.at + end.len()).min(self.bytes.len());
        self.push(Kind::Text, start, line);
    }

    fn number(&mut self) {
        let (start, line) = (self.at, self.line);
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            let exponent = matches!(
                self.bytes[self.at - usize::from(self.at > start)],
                b'e' | b'E' | b'p' | b'P'
            ) && self.at > start
                && !self.bytes[start..].starts_with(b"0x");
            let point =
                byte == b'.' && self.peek(1) != b'.' && !is_method(self.language, self.peek(1));
            let separator = byte == b'\''
                && matches!(self.language, Language::C | Language::Cpp)
                && self.peek(1).is_ascii_hexdigit();
            if is_word(byte) || point || separator || exponent && matches!(byte, b'+' | b'-') {
                self.at += 1;
            } else {
                break;
            }
        }
        self.push(Kind::Number, start, line);
    }

    fn word(&mut self) {
        let (start, line) = (self.at, self.line);
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        let is_raw = self.language == Language::Rust
            && matches!(self.peek(0), b'"' | b'#')
            && matches!(word, b"r" | b"br" | b"cr");
        if is_raw && self.rust_raw(start, line) {
            return;
        }
        match (self.language, self.peek(0)) {
            (Language::Rust, b'"') if matches!(word, b"b" | b"c") => {
                self.quoted(b'"', true);
                return self.widen(start, line);
            }
            (Language::Rust, b'\'') if word == b"b" => {
                self.quoted(b'\'', false);
                return self.widen(start, line);
            }
            (Language::Cpp, b'"') if matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
                return self.cpp_raw(start, line);
            }
            (Language::C | Language::Cpp, quote @ (b'"' | b'\''))
                if matches!(word, b"L" | b"u" | b"U" | b"u8") =>
            {
                self.quoted(quote, false);
                return self.widen(start, line);
            }
            _ => {}
        }
        self.push(Kind::Word, start, line);
    }

    /// Extends the last token to include its prefix.
    fn widen(&mut self, start: usize, line: u32) {
        if let Some(token) = self.tokens.last_mut() {
            token.start = start as u32;
            token.line = line;
        }
    }

    /// `r"…"`, `r#"…"#` and so on. False for `r#name`.
    fn rust_raw(&mut self, start: usize, line: u32) -> bool {
        let mut hashes = 0;
        while self.peek(hashes) == b'#' {
            hashes += 1;
        }
        if self.peek(hashes) != b'"' {
            return false;
        }
        let mut end = vec![b'"'];
        end.resize(1 + hashes, b'#');
        self.raw_until(&end, hashes + 1, start, line);
        true
    }

    /// `R"name(…)name"`.
    fn cpp_raw(&mut self, start: usize, line: u32) {
        let rest = &self.bytes[self.at + 1..];
        let delimiter = rest.iter().take(17).position(|b| *b == b'(').unwrap_or(0);
        let mut end = vec![b')'];
        end.extend_from_slice(&rest[..delimiter]);
        end.push(b'"');
        self.raw_until(&end, delimiter + 2, start, line);
    }

    fn raw_until(&mut self, end: &[u8], opening: usize, start: usize, line: u32) {
        self.at = (self.at + opening).min(self.bytes.len());
        let rest = &self.bytes[self.at..];
        let length = rest.windows(end.len()).position(|window| window == end);
        let length = length.map_or(rest.len(), |at| at + end.len());
        self.line += rest[..length].iter().filter(|b| **b == b'\n').count() as u32;
        self.at += length;
        self.push(Kind::Text, start, line);
    }

    /// Whether a slash begins a regular expression: not after something that can be divided.
    fn regex_fits(&self) -> bool {
        let Some(last) = self.tokens.last() else { return true };
        let text = &self.bytes[last.start as usize..last.end as usize];
        match last.kind {
            Kind::Word => matches!(
                text,
                b"return"
                    | b"typeof"
                    | b"case"
                    | b"in"
                    | b"of"
                    | b"delete"
                    | b"void"
                    | b"throw"
                    | b"new"
                    | b"else"
                    | b"do"
                    | b"yield"
                    | b"await"
                    | b"instanceof"
            ),
            Kind::Number | Kind::Text => false,
            Kind::Punct(punct) => !matches!(punct, b')' | b']' | b'}' | b'<'),
            Kind::Operator => !matches!(text, b"++" | b"--"),
            _ => true,
        }
    }

    fn regex(&mut self) {
        let (start, line) = (self.at, self.line);
        let mut at = self.at + 1;
        let mut class = false;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => break,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    at += 1;
                    while self.bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
                        at += 1;
                    }
                    self.at = at;
                    return self.push(Kind::Text, start, line);
                }
                _ => {}
            }
            at += 1;
        }
        self.operator();
    }

    fn operator(&mut self) {
        const LONG: [&[u8]; 6] = [b"...", b"..=", b"===", b"!==", b"<=>", b"**="];
        const SHORT: [&[u8]; 22] = [
            b"==", b"!=", b"<=", b">=", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
            b"++", b"--", b":=", b"..", b"<-", b"??", b"?.", b"**", b"##", b"&^",
        ];
        let (start, line) = (self.at, self.line);
        let rest = &self.bytes[self.at..];
        let (kind, length) = match rest {
            [b'-', b'>', ..] => (Kind::Arrow, 2),
            [b'=', b'>', ..] => (Kind::FatArrow, 2),
            [b':', b':', ..] => (Kind::Path, 2),
            [b'&', b'&', ..] => (Kind::And, 2),
            [b'|', b'|', ..] => (Kind::Or, 2),
            // A condition before a number, as in `a?.5:1`.
            [b'?', b'.', b'0'..=b'9', ..] => (Kind::Punct(b'?'), 1),
            _ if LONG.iter().any(|long| rest.starts_with(long)) => (Kind::Operator, 3),
            _ if SHORT.iter().any(|short| rest.starts_with(short)) => (Kind::Operator, 2),
            _ => (Kind::Punct(rest[0]), 1),
        };
        self.at += length;
        self.push(kind, start, line);
    }

    /// Go's rule: a token that can end a statement does so at the end of a line.
    fn end_line(&mut self) {
        if self.language != Language::Go || self.fresh_line {
            return;
        }
        let Some(last) = self.tokens.last() else { return };
        let text = &self.bytes[last.start as usize..last.end as usize];
        let ends = match last.kind {
            Kind::Word => !matches!(
                text,
                b"case"
                    | b"chan"
                    | b"const"
                    | b"default"
                    | b"defer"
                    | b"else"
                    | b"for"
                    | b"func"
                    | b"go"
                    | b"goto"
                    | b"if"
                    | b"import"
                    | b"interface"
                    | b"map"
                    | b"package"
                    | b"range"
                    | b"select"
                    | b"struct"
                    | b"switch"
                    | b"type"
                    | b"var"
            ),
            Kind::Number | Kind::Text => true,
            Kind::Punct(punct) => matches!(punct, b')' | b']' | b'}'),
            Kind::Operator => matches!(text, b"++" | b"--"),
            _ => false,
        };
        if ends {
            let (at, line) = (last.end, self.line);
            self.tokens.push(Token { kind: Kind::Punct(b';'), start: at, end: at, line });
        }
    }
}

/// Whether a point after a number begins a method call, as in `1.max(2)`.
fn is_method(language: Language, next: u8) -> bool {
    language == Language::Rust && (next.is_ascii_alphabetic() || next == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, language: Language) -> Vec<String> {
        lex(text, language).iter().map(|token| token.text(text).to_owned()).collect()
    }

    #[test]
    fn comments_and_strings_hide_braces() {
        let text = "a /* { */ \"}\\\"\" '}' // }\n b";
        assert_eq!(texts(text, Language::C), ["a", "\"}\\\"\"", "'}'", "b"]);
        assert_eq!(texts("/* a /* b */ c */ d", Language::Rust), ["d"]);
        assert_eq!(
            texts("r#\"}\"# 'a 'b' b'\\''", Language::Rust),
            ["r#\"}\"#", "'a", "'b'", "b'\\''"]
        );
        assert_eq!(texts("R\"x(})\")x\" y", Language::Cpp), ["R\"x(})\")x\"", "y"]);
        assert_eq!(texts("`a${ {b:`}`} }` c", Language::JavaScript), ["`a${ {b:`}`} }`", "c"]);
        assert_eq!(texts("x = /[/}]/g / 2", Language::JavaScript), ["x", "=", "/[/}]/g", "/", "2"]);
    }

    #[test]
    fn a_directive_takes_its_continuation_lines() {
        let tokens = lex("#define A \\\n  { /* \n */ 1 // x\nb", Language::C);
        assert_eq!(tokens.len(), 2);
        assert_eq!((tokens[0].kind, tokens[1].line), (Kind::Directive, 4));
    }

    #[test]
    fn go_lines_end_statements() {
        assert_eq!(
            texts("a := b\nif x {\n}\n", Language::Go),
            ["a", ":=", "b", "", "if", "x", "{", "}", ""]
        );
    }

    #[test]
    fn an_open_string_ends_with_its_line() {
        assert_eq!(texts("\"a\nb", Language::C), ["\"a", "b"]);
        assert_eq!(texts("don't {\nb", Language::JavaScript), ["don", "'", "t", "{", "b"]);
    }
}
