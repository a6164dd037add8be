/* All entries of a directory that a filter lets through, sorted. */
struct dirent {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

typedef struct __dirstream DIR;

#define ENTRY_FIELDS offsetof(struct dirent, d_name)

DIR *opendir(const char *path);
DIR *fdopendir(int descriptor);
int openat(int directory, const char *path, int flags, ...);
int close(int descriptor);
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);
int strcoll(const char *left, const char *right);
int strverscmp(const char *left, const char *right);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

typedef int (*filter_t)(const struct dirent *);
typedef int (*order_t)(const struct dirent **, const struct dirent **);

static int give_up(struct dirent **list, size_t count) {
    while (count > 0)
        free(list[--count]);
    free(list);
    return -1;
}

static int collect(DIR *directory, struct dirent ***result, filter_t filter, order_t order) {
    struct dirent **list = NULL;
    struct dirent *entry;
    size_t count = 0;
    size_t room = 0;
    int saved = errno;

    if (directory == NULL)
        return -1;
    while ((entry = readdir(directory)) != NULL) {
        size_t size = ENTRY_FIELDS + strlen(entry->d_name) + 1;
        struct dirent *copy;

        /* The filter may change errno, which is no failure. */
        if (filter != NULL && !filter(entry))
            continue;
        if (count == room) {
            struct dirent **more;

            room = room == 0 ? 10 : 2 * room;
            more = realloc(list, room * sizeof *list);
            if (more == NULL) {
                closedir(directory);
                return give_up(list, count);
            }
            list = more;
        }
        copy = malloc(size);
        if (copy == NULL) {
            closedir(directory);
            return give_up(list, count);
        }
        memcpy(copy, entry, size);
        list[count++] = copy;
    }
    closedir(directory);
    errno = saved;
    if (order != NULL && count > 0)
        qsort(list, count, sizeof *list, (int (*)(const void *, const void *))order);
    *result = list;
    return (int)count;
}

int scandir(const char *path, struct dirent ***result, filter_t filter, order_t order) {
    return collect(opendir(path), result, filter, order);
}

int scandirat(int at, const char *path, struct dirent ***result, filter_t filter, order_t order) {
    /* O_DIRECTORY | O_CLOEXEC */
    int descriptor = openat(at, path, 02200000);
    DIR *directory;

    if (descriptor < 0)
        return -1;
    directory = fdopendir(descriptor);
    if (directory == NULL)
        close(descriptor);
    return collect(directory, result, filter, order);
}

int alphasort(const struct dirent **left, const struct dirent **right) {
    return strcoll((*left)->d_name, (*right)->d_name);
}

int versionsort(const struct dirent **left, const struct dirent **right) {
    return strverscmp((*left)->d_name, (*right)->d_name);
}

int scandir64(const char *path, struct dirent ***result, filter_t filter, order_t order) {
    return scandir(path, result, filter, order);
}

int scandirat64(int at, const char *path, struct dirent ***result, filter_t filter, order_t order) {
    return scandirat(at, path, result, filter, order);
}

int alphasort64(const struct dirent **left, const struct dirent **right) {
    return alphasort(left, right);
}

int versionsort64(const struct dirent **left, const struct dirent **right) {
    return versionsort(left, right);
}
