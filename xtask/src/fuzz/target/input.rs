//! Arguments, standard input and files for a run.

use exec::Input;

use super::super::random::Random;

const WORDS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "7",
    "42",
    "1000000",
    "99999999999999999999",
    "-h",
    "--help",
    "-n",
    "--",
    "-",
    "%s%n",
    "a b",
    "input.txt",
    "../x",
    "/",
    "3.25e-400",
    "0x7fffffff",
    "nan",
    "é",
    "a\0b",
];

pub fn input(random: &mut Random) -> Input {
    let mut args = vec![b"fuzz".to_vec()];
    for _ in 0..random.below(5) {
        args.push(word(random));
    }
    if random.one_in(50) {
        args.clear();
    }
    Input {
        args,
        stdin: bytes(random),
        files: vec![(b"input.txt".to_vec(), bytes(random))],
        env: vec![b"LC_ALL=C".to_vec(), b"HOME=/home".to_vec()],
        ..Input::default()
    }
}

fn word(random: &mut Random) -> Vec<u8> {
    match random.below(12) {
        0 => vec![b'x'; random.below(5000)],
        1 => (0..random.below(20)).map(|_| random.next() as u8).collect(),
        _ => random.pick(WORDS).as_bytes().to_vec(),
    }
}

fn bytes(random: &mut Random) -> Vec<u8> {
    match random.below(5) {
        0 => Vec::new(),
        1 => (0..random.below(300)).map(|_| random.next() as u8).collect(),
        2 => b"line\n".repeat(random.below(2000)),
        3 => vec![b'z'; random.below(10_000)],
        _ => {
            let mut text = Vec::new();
            for _ in 0..random.below(30) {
                text.extend(word(random));
                text.push(if random.one_in(2) { b' ' } else { b'\n' });
            }
            text
        }
    }
}
