//! Functions as entries: spaces from debug information, and harnesses that really run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use ir::Module;
use proptest::prelude::*;
use ripple_inputs::defining_file;
use ripple_inputs::harness::{PARAMS_FILE, PROGRAM_MAIN};
use ripple_inputs::{
    Assume, Error, Flags, Harness, Input, Ktest, Layout, Mismatch, ObjectId, Space, Target, Test,
    Value, find_function, parse_tests, write_script, write_test,
};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/entry/types.c")
}

fn clang(arguments: &[&str]) -> Output {
    let output = Command::new("clang").args(arguments).output().expect("clang runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn module() -> &'static Module {
    static MODULE: OnceLock<Module> = OnceLock::new();
    MODULE.get_or_init(|| {
        let source = source();
        let path = source.to_str().expect("text");
        let flags = ["-S", "-emit-llvm", "-O0", "-g", "-w", "-std=gnu11", "-o", "-", path];
        let text = clang(&flags).stdout;
        llvm::read("types", text).expect("clang writes IR").module
    })
}

fn space(function: &str, params: &[&str], globals: &[&str]) -> Result<Space, Error> {
    let bytes = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let flags = Flags { params: bytes(params), globals: bytes(globals), ..Flags::default() };
    let function = find_function(module(), function)?;
    Space::for_function(module(), function, &flags.overrides()?)
}

fn known(function: &str, params: &[&str]) -> Space {
    space(function, params, &[]).unwrap_or_else(|error| panic!("{function}: {error}"))
}

/// The cells, one per line: name, width, ranges.
fn cells(space: &Space) -> Vec<String> {
    let cell = |cell: &ripple_inputs::Cell| {
        let ranges: Vec<String> = cell
            .domain
            .ranges()
            .iter()
            .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}..{high}") })
            .collect();
        let ranges = if cell.domain.is_full() { "all".to_owned() } else { ranges.join(",") };
        let sign = if cell.domain.is_signed() { "i" } else { "u" };
        format!("{}: {sign}{} {ranges}", cell.name, cell.bits)
    };
    space.cells().iter().map(cell).collect()
}

#[test]
fn scalars_are_cells_of_their_width() {
    let expected =
        ["c: i8 all", "s: u16 all", "l: i64 all", "b: u8 0..1", "f: u32 all", "d: u64 all"];
    assert_eq!(cells(&known("scalars", &[])), expected);
    let expected = ["c: u32 0,5..6", "s: i32 -1,1"];
    assert_eq!(cells(&known("colors", &[])), expected);
    let expected = [
        "a.part0: u64 all",
        "a.part1: u64 all",
        "b.part0: u64 all",
        "b.part1: u64 all",
        "x.part0: u64 all",
        "x.part1: u16 all",
    ];
    assert_eq!(cells(&known("wide", &[])), expected);
}

#[test]
fn structs_are_explored_field_by_field() {
    assert_eq!(cells(&known("swapped", &[])), ["p.x: i16 all", "p.y: i16 all"]);
    let expected = ["f.a: u3 all", "f.b: i5 all", "f.c: u1 all", "f.rest: u8 all"];
    let flags = known("bits", &[]);
    assert_eq!(cells(&flags), expected);
    let layout = flags.layout();
    let pieces: Vec<(u64, u32)> =
        layout.objects[ObjectId::at(0)].pieces.iter().map(|p| (p.bit, p.bits)).collect();
    assert_eq!(pieces, [(0, 3), (3, 5), (8, 1), (16, 8)]);
    let union = cells(&known("as_union", &[]));
    assert_eq!((union.len(), union[7].as_str()), (8, "u.part7: u8 all"));
    assert_eq!(cells(&known("rows", &[])), ["(*m)[0]: i32 all", "(*m)[1]: i32 all"]);
}

