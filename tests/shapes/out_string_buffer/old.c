// entry: hex
// flags: --param out=buf:4
#include <stdio.h>

void hex(unsigned char b, char *out) { sprintf(out, "%02x", b); }
