//! What clang writes of real C is read, verified, printed, read again and linked.

use std::path::{Path, PathBuf};
use std::process::Command;

const CLANGS: [&str; 4] = ["clang", "clang-14", "clang-16", "clang-19"];
/// As Ripple compiles, and optimised code for phis, vectors and inlined scopes.
const FLAGS: [&[&str]; 2] =
    [&["-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"], &["-O2", "-g"]];

fn is_installed(clang: &&str) -> bool {
    Command::new(clang).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Every fourth file of the C runtime: enough to see all of C that it uses.
fn sources() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../exec/runtime");
    let entries = std::fs::read_dir(directory).expect("the C runtime is part of the workspace");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    paths.sort();
    paths.into_iter().step_by(4).collect()
}

fn compile(clang: &str, flags: &[&str], source: &Path) -> Vec<u8> {
    let mut command = Command::new(clang);
    command.args(["-S", "-emit-llvm", "-w", "-o", "-"]).args(flags);
    // The runtime knows no header of the host, only its own.
    command.args(["-std=gnu11", "-ffreestanding", "-fno-builtin", "-include"]);
    command.arg(source.with_file_name("runtime.h")).arg(source);
    let output = command.output().expect("the compiler was found before");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", source.display());
    output.stdout
}

fn check(name: &str, module: &ir::Module) {
    let violations = ir::verify(module);
    assert!(violations.is_empty(), "{name}: {}", violations[0]);
    let printed = module.to_string();
    let again = ir::parse(&printed).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(again.to_string() == printed, "{name} prints differently after it was read back");
    assert!(ir::verify(&again).is_empty(), "{name} is not sound after it was read back");
}

#[test]
fn modules_of_the_c_runtime_round_trip_and_link() {
    let clangs: Vec<&str> = CLANGS.into_iter().filter(is_installed).collect();
    assert!(!clangs.is_empty(), "this test needs clang");
    for clang in clangs {
        for flags in FLAGS {
            let mut modules = Vec::new();
            for source in sources() {
                let name = format!("{} by {clang} {}", source.display(), flags[0]);
                let read = ripple_llvm::read(&name, compile(clang, flags, &source))
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                check(&name, &read.module);
                modules.push(read.module);
            }
            let linked = ir::link(modules).unwrap_or_else(|error| panic!("{clang}: {error}"));
            check("the linked runtime", &linked);
        }
    }
}
