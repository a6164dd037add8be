//! Random C programs with two bytes of input, whose output identifies their path.
//!
//! The same seed gives the same program. A program prints constants that it meets on its path, and
//! no other values that depend on the input; so inputs on the same path give the same output, and
//! the set of all outputs can be compared with that of all inputs. Programs terminate, and their
//! only fault is a division by zero.

use std::fmt::Write;

use base::random::{Random, STEP};

/// Names of integer types, for conversions back and forth.
const TYPES: [&str; 8] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
];
const CONSTANTS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "-1",
    "10",
    "16",
    "48",
    "97",
    "127",
    "-128",
    "255",
    "1000",
    "0x80000000",
];
const HEAD: &str = "\
#include <stdio.h>
#include <string.h>

static unsigned long trace = 17;

static void mark(unsigned long number) {
    trace = trace * 1000003 + number;
}

struct record {
    signed char tiny;
    unsigned short half;
    int whole;
    long wide;
    unsigned few : 5;
    int some : 6;
};

static struct record record = {1, 2, 3, 4, 5, 6};
static const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
static short cells[8];
static unsigned char bytes[4] = {9, 8, 7, 6};
";
const FIELDS: [&str; 6] = ["tiny", "half", "whole", "wide", "few", "some"];
/// Nesting depth of expressions and statements.
const MOST_DEPTH: u32 = 3;
const HELPERS: u32 = 3;

/// A program; it reads its two bytes from its only argument or from standard input.
pub fn program(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    writer.text.push_str(HEAD);
    for number in 0..HELPERS {
        writer.helper(number);
    }
    writer.main(reads_stdin(seed));
    writer.text
}

/// Whether the program of a seed reads standard input.
pub fn reads_stdin(seed: u64) -> bool {
    seed.is_multiple_of(2)
}

