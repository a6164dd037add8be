/* Doubly linked lists of <search.h>: the links are the first two words. */

struct link {
    struct link *next;
    struct link *previous;
};

void insque(void *element, void *predecessor) {
    struct link *link = element, *before = predecessor;
    if (before == NULL) {
        link->next = link->previous = NULL;
        return;
    }
    link->next = before->next;
    link->previous = before;
    if (before->next != NULL)
        before->next->previous = link;
    before->next = link;
}

void remque(void *element) {
    struct link *link = element;
    if (link->next != NULL)
        link->next->previous = link->previous;
    if (link->previous != NULL)
        link->previous->next = link->next;
}
