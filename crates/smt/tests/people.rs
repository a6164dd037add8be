//! Conditions for people: files of conditions with their text, and random conditions whose text
//! is read back and compared.
//!
//! A file of `people/` is SMT-LIB. Its comments say what variables stand for, and behind each
//! `check-sat` what the assertions are called: `;= 5 ≤ x`.

#[path = "people/reader.rs"]
mod reader;

use std::path::Path;

use base::random::Random;
use ripple_smt::chain::IntervalSet;
use ripple_smt::people::{Entry, Glossary, Meaning, Text, TextEnd};
use ripple_smt::solver::{Counter, SatCounts};
use ripple_smt::{
    Answer, Budget, Evaluator, Model, Reason, Solver, Sort, TermId, Terms, VarId, smtlib,
};

#[test]
fn conditions_read_as_their_files_say() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/people");
    let entries = std::fs::read_dir(directory).expect("the files are there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    paths.sort();
    assert!(paths.len() >= 4, "{paths:?}");
    for path in paths {
        check(&path);
    }
}

fn check(path: &Path) {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(";= ")).collect();
    let mut asked = Asked { text: &text, said: Vec::new() };
    smtlib::run(&text, &mut asked, &Budget::default, &mut |_| {}).expect("it is SMT-LIB");
    assert_eq!(asked.said, expected, "{}", path.display());
}

/// Says what it is asked.
struct Asked<'a> {
    text: &'a str,
    said: Vec<String>,
}

impl Solver for Asked<'_> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], _: &Budget) -> Answer {
        let glossary = glossary(terms, self.text);
        self.said.push(glossary.conjunction(terms, conditions));
        Answer::Unknown(Reason::Stopped)
    }

    fn counters(&self, _: &mut Vec<Counter>) {}

    fn sat(&self) -> SatCounts {
        SatCounts::default()
    }
}

