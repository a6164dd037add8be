//! What an observer sees of small programs: everything, once, in chronological order.

use exec::observer::At;
use exec::{Input, Instrumentation, Limits, Machine, Observer, Program, Stop};
use ir::{FuncId, Module, StatementId};

/// Keeps all events as text.
#[derive(Default)]
struct Recorder {
    events: Vec<String>,
    /// The names of functions, by number.
    names: Vec<String>,
    /// The line of each statement.
    lines: Vec<u32>,
}

impl Recorder {
    fn new(module: &Module) -> Recorder {
        Recorder {
            events: Vec::new(),
            names: module.functions.values().map(|function| function.name.clone()).collect(),
            lines: module.statements.values().map(|statement| statement.span.line).collect(),
        }
    }

    fn note(&mut self, event: String) {
        self.events.push(event);
    }
}

impl Observer for Recorder {
    const STATEMENTS: bool = true;
    const OUTPUT: bool = true;

    fn statement(&mut self, statement: StatementId) {
        let line = self.lines[statement.as_u32() as usize];
        self.note(format!("line {line}"));
    }

    fn branch(&mut self, at: At<'_>, taken: bool) {
        let function = self.names[at.function().as_u32() as usize].clone();
        self.note(format!("branch in {function}: {taken}"));
    }

    fn jump(&mut self, at: At<'_>, _target: u32) {
        let function = self.names[at.function().as_u32() as usize].clone();
        self.note(format!("jump in {function}"));
    }

    fn read(&mut self, _at: At<'_>, _address: u64, size: u64) {
        self.note(format!("read {size}"));
    }

    fn write(&mut self, _at: At<'_>, _address: u64, size: u64) {
        self.note(format!("write {size}"));
    }

    fn enter(&mut self, function: FuncId) {
        let name = self.names[function.as_u32() as usize].clone();
        self.note(format!("enter {name}"));
    }

    fn leave(&mut self, function: FuncId) {
        let name = self.names[function.as_u32() as usize].clone();
        self.note(format!("leave {name}"));
    }

    fn output(&mut self, descriptor: i32, bytes: &[u8]) {
        self.note(format!("output {descriptor} {:?}", String::from_utf8_lossy(bytes)));
    }
}

/// Runs a text, which is indented by eight spaces.
fn events(text: &str, statements: bool) -> (Stop, Vec<String>) {
    let text = text.replace("\n        ", "\n");
    let module = llvm::read("test.ll", &text).expect("the text can be read").module;
    assert_eq!(ir::verify(&module), []);
    let recorder = Recorder::new(&module);
    let instrumentation = Instrumentation { statements };
    let program = Program::new(module, "main", instrumentation).expect("it is a program");
    let input = Input { args: vec![b"test".to_vec()], ..Input::default() };
    let mut machine = match Machine::new(&program, &input, Limits::default(), recorder) {
        Ok(machine) => machine,
        Err(stop) => panic!("the machine does not start: {stop:?}"),
    };
    let stop = machine.run();
    (stop, machine.observer.events)
}

#[test]
fn calls_reads_writes_and_branches_are_seen_in_order() {
    let text = "
        @cell = global i32 5
        @wide = global [3 x i64] zeroinitializer
        define i32 @twice(i32 %x) {
          %y = add i32 %x, %x
          store i32 %y, ptr @cell
          ret i32 %y
        }
        define i32 @main() {
          %a = load i32, ptr @cell
          %c = icmp eq i32 %a, 5
          br i1 %c, label %yes, label %no
        yes:
          %r = call i32 @twice(i32 %a)
          call void @llvm.memset.p0.i64(ptr @wide, i8 1, i64 24, i1 false)
          %w = load i64, ptr @wide
          %v = trunc i64 %w to i32
          ret i32 %v
        no:
          store i8 1, ptr @wide
          ret i32 1
        }
        declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)";
    let (stop, events) = events(text, false);
    assert_eq!(stop, Stop::Exit(0x0101_0101));
    let branch = events[2].clone();
    assert!(branch.starts_with("branch in main: "), "{branch}");
    let expected = [
        "enter main",
        "read 4",
        &branch,
        "enter twice",
        "write 4",
        "leave twice",
        "write 24",
        "read 8",
        "leave main",
    ];
    assert_eq!(events, expected);
}

