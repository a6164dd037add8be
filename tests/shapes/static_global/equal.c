static int depth;

int current(void) { return depth; }

void begin(int level) {
    depth = 8;
    if (level < depth) depth = level;
}
