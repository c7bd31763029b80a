// The calls that change a file's content or length.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

// FICLONE, without <linux/fs.h>, whose other names clash with libc's on some systems.
#define CLONE_REQUEST _IOW(0x94, 9, int)

// One write of `length` bytes; offset -1 is the descriptor's own position.
static ssize_t put(int fd, const void *data, size_t length, off_t offset) {
    return offset < 0 ? REAL(write)(fd, data, length) : REAL(pwrite)(fd, data, length, offset);
}

static ssize_t write_counted(int fd, const void *data, size_t length, off_t offset) {
    struct shim_place place;
    enum shim_decision decision = shim_begin(SHIM_WRITE);
    if (!shim_descriptor(fd, &place)) memset(&place, 0, sizeof place);
    struct shim_operation operation = {.kind = SHIM_WRITE, .place = &place, .offset = offset, .length = length};
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_APPEND)) operation.offset = place.size;
    else if (offset < 0) operation.offset = lseek(fd, 0, SEEK_CUR);

    ssize_t written = -1;
    int error = 0;
    if (decision == SHIM_RUN) {
        written = put(fd, data, length, offset);
        if (written < 0) error = errno;
    } else if (decision == SHIM_FAIL) {
        error = shim_planned_error();
    } else {
        written = put(fd, data, length / 2, offset);
        if (decision == SHIM_HALF_THEN_DIE) shim_die();
        error = shim_planned_error();
    }
    operation.data = data;
    operation.data_length = written > 0 ? (uint64_t)written : 0;
    shim_end(&operation, error);
    if (error) {
        errno = error;
        return -1;
    }
    return written;
}

ssize_t write(int fd, const void *data, size_t length) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(write)(fd, data, length);
    return write_counted(fd, data, length, -1);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(pwrite)(fd, data, length, offset);
    return write_counted(fd, data, length, offset);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return pwrite(fd, data, length, offset); }

// Several pieces are one operation.
static ssize_t write_pieces(int fd, const struct iovec *pieces, int count, off_t offset) {
    size_t length = 0;
    for (int i = 0; i < count; i++) length += pieces[i].iov_len;
    char *whole = malloc(length ? length : 1);
    if (!whole) {
        errno = ENOMEM;
        return -1;
    }
    size_t filled = 0;
    for (int i = 0; i < count; i++) {
        memcpy(whole + filled, pieces[i].iov_base, pieces[i].iov_len);
        filled += pieces[i].iov_len;
    }
    ssize_t written = write_counted(fd, whole, length, offset);
    int kept = errno;
    free(whole);
    errno = kept;
    return written;
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(writev)(fd, pieces, count);
    return write_pieces(fd, pieces, count, -1);
}
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(pwritev)(fd, pieces, count, offset);
    return write_pieces(fd, pieces, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off64_t offset) {
    return pwritev(fd, pieces, count, offset);
}
ssize_t pwritev2(int fd, const struct iovec *pieces, int count, off_t offset, int flags) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(pwritev2)(fd, pieces, count, offset, flags);
    if (flags) shim_unseen(&place, "written by pwritev2 with flags");
    return write_pieces(fd, pieces, count, offset);
}
ssize_t pwritev64v2(int fd, const struct iovec *pieces, int count, off64_t offset, int flags) {
    return pwritev2(fd, pieces, count, offset, flags);
}

int ftruncate(int fd, off_t length) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(ftruncate)(fd, length);
    struct shim_operation operation = {.kind = SHIM_TRUNCATE, .place = &place, .length = (uint64_t)length};
    return SHIM_AROUND(&operation, int, -1, REAL(ftruncate)(fd, length));
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int truncate(const char *path, off_t length) {
    struct shim_place place;
    if (!shim_path(AT_FDCWD, path, true, &place)) return REAL(truncate)(path, length);
    struct shim_operation operation = {.kind = SHIM_TRUNCATE, .place = &place, .length = (uint64_t)length};
    return SHIM_AROUND(&operation, int, -1, REAL(truncate)(path, length));
}
int truncate64(const char *path, off64_t length) { return truncate(path, length); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(fallocate)(fd, mode, offset, length);
    if (mode) shim_unseen(&place, "changed by fallocate with a mode");
    struct shim_operation operation = {
        .kind = SHIM_ALLOCATE, .place = &place, .offset = offset, .length = (uint64_t)length};
    return SHIM_AROUND(&operation, int, -1, REAL(fallocate)(fd, mode, offset, length));
}
int fallocate64(int fd, int mode, off64_t offset, off64_t length) { return fallocate(fd, mode, offset, length); }

