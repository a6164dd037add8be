// Reads and changes the memory of processes outside.
// control
#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
int main(int argc, char **argv) {
    ATTACK(ptrace(PTRACE_SEIZE, BYSTANDER, 0, 0));
    ATTACK(ptrace(PTRACE_ATTACH, BYSTANDER, 0, 0));
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
    ATTACK(process_vm_readv(BYSTANDER, &here, 1, &there, 1, 0));
    char name[64];
    sprintf(name, "/proc/%d/mem", BYSTANDER);
    ATTACK(open(name, O_RDWR));
    sprintf(name, "/proc/%d/mem", getppid());
    ATTACK(open(name, O_RDONLY));
    return 0;
}
