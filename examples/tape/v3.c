/* A tape recorder, driven by commands on standard input, one a line.
 *
 *   load N      puts in a tape of N metres, from 10 to 300
 *   eject       takes it out
 *   play N      plays N metres, or up to the end
 *   rec N       records N metres
 *   pause       interrupts playing or recording, or goes on
 *   stop        ends it
 *   wind N      winds by N metres, backwards if N is negative
 *   mark C      remembers the position under a letter from a to e
 *   goto C      winds to a mark
 *   protect     the tape cannot be recorded on
 *   tell        says where it is
 *
 * A pause stays until it is ended by `pause` or `stop`. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { EMPTY, STOPPED, PLAYING, RECORDING, PAUSED };

static const char *const state_names[] = {"empty", "stopped", "playing", "recording", "paused"};

enum { MARKS = 5, NO_MARK = -1, TURNS = 4 };

struct recorder {
    enum state state, interrupted;
    int length, position, recorded;
    int is_protected;
    int marks[MARKS];
    int winds, worn;
};

static struct recorder tape;

static void say(const char *problem)
{
    printf("%s: %s\n", state_names[tape.state], problem);
}

static void clear_marks(void)
{
    for (int i = 0; i < MARKS; i++)
        tape.marks[i] = NO_MARK;
}

static void load(long length)
{
    if (tape.state != EMPTY) {
        say("there is a tape");
        return;
    }
    if (length < 10 || length > 300) {
        say("no such tape");
        return;
    }
    tape.state = STOPPED;
    if (tape.length != (int)length)
        clear_marks();
    tape.length = (int)length;
    tape.position = 0;
    tape.recorded = 0;
    tape.is_protected = 0;
    tape.winds = 0;
}

static void eject(void)
{
    if (tape.state == PLAYING || tape.state == RECORDING) {
        say("stop it first");
        return;
    }
    if (tape.state == EMPTY) {
        say("nothing there");
        return;
    }
    printf("ejected at %d of %d, %d recorded\n", tape.position, tape.length, tape.recorded);
    tape.state = EMPTY;
}

/* Moves the tape; at its end, it stops. */
static void move(int metres)
{
    tape.position += metres;
    if (tape.position >= tape.length) {
        tape.position = tape.length;
        tape.state = STOPPED;
        puts("end of tape");
    }
}

static void play(long metres)
{
    if (tape.state != STOPPED && tape.state != PLAYING) {
        say("cannot play");
        return;
    }
    if (metres < 1 || metres > 300) {
        say("bad length");
        return;
    }
    int heard = tape.recorded - tape.position;
    if (heard > metres)
        heard = (int)metres;
    printf("played %d\n", heard > 0 ? heard : 0);
    tape.state = PLAYING;
    move((int)metres);
}

static void record(long metres)
{
    if (tape.state != STOPPED && tape.state != RECORDING) {
        say("cannot record");
        return;
    }
    if (tape.is_protected) {
        say("protected");
        return;
    }
    if (metres < 1 || metres > 300) {
        say("bad length");
        return;
    }
    tape.state = RECORDING;
    move((int)metres);
    if (tape.position > tape.recorded)
        tape.recorded = tape.position;
    for (int i = 0; i < MARKS; i++)
        if (tape.marks[i] > tape.position)
            tape.marks[i] = NO_MARK;
}

static void pause(void)
{
    if (tape.state == PAUSED) {
        tape.state = tape.interrupted;
    } else if (tape.state == PLAYING || tape.state == RECORDING) {
        tape.interrupted = tape.state;
        tape.state = PAUSED;
    } else {
        say("nothing to pause");
    }
}

static void stop(void)
{
    if (tape.state == EMPTY)
        say("nothing there");
    else
        tape.state = STOPPED;
}

static void wind(long metres)
{
    if (tape.state != STOPPED) {
        say("cannot wind");
        return;
    }
    if (metres < -300 || metres > 300) {
        say("bad length");
        return;
    }
    tape.position += (int)metres;
    if (tape.position < 0)
        tape.position = 0;
    if (tape.position > tape.length)
        tape.position = tape.length;
    tape.winds++;
    if (tape.winds % TURNS == 0) {
        tape.worn++;
        say("worn");
    }
}

static int mark_index(const char *name)
{
    return name[0] >= 'a' && name[0] <= 'e' && name[1] == '\0' ? name[0] - 'a' : -1;
}

static void mark(const char *name)
{
    int index = mark_index(name);
    if (tape.state == EMPTY || index < 0)
        say("cannot mark");
    else
        tape.marks[index] = tape.position;
}

static void go_to(const char *name)
{
    int index = mark_index(name);
    if (index < 0 || tape.state == EMPTY || tape.marks[index] == NO_MARK) {
        say("no such mark");
        return;
    }
    wind(tape.marks[index] - tape.position);
}

static void tell(void)
{
    printf("%s at %d of %d, %d recorded, worn %d%s\n", state_names[tape.state], tape.position,
           tape.length, tape.recorded, tape.worn, tape.is_protected ? ", protected" : "");
}

static void command(char *line)
{
    char *rest = line + strcspn(line, " ");
    if (*rest == ' ')
        *rest++ = '\0';
    long number = strtol(rest, NULL, 10);
    if (strcmp(line, "load") == 0)
        load(number);
    else if (strcmp(line, "eject") == 0)
        eject();
    else if (strcmp(line, "play") == 0)
        play(number);
    else if (strcmp(line, "rec") == 0)
        record(number);
    else if (strcmp(line, "pause") == 0)
        pause();
    else if (strcmp(line, "stop") == 0)
        stop();
    else if (strcmp(line, "wind") == 0)
        wind(number);
    else if (strcmp(line, "mark") == 0)
        mark(rest);
    else if (strcmp(line, "goto") == 0)
        go_to(rest);
    else if (strcmp(line, "protect") == 0)
        tape.is_protected = tape.state != EMPTY;
    else if (strcmp(line, "tell") == 0)
        tell();
    else if (*line != '\0')
        printf("unknown command: %s\n", line);
}

int main(void)
{
    char line[40];

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        command(line);
    }
    return 0;
}
