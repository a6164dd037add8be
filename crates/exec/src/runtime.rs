//! The part of libc that is C: an archive of small members.
//!
//! Each member is the text of one file of `runtime/`, compiled to IR on demand and linked like a
//! member of a static archive, so that a program pulls in what it calls and the machine tracks
//! branches, terms and dependences inside as it does in the program. The members use no header of
//! the host: they share [`HEADER`], which [`Member::text`] prepends. Input and output, allocation,
//! the process and the clock are not here; members call those by their C names.
//!
//! This module holds texts and names only. It neither compiles nor links.

use std::sync::LazyLock;

/// The declarations at the start of every member.
pub const HEADER: &str = include_str!("../runtime/runtime.h");

/// Compiler flags besides those that request IR. Without builtins, because a loop of `strlen` must
/// stay one; without the host's default hardening, because it adds calls.
pub const CFLAGS: &[&str] = &[
    "-x",
    "c",
    "-std=gnu11",
    "-O0",
    "-g",
    "-fno-builtin",
    "-ffreestanding",
    "-fno-stack-protector",
    "-fcf-protection=none",
];

/// One file of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The name of its file without `.c`.
    pub name: &'static str,
    /// The text of its file, without the header.
    pub source: &'static str,
    /// The functions and objects that it defines for others, sorted.
    pub symbols: &'static [&'static str],
}

impl Member {
    /// The whole text for the compiler; needs no include path.
    pub fn text(&self) -> String {
        let Member { name, source, .. } = self;
        format!("#line 1 \"runtime.h\"\n{HEADER}#line 1 \"{name}.c\"\n{source}")
    }
}

/// All members, sorted by name.
pub fn members() -> &'static [Member] {
    MEMBERS
}

/// The member that defines a symbol, if one does.
pub fn member_defining(symbol: &str) -> Option<&'static Member> {
    let at = INDEX.binary_search_by_key(&symbol, |&(name, _)| name).ok()?;
    Some(INDEX[at].1)
}

/// Every symbol with its member, sorted by symbol.
static INDEX: LazyLock<Vec<(&'static str, &'static Member)>> = LazyLock::new(|| {
    let of_member =
        |member: &'static Member| member.symbols.iter().map(move |&name| (name, member));
    let mut index: Vec<_> = MEMBERS.iter().flat_map(of_member).collect();
    index.sort_unstable_by_key(|&(name, _)| name);
    index
});

macro_rules! member {
    ($name:literal, [$($symbol:literal),* $(,)?]) => {
        Member {
            name: $name,
            source: include_str!(concat!("../runtime/", $name, ".c")),
            symbols: &[$($symbol),*],
        }
    };
}

