// What the files of the shim share.
#ifndef SHIM_H
#define SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

// The function that the program would have called without the shim.
#define REAL(name)                                      \
    ({                                                  \
        static void *found;                             \
        if (!found) found = dlsym(RTLD_NEXT, #name);    \
        (__typeof__(&name))found;                       \
    })

// The numbers are those of the log; OperationLog.swift has them too.
enum shim_kind {
    SHIM_CREATE = 1,
    SHIM_WRITE = 2,
    SHIM_TRUNCATE = 3,
    SHIM_FSYNC = 4,
    SHIM_FDATASYNC = 5,
    SHIM_UNLINK = 6,
    SHIM_RENAME = 7,
    SHIM_LINK = 8,
    SHIM_MKDIR = 9,
    SHIM_RMDIR = 10,
    SHIM_ALLOCATE = 11,
    SHIM_SYMLINK = 12,
    SHIM_UNSEEN = 100,  // not an operation: something the shim cannot follow
};

// A file or folder below CF_DIR.
struct shim_place {
    char path[PATH_MAX];  // relative to CF_DIR; "" is CF_DIR itself
    ino_t inode;
    off_t size;
    bool exists;
    bool directory;
    bool gone;  // still open, but the name it was opened by is no more
};

// Where a descriptor or a path leads; false: not below CF_DIR, or the shim is not active in this process.
bool shim_descriptor(int fd, struct shim_place *place);
bool shim_path(int folder, const char *path, bool follow, struct shim_place *place);
bool shim_set_folder(const char *folder);

enum shim_decision { SHIM_RUN, SHIM_FAIL, SHIM_HALF_THEN_FAIL, SHIM_HALF_THEN_DIE };

// Every operation is counted between these two. `begin` locks, counts, and ends or stops the process where the
// plan says so; `end` writes the log and unlocks. One lock over the whole operation makes the order of the log the
// order in which things happened.
struct shim_operation {
    enum shim_kind kind;
    const struct shim_place *place;
    const char *other;  // the second path of a rename or link
    int64_t offset;
    uint64_t length;
    const void *data;
    uint64_t data_length;
};
enum shim_decision shim_begin(enum shim_kind kind);
void shim_end(const struct shim_operation *operation, int error);
int shim_planned_error(void);
void shim_die(void) __attribute__((noreturn));
bool shim_is_active(void);

// For calls that either happen or fail: the whole of an operation on `place` around `call`.
#define SHIM_AROUND(operation, type, failure, call)             \
    ({                                                          \
        type shim_result = failure;                             \
        int shim_error = 0;                                     \
        if (shim_begin((operation)->kind) == SHIM_RUN) {        \
            shim_result = (call);                               \
            if (shim_result == failure) shim_error = errno;     \
        } else {                                                \
            shim_error = shim_planned_error();                  \
        }                                                       \
        shim_end((operation), shim_error);                      \
        if (shim_error) errno = shim_error;                     \
        shim_result;                                            \
    })

// The log and the count, which live outside CF_DIR.
void shim_log_open(const char *log, const char *count);
void shim_log_count(uint32_t number);
void shim_log_write(const struct shim_operation *operation, uint32_t number, int error);
bool shim_log_wanted(void);

// Opens a file of the shim's own, far from the descriptors that the program will get.
int shim_open_outside(const char *variable, const char *path);

// Who opens, locks and closes files below CF_DIR (CF_HELD). `caller` is an address in the code that does it.
void shim_held_open(const char *path);
int shim_opened(int fd, const void *caller);
void shim_closing(int fd, const void *caller);

// Tells that the shim cannot follow what happens to this file.
void shim_unseen(const struct shim_place *place, const char *why);

#endif
