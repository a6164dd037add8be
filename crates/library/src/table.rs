//! The table: one line for all functions with the same facts.
//!
//! Before the bar, words; after it, names. Every name is in exactly one line.
//!
//! Effects on memory: `rN` reads, `wN` writes what argument N points to, `R`, `W` everything
//! reachable from it; `*` are the variadic arguments, `?` all. `<state`, `>state` read and write
//! state of the library. `cAB` copies what B points to into what A points to, `sAB` stores B there.
//! `=N` returns argument N, `~N` a pointer into what it points to, `=new` a new block, `^N` a
//! resized one, `=state` memory of the library; `*N` stores a new block through argument N. `fN(M)`
//! calls argument N with argument M, `kN` keeps it for later, `KN` what it points to. `!exit` does
//! not return, `!jump` is a `longjmp`, `!set` a `setjmp`. `code` is C of ours that the machine
//! executes, so no effects are listed.
//!
//! Values of the input: `print`, `put-byte`, `put-string` and `put-bytes` (which arguments are
//! address, size and count) write output, to `>stdout`, `>streamN` or `>descriptorN` by argument N;
//! `get-byte`, `unget-byte`, `read`, `size` and `seek` read input; `status` ends the program with
//! its argument; `mathN:W` is a function of N floats of W bits; `integer`, `integer-in` are the
//! machine's own; `harmless` uses values without an effect.
//!
//! Plain facts: `pure` depends on its arguments alone and exists in other widths, too;
//! [`Fact`](crate::Fact) explains `puts-out`, `settles`, `opens`, `stream`, `machine`, `redirects`,
//! `zeroes`, `heap` and `unstructured`. `lengthN:M`: argument N points to as many elements as
//! argument M says.

#[rustfmt::skip] // What is known alike, one line.
pub const TABLE: &str = "
=new >errno heap | malloc
=new >errno zeroes heap | calloc
=new >errno | valloc pvalloc memalign aligned_alloc sbrk brk shmat mremap
=new >errno size | mmap mmap64
^0 >errno heap length0:1 | realloc
^0 >errno | reallocarray
*0 >errno | posix_memalign
harmless heap | free
 | cfree malloc_stats malloc_trim mallopt mcheck mtrace muntrace malloc_usable_size munmap shmdt
