//! Which runs are proved endless. The first line of a file of `endings/` says whether its program
//! is one of them; there must be no claim about the others, because they end, or may.

use std::fs;
use std::path::Path;

use exec::stop::Bound;
use exec::{Input, Instrumentation, Limits, Machine, Stop, Unobserved};
use ripple_effects::{Libc, Loader};

const LIMITS: Limits = Limits { steps: 300_000, memory: 1 << 30, output: 1 << 24, depth: 10_000 };
/// Steps that a proof may take.
const PROOF: u64 = 1 << 20;

#[test]
fn only_what_comes_back_or_cannot_change_is_endless() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/endings");
    let Some(compiler) = testkit::compiler_in(&here) else { return };
    let mut paths: Vec<_> =
        fs::read_dir(&here).expect("it is there").map(|one| one.expect("a file").path()).collect();
    paths.sort();
    let mut proved = 0;
    for path in &paths {
        let text = fs::read_to_string(path).expect("it can be read");
        let never_ends = text.starts_with("// never ends");
        assert!(never_ends || text.starts_with("// not known"), "{}", path.display());
        let loader = Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Quick };
        let program =
            loader.program(std::slice::from_ref(path), Instrumentation { statements: false });
        let program = program.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let input = Input { args: vec![b"program".to_vec()], ..Input::default() };
        let machine = Machine::new(&program, &input, LIMITS, Unobserved);
        let mut machine = machine.unwrap_or_else(|stop| panic!("{}: {stop:?}", path.display()));
        assert_eq!(machine.run(), Stop::Exhausted(Bound::Steps), "{}", path.display());
        let found = machine.never_ends(PROOF);
        assert_eq!(found.is_some(), never_ends, "{}: {found:?}", path.display());
        assert_eq!(machine.state.limits, LIMITS, "{}", path.display());
        proved += u32::from(never_ends);
    }
    assert!(proved >= 8 && paths.len() >= 16, "{proved} of {}", paths.len());
}
