// faults: control reached code declared unreachable
// exit: 132
// native: undefined
static int choose(int x) {
    switch (x) {
    case 0: return 5;
    case 1: return 6;
    default: __builtin_unreachable();
    }
}

int main(int argc, char **argv) { return choose(argc + (argv == 0)) + choose(2); }
