// never ends: what decides comes back after two rounds, the counter does not
int main(void) {
    unsigned count = 0;
    int side = 0;
    while (side < 2) {
        side = 1 - side;
        count += 3;
    }
    return count;
}
