/* Device numbers, sets of processors and of descriptors: small functions that
 * macros of the system's headers call. */

unsigned gnu_dev_major(unsigned long device) {
    return (unsigned)((device >> 8 & 0xfff) | (device >> 32 & ~0xfffUL));
}

unsigned gnu_dev_minor(unsigned long device) {
    return (unsigned)((device & 0xff) | (device >> 12 & ~0xffUL));
}

unsigned long gnu_dev_makedev(unsigned major, unsigned minor) {
    unsigned long high = major, low = minor;
    return (high & 0xfff) << 8 | (high & ~0xfffUL) << 32 | (low & 0xff) | (low & ~0xffUL) << 12;
}

void *__sched_cpualloc(size_t count) { return malloc((count + 63) / 64 * 8); }

void __sched_cpufree(void *set) { free(set); }

int __sched_cpucount(size_t size, const unsigned long *set) {
    int count = 0;
    for (size_t i = 0; i < size / sizeof *set; i++)
        for (unsigned long bits = set[i]; bits != 0; bits &= bits - 1)
            count++;
    return count;
}

/* The word of a descriptor set; a descriptor that it has no room for ends the
 * program. */
long __fdelt_chk(long descriptor) {
    if (descriptor < 0 || descriptor >= 1024)
        __chk_fail();
    return descriptor / 64;
}

long __fdelt_warn(long descriptor) { return __fdelt_chk(descriptor); }
