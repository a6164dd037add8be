//! An observer of definitions sees all of them, including constants and definitions that nothing
//! depends on.

use exec::code::Reg;
use exec::memory::{Memory, Shade};
use exec::observer::{At, Operand, Pointer, Spread};
use exec::{Input, Instrumentation, Limits, Machine, Observer, Program, Stop};

/// Keeps definitions as text; a shadow is the number of a definition.
#[derive(Default)]
struct Definitions {
    seen: Vec<String>,
}

impl Definitions {
    fn note(&mut self, text: String) -> u32 {
        self.seen.push(text);
        self.seen.len() as u32
    }
}

impl Observer for Definitions {
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;

    fn define(&mut self, at: At<'_>, _: Reg, value: Operand) -> u32 {
        let slots = &at.code.slots;
        match slots.is_empty() {
            true => value.shadow,
            false => self.note(format!("define {} from {}", value.bits as u32, value.shadow)),
        }
    }

    fn derive(&mut self, _: At<'_>, sources: &[Operand], results: &mut [u32]) {
        results.fill(sources.iter().map(|source| source.shadow).max().unwrap_or(0));
    }

    fn decide(&mut self, _: At<'_>, sources: &[Operand]) {
        let first = sources[0];
        self.note(format!("decide by {} from {}", first.bits, first.shadow));
    }

    fn invoke(&mut self, _: At<'_>, target: Option<Operand>) {
        self.note(format!("call, through an address: {}", target.is_some()));
    }

    fn pass(&mut self, _: At<'_>, parameter: usize, value: Operand) -> u32 {
        self.note(format!("parameter {parameter} is {} from {}", value.bits, value.shadow))
    }

    fn give(&mut self, _: At<'_>, _: usize, value: Operand) -> u32 {
        self.note(format!("return {} from {}", value.bits, value.shadow))
    }

    fn load(&mut self, _: At<'_>, memory: &Memory, from: &Pointer, words: &mut [u32]) -> bool {
        let shades = memory.shades(from.address(), from.bytes.into());
        words[0] = shades.first().map_or(0, |shade| shade.shadow);
        true
    }

    fn store(&mut self, _: At<'_>, _: &Memory, to: &Pointer, words: &[Operand]) -> Option<Spread> {
        let shadow = self.note(format!("store {} from {}", words[0].bits, words[0].shadow));
        let shade = Shade { shadow, part: 0, size: 1 };
        Some(Spread { address: to.address(), shades: vec![shade; to.bytes as usize] })
    }
}

fn definitions(text: &str) -> (Stop, Vec<String>) {
    let text = text.replace("\n        ", "\n");
    let module = llvm::read("test.ll", &text).expect("the text can be read").module;
    let program = Program::new(module, "main", Instrumentation::default());
    let program = program.expect("it is a program");
    let input = Input { args: vec![b"test".to_vec()], ..Input::default() };
    let machine = Machine::new(&program, &input, Limits::default(), Definitions::default());
    let mut machine = match machine {
        Ok(machine) => machine,
        Err(stop) => panic!("the machine does not start: {stop:?}"),
    };
    let stop = machine.run();
    (stop, machine.observer.seen)
}

#[test]
fn constants_are_followed_through_memory_calls_and_decisions() {
    let text = "
        @cell = global i32 0
        define i32 @twice(i32 %x) {
          %y = add i32 %x, %x
          ret i32 %y
        }
        define i32 @main() {
          store i32 5, ptr @cell
          %a = load i32, ptr @cell
          %r = call i32 @twice(i32 %a)
          %c = icmp eq i32 %r, 10
          br i1 %c, label %yes, label %no
        yes:
          ret i32 3
        no:
          ret i32 4
        }";
    let (stop, seen) = definitions(text);
    assert_eq!(stop, Stop::Exit(3));
    let expected = [
        "store 5 from 0",
        "call, through an address: false",
        "parameter 0 is 5 from 1",
        "return 10 from 3",
        "decide by 10 from 4",
        "return 3 from 0",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn the_result_of_a_call_is_a_definition_of_the_caller() {
    let text = "
        define i32 @five() {
          ret i32 5
        }
        define i32 @main() {
          %x = alloca i32
          %r = call i32 @five()
          store i32 %r, ptr %x
          %a = load i32, ptr %x
          ret i32 %a
        }";
    let (stop, seen) = definitions(text);
    assert_eq!(stop, Stop::Exit(5));
    let after = seen.iter().position(|seen| seen == "return 5 from 0");
    let after = after.expect("the function returns") as u32 + 1;
    assert_eq!(seen[after as usize], format!("define 5 from {after}"));
}
