// Changes modes, owners, times and attributes of files elsewhere, by name and by descriptor.
// control
#include "attack.h"
#include <sys/xattr.h>
#include <sys/ioctl.h>
#include <utime.h>
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
int main(int argc, char **argv) {
    const char *names[] = {in(OUTSIDE, "victim"), "/proc/self/exe", "/etc/passwd"};
    struct timespec now[2] = {{1, 1}, {1, 1}};
    for (int n = 0; n < 3; n++) {
        const char *name = names[n];
        if (n == 2 && getenv("UNCONFINED")) break;
        ATTACK(chmod(name, 0777));
        ATTACK(fchmodat(AT_FDCWD, name, 0777, 0));
        ATTACK(chown(name, getuid(), getgid()));
        ATTACK(lchown(name, getuid(), getgid()));
        ATTACK(utime(name, 0));
        ATTACK(utimes(name, 0));
        ATTACK(utimensat(AT_FDCWD, name, now, 0));
        ATTACK(syscall(SYS_fchmodat2, AT_FDCWD, name, 0777, 0) == 0 ? 0 : -1);
        ATTACK(setxattr(name, "user.a", "b", 1, 0));
        int handle = open(name, O_PATH);
        char link[64];
        sprintf(link, "/proc/self/fd/%d", handle);
        ATTACK(chmod(link, 0777));
        ATTACK(fchownat(handle, "", getuid(), getgid(), AT_EMPTY_PATH));
        int file = open(name, O_RDONLY);
        if (file < 0) continue;
        int flags = 0;
        ATTACK(fchmod(file, 0777));
        ATTACK(fchown(file, getuid(), getgid()));
        ATTACK(futimens(file, now));
        ATTACK(ioctl(file, 0x40086602 /* FS_IOC_SETFLAGS */, &flags));
        ATTACK(fcntl(file, 1024 /* F_SETLEASE */, F_WRLCK));
    }
    return 0;
}
