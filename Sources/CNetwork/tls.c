#include "CChatDBNetwork.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// OpenSSL's types are opaque to its callers, and its numbers belong to the ABI of version 3.
typedef void SSL, SSL_CTX, X509, X509_STORE, X509_STORE_CTX, STACK, EVP_MD;

enum {
    SSL_ERROR_NONE = 0,
    SSL_ERROR_WANT_READ = 2,
    SSL_ERROR_WANT_WRITE = 3,
    SSL_ERROR_SYSCALL = 5,
    SSL_ERROR_ZERO_RETURN = 6,
    SSL_CTRL_SET_GROUPS_LIST = 92,
    SSL_CTRL_SET_SIGALGS_LIST = 98,
    SSL_CTRL_SET_MIN_PROTO_VERSION = 123,
    TLS1_2_VERSION = 0x0303,
    X509_V_ERR_CERT_NOT_YET_VALID = 9,
    X509_V_ERR_CERT_HAS_EXPIRED = 10,
    SSL_R_UNEXPECTED_EOF_WHILE_READING = 294,
    SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL = 1120,
};
#define OPENSSL_INIT_NO_ATEXIT 0x00080000ULL

/// The functions that are used, by the library that has them.
#define CRYPTO_FUNCTIONS(F)                                                                                            \
    F(int, OPENSSL_init_crypto, (uint64_t, const void *))                                                              \
    F(unsigned long, ERR_get_error, (void))                                                                            \
    F(void, ERR_clear_error, (void))                                                                                   \
    F(const char *, ERR_reason_error_string, (unsigned long))                                                          \
    F(int, OPENSSL_sk_num, (const STACK *))                                                                            \
    F(void *, OPENSSL_sk_value, (const STACK *, int))                                                                  \
    F(const EVP_MD *, EVP_sha256, (void))                                                                              \
    F(int, X509_digest, (const X509 *, const EVP_MD *, unsigned char *, unsigned int *))                               \
    F(X509_STORE *, X509_STORE_new, (void))                                                                            \
    F(void, X509_STORE_free, (X509_STORE *))                                                                           \
    F(int, X509_STORE_add_cert, (X509_STORE *, X509 *))                                                                \
    F(X509_STORE_CTX *, X509_STORE_CTX_new, (void))                                                                    \
    F(void, X509_STORE_CTX_free, (X509_STORE_CTX *))                                                                   \
    F(int, X509_STORE_CTX_init, (X509_STORE_CTX *, X509_STORE *, X509 *, STACK *))                                     \
    F(int, X509_verify_cert, (X509_STORE_CTX *))                                                                       \
    F(int, X509_STORE_CTX_get_error, (const X509_STORE_CTX *))                                                         \
    F(const char *, X509_verify_cert_error_string, (long))

#define SSL_FUNCTIONS(F)                                                                                               \
    F(const void *, TLS_client_method, (void))                                                                         \
    F(SSL_CTX *, SSL_CTX_new, (const void *))                                                                          \
    F(void, SSL_CTX_free, (SSL_CTX *))                                                                                 \
    F(long, SSL_CTX_ctrl, (SSL_CTX *, int, long, void *))                                                              \
    F(void, SSL_CTX_set_verify, (SSL_CTX *, int, void *))                                                              \
    F(int, SSL_CTX_set_cipher_list, (SSL_CTX *, const char *))                                                         \
    F(int, SSL_CTX_set_ciphersuites, (SSL_CTX *, const char *))                                                        \
    F(int, SSL_CTX_set_alpn_protos, (SSL_CTX *, const unsigned char *, unsigned int))                                  \
    F(SSL *, SSL_new, (SSL_CTX *))                                                                                     \
    F(void, SSL_free, (SSL *))                                                                                         \
    F(int, SSL_set_fd, (SSL *, int))                                                                                   \
    F(int, SSL_connect, (SSL *))                                                                                       \
    F(int, SSL_read, (SSL *, void *, int))                                                                             \
    F(int, SSL_shutdown, (SSL *))                                                                                      \
    F(int, SSL_get_error, (const SSL *, int))                                                                          \
    F(void, SSL_get0_alpn_selected, (const SSL *, const unsigned char **, unsigned int *))                             \
    F(STACK *, SSL_get_peer_cert_chain, (const SSL *))

