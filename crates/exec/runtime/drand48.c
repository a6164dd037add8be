/* The linear congruence of 48 bits. */

struct drand48_data {
    unsigned short x[3];
    unsigned short old_x[3];
    unsigned short addend;
    unsigned short is_set;
    unsigned long factor;
};

static struct drand48_data program;

static void set_defaults(struct drand48_data *data) {
    data->factor = 0x5deece66dUL;
    data->addend = 11;
    data->is_set = 1;
}

static unsigned long step(unsigned short x[3], struct drand48_data *data) {
    if (!data->is_set)
        set_defaults(data);
    unsigned long value = (unsigned long)x[2] << 32 | (unsigned long)x[1] << 16 | x[0];
    value = (value * data->factor + data->addend) & 0xffffffffffffUL;
    x[0] = (unsigned short)value;
    x[1] = (unsigned short)(value >> 16);
    x[2] = (unsigned short)(value >> 32);
    return value;
}

double erand48(unsigned short x[3]) { return (double)step(x, &program) / 281474976710656.0; }

long nrand48(unsigned short x[3]) { return (long)(step(x, &program) >> 17); }

long jrand48(unsigned short x[3]) { return (int32_t)(step(x, &program) >> 16); }

double drand48(void) { return erand48(program.x); }

long lrand48(void) { return nrand48(program.x); }

long mrand48(void) { return jrand48(program.x); }

void srand48(long seed) {
    program.x[0] = 0x330e;
    program.x[1] = (unsigned short)seed;
    program.x[2] = (unsigned short)(seed >> 16);
    set_defaults(&program);
}

unsigned short *seed48(unsigned short seed[3]) {
    memcpy(program.old_x, program.x, sizeof program.x);
    memcpy(program.x, seed, sizeof program.x);
    set_defaults(&program);
    return program.old_x;
}

void lcong48(unsigned short parameters[7]) {
    memcpy(program.x, parameters, sizeof program.x);
    program.factor =
        (unsigned long)parameters[5] << 32 | (unsigned long)parameters[4] << 16 | parameters[3];
    program.addend = parameters[6];
    program.is_set = 1;
}
