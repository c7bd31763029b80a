#include "CChatDBPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef __APPLE__
#define LIBRARY "libpq.5.dylib"
#else
#define LIBRARY "libpq.so.5"
#endif

static chatdb_libpq functions;
static char load_problem[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

/// The functions by their names in libpq. Each has a pointer's size in `functions`, in any order.
static const struct {
    const char *name;
    void *place;
} symbols[] = {
    {"PQconninfoParse", &functions.conninfoParse},
    {"PQconninfoFree", &functions.conninfoFree},
    {"PQconninfo", &functions.conninfo},
    {"PQconnectStartParams", &functions.connectStartParams},
    {"PQconnectPoll", &functions.connectPoll},
    {"PQsocket", &functions.socket},
    {"PQsetErrorVerbosity", &functions.setErrorVerbosity},
    {"PQstatus", &functions.status},
    {"PQtransactionStatus", &functions.transactionStatus},
    {"PQserverVersion", &functions.serverVersion},
    {"PQconnectionNeedsPassword", &functions.connectionNeedsPassword},
    {"PQbackendPID", &functions.backendPID},
    {"PQerrorMessage", &functions.errorMessage},
    {"PQparameterStatus", &functions.parameterStatus},
    {"PQsetNoticeReceiver", &functions.setNoticeReceiver},
    {"PQfinish", &functions.finish},
    {"PQexec", &functions.exec},
    {"PQprepare", &functions.prepare},
    {"PQexecPrepared", &functions.execPrepared},
    {"PQexecParams", &functions.execParams},
    {"PQresultStatus", &functions.resultStatus},
    {"PQresultErrorField", &functions.resultErrorField},
    {"PQntuples", &functions.ntuples},
    {"PQnfields", &functions.nfields},
    {"PQfname", &functions.fname},
    {"PQftype", &functions.ftype},
    {"PQgetvalue", &functions.getvalue},
    {"PQgetlength", &functions.getlength},
    {"PQgetisnull", &functions.getisnull},
    {"PQcmdStatus", &functions.cmdStatus},
    {"PQcmdTuples", &functions.cmdTuples},
    {"PQclear", &functions.clear},
    {"PQputCopyData", &functions.putCopyData},
    {"PQputCopyEnd", &functions.putCopyEnd},
    {"PQgetCopyData", &functions.getCopyData},
    {"PQgetResult", &functions.getResult},
    {"PQfreemem", &functions.freemem},
    {"PQgetCancel", &functions.getCancel},
    {"PQcancel", &functions.cancel},
    {"PQfreeCancel", &functions.freeCancel},
};

_Static_assert(
    sizeof symbols / sizeof symbols[0] == sizeof functions / sizeof(void *), "a function is not in the list");

static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    const char *reason = library ? NULL : dlerror();
    for (size_t index = 0; library && index < sizeof symbols / sizeof symbols[0]; index++) {
        void *symbol = dlsym(library, symbols[index].name);
        if (!symbol) {
            reason = dlerror();
            break;
        }
        *(void **)symbols[index].place = symbol;
    }
    if (!library || reason) {
        snprintf(load_problem, sizeof load_problem, "%s", reason ? reason : "unknown reason");
    }
}

const chatdb_libpq *chatdb_libpq_load(const char **problem) {
    pthread_once(&load_once, load);
    *problem = load_problem[0] ? load_problem : NULL;
    return *problem ? NULL : &functions;
}

/// An option in libpq's interface. The last one of an array has no keyword.
struct pg_options {
    char *keyword;
    char *variable;
    char *compiled;
    char *value;
    char *label;
    char *display;
    int display_size;
};

const char *chatdb_libpq_option(const chatdb_pq_options *options, const char *keyword) {
    for (; options->keyword; options++) {
        if (strcmp(options->keyword, keyword) == 0) return options->value;
    }
    return NULL;
}
