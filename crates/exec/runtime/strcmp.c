/* Comparing strings by their bytes. The result is the difference of the first
 * bytes that differ, as the native library returns it. */

int strcmp(const char *left, const char *right) {
    while (*left == *right && *left != 0) {
        left++;
        right++;
    }
    return (unsigned char)*left - (unsigned char)*right;
}

int strncmp(const char *left, const char *right, size_t limit) {
    while (limit > 0 && *left == *right && *left != 0) {
        left++;
        right++;
        limit--;
    }
    return limit == 0 ? 0 : (unsigned char)*left - (unsigned char)*right;
}
