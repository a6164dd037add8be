//! Two versions of a program from one text: NEW is compiled with `-DNEW`.

use base::Version;
use exec::{Instrumentation, Limits, Program};
use explore::guidance::Guidance;
use explore::pair::Arena;
use explore::{Budget, Pair, Progress, Side};
use inputs::{Flags, Layout, Room};
use ripple_effects::guidance::guidance;
use ripple_effects::tables::tables;
use ripple_effects::{Libc, Loader, versions};
use source::{Selection, check_out};
use trace::Observe;

pub const NAME: &[u8] = b"program";

/// Both versions, and static knowledge about them.
pub struct Versions {
    pub old: Program,
    pub new: Program,
    /// With all statements marked.
    concolic: [Program; 2],
    pub layout: Layout,
    pub guidance: Guidance,
}

impl Versions {
    /// `None` if there is no compiler.
    pub fn new(name: &str, text: &str, args: &[&str]) -> Option<Versions> {
        let compiler = testkit::compiler("strategies")?;
        let file = testkit::file(&compiler, name, text);
        let selection = Selection {
            directory: &compiler.directory,
            paths: &[],
            cflags: &[],
            cache: &compiler.cache,
        };
        let load = |cflags: &[&str]| {
            let checkout = check_out(file.as_os_str(), &selection).expect("the file is there");
            let cflags = cflags.iter().map(|flag| flag.to_string()).collect();
            let compiler = checkout.compiler(&compiler);
            let loader = Loader { compiler: &compiler, cflags, libc: Libc::Open };
            let module = loader.load(&checkout.files).expect("it builds").module;
            versions::Side::new(checkout, module)
        };
        let (old, new) = (load(&[]), load(&["-DNEW"]));
        let aligned = versions::Versions::of(old, new);
        let main = |module: &ir::Module| {
            let mut functions = module.functions.iter();
            functions.find(|(_, f)| f.name == "main").map(|(id, _)| id).expect("a main function")
        };
        let mut guidance =
            guidance(&aligned, [main(&aligned.old.module), main(&aligned.new.module)]);
        guidance.slicing = Some(tables(&aligned, &guidance.matching));
        let program = |module, version| {
            let program = Program::new(module, "main", Instrumentation::default());
            program.expect("it runs").mark_only(guidance.matching.changes(version))
        };
        let marked = |module: &ir::Module| {
            let statements = Instrumentation { statements: true };
            Program::new(module.clone(), "main", statements).expect("it runs")
        };
        let concolic = [marked(&aligned.old.module), marked(&aligned.new.module)];
        let old = program(aligned.old.module, Version::Old);
        let new = program(aligned.new.module, Version::New);
        let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
        let flags = Flags { args, ..Flags::default() };
        let (space, _) = flags.program_space(&[], &Room::default()).expect("a space");
        Some(Versions { old, new, concolic, layout: space.layout(), guidance })
    }

    pub fn arena(&self, runs: u64) -> Arena<'_> {
        let side = |program, concolic| Side {
            program,
            concolic,
            layout: &self.layout,
            caller: None,
            cells: None,
        };
        let pair = Pair {
            old: side(&self.old, &self.concolic[0]),
            new: side(&self.new, &self.concolic[1]),
            matching: &self.guidance.matching,
        };
        let limits = Limits { steps: 1_000_000, memory: 1 << 26, output: 1 << 20, depth: 1 << 12 };
        let budget = Budget { runs: Some(runs), ..Budget::default() };
        Arena::new(pair, Observe::default(), limits, NAME, budget, &Progress::new())
    }

    #[allow(dead_code)] // Not all tests look at lines.
    pub fn modules(&self) -> [&ir::Module; 2] {
        [&self.concolic[0].module, &self.concolic[1].module]
    }

    /// The assignment of an input with these arguments.
    pub fn input(&self, args: &[&str]) -> Box<[u64]> {
        let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
        let input = inputs::Input { args, ..inputs::Input::default() };
        self.layout.encode(&input).expect("an input of the space").into()
    }
}
