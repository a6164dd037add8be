//! Translates terms of the text to our terms.

use num_bigint::BigUint;
use num_traits::Num;
use rustc_hash::FxHashMap;

use super::sexpr::{Kind as Form, Sexpr};
use super::values::{Kind, Typed};
use super::{SmtLibError, floats, operators};
use crate::float::Format;
use crate::term::{FunctionId, MAX_WIDTH, Rounding, TermId, Terms};

/// Deeper terms are rejected, because reading them takes stack. Chains of `let` do not count.
const DEEPEST: u32 = 800;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Symbol {
    Value(Typed),
    Function { function: FunctionId, arguments: Vec<Kind>, result: Kind },
    Macro { parameters: Vec<(String, Kind)>, result: Kind, body: Sexpr },
}

/// Names in scope.
#[derive(Default)]
pub struct Scope {
    pub symbols: FxHashMap<String, Symbol>,
    /// Bindings of `let` and parameters, the innermost last.
    locals: FxHashMap<String, Vec<Typed>>,
}

/// A term with its arguments, for messages.
pub struct Call<'a> {
    pub line: u32,
    pub operator: &'a str,
    pub indices: &'a [u32],
    pub arguments: &'a [Typed],
}

impl Call<'_> {
    pub fn wrong(&self) -> SmtLibError {
        let kinds: Vec<String> = self.arguments.iter().map(|a| a.kind().to_string()).collect();
        let given = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
        SmtLibError::WrongArguments { line: self.line, operator: self.operator.to_owned(), given }
    }

    pub fn unsupported(&self, what: &str) -> SmtLibError {
        SmtLibError::Unsupported { line: self.line, what: what.to_owned() }
    }
}

impl Scope {
    pub fn sort(&self, sexpr: &Sexpr) -> Result<Kind, SmtLibError> {
        let line = sexpr.line;
        let wrong = || SmtLibError::NotA { line, found: sexpr.to_string(), wanted: "sort" };
        let unsupported = || SmtLibError::Unsupported { line, what: format!("the sort `{sexpr}`") };
        if let Some(name) = sexpr.atom() {
            return match name {
                "Bool" => Ok(Kind::Bool),
                "Float32" => Ok(Kind::Float(32)),
                "Float64" => Ok(Kind::Float(64)),
                "RoundingMode" => Ok(Kind::Rounding),
                "Float16" | "Float128" | "Int" | "Real" | "String" => Err(unsupported()),
                _ => Err(wrong()),
            };
        }
        let items = sexpr.list().ok_or_else(wrong)?;
        let atoms: Vec<&str> = items.iter().map(|item| item.atom().unwrap_or("")).collect();
        match atoms.as_slice() {
            ["_", "BitVec", width] => match width.parse() {
                Ok(width @ 1..=MAX_WIDTH) => Ok(Kind::Bits(width)),
                Ok(0) | Err(_) => Err(wrong()),
                Ok(_) => Err(unsupported()),
            },
            ["_", "FloatingPoint", "8", "24"] => Ok(Kind::Float(32)),
            ["_", "FloatingPoint", "11", "53"] => Ok(Kind::Float(64)),
            ["_", "FloatingPoint", _, _] => Err(unsupported()),
            ["Array", _, _] => match (self.sort(&items[1])?, self.sort(&items[2])?) {
                (Kind::Bits(index @ 1..=64), Kind::Bits(element @ 1..=64)) => {
                    Ok(Kind::Array { index, element })
                }
                _ => Err(unsupported()),
            },
            _ => Err(wrong()),
        }
    }

    pub fn term(&mut self, terms: &mut Terms, sexpr: &Sexpr) -> Result<Typed, SmtLibError> {
        self.term_at(terms, sexpr, 0)
    }

    fn term_at(
        &mut self,
        terms: &mut Terms,
        sexpr: &Sexpr,
        depth: u32,
    ) -> Result<Typed, SmtLibError> {
        let line = sexpr.line;
        if depth > DEEPEST {
            let what = format!("a term nested deeper than {DEEPEST}");
            return Err(SmtLibError::Unsupported { line, what });
        }
        // A chain of `let` is a loop, since real files have thousands of them.
        let mut bound = Vec::new();
        let mut body = sexpr;
        let result = loop {
            match body.list() {
                Some([head, bindings, inner]) if head.atom() == Some("let") => {
                    match self.bind(terms, bindings, depth) {
                        Ok(names) => bound.extend(names),
                        Err(error) => break Err(error),
                    }
                    body = inner;
                }
                Some([head, inner, ..]) if head.atom() == Some("!") => body = inner,
                _ => break self.plain_term(terms, body, depth),
            }
        };
        for name in bound.iter().rev() {
            self.unbind(name);
        }
        result
    }