<memory | mallinfo mallinfo2
w0 | bzero explicit_bzero
=0 w0 length0:2 | memset
=0 w0 | __memset_chk
=0 c01 r1 w0 length0:2 length1:2 | memcpy memmove strncpy
=0 c01 r1 w0 | __memcpy_chk __memmove_chk strcpy __strcpy_chk
=0 c01 r0 r1 w0 | strcat strncat
r0 r1 length0:2 length1:2 | memcmp strncmp strncasecmp
r0 r1 | bcmp strcmp strcasecmp strcoll
r0 | strlen
r0 length0:1 | strnlen
~0 r0 | strchr strrchr
~0 r0 length0:2 | memchr
r0 w1 s10 >errno | strtod strtof strtold strtof32 strtof32x strtof64 strtof64x strtod_l strtof_l strtold_l __strtod_l __strtof_l __strtold_l __strtod_internal __strtof_internal __strtold_internal __ripple_strtod __ripple_strtof __ripple_strtold
r0 w1 integer | __ripple_integer
w1 <files >files integer-in | __ripple_integer_in
w0 r2 r* | __ripple_format_one
w0 r2 R3 | __ripple_format_list
=errno | __errno_location
r0 r* >console >errno print>stdout | printf
r1 r* >console >errno print>stdout | __printf_chk
r0 R1 >console >errno print>stdout | vprintf
r1 R2 >console >errno print>stdout | __vprintf_chk
r1 r* >files >errno print>stream0 | fprintf
r1 r* >files >errno print>descriptor0 | dprintf
r1 r* >files >errno puts-out | syslog
r2 r* >files >errno print>stream0 | __fprintf_chk
r2 r* >files >errno print>descriptor0 | __dprintf_chk
r2 r* >files >errno puts-out | __syslog_chk
r1 R2 >files >errno print>stream0 | vfprintf
r1 R2 >files >errno print>descriptor0 | vdprintf
r1 R2 >files >errno puts-out | vsyslog
r2 R3 >files >errno print>stream0 | __vfprintf_chk
r2 R3 >files >errno print>descriptor0 | __vdprintf_chk
r2 R3 >files >errno puts-out | __vsyslog_chk
w0 r1 r* | sprintf
w0 r2 r* length0:1 | snprintf
w0 r3 r* | __sprintf_chk
w0 r4 r* | __snprintf_chk
w0 r1 R2 | vsprintf
w0 r2 R3 length0:1 | vsnprintf
w0 r3 R4 | __vsprintf_chk
w0 r4 R5 | __vsnprintf_chk
*0 w0 r1 r* | asprintf
*0 w0 r2 r* | __asprintf_chk
*0 w0 r1 R2 | vasprintf
*0 w0 r2 R3 | __vasprintf_chk
r0 w* <files >files >errno | scanf __isoc99_scanf __isoc23_scanf
r0 R1 W1 <files >files >errno | vscanf __isoc99_vscanf __isoc23_vscanf
r1 w* <files >files >errno | fscanf __isoc99_fscanf __isoc23_fscanf
r1 R2 W2 <files >files >errno | vfscanf __isoc99_vfscanf __isoc23_vfscanf
r0 r1 w* >errno | sscanf __isoc99_sscanf __isoc23_sscanf
r0 r1 R2 W2 >errno | vsscanf __isoc99_vsscanf __isoc23_vsscanf
>console >errno put-byte>stdout | putchar putchar_unlocked
r0 >console >errno put-string>stdout | puts
r0 <errno >console puts-out | perror
>files >errno put-byte>stream1 | fputc putc fputc_unlocked putc_unlocked _IO_putc
>files >errno puts-out | putw __overflow
r0 >files >errno put-string>stream1 | fputs fputs_unlocked
r0 >files >errno put-bytes(0,1,2)>stream3 length0:2 | fwrite
r0 >files >errno put-bytes(0,1,2)>stream3 | fwrite_unlocked
<files >files >errno get-byte(0) | fgetc getc fgetc_unlocked getc_unlocked _IO_getc
<files >files >errno get-byte | getchar getchar_unlocked
<files >files >errno | getw __uflow
>files unget-byte | ungetc
w0 =0 <files >files >errno | gets fgets_unlocked __fgets_chk __fgets_unlocked_chk
w0 =0 <files >files >errno length0:1 | fgets
w0 <files >files >errno length0:2 | fread
w0 <files >files >errno | fread_unlocked __fread_chk __fread_unlocked_chk
*0 r0 w0 r1 w1 <files >files >errno | getline getdelim __getdelim
=library r0 r1 <files >files >errno opens stream | fopen fopen64
=library r0 r1 <files >files >console >errno opens redirects | freopen freopen64
=library r1 <files >files >errno opens stream | fdopen tmpfile tmpfile64
=library r1 <files >files >errno opens stream redirects | popen
=library r0 w0 r2 <files >files >errno opens stream | fmemopen
=library *0 w0 w1 <files >files >errno opens stream | open_memstream
<files <console >files >errno harmless settles | fclose fflush
<files <console >files >errno settles | fcloseall pclose fflush_unlocked
<files <console >files >errno seek | fseek fseeko fseeko64
<files <console >files >errno | rewind ftell ftello ftello64 setlinebuf __fpurge
<files <console >files >errno w1 | fgetpos fgetpos64 setbuffer
<files <console >files >errno w1 harmless | setbuf setvbuf
<files <console >files >errno r1 | fsetpos fsetpos64
<files <console | feof ferror feof_unlocked ferror_unlocked fileno fileno_unlocked __fbufsize __flbf __fpending __freadable __freading __fwritable __fwriting __fsetlocking
>files | clearerr clearerr_unlocked flockfile funlockfile ftrylockfile
r0 <files >files >errno opens | open open64 creat creat64 __open __open64 __open_2 __open64_2 shm_open mq_open
r0 <files >files >errno | unlink remove rmdir mkdir mkfifo mknod chdir chmod chown lchown lchmod truncate truncate64 access eaccess euidaccess chroot acct shm_unlink swapon swapoff umount umount2 removexattr lremovexattr pathconf
r1 <files >files >errno opens | openat openat64 __openat_2 __openat64_2
r1 <files >files >errno | unlinkat mkdirat mkfifoat mknodat fchmodat fchownat faccessat
r0 r1 <files >files >errno | rename link symlink utime utimes lutimes catopen
r1 r3 <files >files >errno | renameat renameat2 linkat
r0 r2 <files >files >errno | symlinkat
r1 r2 <files >files >errno | utimensat futimesat
r1 <files >files >errno | futimens futimes
<files >files >errno harmless settles | close
<files >files >errno settles | close_range closefrom
<files >files >errno seek | lseek lseek64
<files >files >errno redirects | dup dup2 dup3
<files >files >errno harmless | fsync
<files >files >errno | fdatasync sync syncfs ftruncate ftruncate64 fallocate fallocate64 posix_fallocate posix_fallocate64 posix_fadvise posix_fadvise64 readahead sync_file_range fchdir fchmod fchown flock lockf lockf64 fpathconf dirfd umask eventfd epoll_create epoll_create1 inotify_init inotify_init1 inotify_rm_watch memfd_create socket listen shutdown timerfd_create fremovexattr tcdrain tcflow tcflush tcsendbreak tcgetpgrp tcsetpgrp tcgetsid sockatmark grantpt unlockpt getpt vhangup eventfd_write
<files >files >errno machine | isatty
<files >files >errno opens | posix_openpt
w1 <files >files >errno read(1) length1:2 | read
w1 <files >files >errno | __read pread pread64 __read_chk __pread_chk __pread64_chk recv __recv_chk eventfd_read getdents64 tcgetattr
r1 >files <files >errno put-bytes(1,2)>descriptor0 length1:2 | write
r1 >files <files >errno puts-out | __write pwrite pwrite64
r1 >files <files >errno | send
R1 W1 <files >files >errno | readv preadv preadv64 recvmsg sendmsg recvmmsg sendmmsg
R1 W1 <files >files >errno puts-out | writev pwritev pwritev64
r0 w1 <files >errno size | stat stat64 lstat lstat64
r0 w1 <files >errno | statfs statfs64 statvfs statvfs64 readlink __readlink_chk realpath __realpath_chk listxattr llistxattr
w1 <files >errno size | fstat fstat64
w1 <files >errno | fstatfs fstatfs64 fstatvfs fstatvfs64 flistxattr
r1 w2 <files >errno size | fstatat newfstatat __xstat __xstat64
r1 w2 <files >errno | fstatat64 readlinkat __readlinkat_chk __lxstat __lxstat64 getxattr lgetxattr fgetxattr
w2 <files >errno size | __fxstat __fxstat64
r2 w3 <files >errno | __fxstatat __fxstatat64
r1 w4 <files >errno size | statx
r0 r1 r2 <files >files >errno | setxattr lsetxattr fsetxattr
=library r0 <files >files >errno opens stream | opendir
=library <files >files >errno opens stream | fdopendir
=library <files >files >errno | readdir readdir64 rewinddir seekdir telldir closedir
w1 w2 <files >files >errno | readdir_r readdir64_r
w0 =0 <files >errno machine | getcwd __getcwd_chk getwd
=new <files >errno machine | get_current_dir_name
=new r0 <files >errno | canonicalize_file_name
r0 w0 =0 <files >files >errno | mktemp mkdtemp
r0 w0 <files >files >errno | mkstemp mkstemp64 mkstemps mkstemps64 mkostemp mkostemp64 mkostemps mkostemps64
=library w0 <files >library | tmpnam tmpnam_r
=new r0 r1 <files | tempnam
w0 >files >errno redirects | pipe pipe2
w? r? <files >files >errno | select __select pselect poll __poll ppoll __poll_chk __ppoll_chk epoll_ctl epoll_wait ioctl __fcntl64 accept accept4 bind connect getsockname getpeername getsockopt setsockopt sendto recvfrom __recvfrom_chk sendfile sendfile64 splice tee vmsplice copy_file_range inotify_add_watch signalfd timerfd_gettime timerfd_settime tcsetattr login_tty ptsname_r getnameinfo bindresvport res_init __res_init res_query res_search rcmd updwtmpx getpass
w? r? <files >files >errno redirects | fcntl fcntl64 socketpair
w? r? <files >files >errno opens | openpty
w? r? <files >files >errno unstructured | forkpty
w? r? <files >files >errno machine | ttyname_r __ttyname_r_chk
=library <files >library machine | ttyname
=library <files >library | ptsname getnetbyaddr getnetbyname getnetent getrpcbyname getrpcbynumber catgets
*3 r0 r1 r2 w3 <files >errno | getaddrinfo
*0 w0 <files | getifaddrs
w? r? <files | gethostbyaddr_r gethostbyname_r gethostbyname2_r
 | freeaddrinfo freeifaddrs catclose closelog openlog setlogmask setnetent endnetent
