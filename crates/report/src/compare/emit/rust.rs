//! Tests for Rust's test runner, with the standard library only. A program is run; a function is
//! called through C's calling convention, if only numbers and buffers of numbers are passed.

use inputs::{Form, Pointer, Scalar, ScalarKind, Shape, Value};

use super::call::{Argument, Call, Check, Expected};
use super::story::commented;
use super::{Case, EmittedFile, files_that_differ, tests_stderr};

pub(super) fn emit(case: &Case<'_>) -> Result<Vec<EmittedFile>, String> {
    let text = match case.compared.entry {
        Some(_) => of_function(case)?,
        None if case.wrong().native.status().is_none() => {
            return Err(
                "the other version does not end, and this test could not stop it".to_owned()
            );
        }
        None => of_program(case),
    };
    Ok(vec![EmittedFile::text(format!("{}.rs", case.name), text)])
}

fn head(case: &Case<'_>, usage: &[String]) -> String {
    commented(case, usage, "//") + "\n"
}

fn of_program(case: &Case<'_>) -> String {
    let usage = [
        "PROGRAM in the environment names the program under test:".to_owned(),
        format!("    rustc --test -o test {}.rs", case.name),
        "    PROGRAM=./program ./test".to_owned(),
    ];
    let mut text = head(case, &usage);
    let input = &case.witness.test.input;
    text.push_str(
        "use std::ffi::OsStr;\nuse std::fs;\nuse std::io::Write;\n\
         use std::os::unix::ffi::OsStrExt;\nuse std::os::unix::process::CommandExt;\n\
         use std::process::{Command, Stdio};\n\n#[test]\n",
    );
    text.push_str(&format!("fn {}() {{\n", case.name));
    let mut line = |words: &str| text.push_str(&format!("    {words}\n"));
    line(
        "let program = std::env::var_os(\"PROGRAM\").expect(\"PROGRAM names the program under test\");",
    );
    line("let program = fs::canonicalize(program).expect(\"the program is there\");");
    line(&format!(
        "let place = std::env::temp_dir().join(format!(\"{}-{{}}\", std::process::id()));",
        case.name
    ));
    line("fs::create_dir(&place).expect(\"a fresh directory\");");
    for (name, bytes) in &input.files {
        line(&format!("let file = place.join({});", literal(name.as_bytes())));
        line("fs::create_dir_all(file.parent().expect(\"a directory\")).expect(\"a directory\");");
        line(&format!("fs::write(file, {}).expect(\"a file\");", bytes_literal(bytes)));
    }
    let arguments: Vec<String> =
        input.args.iter().map(|argument| format!("&{}[..]", bytes_literal(argument))).collect();
    line(&format!("let arguments: [&[u8]; {}] = [{}];", arguments.len(), arguments.join(", ")));
    line("let mut child = Command::new(program)");
    for call in [
        ".arg0(\"program\")",
        ".args(arguments.map(OsStr::from_bytes))",
        ".current_dir(&place)",
        ".stdin(Stdio::piped())",
        ".stdout(Stdio::piped())",
        ".stderr(Stdio::piped())",
        ".spawn()",
        ".expect(\"the program runs\");",
    ] {
        line(&format!("    {call}"));
    }
    line("// A program that does not read all of it is right, too.");
    line(&format!(
        "let _ = child.stdin.take().expect(\"a pipe\").write_all({});",
        bytes_literal(&input.stdin)
    ));
    line("let output = child.wait_with_output().expect(\"the program ends\");");
    let right = &case.right().native;
    if let Some(status) = case.status() {
        line(&format!("assert_eq!(output.status.code(), Some({status}));"));
    }
    let texts = [
        (case.compared.observe.stdout, "stdout", &right.stdout),
        (tests_stderr(case), "stderr", &right.stderr),
    ];
    for (is_tested, name, expected) in texts {
        if is_tested {
            match std::str::from_utf8(expected) {
                Ok(_) => line(&format!(
                    "assert_eq!(String::from_utf8_lossy(&output.{name}), {});",
                    literal(expected)
                )),
                Err(_) => line(&format!("assert_eq!(output.{name}, {});", bytes_literal(expected))),
            }
        }
    }
    for (name, content) in files_that_differ(case) {
        let file = format!("fs::read(place.join({}))", literal(name.as_bytes()));
        match content {
            Some(bytes) => line(&format!(
                "assert_eq!({file}.ok().as_deref(), Some(&{}[..]));",
                bytes_literal(bytes)
            )),
            None => line(&format!("assert!({file}.is_err());")),
        }
    }
    line("fs::remove_dir_all(place).expect(\"the directory is ours\");");
    text.push_str("}\n");
    text
}

