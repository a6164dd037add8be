// entry: configure
struct settings {
    int level;
    unsigned char verbose;
    double scale;
} settings = {1, 0, 1.0};

int configure(int level) {
    if (level < 0) return -1;
    settings.level = level;
    settings.verbose = level > 2;
    settings.scale = level > 100 ? 0.5 : 1.0;
    return 0;
}
