//! Any bytes as LLVM IR: the reader must end with a module or an error, and what it
//! yields must be fit to be verified, printed and parsed again.
//!
//! `cargo +nightly fuzz run read_ir -- -max_len=65536 -timeout=10 -rss_limit_mb=2048`
//! `crates/llvm/tests/files` is a good corpus to start from.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Ok(read) = llvm::read("fuzz.ll", text) else { return };
    let printed = read.module.to_string();
    // A module that the verifier accepts has a text form that is read back as it is.
    if ir::verify(&read.module).is_empty() {
        let parsed = ir::parse(&printed).expect("a valid module's text form can be parsed");
        assert_eq!(parsed.to_string(), printed);
    }
});
