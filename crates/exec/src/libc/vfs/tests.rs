use std::fmt::Write as _;

use base::Random;

use super::flags::*;
use super::*;

use crate::libc::native::Driver;

/// Runs one line of a script as the C driver does.
fn step(vfs: &mut Vfs, line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |index: usize| -> i64 {
        let word = words.get(index).copied().unwrap_or("0");
        word.trim_start_matches('/').parse().unwrap_or(0)
    };
    let name = |index: usize| -> Vec<u8> {
        match words[index] {
            "<empty>" => Vec::new(),
            "<long>" => vec![b'n'; 300],
            other => other.into(),
        }
    };
    let fd = number(1) as i32;
    match words[0] {
        "open" => value(vfs.open(AT_FDCWD, &name(1), number(2) as u32, number(3) as u32)),
        "close" => done(vfs.close(fd)),
        "read" => {
            let mut buffer = vec![0; number(2) as usize];
            let result = vfs.read(fd, &mut buffer);
            let mut text = value(result.map(|count| count as i32));
            for byte in &buffer[..result.unwrap_or(0)] {
                write!(text, "{byte:02x}").unwrap();
            }
            text + "\n"
        }
        "write" => {
            let data = vec![b'a' + number(3) as u8; number(2) as usize];
            value(vfs.write(fd, &data).map(|count| count as i32))
        }
        "seek" if number(3) == 2 && is_directory(vfs, fd) => "directory\n".to_owned(),
        "seek" => value(vfs.seek(fd, number(2), number(3) as i32).map(|at| at as i32)),
        "dup" => value(vfs.duplicate(fd)),
        "dup2" => value(vfs.duplicate_to(fd, number(2) as i32, false)),
        "fcntl" => value(vfs.control(fd, number(2) as i32, number(3))),
        "ftruncate" => done(vfs.truncate_descriptor(fd, number(2))),
        "fstat" => show(vfs.stat_descriptor(fd)),
        "pipe" => {
            let result = vfs.pipe(O_NONBLOCK);
            let ends = result.unwrap_or([-1, -1]);
            format!("{}{} {}\n", done(result.map(|_| ())), ends[0], ends[1])
        }
        "unlink" => done(vfs.unlink(AT_FDCWD, &name(1))),
        "remove" => done(vfs.remove(&name(1))),
        "rmdir" => done(vfs.remove_directory(AT_FDCWD, &name(1))),
        "mkdir" => done(vfs.make_directory(AT_FDCWD, &name(1), number(2) as u32)),
        "rename" => done(vfs.rename((AT_FDCWD, &name(1)), (AT_FDCWD, &name(2)))),
        "link" => done(vfs.link((AT_FDCWD, &name(1)), (AT_FDCWD, &name(2)), 0)),
        "symlink" => done(vfs.symlink(&name(1), AT_FDCWD, &name(2))),
        "readlink" => path(vfs.read_link(AT_FDCWD, &name(1)), b""),
        "stat" => show(vfs.stat(AT_FDCWD, &name(1), 0)),
        "lstat" => show(vfs.stat(AT_FDCWD, &name(1), AT_SYMLINK_NOFOLLOW)),
        "truncate" => done(vfs.truncate(&name(1), number(2))),
        "chmod" => done(vfs.change_mode(AT_FDCWD, &name(1), number(2) as u32)),
        "access" => done(vfs.access(AT_FDCWD, &name(1), number(2) as u32, 0)),
        "chdir" => done(vfs.change_directory(&name(1))),
        "getcwd" => path(vfs.current_directory(), b"/home/user"),
        "realpath" => path(vfs.real_path(&name(1)), b"/home/user"),
        "list" => list(vfs, &name(1)),
        other => panic!("unknown operation {other}"),
    }
}

/// The end of a directory is another one on every host file system.
fn is_directory(vfs: &Vfs, descriptor: i32) -> bool {
    vfs.stat_descriptor(descriptor).is_ok_and(|stat| stat.mode & S_IFMT == S_IFDIR)
}

fn value(result: Result<i32, Errno>) -> String {
    match result {
        Ok(value) => format!("{value}\n"),
        Err(errno) => format!("-{}\n", errno.0),
    }
}

fn done(result: Result<(), Errno>) -> String {
    value(result.map(|()| 0))
}

fn show(result: Result<Stat, Errno>) -> String {
    match result {
        Err(errno) => format!("-{}\n", errno.0),
        Ok(stat) if stat.mode & S_IFMT == S_IFDIR => format!("{:o}\n", stat.mode),
        Ok(stat) => format!("{:o} {} {}\n", stat.mode, stat.links, stat.size),
    }
}

