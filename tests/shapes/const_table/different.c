static const unsigned char lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 31, 31, 30, 31};

int days(int month) { return month < 1 || month > 12 ? -1 : lengths[month - 1]; }
