// Obstacks and string lists of the GNU library.
#define _GNU_SOURCE
#include <obstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

int main(void) {
    struct obstack o;
    obstack_init(&o);
    char *first = obstack_copy0(&o, "first", 5);
    for (int i = 0; i < 300; i++) obstack_printf(&o, "%d,", i);
    obstack_1grow(&o, 0);
    printf("%s %d\n", first, (int)obstack_object_size(&o));
    char *list = obstack_finish(&o);
    printf("%.20s %zu\n", list, strlen(list));
    int *numbers = obstack_alloc(&o, 10 * sizeof *numbers);
    for (int i = 0; i < 10; i++) numbers[i] = i * i;
    printf("%d\n", numbers[9]);
    obstack_grow(&o, "ab", 2), obstack_grow0(&o, "cd", 2);
    printf("%s\n", (char *)obstack_finish(&o));
    obstack_free(&o, first);
    obstack_free(&o, NULL);
    return 0;
}
