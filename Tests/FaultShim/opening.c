// The calls that make a file or empty it while opening it. An open that does neither is no operation.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// O_TMPFILE has the bit of O_DIRECTORY in it.
#define IS_NAMELESS(flags) (((flags) & O_TMPFILE) == O_TMPFILE)

static int open_counted(int folder, const char *path, int flags, mode_t mode) {
    struct shim_place place;
    bool changes = (flags & (O_CREAT | O_TRUNC)) != 0;
    if (!shim_is_active() || !(changes || IS_NAMELESS(flags))) {
        return REAL(openat)(folder, path, flags, mode);
    }
    bool follow = !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
    if (!shim_path(folder, path, follow, &place)) return REAL(openat)(folder, path, flags, mode);
    if (IS_NAMELESS(flags)) {
        shim_unseen(&place, "made without a name (O_TMPFILE)");
        return REAL(openat)(folder, path, flags, mode);
    }
    bool creates = (flags & O_CREAT) && !place.exists;
    bool empties = (flags & O_TRUNC) && place.exists && (flags & O_ACCMODE) != O_RDONLY;
    if ((!creates && !empties) || ((flags & O_EXCL) && place.exists)) {
        return REAL(openat)(folder, path, flags, mode);
    }
    struct shim_operation operation = {.kind = creates ? SHIM_CREATE : SHIM_TRUNCATE, .place = &place};
    int fd = -1, error = 0;
    if (shim_begin(operation.kind) == SHIM_RUN) {
        fd = REAL(openat)(folder, path, flags, mode);
        error = fd < 0 ? errno : 0;
        struct stat info;
        if (fd >= 0 && fstat(fd, &info) == 0) place.inode = info.st_ino;
    } else {
        error = shim_planned_error();
    }
    shim_end(&operation, error);
    if (fd < 0) errno = error;
    return fd;
}

#define MODE_OF(flags)                                          \
    ({                                                          \
        mode_t found = 0;                                       \
        if (((flags) & O_CREAT) || IS_NAMELESS(flags)) {        \
            va_list rest;                                       \
            va_start(rest, flags);                              \
            found = (mode_t)va_arg(rest, unsigned int);         \
            va_end(rest);                                       \
        }                                                       \
        found;                                                  \
    })

// Whose call it was is asked here, where the caller is the next above.
#define OPENED(call) shim_opened((call), __builtin_return_address(0))

int open(const char *path, int flags, ...) { return OPENED(open_counted(AT_FDCWD, path, flags, MODE_OF(flags))); }
int open64(const char *path, int flags, ...) {
    return OPENED(open_counted(AT_FDCWD, path, flags | O_LARGEFILE, MODE_OF(flags)));
}
int openat(int folder, const char *path, int flags, ...) {
    return OPENED(open_counted(folder, path, flags, MODE_OF(flags)));
}
int openat64(int folder, const char *path, int flags, ...) {
    return OPENED(open_counted(folder, path, flags | O_LARGEFILE, MODE_OF(flags)));
}
int creat(const char *path, mode_t mode) {
    return OPENED(open_counted(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode));
}
int creat64(const char *path, mode_t mode) {
    return OPENED(open_counted(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC | O_LARGEFILE, mode));
}

// What programs built with _FORTIFY_SOURCE call.
int __open_2(const char *path, int flags) { return OPENED(open_counted(AT_FDCWD, path, flags, 0)); }
int __open64_2(const char *path, int flags) { return OPENED(open_counted(AT_FDCWD, path, flags, 0)); }
int __openat_2(int folder, const char *path, int flags) { return OPENED(open_counted(folder, path, flags, 0)); }
int __openat64_2(int folder, const char *path, int flags) { return OPENED(open_counted(folder, path, flags, 0)); }

// mkstemp and its kin open inside libc, where no shim can stand: the name they find is known only afterwards.
static int make_temporary(char *template, int suffix, int flags) {
    struct shim_place place;
    if (!shim_path(AT_FDCWD, template, false, &place)) return REAL(mkostemps)(template, suffix, flags);
    struct shim_operation operation = {.kind = SHIM_CREATE, .place = &place};
    int fd = -1, error = 0;
    if (shim_begin(SHIM_CREATE) == SHIM_RUN) {
        fd = REAL(mkostemps)(template, suffix, flags);
        error = fd < 0 ? errno : 0;
        if (fd >= 0) shim_descriptor(fd, &place);
    } else {
        error = shim_planned_error();
    }
    shim_end(&operation, error);
    if (fd < 0) errno = error;
    return fd;
}

int mkstemp(char *template) { return make_temporary(template, 0, 0); }
int mkstemp64(char *template) { return make_temporary(template, 0, 0); }
int mkostemp(char *template, int flags) { return make_temporary(template, 0, flags); }
int mkostemp64(char *template, int flags) { return make_temporary(template, 0, flags); }
int mkstemps(char *template, int suffix) { return make_temporary(template, suffix, 0); }
int mkstemps64(char *template, int suffix) { return make_temporary(template, suffix, 0); }
int mkostemps(char *template, int suffix, int flags) { return make_temporary(template, suffix, flags); }
int mkostemps64(char *template, int suffix, int flags) { return make_temporary(template, suffix, flags); }

char *mkdtemp(char *template) {
    struct shim_place place;
    if (!shim_path(AT_FDCWD, template, false, &place)) return REAL(mkdtemp)(template);
    struct shim_operation operation = {.kind = SHIM_MKDIR, .place = &place};
    char *made = NULL;
    int error = 0;
    if (shim_begin(SHIM_MKDIR) == SHIM_RUN) {
        made = REAL(mkdtemp)(template);
        error = made ? 0 : errno;
        if (made) shim_path(AT_FDCWD, made, false, &place);
    } else {
        error = shim_planned_error();
    }
    shim_end(&operation, error);
    if (!made) errno = error;
    return made;
}
#endif
