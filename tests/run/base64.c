// Base64 and hexadecimal, both ways, for all lengths, with errors.
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int encode(const unsigned char *in, int n, char *out) {
    char *o = out;
    for (int i = 0; i < n; i += 3) {
        unsigned v = in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
        *o++ = alphabet[v >> 18], *o++ = alphabet[v >> 12 & 63];
        *o++ = i + 1 < n ? alphabet[v >> 6 & 63] : '=', *o++ = i + 2 < n ? alphabet[v & 63] : '=';
    }
    *o = 0;
    return (int)(o - out);
}

static int decode(const char *in, unsigned char *out) {
    static signed char reverse[256];
    static int ready;
    if (!ready) {
        memset(reverse, -1, sizeof reverse);
        for (int i = 0; i < 64; i++) reverse[(unsigned char)alphabet[i]] = (signed char)i;
        ready = 1;
    }
    int n = 0, bits = 0;
    unsigned v = 0;
    for (; *in && *in != '='; in++) {
        int d = reverse[(unsigned char)*in];
        if (d < 0) return -1;
        v = v << 6 | (unsigned)d, bits += 6;
        if (bits >= 8) bits -= 8, out[n++] = (unsigned char)(v >> bits);
    }
    return n;
}

int main(void) {
    unsigned char data[64], back[64];
    char text[100];
    for (int i = 0; i < 64; i++) data[i] = (unsigned char)(i * 37 + 11);
    for (int n = 0; n < 20; n++) {
        int e = encode(data, n, text), d = decode(text, back);
        printf("%d %d %s %d\n", n, e, text, d == n && !memcmp(data, back, (size_t)n));
    }
    encode((const unsigned char *)"Many hands make light work.", 27, text);
    printf("%s\n", text);
    printf("%d\n", decode("ab*d", back));
    for (int i = 0; i < 16; i++) sprintf(text + 2 * i, "%02X", data[i]);
    printf("%s\n", text);
    for (int i = 0; i < 16; i++) {
        unsigned v;
        sscanf(text + 2 * i, "%2x", &v);
        back[i] = (unsigned char)v;
    }
    printf("%d\n", memcmp(data, back, 16));
    return 0;
}