#[test]
fn a_failed_access_is_seen_before_the_fault() {
    let text = "
        define i32 @main() {
          %r = load i16, ptr null
          ret i32 0
        }";
    let (stop, events) = events(text, false);
    assert!(matches!(stop, Stop::Fault(_)));
    assert_eq!(events, ["enter main", "read 2"]);
}

#[test]
fn switches_and_computed_gotos_are_jumps() {
    let text = "
        @labels = constant [2 x ptr] [ptr blockaddress(@main, %one), ptr blockaddress(@main, %two)]
        define i32 @main(i32 %argc) {
          switch i32 %argc, label %two [i32 1, label %go]
        go:
          %p = load ptr, ptr @labels
          indirectbr ptr %p, [label %one, label %two]
        one:
          ret i32 1
        two:
          ret i32 2
        }";
    let (stop, events) = events(text, false);
    assert_eq!(stop, Stop::Exit(1));
    assert_eq!(events, ["enter main", "jump in main", "read 8", "jump in main", "leave main"]);
}

#[test]
fn statements_are_seen_each_time_they_begin() {
    let text = "
        define i32 @main() !dbg !3 {
        entry:
          %i = alloca i32
          store i32 0, ptr %i, !dbg !5
          br label %loop, !dbg !5
        loop:
          %a = load i32, ptr %i, !dbg !6
          %c = icmp slt i32 %a, 2, !dbg !6
          br i1 %c, label %body, label %end, !dbg !6
        body:
          %b = add i32 %a, 1, !dbg !7
          store i32 %b, ptr %i, !dbg !7
          br label %loop, !dbg !7
        end:
          ret i32 %a, !dbg !8
        }
        !llvm.dbg.cu = !{!0}
        !llvm.module.flags = !{!9}
        !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
        !1 = !DIFile(filename: \"a.c\", directory: \"/\")
        !2 = !DISubroutineType(types: !4)
        !3 = distinct !DISubprogram(name: \"main\", file: !1, line: 1, type: !2, unit: !0)
        !4 = !{null}
        !5 = !DILocation(line: 2, column: 1, scope: !3)
        !6 = !DILocation(line: 3, column: 1, scope: !3)
        !7 = !DILocation(line: 4, column: 1, scope: !3)
        !8 = !DILocation(line: 5, column: 1, scope: !3)
        !9 = !{i32 2, !\"Debug Info Version\", i32 3}";
    let (stop, events) = events(text, true);
    assert_eq!(stop, Stop::Exit(2));
    let lines: Vec<&String> = events.iter().filter(|event| event.starts_with("line")).collect();
    assert_eq!(lines, ["line 2", "line 3", "line 4", "line 3", "line 4", "line 3", "line 5"]);
    // A branch is decided after its statement began.
    let first = events.iter().position(|event| event.starts_with("branch"));
    let third = events.iter().position(|event| event == "line 3");
    assert!(third < first);
}

#[test]
fn output_is_seen_when_it_is_written() {
    let text = "
        @first = constant [4 x i8] c\"one\\00\"
        @second = constant [4 x i8] c\"two\\00\"
        declare i64 @write(i32, ptr, i64)
        define i32 @main() {
          %a = call i64 @write(i32 1, ptr @first, i64 3)
          store i8 0, ptr null
          ret i32 0
        }";
    let (_, events) = events(text, false);
    assert_eq!(events, ["enter main", "output 1 \"one\"", "write 1"]);
}

#[test]
fn constructors_main_and_exit_handlers_are_entered_one_after_the_other() {
    let text = "
        @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
          [{ i32, ptr, ptr } { i32 65535, ptr @first, ptr null }]
        declare i32 @atexit(ptr)
        define void @first() {
          ret void
        }
        define void @last() {
          ret void
        }
        define i32 @main() {
          %r = call i32 @atexit(ptr @last)
          ret i32 3
        }";
    let (stop, events) = events(text, false);
    assert_eq!(stop, Stop::Exit(3));
    let expected =
        ["enter first", "leave first", "enter main", "leave main", "enter last", "leave last"];
    assert_eq!(events, expected);
}
