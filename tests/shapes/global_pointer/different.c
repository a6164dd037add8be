const char *last_error;

int check(int value) {
    last_error = value < 0 ? "negative" : value > 9999 ? "too big" : 0;
    return last_error ? -1 : 0;
}
