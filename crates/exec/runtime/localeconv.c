/* How numbers and money are written in the C locale. */

struct lconv {
    char *decimal_point;
    char *thousands_sep;
    char *grouping;
    char *int_curr_symbol;
    char *currency_symbol;
    char *mon_decimal_point;
    char *mon_thousands_sep;
    char *mon_grouping;
    char *positive_sign;
    char *negative_sign;
    char unknown[14]; /* CHAR_MAX: digits, places of signs and symbols. */
};

struct lconv *localeconv(void) {
    static struct lconv conventions = {
        ".", "", "", "", "", "", "", "", "", "",
        {127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127},
    };
    return &conventions;
}