    fn bind(
        &mut self,
        terms: &mut Terms,
        bindings: &Sexpr,
        depth: u32,
    ) -> Result<Vec<String>, SmtLibError> {
        let form = "(let ((name term) …) term)";
        let line = bindings.line;
        let wrong = || SmtLibError::Malformed { line, command: "let".to_owned(), form };
        let mut values = Vec::new();
        for binding in bindings.list().ok_or_else(wrong)? {
            let Some([name, value]) = binding.list() else { return Err(wrong()) };
            let name = name.atom().ok_or_else(wrong)?;
            values.push((name.to_owned(), self.term_at(terms, value, depth + 1)?));
        }
        let mut names = Vec::new();
        for (name, value) in values {
            self.locals.entry(name.clone()).or_default().push(value);
            names.push(name);
        }
        Ok(names)
    }

    fn unbind(&mut self, name: &str) {
        if let Some(values) = self.locals.get_mut(name) {
            values.pop();
        }
    }

    fn plain_term(
        &mut self,
        terms: &mut Terms,
        sexpr: &Sexpr,
        depth: u32,
    ) -> Result<Typed, SmtLibError> {
        let line = sexpr.line;
        let wrong = || SmtLibError::NotA { line, found: sexpr.to_string(), wanted: "term" };
        match &sexpr.kind {
            Form::Atom(text) => self.constant(terms, text, line, depth),
            Form::String(_) => Err(wrong()),
            Form::List(items) => {
                let (head, arguments) = items.split_first().ok_or_else(wrong)?;
                if head.atom() == Some("_") {
                    return indexed_constant(terms, sexpr, arguments);
                }
                let mut values = Vec::with_capacity(arguments.len());
                // A decimal number has a meaning only inside a conversion.
                if let Some(value) = floats::from_decimal(terms, head, arguments)? {
                    return Ok(value);
                }
                for argument in arguments {
                    values.push(self.term_at(terms, argument, depth + 1)?);
                }
                self.apply(terms, head, &values, line, depth)
            }
        }
    }

    fn constant(
        &mut self,
        terms: &mut Terms,
        text: &str,
        line: u32,
        depth: u32,
    ) -> Result<Typed, SmtLibError> {
        if let Some(value) = self.locals.get(text).and_then(|values| values.last()) {
            return Ok(*value);
        }
        match self.symbols.get(text) {
            Some(Symbol::Value(value)) => return Ok(*value),
            Some(_) => return self.call(terms, text, &[], line, depth),
            None => {}
        }
        if let Some(value) = literal(terms, text) {
            return Ok(value);
        }
        if let Some(rounding) = floats::rounding(text) {
            return Ok(Typed::Rounding(rounding));
        }
        match text {
            "true" => Ok(Typed::Term(Kind::Bool, Terms::TRUE)),
            "false" => Ok(Typed::Term(Kind::Bool, Terms::FALSE)),
            _ => Err(SmtLibError::Undeclared { line, name: text.to_owned() }),
        }
    }

    fn apply(
        &mut self,
        terms: &mut Terms,
        head: &Sexpr,
        arguments: &[Typed],
        line: u32,
        depth: u32,
    ) -> Result<Typed, SmtLibError> {
        if let Some(operator) = head.atom() {
            if self.symbols.contains_key(operator) {
                return self.call(terms, operator, arguments, line, depth);
            }
            let call = Call { line, operator, indices: &[], arguments };
            return operators::apply(terms, &call);
        }
        let wrong = || SmtLibError::NotA { line, found: head.to_string(), wanted: "operator" };
        let items = head.list().ok_or_else(wrong)?;
        match items {
            [mark, operator, indices @ ..] if mark.atom() == Some("_") => {
                let operator = operator.atom().ok_or_else(wrong)?;
                let number = |index: &Sexpr| index.atom()?.parse().ok();
                let indices: Option<Vec<u32>> = indices.iter().map(number).collect();
                let indices = indices.ok_or_else(wrong)?;
                let call = Call { line, operator, indices: &indices, arguments };
                operators::apply(terms, &call)
            }
            [mark, constant, sort]
                if mark.atom() == Some("as") && constant.atom() == Some("const") =>
            {
                let kind = self.sort(sort)?;
                let call = Call { line, operator: "const", indices: &[], arguments };
                match (kind, arguments) {
                    (Kind::Array { index, element }, [Typed::Term(Kind::Bits(width), value)])
                        if *width == element =>
                    {
                        Ok(Typed::Term(kind, terms.const_array(index, *value)))
                    }
                    _ => Err(call.wrong()),
                }
            }
            _ => Err(wrong()),
        }
    }

