//! Error numbers and their messages, and signal names, as Linux and glibc define them on x86-64.
//!
//! Knows nothing of where errno lives in a program's memory.

use std::borrow::Cow;
use std::fmt;

/// An errno value; printed by its symbolic name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Errno(pub i32);

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "Errno({})", self.0),
        }
    }
}

impl Errno {
    /// `EAGAIN` under its other name.
    pub const EWOULDBLOCK: Errno = Errno(11);
    /// `EOPNOTSUPP` under its other name.
    pub const ENOTSUP: Errno = Errno(95);
    pub const EPERM: Errno = Errno(1);
    pub const ENOENT: Errno = Errno(2);
    pub const ESRCH: Errno = Errno(3);
    pub const EINTR: Errno = Errno(4);
    pub const EIO: Errno = Errno(5);
    pub const ENXIO: Errno = Errno(6);
    pub const E2BIG: Errno = Errno(7);
    pub const ENOEXEC: Errno = Errno(8);
    pub const EBADF: Errno = Errno(9);
    pub const ECHILD: Errno = Errno(10);
    pub const EAGAIN: Errno = Errno(11);
    pub const ENOMEM: Errno = Errno(12);
    pub const EACCES: Errno = Errno(13);
    pub const EFAULT: Errno = Errno(14);
    pub const ENOTBLK: Errno = Errno(15);
    pub const EBUSY: Errno = Errno(16);
    pub const EEXIST: Errno = Errno(17);
    pub const EXDEV: Errno = Errno(18);
    pub const ENODEV: Errno = Errno(19);
    pub const ENOTDIR: Errno = Errno(20);
    pub const EISDIR: Errno = Errno(21);
    pub const EINVAL: Errno = Errno(22);
    pub const ENFILE: Errno = Errno(23);
    pub const EMFILE: Errno = Errno(24);
    pub const ENOTTY: Errno = Errno(25);
    pub const ETXTBSY: Errno = Errno(26);
    pub const EFBIG: Errno = Errno(27);
    pub const ENOSPC: Errno = Errno(28);
    pub const ESPIPE: Errno = Errno(29);
    pub const EROFS: Errno = Errno(30);
    pub const EMLINK: Errno = Errno(31);
    pub const EPIPE: Errno = Errno(32);
    pub const EDOM: Errno = Errno(33);
    pub const ERANGE: Errno = Errno(34);
    pub const EDEADLK: Errno = Errno(35);
    pub const ENAMETOOLONG: Errno = Errno(36);
    pub const ENOLCK: Errno = Errno(37);
    pub const ENOSYS: Errno = Errno(38);
    pub const ENOTEMPTY: Errno = Errno(39);
    pub const ELOOP: Errno = Errno(40);
    pub const ENOMSG: Errno = Errno(42);
    pub const EIDRM: Errno = Errno(43);
    pub const ECHRNG: Errno = Errno(44);
    pub const EL2NSYNC: Errno = Errno(45);
    pub const EL3HLT: Errno = Errno(46);
    pub const EL3RST: Errno = Errno(47);
    pub const ELNRNG: Errno = Errno(48);
    pub const EUNATCH: Errno = Errno(49);
    pub const ENOCSI: Errno = Errno(50);
    pub const EL2HLT: Errno = Errno(51);
    pub const EBADE: Errno = Errno(52);
    pub const EBADR: Errno = Errno(53);
    pub const EXFULL: Errno = Errno(54);
    pub const ENOANO: Errno = Errno(55);
    pub const EBADRQC: Errno = Errno(56);
    pub const EBADSLT: Errno = Errno(57);
    pub const EBFONT: Errno = Errno(59);
    pub const ENOSTR: Errno = Errno(60);
    pub const ENODATA: Errno = Errno(61);
    pub const ETIME: Errno = Errno(62);
    pub const ENOSR: Errno = Errno(63);
    pub const ENONET: Errno = Errno(64);
    pub const ENOPKG: Errno = Errno(65);
    pub const EREMOTE: Errno = Errno(66);
    pub const ENOLINK: Errno = Errno(67);
    pub const EADV: Errno = Errno(68);
    pub const ESRMNT: Errno = Errno(69);
    pub const ECOMM: Errno = Errno(70);
    pub const EPROTO: Errno = Errno(71);
    pub const EMULTIHOP: Errno = Errno(72);
    pub const EDOTDOT: Errno = Errno(73);
    pub const EBADMSG: Errno = Errno(74);
    pub const EOVERFLOW: Errno = Errno(75);
    pub const ENOTUNIQ: Errno = Errno(76);
    pub const EBADFD: Errno = Errno(77);
    pub const EREMCHG: Errno = Errno(78);
    pub const ELIBACC: Errno = Errno(79);
    pub const ELIBBAD: Errno = Errno(80);
    pub const ELIBSCN: Errno = Errno(81);
    pub const ELIBMAX: Errno = Errno(82);
    pub const ELIBEXEC: Errno = Errno(83);
    pub const EILSEQ: Errno = Errno(84);
    pub const ERESTART: Errno = Errno(85);
    pub const ESTRPIPE: Errno = Errno(86);
    pub const EUSERS: Errno = Errno(87);
    pub const ENOTSOCK: Errno = Errno(88);
    pub const EDESTADDRREQ: Errno = Errno(89);
    pub const EMSGSIZE: Errno = Errno(90);
    pub const EPROTOTYPE: Errno = Errno(91);
    pub const ENOPROTOOPT: Errno = Errno(92);
    pub const EPROTONOSUPPORT: Errno = Errno(93);
    pub const ESOCKTNOSUPPORT: Errno = Errno(94);
    pub const EOPNOTSUPP: Errno = Errno(95);
    pub const EPFNOSUPPORT: Errno = Errno(96);
    pub const EAFNOSUPPORT: Errno = Errno(97);
    pub const EADDRINUSE: Errno = Errno(98);
    pub const EADDRNOTAVAIL: Errno = Errno(99);
    pub const ENETDOWN: Errno = Errno(100);
    pub const ENETUNREACH: Errno = Errno(101);
    pub const ENETRESET: Errno = Errno(102);
    pub const ECONNABORTED: Errno = Errno(103);
    pub const ECONNRESET: Errno = Errno(104);
    pub const ENOBUFS: Errno = Errno(105);
    pub const EISCONN: Errno = Errno(106);
    pub const ENOTCONN: Errno = Errno(107);
    pub const ESHUTDOWN: Errno = Errno(108);
    pub const ETOOMANYREFS: Errno = Errno(109);
    pub const ETIMEDOUT: Errno = Errno(110);
    pub const ECONNREFUSED: Errno = Errno(111);
    pub const EHOSTDOWN: Errno = Errno(112);
    pub const EHOSTUNREACH: Errno = Errno(113);
    pub const EALREADY: Errno = Errno(114);
    pub const EINPROGRESS: Errno = Errno(115);
    pub const ESTALE: Errno = Errno(116);
    pub const EUCLEAN: Errno = Errno(117);
    pub const ENOTNAM: Errno = Errno(118);
    pub const ENAVAIL: Errno = Errno(119);
    pub const EISNAM: Errno = Errno(120);
    pub const EREMOTEIO: Errno = Errno(121);
    pub const EDQUOT: Errno = Errno(122);
    pub const ENOMEDIUM: Errno = Errno(123);
    pub const EMEDIUMTYPE: Errno = Errno(124);
    pub const ECANCELED: Errno = Errno(125);
    pub const ENOKEY: Errno = Errno(126);
    pub const EKEYEXPIRED: Errno = Errno(127);
    pub const EKEYREVOKED: Errno = Errno(128);
    pub const EKEYREJECTED: Errno = Errno(129);
    pub const EOWNERDEAD: Errno = Errno(130);
    pub const ENOTRECOVERABLE: Errno = Errno(131);
    pub const ERFKILL: Errno = Errno(132);
    pub const EHWPOISON: Errno = Errno(133);

