// entry: begin
static int depth;

int current(void) { return depth; }

void begin(int level) { depth = level > 8 ? 8 : level; }
