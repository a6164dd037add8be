void set_fields(const char *field)
{
    bool left = false;
    while (true) {
        if (is_digit(*field)) {
            value = read_digit(*field);
            left = true;
        } else if (*field == '-') {
            given = left;
            first = given ? value : 1;
        } else if (*field == END) {
            assert(first != 0);
            break;
        }
        field++;
    }
}