    /// The symbolic name (`strerrorname_np`), if the number is a known error.
    pub fn name(self) -> Option<&'static str> {
        match entry(self.0)? {
            ("", _) => None,
            (name, _) => Some(name),
        }
    }

    /// The text of `strerror`.
    pub fn message(self) -> Cow<'static, str> {
        match entry(self.0) {
            Some((_, message)) if !message.is_empty() => Cow::Borrowed(message),
            _ => Cow::Owned(format!("Unknown error {}", self.0)),
        }
    }
}

fn entry(number: i32) -> Option<(&'static str, &'static str)> {
    ERRORS.get(usize::try_from(number).ok()?).copied()
}

/// The text of `strsignal`.
pub fn signal_message(signal: i32) -> Cow<'static, str> {
    let known = usize::try_from(signal).ok().and_then(|index| SIGNALS.get(index));
    match known {
        Some((_, message)) if !message.is_empty() => Cow::Borrowed(message),
        _ if (34..=64).contains(&signal) => Cow::Owned(format!("Real-time signal {}", signal - 34)),
        _ => Cow::Owned(format!("Unknown signal {signal}")),
    }
}

/// The abbreviated name (`sigabbrev_np`), without the `SIG` prefix.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    match SIGNALS.get(usize::try_from(signal).ok()?)? {
        ("", _) => None,
        (name, _) => Some(name),
    }
}

