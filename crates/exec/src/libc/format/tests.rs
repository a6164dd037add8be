use std::convert::Infallible;

use base::Random;

use super::super::decimal::Notation;
use super::*;

use crate::libc::native;

/// An argument of a test call.
#[derive(Clone, Debug)]
enum Argument {
    Integer(u64),
    Double(f64),
    LongDouble(X87),
    Text(Vec<u8>),
    Wide(Vec<u32>),
    Count,
}

struct Call<'a> {
    arguments: &'a [Argument],
    next: usize,
    counter: u64,
}

impl Call<'_> {
    fn next(&mut self) -> (u64, Option<&Argument>) {
        self.next += 1;
        // Pointers are the ordinal of the argument, which is never zero.
        (self.next as u64, self.arguments.get(self.next - 1))
    }
}

impl Arguments for Call<'_> {
    type Error = Infallible;

    fn next_integer(&mut self) -> Result<u64, Infallible> {
        Ok(match self.next() {
            (_, Some(Argument::Integer(value))) => *value,
            (address, _) => address,
        })
    }
    fn next_double(&mut self) -> Result<f64, Infallible> {
        match self.next() {
            (_, Some(Argument::Double(value))) => Ok(*value),
            other => panic!("a double expected, found {other:?}"),
        }
    }
    fn next_long_double(&mut self) -> Result<X87, Infallible> {
        match self.next() {
            (_, Some(Argument::LongDouble(value))) => Ok(*value),
            other => panic!("a long double expected, found {other:?}"),
        }
    }
    fn read_string(
        &mut self,
        address: u64,
        limit: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Infallible> {
        let Argument::Text(text) = &self.arguments[address as usize - 1] else {
            panic!("argument {address} is no string");
        };
        let length = text.iter().take(limit).take_while(|&&byte| byte != 0).count();
        out.extend_from_slice(&text[..length]);
        Ok(())
    }
    fn read_wide_string(
        &mut self,
        address: u64,
        limit: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), Infallible> {
        let Argument::Wide(text) = &self.arguments[address as usize - 1] else {
            panic!("argument {address} is no wide string");
        };
        out.extend(text.iter().take(limit));
        Ok(())
    }
    fn store_count(&mut self, _: u64, size: u32, count: u64) -> Result<(), Infallible> {
        let mask = u64::MAX >> (64 - 8 * size);
        self.counter = self.counter & !mask | count & mask;
        Ok(())
    }
    fn errno(&mut self) -> Errno {
        Errno(0)
    }
}

const COUNTER: u64 = 0x1122_3344_5566_7788;

fn ours(text: &[u8], arguments: &[Argument]) -> (i32, i32, u64, Vec<u8>) {
    let mut call = Call { arguments, next: 0, counter: COUNTER };
    let mut output = Output::default();
    let parsed = Format::parse(text);
    let Ok(outcome) = format(&parsed, &mut call, 1 << 20, &mut output);
    let joined: Vec<u8> =
        output.pieces.iter().flat_map(|piece| output.bytes[piece.range.clone()].to_vec()).collect();
    match outcome {
        Outcome::Written(length) => {
            assert_eq!(joined, output.bytes, "the pieces are the output");
            (length as i32, 0, call.counter, output.bytes)
        }
        Outcome::Failed(errno) => (-1, errno.0, call.counter, Vec::new()),
        Outcome::Exhausted => panic!("no test output is that long"),
    }
}

fn encode(text: &[u8], arguments: &[Argument], input: &mut Vec<u8>) {
    let push = |data: &[u8], input: &mut Vec<u8>| {
        input.extend((data.len() as u32).to_le_bytes());
        input.extend(data);
    };
    push(text, input);
    input.extend((arguments.len() as u32).to_le_bytes());
    for argument in arguments {
        let (tag, data) = match argument {
            Argument::Integer(value) => (b'i', value.to_le_bytes().to_vec()),
            Argument::Double(value) => (b'd', value.to_le_bytes().to_vec()),
            Argument::LongDouble(value) => (b'L', value.to_bytes().to_vec()),
            Argument::Text(text) => (b's', text.clone()),
            Argument::Wide(text) => (b'w', text.iter().flat_map(|c| c.to_le_bytes()).collect()),
            Argument::Count => (b'n', Vec::new()),
        };
        input.push(tag);
        push(&data, input);
    }
}

