/* What the officer of the watch should do about another ship.
 *
 *   avoid OWN-KIND OTHER-KIND RANGE CLOSING BEARING DRIFT ASPECT
 *         OWN-SPEED OTHER-SPEED VISIBILITY PORT-ROOM STARBOARD-ROOM
 *
 * Prints one line: the manoeuvre and, for a turn, by how many degrees.
 * Lengths are in metres, speeds in metres per minute, angles in degrees. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Whoever comes earlier in this list keeps clear of whoever comes later. */
enum kind { POWER, SAIL, FISHING, RESTRICTED, DISABLED };

enum encounter { HEAD_ON, FROM_PORT, FROM_STARBOARD, OVERTAKING, OVERTAKEN };

enum role { GIVE_WAY, STAND_ON };

enum action { HOLD, WARN, SLOW, STOP, PORT, STARBOARD };

struct situation {
    int own_kind;
    int other_kind;
    int range;
    int closing; /* speed at which the range shrinks */
    int bearing; /* of the other ship, clockwise from our bow */
    int drift;   /* change of the bearing, tenths of a degree per minute */
    int aspect;  /* our bearing, clockwise from the other ship's bow */
    int own_speed;
    int other_speed;
    int visibility;
    int port_room; /* free water on that side */
    int starboard_room;
};

struct decision {
    enum action action;
    int degrees;
};

enum {
    FIELDS = 12,
    FOG = 1000,
    NEAR = 500,
    STEERAGE = 150, /* below this speed the rudder has no effect */
    BOW = 6,
    TENTHS_PER_RADIAN = 573
};

static const int limits[FIELDS][2] = {
    {POWER, DISABLED}, {POWER, DISABLED}, {0, 20000}, {-1500, 1500}, {0, 359}, {-900, 900},
    {0, 359},          {0, 900},          {0, 900},   {0, 20000},    {0, 5000}, {0, 5000},
};

static int passes_clear(const struct situation *s)
{
    int clearance = s->visibility < FOG ? 1800 : 900;
    int sideways = s->range * abs(s->drift) / TENTHS_PER_RADIAN;
    return sideways * s->range > clearance * s->closing;
}

static int is_risk(const struct situation *s)
{
    int horizon = s->visibility < FOG ? 20 : 12;
    if (s->closing <= 0)
        return 0;
    if (s->range > NEAR && s->range > s->closing * horizon)
        return 0;
    return !passes_clear(s);
}

static int is_astern(int angle)
{
    return angle > 112 && angle < 248;
}

static enum encounter classify(const struct situation *s)
{
    if (is_astern(s->bearing) && s->other_speed > s->own_speed)
        return OVERTAKEN;
    if (is_astern(s->aspect) && s->own_speed > s->other_speed)
        return OVERTAKING;
    if ((s->bearing <= BOW || s->bearing >= 360 - BOW) && s->aspect <= BOW)
        return HEAD_ON;
    return s->bearing < 180 ? FROM_STARBOARD : FROM_PORT;
}

static enum role role_in(enum encounter encounter, const struct situation *s)
{
    if (encounter == OVERTAKING)
        return GIVE_WAY;
    if (encounter == OVERTAKEN)
        return STAND_ON;
    if (s->own_kind != s->other_kind)
        return s->own_kind < s->other_kind ? GIVE_WAY : STAND_ON;
    if (encounter == HEAD_ON || encounter == FROM_STARBOARD)
        return GIVE_WAY;
    return STAND_ON;
}

static int turning_room(int speed)
{
    return 150 + speed * 3 / 2;
}

static int last_moment(int speed)
{
    return 400 + speed * 5 / 4;
}

static int turn_degrees(const struct situation *s)
{
    if (s->range <= s->closing * 2)
        return 90;
    if (s->range <= s->closing * 4)
        return 60;
    return 30;
}

static struct decision turn(enum action side, const struct situation *s)
{
    struct decision decision = {side, turn_degrees(s)};
    return decision;
}

static struct decision plain(enum action action)
{
    struct decision decision = {action, 0};
    return decision;
}

static struct decision brake(const struct situation *s)
{
    return plain(s->own_speed > STEERAGE ? SLOW : STOP);
}

static struct decision give_way(enum encounter encounter, const struct situation *s)
{
    int room = turning_room(s->own_speed);
    if (encounter == OVERTAKING && s->bearing < 180 && s->port_room >= room)
        return turn(PORT, s);
    if (s->starboard_room >= room)
        return turn(STARBOARD, s);
    return brake(s);
}

static struct decision stand_on(enum encounter encounter, const struct situation *s)
{
    int close = last_moment(s->own_speed);
    if (s->range > 2 * close)
        return plain(HOLD);
    if (s->range > close)
        return plain(WARN);
    if (encounter == OVERTAKEN)
        return plain(WARN);
    return give_way(encounter, s);
}

static struct decision in_fog(const struct situation *s)
{
    int room = turning_room(s->own_speed);
    if (!is_astern(s->bearing))
        return brake(s);
    if (s->bearing < 180)
        return s->port_room >= room ? turn(PORT, s) : brake(s);
    return s->starboard_room >= room ? turn(STARBOARD, s) : brake(s);
}

static struct decision decide(const struct situation *s)
{
    enum encounter encounter;
    if (s->closing <= 0)
        return plain(HOLD);
    if (!is_risk(s))
        return plain(HOLD);
    if (s->own_kind == DISABLED)
        return plain(WARN);
    if (s->visibility < FOG)
        return in_fog(s);
    encounter = classify(s);
    if (role_in(encounter, s) == STAND_ON)
        return stand_on(encounter, s);
    return give_way(encounter, s);
}

static const char *name_of(enum action action)
{
    switch (action) {
    case HOLD: return "hold";
    case WARN: return "warn";
    case SLOW: return "slow";
    case STOP: return "stop";
    case PORT: return "port";
    case STARBOARD: return "starboard";
    }
    return "?";
}

static int parse(const char *text, const int limit[2], int *value)
{
    char *end;
    long number;
    errno = 0;
    number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < limit[0] || number > limit[1])
        return 0;
    *value = (int)number;
    return 1;
}

int main(int argc, char **argv)
{
    struct situation s;
    struct decision decision;
    int *fields[FIELDS] = {
        &s.own_kind, &s.other_kind, &s.range,       &s.closing,    &s.bearing,   &s.drift,
        &s.aspect,   &s.own_speed,  &s.other_speed, &s.visibility, &s.port_room, &s.starboard_room,
    };
    if (argc != FIELDS + 1) {
        fprintf(stderr, "avoid: expected %d numbers\n", FIELDS);
        return 2;
    }
    for (int i = 0; i < FIELDS; i++) {
        if (!parse(argv[i + 1], limits[i], fields[i])) {
            fprintf(stderr, "avoid: number %d is missing or out of range\n", i + 1);
            return 2;
        }
    }
    decision = decide(&s);
    if (decision.degrees != 0)
        printf("%s %d\n", name_of(decision.action), decision.degrees);
    else
        printf("%s\n", name_of(decision.action));
    return 0;
}
