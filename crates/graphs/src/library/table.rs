//! The models, one line for all functions with the same effects.
//!
//! `rN` reads, `wN` writes what argument N points to, `R`, `W` all that can be reached from it;
//! `*` are the arguments that the type does not name, `?` all. `<state`, `>state` read and write
//! state of the library. `cAB` copies what B points to into what A points to, `sAB`
//! stores B there. `=N` returns argument
//! N, `~N` a place in what it points to, `=new` a new block, `^N` a resized one, `=state` memory of
//! the library; `*N` stores a new block through argument N. `fN(M)` calls argument N with argument
//! M, `kN` keeps it for later, `KN` what it points to. `!exit` does not return, `!jump` is a `longjmp`, `!set` a `setjmp`.

#[rustfmt::skip] // One model, one line.
pub const TABLE: &str = "
=new >errno | malloc calloc valloc pvalloc memalign aligned_alloc mmap mmap64 sbrk brk shmat mremap
^0 >errno | realloc reallocarray
*0 >errno | posix_memalign
 | free cfree malloc_stats malloc_trim mallopt mcheck mtrace muntrace malloc_usable_size munmap shmdt
<memory | mallinfo mallinfo2
w0 | bzero explicit_bzero
=0 w0 | memset __memset_chk
=0 c01 r1 w0 | memcpy memmove __memcpy_chk __memmove_chk strcpy strncpy __strcpy_chk
=0 c01 r0 r1 w0 | strcat strncat
r0 r1 | memcmp bcmp strcmp strncmp strcasecmp strncasecmp strcoll
r0 | strlen strnlen
~0 r0 | strchr strrchr memchr
r0 w1 s10 >errno | strtod strtof strtold strtof32 strtof32x strtof64 strtof64x strtod_l strtof_l strtold_l __strtod_l __strtof_l __strtold_l __strtod_internal __strtof_internal __strtold_internal __ripple_strtod __ripple_strtof __ripple_strtold
r0 w1 | __ripple_integer
w1 <files >files | __ripple_integer_in
w0 r2 r* | __ripple_format_one
w0 r2 R3 | __ripple_format_list
=errno | __errno_location
r0 r* >console >errno | printf
r1 r* >console >errno | __printf_chk
r0 R1 >console >errno | vprintf
r1 R2 >console >errno | __vprintf_chk
r1 r* >files >errno | fprintf dprintf syslog
r2 r* >files >errno | __fprintf_chk __dprintf_chk __syslog_chk
r1 R2 >files >errno | vfprintf vdprintf vsyslog
r2 R3 >files >errno | __vfprintf_chk __vdprintf_chk __vsyslog_chk
w0 r1 r* | sprintf
w0 r2 r* | snprintf
w0 r3 r* | __sprintf_chk
w0 r4 r* | __snprintf_chk
w0 r1 R2 | vsprintf
w0 r2 R3 | vsnprintf
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
>console >errno | putchar putchar_unlocked
r0 >console >errno | puts
r0 <errno >console | perror
>files >errno | fputc putc fputc_unlocked putc_unlocked _IO_putc putw __overflow
r0 >files >errno | fputs fputs_unlocked fwrite fwrite_unlocked
<files >files >errno | fgetc getc getchar fgetc_unlocked getc_unlocked getchar_unlocked _IO_getc getw __uflow
>files | ungetc
w0 =0 <files >files >errno | gets fgets fgets_unlocked __fgets_chk __fgets_unlocked_chk
w0 <files >files >errno | fread fread_unlocked __fread_chk __fread_unlocked_chk
*0 r0 w0 r1 w1 <files >files >errno | getline getdelim __getdelim
=library r0 r1 <files >files >errno | fopen fopen64
=library r0 r1 <files >files >console >errno | freopen freopen64
=library r1 <files >files >errno | fdopen popen tmpfile tmpfile64
=library r0 w0 r2 <files >files >errno | fmemopen
=library *0 w0 w1 <files >files >errno | open_memstream
<files <console >files >errno | fclose fcloseall pclose fflush fflush_unlocked fseek fseeko fseeko64 rewind ftell ftello ftello64 setlinebuf __fpurge
<files <console >files >errno w1 | fgetpos fgetpos64 setbuf setbuffer setvbuf
<files <console >files >errno r1 | fsetpos fsetpos64
<files <console | feof ferror feof_unlocked ferror_unlocked fileno fileno_unlocked __fbufsize __flbf __fpending __freadable __freading __fwritable __fwriting __fsetlocking
>files | clearerr clearerr_unlocked flockfile funlockfile ftrylockfile
r0 <files >files >errno | open open64 creat creat64 __open __open64 __open_2 __open64_2 unlink remove rmdir mkdir mkfifo mknod chdir chmod chown lchown lchmod truncate truncate64 access eaccess euidaccess chroot acct shm_open shm_unlink mq_open swapon swapoff umount umount2 removexattr lremovexattr pathconf
r1 <files >files >errno | openat openat64 __openat_2 __openat64_2 unlinkat mkdirat mkfifoat mknodat fchmodat fchownat faccessat
r0 r1 <files >files >errno | rename link symlink utime utimes lutimes catopen
r1 r3 <files >files >errno | renameat renameat2 linkat
r0 r2 <files >files >errno | symlinkat
r1 r2 <files >files >errno | utimensat futimesat
r1 <files >files >errno | futimens futimes
<files >files >errno | close close_range closefrom lseek lseek64 dup dup2 dup3 fsync fdatasync sync syncfs ftruncate ftruncate64 fallocate fallocate64 posix_fallocate posix_fallocate64 posix_fadvise posix_fadvise64 readahead sync_file_range fchdir fchmod fchown flock lockf lockf64 isatty fpathconf dirfd umask eventfd epoll_create epoll_create1 inotify_init inotify_init1 inotify_rm_watch memfd_create socket listen shutdown timerfd_create fremovexattr tcdrain tcflow tcflush tcsendbreak tcgetpgrp tcsetpgrp tcgetsid sockatmark grantpt unlockpt posix_openpt getpt vhangup eventfd_write
w1 <files >files >errno | read __read pread pread64 __read_chk __pread_chk __pread64_chk recv __recv_chk eventfd_read getdents64 tcgetattr
r1 >files <files >errno | write __write pwrite pwrite64 send
R1 W1 <files >files >errno | readv preadv preadv64 writev pwritev pwritev64 recvmsg sendmsg recvmmsg sendmmsg
r0 w1 <files >errno | stat stat64 lstat lstat64 statfs statfs64 statvfs statvfs64 readlink __readlink_chk realpath __realpath_chk listxattr llistxattr
w1 <files >errno | fstat fstat64 fstatfs fstatfs64 fstatvfs fstatvfs64 flistxattr
r1 w2 <files >errno | fstatat fstatat64 newfstatat readlinkat __readlinkat_chk __xstat __xstat64 __lxstat __lxstat64 getxattr lgetxattr fgetxattr
w2 <files >errno | __fxstat __fxstat64
r2 w3 <files >errno | __fxstatat __fxstatat64
r1 w4 <files >errno | statx
r0 r1 r2 <files >files >errno | setxattr lsetxattr fsetxattr
=library r0 <files >files >errno | opendir
=library <files >files >errno | fdopendir readdir readdir64 rewinddir seekdir telldir closedir
w1 w2 <files >files >errno | readdir_r readdir64_r
w0 =0 <files >errno | getcwd __getcwd_chk getwd
=new <files >errno | get_current_dir_name
=new r0 <files >errno | canonicalize_file_name
r0 w0 =0 <files >files >errno | mktemp mkdtemp
r0 w0 <files >files >errno | mkstemp mkstemp64 mkstemps mkstemps64 mkostemp mkostemp64 mkostemps mkostemps64
=library w0 <files >library | tmpnam tmpnam_r
=new r0 r1 <files | tempnam
w0 >files >errno | pipe pipe2
w? r? <files >files >errno | select __select pselect poll __poll ppoll __poll_chk __ppoll_chk epoll_ctl epoll_wait ioctl fcntl fcntl64 __fcntl64 accept accept4 bind connect getsockname getpeername getsockopt setsockopt socketpair sendto recvfrom __recvfrom_chk sendfile sendfile64 splice tee vmsplice copy_file_range inotify_add_watch signalfd timerfd_gettime timerfd_settime tcsetattr openpty forkpty login_tty ttyname_r __ttyname_r_chk ptsname_r getnameinfo bindresvport res_init __res_init res_query res_search rcmd updwtmpx getpass
=library <files >library | ttyname ptsname getnetbyaddr getnetbyname getnetent getrpcbyname getrpcbynumber catgets
*3 r0 r1 r2 w3 <files >errno | getaddrinfo
*0 w0 <files | getifaddrs
w? r? <files | gethostbyaddr_r gethostbyname_r gethostbyname2_r
 | freeaddrinfo freeifaddrs catclose closelog openlog setlogmask setnetent endnetent