fn check(cases: &[(Vec<u8>, Vec<Argument>)]) {
    let mut input = Vec::new();
    for (text, arguments) in cases {
        encode(text, arguments, &mut input);
    }
    let source = include_str!("../native/printf.c");
    let Some(output) = native::run("printf", source, &input) else {
        return;
    };
    let mut rest = output.as_slice();
    for (text, arguments) in cases {
        let (head, tail) = rest.split_at(16);
        let result = i32::from_le_bytes(head[..4].try_into().unwrap());
        let errno = i32::from_le_bytes(head[4..8].try_into().unwrap());
        let counter = u64::from_le_bytes(head[8..].try_into().unwrap());
        let (bytes, tail) = tail.split_at(result.max(0) as usize);
        rest = tail;
        let (r, e, c, b) = ours(text, arguments);
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(
            (r, e, c, show(&b)),
            (result, errno, counter, show(bytes)),
            "for {:?} with {arguments:?}",
            show(text)
        );
    }
    assert!(rest.is_empty());
}

fn random_integer(random: &mut Random) -> u64 {
    let edges = [0, 1, -1, 9, 10, 127, 128, 255, 256, 32767, 65536, i32::MAX as i64];
    match random.below(4) {
        0 => edges[random.below(edges.len())] as u64,
        1 => random.next() >> random.below(64),
        2 => (random.next() as i64 >> random.below(64)) as u64,
        _ => (edges[random.below(edges.len())] as u64).wrapping_neg(),
    }
}

fn random_double(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => *random.pick(&[
            &0.0,
            &-0.0,
            &1.0,
            &0.5,
            &1.5,
            &2.5,
            &0.125,
            &9.5,
            &99999.5,
            &999999.5,
            &0.0001,
            &0.00009999995,
            &f64::MAX,
            &f64::MIN_POSITIVE,
            &5e-324,
            &f64::INFINITY,
            &f64::NEG_INFINITY,
            &f64::NAN,
            &-f64::NAN,
        ]),
        1 => f64::from_bits(random.next()),
        2 => random.below(100_000) as f64 / 8.0,
        3 => random.below(1_000_000) as f64 / 1000.0,
        4 => -(random.below(2000) as f64) * 0.1,
        5 => 10f64.powi(random.below(60) as i32 - 30),
        6 => random.next() as f64 / 16.0,
        _ => (random.next() >> 11) as f64 * 2f64.powi(random.below(200) as i32 - 150),
    }
}

fn random_long_double(random: &mut Random) -> X87 {
    match random.below(4) {
        0 => X87::from(random_double(random)),
        1 => X87::new(random.below(0x7fff) as u16, random.next() | 1 << 63),
        2 => X87::new((0x3f80 + random.below(256)) as u16, random.next() | 1 << 63),
        _ => X87::new(0, random.next() >> 1 >> random.below(63)),
    }
}

fn random_amount(random: &mut Random, arguments: &mut Vec<Argument>) -> String {
    match random.below(8) {
        0..4 => String::new(),
        4..7 => random.below(25).to_string(),
        _ => {
            let value = random.below(40) as i64 - 15;
            arguments.push(Argument::Integer(value as u64));
            "*".to_owned()
        }
    }
}

