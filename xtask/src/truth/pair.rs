//! The part of the driver that is made for a pair: both versions under other names, how to draw
//! inputs, and how to compare the states that the versions leave. Also translates inputs of reports
//! for the driver.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use inputs::{Test, Value};

use super::language::{Expr, GlobalKind, Interface, Kind, Op, Param, ParamKind, Returned, Version};
use super::render;

/// The most functions of a kind in a version, besides the entry.
const NUMBERED: usize = 64;

/// `pair.h`.
pub fn header(interface: &Interface, old: &Version, new: &Version) -> String {
    let mut text = String::new();
    for side in ["old", "new"] {
        let names = names(interface);
        for name in &names {
            let _ = writeln!(text, "#define {name} {side}_{name}");
        }
        let _ = writeln!(text, "#include \"{side}.c\"");
        for name in &names {
            let _ = writeln!(text, "#undef {name}");
        }
    }
    let constants: Vec<String> =
        constants(old).union(&constants(new)).map(|value| format!("{value}u")).collect();
    let _ =
        writeln!(text, "static const uint32_t pair_constants[] = {{{}}};", constants.join(", "));
    text.push_str(&calls(interface, &old.returned));
    text
}

/// How to draw inputs and call both versions, which are `old_f` and `new_f`.
pub fn calls(interface: &Interface, returned: &Returned) -> String {
    let count: usize = interface.params.iter().map(words_of).sum();
    let words = format!("enum {{ word_count = {count} }};\n\n");
    words + &draw(interface) + &compare(interface, returned)
}

fn names(interface: &Interface) -> Vec<String> {
    let globals = interface.globals.iter().map(|global| global.name.to_owned());
    let parts = (0..NUMBERED).flat_map(|number| [format!("part{number}"), format!("make{number}")]);
    ["f", "whole"].map(str::to_owned).into_iter().chain(globals).chain(parts).collect()
}

/// The constants in a version's comparisons and computations. Never empty.
fn constants(version: &Version) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([0, 3, 200]);
    let mut see = |expr: &Expr| {
        expr.each(&mut |node| {
            if let Op::Const(value) = node.op {
                found.insert(value);
            }
        });
    };
    version.parts.iter().for_each(|part| see(&part.body));
    version.clone().each_expr(&mut |expr| see(expr));
    found
}

fn words_of(param: &Param) -> usize {
    match param.kind {
        ParamKind::Int { .. } | ParamKind::Real { .. } => 1,
        ParamKind::Buffer { count, .. } => count,
        ParamKind::Text { max } => max + 1,
        ParamKind::Item => 3,
        ParamKind::OutList => 0,
    }
}

/// Parameters and the positions of their words.
fn placed(interface: &Interface) -> impl Iterator<Item = (&Param, usize)> {
    interface.params.iter().scan(0, |at, param| {
        let start = *at;
        *at += words_of(param);
        Some((param, start))
    })
}

fn draw(interface: &Interface) -> String {
    let mut text = String::from("static void draw(uint64_t *w) {\n");
    for (Param { kind, .. }, at) in placed(interface) {
        let lines = match kind {
            ParamKind::Int { low, high, .. } => {
                format!("w[{at}] = whole_between({}, {});", long(*low), long(*high))
            }
            ParamKind::Real { ty } => format!("w[{at}] = any_{ty}();"),
            ParamKind::Buffer { low, high, count, .. } => format!(
                "for (int i = 0; i < {count}; i++) w[{at} + i] = whole_between({}, {});",
                long(*low),
                long(*high)
            ),
            ParamKind::Text { max } => format!(
                "{{\n        uint64_t length = drawn() % {};\n        for (uint64_t i = 0; i <= \
                 {max}; i++)\n            w[{at} + i] = i < length ? whole_between(1, 255) : 0;\n    \
                 }}",
                max + 1
            ),
            ParamKind::Item => format!(
                "w[{at}] = whole_between(INT32_MIN, INT32_MAX);\n    w[{}] = whole_between(0, \
                 255);\n    w[{}] = any_double();",
                at + 1,
                at + 2
            ),
            ParamKind::OutList => continue,
        };
        let _ = writeln!(text, "    {lines}");
    }
    text.push_str("}\n\n");
    text
}

fn long(value: i64) -> String {
    match value {
        i64::MIN => "INT64_MIN".to_owned(),
        _ => format!("{value}ll"),
    }
}

