long parse(const char *text)
{
    long value = 0;
    int sign = (*text == '-' ? -1 : 1);
    if (sign < 0)
        text++;
    do {
        if (is_digit(*text))
            value = 10 * value + sign * (*text - '0');
    } while (*++text);
    return value * sign;
}