#[test]
fn pointers_lead_to_buffers() {
    let eight = cells(&known("sum", &[]));
    assert_eq!((eight.len(), eight[0].as_str()), (9, "values[0]: i32 all"));
    let declared = known("sum", &["values=buf:2", "values[]=int:-1..1", "n=int:0..2"]);
    let expected = ["values[0]: i32 -1..1", "values[1]: i32 -1..1", "n: u32 0..2"];
    assert_eq!(cells(&declared), expected);
    assert_eq!(cells(&known("released", &["p=buf:1?"])), ["p == NULL: u8 0..1", "*p: i32 all"]);
    assert_eq!(cells(&known("released", &["p=null"])), [""; 0]);
    let bytes = known("memory", &["p=buf:2"]);
    assert_eq!(cells(&bytes), ["p[0]: u8 all", "p[1]: u8 all"]);
    let node = cells(&known("last", &[]));
    let expected = [
        "n == NULL: u8 0..1",
        "n->value: i32 all",
        "n->next == NULL: u8 0..1",
        "n->next->value: i32 all",
        "n->next->next == NULL: u8 0..1",
        "n->next->next->value: i32 all",
    ];
    assert_eq!(node, expected);
    let pinned = cells(&known("last", &["n->next=null", "n->value=choice:1,7"]));
    assert_eq!(pinned, ["n == NULL: u8 0..1", "n->value: i32 1,7"]);
}

#[test]
fn strings_end_with_a_zero() {
    let space = known("reverse", &["s=str:2"]);
    assert_eq!(cells(&space), ["s[0]: i8 all", "s[1]: i8 all"]);
    let layout = space.layout();
    let buffer = &layout.objects[ObjectId::at(1)];
    assert_eq!((buffer.name.as_str(), buffer.fixed.len()), ("*s", 3));
    assert_eq!(cells(&known("reverse", &["s=str:=1"])), ["*s: i8 -128..-1,1..127"]);
    assert_eq!(cells(&known("reverse", &["s=text:1"])), ["*s: i8 0,32..126"]);
    assert_eq!(cells(&known("reverse", &[])).len(), 8);
    let literal = known("reverse", &["s==hello"]);
    assert_eq!(cells(&literal), [""; 0]);
    let decoded = literal.decode(&[]);
    assert_eq!(decoded.params, [("s".to_owned(), Value::Bytes(b"hello".to_vec()))]);
    assert_eq!(literal.encode(&decoded).unwrap(), [0; 0]);
    let words = cells(&known("strings", &["words=buf:2", "words[]=str:=1?"]));
    let expected = [
        "words[0] == NULL: u8 0..1",
        "*words[0]: i8 -128..-1,1..127",
        "words[1] == NULL: u8 0..1",
        "*words[1]: i8 -128..-1,1..127",
    ];
    assert_eq!(words, expected);
}

#[test]
fn globals_and_functions_can_be_given() {
    let space = space("count", &[], &["counter=int:0..9", "origin"]).unwrap();
    assert_eq!(cells(&space), ["counter: i32 0..9", "origin.x: i16 all", "origin.y: i16 all"]);
    let apply = known("apply", &["f==less", "a==3"]);
    assert_eq!(cells(&apply), ["a: i32 3"]);
    let pointer = &apply.layout().objects[ObjectId::at(0)].pointers[0];
    assert_eq!(pointer.target, Target::Function("less".to_owned()));
    assert_eq!(cells(&known("old_style", &[])), ["a: i32 all", "b: i8 all"]);
    let colors = known("colors", &["c=choice:GREEN,6", "s==PLUS"]);
    assert_eq!(cells(&colors), ["c: u32 5..6", "s: i32 1"]);
}

