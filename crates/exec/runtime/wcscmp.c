/* Comparing wide strings. The results are -1, 0 and 1, but without regard to
 * case the difference, as the native library returns them. */

static int order(wchar_t left, wchar_t right) { return (left > right) - (left < right); }

int wcscmp(const wchar_t *left, const wchar_t *right) {
    while (*left == *right && *left != 0) {
        left++;
        right++;
    }
    return order(*left, *right);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t limit) {
    while (limit > 0 && *left == *right && *left != 0) {
        left++;
        right++;
        limit--;
    }
    return limit == 0 ? 0 : order(*left, *right);
}

int wcscoll(const wchar_t *left, const wchar_t *right) { return wcscmp(left, right); }

size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t size) {
    size_t length = wcslen(from);
    if (size > 0)
        memcpy(to, from, (length < size ? length + 1 : size) * sizeof(wchar_t));
    return length;
}

int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t limit) {
    for (; limit > 0; left++, right++, limit--) {
        wint_t a = towlower((wint_t)*left), b = towlower((wint_t)*right);
        if (a != b || a == 0)
            return (int)(a - b);
    }
    return 0;
}

int wcscasecmp(const wchar_t *left, const wchar_t *right) {
    return wcsncasecmp(left, right, SIZE_MAX);
}
