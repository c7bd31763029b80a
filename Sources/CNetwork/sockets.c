#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CChatDBNetwork.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct chatdb_net_addresses {
    struct addrinfo *first;
};

static int meaning(int code) {
    switch (code) {
    case EAI_NONAME:
#ifdef EAI_NODATA
#if EAI_NODATA != EAI_NONAME
    case EAI_NODATA:
#endif
#endif
        return CHATDB_NET_NO_SUCH_HOST;
    case EAI_AGAIN:
        return CHATDB_NET_NO_ANSWER;
    case EAI_MEMORY:
    case EAI_SYSTEM:
        return CHATDB_NET_NO_RESOURCES;
    default:
        return CHATDB_NET_RESOLVER_FAILED;
    }
}

int chatdb_net_resolve(const char *host, const char *port, chatdb_net_addresses **out, const char **reason) {
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    *out = NULL;
    *reason = NULL;
    chatdb_net_addresses *addresses = calloc(1, sizeof *addresses);
    if (!addresses) return CHATDB_NET_NO_RESOURCES;
    int code = getaddrinfo(host, port, &hints, &addresses->first);
    if (code) {
        *reason = code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code);
        free(addresses);
        return meaning(code);
    }
    *out = addresses;
    return CHATDB_NET_RESOLVED;
}

void chatdb_net_free(chatdb_net_addresses *addresses) {
    if (!addresses) return;
    if (addresses->first) freeaddrinfo(addresses->first);
    free(addresses);
}

int chatdb_net_count(const chatdb_net_addresses *addresses) {
    int count = 0;
    for (struct addrinfo *next = addresses->first; next; next = next->ai_next) count++;
    return count;
}

int chatdb_net_connect(const chatdb_net_addresses *addresses, int index, int *fd) {
    struct addrinfo *address = addresses->first;
    while (address && index-- > 0) address = address->ai_next;
    *fd = -1;
    if (!address) return EINVAL;
    int made = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (made < 0) return errno;
    int flags = fcntl(made, F_GETFL);
    if (flags < 0 || fcntl(made, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(made, F_SETFD, FD_CLOEXEC) < 0) {
        int code = errno;
        close(made);
        return code;
    }
    if (connect(made, address->ai_addr, address->ai_addrlen) == 0) {
        *fd = made;
        return 0;
    }
    // An interrupted connection goes on by itself.
    int code = errno == EINTR ? EINPROGRESS : errno;
    if (code == EINPROGRESS) *fd = made;
    else close(made);
    return code;
}

int chatdb_net_connect_result(int fd) {
    int code = 0;
    socklen_t size = sizeof code;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
}

int chatdb_net_wait(int fd, int for_writing, int milliseconds) {
    struct pollfd waited = {.fd = fd, .events = for_writing ? POLLOUT : POLLIN};
    int count = poll(&waited, 1, milliseconds);
    // The caller waits again for the rest of its time.
    if (count < 0) return errno == EINTR ? 0 : -errno;
    return count > 0;
}

void chatdb_net_close(int fd) {
    if (fd >= 0) close(fd);
}

void chatdb_net_ignore_broken_pipes(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
