// A count that is larger than the buffer.
// entry: clear
// param p: buf:2
// param n: int:0..4
// paths: 4
// fault: out of bounds write at line 9
void clear(short *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = 0;
}
