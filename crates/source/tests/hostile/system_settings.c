// Changes settings of the system.
#include "attack.h"
int main(void) {
    ATTACK(open("/proc/sys/kernel/hostname", O_WRONLY));
    ATTACK(open("/proc/sys/kernel/core_pattern", O_RDWR));
    ATTACK(open("/proc/sys/vm/drop_caches", O_WRONLY));
    ATTACK(open("/proc/sysrq-trigger", O_WRONLY));
    ATTACK(open("/sys/power/state", O_WRONLY));
    ATTACK(open("/sys/kernel/mm/transparent_hugepage/enabled", O_WRONLY));
    ATTACK(sethostname("hostile", 7));
    ATTACK(setdomainname("hostile", 7));
    ATTACK(syscall(SYS_reboot, 0, 0, 0, 0));
    ATTACK(syscall(SYS_syslog, 3, 0, 0));
    ATTACK(syscall(SYS_init_module, 0, 0, ""));
    ATTACK(syscall(SYS_kexec_load, 0, 0, 0, 0));
    ATTACK(syscall(SYS_iopl, 3));
    ATTACK(syscall(SYS_swapon, "/etc/hosts", 0));
    ATTACK(syscall(SYS_acct, "accounts"));
    ATTACK(syscall(SYS_quotactl, 0, 0, 0, 0));
    return 0;
}
