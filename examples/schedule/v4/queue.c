/* The queue of ready jobs: by level, and within a level first come, first served. */

#include "scheduler.h"

#include <stddef.h>

int level(const struct job *job)
{
    int sum = job->priority + job->boost;
    return sum < TOP ? sum : TOP;
}

void push_first(struct queue *queue, struct job *job)
{
    int at = level(job);
    job->next = queue->first[at];
    queue->first[at] = job;
    if (queue->last[at] == NULL)
        queue->last[at] = job;
}

void push_last(struct queue *queue, struct job *job)
{
    int at = level(job);
    job->next = NULL;
    if (queue->last[at] == NULL)
        queue->first[at] = job;
    else
        queue->last[at]->next = job;
    queue->last[at] = job;
}

void take_out(struct queue *queue, const struct job *job)
{
    int at = level(job);
    struct job *before = NULL;
    for (struct job *other = queue->first[at]; other != job; other = other->next)
        before = other;
    if (before == NULL)
        queue->first[at] = job->next;
    else
        before->next = job->next;
    if (queue->last[at] == job)
        queue->last[at] = before;
}

struct job *front(const struct queue *queue)
{
    int at = TOP;
    while (at > 0 && queue->first[at] == NULL)
        at--;
    return queue->first[at];
}
