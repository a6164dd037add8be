//! The call of one function as C text.

use inputs::{Form, Pointer, Shape, Value};

use super::Case;
use super::c::comment;
use super::call::{Argument, Call, Check, Expected, entry_file};
use crate::compare::returned::Number;
use crate::shell::c_text;

/// A program that calls the function and reports what is wrong.
pub(super) fn write(case: &Case<'_>, call: &Call<'_>, usage: &[String]) -> Result<String, String> {
    let mut text = comment(case, usage);
    text.push_str(&source(case)?);
    text.push_str("\nint main(void)\n{\n    int failed = 0;\n");
    text.push_str(&self::call(call));
    for check in &call.checks {
        text.push_str(&format!("    if ({}) {{\n", compared_by(check, "!=")));
        text.push_str(&format!(
            "        {}\n        failed = 1;\n    }}\n",
            complaint(call, check)
        ));
    }
    text.push_str("    return failed;\n}\n");
    Ok(text)
}

/// Includes the file that defines the function.
pub(super) fn source(case: &Case<'_>) -> Result<String, String> {
    let Some(file) = entry_file(case.compared) else {
        return Err("the file that defines the function is not one of the C files".to_owned());
    };
    let file = c_text(file.to_string_lossy().as_bytes());
    Ok(format!(
        "#include <stdio.h>\n#include <string.h>\n\n\
         #ifndef SOURCE\n#define SOURCE {file}\n#endif\n\
         #define main program_main\n#include SOURCE\n#undef main\n"
    ))
}

/// The arguments and the call.
pub(super) fn call(call: &Call<'_>) -> String {
    let mut text = String::new();
    let mut given = Vec::new();
    for argument in &call.arguments {
        match declaration(argument) {
            Some(declared) => {
                text.push_str(&format!("    {declared};\n"));
                given.push(argument.name.clone());
            }
            None => given.push(initialiser(argument.value)),
        }
    }
    for global in &call.globals {
        text.push_str(&format!("    {} = {};\n", global.name, initialiser(global.value)));
    }
    let called = format!("{}({})", call.function, given.join(", "));
    let is_used = call.checks.iter().any(|check| check.place.starts_with("result"));
    match &call.signature.returns {
        Some(shape) if is_used => {
            text.push_str(&format!("\n    {};\n\n", declared(&shape.ty, "result", &called)));
        }
        _ => text.push_str(&format!("\n    {called};\n\n")),
    }
    text
}

/// A variable with its value; `None` if the value itself is passed.
fn declaration(argument: &Argument<'_>) -> Option<String> {
    let value = initialiser(argument.value);
    match (&argument.shape.form, argument.value) {
        (Form::Pointer(_), Value::Null | Value::Function(_) | Value::Inside { .. }) => None,
        (Form::Pointer(Pointer::Buffer(buffer)), value) => {
            let Form::Array { element, .. } = &buffer.target.form else { return None };
            let count = buffer.target.size / element.size.max(1);
            let ty = plain(element);
            let value = match value {
                Value::Bytes(_) | Value::Array(_) => initialiser(value),
                single => format!("{{{}}}", initialiser(single)),
            };
            Some(format!("{ty} {}[{count}] = {value}", argument.name))
        }
        _ => Some(declared(plain(argument.shape), &argument.name, &value)),
    }
}

/// `int n = 1`, also for types that are written around the name.
fn declared(ty: &str, name: &str, value: &str) -> String {
    if ty.contains('(') {
        // A pointer that needs parentheses.
        format!("{} = {value}", ty.replacen("(*)", &format!("(*{name})"), 1))
    } else if ty.contains('…') {
        // An enumeration without a name.
        format!("int {name} = {value}")
    } else {
        format!("{ty} {name} = {value}")
    }
}

/// A type without `const`.
fn plain(shape: &Shape) -> &str {
    let mut ty = shape.ty.as_str();
    for word in ["const ", "volatile "] {
        ty = ty.strip_prefix(word).unwrap_or(ty);
    }
    ty
}

/// A value as a C initialiser.
fn initialiser(value: &Value) -> String {
    match value {
        Value::Int(number) => integer(*number),
        Value::Float(number) => format!("{number:?}"),
        Value::Bits(bits) => format!("{bits:#x}"),
        Value::Bytes(bytes) => c_text(bytes),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(initialiser).collect();
            format!("{{{}}}", values.join(", "))
        }
        Value::Struct(members) => {
            let member =
                |(name, value): &(String, Value)| format!(".{name} = {}", initialiser(value));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Null => "NULL".to_owned(),
        Value::Function(name) => name.clone(),
        Value::Inside { of, offset: 0 } => of.clone(),
        Value::Inside { of, offset } => format!("{of} + {offset}"),
    }
}

/// The smallest numbers of their types have no literal in C.
fn integer(number: i128) -> String {
    match number {
        number if number == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        number if number == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        number if number > i128::from(i64::MAX) => format!("{number}ULL"),
        number if i32::try_from(number).is_err() => format!("{number}LL"),
        number => number.to_string(),
    }
}

/// The check as an expression.
pub(super) fn condition(check: &Check) -> String {
    compared_by(check, "==")
}

fn compared_by(check: &Check, operator: &str) -> String {
    let place = &check.place;
    match &check.expected {
        Expected::Number(Number::Int(number)) => {
            format!("{place} {operator} {}", integer(*number))
        }
        Expected::Number(Number::Single(number)) => format!("{place} {operator} {number:?}f"),
        Expected::Number(Number::Double(number)) => format!("{place} {operator} {number:?}"),
        Expected::Bytes(bytes) => {
            format!("memcmp({place}, {}, {}) {operator} 0", c_text(bytes), bytes.len())
        }
        Expected::Null => format!("{place} {operator} NULL"),
        Expected::Inside { buffer, offset } => {
            format!("(const char *){place} {operator} (const char *){buffer} + {offset}")
        }
    }
}

/// The statement that reports what is wrong.
fn complaint(call: &Call<'_>, check: &Check) -> String {
    let function = call.function;
    let place = match check.place.strip_prefix("result") {
        Some(member) => format!("the result{member} of {function}"),
        None => format!("{} after {function}", check.place),
    };
    let value = &check.place;
    match &check.expected {
        Expected::Number(Number::Int(number)) => {
            format!("printf(\"{place} is %lld instead of {number}\\n\", (long long){value});")
        }
        Expected::Number(Number::Single(number)) => {
            format!("printf(\"{place} is %.9g instead of {number:?}\\n\", (double){value});")
        }
        Expected::Number(Number::Double(number)) => {
            format!("printf(\"{place} is %.17g instead of {number:?}\\n\", (double){value});")
        }
        Expected::Bytes(_) | Expected::Null | Expected::Inside { .. } => {
            format!("printf(\"{place} is not as expected\\n\");")
        }
    }
}
