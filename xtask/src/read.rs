//! `cargo xtask read`: reads the LLVM IR of real code, and reports what is not understood.
//!
//! Every C file of the subjects is compiled by each installed clang (clang 14 with typed and with
//! opaque pointers, and once with optimisation), and a Rust program by rustc with fat LTO. The IR
//! is kept in the target directory, so that a second run only reads.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs};

use testkit::subjects::{self, Subject, subject, target_directory};

/// C files of a subject: directories within it, and the flags to compile them with.
struct Source {
    subject: &'static Subject,
    directories: &'static [&'static str],
    /// Directories of headers, within the subject.
    include: &'static [&'static str],
    flags: &'static [&'static str],
}

const SOURCES: &[Source] = &[
    Source {
        subject: &subjects::ZLIB,
        directories: &["src/zlib"],
        include: &["src/zlib"],
        flags: &["-DHAVE_UNISTD_H"],
    },
    Source {
        subject: &subjects::LZ4,
        directories: &["liblz4/lib"],
        include: &["liblz4/lib"],
        flags: &[],
    },
    Source {
        subject: &subjects::BZIP2,
        directories: &["bzip2-1.0.8"],
        include: &["bzip2-1.0.8"],
        flags: &["-D_FILE_OFFSET_BITS=64"],
    },
    Source {
        subject: &subjects::ZSTD,
        directories: &[
            "zstd/lib/common",
            "zstd/lib/compress",
            "zstd/lib/decompress",
            "zstd/lib/dictBuilder",
            "zstd/lib/legacy",
        ],
        include: &["zstd/lib", "zstd/lib/common", "zstd/lib/legacy"],
        flags: &["-DZSTD_LEGACY_SUPPORT=1"],
    },
    Source {
        subject: &subjects::LUA,
        directories: &["lua-5.4.7"],
        include: &["lua-5.4.7"],
        flags: &["-DLUA_USE_POSIX"],
    },
    Source {
        subject: &subjects::LIBDEFLATE,
        directories: &["libdeflate/lib", "libdeflate/lib/x86"],
        include: &["libdeflate"],
        flags: &[],
    },
    Source {
        subject: &subjects::SQLITE,
        directories: &["sqlite3"],
        include: &["sqlite3"],
        flags: &["-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE"],
    },
];

/// A way to make IR: a label, the program and its flags.
const COMPILERS: &[(&str, &str, &[&str])] = &[
    ("clang-14", "clang-14", PLAIN),
    ("clang-14-opaque", "clang-14", &["-mllvm", "-opaque-pointers"]),
    ("clang-16", "clang-16", PLAIN),
    ("clang-19", "clang-19", PLAIN),
    ("clang-19-O2", "clang-19", &["-O2", "-march=haswell"]),
];

const PLAIN: &[&str] = &[];

