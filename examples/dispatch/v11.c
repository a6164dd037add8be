/* Dispatches jobs by commands on standard input, one a line.
 *
 *   a LIST COST   the jobs of the list wait, and each takes COST units of time
 *   w ID OTHER    job ID begins only when job OTHER does not wait
 *   r N           N units of time pass
 *   c LIST        the jobs of the list are cancelled
 *   s             shows all jobs
 *
 * A list has numbers and ranges with commas between them: 1,4-6. The job with the
 * least cost comes first and keeps the worker until it is done. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 12, MAX_COST = 500, MAX_RUN = 1000 };

enum state { UNKNOWN, WAITING, DONE, CANCELLED };

struct job {
    enum state state;
    int left;
    int after;
    long done_at;
};

static struct job jobs[MAX_JOBS + 1];
static int current;
static long now;

static int is_job(long id)
{
    return id >= 1 && id <= MAX_JOBS;
}

/* Adds the numbers of a list to a set; gives what is behind the list. */
static const char *parse_list(const char *p, unsigned *set)
{
    *set = 0;
    while (*p != ' ' && *p != '\0') {
        char *end;
        long low = strtol(p, &end, 10), high = low;
        p = end;
        if (*p == '-') {
            high = strtol(p + 1, &end, 10);
            p = end;
        }
        for (long id = low; id <= high && is_job(id); id++)
            *set |= 1u << id;
        if (*p == ',')
            p++;
    }
    return *p == ' ' ? p + 1 : p;
}

static int has(unsigned set, int id)
{
    return (int)(set >> id & 1u);
}

static void add(const char *p)
{
    unsigned set;
    long cost = strtol(parse_list(p, &set), NULL, 10);

    if (cost < 1 || cost > MAX_COST) {
        puts("bad cost");
        return;
    }
    for (int id = 1; id <= MAX_JOBS; id++) {
        struct job *job = &jobs[id];
        if (!has(set, id))
            continue;
        if (job->state == WAITING) {
            printf("job %d waits already\n", id);
            continue;
        }
        job->state = WAITING;
        job->left = (int)cost;
        job->after = 0;
    }
}

static void wait_for(const char *p)
{
    char *end;
    long id = strtol(p, &end, 10), other = strtol(end, NULL, 10);

    if (!is_job(id) || !is_job(other) || jobs[id].state != WAITING) {
        puts("bad order");
        return;
    }
    jobs[id].after = (int)other;
}

/* Whether nothing that a job waits for, directly or not, waits itself. */
static int is_ready(int id)
{
    int ready = 1;
    for (int other = jobs[id].after; other != 0; other = jobs[other].after)
        if (jobs[other].state == WAITING)
            ready = 0;
    return ready;
}

static int next_job(void)
{
    int best = 0;
    for (int id = 1; id <= MAX_JOBS; id++) {
        if (jobs[id].state != WAITING || !is_ready(id))
            continue;
        if (best == 0 || jobs[id].left < jobs[best].left)
            best = id;
    }
    return best;
}

static void run(const char *p)
{
    long units = strtol(p, NULL, 10);

    if (units < 0 || units > MAX_RUN) {
        puts("bad time");
        return;
    }
    while (units-- > 0) {
        if (current == 0)
            current = next_job();
        now++;
        if (current == 0)
            continue;
        struct job *job = &jobs[current];
        if (--job->left > 0)
            continue;
        job->state = DONE;
        job->done_at = now;
        printf("%ld: job %d is done\n", now, current);
        current = 0;
    }
}

static void cancel(const char *p)
{
    unsigned set;

    parse_list(p, &set);
    for (int id = 1; id <= MAX_JOBS; id++) {
        if (!has(set, id) || jobs[id].state != WAITING)
            continue;
        jobs[id].state = CANCELLED;
        if (current == id)
            current = 0;
    }
}

static void show(void)
{
    for (int id = 1; id <= MAX_JOBS; id++) {
        const struct job *job = &jobs[id];
        switch (job->state) {
        case WAITING:
            printf("job %d: %d left%s\n", id, job->left, id == current ? ", running" : "");
            break;
        case DONE: printf("job %d: done at %ld\n", id, job->done_at); break;
        case CANCELLED: printf("job %d: cancelled\n", id); break;
        case UNKNOWN: break;
        }
    }
}

int main(void)
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        const char *rest = line[0] != '\0' && line[1] == ' ' ? line + 2 : "";
        switch (line[0]) {
        case 'a': add(rest); break;
        case 'w': wait_for(rest); break;
        case 'r': run(rest); break;
        case 'c': cancel(rest); break;
        case 's': show(); break;
        case '\0': break;
        default: puts("unknown command"); break;
        }
    }
    return 0;
}
