/* Advice against collisions in the air: twelve decimal arguments and nested comparisons. */
#include <stdio.h>
#include <stdlib.h>

#define CLIMB_LIMIT 700
#define NEAR 300
#define SAFE 600

enum advice { NONE, UP, DOWN };

static int own_height, other_height, own_rate, other_rate, up_room, down_room;
static int confident, two_reports, other_advice, layer, equipped, climb_inhibited;

static int room_needed(void) {
    switch (layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

static int inhibited_climb_room(void) {
    return climb_inhibited ? up_room + 100 : up_room;
}

static int own_below(void) {
    return own_height < other_height;
}

static int own_above(void) {
    return other_height < own_height;
}

static int may_climb(int needed) {
    if (inhibited_climb_room() > down_room)
        return !own_below() || (own_below() && down_room < needed);
    return own_above() && own_rate <= CLIMB_LIMIT && up_room >= needed;
}

static int may_descend(int needed) {
    if (inhibited_climb_room() > down_room)
        return own_below() && own_rate > -CLIMB_LIMIT && down_room >= needed;
    return !own_above() || (own_above() && up_room >= needed);
}

static enum advice decide(void) {
    int needed = room_needed();
    int enabled = confident && own_rate <= SAFE && other_height - own_height < NEAR;
    int unequipped = !equipped || other_advice != 0;
    if (!enabled)
        return NONE;
    if (!two_reports && other_rate < 0 && unequipped)
        return NONE;
    int up = may_climb(needed) && own_below();
    int down = may_descend(needed) && own_above();
    if (up && down)
        return NONE;
    if (up)
        return UP;
    if (down)
        return DOWN;
    return NONE;
}

int main(int argc, char **argv) {
    static int *const parameters[] = {
        &own_height, &other_height, &own_rate,     &other_rate, &up_room,  &down_room,
        &confident,  &two_reports,  &other_advice, &layer,      &equipped, &climb_inhibited,
    };
    if (argc != 13) {
        fprintf(stderr, "usage: decide (12 numbers)\n");
        return 2;
    }
    for (int i = 0; i < 12; i++)
        *parameters[i] = atoi(argv[i + 1]);
    printf("%d\n", decide());
    return 0;
}
