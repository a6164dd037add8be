use base::Random;

use super::*;

use crate::libc::native;

fn row(text: &[u8]) -> String {
    let (d, f, l) = (parse_f64(text), parse_f32(text), parse_x87(text));
    let errno = |range| if range { 34 } else { 0 };
    format!(
        "{:016x} {} {} {:08x} {} {} {:04x}{:016x} {} {}",
        d.value.to_bits(),
        d.length,
        errno(d.range),
        f.value.to_bits(),
        f.length,
        errno(f.range),
        l.value.sign_exponent,
        l.value.mantissa,
        l.length,
        errno(l.range)
    )
}

fn check_parsing(lines: &[String]) {
    let input = lines.join("\n") + "\n";
    let source = include_str!("../native/strtod.c");
    let Some(output) = native::run("strtod", source, input.as_bytes()) else {
        return;
    };
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output.lines().count(), lines.len());
    for (line, expected) in lines.iter().zip(output.lines()) {
        assert_eq!(row(line.as_bytes()), expected, "for {line:?}");
    }
}

#[test]
fn parsing_agrees_with_the_host_on_the_grammar_and_the_limits() {
    let cases = "0|-0|+1|1.|.5|.|-|+|e5|1e|1e+|1e5|1E-5x|  12|\t\u{b}1|0x|0x.|0x1|0x1p|0x1p3|0x.8p1|\
        0x1.fffffffffffff8p0|0x1.fffffffffffff7p0|0x1.ffffffp127|0x1.fffffefp127|inf|INFinity|infinit|\
        nan|-nan|nan(|nan()|nan(12)|nan(0x7f)|nan(017)|nan(zz)|nan(1-)|NAN(99999999999999999999)|\
        1e400|-1e400|1e-400|1e5000|1e-5000|1e99999999999999999999|0e99999999999999999999|1e-99999999999999|\
        2.2250738585072014e-308|2.2250738585072011e-308|2.2250738585072012e-308|2.2250738585072013e-308|\
        4.9406564584124654e-324|2.4703282292062327e-324|2.4703282292062328e-324|1e-323|\
        1.7976931348623157e308|1.7976931348623158e308|1.7976931348623159e308|\
        0x1p-1074|0x1p-1075|0x1.8p-1075|0x1p-1076|0x0.fffffffffffff8p-1022|0x0.fffffffffffffcp-1022|\
        0x0.fffffffffffffbp-1022|0x0.fffffffffffffap-1022|0x0.fffffffffffffcp-1022|\
        1.17549435e-38|1.1754943508222875e-38|1.17549430e-38|1.17549429e-38|1.17549432e-38|1.401298464324817e-45|7e-46|3.4028235e38|3.4028236e38|\
        3.36210314311209350626e-4932|3.3621031431120935062e-4932|3.3621031431120935060e-4932|1.18973149535723176502e+4932|1.18973149535723176509e+4932|\
        3.6e-4951|1.8e-4951|1.9e-4951|0x8p-16448|0x1p-16445|0x1p-16446|0x1.8p-16446|0.1|0.2|0.3|123456789012345678901234567890|\
        9007199254740993|9007199254740993.0000000000000000000000000000001|1e23|8.5e22|00000000000000000000000000001|0.000000000000000000000000000001|\
        0x123456789abcdef0123456789abcdef0123456789|0x0.00000000000000000000000000000000000000123456789abcdef01234567p3|1e1e1|1..2|0x1.8.8|--1|+-1|1_0|1,5";
    let mut lines: Vec<String> = cases.split('|').map(str::to_owned).collect();
    lines.push("1".repeat(2000));
    lines.push(format!("0.{}1", "0".repeat(3000)));
    lines.push(format!("9007199254740992.{}1", "0".repeat(1500)));
    lines.push(format!("9007199254740993{}1e-1501", "0".repeat(1500)));
    check_parsing(&lines);
}

#[test]
fn parsing_agrees_with_the_host_on_random_numbers() {
    let mut random = Random::new(7);
    let mut lines = Vec::new();
    for _ in 0..4000 {
        let digits = 1 + random.below(22);
        let mut line = String::new();
        if random.below(3) == 0 {
            line.push('-');
        }
        let hex = random.below(4) == 0;
        if hex {
            line.push_str("0x");
        }
        let point = random.below(digits + 1);
        for place in 0..digits {
            if place == point {
                line.push('.');
            }
            let digit = random.below(if hex { 16 } else { 10 }) as u32;
            line.push(char::from_digit(digit, 16).unwrap());
        }
        let span = *random.pick(&[&20usize, &100, &700, &2500, &10_000, &33_000]);
        let exponent = random.below(span) as i64 - span as i64 / 2;
        line.push_str(&format!("{}{exponent}", if hex { 'p' } else { 'e' }));
        lines.push(line);
    }
    check_parsing(&lines);
}

#[test]
fn every_double_survives_printing_with_seventeen_digits() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let value = f64::from_bits(random.next() >> 1);
        if !value.is_finite() {
            continue;
        }
        let Kind::Finite { mantissa, exponent } = Float::from(value).kind else {
            panic!("{value} is finite");
        };
        let mut text = Vec::new();
        write_decimal((mantissa, exponent), Notation::Scientific, 16, false, false, &mut text);
        assert_eq!(parse_f64(&text).value.to_bits(), value.to_bits());
        text.clear();
        write_hex(Float::from(value), None, false, false, &mut text);
        let text = [b"0x", text.as_slice()].concat();
        assert_eq!(parse_f64(&text).value.to_bits(), value.to_bits());
    }
}

#[test]
fn a_double_widens_exactly() {
    assert_eq!(X87::from(1.0), X87::new(0x3fff, 1 << 63));
    assert_eq!(X87::from(-2.5), X87::new(0xc000, 0xa << 60));
    assert_eq!(X87::from(f64::INFINITY), X87::new(0x7fff, 1 << 63));
    assert_eq!(X87::from(5e-324), X87::new(0x3fff - 1074, 1 << 63));
    assert_eq!(X87::from_bytes(X87::from(0.1).to_bytes()), X87::from(0.1));
}
