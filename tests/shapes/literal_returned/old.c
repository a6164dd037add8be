// entry: version
// flags: --param major=int:-3..3
const char *version(int major) { return major > 1 ? "2.0.1" : "1.7.18"; }
