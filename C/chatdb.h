/*
 * chatdb: the stores of a chat application, for programs in C and in languages that call C.
 *
 * A store is opened once and answers requests of JSON-RPC 2.0. docs/c.md has a walk; docs/requests.md lists the
 * methods, and so does the method rpc.discover.
 *
 * Texts are UTF-8 and end with a zero byte. A text that a function returns belongs to the caller, who releases it with
 * chatdb_free. A text that is passed in stays the caller's, and is not kept.
 *
 * All functions may be called from any thread at any time, also several at once with one store. None of them ends the
 * process, prints, or installs a signal handler. NULL, an unknown store, and text that is not UTF-8 are errors like
 * others: the answer says what is wrong.
 */
#ifndef CHATDB_H
#define CHATDB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open store. Zero is none. A number is never used again, so that a closed store stays an error. */
typedef int64_t chatdb_store;

/*
 * Opens the store at `path`: a prefix (x means x_chat.db and x_agent.db), one of its files, or their folder.
 *
 * `options` is a JSON object, or NULL for none of them:
 *
 *   {"create": false,      make the store if it does not exist
 *    "confirm": "error",   consent to migrations: "error" (none), "yes-up" (up), "yes-up-down" (up and down)
 *    "readOnly": false,    open for reading only: also a store of another version, or of SimpleX Chat
 *    "passphrase": text}   of an encrypted store, which can be opened for reading only
 *
 * The answer is {"result": {...}} with the path, and what was done: "created", "migrated", and the "backup" that was
 * made before a migration. Then `*store` is the store. Otherwise it is {"error": {...}}, as in an answer of JSON-RPC,
 * and `*store` is zero. If a migration needs consent, error.data.code is "needsUpgrade" or "needsDowngrade", and
 * error.data.plan is the plan, as migrations.plan answers it; nothing was changed.
 */
char *chatdb_open(const char *path, const char *options, chatdb_store *store);

/*
 * Answers one request, or a batch. The answer is NULL if the request contains only notifications of JSON-RPC, which
 * have no answer; every error is an answer.
 */
char *chatdb_request(chatdb_store store, const char *request);

/* The same, for methods that read. A method that writes is answered with the error readOnlySession. */
char *chatdb_query(chatdb_store store, const char *request);

/*
 * Waits for the next event, up to so many milliseconds; a negative number waits without a limit. The event is a
 * notification of JSON-RPC. NULL if there is none in time, or if the store is closed. Events arrive after the method
 * events.subscribe. If several threads wait, each event goes to one of them.
 */
char *chatdb_receive(chatdb_store store, int64_t milliseconds);

/* Releases a text that a function returned. NULL does nothing. */
void chatdb_free(char *text);

/*
 * Closes a store: waits for the requests that run, and ends those that wait in chatdb_receive. A store that is not
 * open, or is closed already, is left alone.
 */
void chatdb_close(chatdb_store store);

/* The version of the library, such as "0.1.0". It belongs to the library. */
const char *chatdb_version(void);

#ifdef __cplusplus
}
#endif

#endif
