//! Native runs, in words.

use effects::explore::MachineOutcome;
use effects::explore::replay::{Cause, Confirmation};
use effects::trial::Native;
use exec::Stop;
use source::End;

/// How a native run ended.
pub fn end(end: End) -> String {
    match end {
        End::Exited(status) => format!("exits with status {status}"),
        End::Signaled(signal) => match signal_name(signal) {
            Some(name) => format!("is killed by {name}"),
            None => format!("is killed by signal {signal}"),
        },
        End::TimedOut => "does not terminate in time".to_owned(),
        End::OutputLimit => "writes more than its limit".to_owned(),
        End::MemoryLimit => "needs more memory than its limit".to_owned(),
        End::Undefined => "reaches a symbol that nothing defines".to_owned(),
    }
}

/// The same in one word, for programs.
pub fn end_name(end: End) -> &'static str {
    match end {
        End::Exited(_) => "exit",
        End::Signaled(_) => "signal",
        End::TimedOut => "timeout",
        End::OutputLimit => "output_limit",
        End::MemoryLimit => "memory_limit",
        End::Undefined => "undefined_symbol",
    }
}

/// The number of the end, if it has one.
pub fn end_number(end: End) -> Option<i32> {
    match end {
        End::Exited(number) | End::Signaled(number) => Some(number),
        End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined => None,
    }
}

/// The behaviour of the native program where the machine found a fault.
pub fn fault(native: &Native, confirmed: &Confirmation) -> String {
    let end = end(native.end);
    match confirmed {
        Confirmation::Signal => end,
        Confirmation::Sanitizer(complaint) => {
            format!("{end}; a sanitizer build reports {complaint}")
        }
        Confirmation::Nobody => format!("{end}; nothing else confirms the fault"),
    }
}

/// What confirms a fault, in one word.
pub fn confirmation_name(confirmed: &Confirmation) -> Option<&'static str> {
    match confirmed {
        Confirmation::Signal => Some("signal"),
        Confirmation::Sanitizer(_) => Some("sanitizer"),
        Confirmation::Nobody => None,
    }
}

/// Why the input does not determine the behaviour of a program.
pub fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Unwritten => "it reads uninitialised memory".to_owned(),
        Cause::System(function) => {
            format!("it calls `{function}`, whose result is not part of the input")
        }
        Cause::NativeRunsDiffer => "two native runs differ".to_owned(),
        Cause::Sanitizer(complaint) => format!("a sanitizer build reports {complaint}"),
    }
}

/// How a run ended on the machine, in one word.
pub fn machine_end_name(machine: &MachineOutcome) -> &'static str {
    match (&machine.result, &machine.stop) {
        (Some(_), _) => "return",
        (None, Stop::Exit(_)) => "exit",
        (None, Stop::Signal(_)) => "signal",
        (None, Stop::Fault(_)) => "fault",
        (None, Stop::Unsupported(_)) => "unsupported",
        (None, Stop::Exhausted(_)) => "bound",
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        2 => "SIGINT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return None,
    })
}
