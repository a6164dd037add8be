/* Walking a tree of files. */

#define FTW_F 0
#define FTW_D 1
#define FTW_DNR 2
#define FTW_NS 3
#define FTW_SL 4
#define FTW_DP 5
#define FTW_SLN 6
#define FTW_PHYS 1
#define FTW_MOUNT 2
#define FTW_CHDIR 4
#define FTW_DEPTH 8
#define FTW_ACTIONRETVAL 16
#define FTW_SKIP_SUBTREE 2
#define FTW_SKIP_SIBLINGS 3

struct dirent {
    uint64_t d_ino;
    int64_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

struct stat {
    uint64_t st_dev;
    uint64_t st_ino;
    uint64_t st_nlink;
    unsigned st_mode;
    char behind[116];
};

struct FTW {
    int base;
    int level;
};

void *opendir(const char *path);
struct dirent *readdir(void *directory);
int closedir(void *directory);
int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);

typedef int visitor(const char *, const struct stat *, int, struct FTW *);
typedef int simple_visitor(const char *, const struct stat *, int);

/* A directory on the way to the current one. */
struct ancestor {
    const struct ancestor *above;
    uint64_t device;
    uint64_t number;
};

struct walk {
    visitor *visit;
    simple_visitor *visit_simply;
    int flags;
    uint64_t device;
};

static int call(struct walk *walk, const char *path, const struct stat *info, int kind, int base,
                int level) {
    struct FTW place = {base, level};
    return walk->visit != NULL ? walk->visit(path, info, kind, &place)
                               : walk->visit_simply(path, info, kind);
}

static int is_kind(const struct stat *info, unsigned kind) {
    return (info->st_mode & 0170000) == kind;
}

/* Looks at a file: its kind, or -1 for an error. The root must be there. */
static int look(struct walk *walk, const char *path, int level, struct stat *info) {
    int follows = !(walk->flags & FTW_PHYS);
    if ((follows ? stat(path, info) : lstat(path, info)) == 0) {
        if (is_kind(info, 0040000))
            return FTW_D;
        return is_kind(info, 0120000) ? FTW_SL : FTW_F;
    }
    int number = errno;
    if (number != EACCES && number != ENOENT)
        return -1;
    if (follows && lstat(path, info) == 0 && is_kind(info, 0120000))
        return walk->visit != NULL ? FTW_SLN : FTW_NS;
    errno = number;
    return level == 0 ? -1 : FTW_NS;
}

static int visit(struct walk *walk, const char *path, int base, int level,
                 const struct ancestor *above);

static int visit_entries(struct walk *walk, void *directory, const char *path, int level,
                         const struct ancestor *above) {
    size_t length = strlen(path), slash = length == 0 || path[length - 1] != '/';
    int result = 0;
    for (const struct dirent *entry; result == 0 && (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *below = malloc(length + slash + strlen(entry->d_name) + 1);
        if (below == NULL)
            return -1;
        memcpy(below, path, length);
        memcpy(below + length, "/", slash);
        strcpy(below + length + slash, entry->d_name);
        result = visit(walk, below, (int)(length + slash), level + 1, above);
        free(below);
    }
    if ((walk->flags & FTW_ACTIONRETVAL) && result == FTW_SKIP_SIBLINGS)
        result = 0;
    return result;
}

static int visit_directory(struct walk *walk, const char *path, const struct stat *info, int base,
                           int level, const struct ancestor *above) {
    struct ancestor self = {above, info->st_dev, info->st_ino};
    for (; above != NULL; above = above->above)
        if (above->device == self.device && above->number == self.number)
            return 0; /* A link that leads back up. */
    void *directory = opendir(path);
    if (directory == NULL)
        return errno == EACCES ? call(walk, path, info, FTW_DNR, base, level) : -1;
    int result = 0;
    if (!(walk->flags & FTW_DEPTH))
        result = call(walk, path, info, FTW_D, base, level);
    if ((walk->flags & FTW_ACTIONRETVAL) && result == FTW_SKIP_SUBTREE) {
        closedir(directory);
        return 0;
    }
    if (result == 0)
        result = visit_entries(walk, directory, path, level, &self);
    closedir(directory);
    if (result == 0 && (walk->flags & FTW_DEPTH))
        result = call(walk, path, info, FTW_DP, base, level);
    return result;
}

static int visit(struct walk *walk, const char *path, int base, int level,
                 const struct ancestor *above) {
    struct stat info;
    memset(&info, 0, sizeof info);
    int kind = look(walk, path, level, &info);
    if (kind < 0)
        return -1;
    if (level == 0)
        walk->device = info.st_dev;
    else if ((walk->flags & FTW_MOUNT) && kind != FTW_NS && info.st_dev != walk->device)
        return 0;
    int result = kind == FTW_D ? visit_directory(walk, path, &info, base, level, above)
                               : call(walk, path, &info, kind, base, level);
    if ((walk->flags & FTW_ACTIONRETVAL) && result == FTW_SKIP_SUBTREE)
        return 0;
    return result;
}

static int start(struct walk *walk, const char *path) {
    if (*path == 0) {
        errno = ENOENT;
        return -1;
    }
    char *copy = strdup(path);
    if (copy == NULL)
        return -1;
    size_t length = strlen(copy);
    while (length > 1 && copy[length - 1] == '/')
        copy[--length] = 0;
    char *slash = strrchr(copy, '/');
    int base = slash == NULL || length == 1 ? 0 : (int)(slash + 1 - copy);
    int result = visit(walk, copy, base, 0, NULL);
    free(copy);
    return result;
}

/* Changing the directory on the way is refused: the paths would be relative to
 * it. */
int nftw(const char *path, visitor *visit, int descriptors, int flags) {
    struct walk walk = {visit, NULL, flags, 0};
    (void)descriptors;
    if ((flags & ~31) != 0 || (flags & FTW_CHDIR)) {
        errno = EINVAL;
        return -1;
    }
    return start(&walk, path);
}

int ftw(const char *path, simple_visitor *visit, int descriptors) {
    struct walk walk = {NULL, visit, 0, 0};
    (void)descriptors;
    return start(&walk, path);
}

int nftw64(const char *path, visitor *visit, int descriptors, int flags) {
    return nftw(path, visit, descriptors, flags);
}

int ftw64(const char *path, simple_visitor *visit, int descriptors) {
    return ftw(path, visit, descriptors);
}
