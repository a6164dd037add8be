//! Lines of IR as tokens, and the kinds of tokens.

/// Splits a line into tokens; joined again they are the line.
pub fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let length = token_length(rest);
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn token_length(text: &str) -> usize {
    let first = text.chars().next().unwrap_or(' ');
    let starts_name = matches!(first, '%' | '@' | '!' | '#');
    let after = &text[first.len_utf8()..];
    if starts_name && after.starts_with('"') {
        return first.len_utf8() + 1 + quoted_length(&after[1..]);
    }
    if first == '"' {
        return 1 + quoted_length(after);
    }
    if !starts_name && !is_word(first) {
        return first.len_utf8();
    }
    let length = after.find(|letter| !is_word(letter)).unwrap_or(after.len());
    first.len_utf8() + length
}

fn quoted_length(text: &str) -> usize {
    text.find('"').map_or(text.len(), |end| end + 1)
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '$' | '-')
}

pub fn is_number(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    digits.starts_with(|digit: char| digit.is_ascii_digit())
}

pub fn is_int_type(token: &str) -> bool {
    let width = token.strip_prefix('i').unwrap_or("");
    !width.is_empty() && width.bytes().all(|digit| digit.is_ascii_digit())
}

pub fn is_local(token: &str) -> bool {
    token.len() > 1 && token.starts_with('%')
}

pub fn is_global(token: &str) -> bool {
    token.len() > 1 && token.starts_with('@')
}

/// Words that can replace each other and often still make sense.
pub const GROUPS: &[&[&str]] = &[
    &[
        "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or",
        "xor",
    ],
    &["fadd", "fsub", "fmul", "fdiv", "frem"],
    &["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"],
    &["oeq", "one", "ogt", "oge", "olt", "ole", "ord", "ueq", "une", "ugt", "ult", "uno"],
    &["trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "fptosi", "fptoui", "sitofp"],
    &["fpext", "fptrunc", "uitofp", "sitofp"],
    &["float", "double", "x86_fp80", "half", "bfloat", "fp128", "ptr", "i32", "i64"],
    &["xchg", "nand", "max", "min", "umax", "umin", "uinc_wrap", "udec_wrap", "fadd"],
    &[
        "internal",
        "external",
        "weak",
        "linkonce_odr",
        "common",
        "private",
        "extern_weak",
        "appending",
    ],
    &["zeroinitializer", "undef", "poison", "null", "true", "false", "0", "none"],
    &["br", "ret", "switch", "unreachable", "indirectbr", "resume", "invoke"],
    &["load", "store", "alloca", "getelementptr", "call", "select", "phi", "freeze", "va_arg"],
    &["global", "constant"],
    &["define", "declare"],
    &["byval", "sret", "noundef", "inreg", "byref"],
];

pub const WIDTHS: &[&str] = &[
    "i1", "i2", "i7", "i8", "i16", "i17", "i24", "i31", "i32", "i33", "i48", "i63", "i64", "i65",
    "i96", "i127", "i128", "i129", "i256", "i4096", "i5000", "i8388607", "i0",
];

pub const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "-128",
    "4095",
    "4096",
    "32767",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "99999999999999999999999999999999999999999999",
    "0x7FF8000000000000",
    "0xFFF0000000000000",
    "0xK7FFF8000000000000000",
    "1.0e+00",
    "-0.0",
];

/// Functions of the C library that are most likely to mishandle odd arguments.
pub const FUNCTIONS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strtok",
    "strtol",
    "strtod",
    "qsort",
    "bsearch",
    "printf",
    "snprintf",
    "sprintf",
    "fprintf",
    "sscanf",
    "scanf",
    "fopen",
    "fclose",
    "fread",
    "fwrite",
    "fseek",
    "fgets",
    "getline",
    "ungetc",
    "setvbuf",
    "open",
    "read",
    "write",
    "lseek",
    "close",
    "dup2",
    "exit",
    "atexit",
    "abort",
    "setjmp",
    "_setjmp",
    "longjmp",
    "signal",
    "raise",
    "getenv",
    "setenv",
    "time",
    "strftime",
    "localtime",
    "rand",
    "srand",
    "aligned_alloc",
    "posix_memalign",
    "mmap",
    "munmap",
    "opendir",
    "readdir",
    "stat",
    "fstat",
    "rename",
    "unlink",
    "mkdir",
    "getopt",
    "puts",
    "putchar",
    "fputs",
    "perror",
    "open_memstream",
    "tmpfile",
    "regcomp",
    "fnmatch",
    "wcslen",
    "mbstowcs",
    "sin",
    "pow",
    "fmod",
    "ldexp",
    "frexp",
    "strerror",
    "getcwd",
    "poll",
    "pipe",
    "ftruncate",
    "pread",
    "pwrite",
    "readv",
    "writev",
    "fcntl",
    "ioctl",
    "syscall",
    "sigaction",
    "on_exit",
    "strdup",
    "memchr",
    "strstr",
    "vprintf",
    "vsnprintf",
    "select",
    "gettimeofday",
];

/// Pieces of format strings.
pub const DIRECTIVES: &[&str] = &[
    "%d",
    "%s",
    "%n",
    "%*d",
    "%.*f",
    "%1$s",
    "%9$d",
    "%Lf",
    "%a",
    "%c",
    "%lc",
    "%ls",
    "%p",
    "%hhd",
    "%99999999d",
    "%.99999999f",
    "%-9999s",
    "%%",
    "%",
    "%[^a]",
    "%m",
    "%'d",
    "%#x",
    "%+e",
    "%g",
    "%jd",
    "%zu",
    "%td",
    "%llx",
    "%2147483648d",
    "%5",
    "\\00",
    "%Z",
    "%*.*Lg",
];