#define DECLARE(type, name, parameters) type(*name) parameters;
static struct { CRYPTO_FUNCTIONS(DECLARE) SSL_FUNCTIONS(DECLARE) } lib;

static char load_problem[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void remember(const char *text) {
    strncpy(load_problem, text ? text : "unknown reason", sizeof load_problem - 1);
}

#ifdef __APPLE__
#define LIBRARY(name) "lib" name ".3.dylib"
#else
#define LIBRARY(name) "lib" name ".so.3"
#endif

static void load(void) {
    void *crypto = dlopen(LIBRARY("crypto"), RTLD_NOW | RTLD_LOCAL);
    void *ssl = crypto ? dlopen(LIBRARY("ssl"), RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!ssl) {
        remember(dlerror());
        return;
    }
#define FIND(library, name)                                                                                            \
    *(void **)&lib.name = dlsym(library, #name);                                                                       \
    if (!lib.name) {                                                                                                   \
        remember(#name " is missing in it");                                                                           \
        return;                                                                                                        \
    }
#define FIND_CRYPTO(type, name, parameters) FIND(crypto, name)
#define FIND_SSL(type, name, parameters) FIND(ssl, name)
    CRYPTO_FUNCTIONS(FIND_CRYPTO)
    SSL_FUNCTIONS(FIND_SSL)
    // Its work at the end of the process would race with a thread that still uses it.
    if (!lib.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL)) remember("it cannot be initialized");
}

const char *chatdb_tls_load(void) {
    pthread_once(&load_once, load);
    return load_problem[0] ? load_problem : NULL;
}

struct chatdb_tls {
    SSL_CTX *context;
    SSL *connection;
    const char *reason;
    int code;
    char protocol[32];
};

/// What SimpleX apps offer: a server that works with less would not work with them.
static int restrict_to_apps(SSL_CTX *context) {
    return lib.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL)
        && lib.SSL_CTX_set_ciphersuites(context, "TLS_CHACHA20_POLY1305_SHA256")
        && lib.SSL_CTX_set_cipher_list(context, "ECDHE-ECDSA-CHACHA20-POLY1305")
        && lib.SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, "X448:X25519")
        && lib.SSL_CTX_ctrl(context, SSL_CTRL_SET_SIGALGS_LIST, 0, "ed448:ed25519");
}

chatdb_tls *chatdb_tls_new(int fd, const char *protocol) {
    size_t length = strlen(protocol);
    chatdb_tls *tls = calloc(1, sizeof *tls);
    if (!tls || length >= sizeof tls->protocol) {
        free(tls);
        return NULL;
    }
    memcpy(tls->protocol, protocol, length);
    unsigned char offered[sizeof tls->protocol + 1] = {(unsigned char)length};
    memcpy(offered + 1, protocol, length);
    tls->context = lib.SSL_CTX_new(lib.TLS_client_method());
    if (tls->context && restrict_to_apps(tls->context)
        && lib.SSL_CTX_set_alpn_protos(tls->context, offered, (unsigned)length + 1) == 0) {
        // The address has the key hash that decides, and no authority of the system is asked.
        lib.SSL_CTX_set_verify(tls->context, 0, NULL);
        tls->connection = lib.SSL_new(tls->context);
        if (tls->connection && lib.SSL_set_fd(tls->connection, fd)) return tls;
    }
    chatdb_tls_free(tls);
    return NULL;
}

void chatdb_tls_free(chatdb_tls *tls) {
    if (!tls) return;
    if (tls->connection) lib.SSL_free(tls->connection);
    if (tls->context) lib.SSL_CTX_free(tls->context);
    free(tls);
}

