#include <stdio.h>

void show(int value) { puts(value >= 0 ? "value" : "none"); }
