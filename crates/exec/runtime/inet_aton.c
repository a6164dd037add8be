/* Addresses of IPv4 as text, in the loose old forms: one to four numbers in
 * decimal, octal or hexadecimal, of which the last fills the rest. */

struct in_addr {
    uint32_t s_addr;
};

uint32_t htonl(uint32_t n);

/* Whether the text is one number of the form; a sign or space is not. */
static int read_number(const char **at, unsigned long *value) {
    char *end;
    if (!isdigit((unsigned char)**at))
        return 0;
    errno = 0;
    *value = strtoul(*at, &end, 0);
    if (errno != 0)
        return 0;
    *at = end;
    return 1;
}

static int parse(const char *text, uint32_t *result) {
    uint32_t address = 0;
    for (int part = 0;; part++) {
        unsigned long value;
        if (!read_number(&text, &value) || value > 0xffffffffUL)
            return 0;
        if (*text != '.') {
            if (*text != 0 && !isspace((unsigned char)*text))
                return 0;
            if (value > 0xffffffffUL >> 8 * part)
                return 0;
            *result = address | (uint32_t)value;
            return 1;
        }
        if (part == 3 || value > 255)
            return 0;
        address |= (uint32_t)value << (24 - 8 * part);
        text++;
    }
}

int inet_aton(const char *text, struct in_addr *result) {
    uint32_t address;
    int number = errno;
    int is_good = parse(text, &address);
    errno = number;
    if (is_good && result != NULL)
        result->s_addr = htonl(address);
    return is_good;
}

uint32_t inet_addr(const char *text) {
    struct in_addr address;
    return inet_aton(text, &address) ? address.s_addr : 0xffffffff;
}

char *inet_ntoa(struct in_addr address) {
    static char text[16];
    const unsigned char *bytes = (const unsigned char *)&address;
    snprintf(text, sizeof text, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
    return text;
}
