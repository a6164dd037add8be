/* The table of mounted file systems: lines of six fields. */

struct mntent {
    char *mnt_fsname;
    char *mnt_dir;
    char *mnt_type;
    char *mnt_opts;
    int mnt_freq;
    int mnt_passno;
};

FILE *fopen(const char *path, const char *mode);
int fclose(FILE *stream);
char *fgets(char *to, int size, FILE *stream);
char *strsep(char **text, const char *separators);

FILE *setmntent(const char *path, const char *mode) { return fopen(path, mode); }

int endmntent(FILE *stream) {
    if (stream != NULL)
        fclose(stream);
    return 1;
}

/* Blanks and backslashes stand in a field as octal numbers. */
static char *decode(char *field) {
    char *to = field;
    for (char *from = field; *from != 0;) {
        int is_octal = from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
                       from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
        if (is_octal) {
            *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
    return field;
}

static char *field(char **line) {
    char *text = *line == NULL ? NULL : *line + strspn(*line, " \t");
    *line = text;
    return text == NULL || *text == 0 ? "" : decode(strsep(line, " \t"));
}

struct mntent *getmntent_r(FILE *stream, struct mntent *entry, char *buffer, int size) {
    for (;;) {
        if (fgets(buffer, size, stream) == NULL)
            return NULL;
        buffer[strcspn(buffer, "\n")] = 0;
        char *line = buffer + strspn(buffer, " \t");
        if (*line == 0 || *line == '#')
            continue;
        entry->mnt_fsname = field(&line);
        entry->mnt_dir = field(&line);
        entry->mnt_type = field(&line);
        entry->mnt_opts = field(&line);
        entry->mnt_freq = (int)strtol(field(&line), NULL, 10);
        entry->mnt_passno = (int)strtol(field(&line), NULL, 10);
        return entry;
    }
}

struct mntent *getmntent(FILE *stream) {
    static struct mntent entry;
    static char buffer[4096];
    return getmntent_r(stream, &entry, buffer, sizeof buffer);
}

/* Where an option stands among the options, or NULL. */
char *hasmntopt(const struct mntent *entry, const char *option) {
    size_t length = strlen(option);
    char *at = entry->mnt_opts;
    while ((at = strstr(at, option)) != NULL) {
        int begins = at == entry->mnt_opts || at[-1] == ',';
        if (begins && (at[length] == 0 || at[length] == '=' || at[length] == ','))
            return at;
        at = strchr(at, ',');
        if (at == NULL)
            return NULL;
        at++;
    }
    return NULL;
}
