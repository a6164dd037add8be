/* The database of groups: root, without further members. */

struct group {
    char *gr_name;
    char *gr_passwd;
    gid_t gr_gid;
    char **gr_mem;
};

static char *nobody[1];
static struct group root;
static int is_at_end;

static struct group *entry(void) {
    root.gr_name = "root";
    root.gr_passwd = "x";
    root.gr_gid = 0;
    root.gr_mem = nobody;
    return &root;
}

struct group *getgrnam(const char *name) { return strcmp(name, "root") == 0 ? entry() : NULL; }

struct group *getgrgid(gid_t group) { return group == 0 ? entry() : NULL; }

void setgrent(void) { is_at_end = 0; }

void endgrent(void) { is_at_end = 0; }

struct group *getgrent(void) {
    if (is_at_end)
        return NULL;
    is_at_end = 1;
    return entry();
}

static int copy(const struct group *from, struct group *to, char *buffer, size_t size,
                struct group **result) {
    *result = NULL;
    if (from == NULL)
        return 0;
    /* The vector of members comes first, at an aligned place. */
    size_t padding = -(uintptr_t)buffer % sizeof(char *);
    if (size < padding + sizeof(char *) + sizeof "root" + sizeof "x")
        return errno = ERANGE;
    char **members = (char **)(buffer + padding);
    *members = NULL;
    char *name = (char *)(members + 1);
    strcpy(name, from->gr_name);
    char *password = name + strlen(name) + 1;
    strcpy(password, from->gr_passwd);
    struct group entry = {name, password, from->gr_gid, members};
    *to = entry;
    *result = to;
    return 0;
}

int getgrnam_r(const char *name, struct group *to, char *buffer, size_t size,
               struct group **result) {
    return copy(getgrnam(name), to, buffer, size, result);
}

int getgrgid_r(gid_t group, struct group *to, char *buffer, size_t size, struct group **result) {
    return copy(getgrgid(group), to, buffer, size, result);
}

int getgrouplist(const char *user, gid_t group, gid_t *groups, int *count) {
    (void)user;
    int room = *count;
    *count = 1;
    if (room < 1)
        return -1;
    groups[0] = group;
    return 1;
}
