/* Comparing strings by their bytes. The result is the difference of the first
 * bytes that differ, as the native library returns it. The end is looked for on
 * the right, where programs put the string that they know. */

int strcmp(const char *left, const char *right) {
    while (*left == *right && *right != 0) {
        left++;
        right++;
    }
    return (unsigned char)*left - (unsigned char)*right;
}

int strncmp(const char *left, const char *right, size_t limit) {
    while (limit > 0 && *left == *right && *right != 0) {
        left++;
        right++;
        limit--;
    }
    return limit == 0 ? 0 : (unsigned char)*left - (unsigned char)*right;
}
