/* The first place of a word in a string. The straightforward search: its
 * branches are those that a reader expects, and words are short. */

char *strstr(const char *text, const char *word) {
    for (;; text++) {
        size_t at = 0;
        while (word[at] != 0 && text[at] == word[at])
            at++;
        if (word[at] == 0)
            return (char *)text;
        if (text[at] == 0)
            return NULL;
    }
}
