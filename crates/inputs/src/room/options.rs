//! The options of a program, by its code: strings and tables for `getopt` and `getopt_long`, and
//! the texts and letters that it compares with its arguments.
//!
//! Arguments are followed from `main` through local variables and calls, not through memory or
//! variables of the program. What is found suggests inputs; nothing depends on it being complete.

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    Body, Call, Callee, CompareOp, Const, FuncId, GlobalId, Inst, Module, Op, Operand, SlotId,
    TypedConst, ValueId,
};

/// The most options that are of use.
const MOST: usize = 64;
/// The longest text that is taken for an option.
const LONGEST: usize = 32;
/// How many functions are looked at, each time when more is known about its parameters.
const MOST_STEPS: usize = 400;
/// Values flow through local variables, which the text may write after it reads them.
const ROUNDS: usize = 6;
/// The size of a `struct option` in members: name, whether it has an argument, flag, value.
const OPTION_MEMBERS: usize = 4;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The arguments, `argv`.
    Vector,
    /// One of them.
    Text,
    /// Its second character, behind the dash.
    Letter,
}

type Kinds = BTreeSet<Kind>;

/// Options and other words that the program knows, such as `-v`, `--all`, `add`.
pub(super) fn options(module: &Module) -> BTreeSet<Vec<u8>> {
    let mut finder = Finder { module, params: BTreeMap::new(), found: BTreeSet::new() };
    let mut own = module.functions.iter().filter(|(id, _)| module.is_own(*id));
    let Some((main, _)) = own.find(|(_, function)| function.name == "main") else {
        return BTreeSet::new();
    };
    finder.params.insert((main, 1), Kinds::from([Kind::Vector]));
    let mut waiting = vec![main];
    for _ in 0..MOST_STEPS {
        let Some(function) = waiting.pop() else { break };
        waiting.extend(finder.look_into(function));
    }
    finder.found
}

struct Finder<'m> {
    module: &'m Module,
    /// What is known about parameters.
    params: BTreeMap<(FuncId, usize), Kinds>,
    found: BTreeSet<Vec<u8>>,
}

/// What is known about the values of one function.
#[derive(Default)]
struct Known {
    values: BTreeMap<ValueId, Kinds>,
    slots: BTreeMap<SlotId, Kinds>,
    /// Addresses of the second characters of arguments.
    seconds: BTreeSet<ValueId>,
}

impl Known {
    fn of(&self, operand: Operand) -> Kinds {
        match operand {
            Operand::Value(value) => self.values.get(&value).cloned().unwrap_or_default(),
            Operand::Const(_) => Kinds::new(),
        }
    }
}

