/* Texts of the errors of regular expressions. */

size_t regerror(int error, const regex_t *compiled, char *to, size_t size) {
    static const char *const texts[17] = {
        "Success",
        "No match",
        "Invalid regular expression",
        "Invalid collation character",
        "Invalid character class name",
        "Trailing backslash",
        "Invalid back reference",
        "Unmatched [, [^, [:, [., or [=",
        "Unmatched ( or \\(",
        "Unmatched \\{",
        "Invalid content of \\{\\}",
        "Invalid range end",
        "Memory exhausted",
        "Invalid preceding regular expression",
        "Premature end of regular expression",
        "Regular expression too big",
        "Unmatched ) or \\)",
    };
    (void)compiled;
    if (error < 0 || error > 16)
        abort();
    size_t length = strlen(texts[error]) + 1;
    if (size > 0) {
        size_t copied = length < size ? length : size;
        memcpy(to, texts[error], copied);
        to[copied - 1] = 0;
    }
    return length;
}
