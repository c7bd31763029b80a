// Which file a descriptor or a path means. The kernel is asked each time (/proc/self/fd), so that no table of
// descriptors can go stale, regardless of the code that opened, duplicated, inherited or closed them.
#if defined(__linux__)
#include "shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder_path[PATH_MAX];
static size_t folder_length;

bool shim_set_folder(const char *folder) {
    struct stat info;
    if (!realpath(folder, folder_path) || stat(folder_path, &info) != 0 || !S_ISDIR(info.st_mode)) return false;
    folder_length = strlen(folder_path);
    return true;
}

static bool below(const char *path, struct shim_place *place) {
    if (strncmp(path, folder_path, folder_length) != 0) return false;
    const char *rest = path + folder_length;
    if (*rest == '/') rest += 1;
    else if (*rest) return false;
    snprintf(place->path, sizeof place->path, "%s", rest);
    return true;
}

static void describe(const struct stat *info, struct shim_place *place) {
    place->exists = true;
    place->inode = info->st_ino;
    place->size = info->st_size;
    place->directory = S_ISDIR(info->st_mode);
    place->gone = false;
}

static bool find_descriptor(int fd, struct shim_place *place) {
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) return false;
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return false;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = 0;
    if (!below(path, place)) return false;
    describe(&info, place);
    // The name it was opened by may be gone while another link remains; and a name may really end like this.
    static const char mark[] = " (deleted)";
    size_t kept = strlen(place->path);
    struct stat named;
    if (kept >= sizeof mark - 1 && !strcmp(place->path + kept - (sizeof mark - 1), mark)
        && (lstat(path, &named) != 0 || named.st_ino != info.st_ino)) {
        place->path[kept - (sizeof mark - 1)] = 0;
        place->gone = true;
    }
    return true;
}

static bool find_path(int folder, const char *path, bool follow, struct shim_place *place) {
    char whole[PATH_MAX], parent[PATH_MAX], found[PATH_MAX];
    if (!path || !*path) return false;
    int length = path[0] == '/' || folder == AT_FDCWD
        ? snprintf(whole, sizeof whole, "%s", path)
        : snprintf(whole, sizeof whole, "/proc/self/fd/%d/%s", folder, path);
    if (length < 0 || (size_t)length >= sizeof whole) return false;
    while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;

    struct stat info;
    bool exists = lstat(whole, &info) == 0;
    if (exists && follow && S_ISLNK(info.st_mode)) {
        if (!realpath(whole, found) || stat(found, &info) != 0) return false;
        if (!below(found, place)) return false;
        describe(&info, place);
        return true;
    }
    const char *slash = strrchr(whole, '/');
    const char *name = slash ? slash + 1 : whole;
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
        if (!realpath(whole, found)) return false;
    } else {
        if (!slash) strcpy(parent, ".");
        else if (slash == whole) strcpy(parent, "/");
        else snprintf(parent, sizeof parent, "%.*s", (int)(slash - whole), whole);
        char real[PATH_MAX];
        if (!realpath(parent, real)) return false;
        int size = snprintf(found, sizeof found, "%s/%s", strcmp(real, "/") ? real : "", name);
        if (size < 0 || (size_t)size >= sizeof found) return false;
    }
    if (!below(found, place)) return false;
    place->exists = false;
    place->directory = place->gone = false;
    place->inode = 0;
    place->size = 0;
    if (exists) describe(&info, place);
    return true;
}

bool shim_descriptor(int fd, struct shim_place *place) {
    if (!shim_is_active()) return false;
    int kept = errno;
    bool inside = find_descriptor(fd, place);
    errno = kept;
    return inside;
}

bool shim_path(int folder, const char *path, bool follow, struct shim_place *place) {
    if (!shim_is_active()) return false;
    int kept = errno;
    bool inside = find_path(folder, path, follow, place);
    errno = kept;
    return inside;
}
#endif
