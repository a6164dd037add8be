//! Reads a file of LLVM IR and prints it in our text form.
//!
//! `cargo run --release -p ripple-llvm --example print_ir -- FILE.ll`
#![allow(clippy::print_stdout)]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: print_ir FILE.ll")?;
    let read = ripple_llvm::read(&path, std::fs::read(&path)?)?;
    let mut text = String::new();
    ir::print::print(&read.module, &mut text)?;
    print!("{text}");
    Ok(())
}
