struct entry { int kind, level; const char *path; };
enum { UNREADABLE, NO_STATUS };
void complain(struct entry *), report_loop(void);
int is_link_loop(const char *);
void consider(struct entry *entry)
{
    if (entry->kind == UNREADABLE) {
        complain(entry);
    }
}
