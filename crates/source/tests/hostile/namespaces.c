// Makes a world of its own, in which it is the administrator.
#include "attack.h"
#include <sched.h>
#include <sys/mount.h>
int main(void) {
    ATTACK(unshare(CLONE_NEWUSER));
    ATTACK(unshare(CLONE_NEWNS));
    ATTACK(unshare(CLONE_NEWNET));
    ATTACK(unshare(CLONE_NEWPID));
    ATTACK(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    char arguments[88] = {0};
    ATTACK(syscall(435 /* clone3 */, arguments, sizeof arguments));
    ATTACK(mount("none", ".", "tmpfs", 0, 0));
    ATTACK(mount("/", ".", 0, MS_BIND, 0));
    ATTACK(umount("/proc"));
    ATTACK(chroot("."));
    ATTACK(syscall(SYS_pivot_root, ".", "."));
    ATTACK(syscall(428 /* open_tree */, AT_FDCWD, "/", 1));
    ATTACK(syscall(430 /* fsopen */, "tmpfs", 0));
    ATTACK(setns(0, 0));
    return 0;
}
