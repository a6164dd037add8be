void consider(struct entry *entry)
{
    if (entry->kind == UNREADABLE) {
        complain(entry);
    } else if (entry->kind == NO_STATUS) {
        if (entry->level == 0) {
            report_loop();
        } else {
            if (is_link_loop(entry->path)) {
                report_loop();
            }
        }
    }
}