/// Name and message by number; gaps in the numbering are empty.
static ERRORS: [(&str, &str); 134] = [
    ("", "Success"),
    ("EPERM", "Operation not permitted"),
    ("ENOENT", "No such file or directory"),
    ("ESRCH", "No such process"),
    ("EINTR", "Interrupted system call"),
    ("EIO", "Input/output error"),
    ("ENXIO", "No such device or address"),
    ("E2BIG", "Argument list too long"),
    ("ENOEXEC", "Exec format error"),
    ("EBADF", "Bad file descriptor"),
    ("ECHILD", "No child processes"),
    ("EAGAIN", "Resource temporarily unavailable"),
    ("ENOMEM", "Cannot allocate memory"),
    ("EACCES", "Permission denied"),
    ("EFAULT", "Bad address"),
    ("ENOTBLK", "Block device required"),
    ("EBUSY", "Device or resource busy"),
    ("EEXIST", "File exists"),
    ("EXDEV", "Invalid cross-device link"),
    ("ENODEV", "No such device"),
    ("ENOTDIR", "Not a directory"),
    ("EISDIR", "Is a directory"),
    ("EINVAL", "Invalid argument"),
    ("ENFILE", "Too many open files in system"),
    ("EMFILE", "Too many open files"),
    ("ENOTTY", "Inappropriate ioctl for device"),
    ("ETXTBSY", "Text file busy"),
    ("EFBIG", "File too large"),
    ("ENOSPC", "No space left on device"),
    ("ESPIPE", "Illegal seek"),
    ("EROFS", "Read-only file system"),
    ("EMLINK", "Too many links"),
    ("EPIPE", "Broken pipe"),
    ("EDOM", "Numerical argument out of domain"),
    ("ERANGE", "Numerical result out of range"),
    ("EDEADLK", "Resource deadlock avoided"),
    ("ENAMETOOLONG", "File name too long"),
    ("ENOLCK", "No locks available"),
    ("ENOSYS", "Function not implemented"),
    ("ENOTEMPTY", "Directory not empty"),
    ("ELOOP", "Too many levels of symbolic links"),
    ("", ""),
    ("ENOMSG", "No message of desired type"),
    ("EIDRM", "Identifier removed"),
    ("ECHRNG", "Channel number out of range"),
    ("EL2NSYNC", "Level 2 not synchronized"),
    ("EL3HLT", "Level 3 halted"),
    ("EL3RST", "Level 3 reset"),
    ("ELNRNG", "Link number out of range"),
    ("EUNATCH", "Protocol driver not attached"),
    ("ENOCSI", "No CSI structure available"),
    ("EL2HLT", "Level 2 halted"),
    ("EBADE", "Invalid exchange"),
    ("EBADR", "Invalid request descriptor"),
    ("EXFULL", "Exchange full"),
    ("ENOANO", "No anode"),
    ("EBADRQC", "Invalid request code"),
    ("EBADSLT", "Invalid slot"),
    ("", ""),
    ("EBFONT", "Bad font file format"),
    ("ENOSTR", "Device not a stream"),
    ("ENODATA", "No data available"),
    ("ETIME", "Timer expired"),
    ("ENOSR", "Out of streams resources"),
    ("ENONET", "Machine is not on the network"),
    ("ENOPKG", "Package not installed"),
    ("EREMOTE", "Object is remote"),
    ("ENOLINK", "Link has been severed"),
    ("EADV", "Advertise error"),
    ("ESRMNT", "Srmount error"),
    ("ECOMM", "Communication error on send"),
    ("EPROTO", "Protocol error"),
    ("EMULTIHOP", "Multihop attempted"),
    ("EDOTDOT", "RFS specific error"),
    ("EBADMSG", "Bad message"),
    ("EOVERFLOW", "Value too large for defined data type"),
    ("ENOTUNIQ", "Name not unique on network"),
    ("EBADFD", "File descriptor in bad state"),
    ("EREMCHG", "Remote address changed"),
    ("ELIBACC", "Can not access a needed shared library"),
    ("ELIBBAD", "Accessing a corrupted shared library"),
    ("ELIBSCN", ".lib section in a.out corrupted"),
    ("ELIBMAX", "Attempting to link in too many shared libraries"),
    ("ELIBEXEC", "Cannot exec a shared library directly"),
    ("EILSEQ", "Invalid or incomplete multibyte or wide character"),
    ("ERESTART", "Interrupted system call should be restarted"),
    ("ESTRPIPE", "Streams pipe error"),
    ("EUSERS", "Too many users"),
    ("ENOTSOCK", "Socket operation on non-socket"),
    ("EDESTADDRREQ", "Destination address required"),
    ("EMSGSIZE", "Message too long"),
    ("EPROTOTYPE", "Protocol wrong type for socket"),
    ("ENOPROTOOPT", "Protocol not available"),
    ("EPROTONOSUPPORT", "Protocol not supported"),
    ("ESOCKTNOSUPPORT", "Socket type not supported"),
    ("EOPNOTSUPP", "Operation not supported"),
    ("EPFNOSUPPORT", "Protocol family not supported"),
    ("EAFNOSUPPORT", "Address family not supported by protocol"),
    ("EADDRINUSE", "Address already in use"),
    ("EADDRNOTAVAIL", "Cannot assign requested address"),
    ("ENETDOWN", "Network is down"),
    ("ENETUNREACH", "Network is unreachable"),
    ("ENETRESET", "Network dropped connection on reset"),
    ("ECONNABORTED", "Software caused connection abort"),
    ("ECONNRESET", "Connection reset by peer"),
    ("ENOBUFS", "No buffer space available"),
    ("EISCONN", "Transport endpoint is already connected"),
    ("ENOTCONN", "Transport endpoint is not connected"),
    ("ESHUTDOWN", "Cannot send after transport endpoint shutdown"),
    ("ETOOMANYREFS", "Too many references: cannot splice"),
    ("ETIMEDOUT", "Connection timed out"),
    ("ECONNREFUSED", "Connection refused"),
    ("EHOSTDOWN", "Host is down"),
    ("EHOSTUNREACH", "No route to host"),
    ("EALREADY", "Operation already in progress"),
    ("EINPROGRESS", "Operation now in progress"),
    ("ESTALE", "Stale file handle"),
    ("EUCLEAN", "Structure needs cleaning"),
    ("ENOTNAM", "Not a XENIX named type file"),
    ("ENAVAIL", "No XENIX semaphores available"),
    ("EISNAM", "Is a named type file"),
    ("EREMOTEIO", "Remote I/O error"),
    ("EDQUOT", "Disk quota exceeded"),
    ("ENOMEDIUM", "No medium found"),
    ("EMEDIUMTYPE", "Wrong medium type"),
    ("ECANCELED", "Operation canceled"),
    ("ENOKEY", "Required key not available"),
    ("EKEYEXPIRED", "Key has expired"),
    ("EKEYREVOKED", "Key has been revoked"),
    ("EKEYREJECTED", "Key was rejected by service"),
    ("EOWNERDEAD", "Owner died"),
    ("ENOTRECOVERABLE", "State not recoverable"),
    ("ERFKILL", "Operation not possible due to RF-kill"),
    ("EHWPOISON", "Memory page has hardware error"),
];