#[rustfmt::skip] // One member, one line: the table is read by looking for a name.
static MEMBERS: &[Member] = &[
    // members begin
    member!("a64l", ["a64l", "l64a"]),
    member!("abort", ["abort"]),
    member!("abs", ["abs", "div", "imaxabs", "imaxdiv", "labs", "ldiv", "llabs", "lldiv"]),
    member!("accounts", ["endspent", "endutxent", "getspent", "getspnam", "getutxent", "getutxid", "getutxline", "lckpwdf", "putgrent", "putpwent", "setspent", "setutxent", "ulckpwdf", "utmpxname"]),
    member!("argz", ["argz_add", "argz_add_sep", "argz_append", "argz_count", "argz_create", "argz_create_sep", "argz_delete", "argz_extract", "argz_insert", "argz_next", "argz_stringify"]),
    member!("asctime", ["asctime", "asctime_r", "ctime", "ctime_r"]),
    member!("atof", ["atof"]),
    member!("atoi", ["atoi", "atol", "atoll"]),
    member!("basename", ["__xpg_basename", "basename", "dirname"]),
    member!("bsearch", ["bsearch", "lfind", "lsearch"]),
    member!("byteorder", ["htonl", "htons", "ntohl", "ntohs"]),
    member!("ctype", ["isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "toascii", "tolower", "toupper"]),
    member!("ctype_b", ["__ctype_b_loc"]),
    member!("ctype_l", ["__tolower_l", "__toupper_l", "isalnum_l", "isalpha_l", "isblank_l", "iscntrl_l", "isdigit_l", "isgraph_l", "islower_l", "isprint_l", "ispunct_l", "isspace_l", "isupper_l", "isxdigit_l", "tolower_l", "toupper_l"]),
    member!("ctype_tolower", ["__ctype_tolower_loc"]),
    member!("ctype_toupper", ["__ctype_toupper_loc"]),
    member!("drand48", ["drand48", "erand48", "jrand48", "lcong48", "lrand48", "mrand48", "nrand48", "seed48", "srand48"]),
    member!("environ", ["__environ", "__ripple_environ_entry", "__secure_getenv", "_environ", "environ", "getenv", "secure_getenv"]),
    member!("envz", ["envz_add", "envz_entry", "envz_get", "envz_merge", "envz_remove", "envz_strip"]),
    member!("err", ["err", "errx", "verr", "verrx", "vwarn", "vwarnx", "warn", "warnx"]),
    member!("error", ["error", "error_at_line", "error_message_count", "error_one_per_line", "error_print_progname"]),
    member!("fcvt", ["fcvt", "fcvt_r", "gcvt"]),
    member!("ffs", ["ffs", "ffsl", "ffsll"]),
    member!("fgets", ["__fgets_chk", "__fgets_unlocked_chk", "fgets", "fgets_unlocked", "gets"]),
    member!("fnmatch", ["fnmatch"]),
    member!("format", ["__ripple_format"]),
    member!("fread", ["__fread_chk", "__fread_unlocked_chk", "fread", "fread_unlocked", "getw"]),
    member!("gai_strerror", ["gai_strerror", "hstrerror"]),
    member!("getc", ["_IO_getc", "__uflow", "fgetc_unlocked", "getc", "getc_unlocked", "getchar", "getchar_unlocked"]),
    member!("getline", ["__getdelim", "getdelim", "getline"]),
    member!("getopt", ["__posix_getopt", "__ripple_getopt", "getopt", "optarg", "opterr", "optind", "optopt"]),
    member!("getopt_long", ["getopt_long", "getopt_long_only"]),
    member!("getsubopt", ["getsubopt"]),
    member!("gettext", ["__dcgettext", "dcgettext", "dcngettext", "dgettext", "dngettext", "gettext", "ngettext"]),
    member!("glob", ["glob", "glob64", "glob_pattern_p", "globfree", "globfree64"]),
    member!("gmtime", ["gmtime", "gmtime_r", "localtime", "localtime_r"]),
    member!("group", ["endgrent", "getgrent", "getgrgid", "getgrgid_r", "getgrnam", "getgrnam_r", "getgrouplist", "setgrent"]),
    member!("hsearch", ["hcreate", "hcreate_r", "hdestroy", "hdestroy_r", "hsearch", "hsearch_r"]),
    member!("iconv", ["iconv", "iconv_close", "iconv_open"]),
    member!("inet_aton", ["inet_addr", "inet_aton", "inet_ntoa"]),
    member!("inet_ntop", ["in6addr_any", "in6addr_loopback", "inet_ntop"]),
    member!("inet_pton", ["inet_pton"]),
    member!("insque", ["insque", "remque"]),
    member!("interfaces", ["if_indextoname", "if_nametoindex"]),
    member!("langinfo", ["nl_langinfo", "nl_langinfo_l", "rpmatch"]),
    member!("lgamma", ["__signgam", "gamma", "gammaf", "gammal", "lgamma", "lgammaf", "lgammal", "signgam"]),
    member!("localeconv", ["localeconv"]),
    member!("mbrtowc", ["__mbrlen", "__wcrtomb_chk", "btowc", "mbrlen", "mbrtowc", "mbsinit", "wcrtomb", "wctob"]),
    member!("mbsrtowcs", ["__mbsrtowcs_chk", "__mbstowcs_chk", "__wcstombs_chk", "mbsnrtowcs", "mbsrtowcs", "mbstowcs", "wcsnrtombs", "wcsrtombs", "wcstombs"]),
    member!("mbtowc", ["__ctype_get_mb_cur_max", "__wctomb_chk", "mblen", "mbtowc", "wctomb"]),
    member!("memccpy", ["__bzero", "__explicit_bzero_chk", "__mempcpy", "__mempcpy_chk", "bcopy", "bzero", "explicit_bzero", "memccpy", "mempcpy", "swab"]),
    member!("memchr", ["__memrchr", "__rawmemchr", "memchr", "memrchr", "rawmemchr"]),
    member!("memcmp", ["__memcmpeq", "bcmp", "memcmp"]),
    member!("memmem", ["memmem"]),
    member!("mktime", ["difftime", "dysize", "mktime", "timegm", "timelocal"]),
    member!("mntent", ["endmntent", "getmntent", "getmntent_r", "hasmntopt", "setmntent"]),
    member!("netdb", ["__h_errno_location", "endhostent", "endprotoent", "endservent", "gethostbyaddr", "gethostbyname", "gethostbyname2", "getprotobyname", "getprotobynumber", "getprotoent", "getservbyname", "getservbyport", "getservent", "sethostent", "setprotoent", "setservent"]),
    member!("newlocale", ["__newlocale", "__uselocale", "duplocale", "freelocale", "newlocale", "uselocale"]),
    member!("nftw", ["ftw", "ftw64", "nftw", "nftw64"]),
    member!("obstack", ["_obstack_allocated_p", "_obstack_begin", "_obstack_begin_1", "_obstack_free", "_obstack_memory_used", "_obstack_newchunk", "obstack_alloc_failed_handler", "obstack_exit_failure", "obstack_free"]),
    member!("obstack_printf", ["__obstack_printf_chk", "__obstack_vprintf_chk", "obstack_printf", "obstack_vprintf"]),
    member!("passwd", ["endpwent", "getlogin", "getlogin_r", "getpwent", "getpwent_r", "getpwnam", "getpwnam_r", "getpwuid", "getpwuid_r", "setpwent"]),
    member!("progname", ["__progname", "__progname_full", "program_invocation_name", "program_invocation_short_name"]),
    member!("pthread", ["__libc_single_threaded", "pthread_atfork", "pthread_equal", "pthread_mutex_destroy", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutexattr_destroy", "pthread_mutexattr_gettype", "pthread_mutexattr_init", "pthread_mutexattr_settype", "pthread_once", "pthread_self", "pthread_yield", "sched_yield"]),
    member!("pthread_cond", ["pthread_cond_broadcast", "pthread_cond_destroy", "pthread_cond_init", "pthread_cond_signal", "pthread_cond_timedwait", "pthread_cond_wait", "pthread_rwlock_destroy", "pthread_rwlock_init", "pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock", "pthread_rwlock_unlock", "pthread_rwlock_wrlock", "pthread_spin_destroy", "pthread_spin_init", "pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock"]),
    member!("pthread_key", ["pthread_getspecific", "pthread_key_create", "pthread_key_delete", "pthread_setspecific"]),
    member!("putc", ["_IO_putc", "__overflow", "fputc", "fputc_unlocked", "putc", "putc_unlocked", "putchar", "putchar_unlocked"]),
    member!("puts", ["fputs", "fputs_unlocked", "fwrite_unlocked", "puts", "putw"]),
    member!("qsort", ["qsort", "qsort_r"]),
    member!("quick_exit", ["quick_exit"]),
    member!("raise", ["__ripple_signal_deliver", "gsignal", "kill", "killpg", "pause", "pthread_kill", "pthread_sigmask", "raise", "sigblock", "sigprocmask", "sigqueue", "sigsetmask", "sigsuspend", "sigtimedwait", "sigwait", "sigwaitinfo", "tgkill"]),
    member!("random", ["initstate", "rand", "rand_r", "random", "setstate", "srand", "srandom"]),
    member!("random_r", ["initstate_r", "random_r", "setstate_r", "srandom_r"]),
    member!("regbacktrack", ["__ripple_regex_backtrack"]),
    member!("regcomp", ["regcomp", "regfree"]),
    member!("regerror", ["regerror"]),
    member!("regexec", ["__ripple_regex_byte", "__ripple_regex_close", "__ripple_regex_holds", "__ripple_regex_open", "__ripple_regex_reads", "regexec"]),
    member!("regparse", ["__ripple_regex_add_node", "__ripple_regex_add_set", "__ripple_regex_parse"]),
    member!("regset", ["__ripple_regex_parse_set"]),
    member!("scan", ["__ripple_scan", "__ripple_scan_next", "__ripple_scan_pointer", "__ripple_scan_unget"]),
    member!("scan_number", ["__ripple_scan_atom", "__ripple_scan_float", "__ripple_scan_integer"]),
    member!("scan_text", ["__ripple_scan_characters", "__ripple_scan_set", "__ripple_scan_string"]),
    member!("scandir", ["alphasort", "alphasort64", "scandir", "scandir64", "scandirat", "scandirat64", "versionsort", "versionsort64"]),
    member!("scanf", ["__isoc23_fscanf", "__isoc23_scanf", "__isoc23_sscanf", "__isoc23_vfscanf", "__isoc23_vscanf", "__isoc23_vsscanf", "__isoc99_fscanf", "__isoc99_scanf", "__isoc99_sscanf", "__isoc99_vfscanf", "__isoc99_vscanf", "__isoc99_vsscanf", "fscanf", "scanf", "sscanf", "vfscanf", "vscanf", "vsscanf"]),
    member!("setenv", ["clearenv", "putenv", "setenv", "unsetenv"]),
    member!("setlocale", ["__ripple_is_c_locale", "setlocale"]),
    member!("sigset", ["sigaddset", "sigandset", "sigdelset", "sigemptyset", "sigfillset", "sigisemptyset", "sigismember", "sigorset"]),
    member!("sprintf", ["__asprintf_chk", "__snprintf_chk", "__sprintf_chk", "__vasprintf_chk", "__vsnprintf_chk", "__vsprintf_chk", "asprintf", "snprintf", "sprintf", "vasprintf", "vsnprintf", "vsprintf"]),
    member!("strcasecmp", ["__strcasecmp", "strcasecmp", "strcasecmp_l", "strncasecmp", "strncasecmp_l"]),
    member!("strcasestr", ["__strcasestr", "strcasestr"]),
    member!("strcat", ["__strcat_chk", "__strncat_chk", "strcat", "strncat"]),
    member!("strchr", ["__strchrnul", "index", "strchr", "strchrnul"]),
    member!("strcmp", ["strcmp", "strncmp"]),
    member!("strcoll", ["__strcoll_l", "strcoll", "strcoll_l", "strxfrm", "strxfrm_l"]),
    member!("strcpy", ["__stpcpy", "__stpcpy_chk", "__strcpy_chk", "stpcpy", "strcpy"]),
    member!("strdup", ["__strdup", "__strndup", "strdup", "strndup"]),
    member!("streams", ["stderr", "stdin", "stdout"]),
    member!("strerror", ["__strerror_r", "__xpg_strerror_r", "strerror", "strerror_l", "strerror_r", "strerrordesc_np"]),
    member!("strerrorname", ["strerrorname_np"]),
    member!("strfromd", ["strfromd", "strfromf", "strfroml"]),
    member!("strftime", ["strftime", "strftime_l"]),
    member!("strlcpy", ["__strlcat_chk", "__strlcpy_chk", "strlcat", "strlcpy"]),
    member!("strlen", ["__strnlen", "strlen", "strnlen"]),
    member!("strncpy", ["__stpncpy", "__stpncpy_chk", "__strncpy_chk", "stpncpy", "strncpy"]),
    member!("strptime", ["strptime", "strptime_l"]),
    member!("strrchr", ["rindex", "strrchr"]),
    member!("strsignal", ["__libc_current_sigrtmax", "__libc_current_sigrtmin", "psignal", "sigabbrev_np", "sigdescr_np", "strsignal"]),
    member!("strspn", ["strcspn", "strpbrk", "strspn"]),
    member!("strstr", ["strstr"]),
    member!("strtod", ["strtod", "strtof", "strtold"]),
    member!("strtod_l", ["__strtod_internal", "__strtod_l", "__strtof_internal", "__strtof_l", "__strtold_internal", "__strtold_l", "strtod_l", "strtof32", "strtof32x", "strtof64", "strtof64x", "strtof_l", "strtold_l"]),
    member!("strtok", ["__strsep", "__strtok_r", "strsep", "strtok", "strtok_r"]),
    member!("strtol", ["__isoc23_strtoimax", "__isoc23_strtol", "__isoc23_strtoll", "strtoimax", "strtol", "strtol_l", "strtoll", "strtoll_l", "strtoq"]),
    member!("strtoul", ["__isoc23_strtoul", "__isoc23_strtoull", "__isoc23_strtoumax", "strtoul", "strtoul_l", "strtoull", "strtoull_l", "strtoumax", "strtouq"]),
    member!("strtox", ["__ripple_strtox"]),
    member!("strverscmp", ["strverscmp"]),
    member!("swprintf", ["__swprintf_chk", "swprintf", "vswprintf"]),
    member!("sysmacros", ["__fdelt_chk", "__fdelt_warn", "__sched_cpualloc", "__sched_cpucount", "__sched_cpufree", "gnu_dev_major", "gnu_dev_makedev", "gnu_dev_minor"]),
    member!("tdelete", ["tdelete"]),
    member!("termios", ["cfgetispeed", "cfgetospeed", "cfmakeraw", "cfsetispeed", "cfsetospeed", "cfsetspeed", "ctermid"]),
    member!("textdomain", ["bind_textdomain_codeset", "bindtextdomain", "textdomain"]),
    member!("tsearch", ["tdestroy", "tfind", "tsearch", "twalk", "twalk_r"]),
    member!("tzset", ["__daylight", "__timezone", "__tzname", "daylight", "timezone", "tzname", "tzset"]),
    member!("uchar", ["c16rtomb", "c32rtomb", "mbrtoc16", "mbrtoc32"]),
    member!("wcschr", ["wcschr", "wcschrnul", "wcscspn", "wcspbrk", "wcsrchr", "wcsspn", "wcsstr", "wcstok", "wcswcs"]),
    member!("wcscmp", ["wcscasecmp", "wcscmp", "wcscoll", "wcsncasecmp", "wcsncmp", "wcsxfrm"]),
    member!("wcslen", ["__wcscat_chk", "__wcscpy_chk", "__wcsncpy_chk", "wcpcpy", "wcpncpy", "wcscat", "wcscpy", "wcsdup", "wcslen", "wcsncat", "wcsncpy", "wcsnlen"]),
    member!("wcstol", ["__isoc23_wcstol", "__isoc23_wcstoul", "wcstod", "wcstof", "wcstoimax", "wcstol", "wcstold", "wcstoll", "wcstoul", "wcstoull", "wcstoumax"]),
    member!("wctrans", ["iswctype", "towctrans", "wctrans", "wctype"]),
    member!("wctype", ["iswalnum", "iswalpha", "iswblank", "iswcntrl", "iswdigit", "iswgraph", "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "iswxdigit", "towlower", "towupper"]),
    member!("wctype_l", ["iswalnum_l", "iswalpha_l", "iswblank_l", "iswcntrl_l", "iswctype_l", "iswdigit_l", "iswgraph_l", "iswlower_l", "iswprint_l", "iswpunct_l", "iswspace_l", "iswupper_l", "iswxdigit_l", "towlower_l", "towupper_l", "wctype_l"]),
    member!("wcwidth", ["wcswidth", "wcwidth"]),
    member!("wide_stream", ["fgetwc", "fgetws", "fputwc", "fputws", "getwc", "getwchar", "putwc", "putwchar", "ungetwc"]),
    member!("wmemchr", ["__wmemcpy_chk", "__wmemmove_chk", "__wmemset_chk", "wmemchr", "wmemcmp", "wmemcpy", "wmemmove", "wmempcpy", "wmemset"]),
    member!("wprintf", ["__fwprintf_chk", "__wprintf_chk", "fwprintf", "vfwprintf", "vwprintf", "wprintf"]),
    // members end
];
