/* Addresses of IPv4 and IPv6 from text in their strict forms. */

#define AF_INET 2
#define AF_INET6 10

/* Four decimal numbers without leading zeros. */
static int parse_v4(const char *text, unsigned char to[4]) {
    unsigned char address[4];
    for (int part = 0; part < 4; part++) {
        int value = 0, digits = 0;
        for (; isdigit((unsigned char)*text); text++, digits++) {
            if (digits > 0 && value == 0)
                return 0;
            value = value * 10 + (*text - '0');
            if (value > 255)
                return 0;
        }
        if (digits == 0 || *text != (part < 3 ? '.' : 0))
            return 0;
        address[part] = (unsigned char)value;
        text++;
    }
    memcpy(to, address, 4);
    return 1;
}

static int hex_digit(char c) {
    if (isdigit((unsigned char)c))
        return c - '0';
    int letter = tolower((unsigned char)c);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Groups of four hexadecimal digits; "::" stands for as many zero groups as
 * are missing, and the last two groups may be an IPv4 address. */
static int parse_v6(const char *text, unsigned char to[16]) {
    unsigned char address[16] = {0};
    int at = 0, gap = -1;
    if (*text == ':' && *++text != ':')
        return 0;
    while (*text != 0) {
        if (*text == ':') {
            if (gap >= 0)
                return 0;
            gap = at;
            text++;
            continue;
        }
        const char *group = text;
        int value = 0, digits = 0;
        for (; hex_digit(*text) >= 0; text++, digits++) {
            if (digits == 4)
                return 0;
            value = value * 16 + hex_digit(*text);
        }
        if (*text == '.' && at <= 12 && digits > 0) {
            if (!parse_v4(group, address + at))
                return 0;
            at += 4;
            break;
        }
        if (digits == 0 || at > 14)
            return 0;
        address[at++] = (unsigned char)(value >> 8);
        address[at++] = (unsigned char)value;
        if (*text == 0)
            break;
        if (*text != ':' || text[1] == 0)
            return 0;
        text++;
    }
    if (gap >= 0) {
        if (at == 16)
            return 0;
        int moved = at - gap;
        memmove(address + 16 - moved, address + gap, (size_t)moved);
        memset(address + gap, 0, (size_t)(16 - at));
        at = 16;
    }
    if (at != 16)
        return 0;
    memcpy(to, address, 16);
    return 1;
}

int inet_pton(int family, const char *text, void *to) {
    if (family == AF_INET)
        return parse_v4(text, to);
    if (family == AF_INET6)
        return parse_v6(text, to);
    errno = EAFNOSUPPORT;
    return -1;
}
