//! The call of one function in a test: its arguments, and what must hold afterwards.
//!
//! Supports scalars, texts, arrays and structs of scalars, and pointers to these; and results that
//! are a scalar, a struct of scalars, null or an address in a given buffer. For anything else the
//! user gets a reason why there is no test.

use std::collections::BTreeMap;
use std::path::PathBuf;

use effects::compare::Compared;
use inputs::{Form, Param, Pointer, Scalar, ScalarKind, Shape, Signature, Value};

use super::Case;
use crate::compare::returned::Number;

/// Names of the test itself.
const TAKEN: [&str; 4] = ["failed", "result", "main", "state"];

pub(super) struct Call<'a> {
    pub function: &'a str,
    pub signature: &'a Signature,
    pub arguments: Vec<Argument<'a>>,
    pub globals: Vec<Argument<'a>>,
    pub checks: Vec<Check>,
}

pub(super) struct Argument<'a> {
    /// The name of the test's variable.
    pub name: String,
    pub shape: &'a Shape,
    pub value: &'a Value,
}

/// Something that must hold after the call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Check {
    /// The checked place in C syntax; `result` is the returned value.
    pub place: String,
    pub expected: Expected,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expected {
    Number(Number),
    /// The memory of a buffer of characters.
    Bytes(Vec<u8>),
    Null,
    /// An address in the buffer of an argument.
    Inside {
        buffer: String,
        offset: u64,
    },
}

/// The file that defines the function, as the project calls it.
pub(super) fn entry_file(compared: &Compared) -> Option<PathBuf> {
    let defined = compared.signature.as_ref()?.file.as_ref()?;
    let new = &compared.new;
    let is_it = |file: &&PathBuf| new.path(file) == *defined || new.path(file).ends_with(defined);
    match &new.files[..] {
        [only] => Some(only.clone()),
        files => files.iter().find(is_it).cloned(),
    }
}

impl<'a> Call<'a> {
    pub fn of(case: &'a Case<'_>) -> Result<Call<'a>, String> {
        let compared = case.compared;
        let (Some(function), Some(signature)) = (&compared.entry, &compared.signature) else {
            return Err("how the function is called is not known".to_owned());
        };
        if compared.space.only.iter().any(|names| !names.is_empty()) {
            return Err("the versions have other parameters".to_owned());
        }
        let input = &case.witness.test.input;
        if !input.stdin.is_empty() || !input.files.is_empty() {
            return Err("the function reads standard input or files".to_owned());
        }
        let arguments = arguments(&signature.params, &input.params, function)?;
        let globals = arguments_of_globals(&signature.globals, &input.globals)?;
        let checks = checks(case, signature, &arguments, &globals)?;
        Ok(Call { function, signature, arguments, globals, checks })
    }
}

fn arguments<'a>(
    params: &'a [Param],
    values: &'a [(String, Value)],
    function: &str,
) -> Result<Vec<Argument<'a>>, String> {
    let argument = |param: &'a Param| {
        let value = values.iter().find(|(name, _)| *name == param.name);
        let (_, value) = value.ok_or_else(|| format!("`{}` has no value", param.name))?;
        check_value(&param.name, &param.shape, value, true)?;
        let is_taken = TAKEN.contains(&param.name.as_str()) || param.name == function;
        let name = if is_taken { format!("{}_", param.name) } else { param.name.clone() };
        Ok(Argument { name, shape: &param.shape, value })
    };
    params.iter().map(argument).collect()
}

fn arguments_of_globals<'a>(
    params: &'a [Param],
    values: &'a [(String, Value)],
) -> Result<Vec<Argument<'a>>, String> {
    let globals = arguments(params, values, "")?;
    for global in &globals {
        if !matches!(global.shape.form, Form::Scalar(_)) || TAKEN.contains(&global.name.as_str()) {
            return Err(format!("the global variable {} is not a number", global.name));
        }
    }
    Ok(globals)
}

/// Whether a value has a notation in C.
fn check_value(name: &str, shape: &Shape, value: &Value, is_param: bool) -> Result<(), String> {
    let unfit = |why: &str| Err(format!("`{name}` ({}) {why}", shape.ty));
    if shape.ty.contains('…') && !matches!(shape.form, Form::Scalar(_)) {
        return unfit("has a type without a name");
    }
    match (&shape.form, value) {
        (_, Value::Bits(_)) => unfit("is not a finite number"),
        (Form::Scalar(_) | Form::Fixed(_), Value::Int(_) | Value::Float(_)) => Ok(()),
        (Form::Array { .. }, Value::Bytes(_)) => Ok(()),
        (Form::Array { element, .. }, Value::Array(values)) => {
            values.iter().try_for_each(|value| check_value(name, element, value, false))
        }
        (Form::Struct(fields), Value::Struct(members)) => fields.iter().try_for_each(|field| {
            let value = members.iter().find(|(name, _)| *name == field.name);
            match value {
                Some((member, value)) if !member.is_empty() => {
                    check_value(member, &field.shape, value, false)
                }
                _ => unfit("has members without a name"),
            }
        }),
        (Form::Pointer(_), Value::Null | Value::Function(_)) => Ok(()),
        // The memory belongs to another variable of the test.
        (Form::Pointer(_), Value::Inside { of, .. }) if is_param && !TAKEN.contains(&&**of) => {
            Ok(())
        }
        (Form::Pointer(Pointer::Buffer(buffer)), value) if is_param => {
            let Form::Array { element, .. } = &buffer.target.form else {
                return unfit("points to something unusual");
            };
            match value {
                Value::Bytes(_) => Ok(()),
                Value::Array(values) => {
                    values.iter().try_for_each(|value| check_value(name, element, value, false))
                }
                // A single element may stand for itself.
                value => check_value(name, element, value, false),
            }
        }
        (Form::Pointer(_), _) => unfit("leads to memory behind a pointer in memory"),
        _ => unfit("is of a type that tests cannot write"),
    }
}