w0 <clock >clock machine | time gettimeofday clock ftime times timespec_get
w0 <clock >clock | settimeofday stime getitimer adjtimex
w1 <clock machine | clock_gettime
w1 <clock | clock_getres clock_getcpuclockid
r1 >clock | clock_settime
r0 w1 >clock <clock | nanosleep adjtime
r2 w3 >clock <clock | clock_nanosleep
>clock <clock >signals | sleep usleep alarm ualarm
w? r? <clock >clock >signals <signals | setitimer timer_create timer_delete timer_getoverrun timer_gettime timer_settime
<random >random machine | arc4random arc4random_uniform
w0 <random >random machine | arc4random_buf getentropy getrandom
<process machine | getpid getppid getpgid getpgrp getsid getuid geteuid getgid getegid gettid __getpid __getpgid get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages gethostid sysconf __sysconf getauxval sched_getcpu
<process | __getpagesize getpagesize getdtablesize getpriority group_member sched_get_priority_max sched_get_priority_min sched_getscheduler
w? r? <process >process >errno machine | getgroups __getgroups_chk getresgid getresuid getrlimit getrlimit64 getrusage prlimit prlimit64 getloadavg sysinfo uname gethostname __gethostname_chk getdomainname __getdomainname_chk
w? r? <process >process >errno | setrlimit setrlimit64 sethostname setdomainname setgroups initgroups sched_getaffinity sched_setaffinity sched_setscheduler setgid setuid setegid seteuid setregid setreuid setresgid setresuid setfsgid setfsuid setpgid setpgrp setsid setpriority nice personality prctl ptrace quotactl reboot mount pivot_root unshare setns init_module delete_module klogctl msgctl msgget msgrcv msgsnd semctl semget semop semtimedop shmctl shmget name_to_handle_at ftok
w? r? <process >process >errno opens | open_by_handle_at
w1 <process | confstr __confstr_chk
w0 <process >process <files >files | wait wait3 waitpid __waitpid wait4 waitid
w0 <process >process <files >files machine redirects unstructured | fork
w0 <process >process <files >files machine unstructured | vfork __fork _Fork
r0 <process >process <files >files | system
!exit R? <files >files | execl execle execlp execv execve execvp execvpe fexecve
R? W? f0(3) <process >process machine unstructured | clone
w0 R? <process >process <files >files | posix_spawn posix_spawnp
w? r? | posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setsigdefault posix_spawnattr_setsigmask
<process >process | daemon
!exit <files <console status | exit _exit _Exit quick_exit
!exit <files <console | abort __ripple_abort __chk_fail __stack_chk_fail pthread_exit thrd_exit
!exit r0 r1 r3 >files | __assert_fail __assert
k0 | atexit at_quick_exit on_exit __cxa_atexit __cxa_at_quick_exit
k1 >signals <signals | signal bsd_signal ssignal sysv_signal __sysv_signal
K1 r1 w2 >signals <signals | sigaction __sigaction
r0 w1 | sigaltstack
=signals w? r? >signals <signals | __ripple_signal_take
w? r? >signals <signals | sigpending siginterrupt __ripple_signal_send __ripple_signal_done __ripple_signal_mask __ripple_signal_wait __ripple_signal_accept __ripple_abort_caught
!set w0 | setjmp _setjmp sigsetjmp __sigsetjmp
!jump r0 | longjmp _longjmp siglongjmp __longjmp_chk
w0 r1 f2(3) machine unstructured | pthread_create
w0 f1(2) machine unstructured | thrd_create
r0 w0 f1 | call_once
w? r? <process >process | pthread_join pthread_detach pthread_cancel pthread_testcancel pthread_setcancelstate pthread_setcanceltype pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_setname_np __pthread_register_cancel __pthread_unregister_cancel mtx_init mtx_destroy mtx_lock mtx_trylock mtx_unlock cnd_init cnd_destroy cnd_signal cnd_broadcast cnd_wait sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_post sem_getvalue thrd_yield
 | thrd_current thrd_equal
