//! try
#![allow(clippy::print_stdout)]
use std::path::{Path, PathBuf};
use std::env;
use exec::{Instrumentation, Limits};
use explore::*;
use ripple_effects::{Libc, Loader};
use source::{Cache, Clang, Compiler, Search as S};
fn main() {
    let directory = Path::new("/tmp/explore-try").to_owned();
    std::fs::create_dir_all(&directory).unwrap();
    let cache = Cache::at(directory.join("cache"));
    let path_var = env::var_os("PATH").unwrap_or_default();
    let clang = Clang::find(S { explicit: None, from_env: None, path_var: &path_var }, &cache).unwrap();
    let compiler = Compiler { clang, cache, directory };
    let loader = Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Open };
    let args: Vec<String> = env::args().skip(1).collect();
    let program = loader.program(&[PathBuf::from(&args[0])], Instrumentation::default()).unwrap();
    let mut flags = inputs::Flags::default();
    for a in &args[1..] { if let Some(s) = a.strip_prefix("stdin=") { flags.stdin = Some(s.as_bytes().to_vec()) } else { flags.args.push(a.as_bytes().to_vec()) } }
    let (space, _) = flags.program_space(&[]).unwrap();
    let layout = space.layout();
    let harness = Harness::new(&program, &layout, b"program");
    let mut w = Worker::new(harness, &layout, Limits { steps: 1_000_000, ..Limits::default() }, Frontier::new(Search::Generational), smt::Budget::default());
    let zero: Box<[u64]> = layout.cells.values().map(|c| c.domain.nth(0)).collect();
    w.frontier.push_seed(Candidate::seed(zero));
    let t = std::time::Instant::now();
    while w.step() { if t.elapsed().as_secs() > 20 { break } }
    println!("{} paths, {} runs in {:?}", w.found.len(), w.runs, t.elapsed());
    println!("{:?}", w.path.counts());
    println!("terms {}", w.machine.observer.terms.len());
    for g in &w.gaps { println!("gap {g:?}"); }
    for f in w.found.iter().take(12) { let i = layout.decode(&f.assignment); println!("{:?} {:?} {:?}", i.args.iter().map(|a| String::from_utf8_lossy(a).into_owned()).collect::<Vec<_>>(), String::from_utf8_lossy(&i.stdin), f.stop); }
}
