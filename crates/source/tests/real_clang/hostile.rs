//! Hostile programs, `tests/hostile/*.c`, each with one kind of attack.
//!
//! A program prints `ESCAPED` where an attack succeeds. `// ends:` in its head says how its run
//! ends, if not with status 0. Marked with `// control`, it escapes or does damage without
//! confinement, which shows that the attack is one.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{fs, process};

use base::parallel::{cores, in_parallel};
use ripple_source::{
    Confinement, End, Invocation, Limits, NativeProgram, NativeRun, protections, run_native,
};
use tempfile::TempDir;

use crate::bench::{Bench, bench};

/// Versions of landlock that kernels have: the first, those of two stable distributions, and one
/// before signals were restricted.
const VERSIONS: [u32; 4] = [1, 2, 4, 5];

struct Hostile {
    name: String,
    ends: String,
    has_control: bool,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

fn hostile_programs() -> Vec<Hostile> {
    let files = fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<Hostile> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let head = || text.lines().take_while(|line| line.starts_with("//"));
            let ends = head().find_map(|line| line.strip_prefix("// ends: "));
            Hostile {
                name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
                ends: ends.unwrap_or("exit 0").to_owned(),
                has_control: head().any(|line| line == "// control"),
            }
        })
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

fn build(bench: &Bench, hostile: &Hostile, confinement: Confinement) -> NativeProgram {
    let mut compiler = bench.compiler.clone();
    compiler.confinement = confinement;
    let file = directory().join(&hostile.name).with_extension("c");
    compiler.build_native(&[file], &["-w".to_owned()], false).unwrap()
}

/// What a hostile program is after.
struct Outside {
    place: TempDir,
    bystander: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    named: UnixListener,
    hidden: UnixListener,
    abstract_name: String,
    mark: String,
}

/// The state of a file: its content, mode, owner, times, links.
type State = (Vec<u8>, u32, u32, i64, i64, u64);

