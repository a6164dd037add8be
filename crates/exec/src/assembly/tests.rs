//! Templates with constraints as clang writes them, assembled and run.

use ir::Asm;

use super::{Argument, Surroundings, assemble, is_inert};
use crate::stop::{Bound, FaultKind, Stop};

/// Where the memory of the tests starts.
const START: u64 = 0x1000;

struct Bytes {
    bytes: Vec<u8>,
    faults: std::cell::RefCell<Vec<FaultKind>>,
}

impl Bytes {
    fn new(bytes: &[u8]) -> Bytes {
        Bytes { bytes: bytes.to_vec(), faults: Default::default() }
    }

    fn range(&self, address: u64, bytes: u32) -> Result<std::ops::Range<usize>, Stop> {
        let start = address.wrapping_sub(START) as usize;
        let end = start.saturating_add(bytes as usize);
        // The kind of end does not matter here, only that there is one.
        if end > self.bytes.len() { Err(Stop::Exhausted(Bound::Memory)) } else { Ok(start..end) }
    }
}

impl Surroundings for Bytes {
    fn load(&mut self, address: u64, bytes: u32) -> Result<u64, Stop> {
        let range = self.range(address, bytes)?;
        let mut value = [0; 8];
        value[..bytes as usize].copy_from_slice(&self.bytes[range]);
        Ok(u64::from_le_bytes(value))
    }

    fn store(&mut self, address: u64, bytes: u32, value: u64) -> Result<(), Stop> {
        let range = self.range(address, bytes)?;
        self.bytes[range].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Ok(())
    }

    fn cycles(&self) -> u64 {
        0x5_0000_0007
    }

    fn fault(&self, kind: FaultKind) -> Stop {
        self.faults.borrow_mut().push(kind);
        Stop::Exit(1)
    }
}

/// An argument: width and value.
type Value = (u32, u64);

fn run_on(
    memory: &mut Bytes,
    template: &str,
    constraints: &str,
    results: &[u32],
    values: &[Value],
) -> Option<Result<Vec<u64>, Stop>> {
    let asm = Asm { template: template.to_owned(), constraints: constraints.to_owned() };
    let immediate = |index: usize| {
        let inputs = constraints.split(',').filter(|word| {
            !(word.starts_with('~') || word.starts_with('=') && !word.starts_with("=*"))
        });
        inputs.clone().nth(index).is_some_and(|word| word.contains('i') || word.contains('I'))
    };
    let arguments: Vec<Argument> = values
        .iter()
        .enumerate()
        .map(|(index, &(bits, value))| Argument {
            bits,
            constant: immediate(index).then_some(value),
        })
        .collect();
    let code = assemble(&asm, results, &arguments)?;
    let values: Vec<u64> = values.iter().map(|(_, value)| *value).collect();
    Some(code.run(&values, memory).map(|results| results.to_vec()))
}

#[track_caller]
fn check(template: &str, constraints: &str, values: &[Value], results: &[Value]) {
    let widths: Vec<u32> = results.iter().map(|(bits, _)| *bits).collect();
    let expected: Vec<u64> = results.iter().map(|(_, value)| *value).collect();
    let found = run_on(&mut Bytes::new(&[]), template, constraints, &widths, values);
    assert_eq!(found, Some(Ok(expected)), "{template}");
}

#[track_caller]
fn check_memory(template: &str, constraints: &str, values: &[Value], before: &[u8], after: &[u8]) {
    let mut memory = Bytes::new(before);
    let found = run_on(&mut memory, template, constraints, &[], values);
    assert_eq!(found, Some(Ok(Vec::new())), "{template}");
    assert_eq!(memory.bytes, after, "{template}");
}

#[track_caller]
fn is_unknown(template: &str, constraints: &str, results: &[u32], values: &[Value]) {
    let found = run_on(&mut Bytes::new(&[]), template, constraints, results, values);
    assert_eq!(found, None, "{template}");
}

const CLOBBERS: &str = "~{dirflag},~{fpsr},~{flags}";

#[test]
fn a_comparison_chooses_what_moves() {
    let constraints = format!("=r,r,r,r,0,{CLOBBERS}");
    let template = "cmp $1, $2\n\tcmova $3, $0\n";
    check(template, &constraints, &[(32, 5), (32, 9), (64, 1), (64, 2)], &[(64, 1)]);
    check(template, &constraints, &[(32, 9), (32, 5), (64, 1), (64, 2)], &[(64, 2)]);
}

