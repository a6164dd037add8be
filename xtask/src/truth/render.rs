//! A version as C.

use std::fmt::Write as _;

use super::language::{
    Bound, Expr, Form, Interface, Loop, Object, Op, Param, ParamKind, Returned, Sort, Stmt, Version,
};
use super::objects;

/// The types that all versions share.
pub const TYPES: &str = "\
#ifndef TYPES_H
#define TYPES_H

struct item {
    int a;
    unsigned char c;
    double d;
};

struct node {
    int value;
    struct node *next;
};

struct pair {
    struct item *left, *right;
};

#endif
";

/// The file of a version.
pub fn file(interface: &Interface, version: &Version) -> String {
    let mut writer = Writer { objects: Vec::new(), text: String::new(), indent: 1 };
    writer.body(version);
    let mut text = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n#include \"types.h\"\n\n",
    );
    for global in &interface.globals {
        let _ = writeln!(text, "{}", global.declaration);
    }
    text.push_str(
        "\nstatic unsigned whole(double d) {\n    return d > -2147483648.0 && d < 2147483647.0 ? \
         (unsigned)(int)d : 0;\n}\n\n",
    );
    for (number, part) in version.parts.iter().enumerate() {
        let param = |place: &super::language::Place| {
            format!("{} {}", if place.is_real { "double" } else { "unsigned" }, place.text)
        };
        let params: Vec<String> = part.params.iter().map(param).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let body = expr(&part.body);
        let _ =
            writeln!(text, "static unsigned part{number}({params}) {{\n    return {body};\n}}\n");
    }
    for (number, object) in writer.objects.iter().enumerate() {
        text.push_str(&objects::function(number, object));
        text.push('\n');
    }
    let _ = writeln!(text, "{} {{", prototype("f", interface, &version.returned));
    text.push_str(&writer.text);
    text.push_str("}\n");
    text
}

/// The head of the function, with a given name.
pub fn prototype(name: &str, interface: &Interface, returned: &Returned) -> String {
    let params: Vec<String> = interface.params.iter().map(declared).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    format!("{}{name}({params})", result_type(returned))
}

/// The type of the result, followed by a space or star.
pub fn result_type(returned: &Returned) -> String {
    match returned {
        Returned::Nothing => "void ".to_owned(),
        Returned::Int(ty, _) => format!("{ty} "),
        Returned::Real(_) => "double ".to_owned(),
        Returned::Item(..) => "struct item ".to_owned(),
        Returned::Object(object) => format!("{} *", object.kind.pointee()),
        Returned::Inside(..) => "const char *".to_owned(),
    }
}

fn declared(Param { name, kind }: &Param) -> String {
    match kind {
        ParamKind::Int { ty, .. } | ParamKind::Real { ty } => format!("{ty} {name}"),
        ParamKind::Buffer { ty, .. } => format!("{ty} *{name}"),
        ParamKind::Text { .. } => format!("const char *{name}"),
        ParamKind::Item => format!("struct item *{name}"),
        ParamKind::OutList => format!("struct node **{name}"),
    }
}

struct Writer<'a> {
    /// Objects whose functions the body calls, by number.
    objects: Vec<&'a Object>,
    text: String,
    indent: usize,
}

