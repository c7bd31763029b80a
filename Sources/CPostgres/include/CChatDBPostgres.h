#ifndef CCHATDB_POSTGRES_H
#define CCHATDB_POSTGRES_H

#include <stddef.h>

// PostgreSQL's client library, libpq 5, which is loaded when the first store on a server is opened. A program that uses
// only files does not need it.

typedef struct pg_conn chatdb_pq_connection;
typedef struct pg_result chatdb_pq_result;
typedef struct pg_cancel chatdb_pq_cancel;
typedef struct pg_options chatdb_pq_options;
typedef void (*chatdb_pq_notice)(void *_Nullable context, const chatdb_pq_result *_Nonnull result);

/// The functions of libpq that chatdb calls, without `PQ` before their names.
typedef struct {
    chatdb_pq_options *_Nullable (*_Nonnull conninfoParse)(
        const char *_Nonnull text, char *_Nullable *_Nullable problem);
    void (*_Nonnull conninfoFree)(chatdb_pq_options *_Nullable options);
    chatdb_pq_options *_Nullable (*_Nonnull conninfo)(chatdb_pq_connection *_Nonnull connection);
    chatdb_pq_connection *_Nullable (*_Nonnull connectStartParams)(
        const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values, int expand_dbname);
    int (*_Nonnull connectPoll)(chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull socket)(const chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull setErrorVerbosity)(chatdb_pq_connection *_Nonnull connection, int verbosity);
    int (*_Nonnull status)(const chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull transactionStatus)(const chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull serverVersion)(const chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull connectionNeedsPassword)(const chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull backendPID)(const chatdb_pq_connection *_Nonnull connection);
    char *_Nonnull (*_Nonnull errorMessage)(const chatdb_pq_connection *_Nonnull connection);
    const char *_Nullable (*_Nonnull parameterStatus)(
        const chatdb_pq_connection *_Nonnull connection, const char *_Nonnull name);
    chatdb_pq_notice _Nullable (*_Nonnull setNoticeReceiver)(
        chatdb_pq_connection *_Nonnull connection, chatdb_pq_notice _Nonnull receiver, void *_Nullable context);
    void (*_Nonnull finish)(chatdb_pq_connection *_Nonnull connection);
    chatdb_pq_result *_Nullable (*_Nonnull exec)(chatdb_pq_connection *_Nonnull connection, const char *_Nonnull sql);
    chatdb_pq_result *_Nullable (*_Nonnull prepare)(
        chatdb_pq_connection *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull sql, int count,
        const unsigned int *_Nullable types);
    chatdb_pq_result *_Nullable (*_Nonnull execPrepared)(
        chatdb_pq_connection *_Nonnull connection, const char *_Nonnull name, int count,
        const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats,
        int result_format);
    chatdb_pq_result *_Nullable (*_Nonnull execParams)(
        chatdb_pq_connection *_Nonnull connection, const char *_Nonnull sql, int count,
        const unsigned int *_Nullable types, const char *_Nullable const *_Nullable values,
        const int *_Nullable lengths, const int *_Nullable formats, int result_format);
    int (*_Nonnull resultStatus)(const chatdb_pq_result *_Nonnull result);
    char *_Nullable (*_Nonnull resultErrorField)(const chatdb_pq_result *_Nonnull result, int field);
    int (*_Nonnull ntuples)(const chatdb_pq_result *_Nonnull result);
    int (*_Nonnull nfields)(const chatdb_pq_result *_Nonnull result);
    char *_Nullable (*_Nonnull fname)(const chatdb_pq_result *_Nonnull result, int column);
    unsigned int (*_Nonnull ftype)(const chatdb_pq_result *_Nonnull result, int column);
    char *_Nonnull (*_Nonnull getvalue)(const chatdb_pq_result *_Nonnull result, int row, int column);
    int (*_Nonnull getlength)(const chatdb_pq_result *_Nonnull result, int row, int column);
    int (*_Nonnull getisnull)(const chatdb_pq_result *_Nonnull result, int row, int column);
    char *_Nonnull (*_Nonnull cmdStatus)(chatdb_pq_result *_Nonnull result);
    char *_Nonnull (*_Nonnull cmdTuples)(chatdb_pq_result *_Nonnull result);
    void (*_Nonnull clear)(chatdb_pq_result *_Nullable result);
    int (*_Nonnull putCopyData)(chatdb_pq_connection *_Nonnull connection, const char *_Nullable bytes, int count);
    int (*_Nonnull putCopyEnd)(chatdb_pq_connection *_Nonnull connection, const char *_Nullable reason);
    int (*_Nonnull getCopyData)(
        chatdb_pq_connection *_Nonnull connection, char *_Nullable *_Nonnull bytes, int asynchronous);
    chatdb_pq_result *_Nullable (*_Nonnull getResult)(chatdb_pq_connection *_Nonnull connection);
    void (*_Nonnull freemem)(void *_Nullable bytes);
    chatdb_pq_cancel *_Nullable (*_Nonnull getCancel)(chatdb_pq_connection *_Nonnull connection);
    int (*_Nonnull cancel)(chatdb_pq_cancel *_Nonnull cancel, char *_Nonnull problem, int size);
    void (*_Nonnull freeCancel)(chatdb_pq_cancel *_Nullable cancel);
} chatdb_libpq;

/// Loads libpq, once. Returns its functions, or NULL with the reason why it cannot be loaded.
const chatdb_libpq *_Nullable chatdb_libpq_load(const char *_Nullable *_Nonnull problem);

/// The value of an option, as long as `options` lives; NULL for an unknown option and for one without a value.
const char *_Nullable chatdb_libpq_option(const chatdb_pq_options *_Nonnull options, const char *_Nonnull keyword);

#endif
