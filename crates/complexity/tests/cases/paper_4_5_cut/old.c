void set_fields(const char *field)
{
    while (true) {
        if (is_digit(*field)) {
            value = read_digit(*field);
        } else if (*field == '-') {
            given = value;
            first = given ? value : 1;
        } else if (*field == END) {
            assert(first != 0);
            break;
        }
        field++;
    }
}