w0 <clock >clock | time gettimeofday clock settimeofday stime ftime times getitimer timespec_get adjtimex
w1 <clock | clock_gettime clock_getres clock_getcpuclockid
r1 >clock | clock_settime
r0 w1 >clock <clock | nanosleep adjtime
r2 w3 >clock <clock | clock_nanosleep
>clock <clock >signals | sleep usleep alarm ualarm
w? r? <clock >clock >signals <signals | setitimer timer_create timer_delete timer_getoverrun timer_gettime timer_settime
<random >random | arc4random arc4random_uniform
w0 <random >random | arc4random_buf getentropy getrandom
<process | getpid getppid getpgid getpgrp getsid getuid geteuid getgid getegid gettid __getpid __getpgid __getpagesize getpagesize getdtablesize get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages gethostid sysconf __sysconf getauxval sched_getcpu getpriority group_member sched_get_priority_max sched_get_priority_min sched_getscheduler
w? r? <process >process >errno | getgroups __getgroups_chk getresgid getresuid getrlimit getrlimit64 getrusage setrlimit setrlimit64 prlimit prlimit64 getloadavg sysinfo uname gethostname __gethostname_chk getdomainname __getdomainname_chk sethostname setdomainname setgroups initgroups sched_getaffinity sched_setaffinity sched_setscheduler setgid setuid setegid seteuid setregid setreuid setresgid setresuid setfsgid setfsuid setpgid setpgrp setsid setpriority nice personality prctl ptrace quotactl reboot mount pivot_root unshare setns init_module delete_module klogctl msgctl msgget msgrcv msgsnd semctl semget semop semtimedop shmctl shmget name_to_handle_at open_by_handle_at ftok
w1 <process | confstr __confstr_chk
w0 <process >process <files >files | wait wait3 waitpid __waitpid wait4 waitid fork vfork __fork _Fork
r0 <process >process <files >files | system
!exit R? <files >files | execl execle execlp execv execve execvp execvpe fexecve
R? W? f0(3) <process >process | clone
w0 R? <process >process <files >files | posix_spawn posix_spawnp
w? r? | posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setsigdefault posix_spawnattr_setsigmask
<process >process | daemon
!exit <files <console | exit _exit _Exit quick_exit abort __ripple_abort __chk_fail __stack_chk_fail pthread_exit thrd_exit
!exit r0 r1 r3 >files | __assert_fail __assert
k0 | atexit at_quick_exit on_exit __cxa_atexit __cxa_at_quick_exit
k1 >signals <signals | signal bsd_signal ssignal sysv_signal __sysv_signal
K1 r1 w2 >signals <signals | sigaction __sigaction
r0 w1 | sigaltstack
=signals w? r? >signals <signals | __ripple_signal_take
w? r? >signals <signals | sigpending siginterrupt __ripple_signal_send __ripple_signal_done __ripple_signal_mask __ripple_signal_wait __ripple_signal_accept __ripple_abort_caught
!set w0 | setjmp _setjmp sigsetjmp __sigsetjmp
!jump r0 | longjmp _longjmp siglongjmp __longjmp_chk
w0 r1 f2(3) | pthread_create
w0 f1(2) | thrd_create
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
";

/// Without the suffixes `f` and `l`, the prefix `__` and the suffix `_finite`.
pub const ARITHMETIC: &str = "
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2
expm1 fabs fdim finite floor fma fmax fmin fmod gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma
llrint llround log log10 log1p log2 logb lrint lround nearbyint nextafter nexttoward pow pow10
remainder rint round roundeven scalb scalbln scalbn signbit significand sin sinh sqrt tan tanh
tgamma trunc y0 y1 yn fpclassify issignaling isnormal llogb fmaxmag fminmag nextup nextdown
cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow cproj
creal csin csinh csqrt ctan ctanh divdc3 muldc3 divsc3 mulsc3 divxc3 mulxc3 powidf2 powisf2 powixf2
abs labs llabs
";
