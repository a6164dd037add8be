/* random and rand: one generator for the whole program, seeded with 1. */

struct random_data {
    int32_t *front;
    int32_t *rear;
    int32_t *state;
    int kind;
    int degree;
    int separation;
    int32_t *end;
};

int random_r(struct random_data *data, int32_t *result);
int srandom_r(unsigned seed, struct random_data *data);
int initstate_r(unsigned seed, char *buffer, size_t size, struct random_data *data);
int setstate_r(char *buffer, struct random_data *data);

static int32_t first_state[32];
static struct random_data program;

static struct random_data *generator(void) {
    if (program.state == NULL)
        initstate_r(1, (char *)first_state, sizeof first_state, &program);
    return &program;
}

long random(void) {
    int32_t result;
    random_r(generator(), &result);
    return result;
}

void srandom(unsigned seed) { srandom_r(seed, generator()); }

int rand(void) { return (int)random(); }

void srand(unsigned seed) { srandom(seed); }

char *initstate(unsigned seed, char *buffer, size_t size) {
    char *old = (char *)(generator()->state - 1);
    return initstate_r(seed, buffer, size, &program) == 0 ? old : NULL;
}

char *setstate(char *buffer) {
    char *old = (char *)(generator()->state - 1);
    return setstate_r(buffer, &program) == 0 ? old : NULL;
}

static unsigned step(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed / 65536;
}

int rand_r(unsigned *seed) {
    unsigned result = step(seed) % 2048;
    result = (result << 10) ^ (step(seed) % 1024);
    result = (result << 10) ^ (step(seed) % 1024);
    return (int)result;
}