/// Abbreviated name and message by number.
static SIGNALS: [(&str, &str); 32] = [
    ("", ""),
    ("HUP", "Hangup"),
    ("INT", "Interrupt"),
    ("QUIT", "Quit"),
    ("ILL", "Illegal instruction"),
    ("TRAP", "Trace/breakpoint trap"),
    ("ABRT", "Aborted"),
    ("BUS", "Bus error"),
    ("FPE", "Floating point exception"),
    ("KILL", "Killed"),
    ("USR1", "User defined signal 1"),
    ("SEGV", "Segmentation fault"),
    ("USR2", "User defined signal 2"),
    ("PIPE", "Broken pipe"),
    ("ALRM", "Alarm clock"),
    ("TERM", "Terminated"),
    ("STKFLT", "Stack fault"),
    ("CHLD", "Child exited"),
    ("CONT", "Continued"),
    ("STOP", "Stopped (signal)"),
    ("TSTP", "Stopped"),
    ("TTIN", "Stopped (tty input)"),
    ("TTOU", "Stopped (tty output)"),
    ("URG", "Urgent I/O condition"),
    ("XCPU", "CPU time limit exceeded"),
    ("XFSZ", "File size limit exceeded"),
    ("VTALRM", "Virtual timer expired"),
    ("PROF", "Profiling timer expired"),
    ("WINCH", "Window changed"),
    ("POLL", "I/O possible"),
    ("PWR", "Power failure"),
    ("SYS", "Bad system call"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_names_follow_the_numbers() {
        assert_eq!(Errno::ENOENT.message(), "No such file or directory");
        assert_eq!(Errno::EHWPOISON.0, 133);
        assert_eq!(Errno(41).message(), "Unknown error 41");
        assert_eq!(Errno(-1).message(), "Unknown error -1");
        assert_eq!(Errno(0).message(), "Success");
        assert_eq!(format!("{:?} {:?}", Errno::EINVAL, Errno(1000)), "EINVAL Errno(1000)");
        assert_eq!(signal_message(11), "Segmentation fault");
        assert_eq!(signal_name(6), Some("ABRT"));
        assert_eq!(signal_message(40), "Real-time signal 6");
    }
}
