// What is to happen at which operation, and in which process.
#if defined(__linux__)
#include "shim.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool active;
static pid_t owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t number;
static uint32_t kill_at, fail_at, stop_at;
static bool tear, sticky;
static int planned_error = EIO;

static void refuse(const char *variable, const char *why) {
    dprintf(2, "fault shim: %s %s\n", variable, why);
    _exit(99);
}

static uint32_t number_of(const char *variable) {
    const char *text = getenv(variable);
    if (!text || !*text) return 0;
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || value > UINT32_MAX) refuse(variable, "is not a number");
    return (uint32_t)value;
}

static int error_of(const char *variable) {
    const char *text = getenv(variable);
    if (!text || !*text) return EIO;
    if (!strcmp(text, "ENOSPC")) return ENOSPC;
    if (!strcmp(text, "EIO")) return EIO;
    int value = (int)number_of(variable);
    if (value == 0) refuse(variable, "is no error number");
    return value;
}

// The file's own name and the name it was started by: /bin/sh may be a link to dash.
static bool is_program(const char *wanted) {
    char file[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
    if (length > 0) {
        file[length] = 0;
        const char *name = strrchr(file, '/');
        if (!strcmp(name ? name + 1 : file, wanted)) return true;
    }
    return !strcmp(program_invocation_short_name, wanted);
}

__attribute__((constructor)) static void start(void) {
    char *folder = getenv("CF_DIR");
    const char *only = getenv("CF_ONLY");
    if (!folder || !*folder) return;
    if (only && *only && !is_program(only)) return;
    // A program that hangs ends by SIGALRM.
    alarm(number_of("CF_SECONDS"));

    kill_at = number_of("CF_KILL_AT");
    fail_at = number_of("CF_FAIL_AT");
    stop_at = number_of("CF_STOP_AT");
    tear = number_of("CF_TEAR") != 0;
    sticky = number_of("CF_FAIL_STICKY") != 0;
    planned_error = error_of("CF_ERRNO");
    if (!shim_set_folder(folder)) refuse("CF_DIR", "is not a folder");
    owner = getpid();
    active = true;
    shim_log_open(getenv("CF_LOG"), getenv("CF_COUNT"));
    shim_held_open(getenv("CF_HELD"));

    // Children are not counted: they find the folder empty. Written in place, since setenv would move the
    // environment, and the Swift runtime finds the program's arguments by where the environment lies.
    *folder = 0;
    // What was printed counts as promised. Line by line, as on a terminal, is the strictest reading of that.
    setvbuf(stdout, NULL, _IOLBF, 0);
}

// A forked child is not the process under test.
bool shim_is_active(void) { return active && getpid() == owner; }

int shim_planned_error(void) { return planned_error; }

// To the calling thread, so that it cannot run on while another thread takes the signal.
static void signal_self(int signal) { syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal); }

void shim_die(void) {
    signal_self(SIGKILL);
    for (;;) pause();
}

enum shim_decision shim_begin(enum shim_kind kind) {
    pthread_mutex_lock(&lock);
    number += 1;
    shim_log_count(number);
    if (number == stop_at) signal_self(SIGSTOP);
    bool half = tear && kind == SHIM_WRITE;
    if (number == kill_at) {
        if (half) return SHIM_HALF_THEN_DIE;
        shim_die();
    }
    if (fail_at && (number == fail_at || (sticky && number > fail_at))) {
        return half ? SHIM_HALF_THEN_FAIL : SHIM_FAIL;
    }
    return SHIM_RUN;
}

void shim_end(const struct shim_operation *operation, int error) {
    int kept = errno;
    shim_log_write(operation, number, error);
    pthread_mutex_unlock(&lock);
    errno = kept;
}

void shim_unseen(const struct shim_place *place, const char *why) {
    int kept = errno;
    struct shim_operation note = {.kind = SHIM_UNSEEN, .place = place, .other = why};
    pthread_mutex_lock(&lock);
    shim_log_write(&note, 0, 0);
    pthread_mutex_unlock(&lock);
    errno = kept;
}
#endif
