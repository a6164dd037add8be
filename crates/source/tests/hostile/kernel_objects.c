// Keeps things in the kernel that outlive it, and uses its observers.
#include "attack.h"
#include <mqueue.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main(int argc, char **argv) {
    ATTACK(syscall(SYS_add_key, "user", "hostile", "x", 1, -4));
    ATTACK(syscall(SYS_keyctl, 0, -4, 1));
    ATTACK(syscall(SYS_request_key, "user", "hostile", 0, -4));
    char attributes[128] = {0};
    ATTACK(syscall(SYS_bpf, 0, attributes, sizeof attributes));
    ATTACK(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
    ATTACK(syscall(SYS_userfaultfd, 0));
    ATTACK(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    ATTACK(semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
    ATTACK(msgget(IPC_PRIVATE, IPC_CREAT | 0600));
    ATTACK(syscall(SYS_mq_open, "hostile", O_CREAT | O_RDWR, 0600, 0));
    ATTACK(shm_open("/hostile", O_CREAT | O_RDWR, 0600));
    ATTACK(syscall(SYS_inotify_init1, 0));
    ATTACK(syscall(SYS_fanotify_init, 0, 0));
    char handle[128] = {8};
    int mount;
    ATTACK(syscall(SYS_name_to_handle_at, AT_FDCWD, OUTSIDE, handle, &mount, 0));
    ATTACK(syscall(SYS_open_by_handle_at, AT_FDCWD, handle, O_RDONLY));
    return 0;
}