/// One conversion and its arguments.
fn random_conversion(random: &mut Random, arguments: &mut Vec<Argument>) -> String {
    let mut text = "%".to_owned();
    for _ in 0..random.below(4) {
        text.push(*random.pick(&[&'-', &'+', &' ', &'#', &'0', &'\'', &'0']));
    }
    text.push_str(&random_amount(random, arguments));
    if random.below(2) == 0 {
        text.push('.');
        text.push_str(&random_amount(random, arguments));
    }
    match random.below(10) {
        0..4 => {
            text.push_str(random.pick(&["", "", "hh", "h", "l", "ll", "q", "L", "j", "z", "t"]));
            text.push_str(random.pick(&["d", "i", "u", "o", "x", "X", "b", "B"]));
            arguments.push(Argument::Integer(random_integer(random)));
        }
        4 | 5 => {
            text.push_str(random.pick(&["e", "E", "f", "F", "g", "G", "a", "A", "lf", "lg"]));
            arguments.push(Argument::Double(random_double(random)));
        }
        6 => {
            text.push_str(random.pick(&["Le", "LE", "Lf", "Lg", "LG", "La", "LA", "llf"]));
            arguments.push(Argument::LongDouble(random_long_double(random)));
        }
        7 => {
            text.push_str(random.pick(&["s"]));
            let string = random.pick(&["", "a", "hello", "a longer string than most"]);
            arguments.push(match random.below(6) {
                0 => Argument::Integer(0),
                _ => Argument::Text(string.into()),
            });
        }
        8 => match random.below(4) {
            0 => {
                text.push('p');
                arguments.push(Argument::Integer(random.next() >> random.below(65).min(63)));
            }
            1 => {
                text.push_str(random.pick(&["ls", "S"]));
                let string = random.pick(&["", "wide", "wid\u{e9}", "\u{20ac}"]);
                let wide = string.chars().map(u32::from).collect();
                arguments.push(Argument::Wide(wide));
            }
            2 => {
                text.push_str(random.pick(&["hhn", "hn", "n", "ln", "lln", "jn", "zn", "tn"]));
                arguments.push(Argument::Count);
            }
            _ => text.push('m'),
        },
        _ => {
            text.push_str(random.pick(&["c", "c", "lc", "C"]));
            arguments.push(Argument::Integer(1 + random.below(126) as u64));
        }
    }
    text
}

#[test]
fn random_formats_agree_with_the_host() {
    let mut random = Random::new(11);
    let mut cases = Vec::new();
    for _ in 0..20_000 {
        let mut arguments = Vec::new();
        let mut text = String::new();
        for _ in 0..1 + random.below(3) {
            text.push_str(random.pick(&["", "", "x", "=> ", "100%%", "%5%"]));
            text.push_str(&random_conversion(&mut random, &mut arguments));
        }
        cases.push((text.into_bytes(), arguments));
    }
    check(&cases);
}

#[test]
fn odd_formats_agree_with_the_host() {
    let integers: Vec<Argument> = (1..=6).map(|n| Argument::Integer(n * 11)).collect();
    let formats = "|plain|%|%%|a%|%5|%-|%l|%.|%y|%5y|%-+5.3y|%ly|%#'+ -0I5.2y|%d%|%y%|%1$d%|%1$d%5|%1$d%.3|\
        %d %d %3$d %d|%2$d %1$d|%2$*1$d|%1$*2$.*3$d|%*2$d|%3$d|%1$d %d %d|%d %y %d|%5-d|%hld|%llld|%hhhd|\
        %.-5d|%.*d|%99999999999d|%.99999999999d|%1$99999999999d|%0$d|%99$y|%'d|%I d|%Zd|%zu|%tu|%jd|%Ld|%qd|\
        %ld%n|%1$d%%%2$d|%-5%|%k%d|%d%k%d|%#x %#X %#o|%+u|% u|%+x|%0-8d|%-08d|%08.3d|%+.0d|%1$s$|%b|%w|%1$m %m|%5m|%-9mx|%.2m|%y %Ld %qd %lld|%b %B %#b";
    let mut cases: Vec<_> = formats
        .split('|')
        .filter(|text| !text.contains("%n") && !text.contains("$s"))
        .map(|text| (text.as_bytes().to_vec(), integers.clone()))
        .collect();
    for bad in ["ab%lc", "%C", "%5lc"] {
        cases.push((bad.into(), vec![Argument::Integer(0x20ac)]));
    }
    for text in ["%2$s %1$d %2$.3s|", "%1$d %2$s %1$x", "%3$*1$d %2$s"] {
        let arguments =
            vec![Argument::Integer(9), Argument::Text(b"text".to_vec()), Argument::Integer(5)];
        cases.push((text.into(), arguments));
    }
    let mixed = vec![
        Argument::Double(2.75),
        Argument::LongDouble(X87::from(0.1)),
        Argument::Integer(12),
        Argument::Text(b"end".to_vec()),
    ];
    cases.push((b"%4$s %2$.20Lf %1$*3$.3f %3$d".to_vec(), mixed));
    cases.push((b"%lc%c".to_vec(), vec![Argument::Integer(0), Argument::Integer(0)]));
    check(&cases);
}

