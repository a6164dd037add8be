//! fenv.h: rounding is to nearest and stays so, and no exception is ever raised.

use crate::shims::{Arguments, Group, ShimResult, Trouble, answer, int};
use crate::state::State;

/// Size of `fenv_t` on x86-64.
const ENVIRONMENT_BYTES: u64 = 32;

pub const SHIMS: Group = &[
    (
        "fegetround feclearexcept feraiseexcept fetestexcept fedisableexcept fegetexcept \
         fesetexceptflag fesetenv feupdateenv",
        |_, _| int(0),
    ),
    ("fesetround", set_rounding),
    ("feenableexcept", enable),
    ("fegetexceptflag", |state, args| {
        state.memory.write(args.word(0), 0u16.to_le_bytes())?;
        int(0)
    }),
    ("fegetenv feholdexcept", save),
    ("__flt_rounds", |_, _| int(1)),
    ("matherr", |_, _| answer::nothing()),
];

fn set_rounding(_: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.int(0) {
        0 => int(0),
        // FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO exist natively, anything else does not.
        0x400 | 0x800 | 0xc00 => {
            Err(Trouble::Unsupported("rounding other than to nearest".to_owned()))
        }
        _ => int(1),
    }
}

fn enable(_: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.int(0) {
        0 => int(0),
        _ => Err(Trouble::Unsupported("traps on floating-point exceptions".to_owned())),
    }
}

fn save(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    state.memory.fill(args.word(0), 0, ENVIRONMENT_BYTES)?;
    int(0)
}
