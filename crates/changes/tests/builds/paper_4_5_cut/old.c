int is_digit(int), read_digit(int), printf(const char *, ...); static int value, given, first = 1;
void set_fields(const char *field) {

  while (1) {
    if (is_digit(*field)) {
      value = read_digit(*field);

    } else if (*field == '-') {
      given = value;
      first = given ? value : 1;
    } else if (*field == 0) {
      printf("%d\n", first);
      break;
    }
    field++;
  }
}