w? r? >library <library =library | tss_create tss_delete tss_get tss_set
w0 r? | fegetenv fegetexceptflag feholdexcept
<rounding >rounding | feclearexcept fedisableexcept feenableexcept fegetexcept fegetround feraiseexcept fesetround fetestexcept __flt_rounds
r0 >rounding | fesetenv fesetexceptflag feupdateenv
w1 | frexp frexpf frexpl modf modff modfl lgamma_r lgammaf_r lgammal_r __lgamma_r_finite __lgammaf_r_finite __lgammal_r_finite
w2 | remquo remquof remquol
w1 w2 | sincos sincosf sincosl
r0 | nan nanf nanl
w? r? <memory >memory | madvise posix_madvise mincore mlock mlock2 mlockall munlock munlockall mprotect msync
=library | gnu_get_libc_version dladdr _dl_find_object
f0(1) | dl_iterate_phdr
k0 k1 k2 | __register_atfork
 | __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __cxa_finalize __libc_init_first matherr __ripple_quick_exit_next
pure math1:64 | acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 lgamma log log10 log1p log2 sin sinh sqrt tan tanh tgamma floor ceil trunc round rint nearbyint roundeven fabs logb
math1:32 | acosf acoshf asinf asinhf atanf atanhf cbrtf cosf coshf erff erfcf expf exp10f exp2f expm1f logf log10f log1pf log2f sinf sinhf sqrtf tanf tanhf tgammaf floorf ceilf truncf roundf rintf nearbyintf fabsf
pure math2:64 | atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder
math2:32 | atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf
pure | drem finite fma gamma ilogb isinf isnan j0 j1 jn ldexp llrint llround lrint lround nexttoward pow10 scalb scalbln scalbn signbit significand y0 y1 yn fpclassify issignaling isnormal llogb fmaxmag fminmag nextup nextdown cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow cproj creal csin csinh csqrt ctan ctanh divdc3 muldc3 divsc3 mulsc3 divxc3 mulxc3 powidf2 powisf2 powixf2 abs labs llabs
code length0:1 | qsort
code length1:2 | bsearch
code length0:2 | memrchr
code length0:1 | strndup
code machine | getlogin getlogin_r
code unstructured | raise
";
