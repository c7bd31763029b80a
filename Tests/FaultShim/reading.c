// Reading that fails: CF_READ_FAIL is the path of a file in the folder, CF_READ_FROM the first byte that cannot be read.
#if defined(__linux__)
#include "shim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int planned_error(void) {
    const char *text = getenv("CF_ERRNO");
    int value = text && *text ? atoi(text) : 0;
    return value ? value : EIO;
}

static bool fails(int fd, off_t end) {
    const char *name = getenv("CF_READ_FAIL");
    if (!name || !*name) return false;
    const char *from = getenv("CF_READ_FROM");
    struct shim_place place;
    if (end <= (from ? atoll(from) : 0) || !shim_descriptor(fd, &place) || strcmp(place.path, name)) return false;
    errno = planned_error();
    return true;
}

ssize_t pread(int fd, void *bytes, size_t length, off_t offset) {
    return fails(fd, offset + (off_t)length) ? -1 : REAL(pread)(fd, bytes, length, offset);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
    return fails(fd, (off_t)offset + (off_t)length) ? -1 : REAL(pread64)(fd, bytes, length, offset);
}

ssize_t read(int fd, void *bytes, size_t length) {
    const char *name = getenv("CF_READ_FAIL");
    if (name && *name && fails(fd, lseek(fd, 0, SEEK_CUR) + (off_t)length)) return -1;
    return REAL(read)(fd, bytes, length);
}
#endif
