// Ways to change a file that no shim can count: what goes through stdio is written inside libc, what goes through
// a shared mapping is written by the processor. The harness names the caller that uses them on a file below CF_DIR, so
// that a test cannot pass by having seen nothing.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool writes(const char *mode) { return strpbrk(mode, "wa+") != NULL; }

static FILE *stream_counted(const char *path, const char *mode) {
    struct shim_place place;
    if (!writes(mode) || !shim_path(AT_FDCWD, path, true, &place)) return REAL(fopen)(path, mode);
    shim_unseen(&place, "written through stdio");
    if (*mode == 'r' || (*mode == 'a' && place.exists)) return REAL(fopen)(path, mode);
    // fopen opens inside libc; its creating or emptying of the file is counted here.
    struct shim_operation operation = {.kind = place.exists ? SHIM_TRUNCATE : SHIM_CREATE, .place = &place};
    FILE *stream = NULL;
    int error = 0;
    if (shim_begin(operation.kind) == SHIM_RUN) {
        stream = REAL(fopen)(path, mode);
        error = stream ? 0 : errno;
        if (stream) shim_descriptor(fileno(stream), &place);
    } else {
        error = shim_planned_error();
    }
    shim_end(&operation, error);
    if (!stream) errno = error;
    return stream;
}

// The descriptor of a stream is opened and closed inside libc, where no shim can stand.
static FILE *stream_opened(FILE *stream, const void *caller) {
    if (stream) shim_opened(fileno(stream), caller);
    return stream;
}

FILE *fopen(const char *path, const char *mode) {
    return stream_opened(stream_counted(path, mode), __builtin_return_address(0));
}
FILE *fopen64(const char *path, const char *mode) {
    return stream_opened(stream_counted(path, mode), __builtin_return_address(0));
}

int fclose(FILE *stream) {
    if (stream) shim_closing(fileno(stream), __builtin_return_address(0));
    return REAL(fclose)(stream);
}

FILE *freopen(const char *path, const char *mode, FILE *stream) {
    struct shim_place place;
    if (path && writes(mode) && shim_path(AT_FDCWD, path, true, &place)) shim_unseen(&place, "written through stdio");
    return REAL(freopen)(path, mode, stream);
}
FILE *freopen64(const char *path, const char *mode, FILE *stream) { return freopen(path, mode, stream); }

FILE *fdopen(int fd, const char *mode) {
    struct shim_place place;
    if (writes(mode) && shim_descriptor(fd, &place)) shim_unseen(&place, "written through stdio");
    return REAL(fdopen)(fd, mode);
}

// SQLite's shared-memory index is always mapped, is rebuilt after a crash, and is not looked at here.
static bool is_shared_memory(const char *path) {
    size_t length = strlen(path);
    return length >= 4 && !strcmp(path + length - 4, "-shm");
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    struct shim_place place;
    bool shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
    bool changes = fd >= 0 && shared && (protection & PROT_WRITE);
    if (changes && shim_descriptor(fd, &place) && !is_shared_memory(place.path)) {
        shim_unseen(&place, "written through a shared mapping");
    }
    return REAL(mmap)(at, length, protection, flags, fd, offset);
}
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
    return mmap(at, length, protection, flags, fd, offset);
}
#endif
