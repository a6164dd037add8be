//! Cells: their number and names, and that inputs and assignments agree.

use proptest::prelude::*;
use ripple_inputs::{
    Alphabet, Atom, CellId, End, Flags, Input, Layout, Length, Role, Source, Space,
};

fn space(args: &[&str], args_max: Option<usize>, stdin: Option<&str>, files: &[&str]) -> Space {
    let bytes = |text: &&str| text.as_bytes().to_vec();
    let flags = Flags {
        args: args.iter().map(bytes).collect(),
        args_max,
        stdin: stdin.as_ref().map(bytes),
        files: files.iter().map(bytes).collect(),
        ..Flags::default()
    };
    flags.texts().expect("the flags are right")
}

fn names(layout: &Layout) -> Vec<&str> {
    layout.cells.values().map(|cell| cell.name.as_str()).collect()
}

fn input(args: &[&str], stdin: &str) -> Input {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    Input { args, stdin: stdin.into(), ..Input::default() }
}

fn refusal(space: &Space, input: &Input) -> String {
    space.encode(input).expect_err("the input is not in the space").to_string()
}

#[test]
fn the_default_space_is_two_short_arguments_and_some_input() {
    let layout = Space::unspecified().layout();
    let expected = [
        "arg1[0]",
        "arg1[1]",
        "arg1[2]",
        "arg1[3]",
        "arg2[0]",
        "arg2[1]",
        "arg2[2]",
        "arg2[3]",
        "stdin.length",
        "stdin[0]",
        "stdin[1]",
        "stdin[2]",
        "stdin[3]",
        "stdin[4]",
        "stdin[5]",
        "stdin[6]",
        "stdin[7]",
    ];
    assert_eq!(names(&layout), expected);
    assert_eq!(layout.arg_count, None);
}

#[test]
fn an_argument_ends_at_its_first_zero() {
    let space = space(&["str:3", "str:=2"], None, None, &[]);
    let decoded = space.decode(&[b'a'.into(), 0, b'c'.into(), b'x'.into(), b'y'.into()]);
    assert_eq!(decoded, input(&["a", "xy"], ""));
    let encoded = space.encode(&decoded).unwrap();
    assert_eq!(encoded, [b'a'.into(), 0, 0, b'x'.into(), b'y'.into()]);
    let cells = space.cells();
    assert!(cells[0].domain.contains(0) && !cells[3].domain.contains(0));
}

#[test]
fn integers_have_32_bits_unless_they_need_64() {
    let space = space(&["int:-3..3", "int:0..5000000000"], None, None, &[]);
    let cells = space.cells();
    assert_eq!((cells[0].bits, cells[1].bits), (32, 64));
    let decoded = space.decode(&[0xffff_fffe, 4_999_999_999]);
    assert_eq!(decoded, input(&["-2", "4999999999"], ""));
    assert_eq!(space.encode(&decoded).unwrap(), [0xffff_fffe, 4_999_999_999]);
}

#[test]
fn a_varying_number_of_arguments_is_a_cell() {
    let space = space(&["int"], Some(3), None, &[]);
    let layout = space.layout();
    assert_eq!(names(&layout), ["args.count", "arg1", "arg2", "arg3"]);
    assert_eq!(layout.cells[CellId::at(0)].role, Role::Count);
    assert_eq!(layout.decode(&[2, 7, 8, 9]), input(&["7", "8"], ""));
    assert_eq!(layout.encode(&input(&["7", "8"], "")).unwrap(), [2, 7, 8, 0]);
    assert_eq!(layout.decode(&[0, 7, 8, 9]), input(&[], ""));
}

