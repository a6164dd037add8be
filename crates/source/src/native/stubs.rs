//! Stand-ins for symbols that nothing defines, so that a program links although a part of it is
//! missing.
//!
//! Each symbol gets a page of memory without any permission. A call, a read or a write of it ends
//! the program with a signal that no other program uses, after a line on standard error that names
//! the symbol. So functions and variables need not be told apart, and no run goes on with a value
//! that nobody chose.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::artifact::complaint;
use crate::clang::Clang;
use crate::error::SourceError;
use crate::scratch::write_scratch;

/// SIGSTKFLT, which Linux never sends.
pub(crate) const SIGNAL: i32 = 16;

/// What linkers write before the name of an undefined symbol.
const MARKS: [&str; 3] =
    ["undefined reference to `", "undefined symbol: ", "undefined reference to '"];

/// The code that recognises an access to one of the pages. It leaves other faults to whoever
/// handled them before.
const HANDLER: &str = r#"
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __start_ripple_undefined[], __stop_ripple_undefined[];
static struct sigaction before;

static void say(const char *text)
{
    if (write(2, text, strlen(text)) < 0)
        return;
}

static void reached(int signal, siginfo_t *info, void *context)
{
    char *at = info->si_addr;
    (void)signal;
    (void)context;
    if (at >= __start_ripple_undefined && at < __stop_ripple_undefined) {
        say("ripple: nothing defines ");
        say(names[(at - __start_ripple_undefined) / 4096]);
        say("\n");
        sigaction(16, &(struct sigaction){.sa_handler = SIG_DFL}, 0);
        kill(getpid(), 16);
        _exit(127);
    }
    sigaction(SIGSEGV, &before, 0);
}

__attribute__((constructor)) static void protect(void)
{
    struct sigaction mine;
    memset(&mine, 0, sizeof mine);
    mine.sa_sigaction = reached;
    mine.sa_flags = SA_SIGINFO;
    mprotect(__start_ripple_undefined, __stop_ripple_undefined - __start_ripple_undefined,
             PROT_NONE);
    sigaction(SIGSEGV, &mine, &before);
}
"#;

/// The symbols that a linker did not find.
pub(super) fn undefined(said: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in said.lines() {
        let Some(rest) = MARKS.iter().find_map(|mark| line.split_once(mark)).map(|(_, rest)| rest)
        else {
            continue;
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
        let name: String = rest.chars().take_while(|&c| is_part(c)).collect();
        if !name.is_empty() {
            names.insert(name);
        }
    }
    names
}

/// Compiles the stand-ins to an object in a directory.
pub(super) fn compile(
    clang: &Clang,
    names: &BTreeSet<String>,
    directory: &Path,
) -> Result<PathBuf, SourceError> {
    let (text, object) = (directory.join("stubs.c"), directory.join("stubs.o"));
    write_scratch(&text, source(names))?;
    let mut command = clang.command(directory);
    command.args(["-O0", "-w", "-c", "-o"]).arg(&object).arg(&text);
    let output = clang.output(&mut command)?;
    if !output.status.success() {
        let said = complaint(&output.stderr, output.status);
        return Err(SourceError::DoesNotLink { said });
    }
    Ok(object)
}

fn source(names: &BTreeSet<String>) -> String {
    let mut text = String::new();
    for name in names {
        text.push_str(&format!(
            "__asm__(\".pushsection ripple_undefined,\\\"aw\\\",@nobits\\n.balign 4096\\n\
             .globl {name}\\n{name}: .zero 4096\\n.popsection\\n\");\n"
        ));
    }
    text.push_str("static const char *const names[] = {\n");
    for name in names {
        text.push_str(&format!("    \"{name}\",\n"));
    }
    text.push_str("};\n");
    text.push_str(HANDLER);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_symbols_are_read_from_the_messages_of_linkers() {
        let said = "/usr/bin/ld: a.o: in function `f':\na.c:(.text+0x1): undefined reference to `g'\n\
            /usr/bin/ld: a.c:(.text+0x9): undefined reference to `g'\n\
            ld.lld: error: undefined symbol: h.1\n>>> referenced by a.c:1\n";
        let names: Vec<String> = undefined(said).into_iter().collect();
        assert_eq!(names, ["g", "h.1"]);
    }
}
