/* What the members of the C runtime share: types, limits, error numbers and
 * the prototypes of functions that members call. It is put in front of each
 * member, so it includes nothing: neither the size of the IR nor the names of
 * functions then depend on the headers of the machine that compiles it. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef unsigned int wint_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long time_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef struct _IO_FILE FILE;

typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)

#define NULL ((void *)0)
#define offsetof(type, field) __builtin_offsetof(type, field)
#define CHAR_BIT 8
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define SIZE_MAX ULONG_MAX
#define INT64_MAX LONG_MAX
#define PTRDIFF_MAX LONG_MAX
#define WEOF 0xffffffffu
#define EOF (-1)

#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define E2BIG 7
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EINVAL 22
#define ENXIO 6
#define ENOSPC 28
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38
#define EILSEQ 84
#define EOVERFLOW 75
#define EAFNOSUPPORT 97

/* Two data symbols of one object. The target is named as a token, not as a
 * string, so that a macro that renames it is obeyed. */
#define RUNTIME_TEXT_(name) #name
#define RUNTIME_TEXT(name) RUNTIME_TEXT_(name)
#define ALIAS_OF(name) __attribute__((alias(RUNTIME_TEXT(name))))
#define NORETURN __attribute__((noreturn))

int *__errno_location(void);
#define errno (*__errno_location())

void __chk_fail(void) NORETURN;
void exit(int status) NORETURN;
void abort(void) NORETURN;
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int fflush(FILE *stream);
int fgetc(FILE *stream);
int ungetc(int byte, FILE *stream);
size_t fwrite(const void *from, size_t size, size_t count, FILE *stream);
int fputs(const char *text, FILE *stream);
int fputc(int byte, FILE *stream);
int fprintf(FILE *stream, const char *format, ...);
int vfprintf(FILE *stream, const char *format, va_list arguments);
int snprintf(char *to, size_t size, const char *format, ...);

int memcmp(const void *left, const void *right, size_t count);
void *memchr(const void *bytes, int byte, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t limit);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t limit);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
char *strchrnul(const char *text, int byte);
char *strstr(const char *text, const char *word);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strdup(const char *text);
char *strerror(int number);
char *getenv(const char *name);
int isspace(int c);
int isdigit(int c);
int isalpha(int c);
int isalnum(int c);
int tolower(int c);
int toupper(int c);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
long double strtold(const char *text, char **end);

/* What the machine knows of an argument, or of what is next in a stream, that
 * was declared as an integer: how long its text is, and its value. 0 if it is
 * no such thing; else what was in the stream is consumed. */
long __ripple_integer(const char *text, long *value);
long __ripple_integer_in(FILE *stream, long *value);

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

time_t mktime(struct tm *parts);
time_t timegm(struct tm *parts);
struct tm *gmtime_r(const time_t *time, struct tm *parts);
struct tm *localtime_r(const time_t *time, struct tm *parts);
time_t time(time_t *result);

/* The state of a multibyte conversion; never used in the C locale. */
typedef struct {
    int count;
    unsigned value;
} mbstate_t;

size_t wcslen(const wchar_t *text);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
size_t mbrtowc(wchar_t *to, const char *from, size_t limit, mbstate_t *state);
size_t wcrtomb(char *to, wchar_t c, mbstate_t *state);
wint_t towlower(wint_t c);

/* POSIX regular expressions: what regcomp gives to regexec. */
typedef struct {
    struct regex *regex;
    unsigned long allocated;
    unsigned long used;
    unsigned long syntax;
    char *fastmap;
    unsigned char *translate;
    size_t re_nsub;
    unsigned can_be_null : 2;
    unsigned regs_allocated : 2;
    unsigned fastmap_accurate : 1;
    unsigned no_sub : 1;
    unsigned not_bol : 1;
    unsigned not_eol : 1;
    unsigned newline_anchor : 1;
} regex_t;

typedef struct {
    int rm_so;
    int rm_eo;
} regmatch_t;

#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_STARTEND 4

#define REG_NOMATCH 1
#define REG_BADPAT 2
#define REG_ECOLLATE 3
#define REG_ECTYPE 4
#define REG_EESCAPE 5
#define REG_ESUBREG 6
#define REG_EBRACK 7
#define REG_EPAREN 8
#define REG_EBRACE 9
#define REG_BADBR 10
#define REG_ERANGE 11
#define REG_ESPACE 12
#define REG_BADRPT 13
#define REG_ESIZE 15
#define REG_ERPAREN 16

/* A node of the tree of a pattern. Children are indices; -1 is nothing. */
enum regex_kind {
    REGEX_CHARACTER, /* value: the byte */
    REGEX_SET,       /* value: the index of the set */
    REGEX_ASSERTION, /* value: enum regex_assertion */
    REGEX_REFERENCE, /* value: the group */
    REGEX_CONCATENATION,
    REGEX_ALTERNATION,
    REGEX_GROUP, /* value: the group; left: its content */
    REGEX_STAR   /* left: what is repeated */
};

