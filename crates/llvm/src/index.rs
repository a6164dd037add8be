//! A quick pass over the text that finds where everything starts.
//!
//! Skips bodies and metadata line by line without reading them, and everything unknown at top
//! level; only rejects a text that does not begin like LLVM IR.

use std::ops::Range;

use memchr::memchr;

use crate::ReadError;
use crate::cursor::{Cursor, numeric};

/// Something named at top level, and where its description begins.
pub(crate) struct Item<'t> {
    pub name: &'t [u8],
    pub at: usize,
    /// Where the next item begins, so that an unclosed bracket costs no more than the rest of its
    /// own text.
    pub end: usize,
    pub line: u32,
}

pub(crate) struct FunctionItem<'t> {
    pub name: &'t [u8],
    /// After the word `define` or `declare`.
    pub at: usize,
    /// Where the header ends.
    pub end: usize,
    pub line: u32,
    /// Between the braces, for a definition.
    pub body: Option<Range<usize>>,
    pub body_line: u32,
    /// The text ends before the body does.
    pub cut: bool,
}

#[derive(Default)]
pub(crate) struct Index<'t> {
    pub types: Vec<Item<'t>>,
    pub globals: Vec<Item<'t>>,
    pub functions: Vec<FunctionItem<'t>>,
    /// Numbered metadata: number, and where the node begins. Sorted by number.
    pub nodes: Vec<(u32, u32)>,
    pub data_layout: &'t [u8],
    pub source_name: Option<&'t [u8]>,
}

impl<'t> Index<'t> {
    pub fn new(text: &'t [u8]) -> Result<Index<'t>, ReadError> {
        if text.starts_with(b"BC\xC0\xDE") || text.starts_with(b"\xDE\xC0\x17\x0B") {
            return Err(ReadError::Bitcode);
        }
        if u32::try_from(text.len()).is_err() {
            return Err(ReadError::TooLarge);
        }
        let mut scan = Scan {
            cursor: Cursor::new(text, 0),
            line: 1,
            index: Index::default(),
            known: false,
            last: Last::Other,
            patience: text.len().saturating_mul(4),
        };
        scan.run()?;
        scan.close(text.len());
        let mut index = scan.index;
        if !index.nodes.is_sorted() {
            index.nodes.sort_by_key(|node| node.0);
        }
        Ok(index)
    }
}

struct Scan<'t> {
    cursor: Cursor<'t>,
    line: u32,
    index: Index<'t>,
    /// Whether any part of the text was LLVM IR.
    known: bool,
    /// The last item, which ends where the next one begins.
    last: Last,
    /// How many more bytes may be examined in vain, in headers without an end.
    patience: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Last {
    Type,
    Global,
    Function,
    Other,
}

impl<'t> Scan<'t> {
    fn run(&mut self) -> Result<(), ReadError> {
        while !self.cursor.is_end() {
            self.cursor.inline_space();
            let known = self.entity();
            if !known && !self.known {
                return Err(self.not_ir());
            }
            self.cursor.next_line();
            self.line += 1;
        }
        Ok(())
    }

    /// Ends the last item.
    fn close(&mut self, end: usize) {
        let item = match self.last {
            Last::Type => self.index.types.last_mut().map(|item| &mut item.end),
            Last::Global => self.index.globals.last_mut().map(|item| &mut item.end),
            Last::Function => self.index.functions.last_mut().map(|item| &mut item.end),
            Last::Other => None,
        };
        if let Some(item) = item {
            *item = end.min(*item);
        }
        self.last = Last::Other;
    }

    fn not_ir(&self) -> ReadError {
        let rest = &self.cursor.text[self.cursor.at..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let shown = String::from_utf8_lossy(&line[..line.len().min(40)]);
        let found = shown.chars().filter(|c| !c.is_control()).collect();
        ReadError::NotIr { line: self.line, found }
    }

    /// Handles the line here; `false` if it is no top-level LLVM IR.
    fn entity(&mut self) -> bool {
        let start = self.cursor;
        match self.cursor.byte() {
            b'\n' | b'\r' | b';' => return true,
            0 if self.cursor.is_end() => return true,
            b'!' => self.metadata(),
            b'%' => self.definition(Last::Type),
            b'@' => self.definition(Last::Global),
            b'$' | b'^' => {}
            _ => match self.cursor.word_here() {
                b"define" => self.function(true),
                b"declare" => self.function(false),
                b"target" => self.target(),
                b"source_filename" => {
                    self.index.source_name = self.quoted();
                }
                b"attributes" | b"module" | b"uselistorder" | b"uselistorder_bb" => {}
                _ => {
                    self.cursor = start;
                    return false;
                }
            },
        }
        self.known = true;
        true
    }

    fn metadata(&mut self) {
        let start = self.cursor.at;
        self.cursor.at += 1;
        if let Some(number) = numeric(self.cursor.word_here()) {
            self.cursor.inline_space();
            if self.cursor.byte() == b'=' {
                self.close(start);
                // The text is shorter than 2^32 bytes.
                self.index.nodes.push((number, self.cursor.at as u32 + 1));
                return;
            }
        }
        self.cursor.at = start;
    }

    fn definition(&mut self, kind: Last) {
        let (start, line, end) = (self.cursor.at, self.line, self.cursor.text.len());
        self.cursor.at += 1;
        let Ok(name) = self.cursor.name() else { return };
        self.cursor.inline_space();
        if self.cursor.byte() == b'=' {
            self.close(start);
            let item = Item { name, at: self.cursor.at + 1, end, line };
            match kind {
                Last::Type => self.index.types.push(item),
                _ => self.index.globals.push(item),
            }
            self.last = kind;
        }
    }

    fn target(&mut self) {
        self.cursor.inline_space();
        if self.cursor.word_here() == b"datalayout" {
            self.index.data_layout = self.quoted().unwrap_or_default();
        }
    }

    fn quoted(&mut self) -> Option<&'t [u8]> {
        let mut cursor = self.cursor;
        cursor.inline_space();
        if cursor.byte() == b'=' {
            cursor.at += 1;
        }
        cursor.string().ok()
    }