#[derive(Default)]
struct Tally {
    files: usize,
    bytes: usize,
    seconds: f64,
    failures: usize,
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    if let Some(option) = options.first() {
        anyhow::bail!("`read` takes no options, but was given `{option}`");
    }
    let home = target_directory(root).join("read");
    let sources: Vec<(PathBuf, &Source)> = SOURCES
        .iter()
        .filter_map(|source| subject(root, source.subject).map(|directory| (directory, source)))
        .collect();
    if sources.len() < SOURCES.len() {
        println!("skipped: {} subjects cannot be had", SOURCES.len() - sources.len());
    }
    let mut failures = 0;
    for (label, program, flags) in COMPILERS {
        if !is_installed(program) {
            println!("{label:16} skipped: {program} is not installed");
            continue;
        }
        let mut tally = Tally::default();
        for (directory, source) in &sources {
            for (file, text) in compile_all(directory, source, program, flags, &home.join(label))? {
                tally.read(&file, &text);
            }
        }
        failures += tally.report(label);
    }
    let mut tally = Tally::default();
    match rust_module(&home)? {
        Some((file, text)) => tally.read(&file, &text),
        None => println!("rustc            skipped: it made no module"),
    }
    failures += tally.report("rustc");
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Tally {
    fn read(&mut self, path: &Path, text: &[u8]) {
        let start = Instant::now();
        let read = llvm::read(&path.to_string_lossy(), text);
        self.seconds += start.elapsed().as_secs_f64();
        self.files += 1;
        self.bytes += text.len();
        match read {
            Ok(read) => {
                for problem in &read.problems {
                    self.fail(path, format!("line {}: {}", problem.line, problem.reason));
                }
                for violation in ir::verify(&read.module) {
                    self.fail(path, violation.to_string());
                }
            }
            Err(error) => self.fail(path, error.to_string()),
        }
    }

    fn fail(&mut self, path: &Path, reason: String) {
        self.failures += 1;
        println!("{}: {reason}", path.display());
    }

    fn report(&self, label: &str) -> usize {
        if self.files > 0 {
            let megabytes = self.bytes as f64 / 1e6;
            println!(
                "{label:16} {:4} files {megabytes:7.1} MB {:5.0} MB/s  {} failures",
                self.files,
                megabytes / self.seconds,
                self.failures
            );
        }
        self.failures
    }
}

fn is_installed(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// The IR of every C file that compiles; reports the others.
fn compile_all(
    directory: &Path,
    source: &Source,
    program: &str,
    flags: &[&str],
    out: &Path,
) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    let out = out.join(source.subject.name);
    fs::create_dir_all(&out)?;
    let mut modules = Vec::new();
    for inner in source.directories {
        for file in c_files(&directory.join(inner))? {
            let name = file.strip_prefix(directory)?.to_string_lossy().replace('/', "_");
            let module = out.join(format!("{name}.ll"));
            if !module.is_file() {
                let mut command = Command::new(program);
                command.args(["-S", "-emit-llvm", "-g", "-w", "-fno-discard-value-names"]);
                command.args(["-Xclang", "-disable-O0-optnone"]).args(flags).args(source.flags);
                for include in source.include {
                    command.arg("-I").arg(directory.join(include));
                }
                command.arg(&file).arg("-o").arg(&module).stderr(Stdio::null());
                if !command.status()?.success() {
                    println!("{program} does not compile {}", file.display());
                    continue;
                }
            }
            modules.push((module.clone(), fs::read(&module)?));
        }
    }
    Ok(modules)
}

fn c_files(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A program that uses much of the standard library.
const PROGRAM: &str = r#"
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

#[derive(Debug, Clone)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

impl Tree {
    fn insert(self, key: i64) -> Tree {
        match self {
            Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), key, Box::new(Tree::Leaf)),
            Tree::Node(l, k, r) if key < k => Tree::Node(Box::new(l.insert(key)), k, r),
            Tree::Node(l, k, r) => Tree::Node(l, k, Box::new(r.insert(key))),
        }
    }

    fn sum(&self) -> i128 {
        match self {
            Tree::Leaf => 0,
            Tree::Node(l, key, r) => l.sum() + i128::from(*key) + r.sum(),
        }
    }
}

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_lowercase()).or_default() += 1;
    }
    let sorted: BTreeMap<_, _> = counts.iter().collect();
    for (word, count) in &sorted {
        println!("{word:>12} {count:03} {:e} {:?}", f64::from(**count) / 7.0, word.chars().rev());
    }
    let tree = (0..50).fold(Tree::Leaf, |tree, key| tree.insert(key * 31 % 53));
    let thread = std::thread::spawn(move || tree.sum());
    writeln!(io::stdout(), "{:?}", thread.join().ok())
}
"#;

fn rust_module(home: &Path) -> anyhow::Result<Option<(PathBuf, Vec<u8>)>> {
    let home = home.join("rustc");
    fs::create_dir_all(&home)?;
    let module = home.join("program.ll");
    if !module.is_file() {
        fs::write(home.join("program.rs"), PROGRAM)?;
        let made = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["-C", "lto=fat", "--emit=llvm-ir,link", "-C", "panic=abort", "-g"])
            .arg("program.rs")
            .current_dir(&home)
            .status();
        if !made.is_ok_and(|status| status.success()) || !module.is_file() {
            return Ok(None);
        }
    }
    Ok(Some((module.clone(), fs::read(&module)?)))
}
