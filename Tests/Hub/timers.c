// Loaded before Debian's faketime, which moves every timer with an absolute time by the offset of the time of day, also
// those of clocks that nobody sets: a timer is what the kernel makes of it.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int file, int flags, const struct itimerspec *value, struct itimerspec *old) {
    return (int)syscall(SYS_timerfd_settime, file, flags, value, old);
}