fn of_function(case: &Case<'_>) -> Result<String, String> {
    let call = Call::of(case)?;
    if call.signature.is_static {
        return Err("a static function can only be called in C".to_owned());
    }
    if !call.globals.is_empty() {
        return Err("global variables are set".to_owned());
    }
    let mut declared = Vec::new();
    for argument in &call.arguments {
        declared.push(format!("{}: {}", rust_name(&argument.name), passed_type(argument)?));
    }
    let returns = match &call.signature.returns {
        None => String::new(),
        Some(shape) => format!(" -> {}", type_of(shape).ok_or("its result is no number")?),
    };
    let sources: Vec<String> = case
        .compared
        .new
        .files
        .iter()
        .map(|file| super::shell::word(&file.to_string_lossy()))
        .collect();
    let usage = [
        "Build and run it in the directory of the project:".to_owned(),
        format!(
            "    cc -w -O0 -Dmain=program_main -shared -fPIC -o libsubject.so {}",
            sources.join(" ")
        ),
        format!("    rustc --test -L . -l subject -o test {}.rs", case.name),
        "    LD_LIBRARY_PATH=. ./test".to_owned(),
    ];
    let mut text = head(case, &usage);
    text.push_str(&format!(
        "unsafe extern \"C\" {{\n    fn {}({}){returns};\n}}\n\n#[test]\nfn {}() {{\n",
        call.function,
        declared.join(", "),
        test_name(case, &call),
    ));
    let mut given = Vec::new();
    for argument in &call.arguments {
        let (declaration, passed) = argument_text(argument)?;
        text.push_str(&declaration);
        given.push(passed);
    }
    text.push_str("    // It is declared above as it is defined in C.\n");
    text.push_str(&format!(
        "    let result = unsafe {{ {}({}) }};\n",
        call.function,
        given.join(", ")
    ));
    let mut says_result = false;
    for check in &call.checks {
        says_result |= check.place == "result";
        text.push_str(&format!("    {}\n", assertion(check)?));
    }
    if !says_result {
        text.push_str("    let _ = result;\n");
    }
    text.push_str("}\n");
    Ok(text)
}

/// A test cannot have the name of the tested function.
fn test_name(case: &Case<'_>, call: &Call<'_>) -> String {
    if case.name == call.function { format!("{}_test", case.name) } else { case.name.clone() }
}

fn rust_name(name: &str) -> String {
    const WORDS: [&str; 12] =
        ["type", "match", "fn", "in", "ref", "mod", "move", "let", "loop", "impl", "use", "self"];
    if WORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

fn scalar_type(scalar: &Scalar) -> Option<String> {
    match (&scalar.kind, scalar.bits) {
        (ScalarKind::Float, bits @ (32 | 64)) => Some(format!("f{bits}")),
        (ScalarKind::Float, _) => None,
        (_, bits @ (8 | 16 | 32 | 64)) => {
            Some(format!("{}{bits}", if scalar.domain.is_signed() { "i" } else { "u" }))
        }
        _ => None,
    }
}

fn type_of(shape: &Shape) -> Option<String> {
    match &shape.form {
        Form::Scalar(scalar) => scalar_type(scalar),
        _ => None,
    }
}

fn element_of<'s>(argument: &Argument<'s>) -> Option<(&'s Shape, u64)> {
    let Form::Pointer(Pointer::Buffer(buffer)) = &argument.shape.form else { return None };
    let Form::Array { element, .. } = &buffer.target.form else { return None };
    Some((element, buffer.target.size / element.size.max(1)))
}

fn passed_type(argument: &Argument<'_>) -> Result<String, String> {
    let unfit = || format!("`{}` is not a number or a buffer of numbers", argument.name);
    match &argument.shape.form {
        Form::Pointer(_) => {
            let (element, _) = element_of(argument).ok_or_else(unfit)?;
            Ok(format!("*mut {}", type_of(element).ok_or_else(unfit)?))
        }
        _ => type_of(argument.shape).ok_or_else(unfit),
    }
}

/// The lines that declare an argument, and what is passed.
fn argument_text(argument: &Argument<'_>) -> Result<(String, String), String> {
    let unfit = || format!("`{}` is not a number or a buffer of numbers", argument.name);
    let name = rust_name(&argument.name);
    let Some((element, count)) = element_of(argument) else {
        let value = scalar_text(argument.value).ok_or_else(unfit)?;
        let ty = type_of(argument.shape).ok_or_else(unfit)?;
        return Ok((format!("    let {name}: {ty} = {value};\n"), name));
    };
    if *argument.value == Value::Null {
        return Ok((String::new(), "std::ptr::null_mut()".to_owned()));
    }
    if let Value::Inside { of, offset: 0 } = argument.value {
        return Ok((String::new(), format!("{}.as_mut_ptr()", rust_name(of))));
    }
    let ty = type_of(element).ok_or_else(unfit)?;
    let values: Option<Vec<String>> = match argument.value {
        Value::Bytes(bytes) if ty == "i8" => {
            Some(bytes.iter().map(|&byte| (byte as i8).to_string()).collect())
        }
        Value::Bytes(bytes) => Some(bytes.iter().map(ToString::to_string).collect()),
        Value::Array(values) => values.iter().map(scalar_text).collect(),
        single => scalar_text(single).map(|value| vec![value]),
    };
    let values = values.ok_or_else(unfit)?;
    let zero = if ty.starts_with('f') { "0.0" } else { "0" };
    let mut text = format!("    let mut {name}: [{ty}; {count}] = [{zero}; {count}];\n");
    text.push_str(&format!(
        "    {name}[..{}].copy_from_slice(&[{}]);\n",
        values.len(),
        values.join(", ")
    ));
    Ok((text, format!("{name}.as_mut_ptr()")))
}

fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(format!("{number:?}")),
        _ => None,
    }
}

fn assertion(check: &Check) -> Result<String, String> {
    let place = rust_name(&check.place);
    if place.contains('.') {
        return Err("structs are compared".to_owned());
    }
    Ok(match &check.expected {
        Expected::Number(number) => format!("assert_eq!({place}, {number});"),
        Expected::Bytes(bytes) => {
            format!("assert_eq!({place}.map(|byte| byte as u8)[..], {}[..]);", bytes_literal(bytes))
        }
        Expected::Null | Expected::Inside { .. } => return Err("it returns an address".to_owned()),
    })
}

/// A text in quotation marks.
fn literal(bytes: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(bytes))
}

fn bytes_literal(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}