fn path(result: Result<Vec<u8>, Errno>, home: &[u8]) -> String {
    match result {
        Err(errno) => format!("-{}\n", errno.0),
        Ok(path) => {
            let text = match path.strip_prefix(home) {
                Some(rest) if !home.is_empty() && matches!(rest.first(), None | Some(b'/')) => {
                    [b"~", rest].concat()
                }
                _ => path,
            };
            String::from_utf8(text).unwrap() + "\n"
        }
    }
}

fn list(vfs: &mut Vfs, name: &[u8]) -> String {
    let descriptor = match vfs.open(AT_FDCWD, name, O_DIRECTORY, 0) {
        Ok(descriptor) => descriptor,
        Err(errno) => return format!("-{}\n", errno.0),
    };
    let entries = vfs.list(descriptor).unwrap();
    vfs.close(descriptor).unwrap();
    let shown = entries
        .iter()
        .map(|entry| format!("{}:{} ", String::from_utf8_lossy(&entry.name), entry.kind));
    shown.collect::<String>() + "\n"
}

/// Each script runs in a process and directory of its own on the host.
fn check(scripts: &[Vec<String>]) {
    let source = include_str!("../native/files.c");
    let Some(driver) = Driver::compile("files", source) else {
        return;
    };
    for script in scripts {
        let input = script.join("\n") + "\n";
        let output = String::from_utf8(driver.run(input.as_bytes())).unwrap();
        let (uid, mut rest) = output.split_once('\n').unwrap();
        let uid = uid.parse().unwrap();
        let current_directory = b"/home/user/w/w".to_vec();
        let setup = Setup { uid, gid: uid, current_directory, ..Setup::default() };
        let mut vfs = Vfs::new(&setup).unwrap();
        for (index, line) in script.iter().enumerate() {
            let ours = step(&mut vfs, line);
            let theirs = &rest[..ours.len().min(rest.len())];
            let context = || script[index.saturating_sub(12)..=index].join("\n");
            let expected = rest.lines().next().unwrap_or("");
            assert_eq!(ours, theirs, "the host says {expected} after\n{}", context());
            rest = &rest[ours.len()..];
        }
        assert_eq!(rest, "");
    }
}

const NAMES: [&str; 30] = [
    "a",
    "b",
    "c",
    "a",
    "b",
    "d",
    "d/x",
    "d/e",
    "d/e/y",
    "d/e",
    "./a",
    "d/../a",
    "d/..",
    "a/",
    "d/",
    "e",
    "e/z",
    "l",
    "l/x",
    "d/l",
    "<empty>",
    ".",
    "..",
    "a/b",
    "none/x",
    "<long>",
    "d/e/..",
    "d//x",
    "e/.",
    "/dev/null",
];

fn random_line(random: &mut Random) -> String {
    let name = |random: &mut Random| *random.pick(&NAMES.each_ref());
    let fd = |random: &mut Random| format!("/{}", 3 + random.below(5));
    let operation = *random.pick(
        &[
            "open",
            "open",
            "open",
            "open",
            "close",
            "close",
            "read",
            "read",
            "write",
            "write",
            "write",
            "seek",
            "dup",
            "dup2",
            "fcntl",
            "ftruncate",
            "fstat",
            "pipe",
            "unlink",
            "remove",
            "rmdir",
            "mkdir",
            "mkdir",
            "rename",
            "rename",
            "link",
            "symlink",
            "readlink",
            "stat",
            "lstat",
            "truncate",
            "chmod",
            "access",
            "chdir",
            "getcwd",
            "realpath",
            "list",
        ]
        .each_ref(),
    );
    let arguments = match operation {
        "open" => {
            let mut flags = random.below(3) as u32;
            for bit in [O_CREAT, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY, O_NOFOLLOW] {
                if random.below(4) == 0 {
                    flags |= bit;
                }
            }
            // What the kernel says to creating a directory this way depends on its version.
            if flags & O_CREAT != 0 {
                flags &= !O_DIRECTORY;
            }
            format!("{} {flags} {}", name(random), 0o600 + random.below(0o200))
        }
        "close" | "dup" | "fstat" => fd(random),
        "read" => format!("{} {}", fd(random), random.below(12)),
        "write" => format!("{} {} {}", fd(random), random.below(20), random.below(26)),
        "seek" => {
            let offset = random.below(40) as i64 - 10;
            let whence = random.pick(&["0", "1", "2", "5"]);
            format!("{} {offset} {whence}", fd(random))
        }
        "dup2" => format!("{} {}", fd(random), 3 + random.below(6)),
        "fcntl" => {
            let command = random.pick(&["0 5", "1 0", "2 1", "3 0", "4 3072", "4 2048", "0 -1"]);
            format!("{} {command}", fd(random))
        }
        "ftruncate" => format!("{} {}", fd(random), random.below(50) as i64 - 3),
        "pipe" | "getcwd" => String::new(),
        "mkdir" => format!("{} {}", name(random), 0o755),
        "rename" | "link" => format!("{} {}", name(random), name(random)),
        "symlink" => {
            let target = random.pick(&["a", "d", "l", "d/../a", "d/e", "none", "e/", "."]);
            format!("{target} {}", name(random))
        }
        "truncate" => match name(random) {
            "/dev/null" => "a 3".to_owned(),
            other => format!("{other} {}", random.below(50) as i64 - 3),
        },
        "chmod" => match name(random) {
            "/dev/null" => "a 384".to_owned(),
            other => format!("{other} {}", 0o700 + random.below(0o100)),
        },
        "access" => format!("{} {}", name(random), random.below(8)),
        "unlink" | "remove" | "rmdir" => match name(random) {
            "/dev/null" => "none".to_owned(),
            other => other.to_owned(),
        },
        _ => name(random).to_owned(),
    };
    let line = format!("{operation} {arguments}");
    // The driver must not move or remove what it shares with the host.
    if ["rename", "link"].contains(&operation) && line.contains("/dev/null") {
        return "getcwd ".to_owned();
    }
    // Going above the start would show the host's own files.
    if line.ends_with(" ..") || line.contains("chdir") && line.contains("..") {
        return "getcwd ".to_owned();
    }
    line
}