impl Outside {
    fn new() -> Outside {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("directory")).unwrap();
        for name in ["victim", "victim2", "directory/inner"] {
            fs::write(at(name), "precious").unwrap();
            fs::set_permissions(at(name), fs::Permissions::from_mode(0o644)).unwrap();
        }
        fs::write(at("script"), "#!/bin/sh\nexit 0\n").unwrap();
        fs::set_permissions(at("script"), fs::Permissions::from_mode(0o755)).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        let named = UnixListener::bind(at("server")).unwrap();
        let mark = format!("hostile-{}-{}", process::id(), place.path().display());
        let abstract_name = mark.replace('/', "-");
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let hidden = UnixListener::bind_addr(&address).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        named.set_nonblocking(true).unwrap();
        hidden.set_nonblocking(true).unwrap();
        let bystander = Command::new("sleep").arg("600").spawn().unwrap();
        Outside { place, bystander, tcp, udp, named, hidden, abstract_name, mark }
    }

    fn invocation(&self) -> Invocation {
        let args = [
            self.place.path().to_str().unwrap().to_owned(),
            self.bystander.id().to_string(),
            self.tcp.local_addr().unwrap().port().to_string(),
            self.abstract_name.clone(),
            self.mark.clone(),
        ];
        Invocation { args: args.into_iter().map(Into::into).collect(), ..Invocation::default() }
    }

    fn files(&self) -> BTreeMap<PathBuf, State> {
        let mut states = BTreeMap::new();
        let mut waiting = vec![self.place.path().to_owned()];
        while let Some(path) = waiting.pop() {
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            let content = if meta.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            let state =
                (content, meta.mode(), meta.uid(), meta.mtime(), meta.mtime_nsec(), meta.nlink());
            if meta.is_dir() {
                waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            states.insert(path, state);
        }
        states
    }

    /// Everything that somebody outside noticed.
    fn noticed(&mut self) -> Vec<String> {
        let mut noticed = Vec::new();
        let nothing = |error: std::io::Error| assert_eq!(error.kind(), ErrorKind::WouldBlock);
        let mut listened = |is_silent: bool, who: &str| {
            if !is_silent {
                noticed.push(format!("{who} was reached"));
            }
        };
        listened(self.tcp.accept().map_err(nothing).is_err(), "TCP");
        listened(self.udp.recv(&mut [0; 16]).map_err(nothing).is_err(), "UDP");
        listened(self.named.accept().map_err(nothing).is_err(), "a named socket");
        listened(self.hidden.accept().map_err(nothing).is_err(), "an abstract socket");
        let (state, nice) = state_and_nice(&self.bystander.id().to_string());
        if !["S", "R", "D"].contains(&state.as_str()) || nice != state_and_nice("self").1 {
            noticed.push(format!("the bystander is in state {state} with {nice}"));
        }
        let deadline = Instant::now() + Duration::from_secs(2);
        while self.is_alive() {
            if Instant::now() > deadline {
                noticed.push("a process survives".to_owned());
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        noticed
    }

    /// Whether a process of the program is left.
    fn is_alive(&self) -> bool {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let mut lines = processes.filter_map(|p| fs::read(p.path().join("cmdline")).ok());
        lines.any(|line| line.split(|&byte| byte == 0).any(|part| part == self.mark.as_bytes()))
    }
}

/// The state of a process, and how nice it is to others.
fn state_and_nice(process: &str) -> (String, String) {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let fields: Vec<&str> = fields.split(' ').collect();
    (fields[0].to_owned(), fields[16].to_owned())
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

/// Tight, so that attacks on them end soon.
fn limits(hostile: &Hostile) -> Limits {
    let is_endless = hostile.ends == "timeout";
    Limits {
        time: if is_endless { Duration::from_millis(400) } else { Duration::from_secs(20) },
        memory: 128 << 20,
        output: 4 << 20,
        processes: 64,
    }
}

fn words(end: End) -> String {
    match end {
        End::Exited(status) => format!("exit {status}"),
        End::Signaled(signal) => format!("signal {signal}"),
        End::TimedOut => "timeout".to_owned(),
        End::OutputLimit => "output limit".to_owned(),
        End::MemoryLimit => "memory limit".to_owned(),
        End::Undefined => "undefined symbol".to_owned(),
    }
}

fn escapes(run: &NativeRun) -> Vec<String> {
    let text = String::from_utf8_lossy(&run.stdout);
    text.lines().filter(|line| line.contains("ESCAPED")).map(str::to_owned).collect()
}

/// What went wrong.
fn attack(bench: &Bench, hostile: &Hostile, confinement: Confinement) -> Vec<String> {
    let program = build(bench, hostile, confinement);
    let mut outside = Outside::new();
    let before = (outside.files(), state_of(&program.path));
    let run = run_native(&program, &outside.invocation(), &limits(hostile)).unwrap();
    let mut wrong = escapes(&run);
    if run.stdout.is_empty() && hostile.ends == "exit 0" {
        wrong.push("it tried nothing".to_owned());
    }
    if !hostile.ends.split(" or ").any(|end| end == words(run.end)) {
        wrong.push(format!("{}: {}", words(run.end), String::from_utf8_lossy(&run.stdout)));
    }
    if (outside.files(), state_of(&program.path)) != before {
        wrong.push("files outside were changed".to_owned());
    }
    wrong.extend(outside.noticed());
    wrong.into_iter().map(|what| format!("{} {confinement:?}: {what}", hostile.name)).collect()
}

fn state_of(path: &Path) -> (u32, u64, i64, u64) {
    let meta = fs::metadata(path).unwrap();
    (meta.mode(), meta.size(), meta.mtime(), meta.nlink())
}

/// Whether the attack does nothing even without confinement.
fn is_harmless(bench: &Bench, hostile: &Hostile) -> bool {
    let program = build(bench, hostile, Confinement::Unconfined);
    let mut outside = Outside::new();
    let before = outside.files();
    let mut invocation = outside.invocation();
    invocation.env.push(("UNCONFINED".to_owned(), "1".to_owned()));
    let run = run_native(&program, &invocation, &limits(hostile)).unwrap();
    escapes(&run).is_empty() && outside.files() == before && outside.noticed().is_empty()
}

/// None, with a message, where nothing can be confined.
pub fn confining_bench() -> Option<Bench> {
    let lacking = protections().into_iter().find_map(|protection| protection.state.err());
    match lacking {
        Some(lacking) => {
            testkit::skip(format!("programs cannot be confined here: {lacking}"));
            None
        }
        None => bench(),
    }
}

#[test]
fn hostile_programs_are_contained() {
    let Some(bench) = confining_bench() else { return };
    let all = hostile_programs();
    assert!(all.len() >= 20);
    in_parallel(&all, cores(), |hostile| build(&bench, hostile, Confinement::Confined));
    let mut wrong: Vec<String> = Vec::new();
    for hostile in &all {
        wrong.extend(attack(&bench, hostile, Confinement::Confined));
    }
    for hostile in all.iter().filter(|hostile| hostile.has_control) {
        for version in VERSIONS {
            wrong.extend(attack(&bench, hostile, Confinement::ConfinedWithLandlock(version)));
        }
        if is_harmless(&bench, hostile) {
            wrong.push(format!("{}: does nothing even without confinement", hostile.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
