/* Walks through the rooms of a maze that standard input describes, and counts what is there.
 *
 * The first byte says how doors are to be read, and each further byte is a room: its low
 * four bits are the door that leads on, its high four bits what is in the room. The walk
 * begins in room 0 and ends at a door that leads behind the last room. If the first byte
 * is odd, doors are closed in a ring, and a walk never ends. */

#include <stdio.h>
#include <string.h>

enum { MAX_ROOMS = 16 };

struct maze {
    int rooms, is_ring;
    unsigned char doors[MAX_ROOMS], things[MAX_ROOMS];
};

struct walk {
    unsigned long steps, weight, sign;
    unsigned long seen[16];
};

static int read_maze(struct maze *maze)
{
    int first = getchar(), c;

    memset(maze, 0, sizeof *maze);
    if (first == EOF)
        return 0;
    maze->is_ring = first & 1;
    while (maze->rooms < MAX_ROOMS && (c = getchar()) != EOF) {
        maze->doors[maze->rooms] = (unsigned char)(c & 15);
        maze->things[maze->rooms] = (unsigned char)(c >> 4 & 15);
        maze->rooms++;
    }
    return 1;
}

/* The room behind a door: always a later one, unless doors are closed in a ring. */
static int next_room(const struct maze *maze, int room)
{
    int next = room + 1 + maze->doors[room] % 3;
    if (maze->is_ring)
        return next % maze->rooms;
    return next;
}

static void look_around(struct walk *walk, int thing)
{
    walk->steps++;
    walk->seen[thing]++;
    switch (thing) {
    case 0: break;
    case 1: walk->weight += 2; break;
    case 2: walk->weight += 5; break;
    case 3: walk->weight *= 2; break;
    case 4: walk->weight /= 2; break;
    case 5: walk->weight = walk->weight > 3 ? walk->weight - 3 : 0; break;
    case 6: walk->weight ^= walk->steps; break;
    case 7: walk->weight += walk->seen[1]; break;
    default: walk->weight += (unsigned long)thing * walk->steps; break;
    }
}

static unsigned long signature(unsigned long sign, int thing)
{
    return sign * 33 + (unsigned long)thing;
}

static void walk_through(const struct maze *maze, struct walk *walk)
{
    int room = 0;

    while (room < maze->rooms) {
        look_around(walk, maze->things[room]);
        walk->sign = signature(walk->sign, maze->things[room]);
        room = next_room(maze, room);
    }
}

static void print_walk(const struct maze *maze, const struct walk *walk)
{
    printf("%d rooms, %lu steps, weight %lu\n", maze->rooms, walk->steps, walk->weight);
    for (int thing = 0; thing < 16; thing++)
        if (walk->seen[thing] > 1)
            printf("thing %d: %lu times\n", thing, walk->seen[thing]);
    printf("signature %lx\n", walk->sign & 0xffffff);
}

int main(void)
{
    struct maze maze;
    struct walk walk = {0};

    if (!read_maze(&maze)) {
        puts("no maze");
        return 1;
    }
    walk_through(&maze, &walk);
    print_walk(&maze, &walk);
    return 0;
}