#[test]
fn every_mistake_about_entries_gets_its_sentence() {
    let cases: [(&str, &[&str], &[&str], &str); 25] = [
        ("sums", &[], &[], "the program defines no function `sums`; did you mean `sum`?"),
        ("printf", &[], &[], "the program defines no function `printf`"),
        ("main", &[], &[], "`main` cannot be the entry: its arguments are declared with --arg"),
        (
            "variadic",
            &[],
            &[],
            "the function `variadic` takes a varying number of arguments, which no entry can",
        ),
        (
            "sum",
            &["value=buf:2"],
            &[],
            "the function `sum` has no parameter `value`; did you mean `values`?",
        ),
        ("sum", &["x=int"], &[], "the function `sum` has no parameter `x`; did you mean `n`?"),
        ("last", &["n.prev=null"], &[], "the function `last` has no parameter `n.prev`"),
        (
            "sum",
            &["n=buf:2"],
            &[],
            "`n` has the type `unsigned int`; it is no pointer; write int, int:LOW..HIGH, choice:A,B,… or =VALUE",
        ),
        (
            "sum",
            &["values=int:0..1"],
            &[],
            "`values` has the type `const int *`; write buf:N or null",
        ),
        (
            "reverse",
            &["s=int"],
            &[],
            "`s` has the type `char *`; write str:N, text:N, buf:N, =TEXT or null",
        ),
        (
            "sum",
            &["n=int:-1..5"],
            &[],
            "`n` has the type `unsigned int`; its values lie between 0 and 4294967295",
        ),
        (
            "scalars",
            &["c==200"],
            &[],
            "`c` has the type `signed char`; its values lie between -128 and 127",
        ),
        ("scalars", &["c==x"], &[], "`c` has the type `signed char`; `x` is not its value"),
        (
            "scalars",
            &["d=int:0..1"],
            &[],
            "`d` has the type `double`; only =VALUE can be said about it",
        ),
        ("wide", &["a=int:0..1"], &[], "`a` has the type `__int128`; its range cannot be declared"),
        (
            "colors",
            &["c=choice:RED,PINK"],
            &[],
            "`c` has the type `enum color`; `PINK` is not its value",
        ),
        (
            "swapped",
            &["p=int"],
            &[],
            "`p` has the type `point`; say what its members are: NAME.MEMBER=…",
        ),
        (
            "apply",
            &[],
            &[],
            "`f` has the type `int (*)(int, int)`; write --param NAME==FUNCTION for the function that it points to",
        ),
        (
            "apply",
            &["f==more"],
            &[],
            "`f` has the type `int (*)(int, int)`; the program has no function `more`",
        ),
        (
            "as_linked",
            &["u=int"],
            &[],
            "`u` has the type `union linked`; say what one of its members is: NAME.MEMBER=…",
        ),
        (
            "opaque",
            &[],
            &[],
            "`o` has the type `struct opaque *`, which is not supported: what it points to is a stream or an incomplete type",
        ),
        (
            "stream",
            &[],
            &[],
            "`f` has the type `FILE *`, which is not supported: what it points to is a stream or an incomplete type",
        ),
        (
            "huge",
            &["b=buf:1000"],
            &[],
            "`b[]` has more than 65536 unknown values; make its buffers smaller",
        ),
        (
            "count",
            &[],
            &["countr"],
            "the program has no global variable `countr`; did you mean `counter`?",
        ),
        ("count", &[], &["fixed"], "the global variable `fixed` is constant"),
    ];
    for (function, params, globals, expected) in cases {
        match space(function, params, globals) {
            Ok(space) => panic!("{function} {params:?}: {:?}", cells(&space)),
            Err(error) => assert_eq!(error.to_string(), expected, "{function} {params:?}"),
        }
    }
}

/// The value of a test's only parameter, written as JSON.
fn encode(space: &Space, params: &str) -> Result<Vec<u64>, Mismatch> {
    let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let line = format!("{{\"params\": {params}}}");
    let tests = parse_tests(Path::new("t"), line.as_bytes(), &none).expect("this is JSON");
    space.encode(&tests[0].input)
}

fn assumed(space: &Space) -> Vec<String> {
    space.assumptions.iter().map(ToString::to_string).collect()
}

#[test]
fn lengths_are_at_most_what_their_buffers_hold() {
    let sum = known("sum", &[]);
    assert_eq!(cells(&sum).last().unwrap(), "n: u32 0..8");
    assert_eq!(assumed(&sum), ["`n` is at most the number of elements of `values` (8)"]);
    assert_eq!(cells(&known("sum", &["values=buf:3"])).last().unwrap(), "n: u32 0..3");
    let declared = known("sum", &["n=int"]);
    assert_eq!(cells(&declared).last().unwrap(), "n: u32 all");
    assert_eq!(declared.assumptions, []);
    // A number that is not used as a length is none, regardless of its name.
    let scale = known("scale", &[]);
    assert_eq!(
        (cells(&scale).last().unwrap().as_str(), scale.assumptions.len()),
        ("n: i32 all", 0)
    );
    // A case that the code tests for may occur.
    let total = known("total", &[]);
    assert_eq!(cells(&total).last().unwrap(), "n: i32 -2147483648..8");
    let find = known("find", &[]);
    assert_eq!(cells(&find)[6..], ["n: i32 0..3", "key: i32 all"]);
    assert_eq!(
        assumed(&find),
        ["`n` is not negative and at most the number of elements of `items` (3)"]
    );
    // Callees count, and so do constants that a length is compared with.
    assert_eq!(cells(&known("outer", &[])).last().unwrap(), "m: u32 0..21");
}

