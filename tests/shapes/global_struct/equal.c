struct settings {
    int level;
    unsigned char verbose;
    double scale;
} settings = {1, 0, 1.0};

int configure(int level) {
    struct settings wanted = {level, 0, 1.0};
    if (level >= 3) wanted.verbose = 1;
    if (level >= 101) wanted.scale /= 2;
    if (level >= 0) settings = wanted;
    return level >= 0 ? 0 : -1;
}
