/* Network interfaces: none. */

unsigned if_nametoindex(const char *name) {
    (void)name;
    errno = 19; /* ENODEV */
    return 0;
}

char *if_indextoname(unsigned index, char *name) {
    (void)index;
    (void)name;
    errno = ENXIO;
    return NULL;
}