#[test]
fn characters_without_a_length_are_a_string() {
    let sizes = |function: &str| {
        let layout = known(function, &[]).layout();
        layout.objects.values().map(|object| object.fixed.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes("hash"), [8, 9]);
    assert_eq!(sizes("hash_bytes"), [8, 21, 8]);
}

#[test]
fn an_end_belongs_to_its_beginning() {
    let space = known("digits", &[]);
    assert_eq!(cells(&space).last().unwrap(), "end - s: u32 0..8");
    let words = "`end` points into what `s` points to, or right behind it";
    assert_eq!(assumed(&space), [words]);
    let digits = Compiled::new("digits", &[], &[]);
    let called = digits.call(r#"{"s": "12345", "end": {"pointer": "s+3"}}"#);
    assert!(called.starts_with("return 00000003\n"), "{called}");
    let wrong = [
        r#"{"s": "1", "end": {"pointer": "s+9"}}"#,
        r#"{"s": "1", "end": {"pointer": "t+1"}}"#,
        r#"{"s": "1", "end": null}"#,
    ];
    for params in wrong {
        let reason = encode(&space, params).unwrap_err().to_string();
        assert!(reason.contains("does not fit"), "{params}: {reason}");
    }
    let left = Compiled::new("left", &[], &[]);
    let reader =
        r#"{"r": {"start": "", "pos": {"pointer": "start+2"}, "end": {"pointer": "start+7"}}}"#;
    assert!(left.call(reader).starts_with("return 00000005\n"));
    let empty = left.call(r#"{"r": {"start": null, "pos": null, "end": null}}"#);
    assert!(empty.starts_with("return ffffffff\n"), "{empty}");
    let behind =
        r#"{"r": {"start": "", "pos": {"pointer": "start+7"}, "end": {"pointer": "start+2"}}}"#;
    assert!(encode(&known("left", &[]), behind).is_err());
}

#[test]
fn counts_are_at_most_the_capacity_and_nothing_lies_behind_null() {
    let space = known("push", &["v.cells[]=int:0..0", "x==1"]);
    let layout = space.layout();
    let size = layout.size().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..size {
        let input = layout.decode(&layout.nth(number));
        let Value::Struct(members) = &input.params[0].1 else { panic!("{input:?}") };
        let number = |index: usize| match members[index].1 {
            Value::Int(number) => number,
            _ => panic!("{input:?}"),
        };
        let (count, capacity) = (number(1), number(2));
        let is_null = members[0].1 == Value::Null;
        assert!(count <= capacity && capacity <= 8 && is_null == (capacity == 0), "{input:?}");
        seen.insert((count, capacity));
    }
    assert_eq!(seen.len(), 1 + (1..=8).map(|capacity| capacity + 1).sum::<usize>());
    for (params, fits) in [
        (r#"{"v": {"cells": null, "count": 0, "capacity": 0}, "x": 1}"#, true),
        (r#"{"v": {"cells": [0], "count": 1, "capacity": 8}, "x": 1}"#, true),
        (r#"{"v": {"cells": null, "count": 0, "capacity": 1}, "x": 1}"#, false),
        (r#"{"v": {"cells": [0], "count": 2, "capacity": 1}, "x": 1}"#, false),
    ] {
        assert_eq!(encode(&space, params).is_ok(), fits, "{params}");
    }
}

#[test]
fn what_is_lifted_is_known_to_be_inconsistent() {
    let flags = Flags { assume: Assume::Nothing, ..Flags::default() };
    let lifted = |function: &str| {
        let id = find_function(module(), function).unwrap();
        Space::for_function(module(), id, &flags.overrides().unwrap()).unwrap().layout()
    };
    let broken = |layout: &Layout, params: &str| {
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let line = format!("{{\"params\": {params}}}");
        let tests = parse_tests(Path::new("t"), line.as_bytes(), &none).expect("this is JSON");
        layout.encode(&tests[0].input).unwrap_or_else(|why| panic!("{params}: {why}"));
        layout.broken(&tests[0].input).len()
    };
    let sum = lifted("sum");
    assert_eq!(sum.assumptions(), []);
    assert_eq!(broken(&sum, r#"{"values": [1], "n": 8}"#), 0);
    assert_eq!(broken(&sum, r#"{"values": [1], "n": 9}"#), 1);
    let push = lifted("push");
    let vec = |cells: &str, count: u32, capacity: u32| {
        let vec = format!(r#"{{"cells": {cells}, "count": {count}, "capacity": {capacity}}}"#);
        broken(&push, &format!(r#"{{"v": {vec}, "x": 1}}"#))
    };
    assert_eq!((vec("[1]", 1, 1), vec("null", 0, 0)), (0, 0));
    assert!(vec("[1]", 2, 1) > 0 && vec("null", 0, 1) > 0 && vec("[1]", 9, 9) > 0);
    assert_eq!(broken(&lifted("digits"), r#"{"s": "1", "end": ""}"#), 1);
}

fn aliased(function: &str, params: &[&str]) -> Result<Space, Error> {
    let params = params.iter().map(|text| text.as_bytes().to_vec()).collect();
    let flags = Flags { params, alias: true, ..Flags::default() };
    let function = find_function(module(), function)?;
    Space::for_function(module(), function, &flags.overrides()?)
}

fn is_same(value: &Value) -> bool {
    matches!(value, Value::Inside { offset: 0, .. })
}

#[test]
fn pointers_to_one_type_may_be_the_same_unless_they_are_restricted() {
    let pairs = |params: &[&str]| {
        let aliases = aliased("mix", params).unwrap().aliases;
        aliases.iter().map(|alias| format!("{} {}", alias.of, alias.pointer)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&[]), ["a b", "a c", "b c"]);
    assert_eq!(pairs(&["a=buf:1"]), ["b c"], "a is declared smaller than the others");
    assert_eq!(pairs(&["a=buf:2", "b=buf:2"]), ["a b"]);
    assert_eq!(pairs(&["c=same:a"]), ["a b"]);
    let error = |params: &[&str]| aliased("mix", params).unwrap_err().to_string();
    for wrong in ["d=same:a", "a=same:d", "a=same:a", "a=same:n", "n=same:a", "a=same:x"] {
        assert!(error(&[wrong]).contains(&wrong[..1]), "{wrong}: {}", error(&[wrong]));
    }
}

#[test]
fn values_are_given_as_in_c() {
    let sum = known("sum", &["values=buf:3"]);
    assert_eq!(encode(&sum, r#"{"values": [1, -1], "n": 2}"#).unwrap(), [1, 0xffff_ffff, 0, 2]);
    let string = known("reverse", &["s=str:3"]);
    assert_eq!(encode(&string, r#"{"s": "ab"}"#).unwrap(), [97, 98, 0]);
    let node = known("last", &[]);
    let cells = encode(&node, r#"{"n": {"value": 4, "next": {"value": 5, "next": null}}}"#);
    assert_eq!(cells.unwrap(), [0, 4, 0, 5, 1, 0]);
    let colors = known("colors", &[]);
    assert_eq!(encode(&colors, r#"{"c": "GREEN", "s": -1}"#).unwrap(), [5, 0xffff_ffff]);
    let scalars = known("scalars", &[]);
    let given =
        r#"{"c": -1, "s": 2, "l": -3, "b": true, "f": 0.5, "d": {"bits": "0x7ff0000000000000"}}"#;
    let expected = [255, 2, -3i64 as u64, 1, 0x3f00_0000, 0x7ff0_0000_0000_0000];
    assert_eq!(encode(&scalars, given).unwrap(), expected);
    let wide = known("wide", &[]);
    let given = r#"{"a": -1, "b": {"bits": "0x10000000000000000"}, "x": 1}"#;
    let expected = [u64::MAX, u64::MAX, 0, 1, 1 << 63, 0x3fff];
    assert_eq!(encode(&wide, given).unwrap(), expected);
}

#[test]
fn values_that_do_not_fit_are_told_why() {
    let cases = [
        ("sum", r#"{"values": [1]}"#, "the parameter n: it is declared but not given"),
        (
            "sum",
            r#"{"values": 1, "n": 1, "m": 1}"#,
            "the parameter m: it is given but not declared",
        ),
        (
            "sum",
            r#"{"values": [1,2,3,4,5,6,7,8,9], "n": 1}"#,
            "the parameter values: 9 elements where 0 to 8 are declared",
        ),
        (
            "sum",
            r#"{"values": null, "n": 1}"#,
            "the parameter values: null cannot be a `const int *`",
        ),
        (
            "sum",
            r#"{"values": [0.5], "n": 1}"#,
            "the parameter values: a number with a fraction cannot be a `const int`",
        ),
        ("sum", r#"{"values": [], "n": -1}"#, "the parameter n: -1 is outside of what is declared"),
        (
            "colors",
            r#"{"c": "PINK", "s": 1}"#,
            "the parameter c: `PINK` is none of the declared choices",
        ),
        ("colors", r#"{"c": 3, "s": 1}"#, "the parameter c: 3 is outside of what is declared"),
        ("last", r#"{"n": {"valu": 1}}"#, "the parameter n: there is no member `valu`"),
        ("last", r#"{"n": "x"}"#, "the parameter n: a text cannot be a `struct node [1]`"),
        (
            "wide",
            r#"{"a": 1, "b": -1, "x": 0}"#,
            "the parameter b: -1 is outside of what is declared",
        ),
    ];
    for (function, params, expected) in cases {
        let refused = encode(&known(function, &[]), params).expect_err(params);
        assert_eq!(refused.to_string(), expected);
    }
}

struct Compiled {
    harness: Harness,
    layout: Layout,
    directory: tempfile::TempDir,
}

impl Compiled {
    fn new(function: &str, params: &[&str], globals: &[&str]) -> Compiled {
        let layout = space(function, params, globals).expect("the flags are right").layout();
        let id = find_function(module(), function).expect("it exists");
        let source = defining_file(module(), id).expect("clang names it");
        assert_eq!(source, self::source());
        let harness =
            Harness::new(module(), id, &layout, &source, &[]).expect("the types are known");
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("harness.c");
        fs::write(&file, &harness.text).expect("writable");
        let program = directory.path().join("harness");
        let paths = [&file, &program].map(|path| path.to_str().expect("text"));
        let flags = vec!["-O0", "-g", "-w", "-std=gnu11", paths[0], "-o", paths[1]];
        clang(&flags);
        Compiled { harness, layout, directory }
    }

    fn cells(&self, params: &str, globals: &str) -> Vec<u64> {
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let line = format!("{{\"params\": {params}, \"globals\": {globals}}}");
        let tests = parse_tests(Path::new("t"), line.as_bytes(), &none).expect("this is JSON");
        self.layout.encode(&tests[0].input).unwrap_or_else(|why| panic!("{params}: {why}"))
    }

    fn run(&self, assignment: &[u64]) -> String {
        let path = |name: &str| self.directory.path().join(name);
        fs::write(path(PARAMS_FILE), self.layout.image(assignment)).expect("writable");
        let mut command = Command::new(path("harness"));
        command.env("ASAN_OPTIONS", "detect_leaks=0").current_dir(self.directory.path());
        let output = command.args([PARAMS_FILE, "result"]).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{:?} {said}", output.status);
        assert_eq!(output.stdout, b"");
        fs::read_to_string(path("result")).expect("it was written")
    }

    fn call(&self, params: &str) -> String {
        self.run(&self.cells(params, "{}"))
    }
}

#[test]
fn one_harness_serves_many_inputs() {
    let sum = Compiled::new("sum", &["values=buf:3"], &[]);
    let cases = [
        (
            r#"{"values": [1, 2, 3], "n": 2}"#,
            "return 00000003\n*values 00000001 00000002 00000003\n",
        ),
        (
            r#"{"values": [-1, 0, 9], "n": 1}"#,
            "return ffffffff\n*values ffffffff 00000000 00000009\n",
        ),
        (r#"{"values": [5], "n": 0}"#, "return 00000000\n*values 00000005 00000000 00000000\n"),
    ];
    for (params, expected) in cases {
        assert_eq!(sum.call(params), expected);
    }
}

#[test]
fn harnesses_call_functions_of_every_type() {
    let cases: [(&str, &[&str], &str, &str); 14] = [
        (
            "scalars",
            &[],
            r#"{"c": -1, "s": 2, "l": 3, "b": 1, "f": 0.5, "d": -1.5}"#,
            "return 00000007\n",
        ),
        ("colors", &[], r#"{"c": "BLUE", "s": "MINUS"}"#, "return 0000003b\n"),
        ("swapped", &[], r#"{"p": {"x": 1, "y": -2}}"#, "return fffe 0001\n"),
        ("bits", &[], r#"{"f": {"a": 7, "b": -1, "c": 1, "rest": 9}}"#, "return 000002c5\n"),
        ("reverse", &["s=str:4"], r#"{"s": "abc"}"#, "*s 63 62 61 00 00\n"),
        (
            "last",
            &["n.next.next=null"],
            r#"{"n": {"value": 1, "next": {"value": 2}}}"#,
            "return &*n->next+0\n*n 00000001 &*n->next+0\n*n->next 00000002 null\n",
        ),
        ("apply", &["f==less"], r#"{"f": {"function": "less"}, "a": 9}"#, "return 00000001\n"),
        (
            "weigh",
            &["n.text=str:3?"],
            r#"{"n": {"name": "abc", "text": "xy", "weight": 1}}"#,
            "return 00000002\n*n 57 62 63 00 &*n->text+0 3ff0000000000000 null\n*n->text 78 79 00 00\n",
        ),
        ("as_union", &[], r#"{"u": {"base64": "AQAAAAAC"}}"#, "return 00000003\n"),
        ("wide", &[], r#"{"a": 1, "b": 6, "x": 0.5}"#, "return 00000002\n"),
        ("rows", &[], r#"{"m": [[3, 4]]}"#, "return 00000007\n*m 00000003 00000004\n"),
        ("middle", &["s=str:1"], r#"{"s": "a"}"#, "return &*s+1\n*s 61 00\n"),
        ("old_style", &[], r#"{"a": 1, "b": 2}"#, "return 00000003\n"),
        ("nothing", &[], "{}", ""),
    ];
    for (function, flags, params, expected) in cases {
        assert_eq!(Compiled::new(function, flags, &[]).call(params), expected, "{function}");
    }
}

#[test]
fn what_is_freed_and_what_is_global_is_told() {
    let released = Compiled::new("released", &["p=buf:1"], &[]);
    assert_eq!(released.call(r#"{"p": 5}"#), "*p freed\n");
    let count = Compiled::new("count", &[], &["counter", "origin"]);
    let cells = count.cells("{}", r#"{"counter": 7, "origin": {"x": 2, "y": 3}}"#);
    assert_eq!(count.run(&cells), "return 0000000a\ncounter 00000008\norigin 0002 0003\n");
    let relink = Compiled::new("relink", &["n.next=null"], &["list=null"]);
    let cells = relink.cells(r#"{"n": {"value": 1}}"#, r#"{"list": null}"#);
    assert_eq!(
        relink.run(&cells),
        "return &*return+0\n*n 00000001 &*n+0\nlist &*n+0\nreached:\n*return 00000001 &*n+0\n"
    );
}

#[test]
fn a_test_of_a_function_is_a_script_for_its_harness() {
    let reverse = Compiled::new("reverse", &["s=str:2"], &[]);
    let cells = reverse.cells(r#"{"s": "ab"}"#, "{}");
    let test = reverse.harness.test(&reverse.layout, &cells, None);
    let script = reverse.directory.path().join("test.sh");
    fs::write(&script, write_script(&test, Some("harness"))).expect("writable");
    let output = Command::new("sh").arg(&script).output().expect("sh runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "*s 62 61 00\n");
    let mut ktest = Ktest::of_input("harness", &Input::default());
    ktest.add_memory(&reverse.layout, &cells);
    let object = ktest.objects.iter().find(|object| object.name == "*s").expect("a buffer");
    assert_eq!(object.bytes, b"ab\0");
}

#[test]
fn what_other_files_define_can_be_given() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).expect("writable");
        path.to_str().expect("text").to_owned()
    };
    let used = write("used.c", "int f(int (*g)(int), int x) { return g(x); }\n");
    let other = write(
        "other.c",
        "int scale = 1;\nint times(int x) { return x * scale; }\n\
         int f(int (*)(int), int);\nint main(void) { return f(times, 1); }\n",
    );
    let read = |path: &str| {
        let text = clang(&["-S", "-emit-llvm", "-O0", "-g", "-o", "-", path]).stdout;
        llvm::read(path, text).expect("clang writes IR").module
    };
    let module = ir::link(vec![read(&used), read(&other)]).expect("they fit together");
    let flags = Flags {
        params: vec![b"g==times".to_vec()],
        globals: vec![b"scale".to_vec()],
        ..Flags::default()
    };
    let id = find_function(&module, "f").expect("it exists");
    let space = Space::for_function(&module, id, &flags.overrides().unwrap()).unwrap();
    let layout = space.layout();
    let harness = Harness::new(&module, id, &layout, Path::new(&used), &[]).unwrap();
    let text = write("harness.c", &harness.text);
    let program = directory.path().join("program");
    let rename = format!("-Dmain={PROGRAM_MAIN}");
    clang(&["-O0", "-w", &rename, &text, &other, "-o", program.to_str().expect("text")]);
    let names: Vec<_> = layout.image_cells().map(|(at, id)| (at, &layout.cells[id].name)).collect();
    assert_eq!(names, [(0, &"x".to_owned()), (8, &"scale".to_owned())]);
    let params = directory.path().join("p");
    fs::write(&params, layout.image(&[6, 7])).expect("writable");
    let output = Command::new(program).arg(params).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "return 0000002a\nscale 00000007\n");
}

#[test]
fn a_harness_without_parameters_complains() {
    let sum = Compiled::new("sum", &["values=buf:3"], &[]);
    let program = sum.directory.path().join("harness");
    let missing = Command::new(program).arg("nowhere").output().expect("it runs");
    assert_eq!(missing.status.code(), Some(125));
}

const FUNCTIONS: [(&str, &[&str]); 16] = [
    ("scalars", &[]),
    ("colors", &[]),
    ("swapped", &[]),
    ("bits", &[]),
    ("sum", &["values=buf:3"]),
    ("reverse", &[]),
    ("last", &[]),
    ("weigh", &[]),
    ("as_union", &[]),
    ("wide", &[]),
    ("strings", &["words=buf:2?"]),
    ("sum", &["values=buf:3?"]),
    ("digits", &[]),
    ("push", &[]),
    ("left", &[]),
    ("find", &[]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_same_objects_survive_json_and_can_be_separated(
        is_join in any::<bool>(),
        seeds in prop::collection::vec(any::<u64>(), 64),
    ) {
        let layout = aliased(if is_join { "join" } else { "mix" }, &[]).unwrap().layout();
        let values = layout.cells.values().zip(seeds.iter().cycle());
        let assignment: Vec<u64> =
            values.map(|(cell, &seed)| cell.domain.nth(u128::from(seed))).collect();
        let decoded = layout.decode(&assignment);
        let same = layout.same(&assignment);
        let written = decoded.params.iter().filter(|(_, value)| is_same(value)).count();
        prop_assert_eq!(same.len(), written, "{:?}", decoded);
        let line = write_test(&Test { input: decoded.clone(), ..Test::default() });
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let read = parse_tests(Path::new("t"), line.as_bytes(), &none).unwrap();
        let again = layout.encode(&read[0].input);
        prop_assert!(again.is_ok(), "{} {:?}", line, again);
        prop_assert_eq!(layout.decode(&again.unwrap()), decoded.clone(), "{}", line);
        let separated = layout.decode(&layout.separated(&assignment));
        let value = |input: &Input, name: &str| {
            input.params.iter().find(|(known, _)| known == name).unwrap().1.clone()
        };
        for alias in same {
            prop_assert_eq!(
                value(&separated, &alias.pointer), value(&decoded, &alias.of), "{}", line
            );
        }
        prop_assert!(!separated.params.iter().any(|(_, value)| is_same(value)));
    }

    #[test]
    fn parameters_survive_json(
        function in 0..FUNCTIONS.len(),
        seeds in prop::collection::vec(any::<u64>(), 64),
    ) {
        let (name, params) = FUNCTIONS[function];
        let layout = known(name, params).layout();
        let values = layout.cells.values().zip(seeds.iter().cycle());
        let assignment: Vec<u64> =
            values.map(|(cell, &seed)| cell.domain.nth(u128::from(seed))).collect();
        let decoded = layout.decode(&assignment);
        let encoded = layout.encode(&decoded);
        prop_assert!(encoded.is_ok(), "{:?} {:?}", decoded, encoded);
        prop_assert_eq!(&layout.decode(&encoded.unwrap()), &decoded);
        let line = write_test(&Test { input: decoded.clone(), ..Test::default() });
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let read = parse_tests(Path::new("t"), line.as_bytes(), &none).unwrap();
        let again = layout.encode(&read[0].input);
        prop_assert!(again.is_ok(), "{} {:?}", line, again);
        prop_assert_eq!(layout.decode(&again.unwrap()), decoded, "{}", line);
    }
}

#[test]
fn a_union_with_pointers_holds_one_of_its_members() {
    let told = |space: &Space| space.assumptions.iter().map(ToString::to_string).collect();
    let space = known("as_linked", &[]);
    let assumptions: Vec<String> = told(&space);
    assert_eq!(assumptions, ["the union `linked` holds its member `p`"]);
    assert!(cells(&space).iter().any(|cell| cell.starts_with("u.p")), "{:?}", cells(&space));
    let space = known("as_linked", &["u.i=int:0..9"]);
    let assumptions: Vec<String> = told(&space);
    assert_eq!(assumptions, ["the union `linked` holds its member `i`"]);
    assert_eq!(cells(&space).len(), 1);
}
