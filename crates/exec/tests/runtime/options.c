/* getopt and its long forms: results, variables, order of the arguments and
 * messages, against the native functions. */
#include "compare.h"
#include <getopt.h>

RUNTIME(getopt);
RUNTIME(getopt_long);
RUNTIME(getopt_long_only);
RUNTIME(getsubopt);
extern char *rt_optarg, **rt_environ;
extern int rt_optind, rt_opterr, rt_optopt;

static int mine_flag, native_flag;

static struct option mine_table[] = {
    {"verbose", 0, NULL, 'v'}, {"version", 0, NULL, 'V'}, {"out", 1, NULL, 'o'},
    {"output", 1, NULL, 'o'},  {"opt", 2, NULL, 300},     {"flag", 0, &mine_flag, 7},
    {"a", 0, NULL, 301},       {"color", 2, NULL, 'c'},   {"colour", 2, NULL, 'c'},
    {"very", 1, NULL, 302},    {NULL, 0, NULL, 0}};
static struct option native_table[sizeof mine_table / sizeof *mine_table];

static char *words[] = {"-a", "-b", "-abc", "-o", "-ofile", "x", "y", "--", "-", "--verbose", "--ver", "--v",
                        "--vers", "--out", "--out=1", "--outp", "--o", "--opt", "--opt=2", "--flag", "--fl=3",
                        "--nothing", "--nothing=x", "-W", "-Wout=3", "-W", "verbose", "--col", "--colo=red", "-verb",
                        "-out", "-q", "-:", "-;", "-c", "-cx", "--a", "-bq", "", "--=", "--very", "-flag", "-ab"};
static const char *optstrings[] = {"abo:c::", "+abo:c::", "-abo:c::", ":abo:c::", "+:abo:", "-:abo:c::",
                                   "abo:c::W;", ":aW;bo:", "", "vVo:", "W;"};

static int same(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static void check_round(void) {
    char *mine[12] = {"prog"}, *native[12], mine_text[4000], native_text[4000];
    int argc = 1 + (int)below(8);
    for (int i = 1; i < argc; i++)
        mine[i] = words[below(sizeof words / sizeof *words)];
    mine[argc] = NULL;
    memcpy(native, mine, sizeof mine);
    const char *options = optstrings[below(11)];
    rt_optind = optind = 0;
    rt_opterr = opterr = below(6) != 0;
    unsigned kind = below(3);
    char all[500] = "";
    for (int i = 0; i < argc; i++)
        strcat(strcat(all, " "), mine[i]);
    for (int step = 0; step < 40; step++) {
        int mine_index = -7, native_index = -7;
        begin_catch();
        int a = kind == 0   ? rt_getopt(argc, mine, options)
                : kind == 1 ? rt_getopt_long(argc, mine, options, mine_table, &mine_index)
                            : rt_getopt_long_only(argc, mine, options, mine_table, &mine_index);
        end_catch(mine_text, sizeof mine_text);
        begin_catch();
        int b = kind == 0   ? getopt(argc, native, options)
                : kind == 1 ? getopt_long(argc, native, options, native_table, &native_index)
                            : getopt_long_only(argc, native, options, native_table, &native_index);
        end_catch(native_text, sizeof native_text);
        CHECK(a == b, "%u '%s'%s: %d %d", kind, options, all, a, b);
        CHECK(rt_optind == optind && rt_optopt == optopt && same(rt_optarg, optarg), "%u '%s'%s: %d %d, %d %d, %s %s", kind, options, all,
              rt_optind, optind, rt_optopt, optopt, rt_optarg, optarg);
        CHECK(same(mine_text, native_text), "%u '%s'%s: %s %s", kind, options, all, mine_text, native_text);
        CHECK(memcmp(mine, native, sizeof mine) == 0, "%u '%s'%s", kind, options, all);
        CHECK(mine_index == native_index && mine_flag == native_flag, "%u '%s'%s", kind, options, all);
        if (a == -1 || failures)
            break;
    }
}

static void check_suboptions(void) {
    static char *const names[] = {"ro", "rw", "size", "r", NULL};
    char a[40], b[40], text[40];
    strcpy(a, any_of(text, "rows,=ize,", 12));
    strcpy(b, a);
    char *mine = a, *native = b, *mine_value = "q", *native_value = "q";
    while (*native != 0) {
        int i = rt_getsubopt(&mine, names, &mine_value), j = getsubopt(&native, names, &native_value);
        CHECK(i == j && mine - a == native - b && same(mine_value, native_value), "%s", text);
        if (failures)
            break;
    }
}

int main(void) {
    memcpy(native_table, mine_table, sizeof mine_table);
    native_table[5].flag = &native_flag;
    rt_environ = environ;
    CHECK(rt_optind == 1 && rt_opterr == 1 && rt_optopt == '?', "first values");
    for (int round = 0; round < 4000; round++) {
        if (round == 3000)
            setenv("POSIXLY_CORRECT", "1", 1), rt_environ = environ;
        check_round();
        check_suboptions();
    }
    DONE();
}
