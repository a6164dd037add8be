/* Comparing strings that hold version numbers: "file9" before "file10".
 *
 * Where the strings first differ, a run of digits is compared as a number. A
 * run that begins with 0 is a fraction: the more zeros, the smaller, and
 * otherwise digit by digit. */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

int strverscmp(const char *left, const char *right) {
    size_t at = 0;
    size_t run = 0; /* Where the run of digits that ends at `at` begins. */
    int only_zeros = 1;
    for (; left[at] == right[at]; at++) {
        if (left[at] == 0)
            return 0;
        if (!is_digit(left[at])) {
            run = at + 1;
            only_zeros = 1;
        } else if (left[at] != '0') {
            only_zeros = 0;
        }
    }
    int difference = (unsigned char)left[at] - (unsigned char)right[at];
    int is_fraction = run < at && left[run] == '0';
    if (is_fraction && only_zeros) {
        /* 00 < 0a and 00 < 01: what goes on with digits is smaller than what
         * ends, and is compared by its first digit that differs. */
        if (is_digit(left[at]) != is_digit(right[at]))
            return is_digit(left[at]) ? -1 : 1;
        return difference;
    }
    if (is_fraction || (run == at && (left[at] == '0' || right[at] == '0')))
        return difference;
    size_t left_end = at, right_end = at;
    while (is_digit(left[left_end]))
        left_end++;
    while (is_digit(right[right_end]))
        right_end++;
    if (run == at && (left_end == at || right_end == at))
        return difference;
    if (left_end != right_end)
        return left_end < right_end ? -1 : 1;
    return difference;
}
