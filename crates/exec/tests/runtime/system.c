/* Network addresses, obstacks, device numbers, users: against the native
 * library where it knows the same. */
#include "compare.h"
#include <arpa/inet.h>
#include <grp.h>
#include <netdb.h>
#include <obstack.h>
#include <pwd.h>
#include <sched.h>
#include <sys/sysmacros.h>

RUNTIME(inet_pton);
RUNTIME(inet_ntop);
RUNTIME(inet_aton);
RUNTIME(inet_addr);
RUNTIME(inet_ntoa);
extern uint32_t rt_htonl(uint32_t);
extern uint16_t rt_htons(uint16_t);
RUNTIME(gai_strerror);
RUNTIME(hstrerror);
RUNTIME(gnu_dev_major);
RUNTIME(gnu_dev_minor);
RUNTIME(gnu_dev_makedev);
extern int rt___sched_cpucount(size_t, const cpu_set_t *);
RUNTIME(getpwnam);
RUNTIME(getpwuid);
RUNTIME(getpwnam_r);
RUNTIME(getpwent);
RUNTIME(getgrgid);
RUNTIME(getgrnam_r);
extern int rt__obstack_begin(struct obstack *, int, int, void *(*)(long), void (*)(void *));
extern void rt__obstack_newchunk(struct obstack *, int);
extern void rt_obstack_free(struct obstack *, void *);
extern int rt__obstack_memory_used(struct obstack *);
extern int rt_obstack_printf(struct obstack *, const char *, ...);

static void check_addresses(void) {
    char text[40], a[50], b[50];
    unsigned char x[16] = {0}, y[16] = {0};
    any_of(text, below(2) ? "0129.." : "01f:ff:.x", 18);
    if (below(3) == 0)
        sprintf(text, "%u.%u.%u.%u%s", below(300), below(300), below(20), below(300), below(9) ? "" : "x");
    if (below(4) == 0)
        sprintf(text, "%x:%x::%x%s", below(0x11000), below(300), below(99), below(2) ? ":1.2.3.4" : "");
    int family = below(2) ? AF_INET : AF_INET6;
    CHECK(rt_inet_pton(family, text, x) == inet_pton(family, text, y) && memcmp(x, y, 16) == 0, "%d %s", family, text);
    for (int i = 0; i < 16; i++)
        x[i] = below(3) ? 0 : (unsigned char)below(256);
    if (below(4) == 0)
        memset(x, 0, 10), x[10] = x[11] = below(2) ? 0xff : 0;
    unsigned size = below(4) ? 50 : below(50);
    const char *mine = rt_inet_ntop(family, x, a, size), *native = inet_ntop(family, x, b, size);
    CHECK((mine == NULL) == (native == NULL) && (mine == NULL || strcmp(a, b) == 0), "%s %s", a, b);
    struct in_addr p = {0}, q = {0};
    any_of(text, "0127xf. ", 12);
    CHECK(rt_inet_aton(text, &p) == inet_aton(text, &q) && p.s_addr == q.s_addr, "'%s' %d %x %x", text, inet_aton(text, &q), p.s_addr, q.s_addr);
    CHECK(rt_inet_addr(text) == inet_addr(text), "%s", text);
    memcpy(&p, x, 4);
    strcpy(a, rt_inet_ntoa(p));
    CHECK(strcmp(a, inet_ntoa(p)) == 0, "%s", a);
    uint32_t n = below(UINT_MAX);
    CHECK(rt_htonl(n) == htonl(n) && rt_htons((uint16_t)n) == htons((uint16_t)n), "%x", n);
    dev_t device = (dev_t)n << below(30) | below(UINT_MAX);
    CHECK(rt_gnu_dev_major(device) == gnu_dev_major(device) && rt_gnu_dev_minor(device) == gnu_dev_minor(device), "%lx", device);
    CHECK(rt_gnu_dev_makedev(n, n / 3) == gnu_dev_makedev(n, n / 3), "%x", n);
    CHECK(rt___sched_cpucount(16, (cpu_set_t *)x) == __sched_cpucount(16, (cpu_set_t *)x), "processors");
}

static void check_users(void) {
    char buffer[100];
    struct passwd entry, *found = rt_getpwnam("root");
    CHECK(found->pw_uid == 0 && strcmp(found->pw_dir, "/root") == 0 && strcmp(found->pw_shell, "/bin/sh") == 0, "root");
    CHECK(rt_getpwuid(0) == found && rt_getpwuid(1) == NULL && rt_getpwnam("nobody") == NULL, "root");
    CHECK(rt_getpwnam_r("root", &entry, buffer, 5, &found) == ERANGE && found == NULL, "small");
    CHECK(rt_getpwnam_r("x", &entry, buffer, 100, &found) == 0 && found == NULL, "nobody");
    CHECK(rt_getpwnam_r("root", &entry, buffer, 100, &found) == 0 && found == &entry && strcmp(entry.pw_gecos, "root") == 0, "root");
    CHECK(rt_getpwent() != NULL && rt_getpwent() == NULL, "one user");
    struct group group, *result = rt_getgrgid(0);
    CHECK(strcmp(result->gr_name, "root") == 0 && result->gr_mem[0] == NULL, "root");
    CHECK(rt_getgrnam_r("root", &group, buffer + 1, 99, &result) == 0 && result == &group && group.gr_mem[0] == NULL, "root");
}

static void check_obstacks(void) {
    struct obstack mine, native;
    rt__obstack_begin(&mine, 128, 0, (void *(*)(long))malloc, free);
    _obstack_begin(&native, 128, 0, (void *(*)(long))malloc, free);
    CHECK(mine.alignment_mask == native.alignment_mask && mine.chunk_size == native.chunk_size, "start");
    char *mine_objects[200], *native_objects[200];
    int count = 0;
    for (int i = 0; i < 3000; i++) {
        unsigned length = below(60);
        if (below(10) == 0 && count > 0) {
            count = (int)below((unsigned)count);
            rt_obstack_free(&mine, mine_objects[count]);
            (obstack_free)(&native, native_objects[count]);
        } else {
            for (unsigned j = 0; j < length; j++) {
                if (mine.next_free == mine.chunk_limit)
                    rt__obstack_newchunk(&mine, 1);
                *mine.next_free++ = (char)j;
                obstack_1grow(&native, (char)j);
            }
            if (below(3) && count < 200) {
                mine_objects[count] = obstack_finish(&mine);
                native_objects[count++] = obstack_finish(&native);
            }
        }
        CHECK(obstack_object_size(&mine) == obstack_object_size(&native), "step %d", i);
        CHECK(rt__obstack_memory_used(&mine) == obstack_memory_used(&native), "step %d", i);
    }
    CHECK(rt_obstack_printf(&mine, "%d %s", 12, "words") == 8, "printed");
    CHECK(memcmp(mine.next_free - 8, "12 words", 8) == 0, "printed");
    rt_obstack_free(&mine, NULL);
    (obstack_free)(&native, NULL);
}

int main(void) {
    for (int round = 0; round < 50000; round++)
        check_addresses();
    for (int i = -120; i < 20; i++) {
        CHECK(strcmp(rt_gai_strerror(i), gai_strerror(i)) == 0, "%d", i);
        CHECK(strcmp(rt_hstrerror(i), hstrerror(i)) == 0, "%d", i);
    }
    check_users();
    check_obstacks();
    DONE();
}