#[test]
fn random_file_operations_agree_with_the_host() {
    let mut random = Random::new(21);
    let scripts: Vec<Vec<String>> =
        (0..60).map(|_| (0..600).map(|_| random_line(&mut random)).collect()).collect();
    check(&scripts);
}

fn with_file(path: &str, content: &str) -> Setup {
    Setup {
        files: vec![InitialFile {
            path: path.into(),
            content: InitialContent::File(Arc::new(content.into())),
            mode: 0o644,
        }],
        ..Setup::default()
    }
}

fn read_all(vfs: &mut Vfs, path: &str) -> Result<Vec<u8>, Errno> {
    let descriptor = vfs.open(AT_FDCWD, path.as_bytes(), O_RDONLY, 0)?;
    let mut buffer = vec![0; 1000];
    let count = vfs.read(descriptor, &mut buffer)?;
    buffer.truncate(count);
    vfs.close(descriptor)?;
    Ok(buffer)
}

#[test]
fn a_clone_does_not_see_what_the_original_does_later() {
    let mut vfs = Vfs::new(&with_file("in.txt", "hello")).unwrap();
    let before = vfs.clone();
    let descriptor = vfs.open(AT_FDCWD, b"in.txt", O_WRONLY | O_TRUNC, 0).unwrap();
    vfs.write(descriptor, b"changed").unwrap();
    vfs.write(1, b"out").unwrap();
    let mut before = before;
    assert_eq!(read_all(&mut before, "in.txt").unwrap(), b"hello");
    assert_eq!(before.stdout(), b"");
    assert_eq!(read_all(&mut vfs, "in.txt").unwrap(), b"changed");
    assert_eq!(vfs.stdout(), b"out");
}

#[test]
fn changes_list_what_was_created_changed_and_removed() {
    let mut setup = with_file("keep.txt", "same");
    for name in ["old.txt", "sub/gone.txt"] {
        setup.files.push(InitialFile {
            path: name.into(),
            content: InitialContent::File(Arc::new(b"x".to_vec())),
            mode: 0o644,
        });
    }
    let mut vfs = Vfs::new(&setup).unwrap();
    assert_eq!(vfs.changes(), []);
    let descriptor = vfs.open(AT_FDCWD, b"new.txt", O_WRONLY | O_CREAT, 0o666).unwrap();
    vfs.write(descriptor, b"fresh").unwrap();
    let descriptor = vfs.open(AT_FDCWD, b"old.txt", O_WRONLY | O_APPEND, 0).unwrap();
    vfs.write(descriptor, b"y").unwrap();
    vfs.unlink(AT_FDCWD, b"sub/gone.txt").unwrap();
    let shown: Vec<_> = vfs
        .changes()
        .into_iter()
        .map(|change| {
            let path = String::from_utf8(change.path).unwrap();
            (path, change.kind, change.content.map(|c| c.to_vec()))
        })
        .collect();
    let home = |name: &str| format!("/home/user/{name}");
    assert_eq!(
        shown,
        [
            (home("new.txt"), ChangeKind::Created, Some(b"fresh".to_vec())),
            (home("old.txt"), ChangeKind::Changed, Some(b"xy".to_vec())),
            (home("sub/gone.txt"), ChangeKind::Removed, None),
        ]
    );
}

