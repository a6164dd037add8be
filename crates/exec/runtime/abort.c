/* The abnormal end: a handler for SIGABRT is called first, but cannot avoid it
 * by returning. */
int __ripple_abort_caught(void);
void __ripple_abort(void) NORETURN;
void __ripple_signal_deliver(void);

void abort(void) {
    if (__ripple_abort_caught())
        __ripple_signal_deliver();
    __ripple_abort();
}