/// Calls both versions with memory of their own.
fn compare(interface: &Interface, returned: &Returned) -> String {
    let mut text = String::new();
    for global in &interface.globals {
        let name = global.name;
        let _ = writeln!(text, "static __typeof__(old_{name}) first_{name};");
    }
    text.push_str("static const char *compare(const uint64_t *w, int side) {\n");
    text.push_str("    static int started;\n    (void)w;\n    met_count = 0;\n");
    for global in &interface.globals {
        let name = global.name;
        let _ = writeln!(
            text,
            "    if (!started) memcpy(&first_{name}, &old_{name}, sizeof first_{name});\n    \
             memcpy(&old_{name}, &first_{name}, sizeof first_{name});\n    memcpy(&new_{name}, \
             &first_{name}, sizeof first_{name});"
        );
    }
    text.push_str("    started = 1;\n");
    for side in ["old", "new"] {
        for (param, at) in placed(interface) {
            text.push_str(&filled(side, param, at));
        }
    }
    let nothing = *returned == Returned::Nothing;
    let ty = render::result_type(returned);
    if !nothing {
        let _ = writeln!(text, "    {ty}old_result;\n    {ty}new_result;");
    }
    for (side, other) in [("old", "NEW"), ("new", "OLD")] {
        let args: Vec<String> =
            interface.params.iter().map(|param| format!("{side}_{}", param.name)).collect();
        let result = if nothing { String::new() } else { format!("{side}_result = ") };
        let _ = writeln!(text, "    if (side != {other}) {result}{side}_f({});", args.join(", "));
    }
    text.push_str("    if (side != BOTH) return 0;\n");
    text.push_str(&checks(interface, returned));
    for side in ["old", "new"] {
        for Param { name, kind } in &interface.params {
            let is_memory = !matches!(kind, ParamKind::Int { .. } | ParamKind::Real { .. });
            if is_memory {
                let _ = writeln!(text, "    free((void *){side}_{name});");
            }
        }
    }
    text.push_str("    return 0;\n}\n");
    text
}

fn filled(side: &str, Param { name, kind }: &Param, at: usize) -> String {
    let variable = format!("{side}_{name}");
    let lines = match kind {
        ParamKind::Int { ty, .. } => format!("{ty} {variable} = ({ty})w[{at}];"),
        ParamKind::Real { ty } => format!("{ty} {variable} = to_{ty}(w[{at}]);"),
        ParamKind::Buffer { ty, count, .. } => format!(
            "{ty} *{variable} = malloc({count} * sizeof *{variable});\n    for (int i = 0; i < \
             {count}; i++) {variable}[i] = ({ty})w[{at} + i];"
        ),
        // Exactly as long as the text, so that an overrun is detected.
        ParamKind::Text { .. } => format!(
            "size_t {variable}_length = 0;\n    while (w[{at} + {variable}_length]) \
             {variable}_length++;\n    char *{variable} = malloc({variable}_length + 1);\n    for \
             (size_t i = 0; i <= {variable}_length; i++) {variable}[i] = (char)w[{at} + i];"
        ),
        ParamKind::Item => format!(
            "struct item *{variable} = malloc(sizeof *{variable});\n    {variable}->a = \
             (int)w[{at}];\n    {variable}->c = (unsigned char)w[{}];\n    {variable}->d = \
             to_double(w[{}]);",
            at + 1,
            at + 2
        ),
        ParamKind::OutList => {
            format!("struct node **{variable} = calloc(1, sizeof *{variable});")
        }
    };
    format!("    {lines}\n")
}

