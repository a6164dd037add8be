#ifndef SCHEDULER_H
#define SCHEDULER_H

enum {
    MAX_JOBS = 8,
    TOP = 9,      /* highest level */
    QUANTUM = 3,  /* ticks after which a job goes to the end of its level */
    PATIENCE = 4  /* ticks after which a ready job rises by a level */
};

enum state { READY, RUNNING, WAITING, DONE, DROPPED };

struct job {
    int id;
    int priority;
    int boost;   /* levels it has risen by since it last ran */
    int waited;  /* ticks since it last rose or ran */
    int left;    /* ticks of work */
    int wake_at; /* when it wakes by itself, or 0 */
    enum state state;
    struct job *next;
};

struct queue {
    struct job *first; /* higher levels before lower ones */
};

struct scheduler {
    struct job jobs[MAX_JOBS];
    int count;
    struct queue ready;
    struct job *running;
    int slice; /* ticks the running job has had in a row */
    int now;
};

int level(const struct job *job);
void push_first(struct queue *queue, struct job *job); /* in front of its level */
void push_last(struct queue *queue, struct job *job);  /* at the end of its level */
void take_out(struct queue *queue, const struct job *job);
struct job *front(const struct queue *queue); /* null if there is none */

int add_job(struct scheduler *s, int priority, int cost); /* 0 if there is no room */
int set_priority(struct scheduler *s, int id, int priority);
int wait_job(struct scheduler *s, int id, int ticks); /* 0: until it is woken */
int wake_job(struct scheduler *s, int id);
int drop_job(struct scheduler *s, int id);
void run(struct scheduler *s, int ticks);
void show(const struct scheduler *s);

#endif
