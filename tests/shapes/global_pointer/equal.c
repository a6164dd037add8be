const char *last_error;

static int fail(const char *why) {
    last_error = why;
    return -1;
}

int check(int value) {
    if (value < 0) return fail("negative");
    if (value >= 10000) return fail("too large");
    last_error = 0;
    return 0;
}
