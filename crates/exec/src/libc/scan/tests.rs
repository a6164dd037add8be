use std::convert::Infallible;

use base::Random;

use super::*;

use crate::libc::native;

/// Input text and eight argument blocks of 256 bytes at the addresses 0, 256, …
struct Call<'a> {
    text: &'a [u8],
    position: usize,
    next: u32,
    blocks: Vec<u8>,
    errno: i32,
    ranges: Vec<Range<usize>>,
}

impl Call<'_> {
    fn new(text: &[u8]) -> Call<'_> {
        let blocks = vec![0xaa; 8 * 256];
        Call { text, position: 0, next: 0, blocks, errno: 0, ranges: Vec::new() }
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        self.blocks[address as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

impl Scan for Call<'_> {
    type Error = Infallible;

    fn next(&mut self) -> Result<Option<u8>, Infallible> {
        let byte = self.text.get(self.position).copied();
        self.position += usize::from(byte.is_some());
        Ok(byte)
    }
    fn unget(&mut self, byte: u8) {
        self.position -= 1;
        assert_eq!(self.text[self.position], byte);
    }
    fn pointer(&mut self, index: Option<u32>) -> Result<u64, Infallible> {
        let index = index.unwrap_or(self.next);
        self.next = index + 1;
        Ok(u64::from(index) * 256)
    }
    fn store(
        &mut self,
        address: u64,
        value: Value<'_>,
        text: Range<usize>,
    ) -> Result<(), Infallible> {
        self.ranges.push(text);
        match value {
            Value::Integer { size, value } | Value::Count { size, value } => {
                self.put(address, &value.to_le_bytes()[..size as usize]);
            }
            Value::Float(value) => self.put(address, &value.to_le_bytes()),
            Value::Double(value) => self.put(address, &value.to_le_bytes()),
            Value::LongDouble(value) => self.put(address, &value.to_bytes()),
            Value::Bytes(bytes) => self.put(address, bytes),
            Value::Wide(wide) => {
                let bytes: Vec<u8> = wide.iter().flat_map(|c| c.to_le_bytes()).collect();
                self.put(address, &bytes);
            }
            Value::AllocatedBytes(bytes) => {
                self.put(address, &[0; 256]);
                self.put(address, bytes);
            }
            Value::AllocatedWide(_) => panic!("not in these tests"),
        }
        Ok(())
    }
    fn errno(&mut self) -> Errno {
        Errno(self.errno)
    }
    fn set_errno(&mut self, errno: Errno) {
        self.errno = errno.0;
    }
}

struct Case {
    format: String,
    tags: String,
    text: String,
}

fn check(cases: &[Case]) {
    let mut input = Vec::new();
    for case in cases {
        for part in [&case.format, &case.tags, &case.text] {
            input.extend((part.len() as u32).to_le_bytes());
            input.extend(part.bytes());
        }
    }
    let source = include_str!("../native/scanf.c");
    let Some(output) = native::run("scanf", source, &input) else {
        return;
    };
    let mut rest = output.as_slice();
    for case in cases {
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head
        };
        let mut number = || i32::from_le_bytes(take(4).try_into().unwrap());
        let expected = (number(), number(), number());
        let memory = take(256 * case.tags.len());
        let mut call = Call::new(case.text.as_bytes());
        let Ok(result) = scan(case.format.as_bytes(), &mut call);
        let left = (case.text.len() - call.position) as i32;
        let about = format!("for {:?} on {:?}", case.format, case.text);
        assert_eq!((result, call.errno, left), expected, "{about}");
        for (index, block) in memory.chunks(256).enumerate() {
            let counted = case.tags[..=index].bytes().filter(|&tag| tag != b'n').count();
            if case.tags.as_bytes()[index] == b'm' && result < counted as i32 {
                continue;
            }
            let ours = &call.blocks[index * 256..][..256];
            assert_eq!(ours, block, "argument {index} {about}");
        }
    }
}

fn random_piece(random: &mut Random, tags: &mut String) -> String {
    let width = match random.below(3) {
        0 => (1 + random.below(8)).to_string(),
        _ => String::new(),
    };
    let star = if random.below(6) == 0 { "*" } else { "" };
    let (body, tag) = match random.below(12) {
        0..4 => {
            let length = random.pick(&["", "", "hh", "h", "l", "ll", "j", "z", "t", "q", "L"]);
            let letter = random.pick(&["d", "i", "u", "o", "x", "X"]);
            (format!("{length}{letter}"), 'i')
        }
        4 | 5 => {
            let length = random.pick(&["", "l", "L"]);
            let letter = random.pick(&["f", "g", "e", "a", "E"]);
            (format!("{length}{letter}"), 'f')
        }
        6 => (random.pick(&["s", "ls", "S"]).to_owned(), 's'),
        7 => ("ms".to_owned(), 'm'),
        8 => (random.pick(&["c", "lc"]).to_owned(), 'c'),
        9 => {
            let sets = ["[a-z]", "[^,]", "[]x]", "[^]]", "[0-9-]", "[z-a]", "[-+.]", "[%x]"];
            (random.pick(&sets).to_owned(), 's')
        }
        10 => ("p".to_owned(), 'i'),
        _ => (random.pick(&["n", "hhn", "ln"]).to_owned(), 'n'),
    };
    if body.ends_with('n') {
        tags.push(tag);
        return format!("%{body}");
    }
    if star.is_empty() {
        tags.push(tag);
    }
    // The allocating modifier and suppression do not go together.
    let body = if star.is_empty() { body } else { body.replace("ms", "s") };
    format!("%{star}{width}{body}")
}

