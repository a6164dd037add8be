/* The queue of ready jobs: by level, and within a level first come, first served. */

#include "scheduler.h"

#include <stddef.h>

int level(const struct job *job)
{
    int sum = job->priority + job->boost;
    return sum < TOP ? sum : TOP;
}

static void insert(struct job **link, struct job *job)
{
    job->next = *link;
    *link = job;
}

void push_first(struct queue *queue, struct job *job)
{
    struct job **link = &queue->first;
    while (*link != NULL && level(*link) > level(job))
        link = &(*link)->next;
    insert(link, job);
}

void push_last(struct queue *queue, struct job *job)
{
    struct job **link = &queue->first;
    while (*link != NULL && level(*link) >= level(job))
        link = &(*link)->next;
    insert(link, job);
}

void take_out(struct queue *queue, const struct job *job)
{
    struct job **link = &queue->first;
    while (*link != NULL && *link != job)
        link = &(*link)->next;
    if (*link != NULL)
        *link = job->next;
}

struct job *front(const struct queue *queue)
{
    return queue->first;
}
