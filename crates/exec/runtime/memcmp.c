/* Comparing memory. The result is the difference of the first bytes that
 * differ, as the native library returns it. */

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t at = 0; at < count; at++)
        if (a[at] != b[at])
            return a[at] - b[at];
    return 0;
}

int bcmp(const void *left, const void *right, size_t count) { return memcmp(left, right, count); }

int __memcmpeq(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count);
}
