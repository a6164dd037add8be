// Cooperative tasks as state machines, an event queue, timers, and a round-robin scheduler with priorities.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct task;
typedef int (*step)(struct task *);
struct task { char name[8]; step run; int state, counter, priority, wake; struct task *next; void *data; };
static struct task *queues[3];
static int now;

#define BEGIN switch (t->state) { case 0:
#define YIELD(n) do { t->state = __LINE__; t->wake = now + (n); return 1; case __LINE__:; } while (0)
#define END } return 0

static int blink(struct task *t) {
    BEGIN
    for (t->counter = 0; t->counter < 4; t->counter++) {
        printf("%d:%s on\n", now, t->name);
        YIELD(2);
        printf("%d:%s off\n", now, t->name);
        YIELD(3);
    }
    END;
}
static int produce(struct task *t) {
    char *text = t->data;
    BEGIN
    while (t->counter < 5) {
        text[t->counter] = (char)('a' + t->counter), t->counter++;
        YIELD(1);
    }
    END;
}
static int consume(struct task *t) {
    char *text = t->data;
    BEGIN
    for (;;) {
        while (!text[t->counter]) YIELD(1);
        printf("%d:%s got %c\n", now, t->name, text[t->counter++]);
        if (t->counter == 5) break;
    }
    END;
}
static void enqueue(struct task *t) {
    struct task **p = &queues[t->priority];
    while (*p) p = &(*p)->next;
    t->next = NULL, *p = t;
}
static void spawn(const char *name, step run, int priority, void *data) {
    struct task *t = calloc(1, sizeof *t);
    strncpy(t->name, name, sizeof t->name - 1);
    t->run = run, t->priority = priority, t->data = data;
    enqueue(t);
}
static struct task *pick(void) {
    for (int q = 0; q < 3; q++)
        for (struct task **p = &queues[q]; *p; p = &(*p)->next)
            if ((*p)->wake <= now) {
                struct task *t = *p;
                *p = t->next;
                return t;
            }
    return NULL;
}

int main(void) {
    char shared[8] = {0};
    spawn("led", blink, 1, NULL), spawn("eat", consume, 0, shared), spawn("cook", produce, 2, shared), spawn("lamp", blink, 2, NULL);
    int alive = 4, switches = 0;
    while (alive && now < 100) {
        struct task *t = pick();
        if (!t) { now++; continue; }
        switches++;
        if (t->run(t)) enqueue(t);
        else printf("%d:%s done\n", now, t->name), alive--, free(t);
    }
    printf("%d %d\n", now, switches);
    return 0;
}