    /// A declared or defined function.
    fn call(
        &mut self,
        terms: &mut Terms,
        name: &str,
        arguments: &[Typed],
        line: u32,
        depth: u32,
    ) -> Result<Typed, SmtLibError> {
        let call = Call { line, operator: name, indices: &[], arguments };
        let kinds: Vec<Kind> = arguments.iter().map(|a| a.kind()).collect();
        match self.symbols.get(name).cloned() {
            Some(Symbol::Function { function, arguments: wanted, result }) => {
                if kinds != wanted {
                    return Err(call.wrong());
                }
                let values: Vec<TermId> = arguments.iter().filter_map(|a| a.term()).collect();
                Ok(Typed::Term(result, terms.apply(function, &values)))
            }
            Some(Symbol::Macro { parameters, result, body }) => {
                let wanted: Vec<Kind> = parameters.iter().map(|(_, kind)| *kind).collect();
                if kinds != wanted {
                    return Err(call.wrong());
                }
                for ((name, _), value) in parameters.iter().zip(arguments) {
                    self.locals.entry(name.clone()).or_default().push(*value);
                }
                let value = self.term_at(terms, &body, depth + 1);
                for (name, _) in &parameters {
                    self.unbind(name);
                }
                let value = value?;
                if value.kind() != result {
                    return Err(SmtLibError::NotA {
                        line: body.line,
                        found: format!("the body of {name}"),
                        wanted: "term of the sort it is declared with",
                    });
                }
                Ok(value)
            }
            _ => Err(call.wrong()),
        }
    }
}

/// `#x…`, `#b…`.
fn literal(terms: &mut Terms, text: &str) -> Option<Typed> {
    let (digits, radix, bits) = match text.get(..2)? {
        "#x" => (&text[2..], 16, 4),
        "#b" => (&text[2..], 2, 1),
        _ => return None,
    };
    let value = BigUint::from_str_radix(digits, radix).ok()?;
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    if !(1..=MAX_WIDTH).contains(&width) || digits.starts_with('+') {
        return None;
    }
    Some(Typed::Term(Kind::Bits(width), terms.wide_constant(width, value)))
}

/// `(_ bv5 32)` and the constants of floats.
fn indexed_constant(
    terms: &mut Terms,
    sexpr: &Sexpr,
    parts: &[Sexpr],
) -> Result<Typed, SmtLibError> {
    let line = sexpr.line;
    let wrong = || SmtLibError::NotA { line, found: sexpr.to_string(), wanted: "term" };
    let atoms: Vec<&str> = parts.iter().map(|part| part.atom().unwrap_or("")).collect();
    if let [number, width] = atoms.as_slice()
        && let Some(digits) = number.strip_prefix("bv")
    {
        let value = BigUint::from_str_radix(digits, 10).map_err(|_| wrong())?;
        let width: u32 = width.parse().map_err(|_| wrong())?;
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(wrong());
        }
        return Ok(Typed::Term(Kind::Bits(width), terms.wide_constant(width, value)));
    }
    let [name, exponent, significand] = atoms.as_slice() else { return Err(wrong()) };
    let width = match (*exponent, *significand) {
        ("8", "24") => 32,
        ("11", "53") => 64,
        _ => return Err(SmtLibError::Unsupported { line, what: format!("`{sexpr}`") }),
    };
    let format = Format::of_width(width);
    let bits = match *name {
        "+oo" => format.infinity(),
        "-oo" => format.infinity() | format.sign_bit(),
        "+zero" => 0,
        "-zero" => format.sign_bit(),
        "NaN" => format.infinity() | format.quiet_bit(),
        _ => return Err(wrong()),
    };
    Ok(Typed::Term(Kind::Float(width), terms.constant(width, bits)))
}

/// The rounding mode that all arithmetic uses.
pub fn expect_nearest(call: &Call<'_>, rounding: Rounding) -> Result<(), SmtLibError> {
    match rounding {
        Rounding::NearestEven => Ok(()),
        _ => Err(call.unsupported("arithmetic that is not rounded to nearest even")),
    }
}