#[test]
fn devices_and_standard_descriptors_answer() {
    let setup = Setup { stdin: b"input".to_vec(), ..Setup::default() };
    let mut vfs = Vfs::new(&setup).unwrap();
    assert_eq!(read_all(&mut vfs, "/dev/stdin").unwrap(), b"input");
    assert_eq!(vfs.read(0, &mut [0; 4]), Ok(0));
    assert_eq!(vfs.seek(0, 0, SEEK_SET), Err(Errno::ESPIPE));
    let out = vfs.open(AT_FDCWD, b"/dev/stdout", O_WRONLY, 0).unwrap();
    vfs.write(out, b"one ").unwrap();
    vfs.write(1, b"two").unwrap();
    assert_eq!(vfs.stdout(), b"one two");
    let full = vfs.open(AT_FDCWD, b"/dev/full", O_WRONLY, 0).unwrap();
    assert_eq!(vfs.write(full, b"x"), Err(Errno::ENOSPC));
    assert_eq!(vfs.open(AT_FDCWD, b"/dev/tty", O_RDWR, 0), Err(Errno::ENOENT));
    assert_eq!(vfs.check_terminal(1), Errno::ENOTTY);
    assert_eq!(vfs.open(AT_FDCWD, b"/new", O_CREAT, 0), Err(Errno::EACCES));
    assert!(vfs.open(AT_FDCWD, b"/tmp/new", O_CREAT, 0).is_ok());
}

#[test]
fn standard_input_can_be_a_seekable_file() {
    let setup =
        Setup { stdin: b"input".to_vec(), stdin_channel: Channel::File, ..Setup::default() };
    let mut vfs = Vfs::new(&setup).unwrap();
    assert_eq!(vfs.seek(0, 2, SEEK_SET), Ok(2));
    let mut buffer = [0; 10];
    assert_eq!(vfs.read(0, &mut buffer), Ok(3));
    assert_eq!(&buffer[..3], b"put");
}

#[test]
fn limits_and_deadlocks_halt_the_run() {
    let setup = Setup { limits: Limits { output: 4, files: 10 }, ..Setup::default() };
    let mut vfs = Vfs::new(&setup).unwrap();
    let fresh = vfs.clone();
    vfs.write(1, b"123").unwrap();
    assert_eq!(vfs.halted(), None);
    vfs.write(2, b"45").unwrap();
    assert_eq!(vfs.halted(), Some(Halt::OutputExhausted));
    let mut vfs = fresh.clone();
    let file = vfs.open(AT_FDCWD, b"f", O_RDWR | O_CREAT, 0o600).unwrap();
    vfs.seek(file, 1 << 40, SEEK_SET).unwrap();
    assert_eq!(vfs.write(file, b"x"), Err(Errno::ENOSPC));
    assert_eq!(vfs.halted(), Some(Halt::FilesExhausted));
    let mut vfs = fresh;
    let [reader, _] = vfs.pipe(0).unwrap();
    assert_eq!(vfs.read(reader, &mut [0]), Err(Errno::EAGAIN));
    assert_eq!(vfs.halted(), Some(Halt::Deadlock));
}

#[test]
fn temporary_names_are_deterministic_and_fresh() {
    let mut vfs = Vfs::new(&Setup::default()).unwrap();
    let mut first = b"/tmp/xXXXXXX.c".to_vec();
    let mut second = first.clone();
    vfs.make_temporary_file(&mut first, 2, 0).unwrap();
    vfs.make_temporary_file(&mut second, 2, 0).unwrap();
    assert_eq!(first, b"/tmp/xaaaaab.c");
    assert_ne!(first, second);
    let mut bad = b"/tmp/xXXXX".to_vec();
    assert_eq!(vfs.make_temporary_directory(&mut bad), Err(Errno::EINVAL));
    let unnamed = vfs.open_temporary().unwrap();
    assert_eq!(vfs.write(unnamed, b"data"), Ok(4));
    assert_eq!(vfs.stat_descriptor(unnamed).unwrap().links, 0);
}

#[test]
fn permissions_bind_an_ordinary_user() {
    let mut setup = with_file("secret", "x");
    setup.files[0].mode = 0;
    let mut vfs = Vfs::new(&setup).unwrap();
    assert_eq!(read_all(&mut vfs, "secret"), Err(Errno::EACCES));
    assert_eq!(vfs.access(AT_FDCWD, b"secret", F_OK, 0), Ok(()));
    vfs.change_mode(AT_FDCWD, b"secret", 0o400).unwrap();
    assert_eq!(read_all(&mut vfs, "secret").unwrap(), b"x");
    assert_eq!(vfs.change_mode(AT_FDCWD, b"/tmp", 0), Err(Errno::EPERM));
}

#[test]
fn endless_nesting_of_directories_halts_the_run() {
    let mut vfs = Vfs::new(&Setup::default()).unwrap();
    while vfs.make_directory(AT_FDCWD, b"d", 0o755).is_ok() {
        vfs.change_directory(b"d").unwrap();
    }
    assert_eq!(vfs.halted(), Some(Halt::FilesExhausted));
    assert!(vfs.changes().len() > 1000);
}
