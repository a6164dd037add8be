//! Flags of compilers: which take the next word as their argument, which decide what the source
//! means to clang, and which of these only other compilers know.

/// Flags that are kept together with the next word.
const KEPT_WITH_ARGUMENT: [&str; 9] =
    ["-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot"];

/// Prefixes of flags that are kept.
const KEPT: [&str; 28] = [
    "-I",
    "-D",
    "-U",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "--sysroot=",
    "-std=",
    "-ansi",
    "-nostdinc",
    "-m",
    "-pthread",
    "-funsigned-char",
    "-fsigned-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fms-extensions",
    "-fgnu89-inline",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-asm",
    "-fpack-struct",
    "-finput-charset=",
    "-fcommon",
    "-fno-common",
];

/// Prefixes of flags that change what the source means, or where it is found, and that clang does
/// not take.
const ONLY_GCC: [&str; 39] = [
    "-maccumulate-outgoing-args",
    "-mno-accumulate-outgoing-args",
    "-mpreferred-stack-boundary=",
    "-mincoming-stack-boundary=",
    "-mfpmath=both",
    "-mfpmath=sse+387",
    "-mindirect-branch",
    "-mfunction-return=",
    "-mrecord-mcount",
    "-mnop-mcount",
    "-mno-fp-ret-in-387",
    "-mno-fancy-math-387",
    "-mno-align-stringops",
    "-minline-all-stringops",
    "-mstringop-strategy=",
    "-mtls-dialect=",
    "-mcet-switch",
    "-mskip-rax-setup",
    "-m96bit-long-double",
    "-mbranch-cost=",
    "-mveclibabi=",
    "-mprefer-avx128",
    "-mmemcpy-strategy=",
    "-mmemset-strategy=",
    "-msseregparm",
    "-malign-data=",
    "-mavx256-split-unaligned",
    "-mno-avx256-split-unaligned",
    "-mforce-drap",
    "-mpush-args",
    "-mno-push-args",
    "-mpc32",
    "-mpc64",
    "-mpc80",
    "-fplan9-extensions",
    "-fopenmp",
    "-fopenacc",
    "-fgnu-tm",
    "-specs=",
];

/// Other flags of the driver, the preprocessor and the linker whose argument is the next word.
const WITH_ARGUMENT: [&str; 42] = [
    "-o",
    "-x",
    "-L",
    "-l",
    "-B",
    "-T",
    "-u",
    "-z",
    "-e",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-MD-file",
    "-A",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-imultilib",
    "-isystem-after",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-Xanalyzer",
    "-mllvm",
    "-target",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "--param",
    "-wrapper",
    "-gcc-toolchain",
    "-framework",
    "-G",
    "--sysroot",
    "-specs",
    "-Tdata",
    "-Ttext",
    "-soname",
];

/// Whether the next word belongs to a flag.
pub(crate) fn takes_next(flag: &str) -> bool {
    KEPT_WITH_ARGUMENT.contains(&flag) || WITH_ARGUMENT.contains(&flag)
}

/// The words of a command, without its first, that decide what the source means; and those that
/// would, but that clang does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub kept: Vec<String>,
    pub dropped: Vec<String>,
}

/// Divides the words of a command, which are all behind its name.
pub(crate) fn meaning(words: &[String]) -> Meaning {
    let mut found = Meaning::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let flag = word.as_str();
        if ONLY_GCC.iter().any(|known| flag.starts_with(known)) {
            found.dropped.push(word.clone());
        } else if KEPT_WITH_ARGUMENT.contains(&flag) {
            found.kept.push(word.clone());
            found.kept.extend(words.next().cloned());
        } else if flag == "--sysroot" {
            found.kept.extend(words.next().map(|next| format!("--sysroot={next}")));
        } else if takes_next(flag) {
            // Its argument may look like anything.
            words.next();
        } else if let Some(passed) = flag.strip_prefix("-Wp,") {
            found.kept.extend(meaning_of_passed(passed));
        } else if KEPT.iter().any(|known| flag.starts_with(known)) {
            found.kept.push(word.clone());
        }
    }
    found
}

/// What `-Wp,` passes to the preprocessor, except dependency files.
fn meaning_of_passed(passed: &str) -> Vec<String> {
    let words: Vec<String> = passed.split(',').map(str::to_owned).collect();
    let is_dependency = |word: &String| word.starts_with("-M");
    if words.iter().any(is_dependency) { Vec::new() } else { meaning(&words).kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn what_decides_the_meaning_is_kept_and_what_only_gcc_knows_is_dropped() {
        let flags = "-O2 -Wall -DX -D Y=1 -o -DNO -MF -Ino -Wp,-MD,a.d -Wp,-DZ -std=c99 -msse2 \
            -mpreferred-stack-boundary=4 -fplan9-extensions -fsigned-char -pipe a.c";
        let found = meaning(&words(flags));
        assert_eq!(found.kept, words("-DX -D Y=1 -DZ -std=c99 -msse2 -fsigned-char"));
        assert_eq!(found.dropped, words("-mpreferred-stack-boundary=4 -fplan9-extensions"));
    }
}