fn checks(interface: &Interface, returned: &Returned) -> String {
    let mut checks: Vec<(String, &str)> = Vec::new();
    let result = match returned {
        Returned::Nothing => None,
        Returned::Int(..) => Some("old_result == new_result"),
        Returned::Real(_) => Some("same_real(old_result, new_result)"),
        Returned::Item(..) => Some("same_item(&old_result, &new_result)"),
        Returned::Inside(..) => Some("old_result - old_s == new_result - new_s"),
        Returned::Object(object) => Some(match object.kind {
            Kind::Text | Kind::Digits | Kind::Literal => "same_text(old_result, new_result)",
            Kind::Item => "same_item_at(old_result, new_result)",
            Kind::List => "same_list(old_result, new_result)",
            Kind::Pair => "same_pair(old_result, new_result)",
        }),
    };
    checks.extend(result.map(|check| (check.to_owned(), "result")));
    for Param { name, kind } in &interface.params {
        let check = match kind {
            ParamKind::Buffer { count, .. } => {
                format!("!memcmp(old_{name}, new_{name}, {count} * sizeof *old_{name})")
            }
            ParamKind::Item => format!("same_item(old_{name}, new_{name})"),
            ParamKind::OutList => format!("same_list(*old_{name}, *new_{name})"),
            ParamKind::Int { .. } | ParamKind::Real { .. } | ParamKind::Text { .. } => continue,
        };
        checks.push((check, name));
    }
    for global in &interface.globals {
        let name = global.name;
        let check = match global.kind {
            GlobalKind::Int => format!("old_{name} == new_{name}"),
            GlobalKind::Array(_) => format!("!memcmp(old_{name}, new_{name}, sizeof old_{name})"),
            GlobalKind::Item => format!("same_item(&old_{name}, &new_{name})"),
            GlobalKind::Message => format!("same_text(old_{name}, new_{name})"),
            GlobalKind::Chain => format!("same_list(old_{name}, new_{name})"),
        };
        checks.push((check, name));
    }
    let line = |(check, what): &(String, &str)| format!("    if (!({check})) return \"{what}\";\n");
    checks.iter().map(line).collect()
}

/// The flags that declare the same space to `ripple compare`.
pub fn flags(interface: &Interface) -> Vec<String> {
    let mut flags = Vec::new();
    for Param { name, kind } in &interface.params {
        let declared: Vec<String> = match kind {
            ParamKind::Int { ty: "int", low, high } if *high < i64::from(i32::MAX) => {
                vec![format!("{name}=int:{low}..{high}")]
            }
            ParamKind::Int { .. } | ParamKind::Real { .. } => continue,
            ParamKind::Buffer { count, .. } => vec![format!("{name}=buf:{count}")],
            ParamKind::Text { max } => vec![format!("{name}=str:{max}")],
            ParamKind::Item => vec![format!("{name}=buf:1")],
            ParamKind::OutList => vec![format!("{name}=buf:1"), format!("{name}[]=null")],
        };
        flags.extend(declared.into_iter().flat_map(|atom| ["--param".to_owned(), atom]));
    }
    flags
}

/// An input of a report in the words of the driver; `None` if the driver cannot express it.
pub fn words(interface: &Interface, test: &Test) -> Option<Vec<u64>> {
    let mut words = Vec::new();
    for param in &interface.params {
        let found = test.input.params.iter().find(|(name, _)| *name == param.name);
        let value = &found?.1;
        match &param.kind {
            ParamKind::Int { .. } => words.push(whole(value)?),
            ParamKind::Real { ty } => words.push(real(value, ty)?),
            ParamKind::Buffer { count, .. } => elements(value, *count, &mut words)?,
            ParamKind::Text { max } => elements(value, max + 1, &mut words)?,
            ParamKind::Item => item(value, &mut words)?,
            ParamKind::OutList => {} // Always null.
        }
    }
    Some(words)
}

fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Int(value) => Some(*value as u64),
        Value::Bits(bits) => Some(*bits as u64),
        _ => None,
    }
}

fn real(value: &Value, ty: &str) -> Option<u64> {
    let number = match value {
        Value::Bits(bits) => return Some(*bits as u64),
        Value::Float(number) => *number,
        Value::Int(number) => *number as f64,
        _ => return None,
    };
    Some(if ty == "float" { u64::from((number as f32).to_bits()) } else { number.to_bits() })
}

fn elements(value: &Value, count: usize, words: &mut Vec<u64>) -> Option<()> {
    let end = words.len() + count;
    match value {
        Value::Bytes(bytes) => words.extend(bytes.iter().map(|&byte| u64::from(byte))),
        Value::Array(all) => {
            for one in all {
                words.push(whole(one)?);
            }
        }
        one => words.push(whole(one)?),
    }
    (words.len() <= end).then(|| words.resize(end, 0))
}

fn item(value: &Value, words: &mut Vec<u64>) -> Option<()> {
    let value = match value {
        Value::Array(all) => all.first()?,
        one => one,
    };
    let Value::Struct(members) = value else { return None };
    let member = |wanted: &str| members.iter().find(|(name, _)| name == wanted).map(|(_, v)| v);
    for (name, is_real) in [("a", false), ("c", false), ("d", true)] {
        words.push(match member(name) {
            Some(value) if is_real => real(value, "double")?,
            Some(value) => whole(value)?,
            None => 0,
        });
    }
    Some(())
}
