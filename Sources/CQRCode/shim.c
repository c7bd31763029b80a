#include "CChatDBQRCode.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// The code as libqrencode 4 returns it. Of each byte of the data, the lowest bit says whether the module is dark.
typedef struct {
    int version;
    int width;
    unsigned char *data;
} QRcode;

enum { QR_ECLEVEL_M = 1 };

static QRcode *(*encode)(const char *text, int version, int level);
static void (*release)(QRcode *code);
static char load_problem[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

#ifdef __APPLE__
#define LIBRARY "libqrencode.4.dylib"
#else
#define LIBRARY "libqrencode.so.4"
#endif

static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library) {
        *(void **)&encode = dlsym(library, "QRcode_encodeString8bit");
        *(void **)&release = dlsym(library, "QRcode_free");
        if (encode && release) return;
    }
    const char *reason = dlerror();
    strncpy(load_problem, reason ? reason : "unknown reason", sizeof load_problem - 1);
}

const char *chatdb_qr_load(void) {
    pthread_once(&load_once, load);
    return load_problem[0] ? load_problem : NULL;
}

int chatdb_qr_encode(const char *text, uint8_t **modules) {
    *modules = NULL;
    QRcode *code = encode(text, 0, QR_ECLEVEL_M);
    if (!code) return errno == ERANGE ? 0 : -1;
    int width = code->width;
    size_t count = (size_t)width * (size_t)width;
    uint8_t *copy = malloc(count);
    if (copy) {
        for (size_t index = 0; index < count; index++) copy[index] = code->data[index] & 1;
    }
    release(code);
    *modules = copy;
    return copy ? width : -1;
}

void chatdb_qr_free(uint8_t *modules) {
    free(modules);
}
