/* The databases of the network: empty, as without a network. */

int *__h_errno_location(void) {
    static int number;
    return &number;
}

/* The resolver answers: host not found. */
static void *no_host(void) {
    *__h_errno_location() = 1;
    return NULL;
}

void *gethostbyname(const char *name) {
    (void)name;
    return no_host();
}

void *gethostbyname2(const char *name, int family) {
    (void)name;
    (void)family;
    return no_host();
}

void *gethostbyaddr(const void *address, unsigned length, int family) {
    (void)address;
    (void)length;
    (void)family;
    return no_host();
}

void *getservbyname(const char *name, const char *protocol) {
    (void)name;
    (void)protocol;
    return NULL;
}

void *getservbyport(int port, const char *protocol) {
    (void)port;
    (void)protocol;
    return NULL;
}

void *getprotobyname(const char *name) {
    (void)name;
    return NULL;
}

void *getprotobynumber(int number) {
    (void)number;
    return NULL;
}

void *getservent(void) { return NULL; }

void setservent(int stays_open) { (void)stays_open; }

void endservent(void) {}

void *getprotoent(void) { return NULL; }

void setprotoent(int stays_open) { (void)stays_open; }

void endprotoent(void) {}

void sethostent(int stays_open) { (void)stays_open; }

void endhostent(void) {}
