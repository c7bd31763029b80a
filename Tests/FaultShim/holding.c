// Who opens, locks and closes which file: SQLite or other code. Closing any descriptor of a file drops all locks that
// the process has on it, so only SQLite may do that while SQLite has locks there.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int held_file = -1;

void shim_held_open(const char *path) {
    if (path && *path) held_file = shim_open_outside("CF_HELD", path);
}

// The file of the program or library in which the code is, without its folders.
static const char *owner_of(const void *caller) {
    Dl_info found;
    if (!dladdr(caller, &found) || !found.dli_fname) return "?";
    const char *slash = strrchr(found.dli_fname, '/');
    return slash ? slash + 1 : found.dli_fname;
}

// One line: what, the descriptor, the inode, whose code, the path.
static void note(const char *what, int fd, const void *caller) {
    struct shim_place place;
    if (held_file < 0 || fd < 0 || fd == held_file || !shim_descriptor(fd, &place) || place.directory) return;
    int kept = errno;
    char line[PATH_MAX + 256];
    int length = snprintf(line, sizeof line, "%s %d %llu %s %s\n", what, fd, (unsigned long long)place.inode,
        owner_of(caller), place.path);
    if (length > 0 && (size_t)length < sizeof line && REAL(write)(held_file, line, (size_t)length) != length) _exit(99);
    errno = kept;
}

int shim_opened(int fd, const void *caller) {
    note("open", fd, caller);
    return fd;
}

void shim_closing(int fd, const void *caller) { note("close", fd, caller); }

int close(int fd) {
    note("close", fd, __builtin_return_address(0));
    return REAL(close)(fd);
}

static int controlled(int fd, int command, void *argument, const void *caller) {
    bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    // The lock is reported before it is taken, so that no call of another thread comes between unseen.
    if (locks && ((struct flock *)argument)->l_type != F_UNLCK) note("lock", fd, caller);
    return REAL(fcntl)(fd, command, argument);
}

#define ARGUMENT_OF(command)                     \
    ({                                           \
        va_list rest;                            \
        va_start(rest, command);                 \
        void *found = va_arg(rest, void *);      \
        va_end(rest);                            \
        found;                                   \
    })

int fcntl(int fd, int command, ...) { return controlled(fd, command, ARGUMENT_OF(command), __builtin_return_address(0)); }
int fcntl64(int fd, int command, ...) {
    return controlled(fd, command, ARGUMENT_OF(command), __builtin_return_address(0));
}
#endif
