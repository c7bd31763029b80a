#ifndef CCHATDB_NETWORK_H
#define CCHATDB_NETWORK_H

#include <stddef.h>
#include <stdint.h>

// Sockets that never block, and TLS by the system's OpenSSL 3, which is loaded when it is first needed: building and
// starting a program needs no OpenSSL. Nothing here writes to a file, and nothing raises SIGPIPE in the caller's thread
// once chatdb_net_ignore_broken_pipes was called in it.

// MARK: Addresses and connections

/// The addresses of a host.
typedef struct chatdb_net_addresses chatdb_net_addresses;

enum {
    CHATDB_NET_RESOLVED = 0,
    /// A name server said that there is no such host.
    CHATDB_NET_NO_SUCH_HOST = 1,
    /// No name server answered.
    CHATDB_NET_NO_ANSWER = 2,
    CHATDB_NET_RESOLVER_FAILED = 3,
    /// This machine has no memory or descriptors left, or a call of its system failed.
    CHATDB_NET_NO_RESOURCES = 4,
};

/// Looks up a name or a numeric address and blocks until it is known. `out` receives the addresses, which the caller
/// frees; `reason` the system's words after a failure. Returns one of the numbers above.
int chatdb_net_resolve(const char *host, const char *port, chatdb_net_addresses **out, const char **reason);
void chatdb_net_free(chatdb_net_addresses *addresses);
int chatdb_net_count(const chatdb_net_addresses *addresses);

/// Begins to connect to an address. `fd` receives the socket, or -1. Returns 0 when connected, EINPROGRESS, or an errno.
int chatdb_net_connect(const chatdb_net_addresses *addresses, int index, int *fd);

/// The result of a connection that was in progress: 0, or an errno.
int chatdb_net_connect_result(int fd);

/// Waits until a socket can be read or written. Returns 1, 0 when the time is over, or a negated errno.
int chatdb_net_wait(int fd, int for_writing, int milliseconds);

void chatdb_net_close(int fd);

/// Keeps a connection that the other side has closed from ending the process. For the calling thread.
void chatdb_net_ignore_broken_pipes(void);

// MARK: TLS

/// A TLS connection as a client.
typedef struct chatdb_tls chatdb_tls;

enum {
    CHATDB_TLS_CLOSED = 0,
    CHATDB_TLS_DONE = 1,
    CHATDB_TLS_WANTS_READ = 2,
    CHATDB_TLS_WANTS_WRITE = 3,
    CHATDB_TLS_FAILED = 4,
    /// The server ended the handshake because it does not speak the protocol.
    CHATDB_TLS_OTHER_PROTOCOL = 5,
};

/// Loads OpenSSL 3, once. Returns NULL, or the reason why it cannot be loaded.
const char *chatdb_tls_load(void);

/// A connection over a socket, with the versions, ciphers, groups and signatures that the apps offer, and one protocol
/// for ALPN. It sends no host name. NULL when OpenSSL refuses. The socket stays the caller's.
chatdb_tls *chatdb_tls_new(int fd, const char *protocol);
void chatdb_tls_free(chatdb_tls *tls);

/// Goes on with the handshake. Returns one of the numbers above.
int chatdb_tls_handshake(chatdb_tls *tls);

/// Reads up to `capacity` bytes; with CHATDB_TLS_DONE, `count` receives how many.
int chatdb_tls_read(chatdb_tls *tls, void *buffer, int capacity, int *count);

/// Says to the server that the connection ends, if that is possible at once.
void chatdb_tls_close(chatdb_tls *tls);

/// The reason of the last CHATDB_TLS_FAILED: OpenSSL's words, or NULL when the connection broke; `code` then receives
/// the errno, or 0 when the server closed it.
const char *chatdb_tls_reason(const chatdb_tls *tls, int *code);

/// Whether the server agreed to the protocol.
int chatdb_tls_agreed(const chatdb_tls *tls);

/// The number of certificates that the server sent.
int chatdb_tls_certificates(const chatdb_tls *tls);

/// The SHA-256 of a certificate's DER, 32 bytes; the server's own is at 0. Returns 1, or 0 when there is none.
int chatdb_tls_fingerprint(const chatdb_tls *tls, int index, uint8_t *out);

/// Checks signatures, dates and constraints of the chain, with its last certificate as the only one that is trusted.
/// Returns NULL, or the reason why the chain is not valid; `expired` then says whether it is a certificate's date.
const char *chatdb_tls_chain_problem(const chatdb_tls *tls, int *expired);

#endif