struct Writer {
    text: String,
    random: Random,
    indent: usize,
    /// Integer variables that can be read, and how many of the first can be written.
    names: Vec<String>,
    writable: usize,
    /// Functions that can be called.
    helpers: u32,
    /// Statements that may still be written.
    left: u32,
    marks: u32,
    loops: u32,
    /// Whether `break` and `continue` are allowed.
    in_loop: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            text: String::new(),
            random: Random::new(seed.wrapping_mul(STEP) ^ 0x2545_f491_4f6c_dd1d),
            indent: 0,
            names: Vec::new(),
            writable: 0,
            helpers: 0,
            left: 0,
            marks: 0,
            loops: 0,
            in_loop: false,
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.random.number(bound.into()) as u32
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u32) as usize]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 4 * self.indent);
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    fn helper(&mut self, number: u32) {
        let (result, a, b) = (self.pick(&TYPES), self.pick(&TYPES), self.pick(&TYPES));
        self.line("");
        self.open(&format!("static {result} helper{number}({a} p, {b} q) {{"));
        self.names = vec!["p".to_owned(), "q".to_owned()];
        (self.writable, self.left) = (2, 2);
        self.block(2);
        let value = self.expression(2);
        self.line(&format!("return {value};"));
        self.close("}");
        self.helpers += 1;
    }

    fn main(&mut self, stdin: bool) {
        self.line("");
        self.open("int main(int argc, char **argv) {");
        self.line("unsigned char a, b;");
        if stdin {
            self.line("a = getchar();");
            self.line("b = getchar();");
            self.line("(void)argc, (void)argv;");
        } else {
            self.line("if (argc != 2)");
            self.line("    return 1;");
            self.line("a = argv[1][0];");
            self.line("b = argv[1][1];");
        }
        self.names = vec!["a".to_owned(), "b".to_owned()];
        for index in 0..4 {
            let ty = self.pick(&TYPES);
            let value = self.expression(2);
            self.line(&format!("{ty} x{index} = {value};"));
            self.names.insert(index, format!("x{index}"));
        }
        self.writable = 4;
        self.left = 12 + self.below(10);
        while self.left > 0 {
            self.block(0);
        }
        self.finish();
        self.close("}");
    }

    /// The final values of the variables decide once more.
    fn finish(&mut self) {
        for index in 0..2 {
            let constant = self.pick(&CONSTANTS);
            let mark = self.mark();
            self.line(&format!("if (x{index} == {constant})"));
            self.line(&format!("    {mark}"));
        }
        let mark = self.mark();
        self.line("if (cells[3] > record.whole)");
        self.line(&format!("    {mark}"));
        self.line("printf(\"%lx\\n\", trace);");
        self.line("return trace % 7;");
    }

    fn mark(&mut self) -> String {
        self.marks += 1;
        format!("mark({});", self.marks)
    }

    fn line_mark(&mut self) {
        let mark = self.mark();
        self.line(&mark);
    }

    /// Statements, as long as the budget lasts.
    fn block(&mut self, depth: u32) {
        let count = 1 + self.below(3);
        for _ in 0..count {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if depth >= MOST_DEPTH {
            return self.assign();
        }
        match self.below(16) {
            0..=5 => self.branch(depth),
            6 => self.select_case(depth),
            7 => self.count(depth),
            8 => self.repeat(depth),
            9 => self.through_pointer(),
            10 => self.with_float(),
            11 => self.copy(),
            12 if self.in_loop => self.leave(),
            _ => self.assign(),
        }
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition(2);
        self.open(&format!("if ({condition}) {{"));
        self.line_mark();
        self.block(depth + 1);
        if self.chance(60) {
            self.close("} else {");
            self.indent += 1;
            self.line_mark();
            self.block(depth + 1);
        }
        self.close("}");
    }

    fn select_case(&mut self, depth: u32) {
        let mut value = self.expression(2);
        let bits = self.pick(&["3", "7", "15"]);
        let whole = self.chance(30);
        if !whole {
            value = format!("({value}) & {bits}");
        }
        let was_in_loop = std::mem::replace(&mut self.in_loop, false);
        self.open(&format!("switch ({value}) {{"));
        let first = self.below(3);
        for case in (first..8).step_by(1 + self.below(3) as usize).take(4) {
            self.line(&format!("case {case}:"));
            if self.chance(25) {
                continue;
            }
            self.indent += 1;
            self.line_mark();
            self.block(depth + 1);
            if self.chance(80) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        self.line("default:");
        self.indent += 1;
        self.line_mark();
        self.indent -= 1;
        self.close("}");
        self.in_loop = was_in_loop;
    }

    /// A loop that runs up to three times.
    fn count(&mut self, depth: u32) {
        let bound = self.expression(1);
        let name = format!("i{}", self.loops);
        self.loops += 1;
        let ty = self.pick(&["int", "unsigned char", "long"]);
        self.open(&format!("for ({ty} {name} = 0; {name} < (({bound}) & 3); {name}++) {{"));
        self.names.push(name);
        self.line_mark();
        self.inside_loop(depth);
        self.names.pop();
        self.close("}");
    }

    /// A loop that ends by a condition, or else after the third round.
    fn repeat(&mut self, depth: u32) {
        let name = format!("i{}", self.loops);
        self.loops += 1;
        let condition = self.condition(2);
        self.line(&format!("int {name} = 0;"));
        let last = self.chance(50);
        if last {
            self.open("do {")
        } else {
            self.open(&format!("while (({condition}) && {name} < 3) {{"))
        }
        self.line(&format!("{name}++;"));
        self.line_mark();
        self.inside_loop(depth);
        if last {
            self.close(&format!("}} while ({name} < 3 && ({condition}));"))
        } else {
            self.close("}")
        }
    }

    fn inside_loop(&mut self, depth: u32) {
        let was_in_loop = std::mem::replace(&mut self.in_loop, true);
        self.block(depth + 1);
        self.in_loop = was_in_loop;
    }

    fn leave(&mut self) {
        let condition = self.condition(1);
        let how = self.pick(&["break;", "continue;"]);
        let mark = self.mark();
        self.open(&format!("if ({condition}) {{"));
        self.line(&mark);
        self.line(how);
        self.close("}");
    }

    fn through_pointer(&mut self) {
        let (condition, value) = (self.condition(1), self.expression(2));
        let index = self.expression(1);
        match self.below(3) {
            0 => {
                self.open("{");
                self.line(&format!("short *place = &cells[({index}) & 7];"));
                self.line(&format!("*place += {value};"));
            }
            1 => {
                let other = self.pick(&["&cells[1]", "&cells[6]"]);
                self.open("{");
                self.line(&format!("short *place = ({condition}) ? &cells[3] : {other};"));
                self.line(&format!("*place = {value};"));
            }
            _ => {
                self.open("{");
                self.line("struct record *other = &record;");
                self.line(&format!("if ({condition})"));
                self.line(&format!("    other->whole ^= {value};"));
            }
        }
        self.close("}");
    }

    fn with_float(&mut self) {
        let value = self.expression(1);
        let (mark, factor) = (self.mark(), self.pick(&["0.5", "1.25", "-3.0"]));
        let ty = self.pick(&["double", "float"]);
        let bound = self.pick(&CONSTANTS);
        self.open("{");
        self.line(&format!("{ty} real = (signed char)({value});"));
        self.line(&format!("if (real * {factor} < {bound} + real)"));
        self.line(&format!("    {mark}"));
        self.close("}");
    }

    fn copy(&mut self) {
        let value = self.expression(1);
        self.open("{");
        self.line("struct record saved = record;");
        self.line(&format!("record.few = {value};"));
        self.line("record.wide += saved.few;");
        self.line("memcpy(bytes, &record.wide, sizeof bytes);");
        self.close("}");
    }

    fn assign(&mut self) {
        let value = self.expression(3);
        let index = self.expression(1);
        let operator = self.pick(&["=", "=", "+=", "-=", "^=", "*=", "|="]);
        let target = match self.below(10) {
            0 | 1 => format!("record.{}", self.pick(&FIELDS)),
            2 => format!("cells[({index}) & 7]"),
            3 => format!("bytes[({index}) & 3]"),
            _ => {
                let number = self.below(self.writable as u32) as usize;
                self.names[number].clone()
            }
        };
        self.line(&format!("{target} {operator} {value};"));
    }

    fn condition(&mut self, depth: u32) -> String {
        let (a, b) = (self.expression(depth), self.expression(depth));
        match self.below(8) {
            0 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a}) && ({b})")
            }
            1 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a}) || !({b})")
            }
            2 => a,
            _ => {
                let constant = self.pick(&CONSTANTS);
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let right = if self.chance(60) { constant } else { &b };
                format!("{a} {operator} {right}")
            }
        }
    }

    fn leaf(&mut self) -> String {
        match self.below(10) {
            0 => self.pick(&CONSTANTS).to_owned(),
            1 => format!("record.{}", self.pick(&FIELDS)),
            _ => {
                let number = self.below(self.names.len() as u32) as usize;
                self.names[number].clone()
            }
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(20) {
            return self.leaf();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(20) {
            0 => format!("({a} << ({b} & 7))"),
            1 => format!("({a} >> ({b} & 7))"),
            2 => format!("({a} / (({b} & 7) + 1))"),
            3 => format!("({a} % (({b} & 15) | 1))"),
            4 if self.chance(20) => format!("({a} / (unsigned char)({b}))"),
            4 => format!("(({a}) * ({b}))"),
            5 => format!("primes[{a} & 7]"),
            6 => format!("cells[{a} & 7]"),
            7 => format!("bytes[{a} & 3]"),
            8 | 9 => format!("({})({a})", self.pick(&TYPES)),
            10 => format!("{}({a})", self.pick(&["-", "~", "!"])),
            11 => {
                let condition = self.condition(depth - 1);
                format!("(({condition}) ? {a} : {b})")
            }
            12 if self.helpers > 0 => {
                let number = self.below(self.helpers);
                format!("helper{number}({a}, {b})")
            }
            _ => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {operator} {b})")
            }
        }
    }
}
