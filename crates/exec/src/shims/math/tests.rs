use crate::code::Passing;
use crate::libc::decimal::X87;
use crate::shims::testing::{call, call_with, errno, place};
use crate::shims::{Group, Outcome};
use crate::state::State;

fn word(outcome: Outcome) -> u64 {
    match outcome {
        Outcome::Value(value) => value,
        other => panic!("{other:?} is not one word"),
    }
}

fn unary(name: &str, argument: f64) -> (f64, i32) {
    let mut state = State::scratch();
    let result = word(call(&mut state, name, &[argument.to_bits()]).unwrap());
    (f64::from_bits(result), errno(&mut state))
}

#[test]
fn a_domain_error_sets_errno() {
    let (result, errno) = unary("log", -1.0);
    assert!(result.is_nan());
    assert_eq!(errno, 33);
    assert_eq!(unary("exp", 1000.0), (f64::INFINITY, 34));
    assert_eq!(unary("sqrt", 9.0), (3.0, 0));
    assert_eq!(unary("floor", -2.5), (-3.0, 0));
    assert_eq!(unary("__log_finite", 1.0), (0.0, 0));
}

#[test]
fn zeros_keep_the_sign_that_the_library_gives_them() {
    let mut state = State::scratch();
    let zeros = [(-0.0f64).to_bits(), 0.0f64.to_bits()];
    let host = f64::from_bits(zeros[0]).copysign(-1.0).to_bits();
    assert_eq!(word(call(&mut state, "copysign", &[zeros[1], zeros[0]]).unwrap()), host);
    assert_eq!(unary("rint", -0.25), (-0.0, 0));
    assert!(unary("rint", -0.25).0.is_sign_negative());
}

#[test]
fn second_results_go_through_pointers() {
    let mut state = State::scratch();
    let at = place(&mut state, &[0; 8]);
    let result = call(&mut state, "frexp", &[48f64.to_bits(), at]).unwrap();
    assert_eq!(f64::from_bits(word(result)), 0.75);
    assert_eq!(state.memory.read_u32(at).unwrap(), 6);
    let result = call(&mut state, "modf", &[(-2.5f64).to_bits(), at]).unwrap();
    assert_eq!(f64::from_bits(word(result)), -0.5);
    assert_eq!(f64::from_bits(state.memory.read_u64(at).unwrap()), -2.0);
    assert!(call(&mut state, "modf", &[0, 0]).is_err());
}

#[test]
fn floats_take_the_low_half_of_a_word() {
    let mut state = State::scratch();
    let argument = u64::from(2f32.to_bits()) | 0xdead << 32;
    let result = word(call(&mut state, "sqrtf", &[argument]).unwrap());
    assert_eq!(result, u64::from(2f32.sqrt().to_bits()));
    let result = word(call(&mut state, "lroundf", &[u64::from((-2.5f32).to_bits())]).unwrap());
    assert_eq!(result as i64, -3);
}

#[test]
fn only_rounding_to_nearest_is_known() {
    let mut state = State::scratch();
    assert_eq!(word(call(&mut state, "fesetround", &[0]).unwrap()), 0);
    assert!(call(&mut state, "fesetround", &[0x400]).is_err());
    assert_eq!(word(call(&mut state, "fegetround", &[]).unwrap()), 0);
}

/// A spread of 80-bit numbers: simple, large, tiny, subnormal, special.
fn samples() -> Vec<X87> {
    let mut samples: Vec<X87> =
        [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 10.0, 100.25, 1e10, -1e-5, 3.0e300, f64::INFINITY]
            .map(X87::from)
            .to_vec();
    samples.push(X87::new(0x7fff, 0xc000_0000_0000_0000));
    samples.push(X87::new(0x7fff, 0xa000_0000_0000_0001));
    samples.push(X87::new(0x7ffe, u64::MAX));
    samples.push(X87::new(0x8000, 1));
    samples.push(X87::new(0, 1 << 62));
    let mut bits = 1u64;
    for exponent in (16300..16460u16).step_by(3) {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let sign = (bits as u16 & 1) << 15;
        samples.push(X87::new(exponent | sign, bits | 1 << 63));
    }
    samples
}

