/* The parts of a path: the GNU and the POSIX basename, and dirname. */

char *basename(const char *path) {
    char *slash = strrchr(path, '/');
    return slash == NULL ? (char *)path : slash + 1;
}

/* The length of the path without trailing slashes; 1 for the root. */
static size_t trimmed(const char *path, size_t length) {
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

char *__xpg_basename(char *path) {
    if (path == NULL || *path == 0)
        return ".";
    size_t end = trimmed(path, strlen(path));
    if (end == 1 && path[0] == '/') /* Only slashes: the last one is the name. */
        return path + strlen(path) - 1;
    if (path[end] != 0)
        path[end] = 0;
    while (end > 0 && path[end - 1] != '/')
        end--;
    return path + end;
}

char *dirname(char *path) {
    if (path == NULL || *path == 0)
        return ".";
    size_t end = trimmed(path, strlen(path));
    if (end == 1 && path[0] == '/' && path[1] != '/') {
        path[1] = 0;
        return path;
    }
    while (end > 0 && path[end - 1] != '/')
        end--;
    if (end == 0)
        return ".";
    end = trimmed(path, end);
    /* Exactly two leading slashes are a root of their own. */
    if (end == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        end = 2;
    path[end] = 0;
    return path;
}
