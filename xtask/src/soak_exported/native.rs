//! Links both releases of a library into one program, and calls its functions with the same inputs.
//!
//! The libraries are built with the address sanitizer: an input on which a version leaves its
//! memory says nothing. Calls only functions over numbers, buffers of numbers and strings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use effects::{Libc, Loader};
use inputs::{Form, Overrides, Pointer, ScalarKind, Shape, Signature};
use ir::Module;
use source::Compiler;

use super::Releases;
use crate::truth::language::{Expr, Interface, Kind, Object, Param, ParamKind, Returned};
use crate::truth::{DRIVER, pair, render};

const INPUTS: &str = "20000";
const SANITIZER: &str = "-fsanitize=address";

/// A library, built in both releases.
pub struct Natives {
    pub releases: Releases,
    /// Functions that both releases export.
    pub exported: Vec<String>,
    place: PathBuf,
    clang: PathBuf,
    modules: Vec<Module>,
}

/// The result of native runs for a verdict of *equal*.
pub enum Checked {
    /// On this many inputs.
    Same(u64),
    Differs(String),
    Not(String),
}

impl Natives {
    pub fn new(compiler: &Compiler, place: &Path, releases: Releases) -> anyhow::Result<Natives> {
        let clang = compiler.clang.path.clone();
        fs::create_dir_all(place)?;
        let mut exported: Option<BTreeSet<String>> = None;
        for (side, directory) in ["old", "new"].iter().zip(&releases.directories) {
            let names = build(&clang, place, side, directory, &releases.files)
                .with_context(|| releases.name)?;
            exported = Some(match exported {
                Some(before) => before.intersection(&names).cloned().collect(),
                None => names,
            });
        }
        let files: Vec<PathBuf> =
            releases.files.iter().map(|file| releases.directories[1].join(file)).collect();
        let loader = Loader { compiler, cflags: vec!["-w".to_owned()], libc: Libc::Quick };
        let modules = loader.modules(&files).with_context(|| releases.name)?;
        let exported = exported.unwrap_or_default().into_iter().collect();
        Ok(Natives { releases, exported, place: place.to_owned(), clang, modules })
    }

    /// Calls both versions of a function.
    pub fn check(&self, name: &str) -> anyhow::Result<Checked> {
        let (interface, returned) = match self.signature(name) {
            Ok(known) => known,
            Err(why) => return Ok(Checked::Not(why)),
        };
        let directory = self.place.join(name);
        fs::create_dir_all(&directory)?;
        let prototype = |side: &str| {
            let name = format!("{side}_{name}");
            format!(
                "extern {};\n#define {side}_f {name}\n",
                render::prototype(&name, &interface, &returned)
            )
        };
        let header = prototype("old")
            + &prototype("new")
            + "static const uint32_t pair_constants[] = {0, 1, 2, 3, 5, 9, 31, 100};\n"
            + &pair::calls(&interface, &returned);
        let files = [("types.h", render::TYPES), ("driver.c", DRIVER), ("pair.h", &header)];
        for (file, text) in files {
            fs::write(directory.join(file), text)?;
        }
        let program = directory.join("driver");
        let mut command = Command::new(&self.clang);
        command.args(["-std=gnu11", "-w", "-O1", "-g", SANITIZER, "-I"]).arg(&directory);
        command.arg(directory.join("driver.c"));
        command.args(["old.o", "new.o"].map(|file| self.place.join(file)));
        command.args(["-lm", "-ldl", "-o"]).arg(&program);
        let built = command.output()?;
        ensure!(
            built.status.success(),
            "{name}: the driver does not build: {}",
            String::from_utf8_lossy(&built.stderr)
        );
        let mut run = Command::new(&program);
        run.args(["run", INPUTS, "1"]).stdin(Stdio::null()).stderr(Stdio::null());
        // A function that allocates as requested must not end the run.
        run.env("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0");
        let output = run.output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().next_back().unwrap_or_default();
        Ok(match line.strip_prefix("ran ").and_then(|count| count.parse().ok()) {
            Some(count) => Checked::Same(count),
            // The ranking of faults is checked elsewhere.
            None if line.contains("fails") => Checked::Not("one version leaves its memory".into()),
            None => Checked::Differs(line.to_owned()),
        })
    }

    /// The parameters and the result of the function, if the driver can call it.
    fn signature(&self, name: &str) -> Result<(Interface, Returned), String> {
        let found = self
            .modules
            .iter()
            .find_map(|module| Some((module, inputs::find_function(module, name).ok()?)));
        let (module, function) = found.ok_or("its signature is not known")?;
        let signature = Signature::of(module, function, &Overrides::default())
            .map_err(|error| error.to_string())?;
        let mut params = Vec::new();
        for param in &signature.params {
            let kind = kind(&param.shape)
                .ok_or_else(|| format!("`{}` is no number, buffer or string", param.name))?;
            params.push(Param { name: param.name.clone(), kind });
        }
        bound(&mut params)?;
        let returned = match &signature.returns {
            None => Returned::Nothing,
            Some(shape) => returned(shape).ok_or("its result is no number and no text")?,
        };
        Ok((Interface { params, globals: Vec::new() }, returned))
    }
}

