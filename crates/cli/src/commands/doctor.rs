//! `ripple doctor`: what is installed, what is missing, and how to install it.
//!
//! Tests compilers by compiling, building and running a small program, not by their packages.
//! Fails only if the compiler that Ripple would use cannot compile or build, or if native programs
//! cannot be confined and the user did not do without.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use effects::mathematics::MathLibrary;
use source::{
    Cache, Clang, Compiler, Confinement, Probe, Protection, SourceError, find_program, protections,
};

use crate::exit;
use crate::output;
use crate::setup::Globals;
use crate::setup::path_variable;

pub const EXAMPLES: &str = "\
Examples:
  ripple doctor                    check the installation
  ripple --clang clang-19 doctor   check it with a particular compiler";

/// Findings, and the packages that would fix them.
#[derive(Default)]
struct Report {
    text: String,
    packages: Vec<String>,
    failed: bool,
}

pub fn run(globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut report = Report::default();
    report.line("ripple", env!("CARGO_PKG_VERSION"));
    report.compilers(globals, &globals.split_cflags()?);
    report.sandbox(globals);
    report.mathematics();
    report.tools();
    report.cache(&globals.cache()?);
    report.advice();
    output::result(report.text.as_bytes())?;
    Ok(if report.failed { ExitCode::from(exit::FAILURE) } else { ExitCode::SUCCESS })
}

impl Report {
    fn line(&mut self, subject: &str, finding: impl std::fmt::Display) {
        writeln!(self.text, "{subject:<14}{finding}").expect("writing to a string succeeds");
    }

    fn want(&mut self, package: impl Into<String>) {
        let package = package.into();
        if !self.packages.contains(&package) {
            self.packages.push(package);
        }
    }

    fn compilers(&mut self, globals: &Globals, cflags: &[String]) {
        let used = match globals.compiler() {
            Ok(compiler) => compiler,
            Err(error) => {
                self.line("clang", format!("MISSING: {}", error.root_cause()));
                self.failed = true;
                // No package provides a compiler that the user named.
                if let Some(SourceError::NoClang) = error.downcast_ref() {
                    self.want("clang");
                }
                return;
            }
        };
        self.compiler(&used, cflags, true);
        for clang in Clang::all(&path_variable(), &used.cache) {
            if !is_same(&clang.path, &used.clang.path) {
                let other = Compiler::at(clang, used.cache.clone(), used.directory.clone());
                self.compiler(&other, cflags, false);
            }
        }
    }

    fn compiler(&mut self, compiler: &Compiler, cflags: &[String], used: bool) {
        let clang = &compiler.clang;
        let mark = if used { " (used)" } else { "" };
        let found = format!("{}: {}{mark}", clang.path.display(), clang.version);
        self.line("clang", found);
        let Probe { compiles, builds, sanitizes } = compiler.probe(cflags);
        // If it works without the user's flags, no package is missing.
        let flags_fail = !cflags.is_empty() && compiles.is_err();
        if flags_fail && compiler.probe(&[]).compiles.is_ok() {
            self.failed |= used;
            let said = compiles.err().map(|error| error.to_string()).unwrap_or_default();
            return self
                .line("  IR", format!("FAILS with these --cflags: {}", telling_line(&said)));
        }
        self.failed |= used && (compiles.is_err() || builds.is_err());
        self.ability("IR", &compiles, "libc6-dev");
        self.ability("native", &builds, "libc6-dev gcc");
        let runtime = format!("libclang-rt-{}-dev", clang.major);
        self.ability("sanitizers", &sanitizes, &runtime);
    }

    fn ability(&mut self, name: &str, result: &Result<(), SourceError>, packages: &str) {
        let name = format!("  {name}");
        match result {
            Ok(()) => self.line(&name, "ok"),
            Err(error) => {
                self.line(&name, format!("MISSING: {}", telling_line(&error.to_string())));
                packages.split(' ').for_each(|package| self.want(package));
            }
        }
    }

    /// Whether native programs can be confined, and how.
    fn sandbox(&mut self, globals: &Globals) {
        let protections = protections();
        let lacking = protections.iter().find_map(|protection| protection.state.as_ref().err());
        let finding = match (globals.confinement(), lacking) {
            (Confinement::Unconfined, _) => "OFF: --no-sandbox".to_owned(),
            (_, None) => "ok".to_owned(),
            (_, Some(lacking)) => {
                self.failed = true;
                format!("MISSING: {lacking}; --no-sandbox runs native programs all the same")
            }
        };
        self.line("sandbox", finding);
        if globals.confinement() == Confinement::Unconfined {
            return;
        }
        for Protection { name, state } in protections {
            let name = format!("  {name}");
            match state {
                Ok(how) => self.line(&name, how),
                Err(_) => self.line(&name, "NOT PROTECTED"),
            }
        }
    }

    /// The host's library computes functions of math.h.
    fn mathematics(&mut self) {
        match MathLibrary::of_host() {
            Some(library) => self.line("libm", library),
            None => self.line("libm", "MISSING: cannot execute functions of math.h"),
        }
    }

    fn tools(&mut self) {
        let tools = [
            ("cc", "gcc", "links Ripple itself when it is built"),
            ("c++", "g++", "compiles the SAT solver when Ripple is built"),
            ("csmith", "csmith libcsmith-dev", "writes random programs for Ripple's own tests"),
        ];
        for (name, packages, purpose) in tools {
            match find_program(Path::new(name), &path_variable()) {
                Some(path) => self.line(name, path.display()),
                None => {
                    self.line(name, format!("MISSING: {purpose}"));
                    packages.split(' ').for_each(|package| self.want(package));
                }
            }
        }
    }

    fn cache(&mut self, cache: &Cache) {
        match cache.directory() {
            None => self.line(
                "cache",
                "none: neither XDG_CACHE_HOME nor HOME is set, or --cache-size is 0",
            ),
            Some(path) if cache.is_writable() => self.line("cache", path.display()),
            Some(path) => {
                let finding = format!("{}: NOT WRITABLE, nothing is cached", path.display());
                self.line("cache", finding);
            }
        }
    }

    fn advice(&mut self) {
        if self.packages.is_empty() {
            let all = if self.failed { "" } else { "\nNothing is missing.\n" };
            return self.text.push_str(all);
        }
        let packages = self.packages.join(" ");
        let advice =
            format!("\nTo install what is missing:\n  sudo apt-get install -y {packages}\n");
        self.text.push_str(&advice);
    }
}

/// The most informative line.
fn telling_line(complaint: &str) -> &str {
    let words = ["cannot find", "not found", "error", ""];
    let line = |word| complaint.lines().find(move |line| line.contains(word));
    words.into_iter().find_map(line).unwrap_or_default().trim()
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
