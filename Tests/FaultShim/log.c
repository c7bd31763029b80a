// The log of operations, and their count. Both are written as things happen, so that they are right whichever way
// the process ends.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int log_file = -1, count_file = -1;
static off_t count_end;

struct header {
    uint8_t kind;
    uint8_t flags;  // 1: unlinked, 2: directory
    uint16_t path_length;
    uint16_t other_length;
    uint16_t unused;
    int32_t error;
    uint32_t number;
    uint64_t inode;
    int64_t offset;
    uint64_t length;
    uint64_t printed;  // bytes on standard output by now, if that is a file
    uint64_t data_length;
};

int shim_open_outside(const char *variable, const char *path) {
    struct shim_place place;
    if (shim_path(AT_FDCWD, path, true, &place)) {
        dprintf(2, "fault shim: %s must lie outside CF_DIR\n", variable);
        _exit(99);
    }
    int low = REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int high = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, 500);
    if (high < 0) {
        dprintf(2, "fault shim: %s cannot be written\n", variable);
        _exit(99);
    }
    REAL(close)(low);
    return high;
}

void shim_log_open(const char *log, const char *count) {
    if (log && *log) {
        log_file = shim_open_outside("CF_LOG", log);
        if (REAL(write)(log_file, "CFLOG\0\0\1", 8) != 8) _exit(99);
    }
    if (count && *count) {
        count_file = shim_open_outside("CF_COUNT", count);
        count_end = 11;
        shim_log_count(0);
    }
}

bool shim_log_wanted(void) { return log_file >= 0; }

void shim_log_count(uint32_t number) {
    if (count_file < 0) return;
    char text[16];
    snprintf(text, sizeof text, "%010u\n", number);
    if (REAL(pwrite)(count_file, text, 11, 0) != 11) _exit(99);
}

static void note_unseen(const struct shim_operation *operation) {
    if (count_file < 0) return;
    char text[PATH_MAX + 128];
    int length = snprintf(text, sizeof text, "%s: %s\n", operation->place->path, operation->other);
    if (length < 0 || (size_t)length >= sizeof text) return;
    if (REAL(pwrite)(count_file, text, (size_t)length, count_end) != length) _exit(99);
    count_end += length;
}

void shim_log_write(const struct shim_operation *operation, uint32_t number, int error) {
    if (operation->kind == SHIM_UNSEEN) note_unseen(operation);
    if (log_file < 0) return;
    const char *other = operation->other ? operation->other : "";
    struct stat printed;
    struct header header = {
        .kind = (uint8_t)operation->kind,
        .flags = (uint8_t)((operation->place->gone ? 1 : 0) | (operation->place->directory ? 2 : 0)),
        .path_length = (uint16_t)strlen(operation->place->path),
        .other_length = (uint16_t)strlen(other),
        .error = error,
        .number = number,
        .inode = operation->place->inode,
        .offset = operation->offset,
        .length = operation->length,
        .printed = fstat(1, &printed) == 0 && S_ISREG(printed.st_mode) ? (uint64_t)printed.st_size : 0,
        .data_length = operation->data_length,
    };
    struct iovec parts[4] = {
        {&header, sizeof header},
        {(void *)operation->place->path, header.path_length},
        {(void *)other, header.other_length},
        {(void *)operation->data, operation->data_length},
    };
    size_t left = sizeof header + header.path_length + header.other_length + operation->data_length;
    // A log that is cut short would be believed: rather no run at all.
    if (REAL(writev)(log_file, parts, 4) != (ssize_t)left) _exit(99);
}
#endif