#[test]
fn large_precisions_agree_with_the_host() {
    let mut random = Random::new(5);
    let mut cases = Vec::new();
    for _ in 0..300 {
        let precision = random.below(1200);
        let letter = random.pick(&["e", "f", "g", "a"]);
        let double = Argument::Double(f64::from_bits(random.next()));
        cases.push((format!("%.{precision}{letter}").into_bytes(), vec![double]));
        let long = Argument::LongDouble(X87::new(random.next() as u16 & 0x7fff, random.next()));
        if letter != "a" {
            cases.push((format!("%#.{}L{letter}", precision * 8).into_bytes(), vec![long]));
        }
    }
    cases.push((b"%.50d".to_vec(), vec![Argument::Integer(7)]));
    cases.push((b"%500.300x".to_vec(), vec![Argument::Integer(7)]));
    check(&cases);
}

#[test]
fn pieces_tell_where_the_output_comes_from() {
    let text = b"n=%d, %*.*f%%\n";
    let arguments =
        [Argument::Integer(42), Argument::Integer(8), Argument::Integer(2), Argument::Double(1.5)];
    let mut call = Call { arguments: &arguments, next: 0, counter: 0 };
    let mut output = Output::default();
    let parsed = Format::parse(text);
    let Ok(outcome) = format(&parsed, &mut call, 100, &mut output);
    assert_eq!(outcome, Outcome::Written(16));
    let shown: Vec<_> = output
        .pieces
        .iter()
        .map(|piece| (&output.bytes[piece.range.clone()], piece.source.clone()))
        .collect();
    let conversion = |directive, argument, value| Source::Conversion {
        directive,
        argument: Some(argument),
        value: Some(value),
    };
    assert_eq!(
        shown,
        [
            (&b"n="[..], Source::Literal),
            (b"42", conversion(1, 0, Value::Integer(42))),
            (b", ", Source::Literal),
            (b"    1.50", conversion(3, 3, Value::Double(1.5))),
            (b"%\n", Source::Literal),
        ]
    );
    let Directive::Conversion(spec) = &parsed.directives[3] else {
        panic!("a conversion");
    };
    assert_eq!(spec.conversion, Conversion::Float(Notation::Fixed));
    assert_eq!(spec.width, Amount::Argument(1));
}

#[test]
fn output_beyond_the_limit_is_exhausted_and_beyond_int_max_an_error() {
    let run = |text: &[u8], arguments: &[Argument]| {
        let mut call = Call { arguments, next: 0, counter: 0 };
        let mut output = Output::default();
        let Ok(outcome) = format(&Format::parse(text), &mut call, 1000, &mut output);
        outcome
    };
    let one = [Argument::Integer(1)];
    assert_eq!(run(b"%1001d", &one), Outcome::Exhausted);
    assert_eq!(run(b"%1000d", &one), Outcome::Written(1000));
    assert_eq!(run(b"%.1000000000d", &one), Outcome::Exhausted);
    assert_eq!(run(b"%.1000000000f", &[Argument::Double(1.0)]), Outcome::Exhausted);
    let long = [Argument::Text(vec![b'x'; 2000])];
    assert_eq!(run(b"%s", &long), Outcome::Exhausted);
    assert_eq!(run(b"x%2147483647d", &one), Outcome::Failed(Errno::EOVERFLOW));
}

#[test]
fn the_cache_returns_the_same_parse() {
    let mut cache = FormatCache::default();
    let first = cache.get(b"%d\n");
    assert!(std::sync::Arc::ptr_eq(&first, &cache.get(b"%d\n")));
    assert_eq!(*first, Format::parse(b"%d\n"));
}
