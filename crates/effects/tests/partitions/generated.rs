//! Every verdict on generated programs against brute force over all inputs.

use std::fmt::Write;

use base::Random;

use super::cover::explored;
use super::pair::Versions;

/// Solver queries for a predicate.
const QUESTIONS: usize = 500;

/// A program of two inputs whose versions differ in a few statements.
struct Generator {
    random: Random,
    text: String,
    loops: u32,
    /// Remaining changes to make.
    changes: u32,
    /// Whether the code belongs to the function rather than to `main`.
    in_function: bool,
}

const VARIABLES: [&str; 4] = ["x", "y", "z", "g"];

impl Generator {
    fn program(seed: u64) -> String {
        let random = Random::new(seed);
        let mut all =
            Generator { random, text: String::new(), loops: 0, changes: 2, in_function: true };
        all.text.push_str("#include <stdio.h>\n#include <stdlib.h>\nstatic int g = 3;\n");
        all.text.push_str("static int t[4] = {1, 2, 3, 4};\nstatic int f(int a, int b) {\n");
        all.text.push_str("  int x = a, y = b, z = 0;\n");
        all.block(2, 3);
        all.text.push_str("  return x + z;\n}\nint main(int argc, char **argv) {\n");
        all.text.push_str("  int a = atoi(argv[1]), b = atoi(argv[2]), x = a, y = b, z = 1;\n");
        all.in_function = false;
        all.block(3, 5);
        while all.changes > 0 {
            all.changed();
        }
        all.block(2, 2);
        all.text.push_str("  printf(\"%d %d\\n\", x, t[1]);\n  return z & 3;\n}\n");
        all.text
    }

    fn block(&mut self, depth: u32, most: u64) {
        for _ in 0..=self.random.number(most) {
            match self.changes > 0 && self.random.number(6) == 0 {
                true => self.changed(),
                false => self.statement(depth),
            }
        }
    }

    /// A statement that differs in NEW.
    fn changed(&mut self) {
        self.changes -= 1;
        self.text.push_str("#ifdef NEW\n");
        if self.random.number(5) > 0 {
            self.simple();
        }
        self.text.push_str("#else\n");
        if self.random.number(5) > 0 {
            self.simple();
        }
        self.text.push_str("#endif\n");
    }

    fn statement(&mut self, depth: u32) {
        match self.random.number(if depth == 0 { 4 } else { 10 }) {
            0..=3 => self.simple(),
            4..=6 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.block(depth - 1, 2);
                if self.random.number(2) == 0 {
                    self.text.push_str("  } else {\n");
                    self.block(depth - 1, 2);
                }
                self.text.push_str("  }\n");
            }
            7 => {
                self.loops += 1;
                let (number, rounds) = (self.loops, self.expression());
                let name = format!("i{number}");
                let _ = writeln!(
                    self.text,
                    "  for (int {name} = 0; {name} < (({rounds}) & 3); {name}++) {{"
                );
                self.block(depth - 1, 2);
                self.text.push_str("  }\n");
            }
            8 => {
                let value = self.expression();
                let _ = writeln!(self.text, "  switch (({value}) & 3) {{\n  case 0:");
                self.simple();
                self.text.push_str("    break;\n  case 2:\n");
                self.simple();
                self.text.push_str("    break;\n  default:\n");
                self.simple();
                self.text.push_str("  }\n");
            }
            _ => {
                let condition = self.condition();
                let end = match (self.in_function, self.random.number(3)) {
                    (true, _) => "return y;",
                    (false, 0) => "exit(5);",
                    (false, _) => "return 4;",
                };
                let _ = writeln!(self.text, "  if ({condition})\n    {end}");
            }
        }
    }

    fn simple(&mut self) {
        let (to, value) = (self.random.pick(&VARIABLES), self.expression());
        let _ = match self.random.number(9) {
            0..=4 => writeln!(self.text, "  {to} = {value};"),
            5 => {
                let index = self.expression();
                writeln!(self.text, "  t[({index}) & 3] = {value};")
            }
            6 if !self.in_function => {
                let other = self.expression();
                writeln!(self.text, "  {to} = f({value}, {other});")
            }
            7 if !self.in_function && self.random.number(2) == 0 => {
                writeln!(self.text, "  printf(\"at %d\\n\", {value});")
            }
            8 if self.random.number(2) == 0 => {
                let divisor = self.expression();
                writeln!(self.text, "  {to} = ({value}) / (({divisor}) & 7);")
            }
            _ => writeln!(self.text, "  {to} += {value};"),
        };
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(), self.expression());
        let compares = self.random.pick(&["<", ">", "==", "!=", "<=", ">="]);
        match self.random.number(5) {
            0 => {
                let (other, more) = (self.expression(), self.random.pick(&["&&", "||"]));
                format!("{left} {compares} {right} {more} {other} > 2")
            }
            _ => format!("{left} {compares} {right}"),
        }
    }

    fn expression(&mut self) -> String {
        let variable = self.random.pick(&["a", "b", "x", "y", "z", "g", "x", "a"]);
        let number = self.random.number(9) as i64 - 3;
        match self.random.number(7) {
            0 => format!("{number}"),
            1 => format!("{variable} + {number}"),
            2 => {
                let other = self.random.pick(&["a", "b", "x", "y"]);
                format!("{variable} - {other}")
            }
            3 => format!("t[{variable} & 3]"),
            4 => format!("({variable} > {number} ? {variable} : 2)"),
            _ => variable.to_owned(),
        }
    }
}

/// Explores a generated pair and runs all inputs. Returns the numbers of equal partitions,
/// partitions, path pairs, and predicates that say when versions differ; `None` without a compiler.
fn check(seed: u64, args: &[&str]) -> Option<[usize; 4]> {
    let text = Generator::program(seed);
    let versions = Versions::new(&format!("generated-{seed}"), &text, args)?;
    let mut explored = explored(&versions, &["0", "0"]);
    let violations = explored.violations();
    assert!(violations.is_empty(), "seed {seed}: {violations:#?}\n{text}");
    let wrong = explored.wrong_shares();
    assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}\n{text}");
    let when = explored.explorer.differs_when(QUESTIONS);
    if let Some(when) = &when {
        let wrong = explored.misdescribed(when);
        assert!(wrong.is_empty(), "seed {seed}: {}: {wrong:?}\n{text}", when.condition);
    }
    let partitions = &explored.partitions;
    let (equal, all) = (partitions.counts().equal, partitions.list.len());
    Some([equal, all, partitions.path_pairs, usize::from(when.is_some())])
}

/// Checks programs of several seeds; returns the sums.
fn check_all(seeds: std::ops::RangeInclusive<u64>, args: &[&str]) -> Option<[usize; 4]> {
    let mut sums = [0; 4];
    for seed in seeds {
        let found = check(seed, args)?;
        sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
    }
    let [equal, all, pairs, described] = sums;
    println!("{equal} equal of {all} partitions, {pairs} path pairs, {described} described");
    Some(sums)
}

#[test]
fn verdicts_on_generated_programs_agree_with_all_inputs() {
    let Some([equal, _, pairs, described]) = check_all(1..=16, &["int:-16..15", "int:-16..15"])
    else {
        return;
    };
    assert!(0 < equal && equal < pairs, "{equal} equal partitions, {pairs} path pairs");
    assert!(described > 3, "{described} say in few words when they differ");
}

/// Takes minutes; `cargo xtask soak verify` runs it.
#[test]
#[ignore = "takes minutes"]
fn verdicts_on_many_generated_programs_agree_with_all_inputs() {
    check_all(1..=300, &["int:-128..127", "int:-128..127"]);
}
