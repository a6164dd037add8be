//! Executes commands one after another.

use super::SmtLibError;
use super::elaborate::{Scope, Symbol};
use super::sexpr::{Kind as Form, Sexpr, quoted, read};
use super::values::{Kind, Typed, array_text, evaluate, function_text};
use crate::model::{ArrayValue, Model};
use crate::solver::{Answer, Budget, Solver};
use crate::term::{Function, TermId, Terms};

/// Runs a script. The output of its commands goes to `say`, a line or more at a time. There is no
/// output before the whole text is known to be well nested.
pub fn run(
    text: &str,
    solver: &mut dyn Solver,
    budget: &dyn Fn() -> Budget,
    say: &mut dyn FnMut(&str),
) -> Result<(), SmtLibError> {
    let commands = read(text)?;
    let mut script = Script::default();
    for command in &commands {
        if script.step(command, solver, budget, say)? {
            break;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Script {
    terms: Terms,
    scope: Scope,
    assertions: Vec<TermId>,
    /// Names in the order of their declaration.
    declared: Vec<String>,
    /// Numbers of assertions and declarations at each `push`.
    levels: Vec<(usize, usize)>,
    last: Option<Answer>,
    /// Makes names unique that are declared again after a `pop`.
    generation: u32,
}

impl Script {
    /// Whether the script ends here.
    fn step(
        &mut self,
        command: &Sexpr,
        solver: &mut dyn Solver,
        budget: &dyn Fn() -> Budget,
        say: &mut dyn FnMut(&str),
    ) -> Result<bool, SmtLibError> {
        let line = command.line;
        let no_command = || SmtLibError::NoCommand { line, found: command.to_string() };
        let (head, arguments) =
            command.list().and_then(<[_]>::split_first).ok_or_else(no_command)?;
        let name = head.atom().ok_or_else(no_command)?;
        let malformed = |form| SmtLibError::Malformed { line, command: name.to_owned(), form };
        match (name, arguments) {
            ("set-logic" | "set-info" | "set-option", _) => {}
            ("declare-fun", [symbol, parameters, result]) => {
                let form = "(declare-fun name (sort …) sort)";
                let parameters = parameters.list().ok_or_else(|| malformed(form))?;
                self.declare(symbol.atom().ok_or_else(|| malformed(form))?, parameters, result)?;
            }
            ("declare-const", [symbol, result]) => {
                let form = "(declare-const name sort)";
                self.declare(symbol.atom().ok_or_else(|| malformed(form))?, &[], result)?;
            }
            ("define-fun", [symbol, parameters, result, body]) => {
                let form = "(define-fun name ((name sort) …) sort term)";
                let name = symbol.atom().ok_or_else(|| malformed(form))?;
                let parameters = parameters.list().ok_or_else(|| malformed(form))?;
                self.define(name, parameters, result, body, || malformed(form))?;
            }
            ("define-const", [symbol, result, body]) => {
                let form = "(define-const name sort term)";
                let name = symbol.atom().ok_or_else(|| malformed(form))?;
                self.define(name, &[], result, body, || malformed(form))?;
            }
            ("assert", [condition]) => {
                let condition = self.condition(condition)?;
                self.assertions.push(condition);
            }
            ("check-sat", []) => {
                let answer = solver.check(&mut self.terms, &self.assertions, &budget());
                say(answer_text(&answer));
                self.last = Some(answer);
            }
            ("check-sat-assuming", [assumptions]) => {
                let form = "(check-sat-assuming (literal …))";
                let mut question = self.assertions.clone();
                for assumption in assumptions.list().ok_or_else(|| malformed(form))? {
                    question.push(self.condition(assumption)?);
                }
                let answer = solver.check(&mut self.terms, &question, &budget());
                say(answer_text(&answer));
                self.last = Some(answer);
            }
            ("get-model", []) => say(&self.model_text(line)?),
            ("get-value", [wanted]) => {
                let form = "(get-value (term …))";
                let wanted = wanted.list().ok_or_else(|| malformed(form))?;
                let text = self.values_text(line, wanted)?;
                say(&text);
            }
            ("echo", [text]) => match &text.kind {
                Form::String(text) => say(&format!("\"{text}\"")),
                _ => return Err(malformed("(echo \"text\")")),
            },
            ("push" | "pop", [] | [_]) => {
                let count = arguments.first().map_or(Some("1"), Sexpr::atom);
                let count = count.and_then(|count| count.parse::<u32>().ok());
                let form = if name == "push" { "(push number)" } else { "(pop number)" };
                let count = count.ok_or_else(|| malformed(form))?;
                self.change_level(name == "push", count, line)?;
            }
            ("reset", []) => {
                *self = Script {
                    terms: std::mem::take(&mut self.terms),
                    generation: self.generation + 1,
                    ..Script::default()
                }
            }
            ("reset-assertions", []) => self.assertions.clear(),
            ("exit", []) => return Ok(true),
            ("declare-fun", _) => return Err(malformed("(declare-fun name (sort …) sort)")),
            ("declare-const", _) => return Err(malformed("(declare-const name sort)")),
            ("define-fun", _) => {
                return Err(malformed("(define-fun name ((name sort) …) sort term)"));
            }
            ("assert", _) => return Err(malformed("(assert term)")),
            ("check-sat", _) => return Err(malformed("(check-sat)")),
            ("get-model", _) => return Err(malformed("(get-model)")),
            ("get-value", _) => return Err(malformed("(get-value (term …))")),
            _ => {
                let what = format!("the command `{name}`");
                return Err(SmtLibError::Unsupported { line, what });
            }
        }
        Ok(false)
    }

    fn new_name(&mut self, name: &str, line: u32) -> Result<(), SmtLibError> {
        if self.scope.symbols.contains_key(name) {
            return Err(SmtLibError::Redeclared { line, name: name.to_owned() });
        }
        self.declared.push(name.to_owned());
        Ok(())
    }

    /// The name in the table of terms, where names are never forgotten.
    fn internal(&self, name: &str) -> String {
        match self.generation {
            0 => name.to_owned(),
            generation => format!("{name}!{generation}"),
        }
    }

    fn declare(
        &mut self,
        name: &str,
        parameters: &[Sexpr],
        result: &Sexpr,
    ) -> Result<(), SmtLibError> {
        let line = result.line;
        let kind = self.scope.sort(result)?;
        let arguments: Result<Vec<Kind>, _> =
            parameters.iter().map(|sort| self.scope.sort(sort)).collect();
        let arguments = arguments?;
        let unsupported = |what: &str| SmtLibError::Unsupported { line, what: what.to_owned() };
        let sort = kind.sort().ok_or_else(|| unsupported("a variable that is a rounding mode"))?;
        self.new_name(name, line)?;
        let internal = self.internal(name);
        if arguments.is_empty() {
            let term = self.terms.variable(&internal, sort);
            let symbol = Symbol::Value(Typed::Term(kind, term));
            self.scope.symbols.insert(name.to_owned(), symbol);
            return Ok(());
        }
        let width = |kind: &Kind| match kind {
            Kind::Bool => Some(1),
            Kind::Bits(width @ 1..=64) | Kind::Float(width) => Some(*width),
            _ => None,
        };
        let widths: Option<Vec<u32>> = arguments.iter().map(width).collect();
        let what = "a function of arrays or of more than 64 bits";
        let (widths, result) = widths.zip(width(&kind)).ok_or_else(|| unsupported(what))?;
        if arguments.iter().any(|kind| matches!(kind, Kind::Float(_))) {
            return Err(unsupported("a function of floats"));
        }
        let function = self.terms.function(Function {
            name: internal,
            arguments: widths,
            result,
            value: None,
        });
        let symbol = Symbol::Function { function, arguments, result: kind };
        self.scope.symbols.insert(name.to_owned(), symbol);
        Ok(())
    }

    fn define(
        &mut self,
        name: &str,
        parameters: &[Sexpr],
        result: &Sexpr,
        body: &Sexpr,
        malformed: impl Fn() -> SmtLibError,
    ) -> Result<(), SmtLibError> {
        let kind = self.scope.sort(result)?;
        let mut named = Vec::new();
        for parameter in parameters {
            let Some([name, sort]) = parameter.list() else { return Err(malformed()) };
            let name = name.atom().ok_or_else(&malformed)?;
            named.push((name.to_owned(), self.scope.sort(sort)?));
        }
        let symbol = if named.is_empty() {
            let value = self.scope.term(&mut self.terms, body)?;
            if value.kind() != kind {
                let (line, found) = (body.line, body.to_string());
                let wanted = "term of the sort it is declared with";
                return Err(SmtLibError::NotA { line, found, wanted });
            }
            Symbol::Value(value)
        } else {
            Symbol::Macro { parameters: named, result: kind, body: body.clone() }
        };
        self.new_name(name, result.line)?;
        self.scope.symbols.insert(name.to_owned(), symbol);
        Ok(())
    }

    fn condition(&mut self, sexpr: &Sexpr) -> Result<TermId, SmtLibError> {
        match self.scope.term(&mut self.terms, sexpr)? {
            Typed::Term(Kind::Bool, term) => Ok(term),
            _ => Err(SmtLibError::NotA {
                line: sexpr.line,
                found: sexpr.to_string(),
                wanted: "condition",
            }),
        }
    }

    fn change_level(&mut self, push: bool, count: u32, line: u32) -> Result<(), SmtLibError> {
        for _ in 0..count {
            if push {
                self.levels.push((self.assertions.len(), self.declared.len()));
                continue;
            }
            let count = u64::from(count);
            let level = self.levels.pop().ok_or(SmtLibError::EmptyStack { line, count })?;
            self.assertions.truncate(level.0);
            for name in self.declared.split_off(level.1) {
                self.scope.symbols.remove(&name);
            }
            self.generation += 1;
        }
        Ok(())
    }

    fn model(&self, line: u32) -> Result<&Model, SmtLibError> {
        match &self.last {
            Some(Answer::Sat(model)) => Ok(model),
            _ => Err(SmtLibError::NoModel { line }),
        }
    }

    fn model_text(&self, line: u32) -> Result<String, SmtLibError> {
        let model = self.model(line)?;
        let mut text = "(\n".to_owned();
        for name in &self.declared {
            let quoted = quoted(name);
            match self.scope.symbols.get(name) {
                Some(Symbol::Value(Typed::Term(Kind::Array { index, element }, term))) => {
                    let Some(variable) = self.terms.variable_of(*term) else { continue };
                    let empty = ArrayValue::default();
                    let array = model.arrays.get(&variable).unwrap_or(&empty);
                    let kind = Kind::Array { index: *index, element: *element };
                    let value = array_text(*index, *element, array);
                    text.push_str(&format!("  (define-fun {quoted} () {kind}\n    {value})\n"));
                }
                Some(Symbol::Value(typed @ Typed::Term(kind, term)))
                    if self.terms.variable_of(*term).is_some() =>
                {
                    let value = evaluate(&self.terms, model, *typed);
                    text.push_str(&format!("  (define-fun {quoted} () {kind} {value})\n"));
                }
                Some(Symbol::Function { function, arguments, result }) => {
                    let table = model.functions.get(function);
                    text.push_str(&function_text(name, arguments, *result, table));
                    text.push('\n');
                }
                _ => {}
            }
        }
        text.push(')');
        Ok(text)
    }

    fn values_text(&mut self, line: u32, wanted: &[Sexpr]) -> Result<String, SmtLibError> {
        self.model(line)?;
        let mut pairs = Vec::new();
        for sexpr in wanted {
            let typed = self.scope.term(&mut self.terms, sexpr)?;
            let value = evaluate(&self.terms, self.model(line)?, typed);
            pairs.push(format!("({sexpr} {value})"));
        }
        Ok(format!("({})", pairs.join("\n ")))
    }
}

fn answer_text(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}
