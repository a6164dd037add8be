// entry: transpose
struct matrix {
    int cell[2][2];
};

void transpose(struct matrix *m) {
    int cell = m->cell[0][1];
    m->cell[0][1] = m->cell[1][0];
    m->cell[1][0] = cell;
}