/// The meaning of a call's result. errno and OpenSSL's errors are those of this call.
static int outcome(chatdb_tls *tls, int result) {
    if (result > 0) return CHATDB_TLS_DONE;
    int code = errno;
    switch (lib.SSL_get_error(tls->connection, result)) {
    case SSL_ERROR_WANT_READ: return CHATDB_TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return CHATDB_TLS_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return CHATDB_TLS_CLOSED;
    case SSL_ERROR_SYSCALL:
        tls->reason = NULL;
        tls->code = code;
        return CHATDB_TLS_FAILED;
    default: break;
    }
    unsigned long error = lib.ERR_get_error();
    unsigned long reason = error & 0x7FFFFF;
    if (reason == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL) return CHATDB_TLS_OTHER_PROTOCOL;
    // The server closed the connection without a word.
    int is_end = reason == SSL_R_UNEXPECTED_EOF_WHILE_READING;
    tls->reason = is_end ? NULL : lib.ERR_reason_error_string(error);
    if (!is_end && !tls->reason) tls->reason = "unknown error";
    tls->code = 0;
    return CHATDB_TLS_FAILED;
}

int chatdb_tls_handshake(chatdb_tls *tls) {
    lib.ERR_clear_error();
    errno = 0;
    return outcome(tls, lib.SSL_connect(tls->connection));
}

int chatdb_tls_read(chatdb_tls *tls, void *buffer, int capacity, int *count) {
    lib.ERR_clear_error();
    errno = 0;
    int result = lib.SSL_read(tls->connection, buffer, capacity);
    *count = result > 0 ? result : 0;
    return outcome(tls, result);
}

void chatdb_tls_close(chatdb_tls *tls) {
    lib.ERR_clear_error();
    lib.SSL_shutdown(tls->connection);
    lib.ERR_clear_error();
}

const char *chatdb_tls_reason(const chatdb_tls *tls, int *code) {
    *code = tls->code;
    return tls->reason;
}

int chatdb_tls_agreed(const chatdb_tls *tls) {
    const unsigned char *selected = NULL;
    unsigned length = 0;
    lib.SSL_get0_alpn_selected(tls->connection, &selected, &length);
    return selected && length == strlen(tls->protocol) && memcmp(selected, tls->protocol, length) == 0;
}

int chatdb_tls_certificates(const chatdb_tls *tls) {
    STACK *chain = lib.SSL_get_peer_cert_chain(tls->connection);
    return chain ? lib.OPENSSL_sk_num(chain) : 0;
}

int chatdb_tls_fingerprint(const chatdb_tls *tls, int index, uint8_t *out) {
    if (index < 0 || index >= chatdb_tls_certificates(tls)) return 0;
    STACK *chain = lib.SSL_get_peer_cert_chain(tls->connection);
    unsigned length = 0;
    return lib.X509_digest(lib.OPENSSL_sk_value(chain, index), lib.EVP_sha256(), out, &length) && length == 32;
}

const char *chatdb_tls_chain_problem(const chatdb_tls *tls, int *expired) {
    *expired = 0;
    int count = chatdb_tls_certificates(tls);
    if (count < 1) return "there is no certificate";
    STACK *chain = lib.SSL_get_peer_cert_chain(tls->connection);
    X509_STORE *store = lib.X509_STORE_new();
    X509_STORE_CTX *check = lib.X509_STORE_CTX_new();
    const char *problem = "it cannot be checked";
    if (store && check && lib.X509_STORE_add_cert(store, lib.OPENSSL_sk_value(chain, count - 1))
        && lib.X509_STORE_CTX_init(check, store, lib.OPENSSL_sk_value(chain, 0), chain)) {
        int is_valid = lib.X509_verify_cert(check) == 1;
        int code = lib.X509_STORE_CTX_get_error(check);
        *expired = !is_valid && (code == X509_V_ERR_CERT_HAS_EXPIRED || code == X509_V_ERR_CERT_NOT_YET_VALID);
        problem = is_valid ? NULL : lib.X509_verify_cert_error_string(code);
    }
    if (check) lib.X509_STORE_CTX_free(check);
    if (store) lib.X509_STORE_free(store);
    return problem;
}