#[test]
fn a_write_of_32_bits_clears_the_upper_half_and_narrower_ones_keep_it() {
    let all = u64::MAX;
    check("movl $$1, ${0:k}", "=r,0", &[(64, all)], &[(64, 1)]);
    check("movw $$1, ${0:w}", "=r,0", &[(64, all)], &[(64, 0xffff_ffff_ffff_0001)]);
    check("movb $$1, ${0:b}", "=q,0", &[(64, all)], &[(64, 0xffff_ffff_ffff_ff01)]);
    check("movb $$1, ${0:h}", "=Q,0", &[(64, all)], &[(64, 0xffff_ffff_ffff_01ff)]);
    // Even if nothing moves.
    check("stc; cmovncl $1, ${0:k}", "=r,r,0", &[(32, 7), (64, all)], &[(64, 0xffff_ffff)]);
}

#[test]
fn a_flag_is_an_output() {
    check("subl $3, $2", "={@ccz},={@ccc},=r,r,2", &[(32, 3), (32, 3)], &[(8, 1), (8, 0), (32, 0)]);
    check("addb $2, $0", "=q,={@cco},q,0", &[(8, 1), (8, 127)], &[(8, 128), (32, 1)]);
}

#[test]
fn a_product_fills_two_registers() {
    let max = u64::MAX;
    check("mulq $3", "={ax},={dx},%0,rm", &[(64, max), (64, max)], &[(64, 1), (64, max - 1)]);
    check("mull $3", "={ax},={dx},0,r", &[(32, 1 << 31), (32, 4)], &[(32, 0), (32, 2)]);
}

#[test]
fn a_quotient_that_does_not_exist_is_a_fault() {
    for (by, kind) in [(0, FaultKind::DivisionByZero), (2, FaultKind::DivisionOverflow)] {
        let mut memory = Bytes::new(&[]);
        let values = [(32, 0), (32, 7), (32, by)];
        let found = run_on(&mut memory, "divl $4", "={ax},={dx},0,1,r", &[32, 32], &values);
        assert_eq!(found, Some(Err(Stop::Exit(1))));
        assert_eq!(memory.faults.into_inner(), [kind]);
    }
    let smallest = (32, 1 << 31);
    let values = [smallest, (32, u64::from(u32::MAX))];
    let mut memory = Bytes::new(&[]);
    run_on(&mut memory, "cltd; idivl $2", "={ax},0,r,~{dx}", &[32], &values);
    assert_eq!(memory.faults.into_inner(), [FaultKind::DivisionOverflow]);
}

#[test]
fn constants_are_written_as_the_modifier_says() {
    let values = [(32, 3), (32, 10)];
    check("addl $1, $0", "=r,i,0", &values, &[(32, 13)]);
    check("addl $$${1:c}+2, $0", "=r,i,0", &values, &[(32, 15)]);
    check("addl $$${1:n}, $0", "=r,i,0", &values, &[(32, 7)]);
    check("leal ${1:c}(${0:q}), $0", "=r,i,0", &values, &[(32, 13)]);
    check("add${0:z} $1, $0", "=r,i,0", &values, &[(32, 13)]);
    // 40 is beyond what `I` admits, so that it is in the register.
    check("shlq ${1:b}, $0", "=r,{cx}I,0", &[(8, 40), (64, 1)], &[(64, 1 << 40)]);
}

#[test]
fn the_first_of_alternative_dialects_counts() {
    check("$(addl $1, $0$|add $0, $1$)", "=r,r,0", &[(32, 2), (32, 3)], &[(32, 5)]);
}

#[test]
fn comments_labels_and_harmless_directives_do_nothing() {
    let template = "# first\n1: incl $0 # more\n\t.p2align 4;;/* incl $0; */ .cfi_undefined rip\n";
    check(template, "=r,0", &[(32, 1)], &[(32, 2)]);
    let template = ".pushsection .note; .long 5; .popsection\n incl $0; lock; addl $$0, (%rsp)";
    check(template, "=r,0", &[(32, 1)], &[(32, 2)]);
}

#[test]
fn explicit_registers_are_apart_from_operands() {
    let template = "xorl %eax, %eax; movl $$9, %r8d; addl %r8d, $0; addl %eax, $0";
    check(template, "=r,r,0,~{eax},~{r8}", &[(32, 1), (32, 3)], &[(32, 12)]);
    check("addl %ebx, $0", "=r,{ebx},0", &[(32, 5), (32, 3)], &[(32, 8)]);
}

