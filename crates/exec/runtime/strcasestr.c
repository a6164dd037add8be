/* The first place of a word in a string without regard to case. */

char *strcasestr(const char *text, const char *word) {
    for (;; text++) {
        size_t at = 0;
        while (word[at] != 0 && tolower((unsigned char)text[at]) == tolower((unsigned char)word[at]))
            at++;
        if (word[at] == 0)
            return (char *)text;
        if (text[at] == 0)
            return NULL;
    }
}

char *__strcasestr(const char *text, const char *word) { return strcasestr(text, word); }