    fn function(&mut self, defined: bool) {
        let at = self.cursor.at;
        self.close(at);
        let (line, end) = (self.line, self.cursor.text.len());
        let mut cursor = self.cursor;
        cursor.text = &cursor.text[..end.min(at.saturating_add(self.patience))];
        let Some(name) = function_name(&mut cursor) else {
            self.patience = self.patience.saturating_sub(cursor.at - at);
            return;
        };
        let mut item =
            FunctionItem { name, at, end, line, body: None, body_line: line, cut: false };
        if defined {
            self.body(&mut item, cursor);
        }
        self.index.functions.push(item);
        self.last = Last::Function;
    }

    /// Finds the braces of a body, starting after the function's name.
    fn body(&mut self, item: &mut FunctionItem<'t>, mut cursor: Cursor<'t>) {
        item.cut = true;
        if cursor.byte() != b'(' || cursor.skip_group().is_err() || !to_body(&mut cursor) {
            self.patience = self.patience.saturating_sub(cursor.at - item.at);
            return;
        }
        cursor.text = self.cursor.text;
        item.end = cursor.at;
        self.line += count_lines(&cursor.text[self.cursor.at..cursor.at]);
        self.cursor = cursor;
        let start = cursor.at;
        item.body_line = self.line;
        cursor.inline_space();
        if matches!(cursor.byte(), b'\n' | b'\r' | b';') || cursor.is_end() {
            self.lines_of_body();
            item.cut = self.cursor.byte() != b'}';
            item.body = Some(start..self.cursor.at);
        } else {
            // A body that begins on the line of its brace: hand-written.
            let mut group = Cursor::new(cursor.text, start - 1);
            item.cut = group.skip_group().is_err();
            let end = if item.cut { group.text.len() } else { group.at - 1 };
            self.line += count_lines(&cursor.text[start..end]);
            self.cursor.at = end;
            item.body = Some(start..end);
        }
    }

    /// Passes lines until one that begins with a closing brace.
    fn lines_of_body(&mut self) {
        while !self.cursor.is_end() {
            self.cursor.next_line();
            self.line += 1;
            if self.cursor.byte() == b'}' {
                return;
            }
        }
    }
}

/// The name of the function whose header is here; stops after it.
fn function_name<'t>(cursor: &mut Cursor<'t>) -> Option<&'t [u8]> {
    loop {
        match cursor.byte() {
            b'@' => {
                cursor.at += 1;
                return cursor.name().ok();
            }
            b'"' => {
                cursor.string().ok()?;
            }
            b';' => cursor.line_end(),
            0 if cursor.is_end() => return None,
            _ => cursor.at += 1,
        }
    }
}

/// Moves past the brace that opens the body, starting after the parameters.
fn to_body(cursor: &mut Cursor<'_>) -> bool {
    loop {
        match cursor.peek() {
            b'{' => {
                cursor.at += 1;
                return true;
            }
            0 if cursor.is_end() => return false,
            b'a'..=b'z' => {
                let word = cursor.word_here();
                if matches!(word, b"prefix" | b"prologue" | b"personality")
                    && skip_constant(cursor).is_none()
                {
                    return false;
                }
            }
            b'"' => {
                if cursor.string().is_err() {
                    return false;
                }
            }
            b'(' => {
                if cursor.skip_group().is_err() {
                    return false;
                }
            }
            _ => cursor.at += 1,
        }
    }
}

/// Skips a type and a constant, such as `ptr @f` or `<{ i32 }> <{ i32 5 }>`.
fn skip_constant(cursor: &mut Cursor<'_>) -> Option<()> {
    for _ in 0..2 {
        match cursor.peek() {
            b'{' | b'[' | b'<' => cursor.skip_group().ok()?,
            b'%' | b'@' => {
                cursor.at += 1;
                cursor.name().ok()?;
            }
            _ => {
                cursor.word_here();
            }
        }
        // The suffixes of pointer and function types, and the operands of expressions.
        loop {
            cursor.inline_space();
            match cursor.byte() {
                b'(' => cursor.skip_group().ok()?,
                b'*' => cursor.at += 1,
                _ => break,
            }
        }
    }
    Some(())
}

pub(crate) fn count_lines(text: &[u8]) -> u32 {
    // The text is shorter than 2^32 bytes.
    memchr::memchr_iter(b'\n', text).count() as u32
}