// Answers with the error's number and leaves errno alone.
int posix_fallocate(int fd, off_t offset, off_t length) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(posix_fallocate)(fd, offset, length);
    struct shim_operation operation = {
        .kind = SHIM_ALLOCATE, .place = &place, .offset = offset, .length = (uint64_t)length};
    bool runs = shim_begin(SHIM_ALLOCATE) == SHIM_RUN;
    int error = runs ? REAL(posix_fallocate)(fd, offset, length) : shim_planned_error();
    shim_end(&operation, error);
    return error;
}
int posix_fallocate64(int fd, off64_t offset, off64_t length) { return posix_fallocate(fd, offset, length); }

// Copies inside the kernel are writes whose bytes are known only afterwards. `call` copies up to `limit` bytes.
#define COPIED(fd, start, wanted, call)                                                             \
    ({                                                                                              \
        struct shim_operation operation = {.kind = SHIM_WRITE, .place = &place};                    \
        operation.offset = (start);                                                                 \
        operation.length = (wanted);                                                                \
        enum shim_decision decision = shim_begin(SHIM_WRITE);                                       \
        size_t limit = decision == SHIM_RUN ? (wanted) : (wanted) / 2;                              \
        ssize_t copied = -1;                                                                        \
        int error = 0;                                                                              \
        if (decision != SHIM_FAIL) copied = (call);                                                 \
        if (copied < 0) error = errno;                                                              \
        if (decision == SHIM_HALF_THEN_DIE) shim_die();                                             \
        if (decision != SHIM_RUN) error = shim_planned_error();                                     \
        void *bytes = read_back((fd), operation.offset, copied);                                    \
        operation.data = bytes;                                                                     \
        operation.data_length = bytes ? (uint64_t)copied : 0;                                       \
        shim_end(&operation, error);                                                                \
        free(bytes);                                                                                \
        if (error) errno = error;                                                                   \
        error ? -1 : copied;                                                                        \
    })

static void *read_back(int fd, int64_t offset, ssize_t length) {
    if (length <= 0 || !shim_log_wanted()) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    // The descriptor may be for writing only.
    int reader = REAL(open)(link, O_RDONLY | O_CLOEXEC);
    char *bytes = malloc((size_t)length);
    ssize_t filled = 0;
    while (bytes && reader >= 0 && filled < length) {
        ssize_t more = pread(reader, bytes + filled, (size_t)(length - filled), offset + filled);
        if (more <= 0) break;
        filled += more;
    }
    if (reader >= 0) REAL(close)(reader);
    if (filled == length) return bytes;
    // A log without these bytes would be wrong.
    dprintf(2, "fault shim: copied bytes cannot be read back\n");
    _exit(99);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned int flags) {
    struct shim_place place;
    if (!shim_descriptor(out, &place)) return REAL(copy_file_range)(in, from, out, to, length, flags);
    off_t start = to ? *to : lseek(out, 0, SEEK_CUR);
    return COPIED(out, start, length, REAL(copy_file_range)(in, from, out, to, limit, flags));
}

ssize_t sendfile(int out, int in, off_t *from, size_t length) {
    struct shim_place place;
    if (!shim_descriptor(out, &place)) return REAL(sendfile)(out, in, from, length);
    return COPIED(out, lseek(out, 0, SEEK_CUR), length, REAL(sendfile)(out, in, from, limit));
}
ssize_t sendfile64(int out, int in, off64_t *from, size_t length) { return sendfile(out, in, from, length); }

static ssize_t clone_counted(int fd, int source) {
    struct stat info;
    if (REAL(ioctl)(fd, CLONE_REQUEST, source) != 0) return -1;
    return fstat(fd, &info) == 0 ? info.st_size : -1;
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    struct shim_place place;
    if (request != CLONE_REQUEST || !shim_descriptor(fd, &place)) return REAL(ioctl)(fd, request, argument);
    // A clone is whole or not at all: half of it would be none.
    int source = (int)(intptr_t)argument;
    size_t size = 0;
    struct stat info;
    if (fstat(source, &info) == 0) size = (size_t)info.st_size;
    ssize_t cloned = COPIED(fd, 0, size, (limit < size ? -1 : clone_counted(fd, source)));
    return cloned < 0 ? -1 : 0;
}
#endif