/// The driver reads records of four arguments and prints results of every function on them.
fn driver(unary: Group, binary: Group, to_long: Group) -> String {
    let mut text = String::from(
        "#define _GNU_SOURCE\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\
         #include <errno.h>\n\
         static void out(long double x) { unsigned char b[10]; memcpy(b, &x, 10); \
         fwrite(b, 1, 10, stdout); putchar(errno); errno = 0; }\n\
         static void outl(long x) { fwrite(&x, 1, 8, stdout); putchar(errno); errno = 0; }\n\
         int main(void) { unsigned char a[10], c[10]; errno = 0;\n\
         while (fread(a, 1, 10, stdin) == 10 && fread(c, 1, 10, stdin) == 10) {\n\
         long double x = 0, y = 0; memcpy(&x, a, 10); memcpy(&y, c, 10);\n",
    );
    for (name, _) in unary {
        text.push_str(&format!("out({name}(x));\n"));
    }
    for (name, _) in binary {
        text.push_str(&format!("out({name}(x, y));\n"));
    }
    for (name, _) in to_long {
        text.push_str(&format!("outl({name}(x));\n"));
    }
    text.push_str("int e = 0; out(frexpl(x, &e)); outl(e); e = 0;\n");
    text.push_str("out(remquol(x, y, &e)); outl(e); out(ldexpl(x, 7)); out(jnl(3, x));\n");
    text.push_str("long double w; out(modfl(x, &w)); out(w); out(fmal(x, y, y));\n");
    text.push_str("double d = nexttoward(1.5, x); fwrite(&d, 1, 8, stdout);\n");
    text.push_str("float f = nexttowardf(1.5f, x); fwrite(&f, 1, 4, stdout);\n}}\n");
    text
}

struct Answers {
    state: State,
    bytes: Vec<u8>,
}

impl Answers {
    fn errno(&mut self) {
        let number = errno(&mut self.state);
        self.bytes.push(number as u8);
        let at = self.state.process.errno;
        self.state.memory.write_u32(at, 0).unwrap();
    }

    fn long_double(&mut self, name: &str, words: &[u64], passing: &[Passing]) {
        match call_with(&mut self.state, name, words, passing).unwrap() {
            Outcome::Pair(low, high) => {
                self.bytes.extend(X87::new(high as u16, low).to_bytes());
                self.errno();
            }
            other => panic!("{name} gave {other:?}"),
        }
    }

    fn long(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
        self.errno();
    }

    fn of(&mut self, x: X87, y: X87, extra: u64) {
        use Passing::{Double, Int, LongDouble};
        let (x0, x1) = (x.mantissa, u64::from(x.sign_exponent));
        let (y0, y1) = (y.mantissa, u64::from(y.sign_exponent));
        for (name, _) in super::long_double::UNARY {
            self.long_double(name, &[x0, x1], &[LongDouble]);
        }
        for (name, _) in super::long_double::BINARY {
            self.long_double(name, &[x0, x1, y0, y1], &[LongDouble, LongDouble]);
        }
        for (name, _) in super::long_double::TO_LONG {
            let result = call_with(&mut self.state, name, &[x0, x1], &[LongDouble]).unwrap();
            self.long(word(result));
        }
        self.state.memory.write_u64(extra, 0).unwrap();
        self.long_double("frexpl", &[x0, x1, extra], &[LongDouble, Int]);
        let exponent = self.state.memory.read_u32(extra).unwrap() as i32;
        self.long(i64::from(exponent) as u64);
        self.state.memory.write_u64(extra, 0).unwrap();
        self.long_double("remquol", &[x0, x1, y0, y1, extra], &[LongDouble, LongDouble, Int]);
        let quotient = self.state.memory.read_u32(extra).unwrap() as i32;
        self.long(i64::from(quotient) as u64);
        self.long_double("ldexpl", &[x0, x1, 7], &[LongDouble, Int]);
        self.long_double("jnl", &[3, x0, x1], &[Int, LongDouble]);
        self.long_double("modfl", &[x0, x1, extra], &[LongDouble, Int]);
        let whole = self.state.memory.bytes(extra, 10).unwrap().to_vec();
        self.bytes.extend(whole);
        self.errno();
        let three = [LongDouble, LongDouble, LongDouble];
        self.long_double("fmal", &[x0, x1, y0, y1, y0, y1], &three);
        let words = [1.5f64.to_bits(), x0, x1];
        let next = call_with(&mut self.state, "nexttoward", &words, &[Double, LongDouble]).unwrap();
        self.bytes.extend(word(next).to_le_bytes());
        let words = [u64::from(1.5f32.to_bits()), x0, x1];
        let next =
            call_with(&mut self.state, "nexttowardf", &words, &[Double, LongDouble]).unwrap();
        self.bytes.extend((word(next) as u32).to_le_bytes());
    }
}

#[test]
fn long_double_functions_agree_with_native_ones() {
    use super::long_double::{BINARY, TO_LONG, UNARY};
    let samples = samples();
    let mut input = Vec::new();
    let mut answers = Answers { state: State::scratch(), bytes: Vec::new() };
    let extra = place(&mut answers.state, &[0; 16]);
    for (index, &x) in samples.iter().enumerate() {
        let y = samples[(index * 7 + 3) % samples.len()];
        input.extend(x.to_bytes());
        input.extend(y.to_bytes());
        answers.of(x, y, extra);
    }
    let source = driver(UNARY, BINARY, TO_LONG);
    if let Some(native) = crate::libc::native::run("long double", &source, &input) {
        assert_eq!(native.len(), answers.bytes.len());
        let different = native.iter().zip(&answers.bytes).position(|(a, b)| a != b);
        assert_eq!(different, None);
    }
}
