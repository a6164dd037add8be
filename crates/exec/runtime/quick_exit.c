/* The end without exit functions and without writing out buffers, but with
 * functions of its own. */
void (*__ripple_quick_exit_next(void))(void);
void _exit(int status) NORETURN;
void quick_exit(int status) NORETURN;

void quick_exit(int status) {
    void (*function)(void);

    while ((function = __ripple_quick_exit_next()) != NULL)
        function();
    _exit(status);
}
