/* Databases of accounts that are empty here: shadow passwords and logins; and
 * entries of users and groups as lines. */

struct passwd {
    char *pw_name;
    char *pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
};

struct group {
    char *gr_name;
    char *gr_passwd;
    gid_t gr_gid;
    char **gr_mem;
};

void *getspnam(const char *name) {
    (void)name;
    return NULL;
}

void *getspent(void) { return NULL; }

void setspent(void) {}

void endspent(void) {}

int lckpwdf(void) { return 0; }

int ulckpwdf(void) { return 0; }

void *getutxent(void) { return NULL; }

void *getutxid(const void *entry) {
    (void)entry;
    errno = ESRCH;
    return NULL;
}

void *getutxline(const void *entry) {
    (void)entry;
    errno = ESRCH;
    return NULL;
}

void setutxent(void) {}

void endutxent(void) {}

int utmpxname(const char *path) {
    (void)path;
    return 0;
}

int putpwent(const struct passwd *entry, FILE *stream) {
    if (entry == NULL || stream == NULL) {
        errno = EINVAL;
        return -1;
    }
    int length = fprintf(stream, "%s:%s:%u:%u:%s:%s:%s\n", entry->pw_name,
                         entry->pw_passwd == NULL ? "" : entry->pw_passwd, entry->pw_uid,
                         entry->pw_gid, entry->pw_gecos == NULL ? "" : entry->pw_gecos,
                         entry->pw_dir == NULL ? "" : entry->pw_dir,
                         entry->pw_shell == NULL ? "" : entry->pw_shell);
    return length < 0 ? -1 : 0;
}

int putgrent(const struct group *entry, FILE *stream) {
    if (entry == NULL || stream == NULL) {
        errno = EINVAL;
        return -1;
    }
    int length = fprintf(stream, "%s:%s:%u:", entry->gr_name,
                         entry->gr_passwd == NULL ? "" : entry->gr_passwd, entry->gr_gid);
    for (char **member = entry->gr_mem; length >= 0 && member != NULL && *member != NULL; member++)
        length = fprintf(stream, "%s%s", member == entry->gr_mem ? "" : ",", *member);
    return length < 0 || fputc('\n', stream) < 0 ? -1 : 0;
}