fn random_text(random: &mut Random) -> String {
    let words = [
        "1",
        "-12",
        "+7",
        "0",
        "00",
        "0x1F",
        "0x",
        "0xg",
        "077",
        "089",
        "99999999999999999999",
        "-99999999999999999999",
        "2147483648",
        "1.5",
        "-2.5e3",
        "1e",
        "1e+",
        ".5",
        ".",
        "5.",
        "-",
        "+",
        "-.",
        "inf",
        "infinity",
        "infinix",
        "in",
        "nan",
        "na",
        "nan(1)",
        "0x1.8p3",
        "0x.p1",
        "0x1p",
        "1e400",
        "(nil)",
        "(NIL)",
        "(nix",
        "abc",
        "hello world",
        "x",
        ",",
        "]",
        "%",
        "a-z",
        "1,2",
        "12abc",
        "z-a",
        "\t",
        "\n\n",
        "e5",
        "0b11",
        "1.2.3",
        "--1",
        "1e-400",
        "\u{e9}",
    ];
    let mut text = String::new();
    for _ in 0..random.below(4) {
        text.push_str(random.pick(&["", " ", "  ", "\n", ",", ""]));
        text.push_str(random.pick(&words));
    }
    text
}

#[test]
fn random_formats_and_texts_agree_with_the_host() {
    let mut random = Random::new(41);
    let mut cases = Vec::new();
    for _ in 0..30_000 {
        let mut tags = String::new();
        let mut format = String::new();
        for _ in 0..1 + random.below(3) {
            format.push_str(random.pick(&["", "", "", " ", ",", "x", " ,", "%%"]));
            format.push_str(&random_piece(&mut random, &mut tags));
        }
        format.push_str(random.pick(&["", "", " ", ",", "%", "%5", "%y"]));
        cases.push(Case { format, tags, text: random_text(&mut random) });
    }
    check(&cases);
}

#[test]
fn selected_formats_agree_with_the_host() {
    let rows = [
        ("%d", "i", ""),
        ("%d", "i", "   "),
        ("%d", "i", "x"),
        ("%d %d", "ii", "1"),
        ("%*d%d", "i", "1"),
        ("%d,%d", "ii", "1 ,2"),
        ("%d ,%d", "ii", "1 ,2"),
        ("%2$d %1$d", "ii", "1 2"),
        ("%1$s %1$n", "s", "word"),
        ("%3c%n", "cn", "ab"),
        ("%3c%n", "cn", "abcd"),
        ("%[^\n]%*c%d", "si", "a line\n5"),
        ("%5s%s", "ss", "abcdefgh"),
        ("%[a-c]%[^a-c]", "ss", "abcxyzabc"),
        ("%[abc", "s", "abc"),
        ("%1d%1d%1d", "iii", "123"),
        ("%1d", "i", "-5"),
        ("%2x", "i", "0x5"),
        ("%3i", "i", "0x5"),
        ("%1f", "f", "-1"),
        ("%2f", "f", "-1"),
        ("%3lf%s", "fs", "1.5e3"),
        ("%4lf%s", "fs", "0x1p3"),
        ("%3f%s", "fs", "infinity"),
        ("%4f%s", "fs", "infinity"),
        ("%p", "i", "(nil)"),
        ("%4p", "i", "(nil)"),
        ("%hhd %hd", "ii", "300 70000"),
        ("100%%%d", "i", "100%5"),
        ("100%%%d", "i", "100 %5"),
        ("%mc", "i", ""),
        ("", "", "abc"),
        (" ", "", "  abc"),
        ("abc", "", "abd"),
        ("%Lf", "f", "3.14159265358979323846"),
        ("%i %i %i", "iii", "010 0x10 10"),
        ("%d%%", "i", "50%"),
        ("%s", "s", "\u{a0}x"),
    ];
    let cases: Vec<Case> = rows
        .iter()
        .map(|&(format, tags, text)| Case {
            format: format.to_owned(),
            tags: tags.to_owned(),
            text: text.to_owned(),
        })
        .collect();
    check(&cases);
}

#[test]
fn stores_tell_which_part_of_the_input_they_come_from() {
    let mut call = Call::new(b"  12, 3.5 word");
    let Ok(result) = scan(b"%d, %lf %s", &mut call);
    assert_eq!(result, 3);
    assert_eq!(call.ranges, [2..4, 6..9, 10..14]);
}
