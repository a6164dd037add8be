/* Sorting. A stable merge sort whose comparisons come in the order of the
 * native library: the first half has n/2 elements, halves are sorted first
 * half first, and a merge takes from the first half on a tie. */

typedef int comparison(const void *, const void *, void *);

struct order {
    size_t size;
    comparison *compare;
    void *context;
    char *merged;
};

static void sort(const struct order *order, char *base, size_t count) {
    if (count <= 1)
        return;
    size_t size = order->size;
    size_t left_count = count / 2;
    size_t right_count = count - left_count;
    char *left = base;
    char *right = base + left_count * size;
    sort(order, left, left_count);
    sort(order, right, right_count);
    char *out = order->merged;
    while (left_count > 0 && right_count > 0) {
        if (order->compare(left, right, order->context) <= 0) {
            memcpy(out, left, size);
            left += size;
            left_count--;
        } else {
            memcpy(out, right, size);
            right += size;
            right_count--;
        }
        out += size;
    }
    /* What is left of the second half is in its place already. */
    memcpy(out, left, left_count * size);
    memcpy(base, order->merged, (count - right_count) * size);
}

void qsort_r(void *base, size_t count, size_t size, comparison *compare, void *context) {
    char small[1024];
    struct order order = {size, compare, context, small};
    if (count <= 1 || size == 0)
        return;
    if (count * size > sizeof small) {
        order.merged = malloc(count * size);
        if (order.merged == NULL)
            abort();
    }
    sort(&order, base, count);
    if (order.merged != small)
        free(order.merged);
}

static int compare_without_context(const void *left, const void *right, void *context) {
    int (*compare)(const void *, const void *) = *(int (**)(const void *, const void *))context;
    return compare(left, right);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    qsort_r(base, count, size, compare_without_context, &compare);
}