/// What comments such as `;: x signed 1..9999` say.
fn glossary(terms: &Terms, text: &str) -> Glossary {
    let mut glossary = Glossary::new();
    for line in text.lines().filter_map(|line| line.strip_prefix(";: ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let of = |name: &str| terms.find_variable(name).expect("it is declared");
        if let ["text", name, end, characters @ ..] = words.as_slice() {
            let end = match *end {
                "last" => TextEnd::Last,
                "zero" => TextEnd::Zero,
                length => TextEnd::Length(of(length)),
            };
            let characters = characters.iter().map(|name| of(name)).collect();
            glossary.add_text(Text { name: (*name).to_owned(), characters, end });
            continue;
        }
        let [name, kind, rest @ ..] = words.as_slice() else { panic!("{line}") };
        let meaning = match *kind {
            "signed" => Meaning::Number { is_signed: true },
            "unsigned" => Meaning::Number { is_signed: false },
            "character" => Meaning::Character { is_signed: false },
            "float" => Meaning::Float,
            "choice" => Meaning::Choice(rest.iter().map(|name| (*name).to_owned()).collect()),
            other => panic!("{other}"),
        };
        let variable = of(name);
        let Sort::Bits(width) = terms.variable_info(variable).sort else { panic!("{name}") };
        let range = rest.first().and_then(|range| range.split_once(".."));
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let allowed = match (range, &meaning) {
            (Some((low, high)), _) => IntervalSet::of(width, vec![(number(low), number(high))]),
            (None, Meaning::Choice(names)) => {
                IntervalSet::of(width, vec![(0, names.len() as u64 - 1)])
            }
            _ => IntervalSet::all(width),
        };
        glossary.add(variable, Entry { name: None, meaning, allowed });
    }
    glossary
}

/// Variables of all kinds.
struct World {
    terms: Terms,
    glossary: Glossary,
    variables: Vec<(VarId, IntervalSet, bool)>,
}

fn world() -> World {
    let mut terms = Terms::new();
    let mut glossary = Glossary::new();
    let mut variables = Vec::new();
    let names = ["add", "sub", "mul", "div", "neg"].map(str::to_owned).to_vec();
    let (character, all) = (Meaning::Character { is_signed: false }, IntervalSet::all(8));
    let printable = IntervalSet::of(8, vec![(0, 0), (9, 10), (32, 126)]);
    let kinds = [
        ("s", Meaning::Number { is_signed: true }, IntervalSet::of(8, vec![(0, 90), (200, 255)])),
        ("w", Meaning::Number { is_signed: true }, all.clone()),
        ("u", Meaning::Number { is_signed: false }, IntervalSet::of(8, vec![(3, 9), (20, 200)])),
        ("k", Meaning::Choice(names), IntervalSet::of(8, vec![(0, 4)])),
        ("f", Meaning::Float, IntervalSet::all(32)),
        ("c", Meaning::Character { is_signed: true }, all.clone()),
        ("z[0]", character.clone(), printable.clone()),
        ("z[1]", character.clone(), printable.clone()),
        ("z[2]", character.clone(), printable.clone()),
        ("l[0]", character.clone(), printable.clone()),
        ("l[1]", character.clone(), printable.clone()),
        ("l[2]", character.clone(), printable),
        ("length of l", Meaning::Number { is_signed: false }, IntervalSet::of(8, vec![(0, 3)])),
        ("q[0]", character.clone(), all.clone()),
        ("q[1]", character, all),
    ];
    for (name, meaning, allowed) in kinds {
        let term = terms.variable(name, Sort::Bits(allowed.width));
        let variable = terms.variable_of(term).expect("it is one");
        variables.push((variable, allowed.clone(), meaning == Meaning::Float));
        glossary.add(variable, Entry { name: None, meaning, allowed });
    }
    let of = |name: &str| terms.find_variable(name).expect("it is declared");
    let texts = [
        ("z", vec!["z[0]", "z[1]", "z[2]"], TextEnd::Zero),
        ("l", vec!["l[0]", "l[1]", "l[2]"], TextEnd::Length(of("length of l"))),
        ("q", vec!["q[0]", "q[1]"], TextEnd::Last),
    ];
    for (name, characters, end) in texts {
        let characters = characters.into_iter().map(of).collect();
        glossary.add_text(Text { name: name.to_owned(), characters, end });
    }
    World { terms, glossary, variables }
}

const FLOATS: [f32; 10] =
    [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45];

impl World {
    fn value(&self, random: &mut Random, which: usize) -> u64 {
        let (_, allowed, is_float) = &self.variables[which];
        if *is_float {
            let bits = u64::from(random.pick(&FLOATS).to_bits());
            return bits.wrapping_add(random.number(3)).wrapping_sub(1) & 0xffff_ffff;
        }
        let favourites = [0, 1, 2, 3, 9, 20, 45, 48, 57, 90, 97, 127, 128, 200, 255];
        let near = if random.one_in(3) { random.number(256) } else { random.pick(&favourites) };
        allowed.nearest(near).expect("something is allowed")
    }

    /// A comparison of one variable with a constant, or a few of them.
    fn condition(&mut self, random: &mut Random, which: usize) -> TermId {
        let value = self.value(random, which);
        let (variable, allowed, is_float) = &self.variables[which];
        let (width, is_float) = (allowed.width, *is_float);
        let variable = self.terms.variable_term(*variable);
        let t = &mut self.terms;
        let constant = t.constant(width, value);
        let condition = match (is_float, random.below(9)) {
            (true, 0..=1) => t.flt(variable, constant),
            (true, 2..=3) => t.flt(constant, variable),
            (true, 4) => t.fle(variable, constant),
            (true, 5..=6) => t.feq(variable, constant),
            (true, 7) => t.is_nan(variable),
            (false, 0..=1) => t.ult(variable, constant),
            (false, 2) => t.ult(constant, variable),
            (false, 3) => t.slt(variable, constant),
            (false, 4) => t.sle(constant, variable),
            _ => t.eq(variable, constant),
        };
        let condition = if random.one_in(3) { self.terms.not(condition) } else { condition };
        if !random.one_in(4) {
            return condition;
        }
        let other = self.condition(random, which);
        self.terms.or(condition, other)
    }
}

/// The step that joins, drops and words conditions changes nothing of what they mean.
#[test]
fn an_input_satisfies_the_text_exactly_if_it_satisfies_the_conditions() {
    let mut random = Random::new(7);
    let mut world = world();
    let count = world.variables.len();
    let mut held = 0;
    for _ in 0..4000 {
        let texts_only = random.one_in(2);
        let conditions: Vec<TermId> = (0..1 + random.below(8))
            .map(|_| {
                let which =
                    if texts_only { 6 + random.below(count - 6) } else { random.below(count) };
                world.condition(&mut random, which)
            })
            .collect();
        let text = world.glossary.conjunction(&world.terms, &conditions);
        for _ in 0..40 {
            let mut model = Model::new();
            let mut values = reader::Values::default();
            for which in 0..count {
                let (variable, value) = (world.variables[which].0, world.value(&mut random, which));
                model.set(variable, value);
                values.set(&world.terms.variable_info(variable).name, value);
            }
            let holds = Evaluator::new().holds(&world.terms, &model, &conditions);
            held += usize::from(holds);
            assert_eq!(reader::holds(&text, &values), holds, "{text}\n{values:?}");
        }
    }
    assert!(held > 2000, "{held}");
}