#[test]
fn lines_and_choices_are_put_together() {
    let space = space(&["choice:add,del"], None, Some("lines:2xint:0..9"), &["f=lines:=1x3"]);
    let layout = space.layout();
    let expected = [
        "arg1",
        "stdin.lines",
        "stdin.line1",
        "stdin.line2",
        "f.line1.length",
        "f.line1[0]",
        "f.line1[1]",
        "f.line1[2]",
    ];
    assert_eq!(names(&layout), expected);
    let cells = [1, 2, 4, 5, 2, b'h'.into(), b'i'.into(), 32];
    let decoded = layout.decode(&cells);
    assert_eq!(decoded.args, [b"del"]);
    assert_eq!(decoded.stdin, b"4\n5\n");
    assert_eq!(decoded.files, [("f".to_owned(), b"hi\n".to_vec())]);
    let again = layout.encode(&decoded).unwrap();
    assert_eq!(layout.decode(&again), decoded);
}

#[test]
fn sources_say_where_cells_lie() {
    let space = space(&["=x", "int", "str:2", "str:=2"], None, Some("bytes:2"), &[]);
    let layout = space.layout();
    let ends: Vec<String> = layout
        .args
        .iter()
        .chain(&layout.stdin)
        .map(|source| match source {
            Source::Literal(bytes) => format!("literal {}", bytes.len()),
            Source::Decimal { cell, bits } => format!("decimal {cell} of {bits}"),
            Source::Bytes { cells, end: End::Zero } => format!("to zero {:?}", cells.positions()),
            Source::Bytes { cells, end: End::Last } => format!("all {:?}", cells.positions()),
            Source::Bytes { cells, end: End::Length(cell) } => {
                format!("{cell} of {:?}", cells.positions())
            }
            other => format!("{other:?}"),
        })
        .collect();
    let expected =
        ["literal 1", "decimal cell0 of 32", "to zero 1..3", "all 3..5", "cell5 of 6..8"];
    assert_eq!(ends, expected);
}

#[test]
fn alphabets_allow_what_they_say() {
    let stdin = |form: &str| space(&[], None, Some(form), &[]).cells()[1].domain.clone();
    let arg = |form: &str| space(&[form], None, None, &[]).cells()[0].domain.clone();
    assert!(stdin("bytes:1").is_full());
    assert_eq!(stdin("str:1").ranges(), [(1, 255)]);
    assert_eq!(stdin("text:1").ranges(), [(9, 10), (32, 126)]);
    assert_eq!(arg("bytes:1").ranges(), [(0, 255)]);
    assert_eq!(arg("bytes:=1").ranges(), [(1, 255)]);
    assert_eq!(arg("text:1").ranges(), [(0, 0), (32, 126)]);
    assert_eq!(arg("text:=1").ranges(), [(32, 126)]);
    let line = space(&[], None, Some("lines:=1xbytes:1"), &[]).cells()[1].domain.clone();
    assert_eq!(line.ranges(), [(0, 9), (11, 255)]);
}