/// If there are buffers, numbers may be their lengths.
fn bound(params: &mut [Param]) -> Result<(), String> {
    let shortest = params
        .iter()
        .filter_map(|param| match param.kind {
            ParamKind::Buffer { count, .. } => Some(count as i64),
            _ => None,
        })
        .min();
    let has_text = params.iter().any(|param| matches!(param.kind, ParamKind::Text { .. }));
    for param in params {
        if let ParamKind::Int { low, high, .. } = &mut param.kind {
            if has_text {
                return Err(format!("`{}` may be the length of a string", param.name));
            }
            if let Some(shortest) = shortest {
                (*low, *high) = ((*low).max(0), (*high).min(shortest));
            }
        }
    }
    Ok(())
}

/// A scalar in C and its values; unsigned 64-bit numbers are drawn as signed ones.
fn scalar(shape: &Shape) -> Option<(&'static str, i64, i64)> {
    let Form::Scalar(scalar) = &shape.form else { return None };
    let signed = scalar.domain.is_signed();
    let ty = match (scalar.bits, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (64, true) => "long",
        (64, false) => "unsigned long",
        _ => return None,
    };
    let (low, high) = scalar.domain.bounds();
    match scalar.kind {
        ScalarKind::Float => None,
        _ if (scalar.bits, signed) == (64, false) => Some((ty, i64::MIN, i64::MAX)),
        _ => Some((ty, i64::try_from(low).ok()?, i64::try_from(high).ok()?)),
    }
}

fn real(shape: &Shape) -> Option<&'static str> {
    match &shape.form {
        Form::Scalar(scalar) if scalar.kind == ScalarKind::Float => match scalar.bits {
            32 => Some("float"),
            64 => Some("double"),
            _ => None,
        },
        _ => None,
    }
}

fn kind(shape: &Shape) -> Option<ParamKind> {
    if let Some((ty, low, high)) = scalar(shape) {
        return Some(ParamKind::Int { ty, low, high });
    }
    if let Some(ty) = real(shape) {
        return Some(ParamKind::Real { ty });
    }
    let Form::Pointer(Pointer::Buffer(buffer)) = &shape.form else { return None };
    let Form::Array { element, count } = &buffer.target.form else { return None };
    let count = usize::try_from(*count).ok()?;
    if buffer.string {
        return Some(ParamKind::Text { max: count.checked_sub(1)? });
    }
    let (ty, low, high) = scalar(element)?;
    Some(ParamKind::Buffer { ty, low, high, count })
}

fn returned(shape: &Shape) -> Option<Returned> {
    let nothing = Expr::number(0);
    if let Some((ty, ..)) = scalar(shape) {
        return Some(Returned::Int(ty, nothing));
    }
    if real(shape) == Some("double") {
        return Some(Returned::Real(nothing));
    }
    let Form::Pointer(Pointer::Buffer(buffer)) = &shape.form else { return None };
    // A returned `char *` counts as a string.
    buffer.string.then(|| {
        let args = [nothing.clone(), nothing.clone(), nothing];
        Returned::Object(Object { kind: Kind::Literal, args, style: 0, mistake: None })
    })
}

/// Builds a release into one object, in which all exported names are prefixed with the side.
fn build(
    clang: &Path,
    place: &Path,
    side: &str,
    directory: &Path,
    files: &[String],
) -> anyhow::Result<BTreeSet<String>> {
    let parts = place.join(side);
    fs::create_dir_all(&parts)?;
    let mut objects = Vec::new();
    for file in files {
        let object = parts.join(file).with_extension("o");
        fs::create_dir_all(object.parent().unwrap_or(&parts))?;
        let mut command = Command::new(clang);
        command.args(["-w", "-O1", "-g", SANITIZER, "-c"]).arg(directory.join(file));
        done(command.arg("-o").arg(&object))?;
        objects.push(object);
    }
    let all = parts.join("all.o");
    done(Command::new("ld").arg("-r").args(&objects).arg("-o").arg(&all))?;
    let listed = Command::new("nm").args(["--defined-only", "--extern-only"]).arg(&all).output()?;
    ensure!(listed.status.success(), "nm lists no names");
    let (mut functions, mut renamed) = (BTreeSet::new(), String::new());
    for line in String::from_utf8_lossy(&listed.stdout).lines() {
        let mut words = line.split_whitespace().skip(1);
        let (Some(sort), Some(name)) = (words.next(), words.next()) else { continue };
        // Both releases share the sanitizer's own names.
        if name.starts_with("__asan") {
            continue;
        }
        renamed.push_str(&format!("{name} {side}_{name}\n"));
        if sort == "T" {
            functions.insert(name.to_owned());
        }
    }
    let list = parts.join("names.txt");
    fs::write(&list, renamed)?;
    let object = place.join(format!("{side}.o"));
    let mut command = Command::new("objcopy");
    command.arg("--redefine-syms").arg(&list).arg(&all).arg(&object);
    done(&mut command)?;
    Ok(functions)
}

fn done(command: &mut Command) -> anyhow::Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}", message.lines().next().unwrap_or("a build fails"));
    Ok(())
}
