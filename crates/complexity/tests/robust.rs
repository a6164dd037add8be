//! Whatever the text is, it is read in time that grows with its length, and nothing panics.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::Random;
use ripple_complexity::{Complexity, FileVersions};

fn measure(path: &str, old: &str, new: &str) -> Complexity {
    ripple_complexity::measure(&[FileVersions { path, old: Some(old), new: Some(new) }])
}

fn seeds() -> Vec<(String, String)> {
    let mut waiting: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")];
    let mut seeds = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).expect("the cases are there") {
            let path = entry.expect("they can be listed").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some() {
                let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
                seeds.push((name, fs::read_to_string(path).expect("it is text")));
            }
        }
    }
    seeds.sort();
    seeds
}

const PIECES: [&str; 48] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ":",
    "::",
    "->",
    "=>",
    "|",
    "||",
    "?",
    ",",
    "\"",
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\n",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case 1:",
    "default:",
    "match",
    "loop",
    "goto x",
    "x:",
    "break",
    "return",
    "try",
    "catch",
    "finally",
    "#if X\n",
    "\n#else\n",
    "\n#endif\n",
    "'a:",
    "func",
    "fn f",
    "class A",
    "\u{e9}",
];

/// Cuts, repeats and inserts, at places where characters begin.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(chars.len() + 1);
        let end = (at + random.below(40)).min(chars.len());
        match random.below(4) {
            0 => drop(chars.drain(at..end)),
            1 => {
                let again = chars[at..end].to_vec();
                let place = random.below(chars.len() + 1);
                chars.splice(place..place, again);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn mutated_texts_neither_panic_nor_hang() {
    let seeds = seeds();
    let mut random = Random::new(7);
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < 6000 && (rounds < 600 || start.elapsed() < Duration::from_secs(8)) {
        let (path, text) = &seeds[rounds % seeds.len()];
        let old = mutate(text, &mut random);
        let new = mutate(&old, &mut random);
        let before = Instant::now();
        let found = measure(path, &old, &new);
        assert!(found.unparsed.len() <= found.functions.len());
        assert!(before.elapsed() < Duration::from_secs(5), "{path}:\n{new}");
        rounds += 1;
    }
}

#[test]
fn the_same_text_is_no_change_however_broken() {
    let seeds = seeds();
    let mut random = Random::new(11);
    for (path, text) in seeds.iter().cycle().take(400) {
        let text = mutate(text, &mut random);
        let found = measure(path, &text, &text);
        assert_eq!((found.cycc, found.cloc()), (0, 0), "{path}:\n{text}");
    }
}

#[test]
fn deep_nesting_is_a_problem_of_the_function_only() {
    let shapes = [
        "{",
        "(",
        "[",
        "if (a) ",
        "if (a) {",
        "else if (a) x; ",
        "do ",
        "while (a) ",
        "switch (a) { case 1: ",
        "x: ",
        "match a { _ => ",
        "loop { ",
        "if if ",
        "|x| {",
        "func() {",
        "() => {",
        "#if A\n",
        "a ? ",
        "try { ",
        "[&]{",
        "for func() {",
        "for (;;) {",
        "case 1: ",
        "async { ",
        "'a: {",
        "!(",
        "a::<",
        "fn f() {",
        "class A {",
    ];
    for shape in shapes {
        for path in ["a.c", "a.cpp", "a.rs", "a.java", "a.js", "a.go", "a.py"] {
            let head = match path {
                "a.rs" => "fn f() {",
                "a.go" => "func f() {",
                "a.py" => "def f():\n ",
                "a.js" => "function f() {",
                _ => "class A { int f() {",
            };
            let deep = shape.repeat(4000);
            let text = format!("{head} {deep} a(); }} }}\nint g(int a) {{ return a; }}\n");
            let before = Instant::now();
            measure(path, "", &text);
            assert!(before.elapsed() < Duration::from_secs(10), "{path}: {shape}");
        }
    }
}

#[test]
fn deep_indentation_is_read_in_time() {
    let mut text = String::from("def f():\n");
    for depth in 1..1500 {
        text.push_str(&format!("{}if a:\n", " ".repeat(depth)));
    }
    text.push_str(&format!("{}b()\n", " ".repeat(1500)));
    let found = measure("a.py", "", &text);
    assert_eq!(found.unparsed.len(), 1);
}

#[test]
fn long_chains_are_fine() {
    let mut text = String::from("int f(int a) {\n  if (a == 0) return 0;\n");
    for value in 1..5000 {
        text.push_str(&format!("  else if (a == {value}) return {value};\n"));
    }
    text.push_str("  return 1;\n}\n");
    let changed = text.replace("return 77;", "return 78;");
    let found = measure("a.c", &text, &changed);
    assert_eq!((found.cycc, found.cloc(), found.unparsed.len()), (1, 1, 0));
}

/// Cost grows linearly with the size of the change: ten times as many functions take about ten
/// times as long, and certainly not a hundred times.
#[test]
fn cost_grows_linearly() {
    let program = |functions: usize, step: usize| {
        let mut text = String::new();
        for index in 0..functions {
            text.push_str(&format!(
                "int f{index}(int a) {{\n  for (int i = 0; i < a; i++) {{\n    if (i % {step})\n      a += leaf(i);\n    else\n      a -= {step};\n  }}\n  return a;\n}}\n"
            ));
        }
        text
    };
    let time = |functions: usize| {
        let (old, new) = (program(functions, 2), program(functions, 3));
        let times = (0..3).map(|_| {
            let start = Instant::now();
            let found = measure("a.c", &old, &new);
            assert_eq!(found.functions.len(), functions);
            start.elapsed()
        });
        times.min().expect("it was measured").as_secs_f64()
    };
    let (small, large) = (time(200), time(2000));
    assert!(large < 60.0 * small.max(0.001), "{small} s, then {large} s");
}
