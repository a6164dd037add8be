/* Which job has the processor: the first one of the highest level. */

#include "scheduler.h"

#include <stdio.h>

static struct job *find(struct scheduler *s, int id)
{
    return id >= 1 && id <= s->count ? &s->jobs[id - 1] : NULL;
}

static void make_ready(struct scheduler *s, struct job *job)
{
    job->state = READY;
    push_last(&s->ready, job);
}

/* Takes the job off the processor or out of the queue. */
static void withdraw(struct scheduler *s, struct job *job, enum state state)
{
    if (job->state == RUNNING)
        s->running = NULL;
    else if (job->state == READY)
        take_out(&s->ready, job);
    job->state = state;
}

int add_job(struct scheduler *s, int priority, int cost)
{
    struct job *job;
    if (s->count == MAX_JOBS)
        return 0;
    job = &s->jobs[s->count++];
    job->id = s->count;
    job->priority = priority;
    job->boost = 0;
    job->waited = 0;
    job->left = cost;
    make_ready(s, job);
    return job->id;
}

int set_priority(struct scheduler *s, int id, int priority)
{
    struct job *job = find(s, id);
    if (job == NULL || job->state == DONE || job->state == DROPPED)
        return 0;
    if (job->state == READY) {
        take_out(&s->ready, job);
        job->priority = priority;
        push_last(&s->ready, job);
    } else {
        job->priority = priority;
    }
    return 1;
}

int wait_job(struct scheduler *s, int id)
{
    struct job *job = find(s, id);
    if (job == NULL || (job->state != READY && job->state != RUNNING))
        return 0;
    withdraw(s, job, WAITING);
    return 1;
}

int wake_job(struct scheduler *s, int id)
{
    struct job *job = find(s, id);
    if (job == NULL || job->state != WAITING)
        return 0;
    make_ready(s, job);
    return 1;
}

int drop_job(struct scheduler *s, int id)
{
    struct job *job = find(s, id);
    if (job == NULL || job->state == DONE || job->state == DROPPED)
        return 0;
    withdraw(s, job, DROPPED);
    return 1;
}

/* A job of a higher level takes over; the other one keeps its turn. */
static void preempt(struct scheduler *s)
{
    struct job *job = s->running;
    struct job *rival = front(&s->ready);
    if (job == NULL || rival == NULL || level(rival) <= level(job))
        return;
    withdraw(s, job, READY);
    push_first(&s->ready, job);
}

static void dispatch(struct scheduler *s)
{
    struct job *job = front(&s->ready);
    if (job == NULL)
        return;
    withdraw(s, job, RUNNING);
    job->boost = 0;
    job->waited = 0;
    s->running = job;
    s->slice = 0;
}

static void grow_impatient(struct scheduler *s)
{
    for (int i = 0; i < s->count; i++) {
        struct job *job = &s->jobs[i];
        if (job->state != READY || ++job->waited < PATIENCE)
            continue;
        job->waited = 0;
        if (level(job) < TOP) {
            take_out(&s->ready, job);
            job->boost++;
            push_last(&s->ready, job);
        }
    }
}

static void work(struct scheduler *s, struct job *job)
{
    job->left--;
    s->slice++;
    if (job->left == 0) {
        withdraw(s, job, DONE);
        printf("%d: job %d done\n", s->now, job->id);
    } else if (s->slice == QUANTUM) {
        withdraw(s, job, READY);
        push_last(&s->ready, job);
    }
}

static void tick(struct scheduler *s)
{
    preempt(s);
    if (s->running == NULL)
        dispatch(s);
    s->now++;
    grow_impatient(s);
    if (s->running != NULL)
        work(s, s->running);
}

void run(struct scheduler *s, int ticks)
{
    for (int i = 0; i < ticks; i++)
        tick(s);
}

void show(const struct scheduler *s)
{
    static const char *const names[] = {"ready", "running", "waiting", "done", "dropped"};
    printf("%d:", s->now);
    for (int i = 0; i < s->count; i++) {
        const struct job *job = &s->jobs[i];
        if (job->state != DONE && job->state != DROPPED)
            printf(" %d %s %d;", job->id, names[job->state], job->left);
    }
    printf("\n");
}