impl<'a> Writer<'a> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 4 * self.indent);
    }

    fn body(&mut self, version: &'a Version) {
        for number in 0..version.wholes {
            self.line(&format!("unsigned x{number} = 0;"));
        }
        for number in 0..version.reals {
            self.line(&format!("double d{number} = 0;"));
        }
        for number in 0..version.loops {
            self.line(&format!("unsigned i{number} = 0;"));
        }
        self.block(&version.body);
        match &version.returned {
            Returned::Nothing => {} // The function ends here.
            Returned::Int(ty, value) => self.line(&format!("return ({ty}){};", expr(value))),
            Returned::Real(value) => self.line(&format!("return {};", expr(value))),
            Returned::Item(a, c, d) => {
                let (a, c, d) = (expr(a), expr(c), expr(d));
                self.line(&format!("struct item result = {{(int){a}, (unsigned char){c}, {d}}};"));
                self.line("return result;");
            }
            Returned::Object(object) => {
                let call = self.make(object);
                self.line(&format!("return {call};"));
            }
            Returned::Inside(text, offset) => {
                let offset = expr(offset);
                self.line(&format!("return {text} + {offset} % (strlen({text}) + 1);"));
            }
        }
    }

    fn make(&mut self, object: &'a Object) -> String {
        self.objects.push(object);
        let args: Vec<String> = object.args.iter().map(expr).collect();
        format!("make{}({})", self.objects.len() - 1, args.join(", "))
    }

    fn block(&mut self, stmts: &'a [Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn nested(&mut self, head: &str, stmts: &'a [Stmt]) {
        self.line(head);
        self.indent += 1;
        self.block(stmts);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Set(place, value) => self.line(&format!("{} = {};", place.text, expr(value))),
            Stmt::If(condition, then, other) => {
                self.nested(&format!("if ({}) {{", expr(condition)), then);
                if !other.is_empty() {
                    self.nested("} else {", other);
                }
                self.line("}");
            }
            Stmt::Loop(one) => self.a_loop(one),
            Stmt::Count { place, value, down } => self.count(&place.text, value, *down),
            Stmt::Build { target, object } => {
                let call = self.make(object);
                self.line(&format!("{target} = {call};"));
            }
        }
    }

    fn count(&mut self, place: &str, value: &Expr, down: bool) {
        self.line("{");
        self.indent += 1;
        self.line(&format!("unsigned goal = {}, rounds = goal & 0x7fffffffu, k = 0;", expr(value)));
        if down {
            self.line("while (rounds > 0) {");
            self.line("    rounds--;");
            self.line("    k++;");
            self.line("}");
        } else {
            self.line("while (k < rounds) k++;")
        }
        self.line(&format!("{place} = k | (goal & 0x80000000u);"));
        self.indent -= 1;
        self.line("}");
    }

    fn a_loop(&mut self, one: &'a Loop) {
        let number = one.number;
        let (condition, before) = match &one.bound {
            Bound::Times(count) => {
                self.line("{");
                self.indent += 1;
                self.line(&format!("unsigned bound{number} = {};", expr(count)));
                (format!("i{number} < bound{number}"), None)
            }
            Bound::Text(text) if one.form == Form::Downward || one.form == Form::Twice => {
                self.line("{");
                self.indent += 1;
                self.line(&format!("unsigned bound{number} = (unsigned)strlen({text});"));
                (format!("i{number} < bound{number}"), None)
            }
            Bound::Text(text) => (format!("{text}[i{number}]"), None),
            Bound::Halving { place, above, or_equal } => {
                let than = if *or_equal { ">=" } else { ">" };
                let x = &place.text;
                (format!("{x} {than} {above}u"), Some(format!("{x} = {x} / 2;")))
            }
        };
        let scoped = condition.contains("bound");
        self.rounds(one, &condition, before.as_deref());
        if scoped {
            self.indent -= 1;
            self.line("}");
        }
    }

    fn rounds(&mut self, one: &'a Loop, condition: &str, before: Option<&str>) {
        let i = format!("i{}", one.number);
        match one.form {
            Form::For => {
                self.line(&format!("for ({i} = 0; {condition}; {i}++) {{"));
                self.round(one, before, None);
            }
            Form::Downward => {
                self.line(&format!("for ({i} = bound{}; {i}-- > 0;) {{", one.number));
                self.round(one, before, None);
                self.line("}");
                // Later code may read the counter, which has the same value in all forms.
                self.line(&format!("{i} = bound{};", one.number));
                return;
            }
            Form::While => {
                self.line(&format!("{i} = 0;"));
                self.line(&format!("while ({condition}) {{"));
                self.round(one, before, Some(&i));
            }
            Form::Guarded => {
                self.line(&format!("{i} = 0;"));
                self.line(&format!("if ({condition}) do {{"));
                self.round(one, before, Some(&i));
                self.line(&format!("}} while ({condition});"));
                return;
            }
            Form::Twice => {
                self.line(&format!("{i} = 0;"));
                self.line(&format!("while ({condition}) {{"));
                self.round(one, before, Some(&i));
                self.line(&format!("    if (!({condition})) break;"));
                self.round(one, before, Some(&i));
            }
            Form::Peeled => {
                self.line(&format!("{i} = 0;"));
                self.line(&format!("if ({condition}) {{"));
                self.round(one, before, Some(&i));
                self.line("}");
                self.line(&format!("while ({condition}) {{"));
                self.round(one, before, Some(&i));
            }
        }
        self.line("}");
    }

    fn round(&mut self, one: &'a Loop, before: Option<&str>, counter: Option<&str>) {
        self.indent += 1;
        if let Some(before) = before {
            self.line(before);
        }
        self.block(&one.body);
        if let Some(counter) = counter {
            self.line(&format!("{counter}++;"));
        }
        self.indent -= 1;
    }
}

/// In parentheses, unless it needs none.
pub fn expr(one: &Expr) -> String {
    let args: Vec<String> = one.args.iter().map(expr).collect();
    let two = |op: &str| format!("({} {op} {})", args[0], args[1]);
    let signed = |op: &str| format!("((int){} {op} (int){})", args[0], args[1]);
    match &one.op {
        Op::Const(value) => format!("{value}u"),
        Op::Read(place) if one.sort() == Sort::Real => format!("(double){}", place.text),
        Op::Read(place) => format!("(unsigned){}", place.text),
        Op::Add | Op::RealAdd => two("+"),
        Op::Sub | Op::RealSub => two("-"),
        Op::Mul | Op::RealMul => two("*"),
        Op::And => two("&"),
        Op::Or => two("|"),
        Op::Xor => two("^"),
        Op::Div => format!("({} / ({} | 1u))", args[0], args[1]),
        Op::Rem => format!("({} % ({} | 1u))", args[0], args[1]),
        Op::Shl(by) => format!("({} << {by})", args[0]),
        Op::Shr(by) => format!("({} >> {by})", args[0]),
        Op::Not => format!("(~{})", args[0]),
        Op::Choose => format!("({} ? {} : {})", args[0], args[1], args[2]),
        Op::Whole => format!("whole({})", args[0]),
        Op::Call(number) => format!("part{number}({})", args.join(", ")),
        Op::Real(bits) => format!("({:?})", f64::from_bits(*bits)),
        Op::RealDiv => two("/"),
        Op::RealNeg => format!("(-{})", args[0]),
        Op::ToReal => format!("((double)(int){})", args[0]),
        Op::Less | Op::RealLess => two("<"),
        Op::AtMost | Op::RealAtMost => two("<="),
        Op::Equal | Op::RealEqual => two("=="),
        Op::SignedLess => signed("<"),
        Op::SignedAtMost => signed("<="),
        Op::Negate => format!("(!{})", args[0]),
        Op::Both => two("&&"),
        Op::Either => two("||"),
    }
}
