//! Pairs of small random programs that differ in one statement, as trees and as C.
//!
//! A program reads two numbers and computes with unsigned variables; each statement has a line of
//! its own. Loops end after three rounds at most. The same seed gives the same pair.

use std::fmt::Write;

use base::random::{Random, STEP};

/// Names of the variables; the first two are inputs, and the last two count rounds of loops.
pub const NAMES: [&str; 8] = ["x", "y", "a", "b", "c", "d", "i", "j"];
const INPUTS: usize = 2;
const COUNTERS: usize = 6;
const OPERATORS: [&str; 6] = ["+", "-", "*", "&", "|", "^"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
/// The name of a statement in both versions.
pub type Id = u32;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(u32),
    Variable(usize),
    Binary(usize, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub comparison: usize,
    pub left: Expression,
    pub right: Expression,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Assign(Id, usize, Expression),
    Print(Id, Expression),
    If(Id, Condition, Vec<Statement>, Vec<Statement>),
    While(Id, Condition, Vec<Statement>),
}

/// Two versions, and the statement that was changed, added or deleted.
#[derive(Clone, Debug)]
pub struct Pair {
    pub old: Vec<Statement>,
    pub new: Vec<Statement>,
    pub changed: Id,
}

impl Expression {
    pub fn value(&self, variables: &[u32]) -> u32 {
        match self {
            Expression::Number(number) => *number,
            Expression::Variable(variable) => variables[*variable],
            Expression::Binary(operator, left, right) => {
                let (a, b) = (left.value(variables), right.value(variables));
                match OPERATORS[*operator] {
                    "+" => a.wrapping_add(b),
                    "-" => a.wrapping_sub(b),
                    "*" => a.wrapping_mul(b),
                    "&" => a & b,
                    "|" => a | b,
                    _ => a ^ b,
                }
            }
        }
    }

    pub fn uses(&self, found: &mut Vec<usize>) {
        match self {
            Expression::Number(_) => {}
            Expression::Variable(variable) => found.push(*variable),
            Expression::Binary(_, left, right) => {
                left.uses(found);
                right.uses(found);
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Expression::Number(number) => format!("{number}u"),
            Expression::Variable(variable) => NAMES[*variable].to_owned(),
            Expression::Binary(operator, left, right) => {
                format!("({} {} {})", left.text(), OPERATORS[*operator], right.text())
            }
        }
    }
}

impl Condition {
    pub fn holds(&self, variables: &[u32]) -> bool {
        let (a, b) = (self.left.value(variables), self.right.value(variables));
        match COMPARISONS[self.comparison] {
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            ">=" => a >= b,
            "==" => a == b,
            _ => a != b,
        }
    }

    pub fn uses(&self, found: &mut Vec<usize>) {
        self.left.uses(found);
        self.right.uses(found);
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.left.text(), COMPARISONS[self.comparison], self.right.text())
    }
}

/// A program as C, and the lines of its statements.
pub fn source(program: &[Statement]) -> (String, Vec<(Id, u32)>) {
    let mut text = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n\
                    unsigned x = atoi(argv[1]);\nunsigned y = atoi(argv[2]);\n\
                    unsigned a, b, c, d, i, j;\n"
        .to_owned();
    let mut lines = Vec::new();
    write_block(program, &mut text, &mut lines);
    text += "return 0;\n}\n";
    (text, lines)
}

fn write_block(block: &[Statement], text: &mut String, lines: &mut Vec<(Id, u32)>) {
    for statement in block {
        let line = text.lines().count() as u32 + 1;
        match statement {
            Statement::Assign(id, variable, value) => {
                lines.push((*id, line));
                let _ = writeln!(text, "{} = {};", NAMES[*variable], value.text());
            }
            Statement::Print(id, value) => {
                lines.push((*id, line));
                let _ = writeln!(text, "printf(\"%u\\n\", {});", value.text());
            }
            Statement::If(id, condition, then, otherwise) => {
                lines.push((*id, line));
                let _ = writeln!(text, "if ({}) {{", condition.text());
                write_block(then, text, lines);
                if !otherwise.is_empty() {
                    text.push_str("} else {\n");
                    write_block(otherwise, text, lines);
                }
                text.push_str("}\n");
            }
            Statement::While(id, condition, body) => {
                lines.push((*id, line));
                let _ = writeln!(text, "while ({}) {{", condition.text());
                write_block(body, text, lines);
                text.push_str("}\n");
            }
        }
    }
}

/// The pair of a seed.
pub fn pair(seed: u64) -> Pair {
    let mut writer = Writer {
        random: Random::new(seed.wrapping_mul(STEP) ^ 0x1d8e_4e27_c47d_124f),
        next: 0,
        loops: 0,
        left: 0,
    };
    let mut old: Vec<Statement> = (INPUTS..COUNTERS)
        .map(|variable| {
            Statement::Assign(writer.id(), variable, Expression::Number(variable as u32))
        })
        .collect();
    writer.left = 7 + writer.below(6);
    while writer.left > 0 {
        let statement = writer.statement(0);
        old.extend(statement);
    }
    for _ in 0..2 {
        let (id, value) = (writer.id(), writer.expression(1));
        old.push(Statement::Print(id, value));
    }
    let mut new = old.clone();
    let changed = loop {
        if let Some(id) = writer.change(&mut new) {
            break id;
        }
    };
    Pair { old, new, changed }
}

struct Writer {
    random: Random,
    next: Id,
    loops: usize,
    /// Statements that may still be written.
    left: u32,
}

impl Writer {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.number(bound.into()) as u32
    }

    fn id(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    fn block(&mut self, depth: u32) -> Vec<Statement> {
        let count = 1 + self.below(2);
        (0..count).flat_map(|_| self.statement(depth)).collect()
    }

    /// A statement, or a loop with its counter.
    fn statement(&mut self, depth: u32) -> Vec<Statement> {
        self.left = self.left.saturating_sub(1);
        match self.below(10) {
            0..=2 if depth < 2 => {
                let (id, condition) = (self.id(), self.condition());
                let then = self.block(depth + 1);
                let otherwise = if self.below(2) == 0 { self.block(depth + 1) } else { Vec::new() };
                vec![Statement::If(id, condition, then, otherwise)]
            }
            3 if depth < 2 && self.loops < NAMES.len() - COUNTERS => {
                let counter = COUNTERS + self.loops;
                self.loops += 1;
                let start = Statement::Assign(self.id(), counter, Expression::Number(0));
                let (id, rounds) = (self.id(), 1 + self.below(3));
                let condition = Condition {
                    comparison: 0,
                    left: Expression::Variable(counter),
                    right: Expression::Number(rounds),
                };
                let mut body = self.block(depth + 1);
                let (left, right) = (Expression::Variable(counter), Expression::Number(1));
                let next = Expression::Binary(0, Box::new(left), Box::new(right));
                body.push(Statement::Assign(self.id(), counter, next));
                vec![start, Statement::While(id, condition, body)]
            }
            4 => vec![Statement::Print(self.id(), self.expression(1))],
            _ => vec![self.assign()],
        }
    }

    fn assign(&mut self) -> Statement {
        let variable = INPUTS + self.below((COUNTERS - INPUTS) as u32) as usize;
        let id = self.id();
        let value = match self.expression(2) {
            // Nothing is executed for it.
            Expression::Variable(same) if same == variable => Expression::Number(7),
            other => other,
        };
        Statement::Assign(id, variable, value)
    }

    fn expression(&mut self, depth: u32) -> Expression {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(4) {
                0 => Expression::Number(self.below(5)),
                _ => Expression::Variable(self.below(COUNTERS as u32) as usize),
            };
        }
        let operator = self.below(OPERATORS.len() as u32) as usize;
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    fn condition(&mut self) -> Condition {
        let comparison = self.below(COMPARISONS.len() as u32) as usize;
        let left = Expression::Variable(self.below(COUNTERS as u32) as usize);
        Condition { comparison, left, right: Expression::Number(self.below(6)) }
    }

    /// Changes, adds or deletes a statement; `None` if the one that was drawn cannot be.
    fn change(&mut self, program: &mut Vec<Statement>) -> Option<Id> {
        let place = self.below(program.len() as u32) as usize;
        match (&mut program[place], self.below(6)) {
            (Statement::If(_, _, then, otherwise), 0..=3) => {
                let block =
                    if otherwise.is_empty() || self.below(2) == 0 { then } else { otherwise };
                self.change(block)
            }
            (Statement::While(_, _, body), _) => self.change(body),
            (Statement::If(id, condition, ..), _) => {
                let comparison = self.below(COMPARISONS.len() as u32) as usize;
                let is_other = comparison != condition.comparison;
                condition.comparison = comparison;
                is_other.then_some(*id)
            }
            (Statement::Assign(_, variable, _), _) if *variable >= COUNTERS => None,
            // What is read must be initialised, so the first statements stay.
            (Statement::Assign(id, ..), 0) if place >= COUNTERS - INPUTS => {
                let id = *id;
                // A block that becomes empty is another change.
                (program.len() > 1).then(|| program.remove(place))?;
                Some(id)
            }
            (_, 1) if place >= COUNTERS - INPUTS => {
                let (added, id) = (self.assign(), self.next);
                program.insert(place, added);
                Some(id)
            }
            (Statement::Assign(id, _, value) | Statement::Print(id, value), _) => {
                let before = value.clone();
                *value = match before.clone() {
                    Expression::Number(number) => Expression::Number(number + 1),
                    other => {
                        let one = Expression::Number(1 + self.below(3));
                        Expression::Binary(self.below(6) as usize, Box::new(other), Box::new(one))
                    }
                };
                (*value != before).then_some(*id)
            }
        }
    }
}
