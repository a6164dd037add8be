//! Rules for system calls as a program of the classic Berkeley packet filter, for seccomp.
//!
//! The rules are found by binary search: the kernel runs the filter once for each known call when
//! it is installed, which takes half a millisecond if the rules are compared one after the other.

use std::collections::BTreeMap;

use libc::sock_filter;

/// What becomes of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    /// The supervisor decides.
    Ask,
    /// It fails with this error, without effect.
    Fail(i32),
}

/// A verdict for arguments of a certain value. The low half of the argument counts: flags, commands
/// and numbers of processes have 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub argument: u32,
    pub mask: u32,
    pub value: u32,
    /// Whether it applies to this value, or to all others.
    pub is_equal: bool,
    pub verdict: Verdict,
}

/// The first case that applies decides, or else the verdict.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub cases: Vec<Case>,
    pub otherwise: Verdict,
}

/// Offsets in the kernel's description of a call (`struct seccomp_data`).
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;
/// `AUDIT_ARCH_X86_64`. Calls of 32-bit code have other numbers.
const X86_64: u32 = 0xc000_003e;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_NOT_LESS: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The filter: these rules by the numbers of the calls, and `unknown` for all other calls. Code for
/// another architecture is killed.
pub(crate) fn filter(rules: &BTreeMap<u32, Rule>, unknown: Verdict) -> Vec<sock_filter> {
    let mut code = vec![
        step(LOAD, ARCHITECTURE),
        branch(IF_EQUAL, X86_64, 1, 0),
        step(RETURN, libc::SECCOMP_RET_KILL_PROCESS),
        step(LOAD, NUMBER),
    ];
    code.extend(search(&blocks(rules, unknown)));
    code
}

/// Code for the calls from a number on. Neighbours with the same verdict share a block.
fn blocks(rules: &BTreeMap<u32, Rule>, unknown: Verdict) -> Vec<(u32, Vec<sock_filter>)> {
    let gap = vec![step(RETURN, action(unknown))];
    let mut blocks = vec![(0, gap.clone())];
    for (&number, rule) in rules {
        blocks.push((number, body(rule)));
        if !rules.contains_key(&(number + 1)) {
            blocks.push((number + 1, gap.clone()));
        }
    }
    blocks.sort_by_key(|(number, _)| *number);
    // If call 0 has a rule, its block comes behind the gap of the same number.
    blocks.dedup_by(|later, earlier| {
        let replaces = later.0 == earlier.0;
        if replaces {
            earlier.1 = std::mem::take(&mut later.1);
        }
        replaces || same(&later.1, &earlier.1)
    });
    blocks
}

fn same(one: &[sock_filter], other: &[sock_filter]) -> bool {
    let words = |step: &sock_filter| (step.code, step.jt, step.jf, step.k);
    one.len() == other.len() && one.iter().map(words).eq(other.iter().map(words))
}

fn search(blocks: &[(u32, Vec<sock_filter>)]) -> Vec<sock_filter> {
    if let [(_, only)] = blocks {
        return only.clone();
    }
    let (left, right) = blocks.split_at(blocks.len() / 2);
    let below = search(left);
    // A conditional jump reaches 255 steps, an unconditional one any.
    let mut code = vec![branch(IF_NOT_LESS, right[0].0, 0, 1), step(JUMP, below.len() as u32)];
    code.extend(below);
    code.extend(search(right));
    code
}

fn body(rule: &Rule) -> Vec<sock_filter> {
    let mut code = Vec::new();
    for case in &rule.cases {
        code.push(step(LOAD, ARGUMENTS + 8 * case.argument));
        if case.mask != u32::MAX {
            code.push(step(AND, case.mask));
        }
        let (equal, other) = if case.is_equal { (0, 1) } else { (1, 0) };
        code.push(branch(IF_EQUAL, case.value, equal, other));
        code.push(step(RETURN, action(case.verdict)));
    }
    code.push(step(RETURN, action(rule.otherwise)));
    code
}

fn action(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Allow => libc::SECCOMP_RET_ALLOW,
        Verdict::Ask => libc::SECCOMP_RET_USER_NOTIF,
        Verdict::Fail(error) => libc::SECCOMP_RET_ERRNO | error as u32,
    }
}

fn step(code: u16, k: u32) -> sock_filter {
    branch(code, k, 0, 0)
}

/// Skips `jt` steps if the condition holds, and `jf` if not.
fn branch(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter answers, and in how many steps.
    fn run(code: &[sock_filter], number: u32, arguments: [u64; 6]) -> (u32, usize) {
        let load = |offset: u32| match offset {
            NUMBER => number,
            ARCHITECTURE => X86_64,
            _ => arguments[((offset - ARGUMENTS) / 8) as usize] as u32,
        };
        let (mut at, mut word, mut steps) = (0, 0, 0);
        loop {
            steps += 1;
            let step = code[at];
            at += 1;
            let holds = match step.code {
                LOAD => {
                    word = load(step.k);
                    continue;
                }
                AND => {
                    word &= step.k;
                    continue;
                }
                JUMP => {
                    at += step.k as usize;
                    continue;
                }
                IF_EQUAL => word == step.k,
                IF_NOT_LESS => word >= step.k,
                RETURN => return (step.k, steps),
                other => panic!("unknown step {other}"),
            };
            at += usize::from(if holds { step.jt } else { step.jf });
        }
    }

    #[test]
    fn each_call_meets_its_own_rule_in_few_steps() {
        let rule = |number: u32| Rule {
            cases: vec![Case {
                argument: 1,
                mask: 0xf,
                value: 3,
                is_equal: number.is_multiple_of(2),
                verdict: Verdict::Ask,
            }],
            otherwise: Verdict::Fail(number as i32),
        };
        let numbers: Vec<u32> = (0..400).filter(|number| number % 5 != 1).collect();
        let rules = numbers.iter().map(|&number| (number, rule(number))).collect();
        let code = filter(&rules, Verdict::Allow);
        for number in 0..500 {
            for argument in [0x73, 0x74] {
                let is_asked = ((argument & 0xf) == 3) == (number % 2 == 0);
                let expected = match (rules.contains_key(&number), is_asked) {
                    (false, _) => Verdict::Allow,
                    (true, true) => Verdict::Ask,
                    (true, false) => Verdict::Fail(number as i32),
                };
                let (answer, steps) = run(&code, number, [0, argument, 0, 0, 0, 0]);
                assert_eq!(answer, action(expected), "{number} {argument}");
                assert!(steps < 32, "{steps}");
            }
        }
    }
}