impl Finder<'_> {
    /// Looks at a function; returns those about whose parameters more is known than before.
    fn look_into(&mut self, function: FuncId) -> BTreeSet<FuncId> {
        let module = self.module;
        let Some(body) = module.functions[function].body() else { return BTreeSet::new() };
        let mut known = Known::default();
        for (&(_, param), kinds) in self.params.range((function, 0)..=(function, usize::MAX)) {
            if let Ok(param) = u32::try_from(param) {
                known.values.insert(ValueId::at(param), kinds.clone());
            }
        }
        let insts =
            || body.blocks.values().flat_map(|block| &block.insts).map(|&id| &body.insts[id]);
        for _ in 0..ROUNDS {
            let mut changed = false;
            for inst in insts() {
                changed |= flow(inst, &mut known);
            }
            if !changed {
                break;
            }
        }
        let mut again = BTreeSet::new();
        for inst in insts() {
            match &inst.op {
                Op::Call(call) | Op::Invoke { call, .. } => {
                    again.extend(self.call(body, call, &known));
                }
                Op::Compare { op: CompareOp::Eq | CompareOp::Ne, lhs, rhs } => {
                    for (one, other) in [(lhs, rhs), (rhs, lhs)] {
                        if known.of(*one).contains(&Kind::Letter)
                            && let Some(Const::Int(letter)) = constant(body, *other)
                        {
                            self.add_letter(*letter);
                        }
                    }
                }
                Op::Switch { value, cases, .. } if known.of(*value).contains(&Kind::Letter) => {
                    cases.iter().for_each(|(letter, _)| self.add_letter(*letter));
                }
                _ => {}
            }
        }
        again
    }

    /// Options in a call, and what it tells about the parameters of the function.
    fn call(&mut self, body: &Body, call: &Call, known: &Known) -> Option<FuncId> {
        let Callee::Function(callee) = call.callee else { return None };
        let name = self.module.functions[callee].name.as_str();
        let argument = |index: usize| call.args.get(index).map(|argument| argument.value);
        match name {
            "getopt" | "__posix_getopt" | "getopt_long" | "getopt_long_only" => {
                let letters = argument(2).and_then(|value| self.text(body, value));
                letters.iter().for_each(|letters| self.add_letters(letters));
                if let Some(table) = argument(3).and_then(|value| global(constant(body, value)?)) {
                    self.add_table(table);
                }
                return None;
            }
            "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" => {
                for (one, other) in [(0, 1), (1, 0)] {
                    let (Some(one), Some(other)) = (argument(one), argument(other)) else {
                        continue;
                    };
                    if known.of(one).contains(&Kind::Text)
                        && let Some(text) = self.text(body, other)
                    {
                        self.add(text);
                    }
                }
                return None;
            }
            _ if !self.module.is_own(callee) => return None,
            _ => {}
        }
        let mut is_more = false;
        for (index, argument) in call.args.iter().enumerate() {
            let kinds = known.of(argument.value);
            if !kinds.is_empty() {
                let all = self.params.entry((callee, index)).or_default();
                let before = all.len();
                all.extend(kinds);
                is_more |= all.len() > before;
            }
        }
        is_more.then_some(callee)
    }

    fn add(&mut self, text: Vec<u8>) {
        if !text.is_empty() && text.len() <= LONGEST && self.found.len() < MOST {
            self.found.insert(text);
        }
    }

    fn add_letter(&mut self, letter: u128) {
        let letter = u8::try_from(letter & 0xff).unwrap_or_default();
        if letter.is_ascii_graphic() && letter != b'-' {
            self.add(vec![b'-', letter]);
        }
    }

    /// Of `getopt`: each letter is an option, and colons say that it has an argument.
    fn add_letters(&mut self, letters: &[u8]) {
        let letters = letters.iter().filter(|letter| !b"+-:;".contains(letter));
        letters.for_each(|&letter| self.add_letter(letter.into()));
    }

    /// Of `getopt_long`: an array of structs that begin with a name.
    fn add_table(&mut self, table: GlobalId) {
        let Some(init) = &self.module.globals[table].init else { return };
        let Const::Elements(rows) = &init.value else { return };
        for row in rows {
            let Const::Elements(members) = &row.value else { continue };
            let name = members.first().filter(|_| members.len() >= OPTION_MEMBERS);
            let Some(name) = name.and_then(|name| self.text_of(global(&name.value)?)) else {
                continue;
            };
            self.add([b"--", &name[..]].concat());
        }
    }

    /// The text that a constant is the address of.
    fn text(&self, body: &Body, operand: Operand) -> Option<Vec<u8>> {
        self.text_of(global(constant(body, operand)?)?)
    }

    fn text_of(&self, id: GlobalId) -> Option<Vec<u8>> {
        let global = &self.module.globals[id];
        let init = global.init.as_ref().filter(|_| global.constant)?;
        let Const::Bytes(bytes) = &init.value else { return None };
        let end = bytes.iter().position(|&byte| byte == 0)?;
        Some(bytes[..end].to_vec())
    }
}

fn constant(body: &Body, operand: Operand) -> Option<&Const> {
    match operand {
        Operand::Const(id) => Some(&body.consts[id].value),
        Operand::Value(_) => None,
    }
}

/// The variable that a constant is the address of.
fn global(constant: &Const) -> Option<GlobalId> {
    match constant {
        Const::Global(id) => Some(*id),
        Const::Offset { base, bytes: 0 } => global(&base.value),
        Const::Cast { value, .. } => {
            let TypedConst { value, .. } = &**value;
            global(value)
        }
        _ => None,
    }
}

/// Propagates kinds through an instruction; returns whether more is known than before.
fn flow(inst: &Inst, known: &mut Known) -> bool {
    if let Op::WriteSlot { slot, value } = &inst.op {
        let kinds = known.of(*value);
        return add(known.slots.entry(*slot).or_default(), kinds);
    }
    let Some(result) = inst.result else { return false };
    let kinds = match &inst.op {
        Op::Unary { value, .. } | Op::Cast { value, .. } => known.of(*value),
        Op::ReadSlot { slot } => known.slots.get(slot).cloned().unwrap_or_default(),
        Op::Select { then, otherwise, .. } => {
            let mut kinds = known.of(*then);
            kinds.extend(known.of(*otherwise));
            kinds
        }
        Op::Phi { incoming } => incoming.iter().flat_map(|(_, value)| known.of(*value)).collect(),
        Op::Offset { base, bytes, scaled, .. } => {
            let kinds = known.of(*base);
            if kinds.contains(&Kind::Text) && *bytes == 1 && scaled.is_empty() {
                known.seconds.insert(result);
            }
            kinds
        }
        Op::Load { address, .. } => {
            let is_second =
                matches!(address, Operand::Value(value) if known.seconds.contains(value));
            let kinds = known.of(*address);
            let loaded = kinds.iter().filter_map(|kind| match kind {
                Kind::Vector => Some(Kind::Text),
                Kind::Text if is_second => Some(Kind::Letter),
                Kind::Text | Kind::Letter => None,
            });
            loaded.collect()
        }
        _ => return false,
    };
    add(known.values.entry(result).or_default(), kinds)
}

fn add(all: &mut Kinds, more: Kinds) -> bool {
    let before = all.len();
    all.extend(more);
    all.len() > before
}