#[test]
fn memory_operands_are_read_and_written_in_place() {
    let at = |offset: u64| (64, START + offset);
    check_memory("incw $0", "=*m,*m", &[at(1), at(1)], &[9, 255, 0, 9], &[9, 0, 1, 9]);
    check_memory("movb $$7, 2+$0", "=*m", &[at(0)], &[0; 4], &[0, 0, 7, 0]);
    let values = [at(0), (64, 1), (8, 5)];
    check_memory("movb $2, 1($0,$1,2)", "r,r,q,~{memory}", &values, &[0; 4], &[0, 0, 0, 5]);
    // An input that is tied to memory makes it a register that is stored in the end.
    check_memory("addl $$1, $0", "=*rm,0", &[at(0), (32, 8)], &[8, 0, 0, 0], &[9, 0, 0, 0]);
}

#[test]
fn an_access_outside_ends_the_run() {
    let found = run_on(&mut Bytes::new(&[0; 3]), "incl $0", "=*m,*m", &[], &[(64, START); 2]);
    assert_eq!(found, Some(Err(Stop::Exhausted(Bound::Memory))));
}

#[test]
fn string_operations_go_on_from_byte_to_byte() {
    let values = [(64, START + 1), (64, START), (64, 4)];
    let mut memory = Bytes::new(&[7, 0, 0, 0, 0, 1]);
    let constraints = "={di},={si},={cx},0,1,2,~{memory}";
    let found = run_on(&mut memory, "rep movsb", constraints, &[64; 3], &values);
    assert_eq!(found, Some(Ok(vec![START + 5, START + 4, 0])));
    assert_eq!(memory.bytes, [7, 7, 7, 7, 7, 1]);
    let values = [(64, START), (64, u64::MAX), (32, 1)];
    let constraints = "={di},={cx},0,1,{ax}";
    let found = run_on(&mut memory, "repne scasb", constraints, &[64; 2], &values);
    assert_eq!(found, Some(Ok(vec![START + 6, u64::MAX - 6])));
}

#[test]
fn the_processor_is_one_without_extensions() {
    let zeros = [(32, 0); 4];
    check("cpuid", "={ax},={bx},={cx},={dx},0,2", &[(32, 7), (32, 0)], &zeros);
    check(".byte 0x0f, 0x01, 0xd0", "={ax},={dx},{cx}", &[(32, 0)], &zeros[..2]);
    check("rdtsc", "={ax},={dx}", &[], &[(32, 7), (32, 5)]);
}

#[test]
fn what_does_nothing_is_inert() {
    for template in [
        "",
        "\n\t",
        "nop",
        "# $0",
        "mfence;nop",
        "rep; nop",
        ".p2align 5",
        "prefetcht0 $0",
        "pause",
    ] {
        assert!(is_inert(template), "{template}");
    }
    for template in ["incl $0", "cpuid", ".byte 0xcc", "addl $0, (%rsp)", "rep", "/* open", "ud2"] {
        assert!(!is_inert(template), "{template}");
    }
}

#[test]
fn what_is_not_modelled_is_unknown() {
    let one = [(32, 1)];
    for template in [
        "pushq $0",
        "1: decl $0; jnz 1b",
        "call foo",
        "movl %esp, $0",
        "movl foo(%rip), $0",
        "movl %fs:0, $0",
        "movss $0, %xmm0",
        "addq $0, %eax",
        "add $$1, (%rax)",
        "movl $0, $$5",
        "shll %bl, $0",
        "incl $5",
        "incl ${0:y}",
        "rep incl $0",
        ".byte 0xcc",
        ".long 5",
        ".intel_syntax noprefix\ninc $0",
        "${:uid} incl $0",
        "frobnicate",
        "$",
        "incl ${0",
    ] {
        is_unknown(template, "=r,0", &[32], &one);
    }
    is_unknown("addsd $0, $0", "=x,0", &[64], &[(64, 1)]);
    is_unknown("incl $0", "=r,!i", &[32], &one);
    is_unknown("incl $0", "=r,r,0", &[32], &one);
    is_unknown("incl $0", "=r,0,0", &[32], &one);
    is_unknown("incl $0", "=A,0", &[32], &one);
}
