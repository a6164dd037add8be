/* Addresses of IPv4 and IPv6 as text. */

#define AF_INET 2
#define AF_INET6 10

const unsigned char in6addr_any[16];
const unsigned char in6addr_loopback[16] = {[15] = 1};

static int print_v4(const unsigned char *bytes, char *to, size_t size) {
    return snprintf(to, size, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* The first of the longest runs of two zero groups or more; -1 if none. */
static int find_gap(const unsigned groups[8], int *length) {
    int best = -1;
    *length = 1;
    for (int at = 0; at < 8;) {
        int end = at;
        while (end < 8 && groups[end] == 0)
            end++;
        if (end - at > *length) {
            best = at;
            *length = end - at;
        }
        at = end == at ? at + 1 : end;
    }
    return best;
}

static void print_v6(const unsigned char *bytes, char *to, size_t size) {
    unsigned groups[8];
    for (int i = 0; i < 8; i++)
        groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
    int length;
    int gap = find_gap(groups, &length);
    char *at = to, *end = to + size;
    for (int i = 0; i < 8; i++) {
        if (gap >= 0 && i >= gap && i < gap + length) {
            if (i == gap)
                *at++ = ':';
            continue;
        }
        if (i != 0)
            *at++ = ':';
        /* Addresses that hold one of IPv4 end in its form. */
        if (i == 6 && gap == 0 && (length == 6 ||
                                   (length == 5 && groups[5] == 0xffff))) {
            print_v4(bytes + 12, at, (size_t)(end - at));
            return;
        }
        at += snprintf(at, (size_t)(end - at), "%x", groups[i]);
    }
    if (gap >= 0 && gap + length == 8)
        *at++ = ':';
    *at = 0;
}

const char *inet_ntop(int family, const void *address, char *to, unsigned size) {
    char text[48];
    if (family == AF_INET) {
        print_v4(address, text, sizeof text);
    } else if (family == AF_INET6) {
        print_v6(address, text, sizeof text);
    } else {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    if (strlen(text) >= size) {
        errno = ENOSPC;
        return NULL;
    }
    return strcpy(to, text);
}
