//! The members of a test that say what a recorded run had besides its input, as JSON.

use crate::error::TestProblem;
use crate::json::{self, Json, bytes_text, object, quoted, string, written, wrong};
use crate::parse::{stays_below, stays_inside};
use crate::{Ending, Expected, Setting, Test};

/// Reads a member. Returns whether it is one of these.
pub(crate) fn member(setting: &mut Setting, key: &str, json: &Json) -> Result<bool, TestProblem> {
    match key {
        "program" => setting.program = Some(json::bytes(key, json)?),
        "env" => setting.environment = environment(key, json)?,
        "cwd" => setting.directory = directory(key, json)?,
        "directories" => setting.directories = texts(key, json)?,
        "modes" => setting.modes = modes(key, json)?,
        "expect" => setting.expected = Some(expected(key, json)?),
        "flaws" => setting.flaws = texts(key, json)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Checks what depends on several members, and separates the files outside of the working
/// directory.
pub(crate) fn check(test: &mut Test) -> Result<(), TestProblem> {
    let setting = &mut test.setting;
    let depth = match &*setting.directory {
        "" => 0,
        directory => directory.split('/').count(),
    };
    let modes = setting.modes.iter().map(|(name, _)| name);
    let files = test.input.files.iter().map(|(name, _)| name);
    for name in files.chain(modes).chain(&setting.directories) {
        if !stays_below(name, depth) {
            return Err(TestProblem::NameOutside { name: name.clone() });
        }
    }
    let all = std::mem::take(&mut test.input.files);
    (test.input.files, setting.outside) = all.into_iter().partition(|(name, _)| stays_inside(name));
    Ok(())
}

fn environment(key: &str, json: &Json) -> Result<Vec<(String, Vec<u8>)>, TestProblem> {
    let wanted = "an object of names and values";
    let members = object(key, json, wanted)?;
    let variable = |(name, json): &(String, Json)| {
        let value = json::bytes(name, json)?;
        let is_right = !name.is_empty() && !name.contains(['=', '\0']) && !value.contains(&0);
        if is_right { Ok((name.clone(), value)) } else { Err(wrong(key, wanted)) }
    };
    members.iter().map(variable).collect()
}

fn directory(key: &str, json: &Json) -> Result<String, TestProblem> {
    let name = string(key, json)?;
    let is_plain = name.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    match name {
        "" => Ok(String::new()),
        name if is_plain && stays_inside(name) => Ok(name.to_owned()),
        name => Err(TestProblem::NameOutside { name: name.to_owned() }),
    }
}

fn texts(key: &str, json: &Json) -> Result<Vec<String>, TestProblem> {
    let Json::List(list) = json else { return Err(wrong(key, "a list of strings")) };
    list.iter().map(|json| string(key, json).map(str::to_owned)).collect()
}

fn modes(key: &str, json: &Json) -> Result<Vec<(String, u32)>, TestProblem> {
    let members = object(key, json, "an object of names and modes")?;
    let mode = |(name, json): &(String, Json)| {
        let mode = u32::from_str_radix(string(name, json)?, 8).ok();
        let mode = mode.filter(|mode| mode & !0o777 == 0);
        let mode = mode.ok_or_else(|| TestProblem::NotMode { name: name.clone() })?;
        Ok((name.clone(), mode))
    };
    members.iter().map(mode).collect()
}

fn expected(key: &str, json: &Json) -> Result<Expected, TestProblem> {
    let members = object(key, json, "an object of what the program did")?;
    let (mut end, mut stdout, mut stderr) = (None, Vec::new(), Vec::new());
    let number = |json: &Json| match json {
        Json::Int(number) => i32::try_from(*number).map_err(|_| TestProblem::NoEnding),
        _ => Err(TestProblem::NoEnding),
    };
    for (key, json) in members {
        match key.as_str() {
            "status" => end = Some(Ending::Status(number(json)?)),
            "signal" => end = Some(Ending::Signal(number(json)?)),
            "stdout" => stdout = json::bytes(key, json)?,
            "stderr" => stderr = json::bytes(key, json)?,
            _ => {
                let nearest = crate::nearest_names(key, ["status", "signal", "stdout", "stderr"]);
                return Err(TestProblem::UnknownKey { key: key.clone(), nearest });
            }
        }
    }
    Ok(Expected { end: end.ok_or(TestProblem::NoEnding)?, stdout, stderr })
}

/// The members of a setting that are not as usual.
pub(crate) fn members(setting: &Setting) -> Vec<String> {
    let mut members = Vec::new();
    let mut push = |key: &str, text: String| members.push(format!("\"{key}\": {text}"));
    if !setting.directories.is_empty() {
        push("directories", list(&setting.directories));
    }
    if !setting.modes.is_empty() {
        let modes = setting.modes.iter().map(|(name, mode)| (name, format!("\"{mode:04o}\"")));
        push("modes", written(modes));
    }
    if !setting.environment.is_empty() {
        let variables = setting.environment.iter().map(|(name, value)| (name, bytes_text(value)));
        push("env", written(variables));
    }
    if !setting.directory.is_empty() {
        push("cwd", quoted(&setting.directory));
    }
    if let Some(expected) = &setting.expected {
        push("expect", expected_text(expected));
    }
    if !setting.flaws.is_empty() {
        push("flaws", list(&setting.flaws));
    }
    members
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn expected_text(expected: &Expected) -> String {
    let mut members = vec![match expected.end {
        Ending::Status(status) => format!("\"status\": {status}"),
        Ending::Signal(signal) => format!("\"signal\": {signal}"),
    }];
    for (key, bytes) in [("stdout", &expected.stdout), ("stderr", &expected.stderr)] {
        if !bytes.is_empty() {
            members.push(format!("\"{key}\": {}", bytes_text(bytes)));
        }
    }
    format!("{{{}}}", members.join(", "))
}