/// The lines of a function's result and memory, by their first word.
type Lines<'a> = BTreeMap<&'a str, Vec<&'a str>>;

fn lines_of(result: &str) -> Lines<'_> {
    result.lines().filter_map(split).collect()
}

fn split(line: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.collect()))
}

fn checks(
    case: &Case<'_>,
    signature: &Signature,
    arguments: &[Argument<'_>],
    globals: &[Argument<'_>],
) -> Result<Vec<Check>, String> {
    let Some(right) = &case.right().native.result else {
        return Err("the function does not return".to_owned());
    };
    let right = lines_of(right);
    let wrong = case.wrong().native.result.as_deref().map(lines_of);
    let differs =
        |name: &str| wrong.as_ref().is_some_and(|wrong| wrong.get(name) != right.get(name));
    let mut checks = Vec::new();
    let mut tells = wrong.is_none();
    if let (Some(shape), Some(tokens)) = (&signature.returns, right.get("return")) {
        match check_result(shape, tokens, arguments) {
            Ok(found) => {
                tells |= differs("return");
                checks.extend(found);
            }
            Err(reason) if differs("return") => return Err(reason),
            // Both versions returned the same.
            Err(_) => {}
        }
    }
    for argument in arguments {
        let Form::Pointer(Pointer::Buffer(buffer)) = &argument.shape.form else { continue };
        let object = format!("*{}", argument.name.trim_end_matches('_'));
        let Some(tokens) = right.get(object.as_str()).filter(|_| differs(&object)) else {
            continue;
        };
        checks.extend(check_buffer(&argument.name, &buffer.target, tokens)?);
        tells = true;
    }
    for global in globals {
        let Some(tokens) = right.get(global.name.as_str()).filter(|_| differs(&global.name)) else {
            continue;
        };
        checks.extend(check_leaves(&global.name, global.shape, tokens)?);
        tells = true;
    }
    if tells && !(checks.is_empty() && wrong.is_some()) {
        Ok(checks)
    } else {
        Err("the difference is neither in its result nor in its buffers".to_owned())
    }
}

fn check_result(
    shape: &Shape,
    tokens: &[&str],
    arguments: &[Argument<'_>],
) -> Result<Vec<Check>, String> {
    let Form::Pointer(_) = shape.form else {
        return check_leaves("result", shape, tokens);
    };
    let inside = |token: &str| {
        let (object, offset) = token.strip_prefix("&*")?.split_once('+')?;
        let is_it = |argument: &&Argument<'_>| argument.name.trim_end_matches('_') == object;
        let buffer = arguments.iter().find(is_it)?.name.clone();
        Some(Expected::Inside { buffer, offset: offset.parse().ok()? })
    };
    let expected = match tokens {
        ["null"] => Some(Expected::Null),
        [token] => inside(token),
        _ => None,
    };
    match expected {
        Some(expected) => Ok(vec![Check { place: "result".to_owned(), expected }]),
        None => Err("it returns an address of its own".to_owned()),
    }
}

fn check_buffer(name: &str, target: &Shape, tokens: &[&str]) -> Result<Vec<Check>, String> {
    let Form::Array { element, .. } = &target.form else {
        return Err(format!("`{name}` points to something unusual"));
    };
    if tokens == ["freed"] {
        return Err(format!("the function frees what `{name}` points to"));
    }
    if let Form::Scalar(Scalar { kind: ScalarKind::Char, .. }) = &element.form {
        let byte = |token: &&str| u8::from_str_radix(token, 16).ok();
        let bytes: Option<Vec<u8>> = tokens.iter().map(byte).collect();
        let bytes = bytes.ok_or_else(|| format!("`{name}` holds addresses"))?;
        return Ok(vec![Check { place: name.to_owned(), expected: Expected::Bytes(bytes) }]);
    }
    check_leaves(name, target, tokens)
}

fn check_leaves(name: &str, shape: &Shape, tokens: &[&str]) -> Result<Vec<Check>, String> {
    let mut leaves = Vec::new();
    let known = collect(shape, name.to_owned(), &mut leaves);
    if known.is_none() || leaves.len() != tokens.len() {
        return Err(format!("`{name}` ({}) has parts that tests cannot read", shape.ty));
    }
    let check = |((place, scalar), token): ((String, &Scalar), &&str)| {
        let bits = u64::from_str_radix(token, 16).ok()?;
        Some(Check { place, expected: Expected::Number(Number::of(scalar, bits)?) })
    };
    let checks: Option<Vec<Check>> = leaves.into_iter().zip(tokens).map(check).collect();
    checks.ok_or_else(|| format!("`{name}` holds what is not a finite number"))
}

/// The scalars of a shape in the order of their addresses, each with its place in C.
fn collect<'s>(
    shape: &'s Shape,
    place: String,
    leaves: &mut Vec<(String, &'s Scalar)>,
) -> Option<()> {
    match &shape.form {
        Form::Scalar(scalar) => leaves.push((place, scalar)),
        Form::Struct(fields) => {
            for field in fields {
                if field.name.is_empty() {
                    return None;
                }
                collect(&field.shape, format!("{place}.{}", field.name), leaves)?;
            }
        }
        Form::Array { element, count } => {
            for index in 0..*count {
                collect(element, format!("{place}[{index}]"), leaves)?;
            }
        }
        Form::Raw { .. } | Form::Fixed(_) | Form::Pointer(_) => return None,
    }
    Some(())
}
