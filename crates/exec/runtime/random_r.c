/* The additive feedback generator of the native library, state in the hands of
 * the caller: each number is the sum of two earlier ones, `separation` apart
 * in a ring of `degree`; the smallest kind is a linear congruence.
 *
 * The word before the ring keeps the kind and the place of the rear pointer,
 * so that a state buffer can be put away and taken up again. */

struct random_data {
    int32_t *front;
    int32_t *rear;
    int32_t *state;
    int kind;
    int degree;
    int separation;
    int32_t *end;
};

static const int degrees[5] = {0, 7, 15, 31, 63};
static const int separations[5] = {0, 3, 1, 3, 1};

static void set_kind(struct random_data *data, int kind) {
    data->kind = kind;
    data->degree = degrees[kind];
    data->separation = separations[kind];
    data->end = data->state + data->degree;
}

int random_r(struct random_data *data, int32_t *result) {
    if (data == NULL || result == NULL) {
        errno = EINVAL;
        return -1;
    }
    int32_t *state = data->state;
    if (data->kind == 0) {
        state[0] = (int32_t)((uint32_t)state[0] * 1103515245u + 12345u) & 0x7fffffff;
        *result = state[0];
        return 0;
    }
    uint32_t sum = (uint32_t)*data->front + (uint32_t)*data->rear;
    *data->front = (int32_t)sum;
    *result = (int32_t)(sum >> 1);
    if (++data->front == data->end)
        data->front = state;
    if (++data->rear == data->end)
        data->rear = state;
    return 0;
}

int srandom_r(unsigned seed, struct random_data *data) {
    if (data == NULL || (unsigned)data->kind > 4)
        return -1;
    int32_t word = seed == 0 ? 1 : (int32_t)seed;
    data->state[0] = word;
    if (data->kind == 0)
        return 0;
    for (int i = 1; i < data->degree; i++) {
        /* word = 16807 * word mod (2^31 - 1), in 32 bits. */
        word = 16807 * (word % 127773) - 2836 * (word / 127773);
        if (word < 0)
            word += 0x7fffffff;
        data->state[i] = word;
    }
    data->front = data->state + data->separation;
    data->rear = data->state;
    int32_t discarded;
    for (int i = 0; i < 10 * data->degree; i++)
        random_r(data, &discarded);
    return 0;
}

static void put_away(struct random_data *data) {
    if (data->state == NULL)
        return;
    int place = data->kind == 0 ? 0 : (int)(data->rear - data->state);
    data->state[-1] = 5 * place + data->kind;
}

int initstate_r(unsigned seed, char *buffer, size_t size, struct random_data *data) {
    if (data == NULL || size < 8) {
        errno = EINVAL;
        return -1;
    }
    put_away(data);
    data->state = (int32_t *)buffer + 1;
    set_kind(data, size < 32 ? 0 : size < 64 ? 1 : size < 128 ? 2 : size < 256 ? 3 : 4);
    srandom_r(seed, data);
    put_away(data);
    return 0;
}

int setstate_r(char *buffer, struct random_data *data) {
    if (buffer == NULL || data == NULL) {
        errno = EINVAL;
        return -1;
    }
    /* First, because the buffer may be the one in use. */
    put_away(data);
    int32_t *state = (int32_t *)buffer + 1;
    int kind = state[-1] % 5;
    int place = state[-1] / 5;
    if (kind < 0) {
        errno = EINVAL;
        return -1;
    }
    data->state = state;
    set_kind(data, kind);
    if (kind != 0) {
        data->rear = state + place;
        data->front = state + (place + data->separation) % data->degree;
    }
    return 0;
}
