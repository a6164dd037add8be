struct matrix {
    int cell[2][2];
};

void transpose(struct matrix *m) {
    struct matrix copy = *m;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) m->cell[k][i] = copy.cell[i][k];
}
