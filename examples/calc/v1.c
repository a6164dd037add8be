/* A calculator: evaluates each line of standard input.
 *
 * Numbers are 64-bit integers. Operators, from weakest to strongest:
 * + and -, then *, / and %, then unary -, then ^ (power).
 * A name followed by = and an expression is a variable. */

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 64, MAX_NAME = 32, MAX_DEPTH = 200 };

struct variable {
    char name[MAX_NAME];
    int64_t value;
};

static struct variable variables[MAX_NAMES];
static int variable_count;

static const char *at;      /* what is left of the line */
static const char *problem; /* the first one in this line, or NULL */
static int depth;

static int64_t sum(void);

static int64_t fail(const char *what)
{
    if (!problem)
        problem = what;
    return 0;
}

static int accept(char c)
{
    while (isspace((unsigned char)*at))
        at++;
    if (*at != c)
        return 0;
    at++;
    return 1;
}

static struct variable *find(const char *name)
{
    for (int i = 0; i < variable_count; i++)
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i];
    return NULL;
}

/* Reads a name into `name`. Returns its length, 0 if there is none. */
static int read_name(char *name)
{
    int length = 0;
    while (isspace((unsigned char)*at))
        at++;
    while (isalpha((unsigned char)*at) || (length > 0 && isdigit((unsigned char)*at))) {
        if (length + 1 < MAX_NAME)
            name[length++] = *at;
        at++;
    }
    name[length] = '\0';
    return length;
}

static int64_t number(void)
{
    int64_t value = 0;
    while (isdigit((unsigned char)*at)) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *at - '0', &value))
            return fail("number too large");
        at++;
    }
    return value;
}

static int64_t atom(void)
{
    char name[MAX_NAME];

    if (accept('(')) {
        if (++depth > MAX_DEPTH)
            return fail("too deep");
        int64_t value = sum();
        depth--;
        if (!accept(')'))
            return fail("missing )");
        return value;
    }
    if (isdigit((unsigned char)*at))
        return number();
    if (read_name(name)) {
        struct variable *found = find(name);
        return found ? found->value : fail("unknown name");
    }
    return fail(*at ? "unexpected character" : "unexpected end");
}

static int64_t power(void)
{
    int64_t base = atom();
    while (!problem && accept('^')) {
        int64_t exponent = atom();
        int64_t result = 1;
        if (exponent < 0)
            return fail("negative exponent");
        for (; exponent > 0 && !problem; exponent--) {
            if (__builtin_mul_overflow(result, base, &result))
                return fail("overflow");
            if (result == 0 || result == 1)
                break;
        }
        base = result;
    }
    return base;
}

static int64_t sign(void)
{
    int negative = 0;
    while (accept('-'))
        negative = !negative;
    int64_t value = power();
    if (negative && __builtin_sub_overflow((int64_t)0, value, &value))
        return fail("overflow");
    return value;
}

static int64_t product(void)
{
    int64_t value = sign();
    while (!problem) {
        if (accept('*')) {
            if (__builtin_mul_overflow(value, sign(), &value))
                return fail("overflow");
        } else if (accept('/')) {
            int64_t divisor = sign();
            if (divisor == 0)
                return fail("division by zero");
            if (value == INT64_MIN && divisor == -1)
                return fail("overflow");
            value /= divisor;
        } else if (accept('%')) {
            int64_t divisor = sign();
            if (divisor == 0)
                return fail("division by zero");
            value = divisor == -1 ? 0 : value % divisor;
        } else {
            break;
        }
    }
    return value;
}

static int64_t sum(void)
{
    int64_t value = product();
    while (!problem) {
        if (accept('+')) {
            if (__builtin_add_overflow(value, product(), &value))
                return fail("overflow");
        } else if (accept('-')) {
            if (__builtin_sub_overflow(value, product(), &value))
                return fail("overflow");
        } else {
            break;
        }
    }
    return value;
}

static int64_t statement(void)
{
    char name[MAX_NAME];
    const char *start = at;

    if (read_name(name) && accept('=')) {
        int64_t value = statement();
        if (problem)
            return 0;
        struct variable *target = find(name);
        if (!target) {
            if (variable_count == MAX_NAMES)
                return fail("too many names");
            target = &variables[variable_count++];
            strcpy(target->name, name);
        }
        return target->value = value;
    }
    at = start;
    return sum();
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    int line_number = 0, failures = 0;

    while (getline(&line, &size, stdin) > 0) {
        line_number++;
        at = line;
        problem = NULL;
        depth = 0;
        if (accept('\0') || accept('#'))
            continue;
        int64_t value = statement();
        if (!problem && !accept('\0'))
            problem = "unexpected character";
        if (problem) {
            fprintf(stderr, "line %d: %s at column %d\n", line_number, problem,
                    (int)(at - line) + 1);
            failures++;
        } else {
            printf("%" PRId64 "\n", value);
        }
    }
    free(line);
    return failures > 0;
}