#[test]
fn an_input_outside_of_the_space_is_told_why() {
    let args = space(&["int:0..9", "str:2", "choice:a,b", "=x", "text:=1"], None, None, &[]);
    let of = |args: &[&str]| input(args, "");
    let cases: [(&[&str], &str); 9] = [
        (&["1"], "the arguments: 1 arguments where exactly 5 are declared"),
        (&["10", "", "a", "x", "q"], "argument 1: 10 is outside of what is declared"),
        (&["07", "", "a", "x", "q"], "argument 1: `07` is not a plain decimal number"),
        (&["+7", "", "a", "x", "q"], "argument 1: `+7` is not a plain decimal number"),
        (&["7", "abc", "a", "x", "q"], "argument 2: 3 bytes where 0 to 2 are declared"),
        (&["7", "", "c", "x", "q"], "argument 3: `c` is none of the declared choices"),
        (&["7", "", "a", "y", "q"], "argument 4: `y` is none of the declared choices"),
        (&["7", "", "a", "x", ""], "argument 5: 0 bytes where exactly 1 are declared"),
        (
            &["7", "", "a", "x", "\u{7f}"],
            "argument 5: the byte 0x7f is outside of what is declared",
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(refusal(&args, &of(given)), expected);
    }
    let with_input = input(&["7", "", "a", "x", "q"], "in");
    assert_eq!(refusal(&args, &with_input), "standard input: it is given but not declared");
    let lines = space(&[], None, Some("lines:2xint"), &[]);
    assert_eq!(
        refusal(&lines, &input(&[], "1\n2")),
        "standard input: the last line has no newline"
    );
    let expected = "standard input: 3 lines where 0 to 2 are declared";
    assert_eq!(refusal(&lines, &input(&[], "1\n2\n3\n")), expected);
    let varying = space(&["int"], Some(2), None, &[]);
    let expected = "the arguments: 3 arguments where 0 to 2 are declared";
    assert_eq!(refusal(&varying, &of(&["1", "2", "3"])), expected);
    let files = space(&[], None, None, &["a=text:1"]);
    assert_eq!(refusal(&files, &of(&[])), "the file a: it is declared but not given");
    let mut other = of(&[]);
    other.files = vec![("b".to_owned(), Vec::new())];
    assert_eq!(refusal(&files, &other), "the file b: it is given but not declared");
}

#[test]
fn buffers_are_used_again() {
    let space = space(&["str:3"], Some(3), Some("bytes:4"), &["a=bytes:2", "b=int"]);
    let layout = space.layout();
    let mut input = Input::default();
    let mut assignment: Vec<u64> = layout.cells.values().map(|cell| cell.domain.nth(1)).collect();
    for round in 0..10 {
        for (value, cell) in assignment.iter_mut().zip(layout.cells.values()) {
            *value = cell.domain.nth(round * 7 + u128::from(*value));
        }
        layout.decode_into(&assignment, &mut input);
        assert_eq!(input, layout.decode(&assignment));
    }
}

fn length() -> impl Strategy<Value = Length> {
    prop_oneof![(0..5u32).prop_map(Length::UpTo), (0..5u32).prop_map(Length::Exactly)]
}

fn alphabet() -> impl Strategy<Value = Alphabet> {
    prop_oneof![Just(Alphabet::Any), Just(Alphabet::NoNul), Just(Alphabet::Printable)]
}

fn atom() -> impl Strategy<Value = Atom> {
    let text = "[a-z]{0,4}";
    prop_oneof![
        text.prop_map(|text| Atom::Literal(text.into_bytes())),
        (any::<i64>(), any::<i64>()).prop_map(|(a, b)| Atom::Int { low: a.min(b), high: a.max(b) }),
        Just(Atom::INT),
        (length(), alphabet()).prop_map(|(length, alphabet)| Atom::Bytes { length, alphabet }),
        prop::collection::btree_set(text, 1..4)
            .prop_map(|texts| Atom::Choice(texts.into_iter().map(String::into_bytes).collect())),
    ]
}

fn stream() -> impl Strategy<Value = Atom> {
    let lines =
        (length(), atom()).prop_map(|(count, line)| Atom::Lines { count, line: Box::new(line) });
    prop_oneof![atom(), lines]
}

fn any_space() -> impl Strategy<Value = Space> {
    let args = prop::collection::vec(atom(), 0..4);
    (args, any::<bool>(), prop::option::of(stream()), prop::option::of(stream())).prop_map(
        |(args, varying, stdin, file)| Space {
            args_min: if varying { 0 } else { args.len() },
            args,
            stdin,
            files: file.map(|atom| ("f".to_owned(), atom)).into_iter().collect(),
            ..Space::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_decoded_can_be_encoded(space in any_space(), seeds in prop::collection::vec(any::<u64>(), 64)) {
        let layout = space.layout();
        let values = layout.cells.values().zip(seeds.iter().cycle());
        let assignment: Vec<u64> =
            values.map(|(cell, &seed)| cell.domain.nth(u128::from(seed))).collect();
        let decoded = layout.decode(&assignment);
        let encoded = layout.encode(&decoded);
        prop_assert!(encoded.is_ok(), "{:?} {:?}", decoded, encoded);
        let encoded = encoded.unwrap();
        for (cell, &value) in layout.cells.values().zip(&encoded) {
            prop_assert!(cell.domain.contains(value), "{} = {value}", cell.name);
        }
        prop_assert_eq!(layout.decode(&encoded), decoded);
    }
}