enum regex_assertion {
    REGEX_LINE_BEGIN,
    REGEX_LINE_END,
    REGEX_BUFFER_BEGIN,
    REGEX_BUFFER_END,
    REGEX_WORD_BEGIN,
    REGEX_WORD_END,
    REGEX_WORD_EDGE,
    REGEX_WORD_INSIDE
};

struct regex_node {
    enum regex_kind kind;
    int value;
    int left;
    int right;
    int is_optional; /* A group that may be repeated zero times. */
};

struct regex_set {
    uint64_t bits[4];
};

/* An instruction of the program that is run. */
enum regex_code {
    REGEX_READ_CHARACTER,
    REGEX_READ_SET,
    REGEX_ASSERT,
    REGEX_READ_GROUP,
    REGEX_SPLIT, /* a is preferred to b */
    REGEX_LOOP,  /* a: the body, b: the way out */
    REGEX_JUMP,
    REGEX_OPEN,
    REGEX_CLOSE, /* b: whether the group is optional */
    REGEX_MATCH
};

struct regex_instruction {
    enum regex_code code;
    int a;
    int b;
    int loop; /* Which of the loops it is. */
};

/* A pattern while it is read, and the program that it becomes. */
struct regex {
    struct regex_node *nodes;
    int node_count;
    int node_room;
    struct regex_set *sets;
    int set_count;
    int set_room;
    struct regex_instruction *program;
    int length;
    int room;
    int groups;
    int loops;
    int flags;
    int has_references;
    int can_be_empty;
    struct regex_set first; /* With which bytes a match can begin. */
};

/* A text that a program is run on. */
struct regex_matcher {
    const struct regex *regex;
    const unsigned char *text;
    long length;
    int flags;
};

int __ripple_regex_byte(const struct regex_matcher *matcher, long position);
int __ripple_regex_holds(const struct regex_matcher *matcher, int assertion, long position);
int __ripple_regex_reads(const struct regex_matcher *matcher, const struct regex_instruction *at,
                         long position);
void __ripple_regex_open(regmatch_t *groups, int group, long position);
void __ripple_regex_close(regmatch_t *groups, regmatch_t *settled, size_t count,
                          const struct regex_instruction *at, long position);
int __ripple_regex_backtrack(const struct regex_matcher *matcher, long start, regmatch_t *groups);

int __ripple_regex_parse(struct regex *regex, const char *pattern, size_t length, int *root);
int __ripple_regex_parse_set(struct regex *regex, const char **at, const char *end, int *node);
int __ripple_regex_add_node(struct regex *regex, enum regex_kind kind, int value, int left,
                            int right);
int __ripple_regex_add_set(struct regex *regex, const struct regex_set *set);

/* A call of scanf under way. */
struct scan {
    const char *text; /* What is read; if there is none, the stream is. */
    FILE *stream;
    const char *format;
    va_list arguments; /* The next pointer. */
    va_list first;     /* All pointers, for formats that number them. */
    int current;       /* The byte read last. */
    int has_ended;     /* After the end nothing more is read. */
    int error_at_end;  /* What errno was then; every later attempt goes back to it. */
    int skips_space;   /* White space was seen in the format. */
    int assigned;
    long read;       /* Bytes consumed. */
    char **unfilled; /* Where the present conversion would store a new block. */
};

/* A conversion specification of scanf. */
struct scan_spec {
    int is_suppressed;
    int allocates;
    int index; /* Of the pointer, from 1; 0 for the next one. */
    int width; /* Bytes left; -1 without a limit. */
    int size;  /* Of an integer; 8 also for l, 16 for L and its like. */
    int letter;
};

/* How a step of a scan ends. */
enum scan_step { SCAN_GOES_ON, SCAN_MISMATCH, SCAN_INPUT_ENDED };

int __ripple_scan(const char *text, FILE *stream, const char *format, va_list arguments);
int __ripple_scan_next(struct scan *scan);
void __ripple_scan_unget(struct scan *scan);
void *__ripple_scan_pointer(struct scan *scan, const struct scan_spec *spec);
enum scan_step __ripple_scan_integer(struct scan *scan, struct scan_spec *spec, int base);
enum scan_step __ripple_scan_float(struct scan *scan, struct scan_spec *spec);
enum scan_step __ripple_scan_atom(struct scan *scan, const struct scan_spec *spec, int *is_atom);
enum scan_step __ripple_scan_characters(struct scan *scan, struct scan_spec *spec, int is_wide);
enum scan_step __ripple_scan_string(struct scan *scan, struct scan_spec *spec, int is_wide);
enum scan_step __ripple_scan_set(struct scan *scan, struct scan_spec *spec);

/* Where formatted text goes. */
struct format_sink {
    char *to;
    size_t size;   /* Of the buffer, with the terminator. */
    size_t length; /* Of the text, also of what has no room. */
    int grows;     /* Whether the buffer is a block that may be replaced. */
};

int __ripple_format(struct format_sink *sink, const char *format, va_list arguments);
/* What the machine does itself: one conversion, and formats that number their
 * arguments or have conversions that do not exist. As snprintf. */
int __ripple_format_one(char *to, size_t size, const char *spec, ...);
int __ripple_format_list(char *to, size_t size, const char *format, va_list arguments);
