/* The words and formats of the C locale. */

/* Time and date from item 0x20000: names of days and months, short and long,
 * halves of the day, formats of date and time. */
static const char *const time_items[44] = {
    "Sun",      "Mon",     "Tue",       "Wed",      "Thu",      "Fri",     "Sat",
    "Sunday",   "Monday",  "Tuesday",   "Wednesday", "Thursday", "Friday",  "Saturday",
    "Jan",      "Feb",     "Mar",       "Apr",      "May",      "Jun",     "Jul",
    "Aug",      "Sep",     "Oct",       "Nov",      "Dec",      "January", "February",
    "March",    "April",   "May",       "June",     "July",     "August",  "September",
    "October",  "November", "December", "AM",       "PM",       "%a %b %e %H:%M:%S %Y",
    "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p",
};

char *nl_langinfo(int item) {
    if (item >= 0x20000 && item < 0x20000 + 44)
        return (char *)time_items[item - 0x20000];
    if (item >= 0x2006f && item < 0x2006f + 12) /* Months without a day. */
        return (char *)time_items[26 + item - 0x2006f];
    switch (item) {
    case 14: return "ANSI_X3.4-1968";
    case 0x10000: return ".";
    case 0x2006c: return "%a %b %e %H:%M:%S %Z %Y";
    case 0x4000f: return "-";
    case 0x50000: return "^[yY]";
    case 0x50001: return "^[nN]";
    default: return "";
    }
}

char *nl_langinfo_l(int item, void *locale) {
    (void)locale;
    return nl_langinfo(item);
}

/* 1 for yes, 0 for no, -1 for another answer. */
int rpmatch(const char *answer) {
    if (*answer == 'y' || *answer == 'Y')
        return 1;
    return *answer == 'n' || *answer == 'N' ? 0 : -1;
}
