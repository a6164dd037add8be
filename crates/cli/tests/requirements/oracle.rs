//! Small structured programs, and what their runs show: written without anything of Ripple, to check
//! it.
//!
//! A program is a list of assignments, decisions and outputs over `x`, `y` and `z`, a line each and
//! without loops, so every line is executed at most once. A change replaces the expression of one
//! line.

use std::collections::{BTreeMap, BTreeSet};

use base::random::Random;

pub const VARIABLES: [&str; 3] = ["x", "y", "z"];

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Plus(usize, i64),
    Sum(usize, usize),
    Twice(usize),
    Constant(i64),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Assign {
        line: u32,
        to: usize,
        value: Expression,
    },
    If {
        line: u32,
        left: usize,
        less: bool,
        right: i64,
        then: Vec<Statement>,
        other: Vec<Statement>,
    },
    Print {
        line: u32,
        what: usize,
    },
}

/// A run of the statements of a function.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// The values of variables at the entry of each executed line.
    pub entries: BTreeMap<u32, [i64; 3]>,
    /// The lines that defined what each line used, by variable.
    pub uses: BTreeMap<(u32, usize), u32>,
    /// The innermost decision that each line depends on, and how it went.
    pub decisions: BTreeMap<u32, (u32, bool)>,
}

fn below(random: &mut Random, bound: u64) -> usize {
    (random.next() % bound) as usize
}

fn expression(random: &mut Random) -> Expression {
    let one = below(random, 3);
    match below(random, 5) {
        0 => Expression::Sum(one, below(random, 3)),
        1 => Expression::Twice(one),
        2 => Expression::Constant(below(random, 6) as i64),
        _ => Expression::Plus(one, below(random, 7) as i64 - 3),
    }
}

/// Random statements from a line on.
pub fn statements(
    random: &mut Random,
    line: &mut u32,
    depth: usize,
    count: usize,
) -> Vec<Statement> {
    let mut all = Vec::new();
    for _ in 0..count {
        let at = *line;
        *line += 1;
        all.push(match below(random, 5) {
            0 | 1 if depth < 2 => {
                let (left, less) = (below(random, 3), below(random, 2) == 0);
                let right = below(random, 11) as i64;
                let then = statements(random, line, depth + 1, 2);
                *line += 1;
                let other = statements(random, line, depth + 1, 1);
                *line += 1;
                Statement::If { line: at, left, less, right, then, other }
            }
            2 => Statement::Print { line: at, what: below(random, 3) },
            _ => Statement::Assign { line: at, to: below(random, 3), value: expression(random) },
        });
    }
    all
}

/// The lines that a change can be made in.
pub fn changeable(all: &[Statement], lines: &mut Vec<u32>) {
    for one in all {
        match one {
            Statement::Assign { line, .. } => lines.push(*line),
            Statement::If { line, then, other, .. } => {
                lines.push(*line);
                changeable(then, lines);
                changeable(other, lines);
            }
            Statement::Print { .. } => {}
        }
    }
}

/// Changes a line.
pub fn change(all: &mut [Statement], wanted: u32) {
    for one in all {
        match one {
            Statement::Assign { line, value, .. } if *line == wanted => {
                *value = match value.clone() {
                    Expression::Plus(a, n) => Expression::Plus(a, n + 2),
                    Expression::Sum(a, _) => Expression::Plus(a, 1),
                    Expression::Twice(a) => Expression::Plus(a, 3),
                    Expression::Constant(n) => Expression::Constant(n + 1),
                };
            }
            Statement::If { line, less, right, then, other, .. } => {
                if *line == wanted {
                    (*less, *right) =
                        if *right % 2 == 0 { (!*less, *right) } else { (*less, *right + 2) };
                }
                change(then, wanted);
                change(other, wanted);
            }
            _ => {}
        }
    }
}

/// The C text, a line for each element.
pub fn text(all: &[Statement], lines: &mut Vec<String>) {
    for one in all {
        match one {
            Statement::Assign { to, value, .. } => {
                let name = |variable: &usize| VARIABLES[*variable];
                let value = match value {
                    Expression::Plus(a, n) => format!("{} + {n}", name(a)),
                    Expression::Sum(a, b) => format!("{} + {}", name(a), name(b)),
                    Expression::Twice(a) => format!("{} * 2", name(a)),
                    Expression::Constant(n) => n.to_string(),
                };
                lines.push(format!("{} = {value};", VARIABLES[*to]));
            }
            Statement::If { left, less, right, then, other, .. } => {
                let sign = if *less { "<" } else { ">" };
                lines.push(format!("if ({} {sign} {right}) {{", VARIABLES[*left]));
                text(then, lines);
                lines.push("} else {".to_owned());
                text(other, lines);
                lines.push("}".to_owned());
            }
            Statement::Print { what, .. } => {
                lines.push(format!("printf(\"%d\\n\", {});", VARIABLES[*what]));
            }
        }
    }
}

struct Machine {
    values: [i64; 3],
    defined: [u32; 3],
    ran: Ran,
}

/// Runs statements from an input.
pub fn run(all: &[Statement], values: [i64; 3]) -> Ran {
    let mut machine = Machine { values, defined: [0; 3], ran: Ran::default() };
    machine.block(all, None);
    machine.ran
}

impl Machine {
    fn block(&mut self, all: &[Statement], under: Option<(u32, bool)>) {
        for one in all {
            let (line, used) = match one {
                Statement::Assign { line, value, .. } => (*line, used(value)),
                Statement::If { line, left, .. } => (*line, vec![*left]),
                Statement::Print { line, what } => (*line, vec![*what]),
            };
            self.ran.entries.insert(line, self.values);
            self.ran.decisions.extend(under.map(|under| (line, under)));
            for variable in used {
                self.ran.uses.insert((line, variable), self.defined[variable]);
            }
            match one {
                Statement::Assign { to, value, .. } => {
                    self.values[*to] = match value {
                        Expression::Plus(a, n) => self.values[*a] + n,
                        Expression::Sum(a, b) => self.values[*a] + self.values[*b],
                        Expression::Twice(a) => self.values[*a] * 2,
                        Expression::Constant(n) => *n,
                    };
                    self.defined[*to] = line;
                }
                Statement::If { left, less, right, then, other, .. } => {
                    let value = self.values[*left];
                    let holds = if *less { value < *right } else { value > *right };
                    self.block(if holds { then } else { other }, Some((line, holds)));
                }
                Statement::Print { .. } => {}
            }
        }
    }
}

fn used(value: &Expression) -> Vec<usize> {
    match value {
        Expression::Plus(a, _) | Expression::Twice(a) => vec![*a],
        Expression::Sum(a, b) => vec![*a, *b],
        Expression::Constant(_) => Vec::new(),
    }
}

/// The variables that are live at the entry of each line; returns those at the entry of all.
pub fn live(
    all: &[Statement],
    after: BTreeSet<usize>,
    found: &mut BTreeMap<u32, BTreeSet<usize>>,
) -> BTreeSet<usize> {
    let mut now = after;
    for one in all.iter().rev() {
        let line = match one {
            Statement::Assign { line, to, value } => {
                now.remove(to);
                now.extend(used(value));
                line
            }
            Statement::If { line, left, then, other, .. } => {
                let mut both = live(then, now.clone(), found);
                both.extend(live(other, now, found));
                both.insert(*left);
                now = both;
                line
            }
            Statement::Print { line, what } => {
                now.insert(*what);
                line
            }
        };
        found.insert(*line, now.clone());
    }
    now
}
