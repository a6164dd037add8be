//! Scripts by what they say, and generated questions against other solvers.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::*;
use crate::chain::standard;
use crate::eval::Evaluator;
use crate::sat::SatSolver;
use crate::solver::{Answer, Budget, Solver};
use crate::term::{Function, Rounding, Sort, TermId, Terms};

fn say(text: &str) -> String {
    let mut output = String::new();
    let budget = Budget::default;
    let result = run(text, &mut standard(), &budget, &mut |line| {
        output.push_str(line);
        output.push('\n');
    });
    match result {
        Ok(()) => output,
        Err(error) => format!("{output}{error}\n"),
    }
}

#[test]
fn a_script_is_answered_command_by_command() {
    let text = "(set-logic QF_BV)
        (declare-const x (_ BitVec 8)) ; a byte
        (declare-fun p () Bool)
        (define-fun twice ((y (_ BitVec 8))) (_ BitVec 8) (bvadd y y))
        (assert (! (= (twice x) #x0a) :named a))
        (assert (let ((y (bvult x #x10))) (=> p (not y))))
        (check-sat)
        (get-value (x p (bvmul x x)))
        (push 1)
        (assert p)
        (check-sat)
        (get-value (x))
        (assert (bvult x #x80))
        (check-sat)
        (pop 1)
        (assert (and (not p) (bvult x #x80)))
        (check-sat)
        (get-model)";
    let expected = "sat\n((x #x05)\n (p false)\n ((bvmul x x) #x19))\nsat\n((x #x85))\nunsat\nsat\n\
        (\n  (define-fun x () (_ BitVec 8) #x05)\n  (define-fun p () Bool false)\n)\n";
    assert_eq!(say(text), expected);
}

#[test]
fn arrays_functions_and_floats_are_read() {
    let text = "(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
        (declare-const i (_ BitVec 32))
        (assert (= (select (store m i #x07) #x00000003) #x07))
        (assert (not (= (select m #x00000003) #x07)))
        (declare-fun f ((_ BitVec 32)) (_ BitVec 32))
        (assert (= (f (f i)) #x00000009))
        (check-sat)
        (get-value (i))";
    assert_eq!(say(text), "sat\n((i #x00000003))\n");
    let text = "(declare-const x Float64)
        (define-fun c () Float64 ((_ to_fp 11 53) RNE 0.1))
        (assert (= (fp.add RNE x c) ((_ to_fp 11 53) RNE 0.3)))
        (assert (fp.lt x (fp #b0 #b10000000000 #x0000000000000)))
        (check-sat)
        (assert (fp.isNaN x))
        (check-sat)";
    assert_eq!(say(text), "sat\nunsat\n");
}

#[test]
fn a_fault_in_the_text_is_one_sentence_with_its_line() {
    let cases = [
        ("(check-sat))", "line 1: a parenthesis closes nothing"),
        ("\n(assert (= x", "line 2: a parenthesis is never closed"),
        ("(assert x)", "line 1: `x` is not declared"),
        ("(frob 1)", "line 1: the command `frob` is not supported"),
        ("(assert)", "line 1: `assert` should look like `(assert term)`"),
        ("x", "line 1: a command is expected, not `x`"),
        ("(declare-const x Int)", "line 1: the sort `Int` is not supported"),
        ("(declare-const x Bul)", "line 1: `Bul` is no sort"),
        ("(get-model)", "line 1: there is no model: the last answer was not `sat`"),
        ("(pop 1)", "line 1: there are fewer than 1 levels to pop"),
        (
            "(declare-const x Bool)\n(assert (bvult x #x1))",
            "line 2: `bvult` does not take these arguments: Bool, (_ BitVec 4)",
        ),
        (
            "(assert (bvult #b1 #b11))",
            "line 1: `bvult` does not take these arguments: (_ BitVec 1), (_ BitVec 2)",
        ),
        ("(echo \"a", "line 1: a string has no end"),
        ("(declare-const x Bool)\n(declare-const x Bool)", "line 2: `x` is declared twice"),
    ];
    for (text, expected) in cases {
        assert_eq!(say(text), format!("{expected}\n"));
    }
}

#[test]
fn texts_nested_too_deep_are_refused() {
    let deep = format!("(assert {}true{})", "(not ".repeat(200_000), ")".repeat(200_000));
    assert!(say(&deep).contains("nested deeper"));
    let lets = format!(
        "(assert {}true{})(check-sat)",
        "(let ((x true)) ".repeat(50_000),
        ")".repeat(50_000)
    );
    assert_eq!(say(&lets), "sat\n");
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }

    fn pick(&mut self, pool: &[TermId]) -> TermId {
        pool[self.below(pool.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Theory {
    Bits,
    Arrays,
    Functions,
    Floats,
}

fn operation(t: &mut Terms, r: &mut Random, a: TermId, b: TermId) -> TermId {
    let width = t.width(a);
    let k = t.constant(width, r.below(20));
    match r.below(16) {
        0 => t.add(a, b),
        1 => t.sub(a, b),
        2 => t.mul(a, b),
        3 => t.udiv(a, k),
        4 => t.urem(a, b),
        5 => t.sdiv(a, b),
        6 => t.srem(a, k),
        7 => t.shl(a, b),
        8 => t.lshr(a, b),
        9 => t.ashr(a, k),
        10 => t.and(a, b),
        11 => t.xor(a, b),
        12 => t.or(a, k),
        13 => t.rotate_right(a, b),
        14 => {
            let low = t.extract(a, 0, width / 2);
            t.sext(low, width)
        }
        _ => {
            let c = t.ult(a, b);
            t.ite(c, a, k)
        }
    }
}

fn float_operation(t: &mut Terms, r: &mut Random, a: TermId, b: TermId) -> TermId {
    let rounding = Rounding::ALL[r.below(5) as usize];
    match r.below(9) {
        0 | 1 => t.fadd(a, b),
        2 => t.fsub(a, b),
        3 => t.fmul(a, b),
        4 => t.fneg(a),
        5 => t.fabs(b),
        6 => t.fround(a, rounding),
        7 => {
            let number = t.fptosi(a, 32);
            t.sitofp(number, 32)
        }
        _ => {
            let c = t.flt(a, b);
            t.ite(c, a, b)
        }
    }
}

fn question(t: &mut Terms, r: &mut Random, theory: Theory) -> Vec<TermId> {
    let width = if theory == Theory::Floats { 32 } else { 12 };
    let mut pool: Vec<TermId> =
        ["x", "y", "z"].map(|name| t.variable(name, Sort::Bits(width))).to_vec();
    let mut array = t.variable("m", Sort::Array { index: 12, element: 12 });
    let function =
        t.function(Function { name: "f".to_owned(), arguments: vec![12], result: 12, value: None });
    if theory == Theory::Floats {
        let numbers = [1.0f32, -2.5, 0.1, 1e20, 0.0];
        pool.push(t.constant(32, u64::from(numbers[r.below(5) as usize].to_bits())));
    }
    for _ in 0..5 {
        let (a, b) = (r.pick(&pool), r.pick(&pool));
        let term = match (theory, r.below(2)) {
            (Theory::Floats, _) => float_operation(t, r, a, b),
            (Theory::Arrays, 0) => t.select(array, a),
            (Theory::Functions, 0) => t.apply(function, &[a]),
            _ => operation(t, r, a, b),
        };
        pool.push(term);
        if theory == Theory::Arrays && r.below(2) == 0 {
            array = t.store(array, a, b);
        }
    }
    let mut conditions = Vec::new();
    for _ in 0..4 {
        let (a, b) = (r.pick(&pool), r.pick(&pool));
        let condition = match (theory, r.below(3)) {
            (Theory::Floats, 0) => t.feq(a, b),
            (Theory::Floats, 1) => t.flt(a, b),
            (Theory::Floats, _) => t.fle(a, b),
            (_, 0) => t.eq(a, b),
            (_, 1) => t.ult(a, b),
            _ => t.slt(a, b),
        };
        conditions.push(if r.below(3) == 0 { t.not(condition) } else { condition });
    }
    conditions
}

/// What another solver says; `None` if it is not installed.
fn ask(solver: &[&str], terms: &Terms, text: &str) -> Option<ExternalAnswer> {
    let mut child = Command::new(solver[0])
        .args(&solver[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(read_answer(terms, &output).unwrap_or_else(|error| panic!("{error}\n{output}\n{text}")))
}

fn compare(theory: Theory, count: u64) {
    let solvers: [&[&str]; 2] =
        [&["z3", "-in", "-T:10"], &["cvc5", "--lang", "smt2", "--tlimit=10000"]];
    let mut r = Random(theory as u64 + 1);
    let (mut sat, mut unsat) = (0, 0);
    for number in 0..count {
        let t = &mut Terms::new();
        let conditions = question(t, &mut r, theory);
        let budget = Budget { conflicts: Some(200_000), ..Budget::default() };
        let alone = SatSolver::new().check(t, &conditions, &budget);
        let chained = standard().check(t, &conditions, &budget);
        for answer in [&alone, &chained] {
            if let Answer::Sat(model) = answer {
                assert!(Evaluator::new().holds(t, model, &conditions));
            }
        }
        let text = print_question(t, &conditions);
        let solver = solvers[number as usize % 2];
        let Some(other) = ask(solver, t, &text) else {
            println!("{} is not installed: {theory:?} is not compared", solver[0]);
            continue;
        };
        for answer in [&alone, &chained] {
            match (answer, &other) {
                (Answer::Sat(_), ExternalAnswer::Sat(_)) => sat += 1,
                (Answer::Unsat(_), ExternalAnswer::Unsat) => unsat += 1,
                (Answer::Unknown(_), _) | (_, ExternalAnswer::Unknown) => {}
                _ => panic!("{answer:?}, but {} says {other:?}:\n{text}", solver[0]),
            }
        }
        // Our own reader agrees with the terms that were printed.
        let reread = say(&text);
        let word = reread.lines().next().unwrap_or("");
        match &alone {
            Answer::Sat(_) => assert_eq!(word, "sat", "{text}"),
            Answer::Unsat(_) => assert_eq!(word, "unsat", "{text}"),
            Answer::Unknown(_) => {}
        }
    }
    println!("{theory:?}: {sat} sat, {unsat} unsat");
}

#[test]
fn other_solvers_agree_on_bit_vectors() {
    compare(Theory::Bits, 120);
}

#[test]
fn other_solvers_agree_on_arrays() {
    compare(Theory::Arrays, 80);
}

#[test]
fn other_solvers_agree_on_functions() {
    compare(Theory::Functions, 80);
}

#[test]
fn other_solvers_agree_on_floats() {
    compare(Theory::Floats, 30);
}
