/* Floating point numbers from text. An argument that was declared as an integer
 * is that integer. A decimal number of few digits is computed here, by one
 * multiplication or division of two numbers that are exact, so that the result
 * is the nearest one (Clinger, 1990). The machine reads all other texts. */

double __ripple_strtod(const char *text, char **end);
float __ripple_strtof(const char *text, char **end);
long double __ripple_strtold(const char *text, char **end);

/* A text taken apart: digits times a power of ten. */
struct decimal {
    const char *end;
    unsigned long digits;
    int exponent;
    int is_negative;
};

static int is_digit(char c) { return (unsigned)(c - '0') < 10; }

/* The exponent behind the digits, if there is one. 0 if it is long. */
static int read_exponent(const char *at, struct decimal *number) {
    if ((*at | 32) != 'e')
        return 1;
    at++;
    int is_negative = 0;
    if (*at == '-') {
        is_negative = 1;
        at++;
    } else if (*at == '+') {
        at++;
    }
    if (!is_digit(*at))
        return 1;
    int exponent = 0;
    for (int count = 0; is_digit(*at); at++) {
        if (++count > 4)
            return 0;
        exponent = exponent * 10 + (*at - '0');
    }
    number->exponent += is_negative ? -exponent : exponent;
    number->end = at;
    return 1;
}

/* Reads a decimal number of at most `most` digits; 0 if it is something else. */
static int read_decimal(const char *at, int most, struct decimal *number) {
    while ((*at == ' ') | ((unsigned)(*at - '\t') < 5))
        at++;
    number->is_negative = *at == '-';
    if (number->is_negative)
        at++;
    else if (*at == '+')
        at++;
    number->digits = 0;
    number->exponent = 0;
    int count = 0, point = 0;
    for (;; at++) {
        if (is_digit(*at)) {
            if (++count > most)
                return 0;
            number->digits = number->digits * 10 + (unsigned)(*at - '0');
            number->exponent -= point;
        } else if (*at == '.' && !point) {
            point = 1;
        } else {
            break;
        }
    }
    number->end = at;
    /* A lone 0 may be the beginning of a hexadecimal number. */
    if (count == 0 || (count == 1 && !point && (*at | 32) == 'x'))
        return 0;
    return read_exponent(at, number);
}

static int is_between(int value, int low, int high) { return value >= low && value <= high; }

static double double_power(int exponent) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return powers[exponent];
}

double strtod(const char *text, char **end) {
    long integer;
    long length = __ripple_integer(text, &integer);
    struct decimal number;
    double value;
    if (length != 0) {
        number.end = text + length;
        value = (double)integer;
    } else if (read_decimal(text, 15, &number) && is_between(number.exponent, -22, 22)) {
        value = (double)(long)number.digits;
        if (number.exponent < 0)
            value /= double_power(-number.exponent);
        else if (number.exponent > 0)
            value *= double_power(number.exponent);
        if (number.is_negative)
            value = -value;
    } else {
        return __ripple_strtod(text, end);
    }
    if (end != NULL)
        *end = (char *)number.end;
    return value;
}

float strtof(const char *text, char **end) {
    long integer;
    long length = __ripple_integer(text, &integer);
    struct decimal number;
    float value;
    if (length != 0) {
        number.end = text + length;
        value = (float)integer;
    } else if (read_decimal(text, 7, &number) && is_between(number.exponent, -10, 10)) {
        value = (float)(int)number.digits;
        if (number.exponent < 0)
            value /= (float)double_power(-number.exponent);
        else if (number.exponent > 0)
            value *= (float)double_power(number.exponent);
        if (number.is_negative)
            value = -value;
    } else {
        return __ripple_strtof(text, end);
    }
    if (end != NULL)
        *end = (char *)number.end;
    return value;
}

long double strtold(const char *text, char **end) {
    long integer;
    long length = __ripple_integer(text, &integer);
    if (length == 0)
        return __ripple_strtold(text, end);
    if (end != NULL)
        *end = (char *)text + length;
    return (long double)integer;
}
