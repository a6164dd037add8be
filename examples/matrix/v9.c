/* Computes with matrices that are on standard input.
 *
 *   matrix COMMAND
 *
 *   det     the determinant
 *   inv     the inverse
 *   rank    the rank
 *   flip    the transposed matrix
 *   norm    the largest sum of absolute values of a row
 *   mul     the product of two matrices
 *   pow     the matrix to the power of a whole number that stands behind it
 *
 * A matrix is its numbers of rows and columns, at most 4 each, and its elements row by
 * row, all with white space between them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 4 };

struct matrix {
    int rows, columns;
    double at[MAX][MAX];
};

static _Noreturn void fail(const char *problem)
{
    printf("error: %s\n", problem);
    exit(1);
}

static double next_number(void)
{
    double value;
    if (scanf("%lf", &value) != 1 || !isfinite(value))
        fail("a number is missing");
    return value;
}

static int next_size(void)
{
    double value = next_number();
    if (value < 1 || value > MAX || value != floor(value))
        fail("bad size");
    return (int)value;
}

static struct matrix read_matrix(void)
{
    struct matrix m = {0};
    m.rows = next_size();
    m.columns = next_size();
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.columns; j++)
            m.at[i][j] = next_number();
    return m;
}

static void print_number(double value)
{
    printf("%.3f", value);
}

static void print_matrix(const struct matrix *m)
{
    for (int i = 0; i < m->rows; i++) {
        for (int j = 0; j < m->columns; j++) {
            if (j > 0)
                putchar(' ');
            print_number(m->at[i][j]);
        }
        putchar('\n');
    }
}

static void swap_rows(struct matrix *m, int a, int b)
{
    for (int j = 0; j < m->columns; j++) {
        double value = m->at[a][j];
        m->at[a][j] = m->at[b][j];
        m->at[b][j] = value;
    }
}

/* The row from `from` on with the largest absolute value in a column. */
static int pivot(const struct matrix *m, int from, int column)
{
    int best = from;
    for (int i = from + 1; i < m->rows; i++)
        if (fabs(m->at[i][column]) > fabs(m->at[best][column]))
            best = i;
    return best;
}

static void subtract(struct matrix *m, int from, int row, double factor)
{
    for (int j = 0; j < m->columns; j++)
        m->at[from][j] -= factor * m->at[row][j];
}

static double determinant(struct matrix m)
{
    double result = 1;
    if (m.rows != m.columns)
        fail("not square");
    for (int k = 0; k < m.rows; k++) {
        int row = pivot(&m, k, k);
        if (m.at[row][k] == 0)
            return 0;
        if (row != k) {
            swap_rows(&m, row, k);
            result = -result;
        }
        result *= m.at[k][k];
        for (int i = k + 1; i < m.rows; i++)
            subtract(&m, i, k, m.at[i][k] / m.at[k][k]);
    }
    return result;
}

static int rank(struct matrix m)
{
    int rank = 0;
    for (int column = 0; column < m.columns && rank < m.rows; column++) {
        int row = pivot(&m, rank, column);
        if (fabs(m.at[row][column]) < 1e-9)
            continue;
        swap_rows(&m, row, rank);
        for (int i = rank + 1; i < m.rows; i++)
            subtract(&m, i, rank, m.at[i][column] / m.at[rank][column]);
        rank++;
    }
    return rank;
}

static struct matrix identity(int size)
{
    struct matrix m = {size, size, {{0}}};
    for (int i = 0; i < size; i++)
        m.at[i][i] = 1;
    return m;
}

static struct matrix inverse(struct matrix m)
{
    if (m.rows != m.columns)
        fail("not square");
    struct matrix result = identity(m.rows);
    for (int k = 0; k < m.rows; k++) {
        int row = pivot(&m, k, k);
        if (m.at[row][k] == 0)
            fail("no inverse");
        swap_rows(&m, row, k);
        swap_rows(&result, row, k);
        double scale = m.at[k][k];
        for (int j = 0; j < m.columns; j++) {
            m.at[k][j] /= scale;
            result.at[k][j] /= scale;
        }
        for (int i = 0; i < m.rows; i++) {
            double factor = m.at[i][k];
            if (i == k)
                continue;
            subtract(&m, i, k, factor);
            subtract(&result, i, k, factor);
        }
    }
    return result;
}

static struct matrix transposed(const struct matrix *m)
{
    struct matrix result = {m->columns, m->rows, {{0}}};
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            result.at[j][i] = m->at[i][j];
    return result;
}

static double norm(const struct matrix *m)
{
    double largest = 0;
    for (int i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int j = 0; j < m->columns; j++)
            sum += fabs(m->at[i][j]);
        if (sum > largest)
            largest = sum;
    }
    return largest;
}

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
    if (a->columns != b->rows)
        fail("the sizes do not fit");
    struct matrix result = {a->rows, b->columns, {{0}}};
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++)
            for (int k = 0; k < a->columns; k++)
                result.at[i][j] += a->at[i][k] * b->at[k][j];
    return result;
}

static struct matrix power(const struct matrix *m, double exponent)
{
    if (m->rows != m->columns)
        fail("not square");
    if (exponent < 0 || exponent > 20)
        fail("bad exponent");
    struct matrix result = identity(m->rows);
    for (int n = 0; n < (int)exponent; n++)
        result = product(&result, m);
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: matrix COMMAND\n", stderr);
        return 2;
    }
    const char *command = argv[1];
    struct matrix m = read_matrix(), result = {0};
    if (strcmp(command, "det") == 0) {
        print_number(determinant(m));
        putchar('\n');
    } else if (strcmp(command, "rank") == 0) {
        printf("%d\n", rank(m));
    } else if (strcmp(command, "norm") == 0) {
        print_number(norm(&m));
        putchar('\n');
    } else {
        if (strcmp(command, "inv") == 0) {
            result = inverse(m);
        } else if (strcmp(command, "flip") == 0) {
            result = transposed(&m);
        } else if (strcmp(command, "mul") == 0) {
            struct matrix other = read_matrix();
            result = product(&m, &other);
        } else if (strcmp(command, "pow") == 0) {
            result = power(&m, next_number());
        } else {
            fail("unknown command");
        }
        print_matrix(&result);
    }
    return 0;
}
