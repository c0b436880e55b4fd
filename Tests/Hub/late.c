// Holds the end of a process for half a second, after the handlers of its libraries and before its threads are gone.

#include <stdlib.h>
#include <unistd.h>

static void wait_a_moment(void) { usleep(500000); }

// Handlers run in the opposite order, and this one comes first of all.
__attribute__((constructor)) static void begin(void) { atexit(wait_a_moment); }
