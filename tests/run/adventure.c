// A text adventure: a state machine over rooms and items, driven by commands.
// stdin: look
// stdin: go north
// stdin: take lamp
// stdin: go down
// stdin: go north
// stdin: inventory
// stdin: take key
// stdin: dance
// stdin: go west
// stdin: go up
// stdin: go south
// stdin: use key
// stdin: go east
// stdin: take treasure
// stdin: score
// stdin: drop lamp
// stdin: look
// stdin: quit
#include <stdio.h>
#include <string.h>

enum { NORTH, SOUTH, EAST, WEST, UP, DOWN, DIRECTIONS };
static const char *const directions[] = {"north", "south", "east", "west", "up", "down"};
enum { HALL, TOWER, CELLAR, VAULT, GARDEN, ROOMS, CARRIED = -1, GONE = -2 };

struct room { const char *name, *text; int exits[DIRECTIONS]; unsigned dark : 1, locked : 1; };
static struct room rooms[ROOMS] = {
    [HALL] = {"Hall", "A draughty hall.", {TOWER, GARDEN, VAULT, -1, -1, -1}, 0, 0},
    [TOWER] = {"Tower", "A round tower.", {-1, HALL, -1, -1, -1, CELLAR}, 0, 0},
    [CELLAR] = {"Cellar", "Wine barrels.", {-1, -1, -1, GARDEN, TOWER, -1}, 1, 0},
    [VAULT] = {"Vault", "Shining walls.", {-1, -1, -1, HALL, -1, -1}, 0, 1},
    [GARDEN] = {"Garden", "Roses.", {HALL, -1, CELLAR, -1, -1, -1}, 0, 0},
};
struct item { const char *name; int where, points; };
static struct item items[] = {{"lamp", TOWER, 5}, {"key", CELLAR, 10}, {"treasure", VAULT, 50}, {"rose", GARDEN, 1}};
#define ITEMS (int)(sizeof items / sizeof *items)

static int here = HALL, moves;

static struct item *find(const char *name) {
    for (int i = 0; i < ITEMS; i++)
        if (!strcmp(items[i].name, name)) return &items[i];
    return NULL;
}
static int carried(const char *name) {
    struct item *i = find(name);
    return i && i->where == CARRIED;
}
static int can_see(void) { return !rooms[here].dark || carried("lamp"); }

static void look(void) {
    if (!can_see()) { printf("It is pitch dark.\n"); return; }
    printf("%s: %s", rooms[here].name, rooms[here].text);
    for (int i = 0; i < ITEMS; i++)
        if (items[i].where == here) printf(" There is a %s.", items[i].name);
    printf(" Exits:");
    for (int d = 0; d < DIRECTIONS; d++)
        if (rooms[here].exits[d] >= 0) printf(" %s", directions[d]);
    printf("\n");
}

static void go(const char *where) {
    for (int d = 0; d < DIRECTIONS; d++) {
        if (strcmp(directions[d], where)) continue;
        int to = rooms[here].exits[d];
        if (to < 0) printf("No way.\n");
        else if (rooms[to].locked) printf("The %s is locked.\n", rooms[to].name);
        else here = to, look();
        return;
    }
    printf("Where?\n");
}

static void take(const char *name) {
    struct item *i = find(name);
    if (!i || i->where != here || !can_see()) printf("No %s here.\n", name);
    else i->where = CARRIED, printf("Taken.\n");
}
static void drop(const char *name) {
    if (!carried(name)) printf("You have no %s.\n", name);
    else find(name)->where = here, printf("Dropped.\n");
}
static void use(const char *name) {
    if (!carried(name)) printf("You have no %s.\n", name);
    else if (!strcmp(name, "key") && here == HALL) rooms[VAULT].locked = 0, printf("Click.\n");
    else printf("Nothing happens.\n");
}
static void inventory(const char *unused) {
    (void)unused;
    for (int i = 0; i < ITEMS; i++)
        if (items[i].where == CARRIED) printf("%s ", items[i].name);
    printf("\n");
}
static void score(const char *unused) {
    (void)unused;
    int total = -moves;
    for (int i = 0; i < ITEMS; i++) total += items[i].where == CARRIED ? items[i].points : 0;
    printf("score %d\n", total);
}
static void look_command(const char *unused) { (void)unused, look(); }

static const struct { const char *verb; void (*run)(const char *); } commands[] = {
    {"look", look_command}, {"go", go}, {"take", take}, {"drop", drop}, {"use", use}, {"inventory", inventory}, {"score", score}};

int main(void) {
    char line[80], verb[20], noun[20];
    while (fgets(line, sizeof line, stdin)) {
        noun[0] = 0;
        if (sscanf(line, "%19s %19s", verb, noun) < 1) continue;
        printf("> %s %s\n", verb, noun);
        moves++;
        if (!strcmp(verb, "quit")) break;
        int known = 0;
        for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++)
            if (!strcmp(commands[i].verb, verb)) commands[i].run(noun), known = 1;
        if (!known) printf("I do not know how to %s.\n", verb);
    }
    printf("%d moves\n", moves);
    return 0;
}
