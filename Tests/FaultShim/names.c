// The calls that make things durable, and those that change what a folder holds.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int fsync(int fd) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(fsync)(fd);
    struct shim_operation operation = {.kind = SHIM_FSYNC, .place = &place};
    return SHIM_AROUND(&operation, int, -1, REAL(fsync)(fd));
}

int fdatasync(int fd) {
    struct shim_place place;
    if (!shim_descriptor(fd, &place)) return REAL(fdatasync)(fd);
    struct shim_operation operation = {.kind = SHIM_FDATASYNC, .place = &place};
    return SHIM_AROUND(&operation, int, -1, REAL(fdatasync)(fd));
}

int unlinkat(int folder, const char *path, int flags) {
    struct shim_place place;
    if (!shim_path(folder, path, false, &place)) return REAL(unlinkat)(folder, path, flags);
    struct shim_operation operation = {.kind = flags & AT_REMOVEDIR ? SHIM_RMDIR : SHIM_UNLINK, .place = &place};
    return SHIM_AROUND(&operation, int, -1, REAL(unlinkat)(folder, path, flags));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) ? rmdir(path) : unlink(path);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    struct shim_place place;
    if (!shim_path(folder, path, false, &place)) return REAL(mkdirat)(folder, path, mode);
    struct shim_operation operation = {.kind = SHIM_MKDIR, .place = &place};
    return SHIM_AROUND(&operation, int, -1, REAL(mkdirat)(folder, path, mode));
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int renameat2(int from, const char *old, int to, const char *new, unsigned int flags) {
    struct shim_place source, target;
    bool leaves = shim_path(from, old, false, &source);
    bool arrives = shim_path(to, new, false, &target);
    if (!leaves && !arrives) return REAL(renameat2)(from, old, to, new, flags);
    if (leaves && arrives) {
        if (flags & ~(unsigned int)RENAME_NOREPLACE) shim_unseen(&source, "renamed by renameat2 with flags");
        struct shim_operation operation = {.kind = SHIM_RENAME, .place = &source, .other = target.path};
        return SHIM_AROUND(&operation, int, -1, REAL(renameat2)(from, old, to, new, flags));
    }
    // For the folder, leaving it is being deleted.
    if (arrives) shim_unseen(&target, "renamed from outside the folder");
    struct shim_operation operation = {.kind = leaves ? SHIM_UNLINK : SHIM_CREATE, .place = leaves ? &source : &target};
    return SHIM_AROUND(&operation, int, -1, REAL(renameat2)(from, old, to, new, flags));
}
int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
    struct shim_place source, target;
    if (!shim_path(to, new, false, &target)) return REAL(linkat)(from, old, to, new, flags);
    bool inside = shim_path(from, old, flags & AT_SYMLINK_FOLLOW, &source);
    if (!inside) shim_unseen(&target, "linked from outside the folder");
    struct shim_operation operation = {.kind = SHIM_LINK, .place = inside ? &source : &target, .other = target.path};
    return SHIM_AROUND(&operation, int, -1, REAL(linkat)(from, old, to, new, flags));
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int symlinkat(const char *text, int folder, const char *path) {
    struct shim_place place;
    if (!shim_path(folder, path, false, &place)) return REAL(symlinkat)(text, folder, path);
    struct shim_operation operation = {.kind = SHIM_SYMLINK, .place = &place, .other = text};
    return SHIM_AROUND(&operation, int, -1, REAL(symlinkat)(text, folder, path));
}
int symlink(const char *text, const char *path) { return symlinkat(text, AT_FDCWD, path); }
#endif
