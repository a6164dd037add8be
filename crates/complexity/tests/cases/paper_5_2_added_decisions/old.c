void consider(struct entry *entry)
{
    if (entry->kind == UNREADABLE) {
        complain(entry);
    }
}
